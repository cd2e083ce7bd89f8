// What holds up prefill and decode. Arithmetic over traffic, under a device's roof, both axes in logarithms.
import { chips, figure, h, label, mark, note, number, percent, restart, row, svg, write } from "../kit/kit.js";
import { doubling } from "../kit/sizes.js";

const PARTS = ["prefill, projections", "prefill, attention", "decode, projections", "decode, attention"];
const NAMED = [{ x: -4, y: -10 }, { x: 7, y: 28 }, { x: 9, y: 16 }, { x: 9, y: 16 }]; // 1 above the roof, 2 below the dashes
const [WIDTH, HEIGHT, FOOT] = [440, 276, 44];

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
  ) => [40 + (WIDTH - 60) * part(x, ...ends), HEIGHT - FOOT - (HEIGHT - FOOT - 20) * part(y, floor, peak)];
  const attainable = (x) => Math.min(peak, x * bandwidth);
  const roof = [ends[0], ridge, ends[1]].map((x) => put(x, attainable(x)).join(",")).join(" ");
  const shadows = PARTS.map(() => svg("polyline", { class: "attn-trail" }));
  const trails = PARTS.map(() => []); // where a point has been, as long as the figure stands
  const points = PARTS.map((_, k) =>
    svg(
      "g",
      { class: "attn-point", onclick: () => set({ row: k }) },
      svg("circle", { class: "attn-reach", r: 16 }),
      svg("circle", { r: 6 }),
      svg("text", NAMED[k], String(k + 1)),
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
  const [rx, ry] = put(ridge, peak);
  const slow = inTurns(get);
  const [sx, sy] = put(slow / bandwidth, slow);
  const words = [
    svg("text", { x: rx, y: ry - 6, "text-anchor": "end" }, `${number(ridge, 1)} flops a byte`),
    svg("text", { x: sx - 10, y: sy + 1, "text-anchor": "end" }, `${percent(slow / peak)}: exponentials in turns`),
    svg("text", { class: "attn-side", x: rx - 8, y: HEIGHT - FOOT - 8, "text-anchor": "end" }, "memory is too slow"),
    svg("text", { class: "attn-side", x: rx + 8, y: HEIGHT - FOOT - 8 }, "arithmetic is"),
    svg("line", { class: "attn-axis", x1: rx, y1: ry, x2: rx, y2: HEIGHT - FOOT }),
    svg("text", { x: WIDTH - 20, y: HEIGHT - 8, "text-anchor": "end" }, "flops a byte →"),
    svg("text", { x: 40, y: 12 }, "↑ flops a second"),
  ];
  const ticks = [
    ...decades(...ends).map((x) => tick(put(x, floor), [0, 4], { y: 15, "text-anchor": "middle" }, short(x))),
    ...decades(floor, peak).map((y) => tick(put(ends[0], y), [-4, 0], { x: -6, y: 4, "text-anchor": "end" }, short(y))),
  ];
  const frame = svg("polyline", {
    class: "attn-axis",
    points: `40,20 40,${HEIGHT - FOOT} ${WIDTH - 20},${HEIGHT - FOOT}`,
  });
  const picture = svg(
    "svg",
    { class: "attn-roof", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    frame,
    ticks,
    svg("polyline", { points: roof }),
    svg("polyline", { class: "attn-second", points: `${sx},${sy} ${WIDTH - 20},${sy}` }),
    words,
    crosses,
    shadows,
    svg("line", { class: "attn-drop", "data-axis": "x" }),
    svg("line", { class: "attn-drop", "data-axis": "y" }),
    points,
  );
  const drops = [...picture.querySelectorAll(".attn-drop")];
  const kinds = chips({
    names: PARTS.map((name, k) => `${k + 1} ${name}`),
    title: "Work",
    onpick: (k) => set({ row: k }),
  });
  const sliders = [
    doubling("length L", 17, (length) => set({ length })),
    doubling("batch", 10, (batch) => set({ batch })),
  ];
  const told = PARTS.map(() => note());
  function draw() {
    sliders.forEach((one, k) => one.draw(get(["length", "batch"][k])));
    kinds.draw(get("row"));
    intensities(get).forEach((x, k) => {
      const at = put(x, attainable(x)).map((part) => part.toFixed(1));
      points[k].setAttribute("transform", `translate(${at})`);
      if (String(trails[k].at(-1)) !== String(at)) trails[k].push(at);
      shadows[k].setAttribute("points", trails[k].join(" "));
      if (k === get("row")) follow(at);
      mark(points[k], "data-on", k === get("row"));
      write(told[k], `${k + 1} ${PARTS[k]}: ${number(x, 1)} flops a byte`);
      mark(told[k], "data-on", k === get("row"));
    });
  }
  // From the chosen point to both axes
  function follow([x, y]) {
    const ends = [[x, HEIGHT - FOOT], [40, y]];
    drops.forEach((line, k) => {
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: ends[k][0], y2: ends[k][1] })) {
        line.setAttribute(name, value);
      }
    });
  }
  function sentence() {
    const x = intensities(get)[get("row")];
    const where = `${number(x, 1)} flops a byte, where the roof bends at ${number(ridge, 1)}.`;
    const bound = x >= ridge ? "compute" : "memory";
    const told = `${PARTS[get("row")]}: ${where} It is bound by ${bound}; its traffic allows ${
      percent(Math.min(1, x / ridge))
    } of the peak.`;
    if (!PARTS[get("row")].includes("attention")) return told;
    return `${told} Products and exponentials in turns reach ${percent(inTurns(get) / peak)} at most.`;
  }
  const side = h("div", { class: "attn-box" }, h("div", { class: "attn-sliders" }, sliders.map((one) => one.el)), told);
  const again = restart(get, set, ["length", "batch", "row"]);
  again.addEventListener("click", () => trails.forEach((trail) => trail.splice(0)), true); // before the rest
  kinds.el.append(again);
  return { parts: [kinds.el, row(picture, side)], draw, sentence };
}
