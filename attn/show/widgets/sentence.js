// A table of scores with its softmax, and the row that was printed for it.
import {
  extremes,
  figure,
  h,
  heater,
  joined,
  legend,
  matrix,
  note,
  number,
  provenance,
  quoted,
  row,
  rowOf,
  vector,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "One sentence, all its scores.",
    hint: "Choose a row to read it; change the temperature and see what softmax makes of the scores.",
    shape: ["scores", "tokens", "printed", "printed_row"],
    state: ["row", "temperature"],
    build,
  });
}

function build(get, set) {
  const [scores, tokens, printed, at] = ["scores", "tokens", "printed", "printed_row"].map(get);
  const n = tokens.length;
  const square = { rows: tokens, cols: tokens, size: [n, n], onpick: (i) => set({ row: i }) };
  const left = matrix({ name: "scores", ...square });
  const right = matrix({ name: "weights = softmax(scores)", ...square, kind: "weight" });
  const heat = heater((temperature) => set({ temperature }));
  const reset = h("button", { type: "button", onclick: () => set({ temperature: 1 }) }, "↺ Temperature 1");
  const compared = printed &&
    matrix({
      name: `the row of ${quoted(tokens[at])}`,
      rows: ["printed", "computed", "difference"],
      cols: tokens,
      size: [3, n],
      kind: "plain",
    });
  const about = printed &&
    note(`A row of weights was printed for ${quoted(tokens[at])}. Can any temperature make softmax give it?`);
  const computed = () => scores.map((line) => softmaxRow(line.map((s) => s / get("temperature"))));
  let weights = computed();
  const power = (s) => `e^${number(s / get("temperature"))}`;
  const origin = provenance([[right, (i, j) => ({
    told: `${number(weights[i][j])} = ${power(scores[i][j])} / (${scores[i].slice(0, 5).map(power).join(" + ")}${
      n > 5 ? " + …" : ""
    })`,
    from: rowOf(left, i),
  })]]);

  function draw() {
    weights = computed();
    heat.draw(get("temperature"));
    left.draw(scores, { row: get("row") });
    right.draw(weights, { row: get("row") });
    origin.draw();
    if (compared) compared.draw([printed, weights[at], printed.map((x, j) => x - weights[at][j])]);
  }
  function sentence() {
    const i = get("row");
    const warmth = get("temperature") === 1 ? "" : ` at temperature ${number(get("temperature"))}`;
    const told = `${quoted(tokens[i])} scores ${vector(scores[i])}${warmth}; softmax gives ${vector(weights[i])}`;
    if (!printed || i !== at) return `${told}, ${extremes(weights[i], tokens)}.`;
    const far = Math.max(...printed.map((x, j) => Math.abs(x - weights[at][j])));
    return `${told}. Printed was ${vector(printed)}, which is off by up to ${number(far)}.`;
  }
  const scale = legend({ kind: "signed", values: scores });
  const controls = h("div", { class: "attn-sliders" }, heat.el);
  const axes = h("p", { class: "attn-axes" }, "queries down, keys across");
  const extra = compared ? [about, compared.el] : [];
  return {
    parts: [row(controls, reset), axes, row(left.el, joined("→", right.el)), scale.el, origin.el, ...extra],
    draw,
    sentence,
  };
}
