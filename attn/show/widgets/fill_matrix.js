// Write more and more pairs into one matrix: how many does it still give back?
import { bars, figure, h, note, percent, restart, row, slider } from "../kit/kit.js";
import { chart, tone } from "../kit/curves.js";
import { field } from "../kit/boards.js";
import { matmul, scaled, softmaxRow, transpose } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";

const SHARPNESS = 20; // fill_matrix.py has the same
const RULES = ["adding", "correcting", "softmax"];
const TONES = ["query", "value", "key"];
const POINTS = 32; // of each curve

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint: "Write more and more pairs into one matrix, then ask every key again. How many does it still answer?",
    shape: ["K", "V"],
    state: ["n"],
    build,
  });
}

function build(get, set) {
  const [K, V] = [get("K"), get("V")];
  const total = K.length;
  const one = slider({ title: "pairs", min: 1, max: total, step: 1, tell: String, oninput: (n) => set({ n }) });
  const map = field({ name: "K Kᵀ", size: [total, total], kind: "signed", still: true });
  const shares = bars({ names: RULES, title: "Keys answered right" });
  const told = note("K Kᵀ of the keys written: off its diagonal, how far they lean on one another.");
  const why = note(
    "Correcting with β = 1 replaces all that lies along a key. New keys overlap old ones: each write erases a bit of the others. One draw of keys, so few pairs make jumps.",
  );
  const overlap = matmul(K, transpose(K));
  const known = new Map(); // one slider: each number of pairs is computed once

  const at = (n) => known.get(n) || known.set(n, counted(n)).get(n);
  function counted(n) {
    const [keys, values] = [K.slice(0, n), V.slice(0, n)];
    const lean = overlap.slice(0, n).map((line) => line.slice(0, n));
    const state = remember(keys);
    const weights = [lean, keys.map((key) => seen(key, state)), scaled(lean, SHARPNESS).map(softmaxRow)];
    return weights.map((w) => {
      const nearest = matmul(matmul(w, values), transpose(values)).map((line) => line.indexOf(Math.max(...line)));
      return nearest.filter((j, i) => j === i).length / n;
    });
  }
  const step = Math.max(1, Math.ceil(total / POINTS));
  const xs = Array.from({ length: total }, (_, i) => i + 1).filter((n) => n === 1 || n === total || n % step === 0);
  const d = K[0].length;
  const lines = RULES.map((_, k) => ({ name: RULES[k], tone: TONES[k], xs, ys: xs.map((n) => at(n)[k]) }));
  const curves = chart({
    name: `How many keys are answered right, by the number of pairs, up to ${total}`,
    title: "keys answered right",
    most: 1,
    span: [1, Math.max(2, total)],
    lines,
    levels: [[0, "0%"], [0.5, "50%"], [1, "100%"]],
    rules: d > 1 && d < total ? [d] : [],
    ticks: [[1, d > 0.25 * total ? "1" : ""], ...(d > 1 && d < total ? [[d, `${d}, the width`]] : []), [
      total,
      `${total} pairs`,
    ]],
    onpick: (x) => set({ n: Math.round(Math.min(x, total)) }),
  });
  map.el.style.cssText += "; max-height: none";
  [...shares.el.querySelectorAll(".attn-fill")].forEach((fill, k) => (fill.style.background = tone(TONES[k])));
  function draw() {
    const n = get("n");
    const near = (i) => Math.floor(i * n / total); // the pairs written fill the picture
    curves.draw(n, at(n));
    one.draw(n);
    map.draw(overlap.map((line, i) => line.map((_, j) => overlap[near(i)][near(j)])));
    shares.draw(at(n), { most: 1, tell: percent });
  }
  function sentence() {
    const n = get("n");
    const answers = at(n).map((share, i) => `${RULES[i]} answers ${percent(share)}`).join(", ");
    return `${n} pairs written into a matrix of ${K[0].length} × ${V[0].length}: ${answers} of its keys right.`;
  }
  const controls = h("div", { class: "attn-sliders", style: "max-width: none" }, one.el);
  shares.el.classList.add("attn-told"); // the bars say what the sentence says
  shares.el.style.cssText = "flex: none; max-width: 30rem; font-size: 1.15rem";
  const side = h("div", { style: "flex: 1 1 20rem; min-width: 0" }, curves.el, shares.el, why);
  const picture = h("div", { style: "flex: 1 1 13rem; max-width: 17rem" }, map.el, told);
  return {
    parts: [
      row(controls, restart(get, set, ["n"])),
      h("div", { class: "attn-row", style: "align-items: start" }, side, picture),
    ],
    draw,
    sentence,
  };
}
