// Large numbers: written out, as bytes, and dragged by doubling.
import { slider } from "./kit.js";

export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

// As attn.cost.readable: 268435456 is 256 MiB.
export function readable(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let power = 0;
  for (; Math.round(bytes) >= 1024 && power + 1 < units.length; power++) bytes /= 1024;
  const digits = bytes >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  // halfEven, as Python's format() rounds
  const told = new Intl.NumberFormat("en", { ...digits, useGrouping: false, roundingMode: "halfEven" });
  return `${told.format(bytes)} ${units[power]}`;
}

// A slider over the powers of two up to 2 ** most.
export function doubling(title, most, oninput) {
  const one = slider({
    title,
    min: 0,
    max: most,
    step: 1,
    tell: (x) => grouped(Math.round(2 ** x)),
    oninput: (x) => oninput(2 ** x),
  });
  return { el: one.el, draw: (value) => one.draw(Math.log2(value)) };
}
