// Slide the gate and the strength: which writes does each question still see?
import { chips, figure, h, legend, matrix, number, quoted, row, slider } from "../kit/kit.js";
import { dot } from "../kit/linalg.js";
import { remember, seen } from "../kit/memory.js";

export function render(host) {
  return figure(host, {
    title: "Which writes are still seen?",
    hint:
      "The names were written from left to right, with values 1, 2, 3, …; a row shows what its question sees of each write.",
    shape: ["K", "tokens"],
    state: ["alpha", "beta", "erase"],
    build,
  });
}

function build(get, set) {
  const [K, tokens] = [get("K"), get("tokens")];
  const questions = [...new Set(tokens)];
  const most = Math.max(...K.map((key) => dot(key, key))) * 2; // one write at the largest β
  const rule = chips({ names: ["adding", "correcting"], title: "rule", onpick: (i) => set({ erase: i === 1 }) });
  const gate = slider({ title: "α", min: 0, max: 1, step: 0.01, oninput: (alpha) => set({ alpha }) });
  const strength = slider({ title: "β", min: 0, max: 2, step: 0.05, oninput: (beta) => set({ beta }) });
  const table = matrix({
    name: "seen of each write",
    rows: questions,
    cols: tokens.map((name, i) => `${name} = ${i + 1}`),
    size: [questions.length, tokens.length],
    most,
  });
  const answers = matrix({
    name: "reads",
    rows: questions,
    cols: ["answer"],
    size: [questions.length, 1],
    kind: "plain",
  });
  const scale = legend({ kind: "signed", values: [[-most, most]], most });

  const known = () => {
    const state = remember(K, { alpha: get("alpha"), beta: get("beta"), erase: get("erase") });
    const rows = questions.map((name) => seen(K[tokens.indexOf(name)], state));
    const reads = rows.map((line) => line.reduce((sum, x, j) => sum + x * (j + 1), 0));
    return { rows: rows.map((line) => line.map((x) => (Math.abs(x) < 5e-4 ? 0 : x))), reads };
  };
  function draw() {
    const { rows, reads } = known();
    rule.draw(Number(get("erase")));
    gate.draw(get("alpha"));
    strength.draw(get("beta"));
    table.draw(rows);
    answers.draw(reads.map((x) => [Math.abs(x) < 5e-4 ? 0 : x]));
  }
  function sentence() {
    const told = known().reads.slice(0, 6).map((x, i) =>
      `${quoted(questions[i])} reads ${number(Math.abs(x) < 5e-4 ? 0 : x)}`
    ).join(", ");
    const name = get("erase") ? "Correcting" : "Adding";
    return `${name}, α = ${number(get("alpha"))}, β = ${number(get("beta"))}: ${told}.`;
  }
  const controls = h("div", { class: "attn-sliders" }, gate.el, strength.el);
  return { parts: [rule.el, controls, row(table.el, answers.el), scale.el], draw, sentence };
}
