// A matrix in colour, with its numbers and its legend.
import { extremes, figure, h, legend, matrix, number, quoted } from "../kit/kit.js";

export function render(host) {
  const [title, kind, name] = ["title", "kind", "name"].map((part) => host.model.get(part));
  return figure(host, {
    title: title || (kind === "weight" ? "Where each word looks." : `${name}, cell by cell.`),
    hint: "Choose a cell; the line below says what it holds.",
    shape: ["values", "tokens", "key_tokens", "kind", "name", "down", "across"],
    state: ["row", "col"],
    build,
  });
}

function build(get, set) {
  const [values, tokens, keys, kind, name] = ["values", "tokens", "key_tokens", "kind", "name"].map(get);
  const size = [tokens.length, keys.length];
  const table = matrix({
    name: `${name} (${size.join("×")})`,
    rows: tokens,
    cols: keys,
    size,
    kind,
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const scale = legend({ kind, values, share: get("title") ? "share" : undefined }); // not all shares are of attention
  function draw() {
    const [i, j] = [get("row"), get("col")];
    table.draw(values, { row: i, col: j, pick: [i, j] });
  }
  function sentence() {
    const [i, j] = [get("row"), get("col")];
    const held = `row ${quoted(tokens[i])}, column ${quoted(keys[j])} holds ${number(values[i][j])}`;
    return `${name} (${size.join("×")}): ${held}; the row is ${extremes(values[i], keys)}.`;
  }
  return {
    parts: [h("p", { class: "attn-axes" }, `${get("down")} down, ${get("across")} across`), table.el, scale.el],
    draw,
    sentence,
  };
}
