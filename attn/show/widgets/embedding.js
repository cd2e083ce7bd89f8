// Choose a word: its row of X comes out as a vector, feature by feature, beside the words that have the same.
import { bare, bars, chips, figure, h, largest, mark, matrix, number, quoted, row, vector, write } from "../kit/kit.js";
import { matmul } from "../kit/linalg.js";
import { ease, fly } from "../kit/motion.js";

// e stands upright, each entry before the row that it multiplies. A line goes from its one into the row, out of the row
// and round to the product.
const RULES = `.attn-onehot { max-width: 100%; }
.attn-live .attn-onehot .attn-matrix tbody td { min-width: clamp(2.9rem, 15rem / var(--m), 3.8rem); padding-inline: 3px; }
.attn-live .attn-onehot .attn-matrix :is(tbody td, tbody th, .attn-e) { font-size: 1.4rem; }
.attn-live .attn-onehot .attn-matrix tr[data-sum] > :is(td, th) { font-size: 1.9rem; font-weight: 700; }
.attn-live .attn-onehot .attn-matrix th.attn-press { padding-inline: 0; font-size: 1.2rem; line-height: 1.05; }
.attn-press > small { display: block; margin-inline: -1rem; font-size: 0.75rem; }
.attn-live .attn-embedded { flex: 1 1 13rem; min-width: 0; }
.attn-embedded > .attn-bars { margin-top: 0.6rem; }
.attn-live .attn-onehot .attn-matrix tr > .attn-e { min-width: 1.9em; padding-inline: 2px; background: none; color: var(--attn-soft);
  outline-color: transparent; }
.attn-live .attn-onehot .attn-e > button { width: 100%; min-width: 0; padding: 0; font: inherit; color: inherit; }
.attn-live .attn-onehot tr[data-on] > .attn-e > button { background: var(--attn-accent); color: var(--attn-paper);
  font-weight: 700; }
.attn-live .attn-onehot .attn-matrix tr > :is(.attn-way, .attn-out) { position: relative; min-width: 1.5rem; padding: 0;
  background: none; color: var(--attn-soft); outline: 0; }
.attn-onehot tbody .attn-way::before { content: "·"; }
.attn-onehot :is(.attn-way, .attn-out)::before { border: 0 solid var(--attn-accent); }
.attn-onehot :is(.attn-way, .attn-out)::after { position: absolute; top: calc(50% - 6px);
  border: 6px solid transparent; }
.attn-onehot tr[data-on] > .attn-way::before { content: ""; position: absolute; inset: calc(50% - 1.5px) 4px auto -2px;
  border-top-width: 3px; }
.attn-onehot tr[data-on] > .attn-way::after { content: ""; right: -1px; border-right: 0;
  border-left-color: var(--attn-accent); }
.attn-onehot .attn-out::before { position: absolute; inset: -3px 6px -3px 0; border-right-width: 3px; }
.attn-onehot :is(tr[data-on] ~ tr, tr[data-on], [data-leads]) > .attn-out::before { content: ""; }
.attn-onehot tr[data-on] > .attn-out::before { top: calc(50% - 1.5px); border-top-width: 3px; }
.attn-onehot tr[data-on] ~ tr[data-on]:not([data-sum]) > .attn-out::before { top: -3px; border-top-width: 0;
  background: linear-gradient(var(--attn-accent) 0 0) center / 100% 3px no-repeat; }
.attn-onehot tr[data-sum] > .attn-out::before { inset: -3px 6px calc(50% - 1.5px) 4px; border-width: 0 3px 3px 0; }
.attn-onehot tr[data-sum] > .attn-out::after { content: ""; left: -1px; border-left: 0;
  border-right-color: var(--attn-accent); }
.attn-onehot [data-leads] { height: 0.9rem; }
.attn-live .attn-onehot tr[data-leads] > td { background: none; outline: 0; }
.attn-onehot tr[data-sum] > td { position: relative; z-index: 2; }
.attn-live .attn-embedded > .attn-bars { max-width: none; grid-template-columns: max-content 1fr minmax(2rem, max-content);
  font-size: 1.3em; }
.attn-live .attn-embedded > p { margin: 0; color: var(--attn-text); font-size: 1.2em; }
@media (max-width: 480px) { .attn-live .attn-onehot .attn-matrix :is(tbody td, tbody th, .attn-e) { font-size: 1.15rem; }
  .attn-live .attn-onehot .attn-matrix tr[data-sum] > :is(td, th) { font-size: 1.5rem; }
  .attn-live .attn-onehot .attn-matrix :is(td, th) { padding-inline: 1px; }
  .attn-live .attn-onehot th[scope="row"] { padding-right: 0.35rem; }
  .attn-live .attn-onehot .attn-matrix tbody td { min-width: 1.9rem; }
  .attn-live .attn-onehot .attn-matrix tr > .attn-e { min-width: 1.7rem; }
  .attn-live .attn-onehot tr > :is(.attn-way, .attn-out) { min-width: 1.3rem; } }`;

const brief = (x) => number(x).replace(/(\.\d+?)0+$/, "$1");
const STEPS = [0, 1, 0.5]; // what an entry of e becomes, press by press

export function render(host) {
  return figure(host, {
    title: "From a word to a vector.",
    hint: "The 1 of e picks a row of X. Press more numbers of e.",
    shape: ["X", "tokens"],
    state: ["selected"],
    build,
  });
}

function build(get, set, redraw) {
  const [X, tokens] = [get("X"), get("tokens")];
  const names = X[0].map((_, j) => `d${j + 1}`);
  const pick = (selected) => {
    if (mine) mine = null, redraw();
    set({ selected });
  };
  let mine = null; // e as the reader has set it, by hand; else a one at the chosen word
  const vectored = () => mine || X.map((_, k) => Number(k === get("selected")));
  const words = chips({ names: tokens, title: "Word", onpick: pick });
  const size = [X.length, X[0].length];
  const table = matrix({ name: `X (${size.join("×")})`, rows: tokens, size, onpick: pick });
  const whole = table.el.querySelector("table");
  const [first, ...lines] = whole.querySelectorAll("tr");
  const way = () => h("td", { class: "attn-way", "aria-hidden": "true" });
  const out = () => h("td", { class: "attn-out", "aria-hidden": "true" });
  const e = lines.map((line, k) => {
    const turn = () => {
      mine = vectored().map((x, i) => (i === k ? STEPS[(STEPS.indexOf(x) + 1) % STEPS.length] : x));
      redraw();
    };
    // the table must not take its Enter
    const entry = h("button", { type: "button", onclick: turn, onkeydown: (event) => event.stopPropagation() });
    line.firstChild.after(h("td", { class: "attn-e" }, entry), way());
    line.append(out());
    return entry;
  });
  const press = ["one-hot:", "press"].map((told) => h("small", { "aria-hidden": "true" }, told));
  first.firstChild.after(h("th", { scope: "col", class: "attn-press" }, "e", press), way());
  first.append(h("td"));
  // the product stands below its right factor, in the same columns
  const product = names.map(() => h("td", {}));
  const told = h("th", { scope: "row", colspan: 3, "aria-label": "e X" }, "e X =");
  const leads = h("tr", { "data-leads": true, "aria-hidden": "true" }, h("td", { colspan: 3 + size[1] }), out());
  const line = h("tr", { "data-on": true, "data-sum": true }, told, product, out());
  whole.append(h("tbody", {}, leads, line));
  table.el.style.setProperty("--m", size[1]);
  const whose = h("strong");
  const shown = bars({ names, title: "The chosen word's vector" });
  const most = largest(X);
  shown.el.style.flex = "1 1 auto";
  [...shown.el.children].forEach((item) => {
    ease(item.querySelector(".attn-fill"), "width");
  });
  let before = null;

  function draw() {
    const i = get("selected");
    if (before !== i) mine = null;
    words.draw(i);
    table.draw(X, { row: i });
    const now = vectored();
    const [made] = matmul([now], X);
    e.forEach((entry, k) => {
      write(entry, now[k] === 0.5 ? "½" : String(now[k]));
      entry.setAttribute("aria-label", `e at ${bare(tokens[k])}: ${now[k]}`);
      mark(lines[k], "data-on", now[k]);
    });
    product.forEach((cell, j) => {
      write(cell, brief(made[j]));
      cell.style.setProperty("--t", Math.max(-1, Math.min(made[j] / most, 1)).toFixed(4));
      mark(cell, "data-minus", made[j] < 0);
    });
    write(whose, mine ? "e X, a mixture of rows" : `e X, the vector of ${quoted(tokens[i])}`);
    shown.draw(made, { most: Math.max(most, largest(made)) });
    if (before !== null && before !== i) {
      product.forEach((node, j) => fly(node, table.cells[i][j], { time: 700 }));
    }
    before = i;
  }
  // What e X adds: at most three rows by name
  const added = (e) => {
    const terms = e.flatMap((x, k) => (x ? [`${x === 1 ? "" : "½ · "}row ${quoted(tokens[k])}`] : []));
    const rows = terms.length > 3 ? `${terms.length} rows` : terms.join(" + ") || "no row";
    return `e X = ${rows} = ${vector(matmul([e], X)[0])}.`;
  };
  const longest = () => added(X.map((_, k) => (k < 3 ? 0.5 : 0)));
  const sentence = () => {
    const i = get("selected");
    return mine ? added(mine) : `${quoted(tokens[i])} is row ${i} of X: ${vector(X[i])}.`;
  };
  const sum = h(
    "div",
    { class: "attn-large-cells" },
    row(
      h("div", { class: "attn-onehot" }, table.el),
      h(
        "div",
        { class: "attn-embedded", style: `--m: ${size[1]}` },
        h("p", { class: "attn-note" }, whose),
        shown.el,
      ),
    ),
  );
  return { parts: [h("style", {}, RULES), words.el, sum], draw, sentence, longest };
}
