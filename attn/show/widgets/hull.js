// Values, scores and the output to drag; the output never leaves the hull of the values.
import {
  columnOf,
  figure,
  h,
  label,
  matrix,
  number,
  percent,
  products,
  provenance,
  quoted,
  restart,
  slider,
  vector,
} from "../kit/kit.js";
import { dot, matmul, softmaxRow } from "../kit/linalg.js";
import { hull } from "../kit/corners.js";
import { glide } from "../kit/gliding.js";
import { key, slight } from "../kit/tones.js";
import { plot, sources } from "../kit/plane.js";

// The plane is large, and beside it what moves the output and where it is; the other numbers are folded
const RULES = `.attn-live .attn-among { display: grid; gap: 0.4rem 1.2rem; align-items: start; }
.attn-among > div { min-width: 0; }
.attn-among .attn-plane { max-width: none; font-size: 0.95rem; }
.attn-among .attn-plane text[data-tone] { font-size: 0.95rem; }
.attn-among .attn-plane text[data-tone="query"] { font-weight: 700; font-size: 0.85rem; }
.attn-live [data-hero] .attn-matrix tbody td { min-width: 4.1em; padding: 0.1rem 0.3rem; font-size: 1.5rem; font-weight: 700; }
.attn-live [data-hero] .attn-matrix :is(th[scope="row"], .attn-corner) { position: absolute; clip-path: inset(50%); }
.attn-where { display: flex; flex-direction: column; }
.attn-where > .attn-more { order: 1; }
.attn-among .attn-legend { display: grid; gap: 0.25rem; }
@media (min-width: 601px) { .attn-among { grid-template-columns: minmax(0, 1fr) 15.5rem; } }`;

// What the same figure is called: an output among values, or a row of shares among corners that stand still.
const VALUES = {
  title: "Where can the output go?",
  hint: "Drag the output; try to pull it out. Drag a value, or the scores.",
  words: ["values", "value of", "output", "weight", "weights", "values and their weights"],
};
const SHARES = {
  title: "A row of shares is one point.",
  hint: "Drag the point and watch the shares; try to pull it out. Or move the scores.",
  words: ["corners", "all on", "shares", "share", "shares", "corners and their shares"],
};

export function render(host) {
  const { title, hint } = host.model.get("simplex") ? SHARES : VALUES;
  return figure(host, {
    title,
    hint,
    shape: ["tokens"],
    state: ["V", "scores"],
    build,
  });
}

function build(get, set) {
  const tokens = get("tokens"), simplex = Boolean(get("simplex"));
  const [ends, end, mean, share, shares, told] = (simplex ? SHARES : VALUES).words;
  const start = get("scores");
  const reach = Math.max(5, ...start.map((s) => Math.ceil(Math.abs(s))));
  const tall = shape(get("V"));
  const plane = plot({ name: `The plane of the ${ends}`, tall });
  const frame = () => {
    const V = get("V");
    const middle = [0, 1].map((k) => (Math.min(...V.map((v) => v[k])) + Math.max(...V.map((v) => v[k]))) / 2);
    plane.frame(V.map((v) => v.map((x, k) => middle[k] + 1.35 * (x - middle[k]))));
  };
  frame();
  const sliders = tokens.map((title, j) =>
    slider({
      title,
      heard: `score of ${label(title)}`,
      min: -reach,
      max: reach,
      step: 0.01,
      nudge: 0.1,
      oninput: (value) => set({ scores: get("scores").map((s, k) => (k === j ? value : s)) }),
    })
  );
  const area = plane.add("area");
  const pulls = tokens.map(() => plane.add("line", { tone: "value" }));
  const band = plane.add("line", { tone: "query" });
  const values = tokens.map((name, j) =>
    plane.add("point", {
      tone: "value",
      name,
      heard: `${end} ${label(name)}`,
      drag: simplex ? undefined : (to) => set({ V: get("V").map((other, k) => (k === j ? to : other)) }),
    })
  );
  let hand = null; // where the hand is that pulls the output
  const output = plane.add("point", {
    tone: "query",
    name: mean,
    size: 8,
    drag: (to) => {
      hand = to;
      set({ scores: towards(get("scores"), get("V"), to, reach) });
    },
    onleave: () => {
      back([...hand]);
      hand = null;
      back(known().output);
    },
  });
  // What was pulled too far springs back
  const back = glide((at) => {
    band.put([known().output, at], { width: 1.5 });
    plane.draw();
  }, 180);
  const table = matrix({
    name: `${ends}, scores and ${shares}`,
    rows: tokens,
    cols: ["x", "y", "score", share],
    size: [tokens.length, 4],
    kind: "plain",
    tell: slight,
    onpick: () => {},
  });
  const total = matrix({
    name: simplex ? "the point" : mean,
    rows: ["Σ"],
    cols: ["x", "y"],
    size: [1, 2],
    kind: "plain",
    tell: slight,
    onpick: () => {},
  });
  const e = (s) => `e^${number(s)}`;
  const origin = provenance([
    [table, (j, c) => {
      const s = get("scores");
      return c < 3 ? null : {
        told: `${number(known().weights[j])} = ${e(s[j])} / (${s.slice(0, 5).map(e).join(" + ")}${
          s.length > 5 ? " + …" : ""
        })`,
        from: columnOf(table, 2),
      };
    }],
    [total, (_, c) => ({
      told: `${number(known().output[c])} = ${products(known().weights, get("V").map((v) => v[c]))}`,
      from: [...columnOf(table, 3), ...columnOf(table, c), ...values.map((_, j) => [sources(values), [0, j]])],
    })],
  ]);
  const reset = restart(get, set, ["V", "scores"]);
  const even = h("button", { type: "button", onclick: () => set({ scores: start.map(() => 0) }) }, "Equal scores");
  const known = () => {
    const weights = softmaxRow(get("scores"));
    return { weights, output: matmul([weights], get("V"))[0] };
  };

  function draw() {
    even.setAttribute("aria-pressed", String(get("scores").every((x) => x === get("scores")[0])));
    const V = get("V");
    const { weights, output: y } = known();
    const { low, high } = plane.shown();
    if (V.some((v) => v.some((x, k) => x < low[k] || x > high[k]))) frame();
    area.put(hull(V).map((j) => V[j]));
    values.forEach((one, j) =>
      one.put([V[j]], {
        size: 4 + 9 * Math.sqrt(weights[j]),
        name: `${label(tokens[j])} ${percent(weights[j])}`,
        along: outside(V[j], y, `${label(tokens[j])} ${percent(weights[j])}`.length, 4 + 9 * Math.sqrt(weights[j])),
      })
    );
    pulls.forEach((one, j) => one.put([y, V[j]], { width: 9 * weights[j] }));
    output.put([y]);
    band.put([y, hand || y], { width: 1.5 });
    plane.draw();
    sliders.forEach((one, j) => one.draw(get("scores")[j]));
    table.draw(V.map((point, j) => [...point, get("scores")[j], weights[j]]));
    total.draw([y]);
    origin.draw();
  }
  function sentence() {
    const { weights, output } = known();
    const names = hull(get("V")).map((j) => quoted(tokens[j])).join(", ");
    const [what, point, inside] = simplex ? ["Shares", "point", "triangle"] : ["Weights", "output", "hull"];
    return `${what} ${vector(weights, slight)} put the ${point} at ${
      vector(output, slight)
    }, inside the ${inside} whose corners are ${names}.`;
  }
  const scores = h(
    "div",
    { class: "attn-sliders", role: "group", "aria-label": "Scores" },
    sliders.map((one) => one.el),
  );
  const wide = tall < 0.6; // the plane has the whole width, what moves it stands below
  if (wide) plane.el.style.maxWidth = "none";
  if (upright(get("V"))) plane.el.style.maxWidth = "27rem"; // high and thin: no wide plane around it
  total.el.dataset.hero = "";
  const colours = key([["query", mean], ["value", told]]);
  const more = h(
    "details",
    { class: "attn-more" },
    h("summary", {}, "The numbers"),
    h("div", { class: "attn-small" }, table.el),
  );
  // The table is read before the sum that it makes; folded, it stands below
  const where = h("div", { class: "attn-where" }, more, total.el, wide ? null : colours);
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-chips" }, reset, even, wide ? colours : null),
      ...(wide
        ? [plane.el, h("div", { class: "attn-duo", style: "gap: 0 0.8rem" }, scores, where)]
        : [h("div", { class: "attn-among" }, plane.el, h("div", {}, scores, where))]),
      origin.el,
    ],
    draw,
    sentence,
  };
}

// Where the name of a value may stand: away from the output, since a line leads from there to the value; else turned from
// that, first a little. What `along` asks of a list of places, in pixels: signs, size: of its name and its point.
function outside(v, y, signs, size) {
  const way = Math.atan2(v[1] - y[1] || 1e-9, v[0] - y[0] || 1e-9);
  return {
    map: (to) => {
      const [x, z] = to(v);
      return [0, 0.6, -0.6, 1.1, -1.1, 1.6, -1.6].map((turn) => {
        const [across, up] = [Math.cos(way + turn), Math.sin(way + turn)];
        const far = Math.min((size + 9 + 5.2 * signs) / Math.abs(across), (size + 14) / Math.abs(up));
        return [x + far * across, z - far * up];
      });
    },
  };
}

const spread = (V) => [0, 1].map((k) => Math.max(...V.map((v) => v[k])) - Math.min(...V.map((v) => v[k])));
const upright = (V) => spread(V)[1] > 1.5 * spread(V)[0];

// How high the plane is for its width: what the values need, and on a phone what a finger needs.
function shape(V) {
  if (matchMedia("(max-width: 700px)").matches) return 0.8;
  const [x, y] = spread(V);
  return Math.min(Math.max(1.2 * y / (x || 1), 0.34), 0.9);
}

// The scores s_j + λ · v_j whose average is the wanted point, or the point of the hull that is nearest to it: Newton's
// method on the convex log Σ exp(s_j + λ · (v_j − wanted)). They stay within ±reach, so an edge is only nearly reached:
// the goal moves towards the middle until they do. Where the given scores allow none, equal ones are the start.
function towards(scores, V, wanted, reach) {
  const goal = inside(wanted, hull(V).map((j) => V[j]));
  const middle = [0, 1].map((k) => V.reduce((sum, v) => sum + v[k], 0) / V.length);
  let made = scores;
  for (const start of [scores, scores.map(() => 0)]) {
    for (const off of [0, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.03, 0.06]) {
      made = tilted(start, V, goal.map((x, k) => x + off * (middle[k] - x)));
      if (made && Math.max(...made) - Math.min(...made) <= 2 * reach) return centred(made);
    }
  }
  return scores;
}

const centred = (s) => {
  const middle = (Math.max(...s) + Math.min(...s)) / 2;
  return s.map((x) => Number((x - middle).toFixed(4)));
};

// null where no tilt leads there
function tilted(scores, V, goal) {
  const size = Math.max(...V.flatMap((v) => v.map((x, k) => Math.abs(x - goal[k])))) || 1;
  const U = V.map((v) => v.map((x, k) => (x - goal[k]) / size));
  const at = (l) => scores.map((s, j) => s + dot(l, U[j]));
  const value = (l) => {
    const s = at(l);
    const top = Math.max(...s);
    return top + Math.log(s.reduce((sum, x) => sum + Math.exp(x - top), 0));
  };
  let best = [0, 0];
  for (let k = 0; k < 60; k++) {
    const a = softmaxRow(at(best));
    const [[gx, gy]] = matmul([a], U);
    if (Math.hypot(gx, gy) < 1e-7) return at(best);
    const [xx, xy, yy] = [[0, 0], [0, 1], [1, 1]].map(([p, q]) =>
      a.reduce((sum, w, j) => sum + w * U[j][p] * U[j][q], 0)
    );
    const [hxx, hxy, hyy] = [xx - gx * gx + 1e-9, xy - gx * gy, yy - gy * gy + 1e-9];
    const det = hxx * hyy - hxy * hxy;
    const step = [(hyy * gx - hxy * gy) / det, (hxx * gy - hxy * gx) / det];
    let t = Math.min(1, 8 / Math.hypot(...step));
    const next = () => best.map((x, i) => x - t * step[i]);
    while (t > 1e-6 && value(next()) > value(best)) t /= 2;
    if (t <= 1e-6) return Math.hypot(gx, gy) < 1e-4 ? at(best) : null;
    best = next();
  }
  return null;
}

// The point itself where it lies within the corners (anticlockwise), else the nearest of their hull.
function inside(point, corners) {
  const sides = corners.map((a, i) => [a, corners[(i + 1) % corners.length]]);
  const left = ([a, b]) => (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= 0;
  if (corners.length > 2 && sides.every(left)) return point;
  const near = sides.map(([a, b]) => {
    const way = [b[0] - a[0], b[1] - a[1]];
    const t = dot([point[0] - a[0], point[1] - a[1]], way) / (dot(way, way) || 1);
    return a.map((x, k) => x + Math.min(Math.max(t, 0), 1) * way[k]);
  });
  const far = ([x, y]) => Math.hypot(x - point[0], y - point[1]);
  return near.reduce((best, one) => (far(one) < far(best) ? one : best));
}
