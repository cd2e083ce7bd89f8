// Write more and more pairs into one matrix: how many does it still give back?
import { factor, figure, h, largest, legend, mark, note, number, percent, stepper, svg, write } from "../kit/kit.js";
import { chart, tone } from "../kit/curves.js";
import { field } from "../kit/boards.js";
import { dot, matmul, transpose } from "../kit/linalg.js";

const RULES = ["adding", "correcting", "softmax"];
const WRITES = ["Z + kᵀv", "Z + kᵀ(v − kZ)"]; // the two that keep a matrix
const TONES = ["query", "value", "key"];
const STEPS = [1, 2, 4, 8, 16, 32]; // between the ticks
const LINE = 16; // keys in a line, where all are asked
const PACE = 110; // milliseconds to a pair, when they write themselves
const ROOT = { name: "", still: true, bend: Math.sqrt }; // small numbers are seen too
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

const LOOKS = `.attn-filled svg text { stroke: none; }
.attn-two { display: grid; grid-template-columns: 1fr 1fr; gap: 0.9rem; font-size: 0.85rem; }
.attn-into { display: grid; grid-template-columns: 10px minmax(0, 1fr); gap: 4px; }
.attn-into > * { grid-column: 2; }
.attn-into > :first-child { line-height: 1.35; white-space: nowrap; }
.attn-into strong { display: block; }
.attn-live .attn-into .attn-field { min-height: 0; max-height: none; border: 0; box-shadow: 0 0 0 1px var(--attn-line); }
.attn-live .attn-into > :is(.attn-k, .attn-v) { aspect-ratio: auto; height: 10px; cursor: default; }
.attn-live .attn-into > .attn-k { grid-area: 3 / 1; height: auto; }
.attn-k canvas { position: absolute; inset: 0; }
.attn-live .attn-over { position: absolute; z-index: 1; inset: 0; background: var(--attn-paper); pointer-events: none; }
.attn-over span { position: absolute; inset: 4px auto auto 4px; padding: 0 0.3em; background: var(--attn-paper); }
.attn-asked { position: relative; margin-top: 6px; }
.attn-asked svg { display: block; width: 100%; box-shadow: 0 0 0 1px var(--attn-line); }
.attn-beat { position: absolute; z-index: 2; box-sizing: border-box; outline: 2px solid var(--attn-text);
  pointer-events: none; }
@media (min-width: 700px) { .attn-filled svg text { font-size: 11.5px; } }`;

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint:
      "Each pair adds a column times a row to one matrix: press Next or drag in the chart. Then every key is asked again. How long does it answer them all?",
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
    notes: inner.map((x) => [x + 0.2 * total * (2 * x < total ? 1 : -1), 1.06, `${x}, as wide as a key`]),
    ticks: ticks.map((x) => [x, String(x)]),
    onpick: (x) => set({ n: Math.round(Math.min(x, total)) }),
  });
  curves.el.style.maxWidth = "none";
  curves.el.classList.add("attn-filled");
  return curves;
}

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

// Every key has a cell: full where it is answered, pale where it is not. What comes fades in, what is lost fades.
// draw([is key i answered?, …]); lean(i, how far each key leans on key i) in place of the answers, until away()
function book(total, its) {
  const size = [Math.ceil(total / LINE), LINE];
  const cells = Array.from({ length: total }, (_, i) => {
    const at = { x: i % LINE + 0.06, y: Math.floor(i / LINE) + 0.06, width: 0.88, height: 0.88 };
    return svg("rect", { ...at, opacity: 0, style: `fill: ${tone(its)}` });
  });
  const over = field({ ...ROOT, size });
  over.el.classList.add("attn-over");
  const ring = frame();
  const picture = svg("svg", { viewBox: `0 0 ${LINE} ${size[0]}` }, cells);
  const el = h("div", { class: "attn-asked", "aria-hidden": "true" }, picture, over.el, ring);
  const was = cells.map(() => 0);
  let begun = false;
  function draw(right) {
    cells.forEach((cell, i) => {
      const now = i >= right.length ? 0 : right[i] ? 1 : 0.15;
      if (now === was[i]) return;
      cell.setAttribute("opacity", now);
      if (begun && now && !still) cell.animate([{ opacity: was[i] }, { opacity: now }], now < was[i] ? 1400 : 600);
      was[i] = now;
    });
    begun = true;
  }
  const away = () => (over.el.hidden = ring.hidden = true);
  function lean(i, leans) {
    circle(ring, size, Math.floor(i / LINE), i % LINE);
    over.el.hidden = false;
    over.draw(Array.from({ length: size[0] }, (_, y) => cells.slice(0, LINE).map((_, x) => leans[y * LINE + x] || 0)), {
      full: 1,
    });
  }
  away();
  return { el, size, draw, lean, away };
}

function build(get, set, redraw) {
  const [K, V, answers] = [get("K"), get("V"), get("answers")];
  const [[draws, width]] = get("size");
  const [total, d] = [K.length, K[0].length];
  const begin = get("n");
  let reached = begin; // what the reader has found out stays, pale
  let [shown, when, asked] = [null, 0, false];
  const steps = stepper({
    last: total - 1,
    pace: PACE,
    onstep: (to) => set({ n: 1 + to }),
    onreset: () => {
      reached = begin;
      set({ n: begin });
      redraw();
    },
  });
  // Only where the reader asks for the next pair, it is seen alone
  for (const kind of ["click", "keydown"]) {
    steps.el.addEventListener(kind, ({ target, key, repeat }) => {
      asked = key ? key === "ArrowRight" && !repeat : Boolean(target.closest("[aria-label=Next]"));
    }, true);
  }
  const curves = shares({ answers, size: get("size"), width: d, set });
  const halves = note();
  halves.style.whiteSpace = "pre-line";
  const origin = h("p", { class: "attn-origin" }, "Point at the curves, a matrix or a key.");
  const tell = (told) => {
    mark(origin.closest(".attn-live"), "data-tracing", told);
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

  // Each matrix, left of it the key written last and above it the row that the key was multiplied with, below it the keys
  const both = WRITES.map((rule, k) => {
    const after = fill(K, V, k);
    const size = [d, width];
    const [column, row, matrix, over] = [[d, 1], [1, width], size, size].map((size) => field({ ...ROOT, size }));
    const keys = book(total, TONES[k]);
    const rings = [[d, 1], [1, width], size].map((size) => [frame(), size]);
    [column, row, matrix].forEach(({ el }, at) => el.append(rings[at][0]));
    for (const [{ el }, name] of [[column, "k"], [row, "v"], [over, "over"]]) el.classList.add(`attn-${name}`);
    over.el.style.opacity = 0;
    over.el.append(h("span", {}, "this pair alone"));
    matrix.el.append(over.el);
    const name = h("div", {}, h("strong", { style: `color: ${tone(TONES[k])}` }, RULES[k]), rule);
    const el = h("div", { class: "attn-into" }, name, row.el, matrix.el, column.el, keys.el);
    return { el, after, column, row, matrix, over, keys, rings, near: [] };
  });
  const most = largest(both.flatMap((one) => one.after.map(({ Z }) => largest(Z))));
  const away = () => {
    for (const { keys, rings } of both) {
      keys.away();
      for (const [ring] of rings) ring.hidden = true;
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
    const { after, matrix, keys, rings } = one;
    pointed(matrix.el, [d, width], (i, j, n) => {
      rings.forEach(([ring, [rows, cols]]) => circle(ring, [rows, cols], i % rows, j % cols));
      const { Z, row } = after[n - 1];
      const [a, b] = [K[n - 1][i], row[j]];
      return `${RULES[k]}, row ${i}, column ${j}: ${number(Z[i][j])}. Of this the last pair brought ${number(a)} · ${
        factor(b)
      } = ${number(a * b)}.`;
    });
    // How far the other keys, or those written later, lean on key i: the length of what leaks into its answer, where values
    // of length 1 are at right angles
    pointed(keys.el, keys.size, (y, x, n) => {
      const i = y * LINE + x;
      if (i >= n) return "Nothing is written here yet.";
      const leans = K.slice(0, n).map((key, j) => (j === i || (k && j < i) ? 0 : dot(key, K[i])));
      keys.lean(i, leans);
      const j = one.near[i];
      return `${RULES[k]}: key ${i} is answered ${i === j ? "right" : `with value ${j}`}; ${
        k ? "those written later" : "all other keys"
      } lean on it by ${number(Math.hypot(...leans))}.`;
    });
  });
  function draw() {
    const n = get("n");
    reached = Math.max(reached, n);
    const now = answers[n - 1].slice(0, 3);
    curves.draw(n, now, now.map(percent), reached);
    steps.draw(n - 1, `${n} of ${total} written`);
    if (n !== shown) away();
    const [key, values] = [K[n - 1], V.slice(0, n)];
    const slow = performance.now() - when > 2 * PACE;
    for (const one of both) {
      const { Z, row } = one.after[n - 1];
      const { over } = one;
      one.column.draw(key.map((x) => [x]), { full: 1 });
      one.row.draw([row], { full: 1 });
      one.matrix.draw(Z, { full: most });
      one.near = matmul(matmul(K.slice(0, n), Z), transpose(values)).map((line) => line.indexOf(Math.max(...line)));
      one.keys.draw(one.near.map((j, i) => j === i));
      for (const flash of over.el.getAnimations()) flash.cancel();
      // What a pair brings is seen alone, then what it makes of the matrix
      if (n !== shown + 1 || !asked || !slow || still) continue;
      over.draw(key.map((x) => row.map((y) => x * y)), { full: most });
      over.el.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], 1200);
    }
    const older = Math.floor(n / 2);
    const count = (from, to) =>
      both.map(({ near }, k) => `${RULES[k]} ${near.slice(from, to).filter((j, i) => j === from + i).length}`).join(
        ", ",
      );
    write(
      halves,
      `Right${draws > 1 ? " in the first draw" : ""}:\nolder ${older} keys: ${count(0, older)}\nnewer ${
        n - older
      } keys: ${count(older, n)}`,
    );
    [shown, when, asked] = [n, performance.now(), false];
  }
  function sentence() {
    const n = get("n");
    const told = RULES.map((rule, k) => `${rule} answers ${percent(answers[n - 1][k])}`).join(", ");
    const mean = draws > 1 ? `, in the mean of ${draws} draws` : "";
    return `${n} ${
      n === 1 ? "pair" : "pairs"
    } written into a matrix of ${d} × ${width}: ${told} of its keys right${mean}.`;
  }
  const title = note(
    `keys right${draws > 1 ? `: mean of ${draws} draws; band: middle 8 in 10` : ""}`,
  );
  const which = note(
    draws > 1 ? `the first of the ${draws} draws: its matrices and its keys` : "the matrices and their keys",
  );
  const told = note(
    "Left of each matrix is the last key, above it the row that it was multiplied with. Below are all keys in the order of writing, pale where the answer is wrong. Adding treats all pairs alike; correcting writes the newest exactly, and every later write disturbs it.",
  );
  return {
    parts: [
      h("style", {}, LOOKS),
      steps.el,
      h(
        "div",
        { class: "attn-row", style: "align-items: start" },
        h("div", { style: "flex: 1 1 22rem; min-width: 0" }, title, curves.el, halves),
        h(
          "div",
          { style: "flex: 1 1 20rem" },
          which,
          h("div", { class: "attn-two" }, both.map((one) => one.el)),
        ),
      ),
      legend({ kind: "signed", values: [[-most]], most, bent: true }).el,
      told,
      origin,
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/[\d.]+%/g, "99.9%").replace(/^\d+/, total),
    stop: steps.stop,
  };
}
