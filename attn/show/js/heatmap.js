// W6: a matrix in colour, with its numbers and its legend.
import { extremes, figure, h, legend, matrix, number, quoted } from "./kit.js";

export function render(host) {
  return figure(host, {
    title: "Where each word looks.",
    hint: "Choose a cell to hear what it holds.",
    shape: ["values", "tokens", "key_tokens", "kind", "name"],
    state: ["row", "col"],
    build,
  });
}

function build(get, set) {
  const [values, tokens, keys, kind, name] = ["values", "tokens", "key_tokens", "kind", "name"].map(get);
  const size = [tokens.length, keys.length];
  const table = matrix({ name: `${name} (${size.join("×")})`, rows: tokens, cols: keys, size, kind, onpick: (i, j) => set({ row: i, col: j }) });
  const scale = legend({ kind });
  const most = Math.max(...values.flat().map((x) => Math.abs(x || 0))) || 1;
  function draw() {
    const [i, j] = [get("row"), get("col")];
    table.draw(values, { row: i, col: j, pick: [i, j] });
    scale.draw(most);
  }
  function sentence() {
    const [i, j] = [get("row"), get("col")];
    const held = `row ${quoted(tokens[i])}, column ${quoted(keys[j])} holds ${number(values[i][j])}`;
    return `${name} (${size.join("×")}): ${held}; the row is ${extremes(values[i], keys)}.`;
  }
  return { parts: [h("p", { class: "attn-axes" }, "queries down (attending from), keys across (attending to)"), table.el, scale.el], draw, sentence };
}
