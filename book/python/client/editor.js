// The editor proper takes the place of a cell's text field when the reader comes to it.

import { createEditor } from "../editor/index.js";
import { defaultKeymap, editorCommands } from "../editor/extensions/commands/index.js";
import { highlightText } from "../editor/prism/index.js";
import "../editor/prism/languages/python.js";
import "../editor/languages/python.js";

const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("../editor/layout.css", import.meta.url).href });
const styled = new Promise((kept) => {
  style.onload = style.onerror = kept;
});
document.head.append(style);

// Python code as HTML, in the editor's colours.
export const coloured = (code) => highlightText(code, "python");

// Home goes to where a line's code begins, and from there to the line's start; with Shift it selects.
function home(event, area) {
  const { value, selectionStart: start, selectionEnd: end, selectionDirection } = area;
  const [moving, fixed] = selectionDirection === "backward" ? [start, end] : [end, start];
  const line = value.lastIndexOf("\n", moving - 1) + 1;
  const code = line + /^[ \t]*/.exec(value.slice(line))[0].length;
  const to = moving === code ? line : code;
  const other = event.shiftKey ? fixed : to;
  event.preventDefault();
  event.stopImmediatePropagation();
  area.setSelectionRange(Math.min(to, other), Math.max(to, other), to < other ? "backward" : "forward");
}

// field: the plain <textarea> over the code; -> {get value, set value}
export async function upgrade(field, { run, typed }) {
  await styled;
  const { value, selectionStart, selectionEnd, selectionDirection } = field;
  const here = document.activeElement === field;
  const editor = createEditor(
    null,
    { language: "python", value, tabSize: 4, insertSpaces: true, lineNumbers: false },
    editorCommands(defaultKeymap, []),
  );
  const area = editor.textarea;
  area.dataset.source = "";
  area.setAttribute("aria-label", field.getAttribute("aria-label"));
  area.addEventListener("keydown", (event) => {
    if (event.key === "Home" && !event.ctrlKey && !event.metaKey && !event.altKey) return home(event, area);
    if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    return run();
  }, true);
  editor.on("update", (text) => typed(text));
  const code = field.closest(".highlight");
  code.classList.add("edited");
  code.replaceChildren(editor.container, ...code.querySelectorAll(":scope > .copy"));
  if (here) {
    area.focus({ preventScroll: true });
    area.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  }
  return { area, set: (text) => editor.setOptions({ value: text }) };
}
