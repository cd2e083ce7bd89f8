// Attention @ V under a causal mask, one word at a time: weights shrink the values' rows, which fill one row of Y.
import {
  bare,
  bdi,
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
  vector,
  write,
} from "../kit/kit.js";
import { crossing } from "../kit/cross.js";
import { appear, longest } from "../kit/large.js";
import { matmul } from "../kit/linalg.js";

// In the free corner the rows of V as thick as their weights: together they are as high as one row, of their average
const RULES = ".attn-past > div { --w: clamp(var(--u), (100cqw - var(--aside)) / var(--wide) - 3px, 6.4rem); }" +
  "@container (max-width: 34rem) { .attn-grand.attn-past > div { --w: var(--u); } }" +
  ".attn-live .attn-past .attn-note { margin-top: 0; font-size: 1.05rem; }" +
  ".attn-past caption { position: relative; z-index: 3; width: max-content; background: var(--attn-paper); }" +
  ".attn-live .attn-past .attn-scroll:not(.attn-result) thead th { position: relative; z-index: 3; background: var(--attn-paper); } .attn-live .attn-past th[scope=row] { z-index: 3; }" +
  ".attn-shrunk { --high: 8rem; max-width: 24rem; font-size: min(0.95rem, 3.4cqw); font-variant-numeric: tabular-nums; }" +
  ".attn-shrunk > :first-child { display: flex; flex-direction: column; height: var(--high); }" +
  ".attn-shrunk > div > div, .attn-shrunk > :last-child { display: grid; grid-template-columns: 5.4em repeat(var(--e), minmax(0, 1fr)); gap: 0 2px; overflow: hidden; line-height: 1; }" +
  ".attn-shrunk > div > div { flex: var(--a) 0 0; min-height: 0; }" +
  ".attn-shrunk > :last-child { margin-top: 3px; padding-top: 5px; border-top: 2px solid var(--attn-accent); overflow: visible; font-weight: 700; }" +
  ".attn-shrunk span { overflow: hidden; align-self: center; padding-right: 0.4em; text-align: right; text-overflow: ellipsis; white-space: nowrap; }" +
  // a band's name is as dark as its weight in A
  ".attn-shrunk > div > div > span { align-self: stretch; align-content: center; background: color-mix(in srgb, var(--attn-ink) calc(var(--a) * 100%), var(--attn-zero)); color: hsl(0 0% calc((var(--a) - var(--attn-flip)) * var(--attn-way) * 100000%)); }" +
  ".attn-shrunk > div > div > * { font-size: min(1em, 0.92 * var(--a) * var(--high)); } .attn-shrunk i { outline: 1px solid var(--attn-hair); outline-offset: -0.5px; display: grid; place-items: center; overflow: hidden; font-style: normal; background: color-mix(in srgb, var(--attn-plus) calc(100% * var(--t)), var(--attn-zero)); color: var(--attn-ink); }" +
  ".attn-shrunk i[data-minus] { background: color-mix(in srgb, var(--attn-minus) calc(-100% * var(--t)), var(--attn-zero)); }" +
  ".attn-shrunk > :last-child i { height: 2em; border-radius: 4px; font-size: 1.15em; }" +
  "@media (prefers-reduced-motion: no-preference) { .attn-shrunk > div > div { transition: flex-grow 0.8s; } }" +
  // of few words and numbers the stack is as high as the product beside it, and the largest thing
  "@container (min-width: 40rem) { .attn-past[data-few] > div { --u: clamp(1.75rem, 14.5rem / var(--tall), 2.6rem); --w: var(--u); grid-template-columns: minmax(0, 1fr) auto auto; }" +
  ".attn-past[data-few] > div > .attn-corner-note { display: contents; }" +
  ".attn-live .attn-past[data-few] .attn-note { grid-area: 1 / 2; align-self: center; width: 0; min-width: 100%; font-size: 1.15rem; text-align: center; text-wrap: balance; }" +
  ".attn-past[data-few] .attn-shrunk { --high: 17.5rem; grid-area: 1 / 1 / 3 / 2; align-self: stretch; max-width: none; padding-right: 1rem; font-size: 1.35rem; }" +
  ".attn-past[data-few] > div > .attn-corner-note + * { grid-area: 2 / 2 !important; }" +
  ".attn-past[data-few] > div > .attn-factor { grid-area: 1 / 3 !important; } .attn-past[data-few] > div > .attn-result { grid-area: 2 / 3 !important; } }" +
  "@media (max-width: 480px) { .attn-stepper [aria-label='Start again'] > span { display: none; } }" +
  // on a phone the stack has the card's width, and V stands under it, over its product
  "@container (max-width: 34rem) { .attn-past > div > .attn-corner-note { display: contents; } .attn-past .attn-shrunk { --high: 8.5rem; grid-area: 1 / 1 / 2 / 3; width: 100%; max-width: none; font-size: 1.05rem; }" +
  ".attn-live .attn-past .attn-note { grid-area: 2 / 1; align-self: center; text-align: center; text-wrap: balance; }" +
  ".attn-past > div > .attn-factor { grid-area: 2 / 2 !important; } .attn-past > div > .attn-corner-note + * { grid-area: 3 / 1 !important; } .attn-past > div > .attn-result { grid-area: 3 / 2 !important; } }";

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
    return { told, put, el: h("div", {}, told, numbers) };
  };
  const bands = tokens.map(() => line(""));
  const sum = line("sum");
  const shrunk = h(
    "div",
    { class: "attn-shrunk", style: `--e:${e}`, "aria-hidden": "true" },
    h("div", {}, bands.map(({ el }) => el)),
    sum.el,
  );
  const cross = crossing({
    left,
    pairs: [{ top: middle, result: right }],
    about: [word, shrunk],
    told: [A, V, Y].flat(2).map(tell),
    names: [tokens, tokens],
  });
  cross.el.classList.add("attn-past");
  mark(cross.el, "data-few", n + e < 11);
  cross.el.firstChild.style.setProperty("--most", "clamp(1.8rem, 19rem / var(--tall), 4rem)");
  const origin = provenance([[right, (i, c) =>
    i < get("step") && {
      told: `${number(Y[i][c])} = ${
        products(A[i].slice(0, i + 1), V.slice(0, i + 1).map((line) => line[c]))
      }: weights × values`,
      from: [...rowOf(left, i).slice(0, i + 1), ...columnOf(middle, c).slice(0, i + 1)],
    }]]);
  let shown = null;

  function draw() {
    const step = get("step");
    steps.draw(step, `Step ${step} of ${n}`);
    left.draw(A, { row: step - 1, hidden: (i, j) => j > i || i >= step });
    left.cells.forEach((line, i) => line.forEach((cell, j) => mark(cell, "data-gone", j > i))); // hatched: forbidden
    middle.draw(V, { hidden: (j) => step > 0 && j >= step });
    right.draw(Y, { row: step - 1, hidden: (i) => i >= step });
    cross.light(step - 1, -1);
    if (step) word.replaceChildren(h("strong", {}, bdi(tokens[step - 1])), ` may see ${step} of ${n} words`);
    else write(word, "Hatched: later words.");
    shrunk.style.visibility = step ? "" : "hidden"; // its place is kept
    bands.forEach(({ told, put, el }, j) => {
      const a = step ? A[step - 1][j] : 0;
      el.style.setProperty("--a", a.toFixed(4));
      write(told, a < THIN ? "" : `${tell(a)} · ${bare(tokens[j])}`);
      put(V[j].map((x) => a * x), a >= THIN && e < 9); // as much as it adds to the average
    });
    if (step) sum.put(Y[step - 1], e < 9);
    origin.draw();
    if (shown !== null && step === shown + 1) appear(sum.el, cross.blend(step - 1, A, V, most, tell));
    else cross.stop();
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
