// A query and a key move through the text, and their pairs turn: only the distance between them is left in the score.
import {
  factor,
  figure,
  h,
  mark,
  matrix,
  note,
  number,
  products,
  provenance,
  slider,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { plot, sources } from "../kit/plane.js";

const NEAR = 32; // how far apart two neighbours of a sentence stand, and where both sliders end
const FARTHEST = 200; // where they end if the figure was given a place beyond
// The curves are grey: the colours belong to the arrows.
const RULES = [
  ".attn-turned { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 1.6rem; }",
  ".attn-live .attn-turned .attn-sliders { max-width: none; grid-template-columns: max-content 1fr 1.8em; }",
  ".attn-live .attn-turned .attn-slider { margin: 0.1rem 0; }",
  ".attn-live .attn-rings { gap: 0.3rem 1.4rem; margin-top: 0.5rem; }",
  ".attn-live .attn-ring figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.5rem; }",
  ".attn-live .attn-ring figcaption strong { color: var(--attn-text); }",
  ".attn-live .attn-ring .attn-plane { max-width: none; border: 0; background: none; }",
  ".attn-live .attn-ring .attn-share { position: relative; justify-content: center; color: var(--attn-text); font-size: 1.35rem; line-height: 1.2; font-variant-numeric: tabular-nums; }",
  ".attn-ring + .attn-ring .attn-share::before { content: '+'; position: absolute; left: -0.7rem; translate: -50%; color: var(--attn-soft); }",
  ".attn-summed { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: 0.3rem 1.2rem; align-items: center; margin-top: 0.4rem; padding-top: 0.6rem; border-top: 1px solid var(--attn-edge); }",
  ".attn-live .attn-summed .attn-hero { font-size: 2.4rem; white-space: nowrap; }",
  ".attn-lane { display: grid; grid-template-columns: 2.8em minmax(0, 1fr); gap: 0.4em; height: 3rem; }",
  ".attn-summed > .attn-lane { height: 9rem; }",
  ".attn-lane > :first-child { position: relative; color: var(--attn-soft); font-size: 0.75em; text-align: right; font-variant-numeric: tabular-nums; }",
  ".attn-lane > :first-child span { position: absolute; right: 0; translate: 0 -50%; line-height: 1; }",
  ".attn-course { position: relative; cursor: ew-resize; touch-action: pan-y; user-select: none; background: linear-gradient(var(--attn-edge) 0 0) 0 50% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 12% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 88% / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 50% / 1px 100% no-repeat; }",
  ".attn-course svg { position: absolute; width: 100%; height: 100%; }",
  ".attn-course path { stroke: var(--attn-soft); stroke-width: 1.8px; }",
  ".attn-summed path { stroke: var(--attn-text); stroke-width: 2.6px; }",
  ".attn-summed .attn-one { stroke: var(--attn-edge); stroke-width: 1px; opacity: 0.6; }",
  ".attn-summed .attn-one[data-lit] { stroke: var(--attn-debt); stroke-width: 2px; opacity: 1; }",
  ".attn-live .attn-summed .attn-legend { margin: 0.4rem 0 0; }",
  ".attn-course i { position: absolute; inset: 0 auto; width: 1px; background: var(--attn-text); opacity: 0.5; }",
  ".attn-course em { position: absolute; width: 0.7rem; height: 0.7rem; border-radius: 50%; translate: -50% -50%; background: var(--attn-text); box-shadow: 0 0 0 2px var(--attn-paper); }",
  ".attn-summed em { width: 1rem; height: 1rem; }",
  ".attn-live .attn-apart.attn-apart { grid-column: -2; height: 1.3em; color: var(--attn-soft); font-size: 0.8em; }",
  ".attn-apart .attn-course { background: none; cursor: auto; }",
  ".attn-apart .attn-course span { position: absolute; translate: -50%; white-space: nowrap; }",
  ".attn-apart .attn-course :first-child { translate: 0; }",
  ".attn-apart .attn-course :last-child { translate: -100%; }",
  ".attn-each { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 1rem; align-items: center; margin-top: 0.6rem; }",
  "@media (max-width: 600px) { .attn-turned { grid-template-columns: minmax(0, 1fr); } .attn-live .attn-turned .attn-sliders { grid-template-columns: 8.4rem 1fr 1.8em; } .attn-turned .attn-name { max-width: none; } .attn-ring figcaption > span { font-size: 0.9em; white-space: nowrap; } .attn-live .attn-ring .attn-share { white-space: nowrap; } .attn-live .attn-rings { grid-template-columns: 1fr 1fr; } .attn-ring:nth-child(odd) .attn-share::before { display: none; } .attn-summed { grid-template-columns: minmax(0, 1fr); } .attn-live .attn-summed .attn-hero { display: flex; align-items: baseline; gap: 0.6rem; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Positions as turns.",
    hint: "Move one: the score changes. Move both: it stays.",
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
    mover("both, moved by", () => Math.min(get("m"), get("n")), both),
  ];
  const rings = Array.from({ length: count }, (_, i) => {
    const long = Math.max(Math.hypot(...pair(q, i)), Math.hypot(...pair(k, i)), 1e-9);
    const plane = plot({ name: `Pair ${i}`, tall: 0.95, bare: true });
    plane.frame([[-long, -long], [long, long]]);
    const circle = Array.from({ length: 73 }, (_, t) => [Math.cos(t * Math.PI / 36), Math.sin(t * Math.PI / 36)]);
    plane.add("line", { tone: "level" }).put(circle.map((p) => p.map((x) => x * long)));
    const arc = plane.add("line", { tone: "value", name: "", merge: false });
    const marks = [["query", "q"], ["key", "k"]].map(([tone, name]) => plane.add("arrow", { tone, name }));
    const caption = h(
      "figcaption",
      {},
      h("strong", {}, `pair ${i}`),
      h("span", {}, `${number(pace(i) * 180 / Math.PI, 2)}° a place`),
    );
    const share = h("span", { class: "attn-mark" });
    const foot = h("figcaption", { class: "attn-share" }, share);
    return { plane, marks, arc, long, share, el: h("figure", { class: "attn-ring" }, caption, plane.el, foot) };
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
  const at = (apart) => {
    const parts = rings.map((_, i) => tidy(dot(turned(q, i, apart), pair(k, i))));
    return [...parts, tidy(parts.reduce((sum, x) => sum + x))];
  };
  const circles = h("div", { class: "attn-rings" }, rings.map((ring) => ring.el));
  const [apart, score] = [h("small"), h("span", { class: "attn-mark" })];
  const hero = h("p", { class: "attn-hero" }, apart, score);
  const told = h("p", { class: "attn-legend" }, "thin: each pair; point at its circle");
  const over = lanes(at, far, (apart) => {
    const n = Math.min(Math.max(get("n"), -apart), far - Math.max(apart, 0));
    set({ m: n + apart, n });
  });
  rings.forEach(({ el }, i) => {
    const lit = (on) => over.ones.forEach((one, k) => mark(one, "data-lit", k === on));
    el.addEventListener("pointerenter", () => lit(i));
    el.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || lit(-1)); // a tap stays
  });
  const product = (i) => ({
    told: `${number(shares()[i])} = ${products(...now()[i])}: lengths stay, so only the angle between them counts`,
    from: [0, 1, 2, 3].map((k) => [table, [i, k]]).concat([0, 1].map((k) => [sources(rings[i].marks), [0, k]])),
  });
  const drawn = { el: circles, cells: rings.map((ring) => [ring.share]) };
  const added = () => ({
    told: `${number(tidy(shares().reduce((sum, x) => sum + x)))} = ${shares().map(factor).join(" + ")}`,
    from: rings.map((_, i) => [drawn, [i, 0]]),
  });
  const origin = provenance([
    [table, (i, c) => (c < 4 ? null : product(i))],
    [drawn, product],
    [{ el: hero, cells: [[score]] }, added],
  ]);
  function draw() {
    const pairs = now();
    const parts = shares();
    moves.forEach((one) => one.draw(one.value()));
    rings.forEach(({ plane, marks, arc, long, share }, i) => {
      write(share, number(parts[i]));
      marks.forEach((one, side) => one.put([[0, 0], pairs[i][side]], { width: 3 }));
      const { points, degrees } = between(...pairs[i], 0.42 * long);
      arc.put(points, { width: 3, name: `${number(degrees, 0)}°` });
      plane.draw();
    });
    table.draw(pairs.map(([a, b], i) => [...a, ...b, parts[i]].map(tidy)));
    write(apart, `score, ${number(get("m") - get("n"), 0)} apart`);
    write(score, number(tidy(parts.reduce((sum, x) => sum + x))));
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
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-turned" },
        moves.map((one) => h("div", { class: "attn-sliders" }, one.el)),
      ),
      circles,
      h("div", { class: "attn-summed" }, h("div", {}, hero, told), over.lanes[count], over.scale()),
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "Each pair’s numbers and its curve"),
        note(
          "Neighbours are a pair here, as in the paper. Much code pairs entry t with t + d/2: the same turns in another order.",
        ),
        h("div", { class: "attn-tight" }, table.el),
        h(
          "div",
          { class: "attn-each" },
          rings.flatMap((_, i) => [h("span", { class: "attn-name" }, `pair ${i}`), over.lanes[i]]),
          over.scale(),
        ),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}

// For each share a lane, and one for their sum, where thin lines are the shares in its scale: what it is at every distance from −far to far, a dot at the present one.
// The shares have one scale. A press or a drag along a lane moves there.   at(t): the shares at distance t, and their sum last.
function lanes(at, far, onpick) {
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
  const lane = (...parts) => h("div", { class: "attn-lane", "aria-hidden": "true" }, ...parts);
  // A share's curve, in its own scale or in that of another lane
  const curved = (c, kind = "", scale = c) => {
    const d = all.map((line, t) => `${t ? "L" : "M"}${t} ${up(line[c], scale).toFixed(1)}`).join("");
    return svg("path", { class: kind, d, fill: "none", "vector-effect": "non-scaling-stroke" });
  };
  const ones = of.map((_, c) => curved(c, "attn-one", of.length));
  const drawn = most.map((_, c) => {
    const [now, dot] = [h("i"), h("em")];
    const box = { viewBox: `0 0 ${2 * far * fine} 100`, preserveAspectRatio: "none" };
    const curve = svg("svg", box, ...(c < of.length ? [] : ones), curved(c));
    const field = h("span", { class: "attn-course" }, curve, now, dot);
    field.addEventListener("pointerdown", go);
    field.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    const scale = [most[c], 0, -most[c]].map((x) =>
      h("span", { style: `top: ${up(x, c)}%` }, number(x, most[c] < 0.95 ? 2 : 1))
    );
    return { now, dot, el: lane(h("span", {}, scale), field) };
  });
  const ends = () =>
    [-1, -0.5, 0, 0.5, 1].map((x) => h("span", { style: `left: ${50 + 50 * x}%` }, x ? number(x * far) : "m − n = 0"));
  const scale = () => {
    const under = lane(h("span"), h("span", { class: "attn-course" }, ends()));
    under.classList.add("attn-apart");
    return under;
  };
  const draw = (apart) => {
    const left = `${50 + 50 * Math.min(Math.max(apart / far, -1), 1)}%`;
    at(apart).forEach((x, c) => {
      drawn[c].now.style.left = drawn[c].dot.style.left = left;
      drawn[c].dot.style.top = `${up(x, c)}%`;
    });
  };
  return { lanes: drawn.map(({ el }) => el), ones, scale, draw };
}
