"""What the text says of a folded answer waits with it: scrolling on gives nothing away.

    <!-- told -->
    It is 10.07, twice as much as one thinks.

A paragraph below that mark goes into the fold of the output before it. In Jupyter, where an output appears when its
cell is run, the mark is not seen and the paragraph stands where it is written.
"""

import re

MARK = re.compile(r"<!-- told -->\s*(<p>.*?</p>)\s*", re.DOTALL)
CELL = re.compile(r'<div class="cell ([^"]*)"')
TWICE = re.compile(
    r'(<div class="cell tag_hide-input tag_hide-output[^>]*>\s*<details class="[^"]*above-input">\s*<summary[^>]*>\s*)'
    r'<p class="collapsed admonition-title">.*?</p>\s*<p class="expanded admonition-title">.*?</p>',
    re.DOTALL,
)
HOW = (
    '<p class="collapsed admonition-title">How this is computed</p>\n'
    '<p class="expanded admonition-title">Hide how this is computed</p>'
)
BARE = re.compile(
    r'<div class="cell (tag_hide-cell[^>]*>\s*<details[^>]*>\s*<summary[^>]*>\s*'
    r'<p class="collapsed admonition-title">(?:The imports|Show the cell)</p>)'
)
UNNAMED = ' aria-label="Toggle hidden content"'  # one name for all folds would take each its own from a screen reader


def name_apart(body):
    """Give each fold the name it has for the eye.   str -> str

    A notebook has one name for the folds of a cell: where code and answer are both folded, the code gets its own.
    A name that only says that this is code is marked as `bare`: the page shows it when it is pointed at.
    """
    return BARE.sub(r'<div class="cell bare \1', TWICE.sub(rf"\1{HOW}", body)).replace(UNNAMED, "")


def fold(body):
    """Move each marked paragraph into the fold before it.   str -> str. Raises ValueError where there is none."""
    while told := MARK.search(body):
        cells = list(CELL.finditer(body, 0, told.start()))
        after = told.start()
        while cells and "tag_hide-cell" in cells[-1][1]:  # a check may stand between
            after = cells.pop().start()
        end = body.rfind("</details>", cells[-1].start(), after) if cells else -1
        folded = cells and "tag_hide-output" in cells[-1][1] and body[: told.start()].rstrip().endswith("</div>")
        if not folded or end < 0:
            raise ValueError(f"no folded answer stands right before: {told[1][:60]}")
        body = f"{body[:end]}{told[1]}\n{body[end : told.start()]}{body[told.end() :]}"
    return body
