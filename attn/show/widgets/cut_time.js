// Move a cut through the text: the block future × past, and the rows of memory that it needs.
import { figure, h, largest, mark, note, number, percent, restart, slider, svg, write } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { matmul, scaled, scores, softmax, transpose } from "../kit/linalg.js";
import { rank, svd } from "../kit/decompose.js";

const NAMES = ["softmax", "adding"];
const TONES = ["var(--attn-accent)", "var(--attn-debt)"];
// Rows that a cut needs: the least that come within 1% of its block.
function enough(c, cut) {
  const { s } = svd(c.slice(cut).map((line) => line.slice(0, cut)));
  const left = s.map((_, i) => Math.sqrt(s.slice(i).reduce((sum, x) => sum + x * x, 0)));
  return left.filter((x) => x > 0.01 * left[0]).length;
}
const keep = (x) => (Math.abs(x) < 1e-12 ? 0 : x);

// The columns lie left of the frame, the rows below it: cell for cell on the lines of the frame that they make
const RULES = [
  ".attn-cuts { display: grid; grid-template-columns: repeat(2, max-content 1fr 3.6rem); column-gap: 0.6rem; }",
  ".attn-cuts > .attn-slider { grid-column: span 3; }",
  ".attn-both { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem 1.5rem; }",
  ".attn-made { display: grid; gap: 0.4rem; align-items: start; }",
  ".attn-made .attn-field { min-height: 0; max-height: none; border: 0; }",
  ".attn-made > .attn-whole { box-shadow: 0 0 0 1px var(--attn-line); touch-action: pan-y; }",
  ".attn-box { position: absolute; box-sizing: border-box; pointer-events: none; }",
  ".attn-carry { display: grid; grid-template-columns: 1fr auto; align-items: baseline; white-space: nowrap; }",
  ".attn-carry > strong + strong { font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }",
  ".attn-carry > span { grid-column: 1 / -1; text-align: right; font-size: 0.85rem; }",
  ".attn-carry[data-enough] > strong + strong { color: var(--attn-accent); }",
  ".attn-asks { align-self: start; grid-area: 1 / 1; color: var(--attn-soft); font-size: 0.85rem; text-align: right; }",
  ".attn-made > .attn-columns { grid-area: 1 / 1; }",
  ".attn-gone { position: relative; padding-bottom: 3.1rem; }",
  ".attn-rest { position: relative; overflow: hidden; aspect-ratio: 1; }",
  ".attn-live .attn-rest > .attn-field { position: absolute; margin: 0; min-width: 0; max-width: none; }",
  ".attn-gone[data-pointed] > .attn-rest { visibility: hidden; }",
  ".attn-gone > .attn-times { position: absolute; inset: auto 0 0; }",
  ".attn-gone[data-pointed] > .attn-times { inset: 0 0 auto; }",
  ".attn-growth { display: grid; grid-template-columns: 6.5rem 1fr 5.5rem; gap: 0.8rem; align-items: center; margin: 0.4rem 0; color: var(--attn-soft); font-size: 0.85rem; }",
  ".attn-growth > div > span { display: block; font-weight: 700; white-space: nowrap; }",
  ".attn-growth small { display: block; }",
  ".attn-curve { position: relative; height: 48px; margin: 8px 0; border-bottom: 1px solid var(--attn-edge); cursor: pointer; touch-action: pan-y; }",
  ".attn-curve svg { position: absolute; width: 100%; height: 100%; overflow: visible; }",
  ".attn-curve path { fill: none; stroke-width: 2.5px; }",
  ".attn-curve i { position: absolute; width: 12px; height: 12px; margin: -6px; border-radius: 50%; box-shadow: 0 0 0 1.5px var(--attn-paper); pointer-events: none; }",
  ".attn-soft { color: var(--attn-soft); }",
  ".attn-times { text-align: right; font-size: 0.75rem; line-height: 1.35; color: var(--attn-soft); }",
  "@media (max-width: 480px) { .attn-cuts { grid-template-columns: max-content 1fr minmax(4.5rem, max-content); }",
  " .attn-growth { grid-template-columns: 1fr 5.5rem; } .attn-growth > :first-child { grid-column: 1 / -1; }",
  " .attn-growth small { display: inline; }",
  ".attn-both { grid-template-columns: minmax(0, 19rem); justify-content: center; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Cut time once.",
    hint: "Rows ask, columns were written. The frame is all that the future sees of the past. " +
      "Play adds row after row of memory: how many carry it across, until only 1% is missing?",
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
  const count = Math.min(Math.floor(n / 2), 16); // rows that there is room for
  let wanted = 1; // rows that the frame is made from. To look at, no part of the state
  let playing = 0;
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
  const build_up = slider({
    title: "rows kept",
    min: 1,
    max: count,
    step: 1,
    tell: String,
    oninput: (r) => {
      halt();
      wanted = r;
      draw();
    },
  });
  // Row after row, until both memories have what 1% needs
  const play = h("button", { type: "button", class: "attn-button" }, "Play");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const halt = () => {
    clearTimeout(playing);
    playing = 0;
    write(play, "Play");
  };
  const needed = () => Math.min(count, Math.max(...known().parts.map((part) => part.rows)));
  const next = () => {
    if (wanted >= needed()) return halt();
    wanted += 1;
    draw();
    playing = setTimeout(next, 600);
  };
  play.addEventListener("click", () => {
    if (playing) return halt();
    if (wanted >= needed()) {
      wanted = 1;
      draw();
    }
    write(play, "Pause");
    playing = setTimeout(next, 600);
  });
  let drawn = null;
  const known = () => {
    const [cut, sharpness] = [get("cut"), get("sharpness")];
    if (drawn && drawn.cut === cut && drawn.sharpness === sharpness) return drawn;
    const parts = [softmax(scaled(scores(Q, K), sharpness), causal), products].map((c) => {
      const block = c.slice(cut).map((line) => line.slice(0, cut));
      const { u, s, v } = svd(block);
      v.forEach((row, r) => { // the sign of a pair is free: what is mostly positive is drawn so
        if (row.reduce((sum, x) => sum + x, 0) < 0) [u[r], v[r]] = [u[r], row].map((one) => one.map((x) => -x));
      });
      const tail = s.map((_, i) => Math.sqrt(s.slice(i).reduce((sum, x) => sum + x * x, 0)));
      return {
        c,
        u,
        s,
        v,
        tail,
        full: largest(block),
        rank: rank(s),
        rows: tail.filter((x) => x > 0.01 * tail[0]).length,
      };
    });
    return drawn = { cut, sharpness, parts };
  };

  // One memory: its matrix, with the frame made of the columns beside it and the rows below it.
  const memory = (k) => {
    const part = (name, size) => {
      const one = field({ name, size, kind: "signed", most: 1, still: true, bend: Math.sqrt });
      one.el.dataset.part = name;
      return one;
    };
    const [whole, columns, rows] = [part("whole", [n, n]), part("columns", [n, count]), part("rows", [count, n])];
    const left_out = part("missing", [n, n]);
    // boxes over the pictures, in shares of each: from the top, from the left, high, wide
    const box = (line, ...ons) =>
      ons.map((one) => {
        const el = h("span", { class: "attn-box", style: `border: ${line}` });
        one.el.append(el);
        return (...at) => {
          el.hidden = at.length === 0;
          ["top", "left", "height", "width"].forEach((side, k) => (el.style[side] = `${100 * at[k]}%`));
        };
      });
    const all = box("1px dashed var(--attn-edge)", columns, rows);
    const [frame, ...used] = box("2.5px solid var(--attn-accent)", whole, columns, rows);
    const pointed = box("2px solid var(--attn-debt)", whole, columns, rows);
    let at = [0, 0]; // the cell under the mouse
    let mine = null;
    const [large, unit] = [h("strong"), h("span", { class: "attn-soft" })];
    const [outline] = box("1px solid var(--attn-edge)", left_out);
    const times = h("div", { class: "attn-times" });
    const gone = h("div", { class: "attn-gone" }, h("div", { class: "attn-rest" }, left_out.el), times);
    columns.el.classList.add("attn-columns");
    whole.el.classList.add("attn-whole");
    const carry = h("div", { class: "attn-carry" }, h("strong", {}, NAMES[k]), large, unit);
    const go = (event) => {
      const { left, width } = whole.el.getBoundingClientRect();
      set({ cut: Math.min(Math.max(Math.round((event.clientX - left) / width * n), 1), n - 1) });
    };
    whole.el.addEventListener("pointerdown", go);
    whole.el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    whole.el.addEventListener("pointermove", (event) => {
      at = whole.below(event);
      point();
    });
    whole.el.addEventListener("pointerleave", () => {
      at = [0, 0];
      point();
    });
    // The row and the column that make the cell under the mouse
    function point() {
      const { cut, kept, terms } = mine;
      const [i, j] = at;
      const seen = i >= cut && j < cut;
      const [cell, beside, under] = pointed;
      if (!seen) pointed.forEach((one) => one());
      else {
        cell(i / n, j / n, 1 / n, 1 / n);
        beside(i / n, 1 - kept / count, 1 / n, kept / count);
        under(0, j / n, kept / count, 1 / n);
      }
      const made = seen ? terms(i, j) : [];
      const sum = made.map((x, r) => (r ? `${x < 0 ? " − " : " + "}${number(Math.abs(x), 2)}` : number(x, 2))).join("");
      mark(gone, "data-pointed", seen);
      write(
        times,
        seen
          ? `token ${i + 1} reads token ${j + 1}:\n${number(made.reduce((a, b) => a + b, 0), 2)} = ` +
            (kept < 5 ? sum : `${kept} products`)
          : `frame minus\ncolumns · rows\n${n - cut}×${kept} · ${kept}×${cut}`,
      );
    }
    function draw() {
      const { cut, parts } = known();
      const { c, u, s, v, tail, full, rank, rows: enough } = parts[k];
      const kept = Math.min(wanted, rank, count);
      const inside = (i, j) => i >= cut && j < cut;
      const terms = (i, j) => s.slice(0, kept).map((x, r) => u[r][i - cut] * x * v[r][j]);
      const made = (i, j) => terms(i, j).reduce((a, b) => a + b, 0);
      mine = { cut, kept, terms };
      // around the frame the rest, at 35% of its colour, whose root is drawn
      whole.draw(c.map((line, i) => line.map((x, j) => keep((inside(i, j) ? made(i, j) : 0.35 ** 2 * x) / full))));
      // each pair of a column and a row has its singular value by halves; the strongest lie at the frame
      const room = Math.min(rank, count);
      const halves = (side) => {
        const all = side.slice(0, room).map((one, r) => one.map((x) => Math.sqrt(s[r]) * x));
        const most = largest(all);
        return (r, i) => (r < room && all[r][i] !== undefined ? keep(all[r][i] / most) * (r < kept ? 1 : 0.1) : 0);
      };
      const [left, below] = [halves(u), halves(v)];
      columns.draw(c.map((_, i) => Array.from({ length: count }, (_, at) => left(count - 1 - at, i - cut))));
      rows.draw(Array.from({ length: count }, (_, r) => K.map((_, j) => below(r, j))));
      frame(cut / n, 0, 1 - cut / n, cut / n);
      for (const [[beside, under], many] of [[all, room], [used, kept]]) {
        beside(cut / n, 1 - many / count, 1 - cut / n, many / count);
        under(0, 0, many / count, cut / n);
      }
      const missing = (tail[kept] || 0) / (tail[0] || 1);
      write(large, missing < 1e-9 ? "nothing missing" : `missing ${percent(missing)}`);
      write(unit, `${kept} ${kept > 1 ? "rows" : "row"} kept, ${enough} needed; rank ${rank}`);
      mark(carry, "data-enough", kept >= enough);
      left_out.draw(c.map((line, i) => line.map((x, j) => keep(inside(i, j) ? (x - made(i, j)) / full : 0))));
      outline(cut / n, 0, 1 - cut / n, cut / n);
      // as large as in the frame, or smaller where the place below the columns has no room
      const cell = 100 / Math.max(count, cut, n - cut);
      left_out.el.style.cssText += `; width: ${n * cell}%; left: ${100 - cut * cell}%; top: ${-cut * cell}%`;
      point();
    }
    times.style.whiteSpace = "pre-line";
    const share = `grid-template-columns: minmax(0, ${count}fr) minmax(0, ${n}fr)`;
    const el = h(
      "div",
      {},
      carry,
      h(
        "div",
        { class: "attn-made", style: share },
        h("span"),
        h("span", { class: "attn-soft" }, "what was written →"),
      ),
      h(
        "div",
        { class: "attn-made", style: share },
        columns.el,
        h("div", { class: "attn-asks" }, "who reads ↓"),
        whole.el,
        gone,
        rows.el,
      ),
    );
    return { el, draw };
  };
  const both = NAMES.map((_, k) => memory(k));

  // How many rows every cut would need: two curves, and on each a dot where the cut is
  const cuts = Array.from({ length: n - 1 }, (_, i) => i + 1);
  const across = (cut) => (n > 2 ? 100 * (cut - 1) / (n - 2) : 50);
  const ways = NAMES.map((_, k) => svg("path", { "vector-effect": "non-scaling-stroke", stroke: TONES[k] }));
  const dots = NAMES.map((_, k) => h("i", { style: `background: ${TONES[k]}` }));
  const ends = NAMES.map((_, k) => h("span", { style: `color: ${TONES[k]}` }));
  const most = h("small");
  const curve = h(
    "div",
    { class: "attn-curve", "aria-hidden": "true" },
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" }, ways),
    dots,
  );
  const growth = h("div", { class: "attn-growth" }, h("span", {}, "rows needed, ", most), curve, h("div", {}, ends));
  const ride = ({ clientX }) => {
    const { left, width } = curve.getBoundingClientRect();
    set({ cut: Math.min(Math.max(Math.round(1 + (clientX - left) / width * (n - 2)), 1), n - 1) });
  };
  curve.addEventListener("pointerdown", ride);
  curve.addEventListener("pointermove", (event) => event.buttons & 1 && ride(event));
  const flat = cuts.map((cut) => enough(products, cut)); // whatever the scores are multiplied by
  let [grown, soon, curves] = [null, 0, []];
  function grow(sharpness) {
    const c = softmax(scaled(scores(Q, K), sharpness), causal);
    grown = sharpness;
    curves = [cuts.map((cut) => enough(c, cut)), flat];
    const top = largest(curves);
    ways.forEach((way, k) => {
      const at = curves[k].map((y, i) => `${across(cuts[i]).toFixed(2)} ${(100 - 100 * y / top).toFixed(2)}`);
      way.setAttribute("d", `M${at.join("L")}`);
    });
    write(most, `up to ${top}`);
  }
  function trace(cut, sharpness) {
    const rest = () => {
      grow(sharpness);
      trace(cut, sharpness);
    };
    clearTimeout(soon);
    if (grown === null) grow(sharpness);
    else if (grown !== sharpness) soon = setTimeout(rest, 80); // once the hand rests: it takes an svd a cut
    const top = largest(curves);
    dots.forEach((dot, k) => {
      const y = curves[k][cut - 1];
      dot.style.cssText += `; left: ${across(cut)}%; top: ${100 - 100 * y / top}%`;
      write(ends[k], `${NAMES[k]} ${y}`);
    });
  }
  function draw() {
    const { cut, sharpness } = known();
    place.draw(cut);
    heat.draw(sharpness);
    build_up.draw(wanted);
    trace(cut, sharpness);
    both.forEach((one) => one.draw());
  }
  function sentence() {
    const { cut, sharpness, parts } = known();
    const counted = parts.map((part, k) => `${NAMES[k]}: rank ${part.rank}, ${part.rows} rows for 1%`).join("; ");
    return `Cut after ${cut} of ${n} tokens, scores × ${number(sharpness)}: ${counted}.`;
  }
  const again = restart(get, set, ["cut", "sharpness"]);
  again.addEventListener("click", () => {
    halt();
    wanted = 1;
    draw();
  });
  const told = note(
    "Orange below zero, purple above. Columns times rows make the frame; below left is what they miss.",
  );
  told.style.cssText = "flex: 1 1 15rem; margin: 0";
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-cuts" }, build_up.el, place.el),
      growth,
      h("div", { class: "attn-row", style: "margin: 0.2rem 0 0.4rem" }, ...(calm ? [] : [play]), again, told),
      h("div", { class: "attn-both" }, both.map((one) => one.el)),
      h("details", {}, h("summary", {}, "More"), h("div", { class: "attn-cuts" }, heat.el)),
    ],
    draw,
    stop: () => {
      halt();
      clearTimeout(soon);
    },
    sentence,
    longest: () => sentence().replace(/× [^:]+/, "× 3.333"),
  };
}
