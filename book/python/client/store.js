// What a reader typed, kept in this browser and never sent: one entry a cell, {text, was}. Two tabs see each other's
// writing late; were a page one entry, each could write over what the other had just added.

const PROGRESS = "attn:progress";
const DAMAGED = ":damaged";
let forbidden = false, damaged = false;

function read(key) {
  let kept = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    forbidden = true;
  }
  if (kept === null) return {};
  try {
    const found = JSON.parse(kept);
    if (found && typeof found === "object" && !Array.isArray(found)) return found;
  } catch { /* below */ }
  damaged = true;
  write(key + DAMAGED, kept); // set aside, not thrown away
  write(key, null);
  return {};
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
    return true;
  } catch {
    forbidden = true;
    return false;
  }
}

// A short digest of the course's own text, to notice that the course has changed it since.
const digest = (text) => {
  let h = 5381;
  for (let k = 0; k < text.length; k += 1) h = (h * 33 + text.charCodeAt(k)) >>> 0;
  return h.toString(36);
};

const name = (page, id) => `attn:${page}|${id}`;

// The cell of this page that an entry belongs to, if any.
export const cellOf = (page, key) =>
  key?.startsWith(name(page, "")) && !key.endsWith(DAMAGED) ? key.slice(name(page, "").length) : null;

// All that is kept for a page, {id: {text, was}}.
export function texts(page) {
  for (const [id, entry] of Object.entries(read(`attn:${page}`))) { // as it was kept once
    if (entry && typeof entry === "object") write(name(page, id), entry);
  }
  write(`attn:${page}`, null);
  const ids = keys().map((key) => cellOf(page, key)).filter((id) => id !== null);
  return Object.fromEntries(ids.map((id) => [id, read(name(page, id))]));
}

function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    forbidden = true;
    return [];
  }
}

export const text = (page, id) => read(name(page, id)).text;

// Where another tab has changed this very cell since we last knew it, its text is set aside.
// -> what has been set aside, or undefined
export function keep(page, id, text, original, known) {
  const kept = read(name(page, id));
  const there = kept.text ?? original;
  const other = [known, text, original].includes(there) ? kept.other : there;
  write(name(page, id), text === original && !other ? null : { text, was: digest(original), other });
  return other;
}

// The reader has chosen between two tabs' texts.
export function settled(page, id) {
  const { other: _, ...kept } = read(name(page, id));
  write(name(page, id), kept);
}

// What came of an answer last time, {text, passed, outputs, hints}, so that a reader who returns finds it there.
const verdictOf = (page, id) => `attn:verdict:${page}|${id}`;
const ROOM = 40_000; // characters: pictures and long prints are made again, not kept

export function verdict(page, id, update) {
  if (!update) return read(verdictOf(page, id));
  const whole = JSON.stringify(update);
  write(verdictOf(page, id), whole.length <= ROOM ? whole : { ...update, outputs: [] });
  return update;
}

// Where the reader was when the page was left, for this tab alone.
export function place(page, update) {
  try {
    if (update !== undefined) sessionStorage.setItem(`attn:place:${page}`, JSON.stringify(update));
    return JSON.parse(sessionStorage.getItem(`attn:place:${page}`)) || {};
  } catch {
    return {};
  }
}

export const changed = (entry, original) => Boolean(entry.was) && entry.was !== digest(original);

// The progress of two tabs is joined: what has passed in one has passed.
export function progress(update) {
  const mine = read(PROGRESS);
  const whole = ({ exercises }) =>
    Object.entries(exercises ?? {}).filter(([, entry]) => entry && typeof entry === "object");
  const exercises = mine.exercises = Object.fromEntries(whole(mine));
  if (!update) return mine;
  for (const [id, entry] of whole(update)) {
    const old = exercises[id] || {};
    exercises[id] = {
      ...old,
      ...entry,
      passed: Boolean(old.passed || entry.passed),
      attempts: Math.max(old.attempts || 0, entry.attempts || 0),
    };
  }
  const joined = { ...mine, ...update, exercises };
  write(PROGRESS, joined);
  return joined;
}

// What is wrong with this browser's storage, in a sentence.
export const trouble = () =>
  forbidden
    ? "This browser keeps nothing for this page: download your notebook before you leave."
    : damaged
    ? "What this browser had kept of your work was damaged: it is set aside, and the rest goes on."
    : "";
