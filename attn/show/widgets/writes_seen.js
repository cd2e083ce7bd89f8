// Slide the gate and the strength: which writes does each question still see?
import {
  bars,
  chips,
  figure,
  h,
  legend,
  matrix,
  number,
  products,
  provenance,
  quoted,
  row,
  rowOf,
  slider,
  stepper,
  write,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";
import { ease } from "../kit/motion.js";

export function render(host) {
  return figure(host, {
    title: "Which writes are still seen?",
    hint:
      "The values 1, 2, 3, … are written under these names, one after another. What does each name read after the next write?",
    shape: ["K", "tokens"],
    state: ["alpha", "beta", "erase"],
    build,
  });
}

const NEAR = 0.05; // so close to the last value counts as read
const tidy = (x) => (Math.abs(x) < 5e-4 ? 0 : x);

function build(get, set, redraw) {
  const [K, tokens] = [get("K"), get("tokens")];
  const questions = [...new Set(tokens)];
  const most = Math.max(...K.map((key) => dot(key, key))) * 2; // one write at the largest β
  const rule = chips({ names: ["adding", "correcting"], title: "rule", onpick: (i) => set({ erase: i === 1 }) });
  const gate = slider({ title: "α", min: 0, max: 1, step: 0.01, oninput: (alpha) => set({ alpha }) });
  const strength = slider({ title: "β", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const n = tokens.length;
  const start = { alpha: get("alpha"), beta: get("beta"), erase: get("erase") };
  const twice = tokens.findIndex((name, i) => tokens.indexOf(name) < i); // the first write that replaces another
  const first = twice < 0 ? n : twice;
  let step = first; // how many writes are done: to look at, no part of the figure's state
  const steps = stepper({
    last: n,
    onstep: (to) => go(to),
    onreset: () => {
      set(start);
      go(first);
    },
  });
  const go = (to) => {
    step = to;
    redraw();
  };
  const table = matrix({
    name: "seen of each write",
    rows: questions,
    cols: tokens.map((name, i) => `${name} = ${i + 1}`),
    size: [questions.length, tokens.length],
    most,
    tell: (x) => number(Math.round(100 * x) / 100, 2),
    onpick: () => {},
  });
  const last = () => questions.map((name) => tokens.slice(0, step).lastIndexOf(name) + 1);
  const answers = bars({ names: questions, title: "What each question reads" });
  answers.el.style.cssText =
    "max-width: none; gap: 0.35rem 0; grid-template-columns: max-content 1fr minmax(3.2rem, max-content) max-content";
  const marks = [...answers.el.children].map((item) => {
    ease(item.querySelector(".attn-fill"), "width", 200);
    item.classList.add("attn-mark");
    return item.appendChild(h("span", { style: "min-width: 4.5rem; white-space: nowrap" }));
  });
  const count = h("strong", { style: "font-size: 1.7rem; line-height: 1.2" });
  const readings = { el: answers.el, cells: [...answers.el.children].map((item) => [item]) };
  const sum = (i) => {
    const { rows, reads } = known();
    return `${quoted(questions[i])} reads ${number(tidy(reads[i]))} = ${
      products(rows[i], tokens.map((_, j) => j + 1))
    }`;
  };
  const origin = provenance([
    [table, (i, j) => ({
      told: `Of ${quoted(tokens[j])} = ${j + 1} the question ${quoted(questions[i])} sees ${
        number(known().rows[i][j])
      }. ${sum(i)}`,
      from: [...rowOf(table, i), [readings, [i, 0]]],
    })],
    [readings, (i) => ({ told: sum(i), from: rowOf(table, i) })],
  ]);
  const scale = legend({ kind: "signed", values: [[-most, most]], most });

  const known = () => {
    const how = { alpha: get("alpha"), beta: get("beta"), erase: get("erase") };
    const state = step ? remember(K.slice(0, step), how) : [[]];
    const rows = questions.map((name) => {
      const line = seen(K[tokens.indexOf(name)], state);
      return tokens.map((_, j) => line[j] || 0);
    });
    const reads = rows.map((line) => line.reduce((sum, x, j) => sum + x * (j + 1), 0));
    return { rows: rows.map((line) => line.map(tidy)), reads };
  };
  function draw() {
    const { rows, reads } = known();
    rule.draw(Number(get("erase")));
    gate.draw(get("alpha"));
    strength.draw(get("beta"));
    steps.draw(
      step,
      step
        ? `${step} of ${n} written${step < n ? `; next ${tokens[step]} = ${step + 1}` : ""}`
        : "nothing is written yet",
    );
    table.draw(rows, { hidden: (_, j) => j >= step, col: step < n ? step - 1 : -1 });
    const told = last();
    const right = reads.map((x, i) => told[i] && Math.abs(x - told[i]) < NEAR);
    answers.draw(reads.map(tidy), { most: 1.25 * n, was: told });
    marks.forEach((one, i) => {
      write(one, right[i] ? "✓" : told[i] ? `last: ${told[i]}` : "not yet");
      one.style.color = right[i] || !told[i] ? "var(--attn-text)" : "var(--attn-debt)";
    });
    write(count, `${right.filter(Boolean).length} of ${told.filter(Boolean).length}`);
    origin.draw();
  }
  function sentence() {
    const told = known().reads.slice(0, 6).map((x, i) => `${quoted(questions[i])} reads ${number(tidy(x))}`).join(", ");
    const name = get("erase") ? "Correcting" : "Adding";
    return `${name}, α = ${number(get("alpha"))}, β = ${number(get("beta"))}${
      step < n ? `, ${step} of ${n} written` : ""
    }: ${told}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, gate.el, strength.el);
  const told = h("p", { style: "margin: 0" }, count, " names give their last value");
  return {
    parts: [
      row(rule.el, controls),
      steps.el,
      h("div", { class: "attn-tight" }, row(table.el, h("div", { style: "flex: 1 1 17rem" }, told, answers.el))),
      origin.el,
      scale.el,
    ],
    draw,
    sentence,
    stop: steps.stop,
  };
}
