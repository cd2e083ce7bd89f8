"""What the text says of a folded answer waits with it: scrolling on gives nothing away.

    <!-- told -->
    It is 10.07, twice as much as one thinks.

A paragraph below that mark goes into the fold of the output before it. In Jupyter, where an output appears when its
cell is run, the mark is not seen and the paragraph stands where it is written.
"""

import re

MARK = re.compile(r"<!-- told -->\s*(<p>.*?</p>)\s*", re.DOTALL)
CELL = '<div class="cell '
FOLD = f"{CELL}tag_hide-output"


def fold(body):
    """Move each marked paragraph into the fold before it.   str -> str. Raises ValueError where there is none."""
    while told := MARK.search(body):
        begin = body.rfind(FOLD, 0, told.start())
        after = body.find(CELL, begin + 1, told.start())
        end = body.rfind("</details>", begin, after if after > 0 else told.start())
        if begin < 0 or end < 0:
            raise ValueError(f"no folded answer stands before: {told[1][:60]}")
        body = f"{body[:end]}{told[1]}\n{body[end : told.start()]}{body[told.end() :]}"
    return body
