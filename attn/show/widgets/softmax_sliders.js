// Drag a row of scores, watch softmax make weights of it.
import { bars, figure, h, heater, number, percent, row, slider, vector } from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";

// What is nearly nothing says so: a power of ten would say more than is meant
const rounded = (x) => (x > 0 && x < 0.0005 ? "≈0" : number(x));

export function render(host) {
  return figure(host, {
    title: "From scores to weights.",
    hint: "Drag a score. Then make all scores equal, or one much larger than the rest.",
    shape: ["tokens"],
    state: ["scores", "temperature"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const [start, warm] = [get("scores"), get("temperature")];
  const reach = Math.max(5, ...start.map((s) => Math.ceil(Math.abs(s))));
  const change = (j, value) => set({ scores: get("scores").map((s, k) => (k === j ? value : s)) });
  const sliders = tokens.map((title, j) =>
    slider({ title, min: -reach, max: reach, step: 0.001, nudge: 0.1, oninput: (value) => change(j, value) })
  );
  const heat = heater((temperature) => set({ temperature }));
  const weights = bars({ names: tokens, title: "Weights" });
  const button = (told, onclick) => h("button", { type: "button", onclick }, told);
  const reset = button("↺ Start again", () => set({ scores: start, temperature: warm }));
  const even = button("All equal", () => set({ scores: start.map(() => 0) }));

  const scaled = () => get("scores").map((s) => s / get("temperature"));
  function shifted() {
    const top = Math.max(...get("scores"));
    const e = get("scores").map((s) => Math.exp((s - top) / get("temperature")));
    return { e, total: e.reduce((sum, x) => sum + x, 0) };
  }
  function draw() {
    even.setAttribute("aria-pressed", String(get("scores").every((x) => x === get("scores")[0])));
    const scores = get("scores");
    sliders.forEach((one, j) => one.draw(scores[j]));
    heat.draw(get("temperature"));
    weights.draw(softmaxRow(scaled()), { most: 1, tell: percent });
  }
  function sentence(heat = get("temperature")) {
    const { e, total } = shifted();
    const warmth = heat === 1 ? "" : ` at temperature ${number(heat)}`;
    const told = `Scores ${vector(get("scores"))}${warmth}: shifted exponentials ${vector(e, rounded)}, which sum to `;
    return `${told}${number(total)}, and weights ${vector(softmaxRow(scaled()), rounded)}.`;
  }
  const controls = h(
    "div",
    { class: "attn-sliders", role: "group", "aria-label": "Scores" },
    sliders.map((one) => one.el),
    heat.el,
  );
  return {
    parts: [h("div", { class: "attn-chips" }, reset, even), row(controls, weights.el)],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(0.105),
  };
}
