"""A page that runs, driven as a reader drives it; and what a desk says, to compare with."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine
from book.python.cells import binds, need_torch

ROOT = Path(__file__).parents[2]
LONG = 240_000  # milliseconds: a machine may be busy, and no test is judged by its time
AT_REST = "([o]) => !['idle', 'loading', 'running'].includes(o.dataset.state)"

SOFTMAX = (
    "def softmax(S):\n    e = np.exp(S - S.max(axis=1, keepdims=True))\n    return e / e.sum(axis=1, keepdims=True)"
)
COLUMNS = "def softmax(S):\n    return np.exp(S) / np.exp(S).sum(axis=0)"
STUB = "4-1-row-softmax--2"


class Notebook:
    """A running page, driven as a reader drives it."""

    def __init__(self, page, address):
        self.page = page
        page.set_default_timeout(LONG)
        page.goto(address)

    def cell(self, id):
        return self.page.locator(f'[data-cell="{id}"]')

    def output(self, id):
        return self.cell(id).locator("[data-output]")

    def state(self, id):
        return self.output(id).get_attribute("data-state")

    def settled(self, id):
        """Wait until a cell has come to its end.   -> its state"""
        handle = self.output(id).element_handle()
        self.page.wait_for_function(AT_REST, arg=[handle], polling=50, timeout=LONG)
        return self.state(id)

    def press(self, id, source=None):
        """Type into a cell, if anything, and press its button."""
        if source is not None:
            self.cell(id).locator("[data-source]").fill(source)
        self.page.evaluate("([o]) => { o.dataset.state = 'idle'; }", [self.output(id).element_handle()])
        self.cell(id).locator("button[data-run]").click()

    def result(self, id):
        """Wait for a cell's end.   -> (state, text of its result)"""
        return self.settled(id), self.output(id).evaluate("e => e.textContent")

    def run(self, id, source=None):
        """Press, and wait.   -> (state, text of its result)"""
        self.press(id, source)
        return self.result(id)

    def note(self, id):
        return self.cell(id).locator(".note").text_content()

    def source(self, id):
        return self.cell(id).locator("[data-source]").input_value()


def ids_of(notebook):
    """The names of a page's cells, in order."""
    return notebook.page.locator("[data-cell]").evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")


def typed_into(notebook):
    """The names of the cells that a reader can type into at once, in order: those that no fold hides."""
    cells = notebook.page.locator("[data-cell]:not(.tag_hide-cell, .tag_hide-input)")
    return cells.evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")


class Words(HTMLParser):
    """The text of some HTML."""

    def __init__(self, html):
        super().__init__()
        self.text = ""
        self.feed(html)

    def handle_data(self, data):
        self.text += data


def report(id, answer):
    """What a check says at a desk, as the text of its HTML."""
    return Words(examine(catalogue.find(id), answer)._repr_html_()).text


def python(source, name):
    """A name out of some code that uses np."""
    import numpy as np

    space = {"np": np}
    exec(source, space)
    return space[name]


def of_no_machine(text):
    """A text without what a machine measures or brings: memory in use, and the width of its whole numbers."""
    return re.sub(r"[\d,]+ KiB at once", "… KiB at once", re.sub(r"(dtype |np\.)int32", r"\1int64", text))


def stored(cell):
    """The text that a notebook keeps of a cell's outputs, without what is shown as HTML or as a picture."""
    text = ""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if not {"text/html", "image/png"} & data.keys():
            text += "".join(output.get("text", ())) + "".join(data.get("text/plain", ()))
    return " ".join(text.split())


TEXT = "e => [...e.querySelectorAll('.stream pre, .text_plain pre')].map((pre) => pre.textContent).join('')"


def may_differ(cells):
    """The names of cells whose text another machine may give otherwise.

    A page leaves out the cells for torch, and with them the random numbers that they draw: what is drawn later from the
    same generator differs. And a whole number has 4 bytes there, which a stride shows.
    """
    found, drawn = set(), set()
    torch = need_torch([cell["source"] for cell in cells])
    for cell, needs in zip(cells, torch, strict=True):
        read, made = binds(cell["source"])
        if (needs and "rng" in read) or read & drawn:
            drawn |= made | ({"rng"} & read)
            found.add(cell["id"])
        else:
            drawn -= made
        if ".strides" in cell["source"]:
            found.add(cell["id"])
    return found


def code_of(path):
    """The code cells of a notebook, their source as one text."""
    cells = json.loads(path.read_text("utf8"))["cells"]
    return [cell | {"source": "".join(cell["source"])} for cell in cells if cell["cell_type"] == "code"]
