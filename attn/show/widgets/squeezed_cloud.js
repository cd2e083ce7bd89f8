// A cloud of points squeezed onto a line through the origin: rank one, and the line that loses least.
import {
  bars,
  figure,
  h,
  label,
  matrix,
  number,
  percent,
  products,
  provenance,
  restart,
  row,
  slider,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { glide, key, plot, sources } from "../kit/plane.js";

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

function build(get, set) {
  const tokens = get("tokens");
  const start = get("M");
  const far = 1.1 * Math.max(...start.map((row) => Math.hypot(...row)));
  const plane = plot({ name: "The rows of M", tall: 0.72 });
  plane.frame([[-far, -far], [far, far]]);
  const line = plane.add("line", { tone: "query" });
  const lost = tokens.map(() => plane.add("line", { tone: "value" }));
  const turn = (to) => set({ angle: tidy(Math.atan2(to[1], to[0]) * 180 / Math.PI) });
  const tip = plane.add("arrow", { tone: "query", name: "u", heard: "direction u", drag: turn });
  const points = tokens.map((name, i) =>
    plane.add("point", {
      tone: "key",
      name,
      heard: `row ${label(name)}`,
      drag: (to) => set({ M: get("M").map((row, k) => (k === i ? to : row)), squeezed: false }),
    })
  );
  let pointed = -1; // of many points on a line, this one and those at the ends are named
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
  const toBest = h("button", { type: "button", onclick: () => set({ angle: tidy(known().best) }) }, "the best line");
  const reset = restart(get, set, ["M", "angle", "squeezed"]);
  const shares = bars({ names: ["this line", "best line"], title: "What is kept" });
  shares.el.style.maxWidth = "none";
  shares.el.lastChild.querySelector(".attn-fill").style.opacity = 0.4; // what could be: paler than what is

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
    return {
      M,
      u,
      far,
      kept: dot(far, far) / square(M),
      most,
      best: Math.atan2(2 * xy, xx - yy) * 90 / Math.PI,
    };
  }
  const paint = glide(([squeezed]) => {
    const { M, u, far: along } = known();
    const ends = [Math.min(...along), Math.max(...along)];
    line.put([u.map((x) => -3 * far * x), u.map((x) => 3 * far * x)], { width: 1.5 });
    tip.put([[0, 0], u.map((x) => 0.8 * far * x)], { width: 3 });
    points.forEach((one, i) => {
      const foot = u.map((x) => along[i] * x);
      const now = M[i].map((x, k) => x + squeezed * (foot[k] - x));
      const told = !squeezed || tokens.length < 5 || i === pointed || ends.includes(along[i]);
      one.put([now], { name: told ? tokens[i] : "" });
      lost[i].put([M[i], foot], { width: 2 });
    });
    plane.draw();
  });
  function draw() {
    const { kept, most } = known();
    angle.draw(get("angle"));
    press.setAttribute("aria-pressed", String(get("squeezed")));
    toBest.setAttribute("aria-pressed", String(get("angle") === tidy(known().best)));
    shares.draw([kept, most], { most: 1, tell: percent });
    table.draw(known().M.map((row, i) => [...row, known().far[i]]));
    origin.draw();
    paint([Number(get("squeezed"))]);
  }
  function sentence() {
    const { kept, most, best } = known();
    return `A line at ${number(get("angle"), 1)}° keeps ${percent(kept)} of the squared lengths; the best, at ${
      number(best, 1)
    }°, keeps ${percent(most)}.`;
  }
  return {
    parts: [
      row(press, toBest, reset, h("div", { class: "attn-sliders" }, angle.el)),
      // The numbers beside the plane in a narrow column of text too; on a phone they are folded, and the sentence is near
      h(
        "div",
        { class: "attn-row", style: "align-items: start" },
        h("div", { style: "flex: 3 1 19rem" }, plane.el, shares.el),
        h(
          "details",
          { class: "attn-more", style: "flex: 0 1 auto", open: !matchMedia("(max-width: 480px)").matches },
          h("summary", {}, "The numbers"),
          h("div", { class: "attn-small" }, table.el),
        ),
      ),
      key([["key", "rows of M"], ["query", "the line of u"], ["value", "what is lost"]]),
      origin.el,
    ],
    draw,
    sentence,
  };
}
