// Arcs from a word to the others, upright at both ends: the farther, the higher. Their ends stand side by side on the word
// that asks, in the order in which no arc crosses another.

// middles: the words' places;   at: the word that asks;   rooms: what each arc's end takes there;   rise: the height of all
export function arches(middles, at, rooms, rise) {
  const all = middles.map((_, j) => j);
  const order = [...all.slice(0, at).reverse(), ...all.slice(at + 1).reverse()];
  const farthest = Math.max(at, all.length - 1 - at);
  const ways = all.map(() => "");
  let from = middles[at] - order.reduce((sum, j) => sum + rooms[j], 0) / 2;
  for (const j of order) {
    const [a, b] = [from + rooms[j] / 2, middles[j]].map((x) => x.toFixed(1));
    // a curve's middle is three quarters as high as what pulls it
    const top = (rise * (1 - (4 / 3) * (0.28 + 0.54 * Math.abs(at - j) / farthest))).toFixed(1);
    ways[j] = `M${a} ${rise}C${a} ${top} ${b} ${top} ${b} ${rise}`;
    from += rooms[j];
  }
  return ways;
}

export const thickness = (share) => 0.6 + 26 * share;
