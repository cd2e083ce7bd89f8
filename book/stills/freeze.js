// A live figure as plain shapes: what a person sees of it, without what is there to be pressed. It runs in the browser
// that draws the still pictures (tools/stills.py) and travels nowhere.

// What is there to be pressed or typed into, and the words that the page says beside the picture. Words and heads that
// can be chosen are part of the picture.
const PARTS = ".attn-streams, .attn-line, .attn-words, .attn-heads, .attn-cards, .attn-flowchart, .attn-field";
const AWAY =
  `.attn-title, .attn-foot, .attn-voice, .attn-stepper, .attn-drive, .attn-layer, details, input, select, textarea,
  progress, .attn-goals, label:has(input, select), .attn-chips:not(:is(${PARTS}) *), button:not(:is(${PARTS}) *),
  .attn-row:has(> button) > span:not([class])`;
// Nothing scrolls on paper: what would, shows all it has.
const OPEN =
  ".bare :is(.attn-scroll, .attn-arcs) { overflow: visible !important } .bare .attn-live th > bdi { max-width: none }" +
  " .bare .attn-dial { text-decoration: none }";
const SHAPES = ["path", "line", "circle", "ellipse", "rect", "polygon", "polyline", "text", "tspan"];
const GEOMETRY = [
  "x",
  "y",
  "dx",
  "dy",
  "x1",
  "y1",
  "x2",
  "y2",
  "cx",
  "cy",
  "r",
  "rx",
  "ry",
  "width",
  "height",
  "d",
  "points",
];
const LOOKS = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  opacity: "1",
  "fill-opacity": "1",
  "stroke-opacity": "1",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "vector-effect": "none",
  "paint-order": "normal",
};
const WRITING = { "font-size": "", "font-weight": "400", "text-anchor": "start", "dominant-baseline": "auto" };

const half = (x) => Math.round(2 * x) / 2;
const unseen = (colour) => /^(transparent|none)$|(,\s*|\/\s*)0\)$/.test(colour);
const pen = document.createElement("canvas").getContext("2d");

// The stylesheet of the drawing.   -> str
export const style = `html.bare :is(${AWAY}) { display: none !important } ${OPEN}`;

// The last step of a figure that has not begun: what it builds, not the empty frame it starts from.
export async function finish(live) {
  const [back] = live.querySelectorAll(".attn-stepper button");
  if (back?.getAttribute("aria-disabled") !== "true") return;
  back.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true, cancelable: true }));
  await new Promise(requestAnimationFrame);
}

// Some figures tell a part of what they have to say a moment later: wait until nothing changes any more.
export async function rest(el) {
  for (let k = 0, was = ""; was !== el.innerHTML; k++) {
    if (k === 20) throw new Error("the figure does not come to rest");
    was = el.innerHTML;
    await new Promise((on) => setTimeout(on, 300));
  }
}

// What is seen of a figure.   -> { title, told, shapes: [{ tag, at, look, … }] }, in pixels from its upper left corner
export function freeze(live) {
  for (const line of live.querySelectorAll(".attn-origin")) line.hidden = line.textContent.startsWith("Point at");
  const from = live.getBoundingClientRect();
  const shapes = [];
  for (const child of live.children) walk(child, { shapes, from, under: 0 });
  for (const shape of shapes) delete shape.block; // an element is no part of a picture
  return { title: live.getAttribute("aria-label"), told: live.querySelector(".attn-say").textContent, shapes };
}

function walk(el, page) {
  const look = getComputedStyle(el);
  if (look.display === "none" || look.clipPath !== "none" || look.opacity === "0") return;
  if (look.isolation === "isolate") page = { ...page, under: page.shapes.length };
  const into = look.zIndex === "-1" ? { ...page, shapes: [] } : page;
  const faint = look.opacity !== "1";
  if (faint) into.shapes.push({ tag: "g", at: {}, look: { opacity: look.opacity } });
  if (look.visibility === "visible") box(el, look, into);
  if (el.localName === "svg") drawing(el, look, into);
  else if (el.localName === "canvas") raster(el, look, into);
  else {
    for (const child of el.childNodes) {
      if (child.nodeType === 1) walk(child, into);
      else if (child.nodeType === 3 && look.visibility === "visible") words(child, el, look, into);
    }
  }
  if (faint) into.shapes.push({ tag: "/g" });
  if (into !== page) page.shapes.splice(page.under, 0, ...into.shapes);
}

const place = (el, { from }) => {
  const { left, top, width, height } = el.getBoundingClientRect();
  return { x: half(left - from.left), y: half(top - from.top), width: half(width), height: half(height) };
};

const inside = ({ x, y, width, height }, by) => ({
  x: x + by,
  y: y + by,
  width: Math.max(width - 2 * by, 0),
  height: Math.max(height - 2 * by, 0),
});

// ---- boxes of HTML: ground, frame, outline, and the dot before a name

function box(el, look, page) {
  const at = place(el, page);
  if (!at.width || !at.height) return;
  const put = (tag, place, look) => page.shapes.push({ tag, at: place, look });
  const rx = Math.min(parseFloat(look.borderTopLeftRadius) || 0, at.width / 2, at.height / 2);
  const round = rx ? { rx } : {};
  const ramp = el.classList.contains("attn-ramp");
  if (ramp) page.shapes.push({ tag: "ramp", at, look: {}, stops: stops(look.backgroundImage) });
  else if (!unseen(look.backgroundColor)) put("rect", { ...at, ...round }, { fill: look.backgroundColor });
  if (look.backgroundImage.startsWith("repeating")) {
    put("rect", { ...at, ...round }, { fill: stops(look.backgroundImage).at(-1)[0] });
  }
  const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
    width: look[`border${side}Style`] === "none" ? 0 : parseFloat(look[`border${side}Width`]),
    colour: look[`border${side}Color`],
    dashed: look[`border${side}Style`] === "dashed",
  }));
  const line = ({ width, colour, dashed }) => ({
    fill: "none",
    stroke: colour,
    ...(width === 1 ? {} : { "stroke-width": `${width}px` }),
    ...(dashed ? { "stroke-dasharray": "3 2" } : {}),
  });
  const [first] = sides;
  if (sides.every(({ width, colour }) => width && width === first.width && colour === first.colour)) {
    if (!unseen(first.colour)) put("rect", { ...inside(at, first.width / 2), ...round }, line(first));
  } else {
    sides.forEach((side, k) => {
      if (!side.width || unseen(side.colour)) return;
      const near = side.width / 2;
      const { x, y, width, height } = at;
      const ends = [
        [x, y + near, x + width, y + near],
        [x + width - near, y, x + width - near, y + height],
        [x, y + height - near, x + width, y + height - near],
        [x + near, y, x + near, y + height],
      ][k];
      put("line", Object.fromEntries(["x1", "y1", "x2", "y2"].map((name, k) => [name, ends[k]])), line(side));
    });
  }
  const width = look.outlineStyle === "none" ? 0 : parseFloat(look.outlineWidth);
  if (width && !unseen(look.outlineColor)) {
    const by = -parseFloat(look.outlineOffset) - width / 2;
    put("rect", { ...inside(at, by), ...round }, line({ width, colour: look.outlineColor }));
  }
  const dot = getComputedStyle(el, "::before");
  if (dot.content !== "none" && !unseen(dot.backgroundColor)) {
    const size = parseFloat(dot.width);
    const middle = half(el.getClientRects()[0].top - page.from.top + el.getClientRects()[0].height / 2);
    put("circle", { cx: at.x + half(size / 2), cy: middle, r: half(size / 2) }, { fill: dot.backgroundColor });
  }
}

// linear-gradient(90deg, colour share%, …)   -> [[colour, share or null]]; of two shares the last
function stops(gradient) {
  const inner = gradient.slice(gradient.indexOf("(") + 1, -1);
  return inner.split(/,\s*(?![^(]*\))/).slice(1).map((stop) => {
    const [, colour, share] = stop.match(/^(.*?)(?:\s+[\d.]+(?:px|%))?(?:\s+([\d.]+)(?:px|%))?$/);
    return [colour, share ? Number(share) : null];
  });
}

// ---- words

const blockOf = (el) => {
  for (; getComputedStyle(el).display === "inline"; el = el.parentElement);
  return el;
};

// The lines of a text and where each stands.   -> [[text, DOMRect]]
function lines(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  if (range.getClientRects().length < 2) return [[node.data, range.getBoundingClientRect()]];
  const found = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const rect = range.getBoundingClientRect();
    const last = found.at(-1);
    if (last && Math.abs(last[1].top - rect.top) < 3) {
      last[0] += ` ${word}`;
      last[1] = new DOMRect(last[1].left, last[1].top, rect.right - last[1].left, last[1].height);
    } else found.push([word, rect]);
  }
  return found;
}

function words(node, el, look, page) {
  if (!node.data.trim()) return;
  pen.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
  const { fontBoundingBoxAscent: ascent } = pen.measureText("x");
  const block = blockOf(el);
  const written = { fill: look.color, "font-size": look.fontSize, "font-weight": look.fontWeight };
  if (look.textDecorationLine !== "none") written["text-decoration"] = look.textDecorationLine;
  const upright = look.writingMode === "horizontal-tb";
  for (const [told, rect] of lines(node)) {
    const shown = upright ? fitting(told, rect, el) : told;
    if (!shown.trim()) continue;
    const x = rect.left - page.from.left;
    const y = rect.top - page.from.top;
    if (!upright) {
      const at = { transform: `translate(${half(x + ascent)} ${half(y + rect.height)})rotate(-90)` };
      const box = [x, y, x + rect.width, y + rect.height].map(Math.round);
      page.shapes.push({ tag: "text", at, look: written, runs: [[shown.trim(), written, 0]], box });
      continue;
    }
    const base = Math.round(y + ascent);
    const last = page.shapes.at(-1);
    const gap = last?.block === block ? rect.left - last.right : NaN;
    if (gap > -1 && gap < 6 && Math.abs(base - last.base) < 8) { // a name with its index: one text, two sizes
      last.runs.push([(gap > 1 ? " " : "") + shown.replace(/\s+/g, " "), written, base - last.now]);
      Object.assign(last, { right: rect.right, now: base });
    } else {
      const run = [shown.replace(/\s+/g, " ").trimStart(), written, 0];
      page.shapes.push({
        tag: "text",
        look: written,
        runs: [run],
        block,
        left: rect.left,
        right: rect.right,
        base,
        now: base,
      });
    }
    const line = page.shapes.at(-1);
    const way = getComputedStyle(block).textAlign;
    const [anchor, at] = /center/.test(way)
      ? ["middle", (line.left + line.right) / 2]
      : /right|end/.test(way)
      ? ["end", line.right]
      : ["start", line.left];
    line.at = { x: Math.round(at - page.from.left), y: line.base, "text-anchor": anchor };
    line.box = [line.left - page.from.left, y, line.right - page.from.left, y + rect.height].map(Math.round);
  }
}

// What of a text lies within the box that cuts it off.   -> str
function fitting(told, rect, el) {
  for (let over = el; over && !over.classList.contains("attn-live"); over = over.parentElement) {
    const { overflowX, textOverflow } = getComputedStyle(over);
    if (overflowX === "visible") continue;
    const share = (over.getBoundingClientRect().right - rect.left) / rect.width;
    if (share > 0.98) continue;
    const cut = told.slice(0, Math.max(0, Math.floor(share * told.length)));
    return textOverflow === "ellipsis" && cut ? `${cut.slice(0, -1)}…` : cut;
  }
  return told;
}

// ---- drawings and rasters

function drawing(el, look, page) {
  const by = parseFloat(look.borderTopWidth) || 0;
  const at = inside(place(el, page), by);
  const view = el.getAttribute("viewBox");
  const scale = view ? at.width / el.viewBox.baseVal.width : 1;
  const digits = Math.max(0, Math.ceil(Math.log10(scale)) + 1);
  const fit = el.getAttribute("preserveAspectRatio");
  page.shapes.push({
    tag: "svg",
    at: { ...at, ...(view ? { viewBox: view } : {}), ...(fit ? { preserveAspectRatio: fit } : {}) },
    look: look.overflow === "visible" ? { overflow: "visible" } : {},
  });
  for (const child of el.children) shape(child, page.shapes, digits);
  page.shapes.push({ tag: "/svg" });
}

const shorter = (value, digits) =>
  value.replace(/-?\d*\.\d+(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(digits))));

function shape(el, shapes, digits) {
  const style = getComputedStyle(el);
  if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
  const at = {};
  const transform = el.getAttribute("transform");
  if (transform) at.transform = shorter(transform, digits);
  if (el.localName === "g") {
    const group = { tag: "g", at, look: style.opacity === "1" ? {} : { opacity: style.opacity } };
    const all = [];
    for (const child of el.children) shape(child, all, digits);
    if (!all.length) return;
    const bare = !transform && style.opacity === "1";
    shapes.push(...(bare ? all : [group, ...all, { tag: "/g" }]));
    return;
  }
  if (!SHAPES.includes(el.localName)) return;
  if (unseen(style.fill) && unseen(style.stroke)) return;
  const look = {};
  for (const [name, usual] of Object.entries(LOOKS)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) look[name] = unseen(value) ? "none" : value;
  }
  if (!look.stroke || look.stroke === "none") {
    for (const name in look) if (name.startsWith("stroke")) delete look[name];
  }
  for (const name of GEOMETRY) {
    const value = el.getAttribute(name);
    if (value !== null) at[name] = shorter(value, digits);
  }
  if (el.localName !== "text" && el.localName !== "tspan") return void shapes.push({ tag: el.localName, at, look });
  for (const [name, usual] of Object.entries(WRITING)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) look[name] = value;
  }
  if (look["text-anchor"]) at["text-anchor"] = look["text-anchor"];
  delete look["text-anchor"];
  if (!el.textContent.trim()) return;
  const parts = Array.from(el.childNodes, (part) => [part.textContent, look, Number(part.attributes?.dy?.value) || 0]);
  shapes.push({ tag: "text", at, look, runs: parts });
}

function raster(el, look, page) {
  const { data } = el.getContext("2d").getImageData(0, 0, el.width, el.height);
  const pixels = { width: el.width, height: el.height, data: Array.from(data) };
  page.shapes.push({ tag: "image", at: place(el, page), look: {}, pixels, turned: look.filter });
}
