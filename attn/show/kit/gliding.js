// Numbers on their way: the given function paints them from where they are to where they shall be; at once at first, or
// with `at once`, or for readers who want less motion.
import { calm } from "./kit.js";

export function glide(paint, time = 400) {
  const still = calm();
  let [at, due] = [null, 0];
  return (next, once = false) => {
    cancelAnimationFrame(due);
    const from = at;
    if (once || still || from?.length !== next.length) return paint(at = next);
    const start = performance.now();
    const step = (now) => {
      const t = Math.min(Math.max((now - start) / time, 0), 1);
      at = next.map((x, i) => (t === 1 ? x : from[i] + t * t * (3 - 2 * t) * (x - from[i])));
      paint(at);
      if (t < 1) due = requestAnimationFrame(step);
    };
    due = requestAnimationFrame(step);
  };
}
