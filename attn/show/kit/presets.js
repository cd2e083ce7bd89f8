// Masks by name, and heads that do one thing: as presets.py makes them, where the reasons stand.
import { dot, transpose } from "./linalg.js";

const SURE = 12;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const square = (n, allowed) => range(n).map((i) => range(n).map((j) => Number(Boolean(allowed(i, j)))));

export const PRESETS = {
  previous: "previous token",
  induction: "induction",
  same: "same token",
  first: "first token",
  uniform: "uniform",
  self: "self",
  edge: "window edge",
};

// What each token looks at
export const SHOWS = {
  previous: "the one before it",
  induction: "what followed its last copy",
  same: "its copies",
  first: "the first token",
  uniform: "all alike",
  self: "itself",
  edge: "the oldest in its window",
};

export function pattern(name, n, window, prefix = 2) {
  const whose = (j) => (9 * j >= 4 * n) + (3 * j >= 2 * n);
  return square(
    n,
    {
      none: () => true,
      causal: (i, j) => j <= i,
      window: (i, j) => j <= i && j > i - window,
      prefix: (i, j) => j <= i || j < prefix,
      blocks: (i, j) => Math.floor(i / window) === Math.floor(j / window),
      documents: (i, j) => j <= i && whose(i) === whose(j),
    }[name],
  );
}

export function numbers(tokens) {
  const kinds = [...new Set(tokens)];
  return tokens.map((token) => kinds.indexOf(token));
}

export const placesAndNumbers = (tokens) => numbers(tokens).map((id, j) => [j + 1, id + 1]);

function circle(at, period) {
  const angle = (2 * Math.PI * at) / period;
  const fast = angle * Math.max(2, Math.round(Math.sqrt(period)));
  return [Math.cos(angle), Math.sin(angle), Math.cos(fast), Math.sin(fast)];
}

function gap(period) {
  const others = range(period).slice(1).map((at) => dot(circle(at, period), circle(0, period)));
  return 2 - (others.length ? Math.max(...others) : 0);
}

export function preset(name, tokens, window) {
  const n = tokens.length;
  const ids = numbers(tokens);
  const kinds = Math.max(...ids) + 1;
  const back = { previous: 1, self: 0, edge: window - 1 }[name];
  const wide = (a, times) => a.map((row) => range(5).map((c) => times * (row[c] || 0)));
  const on = (places, period, size) => places.map((at) => circle(at, period).map((x) => x * size));
  let Q = range(n).map(() => [name === "first" ? SURE : 0]);
  let K = range(n).map((j) => [Number(j === 0)]);
  if (back !== undefined) {
    [Q, K] = [on(range(n).map((i) => Math.max(i - back, 0)), n, SURE / gap(n)), on(range(n), n, 1)];
  }
  if (name === "same") [Q, K] = [on(ids, kinds, SURE / gap(kinds)), on(ids, kinds, 1)];
  if (name === "induction") [Q, K] = induction(ids, kinds);
  const mask = { same: "none", self: "none", edge: "window" }[name] || "causal";
  return {
    Q: wide(Q, Math.sqrt(5)),
    K: wide(K, 1),
    V: placesAndNumbers(tokens),
    mask,
    scale: 1 / Math.sqrt(5),
    temperature: 1,
    preset: name,
  };
}

function induction(ids, kinds) {
  const n = ids.length;
  const apart = ids.map((id, i) => ids.indexOf(id, i + 1) - i).filter((steps) => steps > 0);
  const slope = SURE / 2 / (apart.length ? Math.min(...apart) : n);
  const strength = (slope * (n - 1) + 2 * SURE) / gap(kinds);
  const K = ids.map((_, j) => (j ? [...circle(ids[j - 1], kinds), slope * j] : [0, 0, 0, 0, 2 * strength - SURE]));
  return [ids.map((id) => [...circle(id, kinds).map((x) => x * strength), 1]), K];
}

// Column-pivoted Gram–Schmidt: how many columns make all the others, to a thousandth of the longest.
export function rank(a) {
  const rest = transpose(a).map((column) => Float64Array.from(column));
  const n = a.length;
  const product = (x, y) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i] * y[i]; // not dot: 128 columns, 128 times, while a slider moves
    return sum;
  };
  let found = 0;
  for (let first = null; found < Math.min(rest.length, n); found++) {
    const sizes = rest.map((column) => Math.sqrt(product(column, column)));
    const j = sizes.indexOf(Math.max(...sizes));
    first = first === null ? sizes[j] : first;
    if (sizes[j] <= 1e-3 * first) break;
    const unit = rest[j].map((x) => x / sizes[j]);
    for (const column of rest) {
      const share = product(unit, column);
      for (let i = 0; i < n; i++) column[i] -= share * unit[i];
    }
  }
  return found;
}
