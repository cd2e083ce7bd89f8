"""How long a figure takes to answer a hand, measured in the page: python -m bench.frames

A frame is 16.7 ms. A redraw is the input event, the drawing, and a layout of the page forced at once; the figure is
moved through 41 places, five times over, and the medians are told with the quietest and the loudest of the five. The
first of the five stands by itself: in it nothing is remembered yet. Where the machine has other work the clock tells
of that too: the last column is the page's own time on the processor, the least of the five means.
"""

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from attn.show import widgets
from attn.show.kit import bundle

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SLIDE = """async () => {
    const dial = document.querySelector(".attn-skyline [role=spinbutton]");
    const sliders = [...document.querySelectorAll(".attn-live input[type=range]")];
    const slider = sliders.find((one) => one.getAttribute("aria-label")?.startsWith("temperature")) || sliders.pop();
    const [low, high] = [Number(slider?.min), Number(slider?.max)];
    const times = [];
    for (let k = 0; k <= 40; k++) {
        if (slider) slider.value = low + (high - low) * (k + 1) / 42;
        const start = performance.now();
        if (slider) slider.dispatchEvent(new Event("input"));
        else {
            const key = k % 20 < 10 ? "ArrowUp" : "ArrowDown";
            dial.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }
        await new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times;
}"""


def figures(n):
    """Figures that a slider or a score redraws, on n random tokens.   ->   {name: widget}"""
    rng = np.random.default_rng(n)
    scores, values = rng.normal(size=(n, n)), rng.normal(size=(n, 2))
    words = [f"w{i % 8}" for i in range(n)]
    return {
        "Playground": widgets.Playground(words, *rng.normal(size=(2, n, 16))),
        "SoftmaxSliders": widgets.SoftmaxSliders(scores[0]),
        "Hull": widgets.Hull(values, scores[0]),
        "QueryPlane": widgets.QueryPlane(values[0], values),
        "OnlineSoftmax": widgets.OnlineSoftmax(scores[0], values, block=4, step=1),
    }


def page_of(widget):
    """A page that holds one figure as the site would.   ->   str"""
    return (
        f'<!doctype html><meta charset="utf-8"><title>One figure</title><style>{bundle.site_style()}</style>'
        f"<main>{widget.html()}</main><script>{bundle.site_script()}</script>"
    )


def timed(page, processor):
    """Move a figure through its places.   -> (median of the clock, mean of the processor), milliseconds a frame"""

    def spent():
        metrics = processor.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    before = spent()
    times = page.evaluate(SLIDE)
    return statistics.median(times), 1000 * (spent() - before) / len(times)


def main():
    """Print one line a figure and a size: the first of five medians, their median, the least and the greatest."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no Chromium on this machine: install it (apt-get install chromium) to time the figures")
    print(f"{'ms to answer a hand':20} {'tokens':>6} {'first':>8} {'median':>8} {'least … most':>16} {'processor':>10}")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        page = playwright.chromium.launch(executable_path=found, args=FLAGS).new_page()
        processor = page.context.new_cdp_session(page)
        processor.send("Performance.enable", {"timeDomain": "threadTicks"})
        for n in (32, 128):
            for name, widget in figures(n).items():
                (Path(folder) / "page.html").write_text(page_of(widget), encoding="utf-8")
                page.goto((Path(folder) / "page.html").as_uri())
                page.wait_for_selector("[data-live]")
                clock, own = zip(*(timed(page, processor) for _ in range(5)), strict=True)
                least, _, middle, _, most = sorted(clock)
                told = f"{clock[0]:8.1f} {middle:8.1f} {f'{least:.1f} … {most:.1f}':>16} {min(own):10.1f}"
                print(f"{name:20} {n:6} {told}", flush=True)


if __name__ == "__main__":
    main()
