// Attention @ V under a causal mask, one word at a time: weights shrink the values' rows, which fill one row of Y.
import {
  bare,
  bdi,
  calm,
  columnOf,
  figure,
  h,
  largest,
  legend,
  mark,
  matrix,
  mixture,
  note,
  number,
  products,
  provenance,
  quoted,
  rowOf,
  stepper,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { crossing } from "../kit/cross.js";
import { appear, longest } from "../kit/large.js";
import { matmul } from "../kit/linalg.js";

// What is read stands at the left: V over A, or on a phone beside it; what is made of it at the right or below: the rows of
// V as thick as their weights, together as high as one row, their sum, and under it, in the same columns, the rows of Y.
// --rows: how high the rows of a matrix are, --high: the stack; between them ribbons, from (1 - 1/1.35)/2 of the stack's height on
const RULES =
  `.attn-past > div { --rows: var(--n) * (var(--u) + 2px); --high: calc(1.35 * var(--rows)); --sum: 3rem; --w: var(--u); --label: min(var(--long) * 0.6rem + 3.7rem, 34cqw);
  --col: calc((60cqw - var(--label)) / var(--e)); --fit: calc(var(--col) / var(--signs) / 0.64);
  grid-template: ". n" "v s" "a y" / auto minmax(0, 1fr); justify-content: stretch; gap: 0.8rem var(--way); --way: 4.6rem; --ribbon: color-mix(in srgb, var(--attn-edge) 20%, var(--attn-paper)) }
.attn-live .attn-past .attn-note { grid-area: n; margin: 0 0 0 var(--label); font-size: 1.05rem }
.attn-past > div > .attn-corner-note { display: contents }
.attn-past .attn-factor { margin-bottom: calc(var(--sum) + 0.175 * var(--rows) - 2px) }
.attn-past .attn-matrix { position: relative }
.attn-past caption { position: relative; z-index: 3; width: max-content; background: var(--attn-paper) }
.attn-live .attn-past .attn-scroll:not(.attn-result) thead th { position: relative; z-index: 3; background: var(--attn-paper) }
.attn-live .attn-past th[scope="row"] { padding-block: 0; z-index: 3 }
.attn-live .attn-past :is(tr[data-seen] > th, th[data-seen]) { color: var(--attn-text) }
.attn-live .attn-past .attn-factor tr[data-later] > td { opacity: 0.45 }
.attn-live .attn-past .attn-matrix tr > td[data-gone]:not([data-source], [data-made], :focus-visible) { outline: 1px solid var(--attn-hair); outline-offset: -1px }
.attn-live .attn-past > div > .attn-result { justify-self: stretch; width: calc(100% + 4px); max-width: none; margin: 0 -2px }
.attn-live .attn-past .attn-result .attn-matrix { width: 100%; table-layout: fixed }
.attn-live .attn-past .attn-result .attn-matrix tbody td { width: auto; min-width: 0; max-width: none; --w: var(--col) }
.attn-live .attn-past.attn-cross .attn-result tbody th[scope="row"] { position: static; width: auto; padding: 0 0.5rem 0 0; clip-path: none }
.attn-live .attn-past.attn-cross .attn-result :is(.attn-corner, thead th) { position: static; padding: 0; visibility: hidden; width: auto; line-height: 0; font-size: 0 }
.attn-live .attn-past.attn-cross .attn-result .attn-corner { box-sizing: border-box; width: var(--label) }
.attn-live .attn-past .attn-result caption { padding-left: calc(var(--label) + 2px) }
.attn-shrunk { grid-area: s; align-self: end; position: relative; font-size: 1.25rem; font-variant-numeric: tabular-nums }
.attn-shrunk > svg { position: absolute; top: 0; right: 100%; width: calc(var(--way) - 4px); height: var(--high); fill: var(--ribbon); stroke: var(--attn-paper); stroke-width: 2px; display: none }
.attn-shrunk path { vector-effect: non-scaling-stroke }
.attn-shrunk > div:first-of-type { position: relative; display: flex; flex-direction: column; height: var(--high) }
.attn-shrunk > div > div, .attn-shrunk > :last-child { display: grid; grid-template-columns: var(--label) repeat(var(--e), minmax(0, 1fr)); gap: 0 2px; overflow: hidden; line-height: 1 }
.attn-shrunk > div > div { flex: var(--a) 0 0; min-height: 0 }
.attn-shrunk > :last-child { box-sizing: border-box; height: var(--sum); padding-top: 4px; overflow: visible; font-weight: 700 }
.attn-shrunk span { overflow: hidden; align-self: center; padding-inline: 0.6rem 0.5rem; text-overflow: ellipsis; white-space: nowrap }
.attn-shrunk bdi { overflow: hidden; text-overflow: ellipsis }
/* where a ribbon ends its label begins, on the same ground */
.attn-shrunk > div > div > span { display: grid; grid-template-columns: 2rem minmax(0, 1fr); align-self: stretch; align-items: center; background: var(--ribbon); box-shadow: inset 0 0 0 1px var(--attn-paper) }
.attn-shrunk > div > div > * { font-size: min(1em, var(--fit), 0.92 * var(--a) * var(--high)) }
.attn-shrunk > div > div > span { font-size: min(1rem, 0.92 * var(--a) * var(--high)) }
.attn-shrunk i { display: grid; place-items: center; overflow: hidden; outline: 1px solid var(--attn-hair); outline-offset: -0.5px; font-style: normal; background: color-mix(in srgb, var(--attn-plus) calc(100% * var(--t)), var(--attn-zero)); color: var(--attn-ink) }
.attn-shrunk i[data-minus] { background: color-mix(in srgb, var(--attn-minus) calc(-100% * var(--t)), var(--attn-zero)) }
.attn-shrunk > :last-child i { border-radius: 5px; outline: 2.5px solid var(--attn-accent); outline-offset: -1px; font-size: min(1.45em, 0.84 * var(--fit)) }
.attn-live .attn-shrunk [data-source] { outline: 3px solid var(--attn-debt); outline-offset: -3px }
.attn-shrunk[data-idle] > div:first-of-type { margin-left: var(--label); box-sizing: border-box; border: 1.5px dashed var(--attn-line); border-radius: 5px }
.attn-shrunk[data-idle] > :last-child i { outline: 1.5px dashed var(--attn-line) }
@media (prefers-reduced-motion: no-preference) { .attn-shrunk > div > div { transition: flex-grow 0.8s } }
@media (max-width: 480px) { .attn-stepper [aria-label="Start again"] > span { display: none } }
@container (min-width: 40rem) {
  .attn-past[data-few] > div { --u: clamp(1.6rem, 8.2rem / var(--n), 2.6rem) }
  .attn-past[data-few] .attn-shrunk > svg { display: block }
  .attn-past:not([data-few]) > div { --high: 12rem; --col: calc((46cqw - var(--label)) / var(--e)) }
  .attn-past:not([data-few]) .attn-factor { margin: 0 }
}
@container (max-width: 40rem) {
  .attn-past > div { --high: 8.5rem; --col: calc((100cqw - var(--label)) / var(--e)); grid-template: "n n" "a v" "s s" "y y" / auto auto; justify-content: center; gap: 0.7rem 0.9rem }
  .attn-past[data-many] > div { --u: clamp(1.3rem, (100cqw - var(--thin)) / var(--most-side) - 3px, 2.2rem); grid-template: "n" "a" "v" "s" "y" / minmax(0, 1fr) }
  .attn-past[data-many] :is(.attn-scroll, .attn-scroll.attn-factor) { justify-self: center }
  .attn-live .attn-past .attn-note { margin: 0 }
  .attn-past .attn-factor { margin: 0 }
  .attn-past .attn-shrunk { width: 100% }
  .attn-live .attn-past:not([data-many]) .attn-factor :is(th[scope="row"], .attn-corner) { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%) }
  .attn-live .attn-past[data-many] .attn-factor :is(th[scope="row"], .attn-corner) { position: static; clip-path: none }
}`;

const LONG = 1000; // milliseconds in which a step is done, however many words it sees
const SPREAD = 1.35; // how much higher the stack is than the rows of V
const THIN = 0.095; // with less weight a row is thinner than letters are high

export function render(host) {
  return figure(host, {
    title: "Each word averages what came before.",
    hint: "Step: weights shrink values; their stack is a row of Y.",
    shape: ["weights", "V", "tokens"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const [A, V, tokens] = ["weights", "V", "tokens"].map(get);
  const [n, e] = [V.length, V[0].length];
  const Y = matmul(A, V);
  const tell = (x) => number(x, 2).replace(/^(−?)0\./, "$1."); // cells are narrow
  const steps = stepper({ last: n, onstep: (step) => set({ step }), pace: 3400 });
  const left = matrix({
    name: `A (${n}×${n})`,
    rows: tokens,
    cols: tokens,
    size: [n, n],
    kind: "weight",
    tell,
    onpick: (i) => set({ step: i + 1 }),
  });
  const most = largest(V); // an average is never larger than what it averages
  const scale = legend({ kind: "signed", values: V, most });
  scale.el.append(h("span", {}, "(in A, black is 1)"));
  const middle = matrix({ name: `V (${n}×${e})`, rows: tokens, size: [n, e], most, tell });
  const right = matrix({ name: `Y = A V (${n}×${e})`, rows: tokens, size: [n, e], most, tell, onpick: () => {} });
  const word = note();
  // A row of V times its weight, or what they add up to: its name and its numbers
  const line = (name) => {
    const numbers = Array.from({ length: e }, () => h("i"));
    const told = h("span", {}, name);
    const put = (values, seen) =>
      numbers.forEach((one, c) => {
        write(one, seen ? tell(values[c]) : "");
        one.style.setProperty("--t", (values[c] / most).toFixed(3));
        mark(one, "data-minus", values[c] < 0);
      });
    return { told, put, cells: numbers, el: h("div", {}, told, numbers) };
  };
  const bands = tokens.map(() => line(""));
  const sum = line("sum");
  const stack = h("div", {}, bands.map(({ el }) => el));
  // From each row of V, in the middle of the stack's height, to its band
  const ways = tokens.map(() => svg("path"));
  const ribbons = svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" }, ways);
  const shrunk = h("div", { class: "attn-shrunk", "aria-hidden": "true" }, ribbons, stack, sum.el);
  const cross = crossing({
    left,
    pairs: [{ top: middle, result: right }],
    about: [word, shrunk],
    told: [A, V, Y].flat(2).map(tell),
    names: [tokens, tokens],
  });
  cross.el.classList.add("attn-past");
  mark(cross.el, "data-few", n < 9 && e < 7);
  mark(cross.el, "data-many", n + e > 9);
  const long = Math.min(10, Math.max(...tokens.map((name) => bare(name).length)));
  const sizes = { n, e, long, "most-side": Math.max(n, e), most: "clamp(1.8rem, 19rem / var(--tall), 4rem)" };
  for (const [name, value] of Object.entries(sizes)) cross.el.firstChild.style.setProperty(`--${name}`, value);
  [[left, "a"], [middle, "v"], [right, "y"]].forEach(([one, area]) => (one.el.style.gridArea = area));
  // of the word in hand, its parts in the stack
  const here = (i, all) => (i === get("step") - 1 ? all : []);
  const [named, told] = [bands.map((one) => [one.told]), bands.map(({ cells }) => cells)].map((cells) => ({ cells }));
  const origin = provenance([[left, (i, j) =>
    i < get("step") && j <= i && {
      told: `${quoted(tokens[i])} takes ${number(A[i][j])} of ${quoted(tokens[j])}`,
      from: here(i, [[named, [j, 0]]]),
    }], [right, (i, c) =>
    i < get("step") && {
      told: `${number(Y[i][c])} = ${
        products(A[i].slice(0, i + 1), V.slice(0, i + 1).map((line) => line[c]))
      }: weights × values`,
      from: [
        ...rowOf(left, i).slice(0, i + 1),
        ...columnOf(middle, c).slice(0, i + 1),
        ...here(i, columnOf(told, c).slice(0, i + 1)),
      ],
    }]]);
  const heads = [...left.el.querySelectorAll("thead th")];
  let shown = null;

  function draw() {
    const step = get("step");
    steps.draw(step, `Step ${step} of ${n}`);
    left.draw(A, { row: step - 1, hidden: (i, j) => j > i || i >= step });
    left.cells.forEach((line, i) => line.forEach((cell, j) => mark(cell, "data-gone", j > i))); // hatched: forbidden
    middle.draw(V, { hidden: (j) => step > 0 && j >= step });
    right.draw(Y, { row: step - 1, hidden: (i) => i >= step });
    cross.light(step - 1, -1);
    // what the word may not see recedes
    middle.cells.forEach(([{ parentNode }], j) => {
      mark(parentNode, "data-seen", j < step);
      mark(parentNode, "data-later", step && j >= step);
    });
    heads.forEach((one, j) => mark(one, "data-seen", j < step));
    if (step) word.replaceChildren(h("strong", {}, bdi(tokens[step - 1])), ` may see ${step} of ${n} words`);
    else write(word, "Press Next. Hatched: later words.");
    mark(shrunk, "data-idle", !step);
    let full = 0;
    bands.forEach(({ told, put, el }, j) => {
      const a = step ? A[step - 1][j] : 0;
      el.style.setProperty("--a", a.toFixed(4));
      if (a < THIN) write(told, "");
      else told.replaceChildren(h("strong", {}, tell(a)), h("bdi", {}, `· ${bare(tokens[j])}`));
      put(V[j].map((x) => a * x), a >= THIN && e < 9); // as much as it adds to the average
      const [top, bottom] = [j, j + 1].map((row) => 0.5 + (row / n - 0.5) / SPREAD);
      const way = `M0 ${top}C.5 ${top} .5 ${full} 1 ${full}V${full + a}C.5 ${full + a} .5 ${bottom} 0 ${bottom}Z`;
      ways[j].setAttribute("d", a ? way : "");
      full += a;
    });
    sum.put(step ? Y[step - 1] : Y[0].map(() => 0), step && e < 9);
    origin.draw();
    if (shown !== null && step === shown + 1) {
      // each falls to its place in the stack
      const [{ top, height }, ...columns] = [stack, ...sum.cells].map((one) => one.getBoundingClientRect());
      const places = columns.map(({ left, width }) => ({
        getBoundingClientRect: () => ({ left, top, width, height }),
      }));
      const until = cross.blend(step - 1, A, V, most, tell, places);
      appear(ribbons, until);
      // until their numbers come their places are seen, empty
      const empty = { color: "transparent", backgroundColor: "transparent" };
      if (!calm()) {
        for (const one of [...shrunk.querySelectorAll("i"), ...stack.querySelectorAll("span")]) {
          one.animate([empty, empty], until);
        }
      }
      for (const one of cross.el.getAnimations({ subtree: true })) one.playbackRate = until / LONG;
    } else cross.stop();
    shown = step;
  }
  function sentence(step = get("step")) {
    if (!step) return `Step 0 of ${n}: no word has averaged any values yet.`;
    const mixed = mixture(A[step - 1].slice(0, step), tokens);
    return `Step ${step} of ${n}: ${quoted(tokens[step - 1])} may see ${step} of ${n} words: ${mixed} = ${
      vector(Y[step - 1])
    }.`;
  }
  return {
    parts: [h("style", {}, RULES), steps.el, cross.el, scale.el, origin.el],
    draw,
    sentence: () => sentence(),
    longest: () => longest(n, sentence),
    stop: () => (steps.stop(), cross.stop()),
  };
}
