// A sentence with a gap: choose the word that fills it, see where the ambiguous word looks and what it means.
import { bars, bdi, chips, figure, h, mark, percent, quoted, svg, write } from "../kit/kit.js";
import { arches, letters, thickness } from "../kit/arcs.js";
import { ease } from "../kit/motion.js";
import { glide } from "../kit/gliding.js";

const GAP = "_";
const SURE = 0.6; // where neither meaning has more, the sentence gives no clue
const RUN = 400; // milliseconds from the word into the one that asks
// A meaning has its hue from the place among the answers, as in the stack of the head's figure, and is deeper: it is thin
const RULES = `.attn-gapped { display: grid; text-align: center; font-size: 1.1em; }
.attn-gapped > svg { grid-area: 1 / 1 / 2 / -1; width: 100%; height: 78px; }
.attn-gapped path { fill: none; stroke: var(--attn-edge); }
@media (min-width: 481px) { .attn-gapped { font-size: 1.45em; }
  .attn-gapped > svg { height: 140px; }
  .attn-meaning { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 1rem; align-items: center; }
  .attn-gapped small { font-size: 0.7em; } }
.attn-weighed .attn-bars { font-size: 1.1em; }
.attn-weighed .attn-track { height: 1.7em; }
.attn-gapped > span { display: grid; line-height: 1.35; }
.attn-gapped small { color: var(--attn-soft); font-variant-numeric: tabular-nums; }
.attn-gapped bdi { justify-self: center; border-bottom: 3px solid transparent; }
.attn-gapped [data-gap] > bdi { font-weight: 700; border-color: var(--attn-edge); }
.attn-gapped [data-asked] > bdi { font-weight: 700; }
.attn-gapped [data-most] > small { color: var(--attn-text); font-weight: 700; }
.attn-live .attn-means.attn-means { margin: 1rem 0 0.4rem; }
.attn-means > span { color: var(--sense, var(--attn-soft)); }
.attn-weighed .attn-bars { max-width: none; }
.attn-weighed .attn-fill, .attn-means [data-sense], .attn-gapped [data-sense] {
  --sense: hsl(calc(var(--k) * 137.5 + 30) 55% calc(64% - var(--attn-hue) / 3)); }
.attn-weighed .attn-fill { background: var(--sense); }
.attn-gapped path[data-sense] { stroke: var(--sense); }
.attn-gapped [data-sense] > bdi { border-color: var(--sense); }
.attn-means > .attn-clueless { margin-left: 0.6em; color: var(--attn-text); font-size: 1rem; font-weight: 400; letter-spacing: 0; }
@media (max-width: 480px) { .attn-gapped { font-size: 0.85em; }
  .attn-fillers { gap: 0.25rem; }
  .attn-fillers > span { display: none; }
  .attn-live .attn-fillers button { padding-inline: 0.35rem; font-size: 0.9em; } }`;

export function render(host) {
  return figure(host, {
    title: "Change one word.",
    hint: "It decides what the last word means; thicker arcs take more.",
    shape: ["words", "fillers", "weights", "answers", "stand_ins", "at"],
    state: ["selected"],
    build,
  });
}

function build(get, set) {
  const [words, fillers, weights, answers, names, at] = ["words", "fillers", "weights", "answers", "stand_ins", "at"]
    .map(get);
  const gap = words.indexOf(GAP);
  const said = (i) => fillers[i].split(",")[0]; // without whose value it has
  const pick = chips({ names: fillers, title: "In the gap", onpick: (selected) => set({ selected }) });
  const arcs = words.map(() => svg("path"));
  const shares = words.map(() => h("small"));
  const told = words.map((word) => bdi(word));
  const spelled = words.map((_, j) => h("span", {}, told[j], shares[j]));
  mark(spelled[gap], "data-gap", true);
  mark(spelled[at], "data-asked", true);
  const drawing = svg("svg", { "aria-hidden": "true" }, arcs);
  const columns = `grid-template-columns: repeat(${words.length}, minmax(0, 1fr))`;
  const line = h("div", { class: "attn-gapped", style: columns }, drawing, spelled);
  const meaning = bars({ names, title: `${quoted(words[at])} means` });
  const clueless = h("span", { class: "attn-clueless" }, "a toss-up");
  for (const arc of arcs) ease(arc, "stroke-width");
  const moves = Boolean(arcs[0].style.transition); // empty for a reader who asked for less motion
  meaning.el.querySelectorAll(".attn-fill").forEach((fill, n) => {
    fill.style.setProperty("--k", n);
  });
  // Bars and numbers run together, and the sentence has changed with the word
  const means = glide((now) => meaning.draw(now, { most: 1, tell: percent }));
  const meant = h("span");
  pick.el.classList.add("attn-fillers");

  const top = (row) => row.indexOf(Math.max(...row));
  let was = null;
  // Each arc ends on letters: another word, or another width, draws them anew
  function arch() {
    const spans = letters(drawing, told);
    if (!spans) return;
    const thick = weights[get("selected")].map((a) => thickness(a, spans[at][1]));
    arches(spans, at, thick, drawing.clientHeight).forEach((d, j) => {
      arcs[j].setAttribute("d", d);
      arcs[j].style.strokeWidth = j === at ? "0" : `${thick[j].toFixed(2)}px`;
    });
  }
  new ResizeObserver(arch).observe(line);
  function draw() {
    const i = get("selected");
    const [most, sense] = [weights[i], answers[i]].map(top);
    const clue = answers[i][sense] > SURE;
    pick.draw(i);
    write(told[gap], said(i));
    arch();
    weights[i].forEach((a, j) => {
      write(shares[j], percent(a));
      mark(spelled[j], "data-most", j === most);
      for (const one of [spelled[j], arcs[j]]) {
        mark(one, "data-sense", clue && j === most);
        one.style.setProperty("--k", sense);
      }
    });
    write(meant, clue ? names[sense] : "?");
    mark(meant, "data-sense", clue);
    meant.style.setProperty("--k", sense);
    clueless.hidden = clue;
    if (moves && clue && was !== null && was !== i) run(arcs[most], most < at);
    means(answers[i], was === null);
    was = i;
  }
  function sentence(i = get("selected")) {
    const k = top(weights[i]);
    const told = names.map((name, n) => `${quoted(name)} ${percent(answers[i][n])}`).join(", ");
    const most = quoted(words[k] === GAP ? said(i) : words[k]);
    const looks = `${quoted(words[at])} looks most at ${most}, ${percent(weights[i][k])}`;
    const clue = Math.max(...answers[i]) > SURE;
    return `With ${quoted(fillers[i])}, ${clue ? looks : `${quoted(words[at])} has no clue`}: ${told}.`;
  }
  // another word of as many letters may be wider
  const longest = () => `${fillers.map((_, i) => sentence(i)).sort((a, b) => b.length - a.length)[0]} mm`;
  return {
    parts: [
      h("style", {}, RULES),
      pick.el,
      line,
      h(
        "div",
        { class: "attn-meaning" },
        h("p", { class: "attn-hero attn-means" }, h("small", {}, `${quoted(words[at])} means`), meant, clueless),
        h("div", { class: "attn-weighed" }, meaning.el),
      ),
    ],
    draw,
    sentence,
    longest,
  };
}

// An arc is drawn anew from its word on, into the one that asks.
function run(arc, fromLeft) {
  const [whole, none] = ["-30px", "100%"].map((hidden) =>
    fromLeft ? `inset(-30px ${hidden} -30px -30px)` : `inset(-30px -30px -30px ${hidden})`
  );
  arc.animate([{ clipPath: none }, { clipPath: whole }], { duration: RUN, easing: "ease-in" });
}
