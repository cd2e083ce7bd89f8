// Turn a matrix round, pair by pair. Every row keeps its colour: what lay as a stripe stands as one in the end.
import {
  bdi,
  chips,
  figure,
  h,
  label,
  mark,
  matrix,
  number,
  provenance,
  quoted,
  sign,
  stepper,
  vector,
} from "../kit/kit.js";
import { arrive, calm, grand, written } from "../kit/large.js";
import { transpose } from "../kit/linalg.js";

const TURN = 1100; // milliseconds

const RULES = [
  ".attn-turning { position: relative; }",
  ".attn-stripes th > bdi { border-bottom: 4px solid transparent; }",
  ".attn-turning:has(> .attn-before) { overflow: visible; background: none; }",
  ".attn-live .attn-before { position: absolute; top: 3px; left: 3px; }",
  ".attn-turning > table { backface-visibility: hidden; }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Rows become columns.",
    hint:
      "Every row has its own colour. Turn the sheet about its diagonal, or step: two mirrored numbers change places.",
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
  const last = pairs.length;
  const steps = stepper({ last, onstep: (step) => set({ step }), pace: 1500 });
  const jump = chips({ names: [name, `${name}ᵀ`], title: "Show", onpick: (i) => set({ step: i * last }) });
  const swapAt = (i, j) => pairs.findIndex(([a, b]) => a === Math.min(i, j) && b === Math.max(i, j)) + 1;
  const still = matrix({ name: `${name} (${n}×${m})`, rows, cols, size: [n, m], kind: "plain" });
  const turning = matrix({
    name: " ",
    size: [size, size],
    kind: "plain",
    onpick: () => {}, // to be walked over by keys: where a number comes from is told
    onact: (i, j) => i !== j && set({ step: swapAt(i, j) }),
  });
  const places = turning.cells;
  const [heads, sides] = ["col", "row"].map((scope) => Array.from(turning.el.querySelectorAll(`th[scope=${scope}]`)));
  still.el.querySelectorAll("th[scope=row]").forEach((node, i) => node.style.setProperty("--k", i));
  still.cells.forEach((line, i) => line.forEach((cell, j) => paint(cell, [i, j])));
  const origin = provenance([[turning, (i, j) => {
    const from = where[i][j];
    if (!from) return null;
    const [a, b] = from;
    const [here, old] = [[i, j], from].map(([r, c]) => `row ${r + 1}, column ${c + 1}`);
    const told = i === j
      ? `${number(M[a][b])} stays in ${here}`
      : here === old
      ? `${number(M[a][b])} is still in ${old}; its new place is row ${j + 1}, column ${i + 1}`
      : `${number(M[a][b])} was in ${old}: ${quoted(rows[a])}, ${label(cols[b])}`;
    return { told, from: [[still, from]] };
  }]]);
  const at = (step) => told((one) => one === "step" ? step : get(one), pairs, name);
  const longest = [...pairs.keys(), last].map(at).sort((a, b) => b.length - a.length)[0];
  const table = turning.el.querySelector("table");
  turning.el.classList.add("attn-turning");
  let [where, shown] = [[], null];

  function paint(cell, from) {
    if (from) cell.style.setProperty("--k", from[0]);
    if (from && size < 6) cell.dataset.from = `${label(rows[from[0]])} ${label(cols[from[1]])}`;
    mark(cell, "data-axis", from && from[0] === from[1]);
  }
  // At both ends the names of M; in between the matrix is neither M nor Mᵀ, and places have numbers.
  function names(step) {
    const ends = step === 0 || step === last;
    [[sides, step ? cols : rows], [heads, step ? rows : cols]].forEach(([nodes, told]) =>
      nodes.forEach((node, i) => {
        node.replaceChildren(ends ? (i < told.length ? bdi(told[i]) : "") : bdi(String(i + 1)));
        if (ends && told === rows && i < n) node.style.setProperty("--k", i);
        else node.removeAttribute("style"); // what has one is underlined
      })
    );
  }
  function draw() {
    const step = get("step");
    const before = Math.abs(step - shown) === last && !calm() ? table.cloneNode(true) : null;
    const now = step ? pairs[step - 1] : null;
    where = places.map((line, i) => line.map((_, j) => (i < n && j < m ? [i, j] : null)));
    for (const [i, j] of pairs.slice(0, step)) [where[i][j], where[j][i]] = [where[j][i], where[i][j]];
    steps.draw(step, `Step ${step} of ${last}`);
    jump.draw(step === 0 ? 0 : step === last ? 1 : -1);
    still.draw(M);
    const caption = step === 0
      ? `${name}, to be turned`
      : step < last
      ? `on the way to ${name}ᵀ`
      : `${name}ᵀ (${m}×${n})`;
    turning.draw(where.map((line) => line.map((from) => (from ? M[from[0]][from[1]] : 0))), {
      hidden: (i, j) => !where[i][j],
      caption,
    });
    names(step);
    places.forEach((line, i) =>
      line.forEach((place, j) => {
        paint(place, where[i][j]);
        mark(place, "data-pick", now && now[0] === Math.min(i, j) && now[1] === Math.max(i, j));
        mark(place, "data-void", !where[i][j]);
      })
    );
    if (shown !== null && Math.abs(step - shown) === last && last > 1) turnOver(before);
    else if (shown !== null) move(pairs.slice(Math.min(step, shown), Math.max(step, shown)), step);
    shown = step;
    origin.draw();
  }
  // The whole sheet turns about its drawn diagonal: first as it was, until it stands on its edge, then as it is now.
  function turnOver(before) {
    if (!before) return;
    const [home, first] = [table, places[0][0]].map((node) => node.getBoundingClientRect());
    const origin = `${first.left + first.width / 2 - home.left}px ${first.top + first.height / 2 - home.top}px`;
    const way = (from, to) =>
      [from, to].map((turn) => ({ transform: `perspective(60rem) rotate3d(1,1,0,${turn}deg)` }));
    const half = { duration: TURN / 2, fill: "backwards" };
    turning.el.querySelector(".attn-before")?.remove();
    before.classList.add("attn-before");
    before.setAttribute("aria-hidden", "true");
    before.querySelectorAll("[tabindex]").forEach((cell) => cell.removeAttribute("tabindex"));
    for (const one of [table, before]) one.style.transformOrigin = origin;
    table.after(before);
    before.animate(way(0, 90), { ...half, easing: "ease-in", fill: "forwards", endDelay: TURN / 2 }).onfinish = () =>
      before.remove();
    table.animate(way(-90, 0), { ...half, easing: "ease-out", delay: TURN / 2 });
  }
  // The entries are already in their new places: let each arrive from its old one, and the names with the last of them.
  function move(swapped, step) {
    if (!swapped.length) return;
    const box = (node) => node.getBoundingClientRect();
    const moves = swapped.flatMap(([i, j]) => [[i, j], [j, i]]).filter(([i, j]) => where[i][j]);
    const named = step === 0 || step === last ? heads.flatMap((node, i) => [[node, sides[i]], [sides[i], node]]) : [];
    arrive([
      ...moves.map(([i, j]) => [places[i][j], box(places[j][i])]),
      ...named.map(([to, from]) => [to, box(from)]),
    ]);
  }
  const arrow = sign("→");
  arrow.style.alignSelf = "center";
  // On a phone the sheets stand one below the other: the one that turns first, under its buttons
  const sheets = [still.el, arrow, turning.el];
  if (matchMedia("(max-width: 480px)").matches) sheets.reverse();
  const picture = grand({ wide: m + size, narrow: size, aside: 12, thin: 5, told: written(M) }, ...sheets);
  picture.firstChild.style.alignItems = "start"; // the first rows of both stand side by side
  picture.classList.add("attn-stripes");
  return {
    parts: [h("style", {}, RULES), h("div", { class: "attn-drive" }, jump.el, steps.el), picture, origin.el],
    draw,
    sentence: () => told(get, pairs, name),
    longest: () => longest,
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
