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
import { key, plot, sources } from "../kit/plane.js";

const SPOTS = [0.84, 0.7, 0.56, 0.42, 0.28, -0.28, -0.42, -0.56, -0.7, -0.84]; // of a number along its line
const SHORTEST = 0.05; // a query of no length points nowhere
const [MANY, LARGEST] = [10, 5]; // of more keys than that, the table has those with the largest weights
const part = (x) => weight(x || Number.MIN_VALUE); // what has underflowed was not 0 either

export function render(host) {
  return figure(host, {
    title: "A score is a shadow times a length.",
    hint: "Drag the tip of the query: turn it, make it longer. Keys can be dragged too.",
    shape: ["tokens"],
    state: ["q", "K", "row"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const plane = plot({ name: "The query and the keys", tall: 0.9 });
  const most = Math.max(...[get("q"), ...get("K")].map((point) => Math.hypot(...point)));
  const far = 1.15 * most;
  plane.frame([[-far, -far], [far, far]]);
  const longer = (q, to) => q.map((x) => x * Math.max(to, SHORTEST * most) / Math.hypot(...q));
  const levels = Array.from({ length: 25 }, () => plane.add("line", { tone: "level", name: "", merge: false }));
  const shadow = plane.add("line", { tone: "value" });
  const drop = plane.add("line", { tone: "key" });
  const query = plane.add("arrow", {
    tone: "query",
    name: "query",
    drag: (to) => set({ q: Math.hypot(...to) > SHORTEST * most ? to : longer(get("q"), 0) }),
  });
  const keys = tokens.map((name, j) =>
    plane.add("point", {
      tone: "key",
      name,
      heard: `key of ${name}`,
      drag: (to) => set({ K: get("K").map((k, i) => (i === j ? to : k)), row: j }),
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
  const [keyMarks, queryMark] = [sources(keys), sources([query])];
  const scored = (j) => ({
    told: `${number(now.s[j])} = ${number(now.long)} · ${factor(now.shadows[j])} / √2: length of the query, shadow of ${
      quoted(tokens[j])
    }`,
    from: [[queryMark, [0, 0]], [keyMarks, [0, j]], [table, [listed.indexOf(j), 0]]],
  });
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
  const origin = provenance([[table, (i, c) => [shaded, scored, weighed][c](listed[i])]]);

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
    const wide = 3 * far;
    // A line a score, or every second, fifth, tenth …, so that a long query does not paint the plane black
    const apart = [1, 2, 5, 10, 20, 50, 100, 1e9].find((step) => step * Math.SQRT2 / long > 0.16 * far);
    levels.forEach((one, i) => {
      const level = (i - 12) * apart;
      const [x, y] = on(level * Math.SQRT2 / long);
      const seen = Math.abs(level * Math.SQRT2 / long) < 0.95 * far;
      one.put([[x - uy * wide, y + ux * wide], [x + uy * wide, y - ux * wide]], {
        hidden: !seen,
        along: SPOTS.map((t) => [x + t * uy * far, y - t * ux * far]),
        name: level ? number(level) : "score 0",
      });
    });
    const j = get("row");
    shadow.put([[0, 0], on(shadows[j])], { width: 14 });
    drop.put([K[j], on(shadows[j])], { width: 1.5 });
    query.put([[0, 0], q], { width: 4 });
    keys.forEach((one, i) => one.put([K[i]], { size: 4 + 9 * Math.sqrt(a[i]) }));
    plane.draw();
    angle.draw(Math.round(Math.atan2(q[1], q[0]) * 180 / Math.PI));
    length.draw(long);
    list(a, j);
    table.draw(listed.map((i) => [shadows[i], s[i], a[i]]), { row: listed.indexOf(j) });
    table.cells.forEach((line, i) => write(line[2], part(a[listed[i]])));
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
      h("div", { class: "attn-duo" }, plane.el, h("div", {}, controls, table.el, rest, row(reset))),
      key([
        ["query", "query"],
        ["key", "keys, larger where the weight is"],
        ["value", "shadow of the chosen key"],
        ["level", "dashed: equal scaled scores"],
      ]),
      origin.el,
    ],
    draw,
    sentence,
  };
}
