// The playground's challenges: what to do, a hint, why it matters, the cells of A that are to hold nearly all of their
// rows, and what else must be true. Each looks at the head as it is, not at the way taken, but for the preset it began as.
import { entropy } from "./linalg.js";

const most = 0.9; // "attends to" means: with at least this weight
const half = (now, j) => j < Math.floor(now.n / 2);
const close = (a, b) => Math.abs(a - b) < 0.01;
// row i of A is to look at these columns
const cells = (now, columns) => now.A.flatMap((_, i) => columns(i).filter((j) => now.A[i][j] >= 0).map((j) => [i, j]));
const all = (now, holds) => now.A.every((line, i) => line.every((x, j) => holds(x, i, j)));
const before = (i, count) => Array.from({ length: Math.min(i + 1, count) }, (_, k) => i - k);
const tops = (now) => now.A.map((line) => Math.max(...line));

// shared: the cells wanted share their row, so that `holds` has to look at them itself
export const reached = (goal, now) =>
  now.n > 3 && goal.holds(now) && (goal.shared || (goal.wanted?.(now) || []).every(([i, j]) => now.A[i][j] >= most));

export const GOALS = [
  {
    id: "sink",
    ask: "Every token attends to the first one, without a mask or its preset.",
    hint: "Take uniform and no mask: only the first key is not 0. What must every query hold?",
    why: "One key that agrees with every query is enough: an attention sink.",
    wanted: (now) => cells(now, () => [0]),
    holds: (now) => now.mask === "none" && now.head !== "first",
  },
  {
    id: "average",
    ask: "Every token averages three tokens evenly: itself and the two before it.",
    hint: "Make all scores of a row alike. The mask says how many.",
    why: "Equal scores, equal weights: a moving average.",
    shared: true,
    wanted: (now) => cells(now, (i) => before(i, 3)),
    holds: (now) => all(now, (x, i, j) => close(x, j <= i && j > i - 3 ? 1 / Math.min(i + 1, 3) : 0)),
  },
  {
    id: "back",
    ask: "Every token attends to the token two back, without painting a mask.",
    hint: "Take the previous-token head. Hand every query to the next token.",
    why: "Shifting Q by one row shifts every row of weights.",
    wanted: (now) => cells(now, (i) => [i - 2]),
    holds: (now) => now.mask !== "painted",
  },
  {
    id: "next",
    ask: "A head no causal model can have: every token attends to the next one.",
    hint: "Take the self head. What if every key carried the place before its own?",
    why: "The next token is what a model has to guess.",
    wanted: (now) => cells(now, (i) => [i + 1]),
    holds: () => true,
  },
  {
    id: "induction",
    ask:
      "An induction head: under a causal mask, every repeated token attends to what followed its last copy, without its preset.",
    hint: "Take the same-token head. What if every key carried the token before its own? Then set the causal mask.",
    why: "Matching a token against the one before each key finds what came next.",
    wanted: repeats,
    holds: (now) => now.mask === "causal" && repeats(now).length > 1 && now.K[0].every((x) => x === 0),
  },
  {
    id: "partners",
    ask: "Partners: every token attends to one other token, which attends back.",
    hint: "Take the same-token head, each word twice. Paint the diagonal away.",
    why: "Forbid the token itself, and its copy gets everything.",
    holds: (now) => now.A.every((line, i) => line.some((x, j) => j !== i && x >= most && now.A[j][i] >= most)),
  },
  {
    id: "nothing",
    ask: "One token sees nothing at all, and no other row suffers.",
    hint: "Paint a row of the mask empty, cell by cell.",
    why: "No average of nothing: zeros.",
    holds: (now) => tops(now).filter((x) => x === 0).length === 1,
  },
  {
    id: "documents",
    ask: "Two documents in one row: no weight between its halves, and inside each every token sees all up to itself.",
    hint: "Take a causal mask and even scores; paint the block below.",
    why: "In training the mask keeps texts of a row apart.",
    shared: true,
    wanted: (now) => cells(now, (i) => before(i, now.n).filter((j) => half(now, i) === half(now, j))),
    holds: (now) => all(now, (x, i, j) => (half(now, i) !== half(now, j) || j > i ? x === 0 : x > 0.001)),
  },
  {
    id: "rank",
    ask: "Weights of full rank from scores of rank at most 4, with no mask and no weight above ½.",
    hint: "Which pattern has one 1 in each row and column? Let it hesitate.",
    why: "Q Kᵀ has at most the rank of its width. The exponential can raise it.",
    holds: (now) =>
      now.mask === "none" && now.ranks[0] <= 4 && now.ranks[1] === now.n && now.n > 5 &&
      Math.max(...tops(now)) <= 0.5,
  },
  {
    id: "melt",
    ask: "Every row almost even, no mask, though the scores have rank 2 or more.",
    hint: "Leave Q and K. One slider is enough: which?",
    why: "Both shrink the differences that softmax sees.",
    holds: (now) =>
      now.mask === "none" && now.ranks[0] > 1 && now.A.every((line) => entropy(line) >= 0.98 * Math.log(now.n)),
  },
];

// [i, the place after the last earlier copy of token i], for every token that has one
function repeats({ ids }) {
  return ids.map((id, i) => [i, ids.slice(0, i).lastIndexOf(id) + 1]).filter(([, j]) => j > 0);
}
