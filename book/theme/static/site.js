// Small conveniences. The page reads well without any of them.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Light or dark: the reader's choice is kept, and until there is one the system's is followed.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  dark.addEventListener("change", () => {
    if (!stored()) root.dataset.theme = dark.matches ? "dark" : "light";
  });
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch { /* a private window forgets; that is its job */ }
  });

  // A link within the page can only be exact once everything above its end has its true height.
  document.addEventListener("click", (event) => {
    if (event.target.closest("a[href*='#']")) root.classList.add("whole");
  }, true);
  addEventListener("hashchange", () => root.classList.add("whole"));

  // What is wider than the page scrolls inside itself, and only then asks for a tab stop and a name.
  const names = [["pre", "Code"], [".math", "Formula"], ["table", "Table"]];
  const wide = [...document.querySelectorAll(".wide, .highlight pre, .cell_output, .cell_output pre, .attn-fallback")];
  const mark = (box) => {
    const over = !box.closest("[aria-hidden]") && box.scrollWidth > box.clientWidth + 1; // an editor lies over that one
    if (over === box.hasAttribute("tabindex")) return;
    if (!over) {
      for (const a of ["tabindex", "role", "aria-label"]) box.removeAttribute(a);
      return;
    }
    const kind = names.find(([s]) => box.closest(s) || box.querySelector(s));
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `${kind ? kind[1] : "Output"}, scrolls sideways`);
  };
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  wide.forEach((box) => watch.observe(box));

  // Sections far below are laid out late, and then the watch sees them; once the page has been there for a while, they
  // are asked in advance, in quiet moments.
  const later = window.requestIdleCallback || ((job) => setTimeout(() => job({ timeRemaining: () => 5 }), 50));
  const unasked = [...wide];
  const ask = (quiet) => {
    do mark(unasked.shift()); while (unasked.length && quiet.timeRemaining() > 4);
    if (unasked.length) later(ask);
    else root.dataset.laidOut = "";
  };
  const begin = () => setTimeout(() => unasked.length ? later(ask) : (root.dataset.laidOut = ""), 3000);
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);

  // The cells that check the numbers in the text: one switch shows them all, and opens them.
  const checks = document.getElementById("checks");
  if (checks) {
    const open = () => {
      for (const fold of document.querySelectorAll(".cell.check > details")) fold.open = checks.checked;
    };
    checks.addEventListener("change", open);
    if (checks.checked) open(); // a page that is gone back to keeps its switch
  }

  // Copy a code cell.
  if (navigator.clipboard) {
    for (
      const block of document.querySelectorAll(
        "div.cell_input .highlight, div.highlight-python .highlight, div.highlight-bash .highlight, div.highlight-console .highlight",
      )
    ) {
      const button = document.createElement("button");
      button.className = "copy";
      button.type = "button";
      button.textContent = "Copy";
      button.setAttribute("aria-label", "Copy this code");
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(block.querySelector("pre").innerText);
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      });
      block.append(button);
    }
  }

  // How far one is on each sheet, from what this browser keeps.
  let passed = {};
  try {
    passed = JSON.parse(localStorage.getItem("attn:progress")).exercises;
  } catch { /* nothing is kept */ }
  for (const place of document.querySelectorAll("[data-tally]")) {
    const ids = place.dataset.tally.split(" ").filter(Boolean);
    const done = ids.filter((id) => passed?.[id]?.passed).length;
    if (done) place.textContent = `${done} of ${ids.length} passed${done === ids.length ? " ✓" : ""}`;
  }

  // The list of chapters closes when one of its links is followed on a narrow screen.
  const contents = document.getElementById("contents");
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
})();
