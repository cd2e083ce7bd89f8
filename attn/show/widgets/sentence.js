// Walk down a table of scores with its softmax; hold a printed row against every temperature.
import {
  bars,
  bdi,
  extremes,
  figure,
  h,
  heater,
  label,
  legend,
  matrix,
  number,
  provenance,
  quoted,
  restart,
  row,
  rowOf,
  write,
} from "../kit/kit.js";
import { chart } from "../kit/curves.js";
import { softmaxRow } from "../kit/linalg.js";
import { ease, fly } from "../kit/motion.js";

export function render(host) {
  return figure(host, {
    title: "One sentence, all its scores.",
    hint: asked(host.model),
    shape: ["scores", "tokens", "printed", "printed_row"],
    state: ["row", "temperature"],
    build,
  });
}

function asked(model) {
  if (!model.get("printed")) {
    return "Choose a row to read it; change the temperature and see what softmax makes of the scores.";
  }
  const word = quoted(model.get("tokens")[model.get("printed_row")]);
  return `A text lists these scores, and prints a row of weights for ${word}. Does softmax give them, at any temperature?`;
}

// The fewest decimals, at most two, that write all scores: a cell is narrow, and numbers below each other have the same
function even(scores) {
  const exact = (digits) => scores.flat().every((x) => Math.abs(x - Number(x.toFixed(digits))) < 1e-9);
  const digits = [0, 1].find(exact) ?? 2;
  return (x) => x.toFixed(digits).replace(/^-(?=[0.]+$)/, "").replace("-", "−");
}
// A weight in a narrow cell; the long form is told on pointing
const little = (x) => (x > 0 && x < 0.005 ? (x < 0.001 ? "≈0" : "<.01") : number(x, 2));

function build(get, set) {
  const [scores, tokens, printed, at] = ["scores", "tokens", "printed", "printed_row"].map(get);
  const n = tokens.length;
  const square = { rows: tokens, cols: tokens, size: [n, n], onpick: (i) => set({ row: i }) };
  const left = matrix({ name: "scores: queries down, keys across", ...square, tell: even(scores) });
  const right = matrix({ name: "weights = softmax(scores / temperature)", ...square, kind: "weight", tell: little });
  const heat = heater((temperature) => set({ temperature }));
  const shares = bars({ names: tokens, title: "The chosen row's weights" });
  const items = [...shares.el.children];
  const values = items.map((item) => item.querySelector(".attn-value"));
  const against = tokens.map(() => h("span"));
  shares.el.style.gridTemplateColumns =
    "minmax(0, max-content) minmax(4rem, 1fr) minmax(3rem, max-content) max-content";
  items.forEach((item, j) => {
    item.append(against[j]);
    ease(item.querySelector(".attn-fill"), "width", 200);
  });
  const chosen = h("p", { style: "margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis" });
  // How far the printed row is off at most from the softmax of row i
  const off = (i) => (temperature) => {
    const a = softmaxRow(scores[i].map((s) => s / temperature));
    return Math.max(...printed.map((x, j) => Math.abs(x - a[j])));
  };
  const curves = printed && misses(tokens, off, (temperature) => set({ temperature }));
  let curve = curves && curves(at);
  const computed = () => scores.map((line) => softmaxRow(line.map((s) => s / get("temperature"))));
  let weights = computed();
  let before = null;
  const power = (s) => `e^${number(s / get("temperature"))}`;
  const scored = (i, j) => {
    const s = scores[i][j] / get("temperature");
    return {
      told: `query of ${quoted(tokens[i])}, key of ${quoted(tokens[j])}: ${number(scores[i][j])} / ${
        number(get("temperature"))
      } = ${number(s)}, and e^${number(s)} = ${number(Math.exp(s))}`,
      from: [[right, [i, j]]],
    };
  };
  const origin = provenance([[left, scored], [right, (i, j) => ({
    told: `${number(weights[i][j])} = ${power(scores[i][j])} / (${scores[i].slice(0, 5).map(power).join(" + ")}${
      n > 5 ? " + …" : ""
    })`,
    from: rowOf(left, i),
  })]]);

  function draw() {
    weights = computed();
    const [i, temperature] = [get("row"), get("temperature")];
    heat.draw(temperature);
    left.draw(scores, { row: i });
    right.draw(weights, { row: i });
    origin.draw();
    chosen.replaceChildren(
      h("strong", {}, bdi(tokens[i])),
      " looks at",
      printed ? ` (lines: printed for ${quoted(tokens[at])})` : "",
    );
    shares.draw(weights[i], {
      most: 1,
      was: printed,
      tell: (x) => (x > 0 && x < 0.001 ? "≈0" : number(x)),
    });
    if (printed) {
      const gaps = printed.map((x, j) => Math.abs(x - weights[i][j]));
      against.forEach((one, j) => {
        write(one, `printed ${number(printed[j])}`);
        const worst = gaps[j] === Math.max(...gaps);
        for (const part of [one, values[j]]) part.style.color = worst ? "var(--attn-debt)" : "";
        items[j].querySelector(".attn-fill").style.background = worst ? "var(--attn-debt)" : "";
      });
      if (before !== null && before !== i) {
        const next = curves(i);
        curve.el.replaceWith(next.el);
        curve = next;
      }
      curve.draw(temperature);
    }
    if (before !== null && before !== i) values.forEach((node, j) => fly(node, right.cells[i][j]));
    before = i;
  }
  function sentence(heat = get("temperature")) {
    const i = get("row");
    const warmth = `At temperature ${number(heat)}`;
    if (!printed || i !== at) return `${warmth}, the row of ${quoted(tokens[i])} is ${extremes(weights[i], tokens)}.`;
    const a = weights[at];
    const gaps = printed.map((x, j) => Math.abs(x - a[j]));
    const far = Math.max(...gaps);
    const j = gaps.findIndex((gap) => gap >= far - 1e-9);
    const most = `off by up to ${number(far)}, at ${quoted(tokens[j])}`;
    const row = `the printed row of ${quoted(tokens[i])} is ${most}`;
    return `${warmth}, ${row}: printed ${number(printed[j])}, computed ${number(a[j])}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, heat.el);
  const reading = h("div", { style: "flex: 1 1 20rem; min-width: 0" }, chosen, shares.el);
  return {
    parts: [
      row(
        controls,
        restart(get, set, ["row", "temperature"]),
        legend({ kind: "signed", values: scores, share: "" }).el,
      ),
      h(
        "div",
        { class: "attn-trio", style: "--cell: min(0.88rem, 3.2vw); --min: min(2.6rem, 11vw)" },
        left.el,
        right.el,
      ),
      origin.el,
      row(reading, curve && curve.el),
    ],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(0.123),
  };
}

// How far the printed row is off at most, at every temperature from 0.1 to 10: for each row a curve, and where the reader
// stands.
function misses(tokens, off, onheat) {
  const xs = Array.from({ length: 201 }, (_, k) => k / 100 - 1);
  return (i) => {
    const ys = xs.map((x) => off(i)(10 ** x));
    const most = 1.1 * Math.max(...ys) || 1;
    const least = Math.min(...ys);
    const { el, draw } = chart({
      name: `How far the printed row is off the row of ${quoted(tokens[i])}, by temperature: at least ${number(least)}`,
      title: `row ${label(tokens[i])}: largest gap, never below ${number(least)}`,
      most,
      span: [-1, 1],
      lines: [{ tone: "value", xs, ys }],
      ticks: [[-1, "0.1"], [-0.5, "temperature"], [0, "1"], [1, "10"]],
      rules: [0],
      levels: least > most / 8 ? [[0, "0"], [least, number(least)]] : [[0, "0"]],
      onpick: (x) => onheat(Number((10 ** x).toFixed(3))),
    });
    return { el, draw: (heat) => draw(Math.log10(heat), [off(i)(heat)], number(off(i)(heat))) };
  };
}
