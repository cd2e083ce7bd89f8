"""How long Python in the page takes, measured in Chromium on the built site: python -m bench.page

    start      from the first press to the first result, the files in the browser's cache: so many fresh pages
    check      from a press on Check to its report, once Python is there: the course's solution to every exercise, and
               one wrong answer on record; the median over the exercises, and the slowest by name
    chapter    every cell of chapter 4 for NumPy, by one press, and the same cells in a Jupyter kernel beside it

Run it from a checkout, on an idle machine, after `make site`.
"""

import argparse
import json
import re
import shutil
import statistics
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

from jupyter_client.manager import start_new_kernel
from playwright.sync_api import sync_playwright

from attn.exercises import catalogue
from bench.frames import FLAGS
from book.python.cells import need_torch
from book.serve import SITE, serve

ROOT = Path(__file__).resolve().parents[1]
LONG = 300_000  # milliseconds
CLICKED = """([button, inside]) => new Promise((done) => {
    const outputs = [...document.querySelectorAll(inside)];
    const rest = () => outputs.every((one) => !["idle", "loading", "running"].includes(one.dataset.state));
    for (const one of outputs) one.dataset.state = "idle";
    const start = performance.now();
    const look = new MutationObserver(() => {
        if (!rest()) return;
        look.disconnect();
        done((performance.now() - start) / 1000);
    });
    look.observe(document.body, { attributes: true, attributeFilter: ["data-state"], subtree: true });
    document.querySelector(button).click();
})"""


def cells_of(path):
    """A notebook's code cells: pairs (id, source)."""
    cells = json.loads(path.read_text("utf8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


def exercises_of(stem):
    """The exercises of a sheet for NumPy: (id, the stub's cell, what is handed in, the course's solution)."""
    solved = dict(cells_of(ROOT / "exercises" / "solutions" / f"{stem}.ipynb"))
    for (stub, _), (_, source) in pairwise(cells_of(ROOT / "exercises" / f"{stem}.ipynb")):
        found = re.search(r'check\("([\d.]+)",\s*(.+)\)', source)
        if found and catalogue.find(found[1]).kind == "numpy":
            yield found[1], stub, found[2], solved[stub]


def wrong(id, wanted):
    """A wrong answer on record, as text: the first that is a function, or the first value."""
    from tests.exercises.answers import corpus

    path = ROOT / "tests" / "exercises" / "answers" / "wrong" / f"e{id.replace('.', '_')}.py"
    name, answer = next((name, answer) for other, name, answer in corpus("wrong") if other == id and name != "endless")
    value = f"VALUES[{name!r}]{'[0]' if isinstance(answer, tuple) else ''}"
    return f"{path.read_text('utf8')}\n\n{wanted} = {name if callable(answer) else value}"


class Page:
    """One page of the site in a browser context."""

    def __init__(self, context, address):
        self.page = context.new_page()
        self.page.set_default_timeout(LONG)
        self.page.goto(address, wait_until="networkidle")

    def check(self, id, text=None):
        """Type a text into a cell, if any, and press its button.   -> seconds until its result"""
        at = f'[data-cell="{id}"]'
        if text is not None:
            self.page.locator(f"{at} [data-source]").fill(text)
        return self.page.evaluate(CLICKED, [f"{at} [data-run]", f"{at} [data-output]"])

    def told(self, id):
        """The first line of a result."""
        return self.page.locator(f'[data-cell="{id}"] .attn-report strong').last.text_content()


def start(context, address, times):
    """Seconds from the first press to its result, on fresh pages.   -> list"""
    id, stub, _, solution = next(exercises_of("04_softmax"))
    took = []
    for _ in range(times + 1):
        sheet = Page(context, f"{address}/exercises/04_softmax.html")
        took.append(sheet.check(stub, solution))
        assert "passed" in sheet.told(stub), id
        sheet.page.close()
    return took[1:]  # the first has filled the cache


def checks(context, address, times):
    """Seconds of a check.   -> {(exercise, "right" or "wrong"): median}"""
    took = {}
    for path in sorted((ROOT / "exercises").glob("[0-9]*.ipynb")):
        sheet = Page(context, f"{address}/exercises/{path.stem}.html")
        for id, stub, wanted, solution in exercises_of(path.stem):
            for kind, text in (("right", solution), ("wrong", wrong(id, wanted))):
                sheet.check(stub, text)
                assert ("passed" in sheet.told(stub)) == (kind == "right"), (id, kind, sheet.told(stub))
                took[id, kind] = statistics.median(sheet.check(stub) for _ in range(times))
        sheet.page.close()
    return took


def chapter(context, address, path):
    """Seconds of all cells for NumPy in the page, its parts still to be loaded, and once more.   -> (first, again)"""
    page = Page(context, f"{address}/chapters/{path.stem}.html")
    page.check(cells_of(path)[0][0], "1")  # so that Python is there
    page.page.locator("[data-reset]:visible").click()
    took = [page.page.evaluate(CLICKED, ["[data-runs] [data-run-all]", "[data-output]"]) for _ in range(2)]
    assert page.page.locator("[data-state=error]").count() == 0
    page.page.close()
    return took


def kernel(path):
    """Seconds of the same cells in a Jupyter kernel that has started.   -> float"""
    sources = [source for _, source in cells_of(path)]
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    try:
        begun = time.perf_counter()
        for source, needs in zip(sources, need_torch(sources), strict=True):
            if not needs:
                answer = client.execute_interactive(source, output_hook=lambda message: None, timeout=300)
                assert answer["content"]["status"] == "ok", answer["content"]
        return time.perf_counter() - begun
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main():
    """Print each figure beside its target. -> None"""
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=__doc__.splitlines()[0])
    parser.add_argument("measures", nargs="*", default=["start", "check", "chapter"])
    parser.add_argument("--times", type=int, default=5, help="of each; their median counts")
    parser.add_argument("--site", type=Path, default=SITE, help="the folder of the built site")
    options = parser.parse_args()
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no Chromium on this machine: install it (apt-get install chromium) to time the page")
    if not (options.site / "_static" / "python").is_dir():
        sys.exit(f"the site in {options.site} is not there, or built without Run; `make site` builds it")
    server = serve(8780, options.site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        context = playwright.chromium.launch(executable_path=found, args=FLAGS).new_context()
        if "start" in options.measures:
            took = start(context, address, options.times)
            print(
                f"first press to first result, cached: median {statistics.median(took):.2f} s, "
                f"longest of {len(took)} {max(took):.2f} s (target 3)",
                flush=True,
            )
        if "check" in options.measures:
            took = checks(context, address, options.times)
            for kind in ("right", "wrong"):
                own = {id: seconds for (id, which), seconds in took.items() if which == kind}
                slow = ", ".join(f"{id} {own[id]:.2f} s" for id in sorted(own, key=own.get)[:-4:-1])
                print(
                    f"check of a {kind} answer, {len(own)} exercises: median {statistics.median(own.values()):.2f} s "
                    f"(target 0.5), slowest {slow}",
                    flush=True,
                )
        if "chapter" in options.measures:
            path = ROOT / "chapters" / "04_softmax.ipynb"
            first, again = chapter(context, address, path)
            beside = statistics.median(kernel(path) for _ in range(3))
            print(f"chapter 4, every cell for NumPy: page {first:.1f} s, again {again:.1f} s; Jupyter {beside:.1f} s")
        context.close()
    server.shutdown()


if __name__ == "__main__":
    main()
