// Where a push on one score moves three weights, everywhere in their triangle: the Jacobian of the softmax as a flow.
import { chips, factor, figure, h, legend, matrix, number, provenance, quoted, restart, vector } from "../kit/kit.js";
import { key } from "../kit/plane.js";
import { at, triangle, weights } from "../kit/simplex.js";

const FINE = 9; // arrows along a side
const SHRUNK = 0.4; // of their length

export function render(host) {
  return figure(host, {
    title: "A push on one score.",
    hint:
      "Drag the point anywhere in the triangle, and choose whose score is raised. The arrows say where the weights go.",
    shape: ["tokens"],
    state: ["weights", "col"],
    build,
  });
}

const jacobian = (a) => a.map((x, i) => a.map((y, j) => x * ((i === j ? 1 : 0) - y)));

function build(get, set) {
  const tokens = get("tokens");
  const plane = triangle(tokens);
  const places = [];
  for (let i = 0; i <= FINE; i++) {
    for (let j = 0; i + j <= FINE; j++) places.push([i, j, FINE - i - j].map((x) => x / FINE));
  }
  const flow = places.map(() => plane.add("arrow", { tone: "key" }));
  const push = plane.add("arrow", { tone: "query" });
  const here = plane.add("point", {
    tone: "query",
    name: "weights",
    size: 7,
    drag: (to) => set({ weights: weights(to) }),
  });
  const raised = chips({ names: tokens, title: "Raise the score of", onpick: (col) => set({ col }) });
  const reset = restart(get, set, ["weights", "col"]);
  const now = matrix({ name: "weights a", rows: ["a"], cols: tokens, size: [1, 3], kind: "weight" });
  const J = matrix({
    name: "J: row i, how a_i answers to score j",
    rows: tokens,
    cols: tokens,
    size: [3, 3],
    most: 0.25,
    onpick: (_, j) => set({ col: j }),
  });
  const origin = provenance([[J, (i, j) => {
    const a = get("weights");
    return {
      told: i === j
        ? `${number(a[i] * (1 - a[i]))} = ${number(a[i])} · (1 − ${number(a[i])})`
        : `${number(-a[i] * a[j])} = −${factor(a[i])} · ${factor(a[j])}`,
      from: [...new Set([i, j])].map((k) => [now, [0, k]]),
    };
  }]]);
  function arrow(mark, a, j, options) {
    const step = jacobian(a).map((line, i) => a[i] + SHRUNK * line[j]);
    const foot = at(a);
    const tip = at(step);
    mark.put([foot, tip], { hidden: Math.hypot(tip[0] - foot[0], tip[1] - foot[1]) < 0.004, ...options });
  }
  function draw() {
    const [a, j] = [get("weights"), get("col")];
    flow.forEach((mark, i) => arrow(mark, places[i], j, { width: 1.5, faint: true }));
    arrow(push, a, j, { width: 4 });
    here.put([at(a)]);
    plane.draw();
    raised.draw(j);
    now.draw([a]);
    J.draw(jacobian(a), { col: j });
    origin.draw();
  }
  function sentence() {
    const [a, j] = [get("weights"), get("col")];
    const word = quoted(tokens[j]);
    return `At weights ${vector(a)}, raising the score of ${word} moves them by ${
      vector(jacobian(a).map((line) => line[j]))
    } a unit: straight to the corner of ${word}, and by its own weight, ${number(a[j])}, of the way.`;
  }
  return {
    parts: [
      h("div", { class: "attn-chips" }, raised.el, reset),
      h("div", { class: "attn-duo" }, plane.el, h("div", { class: "attn-row" }, now.el, J.el)),
      key([["query", "the weights, and where they move"], [
        "key",
        `the same elsewhere; arrows at ${SHRUNK} of their length`,
      ]]),
      legend({ kind: "signed", values: [[-0.25, 0.25]], most: 0.25 }).el,
      origin.el,
    ],
    draw,
    sentence,
  };
}
