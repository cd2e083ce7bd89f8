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
import { plot, sources } from "../kit/plane.js";

const FARTHEST = 4; // along the null space, as in null_space.py
const ACROSS = 2; // as far as the plane can show the key

const RULES =
  `.attn-embedded .attn-track { background: linear-gradient(var(--attn-edge) 0 0) 50% 0 / 1px 100% no-repeat; }
.attn-tight .attn-scroll { background: none; }
.attn-live .attn-unseen { display: grid; gap: 0.4rem 1.3rem; align-items: start; margin: 0.6rem 0; }
.attn-unseen > div { min-width: 0; }
.attn-live .attn-unseen p { margin: 0 0 0.2rem; }
.attn-live .attn-unseen .attn-bars { max-width: none; line-height: 1.2; grid-template-columns: max-content 1fr 3.6rem; }
.attn-live .attn-unseen .attn-bars li { gap: 0.4rem; margin: 0.42rem 0; }
.attn-unseen .attn-bars .attn-mark { cursor: default; }
.attn-unseen .attn-embedded .attn-track { height: 1.5em; }
.attn-live .attn-unseen .attn-embedded li { margin: 0.2rem 0; }
.attn-live .attn-effects { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; margin: 0.8rem 0 0; font-size: 2.2rem; }
.attn-effects > span { white-space: nowrap; }
.attn-effects small { display: inline; margin: 0; font-size: 1.05rem; }
.attn-live .attn-effects.attn-effects strong { font-size: 1.9rem; display: inline-block; min-width: 2.9em; margin-left: 0.25em; color: var(--tone); font-variant-numeric: tabular-nums; }
.attn-unseen .attn-plane { max-width: none; }
.attn-unseen .attn-mark[data-ghost] circle { fill: none; stroke: var(--tone); stroke-width: 2px; }
.attn-live .attn-replies { margin: 0.4rem 0; }
.attn-replies strong { margin: 0 0.4rem; font-size: 1.5rem; line-height: 1.2; }
.attn-replies .attn-stack { height: 1.9rem; }
@media (min-width: 601px) { .attn-unseen { grid-template-columns: 1.5fr 1.7fr 1fr; } }
@media (max-width: 600px) { .attn-live .attn-unseen { column-gap: 0.6rem; grid-template-columns: 1fr 1fr; }
  .attn-live .attn-unseen .attn-bars li { margin: 0.24rem 0; }
  .attn-live .attn-unseen .attn-note { font-size: 0.75rem; white-space: nowrap; }
  .attn-live .attn-effects.attn-effects strong { font-size: 1.4rem; }
  .attn-effects small { font-size: 0.9rem; }
  .attn-unseen > .attn-wide { grid-column: 1 / -1; order: 1; } }`;

export function render(host) {
  return figure(host, {
    title: "What a key does not see.",
    hint: "Move the word along the null space of W_K: its embedding changes, its key does not. Then move it across.",
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
      ? [h("div", { class: "attn-replies" }, h("p", {}, "the head answers", word, share), bar.el)]
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
      title: name === "along" ? "null space" : "across it",
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
  const plane = plot({ name: "Query and keys", tall: matchMedia("(max-width: 600px)").matches ? 0.8 : 0.84 });
  const shrunk = 3; // of the query's length
  const tip = q.map((x) => x / shrunk);
  // What the sliders can reach is in view from the start: while a word moves, nothing else does
  const [seen] = matmul([get("seen")], W_K);
  plane.frame([
    [-1.3, -1.3],
    [1.3, 1.3],
    tip,
    ...start,
    ...[-1, 1].map((t) => start[j].map((x, c) => x + t * reach[1] * seen[c])),
  ]);
  const query = plane.add("arrow", { tone: "query", name: `query ÷ ${shrunk}`, merge: false });
  const way = plane.add("line", { tone: "value" });
  const keys = tokens.map((name, i) =>
    plane.add("point", { tone: i === j ? "value" : "key", name, size: i === j ? 8 : 5 })
  );
  // A ring stays where the key began
  const ghost = plane.add("point", { tone: "value", size: 12 });
  mark(ghost.el, "data-ghost", true);
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
  const moved = [0, 1, 2].map(() => h("strong"));
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
    keys.forEach((one, i) => one.put([K[i]], { name: i === j ? `key of ${label(word)}` : label(tokens[i]) }));
    weights.draw(a, { most: 1, on: j, was: rested });
    if (get("answers").length) answer.draw(p);
    const ways = [length(far), length(matmul([far], W_K)[0])];
    [...ways.map(told), a[j]].forEach((x, i) => write(moved[i], number(x)));
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
    }. Its scaled score is ${number(s[j])}, its weight ${number(a[j])}.${answered}`;
  }
  entries.el.classList.add("attn-embedded");
  // One line says how far each has moved; below, from left to right as it is computed: the row, its key, its weight
  const effect = (tone, what, big) => h("span", { "data-tone": tone }, h("small", {}, what), big);
  const column = (wide, title, one) =>
    h("div", { class: wide && "attn-wide" }, h("p", { class: "attn-note" }, ...title), one.el);
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-duo" }, move.map((one) => h("div", { class: "attn-sliders" }, one.el))),
      h(
        "p",
        { class: "attn-hero attn-effects" },
        effect("value", `${quoted(word)} moved`, moved[0]),
        effect("value", "→ its key moved", moved[1]),
        effect("ink", "→ its weight", moved[2]),
      ),
      h(
        "div",
        { class: "attn-unseen" },
        column(false, ["change of x(", bdi(word), ")"], entries),
        column(true, ["x W", h("sub", {}, "K"), "; ring: before"], plane),
        column(false, ["weights; line: before"], weights),
      ),
      ...answer.parts,
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "The numbers"),
        h("div", { class: "attn-tight" }, table.el),
      ),
      origin.el,
    ],
    draw,
    sentence,
  };
}
