// Write more and more pairs into one matrix: how many does it still give back?
import { figure, h, note, percent, restart, row, slider } from "../kit/kit.js";
import { chart } from "../kit/curves.js";
import { field } from "../kit/boards.js";
import { matmul, transpose } from "../kit/linalg.js";

const RULES = ["adding", "correcting", "softmax"];
const TONES = ["query", "value", "key"];
const STEPS = [1, 2, 4, 8, 16, 32]; // between the ticks

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint: "Write more and more pairs into one matrix, then ask every key again. How many does it still answer?",
    shape: ["K", "answers", "size"],
    state: ["n"],
    build,
  });
}

function build(get, set) {
  const [K, answers] = [get("K"), get("answers")];
  const [[draws, width]] = get("size");
  const [total, d] = [K.length, K[0].length];
  const one = slider({ title: "pairs", min: 1, max: total, step: 1, tell: String, oninput: (n) => set({ n }) });
  const map = field({ name: "K Kᵀ", size: [total, total], kind: "signed", still: true });
  const overlap = matmul(K, transpose(K));
  const xs = K.map((_, i) => i + 1);
  const column = (k) => answers.map((line) => line[k]);
  const lines = RULES.map((name, k) => ({
    name,
    tone: TONES[k],
    xs,
    ys: column(k),
    ...(draws > 1 ? { lows: column(k + 3), highs: column(k + 6) } : {}),
  }));
  const inner = d > 1 && d < total ? [d] : []; // the width, where the curves bend
  const step = STEPS.find((x) => total / x < 5);
  const marks = [1, total, ...inner];
  for (let x = step; x < total; x += step) {
    if (marks.every((other) => Math.abs(x - other) > 0.1 * total)) marks.push(x);
  }
  const curves = chart({
    name: `How many keys are answered right, by the number of pairs, up to ${total}`,
    title: `keys answered right${draws > 1 ? `, mean of ${draws} draws` : ""}`,
    most: 1,
    span: [1, Math.max(2, total)],
    lines,
    levels: [[0, "0%"], [0.5, "50%"], [1, "100%"]],
    rules: inner,
    ticks: marks.map((x) => [x, String(x)]),
    onpick: (x) => set({ n: Math.round(Math.min(x, total)) }),
  });
  map.el.style.cssText += "; max-height: none";
  function draw() {
    const n = get("n");
    const near = (i) => Math.floor(i * n / total); // the pairs written fill the picture
    const shares = answers[n - 1].slice(0, 3);
    curves.draw(n, shares, shares.map(percent));
    one.draw(n);
    map.draw(overlap.map((line, i) => line.map((_, j) => overlap[near(i)][near(j)])));
  }
  function sentence() {
    const n = get("n");
    const told = RULES.map((rule, k) => `${rule} answers ${percent(answers[n - 1][k])}`).join(", ");
    const mean = draws > 1 ? `, in the mean of ${draws} draws` : "";
    return `${n} pairs written into a matrix of ${d} × ${width}: ${told} of its keys right${mean}.`;
  }
  const controls = h("div", { class: "attn-sliders", style: "max-width: none" }, one.el);
  curves.el.style.maxWidth = "none";
  const why = note(
    `${draws > 1 ? "Bands: the middle eight in ten draws. " : ""}${
      inner.length ? `Dashed: ${d}, the width of a key. ` : ""
    }Correcting with β = 1 replaces all that lies along a key. New keys overlap old ones: each write erases a bit of the others.`,
  );
  const told = note("K Kᵀ of the keys written: off its diagonal, how far they lean on one another.");
  const picture = h("div", { style: "flex: 1 1 12rem; max-width: 16rem" }, map.el, told);
  return {
    parts: [
      row(controls, restart(get, set, ["n"])),
      h(
        "div",
        { class: "attn-row", style: "align-items: start" },
        h("div", { style: "flex: 1 1 22rem; min-width: 0" }, curves.el, why),
        picture,
      ),
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/[\d.]+%/g, "99.9%"),
  };
}
