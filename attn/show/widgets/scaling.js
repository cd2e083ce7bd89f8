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
  slider,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { entropy, softmaxRow } from "../kit/linalg.js";
import { ease } from "../kit/motion.js";

// What is undivided is hollow and what is divided is filled, everywhere; the divided comes when the reader divides
const RULES = [
  // why on the left, and what comes of it on the right; no column is as wide as what it says
  ".attn-most { display: grid; grid-template: auto auto 1fr / 18.5rem minmax(0, 1fr); gap: 0 2rem; margin: 0.8rem 0 1rem; }",
  ".attn-most > :nth-child(2) { grid-area: 1 / 2 / span 2; }",
  ".attn-most > :nth-child(3) { grid-area: 2 / 1 / span 2; margin-top: 1.4rem; }",
  ".attn-most > :nth-child(4) { grid-area: 3 / 2; }",
  ".attn-live .attn-verdict { margin: 1.1rem 0 0; white-space: nowrap; color: var(--attn-soft); }",
  ".attn-verdict bdi { display: block; }",
  ".attn-verdict strong { display: inline-block; min-width: 3.6ch; color: var(--attn-debt); font-size: clamp(1.8rem, 7vw, 2.5rem); font-weight: 400; line-height: 1.1; letter-spacing: -0.02em; }",
  ".attn-verdict span, .attn-nats span strong { color: var(--attn-bar); }",
  ".attn-verdict strong[data-on] { font-weight: 700; }",
  ".attn-verdict span strong { color: inherit; }",
  // each way to scale has its sign where it is chosen
  ".attn-ways button bdi::before { content: ''; display: inline-block; box-sizing: border-box; width: 0.7em; height: 0.7em; margin-right: 0.4em; border: 2px solid; border-radius: 50%; }",
  ".attn-ways button:last-child bdi::before { background: currentColor; }",
  // the largest weight over all widths; the width's slider is the axis below it
  ".attn-course { position: relative; height: 11rem; margin: 1.6rem 1rem 0 3.6rem; border-bottom: 1px solid var(--attn-line); cursor: ew-resize; touch-action: pan-y; user-select: none; background: linear-gradient(var(--attn-line) 0 0) 0 0 / 100% 1px no-repeat, linear-gradient(var(--attn-line) 0 0) 0 50% / 100% 1px no-repeat; }",
  ".attn-course svg { position: absolute; width: 100%; height: 100%; overflow: visible; }",
  ".attn-course :is(path, em, strong), .attn-nats strong { color: var(--attn-debt); }",
  ".attn-course :is(path + path, em + em, strong + strong) { color: var(--attn-bar); }",
  ".attn-course path { fill: none; stroke: currentColor; stroke-width: 3px; stroke-linejoin: round; }",
  // a ghost until the reader has been there; that of the divided tells from the start what a division will do
  ".attn-course g:first-child path { opacity: 0.5; stroke-width: 2px; }",
  "[data-plain] .attn-course strong + strong { font-weight: 400; }",
  ".attn-course > :not(svg) { position: absolute; }",
  ".attn-course > i { inset: 0 auto -1.1rem; width: 1px; background: var(--attn-edge); }",
  ".attn-course > em { box-sizing: border-box; width: 0.95rem; height: 0.95rem; border: 3px solid; border-radius: 50%; translate: -50% -50%; background: var(--attn-paper); }",
  ".attn-course > em + em { background: currentColor; }",
  // the row that is shown, one dot among the rows
  ".attn-course > .attn-own { width: 0.8rem; height: 0.8rem; border: 2px solid var(--attn-paper); border-radius: 50%; translate: -50% -50%; background: var(--attn-text); }",
  ".attn-course > .attn-own span { position: absolute; top: 50%; right: 0.9rem; padding: 0 0.15rem; translate: 0 -50%; background: var(--attn-paper); color: var(--attn-text); font-size: 0.8rem; font-weight: 400; line-height: 1.2; white-space: nowrap; }",
  ".attn-course > [data-left] span { right: auto; left: 0.9rem; }",
  ".attn-course > p { bottom: 0.3rem; left: 0.4rem; margin: 0; background: var(--attn-paper); color: var(--attn-soft); font-size: 0.75rem; line-height: 1.3; white-space: nowrap; }",
  // a dot at the end reaches no name
  ".attn-course > strong { right: 0.7rem; padding: 0 0.2rem; background: var(--attn-paper); line-height: 1.3; bottom: calc(100% + 0.35rem); }",
  ".attn-course > strong + strong { bottom: auto; translate: 0 0.6rem; }",
  ".attn-course > [data-over][data-over] { translate: 0 -1.9rem; }",
  ".attn-course > small { left: -0.5rem; translate: -100% -50%; color: var(--attn-soft); font-size: 0.8em; }",
  ".attn-course > small[data-x] { top: calc(100% + 1.9rem); translate: -50%; white-space: nowrap; }",
  ".attn-live .attn-most .attn-sliders { position: relative; grid-template-columns: 3.6rem minmax(0, 1fr) 1rem; max-width: none; margin: 0.4rem 0 2.6rem; }",
  ".attn-live .attn-most .attn-slider { gap: 0; margin: 0; }",
  ".attn-most .attn-slider input { width: calc(100% + 1rem); margin: 0 -0.5rem; }",
  // below the axis its name, where its numbers stand, and below the thumb the width, over the number that stands there
  ".attn-live .attn-most .attn-slider { position: relative; }",
  ".attn-live .attn-most .attn-slider :is(.attn-name, .attn-value) { position: absolute; top: calc(100% + 0.15rem); line-height: 1.2; }",
  ".attn-most .attn-slider input { grid-column: 2; }",
  ".attn-live .attn-most .attn-slider .attn-value { left: calc(3.6rem + (100% - 4.6rem) * var(--along)); padding: 0 0.6rem; translate: -50%; background: var(--attn-paper); font-size: 1.25rem; font-weight: 700; }",
  // random scores at this width: as they are they spread, divided they stay
  ".attn-draws { display: grid; grid-template: auto minmax(6rem, 1fr) auto / 1fr max-content; row-gap: 0.4rem; color: var(--attn-soft); font-variant-numeric: tabular-nums; }",
  ".attn-draws svg { grid-column: 1 / -1; width: 100%; height: 100%; overflow: visible; border-bottom: 1px solid var(--attn-edge); background: linear-gradient(var(--attn-edge) 0 0) 50% / 1px 100% no-repeat; }",
  ".attn-draws > span { position: relative; grid-column: 1 / -1; height: 1em; font-size: 0.9em; }",
  ".attn-draws > span * { position: absolute; top: -0.4em; translate: -50%; }",
  ".attn-draws path { fill: none; stroke: var(--attn-debt); stroke-linecap: round; stroke-width: 6.5px; }",
  ".attn-draws path:nth-child(2) { stroke: var(--attn-paper); stroke-width: 3.5px; }",
  ".attn-draws path:nth-child(n + 4) { stroke: var(--attn-bar); }",
  ".attn-draws path:nth-child(3n) { stroke-width: 4px; }",
  ".attn-draws path:nth-child(4) { stroke-width: 5px; }",
  ".attn-draws strong { color: var(--attn-debt); } .attn-draws > small + small { min-width: 9.6em; }",
  ".attn-draws small span strong { color: var(--attn-bar); }",
  // one row of scores and its weights: the divided bar lies in the hollow one
  ".attn-live .attn-either .attn-bars { grid-template-columns: minmax(0, max-content) minmax(4rem, 1fr) max(4rem, var(--signs, 0) * 0.66em + 0.4rem); max-width: none; }",
  ".attn-either .attn-bars { margin-top: 0.5rem; } .attn-either .attn-value { text-align: right; }",
  // the largest weight, which is told large and is a dot on the curve
  ".attn-either [data-on] > * { color: var(--attn-text); font-weight: 700; }",
  ".attn-live .attn-either .attn-bars li { min-height: 1.9rem; margin: 0; }",
  ".attn-either small { color: var(--attn-soft); }",
  ".attn-live .attn-either .attn-bars .attn-fill { inset-block: 28%; border-radius: 0; background: var(--attn-bar); }",
  ".attn-live .attn-either .attn-bars .attn-hollow { inset-block: 0; box-sizing: border-box; border: 2px solid var(--attn-debt); border-radius: 2px; background: none; }",
  ".attn-either .attn-track { height: 1.3em; }",
  // the lines run on from row to row
  ".attn-ruled .attn-track { border: 0 solid transparent; border-right-width: 1px; }",
  ".attn-ruled .attn-track::before { content: ''; position: absolute; inset: -0.5em -1px -0.5em 0; border-right: 1px solid transparent; background: linear-gradient(var(--attn-edge) 0 0) var(--zero) 0 / 1.5px 100% no-repeat, repeating-linear-gradient(90deg, var(--attn-line) var(--zero) calc(var(--zero) + 1px), transparent calc(var(--zero) + 1px) calc(var(--zero) + var(--unit))); }",
  ".attn-live .attn-either .attn-bars .attn-ends { min-height: 0; color: var(--attn-soft); font-size: 0.75em; }",
  ".attn-ends > :last-child { position: relative; height: 1.4em; }",
  ".attn-ends span span { position: absolute; left: calc(100% * var(--at)); translate: -50%; }",
  // until the reader divides
  "[data-plain] :is(.attn-verdict span, .attn-nats span, .attn-course :is(g + g path + path, em + em), .attn-draws :is(path:nth-child(n + 4), small span), .attn-fill:not(.attn-hollow)) { visibility: hidden; }",
  "@media (max-width: 660px) { .attn-live .attn-most { display: block; } .attn-live .attn-most > * { margin-block: 0 1rem; } .attn-draws { min-height: 11rem; } }",
  "@media (max-width: 380px) { .attn-live .attn-ways button { padding-inline: 0.4rem; } .attn-draws > small { font-size: 0.7rem; } }",
  "@media (max-width: 600px) { .attn-course { margin-top: 2.2rem; } .attn-live .attn-either .attn-chips button { min-width: 40px; padding-inline: 0.3rem; } .attn-ends [data-odd] { display: none; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "What √d does.",
    hint: "Drag the width, then divide: watch the largest weight.",
    shape: ["scores", "d", "tokens"],
    state: ["row", "scaled", "width"],
    build,
  });
}

const short = (x) => number(x, 2); // beside a bar; the sentence has its third decimal
const tiny = (x) => x && Math.abs(x) < 0.0005 ? "<0.001" : number(x); // no power of ten

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
    oninput: (x) => go(2 ** x),
  });
  let byHand = false; // what the reader passes is drawn
  function go(x) {
    byHand = true;
    set({ width: whole(x) });
  }
  const who = chips({ names, title: "Row", onpick: (i) => set({ row: i }) });
  const how = chips({ names: ways, title: "Scores", onpick: (i) => set({ scaled: i === 1 }) });
  how.el.classList.add("attn-ways");
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
  const hollows = [left, right].map(hollow);
  const ruled = ruler(left, signed, number);
  ruler(right, false, percent)(1);
  const [mean, nats] = [pair(), pair()];
  const random = draws(most, tokens.length);
  const rows = `mean of ${random.rows} `;
  const told = h("p", { class: "attn-told attn-verdict" }, h("bdi", {}, `Largest weight, ${rows}rows `), mean.nodes);
  const course = track(least, most, ["as they are", "÷ √d"], `${rows}rows`, go);

  let drawn = null;
  function draw() {
    const i = get("row");
    const weights = both(i);
    const on = Number(get("scaled"));
    who.draw(i);
    how.draw(on);
    wide.draw(Math.log2(width()));
    hero.style.setProperty("--along", Math.log2(width() / least) / Math.log2(most / least));
    write(how.el.querySelector("button:last-child > bdi"), `÷ √${number(width())}`);
    // under the hand nothing lags behind; a change of the row or the rule is seen to happen
    for (const one of [hero, folded]) mark(one, "data-quick", drawn !== null && width() !== drawn);
    drawn = width();
    const far = reach();
    ruled(far);
    for (const one of [hero, folded]) mark(one, "data-plain", !on);
    const first = weights[on].indexOf(Math.max(...weights[on]));
    left.draw(divided(i, roots()[on]), { most: far, tell: short, both: signed, on: first });
    right.draw(weights[on], { most: 1, tell: percent, on: first });
    hollows[0](divided(i, 1), far);
    hollows[1](weights[0], 1);
    course.draw(random.top, width(), on, [names[i], Math.max(...weights[on])], !byHand && !on && width() === d);
    byHand = false;
    random.draw(width());
    mean.draw(random.top(width()).map(percent), on);
    nats.draw(weights.map((a) => tiny(entropy(a))), on);
  }
  function sentence() {
    const [i, on] = [get("row"), Number(get("scaled"))];
    const a = both(i)[on];
    const shown = vector(divided(i, roots()[on]));
    const name = width() === d ? quoted(names[i]) : `${quoted(names[i])} at width ${number(width())}`;
    const told = `The scores of ${name}, ${on ? `divided by √${number(width())}` : "as they are"}, ${shown}`;
    return `${told}, give the weights ${vector(a)}, entropy ${tiny(entropy(a))} nats.`;
  }
  const hero = h(
    "div",
    { class: "attn-most" },
    h("div", {}, how.el, told),
    h("div", {}, course.el, h("div", { class: "attn-sliders" }, wide.el)),
    random.el,
    h(
      "div",
      { class: "attn-either" },
      scores.length > 1 ? who.el : "",
      "weights ",
      h("small", { class: "attn-nats" }, "entropy in nats ", nats.nodes),
      right.el,
    ),
  );
  const folded = h("details", { class: "attn-more attn-either" }, h("summary", {}, "scores"), left.el);
  return {
    parts: [h("style", {}, RULES), hero, folded],
    draw,
    sentence,
    hint: () => get("scaled") ? "Drag again: divided, the mean hardly moves." : "",
  };
}

// Undivided → divided, of which the second comes when the reader divides.   -> nodes; draw(two, on)
function pair() {
  const told = [0, 1].map(() => h("strong"));
  function draw(two, on) {
    told.forEach((one, way) => {
      write(one, two[way]);
      mark(one, "data-on", way === on);
    });
  }
  return { nodes: [told[0], h("span", {}, " → ", told[1])], draw };
}

// Random rows of scores q · k, a query with keys of its own each, from entries that are independent and of variance 1: the
// same draws at each width, of which a wider one adds up more products. Their rings and dots, and under them the spread
// that they have.   top(width) -> their mean largest weight, undivided and divided
const DRAWS = 240;
function draws(most, long) {
  const next = normal(7);
  const [rows, wide] = [Math.max(8, Math.round(DRAWS / long)), Math.ceil(most)];
  const sums = Array.from({ length: rows }, () => {
    const query = Array.from({ length: wide }, next);
    return Array.from({ length: long }, () => {
      let sum = 0;
      return [0, ...query.map((q) => sum += q * next())];
    });
  });
  const all = sums.flat();
  const reach = Math.max(...all.map((one) => Math.max(...one.map(Math.abs)))); // of all widths, so that no dot is beyond
  const entries = (width) => Math.max(1, Math.round(width));
  const top = (width) => {
    const d = entries(width);
    return [1, Math.sqrt(d)].map((by) =>
      sums.reduce((sum, line) => sum + Math.max(...softmaxRow(line.map((one) => one[d] / by))), 0) / rows
    );
  };
  const at = (x) => (50 + 49 * x / reach).toFixed(2);
  const paths = [0, 1, 2, 3, 4, 5].map(() => svg("path", { "vector-effect": "non-scaling-stroke" }));
  const spread = pair();
  const step = stride(reach);
  const ticks = [-3, -2, -1, 0, 1, 2, 3].map((k) => k * step).filter((x) => Math.abs(x) <= reach).map((x) =>
    h("small", { style: `left:${at(x)}%` }, number(x))
  );
  const el = h(
    "div",
    { class: "attn-draws", role: "img" },
    h("small", {}, `${all.length} random scores q · k`),
    h("small", {}, "spread ", spread.nodes),
    svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none" }, paths),
    h("span", {}, ticks),
  );
  function draw(width) {
    const d = entries(width);
    const spreads = [1, Math.sqrt(d)].map((by, k) => {
      const s = all.map((one) => one[d] / by);
      const far = Math.sqrt(s.reduce((sum, x) => sum + x * x, 0) / s.length);
      const dots = s.map((x, j) => `M${at(x)} ${(0.4 + 10 * (j * 0.618 % 1)).toFixed(1)}h0`).join("");
      [dots, dots, `M${at(-far)} 11.4H${at(far)}`].forEach((way, j) => paths[3 * k + j].setAttribute("d", way));
      return far.toFixed(1);
    });
    spread.draw(spreads);
    el.setAttribute(
      "aria-label",
      `${all.length} random q · k at d = ${d}: spread ${spreads[0]}, divided ${spreads[1]}`,
    );
  }
  return { el, rows, top, draw };
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

// The mean largest weight over all widths, undivided and divided, with a dot on each at the present one: a ghost, and a line
// where the reader has been. A press or a drag moves there.
// draw(top, width, on, [name, share], fresh): top(width) -> both; name: of the row whose largest weight is a dot of its own;
// on: which of both is asked for; fresh: the reader has been nowhere
function track(least, most, names, told, onpick) {
  const [low, high] = [least, most].map(Math.log2);
  const along = (width) => (Math.log2(width) - low) / (high - low);
  const left = (width) => `${(100 * along(width)).toFixed(2)}%`;
  const up = (share) => `${(100 - 100 * share).toFixed(2)}%`;
  const [ghosts, lines, dots, labels] = [
    () => svg("path", { "vector-effect": "non-scaling-stroke" }),
    () => svg("path", { "vector-effect": "non-scaling-stroke" }),
    () => h("em"),
    (name) => h("strong", {}, name),
  ].map((make) => names.map(make));
  const [now, mine] = [h("i"), h("span")];
  const row = h("span", { class: "attn-own" }, mine);
  const places = [2, 8, 32, 128].filter((x) => x >= least && x <= most);
  const ticks = places.map((x) => h("small", { "data-x": true, style: `left:${left(x)}` }, number(x)));
  const shares = [0, 0.5, 1].map((x) => h("small", { style: `top:${up(x)}` }, percent(x)));
  const picture = svg(
    "svg",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none" },
    [ghosts, lines].map((all) => svg("g", {}, all)),
  );
  const el = h(
    "div",
    { class: "attn-course", "aria-hidden": "true" },
    picture,
    now,
    h("p", {}, told),
    dots,
    row,
    labels,
    ticks,
    shares,
  );
  const go = ({ clientX }) => {
    const { x, width } = el.getBoundingClientRect();
    onpick(2 ** (low + (high - low) * Math.min(Math.max((clientX - x) / width, 0), 1)));
  };
  el.addEventListener("pointerdown", go);
  el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  let [all, been] = [null, null];
  function draw(top, width, on, [name, share], fresh) {
    const start = !all;
    if (start) {
      const first = Math.ceil(Math.max(1, least));
      all = Array.from({ length: Math.floor(most) - first + 1 }, (_, t) => [first + t, top(first + t)]);
    }
    if (fresh) been = null;
    been ||= names.map(() => [Infinity, 0]);
    const here = top(width);
    [now.style.left, now.style.top] = [left(width), up(Math.max(share, ...here.slice(0, on + 1)))];
    names.forEach((_, k) => {
      if (k <= on) been[k] = [Math.min(been[k][0], width), Math.max(been[k][1], width)];
      const way = (from, to) =>
        all.filter(([wide]) => wide >= from && wide <= to).map(([wide, both], t) =>
          `${t ? "L" : "M"}${(100 * along(wide)).toFixed(2)} ${(100 - 100 * both[k]).toFixed(1)}`
        ).join("");
      if (start) ghosts[k].setAttribute("d", way(0, Infinity));
      if (k) labels[k].style.top = up(all[all.length - 1][1][k]);
      lines[k].setAttribute("d", way(...been[k]));
      dots[k].style.cssText = `left:${left(width)};top:${up(here[k])}`;
    });
    row.style.cssText = `left:${left(width)};top:${up(share)}`;
    mark(row, "data-left", along(width) < 0.45);
    const end = all[all.length - 1][1][1]; // below it is the name, and in its place the row's at a great width
    mark(labels[1], "data-over", along(width) > 0.5 && share < end + 0.05 && share > end - 0.3);
    places.forEach((x, k) => ticks[k].style.visibility = x === width ? "hidden" : ""); // its own is told larger
    write(mine, `row ${quoted(name)}`);
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

// In each track a hollow bar before the filled one, for the scores as they are.   -> (values, most)
function hollow({ el }) {
  const outlines = [...el.querySelectorAll(".attn-fill")].map((fill) => {
    ease(fill, "width", 300);
    const outline = h("span", { class: "attn-fill attn-hollow" });
    fill.before(outline);
    return outline;
  });
  return (values, most) =>
    outlines.forEach(({ style }, k) => {
      style.setProperty("--t", Math.abs(values[k] ?? 0) / most);
      mark(outlines[k], "data-minus", values[k] < 0);
    });
}
