// A question with a place to guess. The answer comes after the guess, with a reply to it; the guess is kept.
import { figure, h, mark, number, vector, write } from "../kit/kit.js";
import { fly } from "../kit/motion.js";
import { plot } from "../kit/plane.js";

const SHELF = "attn:guesses"; // in this browser, by question; never sent

const RULES = `
.attn-guess, .attn-asked, .attn-options { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.6rem }
.attn-guess { margin-top: 0.7rem }
.attn-live .attn-asked > .attn-chips { margin: 0; gap: 0.5rem 0.6rem }
.attn-live .attn-guess [type="text"] { width: 6rem; padding-block: 0.2rem; border: 2px solid var(--attn-accent); background: var(--attn-wash); font-weight: 700; text-align: center }
.attn-live .attn-guess button { min-height: 2.1rem }
.attn-live .attn-go:is(*, :hover) { border-color: var(--attn-accent); background: var(--attn-accent); color: var(--attn-paper); font-weight: 700 }
.attn-live .attn-go[aria-disabled="true"] { border-color: var(--attn-edge); background: none; color: var(--attn-soft) }
.attn-live .attn-far { margin: 0 0 0 0.4rem }
.attn-live .attn-first { grid-area: 3 / 1; margin: 0.8rem 0 0 }
.attn-live .attn-options button { display: inline-flex; align-items: center; padding: 0.2rem 0.9rem 0.2rem 0.6rem; border-radius: 1.1rem; overflow-wrap: anywhere; text-align: start }
.attn-options button::before {
  content: ""; display: inline-block; box-sizing: border-box; width: 1.15rem; height: 1.15rem; margin-right: 0.5rem;
  border: 1.5px solid var(--attn-edge); border-radius: 50%; flex: none;
  color: var(--attn-paper); font: 700 0.75rem/1 system-ui, sans-serif; line-height: calc(1.15rem - 3px); text-align: center; text-shadow: none
}
.attn-options button:hover:not([aria-disabled="true"])::before { border: 5px solid var(--attn-accent) }
.attn-live .attn-options [data-mine] { --one: var(--attn-debt) }
.attn-live .attn-options [data-right][data-right] { --one: var(--attn-accent) }
.attn-live .attn-options :is([data-mine], [data-right]) {
  border-color: var(--one); background: color-mix(in srgb, var(--one) 9%, var(--attn-paper)); color: var(--attn-text);
  text-shadow: 0.5px 0 currentColor
}
.attn-options :is([data-mine], [data-right])::before { content: "✗" / ""; border-color: var(--one); background: var(--one) }
.attn-options [data-right]::before { content: "✓" / "" }
.attn-rail { position: relative; order: -1; flex: 1 1 100%; height: 3.8rem; margin: 0 0.9rem 1.2rem }
.attn-rail :is(i, span, small) { position: absolute; top: 50%; white-space: nowrap }
.attn-rail > span { display: contents }
.attn-rail > i { inset-inline: -4px; height: 8px; margin-top: -4px; border-radius: 4px; background: linear-gradient(var(--attn-accent) 0 0) no-repeat 0 / calc(100% * var(--set, 0)) var(--attn-line) }
.attn-rail .attn-join { z-index: 1; height: 8px; margin-top: -4px; background: linear-gradient(var(--way), var(--attn-accent), var(--attn-debt)); pointer-events: none }
.attn-rail small { translate: -50% 0.8rem; color: var(--attn-soft) }
.attn-rail small::before { content: ""; position: absolute; left: 50%; bottom: 100%; height: 0.45rem; border-left: 1px solid var(--attn-edge) }
.attn-rail i::before, .attn-rail i::after { position: absolute; left: 50%; translate: -50%; color: var(--attn-accent); font-style: normal }
.attn-rail i.attn-disc::before { content: "‹  ›" / ""; font-size: 1.3rem; line-height: 0.65 }
.attn-rail i.attn-disc::after { content: "drag, or type" / ""; bottom: 1.7rem }
.attn-rail .attn-disc { z-index: 2; box-sizing: border-box; width: 1.3rem; height: 1.3rem; margin: -0.65rem; border: 2.5px solid transparent; border-radius: 50%; pointer-events: none }
.attn-rail i.attn-disc { border-color: var(--attn-accent); background: var(--attn-paper); outline: 5px solid var(--attn-wash) }
.attn-rail .attn-early { border-color: var(--attn-debt); background: var(--attn-paper); color: var(--attn-debt) }
.attn-rail .attn-true { border-color: var(--attn-paper); background: var(--attn-debt); color: var(--attn-debt); font-weight: 700 }
.attn-true::before { content: "✓" / ""; position: absolute; inset: 0; color: var(--attn-paper); font-size: 0.75rem; line-height: calc(1.3rem - 5px); text-align: center }
.attn-rail .attn-disc > span { inset: auto auto 1.1rem 50%; translate: calc(-100% * var(--at)) }
.attn-rail :is(.attn-now, .attn-yours) { color: var(--attn-accent); font-weight: 700 }
.attn-rail :is(.attn-yours, .attn-early) > span { inset: 2.4rem auto auto 50% }
.attn-rail input {
  position: absolute; left: -0.65rem; top: 50%; z-index: 1; width: calc(100% + 1.3rem); height: 1.8rem; margin: -0.9rem 0 0;
  appearance: none; background: none; cursor: grab
}
.attn-rail ::-webkit-slider-thumb {
  appearance: none; box-sizing: border-box; width: 1.3rem; height: 1.3rem; border: 2.5px solid var(--attn-accent); border-radius: 50%; background: var(--thumb, var(--attn-accent))
}
.attn-rail ::-moz-range-thumb { box-sizing: border-box; width: 1.3rem; height: 1.3rem; border: 2.5px solid var(--attn-accent); border-radius: 50%; background: var(--thumb, var(--attn-accent)) }
.attn-live .attn-rail input:focus-visible { outline: none; box-shadow: none }
.attn-rail :focus-visible::-webkit-slider-thumb { outline: 3px solid var(--attn-text); outline-offset: 2px }
.attn-rail :focus-visible::-moz-range-thumb { outline: 3px solid var(--attn-text); outline-offset: 2px }
.attn-rail[inert] { order: 1 }
.attn-rail > :focus-visible ~ span > i { visibility: hidden }
.attn-rail > [data-unset] { --thumb: var(--attn-paper) }
.attn-rail > [data-unset]:not(:focus-visible) { opacity: 0 }
.attn-guess .attn-plane g[data-unset] > :last-child { fill: var(--attn-paper) }
@media (forced-colors: active) {
  .attn-rail {
    forced-color-adjust: none; --attn-accent: Highlight; --attn-paper: Canvas; --attn-line: GrayText; --attn-edge: CanvasText;
    --attn-debt: CanvasText; --attn-wash: Canvas; --attn-soft: CanvasText; --attn-text: CanvasText
  }
}`;

export function render(host) {
  recall(host.model);
  return figure(host, {
    title: "Predict.",
    hint: host.model.get("question"),
    shape: ["choices", "answer", "marks", "steps"],
    state: ["guess", "shown", "again", "replies", "because"],
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
  const open = () => (get("guess").length > 0 && !get("again")) || get("shown");
  const right = (guess) => off(guess) <= get("tolerance") * (1 + 1e-9);
  const off = (guess) => Math.hypot(...guess.map((x, i) => x - answer[i]));
  const tell = (guess, write = (x) => number(x, get("digits"))) => {
    if (choices.length) return `“${choices[guess[0]]}”`;
    if (guess.length > 1) return vector(guess);
    return write(guess[0]) + (unit && !/^[%°]/.test(unit) ? " " : "") + unit;
  };
  // A first guess that is wrong gets its reply, and no answer yet; where two can be chosen, it is the answer
  const commit = (guess, shown = false) => {
    const again = guess.length > 0 && !right(guess) && !get("guess").length && choices.length !== 2;
    shelf({ [question]: (guess.length || shown) && !again ? guess : undefined });
    set({ guess, shown, again });
  };
  const mixed = Object.keys(get("steps") || {}).length > 0 && Object.keys(get("marks")).length === 3;
  const numeric = !choices.length && answer.length === 1;
  const ask = numeric
    ? field(get, tell)
    : choices.length
    ? options(choices, question, (k) => commit([k]))
    : point(get, () => weigh(), mixed && shares);
  const press = choices.length ? null : h("button", { class: "attn-go" }, "This is my guess"); // a choice is pressed, and that is the guess
  const reveal = h(
    "button",
    { type: "button", class: "attn-quiet", onclick: () => commit([], true) },
    "Show the answer",
  );
  const anew = h(
    "button",
    { type: "button", class: "attn-quiet", onclick: () => (commit([]), ask.focus()) },
    "↺ Ask me again",
  );
  const far = choices.length ? null : h("p", { class: "attn-note attn-far", role: "status" });
  const form = h(
    "form",
    {
      class: "attn-guess",
      oninput: () => weigh(),
      onsubmit: (event) => {
        event.preventDefault();
        if (!press || press.getAttribute("aria-disabled") === "true") return;
        const guess = ask.value();
        if (guess) commit(guess);
        else if (!numeric) write(far, "Drag the dot first.");
      },
    },
    numeric ? [] : ask.el,
    h("div", { class: "attn-asked" }, ask.list || [], h("div", { class: "attn-chips" }, press, reveal, anew), far),
    numeric ? ask.el : [], // the box comes first, by key
  );
  const promise = h(
    "p",
    { class: "attn-note attn-first" },
    choices.length === 2 ? "" : "A wrong first guess gets a hint.",
  );
  // What has been guessed is not guessed again, and what was shown is no guess: the button waits for another
  function weigh() {
    if (!press) return;
    const same = get("shown") || (get("guess").length > 0 && String(ask.held()) === String(get("guess")));
    press.setAttribute("aria-disabled", String(same));
  }
  let [opened, first] = [false, []]; // a first guess that was wrong stays in sight
  function draw() {
    if (get("again") || !open()) first = get("guess");
    reveal.hidden = open();
    anew.hidden = !open();
    mark(form, "data-said", open() || get("guess").length > 0);
    ask.draw(get("guess"), open() ? answer : null, first);
    if (far) {
      const guess = open() ? get("guess") : [];
      const how = !guess.length
        ? ""
        : numeric
        ? distance(guess[0], told(answer[0]), get, tell, Boolean(named()))
        : right(guess)
        ? "On the spot."
        : `${number(off(guess), 2)} away.`;
      write(far, how);
    }
    weigh();
    if (opened !== open()) { for (const fold of answers(el)) fold.open = open(); // else it is the reader's
     }
    opened = open();
  }
  // The answer as it is shown, so that guess and distance sum up to it
  function told(x) {
    const shown = Number(x.toFixed(get("digits")));
    return shown === 0 ? x : shown;
  }
  // The reply to a guess that a mistake leads to.
  function named() {
    const guess = get("guess");
    const fits = ([low, high]) => guess.length && guess.every((x, i) => low[i] <= x && x <= high[i]);
    return get("replies").find(fits);
  }
  function sentence() {
    const guess = get("guess");
    if (!open() && !guess.length) return `Predict: ${question}${choices.length ? ` (${choices.join(" / ")})` : ""}`;
    const fits = guess.length > 0 && right(guess), reply = fits ? null : named();
    const verdict = fits ? "Right." : guess.length && `You said ${tell(guess, asTyped)}.`;
    const why = reply ? reply[2] : get("again") && hint(guess);
    const end = get("again") ? ["Guess once more."] : [`The answer: ${tell(answer)}.`, get("because")];
    return [verdict, why, ...end].filter(Boolean).join(" ");
  }
  // What is said of a wrong guess that no known mistake leads to
  function hint([x, y]) {
    if (mixed) return mixture([x, y]);
    return numeric ? `Too ${x < answer[0] ? "low" : "high"}.` : "That is not it.";
  }
  // Of which weights of three points a guess is the average: [weight, name, point], three times
  function shares([x, y]) {
    const all = Object.entries(get("marks")), [[a, b], ...rest] = all.map(([, place]) => place);
    const [[c, d], [e, f]] = rest.map(([u, v]) => [u - a, v - b]);
    const area = c * f - d * e, [s, t] = [((x - a) * f - (y - b) * e) / area, (c * (y - b) - d * (x - a)) / area];
    return [1 - s - t, s, t].map((weight, i) => [weight, ...all[i]]);
  }
  function mixture(guess) {
    const parts = shares(guess);
    const terms = parts.map(([w, name]) => `${number(w, 2)} ${name}`).join(" + ").replaceAll("+ −", "− ");
    const over = parts.map(([w], i) => w - shares(answer)[i][0]);
    const most = parts[over.indexOf(Math.max(...over))][1];
    return `That is ${terms}: too much ${most}.${parts.some(([w]) => w < 0) ? " No weight is below 0." : ""}`;
  }
  // As long as the longest reply, and says nothing
  function longest() {
    const reply = get("replies").reduce(
      (long, [, , told]) => (told.length > long.length ? told : long),
      mixed ? mixture(answer) : "",
    );
    const guess = answer.length > 1 ? vector(answer.map(() => -10.123)) : `${tell(answer)}0000`;
    const all = `You said ${guess}. ${reply} The answer: ${tell(answer)}. ${get("because")}`;
    return `${all} 000 000`.replace(/\S/g, "c"); // of the usual width of a letter
  }
  return { parts: [h("style", {}, RULES), form, promise], draw, sentence, longest };
}

// How far a guess was from the answer: by how many times, where the answer is so many times something or the two are of
// different sizes; else by how much. Near is a tenth of the whole or a fifth of the number, far is a quarter or a half. Of
// a guess that is named as a mistake only how far it is.
function distance(guess, answer, get, tell, named) {
  if (Math.abs(guess - answer) <= get("tolerance") * (1 + 1e-9)) return "On the spot.";
  const [unit, span] = [get("unit"), get("span") || []];
  const share = shared(unit, guess, answer);
  const whole = share ? 100 : span.length ? span[1] - span[0] : 0;
  const factor = guess > 0 && answer > 0 ? Math.max(guess / answer, answer / guess) : Infinity;
  const counted = Number.isInteger(answer) && answer <= 100;
  const times = factor < Infinity && !whole && (unit === "times" || (factor >= 2 && !counted));
  const off = Math.abs(guess - answer), part = whole ? off / whole : off / Math.max(Math.abs(guess), Math.abs(answer));
  const [near, far] = times
    ? [factor < 1.25, factor >= 2]
    : [part <= (whole ? 0.1 : 0.2), part >= (whole ? 0.25 : 0.5)];
  const by = Number.isInteger(off) ? off : Number(off.toPrecision(2));
  const way = guess < answer ? "low" : "high", size = guess < answer ? "small" : "large";
  const told = times
    ? `${number(factor, factor < 10 ? 2 : 0)} times too ${size}`
    : share
    ? `${number(off, 1)} points too ${way}`
    : `${unit === "times" ? asTyped(by) : tell([by], asTyped)} too ${way}`;
  return `${named ? "" : near ? "Near: " : far ? "Far: " : ""}${told}.`;
}

const REST = 0.5; // where on its axis a thumb waits: in the middle, which says nothing

const shared = (unit, ...all) => unit === "%" && Math.min(...all) >= 0 && Math.max(...all) <= 100;

// The axis on which a number is guessed and judged: percent from 0 to 100, what is so many times another by powers of
// ten, wide, and made from likely mistakes too, so that it does not say where the answer is. Other numbers have one from
// the start only where the question says the whole, as a span: its ends would tell their sign, or how many there can be;
// else one that holds 0, the guesses and the answer is drawn with the answer. at(x) and from(t) go between a number and
// its place from 0 to 1; next(x, k) is k small steps on.
function axis(get) {
  const [[answer], unit] = [get("answer"), get("unit")];
  const ends = get("replies").flatMap(([low, high]) => [...low, ...high]).filter((x) => Math.abs(x) < 1e12);
  const digits = (x, size = 1) => Number(Number(x.toPrecision(12)).toFixed(Math.max(0, -Math.floor(Math.log10(size)))));
  const line = (low, high, fine, marks) => {
    const held = (x) => Math.min(Math.max(x, low), high);
    return {
      marks,
      at: (x) => (held(x) - low) / (high - low),
      from: (t) => digits(Math.round((low + t * (high - low)) / fine) * fine, fine),
      next: (x, k) => held(digits((Math.round(x / fine) + k) * fine, fine)),
    };
  };
  if (shared(unit, answer)) return () => line(0, 100, 1, [0, 50, 100].map((x) => [x, `${x}%`]));
  const ruler = (low, high) => {
    // counts one by one; else a hundredth or less, in the steps of a ruler
    const fine = Number.isInteger(answer) && high - low <= 1000 ? 1 : 10 ** Math.floor(Math.log10(high - low) - 2);
    return line(low, high, fine, [low, (low + high) / 2, high].map((x) => [x, asTyped(x)]));
  };
  const span = get("span") || []; // a figure that was stored before has none
  if (span.length) return () => ruler(...span);
  if (unit !== "times" || answer <= 0) {
    return (...all) => all[0] !== null && ruler(Math.min(0, answer, ...all), Math.max(0, answer, ...all) || 1);
  }
  const near = ends.map(Math.abs).filter((x) => x > answer / 1e4 && x < answer * 1e4);
  const tens = [answer, ...near].map(Math.log10);
  let [least, most] = [Math.floor(Math.min(...tens) - 1e-9), Math.ceil(Math.max(...tens) + 1e-9)];
  if (most - least < 3) {
    const uneven = get("question").length % 2;
    [least, most] = [least - 1 - uneven, most + 2 - uneven];
  }
  return (more) => {
    const low = more > 0 ? Math.min(least, Math.floor(Math.log10(more))) : least;
    const high = more > 0 ? Math.max(most, Math.ceil(Math.log10(more))) : most;
    const apart = Math.ceil((high - low) / 5);
    const marks = Array.from({ length: high - low + 1 }, (_, k) => low + k).filter((x) => (x - low) % apart === 0);
    const fine = (x) => 10 ** (Math.floor(Math.log10(x) + 1e-9) - 1); // two digits
    const round = (x) => digits(Math.round(x / fine(x)) * fine(x), fine(x));
    const held = (x) => Math.min(Math.max(x, 10 ** low), 10 ** high);
    return {
      marks: marks.map((x) => [10 ** x, number(10 ** x, Math.max(0, -x))]),
      at: (x) => x > 0 ? (Math.log10(held(x)) - low) / (high - low) : 0,
      from: (t) => round(10 ** (low + t * (high - low))),
      next: (x, k) => held(round(x + k * fine(k < 0 ? x * 0.999 : x))),
    };
  };
}

// A slider on the axis, to look at only where there is none before the answer. onmove(x); draw(x, answer): x is NaN as long as nothing is set, answer
// null before it.
function rail(get, onmove, tell) {
  const scaled = axis(get);
  let [now, line] = [NaN, scaled(null)];
  const slide = h("input", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    "aria-label": "a guess on the scale",
    oninput: () => onmove(line.from(Number(slide.value))),
    onclick: () => press(),
    onpointerup: ({ pointerType }) => pointerType === "mouse" || press(), // a finger on a thumb makes no click
  });
  const press = () => Number.isFinite(now) || onmove(line.from(Number(slide.value))); // also where its thumb waits
  slide.addEventListener("keydown", (event) => {
    const k = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!k) return;
    event.preventDefault();
    onmove(line.next(Number.isFinite(now) ? now : line.from(REST), k));
  });
  const place = (x) => `left:${100 * x}%`;
  // A dot on the line with its name: the answer's above it, the guess's below the numbers when the answer is there; each
  // leans inwards, so that none leaves the axis
  const disc = (kind, at, told) =>
    h(
      "span",
      { class: `attn-disc attn-${kind}`, style: place(at) },
      h("span", { style: `--at:${at}`, "aria-hidden": "true" }, told),
    );
  const shown = h("span");
  const el = h("div", { class: "attn-rail", inert: !line }, h("i"), slide, shown);
  let known = null;
  function draw(x, answer, was = []) {
    now = x;
    const [first = x] = was;
    const waits = answer === null && String(was) === String(x);
    const set = Number.isFinite(x);
    line = scaled(...answer === null ? [null] : set ? [x, first] : [answer]); // while one types, the axis stands still
    el.hidden = !line;
    if (!line) return known = answer;
    const at = set ? line.at(x) : REST;
    slide.value = at;
    el.style.setProperty("--set", set && !waits && answer === null ? at : 0); // nothing is filled before a guess, nor when it is judged
    mark(slide, "data-unset", !set || waits); // its thumb would be a guess that nobody made: a hollow one in a halo waits to be taken
    slide.setAttribute("aria-valuetext", set ? tell([x]) : "nothing set");
    const judged = set && answer !== null;
    const scale = line.marks.map(([x, told]) => h("small", { style: place(line.at(x)), "aria-hidden": "true" }, told));
    const end = answer === null ? 0 : line.at(answer);
    const truth = answer !== null &&
      disc("true", end, `answer ${tell([answer], (x) => number(x, get("digits")))}`);
    const yours = judged ? disc("yours", at, `yours ${tell([x])}`) : set && !waits && disc("now", at, tell([x]));
    const early = set && (waits || first !== x) &&
      disc("early", line.at(first), judged ? "" : "first guess");
    // from the guess to the answer: how far it was
    const join = judged &&
      h("i", {
        class: "attn-join",
        style: `${place(Math.min(at, end))};width:${100 * Math.abs(end - at)}%;--way:${end < at ? -90 : 90}deg`,
      });
    const ring = (!set || waits) && answer === null && h("i", { class: "attn-disc", style: place(at) }); // any press takes it along
    shown.replaceChildren(...[...scale, ring, join, early, yours, truth].filter(Boolean));
    if (truth && yours && known === null) fly(truth, slide, { time: 700 });
    known = answer;
  }
  return { el, draw };
}

// One of several: a press is the guess, and as long as the answer is not known, another may follow.
function options(choices, name, onpick) {
  const chips = choices.map((choice, i) =>
    h("button", {
      type: "button",
      onclick: () => chips[i].getAttribute("aria-disabled") === "false" && onpick(i),
    }, choice)
  );
  return {
    el: h("div", { class: "attn-options", role: "group", "aria-label": name }, chips),
    focus: () => chips[0].focus(),
    draw: ([guess], answer, [first]) =>
      chips.forEach((one, i) => {
        mark(one, "data-mine", i === guess || i === first);
        one.setAttribute("aria-pressed", String(guess === i));
        one.setAttribute("aria-disabled", String(answer !== null || guess === i));
        mark(one, "data-right", answer && answer[0] === i);
      }),
  };
}

// A number: typed, or set on the axis; what counts is what stands in the box.
function field(get, tell) {
  const [unit, [answer]] = [get("unit"), get("answer")];
  let [open, first] = [null, []];
  const input = h("input", {
    type: "text",
    size: 8,
    inputmode: "text",
    autocomplete: "off",
    placeholder: "?",
    required: true,
    oninput: () => (input.setCustomValidity(""), scale.draw(parsed(input.value, unit, answer), open, first)),
  });
  const scale = rail(get, (x) => {
    input.value = asTyped(x);
    input.setCustomValidity("");
    scale.draw(x, open, first);
  }, (x, write = asTyped) => tell(x, write));
  return {
    el: scale.el,
    list: h("label", {}, "My guess: ", input, ` ${unit}`),
    value() {
      const guess = parsed(input.value, unit, answer);
      if (Number.isFinite(guess)) return [guess];
      input.setCustomValidity("A number, please: 12, 0.5, 1/3 or 1e6.");
      input.reportValidity();
      return null;
    },
    held: () => parsed(input.value, unit, answer),
    focus: () => input.focus(),
    draw(guess, right, was) {
      if (!guess.length) input.value = "";
      else if (unit === "%" || parsed(input.value, unit) !== guess[0]) input.value = asTyped(guess[0]);
      [open, first] = [right && right[0], was];
      scale.draw([...guess, ...was, NaN][0], open, first); // what was guessed stays beside an answer asked for
    },
  };
}

// A point to drag on the plane, from its corner where the fewest points stand; named points are arrows.
// shares(guess) -> of which weights of the points it is the average: then its own way there is drawn, and the answer's.
function point(get, onmove, shares) {
  const [reach, marks, steps] = [0.8 * get("reach"), Object.entries(get("marks")), Object.entries(get("steps") || {})];
  const board = plot({ name: "The plane of the guess", tall: 1 });
  board.frame([[-reach, -reach], [reach, reach]]);
  if (steps.length) board.add("area", { tone: "value" }).put(marks.map(([, place]) => place));
  for (const [name, place] of marks) {
    const one = board.add("arrow", { name });
    one.put([[0, 0], place], { width: 1.5 });
    one.el.style.setProperty("--tone", "var(--attn-soft)"); // what is asked about is the dot
  }
  const join = board.add("line", { tone: "level" });
  // Arrows tip to tail from the middle; places: of each its end beyond the one before
  const walk = (names, tone) => {
    const arrows = names.map(() => board.add("arrow", { name: "", tone, merge: false }));
    return (places, told, hidden) => {
      let foot = [0, 0];
      arrows.forEach((arrow, i) => {
        const [x, y] = hidden ? foot : places[i];
        const ends = [foot, foot = [foot[0] + x, foot[1] + y]];
        arrow.put(ends, { hidden, width: tone === "value" ? 3 : 2, name: told[i] });
      });
    };
  };
  const [mine, right] = [walk(shares ? marks : [], "query"), walk(steps, "value")];
  const ghost = board.add("point", { name: "first guess", tone: "level", size: 7 });
  const star = board.add("point", { name: steps.length ? null : "answer", tone: "value", size: 7 });
  const grip = board.add("point", {
    name: "drag me",
    heard: "my guess",
    tone: "query",
    size: 7,
    drag: (to) => known || move(to.map((x) => Math.max(-reach, Math.min(reach, x)))),
  });
  // What no axis tells, in numbers: the points that are no whole ones, and where the dot is
  const place = h("dd", {});
  const entry = (name, value, tone) => h("div", { "data-tone": tone }, h("dt", {}, name), value);
  const short = (end) => vector(end, (x) => asTyped(Number(x.toFixed(3))));
  const drawn = marks.filter(([, end]) => !end.every(Number.isInteger)).map(([name, end]) =>
    entry(name, h("dd", {}, short(end)))
  );
  const list = h("dl", { class: "attn-places" }, drawn, entry(h("strong", {}, "your dot"), place, "query"));
  const corners = [[-1, 1], [1, 1], [-1, -1], [1, -1]].map((one) =>
    one.map((x) => Number((0.9 * x * reach).toPrecision(2)))
  );
  const free = (corner) => Math.min(...marks.map(([, [x, y]]) => Math.hypot(corner[0] - x, corner[1] - y)));
  const start = corners.toSorted((a, b) => free(b) - free(a))[0];
  let [at, moved, tried, known] = [start, false, false, null]; // where the dot stands at first is no guess
  const move = (to, by = true) => {
    [at, moved] = [to, by];
    write(place, short(at));
    mark(grip.el, "data-unset", !by && !known); // hollow, as the number's
    grip.put([at], { name: by || known ? "" : "drag me" });
    board.draw();
    onmove();
  };
  return {
    el: board.el,
    list,
    value: () => moved ? at : null,
    held: () => at,
    focus: () => grip.el.focus(),
    draw(guess, answer, first) {
      known = answer; // then the dot stays where the guess was
      grip.el.setAttribute("aria-disabled", String(known !== null));
      ghost.put([first.length ? first : start], { hidden: !first.length });
      star.put([answer || start], { hidden: !answer });
      right(steps.map(([, end]) => end), steps.map(([name]) => name), !answer);
      tried = guess.length > 0 || (tried && answer !== null); // what was guessed stays beside an answer that is asked for
      const told = guess.length ? guess : at, parts = shares && tried ? shares(told) : [];
      mine(
        parts.map(([weight, , end]) => end.map((x) => weight * x)),
        parts.map(([weight, name]) => answer ? "" : `${number(weight, 2)} ${name}`), // the sentence has told them
        !parts.length,
      );
      join.put(tried && answer ? [told, answer] : [start, start]);
      move(guess.length || answer ? told : start, guess.length > 0);
    },
  };
}
