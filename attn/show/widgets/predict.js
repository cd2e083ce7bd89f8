// A question with a place to guess. The answer comes after the guess, with a reply to it; the guess is kept.
import { figure, h, mark, number, vector, write } from "../kit/kit.js";
import { fly } from "../kit/motion.js";
import { plot } from "../kit/plane.js";

const SHELF = "attn:guesses"; // in this browser, by question; never sent

export function render(host) {
  recall(host.model);
  return figure(host, {
    title: "Predict.",
    hint: host.model.get("question"),
    shape: ["choices", "answer", "marks"],
    state: ["guess", "shown", "replies", "because"],
    back: false,
    build: (get, set) => build(get, set, host.el),
  });
}

// {question: guess}, [] for one who asked for the answer
function shelf(change = null) {
  try {
    const all = JSON.parse(localStorage.getItem(SHELF)) || {};
    if (change) localStorage.setItem(SHELF, JSON.stringify({ ...all, ...change }));
    return all;
  } catch {
    return {}; // a private window forgets; what was damaged begins anew with the next guess
  }
}

function recall(model) {
  const [kept, choices, size] = [shelf()[model.get("question")], model.get("choices"), model.get("answer").length];
  if (!Array.isArray(kept) || model.get("guess").length || model.get("shown")) return;
  const fits = kept.length === size &&
    kept.every((x) => choices.length ? choices[x] !== undefined : Number.isFinite(x));
  if (!fits && kept.length) return;
  model.set(...(kept.length ? ["guess", kept] : ["shown", true]));
  model.save_changes();
}

// 12, −3, 0.5, 0,5, 1/3, 1e6, 50 %: a number as people type it, NaN if it is none. Where percent are asked for and
// are more than one, 0.99 or 1/3 is a share.
function parsed(typed, unit, answer) {
  const plain = typed.replace(unit, "").replace(/[\s_]/g, "").replace("−", "-");
  const [over, under = "1"] = plain.replace(/%$/, "").replace(/^([1-9]\d*),(?=\d{3}\b)/, "$1").replace(",", ".").split(
    "/",
  );
  if (!over || !under) return NaN;
  const told = Number(over) / Number(under), share = unit === "%" && answer > 1 && told < 1 && !typed.includes("%");
  if (share) return Number((100 * told).toPrecision(12));
  return told / (plain.endsWith("%") ? 100 : 1);
}

// A guess as a reader types it: 0.25, not 0.250.
const asTyped = (x) => number(x, 6).replace(/(\.\d*[1-9])0+$|\.0+$/, "$1");

// On a page of the book: the folded outputs between a question and the next words, which answer it.
function answers(el) {
  const found = [];
  let cell = el.closest(".cell");
  while ((cell = cell && cell.nextElementSibling) && cell.matches(".cell")) {
    if (cell.matches(".tag_hide-output")) {
      found.push(...cell.querySelectorAll("details.below-input, details.above-output"));
    }
  }
  return found;
}

function build(get, set, el) {
  const [question, choices, answer, unit] = ["question", "choices", "answer", "unit"].map(get);
  const open = () => get("guess").length > 0 || get("shown");
  const tell = (guess, write = (x) => number(x, get("digits"))) => {
    if (choices.length) return `“${choices[guess[0]]}”`;
    if (guess.length > 1) return vector(guess);
    return write(guess[0]) + (unit && !/^[%°]/.test(unit) ? " " : "") + unit;
  };
  const commit = (guess, shown = false) => {
    shelf({ [question]: guess.length || shown ? guess : undefined });
    set({ guess, shown });
  };
  const ask = choices.length ? options(choices, question) : answer.length > 1 ? point(get) : field(unit, answer[0]);
  const reveal = h("button", { type: "button", onclick: () => commit([], true) }, "Show the answer");
  const again = h("button", { type: "button", onclick: () => (commit([]), ask.focus()) }, "↺ Ask me again");
  const form = h(
    "form",
    {
      class: "attn-guess",
      onsubmit: (event) => {
        event.preventDefault();
        const guess = ask.value();
        if (guess) commit(guess);
      },
    },
    ask.el,
    h("div", { class: "attn-chips" }, h("button", {}, "This is my guess"), reveal, again),
  );
  const far = choices.length || answer.length > 1 ? null : distance(unit, get("tolerance"), tell);
  function draw() {
    reveal.hidden = open();
    again.hidden = !open();
    mark(form, "data-open", open());
    ask.draw(get("guess"), open() ? answer : null);
    far?.draw(open() ? get("guess") : [], answer, Boolean(named()));
    for (const fold of answers(el)) fold.open = open();
  }
  // The reply to a guess that a mistake leads to.
  function named() {
    const guess = get("guess");
    const fits = ([low, high]) => guess.length && guess.every((x, i) => low[i] <= x && x <= high[i]);
    return get("replies").find(fits);
  }
  function sentence() {
    const guess = get("guess");
    if (!open()) return `Predict: ${question}${choices.length ? ` (${choices.join(" / ")})` : ""}`;
    const off = Math.hypot(...guess.map((x, i) => x - answer[i]));
    const right = guess.length > 0 && off <= get("tolerance") * (1 + 1e-9);
    const reply = right ? null : named();
    const verdict = right ? "Right." : guess.length && `You said ${tell(guess, asTyped)}.`;
    return [verdict, reply && reply[2], `The answer: ${tell(answer)}.`, get("because")].filter(Boolean).join(" ");
  }
  return { parts: far ? [form, far.el] : [form], draw, sentence };
}

// How far a guess was from the answer, both on one line; numbers above zero stand by how many times one is the other.
function distance(unit, tolerance, tell) {
  const rail = "position:relative;max-width:30rem;height:3.4rem;margin:0.6rem 1.4rem 0;" +
    "background:linear-gradient(var(--attn-edge) 0 0) 0 50% / 100% 1.5px no-repeat";
  const [line, told] = [h("div", { style: rail, "aria-hidden": "true" }), h("p", { class: "attn-note" })];
  const el = h("div", { class: "attn-far", hidden: true }, line, told);
  const place = (x) => `position:absolute;top:50%;left:${(100 * x).toFixed(2)}%;white-space:nowrap;`;
  const disc = "width:0.9rem;height:0.9rem;margin:-0.45rem;border-radius:50%;box-sizing:border-box;border:2.5px solid ";
  function draw([guess], [answer], named) { // of a guess that is named as a mistake, only how far it is
    el.hidden = guess === undefined;
    if (el.hidden) return;
    const share = unit === "%" && Math.min(guess, answer) >= 0 && Math.max(guess, answer) <= 100;
    const times = !share && guess > 0 && answer > 0;
    const [a, b] = [guess, answer].map((x) => (times ? Math.log10(x) : x));
    const reach = Math.max(Math.abs(a), Math.abs(b), 1e-9);
    const low = share ? 0 : times ? Math.floor(Math.min(a, b) - 1e-9) : -1.2 * reach;
    const high = share ? 100 : times ? Math.ceil(Math.max(a, b) + 1e-9) : 1.2 * reach;
    const step = Math.max(1, Math.ceil((high - low) / 6));
    const marks = share
      ? [0, 50, 100].map((x) => [x, `${x}%`])
      : times
      ? Array.from({ length: high - low + 1 }, (_, k) => low + k).filter((x) => (x - low) % step === 0).map((
        x,
      ) => [x, number(10 ** x, Math.max(0, -x))])
      : [[0, "0"]];
    const at = (x) => (x - low) / (high - low);
    const dot = (name, x, colours, left) => {
      const side = `position:absolute;bottom:0.75rem;${left ? "right" : "left"}:-0.2rem;font-weight:700`;
      return h("span", { style: place(at(x)) + disc + colours }, h("span", { style: side }, name));
    };
    const yours = dot("yours", a, "var(--attn-text);background:var(--attn-paper)", b >= a);
    const full = "var(--attn-accent);background:var(--attn-accent);color:var(--attn-accent)";
    const truth = dot("answer", b, full, b < a);
    const scale = marks.map(([x, name]) =>
      h("small", { style: `${place(at(x))}translate:-50% 0.5rem;color:var(--attn-soft)` }, name)
    );
    line.replaceChildren(...scale, yours, truth);
    const factor = Math.max(guess / answer, answer / guess);
    const off = times ? factor : Math.abs(guess - answer);
    const near = times ? factor < 2 : off < 0.15 * (high - low);
    const way = times ? (guess < answer ? "too small" : "too large") : guess < answer ? "too low" : "too high";
    const size = times ? `${number(off, off < 10 ? 2 : 0)} times` : share ? `${number(off, 1)} points` : tell([off]);
    const right = Math.abs(guess - answer) <= tolerance * (1 + 1e-9);
    write(told, right ? "On the spot." : `${named ? "" : near ? "Near: " : "Far: "}${size} ${way}.`);
    fly(truth, yours, { time: 700 });
  }
  return { el, draw };
}

function options(choices, name) {
  const inputs = choices.map((_, i) => h("input", { type: "radio", name: "guess", value: String(i), required: true }));
  const labels = choices.map((choice, i) => h("label", {}, inputs[i], ` ${choice}`));
  return {
    el: h("div", { class: "attn-options", role: "radiogroup", "aria-label": name }, labels),
    value: () => [inputs.findIndex((input) => input.checked)],
    focus: () => inputs[0].focus(),
    draw(guess, answer) {
      inputs.forEach((input, i) => input.checked = guess[0] === i);
      labels.forEach((one, i) => mark(one, "data-right", answer && answer[0] === i));
    },
  };
}

function field(unit, answer) {
  const input = h("input", {
    type: "text",
    size: 8,
    inputmode: "text",
    autocomplete: "off",
    required: true,
    oninput: () => input.setCustomValidity(""),
  });
  return {
    el: h("label", {}, "My guess: ", input, ` ${unit}`),
    value() {
      const guess = parsed(input.value, unit, answer);
      if (Number.isFinite(guess)) return [guess];
      input.setCustomValidity("A number, please: 12, 0.5, 1/3 or 1e6.");
      input.reportValidity();
      return null;
    },
    focus: () => input.focus(),
    draw(guess) {
      if (!guess.length) input.value = "";
      else if (unit === "%" || parsed(input.value, unit) !== guess[0]) input.value = asTyped(guess[0]);
    },
  };
}

// A point to drag on the plane, from its middle; named points are arrows.
function point(get) {
  const [reach, marks] = [0.8 * get("reach"), Object.entries(get("marks"))];
  const board = plot({ name: "The plane of the guess", tall: 1 });
  board.frame([[-reach, -reach], [reach, reach]]);
  for (const [name, place] of marks) board.add("arrow", { name }).put([[0, 0], place]);
  const star = board.add("point", { name: "answer", tone: "value", size: 7 });
  const grip = board.add("point", { heard: "my guess", drag: (to) => move(to) });
  let at = [0, 0];
  const move = (to) => {
    at = to;
    grip.put([at]);
    board.draw();
  };
  return {
    el: board.el,
    value: () => at,
    focus: () => grip.el.focus(),
    draw(guess, answer) {
      star.put([answer || [0, 0]], { hidden: !answer });
      move(guess.length ? guess : [0, 0]);
    },
  };
}
