// One output row, assembled from what each word contributes to each dimension.
import {
  bdi,
  calm,
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
  vector,
  write,
} from "../kit/kit.js";
import { transpose } from "../kit/linalg.js";

const MOST = 16; // dimensions that are drawn
// A piece is as wide as its word's weight, in every dimension the same, and as high as the word's value there
const RULES =
  `.attn-live .attn-pieces li { grid-template-columns: 1.6rem 1fr 9.2rem; gap: 0 1.5rem; margin-block: var(--apart); }
.attn-live .attn-pieces { max-width: none; }
.attn-live .attn-pieces .attn-heads { margin-bottom: 0; }
.attn-pieces .attn-track { height: var(--tall); border: 0; }
.attn-pieces .attn-track[role] { cursor: pointer; }
.attn-press { position: absolute; z-index: 3; left: calc(100% + 6.9rem); top: calc(50% - 0.75rem); box-sizing: border-box; width: 3.8rem; height: 1.5rem;
  border: 1.5px solid var(--attn-edge); border-radius: 0.75rem; color: var(--attn-accent); font-size: 0.8rem; font-style: normal; line-height: calc(1.5rem - 3px); text-align: center; }
.attn-press::before { content: "▾ melt"; }
[aria-pressed="true"] > .attn-press::before { content: "▴ back"; }
/* on a phone a line above each bar has its name and its sign */
@media (max-width: 480px) { .attn-live .attn-pieces li { grid-template-columns: 1.4rem 1fr 3.4rem; gap: 0 0.5rem; }
  .attn-pieces { --between: -0.5rem; }
  .attn-pieces .attn-name { grid-area: 1 / 1 / 2 / 3; justify-self: start; margin-bottom: 0.5rem; font-weight: 700; line-height: 1.2rem; }
  .attn-pieces .attn-name ~ * { grid-row: 2; }
  .attn-pieces .attn-name + * { grid-column: 2; }
  .attn-pieces .attn-level { grid-column: 3; }
  .attn-press { left: auto; right: 0; top: -1.65rem; width: 3.6rem; height: 1.4rem; line-height: calc(1.4rem - 3px); } }
.attn-track[role]:hover > .attn-press { border-color: var(--attn-accent); background: var(--attn-wash); }
.attn-pieces .attn-track[aria-pressed="true"] { box-shadow: 0 0 0 2px var(--attn-accent); }
.attn-pieces .attn-track[data-quiet] * { pointer-events: none; }
.attn-pieces .attn-track:focus-visible { outline: 3px solid var(--attn-accent); outline-offset: 3px; }
.attn-pieces .attn-rule { position: absolute; inset-inline: -0.3rem 0; border-top: 1px solid var(--attn-line); color: var(--attn-soft);
  font-style: normal; line-height: 1; }
.attn-pieces .attn-rule[data-zero] { border-color: var(--attn-edge); }
.attn-pieces .attn-rule > span { position: absolute; right: calc(100% + 0.25rem); translate: 0 -50%; font-size: 0.75rem; }
.attn-pieces .attn-heads .attn-track { grid-column: 2; height: 2.5em; background: none; font-size: 0.85em; line-height: 1.25; }
.attn-pieces .attn-heads .attn-track > span { position: absolute; white-space: nowrap; text-align: center; }
.attn-pieces .attn-heads bdi { display: block; overflow: hidden; text-overflow: ellipsis; }
.attn-weight { margin-inline: -1em; color: var(--attn-soft); font-variant-numeric: tabular-nums; }
.attn-pieces .attn-part { container: piece / inline-size; }
.attn-pieces .attn-part i { font-style: normal; }
/* one line, or two where they find room */
.attn-pieces .attn-part:not([data-low], [data-over]) > span { white-space: normal; }
@container piece (max-width: 7.2rem) { .attn-pieces .attn-part[data-low] i[data-long] { display: none; } }
@container piece (max-width: 5.4rem) { .attn-pieces .attn-part[data-low] i { display: none; } .attn-pieces .attn-part:not([data-over]) > span { font-size: 0.8em; line-height: 1.1; } }
@container piece (max-width: 4.3rem) { .attn-pieces .attn-part i[data-long] { display: none; } }
@container piece (max-width: 2.6rem) { .attn-pieces .attn-part i { display: none; } }
.attn-pieces .attn-part { inset-block: auto; text-indent: 0; text-align: center; font-size: 0.95em; line-height: 1.15; border-block: 0; pointer-events: auto; }
.attn-pieces .attn-part > span { position: absolute; inset-inline: 0; top: var(--middle); translate: 0 -50%; }
.attn-pieces .attn-part[data-over] { overflow: visible; }
.attn-pieces .attn-part[data-over] > span { inset: auto auto calc(100% + 1px) 1px; translate: none; }
.attn-pieces .attn-flown { --own: hsl(calc(var(--k) * 137.5 + 30) 55% var(--attn-hue)); border: 0; box-shadow: -1px 0 var(--own), 1px 0 var(--own); }
.attn-live .attn-origin[data-said] { color: var(--attn-text); }
.attn-pieces .attn-track:not([aria-pressed="true"]) .attn-flown { visibility: hidden; }
.attn-pieces .attn-part[data-lit] { z-index: 1; overflow: visible; outline: 3px solid var(--attn-debt); outline-offset: -1px; }
.attn-pieces .attn-mean { position: absolute; z-index: 2; inset-inline: 0 var(--between, -1.5rem); bottom: calc(100% * var(--part)); margin-bottom: -1px;
  border-top: 2px dashed var(--attn-text); pointer-events: none; }
/* over the level, or under it where there is no room: the whole area, and what it is the sum of */
.attn-area { position: absolute; z-index: 2; inset-inline: 0; bottom: calc(100% * max(var(--zero), var(--part)) + 3px); line-height: 1.15; text-align: center; pointer-events: none; }
.attn-area[data-under] { translate: 0 calc(100% + 6px); }
.attn-pieces .attn-level, .attn-pieces .attn-level::before { position: relative; align-self: stretch; }
/* the output on the same scale, beside what it is made of: its bar is as high as the dashed line */
.attn-pieces .attn-level::before { content: ""; position: absolute; inset-inline: 0 4.3rem; bottom: calc(100% * min(var(--zero), var(--part)));
  height: calc(100% * (max(var(--zero), var(--part)) - min(var(--zero), var(--part)))); border-radius: 3px; background: var(--attn-soft); }
.attn-pieces .attn-level::after { content: ""; position: absolute; inset-inline: 0 4.3rem; bottom: calc(100% * var(--zero)); border-top: 1px solid var(--attn-edge); }
.attn-pieces .attn-value { position: absolute; inset-inline: -0.6rem 3.7rem; bottom: calc(100% * var(--part) + 2px); color: var(--attn-text); font-size: 1.15rem; font-weight: 700;
  line-height: 1.15; text-align: center; white-space: nowrap; }
.attn-pieces .attn-level[data-minus] .attn-value { top: calc(100% * (1 - var(--part)) + 2px); bottom: auto; }
.attn-pieces .attn-heads > .attn-out { grid-column: 3; padding-right: 4.3rem; text-align: center; font-weight: 700; font-size: 0.85em; }
@media (max-width: 480px) { .attn-pieces .attn-level:is(*, [data-minus])::before, .attn-pieces .attn-level::after { right: 0; }
  .attn-pieces .attn-value { inset-inline: -0.4rem -0.2rem; font-size: 0.84rem; letter-spacing: -0.03em; }
  .attn-pieces .attn-heads > .attn-out { padding-right: 0; } }`;
const short = (x) => number(Math.round(100 * x) / 100, 2).replace(/^(−?)0\./, "$1.");
const added = (values) => values.reduce((sum, x) => sum + x, 0);

export function render(host) {
  return figure(host, {
    title: "A new vector, assembled.",
    hint: "Each piece: its weight wide, its value high. Press a bar to melt it.",
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
  const tall = dims < 5 ? 92 : dims < 9 ? 40 : 26; // pixels of a dimension
  const own = tokens.map(() => h("span", { class: "attn-weight" })); // under each word once
  const heads = tokens.map((name, j) => h("span", { title: label(name) }, bdi(name), own[j]));
  const lines = Array.from({ length: dims }, (_, e) => {
    const pieces = tokens.map((name, j) =>
      h("span", { class: "attn-part", style: `--k:${j}`, title: label(name) }, h("span", {}))
    );
    const [stream, area] = [h("span", {}), h("span", { class: "attn-area" })]; // what flows when it melts, and its sum
    const bar = h(
      "div",
      {
        class: "attn-track",
        role: "button",
        tabindex: "0",
        "aria-pressed": "false",
        onclick: () => melt(e),
        onkeydown: (event) => {
          if (!["Enter", " "].includes(event.key)) return;
          event.preventDefault();
          melt(e);
        },
      },
      levels(top, bottom, tall),
      pieces,
      stream,
      area,
      h("i", { class: "attn-mean" }),
      h("i", { class: "attn-press" }),
    );
    // What lies under a resting mouse has flown there: it says nothing of itself
    bar.addEventListener("pointermove", ({ movementX, movementY }) => {
      if (movementX || movementY) mark(bar, "data-quiet", false);
    });
    bar.addEventListener("pointerleave", () => mark(bar, "data-quiet", false));
    const total = h("span", { class: "attn-value" });
    const result = h("span", { class: "attn-level" }, total);
    const el = h("li", {}, h("span", { class: "attn-name" }, `d${e + 1}`), bar, result);
    return { pieces, stream, area, flown: [], melted: false, total, bar, result, el };
  });
  who.el.lastChild.addEventListener("click", () => lines.forEach((line, e) => line.melted && melt(e)));
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
  }]], "Point at a piece to see what it is made of.");
  // A number of the table and its piece point at each other; a sum is all the pieces of its bar
  const lit = (on) =>
    lines.forEach(({ pieces, flown }, e) => {
      pieces.forEach((one, j) => mark(one, "data-lit", on(j, e)));
      flown.forEach(({ el, j }) => mark(el, "data-lit", on(j, e)));
    });
  const find = ({ target }) => {
    const cell = target.closest("td");
    lit((j, e) => [table.cells[j][e], table.cells[V.length][e]].includes(cell));
  };
  const away = () => lit(() => false);
  for (const [type, act] of Object.entries({ pointerover: find, focusin: find, focusout: away, pointerleave: away })) {
    table.el.addEventListener(type, act);
  }
  const points = (one, cell) => {
    one.addEventListener(
      "pointerenter",
      () => cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })),
    );
    one.addEventListener("pointerleave", () => table.el.dispatchEvent(new PointerEvent("pointerleave")));
  };
  lines.forEach(({ pieces, total }, e) => [...pieces, total].forEach((one, j) => points(one, table.cells[j][e])));
  const more = V[0].length > dims ? [note(`The first ${dims} of ${V[0].length} dimensions are drawn.`)] : [];

  // Peaks flow into the valleys until the bar is level at its output; what has flown keeps its colour and its area.
  const at = (x) => `${(100 * x / span).toFixed(3)}%`;
  const place = (low, high) => ({ bottom: at(bottom + low), height: at(high - low) });
  const ends = (x) => [Math.min(x, 0), Math.max(x, 0)];
  const spot = ([left, wide, low, high]) => ({
    left: `${(100 * left).toFixed(3)}%`,
    width: `${(100 * wide).toFixed(3)}%`,
    ...place(low, high),
  });
  const cut = (x, y) => (y < 0 ? [Math.min(0, Math.max(x, y)), 0] : [0, Math.max(0, Math.min(x, y))]);
  function melt(e) {
    const line = lines[e];
    line.melted = !line.melted;
    mark(line.bar, "data-quiet", true);
    table.el.dispatchEvent(new PointerEvent("pointerleave"));
    paint(e);
    if (calm()) return;
    const time = { duration: 1400, easing: "ease-in-out", direction: line.melted ? "normal" : "reverse" };
    for (const { el, way } of line.flown) {
      el.getAnimations().forEach((old) => old.cancel());
      el.animate(way.map((step) => ({ ...spot(step), visibility: "visible" })), time);
    }
    line.pieces.forEach((one, j) => {
      const x = V[j][e];
      one.getAnimations().forEach((old) => old.cancel());
      const [low, high] = cut(x, line.level);
      one.animate([x * line.level < 0 ? ends(x) : [low, high], [low, high]].map((way) => place(...way)), time);
    });
  }
  // The pieces of a bar where they stand now, with their areas as far as there is room
  function paint(e) {
    const { pieces, bar, area, melted, level: y } = lines[e];
    const [i, column] = [get("row"), V.map((line) => line[e])];
    const parts = transpose(contributions(i))[e];
    pieces.forEach((one, j) => {
      const [low, high] = melted ? cut(column[j], y) : ends(column[j]);
      const part = y <= low || y >= high ? [low, high] : y - low > high - y ? [low, y] : [y, high]; // beside the level
      const middle = 100 * (high - (part[0] + part[1]) / 2) / (high - low || 1);
      one.style.cssText = `--k:${j}; --middle:${middle}%`;
      Object.assign(one.style, spot([from(i, j), weights[i][j], low, high]));
      one.hidden = !weights[i][j];
      const room = (part[1] - part[0]) / span * tall;
      const over = !melted && parts[j] > 0 && y > 0 && free(e, j, high);
      const value = !over && weights[i][j] > 0.09 && room > 15 ? (melted ? short(parts[j]) : number(column[j])) : "";
      mark(one, "data-over", over);
      mark(one, "data-low", room < 30);
      // the whole product where there is room
      const told = `\u00a0×\u00a0${short(weights[i][j])} =\u00a0${short(parts[j])}`; // may break before its result
      const times = value && !melted && h("i", { "data-long": (value + told).length > 14 }, told);
      one.firstChild.replaceChildren(over ? short(parts[j]) : value, times || "");
    });
    const terms = parts.filter((x) => Math.abs(x) > 0.005).map(short);
    const sum = `${terms.slice(0, 5).join(" + ")}${terms.length > 5 ? " + …" : ""}`.replaceAll("+ −", "− ");
    write(area, melted && sum ? `area ${number(y)} = ${sum}` : "");
    mark(area, "data-under", (top - Math.max(y, 0)) / span * tall < 17);
    bar.setAttribute("aria-pressed", String(melted));
    const told = parts.flatMap((x, j) => x ? [`${quoted(tokens[j])} ${share(parts, j)}`] : []);
    const level = `d${e + 1} is level at ${number(y)}: ${told.slice(0, 5).join(", ")}${told.length > 5 ? ", …" : ""}.`;
    bar.setAttribute("aria-label", melted ? level : `d${e + 1}: melt to ${number(y)}`);
    origin.say(melted ? level : "");
  }
  const from = (i, j) => added(weights[i].slice(0, j));
  // Is there room above a narrow piece for its area?
  function free(e, j, high) {
    const [i, y] = [get("row"), lines[e].level];
    const letters = 16 * span / tall;
    if (weights[i][j] > 0.14 || high + letters > top || (y > high && y < high + letters)) return false;
    const near = weights[i].map((_, k) => k > j && from(i, k) < from(i, j) + 0.17);
    return V.every((line, k) => !near[k] || line[e] <= high + 1e-9);
  }
  function draw() {
    const i = get("row");
    const parts = contributions(i);
    const columns = transpose(parts);
    const output = columns.map(added);
    who.draw(i);
    heads.forEach((one, j) => {
      one.style.left = `${(100 * from(i, j)).toFixed(3)}%`;
      one.style.width = `${(100 * weights[i][j]).toFixed(3)}%`;
      const near = Math.max(weights[i][j - 1] || 0, weights[i][j + 1] || 0);
      write(own[j], weights[i][j] > 0.1 || (weights[i][j] > 0.03 && near > 0.16) ? short(weights[i][j]) : "");
    });
    lines.forEach((line, e) => {
      line.level = output[e];
      line.flown = flows(weights[i], V.map((v) => v[e]), output[e]).map(({ j, way }) => {
        const el = h("span", { class: "attn-part attn-flown", title: label(tokens[j]), style: `--k:${j}` });
        Object.assign(el.style, spot(way.at(-1)));
        points(el, table.cells[j][e]);
        return { el, j, way };
      });
      line.stream.replaceChildren(...line.flown.map(({ el }) => el));
      line.el.style.setProperty("--part", ((bottom + output[e]) / span).toFixed(4));
      write(line.total, `= ${number(output[e])}`);
      mark(line.result, "data-minus", output[e] < 0);
      paint(e);
    });
    table.draw([...parts, output], { row: V.length });
    origin.draw();
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
      style: `--tall: ${tall}px; --apart: ${dims < 9 ? 1.15 : 0.7}rem; --zero: ${(bottom / span).toFixed(4)}`,
    },
    h(
      "li",
      { class: "attn-heads", "aria-hidden": "true" },
      h("div", { class: "attn-track" }, heads),
      h("span", { class: "attn-out" }, "output"),
    ),
    lines.map((line) => line.el),
  );
  const numbers = h("details", { class: "attn-more" }, h("summary", {}, "The numbers"), table.el);
  return { parts: [h("style", {}, RULES), who.el, list, origin.el, numbers, ...more], draw, sentence };
}

// Where what stands above the level flows: one word's after the other's into one gap after the other, from left to right.
// What is below zero is filled up first and is gone.   -> [{ j: whose it is, way: [left, width, low, high] on its way }]
function flows(weights, values, level) {
  const sign = level < 0 ? -1 : 1;
  const full = sign * level;
  let end = 0;
  const columns = [...weights, Math.max(0, 1 - added(weights))].map((wide, j) => {
    end += wide;
    return { j, wide, left: end - wide, high: sign * (values[j] ?? 0) };
  }).filter(({ wide }) => wide > 1e-9);
  const gaps = columns.filter(({ high }) => high < full - 1e-9).map((one) => ({ ...one }));
  return columns.filter(({ high }) => high > full + 1e-9).flatMap(({ j, wide, left, high }) => {
    const found = [];
    for (let rest = wide * (high - full); rest > 1e-9 && gaps.length;) {
      const [gap] = gaps;
      const area = Math.min(rest, gap.wide * (full - gap.high));
      const from = [left + wide - rest / (high - full), area / (high - full), full, high];
      const to = [gap.left, gap.wide, Math.max(0, gap.high), Math.max(0, gap.high + area / gap.wide)];
      gap.high += area / gap.wide;
      if (gap.high > full - 1e-9) gaps.shift();
      rest -= area;
      found.push({ j, way: between(from, to).map(([x, w, a, b]) => sign < 0 ? [x, w, -b, -a] : [x, w, a, b]) });
    }
    return found;
  });
}

// From one rectangle to another, of one area all the way where both have one.
function between(from, to) {
  const [tall, end] = [from, to].map(([, , low, high]) => high - low);
  const kept = Math.abs(from[1] * tall - to[1] * end) < 1e-9;
  return Array.from({ length: 13 }, (_, k) => {
    const mix = (a, b) => a + (b - a) * k / 12;
    const bend = (a, b) => (kept ? a ** (1 - k / 12) * b ** (k / 12) : mix(a, b));
    const low = mix(from[2], to[2]);
    return [mix(from[0], to[0]), bend(from[1], to[1]), low, low + bend(tall, end)];
  });
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
function share(column, j) {
  const part = column[j] / (added(column.map(Math.abs)) || 1);
  return `${part < 0 ? "−" : ""}${percent(Math.abs(part))}`;
}
