// Singular values as columns, falling: what is kept stands full, what is cut away is an outline.
import { h, mark, number, write } from "./kit.js";
import { ease } from "./motion.js";

const LEGIBLE = 8; // numbers that stand above their columns, side by side

// spectrum({ count, title, tall, onpick }): `count` columns; a column can be pressed where onpick(i) is given.
// draw(values, { kept, most }): the first `kept` are full; `most` is the full height.
export function spectrum({ count, title, tall = "5.5rem", onpick = null }) {
  const fills = Array.from({ length: count }, () => h("span", { style: "display: block; border-radius: 2px 2px 0 0" }));
  const told = fills.map(() => h("span", { class: count > LEGIBLE ? "attn-voice" : null }));
  fills.forEach((one) => ease(one, "height", 250));
  const style = "flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; justify-content: flex-end;" +
    " position: relative; margin: 0; text-align: center; font-size: 0.85em; font-variant-numeric: tabular-nums";
  const items = fills.map((fill, i) => h("li", { style, onclick: onpick && (() => onpick(i)) }, told[i], fill));
  const box = `display: flex; gap: ${count > 24 ? 1 : 3}px; height: ${tall}; margin: 0; padding: 0; list-style: none;` +
    ` border-bottom: 1px solid var(--attn-edge); cursor: ${onpick ? "pointer" : "auto"}`;
  const el = h("ol", { role: "list", "aria-label": title, style: box }, items);
  function draw(values, { kept = count, most = Math.max(...values) } = {}) {
    fills.forEach((fill, i) => {
      const x = values[i] || 0;
      const full = i < kept;
      fill.style.height = `calc((100% - 1.5em) * ${(most ? Math.max(0, x / most) : 0).toFixed(4)})`;
      fill.style.minHeight = x > 1e-9 * values[0] ? "2px" : 0; // what counts is seen, however small
      fill.style.background = full ? "var(--attn-bar)" : "var(--attn-wash)";
      fill.style.outline = full ? "none" : "1px solid var(--attn-edge)";
      fill.style.outlineOffset = "-1px";
      mark(items[i], "data-cut", !full);
      told[i].style.opacity = full ? 1 : 0.8;
      write(
        told[i],
        count > LEGIBLE ? `${number(x)}${full ? "" : ", cut away"}` : x > 0 && x < 0.005 ? "≈0" : number(x, 2),
      );
    });
  }
  return { el, draw };
}
