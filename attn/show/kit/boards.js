// Matrices of any size: a table of numbers where they fit, a picture with one speaking cell where they do not.
import { h, largest, matrix, number, quoted, spoken, stepped, write } from "./kit.js";

export const readable = (size) => Math.max(...size) <= 10; // rows and columns of numbers that fit beside each other

const [GREY, INK, ORANGE, PURPLE] = [[128, 128, 128], [0, 0, 0], [241, 163, 64], [153, 142, 195]];

// Two decimals, for a cell; the sentence below has the rest.
export const brief = (
  x,
) => (x === null || x === -Infinity
  ? "−∞"
  : Math.abs(x - Math.round(x)) < 1e-9
  ? number(x)
  : x.toFixed(Math.abs(x) < 10 ? 2 : 1).replace(/^-0\.00$/, "0.00").replace("-", "−"));

// For a narrow cell: one decimal above one, two below and no zero before them.
export const terse = (x) =>
  Math.abs(x) >= 1 && x !== -Infinity && !Number.isInteger(x) ? number(x, 1) : brief(x).replace(/^(−?)0\./, "$1.");

// Where cell [i, j] of a matrix or a picture of this size stands on the screen.
export function spot({ cells, box }, [n, m], i, j) {
  if (cells) return cells[i][j].getBoundingClientRect();
  const { left, top, width, height } = box.firstChild.getBoundingClientRect();
  return new DOMRect(left + (width * j) / m, top + (height * i) / n, width / m, height / n);
}

export function board(options) {
  if (!readable(options.size)) return field(options);
  const one = matrix({ tell: brief, ...options });
  one.el.classList.add("attn-small");
  return one;
}

// One pixel a cell, coloured as a matrix is. A button stands on the chosen cell: it takes the keys and says the number.
// still: the picture alone, for what tells its numbers elsewhere.   -> el; draw; box, the picture in it; below(event), the
// cell under the mouse or the finger
export function field(
  {
    name,
    rows = null,
    cols = null,
    size,
    kind = "signed",
    most = null,
    onpick,
    onact = onpick,
    still = false,
    tell = number,
    bend = (x) => x,
  },
) {
  const [n, m] = size;
  const named = (names, letter, i) => (names ? quoted(names[i]) : `${letter}${i + 1}`);
  const canvas = h("canvas", { width: m, height: n, "aria-hidden": "true" });
  const cursor = h("button", { type: "button", class: "attn-cursor" });
  const box = h("div", { class: "attn-field", "data-kind": kind, style: `--n:${n};--m:${m}` }, canvas, cursor);
  const told = h("figcaption", {}, name);
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(m, n);
  const pixels = image.data;
  let at = [0, 0];
  const near = (x, count) => Math.min(Math.max(x, 0), count - 1);
  function below({ clientX, clientY }) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [
      near(Math.floor(((clientY - top) / height) * n), n),
      near(Math.floor(((clientX - left) / width) * m), m),
    ];
  }
  box.addEventListener("click", (event) => {
    if (still) return;
    if (event.target === cursor && !event.detail) return onact(...at); // Enter or space
    cursor.focus({ preventScroll: true });
    onact(...(at = below(event)));
  });
  cursor.addEventListener("keydown", (event) => {
    const to = stepped(event, at, size);
    if (to) onpick(...(at = to));
  });
  function draw(values, { pick = at, caption = name, full: given = most } = {}) {
    const full = kind === "weight" ? 1 : given || largest(values);
    const share = (x) => bend(Math.min(1, Math.abs(x) / full));
    for (let i = 0, p = 0; i < n; i++) {
      for (let j = 0; j < m; j++, p += 4) {
        const x = values[i][j];
        const known = Number.isFinite(x);
        const colour = !known ? GREY : kind === "weight" ? INK : x < 0 ? ORANGE : PURPLE;
        pixels[p] = colour[0];
        pixels[p + 1] = colour[1];
        pixels[p + 2] = colour[2];
        pixels[p + 3] = known ? 255 * share(x) : 60;
      }
    }
    pen.putImageData(image, 0, 0);
    if (still) return;
    at = [near(pick[0], n), near(pick[1], m)];
    cursor.style.setProperty("--i", at[0]);
    cursor.style.setProperty("--j", at[1]);
    write(told, caption);
    const said = `${spoken(caption)}, row ${named(rows, "r", at[0])}, column ${named(cols, "d", at[1])}: ${
      tell(values[at[0]][at[1]])
    }`;
    if (cursor.getAttribute("aria-label") !== said) cursor.setAttribute("aria-label", said);
  }
  if (still) cursor.remove();
  return { el: still ? box : h("figure", { class: "attn-map" }, told, box), draw, box, below };
}

// A drag of the mouse or a finger gives every cell on its way what the first one becomes. The cells take the finger; the
// page scrolls beside them.   over(way, allow): the cells [i, j] of one stroke; allow(mask) is what they become
export function paintable(el, n, over) {
  const canvas = el.querySelector("canvas");
  let last = null;
  let value = null;
  el.style.userSelect = "none";
  for (const part of canvas ? [canvas] : el.querySelectorAll("td[data-at]")) part.style.touchAction = "pinch-zoom";
  function cellAt({ clientX, clientY }) {
    if (!canvas) { // a finger's events all name the cell where it came down
      const cell = el.getRootNode().elementFromPoint(clientX, clientY)?.closest("td[data-at]");
      return cell && el.contains(cell) ? cell.dataset.at.split(",").map(Number) : null;
    }
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = [(clientY - top) / height, (clientX - left) / width].map((x) => Math.floor(x * n));
    return at.every((x) => x >= 0 && x < n) ? at : null;
  }
  el.addEventListener("pointerdown", (event) => {
    last = event.button ? null : cellAt(event);
    value = null;
  });
  el.addEventListener("pointermove", (event) => {
    const to = last && event.buttons & 1 && cellAt(event);
    if (!to) return;
    const [down, across] = [to[0] - last[0], to[1] - last[1]];
    const steps = Math.max(Math.abs(down), Math.abs(across));
    if (!steps) return;
    const way = Array.from(
      { length: steps + 1 },
      (_, k) => [last[0] + Math.round((down * k) / steps), last[1] + Math.round((across * k) / steps)],
    );
    over(way, (painted) => (value = value === null ? 1 - painted[last[0]][last[1]] : value));
    last = to;
  });
  // A drag ends in a click, which must not turn the last cell back; the click of a key has no detail
  el.addEventListener("click", (event) => value !== null && event.detail && event.stopPropagation(), true);
}
