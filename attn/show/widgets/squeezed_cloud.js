// A cloud of points squeezed onto a line through the origin: rank one, and the line that loses least.
import {
  figure,
  h,
  label,
  matrix,
  number,
  percent,
  products,
  provenance,
  restart,
  slider,
  svg,
  write,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { key } from "../kit/tones.js";
import { plot, sources } from "../kit/plane.js";

// Two squares side by side; a ring to hold a point by only where one is pointed at; what is lost in full colour
const RULES =
  `.attn-live .attn-cloud { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  gap: 0.4rem 1.2rem; align-items: start; }
.attn-cloud .attn-plane { max-width: none; }
.attn-live .attn-hero { margin: -0.2rem 0 0 auto; font-size: clamp(1.6rem, 5vw, 2.4rem); }
@media (min-width: 481px) { .attn-live .attn-press .attn-hero.attn-hero { margin-left: auto; } }
.attn-hero > small { display: inline; margin-right: 0.5rem; }
.attn-live .attn-press { margin-block: 0.2rem; }
@media (max-width: 480px) { .attn-live .attn-press { gap: 0.3rem; margin-block: 0; } .attn-live .attn-press button { padding-inline: 0.5rem; }
  .attn-live .attn-hero { margin-block: -0.6rem -0.4rem; font-size: 1.4rem; } }
.attn-cloud .attn-mark[data-kind="point"]:not(:hover, :focus-visible) .attn-grip { opacity: 0; }
.attn-cloud .attn-mark[data-kind="line"][data-tone="value"] { opacity: 1; }
.attn-cloud div > .attn-plane { border: 0; overflow: visible; }
.attn-kept text { fill: var(--attn-text); font-size: 13px; }
@media (min-width: 481px) { .attn-kept text { font-size: 11.5px; } } /* it is drawn larger there */
.attn-kept .attn-finest { font-weight: 700; }
.attn-kept .attn-now { font-size: 14px; font-weight: 700; paint-order: stroke; stroke: var(--attn-paper); stroke-width: 4; }
.attn-cloud .attn-drive { margin: 0 calc(2.86% - 9px) 0 calc(14.29% - 9px); }
.attn-cloud .attn-drive input { height: 1.5rem; margin: 0; appearance: none; cursor: ew-resize;
  background: linear-gradient(var(--attn-edge) 0 0) 50% / calc(100% - 18px) 4px no-repeat; }
.attn-cloud ::-webkit-slider-thumb { width: 18px; height: 18px; appearance: none; border-radius: 50%; background: var(--attn-accent); }
.attn-cloud ::-moz-range-thumb { box-sizing: border-box; width: 18px; height: 18px; border: 0; border-radius: 50%; background: var(--attn-accent); }
@media (forced-colors: active) { .attn-cloud input { forced-color-adjust: none; --attn-accent: Highlight; --attn-edge: CanvasText; } }`;

export function render(host) {
  return figure(host, {
    title: "A cloud on a line.",
    hint: "Turn the line and squeeze the cloud onto it: rank one. Which line loses least?",
    shape: ["tokens"],
    state: ["M", "angle", "squeezed"],
    build,
  });
}

const unit = (degrees) => [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
const square = (M) => M.reduce((sum, row) => sum + dot(row, row), 0);
const tidy = (degrees) => Number((degrees > 90 ? degrees - 180 : degrees < -90 ? degrees + 180 : degrees).toFixed(1));

const EQUAL = 1e-6; // shares closer than this are the same, here and in squeezed_cloud.py
const [LEFT, WIDE] = [50, 290]; // of the curve, whose picture is 350 wide; left of it the labels
const across = (degrees) => LEFT + (degrees + 90) / 180 * WIDE;

function build(get, set) {
  const tokens = get("tokens");
  const narrow = matchMedia("(max-width: 480px)").matches;
  const foot = narrow ? 118 : 318; // where nothing is kept, in the picture of the curve
  const up = (share) => foot - (foot - 24) * share;
  const start = get("M");
  const far = Math.max(...start.map((row) => Math.hypot(...row)));
  const plane = plot({ name: "The rows of M", tall: narrow ? 0.58 : 1 });
  // However the line is turned, a row lands on the circle over it: the frame holds these circles, and the arrow's way
  const reach = start.flatMap((row) => [-1, 1].map((side) => row.map((x) => (x + side * Math.hypot(...row)) / 2)));
  plane.frame(reach);
  const line = plane.add("line", { tone: "query" });
  const lost = tokens.map(() => plane.add("line", { tone: "value" }));
  const turn = (to) => set({ angle: tidy(Math.atan2(to[1], to[0]) * 180 / Math.PI) });
  const were = tokens.map(() => plane.add("point", { tone: "key", name: "", size: 4 })); // where the squeezed rows come from
  const tip = plane.add("arrow", { tone: "query", name: "u", heard: "direction u", drag: turn });
  const points = tokens.map((name, i) =>
    plane.add("point", {
      tone: "key",
      name,
      heard: `row ${label(name)}`,
      // A row that lies on the line turns it: on the line none can be taken for u
      drag: (to) => get("squeezed") ? turn(to) : set({ M: get("M").map((row, k) => (k === i ? to : row)) }),
    })
  );
  let pointed = -1; // of many points this one is named
  points.forEach(({ el }, i) => {
    const name = (to) => () => (pointed = to, draw());
    for (const event of ["pointerenter", "focus"]) el.addEventListener(event, name(i));
    for (const event of ["pointerleave", "blur"]) el.addEventListener(event, name(-1));
  });
  const angle = slider({
    title: "direction",
    min: -90,
    max: 90,
    step: 0.1,
    nudge: 1,
    tell: (x) => `${number(x, 1)}°`,
    oninput: (x) => set({ angle: x }),
  });
  const press = h("button", { type: "button", onclick: () => set({ squeezed: !get("squeezed") }) }, "squeeze");
  let found = false; // nothing is said of the best line before the reader stands on it
  const toBest = h("button", {
    type: "button",
    onclick: () => set({ angle: tidy(known().best) }),
  }, "the best line");
  const reset = restart(get, set, ["M", "angle", "squeezed"]);
  reset.addEventListener("click", () => (found = false, draw()));
  const trace = svg("path", { style: "fill: none; stroke: var(--attn-bar); stroke-width: 3; stroke-linecap: round" });
  // What is kept below the point, what is lost above it, in the colours of the cloud
  const under = svg("polygon", { style: "fill: var(--attn-bar); opacity: 0.14" });
  const [stem, gap] = [["--attn-accent", 4], ["--attn-debt", 2]].map(([tone, wide]) =>
    svg("line", { style: `stroke: var(${tone}); stroke-width: ${wide}` })
  );
  const missed = svg("text", { style: "fill: var(--attn-debt); text-anchor: middle" });
  const spot = svg("circle", { r: 6, style: "fill: var(--attn-accent); stroke: var(--attn-paper)" });
  // Once it is found, the best line stays marked: from the top of the curve down to its degrees
  const summit = svg("path", { class: "attn-summit", style: "stroke: var(--attn-text); stroke-dasharray: 4 3" });
  const finest = svg("text", { class: "attn-finest" });
  const shares = [0, 0.5, 1];
  const words = [
    ...shares.map((x) => ["end", LEFT - 6, up(x) + 4, percent(x)]),
    ...[-90, -45, 0, 45, 90].map((x) => ["middle", across(x), foot + 23, `${number(x)}°`]),
  ];
  const share = h("span");
  const now = svg("text", { class: "attn-now" });
  const curve = svg(
    "svg",
    {
      class: "attn-plane attn-kept",
      viewBox: `0 0 350 ${foot + 29}`,
      role: "img",
      "aria-label": "What is kept, by the line's direction",
    },
    ...shares.map((x) => svg("path", { class: "attn-grid", d: `M${LEFT} ${up(x)}h${WIDE}` })),
    ...words.map(([anchor, x, y, told]) => svg("text", { x, y, "text-anchor": anchor }, told)),
    under,
    gap,
    stem,
    trace,
    summit,
    finest,
    missed,
    spot,
    now,
  );
  const table = matrix({
    name: "rows of M, and how far along the line",
    rows: tokens,
    cols: ["x", "y", "M u"],
    size: [tokens.length, 3],
    kind: "plain",
    onpick: () => {},
  });
  const origin = provenance([[table, (i, c) =>
    c < 2 ? null : {
      told: `${number(known().far[i])} = ${products(known().M[i], known().u)}: the row times u`,
      from: [[table, [i, 0]], [table, [i, 1]], [sources(points), [0, i]], [sources([tip]), [0, 0]]],
    }]]);

  function known() {
    const [M, u] = [get("M"), unit(get("angle"))];
    const [xx, xy, yy] = [[0, 0], [0, 1], [1, 1]].map(([a, b]) => M.reduce((sum, row) => sum + row[a] * row[b], 0));
    const far = M.map((row) => dot(row, u)); // where on the line each lands
    const most = (1 + Math.hypot(xx - yy, 2 * xy) / (xx + yy)) / 2;
    const best = Math.atan2(2 * xy, xx - yy) * 90 / Math.PI;
    return {
      held: (degrees) => M.reduce((sum, row) => sum + dot(row, unit(degrees)) ** 2, 0) / square(M),
      M,
      u,
      far,
      kept: dot(far, far) / square(M),
      most,
      best,
    };
  }
  const paint = glide(([squeezed]) => {
    const { M, u, far: along } = known();
    line.put([u.map((x) => -3 * far * x), u.map((x) => 3 * far * x)], { width: 1.5 });
    tip.put([[0, 0], u.map((x) => 0.45 * far * x)], { width: 3 });
    points.forEach((one, i) => {
      const foot = u.map((x) => along[i] * x);
      const now = M[i].map((x, k) => x + squeezed * (foot[k] - x));
      const told = tokens.length < 5 || i === pointed;
      one.put([now], { name: told ? tokens[i] : "" });
      lost[i].put([M[i], foot], { width: 2 });
      were[i].put([M[i]], { faint: true });
    });
    plane.draw();
  });
  function draw() {
    const { kept, most, held } = known();
    const angleNow = get("angle");
    angle.draw(angleNow);
    found ||= most - kept < EQUAL;
    const at = (x) => `${across(x).toFixed(1)} ${up(held(x)).toFixed(1)}`;
    const path = Array.from({ length: 181 }, (_, k) => at(k - 90));
    trace.setAttribute("d", `M${path.join("L")}`);
    under.setAttribute("points", `${across(-90)} ${foot} ${path.join(" ")} ${across(90)} ${foot}`);
    for (const [one, from, to] of [[stem, 0, kept], [gap, kept, 1]]) {
      const ends = { x1: across(angleNow), x2: across(angleNow), y1: up(from), y2: up(to) };
      for (const [name, value] of Object.entries(ends)) one.setAttribute(name, value.toFixed(1));
    }
    spot.setAttribute("transform", `translate(${at(angleNow)})`);
    // Over the point, on the side to which the curve falls; under it where there is no room
    const rising = held(angleNow + 1) > held(angleNow - 1);
    const over = Math.abs(angleNow - (rising ? -90 : 90)) > 30;
    const [x, y] = [across(angleNow) + (rising === over ? -10 : 10), up(kept) + (over ? -5 : 18)];
    now.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    now.setAttribute("text-anchor", rising === over ? "end" : "start");
    write(now, percent(kept));
    // Over the 100%, where no curve comes; near the top beside the stem, away from what is kept
    const [side, high] = [rising === over ? 1 : -1, kept > 0.8];
    const over100 = Math.min(Math.max(across(angleNow) + (high ? 50 * side : 0), LEFT + 42), LEFT + WIDE - 42);
    missed.setAttribute("transform", `translate(${over100.toFixed(1)} ${up(1) - 7})`);
    write(missed, kept < 0.95 ? `lost ${percent(1 - kept)}` : "");
    write(share, percent(kept));
    press.setAttribute("aria-pressed", String(get("squeezed")));
    toBest.setAttribute("aria-pressed", String(get("angle") === tidy(known().best)));
    const top = across(known().best);
    summit.setAttribute("d", found ? `M${top.toFixed(1)} ${up(most).toFixed(1)}V${foot}` : "");
    // beside its foot, on the side where the reader's own line is not
    const left = known().best < angleNow ? top > LEFT + 80 : top > LEFT + WIDE - 80;
    finest.setAttribute("x", (top + (left ? -7 : 7)).toFixed(1));
    finest.setAttribute("y", foot - 8);
    finest.setAttribute("text-anchor", left ? "end" : "start");
    write(finest, found ? `best ${number(tidy(known().best), 1)}°` : "");
    table.draw(known().M.map((row, i) => [...row, known().far[i]]));
    origin.draw();
    paint([Number(get("squeezed"))]);
  }
  const turner = h("div", { class: "attn-drive" }, h("div", { class: "attn-sliders" }, angle.el));
  function sentence(now = get("angle"), longest = false) {
    const { kept, most } = known();
    const told = `A line at ${number(now, 1)}° keeps ${percent(kept)} of the squared lengths`;
    return `${told}${longest || most - kept < EQUAL ? ": no line keeps more." : "."}`;
  }
  return {
    parts: [
      h("style", {}, RULES),
      h(
        "div",
        { class: "attn-row attn-press" },
        press,
        toBest,
        reset,
        h("p", { class: "attn-hero" }, h("small", {}, "this line keeps"), share),
      ),
      h(
        "div",
        { class: "attn-cloud" },
        plane.el,
        h("div", {}, curve, turner),
      ),
      key([["key", "rows of M"], ["query", "the line of u"], ["value", "what is lost"]]),
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
    longest: () => sentence(-88.8, true),
  };
}
