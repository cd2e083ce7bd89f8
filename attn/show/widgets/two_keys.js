// Turn the second key: what both read back, from a memory that adds and from one that corrects.
import { factor, figure, h, mark, matrix, number, provenance, slider, vector, write } from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";
import { plot } from "../kit/plane.js";

const KINDS = ["adding", "correcting"];
const KEYS = ["key 1", "key 2"];
const TONES = ["key", "ink"]; // both are keys: the second is told apart by its darkness
const WANTED = [[1, 0], [0, 1]]; // key 1 is to read v1 alone, key 2 v2

const RULES =
  `.attn-live .attn-turned { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0.3rem 1.5rem; align-items: center;
  margin: 0.5rem 0 0; }
.attn-live .attn-turned p { margin: 0; }
.attn-turned .attn-sliders { max-width: 30rem; margin-top: 0.4rem; }
.attn-live .attn-two { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem 1rem; margin: 0.8rem 0 0; }
.attn-two > div { min-width: 0; }
.attn-live .attn-two p { margin: 0 0 0.2rem; }
.attn-turned .attn-plane, .attn-two .attn-plane { max-width: none; }
.attn-two text[data-tone] { font-weight: 600; }
.attn-two .attn-off > path { stroke: var(--tone); stroke-width: 2px; stroke-dasharray: 5 3; }
.attn-two [data-hit] circle { stroke-width: 4px; }
.attn-live .attn-cos { font-size: 0.9em; font-variant-numeric: tabular-nums; }
@media (max-width: 600px) { .attn-live .attn-turned { grid-template-columns: 9.5rem minmax(0, 1fr); column-gap: 0.7rem; }
  .attn-turned .attn-sliders { grid-column: 1 / -1; }
  .attn-turned > div:not([class]) { display: contents; }
  .attn-live .attn-two { grid-template-columns: 1fr; } }`;

const headed = (told) => h("p", {}, h("strong", {}, told));

// A place for a name that keeps its pixels from a point at any size of the plane: what `along` asks of a list of places.
const around = (point, ways) => ({ map: (to) => ways.map(([dx, dy]) => [to(point)[0] + dx, to(point)[1] - dy]) });
const beside = (point, way) => around(point, [way]);

// How far a key's reading is from its value, beside the gap's middle, the side away from zero first; where there is no
// gap, by the ring.
function gap([from, to]) {
  const [across, up] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(across, up);
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (far < 1e-9) return { name: "exact", along: around(from, [[38, -17], [-38, 17], [38, 17], [0, -32], [0, 32]]) };
  const [x, y] = [up / far, -across / far];
  const side = x * middle[0] + y * middle[1] < 0 ? -1 : 1;
  const off = (more) => side * (Math.abs(x) * 51 + Math.abs(y) * 13 + more);
  const ways = [off(0), off(14), -off(0), -off(14)].flatMap((one) =>
    [0, -15, 15].map((on) => [x * one - y * on, y * one + x * on]) // and up or down the gap
  );
  return { name: `off by ${number(far, 2)}`, along: around(middle, ways) };
}

// Two arrows from the middle. Where they come together the first one is a band below the second, and one name is for both,
// right of them when they stand upright. A name stands before its tip, that of key 1 on the clockwise side of its arrow and
// that of key 2 on the other, or on the free side of the upright axis: the two never cross.
function put(arrows, tips) {
  const apart = Math.hypot(tips[0][0] - tips[1][0], tips[0][1] - tips[1][1]);
  const one = apart < 0.15;
  const before = ([x, y], side) => {
    if (one && Math.abs(x) < 0.4 * y) return beside([x, y], [66, 15]);
    const to = Math.atan2(y, x) + side;
    const [across, up] = [Math.cos(to), Math.sin(to)];
    const far = Math.min((one ? 56 : 31) / Math.abs(across), 17 / Math.abs(up)); // clear of the head on every side
    return beside([x, y], [far * across, far * up]);
  };
  const thick = { width: 2.5 + 6 * Math.max(0, 1 - apart / 0.3), name: one ? "" : KEYS[0] };
  arrows[0].put([[0, 0], tips[0]], { ...thick, along: before(tips[0], -0.8) });
  const free = Math.abs(tips[1][0]) < 0.25 && apart > 0.6;
  arrows[1].put([[0, 0], tips[1]], {
    name: one ? KEYS.join(", ") : KEYS[1],
    along: before(tips[1], free ? -0.8 : 0.8),
  });
}

export function render(host) {
  return figure(host, {
    title: "Two keys in one memory.",
    hint: "Turn key 2: does key 1 still end on ring v1, key 2 on v2?",
    shape: [],
    state: ["angle", "beta"],
    build,
  });
}

const tidy = (x) => (Math.abs(x) < 1e-12 ? 0 : x); // an upright key has no hair's breadth across

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

  const keys = plot({ name: "The two keys", tall: 0.66, bare: true });
  keys.frame([[-1.3, -0.2], [1.3, 1.2]]);
  const half = keys.add("line", { tone: "level" });
  half.put(Array.from({ length: 61 }, (_, i) => [Math.cos(i * Math.PI / 60), Math.sin(i * Math.PI / 60)]));
  keys.add("line", { tone: "level" }).put([[-1, 0], [1, 0]]);
  const arc = keys.add("line", { tone: "ink", name: "" });
  const shadow = keys.add("line", { tone: "ink" });
  const drop = keys.add("line", { tone: "level" });
  const arrows = KEYS.map((name, i) =>
    keys.add("arrow", {
      tone: TONES[i],
      name,
      heard: "the second key",
      drag: i ? ([x, y]) => set({ angle: angle(x, y) }) : null,
    })
  );
  // Below the line it lies down on the side it is on
  const angle = (x, y) => y > 0 ? Math.round(Math.atan2(y, x) * 180 / Math.PI) : x < 0 ? 180 : 0;

  const tall = innerWidth > 600 ? 0.8 : 0.64;
  const cosine = h("span", {});
  const answers = KINDS.map((kind) => {
    const plane = plot({ name: `What a memory that is ${kind} gives back: of v1 across, of v2 up`, tall });
    const rings = WANTED.map((_, i) => plane.add("point", { tone: "value", name: `v${i + 1}`, size: 10 }));
    const arrows = KEYS.map((name, i) => plane.add("arrow", { tone: TONES[i], name, merge: false }));
    for (const ring of rings) ring.el.style.cssText = "fill:none;stroke:var(--tone)";
    const misses = KEYS.map((_, i) => plane.add("line", { tone: TONES[i], name: "", merge: false }));
    for (const miss of misses) miss.el.classList.add("attn-off");
    const table = matrix({
      name: `${kind}: reads`,
      rows: KEYS,
      cols: ["of v1", "of v2"],
      size: [2, 2],
      kind: "plain",
      onpick: () => {}, // to be walked over by keys: where a number comes from is told
    });
    const el = h(
      "div",
      {},
      headed(kind),
      plane.el,
    );
    return { plane, rings, misses, arrows, table, el };
  });

  const pair = () => {
    const theta = (get("angle") * Math.PI) / 180;
    return [[1, 0], [tidy(Math.cos(theta)), tidy(Math.sin(theta))]];
  };
  const known = () => {
    return [false, true].map((erase) => {
      const state = remember(pair(), { beta: get("beta"), erase });
      return pair().map((one) => seen(one, state).map(tidy));
    });
  };
  const origin = provenance(answers.map(({ table }, kind) => [table, (i, j) => {
    const [k, beta] = [pair(), number(get("beta"))];
    const meet = (a, b) => factor(Number(dot(k[a], k[b]).toFixed(12)));
    const written = `${beta}·${meet(i, j)}`;
    const taken = kind && !j ? ` − ${beta}²·${meet(i, 1)}·${meet(1, 0)}` : "";
    return {
      told: `${number(known()[kind][i][j])} = ${written}${taken}: β · (key ${i + 1} · key ${j + 1})${
        taken && ", less what the second write took away"
      }`,
      from: [],
    };
  }]));

  function draw() {
    const [degrees, beta] = [get("angle"), get("beta")];
    const [first, second] = pair();
    turn.draw(degrees);
    strength.draw(beta);
    const theta = degrees * Math.PI / 180;
    put(arrows, [first, second]);
    if (degrees > 9) arrows[0].put([[0, 0], first], { along: beside([0.8, 0], [0, -14]) });
    arc.put(Array.from({ length: 31 }, (_, i) => [0.22 * Math.cos(i * theta / 30), 0.22 * Math.sin(i * theta / 30)]), {
      width: 1,
      name: degrees < 40 ? "" : `${number(degrees, 0)}°`,
      along: [[0.5 * Math.cos(theta / 2), 0.44 * Math.sin(theta / 2)]],
    });
    shadow.put([[0, 0], [second[0], 0]], { width: 7, faint: true });
    write(cosine, `key 1 · key 2 = cos ${number(degrees, 0)}° = ${number(Number(second[0].toFixed(12)))}`);
    drop.put([second, [second[0], 0]]);
    keys.draw();
    const far = 1.35 * Math.max(1, beta);
    const low = Math.min(-0.3, ...known().flat(2).map((x) => x - 0.28)); // one scale for both
    const side = second[0] < 0 ? -1 : 1; // the rings' names keep clear of the dashes
    known().forEach((read, kind) => {
      const { plane, rings, misses, arrows, table } = answers[kind];
      plane.frame([[low, low], [far, far]]);
      read.forEach((to, i) => {
        rings[i].put([WANTED[i]], { along: beside(WANTED[i], i ? [-19 * side, -16] : [-20, -16 * side]) });
        const told = gap([WANTED[i], to]);
        misses[i].put([WANTED[i], to], told);
        mark(rings[i].el, "data-hit", told.name === "exact");
      });
      put(arrows, read);
      plane.draw();
      table.draw(read);
    });
    origin.draw();
  }
  function sentence() {
    const told = known().map((read, i) =>
      `${KINDS[i]} reads ${vector(read[0])} with key 1 and ${vector(read[1])} with key 2`
    );
    return `Keys at ${number(get("angle"))}°, β = ${number(get("beta"))}: ${told.join("; ")}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, turn.el, strength.el);
  const told = h(
    "p",
    { class: "attn-legend attn-cos" },
    "Key 1 is written first, with v1, then key 2, with v2. ",
    cosine,
  );
  const top = h("div", { class: "attn-turned" }, keys.el, h("div", {}, told, controls));
  const more = h(
    "details",
    { class: "attn-more" },
    h("summary", {}, "The numbers"),
    h("div", { class: "attn-row attn-tight" }, answers.map(({ table }) => table.el)),
  );
  return {
    parts: [h("style", {}, RULES), top, h("div", { class: "attn-two" }, answers.map(({ el }) => el)), more, origin.el],
    draw,
    sentence,
  };
}
