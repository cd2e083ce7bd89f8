// The playground's challenges: what to do, a hint, why it matters, and when it is solved. Each looks at the head as
// it is, not at the way taken.
import { entropy } from "./linalg.js";

const rows = (now, from, holds) => now.A.slice(from).every((line, i) => holds(line, i + from));
const most = 0.9; // "attends to" means: with at least this weight
const half = (now, j) => j < Math.floor(now.n / 2);
const close = (a, b) => Math.abs(a - b) < 0.01;

export const GOALS = [
  {
    id: "sink",
    ask: "Every token attends to the first one, though no mask forbids the rest.",
    hint: "One key must stand above all others for every query. A preset does it, under a mask: does it need the mask?",
    why: "One key that agrees with every query is enough, whatever the mask. Trained models park spare attention " +
      "on the first token: an attention sink.",
    solved: (now) => now.n > 2 && now.mask === "none" && rows(now, 0, (line) => line[0] >= most),
  },
  {
    id: "average",
    ask:
      "Every token averages three tokens evenly: itself and the two before it. The first ones average what there is.",
    hint: "Make all scores of a row alike, and let the mask say how many.",
    why: "Equal scores make equal weights; the mask decides over how many. A window of three makes a moving average.",
    solved: (now) =>
      now.n > 3 &&
      rows(now, 0, (line, i) => line.every((x, j) => close(x, j <= i && j > i - 3 ? 1 / Math.min(i + 1, 3) : 0))),
  },
  {
    id: "back",
    ask: "Every token attends to the token two back, without painting a mask.",
    hint: "Start from the previous-token head and hand every query to the next token.",
    why: "Shifting Q by one row shifts every row of weights: a place is a vector like any other.",
    solved: (now) => now.n > 4 && now.mask !== "painted" && rows(now, 2, (line, i) => line[i - 2] >= most),
  },
  {
    id: "next",
    ask: "A head no causal model can have: every token attends to the next one.",
    hint: "In the self head, no mask is on. What if every key carried the place of the token before its own?",
    why: "The next token is what a causal model is asked to predict. A head that reads it would read the answer: " +
      "the mask forbids exactly these weights.",
    solved: (now) => now.n > 2 && now.A.slice(0, -1).every((line, i) => line[i + 1] >= most),
  },
  {
    id: "induction",
    ask: "Build an induction head: under a causal mask, every repeated token attends to what followed its last " +
      "copy. The preset does not count: its first key is set by hand.",
    hint: "Start from the same-token head. What if every key carried the token before its own? Then set the causal " +
      "mask.",
    why: "Matching a token against the token before each key finds what came next last time. In a trained model " +
      "an earlier head writes that token into each key's vector.",
    solved: (now) =>
      now.mask === "causal" && repeats(now).length > 1 && repeats(now).every(([i, j]) => now.A[i][j] >= most) &&
      now.K[0].every((x) => x === 0),
  },
  {
    id: "partners",
    ask: "Partners: every token attends to one other token, which attends back.",
    hint: "With every word there twice, the same-token head looks at both copies. Paint the diagonal away.",
    why: "Softmax shares out what is left: forbid the token itself and its copy gets everything.",
    solved: (now) =>
      now.n > 2 && rows(now, 0, (line, i) => line.some((x, j) => j !== i && x >= most && now.A[j][i] >= most)),
  },
  {
    id: "nothing",
    ask: "One token sees nothing at all, and no other row suffers.",
    hint: "Paint a row of the mask empty, cell by cell.",
    why: "There is no average of nothing. Here the row is zeros; other libraries answer NaN or the mean of all values.",
    solved: (now) =>
      now.A.filter((line) => line.every((x) => x === 0)).length === 1 &&
      now.A.filter((line) => close(line.reduce((sum, x) => sum + x, 0), 1)).length === now.n - 1,
  },
  {
    id: "documents",
    ask: "Two documents in one row: no weight between the first half and the second, and inside each half every " +
      "token sees all tokens up to itself.",
    hint: "Start from a causal mask and few differences between scores; then paint the block below.",
    why: "Short texts are trained in one row to waste no place. The mask keeps them apart, block by block.",
    solved: (now) =>
      now.n > 3 &&
      rows(now, 0, (line, i) => line.every((x, j) => (half(now, i) !== half(now, j) || j > i ? x === 0 : x > 0.001))),
  },
  {
    id: "rank",
    ask: "Weights of full rank from scores of rank at most 4, with no mask and no weight above one half.",
    hint: "Which pattern has full rank, one 1 in each row and column? Start there, then let it hesitate.",
    why: "Q Kᵀ has at most the rank of its width. The exponential works entry by entry: it can raise that to any.",
    solved: (now) =>
      now.n > 5 && now.mask === "none" && now.ranks[0] <= 4 && now.ranks[1] === now.n &&
      rows(now, 0, (line) => Math.max(...line) <= 0.5),
  },
  {
    id: "melt",
    ask: "Undecided: every row almost even, no mask, though the scores have rank 2 or more.",
    hint: "Leave Q and K alone. One slider is enough: which, and which way?",
    why: "A high temperature, or a small scale, shrinks the differences between scores, and softmax sees only those.",
    solved: (now) =>
      now.n > 2 && now.mask === "none" && now.ranks[0] > 1 &&
      now.A.every((line) => entropy(line) >= 0.98 * Math.log(now.n)),
  },
];

// [i, the place after the last earlier copy of token i], for every token that has one
function repeats({ ids }) {
  return ids.map((id, i) => [i, ids.slice(0, i).lastIndexOf(id) + 1]).filter(([, j]) => j > 0);
}
