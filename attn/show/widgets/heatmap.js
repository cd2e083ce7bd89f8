// A matrix in colour, with its numbers, its legend, and the chosen row as bars below its columns.
import {
  bdi,
  extremes,
  figure,
  h,
  label,
  largest,
  legend,
  mark,
  matrix,
  number,
  provenance,
  quoted,
  rowOf,
} from "../kit/kit.js";
import { grand, written } from "../kit/large.js";

const MANY = 20; // more rows keep their own small size; more columns share the width, their numbers told when pointed at

export function render(host) {
  const [title, kind, name] = ["title", "kind", "name"].map((part) => host.model.get(part));
  return figure(host, {
    title: title || (kind === "weight" ? "Where each word looks." : `${name}, cell by cell.`),
    hint: "Point at a cell: its row stands below as bars.",
    shape: ["values", "tokens", "key_tokens", "kind", "name", "down", "across", "scale", "made"],
    state: ["row", "col"],
    build,
  });
}

// What full colour is in each cell: the largest of the matrix, of its row or of its column; of weights it is 1.
function fullest(values, kind, scale) {
  const whole = kind === "weight" ? 1 : largest(values);
  const columns = values[0].map((_, j) => largest(values.map((line) => line[j])));
  const rows = values.map((line) => largest(line));
  return (i, j) => kind === "weight" ? whole : { row: rows[i], column: columns[j] }[scale] || whole;
}

function build(get, set) {
  const [values, tokens, keys, kind, name] = ["values", "tokens", "key_tokens", "kind", "name"].map(get);
  const scale = get("scale") || "matrix";
  const made = get("made") || [];
  const size = [tokens.length, keys.length];
  const full = fullest(values, kind, scale);
  const known = (x) => x !== null && x > -Infinity;
  const table = matrix({
    name: `${name} (${size.join("×")})`,
    rows: tokens,
    cols: keys,
    size,
    kind,
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const share = (i, j) => known(values[i][j]) ? values[i][j] / full(i, j) : 0;
  if (scale !== "matrix" && kind !== "weight") {
    table.draw(values);
    table.cells.forEach((line, i) => line.forEach((cell, j) => cell.style.setProperty("--t", share(i, j).toFixed(4))));
  }

  // The chosen row as bars, each below its column; where numbers are below zero, zero is in the middle. Rows of weights
  // are compared, so one height holds for all of them.
  const both = values.flat().some((x) => known(x) && x < 0);
  const tallest = kind === "weight" ? largest(values) : 1;
  const bars = keys.map(() => h("i", {}));
  const side = h("th", { scope: "row" });
  const foot = h("tfoot", { "aria-hidden": "true" }, h("tr", {}, side, bars.map((bar) => h("td", {}, bar))));
  if (both) foot.style.setProperty("--zero", "50%");
  table.el.querySelector("table").append(foot);

  // Where it stands in a line of numbers, by its size
  const rank = (x, line) => {
    const above = line.filter((other) => known(other) && other > x).length;
    const below = line.filter((other) => other < x || !known(other)).length;
    if (!above) return below ? "largest of" : "equal to the rest of";
    return below ? `${["2nd", "3rd"][above - 1] || `${above + 1}th`} largest of` : "smallest of";
  };
  const origin = provenance([[table, (i, j) => {
    const x = values[i][j];
    const place = `${number(x)}: row ${quoted(tokens[i])}, column ${quoted(keys[j])}`;
    const ranks = `${rank(x, values[i])} its row, ${rank(x, values.map((line) => line[j]))} its column`;
    return { told: made[i * keys.length + j] || (known(x) ? `${place}; ${ranks}` : place), from: rowOf(table, i) };
  }]], made.length ? undefined : "");
  // The bars are those of the row that is pointed at, and go back to the chosen one.
  let pointed = null;
  let chosen = null;
  const point = (row) => row !== pointed && (pointed = row, stand());
  table.el.addEventListener("pointerover", ({ target }) => {
    const at = target.closest("td[data-at]")?.dataset.at;
    if (at) point(parseInt(at));
  });
  table.el.addEventListener("pointerleave", () => point(null));

  function stand() {
    const i = pointed ?? get("row");
    side.replaceChildren(bdi(tokens[i]));
    bars.forEach((bar, c) => {
      const long = (share(i, c) / tallest) * (both ? 50 : 100);
      bar.style.height = `${Math.abs(long).toFixed(2)}%`;
      bar.style.bottom = `${((both ? 50 : 0) + Math.min(long, 0)).toFixed(2)}%`;
      mark(bar, "data-minus", long < 0);
      mark(bar, "data-on", i === get("row") && c === get("col"));
    });
  }
  function draw() {
    const [i, j] = [get("row"), get("col")];
    if (i !== chosen) pointed = null; // keys go where no mouse is
    chosen = i;
    table.draw(values, { row: i, col: j, pick: [i, j] });
    stand();
    origin.draw();
  }
  function sentence() {
    const [i, j] = [get("row"), get("col")];
    const held = `row ${quoted(tokens[i])}, column ${quoted(keys[j])} holds ${number(values[i][j])}`;
    return `${name} (${size.join("×")}): ${held}; the row is ${extremes(values[i], keys)}.`;
  }
  // not all shares are of attention: under a heading of their own, weights are called as the matrix is
  const colours = legend({ kind, values, share: get("title") && kind === "weight" ? name : undefined });
  if (scale !== "matrix" && kind !== "weight") {
    const ramp = colours.el.querySelector(".attn-ramp");
    colours.el.replaceChildren(ramp, `each ${scale} has its own scale: full colour is its largest number`);
  }
  colours.el.append(h("span", {}, `${get("down")} down, ${get("across")} across`));
  const aside = 0.6 * Math.min(12, Math.max(...tokens.map((token) => label(token).length))) + 2;
  const picture = size[0] > MANY
    ? h("div", {}, table.el)
    : grand({ wide: size[1], aside, told: written(values), tall: size[0] + 2 }, table.el);
  picture.classList.add("attn-heat");
  mark(picture, "data-fine", size[1] > MANY && size[0] <= MANY);
  return {
    parts: [picture, colours.el, origin.el],
    draw,
    sentence,
  };
}
