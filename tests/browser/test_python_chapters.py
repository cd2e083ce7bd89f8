"""Every chapter runs in the page: each cell for NumPy gives the text, the figures and the pictures that are stored."""

import pytest
from runpage import LONG, ROOT, TEXT, code_of, may_differ, of_no_machine, stored

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runs")]


def every_cell(notebook, path):
    """Run all of a page, then compare each cell with what its notebook keeps."""
    notebook.page.locator("[data-runs] [data-run-all]").click()
    cells = code_of(path)
    others = may_differ(cells)
    for cell in cells:
        assert notebook.settled(cell["id"]) == "done", (cell["id"], notebook.output(cell["id"]).text_content()[-500:])
    for cell in cells:
        element, output = notebook.cell(cell["id"]), notebook.output(cell["id"])
        if element.get_attribute("data-needs") == "torch":
            continue
        text = of_no_machine(" ".join(output.evaluate(TEXT).split()))
        assert text == of_no_machine(stored(cell)) or cell["id"] in others, (cell["id"], text)
        kinds = [output.get("data", {}) for output in cell["outputs"]]
        html = "".join("".join(data.get("text/html", "")) for data in kinds)
        assert output.locator(".attn-figure").count() == html.count('class="attn-figure"'), cell["id"]
        assert output.locator("[role='img'] svg").count() == html.count("<svg"), cell["id"]
        assert output.locator("img").count() == sum("image/png" in data for data in kinds), cell["id"]
    live = "() => document.querySelectorAll('.attn-figure:not([data-live], [data-far])').length === 0"
    notebook.page.evaluate("document.documentElement.classList.add('whole')")
    notebook.page.wait_for_function(live, timeout=LONG)


NOTEBOOKS = [p for p in sorted((ROOT / "chapters").glob("*.ipynb"))]


@pytest.mark.prove
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_numpy_cell_gives_its_stored_output(opened, path):
    every_cell(opened(f"chapters/{path.stem}"), path)
