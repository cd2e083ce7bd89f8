// A number that can be changed where it stands: dragged sideways by mouse or finger, or by the arrow keys.
import { h, number } from "./kit.js";

const STRIDE = 2.8; // pixels of a drag to a fifth of a step

// heard: its name for a voice; step: how far an arrow key goes, and five times as far as with shift; onset(value). draw(value)
export function dial({ heard, step = 0.5, most = 99, onset }) {
  let [value, held] = [0, null];
  const grain = step / 5;
  const put = (to) => {
    const next = Math.min(Math.max(Math.round(to / grain) * grain, -most), most);
    if (next !== value) onset(Number(next.toFixed(6)));
  };
  const el = h("span", {
    class: "attn-dial",
    role: "spinbutton",
    tabindex: "0",
    "aria-label": heard,
    title: "Drag sideways, or use the arrow keys",
    onkeydown: (event) => {
      const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 4, PageDown: -4 }[event.key];
      if (!way) return;
      event.preventDefault();
      put(value + way * (event.shiftKey ? grain : step));
    },
    onpointerdown: (event) => {
      held = [event.clientX, value];
      el.setPointerCapture(event.pointerId);
    },
    onpointermove: (event) =>
      el.hasPointerCapture(event.pointerId) && put(held[1] + Math.round((event.clientX - held[0]) / STRIDE) * grain),
  });
  function draw(now) {
    value = now;
    const told = number(now).replace(/(\.\d+?)0+$/, "$1"); // 3.5, not 3.500: cells are narrow
    if (el.textContent !== told) el.textContent = told;
    el.setAttribute("aria-valuenow", String(now));
    el.setAttribute("aria-valuetext", number(now));
  }
  return { el, draw };
}
