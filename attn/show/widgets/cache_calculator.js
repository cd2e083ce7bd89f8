// The key–value cache of real models, as published and with more or fewer key–value heads. Areas are to scale.
import { chips, either, figure, h, mark, percent, restart, write } from "../kit/kit.js";
import { ease } from "../kit/motion.js";
import { doubling, grouped, readable } from "../kit/sizes.js";

const BITS = [4, 8, 16, 32];
const GIB = 2 ** 30;
const MEMORIES = [24, 80, 640]; // GiB of one small card, one large one, and eight of those
const PLACE = "position:relative;aspect-ratio:1;margin:0 0.3rem 0.2rem";
const SQUARES = 64; // memories of one size that are drawn, at most
const SCALE = "Areas are to scale, a broken edge goes on; the weights, which lie in the memories too, are not drawn.";

const RULES = [
  ".attn-live .attn-models button { padding-inline: 0.45rem; font-size: 0.8em; }",
  ".attn-live .attn-weight { margin: 0.5rem 0 0.8rem; }",
  ".attn-pour { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 0.4rem; }",
  ".attn-live .attn-cube { min-width: 0; padding: 0.3rem 0; border: 1px solid transparent; text-align: center; font-size: 0.85rem; }",
  ".attn-cube > span { display: block; }",
  ".attn-live .attn-cube[aria-pressed='true'] { border-color: var(--attn-accent); }",
  ".attn-tank, .attn-level { position: absolute; inset: 0; box-sizing: border-box; transform-origin: bottom; }",
  ".attn-cube[aria-pressed] .attn-tank { background: var(--attn-soft); }",
  ".attn-cube[aria-pressed='true'] .attn-tank, .attn-level { background: var(--attn-bar); }",
  ".attn-memory { border: 1.5px solid; }",
  ".attn-memory[data-over] { border-top: 4px dotted var(--attn-edge); border-right: 4px dotted var(--attn-edge); }",
  ".attn-many { position: absolute; inset: 0; display: grid; justify-content: center; align-content: end; }",
  ".attn-many > span { aspect-ratio: 1; box-sizing: border-box; border: 1px solid var(--attn-text); background: linear-gradient(to top, var(--attn-debt) var(--full), transparent var(--full)); }",
  // more than can be counted: one heap as large as all of them, one of them in its corner, and their number
  ".attn-many > [data-heap] { position: relative; border: 1px solid var(--attn-debt); background: color-mix(in srgb, var(--attn-debt) 30%, var(--attn-paper)); }",
  "[data-heap]::after { content: ''; position: absolute; left: 0; bottom: 0; width: var(--one); aspect-ratio: 1; background: var(--attn-debt); }",
  ".attn-times { position: absolute; inset: 0; display: grid; place-content: center; font-size: 1.5rem; font-weight: 700; letter-spacing: -0.03em; line-height: 1; white-space: nowrap; }",
  ".attn-pour { --per: 6; position: relative; padding-left: 3.6rem; }",
  // over the place of the first square, its numbers on the left of it
  ".attn-ruler { position: absolute; left: calc(3.3rem + 1px); top: calc(0.3rem + 1px); width: calc((100% - 3.6rem - (var(--per) - 1) * 0.4rem) / var(--per) - 0.6rem - 2px); aspect-ratio: 1; border-left: 1px solid var(--attn-edge); color: var(--attn-soft); pointer-events: none; }",
  ".attn-ruler > span { position: absolute; right: 100%; padding-right: 8px; translate: 0 50%; font-size: 11.5px; line-height: 1; white-space: nowrap; }",
  ".attn-ruler > span::after { content: ''; position: absolute; right: 0; top: 50%; width: 5px; border-top: 1px solid var(--attn-edge); }",
  ".attn-many:not(:empty)::before { content: 'does not fit'; grid-column: 1 / -1; place-self: center; width: 0; display: flex; justify-content: center; margin-bottom: 3px; color: var(--attn-debt); font-size: 12.5px; font-weight: 700; line-height: 1.2; white-space: nowrap; }",
  // a bold name would be wider, and its row would wrap
  ".attn-live .attn-chip[aria-pressed='true'] { font-weight: 400; -webkit-text-stroke: 0.6px; }",
  ".attn-live .attn-cube small { white-space: nowrap; }",
  "@media (max-width: 480px) { .attn-pour { --per: 3; grid-template-columns: repeat(3, minmax(0, 1fr)); } .attn-live .attn-cube { font-size: 0.76rem; } .attn-cube > span { font-size: 11.5px; letter-spacing: -0.02em; white-space: nowrap; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "What a cache weighs.",
    hint: "Lengthen the text: which cache fits which memory? Choose one to pour.",
    shape: ["names"],
    state: ["model", "length", "batch", "bits"],
    build,
  });
}

const sized = (source) => `${SCALE} Sizes: ${source}. GPT-4’s are not publicly known (OpenAI, 2023, §2).`;

function sum(shared, width, layers, length, batch, bits) {
  const bytes = Math.floor((2 * shared * width * layers * length * batch * bits) / 8);
  const many = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
  return [
    `2 for keys and values · ${many(shared, "head")} of ${width} · ${layers} layers · ${grouped(length)} tokens · `,
    `${many(batch, "sequence")} · ${bits / 8} bytes = ${grouped(bytes)} bytes, ${readable(bytes)}`,
  ].join("");
}

// A line whose place is that of its longest form: nothing moves when it becomes longer.
function roomy(kind, longest) {
  const told = h("span", { style: "grid-area: 1 / 1" });
  const room = h("span", { style: "grid-area: 1 / 1; visibility: hidden", "aria-hidden": "true" }, longest);
  return { el: h("p", { class: kind, style: "display: grid" }, told, room), draw: (text) => write(told, text) };
}

function build(get, set) {
  const [names, models, sources] = ["names", "models", "sources"].map(get);
  const at = () => names.indexOf(get("model"));
  const model = either(names, "Model", (k) => set({ model: names[k] }));
  model.el.classList.add("attn-models");
  const [whole, weighed] = [h("small"), h("span")];
  const bits = chips({ names: BITS.map(String), title: "Bits a number", onpick: (k) => set({ bits: BITS[k] }) });
  const sliders = [
    doubling("tokens", 20, (length) => set({ length })),
    doubling("sequences", 10, (batch) => set({ batch })),
  ];
  let poured = 1; // which cache stands in the memories
  const kinds = [(all) => `all ${all} (MHA)`, (_, shared) => `published: ${shared}`, () => "one (MQA)"];
  const squares = kinds.map((_, k) => {
    const [sheet, name, told] = [h("span", { class: "attn-tank" }), h("span"), h("small")];
    const el = h(
      "button",
      {
        type: "button",
        class: "attn-cube",
        onclick: () => {
          poured = k;
          draw();
        },
      },
      h("span", { style: PLACE, "aria-hidden": "true" }, sheet),
      name,
      told,
    );
    return { el, sheet, name, told };
  });
  // how high a square is that holds so much: of half the height, a quarter
  const marks = [1, 0.5, 0.25].map((high) => ({ high, el: h("span", { style: `bottom: ${100 * high}%` }) }));
  const ruler = h("div", { class: "attn-ruler", "aria-hidden": "true" }, marks.map(({ el }) => el));
  const tanks = MEMORIES.map((gb) => {
    const [level, told] = [h("span", { class: "attn-level" }), h("small")];
    const tank = h("span", { class: "attn-tank attn-memory" }, level);
    const many = h("span", { class: "attn-many" });
    const times = h("span", { class: "attn-times" });
    const sheet = h("span", { style: PLACE, "aria-hidden": "true" }, tank, many, times);
    const el = h("div", { class: "attn-cube" }, sheet, h("span", {}, `${gb} GiB`), told);
    return { el, tank, level, many, times, told };
  });
  for (const one of [...squares.map(({ sheet }) => sheet), ...tanks.map(({ level }) => level)]) {
    ease(one, "transform", 300);
  }
  for (const { tank } of tanks) ease(tank, "inset", 300);
  const scale = h("small", { class: "attn-told", style: "text-align: right; grid-column: 1 / -1" });
  const again = restart(get, set, ["model", "length", "batch", "bits"]);
  const long = (told) => told.reduce((a, b) => (b.length > a.length ? b : a));
  const formula = roomy(
    "attn-told",
    `${long(names)} (with all its heads, MHA): ${sum(128, 128, 118, 2 ** 20, 1024, 32)}`,
  );
  const source = roomy("attn-note", sized(long(sources)));
  function compute() {
    const [, layers, heads, shared, width] = models[at()];
    const bytes = (g) => Math.floor((2 * g * width * layers * get("length") * get("batch") * get("bits")) / 8);
    const kind = shared === heads ? "MHA" : shared === 1 ? "MQA" : "GQA";
    return { layers, heads, shared, width, kind, bytes: [heads, shared, 1].map(bytes) };
  }
  function draw() {
    const { layers, heads, shared, width, kind, bytes } = compute();
    model.draw(at());
    bits.draw(BITS.indexOf(get("bits")));
    sliders.forEach((one, k) => one.draw(get(["length", "batch"][k])));
    // A place is filled by the largest cache or the memory nearest above it, and by the small memories that hold it
    const most = Math.max(...bytes);
    const above = MEMORIES.map((gb) => gb * GIB).find((size) => size >= most) || most;
    const across = (need) => Math.ceil(Math.sqrt(need)); // of so many squares in a square
    const needs = (size, held) => Math.ceil(held / size - 1e-9);
    const rows = MEMORIES.map((gb) => [gb * GIB, needs(gb * GIB, most)]).filter(([, need]) =>
      need > 1 && need <= SQUARES
    );
    const place = Math.max(Math.sqrt(above), ...rows.map(([size, need]) => across(need) * Math.sqrt(size)));
    const side = (size) => Math.sqrt(size) / place;
    write(scale, `a full place is ${readable(place ** 2)}`);
    for (const { high, el } of marks) write(el, readable((high * place) ** 2));
    squares.forEach(({ el, sheet, name, told }, k) => {
      sheet.style.transform = `scale(${Math.min(Math.max(side(bytes[k]), 0.012), 1).toFixed(4)})`;
      write(name, kinds[k](heads, shared));
      write(told, readable(bytes[k]));
      el.setAttribute("aria-pressed", String(k === poured));
    });
    tanks.forEach(({ tank, level, many, times, told }, k) => {
      const size = MEMORIES[k] * GIB;
      const [part, need] = [bytes[poured] / size, needs(size, bytes[poured])];
      const [seen, over] = [Math.min(side(size), 1), need > 1];
      const free = `${(100 - 100 * seen).toFixed(2)}%`;
      tank.style.inset = `${free} calc(${free} / 2) 0`;
      tank.style.visibility = over ? "hidden" : "";
      mark(tank, "data-over", side(size) > 1); // of a larger one its lower left corner
      level.style.transform = `scaleY(${Math.min(part * side(size) / seen, 1).toFixed(4)})`;
      const heaped = need > SQUARES;
      const shown = heaped ? 1 : over ? need : 0;
      const wide = heaped ? Math.min(side(bytes[poured]), 1) : side(size);
      many.style.gridTemplateColumns = `repeat(${across(shown)}, ${(100 * wide).toFixed(3)}%)`;
      while (many.childElementCount > shown) many.lastChild.remove();
      while (many.childElementCount < shown) many.append(h("span"));
      [...many.children].forEach((one, i) => {
        mark(one, "data-heap", heaped);
        one.style.setProperty("--full", `${100 * Math.min(part - i, 1)}%`);
        one.style.setProperty("--one", `${100 * side(size) / wide}%`);
      });
      write(times, heaped ? `×${grouped(need)}` : "");
      write(told, over ? `${grouped(need)} × ${MEMORIES[k]} GiB` : `${percent(part)} full`);
    });
    const taken = [heads, shared, 1][poured];
    const factors = [taken, width, layers, get("length"), get("batch"), get("bits")];
    const whose = ["with all its heads, MHA", `as published, ${kind}`, "with one head, MQA"][poured];
    write(whole, `${get("model")}, ${kinds[poured](heads, shared)}`);
    write(weighed, readable(bytes[poured]));
    formula.draw(`${get("model")} (${whose}): ${sum(...factors)}`);
    source.draw(sized(sources[at()]));
  }
  function sentence() {
    const { layers, heads, shared, width, kind, bytes } = compute();
    const told = `${
      get("model")
    } has ${shared} of ${heads} key–value heads (${kind}), ${layers} layers, heads of width ${width}: ${
      get("batch")
    } × ${grouped(get("length"))} tokens at ${get("bits")} bits take `;
    return `${told}${readable(bytes[1])}; with ${heads} it would be ${readable(bytes[0])}, with one ${
      readable(bytes[2])
    }.`;
  }
  again.addEventListener("click", () => {
    poured = 1;
    draw();
  });
  bits.el.append(again);
  return {
    parts: [
      h("style", {}, RULES),
      model.el,
      h("div", { class: "attn-duo" }, h("div", { class: "attn-sliders" }, sliders.map((one) => one.el)), bits.el),
      h("p", { class: "attn-hero attn-weight" }, whole, weighed),
      h(
        "div",
        { class: "attn-pour" },
        squares.map(({ el }) => el),
        tanks.map(({ el }) => el),
        scale,
        ruler,
      ),
      formula.el,
      source.el,
    ],
    draw,
    sentence,
  };
}
