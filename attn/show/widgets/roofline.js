// What holds up prefill and decode. Arithmetic over traffic, under a device's roof, both axes in logarithms.
import { chips, figure, h, label, mark, number, percent, restart, row, svg, write } from "../kit/kit.js";
import { calm } from "../kit/large.js";
import { doubling } from "../kit/sizes.js";

const PARTS = ["prefill, projections", "prefill, attention", "decode, projections", "decode, attention"];
const SPOTS = [[9, 16], [9, 20], [-7, -9], [-7, 20], [9, 31], [-7, -23], [140, 16], [140, 1], [140, -14]]; // of a name, left where x < 0
const LONG = [125, 112, 134, 121]; // of the four names, bold, in a wide face
const [WIDTH, HEIGHT, FOOT, LEFT, TOP] = [440, 304, 44, 50, 40];

const RULES = [
  ".attn-roof { flex: 1 1 22rem; max-width: 30rem; }",
  ".attn-roof .attn-bound { fill: var(--attn-wash); }",
  ".attn-roof .attn-bound[data-side='compute'] { fill: color-mix(in srgb, var(--attn-bar) 14%, var(--attn-paper)); }",
  ".attn-works { display: grid; grid-template-columns: minmax(0, 1fr) max-content max-content; gap: 0.3rem 0.8rem; font-size: 0.9em; text-align: right; font-variant-numeric: tabular-nums; }",
  ".attn-live .attn-works > :is(button, :first-child) { padding-inline: min(0.7rem, 1.5vw); text-align: left; }",
  ".attn-live .attn-works > button { font-weight: 400; }", // bold, the longest name would be cut
  ".attn-works > small { align-self: end; }",
  ".attn-live .attn-works > [data-on] { color: var(--attn-text); font-weight: 700; }",
  ".attn-roof :is(polyline, path) { fill: none; stroke: var(--attn-text); stroke-width: 2; }",
  ".attn-roof .attn-axis { stroke: var(--attn-line); }",
  ".attn-roof .attn-second { stroke: var(--attn-soft); stroke-dasharray: 5 4; }",
  ".attn-roof text { fill: var(--attn-text); font-size: 0.8rem; paint-order: stroke; stroke: var(--attn-paper); stroke-width: 3px; }",
  ".attn-roof text.attn-side { fill: var(--attn-soft); stroke: var(--attn-wash); }",
  ".attn-roof text.attn-side[data-side='bend'] { stroke: var(--attn-paper); }",
  ".attn-roof text.attn-side[data-side='compute'] { stroke: color-mix(in srgb, var(--attn-bar) 14%, var(--attn-paper)); }",
  ".attn-roof .attn-scalemark line { stroke: var(--attn-line); }",
  ".attn-roof .attn-scalemark text { fill: var(--attn-soft); }",
  ".attn-roof .attn-trail { stroke: var(--attn-accent); stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; opacity: 0.4; }",
  ".attn-roof .attn-drop { stroke: var(--attn-accent); stroke-dasharray: 3 3; }",
  ".attn-point .attn-reach { opacity: 0; }",
  ".attn-point { cursor: pointer; }",
  ".attn-point circle { fill: var(--attn-paper); stroke: var(--attn-accent); stroke-width: 2; }",
  ".attn-point[data-on] circle { fill: var(--attn-accent); }",
  ".attn-roof .attn-point text { font-size: 0.6667rem; }",
  ".attn-point[data-on] text { font-weight: 700; }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Under the roof.",
    hint: "Make the batch larger: which point moves, and which does not? Then the text longer.",
    shape: ["names", "measured", "peak", "bandwidth", "exponentials", "shape"],
    state: ["length", "batch", "row"],
    build,
  });
}

// Flops a byte of each part: roofline.py counts the same.
function intensities(get) {
  const [c, , h, g, d] = get("shape");
  const weights = c * (h + g) * 2 * d;
  const kinds = (n, m) => {
    const rows = get("batch") * n;
    const moved = 2 * (weights + rows * (2 * c + 2 * (h + g) * d));
    const once = 2 * (2 * n * h * d + 2 * m * g * d);
    return [(2 * rows * weights) / moved, (4 * h * d * (n === 1 ? m : (n * (n + 1)) / 2)) / once];
  };
  return [...kinds(get("length"), get("length")), ...kinds(1, get("length"))];
}

// Flops a second of attention whose products wait for its exponentials, one for 4 d flops: roofline.py has the same.
function inTurns(get) {
  return 1 / (1 / get("peak") + 1 / (4 * get("shape")[4] * get("exponentials")));
}

// The powers of ten from low to high, so few that their names do not touch.
function decades(low, high) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / 6));
  return Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k)).filter((_, k) => k % step === 0);
}

function tick([x, y], [dx, dy], where, told) {
  const line = svg("line", { x1: 0, y1: 0, x2: dx, y2: dy });
  return svg("g", { class: "attn-scalemark", transform: `translate(${x},${y})` }, line, svg("text", where, told));
}

// 1e13 is 10 T: on an axis there is no room for more.
function short(x) {
  const units = ["", "k", "M", "G", "T", "P", "E"];
  const power = Math.min(Math.max(Math.floor(Math.log10(x) / 3 + 1e-9), 0), units.length - 1);
  return `${number(x / 10 ** (3 * power))}${power ? `\u202f${units[power]}` : ""}`;
}

// A point goes to its new place; readers who asked for less motion see it there.
function glide(point, to) {
  const [from, next] = [point.getAttribute("transform"), `translate(${to})`];
  point.setAttribute("transform", next);
  if (!from || from === next || calm()) return;
  const ways = [from, next].map((way) => ({ transform: way.replace(/-?[\d.]+/g, "$&px") }));
  point.animate(ways, { duration: 300, easing: "ease-out" });
}

// Beside each point the first spot where its name is off the roof and away from `taken`: [left, foot, width] each.
function beside(at, roof, taken) {
  return at.map(([x, y], k) => {
    const long = LONG[k];
    const boxes = SPOTS.map(([dx, dy]) => [dx < 0 ? x + dx - long : Math.min(x + dx, WIDTH - 6 - long), y + dy, long]);
    const free = boxes.findIndex(([a, b]) =>
      a > LEFT && (b - 10 > roof(a) || (b > 12 && b + 4 < roof(a + long))) &&
      taken.every(([c, d, other]) => a + long < c || c + other < a || Math.abs(b - d) > 13)
    );
    const [dx, dy] = SPOTS[Math.max(free, 0)];
    const [left] = boxes[Math.max(free, 0)];
    taken.push(boxes[Math.max(free, 0)]);
    return { x: dx < 0 ? dx : left - x, y: dy, "text-anchor": dx < 0 ? "end" : "start" };
  });
}

function build(get, set) {
  const [peak, bandwidth, names] = ["peak", "bandwidth", "names"].map(get);
  const measured = names.length ? get("measured") : [];
  const ridge = peak / bandwidth;
  const ends = [
    Math.min(0.25, ridge / 8, ...measured.map((p) => p[0] / 2)),
    Math.max(32 * ridge, ...measured.map((p) => p[0] * 2)),
  ];
  const floor = Math.min(ends[0] * bandwidth, ...measured.map((p) => p[1] / 2));
  const part = (x, low, high) => Math.min(Math.max(Math.log(x / low) / Math.log(high / low), 0), 1);
  const put = (
    x,
    y,
  ) => [LEFT + (WIDTH - LEFT - 20) * part(x, ...ends), HEIGHT - FOOT - (HEIGHT - FOOT - TOP) * part(y, floor, peak)];
  const attainable = (x) => Math.min(peak, x * bandwidth);
  const below = (low, high) => {
    const top = [low, high].map((x) => put(x, attainable(x)));
    return [...top, [top[1][0], HEIGHT - FOOT], [top[0][0], HEIGHT - FOOT]].join(" ");
  };
  const roof = [ends[0], ridge, ends[1]].map((x) => put(x, attainable(x)).join(",")).join(" ");
  const shadows = PARTS.map(() => svg("polyline", { class: "attn-trail" }));
  const trails = PARTS.map(() => []); // where a point has been, as long as the figure stands
  const before = [];
  const points = PARTS.map((_, k) =>
    svg(
      "g",
      { class: "attn-point", onclick: () => set({ row: k }) },
      svg("circle", { class: "attn-reach", r: 16 }),
      svg("circle", { r: 5.5 }),
      svg("text", {}, PARTS[k]),
    )
  );
  const crosses = measured.map(([x, y], k) =>
    svg(
      "g",
      { transform: `translate(${put(x, y)})` },
      svg("path", { d: "M-4,-4L4,4M-4,4L4,-4" }),
      svg("text", { x: 7, y: 4 }, label(names[k])),
    )
  );
  const [rx] = put(ridge, peak);
  const rise = (HEIGHT - FOOT - TOP) / Math.log(peak / floor) / ((WIDTH - LEFT - 20) / Math.log(ends[1] / ends[0]));
  const roofAt = (x) => TOP + rise * Math.max(rx - x, 0);
  const slow = inTurns(get);
  const [sx, sy] = put(slow / bandwidth, slow);
  const most = (k) => PARTS[k].includes("attention") ? slow : peak;
  const reached = (x, k) => Math.min(attainable(x), most(k));
  const words = [
    svg(
      "text",
      { class: "attn-side", "data-side": "bend", x: rx - 26, y: TOP + 14, "text-anchor": "end" },
      `bends at ${number(ridge, 1)} flops a byte`,
    ),
    ...["with exponentials", `in turns: ${percent(slow / peak)}`].map((told, k) =>
      svg(
        "text",
        { class: "attn-side", "data-side": "compute", x: WIDTH - 22, y: sy + 38 + 15 * k, "text-anchor": "end" },
        told,
      )
    ),
    svg("text", { class: "attn-side", x: rx - 8, y: HEIGHT - FOOT - 8, "text-anchor": "end" }, "memory-bound"),
    svg("text", { class: "attn-side", "data-side": "compute", x: rx + 8, y: HEIGHT - FOOT - 8 }, "compute-bound"),
    svg("text", { x: WIDTH - 20, y: HEIGHT - 8, "text-anchor": "end" }, "flops a byte →"),
    svg("text", { x: LEFT, y: 12 }, "↑ flops a second"),
  ];
  const signs = words.map((one) => {
    const [x, y] = ["x", "y"].map((name) => Number(one.getAttribute(name)));
    const long = 7.8 * one.textContent.length;
    return [one.getAttribute("text-anchor") ? x - long : x, y, long];
  });
  signs.push([sx, sy + 4, WIDTH - 20 - sx]); // the dashed line
  const ticks = [
    ...decades(...ends).map((x) => tick(put(x, floor), [0, 4], { y: 15, "text-anchor": "middle" }, short(x))),
    ...decades(floor, peak).map((y) => tick(put(ends[0], y), [-4, 0], { x: -6, y: 4, "text-anchor": "end" }, short(y))),
  ];
  const frame = svg("polyline", {
    class: "attn-axis",
    points: `${LEFT},${TOP} ${LEFT},${HEIGHT - FOOT} ${WIDTH - 20},${HEIGHT - FOOT}`,
  });
  const picture = svg(
    "svg",
    { class: "attn-roof", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("polygon", { class: "attn-bound", points: below(ends[0], ridge) }),
    svg("polygon", { class: "attn-bound", "data-side": "compute", points: below(ridge, ends[1]) }),
    frame,
    ticks,
    svg("polyline", { points: roof }),
    svg("polyline", { class: "attn-second", points: `${sx},${sy} ${WIDTH - 20},${sy}` }),
    svg("line", { class: "attn-drop", "data-axis": "x" }),
    svg("line", { class: "attn-drop", "data-axis": "y" }),
    words,
    crosses,
    shadows,
    points,
  );
  const drops = [...picture.querySelectorAll(".attn-drop")];
  const kinds = chips({
    names: PARTS,
    title: "Work",
    onpick: (k) => set({ row: k }),
  });
  const sliders = [
    doubling("length L", 17, (length) => set({ length })),
    doubling("batch", 10, (batch) => set({ batch })),
  ];
  // beside each kind of work its flops a byte and the share of the peak that they allow
  const [shares, parts] = [0, 1].map(() => PARTS.map(() => h("span", {})));
  kinds.el.classList.add("attn-works");
  [...kinds.el.querySelectorAll("button")].forEach((button, k) => button.after(shares[k], parts[k]));
  kinds.el.firstChild.after(h("small", {}, "flops/byte"), h("small", {}, "of peak"));
  function draw() {
    sliders.forEach((one, k) => one.draw(get(["length", "batch"][k])));
    kinds.draw(get("row"));
    const places = intensities(get).map((x, k) => put(x, reached(x, k)));
    beside(places, roofAt, [...signs]).forEach((spot, k) => {
      for (const [name, value] of Object.entries(spot)) points[k].lastChild.setAttribute(name, value);
    });
    intensities(get).forEach((x, k) => {
      const at = places[k].map((part) => part.toFixed(1));
      glide(points[k], at);
      const knee = most(k) / bandwidth; // where its roof bends: a far step goes around it, not below
      if (trails[k].length && (before[k] - knee) * (x - knee) < 0) trails[k].push(put(knee, most(k)));
      before[k] = x;
      if (String(trails[k].at(-1)) !== String(at)) trails[k].push(at);
      shadows[k].setAttribute("points", trails[k].join(" "));
      if (k === get("row")) follow(at);
      mark(points[k], "data-on", k === get("row"));
      write(shares[k], number(x, x < 100 ? 1 : 0));
      write(parts[k], percent(reached(x, k) / peak));
      for (const one of [shares[k], parts[k]]) mark(one, "data-on", k === get("row"));
    });
  }
  // From the chosen point to both axes
  function follow([x, y]) {
    const ends = [[x, HEIGHT - FOOT], [LEFT, y]];
    drops.forEach((line, k) => {
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: ends[k][0], y2: ends[k][1] })) {
        line.setAttribute(name, value);
      }
    });
  }
  function sentence(k = get("row")) {
    const x = intensities(get)[k];
    const where = `${number(x, 1)} flops a byte, where the roof bends at ${number(ridge, 1)}.`;
    const bound = x >= ridge ? "compute" : "memory";
    const turns = reached(x, k) < attainable(x)
      ? `, but products and exponentials in turns reach ${percent(slow / peak)} at most`
      : "";
    return `${PARTS[k]}: ${where} It is bound by ${bound}; its traffic allows ${
      percent(Math.min(1, x / ridge))
    } of the peak${turns}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, sliders.map((one) => one.el));
  const side = h("div", { class: "attn-box" }, controls, kinds.el);
  const again = restart(get, set, ["length", "batch", "row"]);
  again.addEventListener("click", () => trails.forEach((trail) => trail.splice(0)), true); // before the rest
  side.append(again);
  return {
    parts: [h("style", {}, RULES), row(picture, side)],
    draw,
    sentence: () => sentence(),
    longest: () => sentence(1),
  };
}
