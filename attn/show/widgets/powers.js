// The rows of Aⁿ as points of a triangle: they start at its corners and walk to one place.
import {
  figure,
  h,
  label,
  mark,
  matrix,
  number,
  products,
  provenance,
  quoted,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { matmul, transpose } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { key, slight } from "../kit/tones.js";
import { plot, sources } from "../kit/plane.js";
import { at, triangle, weights } from "../kit/simplex.js";

const MOST = 24;
const RULES = `.attn-live .attn-looks { display: grid; gap: 0.4rem 1.2rem; align-items: start; margin-top: 0.5rem; }
.attn-looks .attn-plane { max-width: none; }
.attn-looks > .attn-near { position: relative; }
.attn-near > .attn-plane + div { position: absolute; inset: 0 auto auto 0; width: 33%; }
.attn-live .attn-near p { position: absolute; margin: 0.1rem 0.5rem; font-weight: 700; color: var(--attn-soft); }
.attn-near > div .attn-plane { border-radius: 8px 0; }
.attn-looks > div { min-width: 0; }
.attn-live .attn-looks .attn-matrix { margin-top: 0.6rem; font-size: 1.1em; }
.attn-live .attn-looks .attn-matrix tbody td { min-width: 3.1em; padding-block: 0.45rem; }
.attn-live .attn-looks .attn-legend { display: block; }
.attn-looks .attn-legend > span { display: block; margin-top: 0.25rem; }
.attn-looks .attn-mark[data-ring] { fill: none; opacity: 0.35; }
.attn-looks .attn-mark[data-ring] path { fill: none; stroke-width: 1px; }
.attn-live .attn-looks g.attn-mark[tabindex] .attn-grip { r: 12px; stroke-width: 2.5px; }
.attn-looks text[data-tone="value"], .attn-looks text[data-tone="key"] { font-size: 0.95rem; font-weight: 700; }
@media (min-width: 601px) { .attn-looks { grid-template-columns: minmax(0, 1fr) max-content; } }
@media (max-width: 600px) { .attn-live .attn-looks .attn-matrix { margin-top: 0; }
  .attn-live .attn-looks g.attn-mark[tabindex] .attn-grip { r: 8px; stroke-width: 2px; }
  .attn-looks text[data-tone="value"] { font-size: 0.8rem; } }`;
const UNIT = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export function render(host) {
  return figure(host, {
    title: "Looking again and again.",
    hint: "A row of weights is a point of the triangle. Step: the rows of Aⁿ draw together. Then drag a row of A.",
    shape: ["tokens"],
    state: ["A", "power"],
    build,
  });
}

// π = πA by the matrix-tree theorem: the minors of I − A; null where there are several.
function rest(A) {
  const m = A.map((line, i) => line.map((x, j) => (i === j ? 1 : 0) - x));
  const minors = [[1, 2], [0, 2], [0, 1]].map(([i, j]) => m[i][i] * m[j][j] - m[i][j] * m[j][i]);
  const total = minors.reduce((sum, x) => sum + x);
  return total > 1e-9 ? minors.map((x) => x / total) : null;
}

function build(get, set) {
  const tokens = get("tokens");
  const start = { A: get("A"), power: get("power") };
  const plane = triangle(tokens);
  const phone = matchMedia("(max-width: 600px)").matches; // dots are smaller there, and the legend alone names π
  const size = phone ? 5 : 7;
  plane.frame([...UNIT.map(at), [0.5, -0.05]]); // as large as it may be
  // every look's triangle stays, as an outline: each lies in the one before
  const rings = Array.from({ length: MOST }, () => plane.add("line", { tone: "query" }));
  for (const ring of rings) mark(ring.el, "data-ring", true);
  const image = plane.add("area", { tone: "query" });
  const [firsts, trails] = [0, 1].map(() => tokens.map(() => plane.add("line", { tone: "query" })));
  const cut = plane.add("area", { tone: "level" }); // what stands in the lens
  cut.el.style.fill = "none";
  const rows = tokens.map((name, i) =>
    plane.add("point", {
      tone: "value",
      name: label(name),
      heard: `row of ${label(name)} in A`,
      size,
      merge: false,
      drag: (to) => set({ A: get("A").map((line, k) => (k === i ? weights(to) : line)) }),
    })
  );
  const walkers = tokens.map(() => plane.add("point", { tone: "query", size: phone ? 4 : 7 }));
  // The last step once more, so near that it fills its own plane: after a few steps all is under one dot
  const near = plot({ name: "The last step, nearer", tall: 1, bare: true });
  const [ring, steady, ...own] = [["area", "level"], ["point", "key"], ...tokens.map(() => ["line", "query"])]
    .concat(tokens.map(() => ["point", "query"])).map(([kind, tone]) => near.add(kind, { tone, size: 4 }));
  const times = h("p");
  const lens = h("div", { "aria-hidden": "true" }, times, near.el);
  const end = plane.add("point", { tone: "key", name: phone ? null : "π", size, merge: false });
  const steps = stepper({ last: MOST, onstep: (power) => set({ power }), onreset: () => set(start), pace: 700 });
  const many = matrix({
    name: "Aⁿ",
    rows: tokens,
    cols: tokens,
    size: [3, 3],
    kind: "weight",
    tell: slight,
    onpick: () => {},
  });
  const many_apart = h("span");
  const walk = () => {
    const powers = [UNIT];
    while (powers.length <= get("power")) powers.push(matmul(get("A"), powers[powers.length - 1]));
    return powers;
  };
  const rowMarks = sources(rows);
  const origin = provenance([[many, (i, j) => {
    const powers = walk();
    const n = get("power");
    if (!n) return null;
    return {
      told: `${number(powers[n][i][j])} = ${products(get("A")[i], powers[n - 1].map((line) => line[j]))}: row ${
        quoted(tokens[i])
      } of A, column ${quoted(tokens[j])} of ${n > 2 ? `A^${n - 1}` : n > 1 ? "A" : "the identity"}`,
      from: [[rowMarks, [0, i]]],
    };
  }]]);
  const paint = glide((flat) => {
    const now = tokens.map((_, i) => flat.slice(3 * i, 3 * i + 3));
    const powers = walk();
    image.put(now.map(at));
    walkers.forEach((dot, i) => dot.put([at(now[i])]));
    const last = (powers[get("power") - 1] || UNIT).map(at);
    // The first step is the longest, and tells the least once the second is taken
    const n = get("power");
    trails.forEach((trail, i) => {
      const way = [...powers.slice(0, -1).map((M) => at(M[i])), at(now[i])];
      firsts[i].put(way.slice(0, 2), { width: 1, faint: n > 1, hidden: !n });
      trail.put(way.slice(1), { width: 2, hidden: n < 2 });
    });
    near.frame(last);
    ring.put(last);
    own.forEach((one, i) => one.put(i < 3 ? [last[i], at(now[i])] : [at(now[i - 3])], i < 3 ? { width: 2 } : {}));
    rings.forEach((ring, k) => {
      const M = powers[k] || UNIT;
      ring.put([...M, M[0]].map(at), { hidden: !k || k >= get("power") });
    });
    near.draw();
    const { low, high, scale } = near.shown();
    const larger = scale / plane.shown().scale;
    const shows = n > 1 && larger > 1.3; // what is no nearer there is seen as well in the triangle
    lens.style.visibility = shows ? "visible" : "hidden";
    cut.put([low, [high[0], low[1]], high, [low[0], high[1]]], { hidden: !shows });
    plane.draw();
    write(times, `× ${Number(larger.toPrecision(2))}`);
  });
  let before = null;
  function draw() {
    const A = get("A");
    const n = get("power");
    const powers = walk();
    const pi = rest(A);
    const apart = Math.max(...transpose(powers[n]).map((line) => Math.max(...line) - Math.min(...line)));
    write(many_apart, slight(apart));
    steps.draw(n, `n = ${n}`);
    rows.forEach((dot, i) => dot.put([at(A[i])]));
    for (const one of [end, steady]) one.put([at(pi || UNIT[0])], { hidden: !pi });
    many.draw(powers[n], { caption: n === 1 ? "A itself" : `A to the power ${n}` });
    paint(powers[n].flat(), A !== before && before !== null);
    before = A;
    origin.draw();
  }
  function sentence() {
    const n = get("power");
    const M = walk()[n];
    const pi = rest(get("A"));
    const apart = Math.max(...transpose(M).map((line) => Math.max(...line) - Math.min(...line)));
    return `After ${n} ${n === 1 ? "look" : "looks"}: ${
      M.map((line, i) => `${quoted(tokens[i])} ${vector(line, slight)}`).join(", ")
    }. The rows are up to ${slight(apart)} apart; nothing moves ${
      pi ? `at π = ${vector(pi, slight)}` : "at several places"
    }.`;
  }
  return {
    parts: [
      steps.el,
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-looks" },
        h("div", { class: "attn-near" }, plane.el, lens),
        h(
          "div",
          {},
          h("p", { class: "attn-hero" }, h("small", {}, "the rows are apart by at most"), many_apart),
          many.el,
          key([["value", "rows of A: drag one"], ["query", "rows of Aⁿ and their way"], ["key", "π, where they end"]]),
        ),
      ),
      origin.el,
    ],
    draw,
    sentence,
    longest: () => " as long".repeat(33), // as its longest sentence, of any step
    stop: steps.stop,
  };
}
