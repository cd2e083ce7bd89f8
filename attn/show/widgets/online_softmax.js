// Softmax and average of a row read in blocks, with a running maximum m, sum ℓ and average o.
import { bars, bdi, figure, h, mark, matrix, note, number, row, scroller, stepper, vector, write } from "../kit/kit.js";

export function render(host) {
  return figure(host, {
    title: "Exact attention, one block at a time.",
    hint: "Step, and watch the factor by which a larger score shrinks what was held.",
    shape: ["scores", "V", "block", "tokens"],
    state: ["step"],
    build,
  });
}

// The state after every block: m, ℓ, o, and the factor r that the new maximum made of what was held.
function states(scores, V, block) {
  const found = [{ m: -Infinity, l: 0, o: V[0].map(() => 0), r: 1 }];
  for (let at = 0; at < scores.length; at += block) {
    const held = found[found.length - 1];
    const m = Math.max(held.m, ...scores.slice(at, at + block));
    const r = Math.exp(held.m - m);
    const e = scores.slice(at, at + block).map((s) => Math.exp(s - m));
    const o = held.o.map((x, c) => e.reduce((sum, p, k) => sum + p * V[at + k][c], r * x));
    found.push({ m, r, o, l: e.reduce((sum, p) => sum + p, r * held.l) });
  }
  return found;
}

function build(get, set) {
  const [scores, V, block, tokens] = ["scores", "V", "block", "tokens"].map(get);
  const all = states(scores, V, block);
  const last = all.length - 1;
  const [n, e] = [scores.length, V[0].length];
  const steps = stepper({ last, onstep: (step) => set({ step }) });
  const cells = scores.map((s, j) => h("td", {}, number(s), h("br"), h("small", {}, bdi(tokens[j]))));
  const line = scroller("The row of scores", h("table", { class: "attn-blocks" }, h("tbody", {}, h("tr", {}, cells))));
  const table = matrix({
    name: "the running state",
    rows: ["m", "ℓ", ...V[0].map((_, c) => `o, d${c + 1}`)],
    cols: ["before", "times r", "new"],
    size: [2 + e, 3],
    kind: "plain",
  });
  const result = matrix({ name: "o / ℓ", rows: ["so far"], size: [1, e] });
  const meter = bars({ names: ["in blocks", "a whole row"], title: "Numbers held at once" });
  meter.draw([Math.min(block, n) + 2 + e, n + e]);
  const told = note();
  const divided = ({ l, o }) => o.map((x) => (l ? x / l : 0));
  function draw() {
    const step = get("step");
    const [old, now] = [all[Math.max(step - 1, 0)], all[step]];
    steps.draw(step, `block ${step} of ${last}`);
    cells.forEach((cell, j) => {
      mark(cell, "data-read", j < block * (step - 1));
      mark(cell, "data-on", Math.floor(j / block) === step - 1);
    });
    const scaled = (x) => (now.r ? now.r * x : 0);
    table.draw(
      [[old.m, null, now.m], [old.l, scaled(old.l), now.l], ...old.o.map((x, c) => [x, scaled(x), now.o[c]])],
      { hidden: (i, j) => i === 0 && j === 1 },
    );
    result.draw([divided(now)]);
    write(
      told,
      step
        ? `r = exp(${number(old.m)} − ${now.m < 0 ? `(${number(now.m)})` : number(now.m)}) = ${number(now.r)}`
        : "Nothing is read yet.",
    );
  }
  function sentence() {
    const step = get("step");
    const { m, l, o, r } = all[step];
    if (!step) return `Block 0 of ${last}: nothing read, m = −∞, ℓ = 0, o = ${vector(o)}.`;
    return `Block ${step} of ${last}: m = ${number(m)}, what was held is multiplied by ${number(r)}, ℓ = ${
      number(l)
    }, o = ${vector(o)}; o / ℓ = ${vector(divided(all[step]))}.`;
  }
  return {
    parts: [
      steps.el,
      line,
      told,
      row(table.el, result.el),
      note(
        "Numbers held at once, beside the inputs: a block of scores with m, ℓ and o; or the whole row with its output.",
      ),
      meter.el,
    ],
    draw,
    sentence,
    stop: steps.stop,
  };
}
