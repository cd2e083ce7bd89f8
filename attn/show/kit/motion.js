// Things that move to show where they come from. Readers who asked for less motion see them at their places at once.
import { calm } from "./kit.js";

// A node comes from where another one stands to its own place.
export function fly(node, from, { time = 450 } = {}) {
  if (calm() || !node.animate) return;
  const [a, b] = [from, node].map((one) => one.getBoundingClientRect());
  if (!a.width || !b.width) return;
  const way = [a.left + a.width / 2 - b.left - b.width / 2, a.top + a.height / 2 - b.top - b.height / 2];
  const start = { transform: `translate(${way.map((x) => `${x.toFixed(1)}px`)})` };
  node.animate([start, { transform: "none" }], { duration: time, easing: "ease-in-out" });
}

// A property of a node's style takes its time from now on.
export function ease(node, property, time = 400) {
  if (!calm()) node.style.transition = `${property} ${time}ms`;
}
