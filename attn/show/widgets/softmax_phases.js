// Softmax in three phases, all rows at once, with their sums; the followed row as bars that end up tiling one.
import {
  bdi,
  chips,
  figure,
  h,
  largest,
  legend,
  mark,
  matrix,
  note,
  number,
  phrase,
  provenance,
  quoted,
  row,
  rowOf,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";
import { ease, fly } from "../kit/motion.js";

const PHASES = ["scaled scores", "exponentials", "weights"];
const MOST = 8; // words of the followed row that are drawn
// The phases in one row, from left to right; the words stand once, at its left. Below each other on a phone.
const RULES = [
  ".attn-live .attn-tiles { font-size: 1.1em; }",
  "@media (min-width: 481px) { .attn-live .attn-tiles .attn-track { height: 2.3rem; } }",
  ".attn-live .attn-tiles strong { font-size: 1.35em; }",
  ".attn-phases .attn-matrix caption { font-weight: 700; }",
  "@media (min-width: 660px) { .attn-live .attn-phases { flex-wrap: nowrap; gap: 0.3rem; }",
  ".attn-phases > :not(:first-child) :is(th[scope='row'], .attn-corner) { position: absolute; clip-path: inset(50%); } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Softmax in three phases.",
    hint: "Step: scores, their exponentials, each divided by its row’s sum.",
    shape: ["scores", "tokens"],
    state: ["phase", "row"],
    build,
  });
}

const sum = (values) => values.reduce((total, x) => total + (x === null ? -Infinity : x), 0);

function compute(rows) {
  const scores = rows.map((line) => line.map((x) => (x === null ? -Infinity : x)));
  const tops = scores.map((line) => Math.max(...line)).map((top) => (top === -Infinity ? 0 : top));
  const shift = Math.max(...tops.map(Math.abs)) > 30; // else exp would overflow what can be written, or vanish
  const exp = scores.map((line, i) => line.map((x) => Math.exp(x - (shift ? tops[i] : 0))));
  return { shift, stages: [scores, exp, scores.map(softmaxRow)] };
}

function build(get, set) {
  const [rows, tokens] = [get("scores"), get("tokens")];
  const names = rows.length === tokens.length ? tokens : rows.map((_, i) => `r${i + 1}`);
  const { shift, stages } = compute(rows);
  const size = [rows.length, tokens.length];
  const steps = stepper({
    last: 2,
    onstep: (phase) => set({ phase }),
    onreset: () => set({ phase: 0, row: 0 }),
    pace: 2200,
  });
  const follow = (row) => set({ row });
  const who = chips({ names, title: "Follow", onpick: follow });
  const most = largest([...stages[0], ...stages[1]]); // scores and exponentials: one scale
  const scale = legend({ kind: "signed", values: stages[0], most });
  const heads = ["scaled scores s", shift ? "exp(s − largest)" : "exp(s)", "exp ÷ row sum"];
  const pairs = stages.map((_, p) => [
    matrix({
      name: heads[p],
      rows: names,
      cols: tokens,
      size,
      most,
      kind: p === 2 ? "weight" : "signed",
      onpick: follow,
    }),
    matrix({ name: "sums", rows: names, cols: ["Σ"], size: [size[0], 1], kind: "plain" }),
  ]);
  // Each column is as wide as it will ever be
  const widest = Math.max(...stages.flat(2).map((x) => number(x).length));
  const few = size[1] < 5;
  const wide = (size[1] + 1) * (0.55 * widest + 0.45); // of one phase, in letters' heights
  const beside = wide < 18;
  for (const [one, side] of pairs) {
    for (const cell of [one, side].flatMap(({ cells }) => cells.flat())) {
      cell.style.minWidth = `${0.55 * widest + (few ? 0.45 : 0)}em`;
      if (few) cell.style.height = "2rem";
    }
    // the sums are beside the names already; what flies is not cut off
    for (const head of side.el.querySelectorAll("th[scope=row], .attn-corner")) {
      head.style.cssText = "position: absolute; clip-path: inset(50%)";
    }
    if (few) one.el.style.overflow = "visible";
  }
  const letters = beside
    ? `min(0.9rem, ${13.1 / wide}rem, max((660px - 100vw) * 99, ${23 / wide}vw))`
    : "min(0.82rem, 4vw)";
  const sums = stages.map((stage) => stage.map((line) => [sum(line)]));
  const boards = pairs.map(([one, side]) => h("div", { class: "attn-pair" }, one.el, side.el));
  const told = note();
  const sumOf = (values) => (values.length > 6 ? [...values.slice(0, 5), "…"] : values).join(" + ");
  const exponent = (i, j) =>
    `e^${shift ? `(${number(stages[0][i][j])} − ${number(Math.max(...stages[0][i]))})` : number(stages[0][i][j])}`;
  const weight = (i, j) => `${number(stages[1][i][j])} ÷ (${sumOf(stages[1][i].map((x) => number(x)))})`;
  const [[scores], [exps, total], [weights]] = pairs;
  const known = (p, made) => (i, j) => (get("phase") < p ? null : made(i, j));
  const origin = provenance([
    [exps, known(1, (i, j) => ({ told: `${number(stages[1][i][j])} = ${exponent(i, j)}`, from: [[scores, [i, j]]] }))],
    [
      total,
      known(1, (i) => ({
        told: `${number(sums[1][i][0])} = ${sumOf(stages[1][i].map((x) => number(x)))}`,
        from: rowOf(exps, i),
      })),
    ],
    [
      weights,
      known(2, (i, j) => ({ told: `${number(stages[2][i][j])} = ${weight(i, j)}`, from: rowOf(exps, i) })),
    ],
  ]);
  const tiles = tiling(tokens.slice(0, MOST));
  const reach = largest(stages[0]);
  let before = null;

  // Where each bar begins and ends: in the last phase they lie one after another, and fill the width.
  function lay(p, i) {
    if (p === 0) return stages[0][i].map((s) => [0, Number.isFinite(s) ? s / reach : 0]);
    let end = 0;
    return stages[2][i].map((share) => [p === 1 ? 0 : (end += share) - share, share]);
  }
  const told_ = (p, i, j) =>
    p === 0
      ? [`s = ${number(stages[0][i][j])}`]
      : p === 1
      ? [`${exponent(i, j)} = `, number(stages[1][i][j])]
      : [`${number(stages[1][i][j])} ÷ ${number(sums[1][i][0])} = `, number(stages[2][i][j])];
  const meaning = (p, i) => {
    const whole = number(sums[p][i][0]);
    if (p === 0) return `Scores may be of any size and sign: their sum, ${whole}, means nothing yet.`;
    if (p === 1) return `Every exponential is positive. The whole width is their sum, ${whole}.`;
    return `Divided by their sum they lie side by side and fill the width: together ${whole}.`;
  };
  function draw() {
    const [phase, i] = [get("phase"), get("row")];
    steps.draw(phase, `${phase + 1} of 3: ${PHASES[phase]}`);
    who.draw(i);
    const hidden = (p) => () => p > phase;
    pairs.forEach(([one, side], p) => {
      one.draw(stages[p], { row: i, hidden: hidden(p) });
      side.draw(sums[p], { row: i, hidden: hidden(p) });
      boards[p].style.opacity = p > phase ? 0.8 : 1;
    });
    if (before !== null && phase === before + 1 && size[0] * size[1] < 64) {
      pairs[phase][0].cells.forEach((line, a) =>
        line.forEach((cell, b) => fly(cell, pairs[before][0].cells[a][b], { delay: 90 * a, time: 600 }))
      );
    }
    before = phase;
    origin.draw();
    tiles.draw(lay(phase, i), (j) => told_(phase, i, j), i < tokens.length && names === tokens ? i : -1);
    write(told, meaning(phase, i) + (tokens.length > MOST ? ` The first ${MOST} words are drawn.` : ""));
  }
  function sentence() {
    const [phase, i] = [get("phase"), get("row")];
    const start = `Phase ${phase + 1} of 3, ${PHASES[phase]}: the row of ${quoted(names[i])} is `;
    return `${start}${vector(stages[phase][i])}, which sums to ${number(sums[phase][i][0])}.`;
  }
  const tables = [
    h("div", { class: `attn-trio attn-airy${beside ? " attn-phases" : ""}`, style: `--cell: ${letters}` }, boards),
  ];
  const followed = [who.el, tiles.el, told];
  // The bars, which move, stand under the buttons that move them, and the tables below
  const scales = row(scale.el, legend({ kind: "weight", values: stages[2], share: "weights" }).el);
  scales.style.marginBlock = "0";
  return {
    parts: [
      steps.el,
      h("style", {}, RULES),
      ...followed,
      ...tables,
      scales,
      origin.el,
    ],
    draw,
    sentence,
    longest: () => " as long".repeat(22), // as its longest sentence, of any step
    stop: steps.stop,
  };
}

// One line a word: what is computed, and a bar.   draw([[where it begins, how long], …] as shares of the width, what is told)
function tiling(names) {
  const fills = names.map(() => h("span", { class: "attn-fill", style: "min-width: 1px" }));
  const told = names.map(() => [h("span"), h("strong")]);
  for (const fill of fills) ease(fill, "left 700ms, width", 700);
  const lines = names.map((name, j) =>
    h(
      "li",
      {},
      h("span", { class: "attn-name" }, bdi(name)),
      h("span", { class: "attn-value" }, told[j]),
      h("span", { class: "attn-track", "aria-hidden": "true" }, fills[j]),
    )
  );
  const el = h("ul", { role: "list", "aria-label": "The followed row", class: "attn-tiles" }, lines);
  function draw(places, tell) {
    names.forEach((_, j) => {
      const [from, long] = places[j];
      const [rest, last] = tell(j);
      fills[j].style.left = `${(100 * from).toFixed(3)}%`;
      fills[j].style.width = `${(100 * Math.abs(long)).toFixed(3)}%`;
      mark(fills[j], "data-minus", long < 0);
      fills[j].style.background = long < 0 ? "var(--attn-debt)" : "";
      phrase(told[j][0], rest);
      write(told[j][1], last || "");
    });
  }
  return { el, draw };
}
