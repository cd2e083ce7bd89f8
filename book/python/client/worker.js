// Python's side of the page. It is started from a Blob, so that the page's Content-Security-Policy binds it too.
//
// In:  {start: {base, files, parts, attn, progress, interrupt}}     Out: {loaded, total}, {stage}, then {ready} or {failed}
// In:  {id, call, args}   a function of page.py and its arguments   Out: {id, output} as it appears, then {id, result}

let python, call;
let loaded = 0;
const say = (message) => postMessage(message);
const outside = self.fetch.bind(self);

// Count the bytes that pass, so that waiting has a measure. What Pyodide fetches itself is counted as well.
self.fetch = async (...request) => {
  const answer = await outside(...request);
  if (!answer.body) return answer;
  const count = new TransformStream({
    transform(chunk, out) {
      say({ loaded: loaded += chunk.byteLength });
      out.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(count), { status, statusText, headers });
};

async function bytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  return answer.arrayBuffer();
}

// Later parts are asked for by an import, which cannot wait for a promise; a worker may fetch without one.
function part({ base, parts }, name, unpack) {
  for (const [k, file] of parts[name].entries()) {
    say({ stage: `Loading ${name}: file ${k + 1} of ${parts[name].length}` });
    const request = new XMLHttpRequest();
    request.open("GET", base + file, false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(`${file} could not be loaded`);
    unpack(request.response);
  }
  say({ stage: "" });
}

async function start(given) {
  const { base, attn, parts, interrupt } = given;
  say({ stage: "Loading Python" });
  const archives = [...parts.start.map((name) => base + name), attn].map(bytes);
  const [{ loadPyodide }, code] = await Promise.all([import(`${base}pyodide.mjs`), bytes(given.page)]);
  python = await loadPyodide({
    indexURL: base,
    lockFileURL: `${base}lock.json`,
    env: { HOME: "/reader", MPLBACKEND: "agg", ATTN_PROGRESS: "/reader/.attn-progress.json" },
    stdout: () => {},
    stderr: () => {},
  });
  const site = python.runPython("import site; site.getsitepackages()[0]");
  const unpack = (archive) => python.unpackArchive(archive, "zip", { extractDir: site });
  for (const archive of await Promise.all(archives)) unpack(archive);
  python.registerJsModule("_page", {
    load: (name) => part(given, name, unpack),
    tell: (output) => say({ id: current, output: JSON.parse(output) }),
  });
  say({ stage: "Starting NumPy" });
  python.FS.writeFile(`${site}/attn_page.py`, new Uint8Array(code));
  call = python.runPython("import attn_page; attn_page.call");
  if (interrupt) python.setInterruptBuffer(interrupt);
  say({ ready: true });
}

let current = null;
onmessage = async ({ data }) => {
  if (data.start) {
    try {
      await start(data.start);
    } catch (error) {
      say({ failed: String(error.message || error) });
    }
    return;
  }
  current = data.id;
  try {
    const answer = call(data.call, JSON.stringify(data.args));
    say({ id: data.id, result: JSON.parse(answer) });
  } catch (error) {
    say({ id: data.id, broken: String(error.message || error).trim().split("\n").at(-1) });
  }
};
