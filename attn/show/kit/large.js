// Few numbers, large: matrices whose cells are squares that share the width of the card, and copies of their numbers that
// fly from one to another.
import { calm, h, mark, number } from "./kit.js";

// A box for such matrices.   wide: cells side by side; narrow: the same where they stand below each other; aside, thin:
// what stands beside the cells, in rem; tall: cells below each other, where a window is to hold them; told: the numbers as
// written, for the size of the letters
export const grand = ({ wide, narrow = wide, aside = 5, thin = aside, tall = 1, told }, ...children) =>
  h(
    "div",
    { class: "attn-grand" },
    h("div", {
      style: `--wide:${wide};--narrow:${narrow};--aside:${aside}rem;--thin:${thin}rem;--tall:${tall};` +
        `--signs:${Math.max(3, ...told.map((x) => x.length))}`,
    }, ...children),
  );

export const written = (...matrices) => matrices.flat(2).map((x) => number(x));

// The longest of what a figure says on its steps 0…last: its place is kept from the first on.
export const longest = (last, sentence) =>
  Array.from({ length: last + 1 }, (_, step) => sentence(step)).reduce((a, b) => (b.length > a.length ? b : a));

// A number is not seen before what it is made of has come.
export function appear(node, delay) {
  if (!calm()) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200, delay, fill: "backwards" });
}

// What a figure said stays to be read until what it says next is due, and is then replaced.   say: where it is said
export function stay(say, delay) {
  for (const one of say.getAnimations()) one.cancel();
  say.parentNode.querySelector(".attn-before")?.remove();
  if (calm() || !delay) return;
  const before = h("p", { class: "attn-before", "aria-hidden": "true", "data-hint": say.dataset.hint || "" });
  before.append(...Array.from(say.childNodes, (node) => node.cloneNode(true)));
  say.parentNode.insertBefore(before, say);
  before.animate([{ opacity: 1 }, { opacity: 1 }], delay).onfinish = () => before.remove();
  appear(say, delay);
}

// Copies of numbers that fly over the figure. Put `el` into the box that holds all they fly between.
// fly(moves): each { from, to } elements, told, share of full colour, and start and end of its flight in milliseconds;
// thin: [at from, at to] how much of the height is left; down: how far down in `to` it ends, in its height; until: when it
// goes; weight: coloured as weights are; k: of which pair it is.
export function flights() {
  const el = h("div", { class: "attn-layer", "aria-hidden": "true" });
  const stop = () => el.replaceChildren();
  function fly(moves) {
    stop();
    if (calm()) return;
    const home = el.getBoundingClientRect();
    for (
      const { from, to, told, share, start, end, thin = [1, 1], down = 0, until = end, weight = false, k = 0 } of moves
    ) {
      const ghost = h("span", { class: "attn-ghost", style: `--t:${share.toFixed(3)};--k:${k}` }, told);
      mark(ghost, "data-minus", share < 0);
      mark(ghost, "data-weight", weight);
      const way = [from, to].map((one, k) => {
        const box = one.getBoundingClientRect();
        return {
          transform: `translate(${box.left - home.left}px, ${box.top - home.top + (k ? down * box.height : 0)}px)`,
          width: `${box.width}px`,
          height: `${box.height * thin[k]}px`,
          visibility: "visible",
        };
      });
      ghost.style.visibility = "hidden";
      el.append(ghost);
      const flight = ghost.animate(way, {
        delay: start,
        duration: end - start,
        endDelay: until - end,
        easing: "ease-in-out",
        fill: "forwards",
      });
      flight.onfinish = () => ghost.remove();
    }
  }
  return { el, fly, stop };
}
