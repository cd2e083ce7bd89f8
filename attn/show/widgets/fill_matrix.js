// Write more and more pairs into one matrix: how many does it still give back?
import { bars, figure, h, note, percent, row, slider } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { dot, matmul, scaled, softmaxRow, transpose } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";

const SHARPNESS = 20; // fill_matrix.py has the same
const RULES = ["adding", "correcting", "softmax"];

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint: "Slide the number of pairs: all of them are written once, then every key is asked again.",
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
  const told = note("The picture is K Kᵀ: what stands off its diagonal is how far keys lean on one another.");
  const overlap = matmul(K, transpose(K));
  const likeness = matmul(V, transpose(V));
  const known = new Map(); // one slider: each number of pairs is computed once

  const at = (n) => known.get(n) || known.set(n, counted(n)).get(n);
  function counted(n) {
    const [keys, like] = [K.slice(0, n), likeness.slice(0, n).map((line) => line.slice(0, n))];
    const lean = overlap.slice(0, n).map((line) => line.slice(0, n));
    const state = remember(keys);
    const weights = [lean, keys.map((key) => seen(key, state)), scaled(lean, SHARPNESS).map(softmaxRow)];
    return weights.map((w) => {
      const nearest = w.map((line) => like.map((other) => dot(line, other))).map((line) =>
        line.indexOf(Math.max(...line))
      );
      return nearest.filter((j, i) => j === i).length / n;
    });
  }
  function draw() {
    const n = get("n");
    one.draw(n);
    map.draw(overlap.map((line, i) => line.map((x, j) => (Math.max(i, j) < n ? x : 0))));
    shares.draw(at(n), { most: 1, tell: percent });
  }
  function sentence() {
    const n = get("n");
    const answers = at(n).map((share, i) => `${RULES[i]} answers ${percent(share)}`).join(", ");
    return `${n} pairs written into a matrix of ${K[0].length} × ${V[0].length}: ${answers} of its keys right.`;
  }
  const controls = h("div", { class: "attn-sliders" }, one.el);
  const picture = h("div", { style: "flex: 0 1 14rem; min-width: 10rem" }, map.el);
  return { parts: [controls, row(picture, shares.el), told], draw, sentence };
}
