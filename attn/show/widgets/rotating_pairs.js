// A query and a key move through the text, and their pairs turn: only the distance between them is left in the score.
import {
  bars,
  factor,
  figure,
  h,
  largest,
  matrix,
  number,
  products,
  provenance,
  restart,
  row,
  slider,
  svg,
  vector,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { key, plot, sources } from "../kit/plane.js";

const FARTHEST = 200;

export function render(host) {
  return figure(host, {
    title: "Positions as turns.",
    hint: "Move one: each pair of entries turns at its own pace. Move both: no angle between them changes.",
    shape: ["q", "k", "base"],
    state: ["m", "n"],
    build,
  });
}

// The angle from k to q, the shorter way round, as an arc that ends in its middle, outwards: there its name stands.
function between(q, k, far) {
  const from = Math.atan2(k[1], k[0]);
  const turn = Math.atan2(k[0] * q[1] - k[1] * q[0], dot(q, k));
  const on = (t, r = far) => [r * Math.cos(from + t * turn), r * Math.sin(from + t * turn)];
  return {
    points: Array.from({ length: 37 }, (_, i) => on(1 - Math.abs(i / 24 - 1))).concat([on(0.5, 1.01 * far)]),
    degrees: Math.abs(turn) * 180 / Math.PI,
  };
}

const tidy = (x) => (Math.abs(x) < 1e-9 ? 0 : x);

function build(get, set) {
  const [q, k, base] = ["q", "k", "base"].map(get);
  const count = q.length / 2;
  const pair = (x, i) => x.slice(2 * i, 2 * i + 2);
  const pace = (i) => base ** (-2 * i / q.length);
  const turned = (x, i, place) => {
    const t = place * pace(i);
    const [a, b] = pair(x, i);
    return [a * Math.cos(t) - b * Math.sin(t), a * Math.sin(t) + b * Math.cos(t)];
  };
  const whole = (x) => Math.round(Math.min(Math.max(x, 0), FARTHEST));
  const mover = (title, value, oninput) => ({
    ...slider({
      title,
      min: 0,
      max: FARTHEST,
      step: 1,
      nudge: 1,
      tell: (x) => number(x, 0),
      oninput: (x) => oninput(whole(x)),
    }),
    value,
  });
  const both = (to) => {
    const [m, n] = [get("m"), get("n")];
    const by = Math.min(Math.max(to - Math.min(m, n), -Math.min(m, n)), FARTHEST - Math.max(m, n));
    set({ m: m + by, n: n + by });
  };
  const moves = [
    mover("query at m", () => get("m"), (m) => set({ m })),
    mover("key at n", () => get("n"), (n) => set({ n })),
    mover("both", () => Math.min(get("m"), get("n")), both),
  ];
  const rings = Array.from({ length: count }, (_, i) => {
    const long = Math.max(Math.hypot(...pair(q, i)), Math.hypot(...pair(k, i)), 1e-9);
    const plane = plot({ name: `Pair ${i}`, tall: 0.86, bare: true });
    plane.frame([[-long, -long], [long, long]]);
    const circle = Array.from({ length: 73 }, (_, t) => [Math.cos(t * Math.PI / 36), Math.sin(t * Math.PI / 36)]);
    plane.add("line", { tone: "level" }).put(circle.map((p) => p.map((x) => x * long)));
    const arc = plane.add("line", { tone: "value", name: "", merge: false });
    const marks = [["query", "q"], ["key", "k"]].map(([tone, name]) => plane.add("arrow", { tone, name }));
    const caption = h("figcaption", {}, `pair ${i}: ${number(pace(i) * 180 / Math.PI, 2)}° a place`);
    return { plane, marks, arc, long, el: h("figure", { class: "attn-ring" }, caption, plane.el) };
  });
  const table = matrix({
    name: "each pair’s share of the score",
    rows: rings.map((_, i) => `pair ${i}`),
    cols: ["q₁", "q₂", "k₁", "k₂", "q · k"],
    size: [count, 5],
    kind: "plain",
    onpick: () => {},
  });
  const now = () => rings.map((_, i) => [turned(q, i, get("m")), turned(k, i, get("n"))]);
  const shares = () => now().map(([a, b]) => tidy(dot(a, b)));
  const share = bars({ names: rings.map((_, i) => `pair ${i}`).concat("score"), title: "Shares of the score" });
  // the longest bar of any distance is the scale: nothing rescales in a move
  const far = Array.from({ length: 2 * FARTHEST + 1 }, (_, t) => {
    const parts = rings.map((_, i) => dot(turned(q, i, t - FARTHEST), pair(k, i)));
    return [...parts, parts.reduce((sum, x) => sum + x)];
  });
  const most = largest(far);
  const over = distances(far, most, (apart) => {
    const n = Math.min(Math.max(get("n"), -apart), FARTHEST - Math.max(apart, 0));
    set({ m: n + apart, n });
  });
  const product = (i) => ({
    told: `${number(shares()[i])} = ${products(...now()[i])}: lengths stay, so only the angle between them counts`,
    from: [0, 1, 2, 3].map((k) => [table, [i, k]]).concat([0, 1].map((k) => [sources(rings[i].marks), [0, k]])),
  });
  const items = [...share.el.children];
  for (const one of items) one.classList.add("attn-mark");
  const drawn = { el: share.el, cells: items.map((one) => [one]) };
  const added = () => ({
    told: `${number(tidy(shares().reduce((sum, x) => sum + x)))} = ${shares().map(factor).join(" + ")}`,
    from: rings.map((_, i) => [drawn, [i, 0]]),
  });
  const origin = provenance([
    [table, (i, c) => (c < 4 ? null : product(i))],
    [drawn, (i) => (i < count ? product(i) : added())],
  ]);
  function draw() {
    const pairs = now();
    const parts = shares();
    moves.forEach((one) => one.draw(one.value()));
    rings.forEach(({ plane, marks, arc, long }, i) => {
      marks.forEach((mark, side) => mark.put([[0, 0], pairs[i][side]], { width: 3 }));
      const { points, degrees } = between(...pairs[i], 0.42 * long);
      arc.put(points, { width: 3, name: `${number(degrees, 0)}°` });
      plane.draw();
    });
    table.draw(pairs.map(([a, b], i) => [...a, ...b, parts[i]].map(tidy)));
    share.draw([...parts, parts.reduce((sum, x) => sum + x)], { most });
    over.draw(get("m") - get("n"));
    origin.draw();
  }
  function sentence() {
    const [m, n, parts] = [get("m"), get("n"), shares()];
    return `Query at ${m}, key at ${n}, ${number(m - n)} apart: the pairs give ${vector(parts)}, the score is ${
      number(tidy(parts.reduce((sum, x) => sum + x)))
    }.`;
  }
  return {
    parts: [
      row(h("div", { class: "attn-sliders" }, moves.map((one) => one.el)), restart(get, set, ["m", "n"])),
      h("div", { class: "attn-rings" }, rings.map((ring) => ring.el)),
      key([["query", "query"], ["key", "key"], ["value", "the angle between them"]]),
      row(share.el, over.el),
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers of each pair"),
        h("div", { class: "attn-tight" }, table.el),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}

// The score at every distance from −FARTHEST to FARTHEST, the pairs' shares pale behind it, a dot at the present one.
// A press or a drag moves there. lines: for each distance the shares, and their sum last.
function distances(lines, most, onpick) {
  const last = lines[0].length - 1;
  const up = (x) => (1 - x / (1.08 * most)) / 2; // share of the height, from above
  const curves = lines[0].map((_, c) =>
    svg("path", {
      d: lines.map((line, t) => `${t ? "L" : "M"}${t} ${(100 * up(line[c])).toFixed(2)}`).join(""),
      fill: "none",
      "vector-effect": "non-scaling-stroke",
      style: c < last
        ? "stroke: var(--attn-bar); stroke-width: 1.2px; opacity: 0.4"
        : "stroke: var(--attn-text); stroke-width: 1.8px",
    })
  );
  const dot = h("span", {
    style: "position: absolute; width: 0.9rem; height: 0.9rem; border-radius: 50%; translate: -50% -50%; " +
      "background: var(--attn-accent); box-shadow: 0 0 0 2px var(--attn-paper)",
  });
  const zero = "background: linear-gradient(var(--attn-edge) 0 0) 0 50% / 100% 1px no-repeat, " +
    "linear-gradient(var(--attn-edge) 0 0) 50% / 1px 100% no-repeat";
  const field = h(
    "div",
    { style: `position: relative; height: 8rem; cursor: pointer; touch-action: pan-y; ${zero}`, "aria-hidden": "true" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${2 * FARTHEST} 100`,
        preserveAspectRatio: "none",
        style: "display: block; width: 100%; height: 100%",
      },
      ...curves,
    ),
    dot,
  );
  const go = (event) => {
    const { x, width } = field.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - x) / width, 0), 1);
    onpick(Math.round((2 * part - 1) * FARTHEST));
  };
  field.addEventListener("pointerdown", go);
  field.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  const ends = [-FARTHEST, 0, FARTHEST].map((x) => h("span", {}, number(x)));
  const el = h(
    "div",
    { style: "flex: 1 1 22rem; user-select: none" },
    h(
      "p",
      { class: "attn-note", style: "margin: 0" },
      h("strong", {}, "score"),
      " at distance m − n; pale: its pairs",
    ),
    field,
    h("p", { class: "attn-axes", style: "display: flex; justify-content: space-between; margin: 0" }, ends),
  );
  function draw(apart) {
    dot.style.left = `${50 + 50 * apart / FARTHEST}%`;
    dot.style.top = `${100 * up(lines[apart + FARTHEST][last])}%`;
  }
  return { el, draw };
}
