// Divide one row of scores by √d, or do not.
import { bars, chips, figure, h, largest, matrix, note, number, percent, quoted, row, vector } from "../kit/kit.js";
import { entropy, softmaxRow } from "../kit/linalg.js";

export function render(host) {
  return figure(host, {
    title: "What √d does.",
    hint: "Switch the division on and off; the order stays, the sharpness does not.",
    shape: ["scores", "d", "tokens"],
    state: ["row", "scaled"],
    build,
  });
}

function build(get, set) {
  const [scores, d, tokens] = ["scores", "d", "tokens"].map(get);
  const names = scores.length === tokens.length ? tokens : scores.map((_, i) => `r${i + 1}`);
  const ways = ["as they are", `÷ √${number(d)}`];
  const divided = (i, by) => scores[i].map((s) => (s === null ? null : s / by));
  const both = (i) => [1, Math.sqrt(d)].map((by) => softmaxRow(divided(i, by).map((s) => s ?? -Infinity)));
  const who = chips({ names, title: "Row", onpick: (i) => set({ row: i }) });
  const how = chips({ names: ways, title: "Scores", onpick: (i) => set({ scaled: i === 1 }) });
  const left = bars({ names: tokens, title: "Scores" });
  const right = bars({ names: tokens, title: "Weights" });
  const table = matrix({
    name: "both ways",
    rows: ["largest weight", "entropy, nats"],
    cols: ways,
    size: [2, 2],
    kind: "plain",
  });

  function draw() {
    const i = get("row");
    const weights = both(i);
    const on = Number(get("scaled"));
    who.draw(i);
    how.draw(on);
    left.draw(divided(i, on ? Math.sqrt(d) : 1), { most: largest(scores[i]) });
    right.draw(weights[on], { most: 1, tell: percent });
    table.draw([weights.map((a) => Math.max(...a)), weights.map(entropy)], { col: on });
  }
  function sentence() {
    const [i, on] = [get("row"), Number(get("scaled"))];
    const a = both(i)[on];
    const shown = vector(divided(i, on ? Math.sqrt(d) : 1));
    const told = `The scores of ${quoted(names[i])}, ${on ? `divided by √${number(d)}` : "as they are"}, ${shown}`;
    return `${told}, give the weights ${vector(a)}, entropy ${number(entropy(a))} nats.`;
  }
  const half = (name, one) => h("div", { class: "attn-box" }, note(name), one.el);
  return {
    parts: [
      ...(scores.length > 1 ? [who.el] : []),
      how.el,
      row(half("scores", left), half("weights", right)),
      table.el,
    ],
    draw,
    sentence,
  };
}
