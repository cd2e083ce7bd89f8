// Softmax and average of a row read in blocks: a larger score raises the maximum and shrinks what was held.
import {
  bdi,
  factor,
  figure,
  h,
  label,
  mark,
  matrix,
  note,
  number,
  provenance,
  row,
  stack,
  stepper,
  vector,
  write,
} from "../kit/kit.js";
import { dial } from "../kit/dials.js";
import { appear, calm, flights } from "../kit/large.js";

const CHIP = 22; // pixels: as high as a number that falls

const RULES = `.attn-skyline > [data-read] > i { background: hsl(var(--hue) 50% calc(48% - 1% * var(--dark))); }
.attn-rescale .attn-part { background: hsl(var(--hue) 50% calc(var(--attn-hue) - 1% * var(--dark))); }`;

export function render(host) {
  return figure(host, {
    title: "Exact attention, one block at a time.",
    hint: "Step: where a block holds a larger score, all that was held shrinks by one factor. Drag a score.",
    shape: ["V", "block", "tokens"],
    state: ["scores", "step"],
    build,
  });
}

// The state after every block: m, ℓ, o, and the factor r that the new maximum made of what was held.
function states(scores, V, block) {
  const found = [{ m: -Infinity, l: 0, o: V[0].map(() => 0), r: 1 }];
  for (let at = 0; at < scores.length; at += block) {
    const held = found[found.length - 1];
    const m = Math.max(held.m, ...scores.slice(at, at + block));
    const r = Math.exp(held.m - m);
    const e = scores.slice(at, at + block).map((s) => Math.exp(s - m));
    const o = held.o.map((x, c) => e.reduce((sum, p, k) => sum + p * V[at + k][c], r * x));
    found.push({ m, r, o, l: e.reduce((sum, p) => sum + p, r * held.l) });
  }
  return found;
}

function build(get, set) {
  const [V, block, tokens] = ["V", "block", "tokens"].map(get);
  const first = { scores: get("scores"), step: 0 };
  const [n, e] = [V.length, V[0].length];
  const last = Math.ceil(n / block);
  const steps = stepper({ last, onstep: (step) => set({ step }), onreset: () => set(first), pace: 3400 });
  const flying = flights();
  const narrow = n > 6 && matchMedia("(max-width: 700px)").matches;

  // One hue a block; its scores from light to dark
  const tint = (node, j) => {
    node.style.setProperty("--hue", 210 + 137.5 * Math.floor(j / block));
    node.style.setProperty("--dark", block > 1 ? (16 * (j % block) / (block - 1) - 8).toFixed(1) : 0);
  };

  // ---- the row of scores, each as high as it is, and the maximum so far

  const columns = first.scores.map((_, j) => {
    const change = (x) => set({ scores: get("scores").map((s, i) => (i === j ? x : s)) });
    const one = dial({ heard: `score of ${label(tokens[j])}`, step: 0.25, onset: change });
    const el = h("div", { style: `--k:${j}` }, h("i", {}), h("strong", {}, one.el), h("small", {}, bdi(tokens[j])));
    tint(el.firstChild, j);
    return { el, one };
  });
  const level = h("span", { class: "attn-level-m", "aria-hidden": "true" });
  const reached = h("span", { class: "attn-level-name", "aria-hidden": "true" });
  const chart = h("div", { class: "attn-skyline", style: `--n:${n}` }, columns.map(({ el }) => el), level, reached);
  mark(chart, "data-many", n > 12);

  // ---- what is held: before, shrunk, with the block, and divided by its sum

  const bars = ["held", "shrunk", "with the block", "weights so far"].map((name) => {
    const one = stack({ names: tokens });
    const [told, value] = [h("span", {}, name), h("span", { class: "attn-value" })];
    [...one.el.children].forEach(tint);
    return { ...one, told, value, item: h("li", {}, told, one.el, value) };
  });
  const table = matrix({
    name: "the running state",
    rows: ["before", "times r", "new"],
    cols: ["m", "ℓ", ...V[0].map((_, c) => `o, d${c + 1}`)],
    size: [3, 2 + e],
    kind: "plain",
    onpick: () => {}, // to be walked over by keys: where a number comes from is told
  });
  const result = matrix({ name: "o / ℓ", rows: ["so far"], size: [1, e], onpick: () => {} });
  const numbers = row(table.el, result.el);
  numbers.style.justifyContent = "space-between";
  const held = Math.min(block, n) + 2 + e;
  const divided = ({ l, o }) => o.map((x) => (l ? x / l : 0));
  let shown = null;
  let [low, high] = [0, 0];

  // What the state's numbers are made of: what was held times r, and what the block adds.
  const state = () => {
    const [scores, step] = ["scores", "step"].map(get);
    const all = states(scores, V, block);
    return { scores, step, old: all[Math.max(step - 1, 0)], is: all[step] };
  };
  const origin = provenance([
    [table, (j, i) => {
      const { scores, step, old, is } = state();
      if (!step || !j || (!i && j === 1)) return null;
      const from = [[table, [0, i]]];
      const read = Array.from({ length: Math.min(block, n - block * (step - 1)) }, (_, k) => block * (step - 1) + k);
      if (!i) {
        return {
          told: `${number(is.m)} = max(${[old.m, ...read.map((k) => scores[k])].map((x) => number(x)).join(", ")})`,
          from,
        };
      }
      const [was, value] = i === 1 ? [old.l, is.l] : [old.o[i - 2], is.o[i - 2]];
      const shrunk = `${number(is.r)}·${factor(was)}`;
      if (j === 1) return { told: `${number(is.r * was)} = ${shrunk}`, from };
      const added = read.map((k) => {
        const power = `e^(${number(scores[k])} − ${factor(is.m)})`;
        return i === 1 ? power : `${power}·${factor(V[k][i - 2])}`;
      });
      return { told: `${number(value)} = ${[shrunk, ...added].join(" + ")}`, from: [...from, [table, [2, 0]]] };
    }],
    [result, (_, c) => {
      const { step, is } = state();
      const told = `${number(is.o[c] / is.l)} = ${number(is.o[c])} / ${number(is.l)}`;
      return step ? { told, from: [[table, [2, 1]], [table, [2, 2 + c]]] } : null;
    }],
  ]);

  function draw() {
    const [scores, step] = ["scores", "step"].map(get);
    const all = states(scores, V, block);
    const [old, now] = [all[Math.max(step - 1, 0)], all[step]];
    // Heights are from zero. The scale widens where a score would leave it, and comes back with the first numbers
    if (scores === first.scores) [low, high] = [0, 0];
    [low, high] = [Math.min(low, ...scores), Math.max(high, ...scores)];
    const height = (s) => 0.03 + (0.94 * (s - low)) / (high - low || 1);
    chart.style.setProperty("--zero", height(0).toFixed(4));
    steps.draw(step, `block ${step} of ${last}`);
    columns.forEach(({ el, one }, j) => {
      one.draw(scores[j]);
      // Cells are narrow on a phone; a voice hears all of it
      if (narrow) write(one.el, scores[j].toFixed(1).replace(/^-0\.0$/, "0.0").replace("-", "−"));
      el.style.setProperty("--t", height(Math.max(scores[j], 0)).toFixed(4));
      el.style.setProperty("--from", height(Math.min(scores[j], 0)).toFixed(4));
      mark(el, "data-read", j < block * step);
      mark(el, "data-on", Math.floor(j / block) === step - 1);
    });
    level.hidden = !step;
    level.style.setProperty("--t", step ? height(now.m).toFixed(4) : 0);
    reached.style.bottom = level.hidden ? "" : `${(100 * height(now.m)).toFixed(2)}%`; // on its line
    level.style.setProperty("--to", Math.min(step * block, n) / n);
    reached.hidden = !step;
    write(reached, `m = ${number(now.m)}`);

    const parts = (m, count) => scores.map((s, j) => (j < count ? Math.exp(s - m) : 0));
    const [before, read] = [Math.min(Math.max(step - 1, 0) * block, n), Math.min(step * block, n)];
    const most = Math.max(...all.map(({ l }) => l));
    const kept = [parts(old.m, before), parts(now.m, before), parts(now.m, read), parts(now.m, read)];
    const told = [
      "held before",
      step > 1 ? `times r = ${number(now.r)}` : "times r",
      `with the block: ℓ`,
      "divided by ℓ: weights so far",
    ];
    const sums = [old.l, now.r * old.l, now.l, now.l ? 1 : 0];
    bars.forEach((bar, k) => {
      const long = k < 3 ? kept[k].map((x) => x / most) : kept[k].map((x) => x / (now.l || 1));
      bar.draw(long, 1);
      [...bar.el.children].forEach((one, j) => { // no half names
        one.style.color = long[j] < 0.06 || one.scrollWidth > one.clientWidth ? "transparent" : "";
      });
      write(bar.told, told[k]);
      write(bar.value, number(sums[k] || 0));
    });
    const scaled = (x) => (now.r ? now.r * x : 0);
    table.draw(
      [[old.m, old.l, ...old.o], [null, scaled(old.l), ...old.o.map(scaled)], [now.m, now.l, ...now.o]],
      { hidden: (i, j) => i === 1 && j === 0 },
    );
    result.draw([divided(now)]);
    origin.draw();
    if (shown !== null && step === shown + 1) move(before, read, kept[2]);
    else flying.stop();
    shown = step;
  }
  // What falls in a column: its number starts at the top of the plot and ends on zero.
  const inside = (el, down) => {
    const [{ left, width }, { top, height }] = [el, chart].map((x) => x.getBoundingClientRect());
    return { getBoundingClientRect: () => new DOMRect(left, top + down * (height - CHIP), width, CHIP) };
  };
  // Row after row: what was held shrinks; each score of the block becomes its exponential and joins it; all is divided.
  function move(before, read, made) {
    if (calm()) return;
    const place = (node) => ({ left: node.style.left, width: node.style.width });
    const stretch = (from, to, delay) =>
      to.animate([place(from), place(to)], { duration: 900, delay, easing: "ease", fill: "backwards" });
    const [were, are, fresh, shares] = bars.map((bar) => [...bar.el.children]);
    const start = before ? 900 : 0;
    const landed = start + 800;
    [0, start, landed, landed + 700].forEach((done, k) => k && appear(bars[k].value, done));
    for (let j = 0; j < before; j++) {
      stretch(were[j], are[j], 0);
      appear(fresh[j], start);
    }
    const fly = [];
    for (let j = before; j < read; j++) {
      appear(fresh[j], landed - 100);
      const [from, to] = [0, 1].map((down) => inside(columns[j].el, down));
      const told = number(made[j], columns.length > 6 ? 2 : 3);
      fly.push({ from, to, told, share: 0.5, start, end: landed });
    }
    for (let j = 0; j < read; j++) {
      appear(shares[j], landed);
      stretch(fresh[j], shares[j], landed);
    }
    if (read - before < 20) flying.fly(fly);
  }
  function sentence(step = get("step")) {
    const { m, l, o, r } = states(get("scores"), V, block)[step];
    if (!step) return `Block 0 of ${last}: nothing read, m = −∞, ℓ = 0, o = ${vector(o)}.`;
    return `Block ${step} of ${last}: m = ${number(m)}, what was held is multiplied by ${number(r)}, ℓ = ${
      number(l)
    }, o = ${vector(o)}; o / ℓ = ${vector(divided({ l, o }))}.`;
  }
  const picture = h(
    "div",
    { class: "attn-grand" },
    h(
      "div",
      { style: "padding-top: 1.5rem" },
      chart,
      h("ul", { class: "attn-rescale", role: "list" }, bars.map(({ item }) => item)),
      flying.el,
    ),
  );
  return {
    parts: [
      h("style", {}, RULES),
      steps.el,
      picture,
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers"),
        h("div", { class: "attn-tight" }, numbers),
      ),
      origin.el,
      note(
        `Held are a block of scores, m, ℓ and o: ${held} numbers, beside the inputs. A whole row and its output: ${
          n + e
        }.`,
      ),
    ],
    draw,
    sentence,
    longest: () => sentence(last),
    stop: () => (steps.stop(), flying.stop()),
    fits: () => get("scores").length === n,
  };
}
