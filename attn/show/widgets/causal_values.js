// Attention @ V under a causal mask, one word at a time.
import {
  columnOf,
  figure,
  joined,
  largest,
  legend,
  matrix,
  mixture,
  note,
  number,
  products,
  provenance,
  quoted,
  row,
  rowOf,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { matmul } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "Each word averages what came before.",
    hint: "Step through: a word's row of weights meets the values up to its own.",
    shape: ["weights", "V", "tokens"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const [A, V, tokens] = ["weights", "V", "tokens"].map(get);
  const [n, e] = [V.length, V[0].length];
  const Y = matmul(A, V);
  const steps = stepper({ last: n, onstep: (step) => set({ step }) });
  const left = matrix({
    name: `A (${n}×${n})`,
    rows: tokens,
    cols: tokens,
    size: [n, n],
    kind: "weight",
    onpick: (i) => set({ step: i + 1 }),
  });
  const most = largest(V); // an average is never larger than what it averages
  const scale = legend({ kind: "signed", values: V, most });
  const middle = matrix({ name: `V (${n}×${e})`, rows: tokens, size: [n, e], most });
  const right = matrix({ name: `Y = A V (${n}×${e})`, rows: tokens, size: [n, e], most, onpick: () => {} });
  const working = note();
  const origin = provenance([[right, (i, c) =>
    i < get("step") && {
      told: `${number(Y[i][c])} = ${
        products(A[i].slice(0, i + 1), V.slice(0, i + 1).map((line) => line[c]))
      }: weights × values`,
      from: [...rowOf(left, i).slice(0, i + 1), ...columnOf(middle, c).slice(0, i + 1)],
    }]]);

  function draw() {
    const step = get("step");
    steps.draw(step, `Step ${step} of ${n}`);
    left.draw(A, { row: step - 1, hidden: (i, j) => j > i });
    middle.draw(V, { hidden: (j) => step > 0 && j >= step });
    origin.draw();
    right.draw(Y, { row: step - 1, hidden: (i) => i >= step });
    write(
      working,
      step
        ? `${mixture(A[step - 1].slice(0, step), tokens)}`
        : "A dot stands where the mask forbids a look, or where nothing is computed yet.",
    );
  }
  function sentence() {
    const step = get("step");
    if (!step) return `Step 0 of ${n}: no word has averaged any values yet.`;
    const mixed = mixture(A[step - 1].slice(0, step), tokens);
    return `Step ${step} of ${n}: ${quoted(tokens[step - 1])} may see ${step} of ${n} words: ${mixed} = ${
      vector(Y[step - 1])
    }.`;
  }
  const line = row(left.el, joined("·", middle.el), joined("=", right.el));
  line.classList.add("attn-snug");
  return {
    parts: [steps.el, line, scale.el, origin.el, working],
    draw,
    sentence,
    stop: steps.stop,
  };
}
