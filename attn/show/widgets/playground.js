// The playground. One head whose every part can be changed, and goals to reach with it.
import { bare, chips, figure, h, largest, legend, mark, number, quoted, slider, vector, write } from "../kit/kit.js";
import { board, field, paintable } from "../kit/boards.js";
import { entropy, matmul, scores, softmaxRow } from "../kit/linalg.js";
import { numbers, pattern, placesAndNumbers, preset, PRESETS, rank, SHOWS } from "../kit/presets.js";
import { GOALS } from "../kit/goals.js";

const MASKS = ["none", "causal", "window", "prefix", "painted"];
const SHARED = ["tokens", "Q", "K", "V", "mask", "painted", "window", "prefix", "temperature", "scale", "preset"];
const MOST = 128;
// A share that is neither nothing nor all is never written so
const near = (x) => x > 0 && x < 0.0005 ? "≈0" : x < 1 && x > 0.9995 ? "≈1" : number(x);
const PLACE = "attn-playground"; // where solved goals are kept, on this machine only
export function render(host) {
  // A link is for the first playground of a page; a notebook's address is not ours to read
  const own = document.querySelector("[data-view='playground']") === host.el;
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
    hint: "Take a preset, change it, paint the mask.",
    shape: ["tokens"],
    state: [...SHARED.slice(1), "row", "col"],
    build: (get, set) => build(get, set, own, kept),
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
    Y: matmul(A, V),
    n: Q.length,
    Q,
    K,
    ids: numbers(get("tokens")),
    mask: get("mask"),
    ranks: [rank(S), rank(A)],
  };
}

function build(get, set, own, kept) {
  const tokens = get("tokens");
  const n = tokens.length;
  // What the reader came upon; edited tokens build the view anew, so it is kept outside
  kept.start ??= Object.fromEntries([...SHARED, "row", "col"].map((name) => [name, get(name)]));
  let full = null; // full colour of the scores: set by a preset and kept, so that sliders change the colours
  const afresh = (changes) => {
    full = null;
    change(changes);
  };
  let touched = false;
  let now = null;
  const change = (changes) => {
    touched = true;
    set(changes);
  };
  const pick = (i, j) => set({ row: i, col: j });
  const paint = (i, j) =>
    change({
      row: i,
      col: j,
      mask: "painted",
      painted: now.allowed.map((line, a) => line.map((x, b) => (a === i && b === j ? Number(!x) : Number(x)))),
    });
  const square = { rows: tokens, cols: tokens, size: [n, n], onpick: pick };
  const S = board({ ...square, name: "S, scores" });
  const M = board({ ...square, name: "mask: 1 may attend", kind: "weight", onact: paint });
  paintable(M.el, n, (cells, allow) => {
    const painted = now.allowed.map((line) => line.map(Number));
    const value = allow(painted);
    for (const [i, j] of cells) painted[i][j] = value;
    const [row, col] = cells[cells.length - 1];
    change({ row, col, mask: "painted", painted });
  });
  const A = board({ ...square, name: "A, weights", kind: "weight", tell: near });
  const output = h("div");
  // Colour in the squares, and the numbers of one cell, the pointed or the chosen one, large below them
  let pointed = null;
  const big = ["score", "mask", "weight"].map((name) => [name, h("strong")]);
  const [pair, rest] = [h("strong"), h("p")];
  const told = h("div", { class: "attn-told attn-cell" }, pair, big.map((one) => h("span", {}, one)), rest);
  function point(to) {
    for (const { cells } of [S, M, A]) {
      if (!cells) continue;
      if (pointed) mark(cells[pointed[0]]?.[pointed[1]], "data-source", false);
      if (to) mark(cells[to[0]][to[1]], "data-source", true);
    }
    pointed = to;
    tell();
  }
  for (const one of [S, M, A]) {
    const over = (event) => {
      const cell = event.target.closest("td[data-at], .attn-field");
      const to = cell && (one.below ? one.below(event) : cell.dataset.at.split(",").map(Number));
      if (to && String(to) !== String(pointed)) point(to);
    };
    one.el.addEventListener("pointermove", over);
    one.el.addEventListener("pointerleave", () => pointed && point(null));
  }
  function tell() {
    const [i, j] = pointed || [get("row"), get("col")];
    const row = now.A[i];
    const values = [number(now.S[i][j], 2), now.allowed[i][j] ? "1" : "0", near(row[j])];
    write(pair, `${bare(tokens[i])} → ${bare(tokens[j])}`);
    big.forEach(([, value], k) => write(value, values[k]));
    write(
      rest,
      `Row ${quoted(tokens[i])} of A: entropy ${near(entropy(row))} nats; of Y: ${
        vector(now.Y[i], (x) => number(x, 2))
      }. Rank of S ${now.ranks[0]}, of A ${now.ranks[1]}.`,
    );
  }
  // On a phone one of the squares stands there, below small pictures of all
  const shown = chips({ names: ["S", "mask", "A", "Y"], title: "Show", onpick: show });
  shown.el.classList.add("attn-switch", "attn-thumbs");
  const rooms = [...shown.el.querySelectorAll("button")].map((button) => {
    const room = h("span");
    button.prepend(room);
    return room;
  });
  const scales = h("div", { class: "attn-row attn-scales" });
  let Y = null;

  const range = (title, name, min, max, step) =>
    slider({ title, min, max, step, oninput: (value) => change({ [name]: value }) });
  const widen = (window) => change({ window, ...(get("preset") === "edge" ? preset("edge", tokens, window) : {}) });
  const sliders = {
    temperature: range("temperature τ", "temperature", 0.05, 3, 0.05),
    scale: range("scale", "scale", 0, 3, 0.01),
    window: slider({ title: "window", min: 1, max: Math.max(n, 2), step: 1, oninput: widen }),
    prefix: range("prefix", "prefix", 0, n, 1),
  };
  const heads = Object.keys(PRESETS);
  const begin = (k) => {
    goals.next();
    afresh(heads[k] ? preset(heads[k], tokens, get("window")) : random(n));
    const last = compute(get).A[n - 1];
    pick(n - 1, last.indexOf(Math.max(...last))); // the cell that tells
  };
  const presets = either([...Object.values(PRESETS), "random"], "Preset", begin, "your own");
  const mask = (name) =>
    change(name === "painted" ? { mask: name, painted: now.allowed.map((line) => line.map(Number)) } : { mask: name });
  const masks = either(MASKS, "Mask", (k) => mask(MASKS[k]));
  const tools = Object.entries(TOOLS).map(([name, job]) =>
    h("button", { type: "button", onclick: () => change({ ...job({ Q: get("Q"), K: get("K") }), preset: "" }) }, name)
  );
  const reset = h("button", { type: "button", onclick: again }, "↺ Start again");
  function again() {
    full = null;
    touched = false;
    goals.next();
    set(kept.start);
  }
  const edit = editor(get, change, kept);
  const goals = challenges(kept);
  const link = own ? shareBox(() => writeLink(get)) : null;

  function draw() {
    now = compute(get);
    if (full === null) {
      full = largest(now.S);
      scales.replaceChildren(
        h("span", {}, "S", legend({ kind: "signed", values: now.S, most: full, share: "(Y: its own)" }).el),
        h("span", {}, "A", legend({ kind: "weight", values: [], share: "" }).el),
      );
    }
    const at = { row: get("row"), col: get("col"), pick: [get("row"), get("col")] };
    S.draw(now.S, { ...at, full });
    M.draw(now.allowed, at);
    A.draw(now.A, at);
    // what the mask forbids is told apart from what is small
    for (const one of [M, A]) {
      one.cells?.forEach((line, i) => line.forEach((cell, j) => mark(cell, "data-gone", !now.allowed[i][j])));
    }
    const e = now.Y[0].length;
    if (!Y || Y.e !== e) {
      Y = Object.assign(
        board({ name: "Y = A V", rows: tokens, size: [n, e], onpick: (i) => set({ row: i }) }),
        { e },
      );
      output.replaceChildren(Y.el);
    }
    Y.draw(now.Y, { row: at.row, pick: n > 10 ? [at.row, 0] : null });
    [now.S, now.allowed, now.A, now.Y].forEach((values, k) => {
      const small = field({ kind: k % 3 ? "weight" : "signed", size: [n, values[0].length], still: true });
      small.draw(values, { full: k ? null : full });
      rooms[k].replaceChildren(small.el);
    });
    for (const [name, one] of Object.entries(sliders)) one.draw(get(name));
    // they share one place, and it is kept
    const seen = { prefix: get("mask") === "prefix" };
    seen.window = !seen.prefix && (get("mask") === "window" || get("preset") === "edge");
    for (const name of ["window", "prefix"]) sliders[name].el.style.visibility = seen[name] ? "" : "hidden";
    presets.draw(heads.indexOf(get("preset")));
    masks.draw(MASKS.indexOf(get("mask")));
    edit.draw();
    tell();
    if (touched) goals.check(now);
  }
  function show(k) {
    kept.shown = k;
    squares.dataset.show = k;
    shown.draw(k);
  }
  function sentence() {
    const [i, j] = [get("row"), get("col")];
    const line = now.A[i];
    const cell = `score ${number(now.S[i][j])}, ${now.allowed[i][j] ? "allowed" : "masked"}, weight ${near(line[j])}`;
    const sums = `The row sums to ${number(sum(line))}, its entropy is ${number(entropy(line))} nats.`;
    return `${quoted(tokens[i])} to ${quoted(tokens[j])}: ${cell}. ${sums} To a thousandth, the scores have rank ${
      now.ranks[0]
    }, the weights ${now.ranks[1]}.`;
  }
  masks.el.append(reset, ...(link ? [link.button, link.el] : []));
  const settings = h(
    "div",
    { class: "attn-settings" },
    [["temperature"], ["scale"], ["window", "prefix"]].map((names) =>
      h("div", { class: "attn-sliders attn-one" }, names.map((name) => sliders[name].el))
    ),
  );
  const squares = h(
    "div",
    { class: "attn-trio attn-bench", style: `--n:${n}` },
    S.el,
    M.el,
    A.el,
    output,
  );
  show(kept.shown ?? 2);
  const parts = [
    h("div", {}, presets.el, masks.el),
    h(
      "div",
      { class: "attn-stand" },
      goals.news,
      h("div", { class: "attn-ground" }, shown.el, squares),
      told,
      scales,
      settings,
    ),
    h("div", { class: "attn-chips attn-tools", role: "group", "aria-label": "Change Q and K" }, tools),
    h("div", { class: "attn-duo attn-folds" }, edit.el, goals.el),
  ];
  const hint = () => get("preset") && `Each looks at ${SHOWS[get("preset")]}.`;
  return { parts, draw, sentence, hint };
}

// Whole-matrix moves: with them a head is built from ideas, not from numbers.
const down = (a) => [a[0].map(() => 0), ...a.slice(0, -1)];
const TOOLS = {
  "Shift Q down": ({ Q }) => ({ Q: down(Q) }),
  "Shift K down": ({ K }) => ({ K: down(K) }),
  "Shift K up": ({ K }) => ({ K: [...K.slice(1), K[0].map(() => 0)] }),
  "Q ← K": ({ K }) => ({ Q: K }),
  "Q × 2": ({ Q }) => ({ Q: Q.map((line) => line.map((x) => 2 * x)) }),
  "Q ← 0": ({ Q }) => ({ Q: Q.map((line) => line.map(() => 0)) }),
};

// Names to choose from: chips where there is room, a menu on a phone.   other: what the menu says where none is on
function either(names, title, onpick, other = null) {
  const { el, draw } = chips({ names, title, onpick });
  const menu = h("select", {
    "aria-label": title,
    onchange: () => names[menu.selectedIndex] && onpick(menu.selectedIndex),
  }, [...names, other].filter(Boolean).map((name) => h("option", {}, name)));
  el.classList.add("attn-either");
  el.append(menu);
  return {
    el,
    draw(k) {
      draw(k);
      menu.selectedIndex = k < 0 ? names.length : k;
    },
  };
}

const sum = (line) => line.reduce((all, x) => all + x, 0);

function random(n) {
  const draw = () => Array.from({ length: 3 }, Math.random).reduce((sum, x) => sum + 2 * x - 1, 0); // variance 1
  const made = () => Array.from({ length: n }, () => Array.from({ length: 4 }, () => Number(draw().toFixed(2))));
  return { Q: made(), K: made(), scale: 0.5, preset: "" };
}

const more = (kept, part, ...children) =>
  h("details", {
    class: "attn-more",
    open: kept[part] || null,
    ontoggle: (event) => (kept[part] = event.currentTarget.open),
  }, children);

// The chosen token's row of Q, K and V, and all names as one line of text.
function editor(get, change, kept) {
  const line = h("input", {
    type: "text",
    "aria-label": "Tokens, with spaces between",
    onchange: () => retype(line.value),
  });
  const title = h("p");
  const box = h("div", { class: "attn-edit" });
  let width = "";
  let inputs = [];
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
  function put(name, c, value) {
    if (!Number.isFinite(value) || Math.abs(value) > 1e6) return draw();
    const i = get("row");
    change({
      [name]: get(name).map((old, k) => (k === i ? old.map((x, at) => (at === c ? value : x)) : old)),
      preset: "",
    });
  }
  function draw() {
    const i = get("row");
    if (document.activeElement !== line) line.value = get("tokens").join(" ");
    if (kept.focus) line.focus();
    kept.focus = false;
    write(title, `Row ${i + 1}, ${quoted(get("tokens")[i])}:`);
    const sizes = ["Q", "K", "V"].map((name) => get(name)[0].length);
    if (width !== String(sizes)) {
      width = String(sizes);
      inputs = ["Q", "K", "V"].map((name) =>
        get(name)[0].map((_, c) =>
          h("input", {
            type: "number",
            step: "0.1",
            "aria-label": `${name.toLowerCase()}, d${c + 1}`,
            onchange: (event) => put(name, c, event.target.valueAsNumber),
          })
        )
      );
      box.replaceChildren(
        ...["q", "k", "v"].map((name, k) => h("div", { class: "attn-edit-row" }, h("span", {}, name), inputs[k])),
      );
    }
    ["Q", "K", "V"].forEach((name, k) =>
      get(name)[i].forEach((x, c) => {
        const told = String(Number(x.toFixed(3)));
        if (inputs[k][c].value !== told) inputs[k][c].value = told;
      })
    );
  }
  const el = more(
    kept,
    "edit",
    h("summary", {}, "Edit tokens, Q, K and V"),
    h("label", {}, "Tokens ", line),
    title,
    box,
  );
  return { el, draw };
}

// The goals, ticked as the weights reach them. What is solved is kept on this machine, where the page may do so.
function challenges(kept) {
  const shelf = (job) => {
    try {
      return job(window.localStorage);
    } catch {
      return null; // private windows and pages from a disc may refuse
    }
  };
  const stored = shelf((store) => JSON.parse(store.getItem(PLACE)));
  const solved = new Set(Array.isArray(stored) ? stored.filter((id) => GOALS.some((goal) => goal.id === id)) : []);
  const news = h("p", { class: "attn-news", "aria-live": "polite" });
  let fresh = []; // what the last change solved
  const count = h("summary");
  const items = GOALS.map((goal) => {
    const why = h("p", {}, h("strong", {}, "Why: "), goal.why);
    const tick = h("span", { class: "attn-tick" });
    const el = h(
      "li",
      { "data-goal": goal.id },
      tick,
      ` ${goal.ask} `,
      more({}, "", h("summary", {}, "Hint"), h("p", {}, goal.hint)),
      why,
    );
    return { goal, why, tick, el };
  });
  const clear = h("button", {
    type: "button",
    onclick: () => (solved.clear(), shelf((store) => store.removeItem(PLACE)), next()),
  }, "Forget my progress");
  function draw() {
    const left = GOALS.filter((goal) => !solved.has(goal.id));
    write(count, `Challenges: ${solved.size} of ${GOALS.length} solved`);
    const told = (fresh.length ? fresh : left.slice(0, 1)).map((goal) => goal.ask).join(" ");
    mark(news, "data-fresh", fresh.length);
    write(news, told ? `${fresh.length ? "✓ Solved" : "Challenge"}: ${told}` : "All challenges are solved.");
    for (const { goal, why, tick, el } of items) {
      why.hidden = !solved.has(goal.id);
      mark(el, "data-solved", solved.has(goal.id));
      write(tick, solved.has(goal.id) ? "✓ solved:" : "○");
    }
  }
  function next() {
    fresh = [];
    draw();
  }
  function check(now) {
    const more = GOALS.filter((goal) => !solved.has(goal.id) && goal.solved(now));
    if (!more.length) return;
    fresh = more;
    for (const goal of fresh) solved.add(goal.id);
    shelf((store) => store.setItem(PLACE, JSON.stringify([...solved])));
    draw();
  }
  draw();
  return {
    el: h(
      "div",
      {},
      more(kept, "goals", count, h("ol", { class: "attn-goals" }, items.map((item) => item.el)), clear),
    ),
    news,
    check,
    next,
  };
}

// ---- the link: the whole state in the address, after the #, so that it never leaves the reader's machine by itself

function shareBox(address) {
  const field = h("input", { type: "text", readonly: true, style: "width: 8rem", "aria-label": "Link to this state" });
  const el = h("span", { class: "attn-link", style: "visibility: hidden" }, field);
  const button = h("button", {
    type: "button",
    onclick: () => {
      field.value = address();
      el.style.visibility = "";
      field.focus();
      field.select();
    },
  }, "Share");
  return { el, button };
}

function writeLink(get) {
  const state = Object.fromEntries(SHARED.map((name) => [name, get(name)]));
  if (state.mask !== "painted") delete state.painted;
  const tidy = (_key, x) => (typeof x === "number" ? Number(x.toPrecision(7)) : x);
  const bytes = new TextEncoder().encode(JSON.stringify(state, tidy));
  const coded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(
    /\//g,
    "_",
  ).replace(/=+$/, "");
  const address = `${window.location.href.split("#")[0]}#playground=${coded}`;
  try {
    window.history.replaceState(window.history.state, "", address);
  } catch {
    return address; // some hosts keep the address to themselves; the link is in the box
  }
  return address;
}

// The state in the address, or null. Anybody may have written it: only what is a state in every part is taken.
function readLink() {
  const coded = /^#playground=([\w-]{1,400000})$/.exec(window.location.hash);
  if (!coded) return null;
  try {
    const text = atob(coded[1].replace(/-/g, "+").replace(/_/g, "/"));
    return sound(JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0)))));
  } catch {
    return null;
  }
}

function sound(given) {
  const real = (x, low, high) => typeof x === "number" && x >= low && x <= high;
  const grid = (a, n, m, low, high) =>
    Array.isArray(a) && a.length === n &&
    a.every((line) => Array.isArray(line) && line.length === m && line.every((x) => real(x, low, high)));
  const { tokens, Q, K, V, mask, window: wide, prefix, temperature, scale, preset: named } = given;
  const n = tokens.length;
  const names = Array.isArray(tokens) && n >= 1 && n <= MOST &&
    tokens.every((token) => typeof token === "string" && token.length <= 200);
  if (!names) return null;
  const [d, e] = [Q[0].length, V[0].length];
  const painted = mask === "painted" ? given.painted : pattern("causal", n);
  const fits = d >= 1 && d <= MOST && e >= 1 && e <= MOST && grid(Q, n, d, -1e6, 1e6) && grid(K, n, d, -1e6, 1e6) &&
    grid(V, n, e, -1e6, 1e6) && grid(painted, n, n, 0, 1) && painted.flat().every(Number.isInteger);
  const set = MASKS.includes(mask) && (named === "" || Object.hasOwn(PRESETS, named)) &&
    [wide, prefix].every(Number.isInteger) && real(wide, 1, MOST) && real(prefix, 0, MOST) &&
    real(temperature, 0.01, 100) && real(scale, -1e3, 1e3);
  return fits && set
    ? { tokens, Q, K, V, mask, painted, window: wide, prefix, temperature, scale, preset: named, row: n - 1, col: 0 }
    : null;
}
