// Softmax in three phases, all rows at once, with their sums.
import {
  chips,
  figure,
  h,
  largest,
  legend,
  matrix,
  note,
  number,
  provenance,
  quoted,
  rowOf,
  sign,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";

const PHASES = ["scaled scores", "exponentials", "weights"];

export function render(host) {
  return figure(host, {
    title: "Softmax in three phases.",
    hint: "Step through: scores, their exponentials, and each divided by its row's sum.",
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
  const who = chips({ names, title: "Follow", onpick: (i) => set({ row: i }) });
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
      onpick: p ? () => {} : null,
    }),
    matrix({ name: "sums", rows: names, cols: ["Σ"], size: [size[0], 1], kind: "plain" }),
  ]);
  const sums = stages.map((stage) => stage.map((line) => [sum(line)]));
  const boards = pairs.map(([one, side], p) =>
    h("div", { class: "attn-row attn-pair" }, ...(p ? [sign("→")] : []), one.el, side.el)
  );
  const told = note();
  const sumOf = (values) => (values.length > 6 ? [...values.slice(0, 5), "…"] : values).join(" + ");
  const [exponent, weight] = [
    (i, j) =>
      `e^${shift ? `(${number(stages[0][i][j])} − ${number(Math.max(...stages[0][i]))})` : number(stages[0][i][j])}`,
    (i, j) => `${number(stages[1][i][j])} ÷ (${sumOf(stages[1][i].map((x) => number(x)))})`,
  ];
  const [[scores], [exps, total], [weights]] = pairs;
  const origin = provenance([
    [exps, (i, j) => ({ told: `${number(stages[1][i][j])} = ${exponent(i, j)}`, from: [[scores, [i, j]]] })],
    [total, (i) => ({
      told: `${number(sums[1][i][0])} = ${sumOf(stages[1][i].map((x) => number(x)))}`,
      from: rowOf(exps, i),
    })],
    [weights, (i, j) => ({ told: `${number(stages[2][i][j])} = ${weight(i, j)}`, from: rowOf(exps, i) })],
  ]);

  function working(p, i) {
    const total = number(sums[1][i][0]);
    const told = (stages[1][i].length > 6 ? [...stages[1][i].slice(0, 5), "…"] : stages[1][i]).map((
      x,
    ) => (x === "…" ? x : number(x)));
    if (p === 1) return `exp of each score, added: ${told.join(" + ")} = ${total}.`;
    if (p === 2) {
      return `Each is divided by its row's sum: ${
        told.map((x, j) => (x === "…" ? x : `${x} ÷ ${total} = ${number(stages[2][i][j])}`)).join("; ")
      }.`;
    }
    return "Scores may be of any size and sign; a row's sum means nothing yet.";
  }
  function draw() {
    const [phase, i] = [get("phase"), get("row")];
    steps.draw(phase, `${phase + 1} of 3: ${PHASES[phase]}`);
    who.draw(i);
    boards.forEach((board, p) => (board.hidden = p > phase));
    pairs.forEach(([one, side], p) => {
      one.draw(stages[p], { row: i });
      side.draw(sums[p], { row: i });
    });
    origin.draw();
    write(told, working(phase, i));
  }
  function sentence() {
    const [phase, i] = [get("phase"), get("row")];
    const start = `Phase ${phase + 1} of 3, ${PHASES[phase]}: the row of ${quoted(names[i])} is `;
    return `${start}${vector(stages[phase][i])}, which sums to ${number(sums[phase][i][0])}.`;
  }
  return {
    parts: [steps.el, who.el, h("div", { class: "attn-row" }, boards), scale.el, origin.el, told],
    draw,
    sentence,
    stop: steps.stop,
  };
}
