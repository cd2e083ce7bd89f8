// Turn the second key: what both read back, from a memory that adds and from one that corrects.
import { figure, h, legend, matrix, number, row, slider, svg, vector } from "../kit/kit.js";
import { remember, seen } from "../kit/memory.js";

const [WIDTH, HEIGHT, LENGTH] = [300, 200, 130];
const MOST = 2; // no reading of two unit keys exceeds the largest β
const CENTRE = [WIDTH / 2, HEIGHT - 30];

export function render(host) {
  return figure(host, {
    title: "Two keys in one memory.",
    hint:
      "Drag the second key, or use the sliders. The first pair is written first, then the second; then both are asked.",
    shape: [],
    state: ["angle", "beta"],
    build,
  });
}

const tip = (degrees) => {
  const theta = (degrees * Math.PI) / 180;
  return [CENTRE[0] + LENGTH * Math.cos(theta), CENTRE[1] - LENGTH * Math.sin(theta)];
};

function build(get, set) {
  const turn = slider({
    title: "angle",
    min: 0,
    max: 180,
    step: 1,
    tell: (x) => `${number(x, 0)}°`,
    oninput: (angle) => set({ angle }),
  });
  const strength = slider({ title: "β", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const lines = [0, 1].map(() => svg("line", { "stroke-width": 2.5, class: "attn-pull" }));
  const names = ["key 1", "key 2"].map((name) => svg("text", { "text-anchor": "middle" }, name));
  const grip = svg(
    "g",
    {
      tabindex: 0,
      role: "slider",
      "aria-label": "direction of the second key",
      "aria-valuemin": 0,
      "aria-valuemax": 180,
      onkeydown: (event) => {
        const step = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        set({ angle: Math.min(Math.max(get("angle") + step * (event.shiftKey ? 5 : 1), 0), 180) });
      },
    },
    svg("circle", { class: "attn-reach", r: 20 }),
    svg("circle", { r: 8 }),
  );
  const plane = svg(
    "svg",
    {
      class: "attn-plane",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": "Two keys, drawn as arrows",
    },
    svg("line", { x1: 0, y1: CENTRE[1], x2: WIDTH, y2: CENTRE[1] }),
    ...lines,
    grip,
    ...names,
  );
  const drag = (event) => {
    const box = plane.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH - CENTRE[0];
    const y = CENTRE[1] - ((event.clientY - box.top) / box.height) * HEIGHT;
    const angle = Math.round((Math.atan2(y, x) * 180) / Math.PI);
    set({ angle: angle >= 0 ? angle : x < 0 ? 180 : 0 });
  };
  grip.addEventListener("pointerdown", (event) => (grip.setPointerCapture(event.pointerId), event.preventDefault()));
  grip.addEventListener("pointermove", (event) => grip.hasPointerCapture(event.pointerId) && drag(event));
  const tables = ["adding", "correcting"].map((name) =>
    matrix({ name, rows: ["key 1", "key 2"], cols: ["of v1", "of v2"], size: [2, 2], most: MOST })
  );
  const scale = legend({ kind: "signed", values: [[-MOST, MOST]], most: MOST });

  const known = () => {
    const theta = (get("angle") * Math.PI) / 180;
    const keys = [[1, 0], [Math.cos(theta), Math.sin(theta)]];
    const tidy = (x) => (Math.abs(x) < 1e-12 ? 0 : x);
    return [false, true].map((erase) => {
      const state = remember(keys, { beta: get("beta"), erase });
      return keys.map((key) => seen(key, state).map(tidy));
    });
  };
  function draw() {
    turn.draw(get("angle"));
    strength.draw(get("beta"));
    [0, get("angle")].forEach((degrees, i) => {
      const [x, y] = tip(degrees);
      for (const [name, value] of Object.entries({ x1: CENTRE[0], y1: CENTRE[1], x2: x, y2: y })) {
        lines[i].setAttribute(name, value.toFixed(2));
      }
      names[i].setAttribute("x", Math.min(Math.max(x, 24), WIDTH - 24).toFixed(2));
      names[i].setAttribute("y", (i ? y - 16 : CENTRE[1] + 22).toFixed(2));
      if (!i) return;
      grip.setAttribute("transform", `translate(${x.toFixed(2)},${y.toFixed(2)})`);
      grip.setAttribute("aria-valuenow", String(degrees));
      grip.setAttribute("aria-valuetext", `${number(degrees)}°`);
    });
    known().forEach((read, i) => tables[i].draw(read));
  }
  function sentence() {
    const told = known().map((read, i) =>
      `${["adding", "correcting"][i]} reads ${vector(read[0])} with key 1 and ${vector(read[1])} with key 2`
    );
    return `Keys at ${number(get("angle"))}°, β = ${number(get("beta"))}: ${told.join("; ")}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, turn.el, strength.el);
  return { parts: [controls, row(plane, ...tables.map((one) => one.el)), scale.el], draw, sentence };
}
