// Which names a cell makes and which it reads, told from its text alone: enough to say what a change may have touched.

const QUOTED =
  /([rbuf]{0,2})("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|#.*/gi;
const NAME = /(?<![\w.])[A-Za-z_]\w*/g;
const words = (text) => text.match(NAME) ?? [];

// Without remarks and strings; what stands in a string with f may read names.
const bare = (text) => text.replace(QUOTED, (all, kind) => (/f/i.test(kind ?? "") ? all : " "));

export const reads = (text) => words(bare(text));

// The names that a cell gives at its own level; what a function makes inside stays there.
export function makes(text) {
  const found = new Set();
  let inside = false;
  for (const line of bare(text).split("\n")) {
    if (/^\S/.test(line)) inside = /^(async\s+def|def|class|@)/.test(line);
    const begun = /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line);
    if (begun) found.add(begun[1]);
    if (inside) continue;
    const given = /^\s*(?:from\s+\S+\s+)?import\s+(.*)/.exec(line)?.[1].replace(/\w[\w.]*\s+as\s+/g, "") ??
      /^\s*for\s+(.*?)\s+in\b/.exec(line)?.[1] ?? /\bas\s+(\w+)\s*:/.exec(line)?.[1] ??
      /^([^=]*?)(?:[-+*/@%&|^]|\/\/|\*\*|>>|<<)?=(?!=)/.exec(line)?.[1];
    for (const name of words(given ?? "")) found.add(name);
    if (/\brng\b/.test(line)) found.add("rng"); // who draws from it moves it on
  }
  return found;
}
