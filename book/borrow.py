"""A chapter's figure on another page:  ```{figure-of} chapters/01_name cell-id```  One notebook makes and proves it."""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def figure_of(notebook, cell):
    """The HTML that a cell of a stored notebook shows.   path, id of the cell -> str

    Raises LookupError where there is no such cell, or it shows nothing.
    """
    cells = {found["id"]: found for found in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]}
    for output in cells.get(cell, {}).get("outputs", ()):
        if "text/html" in output.get("data", {}):
            return "".join(output["data"]["text/html"])
    raise LookupError(f"{Path(notebook).name} has no cell {cell} that shows a figure")


class FigureOf(SphinxDirective):
    """The directive: the notebook, without its ending, and the cell."""

    required_arguments = 2

    def run(self):
        path = Path(self.env.srcdir) / f"{self.arguments[0]}.ipynb"
        self.env.note_dependency(str(path))
        try:
            return [nodes.raw("", figure_of(path, self.arguments[1]), format="html")]
        except (OSError, LookupError) as error:
            raise self.error(str(error)) from error
