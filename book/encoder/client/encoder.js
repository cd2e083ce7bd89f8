// The page's side of the reader's own sentence: fetches the weights on a press, and asks the worker that computes.

// onload(bytes, of): how far the weights are.   -> ask(name, { … }), which answers as the worker does
export async function open(onload) {
  const here = new URL(".", import.meta.url);
  const about = await (await get(new URL("about.json", here))).json();
  let loaded = 0;
  const count = (bytes) => onload(loaded += bytes, about.all);
  const [buffer, list, code] = await Promise.all([
    whole(new URL(`../${about.weights}`, here), count),
    whole(new URL(`../${about.words}`, here), count),
    get(new URL("worker.js", here)).then((answer) => answer.text()),
  ]);
  if (buffer.byteLength !== about.bytes) throw new Error("the weights did not come whole");
  // From a Blob, because a page's own Content-Security-Policy binds such a worker, and no other
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data: { id, told, failed } }) => {
    const [kept, broken] = waiting.get(id);
    waiting.delete(id);
    if (failed) broken(new Error(failed));
    else kept(told);
  };
  const ask = (name, what = {}, move = []) =>
    new Promise((kept, broken) => {
      waiting.set(last += 1, [kept, broken]);
      worker.postMessage({ id: last, ask: name, ...what }, move);
    });
  worker.onerror = (event) => {
    event.preventDefault();
    for (const [, broken] of waiting.values()) broken(new Error(event.message || "the worker could not start"));
  };
  await ask("load", { buffer, about, list: new TextDecoder().decode(list) }, [buffer]);
  URL.revokeObjectURL(address);
  return ask;
}

async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address.pathname.split("/").pop()}: ${answer.status}`);
  return answer;
}

// A file's bytes, counted as they come.
async function whole(address, count) {
  const reader = (await get(address)).body.getReader();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(parts).arrayBuffer();
    parts.push(value);
    count(value.length);
  }
}

// A sentence that the worker has read, in the form of the figure's stored(): what encoder_heads.js draws; what an edit does is asked for once and kept.
export function typed({ number, tokens, weights, names, close }, ask, changed) {
  const n = tokens.length;
  const heads = weights[0].length / n ** 2;
  const rows = (flat, t) =>
    Array.from({ length: n }, (_, i) => Array.from(flat.subarray((t * n + i) * n, (t * n + i + 1) * n)));
  const maps = (layers) => layers.map((flat) => Array.from({ length: heads }, (_, t) => rows(flat, t)));
  const before = maps(weights);
  const kept = new Map();
  const asked = new Set();
  function after(name, what, i, wanted) {
    const told = kept.get(name);
    if (!told?.weights && wanted && !asked.has(name)) {
      asked.add(name);
      ask("edit", { number, ...what, maps: true }).then((answer) => {
        if (!answer) return;
        const later = maps(answer.weights);
        kept.set(name, { ...answer, weights: [...before.slice(0, before.length - later.length), ...later] });
        changed();
      });
    }
    return told ? { turn: told.turn[i], close: told.close[i], weights: told.weights } : null;
  }
  return {
    tokens,
    weights: before,
    near: (i) => names[i],
    close: (i) => close[i],
    off: (l, t, i, wanted = false) => after(`${l}.${t}`, { off: [l, t] }, i, wanted),
    hidden: (i, j, wanted = true) => after(`${i}<${j}`, { hidden: [i, j] }, i, wanted),
    // Every head in turn, for the lines below the maps, as long as the sentence is the last one
    async sweep(still) {
      for (let l = 0; l < weights.length; l++) {
        for (let t = 0; t < heads && still(); t++) {
          const name = `${l}.${t}`;
          const answer = kept.get(name) || await ask("edit", { number, off: [l, t] });
          if (answer) kept.set(name, answer);
          if (t % 3 === 2 && still()) changed();
        }
      }
    },
  };
}
