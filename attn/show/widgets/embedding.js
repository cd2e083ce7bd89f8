// Choose a word: its row of X comes out as a vector, feature by feature, beside the words that have the same.
import {
  bars,
  bdi,
  chips,
  figure,
  h,
  largest,
  legend,
  mark,
  matrix,
  number,
  quoted,
  row,
  vector,
  write,
} from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { ease, fly } from "../kit/motion.js";

const RULES = [
  ".attn-onehot { display: flex; gap: 0.3rem; align-items: end; max-width: 100%; }",
  ".attn-live .attn-onehot > :first-child :is(td, th) { min-width: 1.5em; padding-inline: 2px; }",
  ".attn-onehot > :first-child :is(th[scope='row'], .attn-corner) { position: absolute; clip-path: inset(50%); }",
  ".attn-live .attn-onehot > :first-child th { font-size: 0.8em; }",
  ".attn-onehot tr[aria-hidden] { height: 0.7rem; }",
  ".attn-onehot ~ .attn-bars > li > :last-child { color: var(--attn-debt); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }",
  ".attn-live .attn-onehot > :last-child tbody td { min-width: 2.9rem; padding-inline: 2px; }",
  "@media (max-width: 480px) { .attn-live .attn-onehot .attn-matrix :is(td, th) { padding-inline: 1px; font-size: 1.05rem; }",
  ".attn-live .attn-onehot > :first-child tbody td { min-width: 1.3em; }",
  ".attn-live .attn-onehot > :first-child th { font-size: 0.75rem; }",
  ".attn-live .attn-onehot > :last-child tbody td { min-width: 2.1rem; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "From a word to a vector.",
    hint:
      "Choose a word: e has a one at its place, zeros elsewhere, and e X is its row of X. Orange: a feature that both words have.",
    shape: ["X", "tokens"],
    state: ["selected"],
    build,
  });
}

function build(get, set) {
  const [X, tokens] = [get("X"), get("tokens")];
  const names = X[0].map((_, j) => `d${j + 1}`);
  const pick = (selected) => set({ selected });
  const words = chips({ names: tokens, title: "Word", onpick: pick });
  const size = [X.length, X[0].length];
  const table = matrix({ name: `X (${size.join("×")})`, rows: tokens, size, onpick: pick });
  const hot = matrix({ name: "one-hot e", rows: ["e"], cols: tokens, size: [1, X.length], kind: "weight" });
  // the product stands below its right factor, in the same columns
  const product = names.map(() => h("td", {}));
  const line = h("tr", { "data-on": true }, h("th", { scope: "row", "aria-label": "e X" }, "· X ="), product);
  table.el.querySelector("table").append(h("tbody", {}, h("tr", { "aria-hidden": "true" }), line));
  const common = h("p", { class: "attn-legend" });
  const shown = bars({ names, title: "The chosen word's vector" });
  const most = largest(X);
  const scale = legend({ kind: "signed", values: X });
  // beside each feature: who else has it
  const others = names.map(() => h("span", {}));
  shown.el.style.flex = "1 1 auto";
  shown.el.style.gridTemplateColumns =
    "max-content minmax(4rem, 1fr) minmax(2.5rem, max-content) minmax(4rem, min(9rem, 22vw))";
  [...shown.el.children].forEach((item, j) => {
    item.append(others[j]);
    ease(item.querySelector(".attn-fill"), "width");
  });
  const agree = (i, k, j) => i !== k && X[i][j] * X[k][j] > 0; // both have it, with the same sign
  let before = null;

  function draw() {
    const i = get("selected");
    words.draw(i);
    table.draw(X, { row: i });
    hot.draw([X.map((_, k) => Number(k === i))]);
    product.forEach((cell, j) => {
      write(cell, number(X[i][j]));
      cell.style.setProperty("--t", (X[i][j] / most).toFixed(4));
      mark(cell, "data-minus", X[i][j] < 0);
    });
    write(
      common,
      `In common with ${quoted(tokens[i])}: ${
        tokens.flatMap((name, k) => k === i ? [] : [`${quoted(name)} ${number(dot(X[i], X[k]))}`]).slice(0, 6).join(
          ", ",
        )
      } (the dot products of their rows).`,
    );
    shown.draw(X[i], { most });
    const shared = (k, j) => (k === i ? X.some((_, other) => agree(i, other, j)) : agree(i, k, j));
    table.cells.forEach((line, k) => line.forEach((cell, j) => mark(cell, "data-source", shared(k, j))));
    others.forEach((one, j) => {
      const like = tokens.filter((_, k) => agree(i, k, j));
      const told = like.slice(0, 3).flatMap((name) => [", ", bdi(name)]).slice(1);
      one.replaceChildren(
        ...(like.length ? ["also ", ...told, like.length > 3 ? ", …" : ""] : X[i][j] ? ["alone"] : []),
      );
    });
    if (before !== null && before !== i) {
      product.forEach((node, j) => fly(node, table.cells[i][j], { delay: 60 * Math.min(j, 8) }));
    }
    before = i;
  }
  const sentence = () => {
    const i = get("selected");
    return `${quoted(tokens[i])} is row ${i + 1} of X: ${vector(X[i])}.`;
  };
  const sum = h(
    "div",
    { class: "attn-large-cells" },
    row(h("div", { class: "attn-onehot" }, hot.el, table.el), shown.el),
  );
  return { parts: [h("style", {}, RULES), words.el, sum, common, scale.el], draw, sentence };
}
