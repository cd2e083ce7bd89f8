// Two heads' keys in one plane: one head is turned back towards the other, and their mean loses less or more.
import { figure, h, label, matrix, note, number, provenance, restart, slider, svg, write } from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { key } from "../kit/tones.js";
import { plot, sources } from "../kit/plane.js";

const RULES =
  `.attn-live .attn-turning { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  gap: 0.4rem 1.2rem; align-items: center; }
.attn-turning .attn-plane { max-width: none; }
.attn-turning div > .attn-plane { border: 0; overflow: visible; }
.attn-turning .attn-mark[data-kind="line"] { opacity: 0.6; }
.attn-turning .attn-plane text:not([data-tone]) { fill: var(--attn-text); font-size: 13px; }
.attn-turning .attn-drive { margin: 0 calc(2.86% - 10px) 0 calc(14.29% - 10px); }
.attn-live .attn-turning .attn-note { margin: 0 2.86% 0 14.29%; text-align: center; }
.attn-turning .attn-note strong { color: var(--attn-text); }
.attn-live .attn-turner .attn-hero.attn-hero { margin-left: auto; font-size: clamp(1.6rem, 5vw, 2.4rem); }
.attn-turner .attn-hero > small { display: inline; margin-right: 0.5rem; }
@media (max-width: 480px) { .attn-live .attn-turner .attn-hero.attn-hero { margin-block: -0.6rem -0.4rem; } }`;

export function render(host) {
  return figure(host, {
    title: "One head, turned back towards another.",
    hint: "Drag an arrow of head B, or the slider. At which turn does the mean lose least?",
    shape: ["A", "B", "tokens"],
    state: ["angle"],
    build,
  });
}

const NEAR = 1e-4; // of the squared error: within a degree of the best turn, here and in turn_back.py
const [LEFT, WIDE] = [50, 290]; // of the curve, whose picture is 350 wide; left of it the labels
const across = (degrees) => LEFT + (degrees + 180) / 360 * WIDE;
const within = (degrees) => Number((degrees - 360 * Math.round(degrees / 360)).toFixed(1));
const heading = ([x, y]) => Math.atan2(y, x) * 180 / Math.PI;
const told = (error) => error.toFixed(2);

function build(get, set) {
  const [A, B, tokens] = ["A", "B", "tokens"].map(get);
  const total = (f) => A.reduce((sum, a, i) => sum + f(a, B[i]), 0);
  const [along, aside] = [total(dot), total(([ax, ay], [bx, by]) => ax * by - ay * bx)];
  const whole = total((a, b) => dot(a, a) + dot(b, b));
  const square = (overlap) => Math.max(0, 0.5 - overlap / whole); // of the error
  const turn = (degrees) => [Math.cos, Math.sin].map((f) => f(degrees * Math.PI / 180));
  const error = (degrees) => Math.sqrt(square(dot(turn(degrees), [along, aside])));
  const least = square(Math.hypot(along, aside));
  const best = within(heading([along, aside]));
  const back = ([x, y], [c, s] = turn(get("angle"))) => [x * c + y * s, y * c - x * s];
  const middle = (a, b) => a.map((x, k) => (x + b[k]) / 2);

  const narrow = matchMedia("(max-width: 480px)").matches;
  const plane = plot({ name: "The keys of both heads", tall: narrow ? 0.64 : 1 });
  const far = Math.max(...[...A, ...B].map((row) => Math.hypot(...row)));
  plane.frame([[-far, -far], [far, far]]);
  const add = (kind, tone, options = {}) =>
    tokens.map((name) => plane.add(kind, { tone, name: "", heard: name, ...options }));
  const gaps = add("line", "grid");
  const first = tokens.map((name) => plane.add("arrow", { tone: "key", name }));
  const second = tokens.map((name, i) =>
    plane.add("arrow", {
      tone: "value",
      name,
      merge: false,
      heard: `${label(name)} in head B`,
      drag: (to) => set({ angle: within(heading(B[i]) - heading(to)) }),
    })
  );
  const mean = tokens.map(() => plane.add("arrow", { tone: "ink" }));

  const angle = slider({
    title: "turn B back by",
    min: -180,
    max: 180,
    step: 0.1,
    nudge: 1,
    tell: (x) => `${number(x, 1)}°`,
    oninput: (x) => set({ angle: x }),
  });
  const [turned, lost] = [h("span"), h("span")];
  const toBest = h("button", { type: "button", onclick: toTheBest }, "the best turn");
  const reset = restart(get, set, ["angle"]);

  // The error over the angle: only where the reader has been, so that the best turn is found by turning
  const foot = narrow ? 92 : 250;
  const up = (share) => foot - (foot - 20) * share;
  const at = (degrees) => `${across(degrees).toFixed(1)} ${up(error(degrees)).toFixed(1)}`;
  const trace = svg("path", { style: "fill: none; stroke: var(--attn-debt); stroke-width: 3; stroke-linecap: round" });
  const under = svg("path", { style: "fill: var(--attn-debt); opacity: 0.14" });
  const stem = svg("path", { style: "stroke: var(--attn-debt); stroke-width: 4" });
  const spot = svg("circle", { r: 6, style: "fill: var(--attn-debt); stroke: var(--attn-paper)" });
  const curve = svg(
    "svg",
    { class: "attn-plane", viewBox: `0 0 350 ${foot + 29}`, role: "img", "aria-label": "The error, by the turn" },
    ...[0, 0.5, 1].flatMap((x) => [
      svg("path", { class: "attn-grid", d: `M${LEFT} ${up(x)}h${WIDE}` }),
      svg("text", { x: LEFT - 6, y: up(x) + 4, "text-anchor": "end" }, number(x, 1)),
    ]),
    ...[-180, -90, 0, 90, 180].map((x) =>
      svg("text", { x: across(x), y: foot + 23, "text-anchor": "middle" }, `${number(x)}°`)
    ),
    under,
    stem,
    trace,
    spot,
  );
  let [seen, last] = [[], null];
  function toTheBest() {
    seen = Array.from({ length: 361 }, () => true); // that none is better is to be seen: the whole curve stays
    set({ angle: best });
  }
  function visit(now) {
    const near = Math.round(now);
    // Turned by hand, it passes every degree between; a press or a turn around the end does not
    const from = last === null || Math.abs(near - last) > 60 ? near : last;
    for (let k = Math.min(from, near); k <= Math.max(from, near); k++) seen[k + 180] = true;
    last = near;
    const ground = (k) => `${across(k - 180).toFixed(1)} ${foot}`;
    const swept = (start, end) =>
      Array.from(
        seen,
        (on, k) => on ? `${seen[k - 1] ? "L" : start(k)}${at(k - 180)}${seen[k + 1] ? "" : end(k)}` : "",
      );
    trace.setAttribute("d", swept(() => "M", () => "").join(""));
    under.setAttribute("d", swept((k) => `M${ground(k)}L`, (k) => `L${ground(k)}Z`).join(""));
    stem.setAttribute("d", `M${across(now).toFixed(1)} ${foot}L${at(now)}`);
    spot.setAttribute("transform", `translate(${at(now)})`);
  }
  reset.addEventListener("click", () => ([seen, last] = [[], null], draw()));

  const table = matrix({
    name: "each word’s keys",
    rows: tokens,
    cols: ["A x", "A y", "B x", "B y", "C x", "C y"],
    size: [tokens.length, 6],
    kind: "plain",
    onpick: () => {},
  });
  const rows = () => A.map((a, i) => [...a, ...back(B[i]), ...middle(a, back(B[i]))]);
  const origin = provenance([[table, (i, c) => {
    const row = rows()[i];
    return c < 4 ? null : {
      told: `${number(row[c])} = (${number(row[c - 4])} + ${number(row[c - 2])}) / 2: the mean of both heads`,
      from: [[table, [i, c - 4]], [table, [i, c - 2]], [sources(mean), [0, i]]],
    };
  }]]);
  const paint = glide((part) => {
    A.forEach((a, i) => {
      const b = back(B[i], part);
      gaps[i].put([a, b], { width: 2 });
      first[i].put([[0, 0], a], { width: 3 });
      second[i].put([[0, 0], b], { width: 3 });
      second[i].round = 12; // its name is clear of the ring to hold it by
      mean[i].put([[0, 0], middle(a, b)], { width: 5 });
    });
    plane.draw();
  });
  function draw() {
    const now = get("angle");
    angle.draw(now);
    visit(now);
    write(turned, `${number(now, 1)}°`);
    write(lost, told(error(now)));
    toBest.setAttribute("aria-pressed", String(now === best));
    table.draw(rows());
    origin.draw();
    paint(turn(now), true);
  }
  function sentence(now = get("angle"), longest = false) {
    const start = `Head B turned back by ${number(now, 1)}°: the error of the mean is ${told(error(now))}`;
    return `${start}${longest || error(now) ** 2 - least < NEAR ? ", and no turn has less." : "."}`;
  }
  return {
    parts: [
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-row attn-turner" },
        toBest,
        reset,
        h("p", { class: "attn-hero" }, h("small", {}, "error of the mean"), lost),
      ),
      h(
        "div",
        { class: "attn-turning" },
        plane.el,
        h(
          "div",
          {},
          curve,
          h("div", { class: "attn-drive" }, h("div", { class: "attn-sliders" }, angle.el)),
          h("p", { class: "attn-note" }, "turn B back by ", h("strong", {}, turned)),
        ),
      ),
      key([["key", "head A"], ["value", "head B"], ["ink", "their mean"]]),
      note("Error of the mean: the keys’ distance from their mean ÷ their length, both as root mean squares."),
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers"),
        h("div", { class: "attn-small" }, table.el),
      ),
      origin.el,
    ],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(-178.8, true),
  };
}
