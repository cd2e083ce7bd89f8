// W10: drag a row of scores, watch softmax make weights of it.
import { bars, factor, figure, h, note, number, row, slider, vector, write } from "./kit.js";
import { softmaxRow } from "./linalg.js";

export function render(host) {
  return figure(host, {
    title: "From scores to weights.",
    hint: "Drag a score. Then make all scores equal, or one much larger than the rest.",
    shape: ["tokens"],
    state: ["scores"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const start = get("scores");
  const reach = Math.max(5, ...start.map((s) => Math.ceil(Math.abs(s))));
  const change = (j, value) => set({ scores: get("scores").map((s, k) => (k === j ? value : s)) });
  const sliders = tokens.map((title, j) => slider({ title, min: -reach, max: reach, step: 0.001, oninput: (value) => change(j, value) }));
  const weights = bars({ names: tokens, title: "Weights" });
  const exponentials = note();
  const reset = h("button", { type: "button", onclick: () => set({ scores: start }) }, "↺ Start again");
  const even = h("button", { type: "button", onclick: () => set({ scores: start.map(() => 0) }) }, "All equal");

  function shifted() {
    const top = Math.max(...get("scores"));
    const e = get("scores").map((s) => Math.exp(s - top));
    return { top, e, total: e.reduce((sum, x) => sum + x, 0) };
  }
  function draw() {
    const scores = get("scores");
    const { top, e, total } = shifted();
    sliders.forEach((one, j) => one.draw(scores[j]));
    weights.draw(softmaxRow(scores), { most: 1, tell: (a) => `${(100 * a).toFixed(1)} %` });
    write(exponentials, `exp(score − ${factor(top)}) = ${vector(e)}, sum ${number(total)}`);
  }
  function sentence() {
    const { e, total } = shifted();
    const told = `Scores ${vector(get("scores"))}: shifted exponentials ${vector(e)}, which sum to `;
    return `${told}${number(total)}, and weights ${vector(softmaxRow(get("scores")))}.`;
  }
  const controls = h("div", { class: "attn-sliders", role: "group", "aria-label": "Scores" }, sliders.map((one) => one.el));
  return { parts: [h("div", { class: "attn-chips" }, reset, even), row(controls, weights.el), exponentials], draw, sentence };
}
