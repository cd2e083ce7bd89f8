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
