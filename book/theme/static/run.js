// What a running page needs before its first press: a text field over each cell's code. All else is fetched on a press.
(() => {
  const script = document.currentScript;
  const root = document.documentElement;
  const at = (name) => new URL(script.dataset[name], location.href).href;
  root.dataset.python = "off";
  const cells = [...document.querySelectorAll("[data-cell]")];
  const code = (cell) => cell?.querySelector(".cell_input pre").textContent.replace(/\n$/, "") || "";
  if (location.protocol === "file:" || typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
    const why = location.protocol === "file:"
      ? "A page opened from the disk may not start Python. In the folder of this book, run python serve.py, and open the address it shows."
      : "This browser has no WebAssembly, so nothing can run here. The notebook at the top of the page runs in Jupyter.";
    document.querySelector("[data-runs] .note")?.replaceChildren(why);
    root.classList.add("no-run");
    return;
  }

  for (const [k, cell] of cells.entries()) {
    const input = cell.querySelector(".cell_input");
    let output = cell.querySelector(".cell_output");
    if (!output) input.after(output = Object.assign(document.createElement("div"), { className: "cell_output" }));
    output.dataset.output = "";
    output.dataset.state = "idle";
    if (k === 0) cell.querySelector("[data-run-all]").hidden = true;
    cell.querySelector("[data-run]").title = "Shift+Enter or Ctrl+Enter";
  }

  // The field over a cell's code.
  function field(cell) {
    if (cell.querySelector(".cell_input [data-source]")) return; // a figure has an attribute of this name too
    const pre = cell.querySelector(".cell_input pre");
    const made = document.createElement("textarea");
    made.dataset.source = "";
    made.value = made.defaultValue = code(cell);
    Object.assign(made, { rows: 1, spellcheck: false, autocomplete: "off", wrap: "off" });
    made.setAttribute("autocapitalize", "off");
    const place = `Code of cell ${cells.indexOf(cell) + 1} of ${cells.length}`;
    made.setAttribute("aria-label", `${place}; Escape, then Tab, leaves it`);
    pre.setAttribute("aria-hidden", "true");
    for (const name of ["tabindex", "role", "aria-label"]) pre.removeAttribute(name);
    pre.parentElement.classList.add("editable");
    pre.after(made);
  }

  // Chrome's form filler lays out all that stands around the fields of a page. So they come when the reader comes near,
  // and the others when the page has been there for a while; a press brings them all.
  const near = new IntersectionObserver((seen) => seen.forEach((one) => one.isIntersecting && field(one.target)), {
    rootMargin: "100%",
  });
  const later = () => setTimeout(() => cells.forEach(field), 3000);
  for (const cell of cells) near.observe(cell);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);

  // A stub with a check below it is one exercise: one press runs both.
  const checks = /^\s*check\(\s*"/;
  for (const [k, cell] of cells.entries()) {
    if (checks.test(code(cell)) || !checks.test(code(cells[k + 1]))) continue;
    const run = cell.querySelector("[data-run]");
    run.textContent = "Check";
    const answer = cell.nextElementSibling; // one way to write it: it opens when the client says so
    if (answer?.matches("details")) answer.dataset.locked = "";
    for (const [does, text] of [["solution", "Solution"], ["hint", "Hint"]]) {
      const button = Object.assign(document.createElement("button"), {
        type: "button",
        textContent: text,
        hidden: does === "solution",
      });
      button.dataset.does = does;
      run.after(" ", button);
    }
  }

  // Until the editor has come the field indents as it does, and the same keys run.
  document.addEventListener("keydown", (event) => {
    const { target: area, key, shiftKey, ctrlKey, metaKey, isComposing } = event;
    if (key !== "Enter" || isComposing || !area.matches(".editable > [data-source]")) return;
    event.preventDefault();
    if (shiftKey || ctrlKey || metaKey) return area.closest("[data-cell]").querySelector("[data-run]").click();
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    const deeper = /[([{:]\s*$/.test(line) ? "    " : "";
    document.execCommand("insertText", false, `\n${/^ */.exec(line)[0]}${deeper}`);
  });

  let client, begun, tries = 0;
  const load = () => {
    cells.forEach(field);
    return client ||= import(`${at("client")}client.js${tries ? `?${tries}` : ""}`)
      .then((module) => {
        begun = true;
        return module.begin({ cells, base: at("base"), client: at("client"), figures: [at("figures"), at("style")] });
      })
      .catch((error) => {
        client = undefined;
        tries += 1;
        const note = document.activeElement?.closest("[data-cell]")?.querySelector(".note") ||
          document.querySelector("[data-runs] .note");
        note.textContent =
          "The page's scripts could not be loaded. Check the connection and press again; what you typed is still here.";
        throw error;
      });
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-locked] > summary")) event.preventDefault();
    const button = event.target.closest("[data-run], [data-run-all], [data-stop], [data-reset], [data-does]");
    if (button?.matches("[data-run]")) {
      button.closest("[data-cell]").querySelector("details.below-input")?.setAttribute("open", "");
    }
    if (button) load().then((page) => page.press(button), () => {});
  });
  for (const kind of ["focusin", "click", "input"]) { // a window in the background tells of no focus
    document.addEventListener(kind, ({ target }) => {
      if (target.matches("[data-source]")) load().then((page) => page.visit(target), () => {});
    });
  }

  const mine = `attn:${script.dataset.page}`; // what the browser keeps of this page begins so
  // What is typed before the client has come, or where it does not come, is kept too.
  document.addEventListener("input", ({ target }) => {
    if (begun || !target.matches("[data-source]")) return;
    const entry = `${mine}|${target.closest("[data-cell]").dataset.cell}`;
    try {
      localStorage.setItem(entry, JSON.stringify({ text: target.value }));
    } catch { /* storage is forbidden: the client says so */ }
  });

  // Who has been here before finds everything as it was; who has not is sent nothing more.
  try {
    if (
      Object.keys(localStorage).some((key) => key === mine || key.startsWith(`${mine}|`)) ||
      (script.dataset.sheet && localStorage.getItem("attn:progress"))
    ) load();
  } catch { /* storage is forbidden */ }
})();
