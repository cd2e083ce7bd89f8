// Every head of a real encoder on stored sentences; on the book's site also on the reader's own.
import { bars, figure, h, mark, note, number, percent, quoted, svg, write } from "../kit/kit.js";
import { arcs, called, edits, headGrid, laidOut, weighed, wordMap } from "../kit/heads.js";

const FIRST = ["it", "bank", "flies"];
const LOOKS = `.attn-made-of { display: grid; }
.attn-made-of > * { grid-area: 1 / 1; }
.attn-live .attn-made-of > .attn-origin { visibility: hidden; }
.attn-sight:has(.attn-large :focus, [data-point]) .attn-made-of > .attn-origin { visibility: visible; }
.attn-sight:has(.attn-large :focus, [data-point]) .attn-made-of > .attn-plain { visibility: hidden; }
.attn-live .attn-desk { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.3rem 1.1rem; margin-top: 0.4rem; }
.attn-live .attn-desk :is(p, .attn-chips) { margin: 0; }
.attn-aside > .attn-chips { min-height: 2.2rem; align-items: start; }
.attn-live .attn-desk .attn-chips > button { flex: 1 0 auto; max-width: 100%; padding-inline: 0.5rem; font-size: 0.92em; }
.attn-sight { display: grid; gap: 0.5rem; align-content: space-between; }
.attn-live .attn-made-of { padding-left: 0.75rem; font-size: 0.95em; border-left: 2px solid var(--attn-accent); }
.attn-live .attn-made-of > .attn-origin { color: inherit; }
.attn-swing path { fill: none; stroke: var(--attn-soft); stroke-width: 3; }
.attn-swing path + path { stroke: var(--attn-debt); }
.attn-live .attn-words > [data-source][data-source] { border-color: var(--attn-accent); color: var(--attn-accent); }
.attn-live .attn-arcs [data-on] { stroke: var(--attn-accent); }
.attn-swing [data-may] { stroke-dasharray: 3 5; }
.attn-swing text { fill: var(--attn-text); font-size: 30px; font-weight: 700; text-anchor: middle; }

.attn-near strong { display: block; color: var(--attn-text); font-size: 1.1em; }
.attn-near .attn-bars { --attn-line: var(--attn-edge); }
.attn-live .attn-near.attn-near.attn-near > p { margin: 0; padding: 0; border: 0; }
.attn-live .attn-desk .attn-bars { grid-template-columns: max-content 1fr minmax(6.3rem, max-content); max-width: none; font-size: 0.92em; }
.attn-live .attn-desk li { margin: 0; line-height: 1.2; }
.attn-desk .attn-was { width: 0; border-left: 3px dotted var(--attn-text); background: none; }
.attn-many { touch-action: pan-y; }
.attn-live .attn-many [aria-pressed="true"] { outline: 2px solid var(--attn-accent); outline-offset: 0; }
.attn-many :is([aria-pressed="true"], :hover) .attn-field::after { content: ""; position: absolute; inset-inline: -1px; top: calc(100% * var(--i) / var(--n)); height: calc(100% / var(--n)); box-shadow: 0 0 0 1px var(--attn-accent); pointer-events: none; }
.attn-words > button { position: relative; overflow: clip; }
.attn-words i { position: absolute; left: 0; bottom: 0; }
.attn-live .attn-ask:has(select) { display: grid; grid-template-columns: minmax(0, 1fr) auto 11rem; align-items: start; }
.attn-ask > label { grid-area: 1 / 1; }
.attn-ask > label + button { grid-area: 1 / 2; }
.attn-live .attn-ask > details.attn-more { grid-area: 1 / 1 / 2 / -1; margin: 0; pointer-events: none; }
.attn-ask > details > * { pointer-events: auto; }
.attn-live .attn-ask summary { width: max-content; font-weight: 400; margin-left: auto; line-height: 2.1rem; }
@media (max-width: 700px) {
  .attn-live .attn-ask:has(select) { grid-template-columns: auto 1fr; }
  .attn-ask > label { grid-column: 1 / -1; }
  .attn-live .attn-ask select { font-size: 0.8em; }
  .attn-near strong { font-size: 1em; }
  .attn-near span { font-size: 0.92em; }
  .attn-live .attn-ask > label + button { grid-area: 2 / 1; padding-left: 0; }
  .attn-live .attn-ask > details.attn-more { grid-area: 2 / 1 / 3 / -1; }
  .attn-live .attn-desk { grid-template-columns: 5.6rem minmax(0, 1fr); }
  .attn-aside, .attn-near { display: contents; }
  .attn-desk > div > *, .attn-near > *, .attn-desk > :is(p, .attn-sight) { grid-column: 1 / -1; order: 3; }
  .attn-desk .attn-swing { grid-column: 1; order: 1; }
  .attn-desk > div > .attn-chips { display: grid; grid-column: 2; gap: 0.3rem; order: 2; align-content: start; min-height: 5.4rem; }
  .attn-live .attn-words.attn-words > button { min-height: 32px; }
  .attn-live .attn-ask summary { line-height: 1.9rem; }
  .attn-desk > div > .attn-many { order: 4; }
  .attn-many > .attn-nth { padding: 0; font-size: 0.62rem; }
  .attn-live .attn-desk > .attn-note { order: 4; }
  .attn-desk > .attn-sight { order: 5; }
}
@media (min-width: 701px) {
  .attn-live .attn-desk { grid-template-columns: minmax(0, 1fr) 21.4rem; }
  .attn-aside { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.4rem; align-content: space-between; }
  .attn-near { display: grid; grid-template-columns: 5.6rem minmax(0, 1fr); gap: 0.3rem 0.6rem; align-items: center; padding: 0.3rem 0.8rem; border-radius: 8px; background: var(--attn-wash); }
  .attn-near > p, .attn-desk > p { grid-column: 1 / -1; }
}`;

export function render(host) {
  return figure(host, {
    title: "Every head of a real encoder.",
    hint: "Slide over the heads, then hide a word from another.",
    shape: ["numbers"],
    state: ["sentence_number", "layer", "head", "row", "col", "edit", "reading"],
    build: (get, set) => build(get, set, (number) => host.model.bring?.("numbers", number)),
  });
}

// The arrays of one sentence, a byte a number, in the order of encoder_heads.py.   -> what the figure asks of a sentence:
// tokens, weights[l][t] (n, n), near(i), close(i), off(l, t, i) and hidden(i, j): { turn, close }
export function stored(numbers, tokens, probes, [layers, heads, k]) {
  const bytes = Uint8Array.from(atob(numbers), (sign) => sign.charCodeAt(0));
  const n = tokens.length;
  let at = 0;
  const next = (count) => bytes.subarray(at, at += count);
  const flat = next(layers * heads * n * n);
  const [near, close] = [next(n * k), next(n * k)];
  const [turn, off] = [next(layers * heads * n), next(layers * heads * n * k)];
  const [turned, hidden] = [next(n * n), next(n * n * k)];
  const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));
  const cosines = (part, i) => each(k, (e) => (part[i * k + e] << 24 >> 24) / 100);
  return {
    tokens,
    weights: each(
      layers,
      (l) => each(heads, (t) => each(n, (i) => each(n, (j) => flat[((l * heads + t) * n + i) * n + j] / 255))),
    ),
    near: (i) => each(k, (e) => probes[near[i * k + e]]),
    close: (i) => cosines(close, i),
    off(l, t, i) {
      const at = (l * heads + t) * n + i;
      return { turn: turn[at] / 2, close: cosines(off, at) };
    },
    hidden: (i, j) => ({ turn: turned[i * n + j] / 2, close: cosines(hidden, i * n + j) }),
  };
}

// bring(number): a promise that the numbers of that sentence are there; on the site those not shown come when asked for
function build(get, set, bring) {
  const [texts, lines, probes, sizes, numbers] = ["texts", "lines", "probes", "sizes", "numbers"].map(get);
  const [layers, heads] = sizes;
  const places = (make) =>
    Array.from({ length: layers }, (_, l) => Array.from({ length: heads }, (_, t) => make(l, t)));
  const known = new Map();
  let own = null; // what the reader typed, read by the encoder itself
  let wanted = null; // the sentence that is on its way
  let now = null;
  let line = null;
  let big = null;
  let around = null;
  let peek = null;
  let marks = [];
  let glance = null; // the head under the mouse

  const start = ["sentence_number", "layer", "head", "row", "col", "edit"].map((name) => [name, get(name)]);
  const again = h(
    "button",
    { type: "button", onclick: () => (own = wanted = null, set(Object.fromEntries(start))) },
    "↺ Start again",
  );
  const list = h(
    "select",
    { onchange: () => choose(Number(list.value)) },
    h("option", { value: "", hidden: true }, "your own"),
    texts.map((text, i) => h("option", { value: i }, text)),
  );
  const mine = writing({
    read: (reading) => (own = reading, enter(reading)),
    changed: () => set({ reading: (get("reading") || 0) + 1 }),
    known: (reading) => own === reading ? telling(reading) : "",
  });
  const news = h("span", { class: "attn-note", role: "status" });
  const onpick = (layer, head) => set({ layer, head, edit: get("edit") === "head" ? "" : get("edit") });
  const grid = headGrid({
    layers,
    heads,
    onpick,
  });
  const what = edits(set);
  const [scale, under, told] = [note(), note(), note()];
  const swing = svg(
    "svg",
    { class: "attn-swing", viewBox: "0 0 150 142" },
    svg("path"),
    svg("path"),
    svg("text", { x: 75, y: 138 }),
  ); // what an edit does to the chosen word, or would do
  const plain = h("p", { class: "attn-plain" });
  // Heads are small for a finger: it slides over them. Under a mouse each shows what it sees before it is chosen.
  function pass({ buttons, clientX: x, clientY: y, pointerType }) {
    const one = grid.el.getRootNode().elementFromPoint(x, y)?.closest(".attn-many button");
    const k = [...grid.el.querySelectorAll("button")].indexOf(one);
    const to = k < 0 ? null : [Math.floor(k / heads), k % heads];
    if (!(buttons & 1)) return pointerType === "mouse" && peer(to);
    if (to && String(to) !== String(["layer", "head"].map(get))) onpick(...to);
  }
  function peer(to) {
    if (String(to) === String(glance)) return;
    glance = to;
    draw();
  }
  grid.el.addEventListener("pointermove", pass);
  grid.el.addEventListener("pointerleave", () => peer(null));
  const [where, large, origin, closeness] = ["div", "div", "div", "div"].map((tag) => h(tag));
  const [effect, key] = [h("strong"), h("span")];
  told.append(effect, key);
  told.classList.add("attn-told");
  large.className = "attn-large";
  closeness.className = "attn-near";
  origin.className = "attn-told attn-made-of";

  async function choose(number) {
    wanted = number;
    const came = await Promise.resolve(bring(number)).then(() => true, () => false);
    if (wanted !== number) return;
    wanted = null;
    write(news, came ? "" : " That sentence could not be loaded.");
    if (!came) return draw();
    own = null;
    set({ sentence_number: number, ...first(reading(number)), edit: "" });
  }
  // Which head turns the chosen word most, once all are known; nothing moves under the reader's eyes
  function telling({ tokens, off }) {
    const i = get("row");
    const [turn, l, t] = places((l, t) => [off(l, t, i)?.turn ?? 0, l, t]).flat().sort((a, b) => b[0] - a[0])[0];
    return ` ${quoted(tokens[i])} turns most without ${called(l, t)}: by ${number(turn, 1)}°.`;
  }
  function enter(reading) {
    wanted = null;
    set({ ...first(reading), edit: "", reading: (get("reading") || 0) + 1 });
  }
  function first({ tokens, weights }) {
    const found = tokens.findIndex((token) => FIRST.includes(token));
    const long = (token) => token.search(/\W|$/); // the longest word is one to begin with
    const row = found < 0 ? tokens.reduce((a, token, k) => (long(token) > long(tokens[a]) ? k : a), 1) : found;
    const seen = weights[get("layer")][get("head")][row];
    return { row, col: seen.indexOf(Math.max(...seen)) };
  }
  function reading(number) {
    if (!known.has(number)) known.set(number, stored(numbers[number], lines[number].split(" "), probes, sizes));
    return known.get(number);
  }
  // what was hidden was hidden from one word: another pair is whole
  const pair = (row, col) => set({ row, col, edit: get("edit") === "word" ? "" : get("edit") });
  function look(at) {
    peek = at;
    draw();
  }
  function draw() {
    const next = own || reading(get("sentence_number"));
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    if (next !== now) {
      now = next;
      peek = around = null;
      line = arcs({ high: 46, words: now.tokens, onpick: (row) => pair(row, most(row)) });
      big = wordMap({ words: now.tokens, onpick: pair, onpoint: look, least: 0.002 });
      where.replaceChildren(line.el);
      large.replaceChildren(big.el);
      origin.replaceChildren(plain, big.origin);
      marks = [...line.el.querySelectorAll("button")].map((one) => {
        one.append(h("i", { class: "attn-effect" }));
        return one.lastChild;
      });
    }
    grid.el.style.setProperty("--i", i);
    list.value = wanted ?? (own ? "" : get("sentence_number"));
    const [shown, other] = [glance || [l, t], glance && String(glance) !== String([l, t])];
    const after = changed();
    const maps = after?.weights ?? now.weights; // only what the encoder computes here is known after an edit
    const [A, was] = [maps, now.weights].map((all) => all[shown[0]][shown[1]]);
    const edit = other && get("edit") === "head" ? "" : get("edit"); // of the head that is shown
    const turns = places((a, b) => now.off(a, b, i)?.turn ?? null);
    const all = turns.flat();
    const full = Math.max(...all, 1);
    grid.draw(
      maps,
      [l, t],
      turns,
      full,
      (a, b, turn) => `${called(a, b)} off: it turns ${number(turn, 1)}°`,
      get("edit"),
    );
    // The heads without which the word turns most stand out
    all.forEach((turn, k) => {
      if (k !== l * heads + t) {
        grid.el.querySelectorAll("button > :first-child")[k].style.opacity = 0.65 + 0.35 * turn / full;
      }
    });
    const hides = now.tokens.map((_, k) => now.hidden(i, k, false)?.turn ?? 0);
    marks.forEach((one, k) => one.style.setProperty("--t", hides[k] / Math.max(...hides, 1)));
    const [word, longest] = [quoted(now.tokens[i]), number(Math.max(...hides), 1)];
    const tried = all.filter(Number.isFinite).length;
    const grey = { head: "Maps: all heads on.", word: "Maps: before hiding it." }[!after?.weights && get("edit")];
    write(
      scale,
      tried < all.length
        ? `Switching each head off in turn: ${tried} of ${all.length} done …`
        : `${
          grey || "Dark: a lot of attention."
        } Orange: how far the word’s meaning turns if this head is switched off (longest: ${number(full, 1)}°).`,
    );
    write(under, `Orange under a word: how far ${word} turns if that word is hidden (longest: ${longest}°).`);
    write(
      plain,
      `${word} ${edit ? "gave" : "gives"} ${quoted(now.tokens[j])} ${
        percent((edit ? was : A)[i][j])
      } of its attention in ${called(...shown)}.`,
    );
    big.draw(A, i, j, edit, was[i][j], maps !== now.weights);
    write(large.querySelector("figcaption"), `${called(...shown)}: who looks down, at whom across`);
    const [from, to] = peek || [i, j];
    line.draw(A[from], from, to, { edit, hidden: from === i ? j : -1, was: was[i][j] });
    what.draw(get("edit"), l, t, quoted(now.tokens[j]), quoted(now.tokens[i]));
    near(i);
  }
  const most = (i) => {
    const seen = now.weights[get("layer")][get("head")][i];
    return seen.indexOf(Math.max(...seen));
  };
  function near(i) {
    if (around?.row !== i) {
      around = { row: i, ...bars({ names: now.near(i), title: "Nearest probe words" }) };
      closeness.replaceChildren(told, swing, around.el);
    }
    const [was, after] = [now.close(i), changed()];
    const both = (x, k) => number(was[k], 2) + (x === was[k] ? "" : ` → ${number(x, 2)}`);
    const may = after || !get("edit") && now.hidden(i, get("col"));
    around.draw(after ? after.close : was, { most: 1, was: after ? was : may?.close, tell: both });
    const word = quoted(now.tokens[i]);
    const what = get("edit") === "head" ? called(get("layer"), get("head")) : quoted(now.tokens[get("col")]);
    turnTo(swing, may, after);
    write(effect, `${word} without ${what}: ${may ? `turned ${number(may.turn, 1)}°` : "…"}`);
    const when = get("edit") === "head" ? `before ${what} went off` : `${after ? "before" : "after"} hiding ${what}`;
    write(key, `Closest words, by cosine; dotted line: ${when}.`);
  }
  function changed() {
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    const edit = get("edit");
    return edit === "head" ? now.off(l, t, i, true) : edit === "word" ? now.hidden(i, j) : null;
  }
  function sentence() {
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    const [looks, seen] = [quoted(now.tokens[i]), quoted(now.tokens[j])];
    const weight = now.weights[l][t][i][j];
    const head = `${weighed(get("edit"), l, t, `${looks} at ${i}`, `${seen} at ${j}`, weight)} `;
    const [names, was, after] = [now.near(i).slice(0, 3), now.close(i), changed()];
    if (!after) {
      const nearest = names.map((name, k) => `${quoted(name)} ${number(was[k], 2)}`).join(", ");
      return `${head}After the last layer ${looks} is nearest to ${nearest}.`;
    }
    const how = get("edit") === "head" ? `With ${called(l, t)} off` : `With ${seen} hidden from it`;
    const moved = names.map((name, k) =>
      `${quoted(name)} ${number(was[k], 2)}${after.close[k] === was[k] ? "" : ` → ${number(after.close[k], 2)}`}`
    );
    return `${head}${how} its last state turns by ${number(after.turn, 1)}°: ${moved.join(", ")}.`;
  }
  const [aside, sight] = [
    h("div", { class: "attn-aside" }, what.el, closeness, grid.el),
    h("div", { class: "attn-sight" }, large, origin),
  ];
  return {
    parts: [
      laidOut(),
      h("style", {}, LOOKS),
      h("div", { class: "attn-ask" }, h("label", {}, h("span", {}, "Sentence"), list), again, mine),
      news,
      where,
      h("div", { class: "attn-desk" }, under, aside, sight, scale),
    ],
    draw,
    sentence,
    longest: () =>
      get("edit") ? "" : `${sentence()} cannot see, which had, hidden from it it turns by 34.5°, → 0.23 → 0.15 → 0.23`, // what an edit adds
  };
}

// The state of a word is an arrow; another is what it becomes, turned by the true angle.
function turnTo({ children: [was, becomes, told] }, turn, done) {
  const arrow = (by) => {
    const at = (turn, r) => [75 + r * Math.sin(turn), 112 - r * Math.cos(turn)].join();
    const turn = by * Math.PI / 360;
    const tip = at(turn, 96);
    return `M75,112L${tip}L${at(turn - 0.1, 84)}M${tip}L${at(turn + 0.1, 84)}`;
  };
  const by = turn?.turn ?? 0;
  was.setAttribute("d", arrow(-by));
  becomes.setAttribute("d", arrow(by));
  mark(becomes, "data-may", !done);
  write(told, turn ? `${number(by, 1)}°` : "…");
}

// Nothing unless the site has the weights; then a line to write on. What computes comes with the press, in a worker.
// read(reading): a sentence is there; changed(): more of what its heads do is known; known(reading): all of it is; what to
// say then
function writing({ read, changed, known }) {
  const at = document.documentElement.dataset.encoder;
  if (!at) return null;
  const line = h("input", {
    type: "text",
    maxlength: 400,
    autocomplete: "off",
    "aria-label": "Your own sentence",
    placeholder: "or write your own",
  });
  const press = h("button", { type: "button", onclick: () => begin() }, "Read it");
  const said = h(
    "p",
    { class: "attn-note attn-own", role: "status" },
    "The first press loads 24 MB. What you write stays here.",
  );
  const bar = h("progress", { hidden: true, "aria-label": "Loading the encoder" });
  let client = null; // a promise of the worker's ask(name, what), and of what makes a reading of its answer
  let turn = 0; // which sentence is the last
  line.addEventListener("keydown", (event) => event.key === "Enter" && begin());
  const load = () =>
    import(new URL(`${at}encoder.js`, location.href).href)
      .then(async (client) => ({
        typed: client.typed,
        ask: await client.open((value, max) => Object.assign(bar, { max, value, hidden: value >= max })),
      }));
  async function begin() {
    const text = line.value.trim();
    if (!text) return line.focus();
    const mine = turn += 1;
    try {
      const { ask, typed } = await (client ||= load());
      const answer = await ask("read", { text });
      if (mine !== turn) return;
      const cut = answer.cut ? " It is too long: its end is cut off." : "";
      write(said, `${answer.tokens.length} word pieces.${cut}`);
      const reading = typed(answer, ask, changed);
      read(reading);
      await reading.sweep(() => mine === turn);
      said.append(known(reading));
    } catch (error) {
      if (mine !== turn) return;
      client = null;
      bar.hidden = true;
      console.warn("the encoder:", error);
      write(
        said,
        location.protocol === "file:"
          ? "A page from the disk may not load the encoder. In this book’s folder, run python serve.py."
          : "The encoder could not be loaded. Press again.",
      );
    }
  }
  return h(
    "details",
    { class: "attn-more" },
    h("summary", {}, "Your own sentence"),
    h("div", { class: "attn-ask" }, line, press, bar),
    said,
  );
}
