// Choose a cell of S = Q Kᵀ: its query slides onto its key, and the products fall into the cell.
import {
  bdi,
  columnOf,
  figure,
  h,
  largest,
  legend,
  matrix,
  number,
  products,
  provenance,
  quoted,
  rowOf,
  write,
} from "../kit/kit.js";
import { crossing } from "../kit/cross.js";
import { written } from "../kit/large.js";
import { scores, transpose } from "../kit/linalg.js";

// The c-th number of the query, the c-th of the key and their product have one colour; in the cell lie the products.
const hue = (k) => `hsl(calc(${k} * 137.5 + 30) 60% 48%)`;
const RULES = `.attn-pairs > div { --w: clamp(var(--u), (100cqw - var(--aside)) / var(--wide) - 3px, 6.6rem); }
.attn-pairs :is(td, i, .attn-ghost) { --pair: ${hue("var(--k)")}; }
.attn-live .attn-pairs.attn-cross .attn-matrix tr > td:is([data-col], [data-source]):not([data-made], :focus-visible) {
  outline: 4px solid var(--pair); outline-offset: -4px; }
.attn-live .attn-pairs .attn-ghost { box-shadow: 0 0 0 4px var(--pair); border-radius: 5px; font-weight: 700; }
.attn-live .attn-pairs td[data-pick]::after { content: ""; position: absolute; inset: auto 10% 3px; height: min(0.4rem, 14%);
  border-radius: 2px; box-shadow: 0 0 0 2px var(--attn-paper);
  background: var(--made); }
.attn-live .attn-pairs .attn-total:not(.attn-hero) { font-size: clamp(1.15rem, 3.4cqw, 1.75rem); line-height: 1.5; }
.attn-pairs .attn-total > i { padding: 0.05em 0.2em; border-bottom: 0.2em solid var(--pair); font-style: normal; white-space: nowrap; }
.attn-live .attn-pairs .attn-hero { display: block; margin-top: 0.6rem; font-size: clamp(2.2rem, 9cqw, 4rem); }
/* what flies goes below the words: they can be read at every moment */
.attn-pairs :is(caption, .attn-corner-note), .attn-live .attn-pairs .attn-scroll:not(.attn-result) thead th { position: relative; z-index: 3; background: var(--attn-paper); }
.attn-pairs caption { width: max-content; }
.attn-live .attn-pairs th[scope="row"] { z-index: 3; }
@container (max-width: 34rem) { .attn-grand.attn-pairs > div { --w: var(--u); } }`;
const REST = 180; // milliseconds that a mouse rests on a score before its query sets out

export function render(host) {
  return figure(host, {
    title: "Every score is a dot product.",
    hint: "Point at a cell of S: a query meets a key.",
    shape: ["Q", "K", "tokens", "key_tokens"],
    state: ["row", "col"],
    build,
  });
}

function build(get, set) {
  const [Q, K, tokens, keys] = ["Q", "K", "tokens", "key_tokens"].map(get);
  const [S, KT] = [scores(Q, K, 1), transpose(K)];
  const size = [S.length, S[0].length];
  const most = largest([...Q, ...K, ...S]); // one scale for the figure
  const queries = matrix({ name: `Q (${Q.length}×${Q[0].length})`, rows: tokens, size: [Q.length, Q[0].length], most });
  const offers = matrix({ name: `Kᵀ (${K[0].length}×${K.length})`, cols: keys, size: [K[0].length, K.length], most });
  offers.el.querySelectorAll("th[scope=row]").forEach((node, c) => node.replaceChildren(`d${c + 1}`));
  const table = matrix({
    name: `S = Q Kᵀ (${size.join("×")})`,
    rows: tokens,
    cols: keys,
    size,
    most,
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const [pair, working, total] = [
    h("p", { class: "attn-told" }),
    h("p", { class: "attn-total" }),
    h("strong", { class: "attn-total attn-hero" }),
  ];
  const cross = crossing({
    left: queries,
    pairs: [{ top: offers, result: table }],
    about: [pair, working, total],
    names: [tokens, ["d1"]],
    told: written(Q, K, S),
  });
  const origin = provenance([[table, (i, j) => ({
    told: `${number(S[i][j])} = ${products(Q[i], K[j])}: query ${quoted(tokens[i])}, key ${quoted(keys[j])}`,
    from: [...rowOf(queries, i), ...columnOf(offers, j)],
  })]]);
  // A mouse that rests on a score sees its query slide; the corner tells its sum until the mouse leaves.
  let due = 0;
  table.el.addEventListener("pointerover", ({ target, pointerType }) => {
    const at = target.closest("td[data-at]")?.dataset.at.split(",").map(Number);
    clearTimeout(due);
    if (!at || pointerType === "touch") return;
    tell(...at);
    due = setTimeout(() => cross.meet(at[0], [at[1]], Q, KT, most), REST);
  });
  table.el.addEventListener("pointerleave", () => {
    clearTimeout(due);
    tell(get("row"), get("col"));
  });
  cross.el.classList.add("attn-pairs");
  cross.el.firstChild.style.setProperty("--most", `clamp(2rem, ${20 / (S.length + KT.length)}rem, 4.2rem)`);
  queries.cells.forEach((line) => line.forEach((cell, c) => cell.style.setProperty("--k", c)));
  offers.cells.forEach((line, c) => line.forEach((cell) => cell.style.setProperty("--k", c)));
  // How much of the score, in size, each product is
  function parts(i, j) {
    const made = Q[i].map((x, c) => Math.abs(x * K[j][c]));
    const all = made.reduce((a, b) => a + b, 0) || 1;
    let at = 0;
    const stops = made.map((x, c) =>
      `${hue(c)} ${(100 * at / all).toFixed(1)}% ${(100 * (at += x) / all).toFixed(1)}%`
    );
    return `linear-gradient(90deg, ${stops.join(", ")})`;
  }
  let shown = null;

  function tell(i, j) {
    pair.replaceChildren("query of ", h("strong", {}, bdi(tokens[i])), ", key of ", h("strong", {}, bdi(keys[j])));
    const terms = products(Q[i], K[j]).split(" + ");
    working.replaceChildren(...terms.flatMap((term, k) => {
      const c = k < terms.length - 1 ? k : Q[i].length - 1; // of many, the first and the last
      return [...(k ? [" + "] : []), term === "…" ? term : h("i", { style: `--k:${c}` }, term)];
    }));
    write(total, `= ${number(S[i][j])}`);
  }
  function draw() {
    const [i, j] = [get("row"), get("col")];
    table.draw(S, { row: i, col: j, pick: [i, j] });
    table.cells[i][j].style.setProperty("--made", parts(i, j));
    queries.draw(Q, { row: i });
    offers.draw(KT, { col: j });
    cross.light(i, j);
    tell(i, j);
    origin.draw();
    const now = `${i} ${j}`;
    if (shown && shown !== now) {
      clearTimeout(due);
      cross.meet(i, [j], Q, KT, most);
    }
    shown = now;
  }
  const sentence = () => {
    const [i, j] = [get("row"), get("col")];
    return `q(${quoted(tokens[i])}) · k(${quoted(keys[j])}) = ${products(Q[i], K[j])} = ${number(S[i][j])}.`;
  };
  const scale = legend({ kind: "signed", values: [...Q, ...K, ...S], most });
  const stop = () => (clearTimeout(due), cross.stop());
  return { parts: [h("style", {}, RULES), cross.el, scale.el, origin.el], draw, sentence, stop };
}
