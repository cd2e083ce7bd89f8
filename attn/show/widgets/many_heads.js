// Many heads as one diagram. Every number is a square of one size: heads are columns of the projections, and rows of W_O.
import {
  chips,
  figure,
  h,
  largest,
  legend,
  mark,
  number,
  products,
  quoted,
  restart,
  spoken,
  symbols,
  write,
} from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { attention, matmul, transpose } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "Heads are blocks.",
    hint: "Choose a head: which columns make it, which rows of W_O write it? Switch it off. Point at a square.",
    shape: ["X", "W_Q", "W_K", "W_V", "W_O", "heads", "tokens"],
    state: ["head", "row", "on"],
    build,
  });
}

const added = (a, b) => a.map((line, i) => line.map((x, j) => x + b[i][j]));
const length = (v) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

// Everything that does not depend on what is switched off.
function compute(get) {
  const [X, W_Q, W_K, W_V, W_O, heads] = ["X", "W_Q", "W_K", "W_V", "W_O", "heads"].map(get);
  const d = W_O.length / heads;
  const [Q, K, V] = [W_Q, W_K, W_V].map((W) => matmul(X, W));
  const cut = (a, t) => a.map((line) => line.slice(t * d, (t + 1) * d));
  const each = Array.from({ length: heads }, (_, t) => attention(cut(Q, t), cut(K, t), cut(V, t)));
  const writes = each.map(({ output }, t) => matmul(output, W_O.slice(t * d, (t + 1) * d)));
  return { X, W_Q, W_K, W_V, W_O, heads, d, Q, K, V, each, writes };
}

// One matrix as a picture of squares. blocks: "cols" or "rows" where heads own parts of it.
// draw(values, head, row); light(region or null): [i, j, rows, columns] of it glow.
function picture({ name, size, kind = "signed", most, blocks = null, heads, pick }) {
  const [n, m] = size;
  const { el, draw } = field({ name, size, kind, most, still: true, bend: Math.sqrt });
  const glow = h("span", { class: "attn-glow", hidden: true });
  const band = h("span", { class: "attn-follow" });
  const each = (blocks === "rows" ? n : m) / heads;
  const region = ([i, j, rows, cols]) => `--i:${i};--j:${j};--p:${rows};--q:${cols}`;
  const parts = Array.from({ length: blocks ? heads : 0 }, (_, t) =>
    h("span", {
      class: "attn-own",
      "data-way": blocks,
      style: `${region(blocks === "rows" ? [t * each, 0, each, m] : [0, t * each, n, each])};--k:${t}`,
    }));
  el.append(...parts, band, glow);
  const place = ({ clientX, clientY }) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    const near = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return [near((clientY - top) / height, n), near((clientX - left) / width, m)];
  };
  el.addEventListener("click", (event) => pick(place(event)));
  let at = [0, 0];
  Object.assign(el, { tabIndex: 0, role: "img" });
  // The arrows walk over the numbers: walk(move) is called with where they are.   walk(null): the focus has gone.
  function keys(walk) {
    el.addEventListener("focus", () => el.matches(":focus-visible") && walk(at));
    el.addEventListener("blur", () => walk(null));
    el.addEventListener("keydown", (event) => {
      const [i, j] = at;
      const to = {
        ArrowUp: [i - 1, j],
        ArrowDown: [i + 1, j],
        ArrowLeft: [i, j - 1],
        ArrowRight: [i, j + 1],
        Home: [i, 0],
        End: [i, m - 1],
        Enter: at,
        " ": at,
      }[event.key];
      if (!to) return;
      event.preventDefault();
      at = [Math.min(Math.max(to[0], 0), n - 1), Math.min(Math.max(to[1], 0), m - 1)];
      if (["Enter", " "].includes(event.key)) pick(at);
      walk(at);
    });
  }
  return {
    name,
    keys,
    heard: (told) => el.setAttribute("aria-label", spoken(told)),
    el: h("div", { class: "attn-square" }, h("p", {}, symbols(name)), el),
    box: el,
    place,
    light(where) {
      glow.hidden = !where;
      if (where) glow.style.cssText = region(where);
    },
    draw(values, head, row) {
      draw(values);
      parts.forEach((part, t) => mark(part, "data-on", t === head));
      band.hidden = row === null;
      if (row !== null) band.style.cssText = region([row, 0, 1, m]);
    },
  };
}

function build(get, set) {
  const now = compute(get);
  const { X, W_O, heads, d } = now;
  const tokens = get("tokens");
  const [n, c, wide] = [X.length, X[0].length, W_O.length];
  const every = [X, now.W_Q, now.W_K, now.W_V, W_O, now.Q, now.K, now.V, ...now.writes];
  const most = largest(every.map(largest));
  const owner = (at) => Math.floor(at / d); // the head that owns a column of the projections, or a row of W_O
  const make = (name, size, blocks = null, onpick = () => {}, kind = "signed") =>
    picture({ name, size, kind, most: kind === "weight" ? null : most, blocks, heads, pick: onpick });
  const byColumn = ([i, j]) => set({ head: owner(j), row: i });
  const parts = {
    X: make("X", [n, c], null, ([row]) => set({ row })),
    Y: make("Y", [n, wide], "cols", byColumn),
    W_O: make("W_O", [wide, c], "rows", ([i]) => set({ head: owner(i) })),
    out: make("Y W_O", [n, c], null, ([row]) => set({ row })),
    write: make("this head adds", [n, c], null, ([row]) => set({ row })),
    stream: make("X + Y W_O, the stream", [n, c], null, ([row]) => set({ row })),
  };
  for (const name of ["Q", "K", "V"]) {
    parts[`W_${name}`] = make(`W_${name}`, [c, wide], "cols", ([, j]) => set({ head: owner(j) }));
    parts[name] = make(`${name} = X W_${name}`, [n, wide], "cols", byColumn);
  }
  const cards = now.each.map((_, t) => {
    const choose = () => set({ head: t });
    const chosen = ([row]) => set({ head: t, row });
    const A = make("A", [n, n], null, chosen, "weight");
    const O = make("A V", [n, d], null, chosen);
    const head = h("button", { type: "button", onclick: choose }, `head ${t}`);
    const el = h(
      "div",
      { class: "attn-card", style: `--k:${t}` },
      head,
      h("div", { class: "attn-pair" }, A.el, O.el),
    );
    return { A, O, el, head };
  });
  const follow = chips({ names: tokens, title: "Follow", onpick: (row) => set({ row }) });
  const off = h("button", {
    type: "button",
    onclick: () => set({ on: get("on").map((x, t) => (t === get("head") ? 1 - x : x)) }),
  });
  follow.el.append(off, restart(get, set, ["head", "row", "on"]));
  const origin = h(
    "p",
    { class: "attn-origin" },
    "Point at a square, or walk there with the arrow keys, to see what it is made of.",
  );
  const rest = origin.textContent;
  let shown = [];

  const row = (i, a = wide, from = 0) => [i, from, 1, a];
  const column = (j, a, from = 0) => [from, j, a, 1];
  // What a number is and what it is made of: [what, value, formula, [[picture, region], …]]
  const whose = (j) => `head ${owner(j)}`;
  const made = {
    X: (i, j) => [`X, ${quoted(tokens[i])}`, X[i][j], "", []],
    W_O: (i, j) => [`W_O, row ${i}, of ${whose(i)}`, W_O[i][j], "", []],
    Y: (i, j) => {
      const t = owner(j);
      return [`Y, ${quoted(tokens[i])}, ${whose(j)}`, now.Y[i][j], "", [[cards[t].O, [i, j - t * d, 1, 1]]]];
    },
    out: (i, j) => [
      `Y W_O, ${quoted(tokens[i])}`,
      now.out[i][j],
      products(now.Y[i], transpose(W_O)[j]),
      [[parts.Y, row(i)], [parts.W_O, column(j, wide)]],
    ],
    write: (i, j) => {
      const t = get("head");
      const own = W_O.slice(t * d, (t + 1) * d).map((line) => line[j]);
      return [
        `head ${t} adds to ${quoted(tokens[i])}`,
        now.write[i][j],
        get("on")[t] ? products(now.each[t].output[i], own) : "",
        [[parts.Y, row(i, d, t * d)], [parts.W_O, column(j, d, t * d)]],
      ];
    },
    stream: (i, j) => [
      `the stream of ${quoted(tokens[i])}`,
      now.stream[i][j],
      `${number(X[i][j])} + ${number(now.out[i][j])}`,
      [[parts.X, [i, j, 1, 1]], [parts.out, [i, j, 1, 1]]],
    ],
  };
  for (const name of ["Q", "K", "V"]) {
    const W = now[`W_${name}`];
    made[`W_${name}`] = (i, j) => [`W_${name}, column ${j}, of ${whose(j)}`, W[i][j], "", []];
    made[name] = (i, j) => [
      `${name}, ${quoted(tokens[i])}, column ${j}, of ${whose(j)}`,
      now[name][i][j],
      products(X[i], transpose(W)[j]),
      [[parts.X, row(i, c)], [parts[`W_${name}`], column(j, c)]],
    ];
  }
  function leave() {
    for (const one of shown) one.light(null);
    shown = [];
    write(origin, rest);
  }
  function point(one, job) {
    const show = (at) => {
      const [what, value, formula, from] = job(...at);
      leave();
      shown = [one, ...from.map(([source]) => source)];
      one.light([...at, 1, 1]);
      for (const [source, where] of from) source.light(where);
      const told = `${what}: ${number(value)}${formula ? ` = ${formula}` : ""}`;
      write(origin, told);
      return told;
    };
    one.box.addEventListener("pointermove", (event) => show(one.place(event)));
    one.box.addEventListener("pointerleave", leave);
    one.keys((at) => (at ? one.heard(show(at)) : leave()));
    one.heard(`${one.name}. Arrow keys walk over its numbers.`);
  }
  for (const [name, one] of Object.entries(parts)) point(one, made[name]);
  cards.forEach(({ A, O }, t) => {
    point(A, (i, j) => {
      const { weights, scores } = now.each[t];
      const all = scores[i].slice(0, 6).map((x) => "e^" + number(x)).join(" + ");
      return [
        `head ${t}, ${quoted(tokens[i])} to ${quoted(tokens[j])}`,
        weights[i][j],
        `e^${number(scores[i][j])} / (${all}${n > 6 ? " + …" : ""})`,
        [[parts.Q, row(i, d, t * d)], [parts.K, [0, t * d, n, d]]],
      ];
    });
    point(O, (i, j) => [
      `head ${t}'s output for ${quoted(tokens[i])}`,
      now.each[t].output[i][j],
      products(now.each[t].weights[i], now.V.map((line) => line[t * d + j])),
      [[A, row(i, n)], [parts.V, column(t * d + j, n)]],
    ]);
  });

  function draw() {
    const [t, i, on] = [get("head"), get("row"), get("on")];
    const kept = now.writes.map((a, k) => (on[k] ? a : a.map((line) => line.map(() => 0))));
    now.out = kept.reduce(added);
    now.write = kept[t];
    now.stream = added(X, now.out);
    now.Y = X.map((_, a) => now.each.flatMap(({ output }, k) => output[a].map((x) => (on[k] ? x : 0))));
    for (const [name, one] of Object.entries(parts)) {
      one.draw(now[name], t, name.startsWith("W") ? null : i);
    }
    cards.forEach(({ A, O, el, head }, k) => {
      A.draw(now.each[k].weights, t, i);
      O.draw(now.each[k].output, t, i);
      head.setAttribute("aria-pressed", String(k === t));
      mark(el, "data-off", !on[k]);
    });
    follow.draw(i);
    write(off, `Switch head ${t} ${on[t] ? "off" : "on"}`);
  }
  function sentence() {
    const [t, i] = [get("head"), get("row")];
    const own = `${t * d} to ${(t + 1) * d - 1}`;
    const a = now.each[t].weights[i];
    const top = a.findIndex((x) => x >= Math.max(...a) - 1e-9);
    const adds = get("on")[t]
      ? `The head adds a vector of length ${number(length(now.write[i]))}`
      : "The head is switched off";
    return `Head ${t} of ${heads} owns columns ${own} of W_Q, W_K and W_V, and rows ${own} of W_O. ${
      quoted(tokens[i])
    } looks most at ${quoted(tokens[top])} (${number(a[top])}). ${adds}; all heads together add one of length ${
      number(length(now.out[i]))
    }.`;
  }
  const said = h("div", { style: "flex: 1 1 14rem; align-self: center" }, origin);
  const columns = Math.max(c + 3 * wide, wide + 3 * c);
  const all = c + 3 * wide + heads * (n + d + 1);
  const beside = `(100cqw - ${4.5 + 2 * heads}rem) / ${all}`; // the heads stand in one line with what they are made of
  const line = {
    class: "attn-line-up",
    style: "flex-wrap: wrap; justify-content: flex-start; gap: 0.6rem min(1.1rem, 2.4vw)",
  };
  return {
    parts: [
      follow.el,
      h(
        "div",
        { class: "attn-ground" },
        h(
          "div",
          {
            class: "attn-layer-map",
            style: `--u:min(16px, max(${beside}, min(12px, (100cqw - 4.2rem) / ${columns})))`,
          },
          h(
            "div",
            line,
            parts.X.el,
            ...["Q", "K", "V"].map((name) => h("div", {}, parts[`W_${name}`].el, parts[name].el)),
            h("div", { ...line, role: "group", "aria-label": "Heads" }, cards.map(({ el }) => el)),
          ),
          h("div", line, parts.Y.el, h("div", {}, parts.W_O.el, parts.out.el), parts.write.el, parts.stream.el, said),
        ),
      ),
      h(
        "div",
        { class: "attn-row attn-scales" },
        legend({ kind: "signed", values: [[-most]], most, bent: true }).el,
        legend({ kind: "weight", values: [] }).el,
      ),
    ],
    draw,
    sentence,
  };
}
