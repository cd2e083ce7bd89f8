// Divide one row of scores by √d, or do not, at any width d.
import {
  bars,
  chips,
  figure,
  h,
  largest,
  mark,
  number,
  percent,
  quoted,
  row,
  slider,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { entropy, softmaxRow } from "../kit/linalg.js";
import { ease } from "../kit/motion.js";

// Undivided is purple and divided is of the text's colour everywhere; what is chosen is solid and bold
const RULES = [
  // random scores at this width: as they are they spread, and one takes everything; divided they stay
  ".attn-draws { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content max-content; gap: 0.35rem 0.9rem; align-items: center; margin: 0.5rem 0 0.9rem; font-variant-numeric: tabular-nums; }",
  ".attn-draws > small { grid-column: 1 / 4; color: var(--attn-soft); font-size: 0.85em; }",
  ".attn-draws > small + small { grid-column: 4; }",
  ".attn-draws > strong { min-width: 4.4rem; font-weight: 400; white-space: nowrap; }",
  ".attn-draws > * { --way: var(--attn-bar); }",
  ".attn-draws > [data-by] { --way: var(--attn-text); }",
  ".attn-draws > strong { color: var(--way); }",
  ".attn-draws > strong[data-on] { font-weight: 700; }",
  ".attn-draws > span { min-width: 6.2rem; color: var(--attn-soft); }",
  ".attn-draws svg { width: 100%; height: 2.6rem; overflow: visible; background: linear-gradient(var(--attn-edge) 0 0) 50% / 1.5px 100% no-repeat; }",
  ".attn-draws path { fill: none; stroke: var(--way); stroke-linecap: round; stroke-width: 7px; stroke-opacity: 0.4; }",
  ".attn-draws path + path { stroke-width: 2.5px; stroke-opacity: 1; }",
  ".attn-draws [data-on] path:first-child { stroke-opacity: 0.7; }",
  ".attn-draws > div { display: flex; gap: 2px; }",
  ".attn-draws > div > i { width: 1.5rem; height: 1.9rem; border-radius: 2px; outline: 1px solid var(--attn-hair); background: color-mix(in srgb, var(--way) calc(100% * var(--t)), var(--attn-paper)); }",
  "@media (max-width: 600px) { .attn-draws { grid-template-columns: max-content minmax(0, 1fr); grid-auto-flow: row dense; } .attn-draws > span { text-align: right; } .attn-draws > small, .attn-draws > small + small, .attn-draws > :is(svg, div) { grid-column: 1 / -1; } .attn-draws > small + small { order: 1; } .attn-draws > div { order: 2; } }",
  ".attn-live .attn-scaled .attn-sliders { max-width: none; margin: 0.2rem 0; }",
  ".attn-scaled .attn-slider .attn-value { min-width: 3ch; font-size: 1.6rem; font-weight: 700; line-height: 1.2; }",
  // what width and division do to the largest weight is the one large thing: as a number, and as a line over all widths
  ".attn-most { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 1.8rem; align-items: center; margin: 0.4rem 0 0.8rem; }",
  ".attn-course { position: relative; height: 7.5rem; margin: 1.9rem 0.6rem 1.5rem 2.6rem; border-bottom: 1.5px solid var(--attn-edge); cursor: ew-resize; touch-action: pan-y; user-select: none; background: linear-gradient(var(--attn-line) 0 0) 0 0 / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 50% / 100% 1px no-repeat; }",
  ".attn-course svg { position: absolute; width: 100%; height: 100%; overflow: visible; }",
  ".attn-course :is(path, em, strong) { color: var(--attn-bar); }",
  ".attn-course :is(path + path, em + em, strong + strong) { color: var(--attn-text); }",
  ".attn-course path { fill: none; stroke: currentColor; stroke-width: 1.5px; }",
  ".attn-course path[data-on] { stroke-width: 4px; }",
  ".attn-course > :not(svg) { position: absolute; }",
  ".attn-course > i { inset: 0 auto; width: 1px; background: var(--attn-edge); }",
  ".attn-course > em { box-sizing: border-box; width: 0.9rem; height: 0.9rem; border: 3px solid; border-radius: 50%; translate: -50% -50%; background: var(--attn-paper); }",
  ".attn-course > em[data-on] { background: currentColor; }",
  // a dot at the end reaches no name
  ".attn-course > strong { right: 0.4rem; padding: 0 0.2rem; background: var(--attn-paper); font-weight: 400; line-height: 1.3; translate: 0 -0.6rem; }",
  ".attn-course > strong + strong { translate: 0 0.6rem; }",
  ".attn-course > strong[data-on] { font-weight: 700; }",
  ".attn-course > small { left: -0.4rem; translate: -100% -50%; color: var(--attn-soft); font-size: 0.8em; }",
  ".attn-course > small[data-x] { top: calc(100% + 0.2rem); translate: -50%; white-space: nowrap; }",
  "@media (max-width: 600px) { .attn-most { grid-template-columns: minmax(0, 1fr); } .attn-course { height: 7.5rem; } }",
  ".attn-live .attn-verdict { display: grid; gap: 0.5rem; margin: 0; white-space: nowrap; color: var(--attn-soft); }",
  ".attn-verdict > span > bdi { display: block; }",
  ".attn-verdict > :last-child > bdi { display: inline; }",
  ".attn-verdict strong { display: inline-block; min-width: 3.6ch; color: var(--attn-bar); font-size: clamp(1.7rem, 6.5vw, 2.4rem); font-weight: 400; line-height: 1.1; letter-spacing: -0.02em; }",
  ".attn-verdict strong + strong { color: var(--attn-text); }",
  ".attn-verdict strong[data-on] { font-weight: 700; }",
  ".attn-verdict > :last-child strong { min-width: 0; font-size: inherit; letter-spacing: 0; }",
  "@media (min-width: 701px) { .attn-row[data-halves] { flex-wrap: nowrap; align-items: start; } .attn-row[data-halves] > :first-child { flex: 1 1 0; } .attn-row[data-halves] > :last-child { flex: 1 1 0; } .attn-row[data-halves] > :last-child .attn-track { height: 1.45em; } .attn-row[data-halves] .attn-bars li { min-height: 1.9rem; margin: 0; } }",
  ".attn-pull { position: absolute; top: calc(50% - 1px); height: 2px; background: var(--other); }",
  ".attn-hollow { position: absolute; top: 50%; box-sizing: border-box; width: 0.75em; height: 0.75em; border: 2px solid var(--other); border-radius: 50%; translate: -50% -50%; background: var(--attn-paper); }",
  // the lines run on from row to row
  ".attn-ruled .attn-track { border: 0 solid transparent; border-right-width: 1px; }",
  ".attn-ruled .attn-track::before { content: ''; position: absolute; inset: -0.5em -1px -0.5em 0; border-right: 1px solid transparent; background: linear-gradient(var(--attn-edge) 0 0) var(--zero) 0 / 1.5px 100% no-repeat, repeating-linear-gradient(90deg, var(--attn-line) var(--zero) calc(var(--zero) + 1px), transparent calc(var(--zero) + 1px) calc(var(--zero) + var(--unit))); }",
  ".attn-live .attn-either .attn-ends { margin-top: 0; color: var(--attn-soft); font-size: 0.75em; }",
  ".attn-ends > :last-child { position: relative; height: 1.4em; }",
  ".attn-ends span span { position: absolute; left: calc(100% * var(--at)); translate: -50%; }",
  "@media (max-width: 600px) { .attn-ends [data-odd] { display: none; } }",
  ".attn-live .attn-either .attn-bars { grid-template-columns: minmax(0, max-content) minmax(4rem, 1fr) repeat(2, max(4.3rem, var(--signs, 0) * 0.66em + 0.6rem)); max-width: none; }",
  ".attn-either li > :nth-child(n + 3) { text-align: right; }",
  ".attn-row[data-quick] * { transition: none !important; }",
  "[data-halves] { --own: var(--attn-text); --other: var(--attn-bar); }",
  "[data-halves][data-plain] { --own: var(--attn-bar); --other: var(--attn-text); }",
  ".attn-live .attn-either .attn-bars .attn-fill { background: var(--own); }",
  ".attn-live .attn-either .attn-value { color: var(--own); font-weight: 700; }",
  ".attn-live .attn-either .attn-other { color: var(--other); }",
  ".attn-live .attn-either .attn-heading { color: var(--attn-soft); }",
  ".attn-live .attn-either :is(.attn-other, .attn-heading) { font-variant-numeric: tabular-nums; }",
  ".attn-live .attn-either .attn-heading { display: block; margin-top: -1.7em; font-size: 0.85em; text-align: right; }",
  ".attn-either li > :first-child > span { margin-left: 0.8em; }",
  ".attn-either i { display: inline-block; width: 0.9em; height: 0.7em; margin-right: 0.3em; border-radius: 2px; box-sizing: border-box; background: var(--own); }",
  ".attn-either i[data-other] { width: 0.75em; height: 0.75em; border: 2px solid var(--other); border-radius: 50%; background: none; }",
].join("");

export function render(host) {
  return figure(host, {
    title: "What √d does.",
    hint: "Drag the width, then divide: what becomes of the largest weight?",
    shape: ["scores", "d", "tokens"],
    state: ["row", "scaled", "width"],
    build,
  });
}

const short = (x) => number(x, 2); // beside a bar; the sentence has its third decimal

function build(get, set) {
  const [scores, d, tokens] = ["scores", "d", "tokens"].map(get);
  const names = scores.length === tokens.length ? tokens : scores.map((_, i) => `r${i + 1}`);
  const ways = ["as they are", `÷ √${number(d)}`];
  const [least, most] = [Math.min(d, 3), Math.max(d, 128)];
  const width = () => get("width") ?? d;
  const roots = () => [1, Math.sqrt(width())];
  // the scores at this width, stretched as their spread is
  const stretched = (i, wide) => scores[i].map((s) => (s === null ? null : s * Math.sqrt(wide / d)));
  const divided = (i, by) => stretched(i, width()).map((s) => (s === null ? null : s / by));
  const both = (i) => roots().map((by) => softmaxRow(divided(i, by).map((s) => s ?? -Infinity)));
  // the given width, or a whole one
  const whole = (x) => [d, least, most].find((given) => Math.abs(x / given - 1) < 0.02) ?? Math.round(x);
  const wide = slider({
    title: "width d",
    min: Math.log2(least),
    max: Math.log2(most),
    nudge: 0.125,
    tell: (x) => number(whole(2 ** x)),
    oninput: (x) => set({ width: whole(2 ** x) }),
  });
  const who = chips({ names, title: "Row", onpick: (i) => set({ row: i }) });
  const how = chips({ names: ways, title: "Scores", onpick: (i) => set({ scaled: i === 1 }) });
  const left = bars({ names: tokens, title: "Scores" });
  const right = bars({ names: tokens, title: "Weights" });
  // a number that becomes longer takes nothing from the bars
  const widest = scores.flatMap((_, i) => stretched(i, most));
  const longest = widest.map((s) => s === null ? 2 : s.toFixed(2).length);
  // One ruler for all rows, which the widest row at least half fills; twice as long each time that a width asks for more
  const signed = widest.some((s) => s < 0);
  const top = largest(scores), step = stride(top), near = step * Math.ceil(top / step - 1e-9);
  const reach = () => near * 2 ** Math.ceil(Math.log2(top * Math.sqrt(width() / d) / near) - 1e-9);
  left.el.style.setProperty("--signs", Math.max(...longest));
  const pulls = [left, right].map(pulled);
  const others = [left, right].map(beside);
  const ruled = ruler(left, signed, number);
  ruler(right, false, percent)(1);
  const facts = ["Largest weight ", "entropy "].map((name) => [name, ...ways.map(() => h("strong", {}))]);
  const told = h(
    "p",
    { class: "attn-told attn-verdict" },
    facts.flatMap(([name, plain, divided], k) => [
      k ? h("span", { class: "attn-voice" }, "; ") : "", // a row of its own needs none
      h("span", {}, h("bdi", {}, name), plain, " → ", divided, k ? " nats" : ""),
    ]),
  );
  const course = track(least, most, ["as they are", "÷ √d"], (x) => set({ width: whole(x) }));

  let drawn = null;
  function draw() {
    const i = get("row");
    const weights = both(i);
    const on = Number(get("scaled"));
    who.draw(i);
    how.draw(on);
    wide.draw(Math.log2(width()));
    write(how.el.querySelector("button:last-child > bdi"), `÷ √${number(width())}`);
    const [shown, other] = (on ? roots().reverse() : roots()).map((by) => divided(i, by));
    // under the hand nothing lags behind; a change of the row or the rule is seen to happen
    mark(halves, "data-quick", drawn !== null && width() !== drawn);
    drawn = width();
    const far = reach();
    ruled(far);
    mark(halves, "data-plain", !on);
    left.draw(shown, { most: far, tell: short, both: signed });
    right.draw(weights[on], { most: 1, tell: percent });
    pulls[0](shown, other, far);
    pulls[1](weights[on], weights[1 - on], 1);
    others[0](other.map(short), on, ` by ${short(roots()[1])}`);
    others[1](weights[1 - on].map(percent), on);
    const top = (wide) =>
      [1, Math.sqrt(wide)].map((by) =>
        Math.max(...softmaxRow(stretched(i, wide).map((s) => s === null ? -Infinity : s / by)))
      );
    course.draw(top, width(), on);
    random.draw(width(), on);
    [weights.map((a) => percent(Math.max(...a))), weights.map((a) => number(entropy(a)))].forEach((pair, k) =>
      pair.forEach((x, way) => {
        write(facts[k][way + 1], x);
        mark(facts[k][way + 1], "data-on", way === on);
      })
    );
  }
  function sentence() {
    const [i, on] = [get("row"), Number(get("scaled"))];
    const a = both(i)[on];
    const shown = vector(divided(i, roots()[on]));
    const name = width() === d ? quoted(names[i]) : `${quoted(names[i])} at width ${number(width())}`;
    const told = `The scores of ${name}, ${on ? `divided by √${number(width())}` : "as they are"}, ${shown}`;
    return `${told}, give the weights ${vector(a)}, entropy ${number(entropy(a))} nats.`;
  }
  const half = (name, one) => h("div", { class: "attn-box attn-either" }, h("p", {}, h("strong", {}, name)), one.el);
  const halves = row(half("scores", left), half("weights", right));
  halves.toggleAttribute("data-halves", true);
  const controls = h("div", { class: "attn-drive" }, how.el, scores.length > 1 ? who.el : null);
  const widths = h("div", { class: "attn-scaled" }, h("div", { class: "attn-sliders" }, wide.el));
  const random = draws(most);
  return {
    parts: [
      h("style", {}, RULES),
      widths,
      random.el,
      controls,
      h("div", { class: "attn-most" }, told, course.el),
      halves,
    ],
    draw,
    sentence,
  };
}

// Random scores q · k, from entries that are independent and of variance 1: the same draws at each width, of which a wider
// one adds up more products. In each row their dots, the spread that they have, and the weights of the first eight.
const DRAWS = 48;
function draws(most) {
  const next = normal(7);
  const sums = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    return [0, ...Array.from({ length: Math.ceil(most) }, () => sum += next() * next())];
  });
  const reach = Math.max(...sums.flat().map(Math.abs)); // of all widths, so that no dot is beyond
  const at = (x) => (50 + 49 * x / reach).toFixed(2);
  const rows = [false, true].map((by) => {
    const [dots, arm] = [0, 1].map(() => svg("path", { "vector-effect": "non-scaling-stroke" }));
    const picture = svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none" }, dots, arm);
    mark(picture, "data-by", by);
    const cells = Array.from({ length: 8 }, () => h("i"));
    const weights = h("div", { "data-by": by }, cells);
    return { by, weights, dots, arm, picture, cells, name: h("strong", { "data-by": by }), spread: h("span") };
  });
  const told = (text) => h("small", {}, text);
  const el = h(
    "div",
    { class: "attn-draws", role: "img" },
    told(`${DRAWS} random q · k, entries of variance 1; the row below is stretched alike`),
    told("weights of eight of them"),
    rows.flatMap(({ name, picture, spread, weights }) => [name, picture, spread, weights]),
  );
  function draw(width, on) {
    const d = Math.max(1, Math.round(width));
    const spreads = rows.map(({ by, picture, dots, arm, cells, name, spread }) => {
      const s = sums.map((all) => all[d] / (by ? Math.sqrt(d) : 1));
      const far = Math.sqrt(s.reduce((sum, x) => sum + x * x, 0) / s.length);
      dots.setAttribute("d", s.map((x, j) => `M${at(x)} ${1 + (j * 5) % 8}h0`).join(""));
      arm.setAttribute("d", `M${at(-far)} 11.5H${at(far)}`);
      softmaxRow(s.slice(0, 8)).forEach((a, j) => cells[j].style.setProperty("--t", a.toFixed(3)));
      for (const one of [name, picture]) mark(one, "data-on", by === Boolean(on));
      write(name, by ? `÷ √${d}` : "q · k");
      write(spread, `spread ${far.toFixed(1)}`);
      return far.toFixed(1);
    });
    el.setAttribute("aria-label", `${DRAWS} random q · k at d = ${d}: spread ${spreads[0]}, divided ${spreads[1]}`);
  }
  return { el, draw };
}

// Draws of a normal distribution, the same ones for the same seed.   -> () -> number
function normal(seed) {
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (((x ^ (x >>> 14)) >>> 0) + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

// The largest weight over all widths, undivided and divided, with a dot on each at the present one. A press or a drag moves there.
// draw(top, width): top(width) -> both
function track(least, most, names, onpick) {
  const [low, high] = [least, most].map(Math.log2);
  const left = (width) => `${(100 * (Math.log2(width) - low) / (high - low)).toFixed(2)}%`;
  const up = (share) => `${(100 - 100 * share).toFixed(2)}%`;
  const [lines, dots, told] = [
    () => svg("path", { "vector-effect": "non-scaling-stroke" }),
    () => h("em"),
    (name) => h("strong", {}, name),
  ].map((make) => names.map(make));
  const now = h("i");
  const ticks = [2, 8, 32, 128].filter((x) => x >= least && x <= most).map((x) =>
    h("small", { "data-x": true, style: `left:${left(x)}` }, x > 8 ? number(x) : `d = ${number(x)}`)
  );
  const shares = [0, 0.5, 1].map((x) => h("small", { style: `top:${up(x)}` }, percent(x)));
  const picture = svg("svg", { viewBox: "0 0 96 100", preserveAspectRatio: "none" }, lines);
  const el = h("div", { class: "attn-course", "aria-hidden": "true" }, picture, now, dots, told, ticks, shares);
  const go = ({ clientX }) => {
    const { x, width } = el.getBoundingClientRect();
    onpick(2 ** (low + (high - low) * Math.min(Math.max((clientX - x) / width, 0), 1)));
  };
  el.addEventListener("pointerdown", go);
  el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  function draw(top, width, on) {
    const all = Array.from({ length: 97 }, (_, t) => top(2 ** (low + (high - low) * t / 96)));
    const here = top(width);
    now.style.left = left(width);
    lines.forEach((line, k) => {
      line.setAttribute("d", all.map((both, t) => `${t ? "L" : "M"}${t} ${(100 - 100 * both[k]).toFixed(1)}`).join(""));
      dots[k].style.cssText = `left:${left(width)};top:${up(here[k])}`;
      for (const one of [line, dots[k], told[k]]) mark(one, "data-on", k === on);
      told[k].style.cssText = k ? `top:${up(all[96][k])}` : `bottom:${(100 * all[96][k]).toFixed(2)}%`;
    });
  }
  return { el, draw };
}

// The least of 2, 5, 10, 20, … of which fewer than four go into `most`.
function stride(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return [0.2, 0.5, 1, 2, 5].map((x) => x * ten).find((x) => most / x < 4);
}

// Behind the bars a line at every step of round numbers, at most three on a side, and below each what it is worth.
function ruler({ el }, both, tell) {
  const ends = h("span", {});
  el.append(h("li", { class: "attn-ends", "aria-hidden": "true" }, h("span"), ends));
  el.classList.add("attn-ruled");
  let drawn = null;
  return (most) => {
    if (most === drawn) return;
    drawn = most;
    const step = stride(most), last = Math.floor(most / step + 1e-9);
    const [zero, share] = both ? [0.5, 0.5 / most] : [0, 1 / most];
    const ticks = Array.from({ length: both ? 2 * last + 1 : last + 1 }, (_, at) => {
      const k = both ? at - last : at;
      const place = `--at:${(zero + k * step * share).toFixed(4)}`;
      return h("span", { style: place, "data-odd": both && k % 2 !== 0 }, k ? tell(k * step) : "0");
    });
    ends.replaceChildren(...ticks);
    el.style.setProperty("--zero", `${100 * zero}%`);
    el.style.setProperty("--unit", `${(100 * step * share).toFixed(3)}%`);
  };
}

// A ring, or a dot, where a bar would end in the other setting; where that is beyond its end, a line leads there.
function pulled({ el }) {
  const pairs = [...el.querySelectorAll(".attn-track")].map((track) => {
    ease(track.querySelector(".attn-fill"), "width", 300);
    const [line, ring] = ["attn-pull", "attn-hollow"].map((name) => track.appendChild(h("span", { class: name })));
    ease(line, "all", 300);
    ease(ring, "left", 300);
    return [line, ring];
  });
  return (values, others, most) => {
    const both = el.hasAttribute("data-both"); // zero is in the middle then
    const at = (x) => (both ? 50 + 50 * x / most : 100 * x / most);
    pairs.forEach(([line, ring], k) => {
      const [from, to] = [values, others].map((row) => Math.min(Math.max(at(row[k] ?? 0), 0), 100));
      const beyond = Math.abs(others[k] ?? 0) > Math.abs(values[k] ?? 0);
      line.style.left = `${Math.min(from, to).toFixed(2)}%`;
      line.style.width = `${Math.abs(from - to).toFixed(2)}%`;
      ring.style.left = `${to.toFixed(2)}%`;
      ring.hidden = others[k] === null;
      line.hidden = ring.hidden || !beyond;
    });
  };
}

// The ring's number beside the bar's, and above the two what they are of.
function beside({ el }) {
  const told = [...el.children].map((item) => item.appendChild(h("span", { class: "attn-other" })));
  const heads = [h("span"), h("span")];
  const over = heads.map((head, k) => h("span", {}, h("i", { "data-other": k === 1 }), head));
  el.prepend(h("li", { class: "attn-heading", "aria-hidden": "true" }, h("span", {}, over)));
  return (values, on, by = "") => {
    values.forEach((x, k) => write(told[k], x));
    heads.forEach((head, k) => write(head, on === k ? "undivided" : `divided${by}`));
  };
}
