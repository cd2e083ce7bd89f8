// What a reader typed, kept in this browser and never sent: one entry a page, {id: {text, was}} by the cells' names.

const PROGRESS = "attn:progress";
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
  write(`${key}:damaged`, kept); // set aside, not thrown away
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

export const texts = (page) => read(`attn:${page}`);

// Only this cell is written: another tab may have changed another. Where it has changed this very cell since we last
// knew it, its text is set aside.   -> what has been set aside, or undefined
export function keep(page, id, text, original, known) {
  const all = texts(page);
  const there = all[id]?.text ?? original;
  const other = [known, text, original].includes(there) ? all[id]?.other : there;
  if (text === original && !other) delete all[id];
  else all[id] = { text, was: digest(original), other };
  write(`attn:${page}`, Object.keys(all).length ? all : null);
  return other;
}

// The reader has chosen between two tabs' texts.
export function settled(page, id) {
  const all = texts(page);
  if (all[id]) delete all[id].other;
  write(`attn:${page}`, all);
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
