// Write more and more pairs into one matrix: how many does it still give back?
import { figure, h, mark, note, number, percent, stepper, svg, write } from "../kit/kit.js";
import { chart, tone } from "../kit/curves.js";
import { field } from "../kit/boards.js";
import { matmul, transpose } from "../kit/linalg.js";

const RULES = ["adding", "correcting", "softmax"];
const TONES = ["query", "value", "key"];
const STEPS = [1, 2, 4, 8, 16, 32]; // between the ticks
const FEW = 4; // where the steps begin: the curves are the reader's to draw

const LOOKS = `.attn-filled svg text { stroke: none; }
.attn-asked { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr); gap: 4px 14px; font-size: 0.8rem; }
.attn-asked > * { grid-row: 2; }
.attn-asked > strong { grid-row: 1; text-align: center; }
.attn-asked > .attn-order { writing-mode: vertical-rl; margin-right: -6px; white-space: nowrap; color: var(--attn-soft); }
.attn-recalled { position: relative; width: 36px; height: 100%; place-self: stretch center; box-shadow: 0 0 0 1px var(--attn-line); }
.attn-recalled svg { position: absolute; width: 100%; height: 100%; }
.attn-beat, .attn-written { position: absolute; z-index: 1; box-sizing: border-box; outline: 2.5px solid var(--attn-text);
  pointer-events: none; }
.attn-written { inset: 0 auto auto 0; outline: 1px solid var(--attn-edge); }
@media (max-width: 700px) { .attn-asked { gap: 4px 9px; } }
@media (min-width: 700px) { .attn-filled svg text { font-size: 10px; } }`;

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint:
      "Write pair after pair into one matrix: press Next or drag in the chart. After each, every key is asked again. How long does it answer them all?",
    shape: ["K", "V", "answers", "size"],
    state: ["n"],
    build,
  });
}

// The shares of every rule up to the pairs written, a band around each where there are several draws
function shares({ answers, size: [[draws]], width, set }) {
  const total = answers.length;
  const xs = answers.map((_, i) => i + 1);
  const column = (k) => answers.map((line) => line[k]);
  const lines = RULES.map((name, k) => ({
    name,
    tone: TONES[k],
    xs,
    ys: column(k),
    ...(draws > 1 ? { lows: column(k + 3), highs: column(k + 6) } : {}),
  }));
  const inner = width > 1 && width < total ? [width] : []; // where the curves bend
  const step = STEPS.find((x) => total / x < 5);
  const ticks = [1, total, ...inner];
  for (let x = step; x < total; x += step) {
    if (ticks.every((other) => Math.abs(x - other) > 0.1 * total)) ticks.push(x);
  }
  const curves = chart({
    name: `How many keys are answered right, by the number of pairs, up to ${total}`,
    title: "",
    most: 1,
    span: [1, Math.max(2, total)],
    lines,
    levels: [[0, "0%"], [0.5, "50%"], [0.9, "90%"], [1, "100%"]],
    rules: inner,
    notes: inner.map((x) => [x + 0.27 * total * (2 * x < total ? 1 : -1), 0.05, `${x}, as wide as a key`]),
    ticks: ticks.map((x) => [x, String(x)]),
    onpick: (x) => set({ n: Math.round(Math.min(x, total)) }),
  });
  curves.el.style.maxWidth = "none";
  curves.el.classList.add("attn-filled");
  return curves;
}

// The draw shown, key by key: whose value does each of n keys read nearest to?   -> for each rule and key, the value
function nearest(K, V, n) {
  const [keys, values] = [K.slice(0, n), V.slice(0, n)];
  const Z = K[0].map(() => V[0].map(() => 0));
  keys.forEach((k, i) => {
    const [had] = matmul([k], Z);
    k.forEach((x, a) => Z[a].forEach((_, b) => (Z[a][b] += x * (values[i][b] - had[b]))));
  });
  const reads = [matmul(matmul(keys, transpose(keys)), values), matmul(keys, Z)];
  return reads.map((one) => matmul(one, transpose(values)).map((line) => line.indexOf(Math.max(...line))));
}

// One cell a key, from the first written down, and every cell keeps its place: full where the key is answered, pale where
// it no longer is. What comes blinks in, what is lost flashes and goes out.   draw([is key i answered?, …])
function strip(total, its) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const fill = tone(its);
  const cells = Array.from(
    { length: total },
    (_, y) => svg("rect", { y, width: 1, height: 1, opacity: 0, style: `fill: ${fill}` }),
  );
  const whole = { viewBox: `0 0 1 ${total}`, preserveAspectRatio: "none", "shape-rendering": "crispEdges" };
  const ring = h("span", { class: "attn-beat", hidden: true });
  const el = h("div", { class: "attn-recalled", "aria-hidden": "true" }, svg("svg", whole, cells), ring);
  const was = cells.map(() => 0);
  let begun = false;
  function draw(right) {
    cells.forEach((cell, i) => {
      const now = i >= right.length ? 0 : right[i] ? 1 : 0.15;
      if (now === was[i]) return;
      const from = was[i] < now
        ? [{ opacity: 0 }, { opacity: 1 }, { opacity: 0.15 }]
        : [{ opacity: 1, fill: "var(--attn-text)" }];
      cell.setAttribute("opacity", now);
      if (begun && now && !still) cell.animate([...from, { opacity: now }], now < was[i] ? 1400 : 600);
      was[i] = now;
    });
    begun = true;
  }
  return { el, ring, draw };
}

function build(get, set, redraw) {
  const [K, answers, size] = [get("K"), get("answers"), get("size")];
  const V = get("V") || [];
  const [[draws, width]] = size;
  const [total, d] = [K.length, K[0].length];
  const begin = get("n");
  const few = Math.min(begin, FEW);
  let reached = begin; // what the reader has found out stays, pale
  const steps = stepper({
    last: total - few,
    pace: 250,
    onstep: (to) => set({ n: few + to }),
    onreset: () => {
      reached = begin;
      set({ n: begin });
      redraw();
    },
  });
  const map = field({ name: "K Kᵀ", size: [total, total], kind: "signed", still: true });
  const overlap = matmul(K, transpose(K));
  const curves = shares({ answers, size, width: d, set });
  map.el.style.cssText += "; max-height: none; grid-column: -2";
  const origin = h("p", { class: "attn-origin" }, "Point at the curves, a strip or the square.");
  const live = () => origin.closest(".attn-live");
  const tell = (told) => {
    mark(live(), "data-tracing", told);
    if (told) write(origin, told);
  };
  const all = (n) => RULES.map((rule, k) => `${rule} ${percent(answers[n - 1][k])}`).join(", ");
  const leave = () => {
    curves.guide();
    tell("");
  };
  curves.el.addEventListener("pointermove", (event) => {
    const n = Math.round(Math.min(curves.under(event), total));
    if (event.buttons || n > reached) return leave(); // what is not yet written is not told
    curves.guide(n);
    tell(`With ${n} ${n === 1 ? "pair" : "pairs"}: ${all(n)} of the keys right.`);
  });
  curves.el.addEventListener("pointerleave", leave);

  const own = V.length ? TONES.slice(0, 2).map((its) => strip(total, its)) : [];
  const written = h("span", { class: "attn-written" });
  const ring = h("span", { class: "attn-beat", hidden: true });
  map.el.append(written, ring);
  let answered = [];
  // Frame cells of a picture, from row to row and column to column
  const circle = (node, [top, low], [left, right] = [0, total]) => {
    const sides = { top, left, height: low - top, width: right - left };
    for (const [side, cells] of Object.entries(sides)) node.style[side] = `${100 * cells / total}%`;
    node.hidden = false;
  };
  const rings = [ring, ...own.map((one) => one.ring)];
  // How far the other keys, or those written later, lean on key i: the length of what leaks into its answer, where values
  // of length 1 are at right angles
  const leaning = (i, from, n) => Math.hypot(...overlap[i].slice(from, n).map((x, j) => (from + j === i ? 0 : x)));
  const leaks = [
    (i, n) => `all other keys lean on it by ${number(leaning(i, 0, n))}`,
    (i, n) => `those written later lean on it by ${number(leaning(i, i + 1, n))}`,
  ];
  function pointed(el, show) {
    const away = () => {
      for (const one of rings) one.hidden = true;
      tell("");
    };
    const look = (event) => {
      const { top, left, height, width } = el.getBoundingClientRect();
      const at = [(event.clientY - top) / height, (event.clientX - left) / width];
      const [i, j] = at.map((share) => Math.max(Math.floor(share * total), 0));
      away();
      tell(show(i, j, get("n")));
    };
    for (const kind of ["pointerdown", "pointermove"]) el.addEventListener(kind, look); // a finger does not hover
    el.addEventListener("pointerleave", away);
  }
  own.forEach((one, k) =>
    pointed(one.el, (i, _, n) => {
      if (i >= n) return "Nothing is written here yet.";
      const j = answered[k][i];
      circle(ring, [i, i + 1], [0, n]);
      circle(one.ring, [i, i + 1]);
      return `${RULES[k]}: key ${i} is answered ${i === j ? "right" : `with value ${j}`}; ${leaks[k](i, n)}.`;
    })
  );
  pointed(map.el, (i, j, n) => {
    if (Math.max(i, j) >= n) return "Nothing is written here yet.";
    circle(ring, [i, i + 1], [j, j + 1]);
    return `k${i} · k${j} = ${number(overlap[i][j])}${i === j ? ", a key with itself" : ""}.`;
  });
  function draw() {
    const n = get("n");
    reached = Math.max(reached, n);
    const now = answers[n - 1].slice(0, 3);
    curves.draw(n, now, now.map(percent), reached);
    steps.draw(n - few, `${n} of ${total} written`);
    map.draw(overlap.map((line, i) => line.map((x, j) => (Math.max(i, j) < n ? x : 0))), { full: 1 });
    circle(written, [0, n], [0, n]);
    if (V.length) answered = nearest(K, V, n);
    own.forEach((one, k) => one.draw(answered[k].map((j, i) => j === i)));
  }
  function sentence() {
    const n = get("n");
    const told = RULES.map((rule, k) => `${rule} answers ${percent(answers[n - 1][k])}`).join(", ");
    const mean = draws > 1 ? `, in the mean of ${draws} draws` : "";
    return `${n} pairs written into a matrix of ${d} × ${width}: ${told} of its keys right${mean}.`;
  }
  const title = note(
    `keys answered right${draws > 1 ? `: mean of ${draws} draws; band: middle 8 in 10` : ""}`,
  );
  const told = note(
    `${
      V.length ? "Strips: one cell a key of one draw, pale where its answer is wrong. " : ""
    }${"K Kᵀ: off its diagonal, how far the keys lean on one another."}`,
  );
  const beside = V.length
    ? [
      h("strong", { style: "grid-column: 4; font-weight: 400" }, "K Kᵀ"),
      ...RULES.slice(0, 2).map((rule, k) =>
        h("strong", { style: `grid-column: ${k + 2}; color: ${tone(TONES[k])}` }, rule)
      ),
      h("span", { class: "attn-order" }, "first written → last"),
      ...own.map((one) => one.el),
    ]
    : [];
  const picture = h(
    "div",
    { style: "flex: 1 1 min(24rem, 100%); max-width: 26rem" },
    h("div", { class: "attn-asked" }, beside, map.el),
  );
  return {
    parts: [
      h("style", {}, LOOKS),
      steps.el,
      h(
        "div",
        { class: "attn-row", style: "align-items: start" },
        h("div", { style: "flex: 1 1 20rem; min-width: 0" }, title, curves.el, told),
        picture,
      ),
      origin,
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/[\d.]+%/g, "99.9%").replace(/^\d+/, total),
    stop: steps.stop,
  };
}
