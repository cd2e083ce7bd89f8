// Turn a matrix round, pair by pair. The diagonal stays; the others change places.
import { bdi, chips, figure, joined, label, mark, matrix, number, row, stepper, vector } from "../kit/kit.js";
import { transpose } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "Rows become columns.",
    hint: "Step through: each pair of entries mirrored at the diagonal changes places.",
    shape: ["M", "rows", "cols", "name"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const [M, rows, cols] = ["M", "rows", "cols"].map(get);
  const name = label(get("name"));
  const [n, m] = [M.length, M[0].length];
  const size = Math.max(n, m);
  const pairs = mirrored(n, m);
  const steps = stepper({ last: pairs.length, onstep: (step) => set({ step }), pace: 1200 });
  const jump = chips({ names: [name, `${name}ᵀ`], title: "Show", onpick: (i) => set({ step: i * pairs.length }) });
  const still = matrix({ name: `${name} (${n}×${m})`, rows, cols, size: [n, m] });
  const turning = matrix({ name: " ", size: [size, size] });
  const places = Array.from(turning.el.querySelectorAll("tbody tr"), (line) => Array.from(line.querySelectorAll("td")));
  const [heads, sides] = ["col", "row"].map((scope) => turning.el.querySelectorAll(`th[scope=${scope}]`));
  let shown = 0;

  function names(step) {
    const [side, head] = step === 0 ? [rows, cols] : step === pairs.length ? [cols, rows] : [[], []];
    [[sides, side], [heads, head]].forEach(([nodes, told]) =>
      nodes.forEach((node, i) => node.replaceChildren(told.length ? (i < told.length ? bdi(told[i]) : "") : "·"))
    );
  }
  function draw() {
    const step = get("step");
    const now = step ? pairs[step - 1] : null;
    const grid = places.map((line, i) => line.map((_, j) => (i < n && j < m ? M[i][j] : null)));
    for (const [i, j] of pairs.slice(0, step)) [grid[i][j], grid[j][i]] = [grid[j][i], grid[i][j]];
    steps.draw(step, `Step ${step} of ${pairs.length}`);
    jump.draw(step === 0 ? 0 : step === pairs.length ? 1 : -1);
    still.draw(M);
    const told = step === 0
      ? `${name}, to be turned`
      : step < pairs.length
      ? `on the way to ${name}ᵀ`
      : `${name}ᵀ (${m}×${n})`;
    turning.draw(grid.map((line) => line.map((x) => x ?? 0)), { hidden: (i, j) => grid[i][j] === null, caption: told });
    names(step);
    const touched = (i, j) => now && now[0] === Math.min(i, j) && now[1] === Math.max(i, j);
    places.forEach((line, i) =>
      line.forEach((place, j) => {
        mark(place, "data-pick", touched(i, j));
        mark(place, "data-void", grid[i][j] === null);
      })
    );
    move(pairs.slice(Math.min(step, shown), Math.max(step, shown)), places, grid);
    shown = step;
  }
  return {
    parts: [steps.el, jump.el, row(still.el, joined("→", turning.el))],
    draw,
    sentence: () => told(get, pairs, name),
    stop: steps.stop,
  };
}

const mirrored = (n, m) => {
  const has = (i, j) => i < n && j < m;
  const size = Math.max(n, m);
  const all = Array.from({ length: size }, (_, i) => Array.from({ length: size - i - 1 }, (_, k) => [i, i + 1 + k]))
    .flat();
  return all.filter(([i, j]) => has(i, j) || has(j, i));
};

// The entries are already in their new places: let each arrive from its old one.
function move(pairs, places, grid) {
  if (pairs.length > 200 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [i, j] of pairs) {
    const boxes = [places[i][j], places[j][i]].map((place) => place.getBoundingClientRect());
    [[i, j, 0], [j, i, 1]].forEach(([a, b, k]) => {
      if (grid[a][b] === null) return;
      const [x, y] = [boxes[1 - k].left - boxes[k].left, boxes[1 - k].top - boxes[k].top];
      places[a][b].animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: 600,
        easing: "ease-in-out",
      });
    });
  }
}

function told(get, pairs, name) {
  const [M, step] = [get("M"), get("step")];
  const [n, m] = [M.length, M[0].length];
  const start = `Step ${step} of ${pairs.length}: `;
  if (!step) {
    const diagonal = transpose(M).slice(0, n).map((column, j) => column[j]);
    return `${start}${name} (${n}×${m}), whose diagonal ${vector(diagonal)} will stay.`;
  }
  const [i, j] = pairs[step - 1];
  const inside = [[i, j], [j, i]].filter(([a, b]) => a < n && b < m);
  const held = inside.map(([a, b]) => `row ${a + 1}, column ${b + 1} (${number(M[a][b])})`).join(" and ");
  const [[a, b]] = inside;
  const moved = inside.length === 2 ? " change places" : ` moves to row ${b + 1}, column ${a + 1}`;
  return `${start}${held}${moved}${step === pairs.length ? `; that makes ${name}ᵀ (${m}×${n})` : ""}.`;
}
