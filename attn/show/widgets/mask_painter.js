// Paint who may attend to whom, and see what follows: the weights, who hears of whom in how many layers, the cost.
import {
  bars,
  chips,
  figure,
  h,
  mark,
  note,
  number,
  percent,
  provenance,
  quoted,
  row,
  rowOf,
  slider,
  write,
} from "../kit/kit.js";
import { board, paintable } from "../kit/boards.js";
import { masked, softmaxRow } from "../kit/linalg.js";
import { pattern } from "../kit/presets.js";
import { grouped } from "../kit/sizes.js";

const STARTS = ["causal", "window", "prefix", "blocks", "documents", "none"];
const SIZES = { window: "window", prefix: "prefix", blocks: "block" }; // what its slider sets
const told = (x) => number(x, 2).replace(/^0\./, "."); // a weight in a narrow cell
const far = (nearness) => (nearness ? String(Math.round(1 / nearness)) : "–");

// What a reader can bring about. looks: in how many layers a query hears of a key, Infinity for never.
const GOALS = [
  ["The last word hears of the first in two looks, but not in one.", ({ looks, n }) => looks[n - 1][0] === 2],
  ["A word that sees nothing.", ({ painted }) => painted.some((line) => !line.some(Boolean))],
  [
    "Nobody sees the future, everybody hears of all before in two looks, with at most two thirds of the causal pairs.",
    ({ painted, looks, n, pairs }) =>
      n > 7 && painted.every((line, i) => line.every((x, j) => j <= i || !x)) && 3 * pairs <= n * (n + 1) &&
      looks.every((line, i) => line.every((x, j) => j > i || x <= 2)),
  ],
];

export function render(host) {
  return figure(host, {
    title: "Paint a mask.",
    hint: "Click or drag over cells: what is left, and who still hears of whom?",
    shape: ["tokens"],
    state: ["painted", "scores", "window", "d", "row", "col"],
    build,
  });
}

// Shortest ways over allowed pairs: a word keeps what it knows, and hears what those know at whom it looks.
function shortest(painted) {
  return painted.map((_, from) => {
    const looks = painted.map((_, j) => (j === from ? 0 : Infinity));
    for (let front = [from], step = 1; front.length; step++) {
      const met = looks.map((x, j) => x === Infinity && front.some((i) => painted[i][j]) ? j : -1).filter((j) =>
        j >= 0
      );
      for (const j of met) looks[j] = step;
      front = met;
    }
    return looks;
  });
}

function build(get, set) {
  const tokens = get("tokens");
  const n = tokens.length;
  const start = { painted: get("painted"), window: get("window"), row: get("row"), col: get("col") };
  const done = new Set();
  let prefix = 2;
  let chosen = null; // the pattern asked for last: on a small mask several look alike
  let now = null;
  const sizeOf = (name) => (name === "prefix" ? prefix : get("window"));
  const make = (name, size = sizeOf(name)) => {
    chosen = name;
    if (name === "prefix") prefix = size;
    set({ painted: pattern(name, n, size, size), ...(name === "prefix" || !SIZES[name] ? {} : { window: size }) });
  };
  const alike = (a) => a.every((line, i) => line.every((x, j) => x === Number(Boolean(get("painted")[i][j]))));
  const mode = () =>
    [chosen, ...STARTS].find((name) => name && alike(pattern(name, n, sizeOf(name), sizeOf(name)))) || null;
  const pick = (row, col) => set({ row, col });
  const paint = (row, col) =>
    set({
      row,
      col,
      painted: get("painted").map((line, i) => line.map((x, j) => (i === row && j === col ? 1 - x : x))),
    });
  const square = { rows: tokens, cols: tokens, size: [n, n], kind: "weight", onpick: pick };
  const mask = board({ ...square, name: "1 may attend, 0 may not", onact: paint });
  const weights = board({ ...square, name: "A, the weights left", tell: told });
  const heard = board({ ...square, name: "looks until heard of (– never, · self)", tell: far });
  paintable(mask.el, n, (cells, allow) => {
    const painted = get("painted").map((line) => [...line]);
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    const [row, col] = cells[cells.length - 1];
    set({ row, col, painted });
  });
  const presets = chips({
    names: STARTS.map((name) => (name === "none" ? "all pairs" : name)),
    title: "Start from",
    onpick: (k) => make(STARTS[k]),
  });
  const sliders = Object.fromEntries(
    Object.entries(SIZES).map(([name, title]) => [
      name,
      slider({ title, min: 1, max: n, step: 1, tell: String, oninput: (size) => make(name, size) }),
    ]),
  );
  const meter = bars({ names: ["as painted", "causal", "all pairs"], title: "Multiply–adds" });
  const own = h("span", {}, "your own");
  function again() {
    [prefix, chosen] = [2, null];
    set(start);
  }
  const goals = GOALS.map(([ask]) => {
    const tick = h("span", { class: "attn-tick" });
    return { tick, el: h("li", {}, tick, ` ${ask}`) };
  });
  const origin = mask.cells && provenance([[weights, madeOf], [heard, byWay]]);
  function madeOf(i, j) {
    const line = now.painted[i];
    const x = get("scores")[i];
    const key = (k) => [mask, [i, k]];
    if (!line[j]) return { told: `0: ${quoted(tokens[i])} may not look at ${quoted(tokens[j])}`, from: [key(j)] };
    const seen = tokens.map((_, k) => k).filter((k) => line[k]);
    const terms = seen.slice(0, 6).map((k) => `e^${number(x[k])}`).join(" + ") + (seen.length > 6 ? " + …" : "");
    return { told: `${number(now.A[i][j])} = e^${number(x[j])} / (${terms})`, from: seen.map(key) };
  }
  function byWay(i, j) {
    const [query, key] = [quoted(tokens[i]), quoted(tokens[j])];
    const looks = now.looks[i][j];
    if (!looks) return { told: `${query} knows itself: a word keeps what it has`, from: [[mask, [i, j]]] };
    if (looks === Infinity) return { told: `No way leads from ${query} to ${key}`, from: rowOf(mask, i) };
    const way = [i];
    while (way[way.length - 1] !== j) {
      const at = way[way.length - 1];
      way.push(tokens.findIndex((_, k) => now.painted[at][k] && now.looks[k][j] === now.looks[at][j] - 1));
    }
    return {
      told: `${looks} ${looks > 1 ? "looks" : "look"}: ${way.map((k) => quoted(tokens[k])).join(" → ")}`,
      from: way.slice(1).map((k, step) => [mask, [way[step], k]]),
    };
  }

  function draw() {
    const painted = get("painted");
    const looks = shortest(painted);
    const pairs = painted.flat().filter(Boolean).length;
    now = {
      painted,
      looks,
      n,
      pairs,
      A: masked(get("scores"), painted.map((line) => line.map(Boolean))).map(softmaxRow),
    };
    const at = { row: get("row"), col: get("col"), pick: [get("row"), get("col")] };
    mask.draw(painted, at);
    weights.draw(now.A, at);
    heard.draw(looks.map((line) => line.map((x) => 1 / Math.max(x, 1))), { ...at, hidden: (i, j) => i === j });
    const on = mode();
    presets.draw(STARTS.indexOf(on));
    own.style.visibility = on === null ? "" : "hidden";
    for (const [name, one] of Object.entries(sliders)) {
      one.el.hidden = name !== on;
      one.draw(sizeOf(name));
    }
    meter.draw([pairs, (n * (n + 1)) / 2, n * n].map((count) => 2 * get("d") * count), { tell: grouped });
    GOALS.forEach(([, reached], k) => {
      if (painted !== start.painted && reached(now)) done.add(k);
      write(goals[k].tick, done.has(k) ? "✓ done:" : "○");
      mark(goals[k].el, "data-solved", done.has(k));
    });
    if (origin) origin.draw();
  }
  function chosenPair() {
    const [i, j] = [get("row"), get("col")];
    const share = `${quoted(tokens[i])} gives ${quoted(tokens[j])} ${percent(now.A[i][j])} of its attention`;
    const looks = now.looks[i][j];
    if (i === j) return `${share}.`;
    const often = looks === 1 ? "1 look" : `${looks} looks`;
    return `${share} and ${looks === Infinity ? "never hears" : "hears in " + often} of it.`;
  }
  function sentence() {
    const each = 2 * get("d");
    const cost = `${now.pairs} of ${n * n} pairs (${percent(now.pairs / n ** 2)}): ${
      grouped(each * now.pairs)
    } multiply–adds instead of ${grouped(each * n * n)}, if the kernel skips the rest.`;
    const empty = tokens.filter((_, i) => !now.painted[i].some(Boolean)).map(quoted);
    const more = empty.length > 6 ? ` and ${empty.length - 6} more` : "";
    const seen = empty.length
      ? `Nothing to see for ${empty.slice(0, 6).join(", ")}${more}: weights 0, output 0.`
      : "Every query sees a key.";
    return `${chosenPair()} ${cost} ${seen}`;
  }
  // On a phone one of the three stands there, in one place
  const trio = h(
    "div",
    { class: "attn-trio attn-shared", "data-show": "0", style: `--n:${n}` },
    mask.el,
    weights.el,
    heard.el,
  );
  const shown = chips({ names: ["mask", "weights", "looks"], title: "Show", onpick: show });
  shown.el.classList.add("attn-switch");
  function show(k) {
    trio.dataset.show = k;
    shown.draw(k);
  }
  show(0);
  const sizes = row(
    h("button", { type: "button", onclick: again }, "↺ Start again"),
    own,
    h("div", { class: "attn-sliders", style: "min-height: 2.4rem" }, Object.values(sliders).map((one) => one.el)),
  );
  const costs = h("div", { class: "attn-box" }, note(`Multiply–adds of one head of width ${get("d")}:`), meter.el);
  const tasks = h("ul", { class: "attn-goals", role: "list" }, goals.map(({ el }) => el));
  return {
    parts: [
      presets.el,
      sizes,
      h("div", { class: "attn-ground" }, shown.el, trio),
      ...(origin ? [origin.el] : []),
      h("div", { class: "attn-duo" }, tasks, costs),
    ],
    draw,
    sentence,
  };
}
