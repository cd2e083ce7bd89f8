// What few figures need: singular values, rank, and the corners of a hull.
import { dot, transpose } from "./linalg.js";

// The thin singular value decomposition, a = Σ s_i u_i v_iᵀ with s falling, by one-sided Jacobi rotations: the
// columns are turned in pairs until all are orthogonal; their lengths are the singular values.
export function svd(a) {
  if (a.length < a[0].length) {
    const { u, s, v } = svd(transpose(a));
    return { u: v, s, v: u };
  }
  const columns = transpose(a);
  const turns = columns.map((_, i) => columns.map((_, j) => (i === j ? 1 : 0)));
  const nothing = 1e-24 * columns.reduce((sum, c) => sum + dot(c, c), 0);
  for (let sweep = 0, turned = true; turned && sweep < 40; sweep++) {
    turned = false;
    for (let p = 0; p < columns.length; p++) {
      for (let q = p + 1; q < columns.length; q++) {
        turned = turn(columns, turns, p, q, nothing) || turned;
      }
    }
  }
  const lengths = columns.map((c) => Math.sqrt(dot(c, c)));
  const order = lengths.map((_, i) => i).sort((i, j) => lengths[j] - lengths[i]);
  const unit = (c, size) => c.map((x) => (size ? x / size : 0));
  return {
    u: order.map((i) => unit(columns[i], lengths[i])),
    s: order.map((i) => lengths[i]),
    v: order.map((i) => turns[i]),
  };
}

// One rotation that makes columns p and q orthogonal; false where they already are, or are rounding both.
function turn(columns, turns, p, q, nothing) {
  const [a, b] = [columns[p], columns[q]];
  let [alpha, beta, gamma] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    alpha += a[i] * a[i];
    beta += b[i] * b[i];
    gamma += a[i] * b[i];
  }
  if (Math.abs(gamma) <= 1e-15 * Math.sqrt(alpha * beta) || (alpha <= nothing && beta <= nothing)) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
  const c = 1 / Math.hypot(1, t);
  for (const [x, y] of [[a, b], [turns[p], turns[q]]]) {
    for (let i = 0; i < x.length; i++) {
      const left = x[i];
      const right = y[i];
      x[i] = c * left - c * t * right;
      y[i] = c * t * left + c * right;
    }
  }
  return true;
}

// How many singular values (falling) exceed 1e-9 of the largest: rank_slider.py has the same bound.
export const rank = (singular) => singular.filter((x) => x > 1e-9 * singular[0]).length;

// The same count without the decomposition. Reflections from the right and the left in turn leave two diagonals, b;
// with ±σ for its eigenvalues, the symmetric matrix of zeros with b beside its diagonal is counted by Sturm's rule.
export function matrixRank(a) {
  const b = [];
  for (let w = a.map((y) => [...y]); w.length && w[0].length; w = transpose(w.slice(1))) {
    const v = w[0];
    const size = Math.sqrt(dot(v, v));
    b.push(size);
    v[0] += v[0] < 0 ? -size : size;
    const half = dot(v, v) / 2 || 1;
    for (const y of w.slice(1)) {
      let f = 0;
      for (let i = 0; i < v.length; i++) f += v[i] * y[i];
      f /= half;
      for (let i = 0; i < v.length; i++) y[i] -= f * v[i];
    }
  }
  const above = (t) =>
    b.reduce(([q, found], x) => {
      const next = -t - (x * x) / q;
      return [next || 1e-300, found + (next > 0)];
    }, [-t, 0])[1];
  let [low, high] = [Math.max(...b), 2 * Math.max(...b)]; // the largest lies between
  for (let k = 0; k < 40; k++) {
    const middle = (low + high) / 2;
    if (above(middle)) low = middle;
    else high = middle;
  }
  return low ? above(1e-9 * low) : 0;
}

// Which of these points in the plane are corners of their hull, anticlockwise from the leftmost (Andrew's chain).
export function hull(points) {
  const order = points.map((_, j) => j).sort((i, j) =>
    points[i][0] - points[j][0] || points[i][1] - points[j][1] || i - j
  );
  const sides = [order, [...order].reverse()].map((path) => chain(points, path).slice(0, -1)).flat();
  return sides.length ? sides : order.slice(0, 1);
}

function chain(points, path) {
  const left = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
  const kept = [];
  const last = (back) => points[kept[kept.length - back]];
  for (const j of path) {
    while (kept.length > 1 && !left(last(2), last(1), points[j])) kept.pop();
    if (!kept.length || last(1)[0] !== points[j][0] || last(1)[1] !== points[j][1]) kept.push(j);
  }
  return kept;
}
