// Names to choose from: chips where there is room, a menu on a phone.
import { chips, h } from "./kit.js";

// other: what the menu says where none is on.   -> el; draw(k), -1 for none
export function either(names, title, onpick, ...other) {
  const { el, draw } = chips({ names, title, onpick });
  const menu = h("select", {
    "aria-label": title,
    onchange: () => names[menu.selectedIndex] && onpick(menu.selectedIndex),
  }, [...names, ...other].map((name) => h("option", {}, name)));
  el.classList.add("attn-either");
  el.append(menu);
  return {
    el,
    draw(k) {
      draw(k);
      menu.selectedIndex = k < 0 ? names.length : k;
    },
  };
}
