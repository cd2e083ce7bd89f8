// Cut S to rank r and see that softmax does not keep the rank low.
import {
  factor,
  figure,
  h,
  label,
  largest,
  legend,
  mark,
  matrix,
  note,
  number,
  percent,
  provenance,
  quoted,
  rowOf,
  slider,
  write,
} from "../kit/kit.js";
import { brief, field, readable } from "../kit/boards.js";
import { spectrum } from "../kit/spectra.js";
import { softmax } from "../kit/linalg.js";
import { matrixRank, rank, svd } from "../kit/decompose.js";

export function render(host) {
  return figure(host, {
    title: "Scores of low rank, weights of high rank.",
    hint: "Keep r singular values of S, then take softmax.",
    shape: ["S", "tokens"],
    state: ["rank"],
    build,
  });
}

// Two squares whose columns keep their width whatever is written in them; a row's largest weight is framed, and where it
// stood at full rank
const RULES =
  `.attn-live .attn-ranked { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15.5rem), 1fr));
  gap: 0.6rem 1.2rem; margin: 0.5rem 0; }
.attn-ranked > div { container-type: inline-size; min-width: 0; }
.attn-live .attn-ranked p { margin: 0; }
.attn-ranked table { --min: clamp(24px, (100cqw - 1.3rem - 0.5rem * var(--name)) / var(--n) - 1px, 2.8rem);
  --cell: clamp(0.62rem, var(--min) / 2.85, 0.8rem); }
.attn-live .attn-ranked .attn-matrix tbody td { max-width: var(--min); padding: 0; }
.attn-live .attn-ranked .attn-matrix tbody td[data-led]:not([data-made], [data-source]) { outline: 2px dashed var(--attn-edge); outline-offset: -2px; }
.attn-live .attn-ranked .attn-matrix tbody tr > td[data-leads]:not([data-made], [data-source]) { outline: 2px solid var(--attn-accent); outline-offset: -2px; }`;

// Four signs at most: 0.33 as .33, −1.16 as −1.2; a cell that is pointed at says the rest
const little = (x) => {
  const told = brief(x).replace(/^(−?)0(?=\.)/, "$1");
  return told.length > 4 ? x.toFixed(1).replace("-", "−") : told;
};

// Rows and columns in the order of the largest layer, the same at every rank: at rank 1 each row rises or falls all the way.
// Where no layer is the largest, in the order in which they came; as in rank_slider.py
function sorted({ u, s, v }, size) {
  if (!(s[0] - (s[1] || 0) > 1e-9 * s[0])) return size.map((n) => Array.from({ length: n }, (_, i) => i));
  const first = u[0].map((x) => Number(x.toFixed(9)));
  const sign = Math.sign(first[first.findIndex((x) => Math.abs(x) === Math.max(...first.map(Math.abs)))]);
  return [u[0], v[0]].map((line) => {
    const at = line.map((x) => sign * Number(x.toFixed(9)));
    return at.map((_, i) => i).sort((i, j) => at[j] - at[i] || i - j);
  });
}

const DECADES = 12; // of the log axis
const clean = (x) => (x < 1e-9 ? 0 : x);
const farthest = (a, b) => Math.max(...a.map((line, i) => Math.max(...line.map((x, j) => Math.abs(x - b[i][j])))));

function build(get, set) {
  const given = get("S");
  const size = [given.length, given[0].length];
  const order = sorted(svd(given), size);
  const S = order[0].map((i) => order[1].map((j) => given[i][j]));
  const [tokens, across] = order.map((line) => line.map((i) => get("tokens")[i]));
  const parts = svd(S);
  const whole = softmax(S);
  const all = Math.min(...size);
  const own = rank(parts.s);
  const full = Math.max(own, get("rank"), 1); // beyond the rank of S, nothing is left to cut
  const cols = size[0] === size[1] ? across : order[1].map((j) => `d${j + 1}`);
  const known = new Map(); // one slider, few ranks: each is computed once
  const at = (r) => known.get(r) || known.set(r, cut(S, parts, r, whole)).get(r);
  const oninput = (rank) => {
    if (origin) origin.leave(); // a mouse that rests on a cell asks no more
    set({ rank });
  };
  const one = slider({ title: "rank r", min: 0, max: full, step: 1, tell: String, oninput });
  const small = readable(size); // beyond that a picture each, and one cell that says its number
  let pick = [0, 0];
  const onpick = (...place) => {
    pick = place;
    draw();
  };
  // One scale for all ranks: a matrix that is cut can hold larger numbers than S
  const most = readable(size)
    ? Math.max(...Array.from({ length: full + 1 }, (_, r) => largest(at(r).scores)))
    : largest(S);
  const options = { rows: tokens, cols, size, most, onpick: small ? () => {} : onpick };
  const [scores, weights] = [["S_r", "signed"], ["softmax(S_r)", "weight"]].map(([name, kind]) =>
    (small ? matrix : field)({ ...options, name, kind, ...(small && all > 6 ? { tell: little } : {}) })
  );
  const cell = small ? null : note();
  // A row leads with a word where its weight is larger than all others of the row: at rank 0 none does
  const lead = (line) => {
    const j = line.indexOf(Math.max(...line));
    return line.every((x, k) => k === j || line[j] - x > 1e-9) ? j : -1;
  };
  const led = whole.map(lead);
  const leads = h("p", { class: "attn-note" });
  const sigma = spectrum({ count: full, title: "Singular values of S", onpick: (i) => set({ rank: i + 1 }) });
  const ranks = [0, 1].map(() => h("strong", { style: "font-size: 1.7rem; line-height: 1.2" }));
  // What softmax makes of them: as many columns as it has. The small ones are powers of ten, and they count: a log axis
  const after = spectrum({ count: all, title: "Singular values of the weights", decades: DECADES, floor: 1e-9 });
  const spread = (r) => at(r).sigma ||= svd(at(r).weights).s;
  const share = h("span");
  const e = (x) => `e^${number(x)}`;
  const origin = small && provenance([
    [scores, (i, j) => {
      const r = get("rank");
      const terms = parts.s.slice(0, r).map((s, k) => `${number(s)}·${factor(parts.u[k][i])}·${factor(parts.v[k][j])}`);
      const sum = r > 3 ? [...terms.slice(0, 3), "…"] : terms;
      return { told: `${number(at(r).scores[i][j])} = ${sum.join(" + ") || "0"}`, from: [] };
    }],
    [weights, (i, j) => {
      const { scores: s, weights: a } = at(get("rank"));
      const all = s[i].slice(0, 4).map(e).join(" + ") + (s[i].length > 4 ? " + …" : "");
      return { told: `${number(a[i][j])} = ${e(s[i][j])} / (${all})`, from: rowOf(scores, i) };
    }],
  ]);
  const scale = legend({ kind: "signed", values: S, most });
  const zeros = all > full ? note(`S has rank ${own}: its other ${all - own} singular values are 0.`) : null;

  function draw() {
    const r = get("rank");
    const now = at(r);
    one.draw(r);
    const marks = small ? {} : { pick };
    scores.draw(now.scores, { ...marks, caption: `S cut to rank ${r}` });
    weights.draw(now.weights, { ...marks, caption: `softmax(S cut to rank ${r})` });
    if (origin) origin.draw();
    const [i, j] = pick;
    if (cell) {
      write(
        cell,
        `Row ${quoted(tokens[i])}, column ${size[0] === size[1] ? quoted(cols[j]) : cols[j]}: ${
          number(now.scores[i][j])
        } in S_${r}, ${number(now.weights[i][j])} in softmax(S_${r}).`,
      );
    }
    const leading = now.weights.map(lead);
    const same = led.filter((j, i) => j >= 0 && j === leading[i]).length;
    write(
      leads,
      `blue frame: leads its row; dashed: at full rank; the same in ${same} of ${size[0]} rows`,
    );
    if (small) {
      weights.cells.forEach((line, i) =>
        line.forEach((one, j) => {
          mark(one, "data-led", j === led[i]);
          mark(one, "data-leads", j === leading[i]);
        })
      );
    }
    ranks.forEach((one, k) => write(one, `rank ${now.ranks[k]}`));
    write(share, `singular values of S: ${percent(now.kept)} of its squared length kept`);
    sigma.draw(parts.s.map(clean), { kept: r });
    after.draw(spread(r));
  }
  function sentence(r = get("rank")) {
    const { ranks: [low, high], kept, moved } = at(r);
    const start = `S (${size.join("×")}) cut to rank ${r} of ${full} keeps ${percent(kept)} of its squared length`;
    return `${start}: S_${r} has rank ${low}, softmax(S_${r}) has rank ${high}; no weight moves by more than ${
      number(moved)
    }.`;
  }
  // Half a thumb beside the columns: it stands where the cut is
  const columns = [sigma, after].map((one) => h("div", { style: "padding: 0 8px" }, one.el));
  const heads = [[[ranks[0]], share], [["softmax → ", ranks[1]], "singular values of the weights, log scale"]];
  const spectra = h(
    "div",
    { class: "attn-ranked attn-spectra" },
    heads.map(([first, then], k) =>
      h(
        "div",
        {},
        h("p", {}, first),
        h("p", {}, h("small", {}, then)),
        columns[k],
        k ? null : h("div", { class: "attn-drive" }, h("div", { class: "attn-sliders", style: "flex: 1" }, one.el)),
      )
    ),
  );
  const longest = Math.min(5, Math.max(...tokens.map((token) => label(token).length)));
  const halves = [scores, weights].map((board, k) => h("div", {}, board.el, small && (k ? leads : scale.el)));
  const squares = h(
    "div",
    small
      ? { class: "attn-trio attn-ranked", style: `--n:${size[1]};--name:${longest}` }
      : { class: "attn-trio", style: "--cell: min(0.75rem, 2.7vw)" },
    halves,
  );
  return {
    parts: [h("style", {}, RULES), spectra, squares, cell, origin && origin.el, small ? null : scale.el, zeros].filter(
      Boolean,
    ),
    draw,
    sentence: () => sentence(),
    longest: () => sentence(full - 1),
    fits: () => get("rank") <= full,
  };
}

function cut(S, { u, s, v }, r, whole) {
  const zero = 1e-12 * s[0];
  const scores = S.map((line, i) => {
    const sums = line.map(() => 0);
    for (let k = 0; k < r; k++) {
      const share = s[k] * u[k][i];
      for (let j = 0; j < sums.length; j++) sums[j] += share * v[k][j];
    }
    return sums.map((x) => (Math.abs(x) < zero ? 0 : x));
  });
  const weights = softmax(scores);
  const square = (values) => values.reduce((sum, x) => sum + x * x, 0);
  const ranks = [rank(s.slice(0, r)), matrixRank(weights)];
  const kept = s[0] ? clean(square(s.slice(0, r)) / square(s)) : 1;
  return { scores, weights, ranks, kept, moved: clean(farthest(weights, whole)) };
}
