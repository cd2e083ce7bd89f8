// Curves over one number that the reader moves: a line stands where it is, a dot on each curve. A press or a drag moves it.
import { h, svg, write } from "./kit.js";

const [WIDE, TALL, EDGE, TOP] = [360, 190, 12, 26];
const BASE = TALL - 28;
const TONES = {
  query: "--attn-accent",
  key: "--attn-bar",
  value: "--attn-debt",
  level: "--attn-soft",
  ink: "--attn-text",
};

export const tone = (name) => `var(${TONES[name]})`;

// name: for a voice; title: what is measured upwards, up to `most`; span: [low, high] across; lines: [{ tone, xs, ys, name }], a name stands right of the plot, as high as its dot;
// a line with lows and highs has a pale band; ticks: [[x, text]]; notes: [[x, y, text]]; levels: [[y, text]], lines across; rules: [x], dashed lines upwards; onpick(x).
// under(event): which x is pointed at. draw(x, ys, told, reached): ys are the dots' heights; told is written beside the dot of a single line, or one under each name.
// With `reached` the curves go up to x only, and pale up to there.
// guide(x): a light line where the reader points; without x it goes.
export function chart({ name, title, most, span, lines, ticks, notes = [], levels = [], rules = [], onpick }) {
  const left = levels.length ? 52 : EDGE;
  const end = WIDE - (lines.some((one) => one.name) ? 92 : EDGE);
  const across = (x) => left + (end - left) * (x - span[0]) / (span[1] - span[0]);
  const up = (y) => BASE - (BASE - TOP) * y / most;
  const at = (x, y) => `${across(x).toFixed(1)} ${up(y).toFixed(1)}`;
  const anchor = (x) => (x < WIDE * 0.15 ? "start" : x > end * 0.85 ? "end" : "middle");
  const text = (x, y, told) => svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor(x) }, told);
  const dots = lines.map((one) => svg("circle", { r: 6, style: `fill: ${tone(one.tone)}; stroke: var(--attn-paper)` }));
  const drop = svg("path", { style: "stroke: var(--attn-text); stroke-dasharray: 3 3" });
  const told = lines.map((one) =>
    svg("text", { style: `font-weight: 700; fill: ${lines[1] ? tone(one.tone) : "var(--attn-text)"}` })
  );
  const banded = lines.filter((one) => one.lows);
  const bands = banded.map((one) => svg("polygon", { style: `fill: ${tone(one.tone)}; stroke: none; opacity: 0.2` }));
  const [curves, ghosts] = [1, 0.3].map((seen) =>
    lines.map((one) =>
      svg("path", { style: `fill: none; stroke: ${tone(one.tone)}; stroke-width: 2.5; opacity: ${seen}` })
    )
  );
  const upto = (to, xs, ys) => xs.filter((x) => x <= to).map((x, k) => at(x, ys[k]));
  function grow(to, reached) {
    bands.forEach((band, i) => {
      const { xs, lows, highs } = banded[i];
      band.setAttribute("points", [...upto(to, xs, lows), ...upto(to, xs, highs).reverse()].join(" "));
    });
    for (const [paths, end] of [[curves, to], [ghosts, reached]]) {
      paths.forEach((path, i) => {
        const told = end > to || paths === curves ? upto(end, lines[i].xs, lines[i].ys) : [];
        path.setAttribute("d", told[0] ? `M${told.join("L")}` : "");
      });
    }
  }
  grow(Infinity, -Infinity);
  // Names right of the plot, each with its number below it: as high as the dots, and in their order
  const names = lines.filter((one) => one.name).map(({ name, tone: its }) =>
    svg("text", { x: end + 12, style: `fill: ${tone(its)}` }, name)
  );
  const light = svg("path", { style: "stroke: var(--attn-soft); opacity: 0.6" });
  function stack(heights) {
    const order = names.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
    let next = -Infinity;
    const ys = order.map((k) => next = Math.max(heights[k] - 2, next + 31, TOP - 4));
    let low = BASE - 12;
    for (let k = ys.length - 1; k >= 0; k--, low -= 31) {
      ys[k] = low = Math.min(ys[k], low);
      names[order[k]].setAttribute("y", low.toFixed(1));
      for (const [key, x] of [["x", end + 12], ["y", low + 14]]) told[order[k]].setAttribute(key, x.toFixed(1));
    }
  }
  const el = svg(
    "svg",
    {
      class: "attn-plane",
      viewBox: `0 0 ${WIDE} ${TALL}`,
      role: "img",
      "aria-label": name,
      style: "cursor: pointer; touch-action: pan-y",
    },
    svg("path", { class: "attn-zero", d: `M${left} ${BASE}H${end}`, fill: "none" }),
    ...rules.map((x) => svg("line", { x1: across(x), y1: TOP, x2: across(x), y2: BASE, "stroke-dasharray": "4 4" })),
    ...levels.map(([y]) => svg("line", { x1: left, y1: up(y), x2: end, y2: up(y) })),
    ...levels.map(([y, told]) => svg("text", { x: left - 6, y: up(y) + 4, "text-anchor": "end" }, told)),
    text(left, 16, title),
    ...ticks.map(([x, mark]) => text(across(x), TALL - 9, mark)),
    ...notes.map(([x, y, mark]) => text(across(x), up(y), mark)),
    ...bands,
    ...curves,
    ...ghosts,
    ...names,
    light,
    drop,
    ...dots,
    ...told,
  );
  const under = (event) => {
    const { x, width } = el.getBoundingClientRect();
    const part = ((event.clientX - x) / width * WIDE - left) / (end - left);
    return span[0] + (span[1] - span[0]) * Math.min(Math.max(part, 0), 1);
  };
  const guide = (x) => light.setAttribute("d", x === undefined ? "" : `M${across(x).toFixed(1)} ${TOP}V${BASE}`);
  const go = (event) => onpick(under(event));
  el.addEventListener("pointerdown", go);
  el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  function draw(x, ys, mark = "", reached = null) {
    if (reached !== null) grow(x, reached);
    const place = across(Math.min(Math.max(x, span[0]), span[1]));
    drop.setAttribute("d", `M${place.toFixed(1)} ${TOP}V${BASE}`);
    const high = ys.map(up);
    dots.forEach((dot, i) => {
      dot.setAttribute("transform", `translate(${place.toFixed(1)},${high[i].toFixed(1)})`);
      // those that lie upon one another are rings, so that none is hidden
      dot.setAttribute("r", 6 + 2.5 * high.slice(i + 1).filter((y) => Math.abs(y - high[i]) < 4).length);
    });
    if (lines[0].name) {
      stack(high);
      return told.forEach((one, i) => write(one, mark[i]));
    }
    // One number stands on the side where its curve is lower, and clear of it
    const [{ ys: heights }] = lines;
    const part = (x - span[0]) / (span[1] - span[0]);
    const near = (k) => Math.round(Math.min(Math.max(part + k, 0), 1) * (heights.length - 1));
    const highest = (from, to) => Math.max(...heights.slice(near(from), near(to) + 1));
    const [before, after] = [highest(-0.18, 0), highest(0, 0.18)];
    const right = part < 0.85 && (part < 0.15 || after < before);
    const [one] = told;
    one.setAttribute("x", (place + (right ? 11 : -11)).toFixed(1));
    one.setAttribute("y", Math.max(TOP + 10, up(right ? after : before) - 9).toFixed(1));
    one.setAttribute("text-anchor", right ? "start" : "end");
    write(one, mark);
  }
  return { el: h("div", { style: "flex: 1 1 20rem; max-width: 30rem; min-width: 0" }, el), draw, under, guide };
}
