// Step through Q = X W_Q, K = X W_K, V = X W_V, one word at a time.
import {
  chips,
  factor,
  figure,
  h,
  joined,
  largest,
  legend,
  matrix,
  note,
  number,
  quoted,
  row,
  stepper,
  symbols,
  vector,
} from "../kit/kit.js";
import { matmul, transpose } from "../kit/linalg.js";

const LENSES = ["Q", "K", "V"];
const ROLES = ["what the word asks", "what it offers to be found by", "what it hands over"];

export function render(host) {
  return figure(host, {
    title: "One embedding, three views.",
    hint: "Step through: each word's row of X meets each column of a weight matrix.",
    shape: ["X", "W_Q", "W_K", "W_V", "tokens"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const X = get("X");
  const tokens = get("tokens");
  const n = X.length;
  const weights = LENSES.map((name) => get(`W_${name}`));
  const results = weights.map((W) => matmul(X, W));
  const steps = stepper({ last: 3 * n, onstep: (step) => set({ step }) });
  const lens = chips({ names: LENSES, title: "Jump to", onpick: (i) => set({ step: i * n + 1 }) });
  const most = largest([X, ...weights, ...results].flat()); // one scale for the figure
  const scale = legend({ kind: "signed", values: [X, ...weights, ...results].flat(), most });
  const size = (a) => [a.length, a[0].length];
  const named = (name, a) => `${name} (${size(a).join("×")})`;
  const left = matrix({ name: named("X", X), rows: tokens, size: size(X), most });
  const stages = weights.map((W, l) => ({
    weight: matrix({ name: named(`W_${LENSES[l]}`, W), rows: X[0].map((_, c) => `d${c + 1}`), size: size(W), most }),
    result: matrix({ name: named(LENSES[l], results[l]), rows: tokens, size: size(results[l]), most }),
  }));
  const rows = stages.map(({ weight, result }) => row(weight.el, joined("=", result.el)));
  const working = h("ol", { class: "attn-working" });
  const role = note();
  const at = () => ({
    l: get("step") ? Math.floor((get("step") - 1) / n) : 0,
    i: get("step") ? (get("step") - 1) % n : -1,
  });

  function draw() {
    const { l, i } = at();
    steps.draw(get("step"), `Step ${get("step")} of ${3 * n}`);
    lens.draw(get("step") ? l : -1);
    left.draw(X, { row: i });
    rows.forEach((node, k) => (node.hidden = k !== l));
    stages[l].weight.draw(weights[l]);
    stages[l].result.draw(results[l], { row: i, hidden: (r) => r > i });
    role.replaceChildren(...symbols(`${LENSES[l]} = X W_${LENSES[l]}`), `: ${ROLES[l]}.`);
    const columns = i < 0 ? [] : transpose(weights[l]).slice(0, 8);
    working.replaceChildren(
      ...columns.map((column, j) =>
        h(
          "li",
          {},
          `d${j + 1}: ${X[i].map((x, c) => `${factor(x)}·${factor(column[c])}`).join(" + ")} = ${
            number(results[l][i][j])
          }`,
        )
      ),
    );
  }
  function sentence() {
    const { l, i } = at();
    const step = get("step");
    if (!step) return `Step 0 of ${3 * n}: X (${size(X).join("×")}) waits to be multiplied by W_Q, W_K and W_V.`;
    return `Step ${step} of ${3 * n}: the embedding of ${quoted(tokens[i])} times W_${LENSES[l]} is its row of ${
      LENSES[l]
    }, ${vector(results[l][i])}.`;
  }
  const picture = h("div", { class: "attn-row" }, left.el, joined("×", rows));
  return { parts: [steps.el, lens.el, role, picture, scale.el, working], draw, sentence, stop: steps.stop };
}
