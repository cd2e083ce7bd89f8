// The rows of Aⁿ as points of a triangle: they start at its corners and walk to one place.
import {
  columnOf,
  figure,
  h,
  label,
  legend,
  matrix,
  number,
  products,
  provenance,
  quoted,
  row,
  rowOf,
  stepper,
  vector,
} from "../kit/kit.js";
import { matmul, transpose } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { key } from "../kit/plane.js";
import { at, triangle, weights } from "../kit/simplex.js";

const MOST = 24;
const UNIT = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export function render(host) {
  return figure(host, {
    title: "Looking again and again.",
    hint: "A row of weights is a point of the triangle. Step, and the rows of Aⁿ draw together; drag a row of A.",
    shape: ["tokens"],
    state: ["A", "power"],
    build,
  });
}

// π = πA by the matrix-tree theorem: the minors of I − A; null where there are several.
function rest(A) {
  const m = A.map((line, i) => line.map((x, j) => (i === j ? 1 : 0) - x));
  const minors = [[1, 2], [0, 2], [0, 1]].map(([i, j]) => m[i][i] * m[j][j] - m[i][j] * m[j][i]);
  const total = minors.reduce((sum, x) => sum + x);
  return total > 1e-9 ? minors.map((x) => x / total) : null;
}

function build(get, set) {
  const tokens = get("tokens");
  const start = { A: get("A"), power: get("power") };
  const plane = triangle(tokens);
  const image = plane.add("area", { tone: "query" });
  const trails = tokens.map(() => plane.add("line", { tone: "query" }));
  const rows = tokens.map((name, i) =>
    plane.add("point", {
      tone: "value",
      name: `A: ${label(name)}`,
      heard: `row of ${label(name)} in A`,
      size: 4,
      drag: (to) => set({ A: get("A").map((line, k) => (k === i ? weights(to) : line)) }),
    })
  );
  const walkers = tokens.map((name) => plane.add("point", { tone: "query", name: label(name), size: 7 }));
  const end = plane.add("point", { tone: "key", name: "π", size: 5, merge: false });
  const steps = stepper({ last: MOST, onstep: (power) => set({ power }), onreset: () => set(start), pace: 700 });
  const named = { rows: tokens, cols: tokens, size: [3, 3], kind: "weight", onpick: () => {} };
  const one = matrix({ name: "A", ...named });
  const many = matrix({ name: "Aⁿ", ...named });
  const walk = () => {
    const powers = [UNIT];
    while (powers.length <= get("power")) powers.push(matmul(get("A"), powers[powers.length - 1]));
    return powers;
  };
  const origin = provenance([[many, (i, j) => {
    const powers = walk();
    const n = get("power");
    if (!n) return null;
    return {
      told: `${number(powers[n][i][j])} = ${products(get("A")[i], powers[n - 1].map((line) => line[j]))}: row ${
        quoted(tokens[i])
      } of A, column ${quoted(tokens[j])} of ${n > 2 ? `A^${n - 1}` : n > 1 ? "A" : "the identity"}`,
      from: n === 2 ? [...rowOf(one, i), ...columnOf(one, j)] : rowOf(one, i),
    };
  }]]);
  const paint = glide((flat) => {
    const now = tokens.map((_, i) => flat.slice(3 * i, 3 * i + 3));
    const powers = walk();
    image.put(now.map(at));
    walkers.forEach((dot, i) => dot.put([at(now[i])]));
    trails.forEach((trail, i) =>
      trail.put([at((powers[get("power") - 1] || UNIT)[i]), at(now[i])], { width: 1.5, hidden: get("power") < 2 })
    );
    plane.draw();
  });
  let before = null;
  function draw() {
    const A = get("A");
    const n = get("power");
    const powers = walk();
    const pi = rest(A);
    steps.draw(n, `n = ${n}`);
    rows.forEach((dot, i) => dot.put([at(A[i])]));
    end.put([at(pi || UNIT[0])], { hidden: !pi });
    one.draw(A);
    many.draw(powers[n], { caption: `A to the power ${n}` });
    paint(powers[n].flat(), A !== before && before !== null);
    before = A;
    origin.draw();
  }
  function sentence() {
    const n = get("power");
    const M = walk()[n];
    const pi = rest(get("A"));
    const apart = Math.max(...transpose(M).map((line) => Math.max(...line) - Math.min(...line)));
    return `After ${n} ${n === 1 ? "look" : "looks"}: ${
      M.map((line, i) => `${quoted(tokens[i])} ${vector(line)}`).join(", ")
    }. The rows are up to ${number(apart)} apart; nothing moves ${pi ? `at π = ${vector(pi)}` : "at several places"}.`;
  }
  return {
    parts: [
      steps.el,
      h("div", { class: "attn-duo" }, plane.el, h("div", { class: "attn-row" }, one.el, many.el)),
      row(
        key([["query", "rows of Aⁿ, and their last step"], ["value", "rows of A"], ["key", "π"]]),
        legend({ kind: "weight", values: start.A }).el,
      ),
      origin.el,
    ],
    draw,
    sentence,
    longest: () => " as long".repeat(33), // as its longest sentence, of any step
    stop: steps.stop,
  };
}
