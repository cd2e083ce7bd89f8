// One dot product, product by product: each is laid where the sum before it ends.
import {
  bare,
  bdi,
  factor,
  figure,
  h,
  label,
  largest,
  mark,
  number,
  products,
  scroller,
  stepper,
  write,
} from "../kit/kit.js";
import { dial } from "../kit/dials.js";
import { appear, flights, grand, written } from "../kit/large.js";

export function render(host) {
  return figure(host, {
    title: "Multiply, then add.",
    hint: "Step: two numbers meet, and their product is laid where the sum ended. Drag any number to change it.",
    shape: ["names"],
    state: ["q", "k", "step"],
    build,
  });
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
    onreset: () => set(first),
    pace: 1800,
  });
  // A number that is changed before anything was added: show what it does
  const change = (name, c, x) =>
    set({ [name]: get(name).map((old, i) => (i === c ? x : old)), step: get("step") || d });
  const dials = ["q", "k"].map((name, s) =>
    first[name].map((_, c) => dial({ heard: `${label(names[s])}, d${c + 1}`, onset: (x) => change(name, c, x) }))
  );
  const lines = first.q.map((_, c) => {
    const product = h("td", { class: "attn-made" });
    const bar = h("span", { class: "attn-laid", "aria-hidden": "true" });
    const told = h("span", { class: "attn-reached" });
    const el = h(
      "tr",
      {},
      h("th", { scope: "row" }, `d${c + 1}`),
      h("td", {}, dials[0][c].el),
      h("td", { class: "attn-sign", "aria-hidden": "true" }, "×"),
      h("td", {}, dials[1][c].el),
      h("td", { class: "attn-sign", "aria-hidden": "true" }, "="),
      product,
      h("td", { class: "attn-way" }, h("div", {}, bar, told)),
    );
    return { el, product, bar, told };
  });
  const head = [
    h("td", {}),
    h("th", { scope: "col" }, bdi(names[0])),
    h("td", {}),
    h("th", { scope: "col" }, bdi(names[1])),
    h("td", {}),
    ...["product", "running total"].map((name) => h("th", { scope: "col" }, name)),
  ];
  const table = h(
    "table",
    { class: "attn-sum" },
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, lines.map((line) => line.el)),
  );
  const total = h("p", { class: "attn-total" });
  let [least, most] = [0, 0];
  let shown = null;

  const sums = () => get("q").reduce((all, x, c) => [...all, all[c] + x * get("k")[c]], [0]);
  function draw() {
    const [q, k, step] = ["q", "k", "step"].map(get);
    const reached = sums();
    // The scale widens where a sum would leave it, and comes back with the first numbers
    if (q === first.q && k === first.k) [least, most] = [0, 0];
    [least, most] = [Math.min(least, ...reached), Math.max(most, ...reached)].map(round);
    if (least === most) most = 1;
    table.style.setProperty("--zero", -least / (most - least));
    [least, 0, most].forEach((x, end) => {
      write(ends[end], x || end === 1 ? String(Number(x.toPrecision(1))).replace("-", "−") : "");
      ends[end].style.left = `${100 * (x - least) / (most - least)}%`;
    });
    steps.draw(step, `Step ${step} of ${d}`);
    lines.forEach(({ el, product, bar, told }, c) => {
      const [from, to] = [reached[c], reached[c + 1]];
      const known = c < step;
      dials[0][c].draw(q[c]);
      dials[1][c].draw(k[c]);
      write(product, known ? number(q[c] * k[c]) : "·");
      write(told, known ? number(to) : "·");
      mark(el, "data-known", known);
      mark(el, "data-on", c === step - 1);
      mark(bar, "data-minus", to < from);
      mark(bar.parentElement, "data-begun", known && c > 0);
      bar.parentElement.style.setProperty("--start", (from - least) / (most - least));
      bar.style.setProperty("--from", (Math.min(from, to) - least) / (most - least));
      bar.style.setProperty("--long", known ? Math.abs(to - from) / (most - least) : 0);
      told.style.setProperty("--from", (Math.max(from, to) - least) / (most - least));
    });
    const parts = q.slice(0, step).map((x, c) => factor(x * k[c]));
    if (parts.length > 8) parts.splice(4, parts.length - 6, "…");
    const pair = names.map(label).join(" · ");
    write(
      total,
      `${pair} = ${parts.join(" + ")}${step < d ? `${step ? " + " : ""}…` : d > 1 ? ` = ${number(reached[d])}` : ""}`,
    );
    if (shown !== null && step === shown + 1) meet(step - 1, q[step - 1] * k[step - 1]);
    else flying.stop();
    shown = step;
  }
  // Both numbers fly into their product, and the product to the end of the sum.
  function meet(c, made) {
    const full = [get("q"), get("k")].flat();
    const { product, bar, told } = lines[c];
    appear(product, 500);
    for (const sum of [bar, told, total]) appear(sum, 1100);
    const moves = [get("q")[c], get("k")[c]].map((x, s) => ({
      from: dials[s][c].el,
      to: product,
      told: number(x),
      share: x / largest(full),
      start: 0,
      end: 600,
    }));
    flying.fly([
      ...moves,
      { from: product, to: told, told: number(made), share: Math.sign(made) * 0.6, start: 600, end: 1200 },
    ]);
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
  const ends = ["least", "zero", "most"].map(() => h("span"));
  const axis = h("td", { class: "attn-way attn-scale" }, h("div", {}, ends));
  table.append(h("tfoot", { "aria-hidden": "true" }, h("tr", {}, h("td", { colspan: 6 }), axis)));
  const box = grand({ wide: 6, told: written(first.q, first.k) }, scroller("Products", table), flying.el);
  mark(box, "data-many", d > 6);
  return {
    parts: [steps.el, box, total],
    draw,
    sentence,
    stop: () => (steps.stop(), flying.stop()),
    fits: () => get("q").length === d,
  };
}
