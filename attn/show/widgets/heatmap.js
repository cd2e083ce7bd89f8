// A matrix in colour, with its numbers, its legend, and the chosen row as bars: beside a small matrix, below a wide one.
// Where columns are to be compared, each number has its bar in its own cell.
import {
  bare,
  bars,
  bdi,
  calm,
  columnOf,
  extremes,
  figure,
  h,
  label,
  largest,
  legend,
  mark,
  matrix,
  number,
  percent,
  phrase,
  provenance,
  quoted,
  rowOf,
  weight,
  write,
} from "../kit/kit.js";
import { grand, written } from "../kit/large.js";
import { softmax } from "../kit/linalg.js";

const MANY = 20; // more rows keep their own small size; more columns share the width, their numbers told when pointed at
const FEW = 8; // so many columns leave room for the bars beside them

const RULES = `.attn-heat > div { --most: clamp(1.6rem, 22rem / var(--tall), 4.6rem);
  --w: clamp(2.2rem, (100cqw - var(--aside)) / var(--wide) - 3px, 7.5rem); }
.attn-heat[data-fine] > div { --w: max(0.3rem, (100cqw - var(--aside)) / var(--wide) - 3px); --u: 2rem; }
.attn-live .attn-heat[data-fine] th[scope="col"] { min-width: 0; max-width: var(--w); padding: 0;
  font-size: clamp(8.5px, var(--w) * 0.8, 14px); }
.attn-live .attn-heat[data-fine] :is(thead, tfoot) td { min-width: 0; padding: 0; }
.attn-live .attn-heat[data-fine] bdi { overflow: visible; }
.attn-live .attn-heat[data-fine] .attn-matrix tbody td { font-size: 0; } /* read aloud, not seen */
.attn-live .attn-heat tfoot[aria-hidden] td { position: relative; height: 3rem;
  background: linear-gradient(var(--attn-line) 0 0) 0 var(--zero, 100%) / 100% 1px no-repeat; }
.attn-heat tfoot i { position: absolute; inset-inline: 20%; border-radius: 2px; background: var(--attn-bar);
  opacity: 0.65; }
.attn-heat tfoot i[data-minus] { background: var(--attn-debt); }
.attn-heat tfoot i[data-on] { opacity: 1; }
.attn-legend > :has(+ .attn-sides)::after { content: ";"; }
.attn-live .attn-heat .attn-matrix :is(th[data-on], tr[data-on] > th) { font-weight: 400; -webkit-text-stroke: 0.04em; }
.attn-live .attn-heat [data-kind="signed"] tbody tr:not([data-on]) > td { color: color-mix(in srgb, var(--attn-ink) 80%, transparent); }
.attn-live .attn-heat .attn-matrix tbody td[data-gone] {
  background: repeating-linear-gradient(45deg, var(--attn-paper) 0 4px, var(--attn-line) 4px 6px); }
.attn-heated { container-type: inline-size; }
.attn-heated > div { display: grid; grid-template-columns: minmax(0, var(--part)) minmax(0, 1fr); gap: 0.5rem 1.5rem;
  align-items: center; }
.attn-heated .attn-bars { position: relative; min-height: calc(var(--bar) * var(--keys) + 1.6em); --bar: clamp(1.6rem, 13rem / var(--keys), 3.4rem); max-width: none;
  grid-template-columns: max-content minmax(0, 1fr) 4.5rem; line-height: 1.2; }
.attn-live .attn-heated p { margin: 0 0 0.3rem; color: var(--attn-soft); }
.attn-live .attn-heated .attn-bars li { margin: 0; }
.attn-live .attn-heated .attn-bars li:last-child { align-items: start; color: var(--attn-soft); font-size: 0.85em; }
.attn-heated .attn-track { height: var(--bar); border: 0; background: linear-gradient(var(--attn-edge) 0 0)
  var(--zero) 0 / 1.5px 100% no-repeat, linear-gradient(var(--attn-line) 0 0) var(--low) 0 / 1px 100% no-repeat,
  linear-gradient(var(--attn-line) 0 0) var(--high) 0 / 1px 100% no-repeat; }
.attn-heated .attn-fill { inset-block: 12%; }
.attn-heated .attn-mirror { position: absolute; inset-block: 12%; box-sizing: border-box; border: 1.5px solid var(--attn-text);
  border-radius: 2px; }
.attn-heated .attn-piece { position: absolute; z-index: 2; border-radius: 2px; background: var(--attn-debt); }
.attn-live .attn-heat .attn-matrix :is(tbody th, th[scope="col"]) { cursor: pointer; }
.attn-heated [data-pair] .attn-fill { inset-block: 4% 52%; }
.attn-heated [data-pair] .attn-mirror { inset-block: 52% 4%; }
.attn-heat[data-rows] tr > td[data-source]:not([data-made]) { outline: 0; }
.attn-live .attn-heat[data-rows] td { opacity: 1 !important; }
.attn-live[data-tracing] .attn-heat[data-rows] td[data-pick]:not([data-made]) { outline: 0; }
.attn-heat[data-rows]:not([data-few]) tr:has(> td[data-made]) { outline: 2px solid var(--attn-debt); outline-offset: 1px; }
.attn-heat[data-rows][data-few] tbody tr, .attn-heat thead th { position: relative; }
.attn-live .attn-heat[data-rows][data-few] tbody th { position: static; }
.attn-heat[data-rows][data-few] tr:has(> td[data-made]) > th::after, .attn-heat th[data-down]::after { content: ""; position: absolute;
  z-index: 1; inset: -2px; border: 2px solid var(--attn-debt); border-radius: 3px; pointer-events: none; }
.attn-heat th[data-down]::after { inset: 0 -2px auto; height: var(--along); }
.attn-live .attn-heat thead th[tabindex]:focus-visible { outline: 3px solid var(--attn-text); outline-offset: 1px; }
.attn-heated .attn-bars li:not([data-on]) .attn-fill { opacity: 0.65; }
.attn-heated li[data-on] .attn-value { font-weight: 700; }
/* one selection at a time; a cell and its bar have one ring */
.attn-live .attn-heat:has([data-down]) td[data-pick] { outline: 0; }
.attn-live .attn-heated:has(li[data-made]) .attn-heat[data-rows] tr > td[data-source] { outline: 3px solid var(--attn-debt); }
.attn-live .attn-heated .attn-mark { opacity: 1 !important; }
.attn-live .attn-heated .attn-mark:focus-visible { outline: 0; }
.attn-heated li:is([data-made], [data-source]) .attn-fill { outline: 3px solid var(--attn-debt); outline-offset: 1px; opacity: 1 !important; }
.attn-heated li[data-on] .attn-name { color: var(--attn-text); }
.attn-heated .attn-value { font-size: 1.1em; }
/* shares of few words: one bar, which they fill */
.attn-live .attn-heated .attn-bars[data-whole] { display: flex; box-sizing: border-box; padding: 0 0.5rem 1.6em 0; }
.attn-live .attn-heated .attn-bars[data-whole] li { display: grid; grid-template: 1.5em 1fr / minmax(0, 1fr); flex: 0 0 calc(var(--t) * 100%); align-items: stretch;
  gap: 0; overflow: hidden; text-align: center; }
.attn-live .attn-heated .attn-bars[data-whole] li:last-child { position: absolute; display: block; inset: auto 0.5rem 0 0; overflow: visible; }
.attn-heated [data-whole] .attn-name { max-width: none; padding: 0; text-align: center; }
.attn-heated [data-whole] .attn-track { grid-area: 2 / 1; height: auto; border-right: 2px solid var(--attn-paper); background: none; }
.attn-live .attn-heated [data-whole] .attn-fill { inset: 0; width: 100%; opacity: 1 !important; outline-offset: -3px; }
.attn-heated [data-whole] [data-slim~="name"] > .attn-name, .attn-heated [data-whole] [data-slim~="value"] > .attn-value { visibility: hidden; }
.attn-heated [data-whole] .attn-value { z-index: 1; grid-area: 2 / 1; place-self: center; font-size: clamp(12px, var(--t) * 4.4rem, 1.4rem); }
.attn-heated [data-whole] .attn-heat-ticks { display: block; }
.attn-heat[data-sums] > div { --most: clamp(1.6rem, 24rem / var(--tall), 3.6rem);
  --w: clamp(2.2rem, (100cqw - var(--aside)) / var(--wide) - 3px, 10rem); }
.attn-heat-ticks { position: relative; height: 1.3em; }
.attn-heat-ticks > span { position: absolute; translate: -50%; }
.attn-live .attn-heat[data-rows]:not([data-fine], [data-claim]) .attn-matrix tbody td { font-size: max(11px, min(1.4rem, var(--w, var(--u)) / var(--signs) / 0.66, var(--u) / 2)); }
.attn-heat[data-claim] .attn-scroll { padding: 6px; }
/* the chosen number is the largest, those of its row are larger than the others; in bold it stays inside its cell */
.attn-live .attn-heat[data-claim] .attn-matrix tbody td { --k: 0.75; font-size: calc(var(--k) * var(--digits)); }
.attn-live .attn-heat[data-claim] .attn-matrix tbody tr[data-on] > td { --k: 0.87; }
.attn-live .attn-heat[data-claim] .attn-matrix tbody tr > td:is([data-made], [data-pick]) { --k: 1; font-weight: 700; }
.attn-heat[data-claim] > div { --digits: min(1.75rem, var(--w, var(--u)) / var(--signs) / 0.74, var(--u) / 2); }
.attn-live .attn-heat[data-claim] tfoot:not([aria-hidden]) tr > * { padding: 0.3rem 0 0; border-top: 2px solid var(--attn-line); color: var(--attn-soft); }
.attn-live .attn-heat[data-claim] tfoot td[data-on] { color: var(--attn-text); font-weight: 700; }
.attn-live .attn-heat.attn-heat[data-two] .attn-matrix tbody tr > td[data-two] { font-size: 0; }
.attn-heat[data-two] td[data-two]::after { content: attr(data-two); font-size: max(11px, var(--k, 1) * min(1.5rem, var(--w) / var(--two) / 0.72, var(--u) / 2)); }
.attn-live .attn-peak.attn-hero { overflow: hidden; margin-bottom: 0.7rem; font-size: clamp(1.5rem, 4.4cqw, 2.4rem); text-overflow: ellipsis;
  white-space: nowrap; }
/* more columns: what is large has its number, and so has the row in hand */
.attn-live .attn-heat[data-mid] .attn-matrix tbody td { font-size: 0; }
.attn-heat[data-mid] :is(td[data-top], tr[data-on] > td)::after { content: attr(data-short); font-size: clamp(11px, var(--w) / 2.6, 1rem); }
.attn-heat tbody td:is([data-pick], [data-made], [data-source]) { z-index: 1; }
.attn-columns > div { --w: clamp(2rem, (100cqw - var(--aside)) / var(--wide) - 4px, 10rem); }
.attn-live .attn-columns .attn-matrix :is(tbody, tfoot) tr > * { vertical-align: baseline; }
.attn-live .attn-columns .attn-matrix tbody td { height: 2.3rem; padding-bottom: 0.7rem; border-radius: 3px; font-size: 1rem; }
.attn-live .attn-columns .attn-matrix :is(tbody td, [data-sum]) {
  --low: calc((var(--zero) + min(var(--t), 0) * (1 - var(--zero))) * 100%);
  --high: calc((var(--zero) + max(var(--t), 0) * (1 - var(--zero))) * 100%);
  background: linear-gradient(var(--attn-edge) 0 0) calc(var(--in, 0px) + (100% - 2 * var(--in, 0px)) * var(--zero)) 100% / 1.5px calc(var(--thick, 0.55rem) + var(--foot, 3px) + 1px) no-repeat,
  linear-gradient(90deg, transparent var(--low), var(--bar) var(--low) var(--high), transparent var(--high)) var(--in, 0px) calc(100% - var(--foot, 3px)) / calc(100% - 2 * var(--in, 0px)) var(--thick, 0.55rem) no-repeat; }
.attn-live .attn-columns tfoot td { position: relative; }
.attn-live .attn-columns tfoot :is(td, th) { height: 1.3rem; padding-block: 0.2rem 0.8rem; border-top: 2px solid var(--attn-soft); }
.attn-live .attn-columns:not(.attn-chain) tfoot td { font-weight: 700; text-align: center; }
.attn-live .attn-columns tfoot td[data-sum] { height: 2.2rem; padding: 0.4rem 2px 0.8rem; font-size: min(1.7rem, var(--w) / 4.2); line-height: 1.1; }
.attn-live .attn-heat thead td[data-group] { padding: 0 0 0.1rem; border-bottom: 3px solid var(--tone); color: var(--attn-text); font-weight: 700; }
.attn-live .attn-columns .attn-matrix .attn-asked { display: none; }
/* the row in hand is the way to follow, whatever is pointed at */
.attn-live .attn-columns[data-total] tbody tr:not([data-on]) > td:not([data-made], [data-source]) { --much: 40%; color: color-mix(in srgb, var(--attn-ink) 62%, transparent); }
.attn-live .attn-columns[data-total] .attn-matrix tbody tr > td:not([data-made], [data-source]) { opacity: 1; }
.attn-columns [data-tone="share"] { --tone: var(--attn-edge); }
.attn-live .attn-columns .attn-matrix :is(tr[data-on] > td, [data-sum])[data-tone] { background-color: color-mix(in srgb, var(--tone) 10%, var(--attn-paper)); }
.attn-live .attn-columns tfoot td:not([data-sum]) { background: none; }
.attn-columns tfoot td[data-made] { outline: 3px solid var(--attn-debt); outline-offset: -1px; }
.attn-live .attn-columns[data-total] caption { position: absolute; clip-path: inset(50%); }
.attn-live .attn-columns .attn-matrix tbody td:is([data-nil], [data-join]) { background-image: none; }
.attn-live .attn-columns .attn-matrix tr > [data-join] { width: 0; min-width: 0; max-width: none; padding-inline: 4px; outline: 0; color: var(--attn-text); }
.attn-columns tbody tr:not([data-on]) > [data-join] { visibility: hidden; font-size: 0 !important; }
.attn-columns td { --hue: var(--attn-bar); --tint: var(--attn-plus); --bar: color-mix(in srgb, var(--hue) var(--much, 100%), transparent); }
.attn-columns td[data-minus] { --hue: var(--attn-debt); --tint: var(--attn-minus); }
/* the steps of an equation: no boxes, its numbers end below each other; the row in hand is one
   band in the tints of what is done, which its bars have too; bold is the number in hand alone */
.attn-chain > div { --attn-hair: transparent; }
.attn-chain td[data-tone] { --hue: var(--tone); }
.attn-live .attn-chain .attn-matrix tbody td[data-tone="query"] { background-image: none; }
@container (width > 40rem) {
  .attn-chain > div { --w: calc((100cqw - var(--aside)) / var(--wide)); }
  .attn-live .attn-chain table { --in: 6px; --thick: 0.32rem; border-spacing: 0; }
  .attn-live .attn-chain .attn-matrix tr > :not([data-join], [data-group]) { padding-inline: 2px 0.4rem; text-align: right; }
  .attn-live .attn-chain thead td:not([data-group]) { color: var(--attn-soft); font-size: 0.8rem; }
  .attn-live .attn-chain thead bdi { margin-left: auto; font-size: min(1em, var(--w) / 3.7); }
  .attn-live .attn-chain .attn-matrix tbody td { --thick: 0.16rem; --foot: 2px; box-sizing: border-box;
    height: 1.85rem; padding-block: 0 0.25rem; font-size: min(0.9rem, var(--w) / 4.5); line-height: 1.2; border-radius: 0; }
  .attn-live .attn-chain .attn-matrix tbody tr[data-on] > td { --thick: 0.32rem; --foot: 6px; height: 3.2rem; padding-block: 0.5rem 0; font-size: min(1rem, var(--w) / 4.4); }
  .attn-live .attn-chain .attn-matrix tr > :is([data-part], [data-sum]) { width: calc(1.35 * var(--w)); max-width: none; }
  .attn-live .attn-chain tfoot td[data-sum] { padding-bottom: 0.6rem; font-size: min(1.6rem, var(--w) / 2.9); }
  .attn-chain tr[data-on] > [data-times]::after { content: attr(data-times); display: block; font-size: 0.7rem; font-weight: 400; }
  .attn-chain [data-join] > small { display: none; }
}
@container (max-width: 34rem) {
  .attn-heated > div { grid-template-columns: minmax(0, 1fr); }
  .attn-heated > div > div:not(.attn-heat) { display: contents; }
  .attn-live .attn-heated .attn-peak { order: -1; margin: 0; }
  .attn-heated .attn-bars { --bar: clamp(1.6rem, 9rem / var(--keys), 2.2rem); }
}
@container (max-width: 46rem) {
  .attn-live .attn-heat[data-mid] .attn-matrix tr > * { min-width: 0; padding-inline: 0; }
  .attn-heat[data-mid] > div { --w: clamp(1.3rem, (100cqw - var(--aside)) / var(--wide) - 3px, 5.6rem); }
  .attn-live .attn-heat[data-mid] thead bdi { max-width: none; max-height: 6rem; margin: auto; font-size: 12px; line-height: 1; writing-mode: vertical-rl; rotate: 180deg; }
  .attn-live .attn-heat[data-mid] thead th { height: 4rem; vertical-align: bottom; }
}
/* on a phone every column is in sight: the names stand upright, the sentence and the bars have the numbers */
@container (max-width: 34rem) {
  .attn-heat[data-mid] > div { --w: calc((100cqw - var(--thin)) / var(--wide) - 3px); --u: 1.6rem; }
  .attn-heat[data-mid] td::after { content: none !important; }
  .attn-live .attn-heat[data-mid] th[scope="row"] { padding-right: 0.25rem; font-size: 13px; }
  /* many columns: colour beside colour, and their names in two lines */
  .attn-heat[data-fine] > div { --w: max(0.3rem, (100cqw - var(--aside)) / var(--wide)); }
  .attn-heat[data-fine] table { border-spacing: 0 3px; }
  .attn-live .attn-heat[data-fine] .attn-matrix tbody td:not([data-pick]) { border-radius: 0; outline: 0; }
  .attn-live .attn-heat[data-fine] .attn-matrix tbody tr { outline: 1px solid var(--attn-line); outline-offset: -1px; }
  .attn-live .attn-heat[data-fine] th[scope="col"] { padding-top: 1.1em; font-size: 11px; }
  .attn-live .attn-heat[data-fine] th[scope="col"]:nth-child(odd) bdi { position: relative; top: -1.1em; }
}
/* every column in sight on a phone, two decimals in a cell */
@container (max-width: 22rem) {
  .attn-heat[data-few] > div { --w: clamp(1.5rem, (100cqw - var(--thin)) / var(--wide) - 2px, 5.6rem); }
  .attn-live .attn-heat[data-few] .attn-matrix tr > * { min-width: 0; padding-inline: 0; }
  .attn-live .attn-heat[data-few] .attn-matrix th[scope="row"] { padding-right: 0.25rem; }
  .attn-live .attn-heat[data-few] :is(thead th, thead td, tfoot td) { max-width: var(--w); font-size: clamp(11px, var(--w) * 1.5 / var(--name), 0.93em); }
  .attn-live .attn-heat[data-few] thead td { white-space: normal; line-height: 1.1; }
  .attn-live .attn-heat[data-few] thead bdi { max-width: calc(var(--w) + 4px); margin-inline: -2px; }
  .attn-live .attn-heat.attn-heat[data-few] .attn-matrix tr > td[data-short] { font-size: 0; }
  .attn-heat[data-few] td[data-short]::after { content: attr(data-short) !important; letter-spacing: -0.05em; font-size: clamp(11px, var(--w) / 3.4, 1rem); }
  .attn-heat[data-claim][data-few] td[data-short]::after { font-size: max(11px, var(--k) * min(1.2rem, var(--w) / var(--two) / 0.72)); }
  .attn-live .attn-heat[data-upright] thead bdi { max-width: none; margin: auto; font-size: 13px; line-height: 1; writing-mode: vertical-rl; rotate: 180deg; }
  .attn-live .attn-heat[data-upright] thead th { vertical-align: bottom; }
}
/* steps on a narrow card: each is a row of tints, the words stand side by side; the word in hand has its digits and the
   joins, the chosen number large; what is shared and what is summed has its digits for all */
@container (max-width: 40rem) {
  .attn-live .attn-columns.attn-columns[data-total] {
    & .attn-matrix tr > td[data-short] { font-size: 0; }
    & :is(.attn-scroll, table) { width: 100%; border-spacing: 0; }
    & table { writing-mode: vertical-lr; }
    & tr > *:not([data-group]) { writing-mode: horizontal-tb; }
    & .attn-matrix tr > * { width: auto; min-width: 0; max-width: none; height: 1.9rem; padding: 0 1px; font-size: 13px; letter-spacing: 0; text-align: center; vertical-align: middle; }
    & .attn-matrix thead bdi { max-width: 2.9rem; margin: 0 auto; line-height: 1.15; white-space: normal; }
    & .attn-matrix :is(thead td:first-child, th[scope="row"]) { height: 1.5rem; }
    & .attn-matrix tr > [data-join] { height: 0.95rem; padding: 0; font-size: 12px; line-height: 1; }
    & [data-join="→"] > span { display: inline-block; rotate: 90deg; }
    & [data-join="→"] > :has(+ :not(:empty)) { display: none; }
    & [data-join] > small { margin-left: 0.2em; font-size: 0.95em; }
    & .attn-matrix thead [data-group] { padding: 0 2px; border: 0; border-left: 3px solid var(--tone); }
    & thead tr:has([scope="row"]) { display: none; }
    & .attn-matrix .attn-asked { display: block; color: var(--attn-soft); font-size: 11px; font-weight: 400; line-height: 1.1; }
    & .attn-matrix tr > :is([data-at], [data-part], [data-sum]) { --thick: 3px; --foot: 2px; --in: 2px; min-width: 1.45rem; padding-bottom: 4px; border-radius: 0; }
    & .attn-matrix tfoot tr > * { border: 0; border-left: 2px solid var(--attn-soft); }
    & td[data-short]::after { content: attr(data-short); letter-spacing: -0.07em; font-size: 12px; line-height: 1.2rem; }
    & tbody tr:not([data-on]) > td:not([data-tone="share"])::after { content: attr(data-two) !important; font-size: 11px; }
    & .attn-matrix td[data-sum] { min-width: 2.1rem; }
    & td[data-sum]::after { font-size: 15px; }
    & .attn-matrix tbody tr[data-on] > td { min-width: 2.4rem; }
    & tbody tr[data-on] > td[data-short]::after { font-size: 14px; }
  }
}`;

export function render(host) {
  const [title, kind, name] = ["title", "kind", "name"].map((part) => host.model.get(part));
  return figure(host, {
    title: title?.replace(/[^.?!:]$/, "$&.") ||
      (kind === "weight"
        ? "Where each word looks."
        : `${name.replace(/^[a-z](?=[a-z])/, (x) => x.toUpperCase())}, cell by cell.`),
    hint: "",
    shape: [
      "values",
      "tokens",
      "key_tokens",
      "kind",
      "name",
      "down",
      "across",
      "scale",
      "made",
      "total",
      "ask",
      "weigh",
      "against",
      "scores",
      "groups",
    ],
    state: ["row", "col", "masked"],
    build,
  });
}

// The roundest number below
const even = (x, ten = 10 ** Math.floor(Math.log10(x))) => Number((Math.floor(x / ten + 1e-9) * ten).toPrecision(3));

// A number in a narrow cell: 0.988 as .99; the bars, the sentence and the line of provenance have the rest
const little = (x, digits) =>
  x && Math.abs(x) < 0.5 * 10 ** -digits ? "≈0" : number(x, digits).replace(/^(−?)0(?=\.)/, "$1");

// of a word that is not in hand, on a phone
const scant = (x) => little(x, little(x, 2).length > 4 ? 1 : 2);

// Softmax gives no 0: what is written as 0 and is not says so. Only what is forbidden takes nothing.

// Rows that look at themselves and at what stands before them only, each at all of it: a causal mask
const causal = (values) =>
  values.length > 1 &&
  values.every((line, i) => line.length === values.length && line.every((x, j) => (j > i ? x === 0 : x > 0)));

// What full colour is in each cell: the largest of the matrix, of its row or of its column; of weights it is 1.
function fullest(values, kind, scale) {
  const whole = kind === "weight" ? 1 : largest(values);
  const columns = values[0].map((_, j) => {
    const column = values.map((line) => line[j]);
    return column.every((x) => x >= 0) && Math.abs(column.reduce((a, b) => a + b) - 1) < 1e-6 ? 1 : largest(column);
  });
  const rows = values.map((line) => largest(line));
  return (i, j) => kind === "weight" ? whole : { row: rows[i], column: columns[j] }[scale] || whole;
}

function build(get, set) {
  const [given, tokens, keys, kind, name] = ["values", "tokens", "key_tokens", "kind", "name"].map(get);
  // Of weights whose scores are known the mask can be lifted: then softmax has all of the row
  const scores = get("scores") || [];
  const lifted = scores.length ? softmax(scores) : given;
  const bound = () => get("masked") !== false;
  let values = bound() ? given : lifted;
  const scale = get("scale") || "matrix";
  const made = get("made") || [];
  const against = get("against") || []; // each row's partner
  const total = get("total") || []; // under a rule: its name, and a text a column
  const weigh = keys.indexOf(get("weigh") || null); // a column; what is behind it counts as much as it says
  const counted = (i, j) => values[i][weigh] * values[i][j];
  const sumOf = (j) => values.reduce((sum, _, i) => sum + counted(i, j), 0);
  // its products have columns of their own
  const parts = tokens.map(() => weigh < 0 ? [] : keys.slice(weigh + 1).map(() => h("td", { "data-part": true })));
  const asked = (get("ask") || []).slice(1);
  const isValue = (j) => weigh >= 0 && j > weigh;
  const isFactor = (j) => asked[j] && !isNaN(asked[j]); // of a sum of products
  const size = [tokens.length, keys.length];
  // Numbers of different kinds side by side: only those below each other can be compared
  const cells = scale === "column" && kind !== "weight";
  const full = fullest(values, kind, scale);
  const known = (x) => x !== null && x > -Infinity;
  const tell = kind === "weight" ? weight : (x) => number(x);
  // four digits, in a narrow cell; what is next to nothing says so, and how much it is when it is pointed at
  const four = (x) => x && Math.abs(x) < 0.0005 ? "≈0" : number(x, Math.abs(x) < 10 ? 3 : 2);
  const table = matrix({
    name: `${name} (${size.join("×")})`,
    rows: tokens,
    cols: keys,
    size,
    kind,
    tell: cells && total.length ? four : tell,
    onpick: (i, j) => set({ row: i, col: j }),
  });
  const heads = table.el.querySelectorAll("thead th");
  const share = (i, j) => known(values[i][j]) ? values[i][j] / full(i, j) : 0;
  if (scale !== "matrix" && kind !== "weight") {
    table.draw(values);
    table.cells.forEach((line, i) => line.forEach((cell, j) => cell.style.setProperty("--t", share(i, j).toFixed(4))));
  }

  // The chosen row as bars: beside the matrix, on the scale of its colours; where there are many columns each stands
  // below its own. Where numbers are below zero, zero is in the middle.
  const both = values.flat().some((x) => known(x) && x < 0);
  const few = size[1] <= FEW && size[0] <= 12 && !cells;
  const [asks, sums] = [asked, total.slice(1)].map((row) =>
    row.map((told) => {
      const cell = h("td", {});
      phrase(cell, told);
      return cell;
    })
  );
  const side = few ? h("strong", {}) : h("th", { scope: "row" });
  const list = cells ? inside() : few ? beside() : below();

  function beside() {
    const { el, draw } = bars({ names: keys, title: "The row as bars" });
    const one = kind === "weight" || scale === "matrix";
    const most = one ? number(full(0, 0)) : "";
    const ghosts = scores.length > 0;
    const outlines = Array.from(ghosts || against.length && both ? el.querySelectorAll(".attn-track") : [], (track) => {
      track.append(h("span", { class: "attn-mirror", style: `left:0;border-style:${ghosts ? "dashed" : "solid"}` }));
      return track.lastChild;
    });
    const fills = el.querySelectorAll(".attn-fill");
    const whose = h("span", {});
    const what = h("span", {}, "row ");
    const [whom, top] = [h("small"), h("span")];
    const peak = h("div", { class: "attn-hero attn-peak" }, whom, top);
    const short = size[1] > 3 ? (x) => little(x, 2) : tell; // as the cells have it
    const round = kind === "weight" ? 1 : even(full(0, 0)), end = most && (round / full(0, 0));
    const ticks = both
      ? [[`−${number(round)}`, 50 - 50 * end], ["0", 50], [number(round), 50 + 50 * end]]
      : [["0", 0], [kind === "weight" ? "0.5" : "", 50 * end], [number(round), 100 * end]];
    for (const [name, k] of [["--low", both ? 0 : 1], ["--high", 2]]) el.style.setProperty(name, `${ticks[k][1]}%`);
    el.append(
      h(
        "li",
        { "aria-hidden": "true" },
        h("span"),
        h(
          "span",
          { class: "attn-heat-ticks" },
          ticks.map(([told, at]) => h("span", { style: `left:${at}%` }, one ? told : told === "0" ? told : "")),
        ),
      ),
    );
    const lines = keys.map((_, c) => el.children[c]);
    for (const one of lines) {
      one.classList.add("attn-mark");
      one.tabIndex = 0;
    }
    return {
      el: h("div", {}, peak, h("p", {}, what, side, whose), el),
      board: { el, cells: [lines] },
      // column: instead of its row
      draw(i, on, column = false) {
        const at = (c) => column ? [c, on] : [i, c];
        const turned = tokens.indexOf(against[i] || null), other = bound() ? lifted : given;
        for (const one of [...outlines, whose]) one.hidden = !ghosts && turned < 0;
        if (turned >= 0) write(whose, `; outlined: ${bare(tokens[turned])}`);
        mark(el, "data-pair", turned >= 0);
        if (ghosts) write(whose, `; dashed: ${bound() ? "no mask" : "masked"}`);
        outlines.forEach((one, c) => {
          const x = ghosts ? other[at(c)[0]][at(c)[1]] : turned < 0 ? 0 : share(turned, c), part = ghosts ? 100 : 50;
          if (!ghosts) one.style.left = `${(50 + 50 * Math.min(x, 0)).toFixed(2)}%`;
          one.style.width = `${(part * Math.abs(x)).toFixed(2)}%`;
          if (ghosts) one.hidden = x === 0;
        });
        const line = keys.map((_, c) => values[at(c)[0]][at(c)[1]]), best = Math.max(...line);
        if (looks) {
          const all = best - Math.min(...line) < 1e-9;
          write(
            whom,
            column
              ? `${all ? "each word looks" : "who looks most"} at ${quoted(keys[on])}`
              : `${quoted(tokens[i])} looks ${all ? "at each word" : "most at"}`,
          );
          write(top, `${all ? "" : `${bare(keys[line.indexOf(best)])} `}${short(best)}`);
        }
        peak.hidden = !looks;
        const whole = sumsUp && !column;
        mark(el, "data-whole", whole);
        draw(keys.map((_, c) => share(...at(c))), {
          most: 1,
          on: column ? line.indexOf(best) : on,
          tell: (_, c) => short(line[c]),
        });
        keys.forEach((name, c) => {
          const [bar, s] = [el.children[c], Math.max(share(...at(c)), 0)];
          bar.style.setProperty("--t", s.toFixed(4));
          // a slice too narrow for its words is told when it is pointed at
          bar.dataset.slim = `${s < 0.034 * label(name).length ? "name" : ""} ${s < 0.12 ? "value" : ""}`;
        });
        mark(el, "data-both", both);
        const drawn = column ? "column " : "row ";
        el.setAttribute("aria-label", `The ${drawn}as bars`);
        write(what, drawn);
        side.replaceChildren(bdi(column ? keys[on] : tokens[i]));
      },
      // What the mask takes from a row leaves the forbidden bars in pieces, and each lands on the end of a bar that may
      // take it: every allowed share grows by the same factor. Lifted, they go back.
      move(i) {
        for (const one of el.querySelectorAll(".attn-piece")) one.remove();
        if (calm()) return;
        const [taken, kept] = [lifted[i].map((x, c) => behind(i, c) ? x : 0), given[i]];
        const before = (row, c) => row.slice(0, c).reduce((a, b) => a + b, 0);
        const place = (c, from, size) => {
          const [track, home] = [fills[c].parentNode, el].map((one) => one.getBoundingClientRect());
          return {
            left: `${track.left - home.left + track.width * from}px`,
            top: `${track.top - home.top + 0.12 * track.height}px`,
            width: `${track.width * size}px`,
            height: `${0.76 * track.height}px`,
          };
        };
        for (const [c, fill] of fills.entries()) {
          const grown = (bound() ? kept[c] - lifted[i][c] : lifted[i][c] - kept[c]) > 0;
          const still = { width: `${(100 * (bound() ? lifted : given)[i][c]).toFixed(2)}%` };
          if (grown) fill.animate([still, still], 800); // until the pieces are there
          if (!taken[c]) continue;
          kept.forEach((x, to) => {
            const size = taken[c] * x;
            if (size < 0.004) return;
            const piece = h("span", { class: "attn-piece", "aria-hidden": "true" });
            const way = [
              place(c, taken[c] * before(kept, to), size),
              place(to, lifted[i][to] + x * before(taken, c), size),
            ];
            el.append(piece);
            piece.animate(bound() ? way : way.reverse(), { duration: 800, easing: "ease-in-out" }).onfinish = () =>
              piece.remove();
          });
        }
      },
    };
  }
  function summed(j) {
    const terms = parts.map((line) => line[j - weigh - 1].textContent).join(" + ");
    return `${number(sumOf(j))} = ${terms.replaceAll("+ −", "− ")}`;
  }
  // Each number's bar in its own cell, from its column's zero
  function inside() {
    const low = keys.map((_, j) => values.some((line) => known(line[j]) && line[j] < 0));
    const bar = (cell, s, j, nil) => {
      cell.style.setProperty("--zero", low[j] ? "0.5" : "0");
      cell.style.setProperty("--t", s.toFixed(4));
      mark(cell, "data-minus", s < 0);
      mark(cell, "data-nil", nil || Math.abs(s) < 0.06);
    };
    // what is next to nothing has no bar: it would look like dirt
    table.cells.forEach((line, i) => {
      line.forEach((cell, j) => {
        bar(cell, share(i, j), j, isValue(j));
        if (isFactor(j)) cell.dataset.times = `× ${asked[j]}`;
      });
      parts[i].forEach((cell, k) => {
        const j = weigh + 1 + k, x = counted(i, j);
        bar(cell, x / full(i, j), j);
        write(cell, four(x));
        Object.assign(cell.dataset, { short: little(x, 2), two: scant(x) });
      });
    });
    asked.forEach((told, j) => { // below the step's name
      if (weigh >= 0 && !isFactor(j)) return phrase(asks[j], join(j)[1] || "");
      const small = h("small", { class: "attn-asked" });
      phrase(small, `${isNaN(told) ? "" : "× "}${told}`.replace(" ", "\u00a0"));
      heads[j].append(small);
    });
    sums.forEach((cell, j) => { // on a phone, as short as the cells above it
      const x = Number(cell.textContent || NaN);
      if (x || x === 0) cell.dataset.short = little(x, Math.abs(x) < 10 ? 2 : 1);
      if (Math.abs(x) >= 10) write(cell, four(x));
      if (!isValue(j)) return;
      bar(cell, sumOf(j) / full(0, j), j);
      mark(cell, "data-sum", true);
      cell.tabIndex = 0;
      cell.setAttribute("aria-label", summed(j));
    });
    const front = sums.map((cell, j) => isValue(j) ? h("td", {}) : cell);
    const line = (name, row) => h("tr", {}, h("th", { scope: "row" }, name && bdi(name)), row);
    if (asks.some((cell) => cell.textContent)) {
      table.el.querySelector("thead").append(line(asked.some((_, j) => isFactor(j)) ? get("ask")[0] : "", asks));
    }
    if (sums.length) table.el.querySelector("table").append(h("tfoot", {}, line(total[0], front)));
    group(front);
    return { el: null, draw() {} };
  }
  // What stands before a column in the row in hand: a sign, and what is done, where the column's name does not say so
  function join(j) {
    if (j > weigh) return weigh >= 0 && j === weigh + 1 && ["×"];
    const told = (asked[j] || "").replace("/", "÷"), follows = j > 0 && !isFactor(j - 1);
    if (isFactor(j)) return j > 0 && ["+"];
    return (j > 0 || told) && [follows ? "→" : j ? "=" : "", told === keys[j] ? "" : told];
  }
  // Columns that do one thing have one name above them and one tint: those that ask, that share, that take. An equation is read along its row: what joins its columns stands in
  // narrow ones of their own, and what is summed stands last.
  function group(front) {
    const names = get("groups") || [], kinds = [...new Set(names)], all = keys.map((_, j) => j);
    const toned = (cell, j) => {
      if (names.length) cell.dataset.tone = ["query", "share", "value"][kinds.indexOf(names[j])] || "share";
      return cell;
    };
    const joins = all.map(join), last = size[1] - 1;
    const weave = (cells, ends, seen) => {
      const gap = (j, [sign, told = ""]) => {
        const small = h("small");
        phrase(small, told);
        return toned(
          h("td", { "aria-hidden": "true", "data-join": sign }, seen ? [h("span", {}, sign), small] : ""),
          j,
        );
      };
      cells.forEach((cell, j) => joins[j] && cell.before(gap(j, joins[j])));
      if (ends.length) cells[last].after(gap(last, ["="]), ...ends);
    };
    for (const line of [...table.cells, sums]) line.forEach(toned);
    for (const cell of parts.flat()) toned(cell, last);
    const made = parts[0].length;
    const what = made
      ? [h("th", { colspan: made }, bdi(`${keys[weigh]} × ${keys[last].replace(/[\d₀-₉]+$/, "")}`))]
      : [];
    weave([...heads], what);
    if (asks[0]?.parentNode) weave(asks, what.map(() => h("td", { colspan: made })));
    table.cells.forEach((line, i) => weave(line, parts[i], true));
    if (front.length) weave(front, sums.slice(size[1] - made));
    const line = table.cells[0][0].parentNode;
    const over = kinds.map((name) => {
      const cell = toned(h("td", { "data-group": true }, name), names.indexOf(name));
      cell.colSpan = line.querySelectorAll(`[data-tone=${cell.dataset.tone}]`).length;
      return cell;
    });
    if (over.length) table.el.querySelector("thead").prepend(h("tr", {}, h("td", {}), over));
  }
  // Rows of weights are compared, so one height holds for all of them
  function below() {
    const tallest = kind === "weight" ? largest(values) : 1;
    const feet = keys.map(() => h("i", { style: calm() ? "" : "transition: 0.35s" }));
    const foot = h("tfoot", { "aria-hidden": "true" }, h("tr", {}, side, feet.map((bar) => h("td", {}, bar))));
    if (both) foot.style.setProperty("--zero", "50%");
    table.el.querySelector("table").append(foot);
    return {
      el: null,
      draw: (i, on) =>
        feet.forEach((bar, c) => {
          const long = (share(i, c) / tallest) * (both ? 50 : 100);
          bar.style.height = `${Math.abs(long).toFixed(2)}%`;
          bar.style.bottom = `${((both ? 50 : 0) + Math.min(long, 0)).toFixed(2)}%`;
          mark(bar, "data-minus", long < 0);
          mark(bar, "data-on", c === on);
        }),
    };
  }

  function shorten() {
    if (size[1] <= 3 || size[1] > MANY) return;
    // those that are compared have one precision: what lies in a column of its own scale, or all of them
    const signs = size[1] > 6 ? 4 : 5;
    const long = (line) => line.some((x) => known(x) && little(x, 2).length > signs);
    // in a table of steps each has two decimals where they fit: its products are to be followed
    const brief = (x, one) => little(x, one && !(cells && little(x, 2).length <= signs) ? 1 : 2);
    const all = keys.map((_, j) => long(cells ? values.map((line) => line[j]) : values.flat()));
    table.cells.forEach((line, i) =>
      line.forEach((cell, j) =>
        Object.assign(cell.dataset, {
          short: brief(values[i][j], all[j]),
          two: cells ? scant(values[i][j]) : little(values[i][j], 2),
        })
      )
    );
  }
  shorten();

  // What a number means. A weight is a part of its row's whole; any other is told against the largest beside it, since
  // softmax and the eye see differences.
  const shares = kind === "weight" && values.every((line) => Math.abs(line.reduce((a, b) => a + b) - 1) < 0.01);
  const looks = shares && get("down") === "queries";
  const great = looks && few && size[1] <= 6; // the map is the large thing
  const sumsUp = great && !scores.length; // its row is one bar
  // what all words together take of each, where a reader can compare it with the 1 of a row
  const feet = looks && few ? keys.map(() => h("td", {})) : [];
  if (feet.length) {
    const foot = h("tr", {}, h("th", { scope: "row" }, "sum"), feet);
    table.el.querySelector("table").append(h("tfoot", {}, foot));
  }
  const behind = scores.length ? (i, j) => given[i][j] === 0 : looks && causal(given) ? (i, j) => j > i : () => false;
  const forbidden = (i, j) => bound() && behind(i, j);
  // A weight, from the scores of its row
  function parted(i, j) {
    const [own, open] = [number(scores[i][j]), scores[i].filter((_, c) => !forbidden(i, c))];
    const sum = open.slice(0, 6).map((x) => `exp(${number(x)})`).join(" + ") + (open.length > 6 ? " + …" : "");
    if (forbidden(i, j)) return `0 = exp(−∞) / (${sum}): the score ${own} is forbidden`;
    return `${tell(values[i][j])} = exp(${own}) / (${sum})`;
  }
  const along = scale === "column" ? "column" : "row";
  function meaning(i, j) {
    const [x, row, column] = [values[i][j], quoted(tokens[i]), quoted(keys[j])];
    if (forbidden(i, j)) return `${row} may not look at ${column}, a later word.`;
    if (looks) return `${row} takes ${x ? percent(x) : "nothing"} of its mix from ${column}; its row sums to 1.`;
    if (shares) return `${percent(x)} of the row ${row} stands at ${column}; the row sums to 1.`;
    const place = `${number(x)}: ${name} at ${row}, ${column}`;
    if (!known(x)) return `${place}, which is forbidden.`;
    const [line, names] = along === "row" ? [values[i], keys] : [values.map((one) => one[j]), tokens];
    const others = line.map((one, k) => (known(one) && k !== (along === "row" ? j : i) ? one : -Infinity));
    const most = Math.max(...others);
    if (most === -Infinity) return `${place}.`;
    const off = x - most;
    const next = `${quoted(names[others.indexOf(most)])} (${number(most)})`;
    if (Math.abs(off) < 1e-9) return `${place}, equal to ${next}.`;
    return off > 0
      ? `${place}, the largest of its ${along}, ${number(off)} above ${next}.`
      : `${place}, ${number(-off)} below the largest of its ${along}, ${next}.`;
  }
  // What is told of a number; of a value, what it becomes
  const how = (i, j) =>
    isValue(j)
      ? `${number(values[i][j])}; times ${number(values[i][weigh])} = ${number(counted(i, j))}`
      : made[i * keys.length + j];
  // What a number is made of: those of its row before it that its text names
  function sources(told, i, j) {
    const named = told.replace(/.*?=/, "").match(/−?\d[\d.]*(e−?\d+)?/g) || [];
    const row = rowOf(table, i).slice(0, j).filter((_, c) => named.includes(number(values[i][c])));
    const above = rowOf({ cells: [asks] }, 0).slice(0, j).filter((_, c) => named.includes(asks[c].textContent));
    return [...row, ...above];
  }
  function explain(i, j) {
    const own = scores.length ? parted(i, j) : how(i, j);
    if (own) {
      return {
        told: `${quoted(tokens[i])}, ${bare(keys[j])}: ${own}`,
        from: isValue(j) ? [[table, [i, weigh]]] : cells ? sources(own, i, j) : rowOf(table, i),
      };
    }
    return { told: meaning(i, j), from: shares || along === "row" ? rowOf(table, i) : columnOf(table, j) };
  }
  const added = { el: table.el, cells: parts };
  // A cell and its bar say the same, and each rings the other
  const bar = (j) => list.board ? [[list.board, [0, j]]] : [];
  const origin = provenance([
    [table, (i, j) => {
      const { told, from } = explain(i, j);
      return { told, from: [...from, ...bar(j)] };
    }],
    ...(list.board
      ? [[list.board, (_, c) => {
        const at = column === null ? [get("row"), c] : [c, column];
        return { told: explain(...at).told, from: [[table, at]] };
      }]]
      : []),
    [added, (i, k) => ({
      told: explain(i, weigh + 1 + k).told,
      from: [weigh, weigh + 1 + k].map((j) => [table, [i, j]]),
    })],
    [
      { el: table.el, cells: [sums] },
      (_, j) => sums[j].tabIndex ? null : { told: summed(j), from: columnOf(added, j - weigh - 1) },
    ],
  ], made.length || scores.length ? undefined : "");
  // The bars, and the names in bold, are those of the cell that is pointed at, and go back to the chosen one.
  let pointed = null;
  let chosen = null;
  const point = (at) => String(at) !== String(pointed) && (pointed = at, stand());
  table.el.addEventListener("pointerover", ({ target }) => {
    const at = target.closest("td[data-at]")?.dataset.at;
    if (at) point(at.split(",").map(Number));
  });
  table.el.addEventListener("pointerleave", ({ pointerType }) => {
    point(null);
    if (pointerType !== "touch" && !table.el.contains(document.activeElement)) down(null);
  });
  // A column's name, pointed at or focused: the column is drawn instead of the row, where its words are those of a row
  const same = few && (looks || scores.length > 0) && String(tokens) === String(keys);
  let column = null;
  function down(j) {
    if (j === column) return;
    column = j;
    if (j !== null) origin.leave();
    stand();
  }
  if (same) {
    heads.forEach((head, j) => {
      head.tabIndex = 0;
      for (const event of ["pointerover", "focus"]) head.addEventListener(event, () => down(j));
      head.addEventListener("blur", () => down(null));
    });
    for (const event of ["pointerover", "focusin"]) {
      table.el.addEventListener(event, ({ target }) => target.closest("td[data-at]") && down(null));
    }
  }

  // A name answers as the cell where it meets the chosen row or column
  function named(target) {
    const th = target.closest(".attn-matrix th");
    if (!th) return null;
    const i = table.cells.findIndex(([cell]) => cell.parentNode === th.parentNode);
    if (i >= 0) return table.cells[i][get("col")];
    const j = Array.from(heads).indexOf(th);
    return same ? null : table.cells[get("row")][j]; // there it draws its column
  }
  table.el.addEventListener("pointerover", ({ target }) => {
    named(target)?.dispatchEvent(new Event("pointerover", { bubbles: true }));
  });
  table.el.addEventListener("click", ({ target }) => named(target)?.click());

  function stand() {
    const [i, j] = pointed ?? [get("row"), get("col")];
    const on = column ?? j;
    if (!few) side.replaceChildren(bdi(tokens[i]));
    list.draw(i, on, column !== null);
    table.cells.forEach(([cell], r) => mark(cell.parentNode, "data-on", r === i && column === null));
    heads.forEach((head, c) => {
      mark(head, "data-on", c === on);
      mark(head, "data-down", c === column);
      if (c !== column) return;
      const [top, foot] = [head, feet[c] || table.cells.at(-1)[c]].map((one) => one.getBoundingClientRect());
      head.style.setProperty("--along", `${foot.bottom - top.top + 2}px`);
    });
    feet.forEach((cell, c) => {
      write(cell, number(values.reduce((sum, line) => sum + line[c], 0), 2));
      mark(cell, "data-on", c === column);
    });
    origin.say(column === null ? "" : summedUp(on));
  }
  // A column and what it sums to, which a row's 1 is to be compared with
  function summedUp(j) {
    const all = values.map((line) => line[j]).filter((_, r) => !forbidden(r, j));
    const open = scores.length ? `${all.length} of ${tokens.length} words may look at it; ` : "";
    const sum = `${all.map((x) => tell(x)).join(" + ")} = ${number(all.reduce((a, b) => a + b, 0))}`;
    return `column ${quoted(keys[j])}: ${open}${sum}; a column need not sum to 1.`;
  }
  function draw() {
    const [i, j] = [get("row"), get("col")];
    if (i !== chosen) pointed = null; // keys go where no mouse is
    chosen = i;
    const before = values;
    values = bound() ? given : lifted;
    if (values !== before) shorten();
    mask.setAttribute("aria-pressed", String(bound()));
    write(mask.lastChild, bound() ? "on" : "off");
    table.draw(values, { row: i, col: j, pick: [i, j] });
    table.cells.forEach((line, r) =>
      line.forEach((cell, c) => mark(cell, "data-gone", forbidden(r, c) || !known(values[r][c])))
    );
    lead();
    stand();
    if (values !== before && list.move) list.move(i);
    origin.draw();
  }
  // The largest share of each row, where the row has one
  function lead() {
    if (!looks) return;
    table.cells.forEach((line, i) => {
      const most = Math.max(...values[i]);
      line.forEach((cell, j) =>
        mark(cell, "data-top", values[i][j] === most && values[i].filter((x) => x > most - 1e-9).length === 1)
      );
    });
  }
  function sentence() {
    const [i, j] = [get("row"), get("col")];
    if (total.length && how(i, j)) return `${explain(i, j).told}.`;
    const held = `row ${quoted(tokens[i])}, column ${quoted(keys[j])} holds ${tell(values[i][j])}`;
    if (total.length) {
      return `${name} (${size.join("×")}): ${held}; the column is ${extremes(values.map((line) => line[j]), tokens)}.`;
    }
    const turned = tokens.indexOf(against[i] || null);
    if (turned >= 0) {
      const pair = `${quoted(tokens[i])} turns ${quoted(tokens[turned])} over`;
      return `${pair}: at ${quoted(keys[j])} ${tell(values[i][j])} against ${tell(values[turned][j])}.`;
    }
    const free = bound() ? "" : "Without the mask, ";
    if (looks) return free + taking(i, j) + handed(i);
    return `${free}${name} (${size.join("×")}): ${held}; the row is ${extremes(values[i], keys, tell)}.`;
  }
  // What a word takes from another, and where it takes most
  function taking(i, j) {
    const [row, word] = [values[i], quoted(tokens[i])];
    const most = Math.max(...row);
    if (most - Math.min(...row) < 1e-9 && row.length > 1) {
      return `${word} takes the same from every word: ${percent(row[j])}.`;
    }
    const own = row[j] ? `${percent(row[j])} of its mix` : "nothing";
    if (row[j] === most) return `${word} takes most from ${quoted(keys[j])}: ${own}.`;
    return `${word} takes ${own} from ${quoted(keys[j])}; most, ${percent(most)}, from ${
      quoted(keys[row.indexOf(most)])
    }.`;
  }
  function handed(i) {
    const taken = scores.length && bound() ? lifted[i].reduce((sum, x, j) => sum + (given[i][j] === 0 ? x : 0), 0) : 0;
    return taken < 0.0005 ? "" : ` The mask takes ${percent(taken)} from later words and shares it out.`;
  }
  const mask = h(
    "button",
    { type: "button", onclick: () => set({ masked: !bound() }) },
    "causal mask: ",
    h("span", {}, ""),
  );
  // not all shares are of attention: under a heading of their own, weights are called as the matrix is
  const colours = legend({ kind, values, share: get("title") && kind === "weight" ? name : undefined });
  if (scale !== "matrix" && kind !== "weight") {
    const ramp = colours.el.querySelector(".attn-ramp");
    const own = total.length
      ? "each step has its own scale"
      : `each ${scale} has its own scale, full at its largest number`;
    const told = !cells || weigh >= 0 ? "" : `${total.length ? "" : ", shares at 1"}; orange: minus`;
    colours.el.replaceChildren(
      ...(cells ? [] : [ramp]),
      h("span", {}, own, told),
    );
  }
  if (!total.length) {
    colours.el.append(h("span", { class: "attn-sides" }, `${get("down")} down, ${get("across")} across`));
  }
  const most = (all) => all.reduce((a, b) => (b.length > a.length ? b : a), "");
  const long = Math.min(12, Math.max(...tokens.map((token) => label(token).length)));
  const picture = size[0] > MANY ? h("div", {}, table.el) : grand(
    {
      wide: size[1] + 1.35 * parts[0].length,
      aside: 0.6 * long + (parts[0].length ? 8.9 : 2),
      thin: 0.46 * long + 1.3,
      told: written(values),
      tall: size[0] + (feet.length ? 3 : 2),
    },
    table.el,
  );
  picture.classList.add("attn-heat");
  picture.style.setProperty("--name", Math.max(...keys.map((key) => label(key).length)));
  picture.classList.toggle("attn-columns", cells);
  picture.classList.toggle("attn-chain", weigh >= 0);
  mark(picture, "data-total", total.length);
  mark(picture, "data-rows", !cells && (shares || along === "row"));
  mark(picture, "data-few", size[1] <= FEW);
  mark(picture, "data-sums", great);
  mark(picture, "data-two", few && size[1] > 3);
  mark(picture, "data-upright", few && size[1] > 6 && keys.some((key) => label(key).length > 4));
  const signs = few ? values.flat().map((x) => (known(x) ? little(x, 2).length : 1)) : [];
  picture.style.setProperty("--two", Math.max(3, ...signs));
  mark(picture, "data-claim", looks && size[1] <= MANY);
  mark(picture, "data-mid", looks && size[1] > FEW && size[1] <= MANY);
  mark(picture, "data-fine", size[1] > MANY && size[0] <= MANY);
  const room = `--part:${great ? 1.4 : Math.max(1, size[1] / 4)}fr;--keys:${size[1]};--zero:${both ? "50%" : "0%"}`;
  const whole = few ? h("div", { class: "attn-heated" }, h("div", { style: room }, picture, list.el)) : picture;
  return {
    parts: [
      h("style", {}, RULES),
      ...(scores.length ? [h("div", { class: "attn-chips" }, mask)] : []),
      whole,
      colours.el,
      origin.el,
    ],
    draw,
    sentence,
    longest: () =>
      total.length ? `${quoted(most(tokens))}, ${bare(most(keys))}: ${most(made)}.` : most(
        [
          ...scores.flatMap((_, i) => [parted(i, i), `${bound() ? "Without the mask, " : ""}${sentence()}`]),
          ...(same ? keys.map((_, j) => summedUp(j)) : []),
        ],
      ),
    hint: () =>
      cells
        ? total.length ? "Choose a word: follow its numbers." : ""
        : `Choose a row${same ? `, or a column’s name${looks ? ": who looks at it" : ""}` : ": it is drawn as bars"}.`,
  };
}
