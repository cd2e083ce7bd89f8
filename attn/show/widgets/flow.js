// Where one word's attention flows: the thicker the stream, the larger the weight.
import { bare, bdi, chips, figure, h, mark, percent, quoted, svg, write } from "../kit/kit.js";

export function render(host) {
  return figure(host, {
    title: "Where a word looks.",
    hint: "Choose a word: its shares, stacked, are all of its attention.",
    shape: ["weights", "tokens", "key_tokens", "rest"],
    state: ["selected"],
    build,
  });
}

function build(get, set) {
  const [weights, tokens, keys] = ["weights", "tokens", "key_tokens"].map(get);
  const named = keys.length - (get("rest") ? 1 : 0); // the last may stand for all other words
  const tall = tokens.length > 12 ? 26 : 36;
  const height = tall * Math.max(tokens.length, keys.length);
  const who = chips({ names: tokens, title: "Looking from", onpick: (selected) => set({ selected }) });
  const middle = (i) => tall * (i + 0.5);
  const way = (i, j) => `M0,${middle(i)} C50,${middle(i)} 50,${middle(j)} 100,${middle(j)}`;
  // every stream faintly, unless there are so many that they would be a fog
  const few = tokens.length * keys.length <= 400;
  const streams = weights.map((
    line,
    i,
  ) => (few ? line.map((a, j) => svg("path", { d: way(i, j), "stroke-width": thick(a, tall) })) : []));
  const chosen = keys.map(() => svg("path", { class: "attn-share" }));
  const drift = keys.map(() => svg("path", { class: "attn-drift" }));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 100 ${height}`, style: `height: ${height}px`, preserveAspectRatio: "none", "aria-hidden": "true" },
    streams.flat(),
    chosen,
    drift,
  );
  const told = keys.map(() => h("strong", {}));
  const list = h(
    "ul",
    { role: "list", "aria-label": "Looking at" },
    keys.map((key, j) => h("li", { style: j < named ? null : "font-style: italic" }, bdi(key), told[j])),
  );
  let shown = -1;

  function draw() {
    const i = get("selected");
    who.draw(i);
    let before = 0; // the shares of the words above: stacked, they fill the chosen word's height
    keys.forEach((_, j) => {
      const a = weights[i][j];
      const full = 0.85 * tall;
      chosen[j].setAttribute(
        "d",
        ribbon(middle(i) + full * (before - 0.5), middle(j) - (full * a) / 2, a && Math.max(full * a, 0.75)),
      );
      before += a;
      drift[j].setAttribute("d", way(i, j));
      drift[j].setAttribute("stroke-width", thick(a, tall) * 0.3);
      mark(drift[j], "hidden", a < 0.02);
      if (shown !== i) drift[j].replaceWith(drift[j] = drift[j].cloneNode()); // a new node starts its motion anew
      write(told[j], a && (j < named || a > 1e-12) ? percent(a) : ""); // a word that is not there, or not yet, keeps its place
    });
    shown = i;
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
  const board = h("div", { class: "attn-streams", style: `--h:${tall}px` }, who.el, drawing, list);
  return { parts: [board], draw, sentence };
}

const ribbon = (from, to, thick) =>
  `M0,${from} C50,${from} 50,${to} 100,${to} V${to + thick} C50,${to + thick} 50,${from + thick} 0,${from + thick} Z`;
const thick = (a, tall) => (a > 0 ? Math.max(0.75, a * tall * 0.85).toFixed(2) : "0");
