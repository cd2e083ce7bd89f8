// Where one raised score moves three weights, and pale behind it from everywhere else in their triangle.
import {
  bdi,
  chips,
  factor,
  figure,
  h,
  mark,
  matrix,
  number,
  provenance,
  quoted,
  restart,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { glide } from "../kit/gliding.js";
import { key, slight } from "../kit/tones.js";
import { at, triangle, weights } from "../kit/simplex.js";

const FINE = 5; // arrows along a side
const NONE = 0.005; // a weight that is drawn on the edge
const RULES = `.attn-live .attn-pushes { display: grid; gap: 0.4rem 1.2rem; align-items: start; margin-top: 0.4rem; }
.attn-pushes > * { min-width: 0; }
.attn-live .attn-lift:is(*, :hover) { border-color: var(--attn-accent); background: var(--attn-accent); color: var(--attn-paper); font-weight: 700; }
.attn-live .attn-pushes .attn-plane { max-width: none; border: 0; }
.attn-live .attn-pushes .attn-matrix tbody td { min-width: 3.4em; padding-block: 0.3rem; }
.attn-live .attn-last { display: grid; row-gap: 0.1rem; grid-template-columns: 1fr max-content; margin: 0 0 0.6rem; padding: 0.5rem 0.8rem; border-radius: 8px; background: var(--attn-wash); font-variant-numeric: tabular-nums; }
.attn-last strong { color: var(--tone); text-align: right; }
.attn-last small { grid-column: span 2; color: var(--attn-soft); }
.attn-pushes .attn-mark[data-tone="key"][data-faint] { opacity: 0.8; }
.attn-pushes text[data-tone="query"], .attn-pushes text[data-tone="ink"] { font-weight: 700; }
.attn-live .attn-pushes .attn-hero { color: var(--attn-accent); font-size: 2rem; }
.attn-live .attn-payers { display: grid; grid-template-columns: minmax(0, 1fr) 3.4em 5.2em; gap: 0 0.5em; margin: 0.2rem 0 0.6rem; padding: 0; list-style: none; font-variant-numeric: tabular-nums; }
.attn-live .attn-payers > li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; margin: 0 0 0.55rem; white-space: nowrap; }
.attn-live .attn-payers > .attn-note { margin: 0; }
.attn-payers > li > :not(.attn-name, .attn-track) { text-align: right; }
.attn-payers .attn-name { max-width: none; color: var(--attn-text); text-align: left; }
.attn-payers strong { color: var(--attn-debt); }
.attn-payers [data-on] :is(strong, .attn-name) { color: var(--attn-accent); font-weight: 700; }
.attn-payers .attn-track { display: flex; grid-area: 2 / 1 / auto / -1; height: 0.8rem; border: 0; border-radius: 3px; overflow: hidden; background: var(--attn-wash); }
.attn-payers i { width: calc(100% * var(--has)); background: var(--attn-soft); }
.attn-payers i + i { width: calc(100% * var(--moves)); background: repeating-linear-gradient(135deg, var(--attn-debt) 0 3px, transparent 3px 6px); }
.attn-payers [data-on] i + i { background: var(--attn-accent); }
.attn-hill { display: block; width: 100%; margin-bottom: 0.2rem; overflow: visible; }
.attn-hill text { fill: var(--attn-soft); font-size: 13px; }
.attn-hill [data-on] { fill: var(--attn-text); font-weight: 700; }
@media (max-width: 600px) { .attn-chips:has(> .attn-lift) > button { padding-inline: 0.3rem; font-size: 0.9em; } }
@media (min-width: 601px) {
  .attn-pushes { grid-template: auto 1fr auto / minmax(0, 1fr) 18.5rem; }
  .attn-pushes > :first-child { grid-row: span 2; }
  .attn-pushes > .attn-last { grid-area: 2 / 2; }
  .attn-pushes > details { grid-column: span 2; }
}`;

export function render(host) {
  return figure(host, {
    title: "One raised score.",
    hint: "Drag the point: from where does raising the score hardly move it?",
    shape: ["tokens"],
    state: ["weights", "col"],
    build,
  });
}

const signed = (x) => `${x >= 0.0005 ? "+" : ""}${slight(x)}`;
const jacobian = (a) => a.map((x, i) => a.map((y, j) => x * ((i === j ? 1 : 0) - y)));

function build(get, set) {
  const tokens = get("tokens");
  const plane = triangle(tokens);
  // The edge on which the word has no weight: what a push multiplies is 0
  const edge = plane.add("line", { tone: "ink", name: "" });
  const places = [];
  for (let i = 0; i < FINE; i++) {
    for (let j = 0; i + j < FINE; j++) places.push([i, j, FINE - 1 - i - j].map((x) => (x + 1 / 3) / FINE));
  }
  const flow = places.map(() => plane.add("arrow", { tone: "key" }));
  const push = plane.add("arrow", { tone: "query" });
  // The last push: from where, the way that the weights went, and a tick where its arrow had ended
  const went = plane.add("line", { tone: "value", name: "" });
  const start = plane.add("point", { tone: "value", size: 5 });
  const tick = plane.add("line", { tone: "query", name: "arrow said" });
  tick.el.classList.add("attn-said");
  let last = null;
  let held = false; // in the hand it is where the hand is; a press lets it glide
  const here = plane.add("point", {
    tone: "query",
    heard: "weights", // its name would lie on the flow: the legend has it
    size: 7,
    drag: (to) => {
      held = true;
      last = null;
      set({ weights: weights(to) });
    },
    onleave: () => held = false,
  });
  const raised = chips({ names: tokens, title: "Word", onpick: (col) => set({ col }) });
  const reset = restart(get, set, ["weights", "col"]);
  // One score higher by 1: its exponential is e times as large, the others stay
  const raise = () => {
    const a = get("weights").map((x, i) => (i === get("col") ? x * Math.E : x));
    const [p, q] = a.map((x) => Number((x / (a[0] + a[1] + a[2])).toFixed(6)));
    const to = [p, q, Math.max(0, Number((1 - p - q).toFixed(6)))];
    last = { from: get("weights"), to, col: get("col") };
    set({ weights: to });
  };
  // How its weight answers to the score, by how much it has: hardly at both flat ends
  const [wide, high] = [300, 84];
  const hill = (x) => [x * wide, 4 + high - 4 * high * x * (1 - x)];
  const way = Array.from({ length: 41 }, (_, k) => hill(k / 40).map((x) => x.toFixed(1)).join(" "));
  const [neglected, sure] = [["start", 0], ["end", wide]].map(([anchor, x]) =>
    svg("text", { x, y: high + 20, "text-anchor": anchor })
  );
  const stem = svg("line", { y2: high + 4, style: "stroke: var(--attn-accent); stroke-width: 4" });
  const spot = svg("circle", { r: 6, style: "fill: var(--attn-accent); stroke: var(--attn-paper)" });
  const curve = svg(
    "svg",
    {
      class: "attn-hill",
      viewBox: `-6 -4 ${wide + 12} ${high + 28}`,
      role: "img",
      "aria-label": "The slope, by the weight",
    },
    svg("path", { d: `M${way.join("L")}Z`, style: "fill: var(--attn-key, var(--attn-bar)); opacity: 0.18" }),
    svg("path", { d: `M${way.join("L")}`, style: "fill: none; stroke: var(--attn-bar); stroke-width: 2.5" }),
    stem,
    spot,
    neglected,
    sure,
    svg("text", { x: wide / 2, y: high + 20, "text-anchor": "middle" }, "its weight →"),
  );
  const [moves, slope] = [h("small"), h("span")];
  // Each word's weight, and its slope: what one more of the raised score would bring it or take from it, on the tangent
  const payers = tokens.map((name) => {
    const [bar, gets] = [h("span", { class: "attn-track", "aria-hidden": "true" }, h("i"), h("i")), h("strong")];
    const has = h("span");
    return { bar, has, gets, el: h("li", {}, h("span", { class: "attn-name" }, bdi(name)), has, gets, bar) };
  });
  const paid = h(
    "ul",
    { class: "attn-payers", role: "list", "aria-label": "Who gains, who pays" },
    h("li", { class: "attn-note", "aria-hidden": "true" }, ["", "weight", "slope"].map((x) => h("span", {}, x))),
    payers.map((one) => one.el),
  );
  // What the arrow says of the word whose score is raised, and what a push then did to it, in the picture's colours
  const [said, came, moved] = [h("strong", { "data-tone": "query" }), h("strong", { "data-tone": "value" }), h("span")];
  const [ends, why] = [h("span"), h("small")];
  const result = h("p", { class: "attn-last" }, ends, said, moved, came, why);
  const nothing = () => `${get("weights")[get("col")] ? "Next to nothing" : "Nothing"} to multiply`;
  function compare() {
    const [a, j] = [get("weights"), get("col")];
    const from = last ? last.from : a;
    write(said, signed(from[j] * (1 - from[j])));
    write(ends, last ? "The arrow said " : "The arrow says ");
    write(moved, last ? "The weight moved by " : "The weight will move by ");
    write(came, last ? signed(a[j] - from[j]) : "?");
    const told = last ? "The slope changes on the way." : "Raise the score: is it as much?";
    const empty = `Its weight is ${slight(a[j])}: ${nothing().toLowerCase()}.`;
    write(why, a[j] < NONE ? empty : told);
  }
  const lift = h("button", { type: "button", class: "attn-lift", onclick: raise }, "Raise its score by 1");
  const now = matrix({ name: "weights a", rows: ["a"], cols: tokens, size: [1, 3], kind: "weight", tell: slight });
  const J = matrix({
    name: "J: row i, how a_i answers to score j",
    rows: tokens,
    cols: tokens,
    size: [3, 3],
    most: 0.25,
    tell: slight,
    onpick: (_, j) => set({ col: j }),
  });
  const origin = provenance([[J, (i, j) => {
    const a = get("weights");
    return {
      told: i === j
        ? `${number(a[i] * (1 - a[i]))} = ${number(a[i])} · (1 − ${number(a[i])})`
        : `${number(-a[i] * a[j])} = −${factor(a[i])} · ${factor(a[j])}`,
      from: [...new Set([i, j])].map((k) => [now, [0, k]]),
    };
  }]], "Open J and point at a number to see how it is made.");
  // Smaller towards a corner, where everything is close together
  const near = (a, most) => most * (0.5 + 0.5 * Math.min(1, (1 - Math.max(...a)) / 0.25));
  const promised = (a, j) => jacobian(a).map((line, i) => a[i] + line[j]);
  // All to one scale: from the weights to where a push of 1 would bring them, were its rate to last
  function arrow(one, a, j, options) {
    const [foot, tip] = [at(a), at(promised(a, j))];
    one.put([foot, tip], { hidden: Math.hypot(tip[0] - foot[0], tip[1] - foot[1]) < 0.004, ...options });
  }
  const paint = glide((a) => {
    arrow(push, a, get("col"), { width: near(a, 4) });
    here.put([at(a)], { size: near(a, 7) });
    plane.draw();
  });
  function draw() {
    const [a, j] = [get("weights"), get("col")];
    // it was set elsewhere, or another word is asked about
    if (last && (last.col !== j || last.to.some((x, i) => Math.abs(x - a[i]) > 1e-9))) last = null;
    const { from, to } = last || { from: a, to: a };
    const [foot, tip] = [at(from), at(promised(from, j))];
    const far = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]);
    went.put([foot, at(to)], { hidden: !last, width: near(to, 7) });
    start.put([foot], { hidden: !last, faint: true, size: near(to, 5) });
    // Across the way, so that it covers no arrow; its name stands at its upper end, or at the other
    const across = [0.07, -0.07].map((
      by,
    ) => [tip[0] - by * (tip[1] - foot[1]) / far, tip[1] + by * (tip[0] - foot[0]) / far]);
    tick.put(across, {
      hidden: !last || far < 0.004,
      width: 3,
      along: {
        map: (pixels) => across.map(pixels).sort((p, q) => p[1] - q[1]).map(([x, y], k) => [x, y + (k ? 12 : -10)]),
      },
    });
    compare();
    const ends = [0, 1, 2].filter((i) => i !== j).map((i) => at([0, 1, 2].map((k) => Number(k === i))));
    edge.put(ends, {
      width: 4,
      hidden: a[j] >= NONE,
      name: nothing(),
      along: [0.5, 0.3, 0.7].map((t) => ends[0].map((x, k) => x + t * (ends[1][k] - x))),
    });
    flow.forEach((one, i) => arrow(one, places[i], j, { width: 1.5, faint: true }));
    paint(a, held);
    raised.draw(j);
    const [spotX, spotY] = hill(a[j]);
    for (const [name, value] of [["x1", spotX], ["x2", spotX], ["y1", spotY]]) {
      stem.setAttribute(name, value.toFixed(1));
    }
    spot.setAttribute("transform", `translate(${spotX.toFixed(1)} ${spotY.toFixed(1)})`);
    // What an end means is told to whoever has brought the point there
    for (
      const [end, on, told] of [[neglected, a[j] < 0.1, ["0", "neglected"]], [sure, a[j] > 0.9, ["1", "has it all"]]]
    ) {
      mark(end, "data-on", on);
      write(end, told[Number(on)]);
    }
    const pushed = a[j] * (1 - a[j]);
    moves.replaceChildren("the slope of ", bdi(tokens[j]), ", a (1 − a) =");
    write(slope, signed(pushed));
    const change = jacobian(a).map((line) => line[j]);
    payers.forEach(({ el, bar, has, gets }, i) => {
      bar.style.setProperty("--has", (Math.min(a[i], a[i] + change[i])).toFixed(4));
      bar.style.setProperty("--moves", Math.abs(change[i]).toFixed(4));
      mark(el, "data-on", i === j);
      write(has, slight(a[i]));
      write(gets, signed(change[i]));
    });
    now.draw([a]);
    J.draw(jacobian(a), { col: j });
    origin.draw();
  }
  function sentence() {
    const [a, j] = [get("weights"), get("col")];
    const word = quoted(tokens[j]);
    return `At weights ${vector(a, slight)}, raising the score of ${word} moves them by ${
      vector(jacobian(a).map((line) => line[j]), slight)
    } a unit. They go straight towards the corner of ${word}: a small rise h brings them ${slight(a[j])} h of the way.`;
  }
  const legend = key([["query", "weights, arrow"], ["value", "way they went"], ["key", "arrows from elsewhere"]]);
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-chips" }, raised.el, lift, reset),
      h(
        "div",
        { class: "attn-pushes" },
        h("div", {}, plane.el, legend),
        result,
        h(
          "div",
          {},
          h("p", { class: "attn-hero" }, moves, slope),
          curve,
          paid,
        ),
        h("details", { class: "attn-more" }, h("summary", {}, "The Jacobian J, all nine slopes"), now.el, J.el),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}
