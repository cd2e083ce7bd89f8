// A product of matrices as a hand does it: the right factor stands above the result, the left one beside it. Row i and
// column j meet in the cell (i, j).
import { calm, h, mark, number } from "./kit.js";
import { flights, grand } from "./large.js";

const EACH = 420; // milliseconds from one flight to the next
const LETTER = 14; // pixels: a row that is thinner carries no number

// left: a matrix; pairs: [{ top, result }], each right factor with what it makes; about: what stands in the free corner;
// names: of the left factor's rows and of the right one's; told: the numbers as written. light(i, j, k): row i, and column j of the k-th right factor, are at work; −1 is none.
export function crossing({ left, pairs, about, told, names }) {
  const rem = (lines) => 0.6 * Math.min(12, Math.max(...lines.map((line) => line.length)));
  const [side, over] = names.map(rem);
  const stacked = rem(names[0].flatMap((name) => name.split(" "))); // on a phone a name of two words stands on two lines
  const flying = flights();
  const columns = ({ cells }) => cells[0].length;
  const wide = columns(left) + pairs.reduce((sum, { result }) => sum + columns(result), 0);
  const narrow = columns(left) + Math.max(...pairs.map(({ result }) => columns(result)));
  left.el.style.gridArea = "2 / 1";
  const parts = pairs.flatMap(({ top, result }, k) => {
    top.el.style.gridArea = `1 / ${k + 2}`;
    result.el.style.gridArea = `2 / ${k + 2}`;
    top.el.classList.add("attn-factor"); // in one narrow column its rows have no names: they are the left one's columns
    result.el.classList.add("attn-result");
    return [top.el, result.el];
  });
  const el = grand(
    { wide, narrow, aside: side + pairs.length * (over + 2.2) + 1, thin: Math.min(stacked, 4.5) + 1.5, told },
    h("div", { class: "attn-corner-note" }, about),
    left.el,
    ...parts,
    flying.el,
  );
  el.classList.add("attn-cross");
  el.firstChild.style.setProperty("--tall", left.cells.length + pairs[0].top.cells.length);
  // A number that is on its way stands nowhere yet.
  let due = [];
  function fly(moves, arrivals) {
    stop();
    if (calm() || moves.length > 400) return;
    const unseen = { color: "transparent", backgroundColor: "transparent" };
    due = arrivals.map(([cell, duration]) => cell.animate([unseen, unseen], { duration }));
    flying.fly(moves);
  }
  function stop() {
    for (const one of due) one.cancel();
    due = [];
    flying.stop();
  }
  function light(i, j, k = 0) {
    pairs.forEach(({ top, result }, pair) => {
      for (const one of [top.el, result.el]) mark(one, "data-away", pair !== k);
      top.cells.forEach((line) => line.forEach((cell, c) => mark(cell, "data-col", pair === k && c === j)));
    });
    left.cells.forEach((line, r) => line.forEach((cell) => mark(cell, "data-col", r === i)));
  }

  // Row i slides onto the columns js, one after the other, which is outlined meanwhile; the products fall into their cells.
  function meet(i, js, a, b, most, k = 0) { // -> for each column, the milliseconds until its cell is filled
    const { top, result } = pairs[k];
    const moves = js.flatMap((j, turn) =>
      a[i].flatMap((x, c) => {
        const [start, made] = [turn * EACH, x * b[c][j]];
        const cell = top.cells[c][j];
        return [
          { from: left.cells[i][c], to: cell, told: number(x), share: x / most, start, end: start + 600, k: c },
          {
            from: cell,
            to: result.cells[i][j],
            told: number(made),
            share: Math.max(-1, Math.min(1, made / most)),
            start: start + 650,
            end: start + 1100 - 40 * c,
            k: c,
          },
        ];
      })
    );
    const landed = js.map((_, turn) => turn * EACH + 1050);
    fly(moves, js.map((j, turn) => [result.cells[i][j], landed[turn]]));
    if (due.length) js.forEach((j, turn) => due.push(...outline(top, j, turn * EACH + 350)));
    return landed;
  }

  function outline({ cells }, j, delay) {
    const ring = { outline: "2px solid var(--attn-accent)", outlineOffset: "-2px", zIndex: 1 };
    return cells.map((line) => line[j].animate([ring, ring], { delay, duration: EACH }));
  }

  // The weights of row i shrink the rows of the right factor to their height; stacked, they fill row i of the result.
  // tell: how the cells write a number, so that what flies fits into them; into: where else they are stacked
  function blend(i, a, b, most, tell, into = pairs[0].result.cells[i]) { // -> the milliseconds until the sum is there
    const [{ top, result }] = pairs;
    const rows = a[i].map((x, j) => [x, j]).filter(([x]) => x > 0);
    const until = (rows.length - 1) * EACH + 1500;
    let full = 0;
    const moves = rows.flatMap(([x, j], turn) => {
      const [start, at] = [turn * EACH, full];
      full += x;
      // it comes to the row's front: on its way no number lies over another one
      const front = top.cells[j][0].getBoundingClientRect();
      front.x -= front.width + 6;
      const to = { getBoundingClientRect: () => front };
      const weight = { from: left.cells[i][j], to, told: tell(x), share: x, weight: true };
      return [
        { ...weight, start, end: start + 450 },
        ...b[j].flatMap((value, c) => {
          const one = { from: top.cells[j][c], told: "", share: (x * value) / most };
          const high = x * into[c].getBoundingClientRect().height;
          const told = high < LETTER ? "" : tell(x * value);
          return [
            { ...one, to: one.from, thin: [1, x], start: start + 450, end: start + 800 },
            { ...one, told, to: into[c], thin: [x, x], down: at, start: start + 800, end: start + 1300, until },
          ];
        }),
      ];
    });
    fly(moves, result.cells[i].map((cell) => [cell, until]));
    // a part's number is seen when it has left the others
    [...flying.el.children].forEach((ghost, k) => {
      const { weight, start: delay, end, thin } = moves[k];
      if (!weight && thin[0] < 1) {
        ghost.animate([{ color: "transparent" }, { color: "transparent" }, {}], {
          delay,
          duration: end - delay,
          fill: "backwards",
        });
      }
    });
    return until;
  }
  return { el, light, meet, blend, stop };
}
