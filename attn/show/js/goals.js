// When the playground's challenges are solved; their words are in attn/show/goals.py. Each looks at the head as it
// is, not at the way taken.
import { entropy } from "./linalg.js";

const rows = (now, from, holds) => now.A.slice(from).every((line, i) => holds(line, i + from));
const most = 0.9; // "attends to" means: with at least this weight
const half = (now, j) => j < Math.floor(now.n / 2);
const close = (a, b) => Math.abs(a - b) < 0.01;

export const REACHED = {
  sink: (now) => now.n > 2 && rows(now, 0, (line) => line[0] >= most),
  average: (now) => now.n > 2 && rows(now, 0, (line, i) => line.every((x, j) => close(x, j <= i ? 1 / (i + 1) : 0))),
  back: (now) => now.n > 4 && now.mask !== "painted" && rows(now, 2, (line, i) => line[i - 2] >= most),
  next: (now) => now.n > 2 && now.A.slice(0, -1).every((line, i) => line[i + 1] >= most),
  induction: (now) => now.mask === "causal" && repeats(now).length > 1 && repeats(now).every(([i, j]) => now.A[i][j] >= most) && now.K[0].every((x) => x === 0),
  partners: (now) => now.n > 2 && rows(now, 0, (line, i) => line.some((x, j) => j !== i && x >= most && now.A[j][i] >= most)),
  nothing: (now) => now.A.filter((line) => line.every((x) => x === 0)).length === 1 && now.A.filter((line) => close(line.reduce((sum, x) => sum + x, 0), 1)).length === now.n - 1,
  documents: (now) => now.n > 3 && rows(now, 0, (line, i) => line.every((x, j) => (half(now, i) !== half(now, j) || j > i ? x === 0 : x > 0.001))),
  rank: (now) => now.n > 5 && now.mask === "none" && now.ranks[0] <= 4 && now.ranks[1] === now.n,
  melt: (now) => now.n > 2 && now.mask === "none" && now.ranks[0] > 1 && now.A.every((line) => entropy(line) >= 0.98 * Math.log(now.n)),
};

// [i, the place after the last earlier copy of token i], for every token that has one
function repeats({ ids }) {
  return ids.map((id, i) => [i, ids.slice(0, i).lastIndexOf(id) + 1]).filter(([, j]) => j > 0);
}
