// The flow through one head: every matrix drawn to scale, with its shape and its cost.
import { bars, chips, figure, h, note, percent, restart, sign, symbols, write } from "../kit/kit.js";
import { doubling, grouped } from "../kit/sizes.js";

const BOXES = ["X", "Q = X W_Q", "K = X W_K", "V = X W_V", "S = Q Kᵀ/√d", "A = softmax(S)", "Y = A V", "Y W_O"];
const TONES = ["level", "query", "key", "value", "score", "score", "value", "level"];
const STEPS = [[0], [1, 2, 3], [4], [5], [6], [7]];
const [LONG, THIN] = [112, 2]; // pixels of the longest side, and of a side too short to be seen
const NOTES = [
  "One row a token, as wide as the model.",
  "What each token asks. The projection narrows d_model to d_h.",
  "What each token offers to be found by.",
  "What each token hands over when it is attended to.",
  "Every query meets every key: one score a pair. Double T, and this square has four times the area.",
  "Each row of scores becomes weights. No multiply–adds, one exponential a score.",
  "Each row is an average of all values: T² again, but the result is narrow.",
  "The head writes back at the model's width, and all heads' writes are added.",
];
// One new token: its row alone is computed, the keys and values of the others are kept.
const DECODING = [
  "The new token's row alone, as wide as the model.",
  "What the new token asks. The projection narrows d_model to d_h.",
  "The new token's key; the other T − 1 keys are in the cache, hatched.",
  "The new token's value; the other T − 1 values are in the cache, hatched.",
  "One query meets every key: one score a key. The square of prefill, dashed, is now a strip: it grows with T, not with T².",
  "One row of scores becomes weights. No multiply–adds, one exponential a score.",
  "One average of all T values: work that grows with T, a result that does not.",
  "The head writes one row back at the model's width, and all heads' writes are added.",
];

export function render(host) {
  return figure(host, {
    title: "One head, drawn to scale.",
    hint: "Make T large: which boxes grow, and how? Then decode one more token. Choose a box to read it.",
    shape: [],
    state: ["d_model", "d_h", "T", "selected", "decode"],
    build,
  });
}

function compute(get, n = get("decode") ? 1 : get("T")) {
  const [c, d, T] = ["d_model", "d_h", "T"].map(get);
  const [project, square] = [n * c * d, n * T * d];
  return {
    shapes: [[n, c], [n, d], [n, d], [n, d], [n, T], [n, T], [n, d], [n, c]],
    did: [0, project, project, project, square, 0, square, project],
  };
}

function build(get, set) {
  const shapes = BOXES.map(() => h("small"));
  const outlines = BOXES.map(() => h("span", { class: "attn-outline" }));
  const solids = BOXES.map(() => h("span", { class: "attn-solid" }));
  const boxes = BOXES.map((name, i) =>
    h(
      "button",
      {
        type: "button",
        class: "attn-physical",
        "data-tone": TONES[i],
        "aria-pressed": "false",
        onclick: () => set({ selected: i }),
      },
      h("span", { class: "attn-sheet", "aria-hidden": "true" }, outlines[i], solids[i]),
      h("span", {}, symbols(name)),
      shapes[i],
    )
  );
  const flow = h(
    "div",
    { class: "attn-physics" },
    STEPS.map((step, k) => [k ? sign("→") : null, ...step.map((i) => boxes[i])]).flat().filter(Boolean),
  );
  const ruler = h("span", { class: "attn-ruler", "aria-hidden": "true" });
  const scale = h("span");
  const names = ["T", "d_model", "d_h"];
  const sliders = [
    doubling("T, tokens", 17, (T) => set({ T })),
    doubling("d_model", 14, (d_model) => set({ d_model })),
    doubling("d_h", 9, (d_h) => set({ d_h })),
  ];
  const modes = chips({
    names: ["prefill: all T tokens", "decode: one more token"],
    title: "Compute",
    onpick: (k) => set({ decode: k === 1 }),
  });
  const costs = bars({ names: BOXES, title: "Multiply–adds" });
  const told = note();
  function draw() {
    const { shapes: sizes, did } = compute(get);
    const whole = compute(get, get("T")).shapes;
    const unit = LONG / Math.max(...whole.flat());
    const lay = (node, size) => {
      node.style.height = `${Math.max(size[0] * unit, THIN).toFixed(2)}px`;
      node.style.width = `${Math.max(size[1] * unit, THIN).toFixed(2)}px`;
    };
    sizes.forEach((size, i) => {
      write(shapes[i], size.map(grouped).join("×"));
      lay(solids[i], size);
      lay(outlines[i], whole[i]);
      outlines[i].hidden = !get("decode");
      outlines[i].toggleAttribute("data-kept", i === 2 || i === 3); // keys and values of before are in the cache
    });
    const long = 2 ** Math.round(Math.log2(64 / unit));
    ruler.style.width = `${(long * unit).toFixed(2)}px`;
    write(scale, `${grouped(long)} numbers long, in each direction. Sides thinner than a line are drawn as a line.`);
    boxes.forEach((box, i) => box.setAttribute("aria-pressed", String(i === get("selected"))));
    sliders.forEach((one, k) => one.draw(get(names[k])));
    modes.draw(Number(get("decode")));
    costs.draw(did, { tell: grouped, on: get("selected") });
    told.replaceChildren(...symbols((get("decode") ? DECODING : NOTES)[get("selected")]));
  }
  function sentence() {
    const { shapes: sizes, did } = compute(get);
    const i = get("selected");
    const [rows, cols] = sizes[i];
    const shape = `${BOXES[i]} is ${grouped(rows)}×${grouped(cols)}`;
    if (i === 0) return `${shape}: one row of width d_model for each token. Nothing is computed yet.`;
    if (i === 5) return `${shape}: ${grouped(rows * cols)} exponentials, and each row then sums to 1.`;
    return `${shape}: ${grouped(did[i])} multiply–adds, ${
      percent(did[i] / did.reduce((sum, x) => sum + x, 0))
    } of the head's.`;
  }
  const side = h(
    "div",
    { class: "attn-box" },
    h("div", { class: "attn-sliders" }, sliders.map((one) => one.el)),
    told,
  );
  modes.el.append(restart(get, set, ["d_model", "d_h", "T", "selected", "decode"]));
  return {
    parts: [
      modes.el,
      flow,
      h("p", { class: "attn-note attn-scaled" }, ruler, scale),
      h("div", { class: "attn-duo" }, side, h("div", {}, note("Multiply–adds"), costs.el)),
    ],
    draw,
    sentence,
  };
}
