// Turn the second key: what both read back, from a memory that adds and from one that corrects.
import { factor, figure, h, mark, matrix, note, number, provenance, slider, vector, write } from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";
import { plot } from "../kit/plane.js";

const KINDS = ["adding", "correcting"];
const KEYS = ["key 1", "key 2"];
const VALUES = ["v₁", "v₂"];
const TONES = ["key", "ink"]; // a key has the colour of the value that it should read
const WANTED = [[1, 0], [0, 1]]; // key 1 is to read v1 alone, key 2 v2

const RULES =
  `.attn-live :is(.attn-turned, .attn-two) { display: grid; grid-template-columns: 1fr 1fr; gap: 0.3rem 1rem; align-items: center; margin: 0.6rem 0 0; }
.attn-live :is(.attn-turned, .attn-two) p { margin: 0 0 0.2rem; }
.attn-turned .attn-sliders { max-width: 30rem; margin-top: 0.4rem; }
.attn-two > div { min-width: 0; }
.attn-two p > span { white-space: nowrap; }
.attn-two p > .attn-note { display: block; font-variant-numeric: tabular-nums; }
.attn-two i { color: var(--attn-debt); font-style: normal; font-weight: 600; }
.attn-turned .attn-aim { min-height: 2lh; }
.attn-turned .attn-aim[data-met] { color: var(--attn-accent); }
.attn-live .attn-plane { max-width: none; }
.attn-live :is(.attn-two text[data-tone], text[data-tone="value"]) { font-weight: 600; }
.attn-live .attn-miss.attn-miss { opacity: 0.75; }
.attn-live .attn-miss.attn-miss > path { stroke: var(--tone); stroke-width: 6px; stroke-linecap: butt; }
.attn-two [data-hit] circle { stroke-width: 4px; }
.attn-cos strong { display: block; color: var(--attn-debt); font-size: 2.4rem; line-height: 1.15; font-variant-numeric: tabular-nums; }
@media (max-width: 600px) { .attn-live .attn-turned { grid-template-columns: minmax(0, 1fr); }
  .attn-live .attn-two { gap: 0.5rem; }
  .attn-two strong { display: block; }
  .attn-live :is(.attn-cos, .attn-two .attn-note, .attn-two .attn-ticks) { display: none; } }`;

// How a key k writes a value v into the memory Z, as the chapter has it; what correcting adds to it stands out
const WRITES = [["Z + β kᵀ v"], ["Z + β kᵀ (v", h("i", {}, " − k Z"), ")"]];

// Places for a name that keep their pixels from a point at any size of the plane: what `along` asks of a list of places.
const around = (point, ways) => ({
  map: (to) => ways.map(([dx, dy]) => [to(point)[0] + dx, to(point)[1] - dy]),
});

// Where a name of so many letters may stand about a point, `room` pixels off: first in this direction, then more and more
// aside, then farther off.
function about(point, [x, y], letters, room) {
  const ways = [0, 9, 22, 40].flatMap((more) =>
    [0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8, 2.4, -2.4, 3.1].map((aside) => [more, aside])
  );
  return around(
    point,
    ways.map(([more, aside]) => {
      const to = Math.atan2(y, x) + aside;
      const [across, up] = [Math.cos(to), Math.sin(to)];
      const off = more + Math.min((5 * letters + room) / Math.abs(across), (10 + room) / Math.abs(up));
      return [off * across, off * up];
    }),
  );
}

// Farther out from the ring, the way that the arrow points, and a little up: off the axis along which key 1 lies.
const beyond = (tip, ring) => tip.map((z, k) => 0.2 * k + z - ring[k] + 0.3 * z / (Math.hypot(...tip) || 1));

// How far a key's reading is from its value, beside the gap's middle, the side away from zero first.
function gap([from, to], narrow) {
  const [across, up] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(across, up);
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (far < 1e-9) return { name: "" };
  const [x, y] = [up / far, -across / far];
  const side = x * middle[0] + y * middle[1] < 0 ? -1 : 1;
  const off = (more) => side * (Math.abs(x) * (narrow ? 24 : 58) + Math.abs(y) * 14 + more);
  const along = [0, -15, 15, -32, 32]; // and up or down the gap
  if (!narrow) along.push(-48, 48, ...(far < 0.6 && Math.abs(y) > 0.7 ? [-64, 64, -78, 78] : []));
  const ways = [off(0), -off(0), off(14), -off(14)].flatMap((one) =>
    along.map((on) => [x * one - y * on, y * one + x * on])
  );
  return { name: (narrow ? "" : "off by ") + number(far, 2), along: around(middle, ways) };
}

// Two arrows from the middle. Where they come together the first one is a band below the second, and one name is for both.
// rings: where they should end;   room: pixels for a handle;   as: what comes before a key's name
function put(arrows, tips, rings = [[0, 0], [0, 0]], room = 0, as = (name) => name) {
  const apart = Math.hypot(tips[0][0] - tips[1][0], tips[0][1] - tips[1][1]);
  const one = apart < 0.15;
  const names = one ? ["", room ? KEYS.join(", ") : as("both keys")] : KEYS.map(as);
  arrows.forEach((arrow, i) => {
    const hit = tips[i].every((z, k) => Math.abs(z - rings[i][k]) < 0.1); // the ring is in the way
    arrow.put([[0, 0], tips[i]], {
      width: i ? 2.5 : 2.5 + 6 * Math.max(0, 1 - apart / 0.3),
      name: names[i],
      along: about(tips[i], beyond(tips[i], one ? [0.5, 0.5] : rings[i]), names[i].length, 9 + room + 4 * hit),
    });
  });
}

export function render(host) {
  return figure(host, {
    title: "Two keys in one memory.",
    hint: "Turn key 2, watch the rings.",
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
  const strength = slider({ title: "strength β", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const narrow = innerWidth <= 600;
  const keys = plot({ name: "The two keys", tall: narrow ? 0.58 : 0.62, bare: true });
  keys.frame([[-1.1, narrow ? -0.1 : -0.2], [1.3, 1.2]]);
  const half = keys.add("line", { tone: "level" });
  half.put(Array.from({ length: 61 }, (_, i) => [Math.cos(i * Math.PI / 60), Math.sin(i * Math.PI / 60)]));
  keys.add("line", { tone: "level" }).put([[-1, 0], [1, 0]]);
  const arc = keys.add("line", { tone: "ink", name: "" });
  const shadow = keys.add("line", { tone: "value", name: "", merge: false });
  shadow.el.classList.add("attn-miss");
  const drop = keys.add("line", { tone: "level" });
  const right = keys.add("line", { tone: "ink", name: "" }); // where adding was found to be exact
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

  const tall = narrow ? 1 : 0.74;
  const [meets, cosine] = [h("span"), h("strong")]; // what turning changes, and by how much adding is off
  const [stays, taken] = [note(), note()];
  const aim = h("p", { class: "attn-aim attn-told", role: "status" });
  let found = false;
  const answers = KINDS.map((kind, k) => {
    const plane = plot({ name: `What a memory that is ${kind} gives back: of v₁ across, of v₂ up`, tall, shy: 4 });
    const rings = WANTED.map((_, i) => plane.add("point", { tone: TONES[i], name: VALUES[i], size: 10 }));
    const arrows = KEYS.map((name, i) => plane.add("arrow", { tone: TONES[i], name, merge: false }));
    for (const ring of rings) ring.el.style.cssText = "fill:none;stroke:var(--tone)";
    for (const { text } of arrows) text.style.fontWeight = 400; // how far off it is stands out
    const misses = KEYS.map(() => plane.add("line", { tone: "value", name: "", merge: false }));
    for (const miss of misses) miss.el.classList.add("attn-miss");
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
      h("p", {}, h("strong", {}, KINDS[k]), " ", h("span", {}, WRITES[k]), [stays, taken][k]),
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
    put(arrows, [first, second], undefined, 6);
    if (degrees > 9) arrows[0].put([[0, 0], first], { along: around([1, 0], [[28, 0]]) });
    arc.put(Array.from({ length: 31 }, (_, i) => [0.22 * Math.cos(i * theta / 30), 0.22 * Math.sin(i * theta / 30)]), {
      width: 1,
      name: degrees < 40 ? "" : `${number(degrees, 0)}°`,
      along: [[0.5 * Math.cos(theta / 2), 0.44 * Math.sin(theta / 2)]],
    });
    const met = number(Number(second[0].toFixed(12)), 2);
    shadow.put([[0, 0], [second[0], 0]], {
      name: degrees < 10 ? "" : met,
      along: around([second[0] / 2, 0], [[0, -15]]),
    });
    write(meets, `key 1 · key 2 = cos\u00a0${number(degrees, 0)}°`);
    write(cosine, met);
    drop.put([second, [second[0], 0]]);
    const upright = degrees === 90;
    found ||= upright && beta === 1;
    const holds = found && beta === 1;
    right.put(holds ? [[0, 0.93], [0, 1.07]] : [], {
      width: 3,
      name: holds ? "✓ 90°" : "",
      along: around([0, 1], [[44, 8], [-44, 8], [44, -14], [-44, -14]]),
    });
    mark(aim, "data-met", holds);
    write(
      aim,
      holds
        ? upright
          ? "✓ 90°: adding is exact. Is correcting, at other angles?"
          : "✓ Correcting keeps key 2, the newest, exact. Key 1 pays."
        : upright
        ? "Nothing leaks. Now set β to 1."
        : "Find an angle where adding is exact.",
    );
    write(stays, "on top of what is there");
    write(taken, `key 2 reads k Z = ${number(tidy(beta * second[0]), 2)} v₁ before it writes`);
    keys.draw();
    const far = 1.35 * Math.max(1, beta);
    const low = -0.3 - beta; // one scale for both, which no turn changes
    known().forEach((read, kind) => {
      const { plane, rings, misses, arrows, table } = answers[kind];
      plane.frame([[narrow ? low - 0.2 : low, low], [far, far]]); // room for a name beside what points up
      read.forEach((to, i) => {
        const told = gap([WANTED[i], to], narrow);
        misses[i].put([WANTED[i], to], told);
        mark(rings[i].el, "data-hit", !told.name);
        const name = VALUES[i] + (told.name ? "" : " ✓");
        rings[i].put([WANTED[i]], { name, along: about(WANTED[i], WANTED[i].map((z) => z - 1), name.length, 11) });
      });
      put(
        arrows,
        read,
        WANTED,
        0,
        (name) => narrow ? name : `${name} read${name.endsWith("s") ? "" : "s"}`,
      );
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
  const order = note(
    "Key 1 writes v₁, then key 2 v₂. Orange: key 2’s shadow; how far each is off.",
  );
  const top = h(
    "div",
    { class: "attn-turned" },
    keys.el,
    h("div", {}, h("p", { class: "attn-cos" }, meets, cosine), controls, order, aim),
  );
  const more = h(
    "details",
    { class: "attn-more" },
    h("summary", {}, "The numbers"),
    h("div", { class: "attn-row attn-tight" }, answers.map(({ table }) => table.el)),
    origin.el,
  );
  return {
    parts: [h("style", {}, RULES), top, h("div", { class: "attn-two" }, answers.map(({ el }) => el)), more],
    draw,
    sentence,
    longest: () => sentence().replace(/^.*?:/, "Keys at 180°, β = 0.500:").replace(/−?[\d.]+(?=[,)])/g, "−0.643"),
  };
}
