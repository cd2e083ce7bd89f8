// Choose a word, see its embedding.
import { bars, chips, figure, joined, largest, legend, matrix, quoted, row, vector } from "../kit/kit.js";

export function render(host) {
  return figure(host, {
    title: "From a word to a vector.",
    hint: "Choose a word: its embedding is one row of X.",
    shape: ["X", "tokens"],
    state: ["selected"],
    build(get, set) {
      const X = get("X");
      const tokens = get("tokens");
      const pick = (selected) => set({ selected });
      const words = chips({ names: tokens, title: "Word", onpick: pick });
      const table = matrix({
        name: `X (${X.length}×${X[0].length})`,
        rows: tokens,
        size: [X.length, X[0].length],
        onpick: pick,
      });
      const shown = bars({ names: X[0].map((_, j) => `d${j + 1}`), title: "The chosen word's vector" });
      const most = largest(X);
      const scale = legend({ kind: "signed", values: X });
      return {
        parts: [words.el, row(table.el, joined("→", shown.el)), scale.el],
        draw() {
          const i = get("selected");
          words.draw(i);
          table.draw(X, { row: i });
          shown.draw(X[i], { most });
        },
        sentence: () =>
          `${quoted(tokens[get("selected")])} is row ${get("selected") + 1} of X: ${vector(X[get("selected")])}.`,
      };
    },
  });
}
