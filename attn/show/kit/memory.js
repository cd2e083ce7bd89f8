// Memories as matrices, in the browser: what each question sees of each write. Equal to attn.memory, tested there.
import { dot } from "./linalg.js";

// Write the keys one after another, the j-th with the j-th unit vector as its value. -> the state, d rows of n weights
// over the writes; `onwrite(i, state)` is called after each.
export function remember(keys, { alpha = 1, beta = 1, erase = true, onwrite = () => {} } = {}) {
  let state = keys[0].map(() => keys.map(() => 0));
  keys.forEach((key, i) => {
    const faded = state.map((line) => line.map((x) => alpha * x));
    const said = keys.map((_, j) => (erase ? dot(key, faded.map((line) => line[j])) : 0));
    state = faded.map((line, a) => line.map((x, j) => x + beta * key[a] * ((i === j ? 1 : 0) - said[j])));
    onwrite(i, state);
  });
  return state;
}

// What a query sees of each write.
export const seen = (query, state) => state[0].map((_, j) => query.reduce((sum, x, a) => sum + x * state[a][j], 0));
