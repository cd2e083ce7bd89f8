// The key–value cache of real models, as published and with more or fewer key–value heads. Areas are to scale.
import { chips, figure, h, mark, percent, restart, write } from "../kit/kit.js";
import { ease } from "../kit/motion.js";
import { doubling, grouped, readable } from "../kit/sizes.js";

const BITS = [4, 8, 16, 32];
const GIB = 2 ** 30;
const MEMORIES = [24, 80, 640]; // GiB of one small card, one large one, and eight of those
const PLACE = "position:relative;aspect-ratio:1;margin:0 0.3rem 0.2rem";
const side = (bytes) => Math.sqrt(bytes / (MEMORIES[2] * GIB)); // the largest memory's is 1

const SCALE = "Areas are to scale, a broken edge goes on; the weights, which lie in the memories too, are not drawn.";

const RULES = [
  ".attn-pour { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 0.4rem; }",
  ".attn-live .attn-cube { min-width: 0; padding: 0.3rem 0; border: 1px solid transparent; text-align: center; font-size: 0.85rem; }",
  ".attn-cube > span { display: block; }",
  ".attn-live .attn-cube[aria-pressed='true'] { border-color: var(--attn-accent); }",
  ".attn-tank, .attn-level { position: absolute; inset: 0; box-sizing: border-box; transform-origin: bottom; }",
  ".attn-cube[aria-pressed] .attn-tank { background: var(--attn-soft); }",
  ".attn-cube[aria-pressed='true'] .attn-tank, .attn-level { background: var(--attn-bar); }",
  ".attn-tank[data-over] { border: 5px dotted var(--attn-paper); border-width: 5px 5px 0 0; }",
  ".attn-level[data-over] { background: var(--attn-debt); }",
  "@media (max-width: 480px) { .attn-pour { grid-template-columns: repeat(3, minmax(0, 1fr)); } .attn-live .attn-cube { font-size: 0.76rem; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "What a cache weighs.",
    hint: "A longer text, more sequences, fewer bits: which cache fits which memory? Choose a cache: it is poured in.",
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
  const model = chips({ names, title: "Model", onpick: (k) => set({ model: names[k] }) });
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
  const tanks = MEMORIES.map((gb) => {
    const [level, told] = [h("span", { class: "attn-level" }), h("small")];
    const free = `${(100 - 100 * side(gb * GIB)).toFixed(2)}%`;
    const style = `border:1.5px solid;inset:${free} calc(${free} / 2) 0`;
    const tank = h("span", { class: "attn-tank", style }, level);
    const sheet = h("span", { style: PLACE, "aria-hidden": "true" }, tank);
    return { el: h("div", { class: "attn-cube" }, sheet, h("span", {}, `${gb} GiB`), told), level, told };
  });
  for (const one of [...squares.map(({ sheet }) => sheet), ...tanks.map(({ level }) => level)]) {
    ease(one, "transform", 300);
  }
  const again = restart(get, set, ["model", "length", "batch", "bits"]);
  const long = (told) => told.reduce((a, b) => (b.length > a.length ? b : a));
  const formula = roomy("attn-told", `${long(names)} (GQA): ${sum(64, 128, 118, 2 ** 20, 1024, 32)}`);
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
    squares.forEach(({ el, sheet, name, told }, k) => {
      const long = side(bytes[k]);
      sheet.style.transform = `scale(${Math.min(Math.max(long, 0.012), 1).toFixed(4)})`;
      mark(sheet, "data-over", long > 1);
      write(name, kinds[k](heads, shared));
      write(told, readable(bytes[k]));
      el.setAttribute("aria-pressed", String(k === poured));
    });
    tanks.forEach(({ level, told }, k) => {
      const part = bytes[poured] / (MEMORIES[k] * GIB);
      level.style.transform = `scaleY(${Math.min(part, 1).toFixed(4)})`;
      mark(level, "data-over", part > 1);
      write(told, part > 1 ? `needs ${Math.ceil(part)}` : `${percent(part)} full`);
    });
    const factors = [shared, width, layers, get("length"), get("batch"), get("bits")];
    formula.draw(`${get("model")} (${kind}): ${sum(...factors)}`);
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
      h(
        "div",
        { class: "attn-pour" },
        squares.map(({ el }) => el),
        tanks.map(({ el }) => el),
      ),
      formula.el,
      source.el,
    ],
    draw,
    sentence,
  };
}
