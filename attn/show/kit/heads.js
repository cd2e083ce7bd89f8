// Many heads at once: a grid of small maps, one large map with words along its sides, arcs over the line of words.
import { field } from "./boards.js";
import { bdi, h, mark, number, phrase, quoted, stepped, svg, write } from "./kit.js";

// On a wide page two columns; on a phone one, with the map below the heads it is chosen from
const RULES =
  `.attn-live .attn-ask { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; margin-block: 0.4rem; }
.attn-ask > label { display: flex; flex: 1 1 11rem; gap: 0.5rem; align-items: center; min-width: 0; max-width: 34rem; white-space: nowrap; }
.attn-live .attn-ask :is(select, input) { flex: 1 1 4rem; width: 4rem; min-width: 0; }
.attn-live .attn-browse { align-items: start; gap: 0.6rem 1rem; }
.attn-browse > div { display: grid; grid-template-columns: minmax(0, 1fr); flex: 1 1 21rem; gap: 0.6rem; min-width: 0; }
.attn-live .attn-browse :is(.attn-chips, p) { margin: 0; }
.attn-live .attn-browse .attn-chips button { padding-inline: 0.5rem; font-size: 0.92em; }
.attn-live .attn-bars:is(.attn-browse *) { max-width: none; }
.attn-live .attn-bars:is(.attn-browse *) > li { margin-block: 0.1rem; }
.attn-live .attn-browse .attn-made-of { box-sizing: border-box; padding-left: 0.75rem; border-left: 2px solid var(--attn-accent); }
.attn-live .attn-browse .attn-origin { color: inherit; }
.attn-large { min-width: 0; }
.attn-large .attn-field { max-height: none; }
.attn-lettered { display: grid; grid-template: 1.1rem auto / 1.1rem minmax(0, 1fr); font: 0.7rem/1 ui-monospace, monospace; color: var(--attn-soft); }
.attn-lettered > :is(.attn-across, .attn-down) { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); grid-column: 2; place-items: center; }
.attn-lettered > .attn-down { grid-auto-flow: row; grid-auto-rows: minmax(0, 1fr); grid-area: 2 / 1; }
.attn-lettered span[data-on] { color: var(--attn-text); text-shadow: 0.5px 0; }
.attn-worded { grid-template: auto auto / max-content minmax(0, 1fr); font-family: inherit; font-size: 0.72rem; }
.attn-worded > .attn-across { padding-bottom: 0.3em; }
.attn-worded > .attn-across span { place-self: end center; max-height: 7em; overflow: hidden; writing-mode: vertical-rl; transform: rotate(180deg); }
.attn-worded > .attn-down { place-items: center end; padding-right: 0.35rem; }
.attn-lettered span[data-source] { color: var(--attn-debt); text-shadow: 0.5px 0; }
.attn-band { position: absolute; inset-inline: 0; top: calc(100% * var(--pi, 0) / var(--n)); height: calc(100% / var(--n)); outline: 2px solid var(--attn-debt); pointer-events: none; visibility: hidden; }
.attn-field[data-point] > .attn-band { visibility: visible; }
.attn-field:has(> .attn-band) { overflow: hidden; }
.attn-heads { display: grid; grid-template-columns: repeat(var(--heads, 4), minmax(0, 1fr)); gap: 0.4rem; }
.attn-live .attn-heads button { padding: 0.2rem; font-size: 0.8em; }
.attn-heads [aria-pressed="false"]:hover { background: none; }
.attn-heads small { font-size: max(0.83em, 11px); font-weight: 400; }
.attn-heads .attn-field { cursor: inherit; margin: 0.2rem auto; }
.attn-live .attn-many { grid-template-columns: max-content repeat(var(--heads, 12), minmax(0, 1fr)); gap: 2px; }
.attn-live .attn-many.attn-many button { overflow: visible; min-height: 0; padding: 0; border: 0; border-radius: 0; background: none; }
.attn-many .attn-field { overflow: visible; min-height: 0; margin: 0 0 2px; border: 0; box-shadow: 0 0 0 1px var(--attn-line); }
.attn-nth { place-self: center; padding: 0 0.2rem; color: var(--attn-soft); font-size: 0.75rem; }
.attn-effect { display: block; width: calc(100% * var(--t, 0)); height: 4px; border-radius: 1px; background: var(--attn-debt); }
.attn-heads:not(.attn-many) .attn-rail { display: block; border-radius: 1px; background: var(--attn-line); }
.attn-field[data-off] > canvas { opacity: 0.35; }
.attn-cut { position: absolute; pointer-events: none; }
.attn-field[data-off] > .attn-cut { display: grid; place-items: center; inset: 0; color: var(--attn-debt); font: 700 2.4rem/1 system-ui, sans-serif; }
.attn-arcs { position: relative; max-width: 100%; overflow-x: auto; overflow-y: hidden; }
.attn-arcs svg { display: block; width: 100%; }
.attn-arcs path { fill: none; stroke: var(--attn-bar); stroke-linecap: round; }
.attn-arcs path[data-on] { stroke: var(--attn-debt); }
.attn-words { position: relative; display: flex; gap: 2px; width: max-content; }
.attn-live .attn-words button { flex: none; padding: 0.1rem 0.35rem; }
.attn-live .attn-words button[data-source] { border-color: var(--attn-debt); color: var(--attn-debt); }
@media (max-width: 700px) {
  .attn-browse > div { display: contents; }
  .attn-live .attn-browse > div > * { flex: 1 0 100%; max-width: 100%; order: 1; }
  .attn-live .attn-browse > div > .attn-heads { order: -2; }
  .attn-live .attn-browse > div > .attn-large { order: -1; max-width: 30rem; }
  .attn-live .attn-browse > div > .attn-made-of { order: 0; }
  .attn-live .attn-browse > div > .attn-hero { order: 2; }
  .attn-live .attn-browse .attn-chips button { padding-inline: 0.35rem; font-size: 0.85em; }
  .attn-ask > label > span { display: none; }
  .attn-live .attn-ask button { padding-inline: 0.5rem; font-size: 0.92em; }
  .attn-live .attn-browse .attn-chips { display: grid; }
  .attn-live .attn-browse .attn-origin { min-height: 5.8em !important; }
  .attn-worded { font-size: 0.62rem; }
  .attn-words[data-short] { gap: 0; width: 100%; touch-action: pan-y; }
  .attn-live .attn-words[data-short] button { flex: 1 1 0; min-width: 0; min-height: 44px; padding: 0; border-width: 0; font-size: min(0.85rem, 3.6vw); text-overflow: clip; }
  .attn-arcs:has(> :not([data-short], svg)) > svg { display: none; }
  .attn-words:not([data-short]) { flex-wrap: wrap; gap: 3px; width: auto; }
  .attn-live .attn-words:not([data-short]) button { min-height: 0; min-width: 24px; padding: 0.15rem 0.35rem; font-size: 0.92em; background: color-mix(in srgb, var(--attn-plus) calc(70% * var(--t, 0)), var(--attn-paper)); }
  .attn-live .attn-words:not([data-short]) button[data-source]:not([data-gone]) { color: var(--attn-text); }
  .attn-live .attn-words button[data-gone] { border-style: dashed; text-decoration: line-through; }
}
@media (max-width: 480px) {
  .attn-live .attn-heads button { padding: 0.15rem; font-size: 0.72em; }
}`;

// How all of it is laid out, once a figure.
export const laidOut = () => h("style", {}, RULES);

// A head by its name in the text, both numbers from 0.
export const called = (l, t) => `L${l}·H${t}`;

// A button a head, a layer a line. The arrow keys walk.   named(l, t) -> the lines below a name, where there is room for
// them; without, the names stand along the sides.   draw(weights, effects, full): weights[l][t] (n, n); effects[l][t],
// how much the head matters, is a bar below its map, as long as the map at `full`; null where nothing is known. edit: "head"
// where the chosen head is switched off, its map is pale then.
export function headGrid({ layers, heads, named = null, onpick }) {
  const each = (make) => Array.from({ length: layers }, (_, l) => Array.from({ length: heads }, (_, t) => make(l, t)));
  const notes = each(() => h("small", {}));
  const fills = each(() => h("span", { class: "attn-effect", "aria-hidden": "true" }));
  const room = each(() => h("span", { "aria-hidden": "true" }));
  const buttons = each((l, t) =>
    h(
      "button",
      {
        type: "button",
        tabindex: "-1",
        "aria-label": named ? null : `head ${called(l, t)}`,
        onclick: () => onpick(l, t),
      },
      named ? called(l, t) : "",
      room[l][t],
      h("span", { class: "attn-rail" }, fills[l][t]),
      notes[l][t],
    )
  );
  const side = (told, kind = "attn-nth") => h("span", { class: kind, "aria-hidden": "true" }, told);
  const lines = buttons.map((line, l) => named ? line : [side(`L${l}`), ...line]);
  const head = named ? [] : ["", ...fills[0].keys()].map((t) => side(t === "" ? t : `H${t}`));
  const el = h(
    "div",
    {
      class: named ? "attn-heads" : "attn-heads attn-many",
      style: `--heads:${heads}`,
      role: "group",
      "aria-label": "Heads, a layer a line",
    },
    head,
    lines.flat(),
  );
  let at = [0, 0];
  el.addEventListener("keydown", (event) => {
    const to = stepped(event, at, [layers, heads]);
    if (!to) return;
    buttons[to[0]][to[1]].focus();
    onpick(...to);
  });
  let drawn = null;
  function draw(weights, chosen, effects = null, full = 1, told = null, edit = "") {
    if (weights !== drawn) {
      weights.forEach((line, l) =>
        line.forEach((A, t) => {
          const picture = field({ name: "", size: [A.length, A.length], kind: "weight", still: true });
          picture.draw(named ? A : A.map((line) => line.map(Math.sqrt))); // small and many: what is faint is to be seen
          room[l][t].replaceChildren(picture.el);
          if (named) notes[l][t].replaceChildren(...named(l, t).flatMap((line, k) => (k ? [h("br"), line] : [line])));
        })
      );
    }
    drawn = weights;
    at = chosen;
    buttons.forEach((line, l) =>
      line.forEach((button, t) => {
        const on = l === at[0] && t === at[1];
        button.setAttribute("aria-pressed", String(on));
        button.tabIndex = on ? 0 : -1;
        room[l][t].style.opacity = on && edit === "head" ? 0.25 : 1;
        const effect = effects ? effects[l][t] : null;
        fills[l][t].style.setProperty("--t", Math.min(1, Math.abs(effect || 0) / full).toFixed(3));
        const title = effect !== null && told ? told(l, t, effect) : `head ${called(l, t)}`;
        if (button.title !== title) button.title = title;
      })
    );
  }
  return { el, draw };
}

// The words on a line; from the chosen one an arc goes to each word it looks at, as thick as the weight. draw(row, i, j, cut):
// cut says what is no longer passed on, and is drawn dashed: { edit: "head" }, all of it, { edit: "word", hidden, was },
// the word `hidden` with the weight that it had.
export function arcs({ words, onpick, high = 86 }) {
  const buttons = words.map((word, i) => h("button", { type: "button", onclick: () => onpick(i) }, bdi(word)));
  const paths = words.map(() => svg("path", {}));
  const drawing = svg("svg", { height: high, "aria-hidden": "true" }, paths);
  const short = words.every((word) => word.length < 2);
  const line = h(
    "div",
    { class: "attn-words", "data-short": short, role: "group", "aria-label": "Who looks" },
    buttons,
  );
  const box = h("div", { class: "attn-arcs" }, drawing, line);
  let now = null;
  // Letters share the width of a phone, each too narrow for a finger: it slides along them
  const slide = ({ clientX, buttons: held }) => {
    if (!short || !now || !(held & 1)) return;
    const { left, width } = line.getBoundingClientRect();
    const to = Math.min(Math.max(Math.floor(((clientX - left) / width) * words.length), 0), words.length - 1);
    if (to !== now[1]) onpick(to);
  };
  for (const kind of ["pointerdown", "pointermove"]) line.addEventListener(kind, slide);
  line.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const from = buttons.indexOf(event.target.closest("button"));
    if (!step || from < 0) return;
    event.preventDefault();
    const to = (from + step + words.length) % words.length;
    buttons[to].focus();
    onpick(to);
  });
  new ResizeObserver(() => now && draw(...now)).observe(line);
  function draw(row, i, j, cut = {}) {
    now = [row, i, j, cut];
    const x = buttons.map((button) => button.offsetLeft + button.offsetWidth / 2);
    const [left, right] = [0.35, -0.35].map((share) => x[i] - share * buttons[i].offsetWidth);
    paths.forEach((path, k) => {
      const up = Math.max(6, high - 14 - Math.abs(x[k] - x[i]) * 0.22);
      const [from, to] = k === i ? [left, right] : [x[i], x[k]];
      const top = k === i ? high - 34 : up - (high - up) * 0.3;
      path.setAttribute("d", `M${from},${high} C${from},${top} ${to},${top} ${to},${high}`);
      const gone = cut.edit === "head" || (cut.edit === "word" && k === cut.hidden);
      const thick = gone && cut.edit === "word" ? Math.max(0.1, cut.was) : row[k]; // what is hidden stays to be seen
      path.setAttribute("stroke-width", thick < 0.005 ? "0" : Math.max(0.4, (gone ? 4 : 11) * thick).toFixed(2));
      path.style.cssText = gone ? "stroke-dasharray: 5 6; stroke-linecap: butt; opacity: 0.75" : "";
      mark(path, "data-gone", gone);
      mark(path, "data-on", k === j);
    });
    if (box.scrollWidth > box.clientWidth) { // who looks is in view, and the other if there is room
      const [middle, edge] = [(x[i] + x[j]) / 2, box.clientWidth / 2 - 20];
      box.scrollLeft = Math.min(Math.max(middle, x[i] - edge), x[i] + edge) - box.clientWidth / 2;
    }
    buttons.forEach((button, k) => {
      // on a phone there is no room for arcs over words: their ground tells the weight
      const gone = cut.edit === "head" || (cut.edit === "word" && k === cut.hidden);
      button.style.setProperty("--t", gone ? 0 : row[k].toFixed(3));
      mark(button, "data-gone", cut.edit === "word" && gone);
      button.setAttribute("aria-pressed", String(k === i));
      button.tabIndex = k === i ? 0 : -1;
      mark(button, "data-source", k === j);
    });
  }
  return { el: box, draw };
}

const HATCHED = "background:repeating-linear-gradient(45deg,var(--attn-paper) 0 3px,var(--attn-debt) 3px 4.5px)";

// One head's weights, large, words along both sides. Over a cell the row that made it glows, and a line says how:
// a softmax shows scores up to a constant, so they are counted from the row's largest. least: the smallest that is kept.   draw(A, i, j, edit, was, known): after
// an edit what is hidden is hatched, and a map whose head is off is pale; was: the weight of what is hidden; known: A is what it has become.
export function wordMap({ words, onpick, onpoint, least = 0 }) {
  // the room of its longest form: a shorter one after an edit moves nothing
  const origin = h("p", { class: "attn-origin", style: "min-height:4.35em" });
  let weights = null;
  let pointed = null;
  let cut = {};
  const big = field({
    name: "who looks down, at whom across",
    rows: words,
    cols: words,
    size: [words.length, words.length],
    kind: "weight",
    onpick,
  });
  const { box, below } = big;
  const sides = ["attn-down", "attn-across"].map((name) =>
    h(
      "div",
      { class: name, "aria-hidden": "true" },
      words.map((word) => h("span", {}, bdi(word))),
    )
  );
  const long = words.some((word) => word.length > 1);
  const around = h("div", { class: `attn-lettered${long ? " attn-worded" : ""}` }, sides[1], sides[0]);
  box.replaceWith(around);
  around.append(box);
  const gone = h("span", { class: "attn-cut", "aria-hidden": "true", hidden: true });
  box.append(gone, h("span", { class: "attn-band", "aria-hidden": "true" }));
  const light = (name, to) =>
    sides.forEach((side, k) => [...side.children].forEach((span, i) => mark(span, name, to && i === to[k])));
  function point(to) {
    mark(box, "data-point", to);
    box.style.setProperty("--pi", to ? to[0] : 0);
    light("data-source", to);
    onpoint(pointed = to);
  }
  box.addEventListener("pointermove", (event) => point(below(event)));
  box.addEventListener("pointerleave", () => point(null));
  function tell([i, j]) {
    const row = weights[i];
    const pair = `${quoted(words[i])} to ${quoted(words[j])}`;
    if (cut.edit === "word" && i === cut.i) {
      if (j === cut.j) return phrase(origin, `${pair}: 0, it is hidden. It was ${number(cut.was)}.`);
      if (!cut.known) return phrase(origin, `${pair}: ${number(row[j])}, before ${quoted(words[cut.j])} was hidden.`);
    }
    if (cut.edit === "head") {
      return phrase(origin, `${pair}: ${number(row[j])}, but the head is off: it writes nothing.`);
    }
    if (row[j] < least) return phrase(origin, `${pair}: ≈0, less than ${number(least)}.`);
    const most = Math.max(...row);
    const power = (a) => (a > 0 ? Math.log(a / most).toFixed(2).replace("-", "−").replace(/^−?0\.00$/, "0") : "−∞");
    const order = row.map((_, k) => k).filter((k) => row[k] > 0).sort((a, b) => row[b] - row[a]);
    const sum = order.slice(0, 4).map((k) => `e^${power(row[k])}`).join(" + ");
    phrase(
      origin,
      `${pair}: ${number(row[j])} = e^${power(row[j])} / (${sum}${
        order.length > 4 ? " + …" : ""
      }), scores counted from the row's largest.`,
    );
  }
  function draw(A, i, j, edit = "", was = 0, known = false) {
    weights = A;
    cut = { edit, i, j, was, known };
    gone.hidden = !edit;
    const [n, off] = [words.length, edit === "head"];
    mark(box, "data-off", off);
    write(gone, off ? "off" : "");
    gone.style.cssText = off
      ? ""
      : `${HATCHED};left:${100 * j / n}%;top:${100 * i / n}%;width:${100 / n}%;height:${100 / n}%`;
    big.draw(A, { pick: [i, j] });
    light("data-on", [i, j]);
    tell(pointed || [i, j]);
  }
  return { el: h("div", { class: "attn-large" }, big.el), origin, draw };
}

// “Switch this head off” and “hide this word from that one”: one of them at a time; pressed, each says its way back.   draw(edit, layer, head, told, from)
export function edits(set) {
  const one = (name) => h("button", { type: "button", onclick: () => set({ edit: pressed === name ? "" : name }) });
  const [head, word] = [one("head"), one("word")];
  let pressed = "";
  function draw(edit, l, t, hidden, from) {
    pressed = edit;
    write(head, `Switch ${called(l, t)} ${edit === "head" ? "on" : "off"}`);
    write(word, edit === "word" ? `Show ${hidden} to ${from}` : `Hide ${hidden} from ${from}`);
  }
  return { el: h("div", { class: "attn-chips", role: "group", "aria-label": "What if" }, head, word), draw };
}

// What one word's weight on another is, or was before an edit; text.py says the same.
export function weighed(edit, l, t, looks, seen, weight) {
  const head = `Layer ${l}, head ${t}`;
  if (edit === "head") return `${head}, switched off: ${looks} gave ${seen} the weight ${number(weight)}.`;
  if (edit === "word") return `${head}: ${looks} cannot see ${seen}, which had the weight ${number(weight)}.`;
  return `${head}: ${looks} gives ${seen} the weight ${number(weight)}.`;
}
