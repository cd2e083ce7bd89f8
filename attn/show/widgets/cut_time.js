// Move a cut through the text: the block future × past, and the rows of memory that it needs.
import { figure, h, largest, note, number, percent, restart, slider, write } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { spectrum } from "../kit/spectra.js";
import { matmul, scaled, scores, softmax, transpose } from "../kit/linalg.js";
import { rank, svd } from "../kit/decompose.js";

const NAMES = ["softmax", "adding"];
const keep = (x) => (Math.abs(x) < 1e-12 ? 0 : x);

const RULES = [
  ".attn-carry { font-size: 0.85rem; }",
  ".attn-carry > strong { font-size: 2.2rem; line-height: 1; }",
  ".attn-cuts { display: grid; grid-template-columns: repeat(3, max-content 1fr 3.6rem); column-gap: 0.6rem; }",
  ".attn-cuts > .attn-slider { grid-column: span 3; }",
  ".attn-again { display: grid; grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr); gap: 0 0.9rem; align-items: start; }",
  ".attn-again .attn-field { max-height: none; min-height: 0; }",
  ".attn-live .attn-again p { margin: 0; white-space: nowrap; font-size: min(0.9em, 2.9vw); }",
  ".attn-pair { display: grid; gap: 0.3rem 0.4rem; }",
  "@media (max-width: 480px) { .attn-carry { font-size: 0.7rem; } .attn-carry > strong { font-size: 1.4rem; }",
  " .attn-cuts { grid-template-columns: max-content 1fr minmax(4.5rem, max-content); } .attn-again { grid-template-columns: minmax(0, 1fr); }",
  " .attn-pair { grid-template-columns: repeat(2, minmax(0, 1fr)); margin-top: 0.4rem; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Cut time once.",
    hint:
      "Rows ask, columns were written. Move the cut: what is framed carries the past to the future. Then build it from its first rows alone.",
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
    title: "cut after",
    heard: "cut after token",
    min: 1,
    max: n - 1,
    step: 1,
    tell: String,
    oninput: (cut) => set({ cut }),
  });
  const heat = slider({ title: "scores ×", min: 0, max: 4, step: 0.05, oninput: (sharpness) => set({ sharpness }) });
  // a picture of the block alone: its canvas is as small as the block, and is stretched
  const part = (kind) => field({ name: "", size: [n, n], kind, most: 1, still: true, bend: Math.sqrt });
  const built = NAMES.map((name) => part(name === "softmax" ? "weight" : "signed"));
  const missing = NAMES.map(() => part("signed"));
  const maps = NAMES.map((name) =>
    field({ name, size: [n, n], kind: name === "softmax" ? "weight" : "signed", most: 1, still: true, bend: Math.sqrt })
  );
  const count = Math.min(Math.floor(n / 2), 16);
  let wanted = 0; // rows that the block is built anew from; 0: as many as 1% needs. To look at, no part of the state
  const build_up = slider({
    title: "rows kept",
    min: 0,
    max: count,
    step: 1,
    tell: (r) => (r ? String(r) : "enough"),
    oninput: (r) => {
      wanted = r;
      draw();
    },
  });
  const spectra = NAMES.map((name) => spectrum({ count, title: `Singular values of future × past, ${name}` }));
  const carriers = NAMES.map((name) =>
    field({ name: `rows, ${name}`, size: [count, n], kind: "signed", still: true, bend: Math.sqrt })
  );
  const marked = NAMES.map(() =>
    h("span", {
      style: "position: absolute; left: 0; top: 0; box-sizing: border-box; border: 2.5px solid var(--attn-accent)",
    })
  );
  const large = NAMES.map(() => h("strong", {}));
  const ranks = NAMES.map(() => h("span", { style: "color: var(--attn-soft)" }));
  const blocks = NAMES.map(() =>
    h("span", {
      style: "position: absolute; left: 0; bottom: 0; box-sizing: border-box; border: 2.5px solid var(--attn-accent)",
    })
  );
  const told = note(
    "Below each picture: the rows that carry the past, the strongest first. The frame is built anew from those marked. Colour grows with a number’s root, up to the frame’s largest.",
  );
  const [sources, misses] = [0, 1].map(() => NAMES.map(() => h("p", { class: "attn-note" })));
  let drawn = null;

  const known = () => {
    const [cut, sharpness] = [get("cut"), get("sharpness")];
    if (drawn && drawn.cut === cut && drawn.sharpness === sharpness) return drawn;
    const matrices = [softmax(scaled(scores(Q, K), sharpness), causal), products];
    const parts = matrices.map((c) => {
      const { u, s, v } = svd(c.slice(cut).map((line) => line.slice(0, cut)));
      const tail = s.map((_, i) => Math.sqrt(s.slice(i).reduce((sum, x) => sum + x * x, 0)));
      return { u, s, v, tail, rank: rank(s), rows: tail.filter((x) => x > 0.01 * tail[0]).length };
    });
    drawn = { cut, sharpness, matrices, parts };
    return drawn;
  };
  function draw() {
    const { cut, sharpness, matrices, parts } = known();
    place.draw(cut);
    heat.draw(sharpness);
    build_up.draw(wanted);
    matrices.forEach((c, k) => {
      const { u, s, v, tail, rows } = parts[k];
      const kept = Math.min(wanted || rows, s.length);
      const block = c.slice(cut).map((line) => line.slice(0, cut));
      const full = largest(block); // of this the colour is full, in all three pictures
      // around the frame the rest, at 35% of its colour, whose root is drawn
      maps[k].draw(c.map((line, i) => line.map((x, j) => (i >= cut && j < cut ? x : 0.35 ** 2 * x) / full)));
      const again = block.map((_, i) =>
        Array.from({ length: cut }, (_, j) => s.slice(0, kept).reduce((sum, x, r) => sum + u[r][i] * x * v[r][j], 0))
      );
      const alone = (M) => c.map((line, i) => line.map((_, j) => (i < n - cut && j < cut ? keep(M[i][j] / full) : 0)));
      for (const one of [built[k], missing[k]]) {
        Object.assign(one.el.querySelector("canvas"), { width: cut, height: n - cut });
      }
      built[k].draw(alone(again));
      missing[k].draw(alone(block.map((line, i) => line.map((x, j) => x - again[i][j]))));
      carriers[k].draw(
        Array.from(
          { length: count },
          (_, r) => K.map((_, j) => (r < s.length && j < cut ? keep(s[r] * v[r][j]) * (r < kept ? 1 : 0.1) : 0)),
        ),
      );
      marked[k].style.width = `${100 * cut / n}%`;
      marked[k].style.height = `${100 * kept / count}%`;
      spectra[k].draw(s.map((x) => x / (s[0] || 1)), { most: 1, kept });
      const miss = (tail[kept] || 0) / (tail[0] || 1);
      write(sources[k], `from ${kept} row${kept === 1 ? "" : "s"}`);
      write(misses[k], miss < 1e-9 ? "exact" : `missing ${percent(miss)}`);
      blocks[k].style.width = `${100 * cut / n}%`;
      blocks[k].style.height = `${100 * (n - cut) / n}%`;
      write(large[k], String(parts[k].rows));
      write(ranks[k], `rank ${parts[k].rank}`);
    });
  }
  function sentence() {
    const { cut, sharpness, parts } = known();
    const counted = parts.map((part, k) => `${NAMES[k]}: rank ${part.rank}, ${part.rows} rows for 1%`).join("; ");
    return `Cut after ${cut} of ${n} tokens, scores × ${number(sharpness)}: ${counted}.`;
  }
  const column = (k) => {
    const corner =
      "position: absolute; right: 0.6rem; top: 0.5rem; text-align: right; line-height: 1.25; pointer-events: none";
    maps[k].el.append(
      blocks[k],
      h("div", { style: corner, class: "attn-carry" }, large[k], " rows", h("br"), "carry the past", h("br"), ranks[k]),
    );
    maps[k].el.style.cssText += "; max-height: none; touch-action: pan-y";
    const go = (event) => {
      const { left, width } = maps[k].el.getBoundingClientRect();
      set({ cut: Math.min(Math.max(Math.round((event.clientX - left) / width * n), 1), n - 1) });
    };
    carriers[k].el.append(marked[k]);
    carriers[k].el.style.cssText += "; border: 0; margin-top: 0.4rem";
    spectra[k].el.classList.add("attn-voice"); // a row's colour shows its singular value
    maps[k].el.addEventListener("pointerdown", go);
    maps[k].el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    [["rows", carriers], ["built", built], ["missing", missing]].forEach(([name, all]) =>
      all[k].el.dataset.part = name
    );
    return h(
      "div",
      { style: "flex: 1 1 9rem; min-width: 0" },
      h("p", { style: "margin: 0" }, h("strong", {}, k ? "adding memory" : "softmax")),
      h(
        "div",
        { class: "attn-again" },
        h("div", {}, maps[k].el, carriers[k].el, spectra[k].el),
        h(
          "div",
          { class: "attn-pair" },
          h("div", {}, sources[k], built[k].el),
          h("div", {}, misses[k], missing[k].el),
        ),
      ),
    );
  };
  told.style.cssText = "flex: 1 1 18rem; margin: 0";
  const again = restart(get, set, ["cut", "sharpness"]);
  again.addEventListener("click", () => (wanted = 0, draw()));
  const controls = h("div", { class: "attn-cuts" }, place.el, heat.el, build_up.el);
  const maps_row = h("div", { class: "attn-row", style: "flex-wrap: nowrap; gap: 1.2rem; align-items: start" });
  maps_row.append(column(0), column(1));
  return {
    parts: [
      h("style", {}, RULES),
      controls,
      h("div", { class: "attn-row", style: "margin: 0.2rem 0 0.4rem" }, again, told),
      maps_row,
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/× [^:]+/, "× 3.333"),
  };
}
