// Paint who may attend to whom, and read what it costs.
import { bars, chips, figure, h, note, percent, quoted, row, slider } from "../kit/kit.js";
import { board, paintable } from "../kit/boards.js";
import { pattern } from "../kit/presets.js";
import { grouped } from "../kit/sizes.js";

const STARTS = ["causal", "window", "prefix", "blocks", "documents", "none"];
const SIZES = { window: "window", prefix: "prefix", blocks: "block" }; // what its slider sets

export function render(host) {
  return figure(host, {
    title: "Paint a mask.",
    hint: "Click a cell, drag over several, or walk with the arrow keys and press Enter. Try to empty a row.",
    shape: ["tokens"],
    state: ["painted", "window", "d", "row", "col"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const n = tokens.length;
  const start = { painted: get("painted"), window: get("window"), row: get("row"), col: get("col") };
  let prefix = 2;
  let chosen = null; // the pattern asked for last: on a small mask several look alike
  const sizeOf = (name) => (name === "prefix" ? prefix : get("window"));
  const make = (name, size = sizeOf(name)) => {
    chosen = name;
    if (name === "prefix") prefix = size;
    set({ painted: pattern(name, n, size, size), ...(name === "prefix" || !SIZES[name] ? {} : { window: size }) });
  };
  const alike = (a) => a.every((line, i) => line.every((x, j) => x === Number(Boolean(get("painted")[i][j]))));
  const mode = () =>
    [chosen, ...STARTS].find((name) => name && alike(pattern(name, n, sizeOf(name), sizeOf(name)))) || null;
  const paint = (row, col) =>
    set({
      row,
      col,
      painted: get("painted").map((line, i) => line.map((x, j) => (i === row && j === col ? 1 - x : x))),
    });
  const mask = board({
    name: "1 may attend, 0 may not",
    rows: tokens,
    cols: tokens,
    size: [n, n],
    kind: "weight",
    onpick: (row, col) => set({ row, col }),
    onact: paint,
  });
  paintable(mask.el, n, (cells, allow) => {
    const painted = get("painted").map((line) => [...line]);
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    const [row, col] = cells[cells.length - 1];
    set({ row, col, painted });
  });
  const presets = chips({
    names: STARTS.map((name) => (name === "none" ? "all pairs" : name)),
    title: "Start from",
    onpick: (k) => make(STARTS[k]),
  });
  const sliders = Object.fromEntries(
    Object.entries(SIZES).map(([name, title]) => [
      name,
      slider({ title, min: 1, max: n, step: 1, tell: String, oninput: (size) => make(name, size) }),
    ]),
  );
  const meter = bars({ names: ["as painted", "causal", "all pairs"], title: "Multiply–adds" });
  const reset = h("button", { type: "button", onclick: again }, "↺ Start again");
  function again() {
    [prefix, chosen] = [2, null];
    set(start);
  }
  const pairs = () => get("painted").flat().filter(Boolean).length;

  function draw() {
    mask.draw(get("painted"), { row: get("row"), col: get("col"), pick: [get("row"), get("col")] });
    const now = mode();
    presets.draw(STARTS.indexOf(now));
    for (const [name, one] of Object.entries(sliders)) {
      one.el.hidden = name !== now;
      one.draw(sizeOf(name));
    }
    meter.draw([pairs(), (n * (n + 1)) / 2, n * n].map((count) => 2 * get("d") * count), { tell: grouped });
  }
  function sentence() {
    const each = 2 * get("d");
    const told = `${pairs()} of ${n * n} pairs (${percent(pairs() / n ** 2)}): ${
      grouped(each * pairs())
    } multiply–adds instead of ${grouped(each * n * n)}, if the kernel skips the rest.`;
    const empty = tokens.filter((_, i) => !get("painted")[i].some(Boolean)).map(quoted);
    if (!empty.length) return `${told} Every query sees a key.`;
    const more = empty.length > 6 ? ` and ${empty.length - 6} more` : "";
    return `${told} Nothing to see for ${empty.slice(0, 6).join(", ")}${more}: weights 0, output 0.`;
  }
  const sizes = h("div", { class: "attn-sliders" }, Object.values(sliders).map((one) => one.el));
  const side = h(
    "div",
    { class: "attn-box" },
    sizes,
    note(`Multiply–adds of one head of width ${get("d")}, if only allowed pairs are computed:`),
    meter.el,
    reset,
  );
  return { parts: [presets.el, note("Queries down, keys across."), row(mask.el, side)], draw, sentence };
}
