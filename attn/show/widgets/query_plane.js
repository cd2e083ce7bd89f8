// A query to turn and to lengthen among keys: the score is the key's shadow on it times its length.
import {
  extremes,
  factor,
  figure,
  h,
  label,
  matrix,
  number,
  provenance,
  quoted,
  restart,
  row,
  slider,
  weight,
  write,
} from "../kit/kit.js";
import { dot, softmaxRow } from "../kit/linalg.js";
import { plot, sources } from "../kit/plane.js";

const INWARDS = [0, 0.04, 0.08, 0.13, 0.2, 0.3, 0.4]; // a level's number stands where its line leaves the plane, or not far from there
const SHORTEST = 0.05; // a query of no length points nowhere
const [MANY, LARGEST] = [10, 5]; // of more keys than that, the table has those with the largest weights
// The plane is the figure: the numbers are rows of text, and each weight is a bar. Bold names are a little smaller, since
// the plane reckons with letters that are not bold, and would let the frame cut them.
const RULES =
  `.attn-turned { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; margin-top: 0.5rem; }
.attn-live .attn-turned > .attn-plane { flex: 1.6 1 20rem; font-size: 0.9rem; max-width: none; min-width: 0; }
.attn-turned > div { flex: 1 1 16rem; min-width: 0; }
.attn-turned text[data-tone] { font-size: 1em; }
.attn-turned text[data-tone="query"], .attn-turned text[data-tone="value"] { font-weight: 700; font-size: 0.92em; }
.attn-mark[data-tone="level"] path { opacity: 0.6; }
.attn-live g.attn-mark[data-kind="arrow"] .attn-grip { fill: color-mix(in srgb, var(--tone) 15%, transparent); stroke-width: 2.5px; stroke-dasharray: none; }
.attn-live .attn-turned table { width: 100%; border-spacing: 0; }
.attn-live .attn-turned caption { position: absolute; clip-path: inset(50%); }
.attn-live .attn-turned .attn-matrix th { padding: 0.1rem 0.4rem 0.1rem 0; font-size: 0.9rem; }
.attn-live .attn-turned .attn-matrix thead th { padding: 0 0 0.2rem; color: var(--attn-soft); font-size: 0.8rem; text-align: right; }
.attn-live .attn-turned .attn-matrix thead th:last-child { padding-left: 0.9rem; text-align: left; }
.attn-live .attn-turned .attn-matrix tbody td { height: 2rem; padding: 0 0 0 0.5rem; border: 0; outline-offset: -2px; background: none; color: var(--attn-soft);
  font-size: 0.85rem; text-align: right; white-space: nowrap; }
.attn-live .attn-turned .attn-matrix tbody td:last-child { width: 44%; padding-left: 0.9rem; color: var(--attn-text); font-size: 1rem; font-weight: 700;
  text-align: left; }
.attn-live .attn-turned td:last-child::before { content: ""; display: inline-block; height: 1.1rem; width: calc((100% - 4rem) * var(--w, 0) + 1px);
  margin-right: 0.4rem; border-radius: 0 3px 3px 0; background: var(--attn-bar); vertical-align: -0.2rem; }
.attn-live .attn-turned .attn-matrix tbody tr[data-on] { background: var(--attn-wash); }
.attn-live .attn-turned tr[data-on] th { color: var(--attn-text); font-weight: 700; }
.attn-live .attn-turned p { margin: 0.3rem 0; }
.attn-live .attn-turned .attn-row { justify-content: flex-end; margin: 0; }
.attn-turned td:not([data-source], [data-made], :focus-visible) { outline: none !important; box-shadow: none !important; }`;

const part = (x) => weight(x || Number.MIN_VALUE); // what has underflowed was not 0 either

export function render(host) {
  return figure(host, {
    title: "A score is a shadow times a length.",
    hint: "Drag the query’s tip: turn it, make it longer. Or drag a key.",
    shape: ["tokens"],
    state: ["q", "K", "row"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const plane = plot({ name: "The query and the keys", tall: 0.9, shy: true });
  const most = Math.max(...[get("q"), ...get("K")].map((point) => Math.hypot(...point)));
  // What is seen of the plane: the keys, and a query that a slider has made longer. While one is dragged it stands still.
  const near = 1.15 * most;
  let [far, held] = [0, false];
  function frame(size) {
    if (size === far) return;
    far = size;
    plane.frame([[-far, -far], [far, far]]);
  }
  function reach(q) {
    if (held) return;
    const needed = Math.max(...q.map(Math.abs));
    frame(near);
    if (needed > 1.01 * Math.min(...plane.shown().high)) frame(needed);
  }
  const onleave = () => {
    held = false;
    draw();
  };
  const longer = (q, to) => q.map((x) => x * Math.max(to, SHORTEST * most) / Math.hypot(...q));
  const levels = Array.from({ length: 25 }, () => plane.add("line", { tone: "level", name: "", merge: false }));
  const shadow = plane.add("line", { tone: "value", name: "" });
  const drop = plane.add("line", { tone: "key" });
  const query = plane.add("arrow", {
    tone: "query",
    name: "query",
    drag: (to) => {
      held = true;
      set({ q: Math.hypot(...to) > SHORTEST * most ? to : longer(get("q"), 0) });
    },
    onleave,
  });
  const keys = tokens.map((name, j) =>
    plane.add("point", {
      tone: "key",
      name,
      heard: `key of ${name}`,
      drag: (to) => {
        held = true;
        set({ K: get("K").map((k, i) => (i === j ? to : k)), row: j });
      },
      onleave,
    })
  );
  const angle = slider({
    title: "direction",
    min: -180,
    max: 180,
    step: 1,
    tell: (x) => `${number(x, 0)}°`,
    oninput: (degrees) => {
      const [t, long] = [degrees * Math.PI / 180, Math.hypot(...get("q"))];
      set({ q: [long * Math.cos(t), long * Math.sin(t)] });
    },
  });
  const length = slider({
    title: "length",
    min: Number((SHORTEST * most).toPrecision(2)),
    max: Number((2 * most).toPrecision(2)),
    step: 0.01,
    nudge: 0.05 * most,
    oninput: (long) => set({ q: longer(get("q"), long) }),
  });
  const reset = restart(get, set, ["q", "K", "row"]);
  const few = tokens.length > MANY;
  let listed = tokens.map((_, j) => j).slice(0, few ? LARGEST : MANY); // the keys in the table, row by row
  const table = matrix({
    name: few ? "the keys with the largest weights" : "what the query makes of each key",
    rows: listed.map((j) => tokens[j]),
    cols: ["shadow", "scaled", "weight"],
    size: [listed.length, 3],
    kind: "plain",
    onpick: (i) => set({ row: listed[i] }),
  });
  const names = table.el.querySelectorAll("tbody bdi");
  const rest = h("p", { hidden: !few });
  const e = (s) => `e^${number(s)}`;
  let now = null;
  const [keyMarks, queryMark, shadowMark] = [sources(keys), sources([query]), sources([shadow])];
  const scored = (j) => ({
    told: `${number(now.s[j])} = ${number(now.long)} · ${factor(now.shadows[j])} / √2: length of the query, shadow of ${
      quoted(tokens[j])
    }`,
    from: [[queryMark, [0, 0]], [keyMarks, [0, j]], ...spot(j)],
  });
  const spot = (j) => listed.includes(j) ? [[table, [listed.indexOf(j), 0]]] : [];
  const weighed = (j) => ({
    told: `${part(now.a[j])} = ${e(now.s[j])} / (${
      few ? `the sum for all ${tokens.length}` : now.s.map(e).join(" + ")
    })`,
    from: listed.map((_, i) => [table, [i, 1]]),
  });
  const shaded = (j) => ({
    told: `${number(now.shadows[j])} = how far the key of ${quoted(tokens[j])} reaches in the query’s direction`,
    from: [[queryMark, [0, 0]], [keyMarks, [0, j]]],
  });
  const origin = provenance([
    [table, (i, c) => [shaded, scored, weighed][c](listed[i])],
    [keyMarks, (_, j) => scored(j)],
    [shadowMark, () => shaded(get("row"))],
  ], "Point at a key or a number to see how it is made.");

  function compute() {
    const [q, K] = [get("q"), get("K")];
    const long = Math.hypot(...q);
    const s = K.map((k) => dot(q, k) / Math.SQRT2);
    return { q, K, long, s, a: softmaxRow(s), shadows: K.map((k) => dot(q, k) / long) };
  }
  function draw() {
    now = compute();
    const { q, K, long, s, a, shadows } = now;
    const [ux, uy] = q.map((x) => x / long);
    const on = (x) => [ux * x, uy * x];
    reach(q);
    const { low, high, scale } = plane.shown();
    const wide = 3 * far;
    // A line a score, or every second, fifth, tenth …, so that a long query does not paint the plane black
    const apart = [1, 2, 5, 10, 20, 50, 100, 1e9].find((step) => step * Math.SQRT2 / long > 0.2 * far);
    levels.forEach((one, i) => {
      const level = (i - 12) * apart;
      const [x, y] = on(level * Math.SQRT2 / long);
      const seen = Math.abs(level * Math.SQRT2 / long) < 0.95 * far;
      const name = level ? number(level) : "score 0";
      // from where the line enters the plane to where it leaves it, as far from the edge as the number is wide; above or
      // on the right first, since the axes have their numbers on the other sides
      const edge = [(4.5 * name.length + 2) / scale, 5 / scale];
      const [least, most] = [low.map((z, k) => z + edge[k] + 16 / scale), high.map((z, k) => z - edge[k])];
      const [from, to] = inside([x, y], [-uy, ux], least, most);
      const spots = [[to, from - to], [from, to - from]].map(([end, back]) =>
        INWARDS.map((t) => [x - uy * (end + t * back), y + ux * (end + t * back)])
      );
      const free = ([[a, b]]) => Math.max(a / most[0], b / most[1]);
      const [first, second] = spots.toSorted((a, b) => free(b) - free(a));
      one.put([[x - uy * wide, y + ux * wide], [x + uy * wide, y - ux * wide]], {
        hidden: !seen || to - from < 90 / scale, // a short one at a corner would lie on the axes’ numbers
        along: [...first, ...second],
        name,
      });
    });
    const j = get("row");
    shadow.put([[0, 0], on(shadows[j])], { width: 20, name: `shadow ${number(shadows[j])}` });
    drop.put([K[j], on(shadows[j])], { width: 2 });
    query.put([[0, 0], q], { width: 6, name: "query" });
    keys.forEach((one, i) => one.put([K[i]], { size: 5 + 13 * Math.sqrt(a[i]) }));
    plane.draw();
    angle.draw(Math.round(Math.atan2(q[1], q[0]) * 180 / Math.PI));
    length.draw(long);
    list(a, j);
    table.draw(listed.map((i) => [shadows[i], s[i], a[i]]), { row: listed.indexOf(j) });
    table.cells.forEach((line, i) => {
      write(line[2], part(a[listed[i]]));
      line[2].style.setProperty("--w", a[listed[i]].toFixed(4));
    });
    origin.draw();
  }
  // Many keys: the largest weights first, and the chosen key among them
  function list(a, chosen) {
    if (!few) return;
    const order = a.map((_, i) => i).sort((i, j) => a[j] - a[i] || i - j);
    const first = order.slice(0, LARGEST);
    listed = first.includes(chosen) ? first : [...first.slice(0, -1), chosen];
    names.forEach((node, i) => write(node, label(tokens[listed[i]])));
    const others = order.filter((i) => !listed.includes(i));
    write(rest, `${others.length} others: together ${part(others.reduce((sum, i) => sum + a[i], 0))}`);
  }
  function sentence() {
    const { long, s, a, shadows } = compute();
    const j = get("row");
    return `The query is ${number(long)} long. The shadow of ${quoted(tokens[j])} on it is ${
      number(shadows[j])
    }, so its scaled score is ${number(long)} × ${number(shadows[j])} / √2 = ${number(s[j])}. Weights: ${
      extremes(a, tokens, weight)
    }.`;
  }
  const controls = h("div", { class: "attn-sliders" }, angle.el, length.el);
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-turned" }, plane.el, h("div", {}, controls, table.el, rest, row(reset))),
      origin.el,
    ],
    draw,
    sentence,
  };
}

// From which to which multiple of a direction a line through a point lies in a box.
function inside(point, way, low, high) {
  const ends = point.map((x, k) =>
    way[k] ? [(low[k] - x) / way[k], (high[k] - x) / way[k]].toSorted((a, b) => a - b) : []
  );
  const all = ends.filter((pair) => pair.length);
  return [Math.max(...all.map(([from]) => from)), Math.min(...all.map(([, to]) => to))];
}
