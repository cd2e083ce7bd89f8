// Move a cut through the text: the block future × past, and the rows of memory that it needs.
import { bars, figure, h, note, number, row, slider } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { matmul, rank, scaled, scores, softmax, svd, transpose } from "../kit/linalg.js";

const NAMES = ["softmax", "adding"];

export function render(host) {
  return figure(host, {
    title: "Cut time once.",
    hint:
      "Rows ask, columns were written. Move the cut: what lies below and left of it carries the past to the future.",
    shape: ["Q", "K"],
    state: ["cut", "sharpness"],
    build,
  });
}

function build(get, set) {
  const [Q, K] = [get("Q"), get("K")];
  const n = K.length;
  const past = (i, j) => j <= i;
  const products = matmul(Q, transpose(K)).map((line, i) => line.map((x, j) => (past(i, j) ? x : 0)));
  const causal = Q.map((_, i) => K.map((_, j) => past(i, j)));
  const place = slider({
    title: "cut after token",
    min: 1,
    max: n - 1,
    step: 1,
    tell: String,
    oninput: (cut) => set({ cut }),
  });
  const heat = slider({ title: "scores ×", min: 0, max: 4, step: 0.05, oninput: (sharpness) => set({ sharpness }) });
  const maps = NAMES.map((name) =>
    field({ name, size: [n, n], kind: name === "softmax" ? "weight" : "signed", still: true })
  );
  const count = Math.min(Math.floor(n / 2), 16);
  const names = Array.from({ length: count }, (_, i) => `σ${i + 1}`);
  const spectra = NAMES.map((name) => bars({ names, title: `Singular values of future × past, ${name}` }));
  const told = note(
    `Faded: what does not cross the cut. Of the singular values the first ${count} are drawn, the largest as 1.`,
  );
  let drawn = null;

  const known = () => {
    const [cut, sharpness] = [get("cut"), get("sharpness")];
    if (drawn && drawn.cut === cut && drawn.sharpness === sharpness) return drawn;
    const matrices = [softmax(scaled(scores(Q, K), sharpness), causal), products];
    const parts = matrices.map((c) => {
      const { s } = svd(c.slice(cut).map((line) => line.slice(0, cut)));
      const tail = s.map((_, i) => Math.sqrt(s.slice(i).reduce((sum, x) => sum + x * x, 0)));
      return { s, rank: rank(s), rows: tail.filter((x) => x > 0.01 * tail[0]).length };
    });
    drawn = { cut, sharpness, matrices, parts };
    return drawn;
  };
  function draw() {
    const { cut, sharpness, matrices, parts } = known();
    place.draw(cut);
    heat.draw(sharpness);
    matrices.forEach((c, k) => {
      maps[k].draw(c.map((line, i) => line.map((x, j) => (i >= cut && j < cut ? x : 0.15 * x))));
      const shown = names.map((_, i) => (parts[k].s[i] || 0) / (parts[k].s[0] || 1));
      spectra[k].draw(shown, { most: 1, tell: (x, i) => (i < parts[k].rank ? number(x) : "–") });
    });
  }
  function sentence() {
    const { cut, sharpness, parts } = known();
    const counted = parts.map((part, k) => `${NAMES[k]}: rank ${part.rank}, ${part.rows} rows for 1 %`).join("; ");
    return `Cut after ${cut} of ${n} tokens, scores × ${number(sharpness)}: ${counted}.`;
  }
  const column = (k) =>
    h(
      "div",
      { style: "flex: 1 1 15rem; max-width: 20rem" },
      h("p", { class: "attn-note" }, k ? "a memory that adds" : "softmax"),
      maps[k].el,
      spectra[k].el,
    );
  const controls = h("div", { class: "attn-sliders" }, place.el, heat.el);
  return { parts: [controls, row(column(0), column(1)), told], draw, sentence };
}
