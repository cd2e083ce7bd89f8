// Softmax and average of a row read in blocks: a larger score raises the maximum and shrinks what was held.
import {
  bdi,
  calm,
  factor,
  figure,
  h,
  label,
  mark,
  matrix,
  note,
  number,
  phrase,
  provenance,
  row,
  stack,
  stepper,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { dial } from "../kit/dials.js";
import { appear, flights } from "../kit/large.js";

const HUES = [176, 27, 268, 340, 212, 90]; // of the blocks; blue, that of m and of the output, comes late

// In the dark a bar, its strip and its arrow have one shade; on white a strip is paler, so that its name can be read
const RULES =
  `.attn-live [style*="--hue"] { --ink: hsl(var(--hue) 50% calc(88.5% - 0.59 * var(--attn-hue) - 1% * var(--dark))); }
.attn-skyline > [data-read] > i { background: var(--ink); }
.attn-live .attn-grand .attn-layer.attn-layer .attn-ghost, .attn-rescale .attn-part { background: hsl(var(--hue) 50% calc(72% - 1% * var(--dark))); color: #16181d; }
.attn-live .attn-skyline > .attn-level-name { left: 0; bottom: 100%; border-radius: 4px 4px 4px 0; }
.attn-live .attn-level-m::after { content: ""; position: absolute; bottom: 0; width: 2.5px;
  height: calc(var(--tall) * (1 - var(--t))); background: var(--attn-accent); }
.attn-skyline i { cursor: ns-resize; user-select: none; }
.attn-skyline em { position: absolute; left: calc(50% - 22px); top: -16px; width: 44px; height: 32px; touch-action: none; }
.attn-skyline [data-below] em { top: auto; bottom: -16px; }
.attn-skyline em::before { content: ""; position: absolute; inset: 12px 9px; border: 1.5px solid var(--attn-paper); border-radius: 5px;
  background: var(--attn-text); }
.attn-skyline i:hover em::before { inset: 10px 6px; background: var(--attn-accent); }
.attn-live .attn-grand > div > .attn-carried { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 0.5rem 1.5rem; align-items: center;
  width: 100%; margin-top: 3.3rem; }
.attn-live .attn-carried > .attn-rescale { margin: 0; }
.attn-live .attn-carried li { grid-template-columns: 1fr 3.2rem; margin: 0.2rem 0; }
.attn-carried li > :first-child { grid-column: 1 / -1; font-size: 0.92em; line-height: 1.2; }
.attn-carried li:nth-child(2) > :first-child { font-weight: 700; }
.attn-carried svg { display: block; width: 100%; overflow: visible; }
.attn-carried path { fill: var(--ink); stroke: var(--ink); stroke-width: 0.8; stroke-linejoin: round; }
.attn-carried .attn-axis { stroke-width: 1.5; }
.attn-carried .attn-past { stroke-width: 2; stroke-dasharray: 4 4; }
.attn-carried text { fill: var(--ink, var(--attn-soft)); font-size: 14px; font-weight: 700; paint-order: stroke; stroke: var(--attn-paper); stroke-width: 5px;
  stroke-linejoin: round; }
.attn-carried [data-plain], .attn-carried .attn-ticks text { font-weight: 400; }
.attn-carried .attn-ticks text { font-size: 12.5px; }
.attn-skyline > .attn-was-m { position: absolute; left: 0; bottom: calc(100% * var(--t)); width: calc(100% * var(--to));
  border-bottom: 2px dashed var(--attn-accent); pointer-events: none; }
.attn-skyline > .attn-rise { position: absolute; z-index: 1; left: calc(100% * var(--to)); bottom: calc(100% * var(--t)); width: 0;
  height: calc(100% * var(--by)); border-left: 3px solid var(--attn-accent); transform-origin: bottom; pointer-events: none; }
.attn-rise::before { content: ""; position: absolute; left: -8.5px; top: -1px; border: solid transparent; border-width: 0 7px 10px;
  border-bottom-color: var(--attn-accent); }
.attn-skyline > .attn-by { position: absolute; z-index: 1; right: calc(100% - 100% * var(--to) + 0.5rem);
  bottom: calc(100% * var(--t)); translate: 0 50%; padding: 0 0.2rem; background: var(--attn-paper); color: var(--attn-accent);
  line-height: 1.3; white-space: nowrap; pointer-events: none; }
.attn-skyline > .attn-by[data-over] { translate: 0 -4px; }
.attn-skyline > .attn-by[data-left] { right: auto; left: max(100% * var(--to) + 0.5rem, 6.5rem); }
.attn-by > :last-child { font-size: 1.2em; font-weight: 700; }
.attn-by[data-short] > :first-child { display: none; }
.attn-live .attn-carried li:nth-child(2) > :first-child { color: var(--attn-accent); font-size: 1.15em; }
.attn-live .attn-carried p { min-height: 2.6em; margin: 0.2rem 0 0; color: var(--attn-soft); font-size: 0.88em; line-height: 1.3; text-align: center; }
@media (max-width: 700px) {
  .attn-live .attn-skyline:not([data-many]) strong { font-size: max(12px, 3.25cqw); }
  .attn-live .attn-grand > div > .attn-carried { grid-template-columns: minmax(0, 1fr); }
  .attn-carried > div { max-width: 20rem; width: 100%; margin: 0 auto; }
  .attn-by > :first-child { display: none; }
}`;
const [WIDE, HIGH] = [300, 186]; // of the picture of o, in its own units

export function render(host) {
  return figure(host, {
    title: "Exact attention, one block at a time.",
    hint: "A larger score shrinks what was held: step, or drag one.",
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
    node.style.setProperty("--hue", HUES[Math.floor(j / block) % HUES.length]);
    node.style.setProperty("--dark", block > 1 ? (16 * (j % block) / (block - 1) - 8).toFixed(1) : 0);
  };

  // ---- the row of scores, each as high as it is, and the maximum so far

  const columns = first.scores.map((_, j) => {
    const change = (x) => set({ scores: get("scores").map((s, i) => (i === j ? x : s)) });
    const one = dial({ heard: `score of ${label(tokens[j])}`, step: 0.25, onset: change });
    const bar = h("i", {}, h("em", {}));
    const el = h("div", { style: `--k:${j}` }, bar, h("strong", {}, one.el), h("small", {}, bdi(tokens[j])));
    // Its bar is a handle too: the mouse takes it anywhere, a finger at its end, and the page scrolls beside it
    let held = null;
    bar.addEventListener("pointerdown", (event) => {
      if (event.button || (event.pointerType === "touch" && event.target === bar)) return;
      event.preventDefault();
      bar.setPointerCapture(event.pointerId);
      held = [event.clientY, get("scores")[j], 0.94 * chart.clientHeight / (high - low || 1)];
    });
    bar.addEventListener("pointermove", ({ clientY, pointerId }) => {
      if (!held || !bar.hasPointerCapture(pointerId)) return;
      const to = Math.round(20 * (held[1] + (held[0] - clientY) / held[2])) / 20;
      if (to !== get("scores")[j] && Math.abs(to) < 99) change(to);
    });
    bar.addEventListener("lostpointercapture", () => (held = null));
    tint(el.firstChild, j);
    return { el, one };
  });
  const level = h("span", { class: "attn-level-m", "aria-hidden": "true" });
  const reached = h("span", { class: "attn-level-name", "aria-hidden": "true" });
  // where the maximum was, how far the block raised it, and what that made of all that was held
  const [was, rise, by] = ["was-m", "rise", "by"].map((kind) =>
    h("span", { class: `attn-${kind}`, "aria-hidden": "true" })
  );
  const [power, shrinks] = [h("span"), h("span")];
  by.append(power, shrinks);
  const chart = h(
    "div",
    { class: "attn-skyline", style: `--n:${n}; --tall:11rem; height:11rem` },
    columns.map(({ el }) => el),
    level,
    was,
    rise,
    by,
    reached,
  );
  mark(chart, "data-many", n > 12);

  // ---- o as it is carried, its first two numbers: shrunk by r, then the values of the block, then all divided by ℓ

  const stroke = (kind, ink) => svg("path", { class: `attn-${kind}`, style: `--ink: ${ink}` });
  const axes = stroke("axis", "var(--attn-line)");
  const scales = svg("g", { class: "attn-ticks" });
  const past = stroke("past", "var(--attn-soft)");
  const tip = stroke("tip", "var(--attn-soft)");
  const whole = stroke("whole", "var(--attn-text)");
  const mean = stroke("mean", "var(--attn-accent)");
  const brought = V.map((_, j) => {
    const one = svg("path", { class: "attn-brought" });
    tint(one, j);
    return one;
  });
  const kept = stroke("kept", "var(--attn-soft)");
  const words = ["o", "o / ℓ", "r·o", "nothing held yet"].map((told, k) =>
    svg("text", {
      "text-anchor": "middle",
      style: `--ink: ${["var(--attn-text)", "var(--attn-accent)", "var(--attn-soft)", "var(--attn-soft)"][k]}`,
      "data-plain": k > 1,
    }, told)
  );
  const carried = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" },
    axes,
    scales,
    past,
    tip,
    kept,
    brought,
    whole,
    mean,
    words,
  );
  const caption = h(
    "p",
    {},
    `${e > 2 ? "o’s first two numbers" : "o"}: shrunk by r, the block’s values laid on. o / ℓ is the output so far.`,
  );
  let box = null; // [left, bottom, units a number]
  let frame = 0;
  // across goes the one of the two numbers that needs more room
  const spread = [0, 1].map((c) => {
    const all = [0, ...states(first.scores, V, block).map(({ o }) => o[c] || 0)];
    return Math.max(...all) - Math.min(...all);
  });
  const turned = spread[1] > 1.3 * spread[0];
  const two = ([x, y = 0]) => turned ? [y, x] : [x, y];
  const spot = ([x, y]) => [(x - box[0]) * box[2], HIGH - (y - box[1]) * box[2]];
  const line = (a, b) => `M${spot(a).map((x) => x.toFixed(1))}L${spot(b).map((x) => x.toFixed(1))}`;
  // A shaft, and a head of a third of it at most, so that a short arrow is an arrow too
  function arrow(a, b, size = 10, wide = 3) {
    const [[x, y], [p, q]] = [spot(a), spot(b)];
    const long = Math.hypot(p - x, q - y);
    if (long < 2) return "";
    const [along, across] = [(p - x) / long, (q - y) / long];
    const head = Math.min(size, long / 3);
    const thick = Math.min(wide, head * 0.6) / 2;
    const [neck, barb] = [long - head, Math.max(0.45 * head, 1.6 * thick)];
    const corners = [[0, thick], [neck, thick], [neck, barb], [long, 0], [neck, -barb], [neck, -thick], [0, -thick]];
    const around = corners.slice(...wide ? [] : [2, 5]).map(([far, off]) =>
      `${(x + far * along - off * across).toFixed(1)} ${(y + far * across + off * along).toFixed(1)}`
    );
    return `${line(a, b)}M${around.join("L")}Z`;
  }
  // what was held, the way from there to what is held, and the output so far are inside
  function frameIn({ old, now, first, made, step }) {
    const points = [[0, 0], two(old.o), step > 1 ? two(old.o).map((x) => now.r * x) : [0, 0]];
    made.forEach((share, k) => points.push(points.at(-1).map((x, c) => x + share * two(V[first + k])[c])));
    points.push(two(divided(now)));
    const [xs, ys] = [0, 1].map((c) => points.map((p) => p[c]));
    const [x, y, far, top] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const unit = Math.min((WIDE - 72) / (far - x || 1), (HIGH - 72) / (top - y || 1));
    box = [(x + far) / 2 - WIDE / 2 / unit, (y + top) / 2 - HIGH / 2 / unit, unit];
    measure([x, y], [far, top]);
  }
  // Both axes through zero with an arrow's head, a tick where a round number stands, and what is counted along them
  function measure([x, y], [far, top]) {
    const spare = 22 / box[2];
    const size = Math.max(far - x, top - y) || 1;
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((one) => size / one <= 4) || size / 4;
    const drawn = [arrow([x, 0], [far + spare, 0], 7, 0), arrow([0, y], [0, top + spare], 7, 0)];
    const told = [];
    const [right, below] = [far < -x ? 1 : -1, top >= -y]; // on the side where o is not
    [[x, far], [y, top]].forEach(([from, to], c) => {
      for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9; k++) {
        const [p, q] = spot(c ? [0, k * step] : [k * step, 0]);
        if (!k) continue;
        drawn.push(c ? `M${p - 4} ${q}h8` : `M${p} ${q - 4}v8`);
        told.push([
          number(k * step, 1),
          ...(c ? [p + 8 * right, q + 4, right < 0 ? "end" : "start"] : [p, q + (below ? 17 : -9), "middle"]),
        ]);
      }
    });
    const [[p, q], [u, w]] = [spot([far + spare, 0]), spot([0, top + spare])];
    const [over, up] = turned ? ["d2", "d1"] : ["d1", "d2"];
    told.push([over, p + 4, q + 5, "start"], [up, u, w - 6, "middle"]);
    axes.setAttribute("d", drawn.join(""));
    scales.replaceChildren(...told.map(([text, x, y, anchor]) => svg("text", { x, y, "text-anchor": anchor }, text)));
  }
  // time: 0 as it was, 1 shrunk, 2 with the block, 3 divided
  function carry({ old, now, first, made, step }, time) {
    const part = (k) => Math.min(Math.max(time - k, 0), 1);
    const by = 1 + ((step > 1 ? now.r : 0) - 1) * part(0);
    const had = two(old.o).map((x) => x * by);
    let end = had;
    const way = []; // the corners of what is laid on
    const gone = step > 1 ? arrow([0, 0], two(old.o), 10, 0) : "";
    const neck = gone.lastIndexOf("M");
    past.setAttribute("d", gone.slice(0, Math.max(neck, 0))); // its head is not dashed
    tip.setAttribute("d", gone.slice(Math.max(neck, 0)));
    kept.setAttribute("d", step > 1 ? arrow([0, 0], had) : "");
    brought.forEach((one, j) => {
      const k = j - first;
      const share = k < 0 || k >= made.length ? 0 : Math.min(Math.max(part(1) * made.length - k, 0), 1);
      const to = two(V[j]).map((x, c) => end[c] + share * (made[k] || 0) * x);
      one.setAttribute("d", share ? arrow(end, to) : "");
      way.push(to);
      end = to;
    });
    const shrink = now.l ? 1 + (1 / now.l - 1) * part(2) : 0;
    const answer = end.map((x) => x * shrink);
    whole.setAttribute("d", step ? arrow([0, 0], end, 10, 2) : "");
    mean.setAttribute("d", step && part(2) ? arrow([0, 0], answer, 15, 6) : "");
    const beside = (node, [x, y], on, side = 1) => {
      const [p, q] = spot([x, y]);
      const turn = Math.atan2(y, x);
      node.setAttribute("x", (p + side * 22 * Math.sin(turn) + 6 * Math.cos(turn)).toFixed(1));
      node.setAttribute("y", (q + 5 + side * 18 * Math.cos(turn) - 6 * Math.sin(turn)).toFixed(1));
      node.style.display = on ? "" : "none";
    };
    const apart = (a, b) => Math.hypot(...spot(a).map((x, c) => x - spot(b)[c])) > 26;
    // o and o / ℓ are named on the side where the way is not
    const side = way.reduce((sum, [x, y]) => sum + x * answer[1] - y * answer[0], 0) > 0 ? -1 : 1;
    beside(words[0], end, step && apart(end, answer), side);
    beside(words[1], answer, step && part(2) === 1, side);
    beside(words[2], had, step > 1 && apart(had, end) && apart(had, answer) && apart(had, [0, 0]));
    for (const [name, x] of [["x", WIDE / 2], ["y", HIGH / 2]]) words[3].setAttribute(name, x);
    words[3].style.display = step ? "none" : "";
    axes.style.display = scales.style.display = step ? "" : "none";
  }
  function run(state, from, start, landed) {
    cancelAnimationFrame(frame);
    const began = performance.now();
    const look = () => {
      const t = performance.now() - began;
      const time = t < 900 && from
        ? t / 900
        : t < start
        ? 1
        : t < landed
        ? 1 + (t - start) / (landed - start)
        : 2 + (t - landed) / 700;
      carry(state, Math.min(time, 3));
      if (time < 3) frame = requestAnimationFrame(look);
    };
    look();
  }

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
      mark(el, "data-below", scores[j] < 0);
      mark(el, "data-read", j < block * step);
      mark(el, "data-on", Math.floor(j / block) === step - 1);
    });
    level.hidden = !step;
    level.style.setProperty("--t", step ? height(now.m).toFixed(4) : 0);
    level.style.setProperty("--to", Math.min(step * block, n) / n);
    reached.hidden = !step;
    const rises = step > 1 && now.m > old.m;
    const [from, to] = step > 1 ? [height(old.m), height(now.m)] : [0, 0];
    for (const one of [was, rise, by]) {
      one.hidden = !rises;
      one.style.setProperty("--t", from.toFixed(4));
      one.style.setProperty("--to", block * (step - 1) / n);
    }
    rise.style.setProperty("--by", (to - from).toFixed(4));
    // between the two lines, or over both where they are near one another: no score that is held is as high
    const share = block * (step - 1) / n;
    const over = (to - from) * 150 < 30 || (share < 0.32 && matchMedia("(max-width: 700px)").matches);
    by.style.setProperty("--t", (over ? to : (from + to) / 2).toFixed(4));
    for (const [name, on] of [["over", over], ["left", over && share < 0.6], ["short", !over && share < 0.27]]) {
      mark(by, `data-${name}`, on);
    }
    const less = number(now.m, 2);
    phrase(power, `e^(${number(old.m, 2)} − ${now.m < 0 ? `(${less})` : less}) = `);
    write(shrinks, `× ${number(now.r)}`);
    write(reached, `m = ${number(now.m)}`);

    const parts = (m, count) => scores.map((s, j) => (j < count ? Math.exp(s - m) : 0));
    const [before, read] = [Math.min(Math.max(step - 1, 0) * block, n), Math.min(step * block, n)];
    const most = Math.max(...all.map(({ l }) => l));
    const rows = [parts(old.m, before), parts(now.m, before), parts(now.m, read), parts(now.m, read)];
    const told = [
      step > 1 ? "held before" : step ? "held before: nothing" : "nothing held yet",
      step > 1 ? `times r = ${number(now.r)}` : "times r",
      `with the block: ℓ`,
      "divided by ℓ: weights so far",
    ];
    const sums = [old.l, now.r * old.l, now.l, now.l ? 1 : 0];
    bars.forEach((bar, k) => {
      const long = k < 3 ? rows[k].map((x) => x / most) : rows[k].map((x) => x / (now.l || 1));
      bar.draw(long, 1);
      [...bar.el.children].forEach((one, j) => { // no half names
        one.style.color = long[j] < 0.06 || one.scrollWidth > one.clientWidth ? "transparent" : "";
      });
      write(bar.told, told[k]);
      write(bar.value, step ? number(sums[k] || 0) : "–");
    });
    const opens = block * Math.max(step - 1, 0);
    const picture = {
      old,
      now,
      step,
      first: opens,
      made: step ? scores.slice(opens, read).map((s) => Math.exp(s - now.m)) : [],
    };
    cancelAnimationFrame(frame);
    frameIn(picture);
    carry(picture, 3);
    carried.setAttribute(
      "aria-label",
      step ? `o = ${vector(now.o)}, o / ℓ = ${vector(divided(now))}` : "nothing held yet",
    );
    const scaled = (x) => (now.r ? now.r * x : 0);
    table.draw(
      [[old.m, old.l, ...old.o], [null, scaled(old.l), ...old.o.map(scaled)], [now.m, now.l, ...now.o]],
      { hidden: (i, j) => i === 1 && j === 0 },
    );
    result.draw([divided(now)]);
    origin.draw();
    if (shown !== null && step === shown + 1) move(before, read, rows[2], picture);
    else flying.stop();
    shown = step;
  }
  // Row after row: what was held shrinks; each bar of the block flies down, as its exponential, and joins it; all is divided.
  function move(before, read, made, state) {
    if (calm()) return;
    const place = (node) => ({ left: node.style.left, width: node.style.width });
    const stretch = (from, to, delay) =>
      to.animate([place(from), place(to)], { duration: 900, delay, easing: "ease", fill: "backwards" });
    const [were, are, fresh, shares] = bars.map((bar) => [...bar.el.children]);
    const start = before ? 900 : 0;
    const landed = start + 800;
    run(state, before, start, landed);
    [0, start, landed, landed + 700].forEach((done, k) => k && appear(bars[k].value, done));
    for (let j = 0; j < before; j++) {
      stretch(were[j], are[j], 0);
      appear(fresh[j], start);
    }
    rise.animate([{ scale: "1 0" }, { scale: "1 1" }], 700);
    appear(by, 500);
    const [fly, who] = [[], []];
    for (let j = before; j < read; j++) {
      appear(fresh[j], landed - 100);
      if (fresh[j].hidden) continue;
      const told = fresh[j].offsetWidth < 44 ? "" : number(made[j], columns.length > 6 ? 2 : 3); // no half numbers
      fly.push({ from: columns[j].el.firstChild, to: fresh[j], told, share: 0.5, start, end: landed });
      who.push(j);
    }
    for (let j = 0; j < read; j++) {
      appear(shares[j], landed);
      stretch(fresh[j], shares[j], landed);
    }
    if (read - before < 20) flying.fly(fly);
    [...flying.el.children].forEach((one, k) => tint(one, who[k]));
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
      h(
        "div",
        { class: "attn-carried" },
        h("ul", { class: "attn-rescale", role: "list" }, bars.map(({ item }) => item)),
        h("div", {}, carried, caption),
      ),
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
        note(
          `Held are a block of scores, m, ℓ and o: ${held} numbers, beside the inputs. A whole row and its output: ${
            n + e
          }.`,
        ),
      ),
      origin.el,
    ],
    draw,
    sentence,
    longest: () => sentence(last),
    stop: () => (steps.stop(), flying.stop(), cancelAnimationFrame(frame)),
    fits: () => get("scores").length === n,
  };
}
