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
  vector,
  write,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";

// What is nearly nothing says so: a power of ten would say more than is meant
const rounded = (x) => (x > 0 && x < 0.0005 ? "≈0" : number(x));

// The range input lies over its bar and shows nothing but its grip, on the bar's end. A finger takes the grip only: what
// swipes over the rest still scrolls the page.
const RULES = `
.attn-stage:has(.attn-lifts) { max-width: calc(4rem + 8rem * var(--n)); }
.attn-lifts { --side: min(4.6rem, 13cqw, max(2.3rem, (100cqw - 4rem) / var(--n) - 4px)); }
.attn-live .attn-lifts { width: 100%; min-width: calc(3.9rem + 2.5rem * var(--n)); table-layout: fixed; border-spacing: 0; }
.attn-live .attn-lifts :is(td, th) { padding: 0.1rem 1px; text-align: center; }
.attn-live .attn-lifts tbody th { position: static; width: 3.9rem; padding-right: 0.5rem; white-space: normal;
  text-align: right; line-height: 1.2; font-weight: 400; }
.attn-live .attn-lifts td:first-child { width: 3.9rem; }
.attn-live .attn-lifts thead th { overflow: hidden; font-weight: 500; color: var(--attn-text); }
.attn-live .attn-lifts thead bdi { margin: auto; font-size: min(1em, 3.6cqw); }
.attn-lift { position: relative; height: 12rem; }
.attn-lift > i { position: absolute; inset-inline: 18%; border-radius: 4px; background: var(--attn-bar);
  bottom: calc(1.1rem + (100% - 2.2rem) * var(--low)); height: calc((100% - 2.2rem) * (var(--high) - var(--low))); }
.attn-lift > i[data-minus] { background: var(--attn-debt); }
.attn-lift::before { content: ""; position: absolute; inset-inline: 0; bottom: 50%; border-bottom: 1.5px solid var(--attn-edge); }
.attn-live .attn-lift input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; writing-mode: vertical-lr;
  direction: rtl; appearance: none; background: none; cursor: ns-resize; outline-offset: -2px; border-radius: 6px; }
.attn-live .attn-lift input::-webkit-slider-runnable-track { background: none; }
.attn-live .attn-lift input::-webkit-slider-thumb { appearance: none; box-sizing: border-box; width: min(2.75rem, 12cqw); height: 2.2rem;
  margin-block: auto; border: 0; border-radius: 8px; cursor: grab; pointer-events: auto; background:
  linear-gradient(var(--attn-paper) 0 0) 50% calc(50% - 2.5px) / 1rem 2px no-repeat,
  linear-gradient(var(--attn-paper) 0 0) 50% calc(50% + 2.5px) / 1rem 2px no-repeat,
  linear-gradient(var(--attn-accent) 0 0) 50% 50% / 100% 1rem no-repeat; clip-path: inset(0.6rem 0 round 0.5rem); }
.attn-live .attn-lift input::-moz-range-track { background: none; }
.attn-live .attn-lift input::-moz-range-thumb { box-sizing: border-box; width: min(2.75rem, 12cqw); height: 2.2rem; border: 0.6rem solid transparent;
  border-inline-width: 0; border-radius: 8px; background: var(--attn-accent); background-clip: content-box; cursor: grab; }
.attn-live .attn-lift input:active::-webkit-slider-thumb { cursor: grabbing; }
.attn-lifts .attn-lifted { font-size: min(1.15rem, 4.4cqw); font-weight: 600; }
.attn-lifts .attn-square { display: grid; align-items: end; justify-items: center; height: var(--side); }
.attn-lifts .attn-square > i { width: calc(var(--side) * var(--t)); min-width: 2px; aspect-ratio: 1; border-radius: 2px;
  background: var(--attn-bar); }
.attn-live .attn-lifts [data-row="share"] td { height: 2.4rem; box-sizing: content-box; padding-block: 0; line-height: 1; font-size: min(1.3rem, 4.4cqw); }
.attn-live .attn-lifts [data-row="share"] td[data-on] { font-size: min(1.8rem, 4.3cqw); font-weight: 700; }
.attn-live .attn-lifts [data-row="share"] > th { padding-block: 0; }
.attn-live .attn-lifts td[data-source] { outline: 2px solid var(--attn-debt); outline-offset: -2px; border-radius: 5px; }
.attn-live .attn-lifts td[data-made] { outline: 3px solid var(--attn-debt); outline-offset: -2px; border-radius: 5px; }
.attn-live[data-tracing] .attn-lifts tbody td:not([data-source], [data-made]) { opacity: 0.5; }
.attn-live .attn-whole { position: relative; height: 3rem; margin: 0.2rem 0 0.8rem; border-radius: 6px; overflow: hidden; }
.attn-whole > span { position: absolute; inset-block: 0; left: calc(100% * var(--from)); width: calc(100% * var(--t)); overflow: hidden;
  box-sizing: border-box; border-inline-end: 2px solid var(--attn-paper); background: var(--attn-bar); color: var(--attn-paper);
  line-height: 3rem; text-align: center; white-space: nowrap; container-type: inline-size; }
.attn-whole > span > bdi { font-weight: 600; }
@container (max-width: 2.6rem) { .attn-whole bdi { visibility: hidden; } } /* no room for a name */
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
  const names = ["score s", ["e", power], "share"];
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
  const parts = tokens.map((token) => h("span", { title: label(token) }, bdi(token)));
  const whole = h("div", { class: "attn-whole", "aria-hidden": "true" }, parts);
  const stage = h(
    "div",
    { class: "attn-stage", style: `--n:${tokens.length}` },
    scroller("Scores, their exponentials and their weights", table),
    whole,
  );

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
      bars[j].style.setProperty("--low", Math.min(place(x), 0.5).toFixed(4));
      bars[j].style.setProperty("--high", Math.max(place(x), 0.5).toFixed(4));
      mark(bars[j], "data-minus", x < 0);
      inputs[j].put(x);
      write(told[j], number(x, 2));
      areas[j].style.setProperty("--t", Math.sqrt(e[j]).toFixed(4));
      write(powers[j], rounded(e[j]));
      write(cells[2][j], percent(a[j]));
      mark(cells[2][j], "data-on", a[j] === Math.max(...a));
      parts[j].style.setProperty("--from", before.toFixed(5));
      parts[j].style.setProperty("--t", a[j].toFixed(5));
      before += a[j];
    });
    heat.draw(get("temperature"));
    const cold = get("temperature");
    write(power, cold === 1 ? "s − max" : "(s − max) / τ");
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
  };
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
