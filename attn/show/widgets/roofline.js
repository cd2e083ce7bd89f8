// What holds up prefill and decode. Arithmetic over traffic, under a device's roof, both axes in logarithms.
import { calm, chips, figure, h, label, mark, number, percent, restart, row, svg, write } from "../kit/kit.js";
import { doubling } from "../kit/sizes.js";

const PARTS = ["prefill, projections", "prefill, attention", "decode, projections", "decode, attention"];
const [WIDTH, HEIGHT, FOOT, LEFT, TOP, RIGHT] = [480, 372, 44, 54, 52, 76];
const LONGEST = 17; // a power of two
const KINDS = PARTS.map((name) => name.split(", "));

const RULES = [
  ".attn-roof { flex: 1.8 1 22rem; max-width: 33rem; min-width: 0; }",
  ".attn-live .attn-under { flex: 1 1 15rem; }",
  ".attn-live .attn-under .attn-hero { margin: 0.6rem 0; }",
  "@media (min-width: 701px) { .attn-row:has(> .attn-under) { flex-wrap: nowrap; align-items: start; } }",
  ".attn-roof .attn-bound { fill: var(--attn-wash); }",
  ".attn-roof .attn-bound[data-side='compute'] { fill: color-mix(in srgb, var(--attn-bar) 14%, var(--attn-paper)); }",
  ".attn-works { display: grid; grid-template-columns: minmax(0, 1fr) max-content max-content; gap: 0.3rem 0.6rem; font-size: 0.85em; text-align: right; font-variant-numeric: tabular-nums; }",
  ".attn-live .attn-works > :is(button, :first-child) { padding-inline: min(0.5rem, 1.5vw); text-align: left; white-space: nowrap; }",
  ".attn-live .attn-works > button { font-weight: 400; }", // bold, the longest name would be cut
  ".attn-works > small { align-self: end; }",
  ".attn-live .attn-works > [data-on] { color: var(--attn-text); font-weight: 700; }",
  ".attn-roof :is(polyline, path) { fill: none; stroke: var(--attn-text); stroke-width: 2; }",
  ".attn-roof .attn-axis { stroke: var(--attn-line); }",
  ".attn-roof .attn-fine { stroke-width: 1; }",
  ".attn-roof .attn-bend { stroke: var(--attn-line); }",
  ".attn-roof .attn-second { stroke: var(--attn-soft); stroke-dasharray: 5 4; }",
  ".attn-roof text { fill: var(--attn-text); font-size: 0.8rem; paint-order: stroke; stroke: var(--attn-paper); stroke-width: 3px; }",
  ".attn-roof text.attn-side { fill: var(--attn-soft); stroke: var(--attn-wash); }",
  ".attn-roof text.attn-side[data-side='end'] { stroke: none; }",
  ".attn-roof text.attn-side[data-side='compute'] { stroke: color-mix(in srgb, var(--attn-bar) 14%, var(--attn-paper)); }",
  ".attn-roof .attn-scalemark line { stroke: var(--attn-line); }",
  ".attn-roof .attn-scalemark text { fill: var(--attn-soft); }",
  ".attn-roof .attn-trail { stroke: var(--tone); stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; opacity: 0.35; }",
  ":is(.attn-point, .attn-trail, .attn-dot) { --tone: var(--attn-accent); }",
  ":is(.attn-point, .attn-trail, .attn-dot)[data-work='projections'] { --tone: var(--attn-debt); }",
  ".attn-roof .attn-drop { stroke: var(--attn-accent); stroke-dasharray: 3 3; }",
  ".attn-point .attn-reach { opacity: 0; }",
  ".attn-point { cursor: pointer; }",
  ".attn-dot { fill: var(--attn-paper); stroke: var(--tone); stroke-width: 3; }",
  ".attn-point[data-on] .attn-dot { fill: var(--tone); }",
  ".attn-works .attn-key { width: 1em; height: 1em; margin-right: 0.3em; vertical-align: -0.1em; }",
  ".attn-works [aria-pressed='true'] .attn-dot { fill: var(--attn-paper); stroke: var(--attn-paper); }",
  ".attn-roof .attn-point text { fill: var(--tone); }",
  ".attn-point:not([data-named]) text { visibility: hidden; }",
  ".attn-roof .attn-point[data-on] text { font-weight: 700; }",
  ".attn-lead { stroke: var(--tone); stroke-width: 1.5; }",
  "@media (max-width: 480px) { .attn-roof text { font-size: 0.95rem; } .attn-roof :is(.attn-side, .attn-scalemark text) { font-size: 0.9rem; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "Under the roof.",
    hint: "Make the batch larger: which points move, and which stay?",
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

// Flops a byte of a prefill's attention over the longest text that the slider has.
const farthest = ([, , h, g]) => h * 2 ** LONGEST / (2 * (h + g));

// Flops a second of attention whose products wait for its exponentials, one for 4 d flops: roofline.py has the same.
function inTurns(get) {
  const exponentials = get("exponentials");
  return exponentials ? 1 / (1 / get("peak") + 1 / (4 * get("shape")[4] * exponentials)) : get("peak");
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

// The sign of a kind of work: large for prefill, which has many rows, small for decode, which has one; a hue for what is done.
const dot = ([phase, work]) =>
  svg("circle", { class: "attn-dot", "data-work": work, r: phase === "decode" ? 4.5 : 7.5 });

// Between two powers of ten a short line for 2 to 9 times the lower one, on both axes: the path of them.
function between(low, high, place, [dx, dy]) {
  const first = Math.floor(Math.log10(low));
  const all = Array.from(
    { length: 9 * Math.ceil(Math.log10(high) - first) },
    (_, k) => (1 + k % 9) * 10 ** (first + Math.floor(k / 9)),
  );
  return all.filter((x) => x > low && x < high).map((x) => `M${place(x)}l${dx},${dy}`).join("");
}

// Where the name of a point may stand, the best place first: over the flat roof or, for what has a lower one, under it; beside
// the slope, on the side that is free.
function spots([x, y], rx, wide, low) {
  if (x <= rx - 8) {
    const right = [10, 28, -8, 46, -26].map((dy) => [14, dy, 0]);
    const left = [-6, -24, -42].map((dy) => [-12 - wide, dy, 0]);
    return y > TOP + 76 ? [...right, ...left] : [...left, ...right];
  }
  const near = [-wide / 2, 8 - wide, -8, -wide / 4, -3 * wide / 4];
  const aside = near.filter((dx) => x + dx > LEFT && x + dx + wide < WIDTH);
  const over = [TOP - 14, TOP - 32].map((at) => at - y);
  const under = [24, 42, 60, 78];
  return (low ? [...under, ...over] : [...over, ...under]).flatMap((dy) => aside.map((dx) => [dx, dy, Math.sign(dy)]));
}

// Of each list of ways the first that leaves all others a place, or null.
function search([first, ...rest], taken = []) {
  if (!first) return [];
  for (const way of first) {
    if (way.boxes.some((box) => taken.some((other) => meet(box, other)))) continue;
    const after = search(rest, [...taken, ...way.boxes]);
    if (after) return [way, ...after];
  }
  return null;
}

// Two boxes of a picture share a place.
const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function build(get, set) {
  const [peak, bandwidth, names] = ["peak", "bandwidth", "names"].map(get);
  const measured = names.length ? get("measured") : [];
  const ridge = peak / bandwidth;
  const ends = [
    Math.min(0.35, ridge / 8, ...measured.map((p) => p[0] / 2)),
    Math.max(32 * ridge, 1.5 * farthest(get("shape")), ...measured.map((p) => p[0] * 2)),
  ];
  const floor = Math.min(ends[0] * bandwidth, ...measured.map((p) => p[1] / 2));
  const part = (x, low, high) => Math.min(Math.max(Math.log(x / low) / Math.log(high / low), 0), 1);
  const put = (
    x,
    y,
  ) => [LEFT + (WIDTH - LEFT - RIGHT) * part(x, ...ends), HEIGHT - FOOT - (HEIGHT - FOOT - TOP) * part(y, floor, peak)];
  const attainable = (x) => Math.min(peak, x * bandwidth);
  const below = (low, high) => {
    const top = [low, high].map((x) => put(x, attainable(x)));
    return [...top, [top[1][0], HEIGHT - FOOT], [top[0][0], HEIGHT - FOOT]].join(" ");
  };
  const roof = [ends[0], ridge, ends[1]].map((x) => put(x, attainable(x)).join(",")).join(" ");
  const shadows = KINDS.map(([, work]) => svg("polyline", { class: "attn-trail", "data-work": work }));
  const trails = PARTS.map(() => []); // where a point has been, as long as the figure stands
  const before = [];
  const points = PARTS.map((_, k) =>
    svg(
      "g",
      { class: "attn-point", "data-work": KINDS[k][1], onclick: () => set({ row: k }) },
      svg("line", { class: "attn-lead" }),
      svg("circle", { class: "attn-reach", r: 16 }),
      dot(KINDS[k]),
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
  const slow = inTurns(get);
  const [sx, sy] = put(slow / bandwidth, slow);
  const most = (k) => PARTS[k].includes("attention") ? slow : peak;
  const reached = (x, k) => Math.min(attainable(x), most(k));
  const aside = (told, x, y, way = "end", side = null) =>
    svg("text", { class: "attn-side", "data-side": side, x, y, "text-anchor": way }, told);
  const own = get("exponentials") > 0; // attention has a lower roof of its own
  const edge = WIDTH - RIGHT;
  const words = [
    aside("memory-bound", rx - 6, HEIGHT - FOOT - 8),
    ...["compute-", "bound"].map((told, k) => aside(told, edge - 6, HEIGHT - FOOT - 26 + 18 * k, "end", "compute")),
    aside("100%", edge + 7, TOP + 3, "start", "end"),
    ...(own
      ? [
        aside(percent(slow / peak), edge + 7, Math.max(sy + 9, TOP + 23), "start", "end"),
        aside("in turns", edge + 7, Math.max(sy + 9, TOP + 23) + 17, "start", "end"),
      ]
      : []),
    svg("text", { x: edge, y: HEIGHT - 8, "text-anchor": "end" }, "flops a byte →"),
    svg("text", { x: LEFT, y: 16 }, "↑ flops a second"),
  ];
  const ticks = [
    ...decades(...ends).map((x) => tick(put(x, floor), [0, 4], { y: 15, "text-anchor": "middle" }, short(x))),
    tick(
      [rx, HEIGHT - FOOT],
      [0, 20],
      { x: Math.min(16, edge - 136 - rx), y: 34, "text-anchor": "end", "font-weight": 700 },
      short(Math.round(ridge)),
    ),
    ...decades(floor, peak).map((y) => tick(put(ends[0], y), [-4, 0], { x: -6, y: 4, "text-anchor": "end" }, short(y))),
  ];
  const fine = between(...ends, (x) => put(x, floor), [0, 3]) + between(floor, peak, (y) => put(ends[0], y), [-3, 0]);
  const frame = svg("polyline", {
    class: "attn-axis",
    points: `${LEFT},${TOP} ${LEFT},${HEIGHT - FOOT} ${edge},${HEIGHT - FOOT}`,
  });
  const picture = svg(
    "svg",
    { class: "attn-roof", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("polygon", { class: "attn-bound", points: below(ends[0], ridge) }),
    svg("polygon", { class: "attn-bound", "data-side": "compute", points: below(ridge, ends[1]) }),
    frame,
    svg("path", { class: "attn-axis attn-fine", d: fine }),
    ticks,
    svg("line", { class: "attn-bend", x1: rx, y1: TOP, x2: rx, y2: HEIGHT - FOOT }),
    svg("polyline", { points: roof }),
    own ? svg("polyline", { class: "attn-second", points: `${sx},${sy} ${edge},${sy}` }) : null,
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
    doubling("length L", LONGEST, (length) => set({ length })),
    doubling("batch", 10, (batch) => set({ batch })),
  ];
  // beside each kind of work its flops a byte and the share of the peak that they allow
  const [shares, parts] = [0, 1].map(() => PARTS.map(() => h("span", {})));
  kinds.el.classList.add("attn-works");
  [...kinds.el.querySelectorAll("button")].forEach((button, k) => {
    button.prepend(svg("svg", { class: "attn-key", viewBox: "-9 -9 18 18", "aria-hidden": "true" }, dot(KINDS[k])));
    button.after(shares[k], parts[k]);
  });
  kinds.el.firstChild.after(h("small", {}, "flops/byte"), h("small", {}, "of peak"));
  function draw() {
    sliders.forEach((one, k) => one.draw(get(["length", "batch"][k])));
    kinds.draw(get("row"));
    write(whose, `${PARTS[get("row")]}: share of the peak`);
    write(reach, percent(reached(intensities(get)[get("row")], get("row")) / peak));
    const places = intensities(get).map((x, k) => put(x, reached(x, k)));
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
    name(there = places); // after the chosen one has its bold letters
  }
  let there = [];
  new ResizeObserver(() => there.length && name(there)).observe(picture); // letters have a size once they are on the page
  // Every point has its name beside it, in its colour: the chosen one the best place, the others what is left
  function name(places) {
    const lying = (one, [x, y]) => {
      const box = one.getBBox();
      return { x: box.x + x, y: box.y + y, width: box.width, height: box.height };
    };
    const taken = [
      ...words.map((one) => lying(one, [0, 0])),
      ...crosses.map((one, k) => lying(one, put(...measured[k]))),
      ...places.map(([x, y]) => ({ x: x - 9, y: y - 9, width: 18, height: 18 })),
      ...(own ? [{ x: sx, y: sy - 1, width: edge - sx, height: 2 }] : []),
    ];
    const slope = (x) => put(ends[0], floor)[1] + (x - LEFT) * (TOP - HEIGHT + FOOT) / (rx - LEFT);
    const clear = (box) =>
      // of the roof, of the line of its bend and of the picture's edge
      box.x > LEFT && box.y > 0 && box.x + box.width < WIDTH &&
      (box.y + box.height < TOP + 2 || box.x > rx ||
        box.y + box.height < slope(box.x + box.width) + 4 ||
        box.y > Math.max(slope(box.x) - 2, sy));
    const order = [get("row"), ...PARTS.keys()].filter((k, turn, all) => all.indexOf(k) === turn);
    const ways = order.map((k) => {
      const { width, height } = points[k].lastChild.getBBox();
      const [x, y] = places[k];
      return spots(places[k], rx, width, KINDS[k][1] === "attention").map(([dx, dy, side]) => {
        const box = { x: x + dx, y: y + dy - 0.78 * height, width, height };
        const far = side && Math.abs(dy) > 30; // a line leads to a name that is not next to its point
        const lead = far ? { x: x - 1, y: side < 0 ? y + dy + 5 : y + 10, width: 2, height: Math.abs(dy) - 15 } : null;
        return { dx, dy, far, boxes: lead ? [box, lead] : [box], box };
      }).filter(({ box, boxes }) => clear(box) && !boxes.some((one) => taken.some((other) => meet(one, other))));
    });
    const found = search(ways) ?? search(ways.slice(0, 1)) ?? [];
    order.forEach((k, turn) => {
      const [lead, , , text] = points[k].children;
      const { dx = 0, dy = 0, far = false } = found[turn] ?? {};
      const ends = far ? { y1: 9 * Math.sign(dy), y2: dy + (dy < 0 ? 5 : -13) } : { y1: 0, y2: 0 };
      for (const [key, at] of Object.entries(ends)) lead.setAttribute(key, at);
      for (const [key, at] of Object.entries({ x: dx, y: dy })) text.setAttribute(key, at);
      mark(points[k], "data-named", Boolean(found[turn]));
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
  const [whose, reach] = [h("small"), h("span")];
  const controls = h("div", { class: "attn-sliders" }, sliders.map((one) => one.el));
  const side = h(
    "div",
    { class: "attn-box attn-under" },
    controls,
    h("p", { class: "attn-hero" }, whose, reach),
    kinds.el,
  );
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
