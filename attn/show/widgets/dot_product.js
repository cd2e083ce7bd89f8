// One dot product, product by product, with its running total.
import { bare, bdi, factor, figure, h, label, mark, number, products, scroller, stepper, write } from "../kit/kit.js";

export function render(host) {
  return figure(host, {
    title: "Multiply, then add.",
    hint: "Step through: each product lights up and joins the running total.",
    shape: ["q", "k", "names"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const [q, k, names] = ["q", "k", "names"].map(get);
  const d = q.length;
  const sums = q.reduce((all, x, c) => [...all, all[c] + x * k[c]], [0]);
  const steps = stepper({ last: d, onstep: (step) => set({ step }), pace: 1200 });
  const line = (name, told) => {
    const cells = q.map((_, c) => h("td", {}, told(c)));
    return { el: h("tr", {}, h("th", { scope: "row" }, name), cells), cells };
  };
  const lines = [
    line(bdi(names[0]), (c) => number(q[c])),
    line(bdi(names[1]), (c) => number(k[c])),
    line("product", () => ""),
    line("running total", () => ""),
  ];
  const head = h("tr", {}, h("td", {}), q.map((_, c) => h("th", { scope: "col" }, `d${c + 1}`)));
  const table = h(
    "table",
    { class: "attn-dot" },
    h("caption", {}, `${label(names[0])} · ${label(names[1])}`),
    h("thead", {}, head),
    h("tbody", {}, lines.map((one) => one.el)),
  );
  const box = scroller("Products", table);
  const total = h("p", { class: "attn-formula" });

  function draw() {
    const step = get("step");
    steps.draw(step, `Step ${step} of ${d}`);
    q.forEach((x, c) => {
      write(lines[2].cells[c], c < step ? `${factor(x)}·${factor(k[c])} = ${number(x * k[c])}` : "·");
      write(lines[3].cells[c], c < step ? number(sums[c + 1]) : "·");
      lines.forEach((one) => mark(one.cells[c], "data-on", c === step - 1));
    });
    if (step) box.scrollLeft = lines[0].cells[step - 1].offsetLeft - box.clientWidth / 2;
    write(total, `${step < d ? "So far" : "Total"}: ${number(sums[step])}`);
  }
  function sentence() {
    const step = get("step");
    const pair = names.map(bare).join(" · ");
    if (!step) return `Step 0 of ${d}: ${pair} is a sum of ${d} product${d > 1 ? "s" : ""}, not yet added.`;
    const [a, b] = [q[step - 1], k[step - 1]];
    const told = `Step ${step} of ${d}: ${products([a], [b])} = ${number(a * b)}, running total ${number(sums[step])}`;
    return step === d ? `${told}. So ${pair} = ${number(sums[d])}.` : `${told}.`;
  }
  return { parts: [steps.el, box, total], draw, sentence, stop: steps.stop };
}
