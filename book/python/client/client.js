// The page's conductor: cells in order, one namespace, one thing at a time.

import { Kernel } from "./kernel.js";
import { add } from "./output.js";
import * as store from "./store.js";
import * as notebook from "./notebook.js";
import { makes, reads } from "./names.js";

const LIMIT = { run: 60, check: 20 }; // seconds until an endless answer is ended; the page shows them
const CHECK = /^\s*check\(\s*"([\d.]+)"\s*,\s*([\s\S]+)\)\s*$/;
const root = document.documentElement;
const $ = (selector, at = document) => at.querySelector(selector);
const LAST = /solution\("[\d.]+", reveal=True\) shows an answer/;
const UNLOCKED = "“One way to write it” below your code opens now";
const TRIED = "Your answer on the case of the report, beside what is right.";
const AGO = "Of an earlier answer. Run shows the one above.";
const NO_MORE = /^[\d.]+: that was the last hint/;
const ANOTHER = /\n# Another way\. (.*)\n([^]+)$/;
const CALL = /\b(hint|solution)\("[\d.]+"\)/;

// Put a text of a field into an element, where it stands.
function wrap(field, text, element) {
  for (const node of field.childNodes) {
    const at = node.nodeType === Node.TEXT_NODE ? node.data.indexOf(text) : -1;
    if (at < 0) continue;
    const found = node.splitText(at);
    found.splitText(text.length);
    found.replaceWith(element);
    element.append(found);
    return;
  }
}

class Cell {
  constructor(element, k) {
    Object.assign(this, {
      element,
      k,
      id: element.dataset.cell,
      needs: element.dataset.needs,
      ran: null,
      outputs: null,
      editor: null,
    });
    this.original = this.field.defaultValue;
    this.last = this.known = this.original; // what was typed last; what the browser's storage held when last seen
    this.seen = this.original; // the text whose outcome is shown
    this.check = CHECK.exec(this.original);
    this.predicts = /^\s*predict\(/.test(this.original);
    this.stored = this.output.innerHTML;
  }
  get field() {
    return $("[data-source]", this.element);
  }
  get output() {
    return $("[data-output]", this.element);
  }
  get text() {
    return this.field.value;
  }
  get fresh() {
    return this.ran !== null && this.ran === this.text;
  }
  set state(name) {
    this.output.dataset.state = name;
    this.output.toggleAttribute("aria-busy", name === "loading" || name === "running");
  }
  get state() {
    return this.output.dataset.state;
  }
  // Its outcome is out of date: it was changed since, or a cell above whose names it uses was.
  mark() {
    const stale = !this.predicts && (this.text !== this.seen || Boolean(this.above));
    this.element.toggleAttribute("data-stale", stale);
  }
  // An outcome has come: it belongs to this text, and to nothing older.
  told(text) {
    Object.assign(this, { seen: text, above: false });
    this.mark();
  }
  say(text) {
    const note = $(".note", this.element);
    if (note.textContent !== text) note.textContent = text;
  }
}

class Page {
  constructor(given) {
    this.given = given;
    this.name = $("script[data-page]").dataset.page;
    this.cells = given.cells.map((element, k) => new Cell(element, k));
    this.bar = $("[data-runs]");
    this.kernel = new Kernel(given);
    this.kernel.onload = (how) => this.loading(how);
    this.kernel.onlost = () =>
      this.cells.forEach((cell) => {
        cell.ran = null;
      });
    this.queue = [];
    this.scratches = new WeakMap();
    this.links = Object.entries(JSON.parse($("[data-sections]")?.textContent || "{}"));
    for (const cell of this.cells) this.pair(cell);
    this.restore();
    addEventListener("pagehide", () => this.leave());
    if (document.readyState === "complete") this.arrive();
    else addEventListener("load", () => requestAnimationFrame(() => this.arrive()));
    addEventListener("storage", (event) => this.elsewhere(event));
    document.addEventListener("input", ({ target }) => { // until the editor is there, and where it does not come
      const cell = this.cells.find((one) => one.field === target);
      if (cell && !cell.editor) this.typed(cell, cell.text);
    });
  }

  // A stub and the check below it are one exercise.
  pair(cell) {
    const next = this.cells[cell.k + 1];
    if (cell.check || !next?.check) return;
    Object.assign(cell, { exercise: next.check[1], checker: next, answer: cell.element.nextElementSibling });
    next.stub = cell;
  }

  // ---- what was typed

  restore() {
    const kept = store.texts(this.name);
    for (const cell of this.cells) {
      const entry = kept[cell.id];
      if (typeof entry?.text !== "string") continue;
      cell.known = entry.text;
      if (cell.text === cell.original) this.put(cell, entry.text);
      if (typeof entry.other === "string") this.aside(cell, entry.other);
      if (store.changed(entry, cell.original)) {
        cell.say("The course has changed this cell since you wrote yours; Reset shows the new one.");
      }
      delete kept[cell.id];
    }
    const lost = Object.keys(kept);
    this.gone = lost.length
      ? `${lost.length} of your texts belong to cells that this page no longer has; they stay in this browser.`
      : "";
    for (const cell of this.cells) if (cell.text !== cell.original) this.typed(cell, cell.text);
    this.recall();
    if (this.bar.dataset.exercises) this.progressed();
    else if (this.gone || store.trouble()) this.say("");
  }

  // The last verdict on each exercise stands where it stood, and says that it is an old one.
  recall() {
    const { exercises = {} } = store.progress();
    for (const cell of this.cells.filter((one) => one.exercise)) {
      const { text, passed, outputs, hints } = store.verdict(this.name, cell.id);
      if (typeof text !== "string" || !Array.isArray(outputs)) { // a browser that kept no verdicts yet
        cell.element.toggleAttribute("data-passed", Boolean(exercises[cell.exercise]?.passed));
        this.again(cell, hints);
        continue;
      }
      cell.output.replaceChildren();
      for (const one of outputs) this.place(add(cell.output, one));
      const last = Object.assign(document.createElement("p"), { className: "last", textContent: "As of last time:" });
      if (outputs.length) cell.output.prepend(last);
      this.again(cell, hints);
      cell.outputs = outputs;
      cell.checker.output.replaceChildren();
      for (const one of [cell, cell.checker]) one.told(one.text);
      if (text !== cell.text) this.follow(Object.assign(cell, { seen: text }), text);
      cell.element.toggleAttribute("data-passed", Boolean(passed) && text === cell.text);
    }
  }

  // The hints that were given, those on another mistake folded.
  again(cell, hints) {
    for (const one of Array.isArray(hints) ? hints : []) {
      if (Array.isArray(one?.[1])) { for (const text of one[1]) this.hinted(cell, String(one[0]), text); }
    }
    this.fold(cell, this.finding(cell));
  }

  // Keep what came of an answer.
  settle(cell, text, passed) {
    cell.element.toggleAttribute("data-passed", passed);
    this.keep(cell, { text, passed, outputs: cell.outputs ?? [] });
  }

  keep(cell, news) {
    store.verdict(this.name, cell.id, { ...store.verdict(this.name, cell.id), ...news });
  }

  put(cell, text) {
    if (cell.editor) cell.editor.set(text);
    else cell.field.value = text;
    if (!cell.editor && text !== cell.original) this.edit(cell);
    this.typed(cell, text);
  }

  typed(cell, text) {
    if (text === cell.last) return;
    const before = cell.last;
    cell.last = text;
    const other = store.keep(this.name, cell.id, text, cell.original, cell.known);
    cell.known = text;
    const reset = $("[data-reset]", cell.element);
    reset.hidden = text === cell.original && !cell.undo && !other;
    if (text !== cell.original && !other) {
      reset.textContent = "Reset";
      cell.undo = null;
    }
    cell.element.toggleAttribute("data-edited", text !== cell.original);
    for (const below of this.cells.slice(cell.k + 1)) below.ran = null;
    this.follow(cell, before);
    if (other && other !== cell.other) this.aside(cell, other);
    if (store.trouble()) this.say("");
  }

  // Mark what uses a name that a changed cell makes, or made.
  follow(cell, before) {
    cell.mark();
    const changed = new Set([...makes(before), ...makes(cell.text)]);
    for (const below of this.cells.slice(cell.k + 1)) {
      if (below.predicts || !reads(below.text).some((name) => changed.has(name))) continue;
      below.above = true;
      below.mark();
      for (const name of makes(below.text)) changed.add(name);
    }
  }

  // Two tabs have typed into one cell: the text that is not shown is a press away.
  aside(cell, other) {
    cell.other = other;
    Object.assign($("[data-reset]", cell.element), { hidden: false, textContent: "Other tab’s text" });
    cell.say("Another tab has typed into this cell too; its text is kept.");
  }

  elsewhere(event) {
    const id = store.cellOf(this.name, event.key);
    const cell = this.cells.find((one) => one.id === id);
    if (!cell || (document.hasFocus() && document.activeElement === cell.field)) return;
    const text = store.text(this.name, id) ?? cell.original;
    if (text === cell.text) return;
    cell.known = text;
    this.put(cell, text);
  }

  // Panels that were open above are gone after a reload: the reader finds the same cell in the middle of the window.
  leave() {
    const middle = innerHeight / 2;
    const cell = this.cells.findLast(({ element }) => element.getBoundingClientRect().top < middle);
    if (!cell) return store.place(this.name, null);
    const tried = cell.element.nextElementSibling;
    const last = cell.answer?.open ? cell.answer : tried?.matches(".scratch") ? tried : cell.element;
    const { bottom } = last.getBoundingClientRect();
    return store.place(this.name, { id: cell.id, top: cell.element.getBoundingClientRect().top, bottom });
  }

  arrive() {
    const was = store.place(this.name);
    const cell = this.cells.find((one) => one.id === was.id);
    if (!cell || performance.getEntriesByType("navigation")[0]?.type !== "reload") return;
    const [{ top, bottom }, middle] = [cell.element.getBoundingClientRect(), innerHeight / 2];
    scrollBy({
      top: was.bottom < middle ? bottom - was.bottom : Math.min(top - was.top, bottom - middle),
      behavior: "instant",
    });
  }

  visit(field) {
    const cell = this.cells.find((one) => one.element.contains(field)); // none: the editor has taken its place
    return cell && this.edit(cell);
  }

  edit(cell) {
    return cell.upgrading ||= import("./editor.js")
      .then(({ upgrade }) =>
        upgrade(cell.field, {
          run: () => this.press($("[data-run]", cell.element)),
          typed: (text) => this.typed(cell, text),
        })
      )
      .then((editor) => {
        cell.editor = editor;
        this.typed(cell, cell.text);
      })
      .catch(() => cell.field.closest(".highlight").classList.add("plain-field")); // it does as well
  }

  // ---- what is pressed

  press(button) {
    const cell = this.cells.find((one) => one.element.contains(button));
    const { dataset } = button;
    if ("run" in dataset) this.toLineStart(cell);
    if ("stop" in dataset) return this.stop();
    if ("reset" in dataset) return this.reset(cell);
    if (dataset.does === "rerun") return this.enqueue(this.retried(button));
    if (dataset.does) return this[dataset.does](cell?.stub || cell, button);
    if ("runAll" in dataset) return this.enqueue(cell ? this.cells.slice(0, cell.k) : this.cells);
    return cell.stub ? this.enqueue([cell]) : this.enqueue(cell.checker ? [cell, { check: cell }] : [cell], true);
  }

  // A narrow window has scrolled to what was typed last: back to where the lines begin.
  toLineStart(cell) {
    for (const one of cell.field.closest(".highlight").querySelectorAll("*")) if (one.scrollLeft) one.scrollLeft = 0;
    cell.field.closest(".highlight").scrollLeft = 0;
  }

  reset(cell) {
    if (cell.other) {
      const { other, text } = cell;
      cell.other = null;
      store.settled(this.name, cell.id);
      this.put(cell, other);
      cell.undo = text;
      return Object.assign($("[data-reset]", cell.element), { hidden: false, textContent: "Undo" });
    }
    if (cell.undo) {
      const text = cell.undo;
      cell.undo = null;
      return this.put(cell, text);
    }
    cell.undo = cell.text;
    this.put(cell, cell.original);
    cell.undo ||= null;
    const button = $("[data-reset]", cell.element);
    Object.assign(button, { hidden: false, textContent: "Undo reset" });
    return cell.say("The course's own code is back. Undo reset brings yours again.");
  }

  stop() {
    const rest = this.queue.splice(0);
    for (const job of rest) if (job.cell.state === "loading") job.cell.state = "idle";
    this.kernel.stop();
  }

  enqueue(jobs) {
    for (const job of jobs) {
      const one = job instanceof Cell ? { cell: job, check: false } : { cell: job.check, check: true };
      if (this.queue.some((other) => other.cell === one.cell && other.check === one.check)) continue;
      this.queue.push(one);
      if (!this.running || this.running.cell !== one.cell) {
        one.cell.state = "loading";
        one.cell.say("");
      }
    }
    if (!this.busy) {
      this.busy = this.work().finally(() => {
        this.busy = null;
        this.stopper(null);
      });
    }
    return this.busy;
  }

  // ---- what runs

  async work() {
    while (this.queue.length) {
      const job = this.running = this.queue[0];
      const { cell } = job;
      this.stopper(cell);
      try {
        await this.kernel.start();
      } catch (error) {
        this.failed(error);
        return;
      }
      this.queue.shift();
      if (!this.queue.includes(job)) await this.one(job);
      this.running = null;
    }
  }

  failed(error, asked) {
    const waiting = asked ? [{ cell: asked }] : this.queue.splice(0);
    const stopped = error.message === "stopped";
    const why = stopped
      ? "Stopped while Python was loading. Press again to go on."
      : navigator.onLine === false || /fetch|load|network/i.test(error.message)
      ? "Python could not be loaded: the connection was lost. Check it and press again; what you typed is kept."
      : `Python could not start here (${error.message}). Another browser may; the notebook runs in Jupyter too.`;
    for (const { cell } of waiting) {
      cell.state = stopped ? "stopped" : "error";
      cell.say("");
    }
    if (waiting[0]) waiting[0].cell.say(why);
    this.running = null;
  }

  async one(job) {
    const { cell } = job;
    if (cell.needs === "torch" && cell.text === cell.original) {
      cell.state = "done";
      return cell.say(
        "This cell needs torch, which has no version for browsers. What stands here was stored; the downloaded notebook runs it in Jupyter or Colab.",
      );
    }
    const target = job.check ? cell.checker : cell;
    if (cell.exercise && !job.check) this.fold(cell);
    if (!cell.tries && !job.check) this.ago(cell.stub || cell);
    if (cell.exercise) cell.element.removeAttribute("data-passed"); // until this text has passed
    const well = (await this.before(target, cell)) && (await (job.check ? this.checked(cell) : this.execute(cell)));
    if (!well) this.queue = this.queue.filter((other) => !(other.check && other.cell === cell));
    return undefined;
  }

  // Run the cells above that make what this one reads, if they have not run as they stand.  -> whether all did
  async before(cell, shown) {
    if (cell.stub && !cell.stub.fresh && !await this.answered(cell.stub, shown)) return false;
    const above = this.cells.slice(0, cell.k).filter((one) => !one.check && !(one.needs && one.text === one.original));
    const first = await this.kernel.call("needed", [
      above.map((one) => ({ id: one.id, source: one.text, fresh: one.fresh })),
      cell.text,
    ]);
    for (const id of Array.isArray(first) ? first : []) {
      const one = this.cells.find((other) => other.id === id);
      if (!await this.execute(one)) return this.unready(one, shown);
    }
    return true;
  }

  // A check speaks of its answer as it stands, whatever that is called by now.
  async answered(stub, shown) {
    stub.element.removeAttribute("data-passed");
    if (!await this.before(stub, shown)) return false;
    return await this.execute(stub) || this.unready(stub, shown);
  }

  unready(one, shown) {
    if (shown !== one && shown.state !== "stopped") {
      shown.state = "error";
      shown.say(`Cell ${one.k + 1}, which this one needs, did not run.`);
    }
    return false;
  }

  // Run a cell's code. into: where its outputs go, if not to itself.  -> whether it ran to its end
  async execute(cell, into = cell) {
    const { text } = cell;
    const checks = cell.check || into !== cell;
    if (checks) await this.remember();
    const target = into.output;
    target.style.minHeight = `${target.offsetHeight}px`;
    const append = into !== cell;
    const outputs = append ? [...(into.outputs || [])] : [];
    if (!append) target.replaceChildren();
    into.state = "running";
    this.stopper(into);
    const limit = checks ? LIMIT.check : LIMIT.run;
    const clock = setTimeout(() => into.say(`Running. It is stopped after ${limit} seconds.`), 1500);
    if (cell.tries) $("p", cell.element).textContent = TRIED;
    const answer = await this.kernel.call("run", [cell.id, text, ...this.terms(cell)], {
      limit,
      output: (one) => {
        outputs.push(one);
        this.place(add(target, one));
      },
    });
    clearTimeout(clock);
    target.style.minHeight = "";
    into.outputs = outputs;
    cell.told(text);
    if (answer.ok) {
      cell.ran = text;
      const follows = this.queue.some((job) => job.check && job.cell === cell);
      into.state = follows ? "running" : "done";
      into.say(target.childElementCount || checks ? "" : "Ran.");
    } else if (answer.stopped || answer.late || answer.lost || answer.full) {
      if (answer.full) this.kernel.end();
      this.ended(into, answer, checks);
    } else {
      cell.ran = text; // to its error: what is below it need not run it again
      into.state = "error";
      into.say(answer.ename ? `${answer.ename}.` : "");
      if (into.exercise) this.settle(into, into.ran, false);
    }
    if (checks && answer.ok) {
      this.noted(await this.kernel.call("record", [null]));
      this.progressed();
    }
    return Boolean(answer.ok);
  }

  // What Python is told of a cell beside its code: the names that an answer is to make anew; what a check looks for.
  terms({ exercise, checker, check, stub, text, original }) {
    const looks = (one) => reads(CHECK.exec(one)?.[2] ?? "");
    if (exercise) return [looks(checker.original).filter((name) => makes(original).has(name))];
    if (!check || !stub) return [];
    const made = makes(stub.original);
    return [[], [stub.exercise, looks(text).filter((name) => made.has(name)), stub.text]];
  }

  async checked(cell) {
    const done = await this.execute(cell.checker, cell);
    cell.checker.output.replaceChildren();
    cell.checker.outputs = [];
    cell.checker.say("Its report stands under your code.");
    const report = $(".attn-report strong", cell.output);
    if (done && report) cell.say(`Checked: ${report.textContent.split(": ").at(-1)}.`);
    if (!done) return false;
    const passed = /^✓/.test(report?.textContent || "");
    this.settle(cell, cell.ran, passed);
    this.fold(cell, !passed && this.finding(cell));
    this.show(cell);
    return true;
  }

  // As much of a report as fits comes into the window, and the code stays in it.
  show(cell) {
    const [{ top }, { bottom }] = [cell.element, cell.output].map((one) => one.getBoundingClientRect());
    const by = Math.min(bottom + 16 - innerHeight, top - 80);
    if (by > 0 && cell.element.contains(document.activeElement)) scrollBy({ top: by, behavior: "instant" });
  }

  ended(cell, answer, checks) {
    cell.state = "stopped";
    const lost = answer.lost ? " What the cells had computed is gone; a press on Run brings back what it needs." : "";
    const why = answer.full
      ? answer.full
      : answer.late
      ? `It was still running after ${answer.late} seconds, so it was stopped. Look for a loop whose condition never becomes false.`
      : answer.stopped
      ? "Stopped."
      : `Python broke down (${answer.lost}) and starts afresh. A smaller size may do.`;
    cell.say(why + (checks ? "" : lost));
    if (answer.late && checks) {
      const told = {
        output_type: "stream",
        name: "stdout",
        text: `✗ ${cell.exercise || cell.check?.[1] || ""}: did not finish\n${why}\n`,
      };
      add(cell.output, told);
    }
    this.queue.forEach((job) => {
      if (job.cell.state === "loading") job.cell.state = "idle";
    });
    this.queue = [];
    this.kernel.start().catch(() => {});
  }

  // An output that has just appeared: figures come alive, reports lead to what they name.
  place(element) {
    if (element.querySelector(".attn-figure")) this.figures().then(() => window.attnFigures.wake(element));
    for (const report of element.querySelectorAll(".attn-report")) {
      report.classList.toggle("passed", report.textContent.startsWith("✓"));
    }
    for (const field of element.querySelectorAll(".attn-report dd")) {
      const line = field.previousElementSibling.textContent === "Try" && $("code", field);
      if (line) { // the line itself is the button: a report reads as it does at a desk
        const button = Object.assign(document.createElement("button"), { type: "button", title: "Try it here" });
        button.dataset.does = "scratch";
        line.replaceWith(button);
        button.append(line);
        continue;
      }
      for (const [text, href] of this.links) wrap(field, text, Object.assign(document.createElement("a"), { href }));
      const [call, does] = CALL.exec(field.textContent) || [];
      if (!call) continue;
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.does = does;
      wrap(field, call, button);
    }
  }

  figures() {
    if (window.attnFigures) return Promise.resolve();
    const [script, style] = this.given.figures;
    return this.drawn ||= new Promise((kept, broken) => {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
      document.head.append(
        Object.assign(document.createElement("script"), { src: script, onload: kept, onerror: broken }),
      );
    });
  }

  // ---- exercises

  // A hint that was given on this mistake before, when another had come between, is not given twice.
  async hint(cell) {
    let text;
    do {
      text = await this.ask("hint", cell);
      if (NO_MORE.test(text)) cell.say(`That was the last hint. ${UNLOCKED}.`.replace("opens now", "is open"));
      if (!text || NO_MORE.test(text)) return;
    } while (!this.hinted(cell, this.finding(cell), text.replace(LAST, UNLOCKED)));
    const hints = [...cell.element.querySelectorAll(".hints details")].map((one) => [
      one.dataset.on,
      [...one.querySelectorAll("p")].map((p) => p.textContent),
    ]);
    this.keep(cell, { hints });
    $(".hints details[open] p:last-child", cell.element)?.scrollIntoView({ block: "nearest" }); // above a long report
  }

  // One way to write it opens below the answer, and another joins it there.
  async solution(cell) {
    const { answer } = cell;
    const text = await this.ask("solution", cell);
    if (!text || !answer?.matches("details")) return;
    const [, idea, code] = ANOTHER.exec(text) || [];
    if (idea && !$(".another", answer)) {
      const made = Object.assign(document.createElement("div"), { className: "another highlight" });
      made.innerHTML = "<p></p><pre></pre>";
      $("p", made).textContent = `Another way. ${idea}`;
      $("pre", made).textContent = code.trim();
      answer.append(made);
      const { coloured } = await import("./editor.js");
      $("pre", made).innerHTML = coloured(code.trim());
    }
    answer.open = true;
    answer.tabIndex = -1;
    answer.focus({ preventScroll: true });
    answer.scrollIntoView({ block: "nearest" });
  }

  // What Python says to hint or solution.   -> its text, "" where it could not be asked
  async ask(what, cell) {
    cell.say("Asking…");
    this.asking = cell;
    try {
      await this.kernel.start();
    } catch (error) {
      cell.say("");
      this.failed(error, cell);
      return "";
    }
    await this.remember();
    const text = await this.kernel.call("ask", [what, cell.exercise]);
    this.noted(await this.kernel.call("record", [null]));
    this.progressed();
    cell.say(typeof text === "string" ? "" : "Python was busy; press again.");
    return typeof text === "string" ? text : "";
  }

  // The place of what was asked for.
  box(cell) {
    let shown = $(".hints", cell.element);
    if (!shown) cell.output.before(shown = Object.assign(document.createElement("div"), { className: "hints" }));
    shown.setAttribute("role", "status");
    return shown;
  }

  // What the report on an answer says of it, in its own words.
  finding(cell) {
    const started = !$(".attn-report strong", cell.output)?.textContent.endsWith("not started");
    return (started && $(".attn-report dd", cell.output)?.textContent) || "";
  }

  // Show a hint among those on the same mistake; those on another stand in a place of their own.  -> whether it is new
  hinted(cell, on, text) {
    const shown = this.box(cell);
    let group = [...shown.querySelectorAll("details")].find((one) => one.dataset.on === on);
    if (!group) {
      group = document.createElement("details");
      group.dataset.on = on;
      const short = on.length > 120 ? /^.*?[.?](?= |$)/.exec(on)?.[0] ?? on : on; // numbers of a case make it long
      const title = on ? `Hints on “${short}”` : "Hints before the first check";
      group.append(Object.assign(document.createElement("summary"), { textContent: title }));
      shown.append(group);
    }
    group.open = true;
    const given = [...group.querySelectorAll("p")].some((p) => p.textContent === text); // before another mistake came
    if (!given) group.append(Object.assign(document.createElement("p"), { textContent: text }));
    const count = Number(/hint (\d) of 3/.exec(text)?.[1]);
    for (const button of cell.output.querySelectorAll("[data-does=hint]")) { // the report names the one that comes next
      const after = button.nextSibling;
      if (!count || !after) continue;
      after.data = after.data.replace(...count < 3 ? [/^ \(\d of/, ` (${count + 1} of`] : [/^ \(\d of 3\), or /, ""]);
      if (count === 3) button.remove();
    }
    return !given;
  }

  // Hints on another mistake than the one that is told now fold.
  fold(cell, on = false) {
    for (const old of cell.element.querySelectorAll(".hints details")) old.open = old.dataset.on === on;
  }

  // What a report says to try, in a small cell of its own below the exercise. It runs at once, and is not kept.
  scratch(cell, button) {
    const line = $("code", button).textContent;
    const given = /def \w+\(([^)]*)\)/.exec(cell.original)?.[1];
    const names = given?.split(",").map((name) => /\w+/.exec(name)[0]);
    const call = /; (\w+)\(\*report\.case\)/.exec(line)?.[1];
    const shown = (title, value) => `print("${title}:", ${value}, sep="\\n")`;
    const code = names && call
      ? [
        `${names.length > 1 ? names.join(", ") : `(${names},)`} = report.case`,
        shown("yours", `${call}(${names.join(", ")})`),
        ...(line.endsWith("report.expected") ? [shown("expected", "report.expected")] : []),
        ...names.map((name) => shown(name, name)), // last: a window may be small
      ].join("\n")
      : line;
    if (!this.busy) this.stopper(null); // its button is not to go with an older try
    else this.bar.append($("[data-stop]"));
    $(".scratch")?.remove();
    const made = Object.assign(document.createElement("div"), { className: "scratch" });
    made.innerHTML = `<p>${TRIED}</p>
      <div class="cell_output" data-output data-state="idle" tabindex="-1" role="status"></div>
      <textarea data-source spellcheck="false" autocapitalize="off" wrap="off" aria-label="Lines to try"></textarea>
      <div class="run"><button type="button" data-does="rerun">Run</button> <span class="note" role="status"></span></div>`;
    const field = $("textarea", made);
    Object.assign(field, { rows: code.split("\n").length, defaultValue: code });
    cell.element.after(made);
    const one = Object.assign(new Cell(made, cell.k + 1), { id: `${cell.id}-try`, tries: cell });
    this.scratches.set($("button", made), one);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.press($("button", made));
    });
    const output = $("[data-output]", made); // no keyboard comes up over it on a phone
    output.focus({ preventScroll: true });
    return this.enqueue(this.retried($("button", made))).then(() => output.scrollIntoView({ block: "nearest" }));
  }

  // What is tried beside an answer is older than the answer that comes now.
  ago(cell) {
    const tried = cell.element.nextElementSibling;
    if (!tried?.matches(".scratch")) return;
    $("p", tried).textContent = AGO;
    $("[data-output]", tried).replaceChildren();
  }

  // A try needs the report of the last check: where Python has it no longer, the check runs first.
  retried(button) {
    const one = this.scratches.get(button);
    const { tries } = one;
    return tries.fresh && tries.checker.ran !== null ? [one] : [tries, { check: tries }, one];
  }

  // What Python has noted of the reader's progress is kept in the browser.
  noted(kept) {
    try {
      store.progress(JSON.parse(kept));
    } catch { /* nothing was noted */ }
  }

  // Python's own record begins from what this browser knows.
  remember() {
    const known = store.progress();
    return this.kernel.call("record", [Object.keys(known.exercises).length ? JSON.stringify(known) : null]);
  }

  progressed() {
    const { exercises = {} } = store.progress();
    const all = this.cells.filter((cell) => cell.exercise);
    const passed = all.filter((cell) => exercises[cell.exercise]?.passed);
    for (const cell of passed) $("[data-does=solution]", cell.element).hidden = false;
    for (const cell of all) {
      const { passed, revealed, hints } = exercises[cell.exercise] || {};
      if (passed || revealed || hints > 2) cell.answer?.removeAttribute("data-locked");
    }
    if (all.length) this.say(`${passed.length} of ${all.length} passed on this sheet.`);
  }

  // ---- the bar at the top

  say(text) {
    $(".note", this.bar).textContent = [text, this.gone, store.trouble()].filter(Boolean).join(" ");
  }

  async download() {
    const link = $(".actions a[download]");
    const cells = new Map(
      this.cells.map((cell) => [cell.id, { text: cell.text, outputs: cell.stub ? null : cell.outputs }]),
    );
    try {
      const made = await notebook.written(link.href, cells, this.bar.dataset.exercises ? store.progress() : null);
      notebook.download(made, link.download);
      this.say("Downloaded, with what you typed.");
    } catch (error) {
      this.say(`The notebook could not be made: ${error.message}.`);
    }
  }

  bring() {
    const input = Object.assign(document.createElement("input"), { type: "file", accept: ".ipynb,application/json" });
    input.addEventListener("change", async () => {
      try {
        const { texts, progress } = await notebook.brought(input.files[0], this.cells.map((cell) => cell.id));
        for (const cell of this.cells) if (texts.has(cell.id)) this.put(cell, texts.get(cell.id));
        if (progress) {
          store.progress(progress);
          this.progressed();
        }
        this.say(`${texts.size} cells brought in. Reset shows the course's own.`);
      } catch (error) {
        this.say(error.message);
      }
    });
    input.click();
  }

  stopper(cell) {
    const button = $("[data-stop]");
    button.hidden = !cell;
    ((cell && $(".run", cell.element)) || this.bar).insertBefore(
      button,
      cell ? $("[data-run], [data-does=rerun]", cell.element).nextSibling : null,
    );
  }

  loading({ loaded = 0, total = 0, stage = "" }) {
    const cell = (this.running || this.queue[0])?.cell || this.asking;
    if (!cell) return;
    const mb = (count) => (count / 1e6).toFixed(1);
    const begins = root.dataset.python === "loading" && stage === "Loading Python";
    if (!begins) cell.say(stage && `${stage}…`);
    else {
      cell.say(
        loaded < total && mb(loaded) !== mb(total)
          ? `Loading Python: ${mb(loaded)} of ${mb(total)} MB`
          : "All is here. Starting Python: a few seconds more…",
      );
    }
  }
}

let page;
export function begin(given) {
  page ||= new Page(given);
  return page;
}
