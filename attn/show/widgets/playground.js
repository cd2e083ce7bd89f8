// One head whose every part can be changed, and goals to reach with it.
import {
  bare,
  chips,
  either,
  figure,
  h,
  largest,
  mark,
  matrix,
  number,
  phrase,
  products,
  quoted,
  slider,
  vector,
  write,
} from "../kit/kit.js";
import { field, paintable, spot, terse } from "../kit/boards.js";
import { entropy, matmul, scaled, scores, softmaxRow, transpose } from "../kit/linalg.js";
import { numbers, pattern, placesAndNumbers, preset, PRESETS, rank, SHOWS } from "../kit/presets.js";
import { GOALS, reached } from "../kit/goals.js";

const MASKS = ["none", "causal", "window", "prefix", "painted"];
const SHARED = ["tokens", "Q", "K", "V", "mask", "painted", "window", "prefix", "temperature", "scale", "preset"];
const MOST = 128;
// As the equation lies: a row of Q and a column of Kᵀ meet at their score; a row of A takes from V what stands in Y
const NAMES = {
  Q: "Q, queries",
  K: "Kᵀ, keys",
  S: "S, scores: scale · Q Kᵀ",
  A: "A, weights: softmax(S / τ + M)",
  V: "V, values",
  Y: "Y = A V",
};
// A share that is neither nothing nor all is never written so
const near = (x, tell = number, least = 0.0005) => x > 0 && x < least ? "≈0" : x < 1 && x > 1 - least ? "≈1" : tell(x);
const PLACE = "attn-playground"; // where solved goals are kept, on this machine only
// Few tokens: large cells, each with its number. What to do, and beside it what to press. In the corner where Q and K meet
// the score, above A what it becomes. On a phone the row of A stands below the matrix in hand, below A that of S.
const RULES = `
.attn-live [data-few] {
  td { font-size: 14px !important; }
  :is([data-board="Q"], [data-board="K"], [data-board="V"]) td { text-decoration: underline dotted var(--attn-edge); text-underline-offset: 0.3em; }
  @container (width >= 40rem) {
    [data-board] tbody td { --one: var(--w) !important; height: 44px !important; }
    > * { --w: min(50px, (100cqw - 6rem) / 15); }
  }
}
.attn-task { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; margin: 0.4rem 0; padding: 0.5rem 0.8rem; border-radius: 8px; background: var(--attn-wash); }
.attn-live .attn-news { flex: 1 1 20rem; min-height: 2lh; align-content: center; margin: 0; font-size: 15px; line-height: 1.35; }
.attn-news > strong { color: color-mix(in srgb, var(--attn-debt) 85%, var(--attn-text)); }
.attn-news[data-fresh] > strong { color: var(--attn-accent); }
.attn-live .attn-task > .attn-chips { position: relative; margin: 0; }
.attn-task input { position: absolute; right: 100%; width: 6rem; }
.attn-live .attn-next { color: var(--attn-accent); }
button:has(+ .attn-next:not([hidden])) { display: none; }
.attn-live .attn-bench > .attn-told { contain: inline-size; padding: 0; border: 0; font-size: 14px; line-height: 1.35; }
.attn-live .attn-bench > .attn-told > p { margin: 0; overflow: hidden; }
.attn-told > * + p { height: var(--told, auto); }
.attn-live .attn-ground + .attn-folds { margin-top: 1rem; }
@media (width <= 600px) {
  .attn-live .attn-news { flex-basis: 100%; min-height: 4lh; align-content: start; }
  .attn-live .attn-task > .attn-chips { flex: 1; }
  .attn-task button { padding-inline: 0.4rem; font-size: 0.92em; }
  .attn-task input { inset: auto 0 110%; }
}
@container (width < 40rem) {
  .attn-bench > .attn-scroll[data-below] {
    display: block;
    grid-row: 2 !important;
    tbody tr:not([data-on]) { display: none; }
  }
  .attn-live .attn-bench > .attn-told { grid-area: auto !important; --told: 2.7em; }
  .attn-live .attn-bench:not([data-few]) > .attn-told:nth-last-child(2) { --told: 4.05em; }
  .attn-bench tbody td { --one: var(--w) !important; }
}
@container (width >= 40rem) {
  .attn-told > p:first-child > span > span { display: block; }
  .attn-told > p span:first-child > strong { display: block; font-size: 1.4rem; }
}`;
export function render(host) {
  // A link is for the first playground of a page; a notebook's address is not ours to read
  const own = document.querySelector("[data-view=playground]") === host.el;
  const follow = () => {
    const state = own && readLink();
    if (!state) return;
    for (const [name, value] of Object.entries(state)) host.model.set(name, value);
    requestAnimationFrame(() => host.el.scrollIntoView()); // who follows a link to a head wants to see it
  };
  const kept = {}; // what outlives a change of tokens: which parts are open, and the focus
  follow();
  window.addEventListener("hashchange", follow);
  const leave = figure(host, {
    title: "Attention playground.",
    hint: `Drag a number of Q, Kᵀ or V ${matchMedia("(hover: none)").matches ? "sideways" : "up or down"}.`,
    shape: ["tokens"],
    state: [...SHARED.slice(1), "row", "col"],
    build: (get, set, redraw) => build(get, set, redraw, own, kept),
  });
  return () => {
    window.removeEventListener("hashchange", follow);
    leave();
  };
}

function compute(get) {
  const [Q, K, V, tau] = ["Q", "K", "V", "temperature"].map(get);
  const S = scores(Q, K, get("scale"));
  const allowed = get("mask") === "painted"
    ? get("painted")
    : pattern(get("mask"), Q.length, get("window"), get("prefix"));
  const A = S.map((line, i) => softmaxRow(line.map((s, j) => (allowed[i][j] ? s / tau : -Infinity))));
  return {
    S,
    allowed,
    A,
    V,
    Y: matmul(A, V),
    n: Q.length,
    Q,
    K,
    ids: numbers(get("tokens")),
    mask: get("mask"),
    ranks: [rank(S), rank(A)],
  };
}

// do₁ re₂ do₃: a token that comes more than once has its place, counted from 1 as V counts it
const placed = (token, i, all) =>
  all.indexOf(token) === all.lastIndexOf(token)
    ? token
    : token + String(i + 1).replace(/./g, (x) => String.fromCharCode(8320 + +x));

function build(get, set, redraw, own, kept) {
  const tokens = get("tokens");
  const named = tokens.map(placed);
  const n = tokens.length;
  // What the reader came upon; edited tokens build the view anew, so it is kept outside
  kept.start ??= Object.fromEntries([...SHARED, "row", "col"].map((name) => [name, get(name)]));
  kept.head ??= get("preset");
  let full = null; // full colours: set by a preset and kept, so that sliders and drags change the colours
  let touched = false;
  let now = null;
  const change = (changes) => (touched = true, set(changes));
  const copy = () => now.allowed.map((line) => line.map(Number));
  const painting = () => get("mask") === "painted";

  // ---- the six matrices, laid out anew when the width of Q or V changes

  const squares = h("div", { class: "attn-bench" });
  const boards = {};
  let sizes = null;
  let pointed = null;
  const choose = (name, i, j) =>
    set(name === "K" ? { col: j } : name === "V" ? { col: i } : "QY".includes(name) ? { row: i } : { row: i, col: j });
  function stroke(cells, allow) {
    const [row, col] = cells.at(-1);
    if (!painting()) return set({ row, col });
    const painted = copy();
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    change({ row, col, painted });
  }
  function act(name, i, j) {
    if ("QKV".includes(name)) return edit(name, i, j);
    if (name !== "Y" && painting()) stroke([[i, j]], (painted) => 1 - painted[i][j]);
    else choose(name, i, j);
  }
  function lay() {
    const [d, e] = [now.Q[0].length, now.V[0].length];
    if (sizes?.Q[1] === d && sizes.V[1] === e) return;
    sizes = { Q: [n, d], K: [d, n], S: [n, n], A: [n, n], V: [n, e], Y: [n, e] };
    const few = n < 11 && 2 * n + d + e < 33; // numbers fit into the cells, in so many signs
    const tiny = (x) => [2, 1, 0].map((k) => terse(+x.toFixed(k))).find((told) => told.length < (n < 9 ? 6 : 5)) || "…";
    squares.replaceChildren(...gaps);
    for (const [name, size] of Object.entries(sizes)) {
      const one = (few ? matrix : field)({
        name: NAMES[name],
        rows: name === "K" ? now.Q[0].map((_, c) => `d${c + 1}`) : named,
        cols: "KSA".includes(name) ? named : null,
        size,
        kind: name === "A" ? "weight" : "signed",
        tell: name === "A" ? (x) => (few ? near(x, tiny, 0.005) : near(x)) : few ? tiny : number,
        onpick: (i, j) => choose(name, i, j),
        onact: (i, j) => act(name, i, j),
      });
      one.el.dataset.board = name;
      one.el.style.cssText = `grid-area:${name};--m:${size[1]}`;
      if ("SA".includes(name)) paintable(one.el, n, stroke);
      boards[name] = one;
      squares.append(one.el);
    }
    squares.append(...beams, pen, ...told);
    squares.style.cssText = `--n:${n};--d:${d};--e:${e}`;
    mark(squares, "data-few", n < 5 && d < 6 && e < 3);
    show(kept.shown ?? 3);
  }

  // Beams run along the row of Q and down the column of S to the score that they make, along the row of A to the row of Y
  const beams = [0, 1, 2, 3, 4].map(() => h("div", { class: "attn-beam" }));
  const pin = () => [get("row"), get("col")];
  const at = () => pointed || pin();
  // first and last cell, of those that are seen
  function lie(node, ...cells) {
    const seen = cells.map(([name, i, j]) => spot(boards[name], sizes[name], i, j)).filter((one) => one.width);
    const [home, from, to] = [squares.getBoundingClientRect(), seen[0], seen.at(-1)];
    node.style.cssText = from
      ? `left:${from.left - home.left}px;top:${from.top - home.top}px;width:${to.right - from.left}px;height:${
        to.bottom - from.top
      }px`
      : "display:none";
  }
  function shine() {
    const [i, j] = at();
    const [d, e] = [sizes.Q[1] - 1, sizes.V[1] - 1];
    [
      [["Q", i, 0], ["Q", i, d], ["S", i, 0], ["S", i, j]],
      [["K", 0, j], ["K", d, j]], // a frame ends where a title stands
      [["A", i, 0], ["A", i, n - 1], ["Y", i, 0], ["Y", i, e]],
      [["V", j, 0], ["V", j, e]],
      [["S", 0, j], ["S", i, j]],
    ].forEach((cells, k) => lie(beams[k], ...cells));
  }
  function under(event) {
    const own = event.target.closest("td[data-at], .attn-field");
    const name = own?.closest("[data-board]").dataset.board;
    return own && [name, ...(boards[name].below?.(event) || own.dataset.at.split(",").map(Number))];
  }
  function point(to) {
    if (String(to) === String(pointed)) return;
    pointed = to;
    if (boards.S.cells) return draw();
    tell();
    shine();
  }

  // ---- a number of Q, K or V where it stands: dragged to the right or up, or typed and stepped in a box on its cell

  let held = null;
  let open = null;
  const pen = h("input", {
    type: "number",
    step: "0.1",
    hidden: true,
    oninput: () => put(open, pen.valueAsNumber),
    onblur: () => (pen.hidden = true),
    onkeydown: (event) => ["Enter", "Escape"].includes(event.key) && (pen.hidden = true, kept.from.focus()),
  });
  // K stands as columns
  const place = ([name, i, j]) => name === "K" ? [j, i] : [i, j];
  function put(one, x) {
    if (!(Math.abs(x) <= 1e6)) return;
    const [t, c] = place(one);
    change({
      [one[0]]: get(one[0]).map((line, k) => (k === t ? line.map((old, at) => (at === c ? x : old)) : line)),
      preset: "",
    });
  }
  function edit(...one) {
    const [t, c] = place(one);
    choose(...one);
    open = one;
    kept.from = document.activeElement;
    pen.value = +get(one[0])[t][c].toFixed(3);
    pen.setAttribute("aria-label", `${one[0].toLowerCase()} of ${quoted(tokens[t])}, d${c + 1}`);
    lie(pen, one);
    pen.hidden = false;
    pen.select();
    pen.focus();
  }
  squares.onpointerdown = (event) => {
    const one = under(event);
    held = one && "QKV".includes(one[0]) && !event.button
      ? { one, event, was: get(one[0]), preset: get("preset") }
      : null;
  };
  // a finger that scrolls the page after all has changed nothing
  squares.onpointercancel = () => {
    if (held?.moved) change({ [held.one[0]]: held.was, preset: held.preset });
    held = null;
  };
  squares.onpointermove = (event) => {
    if (held && event.buttons & 1) {
      const { one, event: from, was } = held;
      const [right, up] = [event.clientX - from.clientX, from.clientY - event.clientY]; // both are more
      if (!held.moved) {
        if (Math.hypot(right, up) < 5) return;
        // the first move says what a finger wants; a mouse may go any way
        if (event.pointerType === "touch" && Math.abs(up) > Math.abs(right)) return held = null;
      }
      choose(...one);
      held.moved = true;
      squares.setPointerCapture(event.pointerId);
      const [t, c] = place(one);
      // 200 pixels are the largest number, and 50 are 1 at least
      const by = Math.round((right + up) * Math.max(0.2, largest(was) / 20)) / 10;
      return put(one, +(was[t][c] + by).toFixed(6));
    }
    const one = under(event);
    point(one && "SA".includes(one[0]) ? one.slice(1) : null);
  };
  squares.onpointerleave = () => point(null);
  // A digit opens the box, as in a spreadsheet, and falls into it
  squares.onkeydown = ({ key, target }) => {
    const name = target.closest("[data-board]")?.dataset.board;
    if (/^[-.\d]$/.test(key) && "QKV".includes(name)) target.click();
  };
  // A drag ends in a click, which must not open the box
  squares.addEventListener("click", (event) => held?.moved && event.detail && event.stopPropagation(), true);

  // ---- above Q: the pair and what its score is made of; above A: from the score to what is taken

  const [pair, score, weight, taken] = [0, 1, 2, 3].map(() => h("strong"));
  const [terms, power, rest, shut] = ["span", "span", "p", "span"].map((tag) => h(tag));
  const takes = h("span", {}, h("span", {}, "share ", weight, power), h("span", {}, " → of v ", taken));
  const part = (area, ...lines) => h("div", { class: "attn-told", style: `grid-area:${area}` }, lines);
  const told = [
    part(
      "g",
      h("p", {}, pair),
      h("p", {}, h("span", {}, "score ", score, terms)),
      h("small", {}, "orange < 0 < purple"),
    ),
    part("t", h("p", {}, takes, shut), rest),
  ];
  const about = (i) =>
    `The row sums to ${number(now.A[i].reduce((all, x) => all + x))}, its entropy is ${
      number(entropy(now.A[i]))
    } nats.${n > 5 ? ` Ranks to a thousandth: S ${now.ranks[0]}, A ${now.ranks[1]}.` : ""}`;
  function tell() {
    const [i, j] = at();
    const on = now.Q[i].map((_, c) => c).filter((c) => Math.abs(now.Q[i][c] * now.K[j][c]) > 1e-9);
    const made = products(...[now.Q[i], now.K[j]].map((a) => on.map((c) => a[c])));
    const open = now.allowed[i][j];
    write(pair, `${bare(named[i])} → ${bare(named[j])}`);
    write(score, number(now.S[i][j], 2));
    write(terms, made && ` = ${number(get("scale"))} · (${made})`);
    phrase(power, ` = e^${number(now.S[i][j] / get("temperature"), 1)} / sum`);
    takes.hidden = !open;
    write(shut, open ? "" : "masked: takes nothing");
    write(weight, near(now.A[i][j]));
    write(taken, vector(now.V[j]));
    write(rest, open ? about(i) : "");
  }
  // On a phone one of the matrices stands there, below small pictures of all
  const shown = chips({
    names: ["Q", "Kᵀ", "S", "A", "V", "Y"],
    title: "Show",
    onpick: show,
  });
  shown.el.classList.add("attn-switch", "attn-thumbs");
  function show(k) {
    kept.shown = k;
    Object.values(boards).forEach(({ el }, at) => {
      mark(el, "data-shown", at === k);
      mark(el, "data-below", at === (k === 3 ? 2 : 3));
    });
    shown.draw(k);
    shine();
  }

  const range = (title, min, max, step, oninput = (value) => change({ [title.split(" ")[0]]: value })) =>
    slider({ title, min, max, step, oninput });
  const widen = (window) => change({ window, ...(get("preset") === "edge" && preset("edge", tokens, window)) });
  const sliders = {
    temperature: range("temperature τ of A", 0.05, 10, 0.05),
    scale: range("scale of S", 0, 3, 0.01),
    window: range("window", 1, Math.max(n, 2), 1, widen),
    prefix: range("prefix", 0, n, 1),
  };
  const gaps = ["scale", "temperature"].map((name, k) =>
    h("div", { class: "attn-sliders attn-gap", style: `grid-area:${"sa"[k]}` }, sliders[name].el)
  );
  const heads = Object.keys(PRESETS);
  const begin = (k) => {
    goals.next();
    full = null;
    kept.head = heads[k];
    change(preset(heads[k], tokens, get("window")));
    const last = compute(get).A[n - 1];
    set({ row: n - 1, col: last.indexOf(Math.max(...last)) }); // the cell that tells
  };
  const presets = either(Object.values(PRESETS), "Preset", begin, "your own");
  const masks = either(
    [...MASKS.slice(0, 4), "paint"],
    "Mask",
    (k) => change({ mask: MASKS[k], painted: copy() }),
  );
  const tools = Object.entries(TOOLS).map(([name, job]) =>
    h("button", { type: "button", onclick: () => change({ ...job(now), preset: "" }) }, name)
  );
  const reset = h("button", {
    type: "button",
    onclick: () => {
      full = null;
      touched = false;
      kept.head = kept.start.preset;
      kept.phase = 0;
      goals.next();
      set(kept.start);
    },
  }, "↺ Start again");
  const words = names(get, change, kept);
  const goals = challenges(kept, redraw);

  function draw() {
    now = compute(get);
    lay();
    full ??= Object.fromEntries([..."QKVS"].map((name) => [name, largest(now[name])]));
    // what the mask forbids is told apart from what is small
    const seen = (values) =>
      boards.S.cells ? values : values.map((line, i) => line.map((x, j) => (now.allowed[i][j] ? x : null)));
    const values = { ...now, K: transpose(now.K), S: seen(now.S), A: seen(now.A) };
    const [row, col] = at();
    const pick = pin();
    const marks = { K: { col }, V: { row: col }, S: { row, col, pick }, A: { row, col, pick } };
    // a small one asks what a head does that asks for nothing, answers when it does, and then has its challenges
    const idle = !now.S.flat().some(Boolean);
    kept.phase = n > 4 || (kept.phase && !idle) ? 2 : kept.phase || +idle;
    const wanted = goals.draw(now).map(String);
    Object.entries(boards).forEach(([name, { draw, cells }], k) => {
      draw(values[name], { ...(marks[name] || { row }), full: full[name] });
      if (marks[name]?.pick) {
        cells?.forEach((line, i) =>
          line.forEach((cell, j) => {
            mark(cell, "data-shut", !now.allowed[i][j]);
            mark(cell, "data-here", i === row && j === col);
            mark(cell, "data-want", name === "A" && wanted.includes(`${i},${j}`));
          })
        );
      }
      const small = field({ kind: name === "A" ? "weight" : "signed", size: sizes[name], still: true });
      small.draw(values[name], { full: full[name] });
      const button = shown.el.children[k + 1];
      button.style.gridArea = name;
      button.replaceChildren(small.el, button.lastChild);
    });
    for (const [name, one] of Object.entries(sliders)) one.draw(get(name));
    sliders.prefix.el.hidden = get("mask") !== "prefix";
    sliders.window.el.hidden = !sliders.prefix.el.hidden || (get("mask") !== "window" && get("preset") !== "edge");
    mark(squares, "data-paint", painting());
    presets.draw(heads.indexOf(get("preset")));
    masks.draw(MASKS.indexOf(get("mask")));
    words.draw();
    tell();
    shine();
    // a head that began as a preset does not count for the challenge of its name
    if (touched) goals.check({ ...now, head: kept.head });
  }
  function sentence() {
    const [i, j] = pin();
    const cell = `score ${number(now.S[i][j])}, ${now.allowed[i][j] ? "allowed" : "masked"}, weight ${
      near(now.A[i][j])
    }`;
    return `${quoted(tokens[i])} to ${quoted(tokens[j])}: ${cell}. ${about(i)}`;
  }
  const watch = new ResizeObserver(shine);
  watch.observe(squares);
  const group = (...children) => h("div", { class: "attn-chips" }, children);
  const parts = [
    h("style", {}, RULES),
    h(
      "div",
      { class: "attn-task" },
      goals.news,
      group(tools.pop(), goals.go, reset, ...(own ? share(get, goals) : [])),
    ),
    h("div", { class: "attn-ground" }, shown.el, squares),
    h(
      "div",
      { class: "attn-duo attn-folds" },
      fold(
        kept,
        "more",
        "Presets, masks, moves",
        presets.el,
        masks.el,
        group(...tools, words.el),
        h("div", { class: "attn-sliders" }, sliders.window.el, sliders.prefix.el),
      ),
      goals.el,
    ),
  ];
  const hint = () =>
    painting() ? "Drag over S or A to forbid or allow." : get("preset") && `Each looks at ${SHOWS[get("preset")]}.`;
  return { parts, draw, sentence, hint, stop: () => watch.disconnect() };
}

// Whole-matrix moves: with them a head is built from ideas, not from numbers.
const down = (a) => [a[0].map(() => 0), ...a.slice(0, -1)];
const TOOLS = {
  "Shift Q down": ({ Q }) => ({ Q: down(Q) }),
  "Shift K down": ({ K }) => ({ K: down(K) }),
  "Q × 2": ({ Q }) => ({ Q: scaled(Q, 2) }),
  "Q ← 0": ({ Q }) => ({ Q: scaled(Q, 0) }),
};

// All names as one line of text.
function names(get, change, kept) {
  const line = h("input", {
    type: "text",
    onchange: () => retype(line.value),
  });
  function retype(text) {
    const tokens = text.split(/\s+/).filter(Boolean).slice(0, MOST);
    if (!tokens.length) return draw();
    const n = tokens.length;
    kept.focus = true;
    const cycle = (a) => tokens.map((_, i) => a[i % a.length]);
    const made = get("preset")
      ? preset(get("preset"), tokens, get("window"))
      : { Q: cycle(get("Q")), K: cycle(get("K")), V: placesAndNumbers(tokens) };
    change({ ...made, tokens, painted: pattern("causal", n), prefix: Math.min(get("prefix"), n), row: n - 1, col: 0 });
  }
  function draw() {
    if (document.activeElement !== line) line.value = get("tokens").join(" ");
    if (kept.focus) line.focus();
    kept.focus = false;
  }
  return { el: h("label", {}, "Tokens ", line), draw };
}

const fold = (kept, name, told, ...children) => {
  const el = h(
    "details",
    { class: "attn-more", open: !!kept[name], ontoggle: () => (kept[name] = el.open) },
    h("summary", {}, told),
    children,
  );
  return el;
};

// What even weights are, row by row, of few tokens
const SHARES = ["0", "1", "½", "⅓", "¼"];
function evenly({ A }) {
  const told = A.map((line) => SHARES[line.filter(Boolean).length]);
  return `All scores are 0: every open token of a row gets the same share, ${told.join(", ")}.`;
}

// The goals, ticked as the weights reach them. What is solved is kept on this machine, where the page may do so.
function challenges(kept, redraw) {
  const shelf = (job) => {
    try {
      return job(localStorage);
    } catch {
      // private windows and pages from a disc may refuse
    }
  };
  const stored = shelf((store) => JSON.parse(store.getItem(PLACE)));
  const solved = new Set(GOALS.map((goal) => goal.id).filter((id) => stored?.includes?.(id)));
  const [what, asks] = [h("strong"), h("span")];
  const news = h("p", { class: "attn-news", "aria-live": "polite" }, what, asks);
  let fresh = []; // what the last change solved
  let last = null;
  const count = h("span");
  const items = GOALS.map((goal) => {
    const why = h("p", {}, h("strong", {}, "Why: "), goal.why);
    const tick = h("span", { class: "attn-tick" });
    const el = h(
      "li",
      { "data-goal": goal.id },
      tick,
      ` ${goal.ask} `,
      fold(kept, goal.id, "Hint", h("p", {}, goal.hint)),
      why,
    );
    return { goal, why, tick, el };
  });
  const clear = h("button", {
    type: "button",
    onclick: () => (solved.clear(), shelf((store) => store.removeItem(PLACE)), next()),
  }, "Forget my progress");
  const left = () => GOALS.filter((goal) => !solved.has(goal.id));
  const asked = () => fresh.length ? fresh : left().slice(0, 1);
  const go = h("button", {
    type: "button",
    class: "attn-next",
    "aria-label": "Next challenge",
    onclick: () => (next(), redraw(), go.previousSibling.focus()),
  }, "Next ›");
  // What is asked, its answer, or the one just solved.   -> the cells of A that it is about
  function draw(now = last) {
    last = now;
    write(count, `Challenges: ${solved.size} of ${GOALS.length} solved`);
    const first = kept.phase < 2;
    const told = !first
      ? asked().map((goal) => goal.ask).join(" ")
      : kept.phase
      ? evenly(now)
      : "Press Q ← 0. What does A become if no word asks?";
    const answered = first ? kept.phase : fresh.length;
    mark(news, "data-fresh", answered);
    news.nextSibling.firstChild.classList.toggle("attn-quiet", !first);
    go.hidden = !answered;
    const how = first
      ? answered ? "Answer" : "First"
      : fresh.length
      ? "✓ Solved"
      : asked()[0]?.wanted
      ? "Challenge, outlined in A"
      : "Challenge";
    say(told || "All solved.", told && `${how}: `);
    for (const { goal, why, tick, el } of items) {
      why.hidden = !solved.has(goal.id);
      mark(el, "data-solved", solved.has(goal.id));
      write(tick, solved.has(goal.id) ? "✓" : "○");
    }
    return !first && asked()[0]?.wanted?.(now) || [];
  }
  const say = (told, how = "") => (write(what, how), write(asks, told));
  function next() {
    if (kept.phase === 1) kept.phase = 2;
    else fresh = [];
    if (last) draw();
  }
  function check(now) {
    const more = left().filter((goal) => reached(goal, now));
    if (!more.length) return;
    fresh = more;
    for (const goal of fresh) solved.add(goal.id);
    shelf((store) => store.setItem(PLACE, JSON.stringify([...solved])));
    draw();
  }
  const el = fold(kept, "open", count, h("ol", { class: "attn-goals" }, items.map((item) => item.el)), clear);
  return { el, news, go, draw, check, next, say };
}

// ---- the link: the whole state in the address, after the #, so that it never leaves the reader's machine by itself

function share(get, { say, draw }) {
  const el = h("input", {
    type: "text",
    readonly: true,
    hidden: true,
    "aria-label": "Link to this state",
    onblur: () => (el.hidden = true, draw()),
  });
  const button = h("button", {
    type: "button",
    class: "attn-quiet",
    onclick: () => {
      el.value = writeLink(get);
      el.hidden = false;
      el.focus();
      el.select();
      el.scrollLeft = 0;
      say("Copy the link.");
    },
  }, "Share");
  return [button, el];
}

function writeLink(get) {
  const state = Object.fromEntries(SHARED.map((name) => [name, get(name)]));
  if (state.mask !== "painted") delete state.painted;
  const tidy = (_key, x) => (typeof x === "number" ? +x.toPrecision(7) : x);
  const bytes = new TextEncoder().encode(JSON.stringify(state, tidy));
  const coded = btoa(bytes.reduce((told, byte) => told + String.fromCharCode(byte), ""))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  const address = `${location.href.split("#")[0]}#playground=${coded}`;
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // some hosts keep the address to themselves; the link is in the box
  }
  return address;
}

// The state in the address, or nothing. Anybody may have written it: only what is a state in every part is taken. What is
// no list where one should stand, has no `every`, and is caught.
function readLink() {
  const coded = /^#playground=([\w-]{1,400000})$/.exec(location.hash);
  try {
    const text = atob(coded[1].replace(/-/g, "+").replace(/_/g, "/"));
    return sound(JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0)))));
  } catch {
    // no link, or none of ours
  }
}

function sound(given) {
  const real = (x, low, high) => typeof x === "number" && x >= low && x <= high;
  const grid = (a, n, m, low, high) =>
    a.length === n && a.every((line) => line.length === m && line.every((x) => real(x, low, high)));
  const { tokens, Q, K, V, mask, window: wide, prefix, temperature, scale, preset: named } = given;
  const n = tokens.length;
  if (!real(n, 1, MOST) || !tokens.every((token) => typeof token === "string" && token.length <= 200)) return;
  const [d, e] = [Q[0].length, V[0].length];
  const painted = mask === "painted" ? given.painted : pattern("causal", n);
  return [[Q, d], [K, d], [V, e]].every(([a, m]) => real(m, 1, MOST) && grid(a, n, m, -1e6, 1e6)) &&
    grid(painted, n, n, 0, 1) &&
    [wide, prefix, ...painted.flat()].every(Number.isInteger) && MASKS.includes(mask) &&
    (named === "" || Object.hasOwn(PRESETS, named)) && real(wide, 1, MOST) && real(prefix, 0, MOST) &&
    real(temperature, 0.01, 100) && real(scale, -1e3, 1e3) &&
    { tokens, Q, K, V, mask, painted, window: wide, prefix, temperature, scale, preset: named, row: n - 1, col: 0 };
}
