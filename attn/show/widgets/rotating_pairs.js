// A query and a key move through the text, and their pairs turn: only the distance between them is left in the score.
import {
  bars,
  factor,
  figure,
  h,
  largest,
  matrix,
  note,
  number,
  products,
  provenance,
  restart,
  slider,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { key, plot, sources } from "../kit/plane.js";

const NEAR = 32; // how far apart two neighbours of a sentence stand, and where both sliders end
const FARTHEST = 200; // where they end if the figure was given a place beyond
// Bars and lanes are grey: the colours belong to the arrows.
const RULES = [
  ".attn-turned { display: grid; grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr); gap: 0.2rem 2rem; align-items: center; }",
  ".attn-live .attn-turned .attn-slider { margin: 0.1rem 0; }",
  ".attn-live .attn-ring figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.5rem; }",
  ".attn-live .attn-ring figcaption strong { color: var(--attn-text); }",
  ".attn-whole { position: relative; height: 2.1rem; margin-top: 0.2rem; overflow: hidden; border-bottom: 1px solid var(--attn-line); background: linear-gradient(90deg, transparent calc(50% - var(--far)), var(--attn-wash) 0 calc(50% + var(--far)), transparent 0); box-shadow: inset 0 0 0 1px var(--attn-hair); }",
  ".attn-whole svg { position: absolute; width: 100%; height: 100%; }",
  ".attn-whole path { stroke: var(--attn-soft); stroke-width: 1.6px; }",
  ".attn-whole .attn-spot { position: absolute; width: 0.6rem; height: 0.6rem; border-radius: 50%; translate: -50% -50%; background: var(--attn-text); box-shadow: 0 0 0 2px var(--attn-paper); }",
  ".attn-live .attn-turned .attn-sliders { max-width: none; }",
  "@media (max-width: 600px) { .attn-turned { grid-template-columns: minmax(0, 1fr); } .attn-live .attn-turned .attn-hero { display: flex; align-items: baseline; gap: 0.6rem; } }",
  ".attn-live .attn-bars.attn-lanes { grid-template-columns: max-content minmax(4rem, 1fr) 4.2rem minmax(0, 4fr); max-width: none; }",
  ".attn-live .attn-bars.attn-lanes .attn-fill { background: var(--attn-edge); }",
  ".attn-live .attn-lanes li { margin: 0; }",
  ".attn-live .attn-lanes li:nth-last-child(2) { font-weight: 700; border-top: 1px solid var(--attn-edge); }",
  ".attn-lane { display: grid; grid-template-columns: 2.6em 1fr; gap: 0.4em; font-weight: 400; }",
  ".attn-lane > :first-child { position: relative; color: var(--attn-soft); font-size: 0.7em; text-align: right; font-variant-numeric: tabular-nums; grid-column: 1; }",
  ".attn-lane > :first-child span { position: absolute; right: 0; translate: 0 -50%; line-height: 1; }",
  ".attn-course { position: relative; cursor: ew-resize; touch-action: pan-y; user-select: none; background: linear-gradient(var(--attn-edge) 0 0) 0 50% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 12% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 88% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 50% / 1px 100% no-repeat; }",
  ".attn-course svg { position: absolute; width: 100%; height: 100%; }",
  ".attn-course path { stroke: var(--attn-soft); stroke-width: 1.8px; }",
  ".attn-lanes li:nth-last-child(2) path { stroke: var(--attn-text); stroke-width: 2.4px; }",
  ".attn-course i { position: absolute; inset: 0 auto; width: 1px; background: var(--attn-text); opacity: 0.5; }",
  ".attn-course em { position: absolute; width: 0.7rem; height: 0.7rem; border-radius: 50%; translate: -50% -50%; background: var(--attn-text); box-shadow: 0 0 0 2px var(--attn-paper); }",
  ".attn-apart .attn-lane { grid-column: 4; height: 1.3em; }",
  ".attn-apart .attn-course { background: none; cursor: auto; color: var(--attn-soft); font-size: 0.8em; }",
  ".attn-apart .attn-course span { position: absolute; translate: -50%; }",
  ".attn-apart .attn-course :first-child { translate: 0; }",
  ".attn-apart .attn-course :last-child { translate: -100%; }",
  "@media (max-width: 600px) { .attn-live .attn-bars.attn-lanes { grid-template-columns: max-content 1fr 4.2rem; } .attn-live .attn-lanes .attn-lane { grid-column: 1 / -1; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Positions as turns.",
    hint: "Move one: each pair turns at its own pace. Move both: no angle changes. Or drag along a curve.",
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
  const length = (x, i) => Math.hypot(...pair(x, i));
  const pace = (i) => base ** (-2 * i / q.length);
  const turned = (x, i, place) => {
    const t = place * pace(i);
    const [a, b] = pair(x, i);
    return [a * Math.cos(t) - b * Math.sin(t), a * Math.sin(t) + b * Math.cos(t)];
  };
  const far = Math.max(get("m"), get("n")) > NEAR ? FARTHEST : NEAR;
  const whole = (x) => Math.round(Math.min(Math.max(x, 0), far));
  const mover = (title, value, oninput) => ({
    ...slider({
      title,
      min: 0,
      max: far,
      step: 1,
      nudge: 1,
      tell: (x) => number(x, 0),
      oninput: (x) => oninput(whole(x)),
    }),
    value,
  });
  const both = (to) => {
    const [m, n] = [get("m"), get("n")];
    const by = Math.min(Math.max(to - Math.min(m, n), -Math.min(m, n)), far - Math.max(m, n));
    set({ m: m + by, n: n + by });
  };
  const moves = [
    mover("query at m", () => get("m"), (m) => set({ m })),
    mover("key at n", () => get("n"), (n) => set({ n })),
    mover("both", () => Math.min(get("m"), get("n")), both),
  ];
  const rings = Array.from({ length: count }, (_, i) => {
    const long = Math.max(Math.hypot(...pair(q, i)), Math.hypot(...pair(k, i)), 1e-9);
    const plane = plot({ name: `Pair ${i}`, tall: 0.76, bare: true });
    plane.frame([[-long, -long], [long, long]]);
    const circle = Array.from({ length: 73 }, (_, t) => [Math.cos(t * Math.PI / 36), Math.sin(t * Math.PI / 36)]);
    plane.add("line", { tone: "level" }).put(circle.map((p) => p.map((x) => x * long)));
    const arc = plane.add("line", { tone: "value", name: "", merge: false });
    const marks = [["query", "q"], ["key", "k"]].map(([tone, name]) => plane.add("arrow", { tone, name }));
    // Two whole turns as a curve, and on it the piece that the lanes below show: of a slow pair hardly any
    const turn = 2 * Math.PI / pace(i);
    const whole = (
      t,
    ) => [50 + 50 * t / turn, 50 - 33 * dot(turned(q, i, t), pair(k, i)) / (length(q, i) * length(k, i) || 1)];
    const d = Array.from(
      { length: 121 },
      (_, t) => `${t ? "L" : "M"}${whole((t / 60 - 1) * turn).map((x) => x.toFixed(1))}`,
    );
    const path = svg("path", { d: d.join(""), fill: "none", "vector-effect": "non-scaling-stroke" });
    const spot = h("span", { class: "attn-spot" });
    const course = h(
      "div",
      { class: "attn-whole", "aria-hidden": "true", style: `--far: ${Math.min(50, 50 * far / turn).toFixed(2)}%` },
      svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" }, path),
      spot,
    );
    const caption = h("figcaption", {}, h("strong", {}, `pair ${i}`), h("span", {}, `entries ${2 * i}, ${2 * i + 1}`));
    const foot = h(
      "figcaption",
      {},
      h("span", {}, `${number(pace(i) * 180 / Math.PI, 2)}° a place`),
      h("span", {}, `${number(turn, turn < 100 ? 1 : 0)} a turn`),
    );
    const move = (apart) => {
      const [x, y] = whole(apart % turn);
      spot.style.cssText = `left: ${x.toFixed(2)}%; top: ${y.toFixed(2)}%`;
    };
    return { plane, marks, arc, long, move, el: h("figure", { class: "attn-ring" }, caption, plane.el, course, foot) };
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
  const at = (apart) => {
    const parts = rings.map((_, i) => tidy(dot(turned(q, i, apart), pair(k, i))));
    return [...parts, tidy(parts.reduce((sum, x) => sum + x))];
  };
  // the longest bar of any distance is the scale: nothing rescales in a move
  const most = largest(Array.from({ length: 2 * far + 1 }, (_, t) => at(t - far)));
  const items = [...share.el.querySelectorAll(".attn-value")];
  const over = lanes(share, at, far, (apart) => {
    const n = Math.min(Math.max(get("n"), -apart), far - Math.max(apart, 0));
    set({ m: n + apart, n });
  });
  const product = (i) => ({
    told: `${number(shares()[i])} = ${products(...now()[i])}: lengths stay, so only the angle between them counts`,
    from: [0, 1, 2, 3].map((k) => [table, [i, k]]).concat([0, 1].map((k) => [sources(rings[i].marks), [0, k]])),
  });
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
  const [apart, score] = [h("small"), h("span")];
  function draw() {
    const pairs = now();
    const parts = shares();
    moves.forEach((one) => one.draw(one.value()));
    rings.forEach(({ plane, marks, arc, long, move }, i) => {
      move(get("m") - get("n"));
      marks.forEach((mark, side) => mark.put([[0, 0], pairs[i][side]], { width: 3 }));
      const { points, degrees } = between(...pairs[i], 0.42 * long);
      arc.put(points, { width: 3, name: `${number(degrees, 0)}°` });
      plane.draw();
    });
    table.draw(pairs.map(([a, b], i) => [...a, ...b, parts[i]].map(tidy)));
    share.draw([...parts, parts.reduce((sum, x) => sum + x)], { most });
    share.el.toggleAttribute("data-both", true); // zero stays in the middle
    write(apart, `score, ${number(get("m") - get("n"), 0)} apart`);
    write(score, number(tidy(parts.reduce((sum, x) => sum + x))));
    over(get("m") - get("n"));
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
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-turned" },
        h("div", { class: "attn-sliders" }, moves.map((one) => one.el)),
        h("div", {}, h("p", { class: "attn-hero" }, apart, score), restart(get, set, ["m", "n"])),
      ),
      h("div", { class: "attn-rings" }, rings.map((ring) => ring.el)),
      h(
        "div",
        { class: "attn-row", style: "margin: 0.2rem 0; gap: 0 1rem" },
        key([["query", "query"], ["key", "key"], ["value", "the angle between them"]]),
        note("Curves: two turns; tinted: the distances below."),
      ),
      share.el,
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers of each pair"),
        note(
          "Neighbours are a pair here, as in the paper. Much code pairs entry t with t + d/2: the same turns in another order.",
        ),
        h("div", { class: "attn-tight" }, table.el),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}

// In the row of each share a lane: what it is at every distance from −far to far, a dot at the present one. All lanes
// have one scale, so that of the sum is as much higher as it grows. A press or a drag along a lane moves there.
// at(t): the shares at distance t, and their sum last.
function lanes({ el }, at, far, onpick) {
  const [fine, reach] = [far > NEAR ? 1 : 4, (lane) => lane.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1];
  const all = Array.from({ length: 2 * far * fine + 1 }, (_, t) => at(t / fine - far));
  const longest = all[0].map((_, c) => reach(all.map((line) => line[c])));
  const of = longest.slice(0, -1);
  const most = longest.map((x, c) => (c < of.length ? Math.max(...of) : x));
  const up = (x, c) => 50 - 38 * x / most[c]; // from above, in percent
  const go = (event) => {
    const { x, width } = event.currentTarget.getBoundingClientRect();
    onpick(Math.round((2 * Math.min(Math.max((event.clientX - x) / width, 0), 1) - 1) * far));
  };
  const drawn = [...el.children].map((item, c) => {
    const d = all.map((line, t) => `${t ? "L" : "M"}${t} ${up(line[c], c).toFixed(1)}`).join("");
    const path = svg("path", { d, fill: "none", "vector-effect": "non-scaling-stroke" });
    const [now, dot] = [h("i"), h("em")];
    const curve = svg("svg", { viewBox: `0 0 ${2 * far * fine} 100`, preserveAspectRatio: "none" }, path);
    const field = h("span", { class: "attn-course" }, curve, now, dot);
    field.addEventListener("pointerdown", go);
    field.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    const scale = [most[c], 0, -most[c]].map((x) =>
      h("span", { style: `top: ${up(x, c)}%` }, number(x, most[c] < 0.95 ? 2 : 1))
    );
    const tall = (2.7 * Math.min(most[c] / Math.max(...of), 3)).toFixed(2);
    const style = `height: ${c < of.length ? 2.7 : Math.max(tall, 2.7)}rem`;
    item.append(h("span", { class: "attn-lane", style, "aria-hidden": "true" }, h("span", {}, scale), field));
    return { now, dot };
  });
  const ends = [-1, -0.5, 0, 0.5, 1].map((x) => h("span", { style: `left: ${50 + 50 * x}%` }, number(x * far)));
  const under = h("span", { class: "attn-lane" }, h("span", {}, "m − n"), h("span", { class: "attn-course" }, ends));
  el.append(h("li", { class: "attn-apart", "aria-hidden": "true" }, under));
  el.classList.add("attn-lanes");
  return (apart) => {
    const left = `${50 + 50 * Math.min(Math.max(apart / far, -1), 1)}%`;
    at(apart).forEach((x, c) => {
      drawn[c].now.style.left = drawn[c].dot.style.left = left;
      drawn[c].dot.style.top = `${up(x, c)}%`;
    });
  };
}
