// A curve over one number that the reader moves: a line stands where it is, a dot on the curve. A press or a drag moves it.
import { h, svg, write } from "./kit.js";

const [WIDE, TALL, EDGE, TOP] = [360, 190, 12, 26];
const BASE = TALL - 28;
const END = WIDE - EDGE;

// name: for a voice; title: what is measured upwards, up to `most`; span: [low, high] across; xs, ys: the curve's points;
// ticks: [[x, text]]; levels: [[y, text]], lines across; rules: [x], dashed lines upwards; onpick(x).
// draw(x, y, told): y is the dot's height; told is written beside it.
export function chart({ name, title, most, span, xs, ys, ticks, levels = [], rules = [], onpick }) {
  const left = levels.length ? 52 : EDGE;
  const across = (x) => left + (END - left) * (x - span[0]) / (span[1] - span[0]);
  const up = (y) => BASE - (BASE - TOP) * y / most;
  const at = (x, y) => `${across(x).toFixed(1)} ${up(y).toFixed(1)}`;
  const anchor = (x) => (x < WIDE * 0.15 ? "start" : x > END * 0.85 ? "end" : "middle");
  const text = (x, y, told) => svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor(x) }, told);
  const dot = svg("circle", { r: 6, style: "fill: var(--attn-debt); stroke: var(--attn-paper)" });
  const drop = svg("path", { style: "stroke: var(--attn-text); stroke-dasharray: 3 3" });
  const one = svg("text", { style: "font-weight: 700; fill: var(--attn-text)" });
  const curve = svg("path", {
    d: `M${xs.map((x, k) => at(x, ys[k])).join("L")}`,
    style: "fill: none; stroke: var(--attn-debt); stroke-width: 2.5",
  });
  const el = svg(
    "svg",
    {
      class: "attn-plane",
      viewBox: `0 0 ${WIDE} ${TALL}`,
      role: "img",
      "aria-label": name,
      style: "cursor: pointer; touch-action: pan-y",
    },
    svg("path", { class: "attn-zero", d: `M${left} ${BASE}H${END}`, fill: "none" }),
    ...rules.map((x) => svg("line", { x1: across(x), y1: TOP, x2: across(x), y2: BASE, "stroke-dasharray": "4 4" })),
    ...levels.map(([y]) => svg("line", { x1: left, y1: up(y), x2: END, y2: up(y) })),
    ...levels.map(([y, told]) => svg("text", { x: left - 6, y: up(y) + 4, "text-anchor": "end" }, told)),
    text(left, 16, title),
    ...ticks.map(([x, mark]) => text(across(x), TALL - 9, mark)),
    curve,
    drop,
    dot,
    one,
  );
  function go(event) {
    const { x, width } = el.getBoundingClientRect();
    const part = ((event.clientX - x) / width * WIDE - left) / (END - left);
    onpick(span[0] + (span[1] - span[0]) * Math.min(Math.max(part, 0), 1));
  }
  el.addEventListener("pointerdown", go);
  el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  function draw(x, y, told) {
    const place = across(Math.min(Math.max(x, span[0]), span[1]));
    drop.setAttribute("d", `M${place.toFixed(1)} ${TOP}V${BASE}`);
    dot.setAttribute("transform", `translate(${place.toFixed(1)},${up(y).toFixed(1)})`);
    // The number stands on the side where the curve is lower, and clear of it
    const part = (x - span[0]) / (span[1] - span[0]);
    const near = (k) => Math.round(Math.min(Math.max(part + k, 0), 1) * (ys.length - 1));
    const highest = (from, to) => Math.max(...ys.slice(near(from), near(to) + 1));
    const [before, after] = [highest(-0.18, 0), highest(0, 0.18)];
    const right = part < 0.85 && (part < 0.15 || after < before);
    one.setAttribute("x", (place + (right ? 11 : -11)).toFixed(1));
    one.setAttribute("y", Math.max(TOP + 10, up(right ? after : before) - 9).toFixed(1));
    one.setAttribute("text-anchor", right ? "start" : "end");
    write(one, told);
  }
  return { el: h("div", { style: "flex: 1 1 20rem; max-width: 30rem; min-width: 0" }, el), draw };
}
