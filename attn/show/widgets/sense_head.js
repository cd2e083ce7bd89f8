// The book's own head, live: a sentence, its queries and keys in one plane, its values and output in another.
import {
  bars,
  bdi,
  chips,
  factor,
  figure,
  h,
  mark,
  matrix,
  number,
  percent,
  products,
  provenance,
  quoted,
  restart,
  rowOf,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { arches, letters, thickness } from "../kit/arcs.js";
import { dot, matmul, softmaxRow } from "../kit/linalg.js";
import { glide } from "../kit/gliding.js";
import { plot, sources } from "../kit/plane.js";

const OFF = "";
const SHRUNK = 4; // queries are long: they are drawn at a quarter of their length
const RIM = 1.2; // a key that lies farther out stands at the rim, with its place in numbers: the others need the room
const DOT = 9; // pixels, the radius of a word's key or value
const NEAR = 0.3; // keys or values that are closer share a name
const CLEAR = 0.05; // closer, two answers are a tie
// It has a line of its own, on a phone two: it hides nothing and moves nothing
const COMPLAINT = "flex: 1 0 100%; min-height: clamp(1.45em, (700px - 100vw) * 9, 2.9em); line-height: 1.45; " +
  "color: var(--attn-debt)";
const SWITCHES =
  "display: grid; grid-template-columns: 4.2rem repeat(4, minmax(0, max-content)); gap: min(0.4rem, 1.2vw); " +
  "white-space: nowrap; font-size: min(1em, 4.1vw)";
// A meaning has one colour: its word's arc, its name and its bar
const tint = (k) => `hsl(${137.5 * k + 30} 55% calc(64% - var(--attn-hue) / 3))`;
// The sentence has the whole width, and letters as large as let it in
const RULES =
  `.attn-asks { --rise: clamp(78px, 12vw, 102px); container-type: inline-size; overflow: auto hidden; height: calc(var(--rise) + 3.9rem); position: relative; z-index: 1; }
.attn-asks .attn-line { width: 100%; min-width: max-content; padding-top: var(--rise); justify-content: space-around; }
.attn-asks svg { height: var(--rise); }
.attn-asks path { stroke: var(--attn-edge); opacity: 1; }
.attn-live .attn-answer .attn-bars { max-width: none; grid-template-columns: 4.2rem minmax(0, 1fr) 3.6rem; }
.attn-live .attn-answer .attn-bars li { margin: 0.15rem 0; }
.attn-live .attn-asks button { padding: 0.15rem 0.35em; height: 3.9rem; line-height: 1.25; font-size: clamp(11.5px, 160cqw / var(--signs), 1.5rem); }
.attn-asks small { font-size: clamp(10px, 0.72em, 1rem); }
/* the chosen word is a tab of what holds its switches */
.attn-live .attn-asks [aria-pressed="true"] { border-radius: 6px 6px 0 0; border-bottom-color: var(--attn-wash); }
.attn-swaps { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-evenly; margin-top: -1px; border: 1px solid var(--attn-accent);
  border-radius: 8px; background: var(--attn-wash); }
.attn-live .attn-asks [aria-pressed="false"] { background: none; }
.attn-under { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: center; margin: 0.6rem 0; }
.attn-under > .attn-answer { flex: 1 1 16rem; }
.attn-switch > span { display: none; }
.attn-live .attn-switch button { padding-inline: 0.5rem; }
.attn-live .attn-reads { height: min(2.2rem, 8vw); line-height: min(2rem, 7vw); }
.attn-live .attn-duo g[data-side] { fill: hsl(calc(var(--side) * 137.5 + 30) 55% var(--attn-hue) / 0.3); }
.attn-live .attn-duo text[data-side] { fill: var(--attn-text); font-size: 1.15rem; font-weight: 700; }
.attn-live .attn-own { max-width: none; margin: 0.4rem 0 0; }
.attn-live .attn-own + p { margin-top: 0.2rem; }
.attn-live .attn-duo p small { color: var(--attn-soft); font-size: min(0.83em, 3.3vw); font-weight: 400; }`;
const TOLD = 3; // changes that the sentence names; of more it gives the number

export function render(host) {
  return figure(host, {
    title: "A head that reads “bank”.",
    hint: "Choose a word: switch its key or value off, or give it another word’s.",
    shape: ["w_e", "w_q", "w_k", "w_v", "w_o", "w_u", "words"],
    state: ["text", "keys_of", "values_of", "causal", "row"],
    build,
  });
}

// Everything the head does with the sentence.
function read(get, all) {
  const said = get("text").split(" ");
  const place = (word) => all.words.indexOf(word);
  const at = said.findIndex((word) => all.asked.includes(word));
  const [keys, values] = [get("keys_of"), get("values_of")];
  const q = all.Q[place(said[at])];
  const K = keys.map((other, j) => all.K[place(other || said[j])]);
  const V = values.map((other) => (other === OFF ? [0, 0] : all.V[place(other)]));
  const hidden = keys.map((other, j) => other === OFF || (get("causal") && j > at));
  const scores = K.map((k, j) => (hidden[j] ? -Infinity : dot(q, k) / Math.sqrt(q.length)));
  const weights = softmaxRow(scores);
  const [output] = matmul([weights], V);
  const [write] = matmul([output], all.w_o);
  const residual = all.w_e[place(said[at])].map((x, c) => x + write[c]);
  const p = softmaxRow(matmul([residual], all.w_u)[0]);
  return { said, at, word: said[at], q, K, V, hidden, scores, weights, output, p };
}

function build(get, set) {
  const all = Object.fromEntries(
    ["words", "stand_ins", "asked", "cues", "w_e", "w_o", "w_u"].map((name) => [name, get(name)]),
  );
  for (const name of ["q", "k", "v"]) all[name.toUpperCase()] = matmul(all.w_e, get(`w_${name}`));
  const say = (text, more = {}) => {
    const said = text.split(" ");
    const tells = said.findIndex((word) => all.cues.includes(word));
    set({ text, keys_of: said, values_of: said, row: Math.max(tells, 0), ...more });
  };
  const reset = restart(get, set, ["text", "keys_of", "values_of", "causal", "row"]);
  // What was typed and refused concerns no other sentence
  const refuse = (wrong) => {
    write(complaint, wrong);
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    input.style.borderColor = wrong ? "var(--attn-debt)" : ""; // the complaint's colour: it is of this line
  };
  const clear = () => {
    input.value = "";
    refuse("");
  };
  reset.addEventListener("click", clear);
  const pick = h(
    "select",
    { "aria-label": "Sentence", style: "max-width: 100%", onchange: () => (clear(), say(pick.value)) },
    get("examples").map((text) => h("option", { value: text }, text)),
    h("option", { value: "", disabled: true }, "your own"),
  );
  const input = h("input", {
    type: "text",
    "aria-label": "Your own sentence",
    placeholder: "or write your own",
    style: "flex: 1 1 9rem; width: 9rem; min-height: 2.1rem",
    oninput: () => typed(input.value),
  });
  const complaint = h("span", { class: "attn-note", role: "status", style: COMPLAINT });
  const causal = h(
    "button",
    { type: "button", class: "attn-chip", onclick: () => set({ causal: !get("causal") }) },
    "causal mask",
  );
  function typed(text) {
    const said = text.trim().split(/\s+/).filter(Boolean);
    const strange = said.filter((word) => !all.words.includes(word));
    const asked = said.filter((word) => all.asked.includes(word));
    const wrong = strange.length
      ? `It does not know ${strange.slice(0, 3).map(quoted).join(", ")}${
        strange.length > 3 ? ` and ${strange.length - 3} more` : ""
      }.`
      : asked.length !== 1
      ? `It is asked about one word: ${all.asked.join(", ")}.`
      : said.length > 12
      ? "At most twelve words fit here."
      : "";
    refuse(said.length ? wrong : "");
    if (said.length && !wrong) say(said.join(" "));
  }

  const asking = plot({ name: "Query and keys", tall: 0.7 });
  const giving = plot({ name: "Values and output", tall: 0.7 });
  const answer = h("div", { class: "attn-answer" });
  let roomy = "";
  // Their width is none of their words' business: another sentence moves nothing
  const sentence = h("div", {});
  const switches = h("div", { class: "attn-swaps" });
  const [asks, meant] = [0, 1].map(() => h("span", {}));
  const reads = h(
    "p",
    {
      class: "attn-reads",
      style: "flex: 0 0 min(16rem, 100%); margin: 0; white-space: nowrap; font-size: min(1.05rem, 4.1vw)",
    },
    asks,
    meant,
  );
  const numbers = h("div", { class: "attn-row attn-tight" });
  let line = h("p"); // what a number of this sentence is made of
  let parts = null; // what is made anew for another sentence
  const paint = glide((now) => {
    const n = parts.said.length;
    const two = (from) => parts.said.map((_, j) => now.slice(from + 2 * j, from + 2 * j + 2));
    parts.show({
      weights: now.slice(0, n),
      K: two(n),
      V: two(3 * n),
      output: now.slice(5 * n, 5 * n + 2),
      p: now.slice(5 * n + 2),
    });
  });

  function draw() {
    const head = read(get, all);
    if (parts?.text !== get("text")) parts = made(head);
    parts.head = head;
    pick.value = get("examples").includes(get("text")) ? get("text") : "";
    causal.setAttribute("aria-pressed", String(get("causal")));
    parts.draw(head);
    paint([head.weights, head.K, head.V, head.output, head.p].flat(2));
  }

  function made(head) {
    const { said, at, word } = head;
    const words = spelled(said, at, (j) => set({ row: j }));
    sentence.replaceChildren(words.el);
    const own = 2 * all.asked.indexOf(word);
    const senses = all.stand_ins.slice(own, own + 2); // the word's two answers
    const meaning = bars({ names: senses, title: `${quoted(word)} means` });
    meaning.el.querySelectorAll(".attn-fill").forEach((fill, i) => (fill.style.background = tint(own + i)));
    answer.replaceChildren(meaning.el);
    write(asks, `${quoted(word)} means `);
    const others = [3 * own, 3 * own + 3, (3 * own + 6) % all.cues.length].map((i) => all.cues[i]);
    asking.clear();
    giving.clear();
    const level = [1, 2, 3].map((n) => asking.add("line", { tone: "level", name: `${n}`, merge: false }));
    const keys = said.map((name) => asking.add("point", { tone: "key", name, size: DOT }));
    const query = asking.add("arrow", { tone: "query", name: `query ÷ ${SHRUNK}`, merge: false });
    const edge = giving.add("line", { tone: "level" });
    const sides = [0, 1].map((i) => giving.add("area", { tone: "level", name: senses[i], merge: false }));
    sides.forEach(({ el, text }, i) => {
      for (const one of [el, text]) mark(one, "data-side", true);
      el.style.cssText = `--side: ${own + i}; stroke: none`; // the colour of its bar
    });
    const pulls = said.map(() => giving.add("line", { tone: "value" }));
    const values = said.map((name) => giving.add("point", { tone: "value", name, size: DOT }));
    const output = giving.add("point", { tone: "query", name: "output", size: 12 });
    const short = head.q.map((x) => x / SHRUNK);
    asking.frame([[-RIM, -RIM], [RIM, RIM], short]);
    giving.frame([[-1.6, -1.6], [1.6, 1.6], ...head.V]);

    const table = matrix({
      name: `what ${quoted(word)} sees`,
      rows: said,
      cols: ["key₁", "key₂", "score", "weight", "value₁", "value₂"],
      size: [said.length, 6],
      kind: "plain",
      onpick: (i) => set({ row: i }),
    });
    const total = matrix({
      name: "output",
      rows: ["Σ"],
      cols: ["y₁", "y₂"],
      size: [1, 2],
      kind: "plain",
      onpick: () => {},
    });
    const [keyMarks, valueMarks, queryMark, outputMark] = [keys, values, [query], [output]].map(sources);
    const now = () => parts.head;
    const column = (c) => said.map((_, j) => [table, [j, c]]);
    const e = (s) => (s === -Infinity ? "0" : `e^${number(s)}`);
    const scored = (j) => ({
      told: now().hidden[j]
        ? `hidden: no query finds the key of ${quoted(said[j])}`
        : `${number(now().scores[j])} = (${
          products(now().q.map((x) => (Math.abs(x) < 5e-7 ? 0 : x)), now().K[j])
        }) / √2: query of ${quoted(word)}, key of ${quoted(said[j])}`,
      from: [[queryMark, [0, 0]], [keyMarks, [0, j]], [table, [j, 0]], [table, [j, 1]]],
    });
    const shared = (j) => ({
      told: `${number(now().weights[j])} = ${e(now().scores[j])} / (${now().scores.map(e).join(" + ")})`,
      from: column(2),
    });
    const summed = (c) => ({
      told: `${number(now().output[c])} = ${products(now().weights, now().V.map((v) => v[c]))}`,
      from: [...column(3), ...column(4 + c), ...rowOf(valueMarks, 0)],
    });
    const looked = (letter, M, j, c, from) => ({
      told: `${number(M[j][c])}: entry ${c + 1} of x(${quoted(said[j])}) W_${letter}`,
      from,
    });
    const origin = provenance([
      [
        table,
        (j, c) =>
          c < 2
            ? looked("K", now().K, j, c, [[keyMarks, [0, j]]])
            : c === 2
            ? scored(j)
            : c === 3
            ? shared(j)
            : looked("V", now().V, j, c - 4, [[valueMarks, [0, j]]]),
      ],
      [total, (_, c) => summed(c)],
      [keyMarks, (_, j) => scored(j)],
      [outputMark, () => ({
        told: `output ${vector(now().output)} = ${
          now().weights.map((a, j) => `${factor(a)}·v(${quoted(said[j])})`).join(" + ")
        }`,
        from: [...column(3), ...rowOf(valueMarks, 0)],
      })],
    ], "Point at a key, the output or a number to see how it is made.");
    line.replaceWith(origin.el);
    line = origin.el;
    numbers.replaceChildren(table.el, total.el);

    function controls(j) {
      const own = said[j];
      const sense = (word) => Math.floor(all.cues.indexOf(word) / 3); // three words tell of each
      const kept = others.filter((other) => sense(other) !== sense(own)).slice(0, 2);
      return ["keys_of", "values_of"].map((kind) => {
        const choices = [own, OFF, ...kept];
        const one = chips({
          names: ["own", "off", ...kept.map((other) => `${other}’s`)],
          title: `${kind.slice(0, -4)} of ${own}`,
          onpick: (i) => {
            turn(Number(kind > "l")); // its plane, where one has room
            set({ [kind]: get(kind).map((other, k) => (k === j ? choices[i] : other)) });
          },
        });
        one.el.style.cssText = SWITCHES;
        for (const button of one.el.querySelectorAll("button")) button.style.paddingInline = "min(0.45rem, 1.35vw)";
        write(one.el.firstChild, `its ${kind.slice(0, -4)}`); // for the eye: it is the word with a frame
        return { el: one.el, draw: () => one.draw(choices.indexOf(get(kind)[j])) };
      });
    }
    const owned = (j, other) => (other === said[j] || other === OFF ? said[j] : `${said[j]} ← ${other}`);
    let [open, shown] = [-1, []];
    function draw(head) {
      const j = get("row");
      if (open !== j) {
        shown = controls(j);
        switches.replaceChildren(...shown.map((one) => one.el));
        open = j;
      }
      shown.forEach((one) => one.draw());
      words.mark(j, head, get("keys_of"), get("values_of"));
      const told = head.scores.map((s, i) => [...head.K[i], s, head.weights[i], ...head.V[i]]);
      table.draw(told, { row: j });
      total.draw([head.output]);
      origin.draw();
    }
    function show({ weights, K, V, output: y, p }) {
      const long = Math.hypot(...head.q);
      level.forEach((one, i) => {
        const far = ((i + 1) * Math.sqrt(2)) / long; // where the score is i + 1
        const [ux, uy] = head.q.map((x) => x / long);
        const at = (t) => [ux * far - uy * t, uy * far + ux * t];
        one.put([at(-1.35), at(1.35)], { along: [-1.5, 1.5, -1.6, 1.6].map(at) });
      });
      query.put([[0, 0], short]);
      const out = K.map((k) => Math.max(1, Math.max(...k.map(Math.abs)) / RIM));
      const shown = K.map((k, j) => k.map((x) => x / out[j]));
      const told = together(
        shown,
        said.map((_, j) => {
          const name = owned(j, get("keys_of")[j]);
          return out[j] > 1 ? `${name} ${vector(K[j], (x) => number(x, 1))}` : name;
        }),
      );
      keys.forEach((one, j) => one.put([shown[j]], { faint: parts.head.hidden[j], name: told[j] }));
      const line = border(all, word);
      edge.put(line.ends);
      sides.forEach((one, i) => one.put(line.sides[i], { name: senses[i], along: line.names[i] }));
      const given = together(V, said.map((_, j) => owned(j, get("values_of")[j])));
      values.forEach((one, j) => one.put([V[j]], { name: given[j] }));
      pulls.forEach((one, j) => one.put([y, V[j]], { width: 9 * weights[j] }));
      output.put([y]);
      for (const plane of [asking, giving]) plane.draw();
      const two = p.slice(own, own + 2);
      meaning.draw(two, { most: 1, tell: percent });
      const tie = Math.abs(two[0] - two[1]) < CLEAR; // of two that are as likely none stands out
      const sense = tie ? -1 : own + Number(two[1] > two[0]);
      words.draw(weights, sense);
      write(meant, tie ? senses.join(" or ") : all.stand_ins[sense]);
      meant.style.cssText = tie ? "" : `color: ${tint(sense)}; font-weight: 700; font-size: min(1.6rem, 5.6vw)`;
    }
    return { text: said.join(" "), said, head, draw, show };
  }

  // On a phone one plane at a time
  const tabs = chips({ names: ["query and keys", "values and output"], title: "", onpick: (k) => turn(k) });
  tabs.el.classList.add("attn-switch");
  function turn(k) {
    duo.dataset.show = k;
    tabs.draw(k);
  }

  const fitted = `align-items: start; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr))`;
  const headed = (el, dashed, ...names) => {
    const titles = names.flatMap(([tone, name], i) => [
      i ? " and " : null,
      h("strong", tone ? { class: "attn-tone", "data-tone": tone } : {}, name),
    ]);
    const title = h("p", { style: "margin: 0 0 0.2rem" }, titles, h("small", {}, `; dashed: ${dashed}`));
    return h("div", { style: "min-width: 0" }, title, el);
  };
  const duo = h(
    "div",
    { class: "attn-duo", style: fitted },
    headed(asking.el, "scores 1, 2, 3", ["query", "query"], ["key", "keys"]),
    headed(giving.el, "a tie", ["value", "values"], ["query", "output"]),
  );
  turn(0);
  return {
    parts: [
      h("style", {}, RULES),
      h("div", { class: "attn-chips", style: "max-width: none" }, pick, causal, reset),
      sentence,
      switches,
      h("div", { class: "attn-under" }, reads, answer),
      h("div", { class: "attn-ground" }, tabs.el, duo),
      h(
        "details",
        { class: "attn-more" },
        h("summary", {}, "Your own sentence, the numbers"),
        h("div", { class: "attn-chips attn-own" }, input, complaint),
        h(
          "p",
          {},
          `The ${all.words.length} words it knows: ${all.words.join(" ")}`,
        ),
        numbers,
      ),
    ],
    get origin() {
      return line;
    },
    draw,
    sentence: () => told(get, read(get, all), all),
    longest() {
      if (roomy) return roomy;
      const word = quoted(all.words.reduce((most, one) => (one.length > most.length ? one : most)));
      const changed = `the key of ${word} taken from ${word}, the value of ${word} taken from ${word}`;
      return roomy = `With the causal mask on, ${changed}, ${told(get, read(get, all), all)}`;
    },
  };
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

// Points that nearly meet have one name, that of the first: the names would stand on each other.
function together(places, names) {
  const told = names.map(() => "");
  const groups = [];
  places.forEach((_, j) => {
    const group = groups.find(([i]) => apart(places[i], places[j]) < NEAR);
    if (group) group.push(j);
    else groups.push([j]);
  });
  for (const group of groups) {
    const all = [...new Set(group.map((j) => names[j]))];
    let few = all.length;
    const text = () => all.slice(0, few).join(", ") + (few < all.length ? ` +${all.length - few}` : "");
    while (few > 1 && text().length > 22) few--; // a longer name would be cut
    told[group[0]] = text();
  }
  return told;
}

// Where in the plane of values the two answers for a word are equally likely, and a place on either side.
function border(all, word) {
  const two = 2 * all.asked.indexOf(word);
  const x = all.w_e[all.words.indexOf(word)];
  const apart = all.w_u.map((line) => line[two] - line[two + 1]);
  const [start, normal] = [dot(x, apart), all.w_o.map((line) => dot(line, apart))];
  const long = Math.hypot(...normal);
  const [ux, uy] = normal.map((n) => n / long);
  const far = -start / long;
  const on = (across, along) => [ux * (far + across) - uy * along, uy * (far + across) + ux * along];
  const side = ux < uy ? -1.3 : 1.3; // above, or to the right: the axes' numbers stand below and to the left
  const both = (make) => [1, -1].map(make);
  return {
    ends: [on(0, -9), on(0, 9)],
    sides: both((way) => [on(0, -9), on(0, 9), on(9 * way, 9), on(9 * way, -9)]),
    names: both((way) => [on(way, side), on(way, 0.9 * side), on(way, -side)]),
  };
}

// The words of the sentence with their weights, and arcs from the one that asks, as thick as the weight.
function spelled(said, at, onpick) {
  const shares = said.map(() => h("small", {}));
  const buttons = said.map((word, j) =>
    h("button", { type: "button", "aria-pressed": "false", onclick: () => onpick(j) }, bdi(word), shares[j])
  );
  const arcs = said.map(() => svg("path"));
  const picture = svg("svg", { "aria-hidden": "true" }, ...arcs);
  const box = h("div", { class: "attn-line", role: "group", "aria-label": "The sentence" }, picture, ...buttons);
  mark(buttons[at], "data-asked", true);
  let [weights, sense] = [said.map(() => 0), -1];
  let spans = null;
  // the word that is taken from most has the colour of what it makes of the one that asks
  function draw(now = weights, meant = sense) {
    [weights, sense] = [now, meant];
    if (!spans) return;
    const top = weights.indexOf(Math.max(...weights));
    const [a, wide] = spans[at];
    const thick = weights.map((share) => share && thickness(share, wide));
    const rise = picture.clientHeight;
    const ways = arches(spans, at, thick, rise);
    const far = Math.min(18, wide / 3); // to itself: a loop
    ways[at] = `M${a - far} ${rise}C${a - far} ${0.3 * rise} ${a + far} ${0.3 * rise} ${a + far} ${rise}`;
    arcs.forEach((arc, j) => {
      arc.setAttribute("d", ways[j]);
      arc.style.stroke = sense >= 0 && j === top ? tint(sense) : "";
      arc.style.strokeWidth = `${thick[j].toFixed(2)}px`;
    });
  }
  new ResizeObserver(() => {
    picture.setAttribute("viewBox", `0 0 ${box.scrollWidth} ${picture.clientHeight}`);
    picture.style.width = `${box.scrollWidth}px`;
    spans = letters(picture, buttons.map((one) => one.firstChild));
    draw();
  }).observe(box);
  function select(row, head, keys, values) {
    buttons.forEach((one, j) => {
      one.setAttribute("aria-pressed", String(j === row));
      mark(one, "data-hidden", head.hidden[j]);
      mark(one, "data-changed", keys[j] !== said[j] || values[j] !== said[j]);
      write(shares[j], percent(head.weights[j]));
    });
  }
  const signs = said.reduce((sum, word) => sum + Math.max(4, word.length) + 1.3, 0);
  return { el: h("div", { class: "attn-asks", style: `--signs: ${signs.toFixed(1)}` }, box), draw, mark: select };
}

function told(get, head, all) {
  const changed = get("causal") ? ["the causal mask on"] : [];
  for (const [kind, chosen] of [["key", get("keys_of")], ["value", get("values_of")]]) {
    const seen = new Set();
    chosen.forEach((other, j) => {
      const own = head.said[j];
      if (other === own || seen.has(`${own} ${other}`)) return;
      seen.add(`${own} ${other}`);
      changed.push(`the ${kind} of ${quoted(own)} ${other ? `taken from ${quoted(other)}` : "switched off"}`);
    });
  }
  if (changed.length > TOLD) changed.splice(0, changed.length, `${changed.length} changes`);
  const top = head.weights.indexOf(Math.max(...head.weights));
  const two = 2 * all.asked.indexOf(head.word);
  const answers = [two, two + 1].map((i) => `${quoted(all.stand_ins[i])} ${percent(head.p[i])}`).join(", ");
  const looks = head.weights[top]
    ? `gives ${quoted(head.said[top])} ${percent(head.weights[top])} of its attention`
    : "sees no word";
  const row = get("row");
  const idle = get("causal") && row > head.at
    ? ` ${quoted(head.said[row])} is behind the mask: its key and value change nothing.`
    : "";
  return `${changed.length ? `With ${changed.join(", ")}, ` : ""}${quoted(head.word)} ${looks}. Its output is ${
    vector(head.output)
  }, which reads ${answers}.${idle}`;
}
