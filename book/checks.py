"""The cells that check the numbers in a text: not shown until the page's one switch asks for them."""

import re

PIECES = re.compile(r'(?=<div class="cell )')
CELL = re.compile(r'<div class="cell (?=[^"]*\btag_hide-cell\b)')
NAME = ">The numbers in the text, checked<"  # as tools/nb_stamp.py calls a folded cell to which nobody gave a name


def gather(body):
    """Mark the folded cells that check and show nothing.   str -> (str, how many)

    One that shows what came of it is spoken of in the text, and keeps its own line on the page.
    """
    first, *cells = PIECES.split(body)
    silent = ["cell_output" not in cell and NAME in cell for cell in cells]
    marked = [CELL.sub('<div class="cell check ', c, count=1) if s else c for c, s in zip(cells, silent, strict=True)]
    return "".join([first, *marked]), sum(silent)
