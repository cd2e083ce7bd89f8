// R moves the queries, its inverse the keys, and the scores stand still.
import {
  figure,
  h,
  largest,
  legend,
  matrix,
  note,
  number,
  products,
  provenance,
  quoted,
  restart,
  row,
  vector,
} from "../kit/kit.js";
import { matmul, scaled, scores, transpose } from "../kit/linalg.js";
import { glide, key, plot, sources } from "../kit/plane.js";

const [LEAST, MOST] = [0.05, 4]; // of |det R|, as in gauge.py; of an entry that is dragged
const [COS, SIN] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)].map((x) => Number(x.toFixed(3)));
const MOVES = {
  nothing: [[1, 0], [0, 1]],
  turn: [[COS, SIN], [-SIN, COS]],
  shear: [[1, 0], [0.8, 1]],
  stretch: [[2, 0], [0, 0.5]],
};

export function render(host) {
  return figure(host, {
    title: "The same scores in another plane.",
    hint: "Drag the rows of R, or choose a move. Choose a score to follow its query and its key.",
    shape: ["Q", "K", "tokens", "key_tokens"],
    state: ["R", "row", "col"],
    build,
  });
}

const det = ([[a, b], [c, d]]) => a * d - b * c;
const inverse = (R) => scaled([[R[1][1], -R[0][1]], [-R[1][0], R[0][0]]], 1 / det(R));
const tidy = (x) => (Math.abs(x) < 1e-9 ? 0 : x);

function build(get, set) {
  const [Q, K, tokens, keys] = ["Q", "K", "tokens", "key_tokens"].map(get);
  const asking = plot({ name: "The queries after R", tall: 0.62 });
  const found = plot({ name: "The keys after the inverse of R", tall: 0.62 });
  const frame = (points) => {
    const far = 1.3 * largest([...points.flat(), 1]);
    return [[-far, -far], [far, far]];
  };
  const cells = [asking, found].map((plane) => plane.add("area"));
  const axes = [0, 1].map((i) =>
    asking.add("arrow", {
      tone: "value",
      name: `R${"₁₂"[i]}`,
      heard: `row ${i + 1} of R`,
      onleave: () => {
        held = false;
        draw();
      },
      drag: (to) => {
        held = true;
        const near = to.map((x) => Math.min(Math.max(x, -MOST), MOST));
        // In the hand's direction, as far as everything stays in sight: let go, and there is room for more
        for (let part = 1; part > 0.2; part -= 0.02) {
          const R = get("R").map((line, k) => (k === i ? near.map((x) => x * part) : line));
          if (Math.abs(det(R)) >= LEAST && within(R)) return move(R, true);
        }
      },
    })
  );
  const queries = tokens.map((name) => asking.add("arrow", { tone: "query", name, merge: false }));
  const points = keys.map((name) => found.add("point", { tone: "key", name }));
  // Where each was before R: what moved, and how far
  const before = [[asking, "query", Q], [found, "key", K]].map(([plane, tone, points]) =>
    points.map((p) => [plane.add("line", { tone }), plane.add("point", { tone, size: 3 }), p])
  );
  const start = scores(Q, K);
  const most = largest(start);
  const table = matrix({
    name: "S = Q′ K′ᵀ / √2",
    rows: tokens,
    cols: keys,
    size: [tokens.length, keys.length],
    most,
    tell: (x) => number(x, 2),
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const now = () => {
    const R = get("R");
    const moved = [matmul(Q, R), matmul(K, transpose(inverse(R)))].map((M) => M.map((line) => line.map(tidy)));
    return { R, moved, S: scores(...moved).map((line) => line.map(tidy)) };
  };
  function within(R) {
    const seen = ({ low, high }, points) => points.every((p) => p.every((x, k) => x > low[k] && x < high[k]));
    return seen(asking.shown(), [...matmul(Q, R), ...R]) && seen(found.shown(), matmul(K, transpose(inverse(R))));
  }
  const [queryMarks, keyMarks] = [sources(queries), sources(points)];
  const origin = provenance([[table, (i, j) => {
    const { moved: [q, k], S } = now();
    return {
      told: `${number(S[i][j])} = (${products(q[i], k[j])}) / √2; before R it was (${products(Q[i], K[j])}) / √2`,
      from: [[queryMarks, [0, i]], [keyMarks, [0, j]]],
    };
  }]]);
  let [once, held] = [false, false];
  function move(R, dragged = false) {
    once = dragged || det(R) * det(get("R")) < 0; // no way from one to the other without a singular R between
    set({ R });
  }
  const moves = Object.entries(MOVES).map(([name, R]) => h("button", { type: "button", onclick: () => move(R) }, name));
  const reset = restart(get, set, ["R", "row", "col"]);
  const paint = glide((flat) => {
    const R = [flat.slice(0, 2), flat.slice(2)];
    const back = transpose(inverse(R));
    const [q, k] = [matmul(Q, R), matmul(K, back)];
    const box = ([a, b]) => [[0, 0], a, [a[0] + b[0], a[1] + b[1]], b];
    if (!held) { // in a drag the units stand still, so that what grows looks larger
      asking.frame(frame([...Q, ...q, ...R]));
      found.frame(frame([...K, ...k]));
    }
    [q, k].forEach((moved, side) =>
      before[side].forEach(([trail, spot, p], i) => {
        const hidden = Math.hypot(moved[i][0] - p[0], moved[i][1] - p[1]) < 1e-9;
        trail.put([p, moved[i]], { width: 1, faint: true, hidden });
        spot.put([p], { size: 3, faint: true, hidden });
      })
    );
    cells[0].put(box(R));
    cells[1].put(box(back));
    axes.forEach((one, i) => one.put([[0, 0], R[i]], { width: 4 }));
    queries.forEach((one, i) => one.put([[0, 0], q[i]], { width: i === get("row") ? 4 : 2 }));
    points.forEach((one, j) => one.put([k[j]], { size: j === get("col") ? 8 : 5 }));
    asking.draw();
    found.draw();
  });
  function draw() {
    const { R, S } = now();
    paint(R.flat(), once);
    once = false;
    Object.values(MOVES).forEach((named, k) => {
      const on = named.every((line, i) => line.every((x, j) => Math.abs(x - R[i][j]) < 1e-9));
      moves[k].setAttribute("aria-pressed", String(on));
    });
    table.draw(S, { pick: [get("row"), get("col")], row: get("row"), col: get("col") });
    origin.draw();
  }
  function sentence() {
    const { R, moved: [q, k], S } = now();
    const [i, j] = [get("row"), get("col")];
    return `R sends the axes to ${vector(R[0])} and ${vector(R[1])}. The query of ${quoted(tokens[i])} is ${
      vector(q[i])
    }, the key of ${quoted(keys[j])} is ${vector(k[j])}, and their score is ${number(S[i][j])}, as before.`;
  }
  return {
    parts: [
      row(h("span", {}, "R:"), ...moves, reset),
      h(
        "div",
        { class: "attn-duo" },
        [["the queries, Q R", asking], ["the keys, K R⁻ᵀ", found]].map(([told, plane]) =>
          h("figure", { style: "margin: 0; min-width: 0" }, h("figcaption", {}, told), plane.el)
        ),
      ),
      row(
        h("div", { class: "attn-tight", style: "min-width: 0; font-size: min(1em, 3.6vw)" }, table.el),
        h(
          "div",
          { style: "flex: 1 1 11rem" },
          h("p", { style: "font-size: 1.1em" }, "(Q R)(K R⁻ᵀ)ᵀ", h("br"), "= Q R R⁻¹ Kᵀ = Q Kᵀ"),
          key([["value", "R₁, R₂: rows of R"]]),
          note("pale: before R"),
          legend({ kind: "signed", values: start, most }).el,
        ),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}
