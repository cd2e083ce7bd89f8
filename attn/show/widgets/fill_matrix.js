// Write more and more pairs into one matrix: how many does it still give back?
import { figure, h, mark, note, number, percent, restart, row, slider, svg, write } from "../kit/kit.js";
import { chart, tone } from "../kit/curves.js";
import { field } from "../kit/boards.js";
import { matmul, transpose } from "../kit/linalg.js";

const RULES = ["adding", "correcting", "softmax"];
const TONES = ["query", "value", "key"];
const STEPS = [1, 2, 4, 8, 16, 32]; // between the ticks

const LOOKS = `.attn-filled svg text { stroke: none; }
.attn-asked { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr); gap: 4px 6px; font-size: 0.8rem; }
.attn-asked > * { grid-row: 2; }
.attn-asked > strong { grid-row: 1; text-align: center; }
.attn-asked > .attn-order { writing-mode: vertical-rl; align-self: center; white-space: nowrap; color: var(--attn-soft); }
.attn-recalled { position: relative; width: 28px; height: 100%; place-self: stretch center; box-shadow: 0 0 0 1px var(--attn-line); }
.attn-recalled svg { position: absolute; width: 100%; height: 100%; }
.attn-beat { position: absolute; z-index: 1; box-sizing: border-box; outline: 2.5px solid var(--attn-text); pointer-events:
  none; }
@media (min-width: 700px) { .attn-filled svg text { font-size: 10px; } }`;

export function render(host) {
  return figure(host, {
    title: "Fill the matrix.",
    hint: "Write more and more pairs into one matrix, then ask every key again. How many does it still answer?",
    shape: ["K", "V", "answers", "size"],
    state: ["n"],
    build,
  });
}

function build(get, set) {
  const [K, answers] = [get("K"), get("answers")];
  const [[draws, width]] = get("size");
  const [total, d] = [K.length, K[0].length];
  const one = slider({ title: "pairs", min: 1, max: total, step: 1, tell: String, oninput: (n) => set({ n }) });
  const map = field({ name: "K Kᵀ", size: [total, total], kind: "signed", still: true });
  const overlap = matmul(K, transpose(K));
  const xs = K.map((_, i) => i + 1);
  const column = (k) => answers.map((line) => line[k]);
  const lines = RULES.map((name, k) => ({
    name,
    tone: TONES[k],
    xs,
    ys: column(k),
    ...(draws > 1 ? { lows: column(k + 3), highs: column(k + 6) } : {}),
  }));
  const inner = d > 1 && d < total ? [d] : []; // the width, where the curves bend
  const step = STEPS.find((x) => total / x < 5);
  const marks = [1, total, ...inner];
  for (let x = step; x < total; x += step) {
    if (marks.every((other) => Math.abs(x - other) > 0.1 * total)) marks.push(x);
  }
  const curves = chart({
    name: `How many keys are answered right, by the number of pairs, up to ${total}`,
    title: "",
    most: 1,
    span: [1, Math.max(2, total)],
    lines,
    levels: [[0, "0%"], [0.5, "50%"], [0.9, "90%"], [1, "100%"]],
    rules: inner,
    ticks: marks.map((x) => [x, String(x)]),
    onpick: (x) => set({ n: Math.round(Math.min(x, total)) }),
  });
  const title = note(`keys answered right${draws > 1 ? `, mean of ${draws} draws` : ""}`);
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
    if (event.buttons) return leave();
    const n = Math.round(Math.min(curves.under(event), total));
    curves.guide(n);
    tell(`With ${n} ${n === 1 ? "pair" : "pairs"}: ${all(n)} of the keys right.`);
  });
  curves.el.addEventListener("pointerleave", leave);

  // The draw shown, key by key: who reads nearest to its own value?   -> for each rule and key, whose value it is
  const V = get("V") || [];
  const nearest = (reads, n) => matmul(reads, transpose(V.slice(0, n))).map((line) => line.indexOf(Math.max(...line)));
  function read(n) {
    const [keys, values] = [K.slice(0, n), V.slice(0, n)];
    const Z = K[0].map(() => V[0].map(() => 0));
    keys.forEach((k, i) => {
      const [had] = matmul([k], Z);
      k.forEach((x, a) => Z[a].forEach((_, b) => (Z[a][b] += x * (values[i][b] - had[b]))));
    });
    return [matmul(matmul(keys, transpose(keys)), values), matmul(keys, Z)].map((reads) => nearest(reads, n));
  }
  // One cell a key, from the first written down to the last: filled where the rule answers it
  const own = TONES.slice(0, 2).map((its) => {
    const filled = svg("path", { style: `fill: ${tone(its)}` });
    const whole = { viewBox: `0 0 1 ${total}`, preserveAspectRatio: "none", "shape-rendering": "crispEdges" };
    const el = h("div", { class: "attn-recalled", "aria-hidden": "true" }, svg("svg", whole, filled));
    return { el, filled };
  });
  const ring = h("span", { class: "attn-beat", hidden: true });
  map.el.append(ring);
  let answered = [];
  const fills = (n) => (i) => Math.floor(i * n / total); // the pairs written fill the picture
  // The cells of a pair in the picture, as a share of its side: from, how far
  const cells = (i, n) => [Math.ceil(i * total / n), Math.ceil((i + 1) * total / n)].map((x) => x / total);
  // Frame a cell of the square, or a row of it where j is left out
  const circle = (i, j, n) => {
    const [[top, low], [left, right]] = [cells(i, n), j === null ? [0, 1] : cells(j, n)];
    const sides = { top, left, height: low - top, width: right - left };
    for (const [side, share] of Object.entries(sides)) ring.style[side] = `${100 * share}%`;
    ring.hidden = false;
  };
  // How far the other keys, or those written later, lean on key i: the length of what leaks into its answer, where values
  // of length 1 are at right angles
  const leaning = (i, from, n) => Math.hypot(...overlap[i].slice(from, n).map((x, j) => (from + j === i ? 0 : x)));
  const leaks = [
    (i, n) => `all other keys lean on it by ${number(leaning(i, 0, n))}`,
    (i, n) => `those written later lean on it by ${number(leaning(i, i + 1, n))}`,
  ];
  // The pair under the pointer, at this share of a side
  const at = (share, n) => fills(n)(Math.min(Math.max(Math.floor(share * total), 0), total - 1));
  function pointed(el, show) {
    const look = (event) => {
      const { top, left, height, width } = el.getBoundingClientRect();
      const n = get("n");
      tell(show(at((event.clientY - top) / height, n), at((event.clientX - left) / width, n), n));
    };
    for (const kind of ["pointerdown", "pointermove"]) el.addEventListener(kind, look); // a finger does not hover
    el.addEventListener("pointerleave", () => {
      ring.hidden = true;
      tell("");
    });
  }
  own.forEach(({ el }, k) =>
    pointed(el, (i, _, n) => {
      const j = answered[k][i];
      circle(i, null, n);
      return `${RULES[k]}: key ${i} is answered ${i === j ? "right" : `with value ${j}`}; ${leaks[k](i, n)}.`;
    })
  );
  pointed(map.el, (i, j, n) => {
    circle(i, j, n);
    return `k${i} · k${j} = ${number(overlap[i][j])}${i === j ? ", a key with itself" : ""}.`;
  });
  function draw() {
    const n = get("n");
    const near = fills(n);
    const shares = answers[n - 1].slice(0, 3);
    curves.draw(n, shares, shares.map(percent));
    one.draw(n);
    map.draw(overlap.map((line, i) => line.map((_, j) => overlap[near(i)][near(j)])));
    if (!V.length) return;
    answered = read(n);
    own.forEach(({ filled }, k) => {
      const right = answered[k].flatMap((j, i) => j === i ? [cells(i, n).map((x) => Math.round(x * total))] : []);
      filled.setAttribute("d", right.map(([from, to]) => `M0 ${from}h1V${to}h-1z`).join(""));
    });
  }
  function sentence() {
    const n = get("n");
    const told = RULES.map((rule, k) => `${rule} answers ${percent(answers[n - 1][k])}`).join(", ");
    const mean = draws > 1 ? `, in the mean of ${draws} draws` : "";
    return `${n} pairs written into a matrix of ${d} × ${width}: ${told} of its keys right${mean}.`;
  }
  const controls = h("div", { class: "attn-sliders", style: "max-width: none" }, one.el);
  curves.el.style.maxWidth = "none";
  const why = note(
    `${draws > 1 ? "Bands: the middle eight in ten draws. " : ""}${
      inner.length ? `Dashed: ${d}, the width of a key. ` : ""
    }`,
  );
  const told = note(
    `K Kᵀ of the keys written: off its diagonal, how far they lean on one another.${
      V.length ? " The strips: one cell a key of one draw, filled where it is answered." : ""
    }`,
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
    { style: "flex: 1 1 16rem; max-width: 22rem" },
    h("div", { class: "attn-asked" }, beside, map.el),
    told,
  );
  curves.el.classList.add("attn-filled");
  return {
    parts: [
      h("style", {}, LOOKS),
      row(controls, restart(get, set, ["n"])),
      h(
        "div",
        { class: "attn-row", style: "align-items: start" },
        h("div", { style: "flex: 1 1 22rem; min-width: 0" }, title, curves.el, why),
        picture,
      ),
      origin,
    ],
    draw,
    sentence,
    longest: () => sentence().replace(/[\d.]+%/g, "99.9%"),
  };
}
