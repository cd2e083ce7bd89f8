// Attention @ V under a causal mask, one word at a time: weights shrink the values' rows, which fill one row of Y.
import {
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

const RULES =
  ".attn-live .attn-sum { font-size: clamp(1.05rem, 4.4cqw, 1.7rem); font-weight: 700; letter-spacing: -0.02em; }" +
  ".attn-past > div { --w: clamp(var(--u), (100cqw - var(--aside)) / var(--wide) - 3px, 6.4rem); }" +
  "@container (max-width: 34rem) { .attn-grand.attn-past > div { --w: var(--u); } }" +
  ".attn-past .attn-aside { font-size: 1rem; } .attn-live .attn-past .attn-note { font-size: 1.05rem; }" +
  ".attn-past caption { position: relative; z-index: 3; width: max-content; background: var(--attn-paper); }";

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
  const tell = (x) => n > 4 ? number(x, 2).replace(/^(−?)0\./, "$1.") : number(x); // many cells are narrow
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
  const [word, working, total] = [note(), h("p", { class: "attn-aside" }), h("p", { class: "attn-total attn-sum" })];
  const cross = crossing({
    left,
    pairs: [{ top: middle, result: right }],
    about: [word, working, total],
    told: [A, V, Y].flat(2).map(tell),
    names: [tokens, tokens],
  });
  cross.el.classList.add("attn-past");
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
    left.draw(A, { row: step - 1, hidden: (i, j) => j > i });
    left.cells.forEach((line, i) => line.forEach((cell, j) => mark(cell, "data-gone", j > i))); // hatched: forbidden
    middle.draw(V, { hidden: (j) => step > 0 && j >= step });
    right.draw(Y, { row: step - 1, hidden: (i) => i >= step });
    cross.light(step - 1, -1);
    if (step) word.replaceChildren(h("strong", {}, bdi(tokens[step - 1])), ` may see ${step} of ${n} words`);
    else write(word, "Hatched: later words, which the mask forbids.");
    write(working, step ? mixture(A[step - 1].slice(0, step), tokens) : "");
    write(total, step ? `= ${vector(Y[step - 1])}` : "");
    origin.draw();
    if (shown !== null && step === shown + 1) appear(total, cross.blend(step - 1, A, V, most));
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
