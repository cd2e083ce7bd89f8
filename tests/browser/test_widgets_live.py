"""The figures in a real JupyterLab with a real kernel: Python moves the page, the page moves Python."""

import time

import nbformat
import numpy as np
import pytest
from sampled import some
from worked import TOKENS, W_K, W_Q, W_V, X, every_widget

from attn import core
from attn.show import widgets
from attn.show.kit import bundle

pytest.importorskip("jupyterlab")

from lab import jupyterlab

pytestmark = [pytest.mark.browser, pytest.mark.prove]
PATIENCE = 120_000  # milliseconds: two slow cores start a server, a browser and a kernel at once

SETUP = f"""import numpy as np
from attn.show import widgets
X, W_Q, W_K, W_V = (np.array(rows) for rows in {[a.tolist() for a in (X, W_Q, W_K, W_V)]})
tokens = {TOKENS}"""
FIGURES = {
    "whole": "widgets.Pipeline(X, W_Q, W_K, W_V, tokens)",
    "word": "widgets.Embedding(X, tokens)",
    "walk": "widgets.Projection(X, W_Q, W_K, W_V, tokens)",
    "cells": "widgets.ScoreCells(X @ W_Q, X @ W_K, tokens)",
    "map": "widgets.Heatmap(whole.weights, tokens)",
    "row": "widgets.SoftmaxSliders([1, 5, 3], tokens)",
    "play": "widgets.Playground('a b c a b c', preset='same')",
    "paint": "widgets.MaskPainter(4)",
    "layer": "widgets.ManyHeads(X, *np.ones((3, 4, 6)), np.ones((6, 4)), 3, tokens)",
    "cache": "widgets.CacheCalculator()",
    "heads": "widgets.HeadBrowser()",
    "encoder": "widgets.EncoderHeads()",
    "online": "widgets.OnlineSoftmax([1, 5, 3], X[:, :2], 1)",
    "roof": "widgets.Roofline()",
    "root": "widgets.Scaling(whole.scores, 3, tokens)",
    "streams": "widgets.Flow(whole.weights, tokens)",
    "sum": "widgets.Assembly(whole.weights, whole.V, tokens)",
    "past": "widgets.CausalValues(np.tri(3) / [[1], [2], [3]], X[:, :2], tokens)",
    "hull": "widgets.Hull([[0, 0], [2, 0], [0, 1]], [0, 1, 2], tokens)",
    "keys": "widgets.TwoKeys(75, 0.5)",
    "seen": "widgets.WritesSeen(np.eye(3), tokens)",
    "guess": "widgets.Predict('Which word has a D?', 'bed', choices=['ox', 'bed', 'cat'], replies={'ox': 'No.'})",
    "full": "widgets.FillMatrix(np.eye(3), np.eye(3), n=2)",
    "bank": "widgets.SenseHead()",
    "gap": "widgets.Cloze('she sat by the _ bank', ['river', 'money'])",
    "shadow": "widgets.QueryPlane([1, 2], X[:, :2] * 2 - 0.5)",
    "shear": "widgets.Gauge(X[:, :2] + 0.5, X[:, 1:3] - 0.7, R=[[1, 0], [0.8, 1]])",
    "blind": "widgets.NullSpace(X, W_K[:, :2], [1, 2], tokens, along=2)",
    "looks": "widgets.Powers(whole.weights, tokens)",
    "nudge": "widgets.Nudge(tokens=tokens)",
    "pairs": "widgets.RotatingPairs([1, 0.5, 0.8, -0.6], [0.9, 0.2, 0.4, -1], m=150)",
    "cloud": "widgets.SqueezedCloud(X[:, :2] * 2 - 0.6, tokens, angle=30)",
    "back": "widgets.TurnBack(X[:, :2] + 0.5, X[:, 1:3] - 0.7, tokens, angle=30)",
}


def notebook(path, *cells):
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    book.cells = list(cells)
    nbformat.write(book, path)


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    with jupyterlab(tmp_path_factory.mktemp("lab")) as running:
        books = running.folder / "books"
        code = [f"{name} = {made}\n{name}" for name, made in FIGURES.items()]
        notebook(books / "live.ipynb", *[nbformat.v4.new_code_cell(cell) for cell in (SETUP, *code)])
        stored = []
        for widget in every_widget():
            data = {"text/plain": repr(widget), "text/html": widget.html()}
            output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
            stored.append(nbformat.v4.new_code_cell("w", outputs=[output], execution_count=1))
        notebook(books / "stored.ipynb", *stored)
        yield running


@pytest.fixture(scope="module")
def live(browser, lab):
    """(page, run): the notebook with every cell run, and a line to its kernel."""
    context = browser.new_context(viewport={"width": 1200, "height": 3000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    foreign = page.foreign = []
    own = (lab.address, "data:", "blob:")
    page.on("request", lambda call: call.url.startswith(own) or foreign.append(call.url))
    page.goto(lab.url("live.ipynb"))
    kernel = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
    page.wait_for_function(f"{kernel}?.status === 'idle'")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(f"document.querySelectorAll('.attn-say').length === {len(FIGURES)}")
    with lab.kernel("live.ipynb") as run:
        yield page, run
    context.close()


def says(page, name, sentence):
    """Wait until this figure says the sentence."""
    index = list(FIGURES).index(name)
    found = "([index, sentence]) => document.querySelectorAll('.attn-say')[index].textContent === sentence"
    page.wait_for_function(found, arg=[index, sentence])


def figure(page, name):
    return page.locator(".attn-live").nth(list(FIGURES).index(name))


def python_says(run, name, sentence):
    """Wait until the kernel has what the page did: it arrives after the click, not with it."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        if run(f"print({name})") == sentence:
            return
        time.sleep(0.05)
    assert run(f"print({name})") == sentence


def test_every_figure_on_the_shelf_is_in_the_notebook(live):
    _, run = live
    kinds = [kind for kind in vars(widgets).values() if isinstance(kind, type)]
    shelf = {kind.__name__ for kind in kinds if issubclass(kind, widgets.Widget) and kind is not widgets.Widget}
    shown = {run(f"print(type({name}).__name__)") for name in FIGURES}
    assert shown == shelf


def test_every_figure_comes_alive_and_says_what_python_says(live):
    page, run = live
    for name in FIGURES:
        says(page, name, run(f"print({name})"))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("whole", "whole.stage = 4"),
        ("whole", "whole.focus = 2"),
        ("word", "word.selected = 2"),
        ("walk", "walk.step = 7"),
        ("cells", "cells.set(row=2, col=1)"),
        ("play", "play.set(mask='causal', K=np.vstack([np.zeros(5), play.K[:-1]]))"),
        ("paint", "paint.painted = np.eye(4)"),
        ("cache", "cache.set(model='PaLM', bits=8)"),
        ("heads", "heads.set(tokens=list('ABAB'), row=1, col=1)"),
        ("online", "online.step = 3"),
        ("roof", "roof.set(batch=64, row=2)"),
        ("row", "row.scores = np.array([0.5, -2, 1e-4])"),
        ("map", "map.set(values=np.eye(2), tokens=['a', 'b'], key_tokens=['x', 'y'], row=1)"),
    ],
)
def test_python_moves_the_page(live, name, change):
    page, run = live
    says(page, name, run(f"{change}\nprint({name})"))


def test_a_click_on_the_page_reaches_python(live):
    page, run = live
    figure(page, "word").get_by_role("button", name="love", exact=True).click()
    python_says(run, "word", "“love” is row 1 of X: (0, 1, 0, 1).")
    assert run("print(word.vector)") == "[0. 1. 0. 1.]"
    figure(page, "cells").locator("td[data-at='0,1']").click()
    python_says(run, "cells", "q(“I”) · k(“love”) = 2·2 + 0·1 + 1·1 = 5.")
    assert run("print(cells.score)") == "5.0"
    figure(page, "row").get_by_role("slider", name="love").fill("-1.25")
    python_says(run, "row", run("print(widgets.SoftmaxSliders([row.scores[0], -1.25, row.scores[2]], tokens))"))


def test_the_playground_on_the_page_is_the_one_in_python(live):
    page, run = live
    play = figure(page, "play")
    play.get_by_text("Presets, masks, moves").click()
    play.get_by_role("button", name="induction", exact=True).click()
    python_says(run, "play", repr(widgets.Playground("a b c a b c", preset="induction")))
    assert run("print(play.weights[3:].argmax(1))") == "[1 2 3]"
    play.get_by_role("button", name="paint").click()
    play.locator("[data-board='A'] td[data-at='0,0']").click()
    python_says(run, "play.mask, play.painted[0][0]", "painted 0.0")
    assert run("print(play.weights[0], play.mask)") == "[0. 0. 0. 0. 0. 0.] painted"
    assert play.get_by_role("button", name="Share").count() == 0  # a notebook's address is not ours


def test_keys_reach_the_figure_and_not_the_notebook(live):
    page, run = live
    run("walk.step = 0\ncells.set(row=0, col=0)")
    active = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    figure(page, "walk").get_by_role("button", name="Next").click()
    before = page.evaluate(active)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    python_says(run, "walk", repr(widgets.Projection(X, W_Q, W_K, W_V, TOKENS, step=4)))
    figure(page, "cells").locator("td[data-at='0,0']").click()
    chosen = page.evaluate(active)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    python_says(run, "cells", repr(widgets.ScoreCells(X @ W_Q, X @ W_K, TOKENS, row=2, col=1)))
    cells = page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length")
    for key in ("Enter", "b", "a", "d", "d"):  # the notebook's own: edit, insert cells, delete a cell
        page.keyboard.press(key)
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == cells
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.mode") == "command"
    assert page.evaluate("document.activeElement.dataset.at") == "2,1"
    assert page.evaluate(active) == chosen != before


def test_a_refused_change_leaves_the_page_as_it_was(live):
    page, run = live
    before = run("print(whole)")
    assert run("try:\n    whole.stage = 99\nexcept ValueError as e:\n    print(e)") == (
        "stage is 99, but there are 7 stages: it must lie in 0…6"
    )
    says(page, "whole", before)


def test_the_mathematics_in_the_notebook_is_the_library(live):
    page, _ = live
    rng = np.random.default_rng(11)
    q, k, v = rng.normal(size=(3, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 2))
    mask = rng.random((3, 5)) < 0.5
    weights, output = page.evaluate(
        """async ([source, q, k, v, mask]) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { linalg } = await import(address);
            const { weights, output } = linalg.attention(q, k, v, { mask });
            return [weights, output];
        }""",
        [bundle.module_source("pipeline"), q.tolist(), k.tolist(), v.tolist(), mask.tolist()],
    )
    ours = core.trace(q, k, v, mask)
    np.testing.assert_allclose(weights, ours.weights, atol=1e-6)
    np.testing.assert_allclose(output, ours.output, atol=1e-6)


def test_the_dark_theme_of_the_notebook_is_followed(live):
    page, _ = live
    page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    dark = "getComputedStyle(document.querySelector('.attn-live')).backgroundColor === 'rgb(20, 22, 27)'"
    page.wait_for_function(dark)
    page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
    page.wait_for_function(dark.replace("20, 22, 27", "255, 255, 255"))


def touched(one, touch, parts):
    """Touch one part of a figure after the other until its sentence changes.   -> the new sentence"""
    told = one.locator(".attn-say")
    before = told.text_content()
    for part in parts[:20]:
        touch(part)
        for _ in range(10):  # a figure draws in the next frame
            if told.text_content() != before:
                return told.text_content()
            one.page.wait_for_timeout(20)
    raise AssertionError(f"nothing that was touched changed: {before}")


@pytest.mark.parametrize("name", some(FIGURES, 12))
def test_each_figure_tells_python_what_the_mouse_and_the_keys_did(live, name):
    page, run = live
    one = figure(page, name)
    idle = "[aria-disabled='true'], [aria-pressed='true'], :has-text('Play'), :has-text('again')"
    by_mouse = one.locator(f"button:not({idle}), td[data-at], input[type='range']").all()
    near_its_end = {"x": 4, "y": 4}
    python_says(run, name, touched(one, lambda part: part.click(position=near_its_end), by_mouse))
    by_keys = one.locator(
        f"[role='slider'], input:is([type='range'], [type='radio']), td[tabindex='0'], button:not({idle})"
    ).all()

    def press(part_and_key):
        part, key = part_and_key
        part.focus()
        page.keyboard.press(key)

    keys = ("ArrowRight", "ArrowDown", "Enter")
    python_says(run, name, touched(one, press, [(part, key) for part in by_keys for key in keys]))


def test_nothing_was_asked_of_another_host(live):
    page, _ = live
    assert page.foreign == []


@pytest.mark.prove
def test_a_freshly_opened_notebook_shows_the_stored_tables(browser, lab):
    context = browser.new_context(viewport={"width": 1200, "height": 4000})
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(lab.url("stored.ipynb"))
        page.get_by_text("“love” is row 1 of X: (0, 1, 0, 1).").wait_for()
        table = page.locator(".jp-OutputArea-output table", has_text="A: queries down, keys across")
        table.locator("td", has_text="0.707").first.wait_for()
        assert page.locator(".attn-live").count() == 0
    finally:
        context.close()
