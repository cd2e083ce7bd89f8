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
      "The values 1, 2, 3, … were written under these names in turn. What does each read? Its bar adds seen · value; what is below zero runs back.",
    shape: ["K", "tokens"],
    state: ["alpha", "beta", "erase"],
    build,
  });
}

// A reading is a sum, laid end to end: what is above zero to the right, below it what is below zero runs back to where the
// dot stands. The tick is the value written last, and the bar from it to the dot is the miss.
const LOOKS =
  `.attn-sums { max-width: none; gap: 0.35rem 0; grid-template-columns: max-content 1fr 3.9rem 1.5rem 2.9rem; }
.attn-live .attn-sums li { gap: 0.5rem; margin: 0; }
.attn-sums li > :nth-child(n + 3) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.attn-sums li > :nth-child(5) { color: var(--attn-debt); }
.attn-live .attn-sums .attn-heads { align-items: end; color: var(--attn-soft); font-size: 0.9em; line-height: 1.2; }
.attn-heads > * > span { display: block; position: relative; height: 14px; }
.attn-heads :is(.attn-read, .attn-miss, .attn-was) { left: auto; right: 0.6em; bottom: 2px; translate: none; }
.attn-heads .attn-miss { width: 1.4em; right: 0; bottom: 5px; }
.attn-heads .attn-was { inset-block: 0; }
.attn-sums .attn-track { height: 36px; border: 0; }
.attn-sums .attn-part { inset-block: 0 auto; height: 14px; }
.attn-sums .attn-back { top: 14px; height: 9px; }
.attn-rules { position: absolute; inset: 0 0 0 calc(100% / 9); border-left: 1px solid var(--attn-edge);
  background: repeating-linear-gradient(90deg, transparent 0 calc(100% * var(--step) - 1px), var(--attn-line) 0 calc(100% * var(--step))); }
.attn-read, .attn-miss { position: absolute; bottom: 1px; translate: -50%; }
.attn-read { width: 11px; height: 11px; box-sizing: border-box; border: 2px solid var(--attn-paper); border-radius: 50%;
  background: var(--attn-text); }
.attn-miss { bottom: 4px; height: 5px; translate: none; background: var(--attn-debt); }
.attn-sums .attn-ends { position: relative; height: 1.3em; color: var(--attn-soft); font-size: 0.85em; }
.attn-ends span { position: absolute; translate: -50%; }
@media (max-width: 700px) {
  .attn-sums { grid-template-columns: 1fr 3.9rem 1.5rem 2.9rem; }
  .attn-live .attn-sums li { row-gap: 0; }
  .attn-sums .attn-name { text-align: left; }
  .attn-sums li > :nth-child(2) { grid-area: 2 / 1 / auto / -1; }
  .attn-sums li > .attn-ends { grid-row: 1; }
}
.attn-seen thead bdi { display: inline-block; width: min-content; white-space: normal; }
.attn-seen { container-type: inline-size; }
.attn-live .attn-seen .attn-matrix tbody td { min-width: 3.1em; box-sizing: content-box; padding-inline: 0.2rem; } /* −0.81 too */
@media (max-width: 480px) {
  .attn-live .attn-seen .attn-matrix :is(td, th) { padding-inline: 0; font-size: 0.72em; }
  .attn-live .attn-seen .attn-matrix tbody td { padding-inline: 0; }
}
@container (min-width: 720px) {
  .attn-beside { align-items: end; flex-wrap: nowrap; column-gap: 0; }
  .attn-beside > .attn-scroll { flex: none; margin-bottom: calc(1.5rem - 4px); }
  .attn-live .attn-beside tbody tr { height: 40px; }
  .attn-live .attn-beside .attn-sums { row-gap: 0; grid-template-columns: 0 1fr 3.9rem 1.5rem 2.9rem; }
  .attn-beside .attn-sums > .attn-mark { height: 42px; }
  .attn-beside .attn-sums > :last-child { height: 1.5rem; }
  .attn-beside .attn-name { visibility: hidden; }
}`;
// The chapter's rules: what is kept at every step, how much of a write comes in, whether it takes away what was there
const RULES = {
  adding: { alpha: 1, beta: 1, erase: false },
  "decay 0.7": { alpha: 0.7, beta: 1, erase: false },
  delta: { alpha: 1, beta: 1, erase: true },
  "gated delta 0.9": { alpha: 0.9, beta: 1, erase: true },
};
const BACK = 1 / 8; // as far as this, of what is seen to the right, an axis goes below zero
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
      go(0);
    },
  });
  const go = (to) => {
    step = to;
    redraw();
  };
  const table = matrix({
    name: "seen of each write",
    rows: questions,
    cols: tokens.map((name, i) => `${name} =\u00a0${i + 1}`),
    size: [questions.length, tokens.length],
    most,
    tell: (x) => number(Math.round(100 * x) / 100, 2),
    onpick: () => {},
  });
  const heads = [...table.el.querySelectorAll("thead th")];
  for (const one of heads) one.style.fontWeight = 500; // a bold name would widen its column
  for (const { firstChild } of heads) firstChild.style.borderBottom = "4px solid transparent";
  const last = () => questions.map((name) => tokens.slice(0, step).lastIndexOf(name) + 1);
  // Zero stays where it is, whatever the scale: as many values as were written and a quarter, or half as much again, twice
  // that …, and never less than all rules of the buttons need: their bars are compared
  let high = 0;
  const across = (x) => 100 * (x / high + BACK) / (1 + BACK);
  const lines = questions.map((question) => {
    // of each write a part to the right, and one that runs back below: one of the two is seen
    const [parts, backs] = ["", " attn-back"].map((kind) =>
      tokens.map((_, j) => {
        const part = h("span", { class: `attn-part${kind}`, style: `background: ${hue(owner[j], fade[j])}` });
        ease(part, "width 400ms, left");
        return part;
      })
    );
    const [rules, was, miss, dot] = ["rules", "was", "miss", "read"].map((kind) =>
      h("span", { class: `attn-${kind}` })
    );
    for (const one of [was, miss, dot]) ease(one, "left 400ms, width");
    const track = h("span", { class: "attn-track", "aria-hidden": "true" }, rules, parts, backs, was, miss, dot);
    const cells = ["reads", "last", "off by"].map((words) => {
      const told = h("span");
      return { el: h("span", {}, h("span", { class: "attn-voice" }, `${words} `), told), told };
    });
    const name = h("span", { class: "attn-name" }, bdi(question));
    const el = h("li", { class: "attn-mark" }, name, track, cells.map((one) => one.el));
    return { el, parts, backs, was, miss, dot, told: cells.map((one) => one.told) };
  });
  const key = (kind, words) => h("span", {}, h("span", {}, h("span", { class: `attn-${kind}` })), words);
  const marks = [h("span"), h("span"), key("read", "reads"), key("was", "last"), key("miss", "off")];
  const ends = h("span", { class: "attn-ends", "aria-hidden": "true" });
  const mean = h("span");
  const answers = h(
    "ul",
    { class: "attn-bars attn-sums", role: "list", "aria-label": "What each question reads" },
    h("li", { class: "attn-heads", "aria-hidden": "true" }, marks),
    lines.map((one) => one.el),
    h("li", {}, h("span"), ends, h("span", { style: "grid-column: span 2" }, "mean"), mean),
  );
  // Whole numbers from zero on, five steps at most
  function scale(far) {
    high = 1.25 * n;
    for (let k = 0; high < far; k++) high *= k % 2 ? 4 / 3 : 3 / 2;
    const step = [1, 2, 5, 10, 20, 50, 100, 200].find((x) => high / x <= 5);
    answers.style.setProperty("--step", step / high);
    const at = Array.from({ length: Math.floor(high / step) + 1 }, (_, k) => k * step);
    ends.replaceChildren(...at.map((x) => h("span", { style: `left: ${across(x)}%` }, String(x))));
  }
  function place({ style }, from, to) {
    style.left = `${across(from).toFixed(3)}%`;
    style.width = `${(across(to) - across(from)).toFixed(3)}%`;
  }
  let laid = step; // how many writes are in the bars
  function lay(line, row, told, read) {
    let end = 0;
    const pieces = row.map((x, j) => [x * (j + 1), j]);
    // first what is above zero, then from there back
    for (const sign of [1, -1]) {
      for (const [x, j] of pieces) {
        const to = sign * x > 0 ? end + x : end;
        const piece = (sign > 0 ? line.parts : line.backs)[j];
        place(piece, Math.min(end, to), Math.max(end, to));
        piece.style.border = to === end ? "0" : ""; // nothing seen, nothing drawn
        end = to;
      }
    }
    line.dot.style.left = `${across(read).toFixed(3)}%`;
    line.miss.hidden = line.was.hidden = !told;
    place(line.miss, Math.min(read, told), Math.max(read, told));
    line.was.style.left = `calc(${across(told).toFixed(3)}% - 1px)`;
    [number(read), String(told || "–"), told ? number(Math.abs(read - told), 2) : "–"].forEach((x, k) =>
      write(line.told[k], x)
    );
  }
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
  const colours = legend({ kind: "signed", values: [[-most, most]], most });

  // The line beside the buttons keeps the room of its longest form
  const done = (to) =>
    to ? `${to} of ${n} written${to < n ? `; next ${tokens[to]} = ${to + 1}` : ""}` : "nothing is written yet";
  const longest = Math.max(...Array.from({ length: n + 1 }, (_, to) => done(to).length));
  steps.el.querySelector(".attn-step").style.minWidth = `min(100%, ${0.53 * longest}em)`;

  const known = (how = { alpha: get("alpha"), beta: get("beta"), erase: get("erase") }, to = step) => {
    const state = to ? remember(K.slice(0, to), how) : [[]];
    const rows = questions.map((name) => {
      const line = seen(K[tokens.indexOf(name)], state);
      return tokens.map((_, j) => line[j] || 0);
    });
    const reads = rows.map((line) => line.reduce((sum, x, j) => sum + x * (j + 1), 0));
    return { rows: rows.map((line) => line.map(tidy)), reads };
  };
  const farthest = ({ rows, reads }) =>
    Math.max(
      ...rows.map((line) => line.reduce((sum, x, j) => sum + Math.max(x, 0) * (j + 1), 0)),
      ...reads.map((x) => -x / BACK),
    );
  const shared = Math.max(...Object.values(RULES).map((how) => farthest(known(how, n))));
  function draw() {
    const { rows, reads } = known();
    rule.draw(Object.values(RULES).findIndex((one) => Object.entries(one).every(([name, x]) => get(name) === x)));
    gate.draw(get("alpha"));
    strength.draw(get("beta"));
    steps.draw(step, done(step));
    table.draw(rows, { hidden: (_, j) => j >= step, col: step < n ? step - 1 : -1 });
    const told = last();
    scale(Math.max(shared, farthest({ rows, reads })));
    lines.forEach((line, i) => {
      lay(line, rows[i], told[i], tidy(reads[i]));
      if (step === laid + 1 && rows[i][laid]) {
        fly((rows[i][laid] < 0 ? line.backs : line.parts)[laid], table.cells[i][laid]); // the new write comes in
      }
    });
    heads.forEach((one, j) => (one.firstChild.style.borderColor = j < step ? hue(owner[j], fade[j]) : "transparent"));
    laid = step;
    const off = reads.flatMap((x, i) => (told[i] ? [Math.abs(x - told[i])] : []));
    write(mean, off.length ? number(off.reduce((sum, x) => sum + x, 0) / off.length, 2) : "–");
    origin.draw();
  }
  function sentence(rule = named(get("alpha"), get("erase")), written = step) {
    const told = known().reads.slice(0, 6).map((x, i) => `${quoted(questions[i])} reads ${number(tidy(x))}`).join(", ");
    return `${rule}, α = ${number(get("alpha"))}, β = ${number(get("beta"))}${
      written < n ? `, ${written} of ${n} written` : ""
    }: ${told}.`;
  }
  const both = row(table.el, h("div", { style: "flex: 1 1 17rem" }, answers));
  if (n <= 6 && tokens.every((name) => name.length <= 6)) both.classList.add("attn-beside"); // each bar on its row
  const controls = h("div", { class: "attn-sliders" }, gate.el, strength.el);
  return {
    parts: [
      h("style", {}, LOOKS),
      row(rule.el, controls),
      h("div", { class: "attn-tight attn-seen" }, both),
      steps.el,
      origin.el,
      colours.el,
    ],
    draw,
    sentence,
    longest: () => sentence("Gated delta", 0).replaceAll(/[\d.]+(?=[,.:])/g, "10.999"),
    stop: steps.stop,
  };
}
