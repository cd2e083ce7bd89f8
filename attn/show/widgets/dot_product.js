// One dot product, product by product: each is laid where the sum before it ends.
import { bare, bdi, factor, figure, h, label, mark, number, products, scroller, stepper, write } from "../kit/kit.js";
import { dial } from "../kit/dials.js";
import { appear, flights, grand, stay, written } from "../kit/large.js";

export function render(host) {
  return figure(host, {
    title: "Multiply, then add.",
    hint: "Two numbers meet; the product is laid where the sum ended. Drag a number.",
    shape: ["names"],
    state: ["q", "k", "step"],
    build,
  });
}

// The products, and beside them, on a phone under them, where each is laid: rows of one height. A cell has room for its
// number in bold, so that no column moves
const RULES =
  `.attn-grand > div:has(.attn-sum) { --u: min(3rem, 12cqw); --v: calc(var(--signs) * min(0.78rem, 2.7cqw) + 0.3rem);
  --line: calc(var(--u) + 2px); --size: min(1.3rem, (var(--v) - 0.3rem) / var(--signs) / 0.68); display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 1rem; align-items: start; }
.attn-grand[data-many] > div:has(.attn-sum) { --u: min(2.2rem, 12cqw); }
.attn-live .attn-sum { border-spacing: 2px; }
.attn-live .attn-sum :is(td, th) { box-sizing: border-box; height: var(--u); padding: 0; }
.attn-live .attn-sum thead :is(td, th), .attn-live .attn-run > :first-child { height: 1.8rem; line-height: 1.8rem;
  color: var(--attn-soft); font-size: min(0.93em, 3.1cqw); font-weight: 500; }
.attn-live .attn-sum tbody td:not(.attn-sign) { min-width: var(--v); max-width: var(--v); border-radius: 5px;
  outline: 1px solid var(--attn-line); outline-offset: -1px; font-size: var(--size); }
.attn-live .attn-sum tbody .attn-made.attn-made { min-width: calc(1.75 * var(--v)); }
.attn-live .attn-grand > div:has(.attn-sum) .attn-ghost { box-shadow: none; font-size: calc(0.85 * var(--size)); }
.attn-live .attn-sum tr > .attn-sign { padding: 0 min(0.4rem, 0.6cqw); font-size: 1.1rem; }
.attn-live .attn-sum tr > th[scope="row"] { padding-right: 0.4rem; font-weight: 500; }
.attn-sum [data-on] :is(.attn-made, .attn-dial), .attn-run [data-on] .attn-reached { font-weight: 700; }
.attn-live .attn-sum [data-on] > td:not(.attn-sign) { outline: 2px solid var(--attn-accent); }
.attn-run { --room: calc(var(--signs) * min(0.7rem, 2.4cqw) + 0.5rem); min-width: 0; padding: 5px 0 0; }
.attn-run ol { position: relative; margin: 0 var(--room) 0 0.5rem; padding: 0; list-style: none;
  border-bottom: 1.5px solid var(--attn-edge); background: linear-gradient(var(--attn-edge) 0 0) calc(100% * var(--zero)) / 1.5px no-repeat; }
.attn-live .attn-run li { position: relative; height: var(--line); margin: 0; }
.attn-laid { position: absolute; inset: 18% auto 18% calc(100% * var(--from)); width: max(2px, 100% * var(--long));
  border-radius: 3px; background: var(--attn-bar); }
.attn-laid[data-minus] { background: var(--attn-debt); }
.attn-run li:not([data-known]) > * { visibility: hidden; }
.attn-run li[data-begun]::before { content: ""; position: absolute; top: -50%; left: calc(100% * var(--start)); height: 100%;
  border-left: 1.5px dashed var(--attn-soft); }
.attn-reached { position: absolute; top: 50%; left: calc(100% * var(--from) + 0.25rem); translate: 0 -50%; padding: 0 0.15rem;
  background: var(--attn-paper); font-size: min(1.15rem, 4.4cqw); line-height: 1.2; }
.attn-ends { position: relative; height: 1.5rem; margin: 0 var(--room) 0 0.5rem; }
.attn-ends span { position: absolute; top: 0; padding-top: 5px; translate: -50%; color: var(--attn-soft); font-size: 0.8rem;
  background: linear-gradient(var(--attn-edge) 0 0) 50% 0 / 1.5px 5px no-repeat; }
@container (max-width: 37rem) { .attn-grand > div:has(.attn-sum) { --line: 2.2rem; grid-template-columns: minmax(0, 1fr); }
  .attn-run { padding-top: 0.3rem; } }`;

// Where an axis has its numbers: 0 and what is a round step away from it, six at most.   -> numbers, from least to most
function ticks(least, most) {
  const ten = 10 ** Math.floor(Math.log10((most - least) / 6));
  const step = [1, 2, 5, 10].map((x) => x * ten).find((x) => (most - least) / x <= 6);
  const [from, to] = [Math.ceil(least / step - 1e-9), Math.floor(most / step + 1e-9)];
  return Array.from({ length: to - from + 1 }, (_, k) => Number(((from + k) * step).toPrecision(6)));
}

// Away from 0 to one digit, so that the scale does not tell the sum.
function round(x) {
  const unit = 10 ** Math.floor(Math.log10(Math.abs(x) || 1));
  return Math.sign(x) * unit * Math.ceil(Math.abs(x) / unit - 1e-9);
}

function build(get, set) {
  const names = get("names");
  const d = get("q").length;
  const first = { q: get("q"), k: get("k"), step: 0 };
  const flying = flights();
  const steps = stepper({
    last: d,
    onstep: (step) => set({ step }),
    onreset: () => {
      least = most = 0;
      set(first);
    },
    pace: 2400,
  });
  // A number that is changed before anything was added: show what it does
  const change = (name, c, x) =>
    set({ [name]: get(name).map((old, i) => (i === c ? x : old)), step: get("step") || d });
  const dials = ["q", "k"].map((name, s) =>
    first[name].map((_, c) => dial({ heard: `${label(names[s])}, d${c + 1}`, onset: (x) => change(name, c, x) }))
  );
  const lines = first.q.map((_, c) => {
    const product = h("span");
    const bar = h("span", { class: "attn-laid", "aria-hidden": "true" });
    const told = h("span", { class: "attn-reached" });
    const way = h("li", {}, bar, told);
    const el = h(
      "tr",
      {},
      h("th", { scope: "row" }, `d${c + 1}`),
      h("td", {}, dials[0][c].el),
      h("td", { class: "attn-sign", "aria-hidden": "true" }, "×"),
      h("td", {}, dials[1][c].el),
      h("td", { class: "attn-sign", "aria-hidden": "true" }, "="),
      h("td", { class: "attn-made" }, product),
    );
    return { el, product, way, bar, told };
  });
  const head = [
    ...[...names, "product"].flatMap((name) => [h("td"), h("th", { scope: "col" }, bdi(name))]),
  ];
  const table = h(
    "table",
    { class: "attn-sum" },
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, lines.map((line) => line.el)),
  );
  const [before, added] = [h("span"), h("span")];
  const total = h("p", { class: "attn-total" }, before, added);
  const axis = h("div", { class: "attn-ends", "aria-hidden": "true" });
  const laid = h("ol", { "aria-label": "running total" }, lines.map((line) => line.way));
  const run = h("div", { class: "attn-run" }, h("div", { "aria-hidden": "true" }, "running total"), laid, axis);
  let [least, most] = [0, 0];
  let shown = null;
  const sums = () => get("q").reduce((all, x, c) => [...all, all[c] + x * get("k")[c]], [0]);
  function draw() {
    const [q, k, step] = ["q", "k", "step"].map(get);
    const reached = sums();
    // The scale widens where a sum would leave it, and fits anew where less than half of it is needed
    const ends = [Math.min(...reached), Math.max(...reached)].map(round);
    if (2 * (ends[1] - ends[0]) <= most - least) [least, most] = ends;
    [least, most] = [Math.min(least, ends[0]), Math.max(most, ends[1])];
    if (least === most) most = 1;
    run.style.setProperty("--zero", -least / (most - least));
    axis.replaceChildren(
      ...ticks(least, most).map((x) =>
        h("span", { style: `left: ${100 * (x - least) / (most - least)}%` }, String(x).replace("-", "−"))
      ),
    );
    steps.draw(step, `Step ${step} of ${d}`);
    lines.forEach(({ el, product, way, bar, told }, c) => {
      const [from, to] = [reached[c], reached[c + 1]];
      const known = c < step;
      dials[0][c].draw(q[c]);
      dials[1][c].draw(k[c]);
      write(product, known ? number(q[c] * k[c]) : "·");
      write(told, known ? number(to) : "·");
      mark(way, "data-known", known);
      for (const one of [el, way]) mark(one, "data-on", c === step - 1);
      mark(bar, "data-minus", to < from);
      mark(way, "data-begun", known && c > 0);
      way.style.setProperty("--start", (from - least) / (most - least));
      bar.style.setProperty("--from", (Math.min(from, to) - least) / (most - least));
      bar.style.setProperty("--long", known ? Math.abs(to - from) / (most - least) : 0);
      told.style.setProperty("--from", (Math.max(from, to) - least) / (most - least));
    });
    const parts = q.slice(0, step).map((x, c) => factor(x * k[c]));
    if (parts.length > 8) parts.splice(4, parts.length - 6, "…");
    const last = parts.pop() || "";
    write(before, `${names.map(label).join(" · ")} = ${parts.map((x) => `${x} + `).join("")}`);
    write(added, last + (step < d ? `${step ? " + " : ""}…` : d > 1 ? ` = ${number(reached[d])}` : ""));
    if (shown !== null && step === shown + 1) meet(step - 1);
    else flying.stop();
    shown = step;
  }
  // Both numbers fly into the cell of their product, side by side; a beat, and the product flies to the end of the sum.
  function meet(c) {
    const { el, product, bar, told } = lines[c];
    appear(product, 1000);
    for (const sum of [bar, told, added]) appear(sum, 1700);
    stay(box.closest(".attn-live").querySelector(".attn-say"), 1700);
    const { left, top, width, height } = product.parentNode.getBoundingClientRect();
    const moves = [0.03, 0.44, 0.56].map((from, k) => ({
      from: el.cells[k + 1],
      to: {
        getBoundingClientRect: () =>
          new DOMRect(left + from * width, top + 5, (k === 1 ? 0.12 : 0.41) * width, height - 10),
      },
      told: k === 1 ? "×" : number(get(k ? "k" : "q")[c]),
      share: 0,
      start: 0,
      end: 500,
      until: 1100,
    }));
    flying.fly([...moves, { from: product, to: told, told: product.textContent, share: 0, start: 1300, end: 1800 }]);
  }
  function sentence() {
    const [q, k, step] = ["q", "k", "step"].map(get);
    const reached = sums();
    const pair = names.map(bare).join(" · ");
    if (!step) return `Step 0 of ${d}: ${pair} is a sum of ${d} product${d > 1 ? "s" : ""}, not yet added.`;
    const [a, b] = [q[step - 1], k[step - 1]];
    const told = `Step ${step} of ${d}: ${products([a], [b])} = ${number(a * b)}, running total ${
      number(reached[step])
    }`;
    return step === d ? `${told}. So ${pair} = ${number(reached[d])}.` : `${told}.`;
  }
  const box = grand(
    { wide: 6, told: written(first.q, first.k, first.q.map((x, c) => x * first.k[c])) },
    scroller("Products", table),
    run,
    flying.el,
  );
  mark(box, "data-many", d > 6);
  return {
    parts: [h("style", {}, RULES), steps.el, box, total],
    draw,
    sentence,
    stop: () => (steps.stop(), flying.stop()),
    fits: () => get("q").length === d,
  };
}
