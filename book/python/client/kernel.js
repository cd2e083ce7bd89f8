// One Python for the page, in a worker: started on the first press, asked one thing at a time, ended when it must be.

const root = document.documentElement;

export class Kernel {
  constructor({ base, client }) {
    Object.assign(this, { base, client, worker: null, waiting: null, id: 0, onload: () => {}, onlost: () => {} });
    this.memory = self.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  }

  // -> a promise that is kept when Python is there. onload({loaded, total, stage}) tells how far it is.
  start() {
    return this.ready ||= this.#start().catch((error) => {
      this.end();
      throw error;
    });
  }

  async #start() {
    root.dataset.python = "loading";
    const [told, code] = await Promise.all([this.#get("manifest.json"), this.#get("worker.js")]);
    const manifest = await told.json();
    this.total = manifest.bytes;
    const address = URL.createObjectURL(new Blob([await code.text()], { type: "text/javascript" }));
    this.worker = new Worker(address, { type: "module" });
    const { base, client, memory } = this;
    await new Promise((kept, broken) => {
      this.broken = broken;
      this.worker.onmessage = ({ data }) => this.#heard(data, kept, broken);
      this.worker.onerror = (event) => {
        event.preventDefault?.();
        broken(new Error(event.message || "the worker could not start"));
        this.#lost(event.message);
      };
      this.worker.postMessage({
        start: { base, parts: manifest.parts, attn: base + manifest.attn, page: `${client}page.py`, interrupt: memory },
      });
    });
    URL.revokeObjectURL(address);
    root.dataset.python = "ready";
  }

  async #get(name) {
    const answer = await fetch(this.client + name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer;
  }

  #heard(data, kept, broken) {
    if ("loaded" in data || "stage" in data) {
      this.loaded = data.loaded ?? this.loaded;
      this.stage = data.stage ?? this.stage;
      return this.onload({ loaded: this.loaded, total: this.total, stage: this.stage });
    }
    if (data.ready) return kept();
    if (data.failed) return broken(new Error(data.failed));
    const job = this.waiting;
    if (!job || job.id !== data.id) return undefined; // an answer to what has been stopped
    if (data.output) return job.output(data.output);
    this.waiting = null;
    clearTimeout(job.clock);
    if (!data.broken) return job.kept(data.result);
    this.end();
    return job.kept({ lost: data.broken });
  }

  #lost(why) {
    const job = this.waiting;
    this.end();
    job?.kept({ lost: why || "the worker ended" });
  }

  // Ask for one of page.py's functions. -> its answer; {stopped} or {late: seconds} if it was ended, {lost} if it broke.
  async call(name, args, how = {}) {
    const before = this.turn;
    let done;
    this.turn = new Promise((kept) => {
      done = kept;
    });
    await before;
    try {
      return await this.#ask(name, args, how);
    } finally {
      done();
    }
  }

  async #ask(name, args, { output = () => {}, limit = 0 }) {
    await this.start();
    return new Promise((kept) => {
      const id = this.id += 1;
      this.waiting = { id, kept, output, clock: limit && setTimeout(() => this.stop({ late: limit }), 1000 * limit) };
      if (this.memory) this.memory[0] = 0;
      this.worker.postMessage({ id, call: name, args });
    });
  }

  // Stop what runs. Where memory is shared Python is asked, and keeps its values; else, or if it will not hear, it is ended.
  stop(why = { stopped: true }) {
    const job = this.waiting;
    if (!job) {
      if (this.ready && root.dataset.python === "loading") this.broken?.(new Error("stopped"));
      return;
    }
    clearTimeout(job.clock);
    const kill = () => {
      if (this.waiting === job) {
        this.end();
        job.kept({ ...why, lost: true });
      }
    };
    if (!this.memory || job.asked) return kill();
    job.asked = true;
    const { kept } = job;
    job.kept = (answer) => kept(answer.ename === "KeyboardInterrupt" || answer.lost ? { ...why, ...answer } : answer);
    this.memory[0] = 2;
    job.clock = setTimeout(kill, 1500);
  }

  // End it; the next call starts another.
  end() {
    this.worker?.terminate();
    this.worker = this.waiting = this.ready = null;
    root.dataset.python = "off";
    this.onlost();
  }
}
