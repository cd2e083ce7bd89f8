// One output row, assembled from what each word contributes to each dimension.
import {
  bdi,
  chips,
  columnOf,
  factor,
  figure,
  h,
  label,
  mark,
  matrix,
  mixture,
  note,
  number,
  percent,
  products,
  provenance,
  quoted,
  restart,
  row,
  vector,
  write,
} from "../kit/kit.js";
import { transpose } from "../kit/linalg.js";

const MOST = 16; // dimensions that are drawn
// A piece is as wide as its word's weight, in every dimension the same, and as high as the word's value there
const RULES =
  `.attn-live .attn-pieces li { grid-template-columns: 1.6rem 1fr 4.5rem; gap: 0 1.5rem; margin-block: 0.7rem; }
.attn-pieces .attn-value { margin-left: -0.8rem; }
.attn-live .attn-pieces .attn-heads { margin-bottom: 0; }
.attn-pieces .attn-track { height: var(--tall); border: 0; }
.attn-pieces .attn-track[role] { cursor: pointer; }
.attn-pieces .attn-track:focus-visible { outline: 3px solid var(--attn-accent); outline-offset: 3px; }
.attn-pieces .attn-rule { position: absolute; inset-inline: -0.3rem 0; border-top: 1px solid var(--attn-line); color: var(--attn-soft);
  font-style: normal; line-height: 1; }
.attn-pieces .attn-rule[data-zero] { border-color: var(--attn-edge); }
.attn-pieces .attn-rule > span { position: absolute; right: calc(100% + 0.25rem); translate: 0 -50%; font-size: 0.75rem; }
.attn-pieces .attn-heads .attn-track { grid-column: 2; height: 1.4em; background: none; font-size: 0.85em; }
.attn-pieces .attn-heads .attn-track > span { position: absolute; overflow: hidden; white-space: nowrap; text-align: center;
  text-overflow: ellipsis; }
.attn-pieces .attn-part { inset-block: auto; text-indent: 0; text-align: center; line-height: 1.25; border-block: 0; pointer-events: auto; }
.attn-pieces .attn-part small { display: block; font-size: 0.9em; }
.attn-pieces .attn-part > span { position: absolute; inset-inline: 0; top: var(--middle); translate: 0 -50%; }
.attn-pieces .attn-part[data-lit] { z-index: 1; overflow: visible; outline: 3px solid var(--attn-debt); outline-offset: -1px; }
.attn-pieces .attn-mean { position: absolute; z-index: 2; inset-inline: 0 -0.4rem; bottom: calc(100% * var(--part)); margin-bottom: -1px;
  border-top: 2px dashed var(--attn-text); pointer-events: none; }
.attn-pieces .attn-value { position: relative; align-self: start;
  top: clamp(-0.35em, var(--tall) * (1 - var(--part)) - 0.75em, var(--tall) - 1.1em); }`;
const whole = (part) => `${Math.round(100 * part)}%`;
const added = (values) => values.reduce((sum, x) => sum + x, 0);

export function render(host) {
  return figure(host, {
    title: "A new vector, assembled.",
    hint: "Every piece is as wide as its word's weight, as high as its value. Press a bar: it melts to the output.",
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
  // One scale for all rows and dimensions: pieces of equal area add equally much
  const drawn = V.map((line) => line.slice(0, dims)).flat();
  const [top, bottom] = [Math.max(0, ...drawn), Math.max(0, ...drawn.map((x) => -x))];
  const span = top + bottom || 1;
  const who = chips({ names, title: "Output of", onpick: (i) => set({ row: i }) });
  who.el.append(restart(get, set, ["row"]));
  const tall = dims < 5 ? 76 : dims < 9 ? 40 : 26; // pixels of a dimension
  const heads = tokens.map((name) => h("span", { title: label(name) }, bdi(name)));
  const lines = Array.from({ length: dims }, (_, e) => {
    const pieces = tokens.map((name, j) =>
      h("span", { class: "attn-part", style: `--k:${j}`, title: label(name) }, h("span", {}))
    );
    const bar = h(
      "div",
      {
        class: "attn-track",
        role: "button",
        tabindex: "0",
        onclick: () => melt(e),
        onkeydown: (event) => {
          if (!["Enter", " "].includes(event.key)) return;
          event.preventDefault();
          melt(e);
        },
      },
      levels(top, bottom, tall),
      pieces,
      h("i", { class: "attn-mean" }),
    );
    const total = h("span", { class: "attn-value" });
    const el = h("li", {}, h("span", { class: "attn-name" }, `d${e + 1}`), bar, total);
    return { pieces, total, bar, el };
  });
  const table = matrix({
    name: "weight × value",
    rows: [...tokens, "Σ"],
    size: [V.length + 1, V[0].length],
    onpick: () => {},
  });
  const origin = provenance([[table, (j, e) => {
    const [i, column] = [get("row"), transpose(contributions(get("row")))[e]];
    if (j < V.length) {
      return {
        told: `${number(column[j])} = ${products([weights[i][j]], [V[j][e]])}; ${share(column, j)} of d${e + 1}`,
        from: [],
      };
    }
    const terms = column.length > 8 ? [...column.slice(0, 7).map(factor), "…"] : column.map(factor);
    return { told: `${number(added(column))} = ${terms.join(" + ")}`, from: columnOf(table, e).slice(0, -1) };
  }]]);
  // A number of the table and its piece point at each other; a sum is all the pieces of its bar
  const lit = (on) => lines.forEach(({ pieces }, e) => pieces.forEach((one, j) => mark(one, "data-lit", on(j, e))));
  const find = ({ target }) => {
    const cell = target.closest("td");
    lit((j, e) => [table.cells[j][e], table.cells[V.length][e]].includes(cell));
  };
  const away = () => lit(() => false);
  for (const [type, act] of Object.entries({ pointerover: find, focusin: find, focusout: away, pointerleave: away })) {
    table.el.addEventListener(type, act);
  }
  lines.forEach(({ pieces, total }, e) =>
    [...pieces, total].forEach((one, j) => {
      const cell = table.cells[j][e];
      one.addEventListener(
        "pointerenter",
        () => cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })),
      );
      one.addEventListener("pointerleave", () => table.el.dispatchEvent(new PointerEvent("pointerleave")));
    })
  );
  const more = V[0].length > dims ? [note(`The first ${dims} of ${V[0].length} dimensions are drawn.`)] : [];

  // Peaks sink and valleys fill up to the level of a bar's output, and stand again.
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const place = (low, high) => {
    const at = (x) => `${(100 * x / span).toFixed(3)}%`;
    return { bottom: at(bottom + low), height: at(high - low) };
  };
  const ends = (x) => [Math.min(x, 0), Math.max(x, 0)];
  function melt(e) {
    const i = get("row");
    const level = place(...ends(added(V.map((line, j) => weights[i][j] * line[e]))));
    if (quiet.matches) return;
    lines[e].pieces.forEach((one, j) => {
      const own = place(...ends(V[j][e]));
      one.getAnimations().forEach((old) => old.cancel());
      const way = [own, { ...level, offset: 0.35 }, { ...level, offset: 0.65 }, own];
      one.animate(way.map((step) => ({ ...step, easing: "ease-in-out" })), 1800);
      // its height is not its value meanwhile
      const gone = [1, 0, 0, 1].map((opacity, k) => ({ opacity, offset: [0, 0.1, 0.9, 1][k] }));
      one.firstChild.animate(gone, 1800);
    });
  }
  let before = null;
  function draw() {
    const i = get("row");
    const parts = contributions(i);
    const columns = transpose(parts);
    const output = columns.map(added);
    who.draw(i);
    const from = weights[i].map((_, j) => 100 * added(weights[i].slice(0, j)));
    const wide = (j) => `left: ${from[j].toFixed(3)}%; width: ${(100 * weights[i][j]).toFixed(3)}%`;
    heads.forEach((one, j) => one.style.cssText = wide(j));
    lines.forEach(({ pieces, total, bar, el }, e) => {
      const y = output[e];
      pieces.forEach((one, j) => {
        const [low, high] = ends(V[j][e]);
        const part = y <= low || y >= high ? [low, high] : y - low > high - y ? [low, y] : [y, high]; // beside the level
        const middle = 100 * (high - (part[0] + part[1]) / 2) / (high - low || 1);
        const { bottom: foot, height } = place(low, high);
        one.style.cssText = `--k:${j}; --middle:${middle}%; ${wide(j)}; bottom: ${foot}; height: ${height}`;
        one.hidden = !weights[i][j];
        const room = (part[1] - part[0]) / span * tall;
        const said = weights[i][j] > 0.09 && room > 15 ? number(V[j][e]) : "";
        const of = said && weights[i][j] > 0.14 && room > 34 ? h("small", {}, share(columns[e], j, whole)) : "";
        one.firstChild.replaceChildren(said, of);
      });
      el.style.setProperty("--part", ((bottom + y) / span).toFixed(4));
      write(total, `= ${number(output[e])}`);
      bar.setAttribute("aria-label", `d${e + 1}: melt to ${number(y)}`);
    });
    table.draw([...parts, output], { row: V.length });
    origin.draw();
    if (before !== null && before !== i) lines.forEach((_, e) => melt(e));
    before = i;
  }
  const sentence = () => {
    const i = get("row");
    return `The new vector of ${quoted(names[i])} is ${mixture(weights[i], tokens)} = ${
      vector(transpose(contributions(i)).map(added))
    }.`;
  };
  const list = h(
    "ul",
    {
      class: "attn-stacks attn-pieces",
      role: "list",
      "aria-label": "Contributions to each dimension",
      style: `--tall: ${tall}px`,
    },
    h("li", { class: "attn-heads", "aria-hidden": "true" }, h("div", { class: "attn-track" }, heads)),
    lines.map((line) => line.el),
  );
  return { parts: [h("style", {}, RULES), who.el, row(list, table.el), origin.el, ...more], draw, sentence };
}

// Round values of the scale all bars have, as lines behind the pieces: as many as their numbers have room.
function levels(top, bottom, tall) {
  const span = top + bottom || 1;
  const least = 30 * span / tall; // pixels
  const ten = 10 ** Math.floor(Math.log10(least));
  const step = ten * [1, 2, 5, 10].find((x) => x * ten >= least);
  const from = Math.ceil(-bottom / step - 1e-9);
  const count = Math.floor(top / step + 1e-9) - from + 1;
  return Array.from({ length: count }, (_, k) => {
    const x = (from + k) * step;
    const style = `bottom: ${(100 * (bottom + x) / span).toFixed(2)}%`;
    return h(
      "i",
      { class: "attn-rule", "data-zero": from + k === 0, style },
      h("span", {}, number(Number(x.toFixed(9)), 2)),
    );
  });
}

// The part of all that is added to or taken from one dimension; what takes away has a minus.
function share(column, j, tell = percent) {
  const part = column[j] / (added(column.map(Math.abs)) || 1);
  return `${part < 0 ? "−" : ""}${tell(Math.abs(part))}`;
}
