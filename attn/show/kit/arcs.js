// Arcs from a word to the others, upright at both ends: the farther, the higher. Their ends stand side by side on the letters
// of the word that asks, in the order in which no arc crosses another.

const APART = 16; // pixels between two ends at most

// Where the letters of each word are in a picture above them.   -> [[middle, width], …] in pixels, nothing where none is seen
export function letters(picture, words) {
  const [home, ...all] = [picture, ...words].map((one) => one.getBoundingClientRect());
  return home.width && all.map((box) => [box.left + box.width / 2 - home.left, box.width]);
}

// spans: as letters has them;   at: the word that asks;   thick: the arcs' widths;   rise: how high the picture is
export function arches(spans, at, thick, rise) {
  const all = spans.map((_, j) => j);
  const order = [...all.slice(0, at).reverse(), ...all.slice(at + 1).reverse()];
  const farthest = Math.max(at, all.length - 1 - at);
  const ways = all.map(() => "");
  const [middle, wide] = spans[at];
  const full = order.reduce((sum, j) => sum + thick[j], 0);
  const gap = order.length > 1 ? Math.min((wide - full) / (order.length - 1), APART) : 0; // too thick, they overlap
  let from = middle - (full + gap * (order.length - 1)) / 2;
  for (const j of order) {
    const [a, b] = [from + thick[j] / 2, spans[j][0]].map((x) => x.toFixed(1));
    // a curve's middle is three quarters as high as what pulls it
    const top = (rise * (1 - (4 / 3) * (0.28 + 0.54 * Math.abs(at - j) / farthest))).toFixed(1);
    ways[j] = `M${a} ${rise}C${a} ${top} ${b} ${top} ${b} ${rise}`;
    from += thick[j] + gap;
  }
  return ways;
}

// wide: the letters on which it ends; all of the attention has less
export const thickness = (share, wide) => 0.6 + Math.min(26, 0.6 * wide) * share;
