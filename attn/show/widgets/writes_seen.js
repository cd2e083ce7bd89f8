// Slide the gate and the strength: which writes does each question still see?
import {
  bdi,
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
import { ease, fly } from "../kit/motion.js";

export function render(host) {
  return figure(host, {
    title: "Which writes are still seen?",
    hint:
      "The values 1, 2, 3, … were written under these names, one after another. What does each name read at the end?",
    shape: ["K", "tokens"],
    state: ["alpha", "beta", "erase"],
    build,
  });
}

const TRACKS = "max-width: none; gap: 0.35rem 0; grid-template-columns: max-content 1fr 3.6rem 4.5rem";
// The chapter's rules: what is kept at every step, how much of a write comes in, whether it takes away what was there
const RULES = {
  adding: { alpha: 1, beta: 1, erase: false },
  "decay 0.7": { alpha: 0.7, beta: 1, erase: false },
  delta: { alpha: 1, beta: 1, erase: true },
  "gated delta 0.9": { alpha: 0.9, beta: 1, erase: true },
};
const NEAR = 0.05; // so close to the last value counts as read
const hue = (k, fade) => `hsl(calc(${k} * 137.5 + 30) 55% var(--attn-hue) / ${fade})`; // that of the k-th .attn-part
const tidy = (x) => (Math.abs(x) < 5e-4 ? 0 : x);

function build(get, set, redraw) {
  const [K, tokens] = [get("K"), get("tokens")];
  const questions = [...new Set(tokens)];
  const most = Math.max(...K.map((key) => dot(key, key))) * 2; // one write at the largest β
  const rule = chips({
    names: Object.keys(RULES),
    title: "rule",
    onpick: (i) => set(Object.values(RULES)[i]),
  });
  const gate = slider({ title: "α, kept", min: 0, max: 1, step: 0.01, oninput: (alpha) => set({ alpha }) });
  const strength = slider({ title: "β, written", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const n = tokens.length;
  // a name's writes share a hue, and the older ones are paler
  const named = tokens.map((name) => questions.indexOf(name));
  const fade = tokens.map((name, j) => (tokens.lastIndexOf(name) > j ? 0.5 : 1));
  const start = { alpha: get("alpha"), beta: get("beta"), erase: get("erase") };
  let step = n; // how many writes are done: to look at, no part of the figure's state
  const steps = stepper({
    last: n,
    onstep: (to) => go(to),
    onreset: () => {
      set(start);
      go(n);
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
  const heads = [...table.el.querySelectorAll("thead th")];
  for (const one of heads) one.style.fontWeight = 500; // a bold name would widen its column
  for (const { firstChild } of heads) firstChild.style.borderBottom = "4px solid transparent";
  for (const cell of table.cells.flat()) cell.style.minWidth = "3.1em"; // −0.81 too
  const last = () => questions.map((name) => tokens.slice(0, step).lastIndexOf(name) + 1);
  // A reading is laid end to end, seen · value of each write in its colour, what is below zero to the left. Zero and scale
  // are the figure's: no slider and no write moves them, and what does not fit is broken off.
  const [low, high] = [-n / 3, 1.25 * n];
  const across = (x) => 100 * (Math.min(Math.max(x, low), high) - low) / (high - low);
  const lines = questions.map((name) => {
    const parts = tokens.map((_, j) =>
      h("span", { class: "attn-part", style: `background: ${hue(named[j], fade[j])}` })
    );
    for (const part of parts) ease(part, "width 400ms, left");
    const was = h("span", { class: "attn-was" });
    const zero = h("span", { class: "attn-was", style: "width: 1px; background: var(--attn-edge)" });
    zero.style.setProperty("--t", across(0) / 100);
    const track = h("span", { class: "attn-track", style: "height: 1.5em", "aria-hidden": "true" }, parts, zero, was);
    const [value, mark] = ["attn-value", null].map((kind) => h("span", { class: kind }));
    mark.style.whiteSpace = "nowrap";
    const el = h("li", { class: "attn-mark" }, h("span", { class: "attn-name" }, bdi(name)), track, value, mark);
    return { el, parts, was, value, mark };
  });
  const answers = h(
    "ul",
    { class: "attn-bars", role: "list", "aria-label": "What each question reads", style: TRACKS },
    lines.map((one) => one.el),
  );
  let laid = step; // how many writes are in the bars
  function lay(line, row, told, read) {
    let [left, right] = [0, 0];
    row.forEach((x, j) => {
      const long = x * (j + 1);
      const from = long < 0 ? left += long : right;
      if (long > 0) right += long;
      line.parts[j].style.left = `${across(from).toFixed(3)}%`;
      line.parts[j].style.width = `${(across(from + Math.abs(long)) - across(from)).toFixed(3)}%`;
      const broken = "0.4rem double var(--attn-paper)"; // it goes on
      line.parts[j].style.border = long ? "" : "0"; // nothing seen, nothing drawn
      if (from + Math.abs(long) > high) line.parts[j].style.borderRight = broken;
      if (from < low) line.parts[j].style.borderLeft = broken;
    });
    line.was.hidden = !told;
    line.was.style.setProperty("--t", across(told) / 100);
    write(line.value, number(read));
  }
  const count = h("strong", { style: "font-size: 1.1rem" });
  const readings = { el: answers, cells: lines.map(({ el }) => [el]) };
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

  // The line beside the buttons keeps the room of its longest form
  const done = (to) =>
    to ? `${to} of ${n} written${to < n ? `; next ${tokens[to]} = ${to + 1}` : ""}` : "nothing is written yet";
  const longest = Math.max(...Array.from({ length: n + 1 }, (_, to) => done(to).length));
  steps.el.querySelector(".attn-step").style.minWidth = `min(100%, ${0.53 * longest}em)`;

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
    rule.draw(Object.values(RULES).findIndex((one) => Object.entries(one).every(([name, x]) => get(name) === x)));
    gate.draw(get("alpha"));
    strength.draw(get("beta"));
    steps.draw(step, done(step));
    table.draw(rows, { hidden: (_, j) => j >= step, col: step < n ? step - 1 : -1 });
    const told = last();
    const right = reads.map((x, i) => told[i] && Math.abs(x - told[i]) < NEAR);
    lines.forEach((line, i) => {
      lay(line, rows[i], told[i], tidy(reads[i]));
      write(line.mark, right[i] ? "✓" : told[i] ? `last: ${told[i]}` : "not yet");
      line.mark.style.color = right[i] || !told[i] ? "var(--attn-text)" : "var(--attn-debt)";
      if (step === laid + 1 && rows[i][laid]) fly(line.parts[laid], table.cells[i][laid]); // the new write comes in
    });
    heads.forEach((one, j) => (one.firstChild.style.borderColor = j < step ? hue(named[j], fade[j]) : "transparent"));
    laid = step;
    const off = reads.flatMap((x, i) => (told[i] ? [Math.abs(x - told[i])] : []));
    write(count, number(off.length ? off.reduce((sum, x) => sum + x, 0) / off.length : 0, 2));
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
  const told = h("p", { style: "margin: 0" }, "Off the last value, on average, by ", count);
  return {
    parts: [
      row(rule.el, controls),
      steps.el,
      h("div", { class: "attn-tight" }, row(table.el, h("div", { style: "flex: 1 1 17rem" }, told, answers))),
      origin.el,
      scale.el,
    ],
    draw,
    sentence,
    stop: steps.stop,
  };
}
