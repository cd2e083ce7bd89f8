// Every head of a small trained transformer, computed here from its weights.
import { bars, figure, h, note, number, percent, row, write } from "../kit/kit.js";
import { field } from "../kit/boards.js";
import { dot, matmul, softmaxRow } from "../kit/linalg.js";

const SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function render(host) {
  return figure(host, {
    title: "Every head of a trained model.",
    hint: "Type a sequence that repeats, then one that does not. Choose a head, then a row: what does it look for?",
    shape: ["numbers"],
    state: ["tokens", "layer", "head", "row", "col"],
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

// The whole pass: attn.transformer.run. Positions enter queries and keys only.
export function run(model, ids) {
  const add = (a, b) => a.map((line, i) => line.map((x, j) => x + b[i][j]));
  const part = (a, t) =>
    a.map((line) => line.slice((t * line.length) / model.heads, ((t + 1) * line.length) / model.heads));
  let stream = ids.map((id) => model.E[id]);
  const weights = model.Q.map((Q, l) => {
    const placed = add(stream, model.P);
    const [q, k, v] = [matmul(placed, Q), matmul(placed, model.K[l]), matmul(stream, model.V[l])];
    const heads = Array.from({ length: model.heads }, (_, t) => {
      const [a, b] = [part(q, t), part(k, t)];
      return a.map((x, i) => softmaxRow(b.map((y, j) => (j <= i ? dot(x, y) / Math.sqrt(x.length) : -Infinity))));
    });
    const mixed = heads.map((A, t) => matmul(A, part(v, t)));
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
  const start = get("tokens");
  const line = h("input", {
    type: "text",
    maxlength: positions,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `Sequence, up to ${positions} of ${known}`,
    oninput: () => type(line.value),
  });
  const again = h("button", { type: "button", onclick: () => type(start.join("")) }, "↺ Start again");
  const mixed = h("button", { type: "button", onclick: () => type(shuffled()) }, "A new random repeat");
  const grid = h("div", { class: "attn-heads", style: `--heads:${model.heads}` }); // a layer a line
  const large = h("div", { class: "attn-large" });
  const best = bars({ names: ["1st", "2nd", "3rd", "4th", "5th"], title: "Expected next" });
  const told = note();
  const complaint = h("p", { class: "attn-note", role: "status" });
  let drawn = null;
  let now = null;
  let small = [];
  let big = null;

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
    set({ tokens, row, col: weights.indexOf(Math.max(...weights)) });
  }
  function read(tokens) {
    if (now && now.tokens.join() === tokens.join()) return;
    const ids = tokens.map((sign) => SYMBOLS.indexOf(sign));
    now = { ...run(model, ids), ids, tokens };
  }
  function compute(tokens) {
    read(tokens);
    const { ids } = now;
    small = now.weights.flatMap((layer, l) => layer.map((A, t) => thumb(A, l, t, scores(A, ids))));
    grid.replaceChildren(...small.map((one) => one.el));
    big = field({
      name: "queries down, keys across",
      rows: tokens,
      cols: tokens,
      size: [ids.length, ids.length],
      kind: "weight",
      lettered: true,
      onpick: (i, j) => set({ row: i, col: j }),
    });
    large.replaceChildren(big.el);
  }
  function thumb(A, l, t, [before, follows]) {
    const picture = field({ name: "", size: [A.length, A.length], kind: "weight", still: true });
    picture.draw(A);
    const score = (x) => (x === null ? "–" : number(x, 2));
    const el = h(
      "button",
      { type: "button", onclick: () => set({ layer: l, head: t }) },
      `layer ${l}, head ${t}`,
      picture.el,
      h("small", {}, `previous ${score(before)}`, h("br"), `induction ${score(follows)}`),
    );
    return { el, l, t };
  }
  function draw() {
    const tokens = get("tokens");
    if (drawn !== tokens) compute(tokens);
    drawn = tokens;
    if (line.value.toUpperCase() !== tokens.join("")) line.value = tokens.join("");
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    for (const one of small) one.el.setAttribute("aria-pressed", String(one.l === l && one.t === t));
    big.draw(now.weights[l][t], { pick: [i, j] });
    const p = softmaxRow(now.logits[i]);
    const order = p.map((_, k) => k).sort((a, b) => p[b] - p[a]).slice(0, 5);
    best.draw(order.map((k) => p[k]), { most: 1, tell: (x, k) => `${SYMBOLS[order[k]]} ${percent(x)}` });
    const next = tokens[i + 1];
    write(
      told,
      `After “${tokens.slice(0, i + 1).join("")}” the model expects:${
        next ? ` (next is ${next}, which it gave ${percent(p[now.ids[i + 1]])})` : ""
      }`,
    );
  }
  function sentence() {
    const [l, t, i, j] = ["layer", "head", "row", "col"].map(get);
    const tokens = get("tokens");
    const p = softmaxRow(now.logits[i]);
    const top = p.indexOf(Math.max(...p));
    const pair = `“${tokens[i]}” at ${i} gives “${tokens[j]}” at ${j}`;
    return `Layer ${l}, head ${t}: ${pair} the weight ${number(now.weights[l][t][i][j])}. After ${
      i + 1
    } symbols the model expects “${SYMBOLS[top]}” with ${percent(p[top])}.`;
  }
  const side = h("div", { class: "attn-box" }, told, best.el);
  return {
    parts: [
      h("p", {}, h("label", {}, "Sequence ", line)),
      complaint,
      h("div", { class: "attn-chips" }, mixed, again),
      grid,
      row(large, side),
    ],
    draw,
    sentence,
  };
}
