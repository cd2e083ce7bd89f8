// Scores to drag by the tops of their bars. Below each stands its exponential, as an area; pushed together, all areas are
// one bar, and the parts of it are the weights.
import {
  bdi,
  figure,
  h,
  heater,
  label,
  mark,
  number,
  percent,
  provenance,
  quoted,
  restart,
  scroller,
  spoken,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";

// What is nearly nothing says so: a power of ten would say more than is meant
const rounded = (x) => (x > 0 && x < 0.0005 ? "≈0" : number(x));

// The range input lies over its bar and shows nothing but its grip, on the bar's end. A finger takes the grip only: what
// swipes over the rest still scrolls the page.
const RULES = `
.attn-live .attn-stage { --least: min(2.4rem, 13cqw); --lead: clamp(3.2rem, 100cqw - 6px - var(--least) * var(--n), min(6.4rem, 25cqw)); --tint: color-mix(in srgb, var(--attn-bar) 24%, transparent);
  --column: max(var(--least), (100cqw - var(--lead) - 6px) / var(--n)); }
.attn-stage > * { --side: min(5.8rem, 20cqw, max(2.3rem, var(--column) - 6px)); }
.attn-live .attn-lifts { width: 100%; min-width: calc(var(--lead) + var(--least) * var(--n)); table-layout: fixed; border-spacing: 0; }
.attn-live .attn-lifts :is(td, th) { padding: 0; border: 0; text-align: center; }
.attn-live .attn-lifts tbody th { position: static; padding-right: 0.6rem; text-align: right; line-height: 1.3; font-weight: 400; }
.attn-live .attn-lifts td:first-child { width: var(--lead); }
.attn-live .attn-lifts th > small { display: block; font-size: max(11px, 0.78em); white-space: normal; }
.attn-live .attn-lifts th { white-space: nowrap; }
.attn-live .attn-lifts sup { font-size: min(0.8em, 3.2cqw); }
.attn-live .attn-lifts thead th { overflow: hidden; font-weight: 500; color: var(--attn-text); }
.attn-live .attn-lifts thead bdi { margin: auto; font-size: min(1.1em, max(11px, 3.6cqw)); }
.attn-lift { position: relative; height: 11rem; }
.attn-lift > i { position: absolute; inset-inline: 20%; border-radius: 4px; background: var(--attn-bar);
  bottom: calc(1.1rem + (100% - 2.2rem) * var(--low)); height: calc((100% - 2.2rem) * (var(--high) - var(--low))); }
.attn-lift > i[data-minus] { background: var(--attn-debt); }
.attn-lift::before { content: ""; position: absolute; inset: 1.1rem 0; /* a line for each whole score, a strong one for 0 */
  background: linear-gradient(var(--attn-edge) 0 0) 50% / 100% 1.5px no-repeat,
  repeating-linear-gradient(to top, var(--attn-hair) 0 1px, transparent 1px calc(100% / var(--lines))); }
.attn-live .attn-lift input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; writing-mode: vertical-lr;
  direction: rtl; appearance: none; background: none; cursor: ns-resize; outline-offset: -2px; border-radius: 6px; }
.attn-live .attn-lift input::-webkit-slider-runnable-track { background: none; }
.attn-live .attn-lift input::-webkit-slider-thumb { appearance: none; box-sizing: border-box; width: min(3.4rem, var(--column) - 4px); height: 2.2rem;
  margin-block: auto; border: 0; border-radius: 8px; cursor: grab; pointer-events: auto; background:
  linear-gradient(var(--attn-paper) 0 0) 50% calc(50% - 2.5px) / 1rem 2px no-repeat,
  linear-gradient(var(--attn-paper) 0 0) 50% calc(50% + 2.5px) / 1rem 2px no-repeat,
  linear-gradient(var(--attn-accent) 0 0) 50% 50% / 100% 1rem no-repeat; clip-path: inset(0.6rem 0 round 0.5rem); }
.attn-live .attn-lift input::-moz-range-track { background: none; }
.attn-live .attn-lift input::-moz-range-thumb { box-sizing: border-box; width: min(3.4rem, var(--column) - 4px); height: 2.2rem; border: 0.6rem solid transparent;
  border-inline-width: 0; border-radius: 8px; background: var(--attn-accent); background-clip: content-box; cursor: grab; }
.attn-live .attn-lift input:active::-webkit-slider-thumb { cursor: grabbing; }
.attn-lifts .attn-lifted { font-size: min(1.25rem, 4.4cqw, var(--column) / 3.5); font-weight: 600; }
.attn-lifts .attn-square + div { font-size: min(1em, var(--column) / 3.3); }
.attn-lifts .attn-square { height: var(--side); }
.attn-lifts .attn-square > i { display: block; width: var(--side); height: var(--side); margin-left: calc((100% - var(--side)) / 2); transform-origin: bottom;
  border-radius: 2px 2px 0 0; background: var(--attn-bar); }
.attn-lifts :is(.attn-lifted, .attn-square + div) { height: 1lh; contain: size layout; } /* numbers that change move nothing */
.attn-lifts :is(.attn-square + div, [data-row="share"] > td) { /* a square falls, as wide as it is, into its part of the whole */
  background: linear-gradient(var(--tint) 0 0) 50% / 0 100% no-repeat; }
.attn-live .attn-lifts [data-row="share"] td { height: 2.1rem; box-sizing: content-box; line-height: 1; font-size: min(1.3rem, 4.4cqw, var(--column) / 3.5); }
.attn-live .attn-lifts [data-row="share"] td[data-on] { font-size: min(1.6rem, 4.3cqw, var(--column) / 3.5); font-weight: 700; }
.attn-live .attn-lifts td[data-source] { outline: 2px solid var(--attn-debt); outline-offset: -2px; border-radius: 5px; }
.attn-live .attn-lifts td[data-made] { outline: 3px solid var(--attn-debt); outline-offset: -2px; border-radius: 5px; }
.attn-live[data-tracing] .attn-lifts tbody td:not([data-source], [data-made]) { opacity: 0.5; }
.attn-stage > .attn-scroll { padding-block: 3px 0; }
.attn-fall { position: relative; height: 2.6rem; }
.attn-fall > svg { position: absolute; width: 100%; height: 100%; }
.attn-fall path { fill: var(--tint); }
.attn-live .attn-whole { position: relative; height: 3rem; margin: 0 0 0.8rem; border-radius: 0 0 6px 6px; overflow: hidden; }
.attn-whole > span { position: absolute; inset-block: 0; overflow: hidden; contain: strict;
  box-sizing: border-box; border-inline-end: 2px solid var(--attn-paper); background: var(--attn-bar); color: var(--attn-paper);
  display: grid; place-items: center; white-space: nowrap; }
.attn-whole > span > bdi { font-weight: 600; }
.attn-whole bdi[data-steep] { writing-mode: vertical-rl; max-height: 3rem; overflow: hidden; }
@container (max-width: 34rem) { .attn-stage[data-many] > .attn-fall { visibility: hidden; } } /* the columns may go beyond the edge */
.attn-warm { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; }
@media (pointer: coarse) { .attn-live .attn-lift input { pointer-events: none; } }
`;

export function render(host) {
  return figure(host, {
    title: "From scores to weights.",
    hint: "Drag the top of a bar. Equal steps up multiply the area below.",
    shape: ["tokens"],
    state: ["scores", "temperature"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const start = get("scores");
  const reach = Math.max(5, ...start.map((s) => Math.ceil(Math.abs(s))));
  const change = (j, value) => set({ scores: get("scores").map((s, k) => (k === j ? value : s)) });
  const heat = heater((temperature) => set({ temperature }));
  const even = h("button", { type: "button", onclick: () => set({ scores: start.map(() => 0) }) }, "All equal");
  const top = () => Math.max(...get("scores"));
  const exponentials = () => get("scores").map((s) => Math.exp((s - top()) / get("temperature")));
  const total = () => exponentials().reduce((sum, x) => sum + x, 0);
  const shares = () => softmaxRow(get("scores").map((s) => s / get("temperature")));

  const bars = tokens.map(() => h("i", { "aria-hidden": "true" }));
  const told = tokens.map(() => h("div", { class: "attn-lifted" }));
  const inputs = tokens.map((token, j) => lift(spoken(label(token)), reach, (value) => change(j, value)));
  const areas = tokens.map(() => h("i", {}));
  const powers = tokens.map(() => h("div", {}));
  const cells = [
    tokens.map((_, j) => h("td", {}, told[j], h("div", { class: "attn-lift" }, bars[j], inputs[j]))),
    tokens.map((_, j) => h("td", {}, h("div", { class: "attn-square", "aria-hidden": "true" }, areas[j]), powers[j])),
    tokens.map(() => h("td", {})),
  ];
  for (const one of cells.slice(1).flat()) one.tabIndex = 0;
  const power = h("sup", {});
  const step = h("small", {});
  const names = [["score x", step], ["e", power], "share"];
  const lines = cells.map((line, k) =>
    h("tr", { "data-row": ["score", "area", "share"][k] }, h("th", { scope: "row" }, names[k]), line)
  );
  const heads = tokens.map((token) => h("th", { scope: "col" }, bdi(token)));
  const table = h(
    "table",
    { class: "attn-lifts", "aria-label": "Scores, their exponentials and their weights" },
    h("thead", {}, h("tr", {}, h("td", {}), heads)),
    h("tbody", {}, lines),
  );
  const parts = tokens.map((token) => {
    return h("span", { title: label(token) }, bdi(token));
  });
  const falls = svg("path", {});
  const fall = h("div", { class: "attn-fall", "aria-hidden": "true" }, svg("svg", {}, falls));
  const whole = h("div", { class: "attn-whole", "aria-hidden": "true" }, parts);
  const stage = h(
    "div",
    {
      class: "attn-stage",
      "data-many": tokens.length > 6,
      style: `--n:${tokens.length};--lines:${reach > 12 ? 2 : 2 * reach}`,
    },
    scroller("Scores, their exponentials and their weights", table),
    fall,
    whole,
  );

  // What is as wide as the page allows is measured when that changes, never while a hand drags
  let room = null;
  const watch = new ResizeObserver(() => {
    const [own, first] = [whole, cells[2][0]].map((one) => one.getBoundingClientRect());
    const [rem] = getComputedStyle(document.documentElement).fontSize.match(/[\d.]+/);
    room = { wide: own.width, tall: fall.clientHeight, rem: Number(rem), column: first.width };
    Object.assign(room, { side: areas[0].offsetHeight, mid: first.left - own.left + first.width / 2 });
    lead();
  });
  watch.observe(stage);
  watch.observe(whole);
  // From each square to its part of the whole, all in one path; and the name that a part has room for
  function lead() {
    if (!room) return;
    const [e, a] = [exponentials(), shares()];
    const { wide, tall, rem, side, mid, column } = room;
    let from = 0;
    const way = a.map((share, j) => {
      const [half, x] = [Math.max(1, side * Math.sqrt(e[j]) / 2), mid + column * j];
      const start = from, width = share * wide, long = label(tokens[j]).length;
      for (const one of [powers[j], cells[2][j]]) style(one, "background-size", `${(2 * half).toFixed(1)}px 100%`);
      style(areas[j], "transform", `scale(${(2 * half / side).toFixed(4)})`);
      const name = parts[j].firstChild;
      style(name, "font-size", `${Math.min(Math.max(0.65, 1.35 * (width - 2) / rem / long), 1.15).toFixed(2)}rem`);
      style(name, "visibility", width > 0.9 * rem ? "" : "hidden"); // no room for a name
      mark(name, "data-steep", long > 2 && width <= 2 * rem);
      from += width;
      const corners = [x - half, x + half, from - 1, start].map((at) => at.toFixed(1));
      return `M${corners[0]} 0H${corners[1]}L${corners[2]} ${tall}H${corners[3]}Z`;
    });
    falls.setAttribute("d", way.join(""));
  }

  const board = { el: table, cells };
  const origin = provenance([[board, (i, j) => {
    const [s, e, heat] = [get("scores"), exponentials(), get("temperature")];
    const first = s.indexOf(top());
    if (!i) return null;
    if (i === 2) {
      return {
        told: `${quoted(tokens[j])}: ${percent(e[j] / total())} = ${rounded(e[j])} / ${
          number(total())
        }, its part of all areas`,
        from: tokens.map((_, k) => [board, [1, k]]),
      };
    }
    const gap = `${number(s[j])} − ${s[first] < 0 ? `(${number(s[first])})` : number(s[first])}`;
    return {
      told: `${quoted(tokens[j])}: ${rounded(e[j])} = e^(${heat === 1 ? gap : `(${gap}) / ${number(heat)}`})`,
      from: [[board, [0, j]], [board, [0, first]]],
    };
  }]], "");

  function draw() {
    const [s, e, a] = [get("scores"), exponentials(), shares()];
    even.setAttribute("aria-pressed", String(s.every((x) => x === s[0])));
    const place = (x) => Math.min(Math.max((x + reach) / (2 * reach), 0), 1);
    let before = 0;
    s.forEach((x, j) => {
      style(bars[j], "--low", Math.min(place(x), 0.5).toFixed(4));
      style(bars[j], "--high", Math.max(place(x), 0.5).toFixed(4));
      mark(bars[j], "data-minus", x < 0);
      inputs[j].put(x);
      write(told[j], number(x, 2));
      write(powers[j], rounded(e[j]));
      write(cells[2][j], percent(a[j]));
      mark(cells[2][j], "data-on", a[j] === Math.max(...a));
      style(parts[j], "left", `${(100 * before).toFixed(3)}%`);
      style(parts[j], "width", `${(100 * a[j]).toFixed(3)}%`);
      before += a[j];
    });
    lead();
    heat.draw(get("temperature"));
    const cold = get("temperature");
    write(power, cold === 1 ? "x\u2009−\u2009max" : "(x\u2009−\u2009max)/τ");
    const grown = Math.exp(1 / cold);
    write(step, `+1 is ×${number(grown, grown < 100 ? 2 : 0)}`);
    origin.draw();
  }
  function sentence(heat = get("temperature")) {
    const [s, a] = [get("scores"), shares()];
    if (Math.max(...s) - Math.min(...s) < 1e-9) return `Equal scores make equal shares: ${percent(a[0])} each.`;
    const warmth = heat === 1 ? "" : `At temperature ${number(heat)}, `;
    const first = s.indexOf(top());
    const all = `the exponentials ${vector(exponentials(), rounded)} sum to ${number(total())}`;
    return `${warmth}${quoted(tokens[first])} has ${percent(a[first])}: ${all}.`;
  }
  const again = restart(get, set, ["scores", "temperature"]);
  return {
    parts: [
      h("style", {}, RULES),
      stage,
      h(
        "div",
        { class: "attn-warm" },
        h("div", { class: "attn-chips" }, even, again),
        h("div", { class: "attn-sliders" }, heat.el),
      ),
      origin.el,
    ],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(0.105),
    stop: () => watch.disconnect(),
  };
}

// What stands already is not set anew: setting costs, the same value too
function style(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

// One bar's range input. An arrow key goes a tenth; a drag is finer.   put(value)
function lift(name, reach, onput) {
  let value = 0;
  const el = h("input", {
    type: "range",
    "aria-label": name,
    "aria-orientation": "vertical",
    min: -reach,
    max: reach,
    step: 0.001,
    oninput: () => onput(Number(el.value)),
    onkeydown: (event) => {
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!way) return;
      event.preventDefault();
      onput(Number(Math.min(Math.max(value + way / 10, -reach), reach).toFixed(6)));
    },
  });
  el.put = (now) => {
    value = now;
    if (Number(el.value) !== now) el.value = now;
    el.setAttribute("aria-valuetext", number(now, 2));
  };
  return el;
}
