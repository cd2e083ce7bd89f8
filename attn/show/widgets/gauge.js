// R moves the queries, its inverse the keys, and the scores stand still.
import { figure, h, largest, mark, matrix, number, products, provenance, quoted, vector, write } from "../kit/kit.js";
import { matmul, scaled, scores, transpose } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { plot, sources } from "../kit/plane.js";

const RULES = `.attn-live .attn-same { display: grid; gap: 0.2rem 1.6rem; align-items: center; margin-top: 0.5rem; }
.attn-same > * { min-width: 0; }
.attn-live .attn-why { margin: 0.3rem 0 0; font-size: 1.1em; white-space: nowrap; }
.attn-live .attn-moves { margin-block: 0.3rem; }
.attn-same .attn-hero > span { display: block; color: var(--attn-soft); font-size: 0.9375rem; font-weight: 400; letter-spacing: 0; }
.attn-live .attn-same .attn-hero > [data-same] { color: var(--attn-accent); font-weight: 600; }
.attn-cast .attn-grid { stroke-width: 1; }
.attn-cast .attn-mark[data-faint] { opacity: 0.8; }
.attn-cast .attn-mark[data-kind="point"][data-faint] { fill: var(--attn-paper); stroke: var(--tone); stroke-width: 2px; }
.attn-live .attn-cast { gap: 0.4rem 0.8rem; align-items: start; }
.attn-cast .attn-plane { max-width: none; }
.attn-cast figcaption { display: flex; gap: 1rem; justify-content: space-between; margin-bottom: 0.1rem; font-weight: 700; }
.attn-cast figcaption > span { color: var(--attn-soft); font-weight: 400; }
.attn-live .attn-cast g.attn-mark[data-kind="arrow"][tabindex] .attn-grip { fill: var(--tone); stroke: var(--attn-paper); stroke-dasharray: none; r: 6px; }
.attn-live .attn-cast g.attn-mark[tabindex]:is(:hover, :focus-visible) .attn-grip { stroke: var(--attn-text); }
.attn-live .attn-same .attn-matrix { width: 100%; table-layout: fixed; }
.attn-live .attn-same .attn-corner { width: 4.5rem; }
.attn-live .attn-same thead th { padding-inline: 0; }
.attn-live .attn-same thead th > bdi { margin: auto; max-width: none; overflow: visible; } /* over the middle of its numbers */
.attn-live .attn-same .attn-matrix tbody td { padding-block: 0.34rem; }
@media (min-width: 701px) { .attn-live .attn-cast { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .attn-same { grid-template-columns: minmax(0, 1fr) max-content; } }
@media (max-width: 700px) { .attn-same > .attn-tight { order: 1; }
  .attn-live .attn-cast { grid-template-columns: minmax(0, 1fr); }
  .attn-live .attn-moves { gap: 0.3rem; }
  .attn-same .attn-hero { font-size: 1.7rem; }
  .attn-same .attn-hero > span { display: inline; margin-left: 0.6rem; }
  .attn-same caption { display: none; }
  .attn-live .attn-same .attn-corner { width: 3.6rem; }
  .attn-live .attn-moves button { padding-inline: 0.45rem; }
  .attn-live .attn-same .attn-matrix tr > :is(td, th) { min-width: 0; padding-inline: 0; font-size: min(0.72rem, 3.1vw); }
  .attn-live .attn-same .attn-matrix thead tr > th { font-size: min(0.65rem, 2.85vw); }
  .attn-live .attn-same .attn-matrix tr > th:first-child { padding-right: 3px; } }`;
const LEAST = 0.05; // of |det R|, as in gauge.py
const [COS, SIN] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)].map((x) => Number(x.toFixed(3)));
const MOVES = {
  nothing: [[1, 0], [0, 1]],
  halve: [[0.5, 0], [0, 0.5]],
  turn: [[COS, SIN], [-SIN, COS]],
  shear: [[1, 0], [0.8, 1]],
};
const MARGIN = 14; // pixels that points keep from what is seen of a plane
const KNOB = 13; // pixels from the tip of a row of R to the middle of what is held

export function render(host) {
  return figure(host, {
    title: "The same scores in another plane.",
    hint: "Drag R₁ or R₂, or choose a move.",
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
  const phone = matchMedia("(max-width: 700px)").matches; // there they stand one below the other
  // Both have one scale that no hand changes: equal lengths are equal, and what grows looks larger. There is room for
  // every move, and on a phone each plane is only as high as its own need.
  const high = [1.5, 1.5];
  let wide = 1.5;
  function grow(R) {
    [[...matmul(Q, R), ...R], matmul(K, transpose(inverse(R)))].forEach((all, side) => {
      wide = Math.max(wide, 1.04 * largest(all));
      high[side] = Math.max(high[side], ...all.map((p) => 1.04 * Math.abs(p[1])));
    });
    if (!phone) high.fill(Math.max(...high));
    else wide = Math.max(wide, 1.45 * Math.max(...high)); // low enough to be seen in one screen with the scores
  }
  [...Object.values(MOVES), get("R")].forEach(grow);
  // The width is what sets the scale: beside it there is room for a plane's margins
  const [asking, found] = ["The queries after R", "The keys after the inverse of R"].map((name, side) =>
    plot({ name, tall: (6 * high[side] / wide + 1) / 7 })
  );
  const fit = () => [asking, found].forEach((one, side) => one.frame([[-wide, -high[side]], [wide, high[side]]]));
  fit();
  const cells = [asking, found].map((plane) => plane.add("area", { tone: "grid" }));
  // Where each was before R: what moved, and how far: under what moves
  const before = [[asking, "query", Q], [found, "key", K]].map(([plane, tone, points]) =>
    points.map((p) => [plane.add("line", { tone }), plane.add("point", { tone, size: 5 }), p])
  );
  const queries = tokens.map((name) => asking.add("arrow", { tone: "query", name, merge: false }));
  const points = keys.map((name) => found.add("point", { tone: "key", name }));
  const axes = [0, 1].map((i) =>
    // the last: they lie on the queries
    asking.add("arrow", {
      tone: "value",
      name: `R${"₁₂"[i]}`,
      heard: `row ${i + 1} of R`,
      drag: (to) => {
        const from = get("R")[i];
        // On the way to the hand, as far as everything stays in sight
        for (let part = 1; part > 0; part -= 0.02) {
          const R = get("R").map((line, k) =>
            k === i ? from.map((x, c) => Number((x + part * (to[c] - x)).toFixed(3))) : line
          );
          if (Math.abs(det(R)) < LEAST || !within(R)) continue;
          stops(part < 1 && i, to);
          return move(R, true);
        }
        stops(i, to);
      },
      onleave: () => stops(false),
    })
  );
  // What is held stands before its arrow's tip, and no name lies on it
  const knobs = axes.map(() => asking.add("point", { tone: "grid", size: 0 }));
  function hold(R) {
    const { scale } = asking.shown();
    R.forEach((line, i) => {
      const off = scaled([line], KNOB / Math.hypot(...line))[0];
      knobs[i].put([line.map((x, k) => x + off[k] / scale)], { size: 0 });
      for (const one of axes[i].el.querySelectorAll("circle")) one.style.translate = `${off[0]}px ${-off[1]}px`;
    });
  }
  const start = scores(Q, K);
  const most = largest(start);
  const table = matrix({
    name: "S = Q′ K′ᵀ / √2",
    rows: tokens,
    cols: keys,
    size: [tokens.length, keys.length],
    most,
    tell: (x) => phone && keys.length > 4 ? number(Math.abs(x) < 0.05 ? 0 : x, 1) : number(x, 2),
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const now = () => {
    const R = get("R");
    const moved = [matmul(Q, R), matmul(K, transpose(inverse(R)))].map((M) => M.map((line) => line.map(tidy)));
    return { R, moved, S: scores(...moved).map((line) => line.map(tidy)) };
  };
  function within(R) {
    const seen = ({ low, high, scale }, points) => { // clear of the edge and of the numbers that stand there
      const edge = MARGIN / scale;
      return points.every((p) => p.every((x, k) => x > low[k] + edge && x < high[k] - edge));
    };
    return seen(asking.shown(), [...matmul(Q, R), ...R]) && seen(found.shown(), matmul(K, transpose(inverse(R))));
  }
  // A row of R that does not follow the hand says why; `i` false: it follows, or was let go.
  function stops(i, to) {
    if (i === false) return origin.say("");
    const flat = Math.abs(det(get("R").map((line, k) => (k === i ? to : line)))) < 3 * LEAST;
    const why = flat
      ? "there both rows would lie on one line, and R would have no inverse"
      : "there a query or a key would leave its plane";
    origin.say(`R${"₁₂"[i]} stops: ${why}.`);
  }
  const [queryMarks, keyMarks] = [sources(queries), sources(points)];
  const origin = provenance([[table, (i, j) => {
    const { moved: [q, k], S } = now();
    return {
      told: `${number(S[i][j])} = (${products(q[i], k[j])}) / √2; before R it was (${products(Q[i], K[j])}) / √2`,
      from: [[queryMarks, [0, i]], [keyMarks, [0, j]]],
    };
  }]]);
  let once = false;
  function move(R, dragged = false) {
    once = dragged || det(R) * det(get("R")) < 0; // no way from one to the other without a singular R between
    set({ R });
  }
  const [whose, score, when] = ["small", "strong", "span"].map((tag) => h(tag));
  const is = (named) => named.every((line, i) => line.every((x, j) => Math.abs(x - get("R")[i][j]) < 1e-9));
  const still = () => is(MOVES.nothing);
  const moves = Object.entries(MOVES).map(([name, R]) => h("button", { type: "button", onclick: () => move(R) }, name));
  const paint = glide((flat) => {
    const R = [flat.slice(0, 2), flat.slice(2)];
    const back = transpose(inverse(R));
    const [q, k] = [matmul(Q, R), matmul(K, back)];
    const box = ([a, b]) => [[0, 0], a, [a[0] + b[0], a[1] + b[1]], b];
    [q, k].forEach((moved, side) =>
      before[side].forEach(([trail, spot, p], i) => {
        const hidden = Math.hypot(moved[i][0] - p[0], moved[i][1] - p[1]) < 1e-9;
        trail.put([p, moved[i]], { width: 2, faint: true, hidden });
        spot.put([p], { faint: true, hidden });
      })
    );
    [R, back].forEach((rows, side) => cells[side].put(box(rows)));
    axes.forEach((one, i) => one.put([[0, 0], R[i]], { width: 5 }));
    queries.forEach((one, i) => {
      const far = Math.hypot(...q[i]) || 1;
      one.way = [q[i][0] / far, -q[i][1] / far]; // a name stands beyond its tip
      one.put([[0, 0], q[i]], { width: i === get("row") ? 5 : 3 });
    });
    points.forEach((one, j) => one.put([k[j]], { size: j === get("col") ? 8 : 6 }));
    hold(R);
    asking.draw();
    found.draw();
  });
  // knobs and lines are so many pixels away or long: another width asks for them anew
  new ResizeObserver(() => paint(get("R").flat(), true)).observe(asking.el);
  function draw() {
    const { R, S } = now();
    if (!within(R)) grow(R), fit(); // set from elsewhere: no hand gets there
    paint(R.flat(), once);
    once = false;
    Object.values(MOVES).forEach((named, k) => {
      moves[k].setAttribute("aria-pressed", String(is(named)));
    });
    write(whose, `score of ${quoted(tokens[get("row")])} and ${quoted(keys[get("col")])}`);
    const same = S.flat().filter((x, at) => Math.abs(x - start.flat()[at]) < 1e-9).length;
    mark(when, "data-same", !still());
    write(when, still() ? "before R" : `✓ ${same} of ${start.flat().length} ${phone ? "" : "scores "}unchanged`);
    write(score, number(S[get("row")][get("col")]));
    table.draw(S, { pick: [get("row"), get("col")], row: get("row"), col: get("col") });
    origin.draw();
  }
  function sentence(open = still()) {
    const { R, moved: [q, k], S } = now();
    const [i, j] = [get("row"), get("col")];
    const start = open ? "R changes nothing yet" : `R sends the axes to ${vector(R[0])} and ${vector(R[1])}`;
    return `${start}. The query of ${quoted(tokens[i])} is ${vector(q[i])}, the key of ${quoted(keys[j])} is ${
      vector(k[j])
    }, and their scaled score is ${number(S[i][j])}${open ? ". Will any score change?" : ", as before."}`;
  }
  return {
    parts: [
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-row attn-moves" },
        h("span", {}, "R:"),
        ...moves,
      ),
      h(
        "div",
        { class: "attn-duo attn-cast" },
        [["queries, Q′ = Q R", asking, "ring: before R"], ["keys, K′ = K R⁻ᵀ", found, ""]].map(([told, plane, mark]) =>
          h(
            "figure",
            { style: "margin: 0; min-width: 0" },
            h("figcaption", {}, told, h("span", {}, mark)),
            plane.el,
          )
        ),
      ),
      h(
        "div",
        { class: "attn-same" },
        h("div", { class: "attn-tight" }, table.el),
        h(
          "div",
          {},
          h("p", { class: "attn-hero" }, whose, score, when),
          h("p", { class: "attn-why" }, "Q′ K′ᵀ = Q R R⁻¹ Kᵀ = Q Kᵀ"),
        ),
      ),
      origin.el,
    ],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(false),
  };
}
