// Where one word's attention flows: the thicker the stream, the larger the weight. What is asked for lies on top, opaque; the
// other words' streams lie pale below it, as one shape.
import { bare, bdi, chips, figure, h, mark, number, percent, provenance, quoted, svg, write } from "../kit/kit.js";

const SIDES = ["who looks", "", "at what, how much"];

// A share is written as large as it is.
const RULES =
  `.attn-streams { display: grid; grid-template-columns: minmax(0, max-content) minmax(2rem, 1fr) minmax(0, max-content);
  align-items: start; margin-top: 0.8rem; }
.attn-streams > .attn-chips { display: grid; margin: 0; gap: 0; max-width: 9rem; }
.attn-streams > .attn-chips > span { display: none; }
.attn-live .attn-streams button { height: calc(var(--h) - 4px); min-height: 0; margin: 2px 0; padding-block: 0; font-size: 1.1rem; line-height: 1; }
.attn-live .attn-side { margin: 0 0 0.35rem; color: var(--attn-soft); font-size: 0.9em; white-space: nowrap; }

.attn-streams svg { display: block; width: 100%; }
.attn-streams > .attn-gives { position: relative; }
.attn-gives span { position: absolute; left: 0.3rem; padding: 0 0.3rem; border-radius: 4px; translate: 0 -50%; background: var(--attn-paper);
  color: var(--attn-debt); font-weight: 700; line-height: 1.3; font-variant-numeric: tabular-nums; }
.attn-streams path { fill: var(--attn-accent); }
.attn-streams g:first-child { opacity: calc(0.2 - 0.07 * var(--attn-way)); } /* as one shape; on dark paper a little more */
.attn-streams:has([data-lit]) .attn-share { fill: color-mix(in srgb, var(--attn-accent) 35%, var(--attn-paper)); }
.attn-streams path[data-lit][data-lit] { fill: var(--attn-debt); stroke: var(--attn-paper); vector-effect: non-scaling-stroke; paint-order: stroke; }
/* the shares' column is as wide as the largest share needs: no choice changes the streams' width */
.attn-live .attn-streams ul { display: grid; grid-template-columns: fit-content(7rem) 7.6rem; column-gap: 0.6rem; margin: 0; padding: 0; list-style: none; min-width: 0; }
.attn-live .attn-streams li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; height: var(--h); margin: 0; align-items: center;
  color: var(--attn-soft); white-space: nowrap; font-variant-numeric: tabular-nums; cursor: pointer; }
.attn-live .attn-streams li[data-on] { color: var(--attn-text); }
.attn-live .attn-streams li[data-lit] { color: var(--attn-debt); }
.attn-streams:has([data-lit]) li > strong { visibility: hidden; } /* the numbers asked for are on the left, here their sum */
.attn-streams li[data-lit]::after { content: attr(data-all); grid-area: 1 / 2; font-weight: 700; }
.attn-live .attn-streams li:focus-visible { outline: 3px solid var(--attn-text); outline-offset: -3px; border-radius: 6px; }
.attn-streams li > bdi { box-sizing: border-box; min-width: 2.6rem; height: calc(var(--h) - 4px); padding: 0 0.7rem; overflow: hidden; text-overflow: ellipsis;
  border: 1px solid var(--attn-edge); border-radius: 1rem; background: var(--attn-paper); color: var(--attn-text); font-size: 1.1rem;
  line-height: calc(var(--h) - 6px); text-align: center; } /* as those on the left: both can be pressed */
.attn-streams li:hover > bdi { border-color: var(--attn-debt); }
.attn-streams li[data-lit] > bdi { border-color: var(--attn-debt); background: var(--attn-debt); color: var(--attn-paper); }
.attn-streams li > strong { grid-area: 1 / 2; font-size: calc(0.9rem + 0.85rem * var(--t)); line-height: 1; }
@media (max-width: 480px) { .attn-streams > .attn-chips { max-width: 6.5rem; }
  .attn-streams li > bdi { min-width: 2.2rem; padding-inline: 0.4rem; font-size: 0.95rem; }
  .attn-live .attn-streams ul { grid-template-columns: fit-content(5.4rem) 5.4rem; column-gap: 0.4rem; }
  .attn-streams li > strong { font-size: calc(0.85rem + 0.35rem * var(--t)); } }
@media (prefers-reduced-motion: no-preference) { .attn-streams .attn-share { transition: d 0.6s ease-in-out; } }`;

export function render(host) {
  return figure(host, {
    title: "Where a word looks.",
    hint: "Choose a word: left, where it looks; right, who looks at it.",
    shape: ["weights", "tokens", "key_tokens", "rest"],
    state: ["selected"],
    build,
  });
}

function build(get, set) {
  const [weights, tokens, keys] = ["weights", "tokens", "key_tokens"].map(get);
  const named = keys.length - (get("rest") ? 1 : 0); // the last may stand for all other words
  const most = Math.max(tokens.length, keys.length);
  const tall = most > 12 ? 26 : most > 8 ? 36 : most > 4 ? 48 : 72;
  // On the right a word is as high as all that it gets, so that the streams into it lie on each other as they do on the left
  const gets = keys.map((_, j) => weights.reduce((sum, row) => sum + row[j], 0));
  const highs = gets.map((sum) => Math.max(Math.min(tall, 30), tall * sum));
  const high = highs.reduce((a, b) => a + b);
  const height = Math.max(tall * tokens.length, high);
  const who = chips({
    names: tokens,
    title: "Looking from",
    onpick: (selected) => (lit(pinned = -1), set({ selected })),
  });
  // the shorter side stands in the middle of the longer one
  const [left, right] = [tall * tokens.length, high].map((side) => (height - side) / 2);
  const from = (i) => left + tall * (i + 0.5);
  const to = (j) => highs.slice(0, j).reduce((a, b) => a + b, right) + highs[j] / 2;
  const full = 0.85 * tall;
  // A word's streams: its shares, stacked, fill its height
  function ways(i) {
    let before = 0;
    return weights[i].map((a, j) => {
      const start = from(i) + full * (before - 0.5);
      before += a;
      const above = weights.slice(0, i).reduce((sum, row) => sum + row[j], 0);
      return ribbon(start, to(j) + full * (above - gets[j] / 2), a && Math.max(full * a, 0.75));
    });
  }
  // every stream pale, unless there are so many that they would be a fog
  const few = tokens.length * keys.length <= 400;
  const streams = weights.map((_, i) => (few ? ways(i).map((d, j) => svg("path", weights[i][j] ? { d } : {})) : []));
  const [below, above] = [streams.flat(), []].map((paths) => svg("g", {}, paths));
  const chosen = keys.map(() => svg("path", { class: "attn-share" }));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 100 ${height}`, style: `height: ${height}px`, preserveAspectRatio: "none", "aria-hidden": "true" },
    below,
    chosen,
    above,
  );
  const told = keys.map(() => h("strong", {}));
  const list = h(
    "ul",
    { role: "list", "aria-label": "Looking at" },
    keys.map((key, j) =>
      h(
        "li",
        {
          tabindex: "0",
          style: `--h:${highs[j]}px;${j < named ? "" : "font-style:italic"}`,
          "data-all": tokens.length > 1 ? `${number(gets[j], 2)} in all` : "",
        },
        bdi(key),
        told[j],
      )
    ),
  );
  // A word on the right, pointed at or chosen: who looks at it, and how much
  let pinned = -1;
  const gives = tokens.map((_, i) => h("span", { style: `top: ${from(i)}px`, hidden: true }));
  const origin = provenance([], "");
  const items = Array.from(list.children);
  function lit(to) {
    items.forEach((item, j) => mark(item, "data-lit", j === to));
    below.append(...above.children);
    streams.forEach((line) => line.forEach((path, j) => mark(path, "data-lit", j === to)));
    if (few && to >= 0) above.append(...streams.map((line) => line[to]));
    chosen.forEach((path, j) => mark(path, "data-lit", j === to));
    gives.forEach((one, i) => {
      one.hidden = to < 0 || tall < 20;
      if (to >= 0) write(one, percent(weights[i][to]));
    });
    origin.say(to < 0 ? "" : seen(to));
  }
  const choose = (j) => lit(pinned = pinned === j ? -1 : j);
  function seen(j) {
    const line = weights.map((row, i) => [row[j], i]).filter(([a]) => a > 1e-12).sort((a, b) => b[0] - a[0]);
    const parts = line.slice(0, 5).map(([a, i]) => `${percent(a)} of ${quoted(tokens[i])}`);
    const more = line.length > 5 ? ` and of ${line.length - 5} more` : "";
    const name = j < named ? quoted(keys[j]) : bare(keys[j]);
    return parts.length ? `${name} gets ${parts.join(", ")}${more}` : `nobody looks at ${name}`;
  }
  items.forEach((item, j) => {
    for (const event of ["pointerover", "focus"]) item.addEventListener(event, () => lit(j));
    item.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && lit(pinned));
    item.addEventListener("blur", () => lit(pinned));
    item.addEventListener("click", () => choose(j));
    item.addEventListener(
      "keydown",
      (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), choose(j)),
    );
  });

  function draw() {
    const i = get("selected");
    who.draw(i);
    ways(i).forEach((d, j) => {
      const a = weights[i][j];
      chosen[j].setAttribute("d", d);
      mark(items[j], "data-on", a >= 0.0005);
      told[j].style.setProperty("--t", a.toFixed(3));
      write(told[j], a && (j < named || a > 1e-12) ? percent(a) : ""); // a word that is not there, or not yet, keeps its place
    });
  }
  function sentence() {
    const line = weights[get("selected")];
    const order = line.map((_, j) => j).filter((j) => line[j] && j < named).sort((a, b) => line[b] - line[a]);
    const parts = order.slice(0, 6).map((j) => `${quoted(keys[j])} ${percent(line[j])}`);
    if (order.length > 6) {
      parts.push(`${order.length - 6} more together ${percent(order.slice(6).reduce((sum, j) => sum + line[j], 0))}`);
    }
    const rest = line.at(-1); // what is less than 1e-12 is rounding
    if (named < keys.length && rest > 1e-12) parts.push(`${bare(keys.at(-1))} ${percent(rest)}`);
    return `${quoted(tokens[get("selected")])} looks at ${parts.join(", ")}.`;
  }
  who.el.style.paddingTop = `${left}px`;
  list.style.paddingTop = `${right}px`;
  const board = h(
    "div",
    { class: "attn-streams", style: `--h:${tall}px` },
    SIDES.map((told) => h("p", { class: "attn-side", "aria-hidden": "true" }, told)),
    who.el,
    h("div", { class: "attn-gives" }, drawing, h("div", { "aria-hidden": "true" }, gives)),
    list,
  );
  return { parts: [h("style", {}, RULES), board, origin.el], draw, sentence };
}

const ribbon = (from, to, thick) =>
  `M0,${from} C50,${from} 50,${to} 100,${to} V${to + thick} C50,${to + thick} 50,${from + thick} 0,${from + thick} Z`;
