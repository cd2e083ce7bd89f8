// The drawing kit. A view builds its parts once, then `draw` updates them from the model.
// Text enters the page as text nodes only, never as markup: a token may be called anything.

const LONGEST = 24;
const SIGNS = { "\n": "⏎", "\t": "⇥", "\r": "␍" };
// deno-lint-ignore no-control-regex
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// ---- words and numbers, by the rules of text.py

export function label(token) {
  const shown = token.replace(UNSEEN, (sign) => SIGNS[sign] || "\ufffd") || "(empty)";
  const letters = Array.from(shown);
  return letters.length <= LONGEST ? shown : letters.slice(0, LONGEST - 1).join("") + "…";
}

export function quoted(token) {
  const shown = label(token);
  return RIGHT_TO_LEFT.test(shown) ? `“\u2068${shown}\u2069”` : `“${shown}”`;
}

export const bare = (token) => quoted(token).slice(1, -1);

export function number(x, digits = 3) {
  if (x === null || x === -Infinity) return "−∞";
  if (x === Infinity) return "∞";
  const size = Math.abs(x);
  let told = x.toFixed(digits);
  if (size < 1e5 && Math.abs(x - Math.round(x)) < 1e-9) told = String(Math.round(x) || 0);
  else if (size >= 1e5 || size < 0.5 * 10 ** -digits) told = x.toExponential(1).replace("+", "");
  return told.replace(/-/g, "−");
}

export const factor = (x) => (x <= -1e-9 ? `(${number(x)})` : number(x));

export const percent = (share) => (share > 0 && share < 0.0005 ? "<0.1%" : `${number(100 * share, 1)}%`);

export function vector(values, tell = (x) => number(x)) {
  let told = values.map((x) => tell(x));
  if (told.length > 12) told = [...told.slice(0, 5), "…", ...told.slice(-2)];
  return `(${told.join(", ")})`;
}

export function products(q, k) {
  let told = q.map((x, i) => `${factor(x)}·${factor(k[i])}`);
  if (told.length > 8) told = [...told.slice(0, 4), "…", told[told.length - 1]];
  return told.join(" + ");
}

// 0.070·v(“I”) + 0.707·v(“love”): a weighted sum in words
export function mixture(weights, names) {
  let told = weights.map((a, j) => `${number(a)}·v(${quoted(names[j])})`);
  if (told.length > 6) told = [...told.slice(0, 3), "…", ...told.slice(-2)];
  return told.join(" + ");
}

// A weight as number writes it, but ≈0 for what softmax made too small to show: it gives no 0
export const weight = (x) => x && number(x) === "0" ? "≈0" : number(x);

export function extremes(values, names, tell = number) {
  const told = values.map((x) => (x === null ? -Infinity : x));
  const top = told.indexOf(Math.max(...told));
  const bottom = told.indexOf(Math.min(...told));
  if (told[top] === told[bottom] || told[top] - told[bottom] < 1e-9) return `even at ${tell(told[0])}`;
  const place = (j) => `at ${quoted(names[j])} (${tell(told[j])})`;
  return `largest ${place(top)}, smallest ${place(bottom)}`;
}

// The largest size among numbers or rows of numbers; −∞ and what is missing do not count, and nothing makes 1.
export const largest = (values) =>
  values.flat().reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0) || 1;

// ---- elements

const fitted = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null));
  return node;
};

// h("button", { class: "x", onclick: f, "aria-label": "y" }, "text", child): attributes, listeners, children.
export const h = (tag, attributes = {}, ...children) => fitted(document.createElement(tag), attributes, children);

// The same for drawings: svg("circle", { r: 5 }). The name of the namespace is no address that anything asks for.
export const svg = (tag, attributes = {}, ...children) =>
  fitted(document.createElementNS("http:" + "//www.w3.org/2000/svg", tag), attributes, children);

export function bdi(token) {
  const shown = label(token);
  return h("bdi", { title: shown === token && token.length < 10 ? null : token }, shown);
}

// W_Q with a real subscript. A name of ours, not a token.
export const symbols = (name) => name.split(/_(\w+)/).map((part, i) => (i % 2 ? h("sub", {}, part) : part));

// A sentence with real subscripts and powers, d_model, e^−0.5 and e^(3 − 5). Quoted tokens stay as they are, and so does
// the text: who copies it finds the signs. Where only words change, the nodes stay, for the reason that `write` has.
export function phrase(node, told) {
  const kinds = { _: "sub", "^": "sup" };
  const parts = told.split(/(“[^”]*”)/).flatMap((part, i) =>
    i % 2 ? [part] : part.split(/(\^\((?:[^()]|\([^()]*\))*\)|[_^]−?(?:[\w.]*\w|∞))/)
  );
  const made = parts.filter(Boolean).map((part) => [part.length > 1 ? kinds[part[0]] : undefined, part]);
  const there = [...node.childNodes];
  made.forEach(([tag, part], k) => {
    const told = tag ? part.slice(1) : part;
    if (there[k] && there[k].localName === tag) {
      const text = tag ? there[k].lastChild : there[k];
      if (text.data !== told) text.data = told;
    } else {
      for (const old of there.splice(k)) old.remove();
      node.append(tag ? h(tag, {}, h("span", { hidden: true }, part[0]), told) : told);
    }
  });
  for (const old of there.slice(made.length)) old.remove();
}

// The same for a voice, in a sentence too: “W Q”, not “W underscore Q”. Quoted tokens stay as they are.
export const spoken = (told) =>
  told.split(/(“[^”]*”)/).map((part, i) => (i % 2 ? part : part.replace(/\b([A-Za-z])_(\w+)/g, "$1 $2"))).join("");

// Writes only what changed: cheap to call for every cell on every redraw.
// A text keeps its node: a new one makes the browser style every table of the figure anew, for rules that count children.
export function write(node, told) {
  const text = node.firstChild;
  if (text && !text.nextSibling && text.nodeType === 3) {
    if (text.data !== told) text.data = told;
  } else if (node.textContent !== told) node.textContent = told;
}

export function mark(node, name, on) {
  if (node.hasAttribute(name) !== Boolean(on)) node.toggleAttribute(name, Boolean(on));
}

export const row = (...children) => h("div", { class: "attn-row" }, ...children);
export const sign = (text) => h("span", { class: "attn-sign", "aria-hidden": "true" }, text);

// For readers who asked for less motion nothing moves by itself.
export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// A mouse points at what a finger taps.
const touched = window.matchMedia("(hover: none)").matches;
export const aimed = (told) => touched ? told.replace(/(P|p)oint at/g, (_, p) => (p < "a" ? "Tap" : "tap")) : told;

export const note = (text = "") => h("p", { class: "attn-note" }, text);

// A box that scrolls sideways by itself, and takes the keyboard's focus only when there is something to scroll.
export function scroller(name, child) {
  const box = h("div", { class: "attn-scroll" }, child);
  const inside = () => box.querySelector("[tabindex='0']");
  const ask = () => {
    const needed = box.scrollWidth > box.clientWidth + 1 && !inside();
    for (const [key, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", spoken(name)]]) {
      if (needed) box.setAttribute(key, value);
      else box.removeAttribute(key);
    }
  };
  new ResizeObserver(ask).observe(box);
  (window.requestIdleCallback || setTimeout)(ask); // what is not laid out yet is not watched either
  return box;
}

// Where an arrow key, Home or End leads from place [i, j] of an n × m grid; null for any other key, which stays the page's.
export function stepped(event, [i, j], [n, m]) {
  const to = {
    ArrowUp: [i - 1, j],
    ArrowDown: [i + 1, j],
    ArrowLeft: [i, j - 1],
    ArrowRight: [i, j + 1],
    Home: [event.ctrlKey ? 0 : i, 0],
    End: [event.ctrlKey ? n - 1 : i, m - 1],
  }[event.key];
  if (!to) return null;
  event.preventDefault();
  return [Math.min(Math.max(to[0], 0), n - 1), Math.min(Math.max(to[1], 0), m - 1)];
}

// ---- matrix

// A matrix as a table. kind: "weight" (0…1), "signed" (white is zero) or "plain". With `onpick(i, j)` its cells
// can be chosen, by mouse or by arrow keys; `onact(i, j)`, where given, answers click, Enter and space instead.
// draw(values, marks): values null leaves the numbers as they are; marks may hold row, col (highlighted), pick [i, j] (the chosen cell), hidden(i, j) (not
// computed yet) and names (caption). tell(x) writes a number. most: the value of full colour, the largest unless
// given here or, as full, to draw. bend(share): how much colour a share of full colour is given.
export function matrix(
  {
    name,
    rows = null,
    cols = null,
    size,
    kind = "signed",
    most = null,
    onpick = null,
    onact = onpick,
    tell = number,
    bend = (x) => x,
  },
) {
  const [n, m] = size;
  const nameOf = (names, letter, i) => (names ? bdi(names[i]) : `${letter}${i + 1}`);
  const caption = h("caption", {}, symbols(name));
  const heads = Array.from({ length: m }, (_, j) => h("th", { scope: "col" }, nameOf(cols, "d", j)));
  const sides = Array.from({ length: n }, (_, i) => h("th", { scope: "row" }, nameOf(rows, "r", i)));
  const cells = sides.map((_, i) => heads.map((_, j) => h("td", cellAttributes(i, j))));
  const shares = cells.map((line) => line.map(() => null));
  const lines = cells.map((line, i) => h("tr", {}, sides[i], line));
  const head = h("tr", {}, h("td", { class: "attn-corner" }), heads);
  const table = h(
    "table",
    { class: "attn-matrix", "data-kind": kind, "data-many": m > 11, role: onpick ? "grid" : null },
    caption,
    h("thead", {}, head),
    h("tbody", {}, lines),
  );
  let at = [0, 0];
  let picked = null;
  let drawn = null;

  function cellAttributes(i, j) {
    return onpick ? { role: "gridcell", tabindex: i || j ? "-1" : "0", "data-at": `${i},${j}` } : {};
  }
  function choose(i, j, focus) {
    cells[at[0]][at[1]].tabIndex = -1;
    at = [Math.min(Math.max(i, 0), n - 1), Math.min(Math.max(j, 0), m - 1)];
    cells[at[0]][at[1]].tabIndex = 0;
    if (focus) cells[at[0]][at[1]].focus();
  }
  if (onpick) {
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-at]");
      if (!cell) return;
      choose(...cell.dataset.at.split(",").map(Number), true);
      onact(...at);
    });
    table.addEventListener("keydown", (event) => {
      const acts = ["Enter", " "].includes(event.key);
      const to = acts ? at : stepped(event, at, size);
      if (!to) return;
      event.preventDefault();
      choose(...to, true);
      (acts ? onact : onpick)(...at);
    });
  }
  function draw(values, { row = -1, col = -1, pick = null, hidden = null, caption: told = name, full = most } = {}) {
    if (told !== name) write(caption, told);
    mark(table, "data-picked", pick);
    if (values && (values !== drawn || hidden)) fill(values, hidden || (() => false), full || largest(values));
    drawn = values || drawn;
    lines.forEach((node, i) => mark(node, "data-on", i === row));
    heads.forEach((node, j) => mark(node, "data-on", j === col));
    for (const [cell, on] of [[picked, false], [pick && cells[pick[0]][pick[1]], true]]) {
      if (!cell) continue;
      mark(cell, "data-pick", on);
      if (onpick) cell.setAttribute("aria-selected", String(on));
      picked = cell;
    }
    if (pick && onpick) choose(...pick, table.contains(document.activeElement));
  }
  function fill(values, hidden, full) {
    values.forEach((line, i) => {
      line.forEach((x, j) => {
        const cell = cells[i][j];
        const unknown = hidden(i, j);
        const gone = x === null || x === -Infinity;
        write(cell, unknown ? "·" : tell(x));
        const share = unknown || gone ? 0 : kind === "weight" ? x : bend(Math.max(-1, Math.min(1, x / full)));
        if (share !== shares[i][j]) cell.style.setProperty("--t", share.toFixed(4));
        shares[i][j] = share;
        mark(cell, "data-minus", share < 0);
        mark(cell, "data-gone", gone && !unknown);
      });
    });
  }
  return { el: scroller(name, table), draw, cells };
}

// ---- where numbers come from

// Over a number, by mouse, finger or focus, what it is made of glows, what it does not use recedes, and a line says how.
// links: [matrix, (i, j) => ({ told, from: [[matrix, [i, j]], …] }) or null where nothing is computed yet]
// rest: how a reader is told of it. Give `el` as a part and call `draw` when the view has drawn: it stands over the sentence then. say(told): what stands
// there at other times, while something moves.
export function provenance(links, rest = "Point at a number to see how it is made.") {
  rest = aimed(rest);
  let hint = rest;
  const el = h("p", { class: "attn-origin" }, hint);
  let marked = [];
  let shown = null;
  function clear() {
    for (const [node, name] of marked) node.removeAttribute(name);
    marked = [];
  }
  function leave() {
    clear();
    shown = null;
    phrase(el, hint);
  }
  function show(board, made, i, j) {
    const { told, from } = made(i, j) || {};
    if (!told) return leave();
    clear();
    shown = [board, made, i, j];
    marked = [[board.cells[i][j], "data-made"], ...from.map(([source, [a, b]]) => [source.cells[a][b], "data-source"])];
    marked.push([el.closest(".attn-live"), "data-tracing"]);
    for (const [node, name] of marked) if (node) node.setAttribute(name, "");
    phrase(el, told);
  }
  for (const [board, made] of links) {
    const over = ({ target }) => {
      const cell = target.closest("td, .attn-mark");
      const i = board.cells.findIndex((line) => line.includes(cell));
      if (i >= 0) show(board, made, i, board.cells[i].indexOf(cell));
    };
    board.el.addEventListener("pointerover", over);
    board.el.addEventListener("focusin", over);
    board.el.addEventListener("focusout", leave);
    board.el.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && leave());
  }
  function say(told) {
    mark(el, "data-said", told);
    hint = told || rest;
    if (!shown) phrase(el, hint);
  }
  return { el, say, leave, draw: () => shown && show(...shown) };
}

// The row or the column of a matrix, as sources.
export const rowOf = (board, i) => board.cells[i].map((_, j) => [board, [i, j]]);
export const columnOf = (board, j) => board.cells.map((_, i) => [board, [i, j]]);

// ---- bars, legend

// Horizontal bars with their numbers beside them. draw(values, { most, tell, was }): `most` is the full length, `was` the
// values of before, as a line where each bar ended.
export function bars({ names, title = null }) {
  const fills = names.map(() => h("span", { class: "attn-fill" }));
  const told = names.map(() => h("span", { class: "attn-value" }));
  const before = names.map(() => h("span", { class: "attn-was" }));
  const items = names.map((name, i) =>
    h(
      "li",
      {},
      h("span", { class: "attn-name" }, bdi(name)),
      h("span", { class: "attn-track", "aria-hidden": "true" }, fills[i], before[i]),
      told[i],
    )
  );
  const el = h("ul", { class: "attn-bars", role: "list", "aria-label": title }, items);
  // both: zero is in the middle
  function draw(
    values,
    { most = null, tell = (x) => number(x), on = -1, was = null, both = values.some((x) => x < 0) } = {},
  ) {
    const full = most || largest(values);
    before.forEach((line, i) => {
      line.hidden = !was;
      const at = was && Math.min(Math.max(was[i] / full, both ? -1 : 0), 1);
      if (was) line.style.setProperty("--t", (both ? (1 + at) / 2 : at).toFixed(4));
    });
    el.toggleAttribute("data-both", both);
    values.forEach((x, i) => {
      fills[i].style.setProperty("--t", (Math.min(Math.abs(x) / full, 1)).toFixed(4));
      mark(fills[i], "data-minus", x < 0);
      mark(fills[i], "data-over", Math.abs(x) > full * (1 + 1e-9));
      mark(items[i], "data-on", i === on);
      write(told[i], tell(x, i));
    });
  }
  return { el, draw };
}

// One bar made of parts, one a name, told apart by hue: a hue names, it measures nothing, so whoever uses it writes
// the shares beside it. draw(values, most): `most` is the full length; parts below zero go to the left.
export function stack({ names }) {
  const parts = names.map((name, j) =>
    h("span", { class: "attn-part", style: `--k:${j}`, title: label(name) }, bdi(name))
  );
  const el = h("div", { class: "attn-track attn-stack", "aria-hidden": "true" }, parts);
  function draw(values, most, both = false) {
    const ends = [0, 0];
    const unit = (both ? 50 : 100) / (most || 1);
    values.forEach((x, j) => {
      const size = Math.abs(x) * unit;
      const start = ends[Number(x < 0)];
      ends[Number(x < 0)] += size;
      parts[j].style.left = `${((both ? 50 : 0) + (x < 0 ? -start - size : start)).toFixed(3)}%`;
      parts[j].style.width = `${size.toFixed(3)}%`;
      parts[j].hidden = !size;
    });
  }
  return { el, draw };
}

// What the colours mean: full colour is the largest of the values, or `most` where a figure has one scale for all.
export function legend({ kind, values, most = null, share = null, bent = false }) {
  const full = kind === "weight" ? 1 : most || largest(values);
  const both = kind === "signed" && values.some((line) => line.some((x) => x !== null && x < 0 && x > -Infinity));
  const ramp = h("span", {
    class: "attn-ramp",
    "data-kind": both ? "both" : kind,
    "data-bent": bent,
    "aria-hidden": "true",
  });
  const means = kind === "weight"
    ? "share of the attention"
    : both
    ? "orange below zero, purple above"
    : "no colour is zero";
  const name = h("span", {}, share ?? means);
  return { el: h("p", { class: "attn-legend" }, both ? number(-full) : "0", ramp, number(full), name) };
}

// ---- controls

// Words (or any names) to choose from, one at a time. draw(selected)
export function chips({ names, title, onpick }) {
  const buttons = names.map((name, i) =>
    h("button", { type: "button", class: "attn-chip", "aria-pressed": "false", onclick: () => onpick(i) }, bdi(name))
  );
  const el = h(
    "div",
    { class: "attn-chips", role: "group", "aria-label": title },
    h("span", { "aria-hidden": "true" }, title),
    buttons,
  );
  el.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(event.target.closest("button"));
    if (!step || at < 0) return;
    event.preventDefault();
    const to = (at + step + buttons.length) % buttons.length;
    buttons[to].focus();
    onpick(to);
  });
  return {
    el,
    draw: (selected) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === selected))),
  };
}

// Names to choose from: chips where there is room, a menu on a phone.
// other: what the menu says where none is on.   -> el; draw(k), -1 for none
export function either(names, title, onpick, ...other) {
  const { el, draw } = chips({ names, title, onpick });
  const menu = h("select", {
    "aria-label": title,
    onchange: () => names[menu.selectedIndex] && onpick(menu.selectedIndex),
  }, [...names, ...other].map((name) => h("option", {}, name)));
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

// One number to drag, for a box of class attn-sliders. draw(value); tell(value) is what is written beside it and
// read out; heard is its name for a voice, where the figure has two of one title; nudge: how far an arrow key goes,
// where a drag is finer.
export function slider(
  { title, heard = title, min, max, step = "any", nudge = null, oninput, tell = (x) => number(x, 2) },
) {
  const input = h("input", {
    type: "range",
    "aria-label": spoken(label(heard)),
    min,
    max,
    step,
    oninput: () => oninput(Number(input.value)),
  });
  if (nudge) {
    input.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!way) return;
      event.preventDefault();
      oninput(Number(Math.min(Math.max(value + way * nudge, min), max).toFixed(6)));
    });
  }
  let value = min;
  const told = h("span", { class: "attn-value" });
  const el = h("div", { class: "attn-slider" }, h("span", { class: "attn-name" }, bdi(title)), input, told);
  function draw(now) {
    value = now;
    if (Number(input.value) !== value) input.value = value;
    input.setAttribute("aria-valuetext", tell(value));
    write(told, tell(value));
  }
  return { el, draw };
}

// A temperature between 0.1 and 10, evenly spaced in its logarithm. draw(temperature)
export function heater(onheat) {
  const one = slider({
    title: "temperature",
    min: -1,
    max: 1,
    step: 0.02,
    tell: (x) => number(heat(x)),
    oninput: (x) => onheat(heat(x)),
  });
  function heat(x) {
    return Number((10 ** x).toFixed(3));
  }
  return { el: one.el, draw: (temperature) => one.draw(Math.log10(temperature)) };
}

// Everything back to how the figure came.   names: the parts of the state that a reader can change
export function restart(get, set, names) {
  const start = Object.fromEntries(names.map((name) => [name, get(name)]));
  const name = "Start again"; // in a phone's corner the sign stands alone
  return h(
    "button",
    { type: "button", "aria-label": name, title: name, onclick: () => set(start) },
    "↺",
    h("span", {}, ` ${name}`),
  );
}

// Back, forward, play and start again over the steps 0…last. draw(step, name)
// Play is not offered to readers who asked for less motion; nothing else here moves by itself.
export function stepper({ last, onstep, onreset = null, pace = 1600 }) {
  let step = 0;
  let timer = null;
  const button = (text, name, onclick) =>
    h("button", { type: "button", "aria-label": name, title: name, onclick }, text);
  const go = (to) => onstep(Math.min(Math.max(to, 0), last));
  const stop = () => {
    clearInterval(timer);
    timer = null;
    face();
  };
  const start = () => {
    let at = step < last ? step : -1;
    const on = () => (go(++at), at < last || stop());
    timer = setInterval(on, pace);
    on();
    face();
  };
  const back = button("‹ Back", "Back", () => (stop(), go(step - 1)));
  const next = button("Next ›", "Next", () => (stop(), go(step + 1)));
  const play = calm() ? null : button("", "Play", () => (timer ? stop() : start()));
  // Both faces lie on one place, as wide as the wider: nothing beside it moves
  const faces = [["Play", "M1 0V10L10 5Z"], ["Pause", "M1 0H4V10H1ZM6 0H9V10H6Z"]].map(([text, d]) => {
    const sign = svg("svg", { viewBox: "0 0 10 10", width: "0.7em", fill: "currentColor" }, svg("path", { d }));
    return h("bdi", { style: "grid-area: 1 / 1" }, sign, ` ${text}`); // drawn: a font may lack it
  });
  if (play) {
    play.style.cssText = "display: inline-grid; place-content: center";
    play.append(...faces);
    face();
  }
  const reset = button("↺", "Start again", () => (stop(), (onreset || go)(0)));
  reset.append(h("span", {}, " Start again"));
  function face() {
    if (!play) return;
    faces.forEach((one, k) => (one.style.visibility = k === Number(timer !== null) ? "" : "hidden"));
    play.setAttribute("aria-label", timer ? "Pause" : "Play");
    play.title = timer ? "Pause" : "Play";
  }
  const told = h("span", { class: "attn-step" });
  const el = h("div", { class: "attn-stepper", role: "group", "aria-label": "Steps" }, back, next, play, reset, told);
  el.addEventListener("keydown", (event) => {
    const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stop();
    go(to);
  });
  function draw(value, name) {
    step = value;
    write(told, name);
    // aria-disabled, not disabled: a disabled button would drop the reader's focus at the last step
    back.setAttribute("aria-disabled", String(step <= 0));
    next.setAttribute("aria-disabled", String(step >= last));
  }
  return { el, draw, stop };
}

// ---- the frame of every figure

// What a screen reader hears: the sentence, once it has rested for a moment, and nothing before the first change.
function speaker(rest = 400) {
  const el = h("p", { class: "attn-voice", "aria-live": "polite" });
  let last = null;
  let timer = null;
  function say(told) {
    if (told === last) return;
    clearTimeout(timer);
    if (last !== null) timer = setTimeout(() => write(el, spoken(told)), rest);
    last = told;
  }
  return { el, say };
}

// figure({ model, el }, { title, hint, shape, build }) lays out one view and keeps it true to the model.
// build(get, set, redraw) -> { parts, origin, draw, sentence, longest, hint, stop, fits }. origin: a line of provenance,
// which takes the sentence's place while something is pointed at; one among the parts does too. longest(): the longest
// sentence to come, its numbers as long as they get where the view says `exact`; hint(): what to do or see now, instead
// of `hint`. When a part named in `shape` changes, or `fits()` says that the state's sizes are not those it was built for,
// the view is built anew.
export function figure({ model, el }, { title, hint, shape, state, build, back = true }) {
  const live = h("div", { class: "attn-live", role: "group", "aria-label": title });
  // In JupyterLab a key pressed here is for the figure: "d d" must not delete the cell. The mark has to stand on
  // the focused element itself, because the notebook's shortcuts are matched there first.
  live.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  const say = h("p", { class: "attn-say" });
  // Room for the longest sentence, for the one that stands there, and for the first with its hint. Later the hint shows
  // where a line has space for it.
  const [room, opening, now] = [0, 1, 2].map(() => h("p", { class: "attn-room", "aria-hidden": "true" }));
  const gap = h("i"); // between a sentence and its hint; where a line ends there, it takes no room
  const foot = h("div", { class: "attn-foot" });
  const voice = speaker();
  const set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  // Where a figure has no way back of its own, one appears with the first change; `back: false` for what has none
  const first = state.map((name) => model.get(name));
  const again = restart((name) => model.get(name), set, state);
  again.style.visibility = "hidden"; // its place is kept: nothing moves when it comes
  let [view, asked] = [null, null];
  const draw = () => {
    if (view.fits?.() === false) return rebuild();
    view.draw();
    phrase(asked, ` ${aimed(view.hint?.() || hint)}`);
    if (state.some((name, k) => model.get(name) !== first[k])) again.style.visibility = "";
    const told = view.sentence();
    phrase(say, told);
    say.append(gap);
    write(now, told);
    voice.say(told);
    // Its place is that of its longest form, so that nothing below moves when a number becomes longer
    for (const one of [told, view.longest?.() || ""]) {
      const long = view.exact ? one : one.replace(/[^\s(),]+/g, (x) => (/^−?[\d.]+;?$/.test(x) ? x.padEnd(6, "0") : x));
      if (long.length > room.textContent.length) write(room, long);
    }
  };
  const rebuild = () => {
    if (view && view.stop) view.stop();
    view = build((name) => model.get(name), set, draw);
    asked = h("span");
    live.replaceChildren(
      h("p", { class: "attn-title" }, h("strong", {}, title), asked),
      ...view.parts,
      foot,
      voice.el,
    );
    foot.replaceChildren(room, opening, now, say);
    for (const rules of live.querySelectorAll("style")) enclose(rules, el);
    const own = Array.from(live.querySelectorAll("button")).filter((one) => one.textContent.includes("Start again"));
    if (back && !own.length) live.firstChild.append(" ", again);
    for (const one of [again, ...own]) one.classList.add("attn-quiet"); // it is there, and does not ask to be taken
    draw();
    // What a number is made of stands over the sentence while a reader points at it
    const origin = view.origin || live.querySelector(":scope > .attn-origin");
    if (origin) foot.append(origin);
    write(opening, say.textContent);
    opening.append(gap.cloneNode());
    mark(room, "data-open", !view.longest);
    for (const one of [say, opening]) one.dataset.hint = origin ? aimed(origin.textContent) : "";
  };
  // Several parts may arrive together: wait until all are here, then draw once
  let due = null;
  const later = (job) => () => {
    due = due === rebuild ? due : job;
    queueMicrotask(() => {
      const run = due;
      due = null;
      if (run) run();
    });
  };
  const listeners = [...shape.map((name) => [name, later(rebuild)]), ...state.map((name) => [name, later(draw)])];
  rebuild();
  for (const [name, job] of listeners) model.on(`change:${name}`, job);
  el.classList.add("attn-figure");
  el.append(live);
  return () => {
    for (const [name, job] of listeners) model.off(`change:${name}`, job);
    if (view.stop) view.stop();
    live.remove();
  };
}

// The rules that a figure brings hold inside it only, and weigh what they weighed: two views may give a class one name.
function enclose(rules, el) {
  el.dataset.own ||= Math.random().toString(36).slice(2); // in a notebook every figure is a module of its own
  rules.textContent = `:where([data-own="${el.dataset.own}"]) {${rules.textContent}}`;
}

// A figure that cannot start says so in one line, and leaves whatever table is there in view.
export function guarded(render) {
  return (host) => {
    try {
      return render(host);
    } catch (error) {
      console.warn("a figure could not start:", error);
      host.el.append(
        h(
          "p",
          { class: "attn-sorry" },
          "This figure could not start here. Its numbers are in the table, or in the widget's .static() picture.",
        ),
      );
      return () => {};
    }
  };
}
