// Values and scores to drag; the output never leaves the hull of the values.
import { figure, h, label, matrix, quoted, row, slider, svg, vector } from "../kit/kit.js";
import { hull, matmul, softmaxRow } from "../kit/linalg.js";

const [WIDTH, HEIGHT] = [400, 320];

export function render(host) {
  return figure(host, {
    title: "The output stays among the values.",
    hint: "Drag a value, or choose it and press arrow keys; then drag the scores. Try to push the output out.",
    shape: ["tokens"],
    state: ["V", "scores"],
    build,
  });
}

// The part of the plane that is drawn: all points with room around them, x and y to one scale.
function frame(V) {
  const [xs, ys] = [0, 1].map((axis) => V.map((point) => point[axis]));
  const [low, high] = [[xs, ys].map((c) => Math.min(...c)), [xs, ys].map((c) => Math.max(...c))];
  const scale = 0.6 *
    Math.min(
      ...[WIDTH, HEIGHT].map((size, axis) => size / (high[axis] - low[axis] || 1e-9)),
      HEIGHT / 1e-3 / Math.max(1, ...V.flat().map(Math.abs)),
    );
  const unit = 10 ** Math.floor(Math.log10(WIDTH / scale / 10)); // how far one arrow key goes
  const [cx, cy] = [0, 1].map((axis) => (low[axis] + high[axis]) / 2);
  return {
    unit,
    to: ([x, y]) => [WIDTH / 2 + (x - cx) * scale, HEIGHT / 2 - (y - cy) * scale],
    from: ([x, y]) => [cx + (x - WIDTH / 2) / scale, cy - (y - HEIGHT / 2) / scale],
  };
}

function build(get, set) {
  const tokens = get("tokens");
  const start = { V: get("V"), scores: get("scores") };
  let view = frame(start.V);
  const reach = Math.max(5, ...start.scores.map((s) => Math.ceil(Math.abs(s))));
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
  const shape = svg("polygon");
  const pulls = tokens.map(() => svg("line", { class: "attn-pull" }));
  const axes = [svg("line"), svg("line")];
  const star = svg("circle", { class: "attn-output", r: 7 });
  const named = svg("text", {}, "output");
  const plane = svg("svg", {
    class: "attn-plane",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "group",
    "aria-label": "The plane of the values",
  });
  const put = (j, [x, y]) => {
    const tidy = (value) => Number((Math.round(value / view.unit * 10) / 10 * view.unit).toPrecision(12));
    const [left, top] = view.from([8, 8]);
    const [right, bottom] = view.from([WIDTH - 8, HEIGHT - 8]);
    const point = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, bottom), top)].map(tidy);
    set({ V: get("V").map((other, k) => (k === j ? point : other)) });
  };
  const handles = tokens.map((token, j) =>
    handle(token, plane, {
      drag: (at) => put(j, view.from(at)),
      nudge: ([dx, dy]) => put(j, [get("V")[j][0] + dx * view.unit, get("V")[j][1] + dy * view.unit]),
    })
  );
  plane.append(...axes, shape, ...pulls, ...handles.map((one) => one.el), star, named);
  const table = matrix({
    name: "values and weights",
    rows: tokens,
    cols: ["x", "y", "weight"],
    size: [tokens.length, 3],
    kind: "plain",
  });
  const button = (told, changes) => h("button", { type: "button", onclick: () => set({ ...changes }) }, told);
  const reset = button("↺ Start again", start);
  const even = button("Equal scores", { scores: start.scores.map(() => 0) });
  const known = () => {
    const weights = softmaxRow(get("scores"));
    return { weights, output: matmul([weights], get("V"))[0] };
  };

  function draw() {
    const V = get("V");
    const { weights, output } = known();
    const inside = V.map(view.to).every(([x, y]) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT);
    if (!inside) view = frame(V);
    const at = V.map(view.to);
    const span = [8, WIDTH - 8].map((x) => view.from([x, 0])[0]);
    const [ox, oy] = view.to(output);
    const zero = view.to([0, 0]);
    place(axes[0], zero[0], 0, zero[0], HEIGHT);
    place(axes[1], 0, zero[1], WIDTH, zero[1]);
    shape.setAttribute("points", hull(V).map((j) => at[j].join(",")).join(" "));
    at.forEach(([x, y], j) => {
      handles[j].draw([x, y], V[j], span);
      place(pulls[j], ox, oy, x, y);
      pulls[j].setAttribute("stroke-width", (8 * weights[j]).toFixed(2));
      sliders[j].draw(get("scores")[j]);
    });
    for (const [name, value] of [["cx", ox], ["cy", oy]]) star.setAttribute(name, value.toFixed(2));
    const side = ox > WIDTH * 0.75 ? 1 : -1; // away from the names of the values
    named.setAttribute("text-anchor", side < 0 ? "end" : "start");
    named.setAttribute("x", (ox + 12 * side).toFixed(2));
    named.setAttribute("y", (oy + 5).toFixed(2));
    table.draw(V.map((point, j) => [...point, weights[j]]));
  }
  function sentence() {
    const { weights, output } = known();
    const names = hull(get("V")).map((j) => quoted(tokens[j])).join(", ");
    return `Weights ${vector(weights)} put the output at ${
      vector(output)
    }, inside the hull whose corners are ${names}.`;
  }
  const scores = h(
    "div",
    { class: "attn-sliders", role: "group", "aria-label": "Scores" },
    sliders.map((one) => one.el),
  );
  return {
    parts: [h("div", { class: "attn-chips" }, reset, even), row(plane, h("div", {}, table.el, scores))],
    draw,
    sentence,
  };
}

const plain = (x) => String(Number(x.toPrecision(6))); // for a machine: no typographic minus

function place(line, x1, y1, x2, y2) {
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(2));
}

// One value: a point to drag by mouse or finger, or to move by arrow keys (with Shift five times as far).
function handle(token, plane, { drag, nudge }) {
  const name = svg("text", { x: 12, y: 5 }, label(token));
  let at = [0, 0];
  let held = [0, 0];
  const where = ({ clientX, clientY }) => {
    const box = plane.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * WIDTH, ((clientY - box.top) / box.height) * HEIGHT];
  };
  const el = svg(
    "g",
    {
      tabindex: 0,
      role: "slider",
      "aria-label": `value of ${label(token)}`,
      "aria-valuenow": 0,
      onpointerdown: (event) => {
        const [x, y] = where(event);
        held = [x - at[0], y - at[1]]; // a point grabbed beside its middle does not jump there
        el.setPointerCapture(event.pointerId);
        el.focus();
        event.preventDefault();
      },
      onpointermove: (event) => {
        if (!el.hasPointerCapture(event.pointerId)) return;
        const [x, y] = where(event);
        drag([x - held[0], y - held[1]]);
      },
      onkeydown: (event) => {
        const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!to) return;
        event.preventDefault();
        nudge(to.map((x) => x * (event.shiftKey ? 5 : 1)));
      },
    },
    svg("circle", { class: "attn-reach", r: 20 }),
    svg("circle", { r: 8 }),
    name,
  );
  // A finger on the handle drags it; on the empty plane it scrolls the page. Touch-action does not hold for parts of a
  // drawing, so the touch itself is taken.
  el.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  function draw([x, y], point, [low, high]) {
    at = [x, y];
    el.setAttribute("aria-valuemin", plain(low));
    el.setAttribute("aria-valuemax", plain(high));
    el.setAttribute("transform", `translate(${x.toFixed(2)},${y.toFixed(2)})`);
    el.setAttribute("aria-valuenow", plain(point[0]));
    el.setAttribute("aria-valuetext", vector(point));
    // a name near the right edge stands to the left of its point
    name.setAttribute("text-anchor", x > WIDTH * 0.75 ? "end" : "start");
    name.setAttribute("x", x > WIDTH * 0.75 ? -12 : 12);
  }
  return { el, draw };
}
