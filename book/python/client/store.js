// What a reader typed, kept in this browser and never sent: one entry a page, {id: {text, was}} by the cells' names.

const PROGRESS = "attn:progress";
let forbidden = false;

function read(key) {
  let kept = null;
  try { kept = localStorage.getItem(key); } catch { forbidden = true; }
  if (kept === null) return {};
  try {
    const found = JSON.parse(kept);
    if (found && typeof found === "object" && !Array.isArray(found)) return found;
  } catch { /* below */ }
  write(`${key}:damaged`, kept);  // set aside, not thrown away
  write(key, null);
  return {};
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
    return true;
  } catch { forbidden = true; return false; }
}

// A short digest of the course's own text, to notice that the course has changed it since.
const digest = (text) => {
  let h = 5381;
  for (let k = 0; k < text.length; k += 1) h = (h * 33 + text.charCodeAt(k)) >>> 0;
  return h.toString(36);
};

export const texts = (page) => read(`attn:${page}`);

// Another tab may have changed another cell: only this one is written.
export function keep(page, id, text, original) {
  const all = texts(page);
  if (text === original) delete all[id];
  else all[id] = { text, was: digest(original) };
  return write(`attn:${page}`, Object.keys(all).length ? all : null);
}

export const changed = (entry, original) => Boolean(entry.was) && entry.was !== digest(original);

// The progress of two tabs is joined: what has passed in one has passed.
export function progress(update) {
  const mine = read(PROGRESS);
  if (!update) return mine;
  const exercises = { ...mine.exercises };
  for (const [id, entry] of Object.entries(update.exercises || {})) {
    const old = exercises[id] || {};
    exercises[id] = { ...old, ...entry, passed: Boolean(old.passed || entry.passed), attempts: Math.max(old.attempts || 0, entry.attempts || 0) };
  }
  const joined = { ...mine, ...update, exercises };
  write(PROGRESS, joined);
  return joined;
}

export const refused = () => forbidden;
