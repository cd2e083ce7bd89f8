// One head in seven stages, from embeddings to new vectors.
import {
  chips,
  columnOf,
  figure,
  h,
  joined,
  largest,
  legend,
  mark,
  matrix,
  note,
  number,
  products,
  provenance,
  quoted,
  row,
  rowOf,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { attention, matmul, scores } from "../kit/linalg.js";

const STAGES = ["embeddings", "projections", "scores", "scaling", "softmax", "weighted sum", "new vectors"];
const NOTES = [
  "Each word is a row of X: a vector looked up in a table.",
  "Three weight matrices turn each row into a query (what it asks), a key (what it offers) and a value " +
  "(what it hands over).",
  "Each query meets each key in a dot product: one score for every pair of words.",
  "Scores grow with the width d of the vectors; dividing by √d undoes exactly that.",
  "Softmax makes each row of scores into weights: positive, and summing to one.",
  "Each word's new vector is the average of all values, with its row of weights.",
  "What went in knew only its own word; what comes out knows which words mattered to it.",
];
// Which parts of softmax(QKᵀ/√d)V are at work in each stage
const FORMULA = [["softmax(", 4], ["Q", 1, 2], ["Kᵀ", 1, 2], ["/ √d", 3], [")", 4], ["V", 1, 5], ["= Y", 5, 6]];

export function render(host) {
  return figure(host, {
    title: "One head, start to finish.",
    hint: "Step through the seven stages, and choose whose row to follow.",
    shape: ["X", "W_Q", "W_K", "W_V", "mask", "tokens"],
    state: ["stage", "focus"],
    build,
  });
}

function compute(get) {
  const X = get("X");
  const [Q, K, V] = ["Q", "K", "V"].map((name) => matmul(X, get(`W_${name}`)));
  const mask = get("mask").map((line) => line.map(Boolean));
  const { scores: seen, weights, output } = attention(Q, K, V, { mask });
  return { X, Q, K, V, S: scores(Q, K, 1), scaled: seen, A: weights, Y: output, d: Q[0].length };
}

function build(get, set) {
  const tokens = get("tokens");
  const all = compute(get);
  const { X, Q, K, V, S, A, Y } = all;
  const panels = [];
  const most = largest([X, Q, K, V, S, all.scaled, Y].flat()); // one scale: S and S / √d are not alike
  const part = (name, values, { cols = null, kind = "signed", follow = true, onpick = null } = {}) => {
    const one = matrix({
      name: `${name} (${values.length}×${values[0].length})`,
      rows: tokens,
      cols,
      kind,
      most,
      onpick,
      size: [values.length, values[0].length],
    });
    panels.push(() => one.draw(values, { row: follow ? get("focus") : -1 }));
    return one;
  };
  const square = { cols: tokens };
  const weight = { cols: tokens, kind: "weight" };
  const walked = { onpick: () => {} }; // to be walked over by keys: what a number is made of is told
  const shares = matrix({
    name: "its weight × each value",
    rows: tokens,
    most,
    onpick: () => {},
    size: [V.length, V[0].length],
  });
  const total = matrix({ name: "sum: its row of Y", rows: ["Σ"], most, onpick: () => {}, size: [1, V[0].length] });
  panels.push(() => {
    const i = get("focus");
    shares.draw(V.map((line, j) => line.map((x) => A[i][j] * x)), {
      caption: `A(${quoted(tokens[i])}, ·) × V, row by row`,
    });
    total.draw([Y[i]]);
  });
  const [q, k, s] = [
    part("Q", Q),
    part("K, every row a key", K, { follow: false }),
    part("S = Q Kᵀ", S, { ...square, ...walked }),
  ];
  const [raw, divided] = [part("S", S, square), part("S / √d", all.scaled, { ...square, ...walked })];
  const [logits, a] = [part("S / √d", all.scaled, square), part("A = softmax", A, { ...weight, ...walked })];
  const [rowsOfA, v] = [part("A", A, weight), part("V", V, { follow: false })];
  const power = (i, j) => (all.scaled[i][j] === -Infinity ? "0" : `e^${number(all.scaled[i][j])}`);
  const shared = (i, j) =>
    `${power(i, j)} / (${A[i].slice(0, 5).map((_, c) => power(i, c)).join(" + ")}${A.length > 5 ? " + …" : ""})`;
  const origin = provenance([
    [s, (i, j) => ({ told: `${number(S[i][j])} = ${products(Q[i], K[j])}`, from: [...rowOf(q, i), ...rowOf(k, j)] })],
    [divided, (i, j) => ({
      told: `${number(all.scaled[i][j])} = ${number(S[i][j])} / √${all.d}${
        all.scaled[i][j] === -Infinity ? ", masked" : ""
      }`,
      from: [[raw, [i, j]]],
    })],
    [a, (i, j) => ({ told: `${number(A[i][j])} = ${shared(i, j)}`, from: rowOf(logits, i) })],
    [shares, (j, c) => ({
      told: `${number(A[get("focus")][j] * V[j][c])} = ${products([A[get("focus")][j]], [V[j][c]])}`,
      from: [[rowsOfA, [get("focus"), j]], [v, [j, c]]],
    })],
    [total, (_, c) => ({
      told: `${number(Y[get("focus")][c])} = ${products(A[get("focus")], V.map((line) => line[c]))}`,
      from: [...rowOf(rowsOfA, get("focus")), ...columnOf(v, c), ...columnOf(shares, c)],
    })],
  ]);
  const boards = [
    row(part("X", X).el),
    row(part("Q = X W_Q", Q).el, part("K = X W_K", K).el, part("V = X W_V", V).el),
    row(q.el, joined("·", k.el), joined("=", s.el)),
    row(raw.el, joined(`÷ √${all.d} =`, divided.el)),
    row(logits.el, joined("→", a.el), sums(A, tokens)),
    row(rowsOfA.el, joined("·", v.el), joined("→", shares.el), joined("Σ", total.el)),
    row(part("X, what went in", X).el, joined("→", part("Y = A V, what comes out", Y).el)),
  ];
  const pieces = FORMULA.map(([text, ...stages]) => [h("span", {}, text), stages]);
  const formula = h("p", { class: "attn-formula" }, pieces.map(([node]) => node));
  const focus = get("focus");
  const scale = legend({ kind: "signed", values: [...X, ...Q, ...K, ...V, ...S, ...Y], most });
  const steps = stepper({
    last: STAGES.length - 1,
    onstep: (stage) => set({ stage }),
    onreset: () => set({ stage: 0, focus }),
    pace: 2600,
  });
  const words = chips({ names: tokens, title: "Follow", onpick: (focus) => set({ focus }) });
  const told = note();

  function draw() {
    const stage = get("stage");
    steps.draw(stage, `${stage + 1} of ${STAGES.length}: ${STAGES[stage]}`);
    words.draw(get("focus"));
    write(told, NOTES[stage]);
    pieces.forEach(([node, stages]) => mark(node, "data-on", stages.includes(stage)));
    boards.forEach((board, k) => (board.hidden = k !== stage));
    panels.forEach((panel) => panel());
    origin.draw();
  }
  return {
    parts: [steps.el, words.el, formula, told, ...boards, scale.el, origin.el],
    draw,
    sentence: () => sentence(get, all),
    stop: steps.stop,
  };
}

function sums(A, tokens) {
  const el = matrix({ name: "row sums", rows: tokens, cols: ["Σ"], kind: "plain", size: [A.length, 1] });
  el.draw(A.map((line) => [line.reduce((sum, x) => sum + x, 0)]));
  return el.el;
}

function sentence(get, { X, Q, K, V, S, scaled, A, Y, d }) {
  const i = get("focus");
  const stage = get("stage");
  const word = quoted(get("tokens")[i]);
  const told = [
    `${word} enters as ${vector(X[i])}`,
    `${word} asks q = ${vector(Q[i])}, offers k = ${vector(K[i])}, carries v = ${vector(V[i])}`,
    `the query of ${word} meets every key: ${vector(S[i])}`,
    `divided by √${d}, the scores of ${word} are ${vector(scaled[i])}`,
    `softmax turns them into the weights ${vector(A[i])}`,
    `the values, averaged with these weights, give ${vector(Y[i])}`,
    `${word} entered as ${vector(X[i])} and leaves as ${vector(Y[i])}`,
  ][stage];
  return `Stage ${stage + 1} of ${STAGES.length}, ${STAGES[stage]}: ${told}.`;
}
