// Choose a cell of S = Q Kᵀ and see the dot product it is.
import {
  factor,
  figure,
  h,
  joined,
  largest,
  legend,
  matrix,
  number,
  products,
  provenance,
  quoted,
  row,
  rowOf,
} from "../kit/kit.js";
import { scores } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "Every score is a dot product.",
    hint: "Choose a cell: one query meets one key.",
    shape: ["Q", "K", "tokens", "key_tokens"],
    state: ["row", "col"],
    build,
  });
}

function build(get, set) {
  const [Q, K, tokens, keys] = ["Q", "K", "tokens", "key_tokens"].map(get);
  const S = scores(Q, K, 1);
  const size = [S.length, S[0].length];
  const most = largest([...Q, ...K, ...S]); // one scale for the figure
  const [queries, offers] = [[`Q (${Q.length}×${Q[0].length})`, tokens, Q], [`K (${K.length}×${K[0].length})`, keys, K]]
    .map(([name, rows, values]) => matrix({ name, rows, size: [values.length, values[0].length], most }));
  const table = matrix({
    name: `S = Q Kᵀ (${size.join("×")})`,
    rows: tokens,
    cols: keys,
    size,
    most,
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const scale = legend({ kind: "signed", values: [...Q, ...K, ...S], most });
  const origin = provenance([[table, (i, j) => ({
    told: `${number(S[i][j])} = ${products(Q[i], K[j])}: query ${quoted(tokens[i])}, key ${quoted(keys[j])}`,
    from: [...rowOf(queries, i), ...rowOf(offers, j)],
  })]]);
  const opened = h("div", { class: "attn-opened" });

  function draw() {
    const [i, j] = [get("row"), get("col")];
    table.draw(S, { row: i, col: j, pick: [i, j] });
    queries.draw(Q, { row: i });
    offers.draw(K, { row: j });
    origin.draw();
    opened.replaceChildren(dotTable(Q[i], K[j], tokens[i], keys[j], S[i][j]));
  }
  const sentence = () => {
    const [i, j] = [get("row"), get("col")];
    return `q(${quoted(tokens[i])}) · k(${quoted(keys[j])}) = ${products(Q[i], K[j])} = ${number(S[i][j])}.`;
  };
  const board = h("div", {}, h("p", { class: "attn-axes" }, "queries down, keys across"), table.el);
  return {
    parts: [row(queries.el, joined("·", offers.el), joined("=", board)), scale.el, origin.el, opened],
    draw,
    sentence,
  };
}

// The two vectors one under the other, their products, and the sum.
function dotTable(q, k, query, key, total) {
  const line = (name, values, end) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      values.map((x) => h("td", {}, x)),
      h("td", { class: "attn-end" }, end),
    );
  const head = h(
    "tr",
    {},
    h("td", { class: "attn-corner" }),
    q.map((_, c) => h("th", { scope: "col" }, `d${c + 1}`)),
    h("th", { scope: "col" }, "sum"),
  );
  const caption = h("caption", {}, `q(${quoted(query)}) · k(${quoted(key)})`);
  return h(
    "div",
    { class: "attn-scroll" },
    h(
      "table",
      { class: "attn-dot" },
      caption,
      h("thead", {}, head),
      h(
        "tbody",
        {},
        line("q", q.map((x) => number(x)), ""),
        line("k", k.map((x) => number(x)), ""),
        line("q × k", q.map((x, c) => `${factor(x)}·${factor(k[c])} = ${number(x * k[c])}`), number(total)),
      ),
    ),
  );
}
