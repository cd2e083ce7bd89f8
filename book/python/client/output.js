// Outputs of a notebook as HTML, in the same forms that the built page has.

// deno-lint-ignore no-control-regex -- terminals colour with it
const COLOURS = /\x1b\[[\d;]*m/g;

function box(kind, ...inside) {
  const made = document.createElement("div");
  made.className = `output ${kind}`;
  made.append(...inside);
  return made;
}

function block(kind, text) {
  const pre = Object.assign(document.createElement("pre"), { textContent: text.replace(COLOURS, "") });
  const made = box(`${kind} highlight-myst-ansi notranslate`);
  const inner = Object.assign(document.createElement("div"), { className: "highlight" });
  inner.append(pre);
  made.append(inner);
  return made;
}

// HTML that a value writes of itself: no scripts, nothing that leads the page away or asks for another.
function clean(html) {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  for (
    const element of content.querySelectorAll(
      "script:not([type='application/json']), meta, link, base, iframe, frame, object, embed, form",
    )
  ) element.remove();
  for (const element of content.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) element.removeAttribute(name);
    }
  }
  return content;
}

function picture(kind, data, alt) {
  const source = kind === "image/png"
    ? `data:image/png;base64,${data}`
    : `data:${kind};charset=utf-8,${encodeURIComponent(data)}`;
  return Object.assign(new Image(), { src: source, alt });
}

function fault({ ename, evalue, where, traceback }) {
  const made = box("fault");
  const head = document.createElement("p");
  head.append(Object.assign(document.createElement("strong"), { textContent: ename }), `: ${evalue}`);
  if (where) {
    const code = Object.assign(document.createElement("code"), { textContent: where });
    const line = document.createElement("p");
    line.append(code);
    made.append(line);
  }
  made.append(head);
  const fold = document.createElement("details");
  fold.append(Object.assign(document.createElement("summary"), { textContent: "The whole report of Python" }));
  fold.append(
    Object.assign(document.createElement("pre"), { textContent: (traceback || []).join("\n").replace(COLOURS, "") }),
  );
  made.append(fold);
  return made;
}

// One output of a notebook -> an element.
export function shown(output) {
  if (output.output_type === "stream") return block(`stream${output.name === "stderr" ? " stderr" : ""}`, output.text);
  if (output.output_type === "error") return fault(output);
  const data = output.data || {};
  const text = data["text/plain"] || "";
  if (data["text/html"]) return box("text_html", clean(data["text/html"]));
  const drawn = ["image/svg+xml", "image/png"].find((kind) => data[kind]);
  if (drawn) return box("image_png", picture(drawn, data[drawn], text));
  return block("text_plain", text);
}

// Add an output to those of its cell; what is printed goes on where printing stopped.
export function add(target, output) {
  const last = target.lastElementChild;
  if (
    output.output_type === "stream" && last?.classList.contains("stream") &&
    last.classList.contains("stderr") === (output.name === "stderr")
  ) {
    last.querySelector("pre").textContent += output.text.replace(COLOURS, "");
    return last;
  }
  const made = shown(output);
  target.append(made);
  return made;
}
