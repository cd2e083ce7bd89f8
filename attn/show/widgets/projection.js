// Step through Q = X W_Q, K = X W_K, V = X W_V, one word at a time.
import {
  chips,
  columnOf,
  figure,
  h,
  largest,
  mark,
  matrix,
  number,
  products,
  provenance,
  quoted,
  rowOf,
  stepper,
  symbols,
  vector,
} from "../kit/kit.js";
import { crossing } from "../kit/cross.js";
import { appear, longest, stay, written } from "../kit/large.js";
import { matmul, transpose } from "../kit/linalg.js";

const LENSES = ["Q", "K", "V"];
// One letter is large, in its colour: the view that is being made.
const TONES = ["query", "key", "value"];
const RULES = `.attn-views caption { font-size: 0.8em; }
.attn-views caption > strong { margin-right: 0.3em; color: var(--tone); font-size: 1.35em; }
.attn-live .attn-views .attn-hero { color: var(--tone); }
.attn-views .attn-hero > span { font-size: 0.5em; font-weight: 400; letter-spacing: 0; }
.attn-drive .attn-step { min-width: 6.5em; }
@container (min-width: 34rem) {
  .attn-views [data-away] { --w: 0.85rem; --u: 0.85rem; }
  .attn-live .attn-views [data-away] .attn-matrix tbody td { border-radius: 2px; font-size: 0; }
  .attn-live .attn-views [data-away] :is(thead, tbody th) { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
  .attn-live .attn-views .attn-hero { font-size: 3.6rem; }
  .attn-live .attn-lines:not([data-long]) { font-size: 1.05rem; line-height: 1.8; word-spacing: -0.1em; }
  .attn-live .attn-lines:not([data-long]) li { white-space: nowrap; }
  .attn-live .attn-lines[data-long] { font-size: 0.9rem; }
}
@container (max-width: 34rem) { .attn-live .attn-views .attn-lines:not([data-long]) { font-size: 0.94rem; letter-spacing: -0.04em; word-spacing: -0.16em; } }`;
const ROLES = ["what the word asks", "what it offers to be found by", "what it hands over"];

export function render(host) {
  return figure(host, {
    title: "One embedding, three views.",
    hint: "Step: a row of X meets each column of W and makes a row of Q, K or V.",
    shape: ["X", "W_Q", "W_K", "W_V", "tokens", "features"],
    state: ["step"],
    build,
  });
}

function build(get, set) {
  const X = get("X");
  const tokens = get("tokens");
  const features = get("features")?.length ? get("features") : null; // of X's columns, which are the weights' rows
  const n = X.length;
  const weights = LENSES.map((name) => get(`W_${name}`));
  const results = weights.map((W) => matmul(X, W));
  const steps = stepper({ last: 3 * n, onstep: (step) => set({ step }), pace: 2600 });
  const lens = chips({ names: LENSES, title: "Jump to", onpick: (i) => set({ step: i * n + 1 }) });
  const all = [X, ...weights, ...results];
  const most = largest(all.flat()); // one scale for the figure
  const size = (a) => [a.length, a[0].length];
  const named = (name, a) => `${name} (${size(a).join("×")})`;
  const left = matrix({ name: named("X", X), rows: tokens, cols: features, size: size(X), most });
  const pairs = weights.map((W, l) => ({
    top: matrix({
      name: named(`W_${LENSES[l]}`, W),
      rows: features || X[0].map((_, c) => `d${c + 1}`),
      size: size(W),
      most,
    }),
    result: matrix({
      name: named(LENSES[l], results[l]),
      rows: tokens,
      size: size(results[l]),
      most,
      onpick: () => {}, // to be walked over by keys: where a number comes from is told
      onact: (i) => set({ step: l * n + i + 1 }),
    }),
  }));
  pairs.forEach(({ top, result }, l) => {
    for (const one of [top, result]) {
      one.el.dataset.tone = TONES[l];
      const caption = one.el.querySelector("caption");
      const [size] = caption.lastChild.textContent.match(/ ?\(.*/);
      caption.lastChild.textContent = caption.lastChild.textContent.slice(0, -size.length);
      const name = h("strong", {}, ...caption.childNodes);
      caption.replaceChildren(name, size);
    }
  });
  const working = h("ol", { class: "attn-working attn-lines" });
  const role = h("p", { class: "attn-hero" });
  const cross = crossing({
    left,
    pairs,
    about: [role, working],
    told: written(...all),
    names: [tokens, features || ["d1"]],
  });
  cross.el.classList.add("attn-views");
  const inner = cross.el.firstChild.style;
  inner.setProperty("--most", "clamp(1.7rem, 21rem / var(--tall), 3.6rem)");
  // the view that is made has the width; the two others are stubs as wide as their names
  inner.setProperty("--wide", X[0].length + Math.max(...results.map((Y) => Y[0].length)));
  inner.setProperty("--aside", `${parseFloat(inner.getPropertyValue("--aside")) + 8}rem`);
  const at = (step = get("step")) => ({ l: step ? Math.floor((step - 1) / n) : 0, i: step ? (step - 1) % n : -1 });
  const known = (k, r) => k * n + r < get("step");
  const sum = (k, r, c) => products(X[r], transpose(weights[k])[c]);
  const made = (k, r, c) => `${number(results[k][r][c])} = ${sum(k, r, c)}`;
  const long = results.some((Y, k) => Y.some((line, r) => line.slice(0, 8).some((_, c) => made(k, r, c).length > 27)));
  const origin = provenance(pairs.map(({ top, result }, k) => [
    result,
    (r, c) => known(k, r) && { told: made(k, r, c), from: [...rowOf(left, r), ...columnOf(top, c)] },
  ]));
  mark(working, "data-long", long);
  let shown = null;

  function draw() {
    const { l, i } = at();
    const step = get("step");
    steps.draw(step, `Step ${step} of ${3 * n}`);
    lens.draw(step ? l : -1);
    left.draw(X, { row: i });
    pairs.forEach(({ top, result }, k) => {
      top.draw(weights[k]);
      result.draw(results[k], { row: k === l ? i : -1, hidden: (r) => !known(k, r) });
    });
    cross.light(i, -1, l);
    role.dataset.tone = TONES[l];
    role.replaceChildren(
      LENSES[l],
      h("span", {}, " = X ", ...symbols(`W_${LENSES[l]}`)),
      h("small", {}, ROLES[l]),
    );
    const columns = i < 0 ? [] : results[l][i].slice(0, 8);
    const totals = columns.map((x) => h("strong", {}, number(x)));
    const lines = results[0][0].slice(0, 8).map((_, c) =>
      totals[c]
        ? h("li", {}, h("span", {}, `d${c + 1}: `), `${sum(l, i, c)} = `, totals[c])
        : h("li", {}, h("span"), "\u00a0")
    );
    working.replaceChildren(...lines);
    origin.draw();
    const say = cross.el.closest(".attn-live")?.querySelector(".attn-say");
    if (say) stay(say, 0); // at once, or after a step when the numbers have come: never with another step's words
    if (shown !== null && step === shown + 1) {
      // a line comes with the row that lies on its column, its result with the cell, and the sentence last
      const landed = cross.meet(i, results[l][i].map((_, j) => j), X, weights[l], most, l);
      totals.forEach((total, c) => {
        appear(lines[c], landed[c] - 500);
        appear(total, landed[c]);
      });
      if (say) appear(say, Math.max(...landed));
    } else cross.stop();
    shown = step;
  }
  function sentence(step = get("step")) {
    const { l, i } = at(step);
    if (!step) return `Step 0 of ${3 * n}: X (${size(X).join("×")}) waits to be multiplied by W_Q, W_K and W_V.`;
    return `Step ${step} of ${3 * n}: the embedding of ${quoted(tokens[i])} times W_${LENSES[l]} is its row of ${
      LENSES[l]
    }, ${vector(results[l][i])}.`;
  }
  return {
    parts: [h("style", {}, RULES), h("div", { class: "attn-drive" }, steps.el, lens.el), cross.el, origin.el],
    draw,
    sentence: () => sentence(),
    longest: () => longest(3 * n, sentence),
    stop: () => (steps.stop(), cross.stop()),
  };
}
