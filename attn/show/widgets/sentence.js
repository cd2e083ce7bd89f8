// Walk down a table of scores with its softmax; hold a printed row against every temperature.
import {
  bars,
  bdi,
  extremes,
  figure,
  h,
  heater,
  legend,
  matrix,
  note,
  number,
  provenance,
  quoted,
  restart,
  row,
  rowOf,
} from "../kit/kit.js";
import { chart } from "../kit/curves.js";
import { softmaxRow } from "../kit/linalg.js";
import { ease } from "../kit/motion.js";

// Scores beside weights, and below them the slider beside what it moves; where two do not fit, one below the other
const RULES = `.attn-pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15.5rem), 1fr));
  gap: 0.6rem 1.2rem; align-items: start; margin: 0.5rem 0; }
.attn-pairs > div { container-type: inline-size; }
.attn-pairs .attn-scroll { width: max-content; }
.attn-pairs .attn-matrix { --min: clamp(24px, (100cqw - 3.6rem) / var(--n) - 2px, 2.7rem); --cell: clamp(0.75rem, 3.4cqw, 0.88rem); }
.attn-live .attn-pairs th > bdi { max-width: 2.8rem; }
.attn-live .attn-pairs .attn-bars { grid-template-columns: minmax(0, max-content) minmax(4rem, 1fr) 3.6rem; max-width: none; }
.attn-live .attn-pairs .attn-bars[data-against] { grid-template-columns: minmax(0, max-content) minmax(4rem, 1fr) repeat(2, 3.6rem); }
.attn-pairs .attn-bars li > :nth-child(n + 3) { text-align: right; font-variant-numeric: tabular-nums; }
.attn-live .attn-pairs .attn-over { margin: 0; }
.attn-over > span { color: var(--attn-soft); font-size: 0.85em; }
.attn-over > :first-child { grid-column: 1 / 3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.attn-over i { display: inline-block; width: 2px; height: 0.9em; margin-right: 0.4em; background: var(--attn-text); vertical-align: -0.1em; }
.attn-pairs > .attn-missed { position: relative; }
.attn-missed > p { position: absolute; inset: 30% 1rem auto; text-align: center; }
.attn-gap { max-width: none; margin-inline: auto; }
.attn-gap .attn-plane > text:last-child { font-size: 27px; }
.attn-live .attn-pairs .attn-track { height: 1.5em; }
.attn-steered .attn-ramp { width: 2.5rem; }
.attn-live .attn-steered > .attn-legend { gap: 0.4rem; margin: 0; font-size: 0.8em; }`;

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
  const right = matrix({ name: "softmax(scores / temperature)", ...square, kind: "weight", tell: little });
  const heat = heater((temperature) => set({ temperature }));
  const shares = bars({ names: tokens, title: "The chosen row's weights" });
  const items = [...shares.el.children];
  const values = items.map((item) => item.querySelector(".attn-value"));
  // What was printed stands beside what is computed of the same row, and beside no other
  const against = printed ? printed.map((x) => h("span", {}, number(x))) : [];
  const chosen = h("span");
  const heads = [chosen, h("span", {}, "weight"), printed && h("span", {}, h("i"), "printed")].filter(Boolean);
  shares.el.prepend(h("li", { class: "attn-over", "aria-hidden": "true" }, heads));
  shares.el.toggleAttribute("data-against", Boolean(printed));
  items.forEach((item, j) => {
    if (printed) item.append(against[j]);
    ease(item.querySelector(".attn-fill"), "width", 200);
  });
  const curve = printed && misses((temperature) => {
    const a = softmaxRow(scores[at].map((s) => s / temperature));
    return Math.max(...printed.map((x, j) => Math.abs(x - a[j])));
  }, (temperature) => set({ temperature }));
  const elsewhere = printed && note(`The text prints the row of ${quoted(tokens[at])} only. Choose it to compare.`);
  const computed = () => scores.map((line) => softmaxRow(line.map((s) => s / get("temperature"))));
  let weights = computed();
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
    const held = printed && i === at;
    chosen.replaceChildren(h("strong", {}, bdi(tokens[i])), " looks at");
    shares.draw(weights[i], {
      most: 1,
      was: held ? printed : null,
      tell: (x) => (x > 0 && x < 0.001 ? "≈0" : number(x)),
    });
    const gaps = held ? printed.map((x, j) => Math.abs(x - weights[i][j])) : [];
    for (const one of [...against, heads[2], curve?.el]) if (one) one.style.visibility = held ? "" : "hidden";
    if (printed) elsewhere.style.visibility = held ? "hidden" : "";
    items.forEach((item, j) => {
      const worst = held && gaps[j] === Math.max(...gaps);
      for (const part of [against[j], values[j]]) if (part) part.style.color = worst ? "var(--attn-debt)" : "";
      item.querySelector(".attn-fill").style.background = worst ? "var(--attn-debt)" : "";
    });
    curve?.draw(temperature);
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
  const pair = (...parts) => h("div", { class: "attn-pairs", style: `--n:${n}` }, parts);
  const steered = row(
    h("div", { class: "attn-sliders" }, heat.el),
    restart(get, set, ["row", "temperature"]),
    legend({ kind: "signed", values: scores, share: "" }).el,
  );
  steered.classList.add("attn-steered");
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-trio", style: "display: block" }, pair(h("div", {}, left.el), h("div", {}, right.el))),
      steered,
      pair(
        h("div", { style: curve ? "" : "grid-column: 1 / -1" }, shares.el),
        curve && h("div", { class: "attn-missed" }, curve.el, elsewhere),
      ),
      origin.el,
    ],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(0.123),
  };
}

// How far the printed row is off at most, at every temperature from 0.1 to 10, and where the reader stands.
function misses(off, onheat) {
  const xs = Array.from({ length: 201 }, (_, k) => k / 100 - 1);
  const ys = xs.map((x) => off(10 ** x));
  const most = 1.1 * Math.max(...ys) || 1;
  const least = Math.min(...ys);
  const { el, draw } = chart({
    name: `How far the printed row is off, by temperature: at least ${number(least)}`,
    title: `largest gap: never below ${number(least)}`,
    most,
    span: [-1, 1],
    xs,
    ys,
    ticks: [[-1, "0.1"], [-0.5, "temperature"], [0, "1"], [1, "10"]],
    rules: [0],
    levels: least > most / 8 ? [[0, "0"], [least, number(least)]] : [[0, "0"]],
    onpick: (x) => onheat(Number((10 ** x).toFixed(3))),
  });
  el.classList.add("attn-gap");
  return { el, draw: (heat) => draw(Math.log10(heat), off(heat), number(off(heat))) };
}
