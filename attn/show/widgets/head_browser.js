// Every head of a small trained transformer, computed here from its weights.
import { bars, figure, h, note, number, percent, write } from "../kit/kit.js";
import { arcs, called, edits, headGrid, laidOut, weighed, wordMap } from "../kit/heads.js";
import { dot, matmul, softmaxRow } from "../kit/linalg.js";

const SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

// The line and its arcs are as wide as the figure; below them what the model expects, and what changes it. Of the chosen pair
// who looks is blue and at whom orange, in the line as on the map's sides. What a weight is made of is told while its cell is
// pointed at; at rest a plain sentence stands there.
const LOOKS = `.attn-live .attn-words[data-short] { width: 100%; }
.attn-live .attn-words[data-short] button { flex: 1 1 0; min-width: 0; padding-inline: 0; }
.attn-live .attn-outcome { align-items: center; margin-block: 0.6rem 0.8rem; padding: 0.6rem 0.9rem; border-radius: 8px; background: var(--attn-wash); }
.attn-live .attn-complaint { min-height: 1.5em; margin-block: 0; }
.attn-live .attn-outcome .attn-chips { min-height: 4.8rem; align-content: start; }
.attn-outcome s { color: var(--attn-soft); font-size: 0.6em; text-decoration: none; }
.attn-outcome .attn-bars { --attn-line: var(--attn-edge); }
.attn-live .attn-outcome .attn-bars li { margin: 0; }
.attn-live .attn-outcome .attn-note { margin-top: 0; }
.attn-outcome bdi { color: var(--attn-text); font-weight: 600; }
.attn-lettered:not(:has([data-source])) > .attn-across span[data-on] { color: var(--attn-debt); }
.attn-lettered:not(:has([data-source])) > .attn-down span[data-on] { color: var(--attn-accent); }
.attn-terms > span { display: block; }
.attn-terms i { display: inline-block; width: 1.6em; height: 4px; margin-right: 0.3em; border-radius: 1px; background: var(--attn-debt); vertical-align: 0.2em; }
.attn-heads small { color: var(--attn-soft); }
.attn-heads strong { color: var(--attn-text); letter-spacing: -0.05em; text-shadow: none; white-space: nowrap; }
.attn-heads ins { color: var(--attn-debt); letter-spacing: -0.05em; text-decoration: none; white-space: nowrap; }
.attn-made-of { display: grid; }
.attn-made-of > * { grid-area: 1 / 1; }
.attn-live .attn-made-of > .attn-origin { visibility: hidden; font-size: 0.9em; }
.attn-browse:has(.attn-large :focus, [data-point]) .attn-made-of > .attn-origin { visibility: visible; }
.attn-browse:has(.attn-large :focus, [data-point]) .attn-made-of > .attn-plain { visibility: hidden; }
@media (max-width: 700px) {
  .attn-live :is(.attn-complaint, .attn-outcome .attn-note) { min-height: 3em; }
  .attn-live .attn-outcome.attn-browse > div > .attn-hero { order: 1; }
  .attn-live .attn-browse > .attn-all > .attn-terms { order: -2; } /* above the heads */
}`;

export function render(host) {
  return figure(host, {
    title: "Every head of a trained model.",
    hint: "Type a sequence that repeats. What does each head look for?",
    shape: ["numbers"],
    state: ["tokens", "layer", "head", "row", "col", "edit"],
    build,
  });
}

// 16-bit floats in base64, one after the other, in attn.transformer.Model's order.
export function unpack(numbers, [l, heads, c, d, e, vocabulary, positions]) {
  const bytes = Uint8Array.from(atob(numbers), (sign) => sign.charCodeAt(0));
  let at = 0;
  const next = () => {
    const bits = bytes[at] + 256 * bytes[at + 1];
    at += 2;
    const [power, rest] = [(bits >> 10) & 31, bits & 1023];
    const size = power ? (1 + rest / 1024) * 2 ** (power - 15) : rest * 2 ** -24;
    return bits >> 15 ? -size : size;
  };
  const grid = (n, m) => Array.from({ length: n }, () => Array.from({ length: m }, next));
  const layers = (n, m) => Array.from({ length: l }, () => grid(n, m));
  return {
    heads,
    E: grid(vocabulary, c),
    P: grid(positions, c),
    Q: layers(c, heads * d),
    K: layers(c, heads * d),
    V: layers(c, heads * e),
    O: layers(heads * e, c),
    U: grid(c, vocabulary),
  };
}

// The whole pass: attn.transformer.run. Positions enter queries and keys only.   off: [layer, head] that writes nothing;
// hidden: [i, j], word j that word i may not look at.
export function run(model, ids, { off = [], hidden = [] } = {}) {
  const add = (a, b) => a.map((line, i) => line.map((x, j) => x + b[i][j]));
  const part = (a, t) =>
    a.map((line) => line.slice((t * line.length) / model.heads, ((t + 1) * line.length) / model.heads));
  let stream = ids.map((id) => model.E[id]);
  const weights = model.Q.map((Q, l) => {
    const placed = add(stream, model.P);
    const [q, k, v] = [matmul(placed, Q), matmul(placed, model.K[l]), matmul(stream, model.V[l])];
    const heads = Array.from({ length: model.heads }, (_, t) => {
      const [a, b] = [part(q, t), part(k, t)];
      const sees = (i, j) => j <= i && !(i === hidden[0] && j === hidden[1]);
      return a.map((x, i) => softmaxRow(b.map((y, j) => (sees(i, j) ? dot(x, y) / Math.sqrt(x.length) : -Infinity))));
    });
    const mixed = heads.map((A, t) =>
      matmul(l === off[0] && t === off[1] ? A.map((line) => line.map(() => 0)) : A, part(v, t))
    );
    stream = add(stream, matmul(ids.map((_, i) => mixed.flatMap((Y) => Y[i])), model.O[l]));
    return heads;
  });
  return { weights, logits: matmul(stream, model.U) };
}

// As attn.induction: how much lands on the token before (at first occurrences), and on what followed earlier copies.
export function scores(A, ids) {
  const mean = (rows, share) => (rows.length ? rows.reduce((sum, i) => sum + share(i), 0) / rows.length : null);
  const places = ids.map((_, i) => i);
  const slots = (i) => places.filter((j) => j >= 1 && j <= i && ids[j - 1] === ids[i]);
  return [
    mean(places.filter((i) => i && ids.indexOf(ids[i]) === i), (i) => A[i][i - 1]),
    mean(places.slice(0, -1).filter((i) => slots(i).length), (i) => slots(i).reduce((sum, j) => sum + A[i][j], 0)),
  ];
}

function build(get, set) {
  const sizes = get("sizes");
  const [, , , , , vocabulary, positions] = sizes;
  const known = SYMBOLS.slice(0, vocabulary);
  const model = unpack(get("numbers"), sizes);
  const line = h("input", {
    type: "text",
    maxlength: positions,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `Sequence, up to ${positions} of ${known}`,
    oninput: () => type(line.value),
  });
  const began = ["tokens", "layer", "head", "row", "col", "edit"].map((name) => [name, get(name)]);
  const again = h("button", { type: "button", onclick: () => set(Object.fromEntries(began)) }, "↺ Start again");
  const mixed = h("button", { type: "button", onclick: () => type(shuffled()) }, "New random repeat");
  const [where, origin] = [h("div"), h("div", { class: "attn-told attn-made-of" })];
  const large = h("div", { class: "attn-large" });
  const best = bars({ names: "12345".split(""), title: "Expected next" });
  const likeliest = best.el.querySelectorAll("bdi");
  const what = edits(set);
  const told = note();
  const plain = h("p", { class: "attn-plain" });
  const foretold = h("p", { class: "attn-hero" }, h("small"), h("s"), h("span"));
  const complaint = h("p", { class: "attn-note attn-complaint", role: "status" });
  const grid = headGrid({
    layers: model.Q.length,
    heads: model.heads,
    named,
    onpick: (layer, head) => set({ layer, head, edit: get("edit") === "head" ? "" : get("edit") }),
  });
  const short = innerWidth <= 700; // there the words have no room below a map
  const [before, follows] = short ? ["prev.", "ind."] : ["previous", "induction"];
  const scale = h("span");
  const terms = h(
    "p",
    { class: "attn-note attn-terms" },
    ...[
      [before, short ? "previous token: the symbol before" : "weight on the symbol before"],
      [follows, short ? "induction: what followed a copy" : "on what followed an earlier copy"],
    ].map(([name, told]) => h("span", {}, h("strong", {}, name), ` ${told}`)),
    h("span", {}, h("i"), scale),
  );
  let drawn = null;
  let now = null;
  let around = null;
  let big = null;
  let peek = null;

  function shuffled() {
    const order = known.split("").map((sign) => [Math.random(), sign]).sort((a, b) => a[0] - b[0]).map(([, sign]) =>
      sign
    );
    return order.slice(0, 8).join("").repeat(3);
  }
  // What the model does not know is left out and named, and the caret stays where the reader was.
  function type(text) {
    const typed = Array.from(text.toUpperCase());
    const fits = (sign) => known.includes(sign);
    const tokens = typed.filter(fits).slice(0, positions);
    const strange = [...new Set(typed.filter((sign) => !fits(sign)))].map((sign) => `“${sign}”`).join(", ");
    write(complaint, strange ? `${strange} left out: the model reads ${known}.` : "");
    if (line.value === text && strange) {
      const caret = Array.from(text.slice(0, line.selectionStart).toUpperCase()).filter(fits).length;
      line.value = tokens.join("");
      line.setSelectionRange(caret, caret);
    }
    if (!tokens.length) return;
    read(tokens);
    const row = tokens.length - 1;
    const weights = now.weights[get("layer")][get("head")][row];
    // what was hidden was hidden from a word of another sequence
    const edit = get("edit") === "word" ? "" : get("edit");
    set({ tokens, row, col: weights.indexOf(Math.max(...weights)), edit });
  }
  function read(tokens) {
    if (now && now.tokens.join() === tokens.join()) return;
    const ids = tokens.map((sign) => SYMBOLS.indexOf(sign));
    now = { ...run(model, ids), ids, tokens, lost: null };
  }
  const share = (x) => (x === null ? "–" : x > 0 && x < 0.005 ? "≈0" : number(x, 2));
  // What each head does; where an edit has made it another, the old score stands beside, on a phone in its name's room.
  function named(l, t) {
    const [was, kinds] = [now, seen()].map(({ weights }) => scores(weights[l][t], now.ids).map(share));
    return kinds.map((kind, k) =>
      kind === was[k]
        ? h(kind >= 0.5 ? "strong" : "span", {}, `${[before, follows][k]} ${kind}`)
        : h("ins", {}, `${short ? "" : ["prev. ", "ind. "][k]}${was[k]} → ${kind}`)
    );
  }
  // What is left of the likeliest symbol after each word when a head is off; worked out once the page has drawn.
  function without() {
    const { ids } = now;
    return now.weights.map((layer, l) =>
      layer.map((_, t) => run(model, ids, { off: [l, t] }).logits.map((line, i) => softmaxRow(line)[top(i)]))
    );
  }
  const top = (i) => now.logits[i].indexOf(Math.max(...now.logits[i]));
  // what was hidden was hidden from one word: another pair is whole
  const pair = (row, col) => set({ row, col, edit: get("edit") === "word" ? "" : get("edit") });
  function look(at) {
    peek = at;
    draw();
  }
  function draw() {
    const tokens = get("tokens");
    read(tokens);
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    if (drawn !== tokens) {
      const words = { words: tokens };
      peek = null;
      around = arcs({ ...words, high: 70, onpick: (row) => pair(row, most(row)) });
      big = wordMap({ ...words, onpick: pair, onpoint: look });
      where.replaceChildren(around.el);
      large.replaceChildren(big.el);
      origin.replaceChildren(plain, big.origin);
      const here = now;
      setTimeout(() => here === now && !here.lost && (here.lost = without(), draw()), 60);
    }
    drawn = tokens;
    if (line.value.toUpperCase() !== tokens.join("")) line.value = tokens.join("");
    const p = softmaxRow(now.logits[i]);
    const lost = now.lost && now.lost.map((heads) => heads.map((left) => p[top(i)] - left[i]));
    grid.draw(
      seen().weights, // a head that is off, or a word that is hidden, changes what later layers see
      [l, t],
      lost,
      1,
      (a, b, x) => `${called(a, b)} off: “${SYMBOLS[top(i)]}” loses ${percent(Math.max(x, 0))}`,
      get("edit"),
    );
    write(
      scale,
      `what “${SYMBOLS[top(i)]}” loses of its ${percent(p[top(i)])} without that head`,
    );
    const [edit, was] = [get("edit"), now.weights[l][t][i][j]];
    const A = seen().weights[l][t]; // a head that is off still weighs as it did
    big.draw(A, i, j, edit, was, true);
    const gives = edit ? "gave" : "gives";
    write(
      plain,
      `“${tokens[i]}” at ${i} ${gives} ${percent(was)} of its attention in this head to “${tokens[j]}” at ${j}.`,
    );
    const [from, to] = peek || [i, j];
    around.draw(A[from], from, to, { edit, hidden: from === i ? j : -1, was });
    what.draw(get("edit"), l, t, `“${tokens[j]}” at ${j}`, `“${tokens[i]}” at ${i}`);
    const after = changed();
    const said = after || p;
    const order = p.map((_, k) => k).sort((a, b) => said[b] - said[a]).slice(0, 5);
    const [label, before, then] = foretold.children;
    write(label, after ? `after “${tokens[i]}” at ${i}, ${how()}` : `expected after “${tokens[i]}” at ${i}`);
    write(before, after ? `${SYMBOLS[top(i)]} ${percent(p[top(i)])} → ` : "");
    write(then, after ? percent(after[top(i)]) : `${SYMBOLS[top(i)]} ${percent(p[top(i)])}`);
    const shown = order.map((k) => said[k]);
    const tell = (x, k) => `${percent(p[order[k]])}${after ? ` → ${percent(x)}` : ""}`;
    likeliest.forEach((name, k) => write(name, SYMBOLS[order[k]]));
    best.draw(shown, { most: 1, was: after && order.map((k) => p[k]), tell });
    const next = tokens[i + 1];
    write(
      told,
      `${
        after && Math.abs(after[top(i)] - p[top(i)]) < 0.005
          ? "The answer hardly moves"
          : `The five likeliest${after ? " now" : ""}`
      }.${next ? ` In the text ${next} follows (${percent(p[now.ids[i + 1]])}).` : ""}`,
    );
  }
  const most = (i) => {
    const row = now.weights[get("layer")][get("head")][i];
    return row.indexOf(Math.max(...row));
  };
  let [tried, which] = [null, null]; // the last edit that was run, and which it was
  function edited() {
    const [l, t, i, j, edit] = ["layer", "head", "row", "col", "edit"].map(get);
    const one = [now.ids, edit, ...(edit === "head" ? [l, t] : [i, j])].join();
    if (one !== which) tried = run(model, now.ids, edit === "head" ? { off: [l, t] } : { hidden: [i, j] });
    which = one;
    return tried;
  }
  const seen = () => get("edit") ? edited() : now;
  const changed = () => (get("edit") ? softmaxRow(edited().logits[get("row")]) : null);
  const how = () =>
    get("edit") === "head"
      ? `${called(get("layer"), get("head"))} off`
      : `“${get("tokens")[get("col")]}” at ${get("col")} hidden`;
  function sentence() {
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    const tokens = get("tokens");
    const p = softmaxRow(now.logits[i])[top(i)];
    const [looks, seen] = [`“${tokens[i]}” at ${i}`, `“${tokens[j]}” at ${j}`];
    const said = `${weighed(get("edit"), l, t, looks, seen, now.weights[l][t][i][j])} After ${
      i + 1
    } symbols the model expects “${SYMBOLS[top(i)]}” with ${percent(p)}`;
    const after = changed();
    if (!after) return `${said}.`;
    return `${said}, with ${how()} ${percent(after[top(i)])}.`;
  }
  const outcome = [h("div", {}, foretold, what.el), h("div", {}, told, best.el)];
  const all = h("div", { class: "attn-all" }, terms, grid.el, origin);
  return {
    parts: [
      laidOut(),
      h("style", {}, LOOKS),
      h("div", { class: "attn-ask" }, h("label", {}, h("span", {}, "Sequence"), line), mixed, again),
      complaint,
      where,
      h("div", { class: "attn-row attn-browse attn-outcome" }, outcome),
      h("div", { class: "attn-row attn-browse" }, all, h("div", { class: "attn-sight" }, large)),
    ],
    draw,
    sentence,
    longest: () => get("edit") ? "" : `${sentence()} cannot see, which had, with “C” at 23 hidden 99.9%`, // what an edit adds
  };
}
