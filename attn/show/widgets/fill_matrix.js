// Write more and more pairs into one matrix: how many does it still give back?
import {
  calm,
  factor,
  figure,
  h,
  largest,
  legend,
  mark,
  note,
  number,
  percent,
  stepper,
  svg,
  write,
} from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { matmul, transpose } from "../kit/linalg.js";

const RULES = ["adding", "correcting", "softmax"];
const KEPT = [0, 1]; // the two that keep a matrix
const STEPS = [1, 2, 4, 8, 16, 32]; // between the ticks
const PACE = 110; // milliseconds to a pair, when they write themselves
const GOOD = 0.9; // what a reader guesses: from where on a rule stays below it
const PARKED = [0.42, 0.7]; // where the guesses wait, as shares of the axis
const ROOT = { name: "", still: true, bend: Math.sqrt }; // small numbers are seen too
const still = calm();
// A rule's colour means nothing else: a matrix has orange and purple, an answer black and grey
const INKS = [
  "var(--attn-accent)",
  "color-mix(in srgb, hsl(338 90% 46%) 58%, var(--attn-text))",
  "var(--attn-soft)",
];
const inked = (k) => `--ink: ${INKS[k]}`;

const LOOKS = `.attn-filled { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 5px 0.5rem;
  align-items: center; margin: 0.2rem 0 2rem; font-size: 0.9rem; }
.attn-filled > * { grid-column: 2; }
.attn-filled > .attn-rule { grid-column: 1; }
.attn-live .attn-filled > p { margin: 0.2rem 0 0; }
.attn-live .attn-filled > p { grid-column: 1 / -1; }
.attn-filled > .attn-rule { line-height: 1.1; }
.attn-rule { color: var(--ink); font-weight: 700; }
.attn-shares { display: flex; flex-wrap: wrap; gap: 0 1.1em; font-size: 18px; }
.attn-asked, .attn-recall { position: relative; height: 40px; border-bottom: 1px solid var(--attn-line); }
.attn-recall { height: 265px; margin-top: 6px; border: 0; cursor: pointer; touch-action: pan-y; user-select: none; }
.attn-live .attn-filled svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.attn-asked rect { fill: var(--attn-text); }
.attn-filled :is(line, path) { fill: none; stroke: var(--attn-line); vector-effect: non-scaling-stroke; }
.attn-live .attn-recall .attn-curve { stroke: var(--ink); stroke-width: 3px; }
.attn-live .attn-recall .attn-now { stroke: var(--attn-text); stroke-dasharray: 3 3; }
.attn-recall polygon { fill: var(--ink); opacity: 0.13; }
.attn-filled .attn-wide { stroke: var(--attn-soft); stroke-dasharray: 4 4; }
.attn-at { position: absolute; translate: -50% -50%; white-space: nowrap; color: var(--attn-soft); font-size: 13px;
  line-height: 1; pointer-events: none; }
.attn-at[data-up] { left: -0.5rem; translate: -100% -50%; }
.attn-at[data-right] { translate: 5px -50%; }
.attn-end { position: absolute; width: var(--size); height: var(--size); translate: -50% -50%; box-sizing: border-box;
  border: 1px solid var(--attn-paper); border-radius: 50%; background: var(--ink); pointer-events: none; }
.attn-live .attn-filled button { position: absolute; z-index: 2; top: 10%; width: 30px; height: 30px; min-height: 0;
  padding: 0; translate: -50% -50%; overflow: visible; border: 0; border-radius: 50%; background: none;
  cursor: ew-resize; touch-action: none; }
.attn-filled button::before { content: "↔"; position: absolute; inset: 3px; border: 2.5px dashed var(--ink);
  border-radius: 50%; background: var(--attn-paper); color: var(--ink); font-size: 13px; line-height: 18px; }
.attn-filled button[data-set]::before { border-style: solid; }
.attn-filled button span { position: absolute; left: 50%; bottom: 28px; translate: -50%; padding: 0 2px;
  background: var(--attn-paper); color: var(--ink); font-size: 13px; font-weight: 700; line-height: 1.1; white-space: nowrap; }
.attn-filled button + button span { inset: 29px auto auto 50%; }
.attn-live .attn-recall .attn-off { stroke: var(--ink); stroke-width: 4px; opacity: 0.5; }
.attn-goals.attn-verdict { position: absolute; z-index: 1; inset: 27.5% 2px auto auto; max-width: 62%; padding: 1px 6px;
  background: var(--attn-paper); color: var(--attn-text); font-size: 14px; line-height: 1.25; white-space: pre-line;
  text-align: right; text-wrap: balance; pointer-events: none; }
.attn-verdict:empty { display: none; }
.attn-skip { order: 1; }
.attn-reason { display: grid; }
.attn-reason > * { grid-area: 1 / 1; }
.attn-reason > :not([data-told]) { visibility: hidden; }
.attn-sumup { display: flex; flex-flow: row wrap; gap: 0.6rem 2.5rem; margin-top: 0.4rem; font-size: 0.88rem; }
.attn-into sup { font-size: 0.7em; }
.attn-into { flex: 1 1 0; min-width: 0; }
.attn-live .attn-sumup > .attn-legend { flex: 1 0 100%; }
.attn-into > div:last-child { display: grid; grid-template-columns: 3fr auto 5fr auto 8fr; gap: 2px 6px; align-items: center;
  margin-top: 4px; }
.attn-into small { grid-row: 2; color: var(--attn-soft); font-size: 12px; line-height: 1.2; text-align: center; white-space: nowrap;
  justify-self: center; width: 0; display: flex; justify-content: center; font-variant-numeric: tabular-nums; }
.attn-fall { position: absolute; inset: 0; width: 100%; height: 100%; transform-origin: 0 0; pointer-events: none; image-rendering: pixelated; }
.attn-live .attn-into .attn-field:has(.attn-fall) { overflow: visible; }
.attn-into .attn-sign { margin: 0; align-self: center; font-size: 1em; }
.attn-layer-of { display: grid; grid-template-columns: 7px minmax(0, 1fr); gap: 2px; margin-bottom: 9px; }
.attn-layer-of > * { grid-column: 2; }
.attn-live .attn-into .attn-field { min-height: 0; max-height: none; width: 100%; border: 0;
  box-shadow: 0 0 0 1px var(--attn-line); }
.attn-live .attn-into .attn-layer-of > :is(.attn-k, .attn-v) { aspect-ratio: auto; height: 7px; cursor: default; }
.attn-live .attn-into .attn-layer-of > .attn-k { grid-area: 2 / 1; height: auto; }
.attn-k canvas { position: absolute; inset: 0; }
.attn-beat { position: absolute; z-index: 2; box-sizing: border-box; outline: 2px solid var(--attn-text);
  pointer-events: none; }
.attn-beat[data-other] { outline-style: dotted; }
@media (max-width: 700px) {
  .attn-filled { grid-template-columns: 2rem minmax(0, 1fr); row-gap: 3px; }
  .attn-filled > .attn-rule { grid-column: 2; }
  .attn-asked { height: 26px; }
  .attn-recall { height: 182px; }
  .attn-goals.attn-verdict { top: 30%; right: 0; max-width: 70%; padding: 0 0 0 2px; font-size: 12px; }
  .attn-filled > .attn-shares { grid-column: 1 / -1; justify-content: space-between; gap: 0 0.5em; font-size: 0.94em; }
  .attn-into > div:first-child > span { display: block; }
  .attn-sumup { gap: 0.6rem 1rem; }
  .attn-into small:first-of-type { display: none; }
  .attn-into > div:last-child { gap: 2px 3px; }
}
@media (max-width: 480px) {
  .attn-filled > .attn-shares { font-size: 12.5px; letter-spacing: -0.03em; gap: 0; }
  .attn-skip { order: 0; }
  .attn-skip > span { display: none; }
}
@media (forced-colors: active) {
  .attn-asked, .attn-recall { background: var(--attn-paper); forced-color-adjust: none; }
}`;

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint: "How many pairs does one matrix give back? Guess, then fill it.",
    shape: ["K", "V", "answers", "size"],
    state: ["n"],
    build,
  });
}

const WHAT =
  "Each step writes one more pair of a key and a value into the same matrix. Then every key so far is asked: " +
  "it is right if its answer is nearest to its own value.";
const WHY = "Why correcting fails first: it puts the newest key right by taking from older keys that resemble it. " +
  "With two pairs of unit keys and values, the first is lost where the keys’ product is above 0.618; adding loses neither.";
const transposed = (letter) => [letter, h("sup", {}, "T")];
// What each rule lays on its matrix
const LAID = [
  () => [...transposed("k"), "v"],
  () => [...transposed("k"), "(v − kZ)"],
];
const nth = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][n % 10] || "th"}`;

// The draw shown, after each pair: the matrix, and the row that its key was multiplied with.   -> [{ Z, row }, …]
function fill(K, V, corrects) {
  let Z = K[0].map(() => V[0].map(() => 0));
  return K.map((k, i) => {
    const [had] = matmul([k], Z);
    const row = V[i].map((x, b) => x - corrects * had[b]);
    Z = Z.map((line, a) => line.map((x, b) => x + k[a] * row[b]));
    return { Z, row };
  });
}

// Frame one cell of a picture of n × m cells
function circle(ring, [n, m], i, j) {
  const sides = { top: i / n, left: j / m, height: 1 / n, width: 1 / m };
  for (const [side, share] of Object.entries(sides)) ring.style[side] = `${100 * share}%`;
  ring.hidden = false;
}

const frame = () => h("span", { class: "attn-beat", hidden: true });
const upright = (x, kind) => svg("line", { x1: x, x2: x, y1: 0, y2: 100, class: kind });
const stretched = (total, ...children) =>
  svg("svg", { viewBox: `0 0 ${total} 100`, preserveAspectRatio: "none" }, ...children);

// Every key has a cell, the oldest left: black where it is answered, a grey stub where it is not. What comes fades in, what
// is lost fades.   draw([is key i answered?, …])
function book(total, width) {
  const cells = Array.from({ length: total }, (_, i) => svg("rect", { x: i + 0.09, width: 0.82, y: 0, opacity: 0 }));
  const rings = [frame(), frame()];
  rings[1].setAttribute("data-other", "");
  const line = width < total ? [upright(width, "attn-wide")] : [];
  const el = h("div", { class: "attn-asked", "aria-hidden": "true" }, stretched(total, ...cells, ...line), rings);
  const was = cells.map(() => 0);
  let begun = false;
  function draw(right) {
    cells.forEach((cell, i) => {
      const now = i >= right.length ? 0 : right[i] ? 1 : 0.25;
      if (now === was[i]) return;
      const high = now < 1 ? 35 : 100;
      for (const [name, x] of [["opacity", now], ["y", 100 - high], ["height", high]]) cell.setAttribute(name, x);
      if (begun && now && !still) cell.animate([{ opacity: was[i] }, { opacity: now }], now < was[i] ? 1400 : 600);
      was[i] = now;
    });
    begun = true;
  }
  return { el, draw, rings };
}

// The shares of every rule up to the pairs written, a band around each where there are several draws; above them the
// reader's guesses, on the line they are about.   draw(n, reached): up to n, and pale up to `reached`
function chart({ answers, size: [[draws]], width, set, onguess }) {
  const total = answers.length;
  const at = (n) => `${100 * (n - 0.5) / total}%`;
  const high = (share) => (100 * (1 - share)).toFixed(2);
  const point = (n, k) => `${n - 0.5} ${high(answers[n - 1][k])}`;
  const upto = (to, k) => Array.from({ length: to }, (_, i) => point(i + 1, k));
  const kinds = RULES.map((_, k) => ({ style: inked(k) }));
  const bands = draws > 1 ? kinds.map((kind) => svg("polygon", kind)) : [];
  const [curves, ghosts] = ["1", "0.3"].map((opacity) =>
    kinds.map((kind) => svg("path", { ...kind, class: "attn-curve", opacity }))
  );
  const offs = KEPT.map((k) => svg("path", { ...kinds[k], class: "attn-off" }));
  const now = upright(0, "attn-now");
  const guide = upright(0, "attn-guide");
  const levels = [0, 0.5, GOOD, 1];
  const picture = stretched(
    total,
    ...levels.map((share) => svg("line", { x1: 0, x2: total, y1: high(share), y2: high(share) })),
    ...(width < total ? [upright(width, "attn-wide")] : []),
    ...bands,
    ...ghosts,
    ...curves,
    ...offs,
    guide,
    now,
  );
  for (
    const [name, x] of [["role", "img"], [
      "aria-label",
      `How many keys are answered right, by the number of pairs, up to ${total}`,
    ]]
  ) {
    picture.setAttribute(name, x);
  }
  const inner = width > 1 && width < total ? [width] : []; // where the curves bend
  const step = STEPS.find((x) => total / x < 5);
  const ticks = [1, total, ...inner];
  for (let x = step; x < total; x += step) {
    if (ticks.every((other) => Math.abs(x - other) > 0.1 * total)) ticks.push(x);
  }
  const word = (told, style, kind = {}) => h("span", { class: "attn-at", "aria-hidden": "true", style, ...kind }, told);
  const ends = [2, 0, 1].map((k, i) =>
    h("span", { class: "attn-end", style: `${inked(k)}; --size: ${15 - 4 * i}px`, "data-k": k })
  );
  const verdict = h("div", { class: "attn-goals attn-verdict" });
  // from which number of pairs on a rule stays below the line: one more than the last that is not
  const truth = KEPT.map((k) => 1 + answers.findLastIndex((line) => line[k] >= GOOD) + 1);
  const guesses = KEPT.map((k) => guess(k, Math.round(PARKED[k] * total)));
  const plot = h(
    "div",
    { class: "attn-recall" },
    picture,
    levels.map((share) => word(percent(share), `top: ${high(share)}%`, { "data-up": "" })),
    ticks.map((x) => word(String(x), `left: ${at(x)}; top: calc(100% + 13px)`)),
    inner.map((x) =>
      word("as wide as a key", `left: ${100 * x / total}%; top: calc(100% - 10px)`, { "data-right": "" })
    ),
    ends,
    verdict,
    guesses.map((one) => one.el),
  );
  const under = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    return Math.min(Math.max(Math.ceil((clientX - left) / width * total), 1), total);
  };
  const stand = (line, n) => ["x1", "x2"].forEach((name) => line.setAttribute(name, n - 0.5));
  let reached = 1;
  let judged = 0; // how many guesses are answered
  let skipped = false;
  const open = () => KEPT.filter((k) => guesses[k].at() === null && !guesses[k].el.hidden);
  // A ring on the line: dragged, or moved by keys, it is the reader's guess
  function guess(k, parked) {
    let given = null;
    const el = h("button", {
      type: "button",
      role: "slider",
      style: inked(k),
      "aria-valuemin": 1,
      "aria-valuemax": total,
    });
    const name = h("span");
    el.append(name);
    el.setAttribute("aria-label", `Your guess: from how many pairs on ${RULES[k]} stays below ${percent(GOOD)}`);
    const put = (to) => {
      given = to;
      const shown = given ?? parked;
      el.style.left = at(shown);
      el.setAttribute("aria-valuenow", shown);
      mark(el, "data-set", given !== null);
      write(name, given === null ? `${RULES[k]}?` : RULES[k]);
    };
    const go = (to) => {
      put(Math.min(Math.max(to, 1), total));
      judge();
      onguess();
    };
    el.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      el.setPointerCapture(event.pointerId);
    });
    el.addEventListener("pointermove", (event) => {
      event.stopPropagation();
      if (event.buttons & 1) go(under(event));
    });
    el.addEventListener("keydown", (event) => {
      const from = given ?? parked;
      const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 1, End: total }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    });
    put(null);
    return { el, put, at: () => given };
  }
  // What came of a guess is told once the curve has been there
  function judge() {
    const told = KEPT.map((k) => {
      const [given, known] = [guesses[k].at(), reached >= Math.min(truth[k], total)];
      guesses[k].el.hidden = (known || skipped) && given === null;
      const path = known && given !== null && truth[k] <= total;
      offs[k].setAttribute("d", path ? `M${truth[k] - 0.5} ${9 + 2 * k}H${given - 0.5}` : "");
      if (!known || given === null) return "";
      const close = Math.abs(given - truth[k]) < 3 ? " ✓" : "";
      return `${RULES[k]} ${truth[k] > total ? "never here" : `from ${truth[k]} pairs`}, guess ${given}${close}`;
    });
    const left = open();
    const ring = left.length > 1 ? "each ring to where its rule" : `the ring to where ${RULES[left[0]]}`;
    const ask = left.length
      ? `Guess first: drag ${ring} falls below ${percent(GOOD)} for good.`
      : KEPT.some((k) => guesses[k].at() !== null)
      ? "Guessed. Now fill it: is it so?"
      : "";
    const lines = told.filter(Boolean);
    write(verdict, lines.length ? [`below ${percent(GOOD)} for good:`, ...lines].join("\n") : ask);
    // What a guess was worth comes forward, with its ring
    if (lines.length > judged && !still) {
      verdict.animate([{ opacity: 0, scale: 0.9 }, { opacity: 1, scale: 1 }], { duration: 500, easing: "ease-out" });
      told.forEach((one, k) => one && guesses[k].el.animate([{ scale: 1 }, { scale: 1.5 }, { scale: 1 }], 600));
    }
    judged = lines.length;
  }
  function draw(n, to) {
    reached = to;
    stand(now, n);
    RULES.forEach((_, k) => {
      curves[k].setAttribute("d", `M${upto(n, k).join("L")}`);
      ghosts[k].setAttribute("d", to > n ? `M${upto(to, k).join("L")}` : "");
      bands[k]?.setAttribute("points", [...upto(n, k + 3), ...upto(n, k + 6).reverse()].join(" "));
    });
    for (const end of ends) end.style.cssText += `; left: ${at(n)}; top: ${high(answers[n - 1][end.dataset.k])}%`;
    judge();
  }
  // Until it is guessed or skipped, nothing is written that would tell
  const go = (event) => set({ n: Math.min(under(event), open().length ? reached : total) });
  plot.addEventListener("pointerdown", go);
  plot.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  // Both have been seen to fail, and correcting first
  const failed = () => truth[1] < truth[0] && reached >= Math.min(truth[0], total);
  const show = (n) => {
    guide.style.display = n ? "" : "none";
    stand(guide, n);
  };
  show(0);
  const skip = (so) => {
    skipped = so;
    judge();
  };
  const forget = () => {
    for (const one of guesses) one.put(null);
    skip(false);
  };
  // The rings that wait for a guess draw the eye
  const beckon = () => open().forEach((k) => still || guesses[k].el.animate([{}, { scale: 1.6 }, {}], 600));
  return { el: plot, draw, under, failed, guide: show, forget, skip, beckon, waits: () => open().length > 0 };
}

function build(get, set, redraw) {
  const [K, V, answers] = [get("K"), get("V"), get("answers")];
  const [[draws, width]] = get("size");
  const [total, d] = [K.length, K[0].length];
  const begin = get("n");
  let reached = begin; // what the reader has found out stays, pale
  let shown = null;
  const curves = chart({ answers, size: get("size"), width: d, set, onguess: () => lock(get("n")) });
  const steps = stepper({
    last: total - 1,
    pace: PACE,
    onstep: (to) => set({ n: 1 + to }),
    onreset: () => {
      reached = begin;
      curves.forget();
      set({ n: begin });
      redraw();
    },
  });
  const skip = h("button", { type: "button", class: "attn-quiet attn-skip" }, "Skip", h("span", {}, " the guess"));
  skip.setAttribute("aria-label", "Skip the guess");
  skip.addEventListener("click", () => {
    curves.skip(true);
    lock(get("n"));
    steps.el.children[1].focus();
  });
  // No step tells the answer before the guess: what goes on waits, and shows for what
  const onwards = ["Next", "Play"].map((name) => steps.el.querySelector(`[aria-label=${name}]`)).filter(Boolean);
  onwards[onwards.length - 1].after(skip);
  function lock(n) {
    const waits = curves.waits();
    for (const one of onwards) {
      one.setAttribute("aria-disabled", String(waits || n === total && one === onwards[0]));
      one.title = waits ? "Guess first, or skip the guess" : one.getAttribute("aria-label");
    }
    skip.style.visibility = waits ? "" : "hidden";
  }
  const held = (event, so) => {
    if (!so || !curves.waits()) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    curves.beckon();
  };
  steps.el.addEventListener("click", (event) => held(event, onwards.some((one) => one.contains(event.target))), true);
  steps.el.addEventListener("keydown", (event) => held(event, ["ArrowRight", "End"].includes(event.key)), true);
  const origin = h("p", { class: "attn-origin" }, "Point at the curves, a matrix or a key.");
  const tell = (told) => {
    mark(origin.closest(".attn-live"), "data-tracing", told);
    if (told) write(origin, told);
  };
  const all = (n) => RULES.map((rule, k) => `${rule} ${percent(answers[n - 1][k])}`).join(", ");
  const leave = () => {
    curves.guide(0);
    tell("");
  };
  curves.el.addEventListener("pointermove", (event) => {
    const n = curves.under(event);
    if (event.buttons || n > reached) return leave(); // what is not yet written is not told
    curves.guide(n);
    tell(`With ${n} ${n === 1 ? "pair" : "pairs"}: ${all(n)} of the keys right.`);
  });
  curves.el.addEventListener("pointerleave", leave);

  // Each rule has its keys, and its matrix before the last pair, the layer it brought, and the matrix after it
  const both = KEPT.map((k) => {
    const after = fill(K, V, k);
    const size = [d, width];
    const sizes = [size, [d, 1], [1, width], size, size];
    const fields = sizes.map((size) => field({ ...ROOT, size }));
    const [before, column, row, layer, matrix] = fields;
    const rings = sizes.map((size) => [frame(), size]);
    fields.forEach(({ el }, i) => el.append(rings[i][0]));
    for (const [{ el }, name] of [[column, "k"], [row, "v"], [layer, "layer-is"]]) el.classList.add(`attn-${name}`);
    const brought = h("div", { class: "attn-layer-of" }, row.el, column.el, layer.el);
    const signs = ["+", "="].map((text) => h("span", { class: "attn-sign" }, text));
    const under = [1, 3, 5].map((column) => h("small", { style: `grid-column: ${column}` }));
    const name = () => h("span", { class: "attn-rule", style: inked(k) }, RULES[k]);
    const el = h(
      "div",
      { class: "attn-into", "aria-hidden": "true" },
      h("div", {}, name(), " ", h("span", { style: "white-space: nowrap" }, "lays ", ...LAID[k](), " on Z")),
      h("div", {}, before.el, signs[0], brought, signs[1], matrix.el, under),
    );
    return {
      el,
      name: name(),
      after,
      fields,
      under,
      rings,
      keys: book(total, d),
      near: [],
      whole: [before, layer, matrix],
    };
  });
  const scale = h("p", { class: "attn-legend" });
  let laid = 0; // when a layer was laid last
  // What a pair brings goes onto the matrix that was there, and becomes part of it
  function lay({ fields: [before, , , layer, matrix] }) {
    const to = matrix.el.getBoundingClientRect();
    [before, layer].forEach(({ el }, k) => {
      const from = el.getBoundingClientRect();
      const ghost = h("canvas", { class: "attn-fall", width, height: d });
      ghost.getContext("2d").drawImage(el.querySelector("canvas"), 0, 0);
      if (!k) ghost.style.background = "var(--attn-paper)"; // hides what it is to become
      matrix.el.append(ghost);
      const way = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
      const [start, end] = [{ transform: k ? way : "none" }, { transform: "none" }];
      const steps = [start, { ...end, offset: 0.65 }, { ...end, opacity: 0 }];
      ghost.animate(steps, { duration: 1000, easing: "ease-in-out" }).onfinish = () => ghost.remove();
    });
  }
  const away = () => {
    for (const { keys, rings } of both) {
      for (const ring of [...keys.rings, ...rings.map(([ring]) => ring)]) ring.hidden = true;
    }
    tell("");
  };
  // show(i, j, n): what is told of the cell that the mouse or the finger is on
  function pointed(el, [rows, cols], show) {
    const look = (event) => {
      const { top, left, height, width } = el.getBoundingClientRect();
      const at = [(event.clientY - top) / height * rows, (event.clientX - left) / width * cols];
      const [i, j] = at.map((x, k) => Math.min(Math.max(Math.floor(x), 0), [rows, cols][k] - 1));
      away();
      tell(show(i, j, get("n")));
    };
    for (const kind of ["pointerdown", "pointermove"]) el.addEventListener(kind, look); // a finger does not hover
    el.addEventListener("pointerleave", (event) => event.pointerType === "touch" || away());
  }
  both.forEach((one, k) => {
    const { after, whole, keys, rings } = one;
    for (const { el } of whole) {
      pointed(el, [d, width], (i, j, n) => {
        rings.forEach(([ring, [rows, cols]]) => circle(ring, [rows, cols], i % rows, j % cols));
        const { Z, row } = after[n - 1];
        const [a, b] = [K[n - 1][i], row[j]];
        return `${RULES[k]}, row ${i}, column ${j}: ${number(Z[i][j] - a * b)} + ${factor(a)} · ${factor(b)} = ${
          number(Z[i][j])
        }.`;
      });
    }
    // Whose value a key is answered with: both are framed
    pointed(keys.el, [1, total], (_, i, n) => {
      if (i >= n) return "Nothing is written here yet.";
      const j = one.near[i];
      circle(keys.rings[0], [1, total], 0, i);
      if (i !== j) circle(keys.rings[1], [1, total], 0, j);
      return `${RULES[k]}: the ${nth(i + 1)} of ${n} keys is answered ${
        i === j ? "right" : `with the value of the ${nth(j + 1)}`
      }.`;
    });
  });
  const told = RULES.map((rule, k) => {
    const share = h("span", {});
    return { el: h("span", { class: "attn-rule", style: inked(k) }, `${rule} `, share), share };
  });
  const reason = h("div", { class: "attn-reason" }, note(WHAT), note(WHY));
  function draw() {
    const n = get("n");
    reached = Math.max(reached, n);
    curves.draw(n, reached);
    [...reason.children].forEach((one, k) => mark(one, "data-told", k === Number(curves.failed())));
    told.forEach(({ share }, k) => write(share, percent(answers[n - 1][k])));
    steps.draw(n - 1, `${n} of ${total} written`);
    lock(n);
    if (n !== shown) away();
    const [key, values] = [K[n - 1], V.slice(0, n)];
    // Full colour is the largest number there is now: what a pair changes is seen, early and late
    const most = largest(both.flatMap((one) => [one.after[n - 1].Z, one.after[Math.max(n - 2, 0)].Z].flat()));
    const sizes = legend({ kind: "signed", values: [[-most]], most, bent: true }).el;
    scale.replaceChildren(...sizes.childNodes);
    const slow = n - 1 === shown && !still && Date.now() - laid > 3 * PACE; // not while they write themselves
    if (n - 1 === shown) laid = Date.now();
    for (const one of both) {
      const { Z, row } = one.after[n - 1];
      const layer = key.map((x) => row.map((y) => x * y));
      const before = Z.map((line, i) => line.map((x, j) => x - layer[i][j]));
      [before, key.map((x) => [x]), [row], layer, Z].forEach((values, i) =>
        one.fields[i].draw(values, { full: i === 1 || i === 2 ? 1 : most })
      );
      [n > 1 ? `${n - 1} before` : "empty", `the ${nth(n)}`, `${n} written`].forEach((told, i) =>
        write(one.under[i], told)
      );
      if (slow && fold.open) lay(one);
      one.near = matmul(matmul(K.slice(0, n), Z), transpose(values)).map((line) => line.indexOf(Math.max(...line)));
      one.keys.draw(one.near.map((j, i) => j === i));
    }
    shown = n;
  }
  function sentence() {
    const n = get("n");
    const told = RULES.map((rule, k) => `${rule} answers ${percent(answers[n - 1][k])}`).join(", ");
    const mean = draws > 1 ? `, in the mean of ${draws} draws` : "";
    return `${n} ${
      n === 1 ? "pair" : "pairs"
    } written into a matrix of ${d} × ${width}: ${told} of its keys right${mean}.`;
  }
  const fold = h(
    "details",
    { class: "attn-more" },
    h("summary", {}, "What the last pair lays on each matrix"),
    h("div", { class: "attn-sumup" }, both.map((one) => one.el), scale),
  );
  const first = draws > 1 ? `; first of ${draws} draws` : "";
  const mean = draws > 1 ? `, mean of ${draws} draws; the band holds 8 in 10` : "";
  return {
    parts: [
      h("style", {}, LOOKS),
      steps.el,
      h(
        "div",
        { class: "attn-filled" },
        note(`Every key, oldest left: full if right, a stub if not${first}`),
        both.flatMap((one) => [one.name, one.keys.el]),
        note(`Keys answered right${mean}`),
        h("div", { class: "attn-shares" }, told.map((one) => one.el)),
        curves.el,
      ),
      origin,
      reason,
      fold,
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/[\d.]+%/g, "99.9%").replace(/^\d+/, total),
    stop: steps.stop,
  };
}
