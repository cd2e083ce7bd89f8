// The mathematics of the figures: matrices are arrays of rows. Equal to attn to 1e-6, tested in a browser.

export const transpose = (a) => (a.length ? a[0].map((_, j) => a.map((row) => row[j])) : []);

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export function matmul(a, b) {
  if (a.length && a[0].length !== b.length) {
    throw new Error(`the inner axis is ${a[0].length} on the left but ${b.length} on the right`);
  }
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

export const scaled = (a, factor) => a.map((row) => row.map((x) => x * factor));

// A mask entry is boolean (true = may attend), or a number that is added to the score; null stands for −∞.
export function masked(scores, mask) {
  if (!mask) return scores;
  return scores.map((row, i) =>
    row.map((s, j) => {
      const entry = mask[i][j];
      if (entry === null || entry === false) return -Infinity;
      return entry === true ? s : s + entry;
    })
  );
}

// The row's maximum goes first: the same weights, and exp cannot overflow. An empty row gives zeros, not NaN.
export function softmaxRow(row) {
  const top = Math.max(...row.filter((s) => s > -Infinity));
  const e = row.map((s) => (s > -Infinity ? Math.exp(s - top) : 0));
  const total = e.reduce((sum, x) => sum + x, 0);
  return e.map((x) => (total ? x / total : 0));
}

export const softmax = (scores, mask) => masked(scores, mask).map(softmaxRow);

export const scores = (q, k, scale = 1 / Math.sqrt(q[0].length)) => scaled(matmul(q, transpose(k)), scale);

export function attention(q, k, v, { mask = null, scale } = {}) {
  const raw = scores(q, k, scale);
  const seen = masked(raw, mask);
  const weights = seen.map(softmaxRow);
  return { raw, scores: seen, weights, output: matmul(weights, v) };
}

// In nats; 0 log 0 = 0.
export const entropy = (weights) => 0 - weights.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
