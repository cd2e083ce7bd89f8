"""A reader's sentence in the page: plain JavaScript beside the page's Python, on a desk and on a phone's processor.

    python -m bench.encoder

Both run in the page's main thread, because Chromium slows no other down; the phone is that thread slowed four times.
Python is `attn.encoder.read` in Pyodide, as it stands and with the JavaScript's fast gelu. The head browser follows: a
click on a head and a move over the large map, each with its drawing and a layout of the page forced at once. The last
column is the thread's own time at full speed, to which other programs' turns do not count.
"""

import shutil
import statistics
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from attn import encoder
from attn.show import widgets
from bench.frames import FLAGS, page_of
from book.encoder import place
from book.python import place as python
from book.serve import serve

SENTENCES = {8: "The cat slept on it.", 12: "The rusty nail held the picture of her uncle.",
             16: "The animal didn't cross the street because it was too tired.",
             32: "The muddy bank of the river was known to everyone here, but the wealthy bank was known to nobody "
                 "in this small town near the sea at all."}  # fmt: skip
SLOWER = {"desk": 1, "phone": 4}
TIMES = 9

SCRIPT = """async () => {
    const get = async (name) => (await fetch(name)).text();
    const about = JSON.parse(await get("encoder/CLIENT/about.json"));
    const buffer = await (await fetch("encoder/" + about.weights)).arrayBuffer();
    const list = await get("encoder/" + about.words);
    const source = await get("encoder/CLIENT/worker.js");
    const asked = new Function("self", source + "; return asked;")({});
    const start = performance.now();
    asked.load({ buffer, about, list });
    self.told = (text) => asked.read({ text }).took;
    return performance.now() - start;
}"""
PYTHON = """async () => {
    const { loadPyodide } = await import(new URL("python/pyodide.mjs", location.href));
    const py = await loadPyodide({ indexURL: "python/", lockFileURL: "python/lock.json" });
    for (const [name, kind] of [["NUMPY", "whl"], ["ATTN", "zip"]]) {
        py.unpackArchive(await (await fetch("python/" + name)).arrayBuffer(), kind);
    }
    py.FS.mkdir("/model");
    for (const name of ["model.safetensors", "tokenizer.json"]) {
        py.FS.writeFile("/model/" + name, new Uint8Array(await (await fetch("model/" + name)).arrayBuffer()));
    }
    const start = performance.now();
    py.runPython(`
import os, sys, time
sys.path.insert(0, os.getcwd())
import numpy as np
from attn import encoder
model = encoder.load("/model")
def fast(x):
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    tail *= np.exp(-z * z) / 2
    return x * np.where(x >= 0, 1 - tail, tail)
def told(text, **options):
    start = time.perf_counter()
    encoder.read(model, text, **options)
    return 1000 * (time.perf_counter() - start)
`);
    const told = py.globals.get("told"), fast = py.globals.get("fast");
    self.told = (text) => told(text);
    self.toldFast = (text) => told.callKwargs(text, { activation: fast });
    return performance.now() - start;
}"""
REDRAW = """async () => {
    const times = { click: [], move: [] };
    const timed = async (kind, event) => {
        const start = performance.now();
        event();
        await new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
        document.body.getBoundingClientRect();
        times[kind].push(performance.now() - start);
    };
    for (const head of document.querySelectorAll(".attn-many button")) await timed("click", () => head.click());
    const map = document.querySelector(".attn-large .attn-field");
    const { left, top, width, height } = map.getBoundingClientRect();
    for (let k = 0; k < 72; k++) {
        const [x, y] = [(k * 7 % 16 + 0.5) / 16, (k * 3 % 16 + 0.5) / 16];
        const at = { clientX: left + x * width, clientY: top + y * height, bubbles: true };
        await timed("move", () => map.dispatchEvent(new PointerEvent("pointermove", at)));
    }
    return times;
}"""


def prepared(folder):
    """Everything a page asks for, in one folder.   ->   None"""
    if not place.place(folder / "encoder"):
        sys.exit("the encoder's weights cannot be had here")
    if not python.place(folder / "python"):
        sys.exit("the page's Python cannot be had here")
    (folder / "model").symlink_to(encoder.folder(), target_is_directory=True)
    (folder / "empty.html").write_text("<!doctype html><title>empty</title>", encoding="utf-8")
    (folder / "heads.html").write_text(page_of(widgets.EncoderHeads()), encoding="utf-8")


def slowed(page, times):
    """The page's main thread at 1/times of its speed, from now on."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": times})


def row(what, times, own=None):
    """One line: the median of milliseconds, the least and the greatest, and the thread's own."""
    told = f"{what:52} {statistics.median(times):8.1f} {f'{min(times):.1f} … {max(times):.1f}':>18}"
    print(told + (f" {statistics.median(own):8.1f}" if own else ""), flush=True)


def spent(session):
    """The main thread's time on its tasks so far, in milliseconds."""
    told = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in told if one["name"] == "TaskDuration")


def reading(browser, address, folder):
    """Both ways of reading a sentence."""
    numpy, attn = (next((folder / "python").glob(name)).name for name in ("numpy-*.whl", "attn-*.zip"))
    start = {
        "JavaScript": SCRIPT.replace("CLIENT", place.edition()),
        "Python": PYTHON.replace("NUMPY", numpy).replace("ATTN", attn),
    }
    for name, script in start.items():
        page = browser.new_page()
        page.goto(f"{address}/empty.html")
        page.evaluate(script)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for speed, times in SLOWER.items():
            slowed(page, times)
            for count, text in SENTENCES.items():
                for way in ["told", "toldFast"][: 1 + (name == "Python")]:
                    page.evaluate(f"(text) => {way}(text)", text)
                    took, own = [], []
                    for _ in range(TIMES):
                        before = spent(session)
                        took.append(page.evaluate(f"(text) => {way}(text)", text))
                        own.append(spent(session) - before)
                    what = f"{speed:6} {count:2} tokens, {name}{', fast gelu' if way == 'toldFast' else ''}"
                    row(what, took, own if times == 1 else None)
        page.close()


def redrawing(browser, address):
    """The head browser's answers to a press and to a move."""
    for speed, times in SLOWER.items():
        page = browser.new_page()
        page.goto(f"{address}/heads.html")
        page.wait_for_selector("[data-live]")
        slowed(page, times)
        page.evaluate(REDRAW)
        for kind, took in page.evaluate(REDRAW).items():
            row(f"{speed:6} 16 tokens, {'a head chosen' if kind == 'click' else 'the map pointed at'}", took)
        page.close()


def main():
    """Print the median of nine, the least and the greatest, for each way, speed and length."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no Chromium on this machine: install it (apt-get install chromium) to time the page")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        prepared(folder := Path(name))
        server = serve(9400, folder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        print(f"{'milliseconds':52} {'median':>8} {'least … most':>18} {'own':>8}")
        redrawing(browser, address)
        reading(browser, address, folder)
        browser.close()
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
