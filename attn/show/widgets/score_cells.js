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
import { appear, written } from "../kit/large.js";
import { scores, transpose } from "../kit/linalg.js";

const MET = 1050; // milliseconds that a query is on its way
const REST = 180; // milliseconds that a mouse rests on a score before its query sets out

export function render(host) {
  return figure(host, {
    title: "Every score is a dot product.",
    hint: "Point at a cell of S, or choose it: the query of its row meets the key of its column.",
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
    hold(REST + MET);
    due = setTimeout(() => cross.meet(at[0], [at[1]], Q, KT, most), REST);
  });
  table.el.addEventListener("pointerleave", () => {
    clearTimeout(due);
    hold(0);
    tell(get("row"), get("col"));
  });
  cross.el.firstChild.style.setProperty("--most", `clamp(2rem, ${17.5 / (S.length + KT.length)}rem, 4.2rem)`);
  let shown = null;

  function tell(i, j) {
    pair.replaceChildren("query of ", h("strong", {}, bdi(tokens[i])), ", key of ", h("strong", {}, bdi(keys[j])));
    write(working, products(Q[i], K[j]));
    write(total, `= ${number(S[i][j])}`);
  }
  // The sum is not told before its products have come
  function hold(time) {
    total.getAnimations().forEach((one) => one.cancel());
    if (time) appear(total, time);
  }
  function draw() {
    const [i, j] = [get("row"), get("col")];
    table.draw(S, { row: i, col: j, pick: [i, j] });
    queries.draw(Q, { row: i });
    offers.draw(KT, { col: j });
    cross.light(i, j);
    tell(i, j);
    origin.draw();
    const now = `${i} ${j}`;
    if (shown && shown !== now) {
      clearTimeout(due);
      hold(MET);
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
  return { parts: [cross.el, scale.el, origin.el], draw, sentence, stop };
}
