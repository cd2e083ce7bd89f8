// One word moves: along the null space of W_K nobody notices, across it everybody does.
import {
  bars,
  bdi,
  figure,
  h,
  label,
  mark,
  matrix,
  number,
  percent,
  products,
  provenance,
  quoted,
  slider,
  stack,
  write,
} from "../kit/kit.js";
import { dot, matmul, softmaxRow } from "../kit/linalg.js";
import { slight } from "../kit/tones.js";
import { plot, sources } from "../kit/plane.js";

const FARTHEST = 4; // along the null space, as in null_space.py
const ACROSS = 2; // as far as the plane can show the key

const RULES =
  `.attn-embedded .attn-track { background: linear-gradient(var(--attn-edge) 0 0) 50% 0 / 1px 100% no-repeat; }
.attn-tight .attn-scroll { background: none; }
.attn-live .attn-unseen { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0.5rem 1.3rem;
  align-items: start; margin: 0.6rem 0; }
.attn-unseen > * { min-width: 0; }
.attn-live .attn-unseen p { margin: 0 0 0.2rem; }
.attn-live .attn-unseen .attn-bars { grid-auto-flow: column; grid-template: repeat(var(--rows), auto) / repeat(2, max-content 1fr 3.4rem);
  gap: 0 0.5rem; max-width: none; margin-top: 0.4rem; line-height: 1.2; }
.attn-live .attn-unseen .attn-bars li { grid-column: span 3; gap: 0.4rem; margin: 0.2rem 0; }
.attn-unseen .attn-bars .attn-mark { cursor: default; }
.attn-unseen .attn-embedded .attn-track { height: 1.3em; }
.attn-come { display: flex; flex-wrap: wrap; gap: 0.4rem 1.3rem; margin: 0.6rem 0; }
.attn-live .attn-come > * { flex: 1 1 5.2rem; min-width: 0; margin: 0; white-space: nowrap; line-height: 1.2; }
.attn-live .attn-come > .attn-replies { flex: 1 1 12rem; }
.attn-come :is(small, strong) { display: block; overflow: hidden; font-size: 1rem; text-overflow: ellipsis; }
.attn-come strong { margin: 0.1rem 0 0.3rem; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
.attn-effects strong { color: var(--tone); }
.attn-come .attn-track { display: block; height: 1.3rem; }
.attn-live .attn-ends { display: flex; justify-content: space-between; color: var(--attn-soft); font-size: 0.75rem; }
.attn-come .attn-fill { background: var(--tone); opacity: 0.55; }
.attn-unseen .attn-plane { max-width: none; }
.attn-live .attn-leaves { grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); gap: 0.3rem 0.7rem; align-items: end; }
.attn-leaves strong { color: var(--tone); }
.attn-leaves > div { --leaf: color-mix(in srgb, var(--tone) 8%, var(--attn-paper)); }
.attn-leaves .attn-plane { --attn-paper: var(--leaf); border-color: color-mix(in srgb, var(--tone) 45%, transparent); background: var(--leaf); }
.attn-leaves [data-tone="value"] > .attn-plane :is(.attn-grid, .attn-zero) { display: none; }
.attn-leaves .attn-mark[data-fibre] path { stroke-width: 1px; }
.attn-live .attn-leaves > .attn-by { place-self: center; margin: 1.5rem 0 0; color: var(--attn-soft); line-height: 1.1; text-align: center; }
.attn-by > span { display: block; font-size: 1.5rem; }
.attn-unseen .attn-mark[data-ghost] circle { fill: none; stroke: var(--tone); stroke-width: 2px; }
.attn-live .attn-ways .attn-sliders { grid-template-columns: 5.6rem 1fr 3.4rem; max-width: none; }
.attn-ways .attn-slider > :first-child { text-align: left; }
@media (max-width: 600px) { .attn-live .attn-ways { gap: 0; }
  .attn-come { gap: 0.4rem 0.8rem; } .attn-live .attn-come > * { flex-basis: 4.6rem; } .attn-come small { font-size: 0.85rem; } .attn-come strong { font-size: 1.3rem; }
  .attn-live .attn-unseen .attn-bars { font-size: 0.85rem; grid-template-columns: repeat(2, max-content 1fr 3rem); }
  .attn-live .attn-leaves { grid-template-columns: minmax(0, 1fr); }
  .attn-live .attn-leaves > .attn-by { place-self: center; margin: 0; }
  .attn-by > span { display: inline-block; rotate: 90deg; margin-left: 0.4rem; font-size: 1.1rem; } }`;

export function render(host) {
  return figure(host, {
    title: "What a key does not see.",
    hint: "Drag the word along the null space, then across. What moves?",
    shape: ["X", "W_K", "q", "tokens", "row", "unseen", "seen", "answers", "W_A", "own"],
    state: ["along", "across"],
    build,
  });
}

const length = (x) => Math.sqrt(dot(x, x));
const told = (x) => Number(x.toFixed(6));

// What the head answers: its likeliest word in large letters, and all of them as one bar. draw(p)
function answering(names) {
  const [bar, word, share] = [stack({ names }), h("strong"), h("span")];
  return {
    parts: names.length
      ? [h("div", { class: "attn-replies" }, h("small", {}, "the head answers ", share), word, bar.el)]
      : [],
    draw(p) {
      const likely = p.indexOf(Math.max(...p));
      write(word, label(names[likely]));
      write(share, percent(p[likely]));
      bar.draw(p, 1);
      [...bar.el.children].forEach((one, i) => (one.style.color = p[i] < 0.3 ? "transparent" : "")); // no half names
    },
  };
}

function build(get, set) {
  const [X, W_K, q, tokens, j] = ["X", "W_K", "q", "tokens", "row"].map(get);
  const word = tokens[j];
  const reach = [FARTHEST, Math.max(ACROSS, Math.abs(get("across")))];
  const move = ["along", "across"].map((name, k) =>
    slider({
      title: name === "along" ? "null space" : name,
      min: -reach[k],
      max: reach[k],
      step: 0.05,
      nudge: 0.1,
      oninput: (value) => set({ [name]: value }),
    })
  );
  const now = () => {
    const far = get("unseen").map((u, i) => get("along") * u + get("across") * get("seen")[i]);
    const moved = X.map((x, i) => (i === j ? x.map((value, c) => value + far[c]) : x));
    const K = matmul(moved, W_K);
    const s = K.map((k) => dot(q, k) / Math.SQRT2);
    const a = softmaxRow(s);
    const p = softmaxRow(matmul([a], matmul(moved, get("W_A")))[0].map((x, i) => x + get("own")[i]));
    return { far, x: moved[j], K, s, a, p };
  };
  const rested = softmaxRow(matmul(X, W_K).map((k) => dot(q, k) / Math.SQRT2));
  const answer = answering(get("answers"));
  const start = matmul(X, W_K);
  const entries = bars({ names: X[0].map((_, c) => `d${c + 1}`), title: `How far each entry of ${word} has moved` });
  const weights = bars({ names: tokens, title: "The weights" });
  const tall = matchMedia("(max-width: 600px)").matches ? 0.56 : 0.64; // two planes of one size, in one glance
  const plane = plot({ name: "Query and keys", tall });
  // The word's own plane: along the null space and across it, in the row's own lengths
  const home = plot({ name: `Where ${label(word)} has gone`, tall });
  const thin = matchMedia("(max-width: 480px)").matches; // the longer name would reach the arrow
  // Each of its lines has one key: along them W_K sees nothing
  const fibres = Array.from({ length: 21 }, () => home.add("line", { tone: "value" }));
  for (const { el } of fibres) mark(el, "data-fibre", true);
  const blind = home.add("line", { tone: "value", name: thin ? "key stays" : "null space: key stays", merge: false });
  const across = [1, -1].map((way) =>
    home.add("arrow", { tone: "key", name: way > 0 ? "across: key moves" : null, merge: false })
  );
  for (const one of [blind, ...across]) one.el.style.opacity = one === blind ? 0.2 : 0.7;
  const trail = home.add("line", { tone: "value" });
  const rest = home.add("point", { tone: "value", size: 12 });
  const near = (x, most) => Math.min(Math.max(Math.abs(x) < 0.08 ? 0 : Math.round(20 * x) / 20, -most), most);
  const there = home.add("point", {
    tone: "value",
    name: word,
    heard: `row of ${label(word)}`,
    size: 8,
    drag: (to) => set({ along: near(to[0], reach[0]), across: near(to[1], reach[1]) }),
  });
  const shrunk = 2; // of the query's length: its tip is clear of the ring around the key
  const tip = q.map((x) => x / shrunk);
  // What the sliders can reach is in view from the start: while a word moves, nothing else does
  const [seen] = matmul([get("seen")], W_K);
  const places = [
    [-1.3, -1.3],
    [1.3, 1.3],
    tip,
    ...start,
    ...[-1, 1].map((t) => start[j].map((x, c) => x + t * reach[1] * seen[c])),
  ];
  // and a step is as long in one plane as in the other
  const ends = [0, 1].map((c) => [Math.min, Math.max].map((end) => end(...places.map((one) => one[c]))));
  const half = ends.map(([low, high], c) => Math.max((high - low) / 2, reach[c]));
  const middle = ends.map(([low, high]) => (low + high) / 2);
  home.frame([-1, 1].map((t) => half.map((far) => t * far)));
  plane.frame([-1, 1].map((t) => half.map((far, c) => middle[c] + t * far)));
  const query = plane.add("arrow", { tone: "query", name: `query ÷ ${shrunk}`, merge: false });
  const way = plane.add("line", { tone: "value" });
  const keys = tokens.map((name, i) =>
    plane.add("point", { tone: i === j ? "value" : "key", name, size: i === j ? 8 : 5 })
  );
  const beyond = [1, -1].map((t) => [0, t * (reach[1] + 0.7)]);
  // A ring stays where each began
  const ghost = plane.add("point", { tone: "value", size: 12 });
  for (const one of [ghost, rest]) mark(one.el, "data-ghost", true);
  const table = matrix({
    name: "keys, scores and weights",
    rows: tokens,
    cols: ["key₁", "key₂", "score", "weight"],
    size: [tokens.length, 4],
    kind: "plain",
    onpick: () => {},
  });
  // No name is struck out by an axis
  for (const way of [[99, 0], [0, 99]]) {
    const axis = plane.add("line");
    axis.el.style.opacity = 0;
    axis.put([way.map((x) => -x), way]);
  }
  const rows = [...entries.el.children];
  for (const one of rows) one.classList.add("attn-mark");
  const [keyMarks, queryMark] = [sources(keys), sources([query])];
  const e = (s) => `e^${number(s)}`;
  const made = (i, c) => {
    const { K, s, a } = now();
    const x = i === j ? now().x : X[i];
    if (c < 2) {
      return {
        told: `${number(K[i][c])} = ${products(x, W_K.map((line) => line[c]))}: row x(${quoted(tokens[i])}), column ${
          c + 1
        } of W_K`,
        from: [[keyMarks, [0, i]]],
      };
    }
    if (c === 3) {
      return {
        told: `${number(a[i])} = ${e(s[i])} / (${s.map(e).join(" + ")})`,
        from: tokens.map((_, k) => [table, [k, 2]]),
      };
    }
    return {
      told: `${number(s[i])} = (${products(q, K[i])}) / √2`,
      from: [[queryMark, [0, 0]], [keyMarks, [0, i]], [table, [i, 0]], [table, [i, 1]]],
    };
  };
  const origin = provenance(
    [[table, made], [keyMarks, (_, i) => made(i, 2)], [{ el: entries.el, cells: [rows] }, (_, c) => ({
      told: `${number(now().x[c])} = ${number(X[j][c])} + ${
        products(["along", "across"].map(get), ["unseen", "seen"].map((way) => get(way)[c]))
      }: where it began, and both moves`,
      from: [],
    })]],
  );
  // Three numbers in one row, each over its bar: a tick stays where it began
  const far = reach[1] * length(matmul([get("seen")], W_K)[0]);
  const effects = [
    ["value", "word moved", Math.hypot(...reach), 0],
    ["key", "key moved", far, 0],
    ["ink", "weight", 1, rested[j]],
  ].map(([tone, what, most, was]) => {
    const [big, fill] = [h("strong"), h("span", { class: "attn-fill" })];
    const tick = h("span", { class: "attn-was", style: `--t:${was / most}` });
    return {
      el: h(
        "p",
        { class: "attn-effects", "data-tone": tone },
        h("small", {}, what),
        big,
        h("span", { class: "attn-track", "aria-hidden": "true" }, fill, tick),
        h("span", { class: "attn-ends", "aria-hidden": "true" }, [0, most].map((x) => h("span", {}, number(x, 1)))),
      ),
      draw(x, told) {
        write(big, told);
        fill.style.setProperty("--t", Math.min(x / most, 1).toFixed(4));
      },
    };
  });
  // One zero and one scale for all that the sliders can reach
  const most = Math.max(
    ...get("unseen").map((u, c) => reach[0] * Math.abs(u) + reach[1] * Math.abs(get("seen")[c])),
  );

  function draw() {
    const { far, K, s, a, p } = now();
    move[0].draw(get("along"));
    move[1].draw(get("across"));
    entries.draw(far, { most, tell: (one) => `${one > 0.005 ? "+" : ""}${number(Math.round(100 * one) / 100, 2)}` });
    mark(entries.el, "data-both", true); // the zero stays in the middle
    query.put([[0, 0], tip]);
    way.put([start[j], K[j]], { width: 4 });
    ghost.put([start[j]], { size: 12 });
    keys.forEach((one, i) => {
      one.way = K[i][0] < -0.5 ? [-0.8, -0.8] : [1, 0]; // its name on the side that is away from the axis
      one.put([K[i]], { name: i === j ? "its key" : label(tokens[i]) });
    });
    weights.draw(a, { most: 1, on: j, was: rested, tell: slight });
    const at = ["along", "across"].map(get);
    fibres.forEach((one, k) => one.put([[-99, k - 10], [99, k - 10]]));
    blind.put([[-99, 0], [99, 0]], { width: 10, along: [-1, 1].map((x) => [x * reach[0], 0.62]) });
    across.forEach((one, k) => one.put([[0, 0], [0, (k ? -1 : 1) * reach[1]]], { along: beyond }));
    trail.put([[0, 0], at], { width: 4 });
    rest.put([[0, 0]], { size: 12 });
    there.put([at], { size: 8 });
    there.round = 12; // its name is clear of the ring to hold it by
    home.draw();
    if (get("answers").length) answer.draw(p);
    const ways = [length(far), length(matmul([far], W_K)[0])];
    [...ways.map(told), a[j]].forEach((x, i) => effects[i].draw(x, i < 2 ? number(x) : slight(x)));
    plane.draw();
    table.draw(K.map((k, i) => [...k, s[i], a[i]]), { row: j });
    origin.draw();
  }
  function sentence() {
    const { far, s, a, p } = now();
    const [names, likely] = [get("answers"), p.indexOf(Math.max(...p))];
    const answered = names.length ? ` The head answers ${quoted(names[likely])}, ${percent(p[likely])}.` : "";
    return `${quoted(word)} has moved by ${number(told(length(far)))}, and its key by ${
      number(told(length(matmul([far], W_K)[0])))
    }. Its scaled score is ${number(s[j])}, its weight ${slight(a[j])}.${answered}`;
  }
  entries.el.classList.add("attn-embedded");
  const leaf = (tone, name, told, { el }) =>
    h("div", { "data-tone": tone }, h("p", { class: "attn-note" }, h("strong", {}, name), told), el);
  const column = (title, one) => h("div", {}, title, one.el);
  for (const { el } of [entries, weights]) el.style.setProperty("--rows", Math.ceil(el.childElementCount / 2));
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-duo attn-ways" }, move.map((one) => h("div", { class: "attn-sliders" }, one.el))),
      h("div", { class: "attn-come" }, effects.map((one) => one.el), answer.parts),
      h(
        "div",
        { class: "attn-unseen attn-leaves" },
        leaf("value", "The space of words", ": one key a line", home),
        h("p", { class: "attn-by", "aria-hidden": "true" }, "W", h("sub", {}, "K"), h("span", {}, "→")),
        leaf("key", "The space of keys", ": where its key is", plane),
      ),
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers"),
        h(
          "div",
          { class: "attn-unseen" },
          column(h("p", { class: "attn-note" }, "change of x(", bdi(word), ")"), entries),
          column(h("p", { class: "attn-note" }, "weights"), weights),
        ),
        h("div", { class: "attn-tight" }, table.el),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}
