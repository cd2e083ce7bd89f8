// A sentence with a gap: choose the word that fills it, see where the ambiguous word looks and what it means.
import { bars, bdi, chips, figure, h, mark, percent, quoted, svg, write } from "../kit/kit.js";
import { ease } from "../kit/motion.js";

const GAP = "_";
const RISE = 78; // pixels above the words for the arcs
const RULES = `.attn-gapped { display: grid; max-width: 34rem; text-align: center; }
.attn-gapped > svg { grid-area: 1 / 1 / 2 / -1; width: 100%; height: ${RISE}px; }
.attn-gapped path { fill: none; stroke: var(--attn-accent); vector-effect: non-scaling-stroke; }
.attn-gapped > span { display: grid; line-height: 1.35; }
.attn-gapped small { color: var(--attn-soft); font-variant-numeric: tabular-nums; }
.attn-gapped [data-gap] > bdi { justify-self: center; padding-inline: 0.3em; color: var(--attn-accent); font-weight: 700;
  border-bottom: 2px solid currentColor; }
.attn-gapped [data-asked] > bdi { font-weight: 700; }
.attn-gapped [data-most] > small { color: var(--attn-text); font-weight: 700; }
.attn-live .attn-means { margin: 0.5rem 0 0; }
.attn-live .attn-means + .attn-bars { max-width: 34rem; }
@media (max-width: 480px) { .attn-gapped { font-size: 0.85em; }
  .attn-fillers { gap: 0.25rem; }
  .attn-fillers > span { display: none; }
  .attn-live .attn-fillers button { padding-inline: 0.35rem; font-size: 0.9em; } }`;

export function render(host) {
  return figure(host, {
    title: "Change one word.",
    hint: "Width shows how much is taken.",
    shape: ["words", "fillers", "weights", "answers", "stand_ins", "at"],
    state: ["selected"],
    build,
  });
}

function build(get, set) {
  const [words, fillers, weights, answers, names, at] = ["words", "fillers", "weights", "answers", "stand_ins", "at"]
    .map(get);
  const gap = words.indexOf(GAP);
  const pick = chips({ names: fillers, title: "In the gap", onpick: (selected) => set({ selected }) });
  const arcs = words.map((_, j) => svg("path", { d: way(at, j) }));
  const shares = words.map(() => h("small"));
  const told = words.map((word) => bdi(word));
  const spelled = words.map((_, j) => h("span", {}, told[j], shares[j]));
  mark(spelled[gap], "data-gap", true);
  mark(spelled[at], "data-asked", true);
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${100 * words.length} ${RISE}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    arcs,
  );
  const columns = `grid-template-columns: repeat(${words.length}, minmax(0, 1fr))`;
  const line = h("div", { class: "attn-gapped", style: columns }, drawing, spelled);
  const meaning = bars({ names, title: `${quoted(words[at])} means` });
  for (const arc of arcs) ease(arc, "stroke-width");
  for (const fill of meaning.el.querySelectorAll(".attn-fill")) ease(fill, "width");
  pick.el.classList.add("attn-fillers");

  const top = (row) => row.indexOf(Math.max(...row));
  function draw() {
    const i = get("selected");
    pick.draw(i);
    write(told[gap], fillers[i]);
    weights[i].forEach((a, j) => {
      arcs[j].style.strokeWidth = j === at ? "0" : `${(0.6 + 26 * a).toFixed(2)}px`;
      write(shares[j], percent(a));
      mark(spelled[j], "data-most", j === top(weights[i]));
    });
    meaning.draw(answers[i], { most: 1, tell: percent });
  }
  function sentence(i = get("selected")) {
    const k = top(weights[i]);
    const told = names.map((name, n) => `${quoted(name)} ${percent(answers[i][n])}`).join(", ");
    const most = quoted(words[k] === GAP ? fillers[i] : words[k]);
    const looks = `${quoted(words[at])} looks most at ${most}, ${percent(weights[i][k])}`;
    return `With ${quoted(fillers[i])}, ${looks}: ${told}.`;
  }
  // another word of as many letters may be wider
  const longest = () => `${fillers.map((_, i) => sentence(i)).sort((a, b) => b.length - a.length)[0]} mm`;
  return {
    parts: [
      h("style", {}, RULES),
      pick.el,
      line,
      h("p", { class: "attn-means" }, `${quoted(words[at])} means`),
      meaning.el,
    ],
    draw,
    sentence,
    longest,
  };
}

// From the middle of one word to that of another, upright at both ends: the farther, the higher
function way(from, to) {
  const [a, b] = [from, to].map((k) => 100 * k + 50);
  const top = RISE - (4 / 3) * Math.min(RISE - 14, 22 + 11 * Math.abs(from - to));
  return `M${a} ${RISE}C${a} ${top} ${b} ${top} ${b} ${RISE}`;
}
