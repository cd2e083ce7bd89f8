// Move a cut through the text: the block future × past, and the rows of memory that it needs.
import { figure, h, note, number, restart, row, slider, write } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { spectrum } from "../kit/spectra.js";
import { matmul, scaled, scores, softmax, transpose } from "../kit/linalg.js";
import { rank, svd } from "../kit/decompose.js";

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
  const spectra = NAMES.map((name) =>
    spectrum({ count, title: `Singular values of future × past, ${name}`, tall: "4.5rem" })
  );
  const large = NAMES.map(() => h("strong", { style: "font-size: 2.6rem; line-height: 1" }));
  const ranks = NAMES.map(() => h("span", { style: "color: var(--attn-soft)" }));
  const blocks = NAMES.map(() =>
    h("span", {
      style: "position: absolute; left: 0; bottom: 0; box-sizing: border-box; border: 2.5px solid var(--attn-accent)",
    })
  );
  const told = note(
    `Framed: what the future reads of the past. Full columns: the singular values that 1 % cannot do without, of the first ${count}.`,
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
      const first = parts[k].s[0] || 1;
      spectra[k].draw(parts[k].s.map((x) => x / first), { most: 1, kept: parts[k].rows });
      blocks[k].style.width = `${100 * cut / n}%`;
      blocks[k].style.height = `${100 * (n - cut) / n}%`;
      write(large[k], String(parts[k].rows));
      write(ranks[k], `rank ${parts[k].rank}`);
    });
  }
  function sentence() {
    const { cut, sharpness, parts } = known();
    const counted = parts.map((part, k) => `${NAMES[k]}: rank ${part.rank}, ${part.rows} rows for 1 %`).join("; ");
    return `Cut after ${cut} of ${n} tokens, scores × ${number(sharpness)}: ${counted}.`;
  }
  const column = (k) => {
    const corner =
      "position: absolute; right: 0.6rem; top: 0.5rem; text-align: right; line-height: 1.25; pointer-events: none";
    maps[k].el.append(
      blocks[k],
      h("div", { style: corner }, large[k], " rows", h("br"), "carry the past", h("br"), ranks[k]),
    );
    maps[k].el.style.cssText += "; max-height: none; touch-action: pan-y";
    const go = (event) => {
      const { left, width } = maps[k].el.getBoundingClientRect();
      set({ cut: Math.min(Math.max(Math.round((event.clientX - left) / width * n), 1), n - 1) });
    };
    maps[k].el.addEventListener("pointerdown", go);
    maps[k].el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    return h(
      "div",
      { style: "flex: 1 1 15rem; max-width: 20rem" },
      h("p", { style: "margin: 0" }, h("strong", {}, k ? "a memory that adds" : "softmax")),
      maps[k].el,
      spectra[k].el,
    );
  };
  const controls = h("div", { class: "attn-sliders" }, place.el, heat.el);
  return {
    parts: [row(controls, restart(get, set, ["cut", "sharpness"])), row(column(0), column(1)), told],
    draw,
    sentence,
  };
}
