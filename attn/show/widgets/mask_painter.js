// Paint who may attend to whom, and see what follows: the weights, who hears of whom in how many layers, the cost.
import {
  bars,
  bdi,
  chips,
  either,
  figure,
  h,
  mark,
  note,
  number,
  percent,
  phrase,
  quoted,
  slider,
  svg,
  write,
} from "../kit/kit.js";
import { board, paintable, readable } from "../kit/boards.js";
import { masked, softmaxRow } from "../kit/linalg.js";
import { pattern } from "../kit/presets.js";
import { grouped } from "../kit/sizes.js";

const STARTS = {
  causal: "causal",
  window: "window",
  sink: "window + sink",
  prefix: "prefix",
  blocks: "blocks",
  documents: "documents",
  none: "all pairs",
};
const KINDS = Object.keys(STARTS);
// What stands where no slider is needed
const SHOWS = {
  causal: "Each word sees itself and all words before it.",
  documents: "Three texts in a row: each word sees its own, so far.",
  none: "Everybody sees everybody, the future too.",
};
// What the colours of the two squares say
const WAYS = {
  mask: { one: "in one look", two: "two looks add", shut: "closed" },
  heard: { one: "one", two: "two", more: "three or more", never: "never" },
};
const SIZES = { window: "window", sink: "window", prefix: "prefix", blocks: "block" }; // what its slider sets
// A sink is the first word, which everybody keeps
const shape = (name, n, size) =>
  name === "sink" ? pattern("window", n, size).map((line) => [1, ...line.slice(1)]) : pattern(name, n, size, size);
const told = (x) => number(x, 2).replace(/^0\./, "."); // a weight in a narrow cell
const far = (nearness) => (nearness ? String(Math.round(1 / nearness)) : "–");

// What a reader can bring about, and how far it is from there: in parts, each with whether it is as wished.
// looks: in how many layers a query hears of a key, Infinity for never.
const count = (x, one) => `${x} ${one}${x === 1 ? "" : "s"}`;
const ahead = ({ painted }) => painted.flatMap((line, i) => line.filter((x, j) => x && j > i)).length;
const slow = ({ looks }) => looks.flatMap((line, i) => line.filter((x, j) => j <= i && x > 2)).length;
const most = (n) => Math.floor(n * (n + 1) / 3);
const least = ({ painted }) => Math.min(...painted.map((line) => line.filter(Boolean).length));
const GOALS = [
  [
    "The last word hears of the first after three looks, no sooner.",
    ({ looks, n }) => looks[n - 1][0] === 3,
    ({ looks, n }) => {
      const last = looks[n - 1][0];
      return [[last === Infinity ? "never" : `after ${count(last, "look")}`, last === 3]];
    },
  ],
  [
    "A word that sees nothing.",
    (now) => !least(now),
    (now) => [[least(now) ? `each sees at least ${count(least(now), "word")}` : "one sees none", !least(now)]],
  ],
  [
    "Nobody sees the future; all the past in two looks; few pairs.",
    (now) => now.n > 7 && !ahead(now) && now.pairs <= most(now.n) && !slow(now),
    (now) => [
      ...(ahead(now) ? [[`${ahead(now)} ahead`]] : []),
      [`${slow(now)} too slow`, !slow(now)],
      [`${now.pairs} of at most ${count(most(now.n), "pair")}`, now.pairs <= most(now.n)],
    ],
  ],
];

// One goal is open; the others are a number to press. What is painted and what follows are of one size; below them the way of a
// pair, and the cost. What is pointed at has the frame; the chosen one keeps its number.
// On a phone there is one square, as large as there is room, and the goal stays in sight while one paints.
const RULES = `
.attn-live .attn-size { position: relative; max-width: none; min-height: 2.3rem; margin: 0; color: var(--attn-soft); }
.attn-live .attn-size { grid-template-columns: max-content minmax(0, 15rem) 1fr; }
.attn-size > p { position: absolute; inset: 0.35rem auto auto 0; }
.attn-live .attn-shared .attn-matrix tbody td:not([data-pick], [data-made], [data-source]) { outline-color: color-mix(in srgb, var(--attn-line) 55%, transparent); }
.attn-live .attn-shared [data-board="mask"] td[data-at] { cursor: pointer; font-size: clamp(0.75rem, 0.36 * var(--min), 1.1rem); }
/* grey is seen, orange is heard of through others: the more looks, the paler. In the mask what is closed is hatched, and has a
   dot where two looks add it. A number stands where it is asked for: in the chosen cell, on its way, in the one that is pointed
   at, and in the row that shares with it */
.attn-live .attn-shared.attn-shared td[data-at], .attn-shared caption i {
  background-color: color-mix(in srgb, var(--tone, var(--attn-ink)) var(--much, 0%), var(--attn-zero)); color: var(--attn-ink); }
[data-way="one"] { --much: 20%; }
[data-board="mask"] [data-way="one"] { --much: calc(14% + 24% * var(--t)); }
[data-board="heard"] :is([data-way="two"], [data-way="more"]) { --tone: var(--attn-minus); --much: 85%; }
[data-board="heard"] [data-way="more"] { --much: calc(140% * var(--t)); }
.attn-live .attn-shared caption i[data-way="shut"], .attn-live .attn-shared.attn-shared td[data-shut] { background-image: repeating-linear-gradient(45deg,
  color-mix(in srgb, var(--attn-edge) 32%, transparent) 0 1px, color-mix(in srgb, var(--attn-wash) 75%, transparent) 1px 7px); }
[data-board="mask"] td[data-way="two"]::after { content: ""; display: block; width: 30%; aspect-ratio: 1; margin: auto; border-radius: 50%; background: var(--attn-debt); }
.attn-live [data-board="mask"] caption i[data-way="two"] { width: 0.65em; height: 0.65em; border-radius: 50%; background: var(--attn-debt); vertical-align: 0; }
.attn-shared:has([data-made]) .attn-matrix td[data-pick]:not([data-made], [data-source], :focus-visible) { outline: 1px solid var(--attn-hair); }
@media (forced-colors: none) {
  .attn-live .attn-shared.attn-shared .attn-matrix td[data-at]:is([data-board="mask"] :not([data-way="one"]),
    :not([data-pick], [data-made], [data-source])) { font-size: 0; }
}
.attn-shared caption small { display: flex; gap: 1rem; padding-top: 0.15rem; font-size: 0.95em; }
.attn-shared caption i { display: inline-block; width: 1em; height: 1em; margin-right: 0.4em; border-radius: 3px; outline: 1px solid var(--attn-line); vertical-align: -0.15em; }
.attn-live .attn-aims.attn-aims { display: grid; grid-template-columns: repeat(3, 2rem) 1fr fit-content(15rem); gap: 0.2rem 0.3rem; align-items: center;
  min-height: 4rem; max-width: none; margin: 0.7rem 0; padding: 0.5rem 0.9rem; border-radius: 8px; background: var(--attn-wash); list-style: none; }
.attn-aims li { display: contents; }
.attn-live .attn-aims button { grid-row: 1; width: 2rem; min-height: 2rem; padding: 0; border: 1px solid var(--attn-edge); border-radius: 50%; background: var(--attn-paper);
  font-size: 0.85em; }
.attn-live .attn-aims [data-done] > button { border-color: var(--attn-accent); color: var(--attn-accent); }
.attn-live .attn-aims [data-open] > button { border-color: var(--attn-accent); background: var(--attn-accent); color: var(--attn-paper); }
.attn-aims li > :not(button) { grid-row: 1; }
.attn-ask { grid-column: 4; padding: 0 0.6rem; line-height: 1.35; text-wrap: balance; }
.attn-aims [data-solved] > .attn-ask { color: var(--attn-accent); font-weight: 600; }
.attn-aims li:not([data-open]) > :not(button) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.attn-aims small { grid-column: 5; text-align: right; color: var(--attn-soft); font-size: 0.95em; line-height: 1.35; font-variant-numeric: tabular-nums; }
.attn-aims small > span { color: color-mix(in srgb, var(--attn-debt) 85%, var(--attn-text)); font-weight: 600; }
.attn-aims small > [data-met] { color: var(--attn-accent); }
.attn-stage { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.8rem 1.6rem; margin: 0.3rem 0; }
.attn-spent { font-size: 0.85em; }
.attn-live .attn-spent > p { margin-top: 0; }
@container (min-width: 40rem) {
  .attn-stage { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .attn-stage > .attn-trio { display: contents; }
  .attn-live .attn-stage > .attn-trio > [data-board] { --min: clamp(24px, (50cqw - 2.3rem - var(--word) * 0.45rem) / var(--n) - 1px, 52px); }
  .attn-live .attn-shared.attn-shared [data-board] .attn-matrix tbody td { --min: inherit; }
  .attn-live .attn-shared [data-board="heard"] :is(th[scope="row"], .attn-corner) { position: static; width: auto; clip-path: none; }
  .attn-live .attn-stage [data-board] th { font-size: 0.85rem; }
  .attn-live .attn-stage .attn-spent > .attn-bars { max-width: none; }
  .attn-stage[data-dense] { grid-template: auto 1fr / min(55cqw, 27rem) minmax(0, 1fr); }
  .attn-stage[data-dense] [data-board="mask"] { grid-row: 1 / 3; }
  .attn-stage [data-board="mask"] .attn-field { width: min(55cqw, 27rem); max-height: none; }
  .attn-stage :not([data-board="mask"]) > .attn-field { max-height: 11.5rem; }
}
.attn-live[data-tracing] .attn-shared tbody td:not([data-source], [data-made]) { opacity: 0.75; }
.attn-live .attn-hops { display: grid; align-content: start; grid-template-columns: minmax(0, 1fr); gap: 0.2rem; min-width: 0; margin: 0; }
.attn-hops svg { display: block; width: 100%; }
.attn-hops path { fill: none; stroke: var(--attn-debt); stroke-width: 2; }
.attn-live .attn-hops .attn-row { flex-wrap: nowrap; gap: 0; margin: 0; }
.attn-hops span { flex: 1 1 0; overflow: hidden; color: var(--attn-soft); font-size: 0.8rem; text-align: center; text-overflow: ellipsis; white-space: nowrap; }
.attn-hops :is([data-on], [data-end]) { color: var(--attn-text); }
.attn-hops [data-end] { font-weight: 700; }
.attn-hops[data-dense] span { display: flex; justify-content: center; overflow: visible; }
.attn-hops[data-dense] span:not([data-end]) { visibility: hidden; }
.attn-live .attn-hops p { margin: 0; min-height: 3em; }
@container (max-width: 40rem) {
  .attn-live .attn-shared.attn-shared .attn-matrix tbody td { --min: clamp(24px, (100cqw - 1.6rem - var(--word) * 0.45rem) / var(--n) - 1px, 42px); }
}
@media (max-width: 600px) {
  .attn-live .attn-aims.attn-aims { position: sticky; z-index: 4; top: 3.3rem; grid-template-columns: repeat(3, 2rem) 1fr; padding: 0.4rem 0.6rem; box-shadow: 0 0 0 0.25rem var(--attn-paper); }
  .attn-live .attn-aims button { grid-row: 2; }
  .attn-live .attn-aims li > .attn-ask { grid-area: 1 / 1 / auto / -1; min-height: 2lh; padding: 0; align-self: start; }
  .attn-live .attn-aims li > small { grid-area: 2 / 4; min-height: 3lh; padding-left: 0.5rem; align-content: center; text-align: left; }
  .attn-live .attn-aims + .attn-chips > :is(select, button) { font-size: 0.9em; padding-inline: 0.2rem; }
  .attn-live .attn-shared thead th { padding: 0; font-size: 12px; }
  .attn-live .attn-size { min-height: 3.5rem; }
  .attn-live .attn-switch button { padding-inline: 0.5rem; }
  .attn-live .attn-hops p { font-size: 0.95em; }
  .attn-switch > span { display: none; }
}`;

export function render(host) {
  return figure(host, {
    title: "Paint a mask.",
    hint: "Click a cell to open or close it, or drag over many.",
    shape: ["tokens"],
    state: ["painted", "scores", "window", "d", "row", "col"],
    build,
  });
}

// Shortest ways over allowed pairs: a word keeps what it knows, and hears what those know at whom it looks.
function shortest(painted) {
  return painted.map((_, from) => {
    const looks = painted.map((_, j) => (j === from ? 0 : Infinity));
    for (let front = [from], step = 1; front.length; step++) {
      const met = looks.map((x, j) => x === Infinity && front.some((i) => painted[i][j]) ? j : -1).filter((j) =>
        j >= 0
      );
      for (const j of met) looks[j] = step;
      front = met;
    }
    return looks;
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const n = tokens.length;
  const start = { painted: get("painted"), window: get("window"), row: get("row"), col: get("col") };
  const done = new Set();
  let prefix = 2;
  let chosen = null; // the pattern asked for last: on a small mask several look alike
  let now = null;
  const sizeOf = (name) => (name === "prefix" ? prefix : get("window"));
  const make = (name, size = sizeOf(name)) => {
    chosen = name;
    if (name === "prefix") prefix = size;
    set({ painted: shape(name, n, size), ...(name === "prefix" || !SIZES[name] ? {} : { window: size }) });
  };
  const alike = (a) => a.every((line, i) => line.every((x, j) => x === Number(Boolean(get("painted")[i][j]))));
  const mode = () => [chosen, ...KINDS].find((name) => name && alike(shape(name, n, sizeOf(name)))) || null;
  const pick = (row, col) => set({ row, col });
  const paint = (row, col) =>
    set({
      row,
      col,
      painted: get("painted").map((line, i) => line.map((x, j) => (i === row && j === col ? 1 - x : x))),
    });
  const square = { rows: tokens, cols: tokens, size: [n, n], kind: "weight", onpick: pick };
  const small = readable([n, n]); // the weights stand in the mask
  const mask = board({
    ...square,
    name: small ? "row looks at column, and how much" : "row may look at column",
    onact: paint,
    tell: small ? (x) => (x === null ? "–" : told(x)) : String,
  });
  const weights = small ? null : board({ ...square, name: "looks how much" });
  const heard = board({ ...square, name: "hears after … looks", tell: far });
  const boards = weights ? { mask, weights, heard } : { mask, heard };
  for (const [name, one] of Object.entries(boards)) {
    one.el.dataset.board = name;
    if (small) one.el.querySelector("caption").append(key(WAYS[name]));
  }
  paintable(mask.el, n, (cells, allow) => {
    const painted = get("painted").map((line) => [...line]);
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    const [row, col] = cells[cells.length - 1];
    set({ row, col, painted });
  });
  const begin = (k) => {
    make(KINDS[k]);
    pick(start.row, start.col); // the pair that was painted last says little of another pattern
  };
  const presets = either(Object.values(STARTS), "Start from", begin, "your own");
  const sliders = Object.fromEntries(
    Object.entries(SIZES).map(([name, title]) => [
      name,
      slider({ title, min: 1, max: n, step: 1, tell: String, oninput: (size) => make(name, size) }),
    ]),
  );
  const meter = bars({ names: ["as painted", "causal", "all pairs"], title: "Multiply–adds" });
  const spent = note();
  const own = note("Your own mask.");
  function again() {
    [prefix, chosen] = [2, null];
    set(start);
  }
  let aim = 0; // the goal that is open
  let held = []; // those that held before the last change
  const open = (k) => {
    aim = k;
    goals.forEach(({ el, tick }, at) => {
      mark(el, "data-open", at === aim);
      tick.setAttribute("aria-pressed", String(at === aim));
    });
  };
  const goals = GOALS.map(([ask], k) => {
    const tick = h("button", { type: "button", onclick: () => open(k) });
    const how = h("span");
    const far = h("small");
    const el = h(
      "li",
      {},
      tick,
      h("span", { class: "attn-ask" }, how, ask),
      far,
    );
    return { tick, how, far, el };
  });

  // ---- one pair, the chosen one or the one that is pointed at: its way, as hops and as lit cells of the mask

  const hops = strip(tokens);
  let pointed = null;
  let lit = [];
  const at = () => pointed || [get("row"), get("col")];
  function way(i, j) {
    if (now.looks[i][j] === Infinity) return [i];
    const on = [i];
    for (let here = i; here !== j; on.push(here)) {
      here = tokens.findIndex((_, k) => now.painted[here][k] && now.looks[k][j] === now.looks[here][j] - 1);
    }
    return on;
  }
  function about(i, j) {
    const [query, key] = [quoted(tokens[i]), i === j ? "itself" : quoted(tokens[j])];
    const seen = tokens.map((_, k) => k).filter((k) => now.painted[i][k]);
    if (!seen.length) return `${query} may look at nothing: weights 0, output 0.`;
    const power = (k) => `e^${number(get("scores")[i][k], 1)}`;
    const terms = seen.slice(0, 4).map(power).join(" + ") + (seen.length > 4 ? " + …" : "");
    if (now.painted[i][j]) return `${query} looks at ${key}: ${power(j)} / (${terms}) = ${number(now.A[i][j])}.`;
    const looks = now.looks[i][j];
    if (!looks) return `${query} may not look at itself, but keeps what it knows.`;
    return `${query} ${looks === Infinity ? `never hears of ${key}` : `hears of ${key} after ${looks} looks`}.`;
  }
  function tell() {
    const [i, j] = at();
    const on = way(i, j);
    hops.draw(on, j, about(i, j));
    for (const [cell, name] of lit) cell.removeAttribute(name);
    lit = !mask.cells ? [] : on.slice(1).map((k, step) => [mask.cells[on[step]][k], "data-source"]);
    if (pointed && mask.cells) {
      lit.push([boards[pointed[2]].cells[i][j], "data-made"]);
      // the mask is for painting: nothing recedes while it is pointed at
      if (pointed[2] !== "mask") lit.push([trio.closest(".attn-live"), "data-tracing"]);
      else if (now.painted[i][j]) {
        lit.push(...mask.cells[i].filter((_, k) => now.painted[i][k]).map((cell) => [cell, "data-source"]));
      }
    }
    for (const [cell, name] of lit) cell.setAttribute(name, "");
  }
  function point({ target, type, pointerType }) {
    const cell = type === "pointerover" || type === "focusin" ? target.closest("td[data-at]") : null;
    if (!cell && (pointerType === "touch" || !pointed)) return;
    pointed = cell && [...cell.dataset.at.split(",").map(Number), cell.closest("[data-board]").dataset.board];
    tell();
  }

  function draw() {
    const painted = get("painted");
    const looks = shortest(painted);
    const pairs = painted.flat().filter(Boolean).length;
    now = {
      painted,
      looks,
      n,
      pairs,
      A: masked(get("scores"), painted.map((line) => line.map(Boolean))).map(softmaxRow),
    };
    const at = { row: get("row"), col: get("col"), pick: [get("row"), get("col")] };
    const seen = now.A.map((line, i) => line.map((x, j) => (painted[i][j] ? x : null)));
    mask.draw(small ? seen : painted, at);
    weights?.draw(seen, at);
    heard.draw(looks.map((line) => line.map((x) => 1 / Math.max(x, 1))), { ...at, hidden: (i, j) => i === j });
    mask.cells?.forEach((line, i) =>
      line.forEach((cell, j) => {
        const x = looks[i][j];
        cell.dataset.way = painted[i][j] ? "one" : x === 2 ? "two" : "";
        mark(cell, "data-shut", !painted[i][j]);
        heard.cells[i][j].dataset.way = x < 2 ? "one" : x === 2 ? "two" : x < Infinity ? "more" : "";
      })
    );
    const on = mode();
    presets.draw(KINDS.indexOf(on));
    write(own, on === null ? "Your own mask." : SHOWS[on] ?? "");
    for (const [name, one] of Object.entries(sliders)) {
      one.el.hidden = name !== on;
      one.draw(sizeOf(name));
    }
    write(spent, `${pairs} of ${n * n} pairs. Multiply–adds at width ${get("d")}:`);
    meter.draw([pairs, (n * (n + 1)) / 2, n * n].map((count) => 2 * get("d") * count), { tell: grouped });
    const holds = GOALS.map(([, reached]) => reached(now));
    // One that is reached is shown, and stays as long as it holds; then the next one opens
    const fresh = holds.findIndex((x, k) => x && !held[k]);
    if (!holds[aim] && fresh >= 0) aim = fresh;
    else if (!holds[aim] && held[aim]) aim = Math.max(0, GOALS.findIndex((_, k) => !done.has(k)));
    held = holds;
    GOALS.forEach(([, , distance], k) => {
      if (holds[k]) done.add(k);
      const { tick, how, far, el } = goals[k];
      write(how, holds[k] ? "✓ done: " : "Goal: ");
      write(tick, done.has(k) ? "✓" : String(k + 1));
      tick.setAttribute("aria-label", `Goal ${k + 1}${done.has(k) ? ", done" : ""}`);
      far.replaceChildren(
        ...distance(now).flatMap(([told, met], part) => {
          const one = h("span", {}, told);
          mark(one, "data-met", met);
          return [part ? ", " : "now ", one];
        }),
      );
      mark(el, "data-solved", holds[k]);
      mark(el, "data-done", done.has(k));
    });
    open(aim);
    tell();
  }
  function chosenPair() {
    const [i, j] = [get("row"), get("col")];
    const share = `${quoted(tokens[i])} gives ${quoted(tokens[j])} ${percent(now.A[i][j])} of its attention`;
    const looks = now.looks[i][j];
    if (i === j) return `${share}.`;
    const often = looks === 1 ? "1 look" : `${looks} looks`;
    return `${share} and ${looks === Infinity ? "never hears of it" : "hears of it in " + often}.`;
  }
  function sentence() {
    const each = 2 * get("d");
    const cost = `${now.pairs} of ${n * n} pairs (${percent(now.pairs / n ** 2)}): ${
      grouped(each * now.pairs)
    } multiply–adds instead of ${grouped(each * n * n)}, if the kernel skips the rest.`;
    const empty = tokens.filter((_, i) => !now.painted[i].some(Boolean)).map(quoted);
    const more = empty.length > 6 ? ` and ${empty.length - 6} more` : "";
    const seen = empty.length
      ? `Nothing to see for ${empty.slice(0, 6).join(", ")}${more}: weights 0, output 0.`
      : "Every query sees a key.";
    return `${chosenPair()} ${cost} ${seen}`;
  }
  // On a phone one of them stands there, in one place
  const trio = h(
    "div",
    {
      class: "attn-trio attn-shared",
      style: `--n:${n};--word:${Math.max(...tokens.map((token) => token.length))}`,
      onpointerover: point,
      onpointerleave: point,
      onfocusin: point,
      onfocusout: point,
    },
    Object.values(boards).map((one) => one.el),
  );
  const names = weights ? ["may look", "how much", "hears after"] : ["looks how much", "hears after"];
  const shown = chips({ names, title: "Show", onpick: show });
  shown.el.classList.add("attn-switch");
  function show(k) {
    trio.dataset.show = k;
    shown.draw(k);
  }
  show(0);
  presets.el.append(h("button", { type: "button", onclick: again }, "↺ Start again"));
  const sizes = h("div", { class: "attn-sliders attn-size" }, own, Object.values(sliders).map((one) => one.el));
  const tasks = h(
    "ul",
    { class: "attn-goals attn-aims", role: "list", "aria-label": "Goals" },
    goals.map(({ el }) => el),
  );
  return {
    parts: [
      h("style", {}, RULES),
      tasks,
      presets.el,
      sizes,
      h(
        "div",
        { class: "attn-ground" },
        shown.el,
        h(
          "div",
          { class: "attn-stage", "data-dense": n > 10 },
          trio,
          hops.el,
          h("div", { class: "attn-spent" }, spent, meter.el),
        ),
      ),
    ],
    draw,
    sentence,
  };
}

// Each colour and its meaning, below a square's name.
const key = (ways) =>
  h(
    "small",
    {},
    Object.entries(ways).map(([way, told]) => h("span", {}, h("i", { "data-way": way, style: "--t: 0.33" }), told)),
  );

// The way of a pair, as hops over the row of all words.   way: the words' places;   j: the word to be heard of
function strip(tokens) {
  const step = 360 / tokens.length;
  const x = (i) => (i + 0.5) * step;
  const picture = svg("svg", { viewBox: "0 0 360 64", role: "img" });
  const words = tokens.map((token) => h("span", {}, bdi(token)));
  const line = h("p");
  const el = h(
    "div",
    { class: "attn-told attn-hops", "data-dense": tokens.length > 16 },
    h("div", {}, picture, h("div", { class: "attn-row", "aria-hidden": "true" }, words)),
    line,
  );
  function hop(from, to) {
    const [a, b] = [x(from), x(to)];
    const high = 60 - Math.min(56, 14 + Math.abs(b - a) / 3); // of its middle
    const turn = Math.atan2(60 - high, (b - a) / 4 || 0); // how steeply it comes down
    const tip = [turn - 0.5, turn + 0.5].map((angle) => `${b - 7 * Math.cos(angle)} ${60 - 7 * Math.sin(angle)}`);
    const over = from === to ? `C${a - 12} 24 ${a + 12} 24` : `Q${(a + b) / 2} ${2 * high - 60}`;
    return svg("path", { d: `M${a} 60${over} ${b} 60M${tip[0]}L${b} 60L${tip[1]}` });
  }
  function draw(way, j, told) {
    picture.replaceChildren(...way.slice(1).map((to, k) => hop(way[k], to)));
    picture.setAttribute("aria-label", way.map((k) => quoted(tokens[k])).join(" → "));
    words.forEach((one, i) => {
      mark(one, "data-on", way.includes(i));
      mark(one, "data-end", i === j || i === way[0]);
    });
    phrase(line, told);
  }
  return { el, draw };
}
