// The key–value cache of real models, as published and with more or fewer key–value heads.
import { bars, chips, figure, h, note, percent, restart, row, write } from "../kit/kit.js";
import { doubling, grouped, readable } from "../kit/sizes.js";

const BITS = [4, 8, 16, 32];
const MEMORIES = [24, 80, 640]; // GB of one small card, one large one, and eight of those

export function render(host) {
  return figure(host, {
    title: "What a cache weighs.",
    hint: "Choose a model, then a longer text, more sequences, fewer bits: does the cache still fit the memory?",
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
  let memory = 1; // which memory the bars are measured in
  const against = chips({
    names: MEMORIES.map((gb) => `${gb} GB`),
    title: "A full bar is",
    onpick: (k) => {
      memory = k;
      draw();
    },
  });
  const again = restart(get, set, ["model", "length", "batch", "bits"]);
  const sizes = bars({ names: ["all heads (MHA)", "as published", "one (MQA)"], title: "Bytes of cache" });
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
    against.draw(memory);
    const full = MEMORIES[memory] * 1e9;
    const part = (
      x,
    ) => (x > full ? `${(x / full).toFixed(x < 10 * full ? 1 : 0)} × ${MEMORIES[memory]} GB` : percent(x / full));
    sizes.draw(bytes, { most: full, tell: (x) => `${readable(x)}, ${part(x)}`, on: 1 });
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
  const controls = h("div", { class: "attn-sliders" }, sliders.map((one) => one.el));
  return {
    parts: [model.el, bits.el, against.el, row(controls, sizes.el, again), formula, source, unknown],
    draw,
    sentence,
  };
}
