// The key–value cache of real models, as published and with more or fewer key–value heads: all areas to one scale,
// cells of 1 GiB.
import { chips, either, figure, h, mark, percent, restart, svg, write } from "../kit/kit.js";
import { glide } from "../kit/gliding.js";
import { doubling, grouped, readable } from "../kit/sizes.js";

const BITS = [4, 8, 16, 32];
const GIB = 2 ** 30;
const MEMORIES = [[24, 4, "a small GPU"], [80, 8, "a large GPU"], [640, 32, "eight large GPUs"]]; // GiB, so many in a row
const SCALE = "The weights, which lie in the memories too, are not drawn.";
const LEAST = 0.06; // of a cell is still seen

const RULES = [
  ".attn-live .attn-models button { padding-inline: 0.42rem; font-size: 0.775em; }",
  ".attn-models { gap: 0.3rem; }",
  ".attn-live .attn-sliders { grid-template-columns: max-content 1fr 5rem; }",
  ".attn-pour { --u: min(15.5px, 100cqw / 32.2); display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) calc(32 * var(--u) + 2px); gap: 0.7rem 1rem; align-items: end; }",
  ".attn-pour > :first-child { grid-column: 1 / 3; }",
  ".attn-pour > :last-child { grid-area: 1 / 3 / 3; }",
  ".attn-live .attn-cache { display: grid; grid-template-columns: 1.1rem 1fr auto; gap: 0.35rem; align-items: center; width: 100%; min-height: 2rem; margin-top: 0.25rem; padding-inline: 0.45rem; font-size: 0.92em; white-space: nowrap; text-align: left; }",
  ".attn-cache > i { aspect-ratio: 1; border: 1px solid var(--attn-edge); background: color-mix(in srgb, var(--attn-bar) var(--tint), transparent); }",
  ".attn-memory, .attn-unit { position: relative; font-size: 13px; line-height: 1.4; }",
  ".attn-memory > * { display: block; white-space: nowrap; letter-spacing: -0.01em; }",
  ".attn-pour svg { display: block; overflow: visible; }",
  ".attn-memory > svg { margin-bottom: 0.4rem; }",
  ".attn-memory path { fill: var(--attn-bar); }",
  ".attn-memory rect { fill: none; stroke: var(--attn-text); stroke-width: 2px; vector-effect: non-scaling-stroke; }",
  ".attn-pour .attn-cells { fill: none; stroke: var(--attn-line); vector-effect: non-scaling-stroke; }",
  ".attn-memory[data-over] { color: var(--attn-debt); }",
  ".attn-memory[data-over] path { fill: var(--attn-debt); }",
  ".attn-memory[data-over] rect { stroke: var(--attn-debt); }",
  // what would fit keeps its outline over one that does not
  ".attn-memory[data-over] path[data-fits] { stroke: var(--attn-paper); stroke-width: 3.5px; vector-effect: non-scaling-stroke; }",
  ".attn-memory text { fill: var(--attn-paper); stroke: var(--attn-debt); stroke-width: 0.4px; paint-order: stroke; font-size: 1.15px; font-weight: 700; letter-spacing: 0; }",
  ".attn-memory:not([data-over]) text { display: none; }",
  ".attn-memory[data-over] > span + span { font-weight: 700; }",
  ".attn-unit { position: absolute; bottom: calc(100% + 0.4rem); left: 0; display: flex; gap: 0.4rem; align-items: center; color: var(--attn-soft); }",
  ".attn-unit > svg { box-sizing: border-box; width: calc(var(--u) + 1px); border: 1px solid var(--attn-edge); }",
  // a bold name would be wider, and its row would wrap
  ".attn-live .attn-chip[aria-pressed='true'] { font-weight: 400; -webkit-text-stroke: 0.6px; }",
  "@media (max-width: 640px) { .attn-pour { grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 0.5rem; } .attn-pour > :last-child { grid-area: auto / 1 / auto / 3; } }",
].join("");

export function render(host) {
  return figure(host, {
    title: "What a cache weighs.",
    hint: "Lengthen the text: which cache fits which memory? Keep fewer heads.",
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

const tint = (k, poured) => k === poured ? "100%" : k < poured ? `${20 + 22 * k}%` : "0%";

// So many GiB of a memory, from its floor upwards, row by row of cells of 1 GiB
function area(held, [size, wide]) {
  const [high, x] = [size / wide, Math.min(Math.max(held, LEAST), size)];
  const rows = Math.floor(x / wide);
  const part = x - rows * wide;
  return `M0 ${high}h${wide}v${-rows}h${part - wide}v${-Math.ceil(part / wide)}H0z`;
}

function memory([size, wide, whose]) {
  const [high, [part, room]] = [size / wide, [h("span"), h("span")]];
  const areas = [0, 1, 2].map(() => svg("path"));
  const names = areas.map(() => svg("text", { x: 0.4 })); // of what would fit, in one that is too full
  const lines = [
    ...Array.from({ length: wide - 1 }, (_, j) => `M${j + 1} 0v${high}`),
    ...Array.from({ length: high - 1 }, (_, i) => `M0 ${i + 1}h${wide}`),
  ];
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${wide} ${high}`, style: `width: calc(${wide} * var(--u))`, "aria-hidden": "true" },
    areas,
    svg("path", { class: "attn-cells", d: lines.join("") }),
    svg("rect", { width: wide, height: high }),
    names,
  );
  const el = h(
    "div",
    { class: "attn-memory" },
    drawing,
    h("span", {}, h("strong", {}, `${size} GiB`), `, ${whose}`),
    part,
    room,
  );
  function fill(held, poured, kept) {
    areas.forEach((one, k) => {
      const fits = held[k] <= size;
      one.setAttribute("d", area(held[k], [size, wide]));
      one.style.fillOpacity = tint(k, poured);
      mark(one, "data-fits", fits);
      // over its outline, where that is no other's and as far below it as letters are high
      const [over, last] = [held[k - 1], Math.ceil(held[k] / wide)];
      const apart = k && (over > size ? high : Math.floor(over / wide)) - last > 2;
      names[k].setAttribute("y", high - last - 0.4);
      write(names[k], fits && wide > 8 && apart ? kept[k] : "");
    });
  }
  function tell(bytes, tokens) {
    const share = bytes / GIB / size;
    mark(el, "data-over", share > 1);
    write(part, share > 1 ? "does not fit" : `${percent(share)} full`);
    write(
      room,
      share > 1
        ? `takes ${grouped(Math.ceil(share - 1e-9))} of these`
        : `holds ${grouped(Math.floor(tokens / share))} tokens`,
    );
  }
  return { el, fill, tell };
}

function build(get, set) {
  const [names, models, sources] = ["names", "models", "sources"].map(get);
  const at = () => names.indexOf(get("model"));
  const model = either(names, "Model", (k) => set({ model: names[k] }));
  model.el.classList.add("attn-models");
  const [whole, weighed] = [h("small"), h("span")];
  const hero = h("p", { class: "attn-hero" }, whole, weighed);
  const keep = h("small", {}, "Key–value heads that are kept:");
  const bits = chips({ names: BITS.map(String), title: "Bits a number", onpick: (k) => set({ bits: BITS[k] }) });
  const sliders = [
    doubling("tokens", 20, (length) => set({ length })),
    doubling("sequences", 10, (batch) => set({ batch })),
  ];
  let poured = 1; // which cache stands in the memories
  const kinds = [
    (all) => `all ${all} heads (MHA)`,
    (_, shared, kind) => `${shared} as published (${kind})`,
    () => "one head (MQA)",
  ];
  const caches = kinds.map((_, k) => {
    const [name, told] = [h("span"), h("strong")];
    const onclick = () => {
      poured = k;
      draw();
    };
    const el = h(
      "button",
      { type: "button", class: "attn-cache", onclick },
      h("i", { "aria-hidden": "true" }),
      name,
      told,
    );
    return { el, name, told };
  });
  const memories = MEMORIES.map(memory);
  memories[0].el.prepend(
    h("span", { class: "attn-unit" }, svg("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }), "= 1 GiB"),
  );
  // all three are seen at once: the chosen one is full, larger ones are pale
  const paint = glide((held) => {
    const [, , heads, shared] = models[at()];
    const kept = [heads, shared, 1].map((g) => `${g} head${g === 1 ? "" : "s"} would fit`);
    memories.forEach((one) => one.fill(held, poured, kept));
  }, 300);
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
    paint(bytes.map((held) => held / GIB));
    caches.forEach(({ el, name, told }, k) => {
      el.style.setProperty("--tint", tint(k, poured));
      write(name, kinds[k](heads, shared, kind));
      write(told, readable(bytes[k]));
      el.setAttribute("aria-pressed", String(k === poured));
    });
    memories.forEach((one) => one.tell(bytes[poured], get("length") * get("batch")));
    const taken = [heads, shared, 1][poured];
    const factors = [taken, width, layers, get("length"), get("batch"), get("bits")];
    const whose = ["with all its heads, MHA", `as published, ${kind}`, "with one head, MQA"][poured];
    write(whole, `${get("model")}, ${kinds[poured](heads, shared, kind)}`);
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
      h(
        "div",
        { class: "attn-stage" },
        h("div", { class: "attn-pour" }, [
          h("div", {}, hero, keep, caches.map(({ el }) => el)),
          ...memories.map(({ el }) => el),
        ]),
      ),
      formula.el,
      source.el,
    ],
    draw,
    sentence,
  };
}
