// Paint who may attend to whom, and read what it costs.
import { bars, chips, figure, h, note, percent, quoted, row, slider } from "../kit/kit.js";
import { board } from "../kit/boards.js";
import { pattern } from "../kit/presets.js";
import { grouped } from "../kit/sizes.js";

const PATTERNS = ["none", "causal", "window", "prefix", "blocks", "documents"];

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
  const start = { painted: get("painted"), window: get("window") };
  let last = "window"; // the pattern that the slider remakes
  const make = (name, window) => {
    last = ["window", "blocks"].includes(name) ? name : "window";
    set({ painted: pattern(name, n, window), window });
  };
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
  draggable(mask.el, n, (cells, allow) => {
    const painted = get("painted").map((line) => [...line]);
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    const [row, col] = cells[cells.length - 1];
    set({ row, col, painted });
  });
  const presets = chips({
    names: [...PATTERNS.slice(1), "all pairs"],
    title: "Start from",
    onpick: (k) => make([...PATTERNS.slice(1), "none"][k], get("window")),
  });
  const width = slider({ title: "window or block", min: 1, max: n, step: 1, oninput: (window) => make(last, window) });
  const meter = bars({ names: ["as painted", "causal", "all pairs"], title: "Multiply–adds" });
  const reset = h("button", { type: "button", onclick: () => set(start) }, "↺ Start again");
  const pairs = () => get("painted").flat().filter(Boolean).length;

  function draw() {
    mask.draw(get("painted"), { row: get("row"), col: get("col"), pick: [get("row"), get("col")] });
    width.draw(get("window"));
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
  const sliders = h("div", { class: "attn-sliders" }, width.el);
  const side = h(
    "div",
    { class: "attn-box" },
    sliders,
    note(`Multiply–adds of one head of width ${get("d")}, if only allowed pairs are computed:`),
    meter.el,
    reset,
  );
  return { parts: [presets.el, note("Queries down, keys across."), row(mask.el, side)], draw, sentence };
}

// A drag gives every cell on its way what the first one becomes. A finger drags on pictures only, and begins sideways:
// up and down it moves the page, and a table's cells under it move the table.
function draggable(el, n, over) {
  const canvas = el.querySelector("canvas");
  let last = null;
  let value = null;
  el.style.userSelect = "none";
  if (canvas) canvas.style.touchAction = "pan-y";
  function cellAt({ target, clientX, clientY, pointerType }) {
    if (!canvas) {
      const cell = pointerType === "touch" ? null : target.closest("td[data-at]");
      return cell && cell.dataset.at.split(",").map(Number);
    }
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = [(clientY - top) / height, (clientX - left) / width].map((x) => Math.floor(x * n));
    return at.every((x) => x >= 0 && x < n) ? at : null;
  }
  el.addEventListener("pointerdown", (event) => {
    last = event.button ? null : cellAt(event);
    value = null;
  });
  el.addEventListener("pointermove", (event) => {
    const to = last && event.buttons & 1 && cellAt(event);
    if (!to) return;
    const [down, across] = [to[0] - last[0], to[1] - last[1]];
    const steps = Math.max(Math.abs(down), Math.abs(across));
    if (!steps) return;
    const way = Array.from(
      { length: steps + 1 },
      (_, k) => [last[0] + Math.round((down * k) / steps), last[1] + Math.round((across * k) / steps)],
    );
    over(way, (painted) => (value = value === null ? 1 - painted[last[0]][last[1]] : value));
    last = to;
  });
  // A drag ends in a click, which must not turn the last cell back; the click of a key has no detail
  el.addEventListener("click", (event) => value !== null && event.detail && event.stopPropagation(), true);
}
