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

// A reading's dot, the tick of the value written last, and the miss between them, on the bars and in the legend
const LOOKS = `.attn-read, .attn-miss { position: absolute; top: 50%; translate: -50% -50%; }
.attn-read { width: 11px; height: 11px; border: 2px solid var(--attn-paper); border-radius: 50%; background: var(--attn-text); }
.attn-miss { height: 5px; translate: 0 -50%; background: var(--attn-debt); }
.attn-tells { display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin: 0 0 0.3rem; align-items: baseline; }
.attn-tells > span { position: relative; padding-left: 1.4em; white-space: nowrap; }
.attn-tells :is(.attn-read, .attn-was) { left: 0.5em; }
.attn-tells .attn-was { inset-block: 0.15em; }
.attn-tells .attn-miss { left: 0; width: 1em; }
.attn-fold { box-sizing: border-box; border: 1.5px solid var(--ink, var(--attn-soft));
  background: repeating-linear-gradient(135deg, var(--ink, var(--attn-soft)) 0 2px, var(--attn-paper) 2px 6px); }
.attn-tells .attn-fold { position: absolute; inset: 0.25em auto 0.25em 0; width: 1em; }`;
const TRACKS = "max-width: none; gap: 0.35rem 0; grid-template-columns: max-content 1fr 3.6rem 4.5rem";
// The chapter's rules: what is kept at every step, how much of a write comes in, whether it takes away what was there
const RULES = {
  adding: { alpha: 1, beta: 1, erase: false },
  "decay 0.7": { alpha: 0.7, beta: 1, erase: false },
  delta: { alpha: 1, beta: 1, erase: true },
  "gated delta 0.9": { alpha: 0.9, beta: 1, erase: true },
};
const BROKEN = "0.4rem double var(--attn-paper)"; // it goes on
const NEAR = 0.05; // so close to the last value counts as read
// The rule by the name of its button, whatever the slider says of its strength
const named = (alpha, erase) => (erase ? (alpha < 1 ? "Gated delta" : "Delta") : alpha < 1 ? "Decay" : "Adding");
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
  const owner = tokens.map((name) => questions.indexOf(name));
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
  for (const cell of table.cells.flat()) cell.style.cssText += "; box-sizing: content-box; min-width: 3.1em"; // −0.81 too
  const last = () => questions.map((name) => tokens.slice(0, step).lastIndexOf(name) + 1);
  // A reading is laid end to end, seen · value of each write in its colour; what is below zero is folded back, hatched, from
  // where the others end, so that the colours end at what is read. Zero and scale are the figure's: no slider and no write
  // moves them, and what does not fit is broken off.
  const [low, high] = [-n / 3, 1.25 * n];
  const across = (x) => 100 * (Math.min(Math.max(x, low), high) - low) / (high - low);
  const lines = questions.map((name) => {
    // of each write a part of what is laid, and over all of them one that is folded back: one of the two is seen
    const [parts, folds] = [0, 1].map(() => tokens.map(() => h("span", { class: "attn-part" })));
    for (const part of [...parts, ...folds]) ease(part, "width 400ms, left");
    parts.forEach(({ style }, j) => (style.background = hue(owner[j], fade[j])));
    folds.forEach((fold, j) => {
      fold.classList.add("attn-fold");
      fold.style.setProperty("--ink", hue(owner[j], 1));
    });
    const [was, miss, dot] = ["was", "miss", "read"].map((kind) => h("span", { class: `attn-${kind}` }));
    for (const one of [miss, dot]) ease(one, "left 400ms, width");
    const zero = h("span", { class: "attn-was", style: "width: 1px; background: var(--attn-edge)" });
    zero.style.setProperty("--t", across(0) / 100);
    const track = h(
      "span",
      { class: "attn-track", style: "height: 1.5em", "aria-hidden": "true" },
      parts,
      folds,
      zero,
      was,
      miss,
      dot,
    );
    const [value, mark] = ["attn-value", null].map((kind) => h("span", { class: kind }));
    mark.style.whiteSpace = "nowrap";
    const el = h("li", { class: "attn-mark" }, h("span", { class: "attn-name" }, bdi(name)), track, value, mark);
    return { el, parts, folds, was, miss, dot, value, mark };
  });
  const answers = h(
    "ul",
    { class: "attn-bars", role: "list", "aria-label": "What each question reads", style: TRACKS },
    lines.map((one) => one.el),
  );
  function place({ style }, from, to) {
    style.left = `${across(from).toFixed(3)}%`;
    style.width = `${(across(to) - across(from)).toFixed(3)}%`;
  }
  let laid = step; // how many writes are in the bars
  function lay(line, row, told, read) {
    const whole = row.reduce((sum, x, j) => sum + Math.max(x, 0) * (j + 1), 0);
    let [start, end] = [0, whole];
    row.forEach((x, j) => {
      const long = Math.abs(x) * (j + 1);
      const [from, to] = x < 0 ? [end - long, end] : [start, start + long];
      if (x < 0) end = from;
      else start = to;
      for (const [piece, is] of [[line.parts[j], x > 0], [line.folds[j], x < 0]]) {
        place(piece, from, is ? to : from);
        piece.style.border = is ? "" : "0"; // nothing seen, nothing drawn
        if (is && to > high) piece.style.borderRight = BROKEN;
        if (is && from < low) piece.style.borderLeft = BROKEN;
      }
    });
    line.dot.hidden = read < low || read > high;
    line.dot.style.left = `${across(read).toFixed(3)}%`;
    line.miss.hidden = !told;
    place(line.miss, Math.min(read, told), Math.max(read, told));
    line.was.hidden = !told;
    line.was.style.setProperty("--t", across(told) / 100);
    write(line.value, number(read));
  }
  const count = h("strong", { style: "display: inline-block; min-width: 2.6em; font-size: 1.1rem" });
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
      if (step === laid + 1 && rows[i][laid]) {
        fly((rows[i][laid] < 0 ? line.folds : line.parts)[laid], table.cells[i][laid]); // the new write comes in
      }
    });
    heads.forEach((one, j) => (one.firstChild.style.borderColor = j < step ? hue(owner[j], fade[j]) : "transparent"));
    laid = step;
    const off = reads.flatMap((x, i) => (told[i] ? [Math.abs(x - told[i])] : []));
    write(count, off.length ? number(off.reduce((sum, x) => sum + x, 0) / off.length, 2) : "–");
    origin.draw();
  }
  function sentence() {
    const told = known().reads.slice(0, 6).map((x, i) => `${quoted(questions[i])} reads ${number(tidy(x))}`).join(", ");
    return `${named(get("alpha"), get("erase"))}, α = ${number(get("alpha"))}, β = ${number(get("beta"))}${
      step < n ? `, ${step} of ${n} written` : ""
    }: ${told}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, gate.el, strength.el);
  const keys = [["read", "reads"], ["was", "last"], ["fold", "below zero"], ["miss", "mean miss "]];
  const told = h(
    "p",
    { class: "attn-tells" },
    keys.map(([kind, words]) => {
      const key = h("span", { class: `attn-${kind}`, "aria-hidden": "true" });
      return h("span", {}, key, words, kind === "miss" ? count : null);
    }),
  );
  return {
    parts: [
      h("style", {}, LOOKS),
      row(rule.el, controls),
      h("div", { class: "attn-tight" }, row(table.el, h("div", { style: "flex: 1 1 17rem" }, told, answers))),
      steps.el,
      origin.el,
      scale.el,
    ],
    draw,
    sentence,
    stop: steps.stop,
  };
}
