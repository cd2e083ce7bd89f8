// Slide the gate and the strength: which writes does each question still see?
import {
  bdi,
  chips,
  figure,
  h,
  mark,
  matrix,
  note,
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
import { remember, seen } from "../kit/memory.js";
import { ease, fly } from "../kit/motion.js";

export function render(host) {
  return figure(host, {
    title: "Which writes are still seen?",
    hint: "Press Next: does each name read its last value?",
    shape: ["K", "tokens"],
    state: ["alpha", "beta", "erase", "written"],
    build,
  });
}

// A reading is a sum, laid end to end and to scale. What is above zero stands on the line; what is below zero hangs under
// its end, hatched, and the dot is where that leaves it. The upright line is the value written last, and the bracket the miss.
// One colour a write, in the table and in the bars. What is not seen is no box: what is seen stands out. A cell has room
// for −0.81. Where a bar has no room beside its row (the container's
// rules) it stands under it: the table's rows leave room, and the bars lie over it.
const RULES = `.attn-sums { max-width: none; gap: 0; grid-template-columns: max-content minmax(0, 1fr) 3.8rem 3.3rem; }
.attn-live .attn-sums li { gap: 0 0.5rem; margin: 0; }
.attn-sums li > :nth-child(n + 3) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.attn-live .attn-sums .attn-heads { align-items: end; color: var(--attn-soft); font-size: 0.9em; }
.attn-sums .attn-track { height: 48px; border: 0; }
.attn-sums .attn-part { inset-block: 15px auto; height: 16px; border: 0 solid var(--attn-edge); background: var(--c); }
.attn-sums .attn-part:not(.attn-back) { border-width: 1px 1px 0 0; }
.attn-sums .attn-back { top: 32px; height: 8px; border-width: 0 0 1px 1px;
  background: repeating-linear-gradient(45deg, var(--c) 0 3px, var(--attn-paper) 3px 5px); }
.attn-live[data-tracing] .attn-sums .attn-part:not([data-source]) { opacity: 0.5; }
.attn-rules { position: absolute; inset: 6px 0 2px; }
.attn-rules span { position: absolute; inset-block: 0; border-left: 1px solid var(--attn-line); }
.attn-rules :first-child { border-color: var(--attn-edge); }
.attn-base { position: absolute; top: 31px; height: 1px; background: var(--attn-text); }
.attn-sums .attn-was { inset-block: 12px 2px; }
.attn-wanted { position: absolute; top: -1px; translate: -50%; padding: 0 3px; background: var(--attn-paper);
  font-size: 11.5px; line-height: 15px; white-space: nowrap; }
.attn-read { position: absolute; top: 27px; width: 9px; height: 9px; translate: -50%; box-sizing: border-box;
  border: 1px solid var(--attn-paper); border-radius: 50%; background: var(--attn-text); }
.attn-miss { position: absolute; top: 41px; height: 5px; box-sizing: border-box; border: 0 solid var(--attn-text);
  border-width: 0 1.5px 1.5px; }
.attn-sums .attn-ends { position: relative; height: 1.4em; color: var(--attn-soft); font-size: 0.85em; }
.attn-ends span { position: absolute; translate: -50%; }
.attn-live .attn-stepper > :last-child { min-width: min(100%, 16em); }
.attn-readings { flex: 1 1 17rem; min-width: 0; }
.attn-knobs { gap: 0 1.4rem; margin: 0.4rem 0; }
.attn-knobs .attn-sliders { flex: 1 1 12rem; max-width: none; grid-template-columns: max-content 1fr 2.4rem; }
.attn-live .attn-seen td[data-at] { background: var(--c); color: hsl(0 0% calc((0.6 - var(--dark)) * (1 - var(--attn-way)) * 9999%)); }
.attn-live .attn-seen td[data-minus] { background: repeating-linear-gradient(135deg, var(--c) 0 3px, var(--attn-paper) 3px 7px); }
.attn-live .attn-seen td[data-slight] { color: var(--attn-soft); font-size: 0.8em; }
.attn-live .attn-seen td:not([data-source], [data-made], :focus-visible) { outline: 0 solid var(--attn-edge); }
.attn-live .attn-seen td[data-new]:not([data-source], [data-made], :focus-visible) { outline-width: 1px; }
.attn-live .attn-seen thead th { font-weight: 500; } /* a bold name would widen its column */
.attn-seen thead bdi { display: inline-block; width: min-content; border-bottom: 6px solid transparent; white-space: normal; }
.attn-live .attn-seen .attn-corner { padding-inline: 0 0.3rem; vertical-align: bottom; color: var(--attn-soft); font-size: 12.5px; text-align: right; }
.attn-seen { container-type: inline-size; margin-top: 0.9rem; }
.attn-sums .attn-mark > :nth-child(3) > :last-child { letter-spacing: -0.035em; }
.attn-live .attn-sums [data-new] > :nth-child(3) > :last-child { font-weight: 700; font-size: 1.3em; }
.attn-live .attn-news { min-height: 1.9em; margin: 0.4rem 0 0; color: var(--attn-soft); font-size: 1.05rem; line-height: 1.9em; }
.attn-news span { padding: 0.25em 0.6em; border-radius: 0.3em; color: #000; font-weight: 700; }
.attn-news strong { color: var(--attn-debt); font-size: 1.5em; line-height: 1; }
.attn-news [data-on] { color: var(--attn-text); }
.attn-sums .attn-mark:not([data-off]) > :last-child > :last-child { color: var(--attn-soft); }
.attn-sums [data-off] > :last-child > :last-child { color: var(--attn-debt); }
.attn-live .attn-seen .attn-matrix :is(td, th) { min-width: 3.2em; box-sizing: content-box; padding-inline: 0.2rem; }
@media (max-width: 700px) {
  .attn-sums { grid-template-columns: minmax(0, 1fr) auto auto; }
  .attn-live .attn-sums li { gap: 0 0.9rem; }
  .attn-live .attn-sums .attn-heads { display: none; }
  .attn-sums .attn-name { max-width: none; color: var(--attn-text); text-align: left; }
  .attn-sums .attn-mark > .attn-track { grid-area: 2 / 1 / auto / -1; margin-bottom: 2px; }
  .attn-sums .attn-word { color: var(--attn-soft); }
  .attn-sums li > .attn-ends { grid-area: 1 / 1 / auto / -1; }
  .attn-live .attn-news { min-height: 3.8em; }
  .attn-knobs .attn-sliders { flex-basis: 100%; grid-template-columns: 5.3rem 1fr 2.4rem; }
}
@media (min-width: 701px) {
  .attn-word { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (forced-colors: active) {
  .attn-sums .attn-track { background: var(--attn-paper); forced-color-adjust: none; }
}
@media (max-width: 480px) {
  .attn-stepper [aria-label="Start again"] > span, .attn-chips > [aria-hidden] { display: none; }
  .attn-live .attn-chips button { padding-inline: 0.5rem; font-size: 0.92em; }
  .attn-live .attn-seen .attn-matrix :is(td, th) { padding-inline: 0; font-size: 0.78em; }
  .attn-live .attn-seen .attn-matrix tbody td { min-width: 3.5em; padding: 0.3rem 0; }
}
@container (max-width: 719px) {
  .attn-live .attn-seen > .attn-beside { display: grid; align-items: end; margin: 0; }
  .attn-beside > * { grid-area: 1 / 1; min-width: 0; }
  .attn-live .attn-beside .attn-matrix { width: 100%; margin: 0; border-spacing: 0; }
  .attn-beside > .attn-scroll { margin-bottom: 22px; padding-bottom: 0; }
  .attn-beside :is(.attn-matrix, caption, thead, tbody) { display: block; }
  .attn-live .attn-beside .attn-matrix tr { display: grid; grid-template-columns: var(--names) repeat(var(--m), minmax(0, 1fr)); gap: 3px; }
  .attn-live .attn-beside .attn-matrix tbody tr { height: 34px; margin-bottom: 70px; }
  .attn-live .attn-beside .attn-matrix :is(td, th) { min-width: 0; padding: 0; font-size: 12.5px; place-content: center; display: grid; }
  .attn-live .attn-beside .attn-matrix thead :is(th, td) { font-size: 11.5px; }
  .attn-live .attn-beside .attn-matrix .attn-corner { place-content: start; padding: 0; }
  .attn-live .attn-beside .attn-matrix tbody th { place-content: center start; font-weight: 700; }
  .attn-live .attn-beside .attn-matrix tbody td { min-width: 0; padding: 0; }
  .attn-beside > .attn-readings { pointer-events: none; }
  .attn-live .attn-beside .attn-sums { grid-template-columns: var(--names) minmax(0, 1fr) 6.2rem; }
  .attn-live .attn-beside .attn-sums > .attn-heads { display: none; }
  .attn-live .attn-beside .attn-sums > .attn-mark { box-sizing: border-box; height: 104px; padding: 42px 0 0; gap: 0 0.5rem; grid-template-rows: 24px 24px; }
  .attn-beside .attn-sums .attn-mark > * { pointer-events: auto; }
  .attn-live .attn-beside .attn-sums .attn-name { display: none; }
  .attn-beside .attn-sums .attn-mark > .attn-track { grid-area: 1 / 1 / span 2 / span 2; margin: 0; }
  .attn-beside .attn-sums .attn-mark > :nth-child(3) { grid-area: 1 / 3; align-self: end; }
  .attn-beside .attn-sums .attn-mark > :last-child { grid-area: 2 / 3; font-size: 0.85em; }
  .attn-beside .attn-sums .attn-word { position: static; width: auto; clip-path: none; color: var(--attn-soft); font-size: 12.5px; }
  .attn-beside .attn-sums li > .attn-ends { grid-area: 1 / 1 / auto / span 2; }
  .attn-live .attn-beside .attn-sums > :last-child { height: 22px; grid-template-columns: subgrid; }
}
@container (min-width: 720px) {
  .attn-beside { align-items: end; flex-wrap: nowrap; column-gap: 1.4rem; }
  .attn-beside > .attn-scroll { flex: none; margin-bottom: calc(1.4em - 4px); }
  .attn-live .attn-beside tbody tr { height: 48px; }
  .attn-live .attn-beside .attn-sums { grid-template-columns: 0 minmax(0, 1fr) 3.8rem 3.3rem; }
  .attn-beside .attn-sums > .attn-mark { height: 50px; }
  .attn-beside .attn-sums > :last-child { height: 1.4em; }
  .attn-beside .attn-name { visibility: hidden; }
}`;
// The chapter's rules: what is kept at every step, how much of a write comes in, whether it takes away what was there. A
// press sets all three; the sliders then move the first two, and the name that is lit is that of what comes of it.
const KINDS = {
  adding: { alpha: 1, beta: 1, erase: false },
  decay: { alpha: 0.7, beta: 1, erase: false },
  delta: { alpha: 1, beta: 1, erase: true },
  "gated delta": { alpha: 0.9, beta: 1, erase: true },
};
const BACK = 1 / 8; // as far as this, of what is seen to the right, an axis goes below zero
const named = (erase) => (erase ? "Correcting" : "Adding");
// A name's writes share a hue; one that was written again is paler. All hues are equally light: in the dark theme ink turns
// from white to black at one share of them.
const AGAIN = 0.5;
const tint = (k, share) =>
  `color-mix(in srgb, oklch(0.78 0.12 ${197.5 + k * 137.5}) ${(100 * share).toFixed(1)}%, var(--attn-paper))`;
const tidy = (x) => (Math.abs(x) < 5e-4 ? 0 : x);

function build(get, set) {
  const [K, tokens] = [get("K"), get("tokens")];
  const questions = [...new Set(tokens)];
  const n = tokens.length;
  const asked = tokens.map((name) => questions.indexOf(name)); // by which question each write is
  const rule = chips({
    names: Object.keys(KINDS),
    title: "rule",
    onpick: (i) => set(Object.values(KINDS)[i]),
  });
  const does = h("span", { style: "min-width: 15em" });
  rule.el.append(does);
  const gate = slider({ title: "α, kept", min: 0, max: 1, step: 0.01, oninput: (alpha) => set({ alpha }) });
  const strength = slider({ title: "β, written", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const last = () => questions.map((name) => tokens.slice(0, get("written")).lastIndexOf(name) + 1);
  const now = () => ({ alpha: get("alpha"), beta: get("beta"), erase: get("erase"), written: get("written") });
  const start = now();
  const news = h("p", { class: "attn-news" });
  const steps = stepper({ last: n, onstep: (written) => set({ written }), onreset: () => set(start) });
  const table = matrix({
    name: "seen of each write",
    rows: questions,
    cols: tokens.map((name, i) => `${name} =\u00a0${i + 1}`),
    size: [questions.length, tokens.length],
    tell: (x) => number(Math.round(100 * x) / 100, 2),
    onpick: () => {},
  });
  const heads = [...table.el.querySelectorAll("thead th")];
  write(table.el.querySelector(".attn-corner"), "time\u00a0→"); // writes come from left to right
  // Zero stays where it is, whatever the scale: as many values as were written and a quarter, or half as much again, twice
  // that …, and never less than all rules of the buttons need: their bars are compared
  let high = 0;
  const across = (x) => 100 * (x / high + BACK) / (1 + BACK);
  const lines = questions.map((question) => {
    // of each write a part on the line, and one that hangs below it: one of the two is seen
    const [parts, backs] = ["", " attn-back"].map((kind) =>
      tokens.map(() => {
        const part = h("span", { class: `attn-part${kind}` });
        ease(part, "width 400ms, left");
        return part;
      })
    );
    const [rules, base, miss, was, dot] = ["rules", "base", "miss", "was", "read"].map((kind) =>
      h("span", { class: `attn-${kind}` })
    );
    const wanted = h("span", { class: "attn-wanted" });
    for (const one of [base, was, wanted, miss, dot]) ease(one, "left 400ms, width");
    const on = [rules, ...parts, ...backs, base, was, wanted, miss, dot];
    const track = h("span", { class: "attn-track", "aria-hidden": "true" }, on);
    const cells = ["reads", "should be", "off by"].map((words, k) => {
      const told = h("span");
      const name = h("span", { class: "attn-word" }, `${words} `);
      return { el: h("span", { class: k === 1 ? "attn-voice" : "" }, name, told), told };
    });
    const name = h("span", { class: "attn-name" }, bdi(question));
    const el = h("li", { class: "attn-mark" }, name, track, cells.map((one) => one.el));
    return { el, rules, parts, backs, base, was, wanted, miss, dot, told: cells.map((one) => one.told) };
  });
  const ends = h("span", { class: "attn-ends", "aria-hidden": "true" });
  const hatched = h("span", {}, "Hatched: taken off the end.");
  const answers = h(
    "ul",
    { class: "attn-bars attn-sums", role: "list", "aria-label": "What each question reads" },
    h("li", { class: "attn-heads", "aria-hidden": "true" }, ["", "", "reads", "off by"].map((x) => h("span", {}, x))),
    lines.map((one) => one.el),
    h("li", {}, h("span"), ends),
  );
  // Whole numbers from zero on, five steps at most
  function scale(far) {
    const was = high;
    high = 1.25 * n;
    for (let k = 0; high < far; k++) high *= k % 2 ? 4 / 3 : 3 / 2;
    if (high === was) return;
    const step = [1, 2, 5, 10, 20, 50, 100, 200].find((x) => high / x <= 5);
    const at = Array.from({ length: Math.floor(high / step) + 1 }, (_, k) => k * step);
    const marks = (tell) => at.map((x) => h("span", { style: `left: ${across(x)}%` }, tell(x)));
    ends.replaceChildren(...marks(String));
    for (const { rules } of lines) rules.replaceChildren(...marks(() => ""));
  }
  function place({ style }, from, to) {
    style.left = `${across(Math.min(from, to)).toFixed(3)}%`;
    style.width = `${Math.abs(across(to) - across(from)).toFixed(3)}%`;
  }
  let laid = get("written"); // how many writes are in the bars
  function lay(line, row, told, read, words) {
    let end = 0;
    const pieces = row.map((x, j) => [x * (j + 1), j]);
    // first what is above zero, then from there back
    for (const sign of [1, -1]) {
      for (const [x, j] of pieces) {
        const to = sign * x > 0 ? end + x : end;
        const piece = (sign > 0 ? line.parts : line.backs)[j];
        place(piece, end, to);
        piece.hidden = to === end;
        end = to;
      }
      if (sign > 0) place(line.base, 0, end);
    }
    line.dot.style.left = `${across(read).toFixed(3)}%`;
    line.wanted.hidden = line.was.hidden = !told;
    const off = told && Math.abs(read - told) >= 5e-4;
    line.miss.hidden = !off;
    mark(line.el, "data-off", off);
    place(line.miss, read, told);
    line.was.style.left = `calc(${across(told).toFixed(3)}% - 1px)`;
    line.wanted.style.left = `${across(told).toFixed(3)}%`;
    write(line.wanted, `${words}${told}`);
    [number(read, 2), String(told || "–"), told ? number(Math.abs(read - told), 2) : "–"].forEach((x, k) =>
      write(line.told[k], x)
    );
  }
  const readings = { el: answers, cells: lines.map(({ el }) => [el]) };
  const pieces = { cells: lines.map(({ parts, backs }) => [...parts, ...backs]) };
  const sum = (i) => {
    const { rows, reads } = known();
    return `${quoted(questions[i])} reads ${number(tidy(reads[i]))} = ${
      products(rows[i], tokens.map((_, j) => j + 1))
    }`;
  };
  const origin = provenance([
    [table, (i, j) => {
      const x = known().rows[i][j];
      return {
        told: `Of ${quoted(tokens[j])} = ${j + 1} the question ${quoted(questions[i])} sees ${number(x)}. ${sum(i)}`,
        from: [...rowOf(table, i), [readings, [i, 0]], [pieces, [i, x < 0 ? n + j : j]]],
      };
    }],
    [readings, (i) => ({ told: sum(i), from: [...rowOf(table, i), ...rowOf(pieces, i)] })],
  ]);

  const done = (to) => `${to} of ${n}${to < n ? `, next ${tokens[to]} = ${to + 1}` : " written"}`;

  const known = (how = now()) => {
    const state = how.written ? remember(K.slice(0, how.written), how) : [[]];
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
  const shared = Math.max(...Object.values(KINDS).map((how) => farthest(known({ ...how, written: n }))));
  function paint(rows, step) {
    const newest = last();
    const full = asked.map((k, j) => (newest[k] > j + 1 ? AGAIN : 1));
    const shades = asked.map((k, j) => tint(k, full[j]));
    rows.forEach((line, i) => {
      line.forEach((x, j) => {
        for (const parts of [lines[i].parts, lines[i].backs]) parts[j].style.setProperty("--c", shades[j]);
        const [size, cell] = [Math.min(Math.abs(x), 1), table.cells[i][j]];
        const share = full[j] * (x < 0 ? 0.25 + 0.75 * size : size); // of hatch less is seen
        cell.style.setProperty("--c", tint(asked[j], share));
        cell.style.setProperty("--dark", x < 0 ? 0 : share);
        mark(cell, "data-slight", size < 0.2);
        mark(cell, "data-new", j === step - 1);
      });
    });
    heads.forEach((one, j) => (one.firstChild.style.borderColor = j < step ? shades[j] : ""));
  }
  function draw() {
    const { rows, reads } = known();
    const step = get("written");
    rule.draw(2 * get("erase") + (get("alpha") < 1));
    write(
      does,
      `${get("alpha") < 1 ? "fades all, " : ""}${get("erase") ? "takes away the old" : "writes on top"}`,
    );
    gate.draw(get("alpha"));
    strength.draw(get("beta"));
    steps.draw(step, done(step));
    table.draw(rows, { hidden: (_, j) => j >= step, row: asked[step - 1], col: step - 1 });
    paint(rows, step);
    hatched.style.visibility = rows.flat().some((x) => x < 0) ? "" : "hidden"; // its room stays
    const told = last();
    scale(Math.max(shared, farthest({ rows, reads })));
    const first = told.findIndex(Boolean);
    lines.forEach((line, i) => {
      lay(line, rows[i], told[i], tidy(reads[i]), i === first ? "should be " : "");
      mark(line.el, "data-new", i === asked[step - 1]);
      if (step === laid + 1 && rows[i][laid]) {
        fly((rows[i][laid] < 0 ? line.backs : line.parts)[laid], table.cells[i][laid]); // the new write comes in
      }
    });
    laid = step;
    tell(step, reads);
    origin.draw();
  }
  // The write that came last, and what its name reads for it
  function tell(step, reads) {
    const i = asked[step - 1];
    if (!step) return news.replaceChildren("Nothing is written yet.");
    const [was, is] = [known({ ...now(), written: step - 1 }).reads, reads].map((all) => number(tidy(all[i]), 2));
    const off = lines.filter(({ el }) => "off" in el.dataset).length;
    const right = !("off" in lines[i].el.dataset);
    news.replaceChildren(
      h("span", { style: `background: ${tint(i, 1)}` }, bdi(tokens[step - 1]), ` = ${step}`),
      " is in. It reads ",
      h("s", {}, was),
      " → ",
      h("strong", { "data-on": right }, is),
      right ? `, as it should.${off ? ` ${off} do${off > 1 ? "" : "es"} not.` : ""}` : `, and should read ${step}.`,
    );
  }
  function sentence(rule = named(get("erase")), written = get("written")) {
    const told = known().reads.slice(0, 6).map((x, i) => `${quoted(questions[i])} reads ${number(tidy(x))}`).join(", ");
    return `${rule}, α = ${number(get("alpha"))}, β = ${number(get("beta"))}${
      written < n ? `, ${written} of ${n} written` : ""
    }: ${told}.`;
  }
  const both = row(table.el, h("div", { class: "attn-readings" }, answers));
  if (n <= 6 && tokens.every((name) => name.length <= 6)) both.classList.add("attn-beside"); // each bar on its row, or under it
  both.style.setProperty("--m", n);
  const long = Math.max(4, ...questions.map((name) => name.length)); // no name is cut, nor what stands over them
  both.style.setProperty("--names", `${9.6 * long + 5}px`);
  for (const line of table.el.querySelectorAll("tr")) line.setAttribute("role", "row"); // laid out as a grid it stays one
  const sliders = [gate, strength].map((one) => h("div", { class: "attn-sliders" }, one.el));
  return {
    parts: [
      h("style", {}, RULES),
      rule.el,
      steps.el,
      news,
      h("div", { class: "attn-tight attn-seen" }, both),
      note(["A bar adds up seen · value. Paler: its name was written again. ", hatched]),
      h("div", { class: "attn-row attn-knobs" }, sliders),
      origin.el,
    ],
    draw,
    sentence,
    longest: () => sentence("Correcting", 0).replaceAll(/[\d.]+(?=[,.:])/g, "10.999"),
    stop: steps.stop,
  };
}
