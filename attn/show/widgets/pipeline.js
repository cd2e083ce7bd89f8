// One head on one canvas: X, Q, K, V, S, A and Y stay where they are, and the numbers move between them.
import {
  bare,
  calm,
  chips,
  columnOf,
  figure,
  h,
  label,
  largest,
  legend,
  mark,
  matrix,
  note,
  number,
  percent,
  products,
  provenance,
  quoted,
  row,
  rowOf,
  slider,
  stepper,
  symbols,
  vector,
  write,
} from "../kit/kit.js";
import { brief, field, terse } from "../kit/boards.js";
import { slight } from "../kit/tones.js";
import { attention, dot, matmul, scores, transpose } from "../kit/linalg.js";

const STAGES = ["embeddings", "projections", "scores", "scaling", "softmax", "weighted sum", "new vectors"];
const LAST = STAGES.length - 1;
const NOTES = [
  "Each word is a row of X: a vector looked up in a table.",
  "A row becomes a query to ask with, a key to be found by, a value to hand over.",
  "Each query is multiplied with each key, number by number; the sum is one score.",
  "The scores’ spread grows like √d_h, if entries are independent. Dividing undoes it.",
  "Softmax makes each row of scores into positive weights that sum to one.",
  "Each weight shrinks its word’s value. Stacked, they fill one row: the average.",
  "Each row knew its own word; now it holds what it took from all of them.",
];
// What stands where a matrix is not computed yet: the way ahead
const AHEAD = {
  Q: "what each word asks",
  K: "how a word is found",
  V: "what it hands over",
  S: "who suits whom?",
  A: "who takes how much?",
  Y: "the new words",
};
const PLACE = "position:absolute;place-content:center;box-sizing:border-box;padding:0 0.2rem;" +
  "border:1.5px dashed var(--attn-edge);border-radius:6px;background:var(--attn-wash);color:var(--attn-soft);" +
  "font-size:0.95em;line-height:1.2;text-align:center;text-wrap:balance;pointer-events:none;";
// Which parts of softmax(QKᵀ/√d_h)V are at work in each stage
const FORMULA = [["softmax(", 4], ["Q", 1, 2], ["Kᵀ", 1, 2], ["/ √d_h", 3], [")", 4], ["V", 1, 5], ["= Y", 5, 6]];
const AT_WORK = ["X", "XQKV", "QKS", "S", "SA", "AVY", "XY"];
const NAMES = { X: "words", Q: "queries", K: "keys", V: "values" };
const TONES = { Q: "query", K: "key", V: "value" };
const SINCE = { X: 0, Q: 1, K: 1, V: 1, S: 2, A: 4, Y: 5 }; // the stage that has computed it
const PACES = [2600, 4200, 900, 2400, 5600, 500]; // milliseconds from each stage to the next
const LETTER = 11; // pixels of the smallest that is read
const PART = 1.3; // of the turns of two words how much is at one time
const GATHER = 0.74; // of the time of a sum is the stacking
const LEAD = 0.8; // of that time belongs to the row that is followed; then the others do the same

// The followed word's way is the picture: the other rows are pale, the numbers that make most of it bold. A finished head
// is to be played.
const RULES = `.attn-canvas.attn-canvas { --tall-cell: clamp(0.85rem, 20rem / var(--rows), 2.5rem);
  grid-template: "X formula formula V" "X notes notes V" "X K hero V" "Q S A Y" / auto auto auto auto; row-gap: 0.4rem; }
.attn-canvas > [data-board="V"] { grid-area: 1 / 3 / 4 / 5; }
.attn-live .attn-canvas .attn-about > div { align-self: start; }
.attn-live .attn-canvas .attn-about .attn-formula { font-size: clamp(1.05em, var(--w) * var(--n) * 2 / 15, 1.6em); }
.attn-formula span:is([data-tone], [data-on][data-tone]), .attn-live .attn-canvas [data-board][data-tone] caption { color: var(--tone); }
.attn-live .attn-canvas > .attn-hero { grid-area: hero; contain: size; align-self: stretch; display: grid; align-content: center; margin: 0; padding-right: var(--named); color: var(--attn-soft);
  font-size: 1rem; font-weight: 400; letter-spacing: 0; line-height: 1.2; text-align: center; text-wrap: balance; }
.attn-canvas > .attn-hero > strong { display: block; color: var(--attn-text); font-size: clamp(0.85rem, (var(--w) * var(--n) - var(--named)) / var(--long, 4) / 0.64, 2.2rem); font-variant-numeric: tabular-nums; line-height: 1.1; white-space: nowrap; }
.attn-canvas caption i { margin-left: 0.25rem; padding: 0 0.25rem; border-radius: 3px; background: var(--attn-plus); color: var(--attn-ink); font-style: normal; font-weight: 400; line-height: 1.1; }
.attn-canvas caption i[data-minus] { background: var(--attn-minus); }
/* a name begins where its numbers begin, and moves nothing if it is wider */
.attn-live .attn-canvas:not([data-dense]) caption { contain: inline-size; white-space: nowrap; padding-left: calc(100% - var(--across) * (var(--w) + 2px) - 2px); }
/* the values as thick as the followed word's weights: stacked they are one full row, and its sum is what the word becomes */
.attn-heap { --slim: min(var(--w), (100% - 2.3rem) / var(--out) - 2px); z-index: 1; display: grid; grid-template-rows: minmax(0, 1fr) auto; grid-area: hero; contain: size; align-self: stretch; margin: 0 var(--named) 0 -0.8rem;
  visibility: hidden; font-size: 0.9rem; font-variant-numeric: tabular-nums; line-height: 1; }
.attn-heap[data-on] { visibility: visible; }
/* what has made the weights steps back for A V, and is there when it is asked for */
.attn-canvas > [data-board] { transition: opacity 0.3s; }
.attn-canvas:has(> .attn-heap[data-on]) > :is([data-board="Q"], [data-board="K"], [data-board="S"]):not(:hover, :focus-within, :has([data-source])) { --veil: linear-gradient(color-mix(in srgb, var(--attn-zero) 45%, transparent) 0 0); }
.attn-canvas td { background-image: var(--veil); }
.attn-canvas:has(> .attn-heap[data-on]) > .attn-hero { visibility: hidden; }
.attn-heap > :first-child { position: relative; display: flex; flex-direction: column; min-height: 0; }
.attn-heap > :first-child > div, .attn-heap > :last-child { display: grid; grid-template-columns: minmax(0, 1fr) repeat(var(--out), var(--slim)); gap: 0 2px; }
.attn-heap > :first-child > div { flex: var(--a) 0 0; min-height: 0; }
.attn-heap > :first-child > div:not([data-on]), .attn-heap > :last-child:not([data-on]) { visibility: hidden; }
.attn-heap > :last-child { margin-top: 3px; padding-top: 6px; font-weight: 700;
  background: linear-gradient(var(--attn-accent) 0 0) 100% 0 / min(100%, var(--out) * (var(--slim) + 2px) + 6.2em) 2px no-repeat; }
.attn-heap span { align-self: center; padding-right: 0.5em; text-align: right; white-space: nowrap; line-height: 1; }
.attn-heap > :first-child > span { position: absolute; top: calc(100% * var(--middle)); right: calc(var(--out) * (var(--slim) + 2px)); translate: 0 -50%; color: var(--attn-soft); }
.attn-heap i { grid-column: var(--c); display: grid; place-items: center; min-height: 0; overflow: clip visible; font-size: clamp(11px, var(--cell) / 2.5, 1em); outline: 0.5px solid var(--attn-line); outline-offset: -0.5px;
  background: color-mix(in srgb, var(--attn-plus) calc(100% * var(--t)), var(--attn-zero)); color: var(--attn-ink); font-style: normal; }
.attn-heap i[data-minus] { background: color-mix(in srgb, var(--attn-minus) calc(-100% * var(--t)), var(--attn-zero)); }
.attn-heap > :last-child i { height: 1.5em; border-radius: 3px; }
.attn-live .attn-canvas .attn-about .attn-note { font-size: 0.9rem; }
/* what flies goes below the words: they can be read at every moment, and it is not cut off by the room beside them */
.attn-live .attn-canvas :is(caption, th, .attn-note, .attn-formula) { z-index: 3; }
.attn-live .attn-canvas :is(th, .attn-note, .attn-formula) { background: var(--attn-paper); }
.attn-canvas caption { text-shadow: 0 0 2px var(--attn-paper), 0 0 2px var(--attn-paper), 0 0 3px var(--attn-paper), 0 0 5px var(--attn-paper); }
.attn-live .attn-canvas :is(caption, .attn-note, .attn-formula, thead th) { position: relative; }
.attn-canvas .attn-ghost[data-ring] { background: none; box-shadow: 0 0 0 2.5px var(--attn-accent); }
/* few words: over what has made the weights, and that is seen again where it is asked for */
@container (width > 40rem) {
  .attn-canvas.attn-canvas[data-low] { grid-template: "formula formula formula formula" "notes notes notes notes" "X K hero V" "Q S A Y" / auto auto auto auto; }
  .attn-canvas[data-low] > [data-board="V"] { grid-area: 3 / 3 / 4 / 5; }
  .attn-canvas[data-low] > .attn-heap { grid-column: 2 / 4; pointer-events: none; font-size: 1rem; }
  .attn-canvas[data-low]:has(> [data-board="K"]:is(:hover, :focus-within, :has([data-source]))) > .attn-heap { visibility: hidden; }
  .attn-canvas[data-low]:has(> .attn-heap[data-on]) > [data-board="K"]:not(:hover, :focus-within, :has([data-source])) { opacity: 0; }
}
@container (max-width: 40rem) {
  .attn-canvas.attn-canvas { --tall-cell: clamp(0.76rem, 15.7rem / var(--stack), 1.9rem); row-gap: 0.15rem;
    grid-template: "formula formula formula" "notes notes notes" "X X V" ". K K" "Q S S" "A A Y" / auto auto auto; }
  .attn-canvas > [data-board="V"] { grid-area: V; }
  .attn-live .attn-canvas .attn-about .attn-formula { font-size: 1.15em; }
  .attn-live .attn-canvas .attn-about .attn-note { font-size: 0.82rem; }
  .attn-canvas > [data-board="K"], .attn-canvas[data-tints] tr[data-mine] { --tall-cell: max(19px, 1.08rem) !important; --digits: calc(var(--w) / (0.62 * var(--signs) + 0.2)); }
  .attn-live .attn-canvas > .attn-hero { display: none; }
  .attn-live .attn-canvas.attn-canvas [data-board="K"] caption { contain: none; padding-left: 0; }
  .attn-live .attn-canvas thead bdi { margin-inline: -3px; letter-spacing: -0.04em; }
  /* between V and Y, over what has done its work: that is seen again where it is asked for */
  .attn-canvas > .attn-heap { grid-area: S; grid-column: 1 / -1; margin: 0; background: var(--attn-paper); }
  .attn-canvas:has(:is([data-board="Q"], [data-board="S"]) td:is(:focus, [data-source])) > .attn-heap { visibility: hidden; }
  .attn-canvas:has(> .attn-heap[data-on]):not(:has(:is([data-board="Q"], [data-board="S"]) td:is(:focus, [data-source]))) > :is([data-board="Q"], [data-board="S"]) { opacity: 0; }
}
.attn-canvas td[data-pale] { --full: var(--attn-plus); }
.attn-canvas td[data-pale][data-minus] { --full: var(--attn-minus); }
.attn-canvas [data-kind="weight"] td[data-pale] { --full: color-mix(in srgb, var(--attn-ink) 50%, var(--attn-zero)); }
:is(#over, .attn-canvas) td[data-pale]:not([data-made], [data-source], :focus-visible) { outline-color: transparent;
  background: color-mix(in srgb, var(--full) calc(max(var(--t, 0), -1 * var(--t, 0)) * var(--much, 35%)), var(--quiet, var(--attn-zero)));
  color: color-mix(in srgb, var(--attn-ink) var(--told, 60%), transparent); }
/* of more than a few words the numbers that make the followed word's are written; the others are tints, until asked for */
.attn-canvas[data-tints] > :not([data-board="X"], [data-board="K"], [data-board="V"]) { --much: 70%; --told: 0%; }
.attn-canvas[data-tints] > :not([data-board="K"], [data-board="V"]) { --quiet: color-mix(in srgb, var(--attn-line) 26%, var(--attn-paper)); }
.attn-live .attn-canvas .attn-matrix tbody td[data-path] { font-weight: 700; }
.attn-live .attn-stepper:has(> [aria-label="Next"][aria-disabled="true"]) > [aria-label="Play"] {
  border-color: var(--attn-accent); background: var(--attn-accent); color: var(--attn-paper); }
`;

export function render(host) {
  return figure(host, {
    title: "One head, start to finish.",
    hint: "Press Next.",
    shape: ["X", "W_Q", "W_K", "W_V", "mask", "tokens"],
    state: ["stage", "focus"],
    build,
  });
}

function compute(get) {
  const X = get("X");
  const tidy = (line) => line.map((x) => (Math.abs(x) < 1e-6 ? 0 : x)); // what rounding has left of a zero
  const [Q, K, V] = ["Q", "K", "V"].map((name) => matmul(X, get(`W_${name}`)).map(tidy));
  const mask = get("mask").map((line) => line.map(Boolean));
  const { scores: seen, weights, output } = attention(Q, K, V, { mask });
  return { X, Q, K, V, S: scores(Q, K, 1), scaled: seen, A: weights, Y: output, d: Q[0].length };
}

// Of many numbers a sentence has a few: the picture has them all
const listed = (line) => line.length > 6 ? vector(line.slice(0, 3), slight).replace(")", ", …)") : vector(line, slight);
const clamp = (x) => Math.min(Math.max(x, 0), 1);
const root = (share) => Math.sign(share) * Math.sqrt(Math.abs(share)); // of full colour: small numbers differ too
const ease = (p) => p * p * (3 - 2 * p);
const mix = (a, b, p) => Object.fromEntries(Object.keys(a).map((k) => [k, a[k] + (b[k] - a[k]) * ease(clamp(p))]));
// How far the j-th of n is when all are u on their way, one after the other
const turn = (u, j, n, overlap = 1.4) => clamp(((n - 1 + overlap) * u - j) / overlap);

function build(get, set, redraw) {
  const tokens = get("tokens");
  const all = compute(get);
  const { X, Q, K, V, S, A, Y, d } = all;
  const [n, e] = [X.length, V[0].length];
  const few = n <= 10; // else the cells are too small for numbers
  const wide = X[0].length > 4; // its rows are drawn small, in a scale of their own
  const most = largest([wide ? [] : X, Q, K, V, S, all.scaled, Y].flat()); // one scale: S and S / √d are not alike
  const full = (name) => (wide && name === "X" ? largest(X) : most);
  const values = { X, Q, K: transpose(K), V, S, A, Y };
  const short = (x) => (Math.abs(x) >= 10 && x > -Infinity ? number(x, 0) : terse(x));
  const tell = !few ? number : n > 3 || d > 3 ? short : (x) => brief(x).replace(/^(−?)0\./, "$1.");
  const called = {};
  const boards = Object.fromEntries(
    Object.entries(values).map(([name, { length, 0: { length: width } }]) => {
      const one = matrix({
        name: name === "K" ? "Kᵀ" : name,
        rows: name === "K" ? null : tokens,
        cols: "KSA".includes(name) ? tokens : null,
        size: [length, width],
        kind: !few ? "plain" : name === "A" ? "weight" : "signed",
        most: full(name),
        bend: !few ? () => 0 : wide && name === "X" ? (share) => root(root(share)) : root, // of X most rows are small
        tell,
        onpick: () => {}, // to be walked over by keys: what a number is made of is told
        onact: (i, j) => set({ focus: name === "K" ? j : i }),
      });
      if (name !== "V") one.el.style.gridArea = name;
      one.el.dataset.board = name;
      one.el.style.setProperty("--across", width);
      if (few && NAMES[name]) {
        called[name] = h("span", {}, ` ${NAMES[name]}`);
        one.el.querySelector("caption").append(called[name]);
      }
      if (few && wide && name === "X") { // its cells have no numbers
        const sign = (told) => h("i", { "data-minus": told === "−" }, told);
        one.el.querySelector("caption").append(h("span", { "aria-hidden": "true" }, sign("+"), sign("−")));
      }
      if (TONES[name]) one.el.dataset.tone = TONES[name];
      mark(one.el, "data-dense", !few || (name === "X" && wide));
      return [name, one];
    }),
  );
  // Thousands of cells cannot be coloured in a frame. A picture below them is, and they keep their numbers for a voice.
  const pictures = few ? {} : Object.fromEntries(
    Object.entries(boards).map(([name, { el, cells }]) => {
      const kind = name === "A" ? "weight" : "signed";
      const picture = field({ name, size: [cells.length, cells[0].length], kind, most: 1, still: true });
      el.prepend(picture.el);
      return [name, picture];
    }),
  );
  const layer = h("div", { class: "attn-layer", "aria-hidden": "true" });
  const pieces = FORMULA.map((
    [text, ...at],
  ) => [h("span", { "data-tone": TONES[text[0]] || null }, symbols(text)), at]);
  const [whose, result] = [h("span"), h("strong")];
  const notes = NOTES.map((text) => note(symbols(text)));
  // A row of the stack, or its sum: as many numbers as V has columns
  const band = (...name) => {
    const numbers = V[0].map((_, c) => h("i", { style: `--c:${c + 2}` }));
    return { numbers, el: h("div", {}, ...name, numbers) };
  };
  const [bands, leaves, names] = [tokens.map(() => band()), h("span"), tokens.map(() => h("span"))];
  const sum = band(leaves);
  const pile = h("div", {}, bands.map(({ el }) => el), names);
  const stack = h("div", { class: "attn-heap", "aria-hidden": "true" }, pile, sum.el);
  const ahead = Object.entries(AHEAD).map(([name, told]) => [name, h("div", { class: "attn-ahead" }, told)]);
  const about = h(
    "div",
    { class: "attn-about" },
    h("p", { class: "attn-formula", "aria-label": "softmax(Q Kᵀ / √d h) V = Y" }, pieces.map(([node]) => node)),
    h("div", {}, notes),
  );
  const first = wide ? Math.max(d, 0.28 * X[0].length) : Math.max(X[0].length, d);
  const signs = Math.max(
    3,
    ...(few ? [wide ? [] : X, Q, K, V, S, all.scaled, A, Y].flat(2).map((x) => tell(x).length) : []),
  );
  const named = Math.min(7, 0.55 * Math.max(...tokens.map((token) => label(token).length))) + 0.6;
  const canvas = h(
    "div",
    {
      class: "attn-canvas",
      style: `--n:${n};--wide:${first + 2 * n + e};--tall:${Math.max(n + d, n + e)};--small:${X[0].length};` +
        `--named:${named.toFixed(2)}rem;--signs:${signs};--out:${e};` +
        `--rows:${n + Math.max(n, d)};--stack:${3 * n + d};--digit:${Math.max(n + d, n + e) > 9 ? 0.54 : 0.63}rem`,
    },
    about,
    Object.values(boards).map((one) => one.el),
    h("p", { class: "attn-hero", "aria-hidden": "true" }, whose, result),
    few ? stack : [],
    h("div", { "aria-hidden": "true" }, ahead.map(([, node]) => node)),
    layer,
  );
  mark(canvas, "data-dense", !few);
  mark(canvas, "data-tints", n > 3);
  mark(canvas, "data-low", n < d + 3); // Kᵀ is about as tall as X: no room above it

  // Which cells the followed word needs, and which number of each matrix does most for it
  function follow(i) {
    const best = (line) => line.reduce((top, x, k) => (Math.abs(x) > Math.abs(line[top]) ? k : top), 0);
    const top = best(A[i]);
    const [c, out] = [best(Q[i].map((q, k) => q * K[top][k])), best(V[top])];
    const path = { Q: [i, c], K: [c, top], S: [i, top], A: [i, top], V: [top, out], Y: [i, out] };
    const heard = (j) => j === i || A[i][j] > 0.05 * A[i][top];
    for (const [name, { cells }] of Object.entries(boards)) {
      const used = { K: (_, j) => heard(j), V: heard }[name] || ((r) => r === i);
      cells.forEach((line, r) => {
        mark(line[0].parentNode, "data-mine", name !== "K" && r === i);
        line.forEach((cell, j) => {
          mark(cell, "data-pale", !used(r, j));
          mark(cell, "data-path", String(path[name]) === `${r},${j}`);
        });
      });
    }
  }

  // ---- where things are, and what flies

  const where = {};
  const ghosts = [];
  let used = 0;
  function measure() {
    const { left, top } = canvas.getBoundingClientRect();
    if (few) {
      const [home, first, last] = [pile, sum.numbers[0], sum.numbers.at(-1)].map((one) => one.getBoundingClientRect());
      const right = e > 1 ? (last.left - first.left) / (e - 1) : 0;
      const room = first.left - home.left; // for names
      const rows = [{ y: home.top - top, t: home.height }];
      where.stack = { x: first.left - left, w: first.width, t: home.height, right, rows, room };
      heap();
    }
    const names = boards.S.el.querySelector("caption").getBoundingClientRect();
    where.names = { top: names.top - top, bottom: names.bottom - top };
    for (const [name, { cells }] of Object.entries(boards)) {
      const [first, last] = [cells[0][0], cells.at(-1).at(-1)].map((cell) => cell.getBoundingClientRect());
      where[name] = {
        x: first.left - left,
        w: first.width,
        right: (last.left - first.left) / (cells[0].length - 1 || 1),
        rows: cells.map(([cell]) => { // the followed one may be taller
          const { top: y, height: t } = cell.getBoundingClientRect();
          return { y: y - top, t };
        }),
      };
      const [, node] = ahead.find(([one]) => one === name) || [];
      if (node) {
        node.style.cssText =
          `${PLACE}display:${node.style.display};left:${first.left - left}px;top:${first.top - top}px;` +
          `width:${last.right - first.left}px;height:${last.bottom - first.top}px`;
      }
      if (few) continue;
      const own = boards[name].el.getBoundingClientRect();
      pictures[name].el.style.cssText += `;left:${first.left - own.left}px;top:${first.top - own.top}px;` +
        `width:${last.right - first.left}px;height:${last.bottom - first.top}px`;
    }
  }
  // The stack of the followed word. What is thick enough has its name and what it adds; a run of thin rows has one name.
  function heap() {
    const i = get("focus");
    const { w, t, room } = where.stack;
    stack.style.setProperty("--cell", `${w}px`);
    const fit = (px, ...told) => told.find((one) => one.length * 0.62 * px < room - 6) || "";
    const letters = (a, least = LETTER) => Math.min(Math.max(0.95 * a * t, least), 16);
    const put = ({ numbers }, line, weight, told) =>
      numbers.forEach((node, c) => {
        write(node, told && w > 26 ? tell(weight * line[c]) : "");
        node.style.setProperty("--t", root(line[c] / most).toFixed(3));
        mark(node, "data-minus", line[c] < 0);
      });
    const runs = [];
    let full = 0;
    bands.forEach((one, j) => {
      const a = A[i][j];
      const thick = a * t > 1.06 * LETTER;
      one.el.style.setProperty("--a", a.toFixed(4));
      one.el.style.fontSize = `${letters(a)}px`;
      put(one, V[j], a, thick);
      if (thick || !runs.length || runs.at(-1).thick) runs.push({ thick, from: full, a: 0, words: [] });
      runs.at(-1).a += a;
      runs.at(-1).words.push(tokens[j]);
      full += a;
    });
    names.forEach((node, k) => {
      const { from, a, words } = runs[k] || { from: 0, a: 0, words: [] };
      node.style.setProperty("--middle", (from + a / 2).toFixed(3));
      const px = letters(a, 12);
      node.style.fontSize = `${px}px`;
      const whose = words.length > 1 ? `${words.length} words` : bare(words[0] || "");
      const part = percent(Math.round(100 * a) / 100);
      write(node, a * t > 4 ? fit(px, `${part} of ${whose}`, part) : "");
    });
    put(sum, Y[i], 1, true);
    write(leaves, fit(16, `= new ${bare(tokens[i])}`, "= new", "="));
  }
  function spot(name, i, j) {
    const { x, w, right, rows } = where[name];
    return { x: x + j * right, w, ...rows[i] };
  }
  function fly({ x, y, w, t }, told, share, weight = false, ring = false) {
    const node = ghosts[used] ||= layer.appendChild(h("span", { class: "attn-ghost" }));
    used++;
    node.hidden = false;
    node.style.cssText = `transform:translate(${x.toFixed(1)}px,${y.toFixed(1)}px);width:${w.toFixed(1)}px;` +
      `height:${t.toFixed(1)}px;--t:${(weight ? share : root(share)).toFixed(3)}` +
      (w < where.V.w - 1 ? `;font-size:${Math.max(LETTER, w / 2.5)}px` : ""); // on its way to a narrower place
    mark(node, "data-minus", share < 0);
    mark(node, "data-weight", weight);
    mark(node, "data-ring", ring);
    mark(node, "data-thin", t < 8);
    write(node, few && t > 12 && w > 20 ? told : "");
  }
  const power = (i, j) => (all.scaled[i][j] === -Infinity ? "0" : `e^${number(all.scaled[i][j])}`);
  const shared = (i, j) =>
    `${power(i, j)} / (${A[i].slice(0, 5).map((_, c) => power(i, c)).join(" + ")}${A.length > 5 ? " + …" : ""})`;

  // What flies between a stage and the next, u of the way. Each returns what its line says.
  const flights = [
    (u) => { // each row of X becomes a query, a key and a value: while it is ringed, they unfold where they will stand
      let told = "";
      for (let i = 0; i < n; i++) {
        const p = turn(u, i, n, PART);
        if (p <= 0 || p >= 1) continue;
        told = `${quoted(tokens[i])} times W_Q, W_K and W_V: query, key and value`;
        const whole = spot("X", i, 0);
        fly({ ...whole, w: whole.w + spot("X", 0, X[0].length - 1).x - whole.x }, "", 0, false, true);
        for (const [name, line] of [["Q", Q[i]], ["K", K[i]], ["V", V[i]]]) {
          line.forEach((x, c) => {
            const at = name === "K" ? spot("K", c, i) : spot(name, i, c);
            fly({ ...at, t: at.t * ease(clamp(2 * p)) }, tell(x), x / most);
          });
        }
      }
      return told;
    },
    (u, i) => { // row q slides onto each column of Kᵀ, and the products fall into the cell
      let told = "";
      for (let j = 0; j < n; j++) {
        const p = turn(u, j, n, 1.2);
        if (p <= 0 || p >= 1) continue;
        told = `q(${quoted(tokens[i])}) · k(${quoted(tokens[j])}) = ${products(Q[i], K[j])} = ${number(S[i][j])}`;
        Q[i].forEach((q, c) => {
          const [key, product] = [spot("K", c, j), q * K[j][c]];
          const falls = fallen(p, c);
          const [at, x] = p < 0.5
            ? [mix(spot("Q", i, c), key, p / 0.4), q]
            : [mix(key, spot("S", i, j), falls), product];
          const past = at.y + at.t > where.names.top && at.y < where.names.bottom; // no number on a name
          if (p < 0.5 || falls < 1) fly(at, past ? "" : tell(x), x / most);
        });
      }
      return told;
    },
    () => `÷ √${d}`,
    (u, i) => { // the scores' exponentials, each divided by the row's sum
      const top = Math.max(...all.scaled[i], 0);
      all.scaled[i].forEach((s, j) => {
        const raised = Math.exp(top > 30 ? s - top : s);
        const p = clamp(u / 0.5);
        fly(mix(spot("S", i, j), spot("A", i, j), p), tell(u < 0.7 ? raised : A[i][j]), A[i][j] * clamp(u / 0.7), true);
      });
      const likely = A[i].indexOf(Math.max(...A[i]));
      return u < 0.7
        ? `each score s of ${quoted(tokens[i])} becomes e^s`
        : `${number(A[i][likely])} = ${shared(i, likely)}`;
    },
    (u, i) => { // the weights shrink the values' rows, which stack; then the whole stack falls into its row of Y
      let [told, full] = [`${quoted(tokens[i])} becomes their sum, ${listed(Y[i])}`, 0];
      const fall = (u - GATHER) / (0.97 - GATHER);
      for (let j = 0; j < n; j++) {
        const [p, a] = [gathered(u, j), A[i][j]];
        const start = full;
        full += a;
        if (p <= 0) continue;
        if (p < 0.6) fly(spot("A", i, j), "", 0, false, true);
        if (p < 1) told = `${slight(a)} · v(${quoted(tokens[j])}) = ${listed(V[j].map((x) => a * x))}`;
        V[j].forEach((x, c) => {
          const [from, ...to] = [spot("V", j, c), ...few ? [spot("stack", 0, c)] : [], spot("Y", i, c)];
          const [heaped, landed = heaped] = to.map((one) => ({ ...one, y: one.y + start * one.t, t: a * one.t }));
          const shrunk = mix(from, { ...from, t: a * from.t }, (p - 0.35) / 0.2);
          if (a * from.t < 0.4 || p <= 0.35) return;
          if (p < 1 || !few) fly(mix(shrunk, heaped, (p - 0.6) / 0.4), tell(a * x), x / most);
          else if (fall > 0) fly(mix(heaped, landed, fall), tell(a * x), x / most);
        });
      }
      return told;
    },
    () => "",
  ];
  // How far the j-th row of V is on its way to the stack
  const gathered = (u, j) => turn(clamp(u / (few ? GATHER : 1)), j, n, 1.2);
  // The lowest product falls first
  const fallen = (p, c) => clamp(((p - 0.6) / 0.4) * (1 + 0.25 * (d - 1)) - 0.25 * (d - 1 - c));

  // ---- the picture at a time

  let time = get("stage");
  const shown = {};
  let drawn = "";
  const late = {}; // numbers that nobody can read by eye are written when nothing moves any more
  let rest = null;
  function tellAll() { // a matrix at a time: a thousand numbers take a frame
    const [name] = Object.keys(late);
    if (!name) return;
    boards[name].draw(...late[name]);
    delete late[name];
    rest = setTimeout(tellAll, 40);
  }
  const stage = () => Math.ceil(time - 1e-9); // between two stages, the later one is being computed
  function paint() {
    const [at, i] = [Math.min(Math.floor(time), LAST), get("focus")];
    const u = time - at;
    const lead = [1, 3, 4].includes(at) ? clamp(u / LEAD) : u;
    const done = (name, r, j) => { // computed yet?
      const way = time - SINCE[name] + 1;
      if (way >= 1 || way <= 0) return way >= 1;
      if (SINCE[name] === 1) return turn(way, name === "K" ? j : r, n, PART) >= 1;
      if (r !== i) return way >= LEAD + (1 - LEAD) * ((r + (r < i)) / (n + 1));
      return name === "S" ? turn(lead, j, n, 1.2) > 0.6 : lead >= 1;
    };
    const now = { ...values, S: all.scaled };
    if (time < 3) now.S = S.map((line) => line.map((x) => x * d ** (-clamp(time - 2) / 2)));
    if (at === 1 && u) {
      S[i].forEach((_, j) => {
        const p = turn(lead, j, n, 1.2);
        if (p < 1) now.S[i][j] = dot(Q[i], K[j].map((k, c) => (fallen(p, c) >= 1 ? k : 0)));
      });
    }
    const moment = `${u ? time : at} ${i}`;
    if (moment === drawn) return;
    drawn = moment;
    for (const [name, node] of ahead) node.style.display = time > SINCE[name] - 1 ? "none" : "grid";
    for (const [name, one] of Object.entries(boards)) {
      const way = time - SINCE[name];
      const moves = (way > -1 && way < 0) || (name === "S" && way > 0 && way < 1);
      const as = `${moves ? time : way < 0} ${stage()} ${i}`;
      if (as === shown[name]) continue;
      shown[name] = as;
      // data-on styles the cells; where they are thousands and have pictures, only the caption is to be styled anew
      mark(one.el, few ? "data-on" : "data-busy", AT_WORK[stage()].includes(name));
      const hidden = (r, j) => !done(name, r, j);
      const marks = {
        row: name !== "K" && (name !== "V" || stage() === 1) ? i : -1,
        col: name === "K" ? i : -1,
        caption: {
          S: (time < 3 ? "S = Q Kᵀ" : `S / √${d}`) + (few ? " scores" : ""),
          A: few ? "A = softmax weights" : "A = softmax",
          Y: "Y = A V",
        }[name],
      };
      if (few) one.draw(now[name], { ...marks, hidden });
      else {
        const share = name === "A" ? (x) => x : (x) => (x === -Infinity ? null : root(x / full(name)));
        pictures[name].draw(now[name].map((line, r) => line.map((x, j) => (hidden(r, j) ? 0 : share(x)))));
        one.draw(null, marks);
        late[name] = [now[name], { ...marks, hidden }];
      }
    }
    // while they are made, queries, keys and values say of what
    for (const [name, node] of Object.entries(called)) {
      const by = name !== "X" && stage() === 1;
      if (by === node.hasAttribute("data-by")) continue;
      mark(node, "data-by", by);
      node.replaceChildren(...(by ? symbols(name === "K" ? " = (X W_K)ᵀ" : ` = X W_${name}`) : [` ${NAMES[name]}`]));
    }
    mark(stack, "data-on", time > 4 && stage() < LAST); // as the label and the sentence have it
    bands.forEach(({ el }, j) => mark(el, "data-on", at > 4 || (at === 4 && gathered(lead, j) >= 1)));
    mark(sum.el, "data-on", at > 4 || (at === 4 && lead >= 1));
    clearTimeout(rest);
    rest = setTimeout(tellAll, 250);
    used = 0;
    origin.say(u && where.X ? flights[at](lead, i) : "");
    ghosts.slice(used).forEach((node) => (node.hidden = true));
    const told = frame && !settles ? goal : stage(); // as the sentence has it
    pieces.forEach(([node, stages]) => mark(node, "data-on", stages.includes(told)));
    notes.forEach((node, k) => mark(node, "data-on", k === told));
    const [what, large] = hero(i, told, now.S);
    write(whose, what);
    write(result, large);
    result.style.setProperty("--long", large.length);
    scrub.draw(time);
    steps.draw(frame && !settles ? goal : time, `${told + 1} of ${STAGES.length}: ${STAGES[told]}`);
    origin.draw();
  }

  // Of the followed word, what the stage has made, large
  function hero(i, stage, seen) { // a score shrinks here as in its cell
    const word = quoted(tokens[i]);
    const top = A[i].indexOf(Math.max(...A[i]));
    const whole = (line) => (line.length > 3 ? `${line.length} numbers` : vector(line, tell));
    const meets = `${word} meets ${quoted(tokens[top])}`;
    return [
      [`${word} is`, `${X[i].length} numbers`],
      [`${word} asks`, whole(Q[i])],
      [meets, tell(S[i][top])],
      [`${meets}, ÷ √${d}`, tell(seen[i][top])],
      [`${word} takes from ${quoted(tokens[top])}`, percent(A[i][top])],
      [`${word} becomes`, whole(Y[i])],
      [`${word} is now`, whole(Y[i])],
    ][stage];
  }

  const known = (name, made) => [boards[name], (i, j) => (time >= SINCE[name] ? made(i, j) : null)];
  const projected = (name, i, c) => ({
    told: `${number(all[name][i][c])} = ${products(X[i], get(`W_${name}`).map((line) => line[c]))}`,
    from: rowOf(boards.X, i),
  });
  const origin = provenance([
    known("X", (i, c) => ({ told: `${number(X[i][c])} = number ${c + 1} of ${quoted(tokens[i])}`, from: [] })),
    known("Q", (i, c) => projected("Q", i, c)),
    known("K", (c, j) => projected("K", j, c)),
    known("V", (i, c) => projected("V", i, c)),
    known("S", (i, j) => {
      const from = [...rowOf(boards.Q, i), ...columnOf(boards.K, j)];
      if (time <= 2) return { told: `${number(S[i][j])} = ${products(Q[i], K[j])}`, from };
      if (time < 3) return null; // on its way
      const hidden = all.scaled[i][j] === -Infinity ? ", masked" : "";
      return { told: `${number(all.scaled[i][j])} = (${products(Q[i], K[j])}) / √${d}${hidden}`, from };
    }),
    known("A", (i, j) => ({ told: `${number(A[i][j])} = ${shared(i, j)}`, from: rowOf(boards.S, i) })),
    known("Y", (i, c) => ({
      told: `${number(Y[i][c])} = ${products(A[i], V.map((line) => line[c]))}`,
      from: [...rowOf(boards.A, i), ...columnOf(boards.V, c)],
    })),
  ]);

  // ---- what moves the time: a step glides, the scrubber and the page's scrolling set it

  const start = { stage: 0, focus: get("focus") }; // one that opens finished starts again at the words
  const still = calm();
  let goal = time;
  let frame = 0;
  let settles = false; // where scrolling has stopped: what is still moving is what is said
  function settle() {
    goal = Math.round(time);
    settles = true;
    glide();
  }
  function put(to) {
    cancelAnimationFrame(frame);
    frame = 0;
    settles = false;
    time = Math.min(Math.max(to, 0), LAST);
    goal = stage();
    if (goal !== get("stage")) set({ stage: goal });
    paint();
  }
  function glide() {
    cancelAnimationFrame(frame);
    const [from, way] = [time, Math.abs(goal - time)];
    const pace = way > 1.5 ? 700 / way : PACES[Math.floor(Math.min(from, goal))] * (goal < from ? 0.4 : 1);
    const began = performance.now();
    const go = (now) => {
      const u = still || !way ? 1 : clamp((now - began) / (pace * way));
      time = u < 1 ? from + (goal - from) * u : goal;
      frame = u < 1 ? requestAnimationFrame(go) : 0;
      paint();
      if (frame || !settles) return;
      settles = false;
      if (goal !== get("stage")) set({ stage: goal });
    };
    go(began);
  }
  function aim(to) {
    settles = false;
    if (to !== get("stage")) return set({ stage: to });
    goal = to;
    glide();
  }
  const steps = stepper({
    last: LAST,
    onstep: (to) => aim(Math.ceil(to - 1e-9)),
    onreset: () => set(start),
    pace: 5000,
  });
  const scrub = slider({
    title: "way through the head",
    min: 0,
    max: LAST,
    nudge: 0.25,
    tell: () => STAGES[stage()],
    oninput: put,
  });
  const words = chips({ names: tokens, title: "Follow", onpick: (focus) => set({ focus }) });
  // One that opens on its way is to be pressed on from there: scrolling leaves it alone
  const driven = !still && [0, LAST].includes(goal);
  const scroll = scrolled(canvas, driven, LAST, { put, rest: settle, redraw });
  const watch = new ResizeObserver(() => {
    measure();
    drawn = "";
    paint();
    scroll.place();
  });
  watch.observe(canvas);

  function draw() {
    words.el.parentNode.classList.add("attn-piloting");
    words.draw(get("focus"));
    if (few) follow(get("focus"));
    if (where.stack) measure();
    if (get("stage") !== goal && !settles) {
      goal = get("stage");
      glide();
    } else paint();
  }
  const longest = STAGES.flatMap((_, stage) =>
    tokens.map((_, focus) => sentence((name) => ({ stage, focus })[name] ?? get(name), all))
  ).reduce((a, b) => (b.length > a.length ? b : a));
  const scales = row(
    legend({
      kind: "signed",
      values: [X, Q, K, V, S, Y].flat(),
      most,
      bent: true,
      share: [
        most === largest(S) && `S before ÷ √${d}`,
        wide && "X has its own scale",
      ]
        .filter(Boolean).join("; ") || null,
    }).el,
    legend({ kind: "weight", values: A }).el,
  );
  return {
    parts: [
      h("style", {}, RULES),
      words.el,
      h("div", { class: "attn-drive attn-piloted" }, steps.el, h("div", { class: "attn-sliders" }, scrub.el)),
      h("div", { class: "attn-ground" }, canvas),
      ...(few ? [] : [scales]), // elsewhere each cell has its number
    ],
    get origin() {
      return origin.el;
    },
    draw,
    hint: () => scroll.drives() && "Scrolling moves it, until you press or drag.",
    sentence: () => sentence(get, all),
    longest: () => longest,
    stop() {
      steps.stop();
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      watch.disconnect();
      scroll.stop();
    },
  };
}

// On a page of the site the first such figure stays where it is while the page scrolls on below it, by less than one
// window, and the scrolling moves it, by as many stages, until a reader takes it in hand; one that stands finished begins
// anew. Where the scrolling stops, it goes on to a whole stage. Not where the window does not hold all of it, nor for
// readers who asked for less motion.
function scrolled(canvas, driven, stages, { put, rest, redraw }) {
  let [host, top, stride, last, pause] = [null, 0, 0, 0, null];
  const reached = () => Math.min(Math.max((top - host.getBoundingClientRect().top) / stride, 0), stages);
  function leave() {
    if (!driven) return;
    clearTimeout(pause);
    driven = false;
    // the way that was to be scrolled goes, and the figure stays where the reader sees it
    const live = canvas.closest(".attn-live");
    const seen = live.getBoundingClientRect().top;
    live.style.cssText = host.style.minHeight = "";
    stride = 0;
    window.scrollBy({ top: live.getBoundingClientRect().top - seen, behavior: "instant" });
    redraw(); // its hint is another
  }
  function place() {
    const live = canvas.closest(".attn-live");
    if (!driven || !window.attnFigures || !live?.offsetHeight) return;
    const parent = live.parentNode;
    if (document.querySelector('[data-view="pipeline"]') !== parent) return;
    if (!host) { for (const kind of ["click", "input", "keydown"]) live.addEventListener(kind, leave); }
    host = parent;
    const head = 60; // the site's own line at the top of the window
    const [high, room] = [live.offsetHeight, window.innerHeight - head];
    const fits = high <= room && room <= 1.4 * high; // in a tall window it would float in the blank
    const before = stride;
    stride = fits ? (0.9 * window.innerHeight) / stages : 0;
    top = head + (room - high) / 2;
    live.style.cssText = fits ? `position:sticky;top:${top}px` : "";
    host.style.minHeight = fits ? `${high + stages * stride}px` : "";
    last = stride && reached();
    if (!stride === !before) return;
    redraw();
    if (stride && driven) put(Math.floor(last)); // it opens where the scrolling has it
  }
  function scroll() {
    if (!stride) return;
    const now = reached();
    if (now === last) return;
    put(now);
    last = now;
    clearTimeout(pause);
    pause = setTimeout(rest, 150);
  }
  window.addEventListener("scroll", scroll, { passive: true });
  window.addEventListener("resize", place);
  return {
    place,
    drives: () => stride > 0,
    stop() {
      clearTimeout(pause);
      window.removeEventListener("scroll", scroll);
      window.removeEventListener("resize", place);
    },
  };
}

function sentence(get, { X, Q, K, V, S, scaled, A, Y, d }) {
  const i = get("focus");
  const stage = get("stage");
  const word = quoted(get("tokens")[i]);
  const told = [
    `${word} enters as ${listed(X[i])}`,
    `${word} asks q = ${listed(Q[i])}, is found by k = ${listed(K[i])}, hands over v = ${listed(V[i])}`,
    `the query of ${word} meets every key: ${listed(S[i])}`,
    `divided by √${d}, the scores of ${word} are ${listed(scaled[i])}`,
    `softmax turns them into the weights ${listed(A[i])}`,
    `the values, averaged with these weights, give ${listed(Y[i])}`,
    `${word} entered as ${listed(X[i])} and leaves as ${listed(Y[i])}`,
  ][stage];
  return `Stage ${stage + 1} of ${STAGES.length}, ${STAGES[stage]}: ${told}.`;
}
