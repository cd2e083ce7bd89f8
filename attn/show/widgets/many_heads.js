// Many heads as one diagram, a lane a head: its columns of the projections, its queries and keys, its weights, its values,
// its rows of the one W_O, what it adds. Every number is a box of one size, larger in the lanes; the followed word's row runs
// through all of it. One head's way is seen, the others stand back until all are asked for. Step by step, one stage is lit,
// and the numbers of the followed row stand above it: what was learned is there from the first stage on.
import {
  bare,
  calm,
  chips,
  figure,
  h,
  largest,
  legend,
  mark,
  number,
  phrase,
  products,
  quoted,
  spoken,
  stepped,
  stepper,
  svg,
  symbols,
  write,
} from "../kit/kit.js";
import { field, terse } from "../kit/boards.js";
import { attention, matmul, transpose } from "../kit/linalg.js";

// The columns of a lane, and how much room is left before each where there is little: pixels, and their share of the rest.
// On a phone a lane is two lines: the weights stand at the end of the first, and its sum goes round into the second.
const COLUMNS = ["Q", "A", "K", "V", "O", "W_O", "adds"];
const LANE = COLUMNS.filter((name) => name !== "W_O"); // what a head has to itself
const FIRST = 4; // of them stand in the first line
const SHARE = 27; // pixels before a value's row in which its weight stands, after its word
const GAPS = [46, 12, 12, 12 + SHARE, 30, 26, 60, 26];
const NARROW = { pipe: 10, before: 8, between: 14, after: 40, turn: 22 };
const HUES = [165, 325, 95, 205, 350, 130, 300, 65]; // a head's own, none of the numbers' orange and violet
// The stages: what is lit, and what it is made of
const STAGES = [
  "/",
  "X/W_Q W_K W_V W_O",
  "W_Q W_K W_V/",
  "Q K V/X W_Q W_K W_V",
  "A/Q K",
  "O/A V",
  "adds/O W_O",
  "Y stream/adds X",
]
  .map((
    all,
  ) => all.split("/").map((names) => names.split(" "))); // the first is all of them, which comes last
const LAST = STAGES.length - 1;
const later = (name, step) => step > 0 && STAGES.findIndex((all) => all.flat().includes(name)) > step; // not yet made
const LETTER = 7; // pixels of a letter of the words beside rows
const AROUND = 28; // pixels right of the sums, for what goes around the lanes: X itself
const FLIGHT = 700; // milliseconds
const SHARES = [1.2, 0.4, 0.4, 0.4, 1.2, 0.8, 0.4, 1.2];

// Every number is a square of one size: --u wide and, in a lane, --v high
// Of some rules: what comes later is not there; numbers stay legible where their ribbons are dim; the foot of W_Q stays
// above its frame. Of a head that is off the others are seen: what do they write? On a phone the sentence stands under the
// title, the number that a finger asked for at its square, and a word fits beside its row: nothing moves when another head is chosen. The
// legend has the colours of a picture's cells, in the dark too.
const RULES =
  `.attn-lanes { --l: calc(56% - 8% * var(--attn-way)); --u: var(--wide-u); --v: var(--lane-v); --lane-v: clamp(1.2 * var(--u), 12.5rem / var(--rows), 2.4 * var(--u)); position: relative; display: grid; grid-template-columns:
  var(--wide-columns); align-items: center; margin: 0.3rem 0; padding-bottom: 20px; }
.attn-joins { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; pointer-events: none; stroke-linejoin: round; }
.attn-joins g[data-off] { --lit: 0.15; }
[data-alone] g[data-off] { opacity: 0; }
.attn-joins path { fill: hsl(var(--k) 60% var(--l)); opacity: calc(0.4 * var(--lit, 1)); }
.attn-joins .attn-carry path { fill: none; stroke: var(--attn-soft); stroke-width: 4; opacity: 0.5; }
.attn-joins .attn-carry .attn-plus { fill: var(--attn-paper); stroke: var(--attn-text); stroke-width: 1.5; opacity: 1; }
.attn-joins .attn-blend { opacity: calc(0.75 * var(--lit, 1)); }
.attn-joins text { font-size: 0.7rem; text-anchor: end; stroke: none; }
.attn-joins :is(.attn-bus, .attn-stem) { fill: none; stroke: hsl(var(--k) 60% var(--l)); stroke-width: 2; opacity: calc(0.7 * var(--lit, 1)); }
.attn-joins .attn-stem { stroke: var(--attn-soft); }
.attn-joins g:not([data-off]) > [data-lit] { --lit: 1.3; }
.attn-joins g:not([data-off]) > [data-dim] { --lit: 0.65; }
.attn-lanes [data-blank] { visibility: hidden; }
.attn-square[data-blank] .attn-field::after { content: ""; visibility: visible; position: absolute; inset: 0; border: 1px dashed hsl(var(--k, 220) 60% var(--l) / 0.4); background: hsl(var(--k, 220) 60% var(--l) / 0.04); }
.attn-strip { display: flex; gap: 0.3rem 1.2rem; align-items: center; min-height: 2.1rem; margin-block: 0.5rem; font-variant-numeric: tabular-nums; }
.attn-strip > span { display: flex; gap: 2px; align-items: center; min-width: 0; }
.attn-strip strong { padding-right: 0.5rem; white-space: nowrap; }
.attn-strip i { overflow: hidden; padding: 0.25rem min(0.5rem, 1cqw); border: 1px solid var(--attn-line); border-radius: 4px; font-style: normal; color: var(--attn-ink); white-space: nowrap;
  background: color-mix(in srgb, var(--full) calc(100% * var(--t)), var(--attn-zero)); }
.attn-live .attn-lanes [data-blank] > p { visibility: visible; color: var(--attn-soft); }
.attn-joins path[data-blank], .attn-carry[data-blank] path:not(.attn-plus) { visibility: visible; opacity: 0.08; }
.attn-joins g[data-off] text { fill: var(--attn-soft); }
[data-alone] text[data-other] { opacity: 0; }
.attn-live .attn-lanes .attn-given > :last-child p { margin-bottom: 1.25rem; }
.attn-given { --u: calc(0.7 * var(--wide-u)); --v: max(var(--wide-u), 0.5 * var(--lane-v)); padding-left: var(--words); display: flex; grid-area: 1 / 1 / var(--last) / 2; align-self: stretch; gap: 30px; align-items: center; }
.attn-sums { grid-area: 1 / -2 / var(--last) / -1; display: grid; gap: 1rem; padding-right: ${AROUND}px; }
.attn-live .attn-lanes .attn-sums p { position: relative; background: var(--attn-paper); display: grid; justify-content: end; color: var(--attn-text); white-space: pre; }
.attn-sums .attn-field { outline: 2px solid var(--attn-edge); }
.attn-live .attn-lanes p { margin: 0.25rem 0 0.1rem; color: var(--attn-text); font-size: 0.75rem; line-height: 1.25; }
.attn-live .attn-square p { width: 0; min-width: 100%; }
.attn-live .attn-lanes .attn-given p { margin: 0 0 0.55rem; }
.attn-given > :last-child { display: flex; flex-direction: column; gap: 0.25rem; justify-content: space-between; align-self: stretch; }
.attn-half { display: contents; }
.attn-half > .attn-square { position: relative; grid-area: var(--line) / var(--at); }
:is(.attn-half, .attn-lanes) > .attn-square > p { height: 1.4em; white-space: nowrap; }
.attn-half > :last-child::before { position: absolute; top: 0.3rem; right: calc(100% + 14px); font-size: 0.7rem; }
.attn-half:has(+ .attn-half > [data-blank]:first-child) > :last-child::before { visibility: hidden; }
.attn-lane-bar + .attn-half > :last-child::before { content: "shares"; }
.attn-lanes > .attn-square { grid-area: 1 / 13 / var(--last); }
.attn-square[data-dim] > .attn-field { opacity: 0.65; }
.attn-square[data-off] > .attn-field { opacity: 0.2; }
.attn-square > .attn-field:has(.attn-glow:not([hidden])) { opacity: 1; }
.attn-picks > div { margin: 0; }
.attn-live .attn-chips > [style] { min-width: 2.2rem; border-bottom: 4px solid hsl(var(--k) 60% calc(56% - 8% * var(--attn-way))); }
.attn-lane-bar { position: relative; grid-area: var(--line) / 2; place-self: center end; margin-top: 1.4rem; width: 4px; height: calc(var(--v) * var(--n)); margin-right: 2px; background: hsl(var(--k) 60% var(--l)); }
.attn-lane-bar span { position: absolute; inset: 0 4px 0 auto; writing-mode: vertical-rl; rotate: 180deg; text-align: center; white-space: nowrap; font-size: 0.75rem; background: color-mix(in srgb, hsl(var(--k) 60% var(--l)) 20%, var(--attn-paper)); }
.attn-lane-bar[data-on] { font-weight: 700; }
.attn-lane { grid-area: var(--line) / 3 / auto / 12; align-self: stretch; margin: -6px -10px -8px -2px; border-radius: 0 8px 8px 0; background: hsl(var(--k) 60% var(--l) / 0.08); }
.attn-lane[data-on] { background: hsl(var(--k) 60% var(--l) / 0.16); }
.attn-lanes .attn-field { width: calc(var(--u) * var(--m)); height: calc(var(--v) * var(--n)); min-height: 0; max-width: none; max-height: none; box-sizing: content-box; background: var(--attn-paper); }
.attn-lanes .attn-field > :is(span, .attn-adding) { position: absolute; left: calc(var(--u) * var(--j)); top:
  calc(var(--v) * var(--i)); width: calc(var(--u) * var(--q)); height: calc(var(--v) * var(--p)); box-sizing: border-box; pointer-events:
  none; }
.attn-lanes .attn-adding { z-index: 3; background: var(--attn-paper); outline: 1px solid var(--attn-text); }
.attn-lanes .attn-field > .attn-block { border: solid hsl(var(--k) 60% var(--l)); border-width: 3px 0 0; }
.attn-lanes .attn-field > .attn-block[data-across] { border-width: 0 0 0 4px; }
.attn-lanes .attn-field > .attn-block[data-on] { outline: 2px solid hsl(var(--k) 60% var(--l)); }
[data-alone] .attn-block:not([data-on]) { background: color-mix(in srgb, var(--attn-paper) 70%, transparent); }
.attn-lanes .attn-field > .attn-follow { border: solid var(--attn-text); border-width: 1.5px 0; }
.attn-lanes .attn-field > .attn-glow { z-index: 1; outline: 2.5px solid var(--attn-debt); }
.attn-glow[data-told]::after { content: attr(data-told); position: absolute; bottom: 100%; left: 50%; translate: -50%; padding: 0 0.3rem; background: var(--attn-paper); outline: 1px solid var(--attn-text); font-size: 0.75rem; }
.attn-lanes .attn-field > .attn-along { z-index: 1; outline: 1.5px solid var(--attn-debt); }
.attn-scales { --attn-plus: #998ec3; --attn-minus: #f1a340; --attn-zero: var(--attn-paper); }
@container (min-width: 40.01rem) {
  .attn-lanes { row-gap: 20px; }
  /* what stands in one column has one name, above the first lane */
  .attn-half ~ .attn-half ~ .attn-half p, .attn-half ~ .attn-half ~ .attn-half > ::before { display: none; }
  .attn-half ~ .attn-lane-bar { margin-top: 0; }
  span:first-of-type + span + div + div > :last-child::before { content: "length"; }
  .attn-live .attn-lanes > .attn-square p { margin-bottom: 1.25rem; }
  .attn-given > :first-child { --u: var(--wide-u); --v: var(--lane-v); }
}
@media (prefers-reduced-motion: no-preference) {
  .attn-lanes div { transition: opacity 0.9s; }
}
.attn-joins .attn-turn { fill: none; stroke: hsl(var(--k) 60% var(--l)); }
@media (max-width: 700px) {
    .attn-every, .attn-live .attn-stepper button > span { display: none; }
    .attn-live { display: flex; flex-direction: column; }
    .attn-live > :is(.attn-title, .attn-foot) { order: -1; }
    .attn-foot > .attn-room:first-child { padding-right: 0; }
    .attn-live > .attn-foot { margin: 0.2rem 0 0.5rem; font-size: 0.85em; line-height: 1.4; }
    .attn-strip { flex-wrap: wrap; align-content: start; min-height: 4rem; font-size: 0.9em; }
}
@container (max-width: 40rem) {
    .attn-lanes { --u: var(--narrow-u); --lane-v: clamp(16px, 1.3 * var(--u), 26px); display: flex; flex-wrap: wrap; gap: 0 10px; padding-left: ${NARROW.pipe}px; }
    .attn-given, .attn-half, .attn-sums { width: 100%; box-sizing: border-box; }
    .attn-given { --u: var(--given-u); --v: max(1.1 * var(--u), 15px); }
    .attn-sums { order: 4; --u: min(2 * var(--narrow-u), var(--sum-u)); }
    .attn-lane-bar { display: none; }
    .attn-half { order: 1; display: flex; align-items: flex-start; justify-content: space-between; padding: 0 ${NARROW.after}px 0 ${NARROW.before}px; border-left: 4px solid hsl(var(--k) 60% var(--l)); }
    .attn-half > :nth-child(4) { margin-left: calc(var(--words) + ${SHARE}px); }
    .attn-half + .attn-half { display: contents; }
    .attn-half:not([data-on]), .attn-lane { display: none; }
    .attn-live .attn-scales .attn-ramp.attn-ramp { width: 3rem; }
    .attn-half + .attn-half > .attn-square, .attn-lanes > .attn-square { order: 1; margin: 22px auto 0 0; }
    .attn-half + .attn-half > :first-child { margin-left: ${NARROW.turn + 4}px; }
    .attn-lanes > .attn-square { order: 2; }
    .attn-half + .attn-half > :last-child { order: 3; margin-right: 0; }
    .attn-given, .attn-given > :last-child, .attn-sums { display: flex; flex-direction: row; gap: 10px; align-items: flex-end; align-self: auto; }
    .attn-given { justify-content: space-between; margin-bottom: 0.5rem; }
    .attn-sums { gap: 28px; margin-top: 0.8rem; padding: 0; }
    .attn-live .attn-lanes .attn-sums p { width: auto; }
    .attn-joins g[data-off] { --lit: 0.4; }
    .attn-half [data-off] > .attn-field { opacity: 0.6; }
}`;

export function render(host) {
  return figure(host, {
    title: "Heads are blocks.",
    hint: "Next goes stage by stage.",
    shape: ["X", "W_Q", "W_K", "W_V", "W_O", "heads", "tokens"],
    state: ["head", "row", "on"],
    build,
  });
}

const added = (a, b) => a.map((line, i) => line.map((x, j) => x + b[i][j]));
const length = (v) => Math.hypot(...v);

// Everything that does not depend on what is switched off.
function compute(get) {
  const [X, W_Q, W_K, W_V, W_O, heads] = ["X", "W_Q", "W_K", "W_V", "W_O", "heads"].map(get);
  const d = W_O.length / heads;
  const each = Array.from({ length: heads }, (_, t) => {
    const [Q, K, V] = [W_Q, W_K, W_V].map((W) => matmul(X, W.map((line) => line.slice(t * d, (t + 1) * d))));
    const { scores, weights, output } = attention(Q, K, V);
    const rows = W_O.slice(t * d, (t + 1) * d);
    return { Q, K, V, scores, A: weights, O: output, rows, adds: matmul(output, rows) };
  });
  return { X, W_Q, W_K, W_V, W_O, heads, d, each };
}

// One matrix as a picture of squares. blocks: how many columns each head owns, or rows across, or 0.
// draw(values, head, row); light(region, line): [i, j, rows, columns] of it glow, and those of the line it is in.
function picture({ name, title = name, size, kind = "signed", most, blocks = 0, across = false, pick }) {
  const [n, m] = size;
  const { el, draw } = field({ name, size, kind, most, still: true, bend: Math.sqrt });
  const glows = ["attn-glow", "attn-along"].map((name) => h("span", { class: name, hidden: true }));
  const band = h("span", { class: "attn-follow" });
  const region = ([i, j, rows, cols]) => `--i:${i};--j:${j};--p:${rows};--q:${cols}`;
  const block = (t) => (across ? [t * blocks, 0, blocks, m] : [0, t * blocks, n, blocks]);
  const parts = Array.from({ length: blocks && (across ? n : m) / blocks }, (_, t) =>
    h("span", {
      class: "attn-block",
      "data-across": across,
      style: `${region(block(t))};--k:${HUES[t]}`,
    }));
  el.append(...parts, band, ...glows);
  const place = ({ clientX, clientY }) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    const near = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return [near((clientY - top) / height, n), near((clientX - left) / width, m)];
  };
  let finger = false; // it asks for a number: it does not choose the word
  el.addEventListener("pointerdown", ({ pointerType }) => (finger = pointerType === "touch"));
  el.addEventListener("click", (event) => pick(place(event), finger));
  let at = [0, 0];
  Object.assign(el, { tabIndex: 0, role: "img" });
  // The arrows walk over the numbers: walk(move) is called with where they are.   walk(null): the focus has gone.
  function keys(walk) {
    el.addEventListener("focus", () => el.matches(":focus-visible") && walk(at));
    el.addEventListener("blur", () => walk(null));
    el.addEventListener("keydown", (event) => {
      const acts = ["Enter", " "].includes(event.key);
      const to = acts ? at : stepped(event, at, size);
      if (!to) return;
      event.preventDefault();
      at = to;
      if (acts) pick(at);
      walk(at);
    });
  }
  return {
    name,
    keys,
    heard: (told) => el.setAttribute("aria-label", spoken(told)),
    el: h("div", { class: "attn-square" }, h("p", {}, symbols(title)), el),
    box: el,
    band,
    place,
    light(...all) {
      glows.forEach((glow, k) => {
        glow.hidden = !all[k];
        delete glow.dataset.told;
        if (all[k]) glow.style.cssText = region(all[k]);
      });
    },
    told: (x) => glows[0].dataset.told = x,
    draw(values, head, row) {
      draw(values);
      parts.forEach((part, t) => mark(part, "data-on", t === head));
      band.hidden = blocks;
      band.style.cssText = region([row, 0, 1, m]);
    },
  };
}

function build(get, set, redraw) {
  const now = compute(get);
  const { X, heads, d, each } = now;
  const tokens = get("tokens");
  const [n, c, wide] = [X.length, X[0].length, heads * d];
  const all = [X, now.W_Q, now.W_K, now.W_V, now.W_O, ...each.flatMap(({ Q, K, V, adds }) => [Q, K, V, adds])];
  const far = largest(all.map(largest));
  const most = far > 1 ? Math.ceil(far) : far;
  const owner = (at) => Math.floor(at / d); // the head that owns a column of the projections
  const make = (options) =>
    picture({
      most: options.kind ? null : most,
      pick: ([row], finger) => finger || set({ row }),
      ...options,
    });
  const parts = {
    X: make({ name: "X", size: [n, c] }),
    Y: make({ name: "Y, the sum\nof all heads", size: [n, c] }),
    stream: make({ name: "X + Y,\nthe stream", size: [n, c] }),
  };
  for (const name of ["W_Q", "W_K", "W_V"]) {
    parts[name] = make({ name, size: [c, wide], blocks: d, pick: ([, j]) => set({ head: owner(j) }) });
  }
  parts.W_O = make({ name: "W_O", size: [wide, c], blocks: d, across: true, pick: ([i]) => set({ head: owner(i) }) });
  parts.W_O.box.style.setProperty("--v", `calc(var(--lane-v) * ${Math.min(1, n / d)})`); // no higher than the lanes
  const joins = svg("svg", { class: "attn-joins", "aria-hidden": true });
  // The words beside the rows of X and beside their weights, and how much room they take
  const spelt = tokens.map((token) => bare(token).slice(0, 8));
  const words = LETTER * Math.max(...spelt.map((word) => word.length)) + 4;
  const beside = spelt.map((word) => svg("text", {}, word));
  const [owned, carry, stems] = [svg("g", { class: "attn-owned" }), svg("g", { class: "attn-carry" }), svg("g")];
  joins.append(...beside);
  let round = []; // where X goes along, to what is added to it
  const lanes = each.map((_, t) => {
    const pick = ([row], finger) => set(finger ? { head: t } : { head: t, row });
    const one = {};
    for (const name of LANE) {
      const size = [n, { A: n, adds: c }[name] || d];
      one[name] = make({
        name: `${name} of head ${t}`,
        title: name,
        size,
        pick,
        kind: name === "A" ? "weight" : undefined,
      });
      one[name].el.style.cssText = `--line:${t + 1};--at:${2 * COLUMNS.indexOf(name) + 3}`;
    }
    const button = h("button", {
      type: "button",
      style: `--k:${HUES[t]}`,
      "aria-label": `head ${t}`,
      onclick: () => set({ head: t }),
    }, String(t));
    const bar = h(
      "span",
      { class: "attn-lane-bar", style: `--line:${t + 1};--k:${HUES[t]};--n:${n}` },
      h("span", {}, `head ${t}`),
    );
    const ground = h("span", { class: "attn-lane", style: `--line:${t + 1};--k:${HUES[t]}` });
    const ways = svg("g", { style: `--k:${HUES[t]}` });
    joins.append(ways);
    const halves = [LANE.slice(0, FIRST), LANE.slice(FIRST)].map((names) =>
      h("div", { class: "attn-half", style: `--k:${HUES[t]}` }, names.map((name) => one[name].el))
    );
    return { ...one, button, ways, bar, all: [ground, bar, ...halves] };
  });
  joins.append(owned, carry, stems);
  const follow = chips({ names: tokens, title: "Follow", onpick: (row) => set({ row }) });
  const off = h("button", {
    type: "button",
    onclick: () => set({ on: get("on").map((x, t) => x ^ (t === get("head"))) }),
  });
  const phone = matchMedia("(max-width: 700px)").matches; // one head at a time is open
  let alone = phone; // one head's way is seen; the sum is all heads'
  const every = h(
    "button",
    { type: "button", class: "attn-every", "aria-label": "All heads", onclick: () => (alone = !alone, redraw()) },
    "all",
  );
  const chosen = h(
    "div",
    { class: "attn-chips", role: "group", "aria-label": "Heads" },
    h("span", { "aria-hidden": "true" }, "Heads"),
    lanes.map(({ button }) => button),
    every,
  );
  const start = Object.fromEntries(["head", "row", "on"].map((name) => [name, get(name)]));
  // The stage that is lit: to look at, no part of the figure's state. It opens as a whole, before the first and after the last
  let [at, step] = [-1, 0];
  const go = (to) => {
    at = to;
    step = (to + 1) % STAGES.length;
    redraw();
  };
  const steps = stepper({ last: LAST, onstep: go, onreset: () => (alone = phone, set(start), go(-1)), pace: 5000 });
  // The numbers of the row that is followed, as the stage makes them
  const strip = h("div", { class: "attn-strip" });
  function followed(t, i) {
    const { Q, K, V, A, O } = each[t];
    const [x, sum] = [[["in X", X[i]]], [["in Y", now.Y[i]], ["in X + Y", now.stream[i]]]];
    const made = [[["q", Q[i]], ["k", K[i]], ["v", V[i]]], [["weights", A[i], spelt]], [["in O", O[i]]]];
    return [sum, x, x, ...made, [["adds", now.kept[t][i]]], sum][step];
  }
  const cell = (x, word) => {
    const [tone, full] = word ? ["ink", 0.45 * x] : [x < 0 ? "minus" : "plus", Math.sqrt(Math.abs(x) / most)];
    return h(
      "i",
      { style: `--full:var(--attn-${tone});--t:${full.toFixed(3)}` },
      `${word} ${terse(x)}`,
    );
  };
  const numbers = ([name, line, words = []]) =>
    h("span", {}, h("strong", {}, name), line.map((x, j) => cell(x, words[j] || "")));
  steps.el.lastChild.style = "flex: 0 19em; font-size: min(1em, 4.5vw)"; // always a line of its own on a phone
  const origin = h("p", { class: "attn-origin" }, phone ? "Tap a square for its number." : "");
  let shown = [];

  const row = (i, a, from = 0) => [i, from, 1, a];
  const column = (j, a, from = 0) => [from, j, a, 1];
  // What a number is and what it is made of: [what, value, formula, [[picture, region], …]]
  const made = {
    X: (i, j) => [`X, ${quoted(tokens[i])}`, X[i][j], "", []],
    Y: (i, j) => [
      `Y, ${quoted(tokens[i])}`,
      now.Y[i][j],
      now.kept.map((a) => number(a[i][j])).join(" + ").replace(/\+ −/g, "− "),
      lanes.map(({ adds }) => [adds, [i, j, 1, 1]]),
    ],
    stream: (i, j) => [
      `the stream of ${quoted(tokens[i])}`,
      now.stream[i][j],
      `${number(X[i][j])} + ${number(now.Y[i][j])}`,
      [[parts.X, [i, j, 1, 1]], [parts.Y, [i, j, 1, 1]]],
    ],
  };
  for (const name of ["W_Q", "W_K", "W_V"]) {
    made[name] = (
      i,
      j,
    ) => [`${name}, column ${j}, of head ${owner(j)}`, now[name][i][j], "", [[parts[name], column(j, c)]]];
  }
  made.W_O = (i, j) => { // with its column it makes what its head adds
    const [k, own] = [get("row"), owner(i)];
    const [what, sum, told, from] = madeBy(own, "adds", k, j);
    const then = `. With its column, ${what}: ${number(sum)}${told && ` = ${told}`}`;
    return [
      `W_O, row ${i}, column ${j}, of head ${own}`,
      now.W_O[i][j],
      "",
      [...from, [lanes[own].adds, [k, j, 1, 1]]],
      then,
    ];
  };
  // The same for the matrices of one head
  function madeBy(t, name, i, j) {
    const [one, { scores, A, O, V }] = [lanes[t], each[t]];
    const value = (name === "adds" ? now.kept : each.map((of) => of[name]))[t][i][j];
    const [word, at] = [quoted(tokens[i]), t * d + j];
    if (name === "adds") {
      const told = get("on")[t] ? products(O[i], transpose(each[t].rows)[j]) : "";
      return [`head ${t} adds to ${word}`, value, told, [[one.O, row(i, d)], [parts.W_O, column(j, d, t * d)]]];
    }
    if (name === "A") {
      const all = scores[i].slice(0, 6).map((x) => "e^" + number(x)).join(" + ");
      const told = `e^${number(scores[i][j])} / (${all}${n > 6 ? " + …" : ""})`;
      return [`head ${t}, ${word} to ${quoted(tokens[j])}`, value, told, [[one.Q, row(i, d)], [one.K, [0, 0, n, d]]]];
    }
    if (name === "O") {
      const told = products(A[i], V.map((line) => line[j]));
      return [`head ${t}'s output for ${word}`, value, told, [[one.A, row(i, n)], [one.V, column(j, n)]]];
    }
    const W = `W_${name}`;
    const from = [[parts.X, row(i, c)], [parts[W], column(at, c)]];
    return [
      `${name} = X ${W}, ${word}, column ${at}, of head ${t}`,
      value,
      products(X[i], transpose(now[W])[at]),
      from,
    ];
  }
  // Frames around a number and around what it is made of; none without a picture
  function frame(one, at, from) {
    for (const other of shown) other.light(null);
    shown = one ? [one, ...from.map(([source]) => source)] : [];
    one?.light([...at, 1, 1]);
    for (const [source, where] of from) source === one ? one.light([...at, 1, 1], where) : source.light(where);
  }
  // Where nothing is pointed at, the stage of a product frames how the followed row's first number is made
  function leave() {
    const [t, i, name] = [get("head"), get("row"), get("on")[get("head")] ? ["A", "O", "adds"][step - 4] : null];
    frame(name && lanes[t][name], [i, 0], name ? madeBy(t, name, i, 0)[3] : []);
    mark(origin.closest(".attn-live"), "data-tracing", false);
  }
  function point(one, job) {
    const show = (at) => {
      const [what, value, formula, from, then = ""] = job(...at);
      frame(one, at, from);
      mark(origin.closest(".attn-live"), "data-tracing", true);
      const told = `${what}: ${one.told(number(value))}${formula ? ` = ${formula}` : ""}${then}`;
      phrase(origin, told);
      return told;
    };
    one.box.addEventListener("pointermove", (event) => event.pointerType === "touch" || show(one.place(event)));
    one.box.addEventListener("pointerleave", (event) => event.pointerType === "touch" || leave());
    one.box.addEventListener("click", (event) => show(one.place(event)));
    one.keys((at) => (at ? one.heard(show(at)) : leave()));
    one.heard(`${one.name}. Arrow keys walk over its numbers.`);
  }
  for (const [name, one] of Object.entries(parts)) point(one, made[name]);
  lanes.forEach((lane, t) => LANE.forEach((name) => point(lane[name], (i, j) => madeBy(t, name, i, j))));

  // ---- what joins the matrices: the followed row meets all keys, its weights shrink the values' rows to fill one row, that
  // row meets its head's rows of W_O, and what comes of it is added to what the other heads add

  function join() {
    const home = joins.getBoundingClientRect();
    if (!home.width) return;
    const i = get("row");
    const edges = ({ box }) => {
      const b = box.getBoundingClientRect();
      return { left: b.left - home.left, right: b.right - home.left, top: b.top - home.top, tall: b.height };
    };
    const line = (b, k, count) => [b.top + (b.tall * k) / count, b.top + (b.tall * (k + 1)) / count];
    const whole = (b) => [b.top, b.top + b.tall];
    const made = (stage) => ({
      "data-dim": stage < step,
      "data-lit": stage === step,
      "data-blank": step > 0 && step < stage,
    });
    const ribbon = (stage, x, [top, bottom], to, [above, below], name = "") => {
      const half = (x + to) / 2;
      const d =
        `M${x},${top} C${half},${top} ${half},${above} ${to},${above} V${below} C${half},${below} ${half},${bottom} ${x},${bottom} Z`;
      return path(stage, d, name);
    };
    const path = (stage, d, name, more) => svg("path", { d, class: name, ...made(stage), ...more });
    // From a place along below several matrices, and up into each
    const bus = (x, y, boxes, name) => {
      const low = Math.max(...boxes.map((b) => b.top + b.tall)) + 5;
      const ups = boxes.map((b) => [(b.left + b.right) / 2, b.top + b.tall]);
      return path(
        3,
        `M${x},${y}V${low}H${ups.at(-1)[0]}${ups.map(([at, up]) => `M${at},${low}V${up}`).join("")}`,
        name,
      );
    };
    const stacked = edges(parts.Y).left < edges(lanes[get("head")].adds).left; // on a phone
    const [sum, W] = [edges(parts.Y), edges(parts.W_O)];
    lanes.forEach(({ ways, bar, ...lane }, t) => {
      if (stacked && t !== get("head")) return ways.replaceChildren();
      const [Q, A, K, V, O, adds] = LANE.map((name) => edges(lane[name]));
      const [a, left] = [each[t].A[i], stacked ? NARROW.pipe + 2 : edges({ box: bar }).right - 2];
      // a query from one side, all keys from the other; the values go to what is made of them
      const drawn = [
        bus(left, Q.top + Q.tall / 2, [Q, K, V], "attn-bus"),
        ribbon(4, Q.right, line(Q, i, n), A.left, line(A, i, n)),
        ribbon(4, A.right, line(A, i, n), K.left, whole(K)),
      ];
      let full = 0;
      // On a phone the weighed rows meet at the end of the first line, and their sum turns into the second
      const [u, turn] = [stacked ? 12 : O.tall / n, V.right + NARROW.after - 12];
      const start = stacked ? V.top + V.tall / 2 - u / 2 : O.top + u * i;
      a.forEach((x, j) => {
        const [top, bottom] = line(V, j, n);
        const middle = (top + bottom) / 2;
        const end = start + u * full;
        full += x;
        const to = stacked ? turn : O.left;
        // as thick as its weight all along
        drawn.push(ribbon(5, V.right, [middle - u * x / 2, middle + u * x / 2], to, [end, end + u * x], "attn-blend"));
        if (bottom - top < 13) return;
        const told = `${spelt[j]} ${x < 0.005 ? "≈0" : number(x, 2).replace(/^0\./, ".")}`;
        drawn.push(svg("text", { x: V.left - 4, y: middle + 4, ...made(5) }, told));
      });
      if (stacked) {
        const [first, last] = line(O, i, n);
        const [low, back] = [V.top + V.tall + 13, O.left - NARROW.turn / 2];
        const way = `M${turn},${start + u / 2} H${turn + 5} V${low} H${back} V${(first + last) / 2} H${O.left}`;
        drawn.push(path(5, way, "attn-blend attn-turn", { "stroke-width": u }));
      }
      drawn.push(
        ribbon(6, O.right, line(O, i, n), W.left, line(W, t, heads)),
        ribbon(6, W.right, line(W, t, heads), adds.left, line(adds, i, n)),
      );
      if (!stacked) {
        drawn.push(ribbon(7, adds.right, line(adds, i, n), sum.left, line(sum, i, n), "attn-blend"));
        const end = edges({ box: bar });
        ["W_Q", "W_K", "W_V"].forEach((name, k) => {
          const from = edges(parts[name]);
          drawn.push(ribbon(3, from.right, line(from, t, heads), end.left, line(end, k, 3)));
        });
      }
      ways.replaceChildren(...drawn);
    });
    const [x, y, all, ...learned] = ["X", "Y", "stream", "W_Q", "W_K", "W_V"].map((name) => edges(parts[name]));
    const from = x.top + x.tall / 2;
    const own = (name, b, stage, at, anchor) =>
      svg("text", { x: at, y: b.top - 6, style: `text-anchor: ${anchor}`, ...made(stage) }, `${name} ${range}`);
    // above the block and not beyond the matrix's edge, where ribbons are
    const t = get("head");
    const range = d > 1 ? `${t * d}–${(t + 1) * d - 1}` : t;
    const end = t === heads - 1 ? [1, "end"] : [(t + 0.5) / heads, "middle"];
    const [part, anchor] = t ? end : [0, "start"];
    const plural = d > 1 ? "s" : "";
    owned.replaceChildren(
      ...learned.map((w) => own(`col${plural}`, w, 2, w.left + part * (w.right - w.left), anchor)),
      own(`row${plural}`, W, 6, ...stacked ? [Math.max(W.right, W.left + 84), "end"] : [W.left, "start"]),
    );
    stems.replaceChildren(
      ...stacked ? [path(3, `M${x.right},${from}h13`, "attn-stem"), bus(x.right + 13, from, learned, "attn-stem")] : [
        ...learned.map((w) => {
          const [to, half] = [w.top + w.tall / 2, (x.right + w.left) / 2];
          return path(3, `M${x.right},${from}C${half},${from} ${half},${to} ${w.left},${to}`, "attn-stem");
        }),
        ...lanes.map(({ adds }, t) => {
          const b = edges(adds);
          const y = b.top + b.tall * (i + 0.5) / n + 4;
          return svg(
            "text",
            { x: b.left - 5, y, "data-other": t !== get("head"), ...made(Math.max(step, 6)) },
            long(t),
          );
        }),
      ],
    );
    residual(x, y, all, stacked, home.height - 5);
  }
  // What head t adds to the row that is followed
  function long(t) {
    return get("on")[t] ? number(length(now.kept[t][get("row")]), 1) : "off";
  }
  // X itself goes around all heads, to be added to what they add
  function residual(x, y, sum, stacked, foot) {
    const tall = x.tall / n;
    // Where rows are lower than letters, the word of the row that is followed
    beside.forEach((word, k) => {
      word.setAttribute("x", x.left - 5);
      word.setAttribute("y", x.top + tall * (k + 0.5) + 4);
      word.style.display = tall < 12 && k !== get("row") ? "none" : "";
    });
    const [from, up, to] = [x, y, sum].map((b) => b.top + (b.tall * (get("row") + 0.5)) / n);
    const out = x.right + 7;
    const [plus, lower] = [stacked ? (y.right + sum.left) / 2 : sum.right + 15, x.top + x.tall + 4];
    round = [...(stacked ? [[out, lower], [4, lower], [4, foot]] : [[out, foot]]), [plus, foot]];
    const way = (points) => svg("path", { d: `M${points.map((point) => point.join()).join("L")}` });
    carry.replaceChildren(
      way([[x.right, from], [out, from], ...round, [plus, to]]),
      way([[y.right, up], [plus, up], [plus, to]]),
      way([[plus, to], [stacked ? sum.left : sum.right, to]]),
      svg("circle", { class: "attn-plus", cx: plus, cy: to, r: 8 }),
      svg("path", { class: "attn-plus", d: `M${plus - 4.5},${to}h9M${plus},${to - 4.5}v9` }),
    );
  }
  // A copy of the followed row flies into another picture, past the places given.
  function send(from, to, delay, time = FLIGHT, past = []) {
    const [a, b] = [from.band, to.band].map((one) => one.getBoundingClientRect());
    if (!a.width || !b.width || calm()) return;
    const copy = h("canvas", { class: "attn-adding", width: c, height: 1 });
    copy.getContext("2d").drawImage(from.box.querySelector("canvas"), 0, get("row"), c, 1, 0, 0, c, 1);
    copy.style.cssText = to.band.style.cssText;
    to.box.append(copy);
    const home = joins.getBoundingClientRect();
    const [start, end] = [a, b].map((r) => [r.left + r.width / 2 - home.left, r.top + r.height / 2 - home.top]);
    const steps = [
      [...start, a.width / b.width, a.height / b.height],
      ...past.map((at) => [...at, 22 / b.width, 0.4]),
      [...end, 1, 1],
    ].map(([x, y, wide, tall]) => ({
      transform: `translate(${x - end[0]}px, ${y - end[1]}px) scale(${wide}, ${tall})`,
    }));
    copy.animate(steps, { duration: time, delay, easing: "ease-in-out", fill: "backwards" }).onfinish = () =>
      copy.remove();
  }
  // What the heads add flies into their sum, one after the other; then the sum and X itself land together.
  function gather() {
    const heard = lanes.filter((_, t) => get("on")[t]);
    heard.forEach(({ adds }, k) => send(adds, parts.Y, 450 * k));
    const then = 450 * heard.length + 350;
    send(parts.X, parts.stream, then, 2 * FLIGHT, round);
    send(parts.Y, parts.stream, then + FLIGHT);
  }

  let before;
  function draw() {
    const [t, i, on] = [get("head"), get("row"), get("on")];
    now.kept = each.map(({ adds }, k) => (on[k] ? adds : adds.map((line) => line.map(() => 0))));
    now.Y = now.kept.reduce(added);
    now.stream = added(X, now.Y);
    const [lit, from] = STAGES[step];
    const single = alone && on[t] && step < LAST;
    const light = (one, name) => {
      const blank = later(name, step);
      mark(one.el, "data-blank", blank);
      mark(one.el, "data-dim", step > 0 && !lit.includes(name) && !from.includes(name) && !blank);
      one.box.tabIndex = blank ? -1 : 0;
      mark(one.el, "data-lit", lit.includes(name));
    };
    for (const [name, one] of Object.entries(parts)) {
      one.draw(now[name], t, i);
      light(one, name);
    }
    lanes.forEach(({ button, ways, all, ...lane }, k) => {
      const back = !on[k] || (single && k !== t); // it stands back
      for (const name of LANE) {
        lane[name].draw(name === "adds" ? now.kept[k] : each[k][name], t, i);
        mark(lane[name].el, "data-off", back);
        light(lane[name], name);
        if (k !== t) lane[name].box.tabIndex = -1; // one lane at a time is on the way of the keys
      }
      button.setAttribute("aria-pressed", String(k === t));
      for (const one of all) mark(one, "data-on", k === t);
      mark(ways, "data-off", back);
    });
    mark(grid, "data-alone", single);
    every.setAttribute("aria-pressed", String(!single));
    follow.draw(i);
    strip.replaceChildren(...followed(t, i).map(numbers));
    write(off, `Switch head ${t} ${on[t] ? "off" : "on"}`);
    steps.draw(at, shape(step));
    mark(carry, "data-blank", step % LAST);
    join();
    leave();
    if (before && !(step % LAST) && (before[0] !== i || (step === LAST && before[1] !== LAST))) gather();
    before = [i, step];
  }
  // What a stage multiplies, in shapes
  const [x, own, wider, q, turned, a, rows] = [[n, c], [c, d], [c, wide], [n, d], [d, n], [n, n], [d, c]].map((size) =>
    size.join("×")
  );
  const shapes = [
    `X: ${x}`,
    `columns: ${own} of ${wider}`,
    `Q, K, V: ${x} · ${own} = ${q}`,
    `A: ${q} · ${turned} = ${a}`,
    `O = A V: ${a} · ${q} = ${q}`,
    `adds: ${q} · ${rows} = ${x}`,
    `Y: ${heads < 4 ? Array(heads).fill(x).join(" + ") : `${x} + … + ${x}`} = ${x}`,
  ];
  const shape = (k) => (k ? `${k} of ${LAST} · ${shapes[k - 1]}` : "all stages");
  const whole = each.map(({ adds }) => adds).reduce(added);
  function sentence(stage = step, t = get("head"), i = get("row")) {
    const own = `${t * d} to ${(t + 1) * d - 1}`;
    const a = each[t].A[i];
    const top = a.findIndex((x) => x >= Math.max(...a) - 1e-9);
    const word = quoted(tokens[i]);
    const gone = each.map((_, k) => `head ${k}`).filter((_, k) => !get("on")[k]);
    const looks = `${word} looks most at ${quoted(tokens[top])} (${number(a[top])}).`;
    if (stage < LAST && !get("on")[t]) {
      const [without, then] = [now.Y[i], added(now.Y, each[t].adds)[i]].map((sum) => number(length(sum)));
      return `Head ${t} of ${heads} is switched off and adds nothing to ${word}. The other heads add a vector of length ${without}; with head ${t} it would be ${then}.`;
    }
    const adds = `The head adds a vector of length ${number(length(now.kept[t][i]))}`;
    const owns = `Head ${t} of ${heads} owns columns ${own} of W_Q, W_K and W_V, and rows ${own} of W_O.`;
    const all = `${owns} ${looks} ${adds}; all heads together add one of length ${number(length(now.Y[i]))}.`;
    return [
      all,
      all,
      `Head ${t} owns columns ${own} of W_Q, W_K and W_V.`,
      `X times the head's columns: a query, a key and a value for every word.`,
      `Every query meets every key: A = softmax(Q Kᵀ / √${d}). ${looks}`,
      `${word} takes its share of each row of V into its row of O.`,
      `O meets rows ${own} of W_O and becomes as wide as X. ${adds}.`,
      `What the heads add is summed to Y, and X itself is added. The row of ${word} in Y has length ${
        number(length(whole[i]))
      }${gone.length ? ` with all heads, ${number(length(now.Y[i]))} without ${gone.join(" and ")}` : ""}.`,
    ][stage];
  }
  // Of all words in all heads: another one moves nothing
  function longest() {
    const all = each.flatMap((_, t) => tokens.map((_, i) => sentence(0, t, i)));
    return all.reduce((a, b) => (b.length > a.length ? b : a));
  }
  // As large as the width allows: the numbers of a lane are higher still, what is beside the lanes is smaller
  const lane = 3 * d + n + d + 2 * c;
  const gaps = GAPS.map((x, k) => x + (k === FIRST - 1 ? words : 0));
  const columns = COLUMNS.map((_, k) => `minmax(${gaps[k]}px, ${SHARES[k]}fr) max-content`).join(" ");
  const taken = gaps.reduce((all, x) => all + x, 52 + words + AROUND);
  const { pipe, before: edge, between, after, turn } = NARROW;
  const lines = [[3 * d + n, 4 + edge + 3 * between + SHARE + after + words], [d + 2 * c, 4 + turn + 2 * between]];
  const narrow = lines.map(([cells, rest]) => `(100cqw - ${rest + 8 + pipe}px) / ${cells}`);
  const room = {
    "--wide-u": `min(20px, (100cqw - ${taken}px) / ${lane + 2 * c + 0.7 * wide})`,
    "--narrow-u": `min(26px, ${narrow.join(", ")})`,
    "--given-u": `min(14px, var(--narrow-u), (100cqw - ${60 + pipe + words}px) / ${c + 3 * wide})`,
    "--wide-columns": `max-content ${columns} minmax(${gaps[7]}px, ${SHARES[7]}fr) max-content`,
    "--sum-u": `(50cqw - ${20 + pipe}px) / ${c}`,
    "--words": `${words}px`,
    "--last": heads + 1,
    "--rows": heads * n,
  };
  const grid = h(
    "div",
    { class: "attn-lanes", style: Object.entries(room).map((pair) => pair.join(":")).join(";") },
    joins,
    h("div", { class: "attn-given" }, parts.X.el, h("div", {}, ["W_Q", "W_K", "W_V"].map((name) => parts[name].el))),
    ...lanes.flatMap(({ all }) => all),
    parts.W_O.el,
    h("div", { class: "attn-sums" }, parts.Y.el, parts.stream.el),
  );
  new ResizeObserver(join).observe(grid);
  const scales = [
    legend({ kind: "signed", values: [[-most]], most, bent: true, share: "numbers" }).el,
    legend({ kind: "weight", values: [], share: "weights A" }).el,
  ];
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-row attn-picks" }, follow.el, chosen, off),
      steps.el,
      strip,
      h("div", { class: "attn-ground" }, grid),
      h("div", { class: "attn-row attn-scales" }, scales),
      origin,
    ],
    draw,
    sentence: () => sentence(),
    longest,
    exact: true,
    stop: steps.stop,
  };
}
