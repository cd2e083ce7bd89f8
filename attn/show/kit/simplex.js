// The triangle of all weights of three words: a corner is all on one word, the middle an even row.
import { label } from "./kit.js";
import { matmul } from "./linalg.js";
import { plot } from "./plane.js";

const CORNERS = [[0, 0], [1, 0], [0.5, Math.sqrt(3) / 2]];

export const at = (p) => matmul([p], CORNERS)[0];

// The weights of a point of the plane, in hundredths; what lies outside of the triangle goes to its border.
export function weights([x, y]) {
  const c = Math.max(0, y / CORNERS[2][1]);
  const b = Math.max(0, x - c / 2);
  const a = Math.max(0, 1 - x - c / 2);
  const [p, q] = [a, b].map((w) => Math.round(100 * w / (a + b + c)) / 100);
  return [p, q, Math.max(0, Number((1 - p - q).toFixed(2)))];
}

// A plane with the triangle in it, its corners named.
export function triangle(tokens) {
  const plane = plot({ name: "The triangle of all weights", tall: 0.86, bare: true });
  plane.frame([...CORNERS, [-0.05, 0], [1.05, 0]]);
  plane.add("area", { tone: "level" }).put(CORNERS);
  CORNERS.forEach((corner, j) =>
    plane.add("point", { tone: "level", name: `all on ${label(tokens[j])}`, size: 3 }).put([corner], {
      // over the top, and below the base: off what happens in the triangle
      along: { map: (to) => [[to(corner)[0], to(corner)[1] + (j === 2 ? -13 : 14)]] },
    })
  );
  return plane;
}
