// The key–value cache of real models, as published and with more or fewer key–value heads. Areas are to scale.
import { chips, figure, h, mark, note, percent, restart, write } from "../kit/kit.js";
import { doubling, grouped, readable } from "../kit/sizes.js";

const BITS = [4, 8, 16, 32];
const MEMORIES = [24, 80, 640]; // GB of one small card, one large one, and eight of those
const SIDE = 168; // pixels of the largest memory's side
const side = (bytes) => SIDE * Math.sqrt(bytes / (MEMORIES[2] * 1e9));

export function render(host) {
  return figure(host, {
    title: "What a cache weighs.",
    hint: "A longer text, more sequences, fewer bits: which cache fits which memory? Choose a cache to pour it in.",
    shape: ["names"],
    state: ["model", "length", "batch", "bits"],
    build,
  });
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
  const kinds = ["all heads (MHA)", "as published", "one (MQA)"];
  const squares = kinds.map((name, k) => {
    const [sheet, told] = [h("span", { class: "attn-tank" }), h("small")];
    const el = h(
      "button",
      {
        type: "button",
        class: "attn-physical attn-cube",
        onclick: () => {
          poured = k;
          draw();
        },
      },
      h("span", { class: "attn-sheet", "aria-hidden": "true" }, sheet),
      h("span", {}, name),
      told,
    );
    return { el, sheet, told };
  });
  const tanks = MEMORIES.map((gb) => {
    const [level, told] = [h("span", { class: "attn-level" }), h("small")];
    const size = `width:${side(gb * 1e9).toFixed(2)}px;height:${side(gb * 1e9).toFixed(2)}px`;
    const tank = h("span", { class: "attn-tank", style: size }, level);
    const sheet = h("span", { class: "attn-sheet", "aria-hidden": "true" }, tank);
    return { el: h("div", { class: "attn-physical attn-cube" }, sheet, h("span", {}, `${gb} GB`), told), level, told };
  });
  const again = restart(get, set, ["model", "length", "batch", "bits"]);
  const [formula, source] = [note(), note()];
  function compute() {
    const [, layers, heads, shared, width] = models[at()];
    const bytes = (g) => Math.floor((2 * g * width * layers * get("length") * get("batch") * get("bits")) / 8);
    const kind = shared === heads ? "MHA" : shared === 1 ? "MQA" : "GQA";
    return { layers, heads, shared, width, kind, bytes: [heads, shared, 1].map(bytes) };
  }
  function draw() {
    const { layers, shared, width, bytes } = compute();
    model.draw(at());
    bits.draw(BITS.indexOf(get("bits")));
    sliders.forEach((one, k) => one.draw(get(["length", "batch"][k])));
    squares.forEach(({ el, sheet, told }, k) => {
      const long = Math.min(side(bytes[k]), SIDE);
      sheet.style.width = sheet.style.height = `${Math.max(long, 1.5).toFixed(2)}px`;
      mark(sheet, "data-over", long < side(bytes[k]));
      write(told, readable(bytes[k]));
      el.setAttribute("aria-pressed", String(k === poured));
    });
    tanks.forEach(({ level, told }, k) => {
      const part = bytes[poured] / (MEMORIES[k] * 1e9);
      level.style.height = `${(100 * Math.min(part, 1)).toFixed(2)}%`;
      mark(level, "data-over", part > 1);
      write(told, part > 1 ? `fills ${part.toFixed(1)} of these` : percent(part));
    });
    write(
      formula,
      `2 (keys and values) · ${shared} heads · ${width} · ${layers} layers · ${grouped(get("length"))} tokens · ${
        get("batch")
      } ${get("batch") === 1 ? "sequence" : "sequences"} · ${get("bits") / 8} bytes = ${grouped(bytes[1])} bytes`,
    );
    write(source, `Sizes of ${get("model")}: ${sources[at()]}.`);
  }
  function sentence() {
    const { layers, heads, shared, width, kind, bytes } = compute();
    const told = `${
      get("model")
    } has ${shared} of ${heads} key–value heads (${kind}), ${layers} layers of width ${width}: ${get("batch")} × ${
      grouped(get("length"))
    } tokens at ${get("bits")} bits take `;
    return `${told}${readable(bytes[1])}; with ${heads} it would be ${readable(bytes[0])}, with one ${
      readable(bytes[2])
    }.`;
  }
  const unknown = note("GPT-4 is not here: its sizes are not publicly known (OpenAI, 2023, §2).");
  again.addEventListener("click", () => {
    poured = 1;
    draw();
  });
  model.el.append(again);
  const scale = note(
    "Areas are to scale: a square with twice the side holds four times the bytes. A broken edge goes on. Memories " +
      "hold the model's weights too, which are not drawn.",
  );
  return {
    parts: [
      model.el,
      h("div", { class: "attn-duo" }, h("div", { class: "attn-sliders" }, sliders.map((one) => one.el)), bits.el),
      h(
        "div",
        { class: "attn-physics attn-pour" },
        squares.map(({ el }) => el),
        h("span", { class: "attn-sign", "aria-hidden": "true" }, "→"),
        tanks.map(({ el }) => el),
      ),
      scale,
      formula,
      source,
      unknown,
    ],
    draw,
    sentence,
  };
}
