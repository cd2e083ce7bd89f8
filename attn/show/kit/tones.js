// What stands beside a plane: the meaning of its tones, and its numbers.
import { h, number } from "./kit.js";

// A number where a power of ten would say nothing: what rounding would show as 0 is nearly that.
export const slight = (x) => Math.abs(x) < 0.0005 && Math.abs(x) >= 1e-9 ? "≈0" : number(x);

// What the tones mean, in words beside them.   pairs: [tone, text]
export const key = (pairs) =>
  h(
    "p",
    { class: "attn-legend" },
    pairs.map(([tone, told]) => h("span", { class: "attn-tone", "data-tone": tone }, told)),
  );
