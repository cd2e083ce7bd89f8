// Singular values as columns, falling: what is kept stands full, what is cut away is an outline.
import { h, mark, number, write } from "./kit.js";
import { ease } from "./motion.js";

// on a log axis a length means nothing, a place does
const R = 4; // of the dot, whose middle stands at its value
const DOT = `radial-gradient(circle at 50% ${R}px, var(--attn-bar) ${R}px, transparent ${R + 0.5}px), ` +
  "linear-gradient(var(--attn-line) 0 0) center / 1.5px 100% no-repeat";
const LEGIBLE = 8; // numbers that stand above their columns, side by side

// spectrum({ count, title, tall, onpick }): `count` columns; a column can be pressed where onpick(i) is given.
// draw(values, { kept, most }): the first `kept` are full; `most` is the full height. decades: dots at the logarithms, from
// the largest value down so many powers of ten; what lies in the band below `floor` of it counts as 0.
export function spectrum({ count, title, tall = "5.5rem", onpick = null, decades = 0, floor = 0 }) {
  const fills = Array.from({ length: count }, () => h("span", { style: "display: block; border-radius: 2px 2px 0 0" }));
  const size = decades ? `font-size: clamp(0.65rem, ${22 / count}cqw, 1em)` : null; // side by side on a phone, too
  const told = fills.map(() => h("span", { class: count > LEGIBLE ? "attn-voice" : null, style: size }));
  fills.forEach((one) => ease(one, "height", 250));
  const style = "flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; justify-content: flex-end;" +
    " position: relative; margin: 0; text-align: center; white-space: nowrap; font-size: 0.85em; font-variant-numeric: tabular-nums";
  const items = fills.map((fill, i) => h("li", { style, onclick: onpick && (() => onpick(i)) }, told[i], fill));
  const box = `display: flex; gap: ${count > 24 ? 1 : 3}px; height: ${tall}; margin: 0; padding: 0; list-style: none;` +
    ` border-bottom: 1px solid var(--attn-edge); cursor: ${onpick ? "pointer" : "auto"}`;
  const el = h("ol", { role: "list", "aria-label": title, style: box }, items);
  const dot = decades ? R : 0;
  if (floor) {
    const part = 1 + Math.log10(floor) / decades;
    const band = `position: absolute; z-index: -1; inset: auto 0 0; border-top: 1.5px dashed var(--attn-text); ` +
      "box-sizing: border-box; background: var(--attn-wash); " +
      `height: calc((100% - 1.5em * 0.85 - ${R}px) * ${part})`;
    el.style.cssText += "; position: relative; isolation: isolate; padding-left: 1.9rem";
    const small = "position: absolute; left: 0; font-size: 0.68em; line-height: 1; ";
    const at = (power) =>
      `${small}translate: 0 50%; color: var(--attn-soft); ` +
      `bottom: calc(100% * (1 - (${power} + var(--top)) / ${decades}) / ${part})`;
    const powers = [0, 3, 6].map((power) => h("span", { style: at(power) }, power ? `1e−${power}` : "1"));
    const none = `${small}bottom: 2px; z-index: 1; background: var(--attn-wash)`; // no stem runs through it
    const beside = { "aria-hidden": "true", role: "presentation" };
    el.append(
      h("li", { class: "attn-floor", ...beside, style: band }, powers),
      h("li", { ...beside, style: none }, "counted as 0"),
    );
  }
  const share = (x, most) => Math.max(0, decades ? 1 + Math.log10(x / most) / decades : x / most);
  const short = (x, first) => {
    if (!x || x >= 0.005) return number(x, 2);
    if (!decades) return x.toExponential(0).replace("-", "−");
    return x > first * 10 ** -decades ? x.toExponential(0).replace("-", "−") : "≈0";
  };
  function draw(values, { kept = count, most = Math.max(...values) } = {}) {
    if (floor) el.style.setProperty("--top", Math.log10(values[0])); // the axis counts in ones, not in the largest
    fills.forEach((fill, i) => {
      const x = values[i] || 0;
      const full = i < kept;
      const up = most ? share(x, decades ? values[0] : most) : 0;
      fill.style.height = `calc((100% - 1.5em - ${dot}px) * ${up.toFixed(4)} + ${dot}px)`;
      fill.style.minHeight = x > 1e-9 * values[0] ? "2px" : 0; // what counts is seen, however small
      fill.style.background = decades ? DOT : full ? "var(--attn-bar)" : "var(--attn-wash)";
      fill.style.outline = full ? "none" : "1px solid var(--attn-edge)";
      fill.style.outlineOffset = "-1px";
      mark(items[i], "data-cut", !full);
      told[i].style.opacity = full ? 1 : 0.8;
      write(
        told[i],
        count > LEGIBLE ? `${number(x)}${full ? "" : ", cut away"}` : short(x, values[0]),
      );
    });
  }
  return { el, draw };
}
