// One output row, assembled from what each word contributes to each dimension.
import {
  chips,
  columnOf,
  factor,
  figure,
  h,
  label,
  largest,
  matrix,
  mixture,
  note,
  number,
  percent,
  products,
  provenance,
  quoted,
  row,
  stack,
  swatch,
  vector,
  write,
} from "../kit/kit.js";
import { transpose } from "../kit/linalg.js";

const MOST = 16; // dimensions that are drawn
const added = (values) => values.reduce((sum, x) => sum + x, 0);

export function render(host) {
  return figure(host, {
    title: "A new vector, assembled.",
    hint: "Choose a word: every bar is one dimension of its new vector, every piece a word's weight × value.",
    shape: ["weights", "V", "tokens"],
    state: ["row"],
    build,
  });
}

function build(get, set) {
  const [weights, V, tokens] = ["weights", "V", "tokens"].map(get);
  const names = weights.length === tokens.length ? tokens : weights.map((_, i) => `r${i + 1}`);
  const dims = Math.min(V[0].length, MOST);
  const contributions = (i) => V.map((line, j) => line.map((x) => weights[i][j] * x));
  const sizes = weights.map((_, i) => transpose(contributions(i)).map((column) => added(column.map(Math.abs))));
  const most = largest(sizes); // one scale for all rows: pieces of equal size are equally long
  const both = V.flat().some((x) => x < 0);
  const who = chips({ names, title: "Output of", onpick: (i) => set({ row: i }) });
  const lines = Array.from({ length: dims }, (_, e) => {
    const [bar, total, shares] = [
      stack({ names: tokens }),
      h("span", { class: "attn-value" }),
      h("span", { class: "attn-shares" }),
    ];
    return {
      bar,
      total,
      shares,
      el: h("li", {}, h("span", { class: "attn-name" }, `d${e + 1}`), bar.el, total, shares),
    };
  });
  const table = matrix({
    name: "weight × value",
    rows: [...tokens, "Σ"],
    size: [V.length + 1, V[0].length],
    onpick: () => {},
  });
  const formula = note();
  const origin = provenance([[table, (j, e) => {
    const [i, column] = [get("row"), transpose(contributions(get("row")))[e]];
    if (j < V.length) return { told: `${number(column[j])} = ${products([weights[i][j]], [V[j][e]])}`, from: [] };
    const terms = column.length > 8 ? [...column.slice(0, 7).map(factor), "…"] : column.map(factor);
    return { told: `${number(added(column))} = ${terms.join(" + ")}`, from: columnOf(table, e).slice(0, -1) };
  }]]);
  const more = V[0].length > dims ? [note(`The first ${dims} of ${V[0].length} dimensions are drawn.`)] : [];

  function draw() {
    const i = get("row");
    const parts = contributions(i);
    const columns = transpose(parts);
    const output = columns.map(added);
    who.draw(i);
    lines.forEach(({ bar, total, shares }, e) => {
      bar.draw(columns[e], most, both);
      write(total, `= ${number(output[e])}`);
      shares.replaceChildren(...told(columns[e], tokens));
    });
    table.draw([...parts, output], { row: V.length });
    origin.draw();
    write(formula, `${mixture(weights[i], tokens)} =`);
  }
  const sentence = () => {
    const i = get("row");
    return `The new vector of ${quoted(names[i])} is ${mixture(weights[i], tokens)} = ${
      vector(transpose(contributions(i)).map(added))
    }.`;
  };
  const list = h(
    "ul",
    { class: "attn-stacks", role: "list", "aria-label": "Contributions to each dimension" },
    lines.map((line) => line.el),
  );
  return { parts: [who.el, formula, row(list, table.el), origin.el, ...more], draw, sentence };
}

// Who contributes which share to one dimension, largest first; what takes away says so.
function told(column, tokens) {
  const total = added(column.map(Math.abs));
  const order = column.map((_, j) => j).filter((j) => column[j]).sort((a, b) =>
    Math.abs(column[b]) - Math.abs(column[a])
  );
  if (!order.length) return ["nothing"];
  const pieces = order.slice(0, 6).map((j) =>
    h(
      "span",
      {},
      swatch(j),
      `${label(tokens[j])} ${column[j] < 0 ? "takes " : ""}${percent(Math.abs(column[j]) / total)}`,
    )
  );
  const rest = added(order.slice(6).map((j) => Math.abs(column[j])));
  return rest ? [...pieces, h("span", {}, `${order.length - 6} more ${percent(rest / total)}`)] : pieces;
}
