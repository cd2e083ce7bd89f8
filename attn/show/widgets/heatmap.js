// A matrix in colour, with its numbers, its legend, and the chosen row as bars: beside a small matrix, below a wide one.
import {
  bars,
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
  percent,
  provenance,
  quoted,
  rowOf,
} from "../kit/kit.js";
import { grand, written } from "../kit/large.js";

const MANY = 20; // more rows keep their own small size; more columns share the width, their numbers told when pointed at
const FEW = 8; // so many columns leave room for the bars beside them

const RULES = `.attn-heat > div { --most: clamp(1.6rem, 21rem / var(--tall), 3.4rem);
  --w: clamp(2.2rem, (100cqw - var(--aside)) / var(--wide) - 3px, 5.6rem); }
.attn-heat[data-fine] > div { --w: max(0.3rem, (100cqw - var(--aside)) / var(--wide) - 3px); --u: 2rem; }
.attn-live .attn-heat[data-fine] th[scope="col"] { min-width: 0; max-width: var(--w); padding: 0;
  font-size: clamp(8.5px, var(--w) * 0.8, 14px); }
.attn-live .attn-heat[data-fine] :is(thead, tfoot) td { min-width: 0; padding: 0; }
.attn-live .attn-heat[data-fine] bdi { overflow: visible; }
.attn-live .attn-heat[data-fine] .attn-matrix tbody td { font-size: 0; } /* read aloud, not seen */
.attn-live .attn-heat tfoot td { position: relative; height: 3rem;
  background: linear-gradient(var(--attn-line) 0 0) 0 var(--zero, 100%) / 100% 1px no-repeat; }
.attn-heat tfoot i { position: absolute; inset-inline: 20%; border-radius: 2px; background: var(--attn-bar);
  opacity: 0.65; }
.attn-heat tfoot i[data-minus] { background: var(--attn-debt); }
.attn-heat tfoot i[data-on] { opacity: 1; }
.attn-heated { container-type: inline-size; }
.attn-heated > div { display: grid; grid-template-columns: minmax(0, var(--part)) minmax(0, 1fr); gap: 0.5rem 1.5rem;
  align-items: center; }
.attn-heated .attn-bars { --bar: clamp(1.6rem, 13rem / var(--keys), 3.4rem); max-width: none;
  grid-template-columns: max-content minmax(0, 1fr) 4.5rem; line-height: 1.2; }
.attn-live .attn-heated p { margin: 0 0 0.3rem; color: var(--attn-soft); }
.attn-live .attn-heated .attn-bars li { margin: 0; }
.attn-live .attn-heated .attn-bars li:last-child { align-items: start; color: var(--attn-soft); font-size: 0.85em; }
.attn-heated .attn-track { height: var(--bar); border: 0; background: linear-gradient(var(--attn-edge) 0 0)
  var(--zero) 0 / 1.5px 100% no-repeat, linear-gradient(90deg, var(--attn-line) 1px, transparent 0)
  0 0 / calc(50% - 0.5px) 100%; border-right: 1px solid var(--attn-line); }
.attn-heated .attn-fill { inset-block: 16%; }
.attn-heated .attn-bars li:not([data-on]) .attn-fill { opacity: 0.65; }
.attn-heated li[data-on] .attn-value { font-weight: 700; }
.attn-heated li[data-on] .attn-name { color: var(--attn-text); }
.attn-heated .attn-value { font-size: 1.1em; }
.attn-heat-ticks { display: flex; justify-content: space-between; margin-inline: -1.5rem; }
.attn-heat-ticks > span { width: 3rem; text-align: center; }
@container (max-width: 34rem) {
  .attn-heated > div { grid-template-columns: minmax(0, 1fr); }
  .attn-heated .attn-bars { --bar: clamp(1.6rem, 9rem / var(--keys), 2.2rem); }
}
@media (prefers-reduced-motion: no-preference) {
  .attn-heat tfoot i { transition: height 0.35s, bottom 0.35s; }
  .attn-heated .attn-fill { transition: width 0.35s; }
}`;

export function render(host) {
  const [title, kind, name] = ["title", "kind", "name"].map((part) => host.model.get(part));
  return figure(host, {
    title: title || (kind === "weight" ? "Where each word looks." : `${name}, cell by cell.`),
    hint: "Point at a cell: its row is drawn as bars.",
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

  // The chosen row as bars: beside the matrix, on the scale of its colours; where there are many columns each stands
  // below its own. Where numbers are below zero, zero is in the middle.
  const both = values.flat().some((x) => known(x) && x < 0);
  const few = size[1] <= FEW && size[0] <= 12;
  const side = few ? h("strong", {}) : h("th", { scope: "row" });
  const list = few ? beside() : below();

  function beside() {
    const { el, draw } = bars({ names: keys, title: "The row as bars" });
    const one = kind === "weight" || scale === "matrix";
    const most = one ? number(full(0, 0)) : "";
    const ticks = both ? [most && `−${most}`, "0", most] : ["0", kind === "weight" ? "0.5" : "", most];
    el.append(
      h(
        "li",
        { "aria-hidden": "true" },
        h("span"),
        h("span", { class: "attn-heat-ticks" }, ticks.map((told) => h("span", {}, told))),
      ),
    );
    return {
      el: h("div", {}, h("p", {}, "row ", side), el),
      draw(i) {
        draw(keys.map((_, c) => share(i, c)), {
          most: 1,
          on: i === get("row") ? get("col") : -1,
          tell: (_, c) => number(values[i][c]),
        });
        mark(el, "data-both", both);
      },
    };
  }
  // Rows of weights are compared, so one height holds for all of them
  function below() {
    const tallest = kind === "weight" ? largest(values) : 1;
    const feet = keys.map(() => h("i", {}));
    const foot = h("tfoot", { "aria-hidden": "true" }, h("tr", {}, side, feet.map((bar) => h("td", {}, bar))));
    if (both) foot.style.setProperty("--zero", "50%");
    table.el.querySelector("table").append(foot);
    return {
      el: null,
      draw: (i) =>
        feet.forEach((bar, c) => {
          const long = (share(i, c) / tallest) * (both ? 50 : 100);
          bar.style.height = `${Math.abs(long).toFixed(2)}%`;
          bar.style.bottom = `${((both ? 50 : 0) + Math.min(long, 0)).toFixed(2)}%`;
          mark(bar, "data-minus", long < 0);
          mark(bar, "data-on", i === get("row") && c === get("col"));
        }),
    };
  }

  // What a number means. A weight is a part of its row's whole; any other is told against the largest beside it, since
  // softmax and the eye see differences.
  const shares = kind === "weight" && values.every((line) => Math.abs(line.reduce((a, b) => a + b) - 1) < 0.01);
  const looks = shares && get("down") === "queries";
  const along = scale === "column" ? "column" : "row";
  function meaning(i, j) {
    const [x, row, column] = [values[i][j], quoted(tokens[i]), quoted(keys[j])];
    if (looks) return `${row} takes ${x ? percent(x) : "nothing"} of its mix from ${column}; its row sums to 1.`;
    if (shares) return `${percent(x)} of the row ${row} stands at ${column}; the row sums to 1.`;
    const place = `${number(x)}: ${name} at ${row}, ${column}`;
    if (!known(x)) return `${place}, which is forbidden.`;
    const [line, names] = along === "row" ? [values[i], keys] : [values.map((one) => one[j]), tokens];
    const others = line.map((one, k) => (known(one) && k !== (along === "row" ? j : i) ? one : -Infinity));
    const most = Math.max(...others);
    if (most === -Infinity) return `${place}.`;
    const off = x - most;
    const next = `${quoted(names[others.indexOf(most)])} (${number(most)})`;
    if (Math.abs(off) < 1e-9) return `${place}, equal to ${next}.`;
    return off > 0
      ? `${place}, the largest of its ${along}, ${number(off)} above ${next}.`
      : `${place}, ${number(-off)} below the largest of its ${along}, ${next}.`;
  }
  const origin = provenance([[
    table,
    (i, j) => ({ told: made[i * keys.length + j] || meaning(i, j), from: rowOf(table, i) }),
  ]], made.length ? undefined : "");
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
    list.draw(i);
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
  const room = few ? `--part:${Math.max(1, size[1] / 5)}fr;--keys:${size[1]};--zero:${both ? "50%" : "0%"}` : "";
  const whole = few ? h("div", { class: "attn-heated" }, h("div", { style: room }, picture, list.el)) : picture;
  return {
    parts: [h("style", {}, RULES), whole, colours.el, origin.el],
    draw,
    sentence,
  };
}
