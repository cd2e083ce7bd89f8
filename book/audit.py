"""Measure every page as a phone would meet it:  python -m book.audit [--runs 3] [--only PATTERN]

Serves the built site compressed, visits each page cold in a real browser and, where Node is there, under Lighthouse.
Prints one table: kB transferred, first and largest paint in seconds on Lighthouse's slow phone, four scores, what axe
finds. Exit status 1 if a page misses a target. Lighthouse is kept in the user's cache, outside this project.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from book.serve import SITE, serve

VERSION = "12.8.2"  # the last that runs on Node 20
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "attention-book" / f"lighthouse-{VERSION}"
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SCORES = ("performance", "accessibility", "best-practices", "seo")
RULES = {"rules": {"target-size": {"enabled": True}}}  # Lighthouse asks it; axe by itself does not
LEAST, MOST = 97, 220  # each score; kB transferred
UNLISTED = ("search.html", "genindex.html")  # their noindex is on purpose, and costs them the SEO score


def lighthouse():
    """The command that runs Lighthouse, installed once; None, with a line that says why, where it cannot be."""
    node, npm = shutil.which("node"), shutil.which("npm")
    script = CACHE / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not node or not (npm or script.is_file()):
        print("Lighthouse is left out: it needs Node 18.20 or newer with npm, and there is none here.")
        return None
    if not script.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", CACHE, f"lighthouse@{VERSION}"]
        if subprocess.run(command, check=False).returncode:
            print("Lighthouse is left out: npm could not fetch it.")
            return None
    return [node, str(script)]


def scored(command, address):
    """One run of Lighthouse on its simulated phone.   -> (kB, first paint, largest paint, four scores)"""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [
                *command,
                address,
                "--quiet",
                "--output=json",
                f"--output-path={report}",
                f"--chrome-flags={' '.join(FLAGS)}",
                f"--only-categories={','.join(SCORES)}",
            ],
            check=True,
            timeout=180,
            env={**os.environ, "CHROME_PATH": browser_path()},
        )
        found = json.loads(report.read_text(encoding="utf-8"))
    value = {name: audit.get("numericValue", 0) for name, audit in found["audits"].items()}
    marks = [round(100 * (found["categories"][name]["score"] or 0)) for name in SCORES]
    return [
        value["total-byte-weight"] / 1000,
        value["first-contentful-paint"] / 1000,
        value["largest-contentful-paint"] / 1000,
        *marks,
    ]


def browser_path():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")


def visited(browser, address):
    """What one cold visit transfers, in kB, and the names of what axe would have mended."""
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_context(viewport={"width": 412, "height": 823}).new_page()
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_function("() => 'laidOut' in document.documentElement.dataset")
    page.wait_for_function("() => !document.querySelector('.attn-figure[data-view]:not([data-live], [data-far])')")
    page.evaluate("new Promise(requestIdleCallback)")  # a box that has just come says then whether it scrolls
    page.wait_for_load_state("networkidle")  # the far figures have asked for their parts too
    found = [rule["id"] for rule in Axe().run(page, options=RULES).response["violations"]]
    page.context.close()
    return sum(sizes) / 1000, found


def measure(names, base, runs):
    """Rows of the table: name -> (kB, first, largest, four scores or None each, violations)."""
    from playwright.sync_api import sync_playwright

    command, rows = lighthouse(), {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for name in names:
            weight, violations = visited(browser, f"{base}/{name}")
            marks = [scored(command, f"{base}/{name}") for _ in range(runs)] if command else []
            middle = [statistics.median(column) for column in zip(*marks, strict=True)] or [0] + [None] * 6
            rows[name] = (max(weight, middle[0]), *middle[1:], violations)
            print(line(name, rows[name]), flush=True)
        browser.close()
    return rows


def line(name, row):
    """One row as text; what was not measured is a dash."""
    weight, first, largest, *marks, violations = row
    paints = "".join(f"{'–' if t is None else f'{t:.1f}':>6}" for t in (first, largest))
    scores = "".join(f"{'–' if m is None else f'{m:.0f}':>5}" for m in marks)
    return f"{name.removesuffix('.html'):<44}{weight:>6.0f}{paints}{scores}   {', '.join(violations) or 'none'}"


def short(name, row):
    """Whether a page misses a target."""
    marks = [m for m in row[3 : 6 if name in UNLISTED else 7] if m is not None]
    return row[0] > MOST or bool(row[-1]) or any(mark < LEAST for mark in marks)


def worst(rows):
    """The page with the lowest performance, or if that was not measured, the heaviest."""
    return min(rows, key=lambda name: (100 if rows[name][3] is None else rows[name][3], -rows[name][0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1, help="Lighthouse runs a page; their median counts")
    parser.add_argument("--only", default="", help="only pages whose name matches this pattern")
    parser.add_argument("--site", type=Path, default=SITE, help="the folder of the built site")
    options = parser.parse_args()
    names = sorted(path.relative_to(options.site).as_posix() for path in options.site.rglob("*.html"))
    names = [name for name in names if re.search(options.only, name)]
    if not names:
        raise SystemExit(f"no page to measure in {options.site}; `make site` builds it")
    server = serve(8700, options.site, compressed=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"{'page':<44}{'kB':>6}{'first':>6}{'large':>6}{'perf':>5}{'a11y':>5}{'best':>5}{'seo':>5}   axe")
    rows = measure(names, f"http://127.0.0.1:{server.server_port}", options.runs)
    server.shutdown()
    low = worst(rows)
    missed = [name for name in names if short(name, rows[name])]
    print(f"\nWorst page: {low}. {len(names)} pages, {len(missed)} below target: {', '.join(missed) or 'none'}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
