// Walk down a table of scores with its softmax; hold a printed row against every temperature.
import {
  bars,
  bdi,
  extremes,
  figure,
  h,
  heater,
  legend,
  matrix,
  number,
  provenance,
  quoted,
  restart,
  row,
  rowOf,
  svg,
  vector,
  write,
} from "../kit/kit.js";
import { softmaxRow } from "../kit/linalg.js";
import { ease, fly } from "../kit/motion.js";

export function render(host) {
  return figure(host, {
    title: "One sentence, all its scores.",
    hint: "Choose a row to read it; change the temperature and see what softmax makes of the scores.",
    shape: ["scores", "tokens", "printed", "printed_row"],
    state: ["row", "temperature"],
    build,
  });
}

function build(get, set) {
  const [scores, tokens, printed, at] = ["scores", "tokens", "printed", "printed_row"].map(get);
  const n = tokens.length;
  const square = { rows: tokens, cols: tokens, size: [n, n], onpick: (i) => set({ row: i }) };
  const left = matrix({ name: "scores: queries down, keys across", ...square });
  const right = matrix({ name: "weights = softmax(scores / temperature)", ...square, kind: "weight" });
  const heat = heater((temperature) => set({ temperature }));
  const shares = bars({ names: tokens, title: "The chosen row's weights" });
  const items = [...shares.el.children];
  const values = items.map((item) => item.querySelector(".attn-value"));
  const against = tokens.map(() => h("span", { style: "color: var(--attn-soft)" }));
  shares.el.style.gridTemplateColumns = "max-content minmax(4rem, 1fr) minmax(3rem, max-content) max-content";
  items.forEach((item, j) => {
    item.append(against[j]);
    ease(item.querySelector(".attn-fill"), "width", 200);
  });
  const chosen = h("p", { style: "margin: 0" });
  const off = (temperature) => {
    const a = softmaxRow(scores[at].map((s) => s / temperature));
    return Math.max(...printed.map((x, j) => Math.abs(x - a[j])));
  };
  const chart = printed && misses(off, (temperature) => set({ temperature }));
  const computed = () => scores.map((line) => softmaxRow(line.map((s) => s / get("temperature"))));
  let weights = computed();
  let before = null;
  const power = (s) => `e^${number(s / get("temperature"))}`;
  const origin = provenance([[right, (i, j) => ({
    told: `${number(weights[i][j])} = ${power(scores[i][j])} / (${scores[i].slice(0, 5).map(power).join(" + ")}${
      n > 5 ? " + …" : ""
    })`,
    from: rowOf(left, i),
  })]]);

  function draw() {
    weights = computed();
    const [i, temperature] = [get("row"), get("temperature")];
    const held = printed && i === at;
    heat.draw(temperature);
    left.draw(scores, { row: i });
    right.draw(weights, { row: i });
    origin.draw();
    chosen.replaceChildren(h("strong", {}, bdi(tokens[i])), " looks at", held ? "; a line: what was printed" : "");
    shares.draw(weights[i], { most: 1, was: held ? printed : null });
    against.forEach((one, j) => write(one, held ? `printed ${number(printed[j])}` : ""));
    if (chart) chart.draw(temperature);
    if (before !== null && before !== i) values.forEach((node, j) => fly(node, right.cells[i][j]));
    before = i;
  }
  function sentence() {
    const i = get("row");
    const warmth = get("temperature") === 1 ? "" : ` at temperature ${number(get("temperature"))}`;
    const told = `${quoted(tokens[i])} scores ${vector(scores[i])}${warmth}; softmax gives ${vector(weights[i])}`;
    if (!printed || i !== at) return `${told}, ${extremes(weights[i], tokens)}.`;
    const far = Math.max(...printed.map((x, j) => Math.abs(x - weights[at][j])));
    return `${told}. Printed was ${vector(printed)}, which is off by up to ${number(far)}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, heat.el);
  const reading = h("div", { style: "flex: 1 1 20rem; min-width: 0" }, chosen, shares.el);
  return {
    parts: [
      row(controls, restart(get, set, ["row", "temperature"])),
      h("div", { class: "attn-trio", style: "--cell: min(0.88rem, 3.2vw)" }, left.el, right.el),
      legend({ kind: "signed", values: scores }).el,
      origin.el,
      row(reading, chart && chart.el),
    ],
    draw,
    sentence,
  };
}

// How far the printed row is off at most, at every temperature from 0.1 to 10: a curve, and where the reader stands.
function misses(off, onheat) {
  const [wide, tall, base] = [320, 170, 140];
  const heats = Array.from({ length: 201 }, (_, k) => 10 ** (k / 100 - 1));
  const far = heats.map(off);
  const most = Math.max(...far) * 1.1 || 1;
  const x = (temperature) => 10 + (wide - 20) * (Math.log10(temperature) + 1) / 2;
  const y = (miss) => base - (base - 22) * (miss / most);
  const best = far.indexOf(Math.min(...far));
  const text = (x, y, told, anchor = "middle") => svg("text", { x, y, "text-anchor": anchor }, told);
  const curve = heats.map((t, k) => `${k ? "L" : "M"}${x(t).toFixed(1)} ${y(far[k]).toFixed(1)}`).join("");
  const dot = svg("circle", { r: 7, style: "fill: var(--attn-accent); stroke: var(--attn-paper); stroke-width: 2" });
  const drop = svg("path", { style: "stroke: var(--attn-accent); stroke-dasharray: 3 3" });
  const told = svg("text", { style: "font-weight: 700; fill: var(--attn-accent)" });
  const el = svg(
    "svg",
    {
      class: "attn-plane",
      viewBox: `0 0 ${wide} ${tall}`,
      role: "img",
      "aria-label": `How far the printed row is off, by temperature: at least ${number(far[best])}`,
      style: "flex: 0 1 22rem; cursor: pointer; touch-action: pan-y",
    },
    svg("path", { class: "attn-zero", d: `M10 ${base}H${wide - 10}`, fill: "none" }),
    svg("path", { d: curve, style: "fill: none; stroke: var(--attn-debt); stroke-width: 2.5" }),
    text(14, 14, "off by at most, at every temperature", "start"),
    ...[0.1, 1, 10].map((t) => text(x(t), tall - 12, String(t), t < 1 ? "start" : t > 1 ? "end" : "middle")),
    text(x(heats[best]), y(far[best]) + 18, `never below ${number(far[best])}`),
    drop,
    dot,
    told,
  );
  const go = (event) => {
    const { left, width } = el.getBoundingClientRect();
    const at = ((event.clientX - left) / width * wide - 10) / (wide - 20);
    onheat(Number((10 ** (2 * Math.min(Math.max(at, 0), 1) - 1)).toFixed(3)));
  };
  el.addEventListener("pointerdown", go);
  el.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  function draw(temperature) {
    const [at, up] = [x(Math.min(Math.max(temperature, 0.1), 10)), y(off(temperature))];
    dot.setAttribute("transform", `translate(${at.toFixed(1)},${up.toFixed(1)})`);
    drop.setAttribute("d", `M${at.toFixed(1)} ${up.toFixed(1)}V${base}`);
    const right = at < wide / 2;
    told.setAttribute("x", (at + (right ? 12 : -12)).toFixed(1));
    told.setAttribute("y", Math.max(30, up - 8).toFixed(1));
    told.setAttribute("text-anchor", right ? "start" : "end");
    write(told, number(off(temperature)));
  }
  return { el, draw };
}
