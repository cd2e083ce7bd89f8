// The plane: a grid with units, and on it arrows, points, lines and areas in one scale, names that keep out of each
// other's way, and handles for mouse, finger and keys. Its unit of drawing is a pixel: letters keep their size.
import { label, mark, svg, vector, write } from "./kit.js";

const ROOM = 22; // pixels between what is framed and the edge; fewer in a plane that is small
const LAYERS = ["area", "line", "arrow", "point"];
const SIDES = [[0.8, -0.8], [0.8, 0.8], [-0.8, -0.8], [-0.8, 0.8], [1, 0], [-1, 0], [0, -1], [0, 1]];

const plain = (x) => String(Number(x.toPrecision(6))); // for a machine: no typographic minus
const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
const set = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
};

// The plane `name`, `tall` times as high as wide, without its grid where `bare`. frame(points): what it shows at least. add(kind, …) -> a mark, to be
// put somewhere; draw() draws all marks where they were put. clear() takes all marks away. shy: its names
// keep off every line but levels, the longest is placed first, and all once more when each has a place.
export function plot({ name, tall = 0.8, bare = false, shy = false }) {
  const [grid, zero] = ["attn-grid", "attn-zero"].map((kind) => svg("path", { class: kind }));
  const layers = LAYERS.map(() => svg("g"));
  const [ticks, words] = [svg("g", { class: "attn-ticks", "aria-hidden": "true" }), svg("g")];
  const el = svg(
    "svg",
    { class: "attn-plane", role: "group", "aria-label": name, style: `aspect-ratio:1/${tall}` },
    grid,
    zero,
    ...layers,
    ticks,
    words,
  );
  let [width, letter] = [440, 13];
  let [span, view] = [[[-1, 1], [-1, 1]], null];
  let marks = [];
  let scale = []; // the boxes of the numbers on the axes

  // Pixels from numbers and back, the grid's step, and what is seen.
  function look() {
    const size = [width, width * tall];
    const room = Math.min(ROOM, width / 14);
    const middle = span.map(([low, high]) => (low + high) / 2);
    const scale = Math.min(...span.map(([low, high], k) => (size[k] - 2 * room) / (high - low || 1e-9)));
    const ten = 10 ** Math.ceil(Math.log10(44 / scale));
    const step = [0.2, 0.5, 1].map((part) => part * ten).find((one) => one * scale >= 44);
    const from = ([x, y]) => [middle[0] + (x - size[0] / 2) / scale, middle[1] - (y - size[1] / 2) / scale];
    const [low, high] = [from([6, size[1] - 6]), from([size[0] - 6, 6])];
    const to = ([x, y]) => [size[0] / 2 + (x - middle[0]) * scale, size[1] / 2 - (y - middle[1]) * scale];
    return { size, scale, step, from, to, low, high };
  }

  function frame(points) {
    const least = 5e-4 * Math.max(1, ...points.flat().map(Math.abs)); // closer, rounding would show
    span = [0, 1].map((k) => points.map((point) => point[k])).map((line) => {
      const [low, high] = [Math.min(...line), Math.max(...line)];
      const more = Math.max(0, least - (high - low) / 2);
      return [low - more, high + more];
    });
  }

  // kind: one of LAYERS. tone: a colour of kit.css. name: stands beside it; heard: its name for a voice.
  // drag(to): the reader wants it at `to`; a point and the tip of an arrow can be dragged. onleave(): it was let go.
  function add(
    kind,
    { tone = "ink", name = null, heard = name, drag = null, onleave = null, size = 5, merge = !drag } = {},
  ) {
    const shape = kind === "point" ? svg("circle", { r: size }) : svg("path");
    const tip = kind === "arrow" ? svg("path", { class: "attn-tip" }) : null;
    const text = name === null ? null : svg("text", { "data-tone": tone });
    const lead = text && svg("path", { class: "attn-lead" }); // from what is named to a name that stands far off
    const handle = drag && [
      svg("circle", { class: "attn-reach", r: 20 }),
      svg("circle", { class: "attn-grip", r: tip ? 11 : size + 4 }),
    ];
    const parts = [...(handle || []), shape, tip].filter((part) => part);
    const node = svg("g", { class: "attn-mark", "data-kind": kind, "data-tone": tone }, ...parts);
    const one = { el: node, kind, name, tone, text, lead, merge, onleave, points: [], drawn };
    if (drag) grasp(one, heard, (to) => drag(tidy(to)));
    layers[LAYERS.indexOf(kind)].append(node);
    if (text) words.append(lead, text);
    marks.push(one);
    // points: numbers; an arrow has its foot and its tip. name: another one. width: of a line, in pixels. along: where on
    // the plane the name may stand, the first place wished most; unless given, beside the last point.
    one.put = (
      points,
      { name: told = name, width: thick = null, size: round = null, faint = false, hidden = false, along = null } = {},
    ) => {
      [one.points, one.told, one.hidden, one.round, one.along] = [points, told, hidden, round ?? size, along];
      node.style.display = hidden ? "none" : "";
      mark(node, "data-faint", faint);
      if (text) mark(text, "data-faint", faint);
      if (round !== null) {
        shape.setAttribute("r", round.toFixed(2));
        if (handle) handle[1].setAttribute("r", (round + 4).toFixed(2));
      }
      if (thick !== null) shape.style.strokeWidth = `${thick.toFixed(2)}px`;
    };
    function drawn() {
      const at = one.points.map(view.to);
      const end = at[at.length - 1];
      one.at = end;
      if (kind === "line" && text) one.way = way(...at.slice(-2));
      if (tip) {
        const [ux, uy] = way(at[0], end);
        const long = Math.hypot(end[0] - at[0][0], end[1] - at[0][1]);
        const head = Math.min(11, long * 0.6);
        const back = [end[0] - head * ux, end[1] - head * uy];
        one.way = [ux, uy];
        set(shape, { d: path([at[0], back]) });
        set(tip, {
          d: `${
            path([end, [back[0] - uy * head * 0.45, back[1] + ux * head * 0.45], [
              back[0] + uy * head * 0.45,
              back[1] - ux * head * 0.45,
            ]])
          }Z`,
        });
      } else if (kind === "point") set(shape, { transform: `translate(${end.map((x) => x.toFixed(2))})` });
      else set(shape, { d: at.length ? path(at) + (kind === "area" ? "Z" : "") : "" });
      if (!handle) return;
      const [place] = one.points.slice(-1);
      for (const circle of handle) set(circle, { transform: `translate(${end.map((x) => x.toFixed(2))})` });
      set(node, {
        "aria-valuemin": plain(Math.min(view.low[0], place[0])),
        "aria-valuemax": plain(Math.max(view.high[0], place[0])),
        "aria-valuenow": plain(place[0]),
        "aria-valuetext": vector(place),
      });
    }
    return one;
  }

  // Where a dragged point may go: in what is seen, to a hundredth of a step.
  function tidy(to) {
    return to.map((x, k) => {
      const fine = view.step / 100;
      return Number((Math.round(Math.min(Math.max(x, view.low[k]), view.high[k]) / fine) * fine).toPrecision(12));
    });
  }

  function grasp(one, heard, drag) {
    const node = one.el;
    one.drag = drag;
    set(node, { tabindex: "0", role: "slider", "aria-label": label(heard), "aria-valuenow": "0" });
    node.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const [place] = one.points.slice(-1);
      drag(place.map((x, k) => x + way[k] * (view.step / 10) * (event.shiftKey ? 5 : 1)));
      one.onleave?.();
    });
    node.addEventListener("pointermove", (event) => {
      if (!node.hasPointerCapture(event.pointerId)) return;
      const [x, y] = where(event);
      drag(view.from([x - held[0], y - held[1]]));
    });
    if (one.onleave) { for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, one.onleave); }
  }

  // Of several handles under the hand the nearest is taken. A finger on none of them scrolls the page: touch-action
  // does not hold for parts of a drawing, so the touch itself is taken where a handle is.
  let held = [0, 0];
  const where = ({ clientX, clientY }) => {
    const box = el.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top].map((x) => (x / box.width) * width);
  };
  function nearest(event) {
    const [x, y] = where(event);
    const far = (one) => Math.hypot(x - one.at[0], y - one.at[1]);
    const all = marks.filter((one) => one.drag && !one.hidden && far(one) < 22);
    return all.sort((a, b) => far(a) - far(b))[0];
  }
  el.addEventListener("touchstart", (event) => nearest(event.touches[0]) && event.preventDefault(), { passive: false });
  el.addEventListener("pointerdown", (event) => {
    const one = nearest(event);
    if (!one) return;
    const [x, y] = where(event);
    held = [x - one.at[0], y - one.at[1]]; // what is grabbed beside its middle does not jump
    one.el.setPointerCapture(event.pointerId);
    one.el.focus();
    event.preventDefault();
  });

  function rule() {
    const { size, step, low, high, to } = view;
    const lines = [[], []];
    const told = [];
    for (const k of [0, 1]) {
      for (let i = Math.ceil(low[k] / step); i * step <= high[k]; i++) {
        const at = to([i * step, i * step])[k];
        lines[i ? 0 : 1].push(k ? `M0 ${at.toFixed(2)}H${size[0]}` : `M${at.toFixed(2)} 0V${size[1]}`);
        if (at > letter && at < size[k] - letter && (i || !k)) {
          told.push([...(k ? [3, at - 3] : [at + 3, size[1] - 4]), String(Number((i * step).toPrecision(6)))]);
        }
      }
    }
    set(grid, { d: lines[0].join("") });
    set(zero, { d: lines[1].join("") });
    while (ticks.childElementCount < told.length) ticks.append(svg("text"));
    [...ticks.children].forEach((node, i) => {
      const [x, y, value] = told[i] || [-99, 0, ""];
      set(node, { x: x.toFixed(1), y: y.toFixed(1) });
      write(node, value.replace("-", "−"));
    });
    scale = told.map(([x, y, value]) => [x, y - letter, x + value.length * letter * 0.5, y, 1]);
  }

  // Every name goes where it covers least: no other name, no point, no arrow. Points on one spot share a name.
  function name_all() {
    const shown = marks.filter((one) => one.text && !one.hidden && one.told);
    const taken = marks.filter((one) => !one.hidden && one.points.length && one.kind !== "area").flatMap(solid).concat(
      scale,
    );
    const named = [];
    const strokes = marks.filter((one) => !one.hidden && one.tone !== "grid").flatMap(edges); // names may lie on a grid
    for (const one of marks) {
      if (one.lead) set(one.lead, { d: "" });
      if (one.text && !shown.includes(one)) write(one.text, "");
    }
    for (const one of shown) {
      const near = one.merge &&
        named.find((other) =>
          other.merge && other.tone === one.tone && Math.hypot(other.at[0] - one.at[0], other.at[1] - one.at[1]) < 9
        );
      if (near) near.names.push(one.told);
      else named.push(Object.assign(one, { names: [one.told], boxes: [] }));
      if (near) write(one.text, "");
    }
    if (shy) named.sort((a, b) => b.told.length - a.told.length);
    for (const one of shy ? [...named, ...named] : named) {
      const all = [...new Set(one.names.map(label))];
      let told = all.join(", ");
      for (let k = all.length - 1; k && told.length * letter * 0.61 > view.size[0] / 2; k--) {
        told = `${all.slice(0, k).join(", ")} +${all.length - k}`;
      }
      const wide = told.length * letter * 0.61 + 4;
      const along = one.along?.map(view.to);
      const own = along || (one.way ? [one.way, ...SIDES] : SIDES);
      let best = null;
      one.boxes = [];
      const others = taken.concat(named.flatMap((other) => other.boxes));
      const off = Math.max(0, (one.round || 5) - 5);
      for (const ring of along ? [0] : [11, 24, 40]) {
        const far = ring + off;
        if (best && best.cost < far - 30) break; // nothing farther out costs less
        own.forEach(([dx, dy], i) => {
          const [x, y] = along ? [dx, dy] : [one.at[0] + dx * far, one.at[1] + dy * far];
          const wish = x - (along || Math.abs(dx) < 0.4 ? wide / 2 : dx < 0 ? wide : 0);
          const left = Math.max(2, Math.min(wish, view.size[0] - wide - 2));
          const up = Math.max(2, Math.min(y - letter * 0.7, view.size[1] - letter * 1.4 - 2));
          const box = [left, up, left + wide, up + letter * 1.4];
          const clear = shy > 1 ? [left - 4, up, left + wide + 9, box[3]] : box; // letters may be wider than told
          const out = Math.abs(wish - left) / 9 + Math.abs(up - y + letter * 0.7);
          const least = 90 * out + i * (shy ? 10 : 3) + far - (one.side === `${ring},${i}` ? 30 : 0); // a name does not flutter
          if (best && best.cost <= least) return;
          const cost = others.reduce((sum, other) => sum + other[4] * common(box, other), least) +
            strokes.reduce((sum, [a, b, weight]) => sum + weight * crossed(clear, a, b), 0);
          if (!best || cost < best.cost) best = { cost, box, ring, side: `${ring},${i}` };
        });
      }
      one.side = best.side;
      one.boxes = [[...best.box, 20]];
      write(one.text, told);
      if (best.ring > 11 && one.kind === "point") {
        const [x, y] = [0, 1].map((k) => Math.min(Math.max(one.at[k], best.box[k] + 2), best.box[k + 2] - 2));
        set(one.lead, { d: path([one.at, [x, y]]) });
      }
      set(one.text, { x: (best.box[0] + 2).toFixed(1), y: (best.box[3] - letter * 0.38).toFixed(1) });
    }
  }

  // The lines of a mark, piece by piece, and how much it matters that a name crosses them.
  function edges({ kind, points, tone }) {
    if (kind === "point" || points.length < 2) return [];
    const at = points.map(view.to);
    return (kind === "area" ? [...at, at[0]] : at).slice(1).map((
      to,
      i,
    ) => [at[i], to, shy && tone !== "level" ? 4 * shy : 0.4]);
  }

  // The boxes that a mark covers, and how much it matters.
  function solid(one) {
    const box = ([x, y], r, weight) => [x - r, y - r, x + r, y + r, weight];
    if (one.kind === "point") return [box(one.at, shy ? one.round : 7, 2)];
    if (one.kind !== "arrow") return [];
    const [a, b] = one.points.map(view.to);
    return [0.25, 0.5, 0.75, 1].map((t) =>
      box([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])], t < 1 ? 5 : 7, t < 1 ? 0.5 : 2) // its head the most
    );
  }

  function draw() {
    view = look();
    set(el, { viewBox: `0 0 ${view.size.map((x) => x.toFixed(1)).join(" ")}` });
    if (!bare) rule();
    for (const one of marks) if (!one.hidden && one.points.length) one.drawn();
    name_all();
  }
  function clear() {
    for (const one of marks) one.el.remove(), one.lead?.remove(), one.text?.remove();
    marks = [];
  }
  new ResizeObserver(() => {
    if (!el.clientWidth) return;
    [width, letter] = [el.clientWidth, parseFloat(getComputedStyle(el).fontSize)];
    if (view) draw();
  }).observe(el);
  return { el, frame, add, draw, clear, shown: () => look() };
}

// The area that two boxes share; most share none.
function common(a, b) {
  if (a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]) return 0;
  return (Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * (Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
}

// How much of the way from a to b lies in a box.
function crossed(box, a, b) {
  let [from, to] = [0, 1];
  for (const k of [0, 1]) {
    const way = b[k] - a[k];
    const [s, t] = [box[k] - a[k], box[k + 2] - a[k]];
    if (!way && (s > 0 || t < 0)) return 0;
    if (way) [from, to] = [Math.max(from, Math.min(s / way, t / way)), Math.min(to, Math.max(s / way, t / way))];
  }
  return Math.max(0, to - from) * Math.hypot(b[0] - a[0], b[1] - a[1]);
}

// The direction from one point to another.
const way = ([ax, ay], [bx, by] = [ax + 1, ay]) => {
  const long = Math.hypot(bx - ax, by - ay);
  return long ? [(bx - ax) / long, (by - ay) / long] : [1, 0];
};

// Marks as sources of provenance: a board of one row.
export const sources = (marks) => ({ el: marks[0].el.ownerSVGElement, cells: [marks.map((one) => one.el)] });
