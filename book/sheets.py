"""A sheet of exercises as a page: the learner's own notebook, one way to write each answer folded away below it."""

import html
import json
import re
from pathlib import Path

from docutils import nodes

from attn.exercises import catalogue
from attn.exercises.report import section
from book.beside import ASIDE, pages

ROOT = Path(__file__).resolve().parent.parent
MARKS = re.compile(r"^[ \t]*# (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)
SECTION = re.compile(r"Chapter (\d+)(?:[ab]| \([^)]*\))?, (&quot;|\")(.+?)\2")
PRACTISE = re.compile(r"(\*\*Practise:?\*\*:? )([Ss]heet (\d+))\b")


def unfolding(solution):
    """A Markdown cell that shows a solution when it is asked to.   source of a cell -> str"""
    code = MARKS.sub("", solution).strip()
    return f":::{{dropdown}} One way to write it\n```{{code-block}} python\n{code}\n```\n:::\n"


def with_solutions(sheet, solved):
    """The cells of a sheet, each answer followed by its solution. Both notebooks have the same cells, in order."""
    cells = []
    for cell, answer in zip(sheet["cells"], solved["cells"], strict=True):
        source = "".join(answer["source"])
        cells.append(cell)
        if cell["cell_type"] == "code" and MARKS.search(source):
            cells.append(
                {"cell_type": "markdown", "id": cell["id"] + "-solution", "metadata": {}, "source": unfolding(source)}
            )
    return {**sheet, "cells": cells}


def unfold(app, docname, source):
    """Add the solutions to a sheet's page; the sheet that is downloaded stays as it is."""
    if docname not in pages("exercises").values():
        return
    path = ROOT / "exercises" / "solutions" / f"{Path(docname).name}.ipynb"
    app.env.note_dependency(str(path))
    sheet, solved = json.loads(source[0]), json.loads(path.read_text(encoding="utf-8"))
    source[0] = json.dumps(with_solutions(sheet, solved), ensure_ascii=False)


def practise(app, docname, source):
    """Where a chapter says which sheet belongs to it, the words lead there."""
    if docname in pages("chapters").values():
        sheets = pages("exercises")
        source[0] = PRACTISE.sub(
            lambda m: f"{m[1]}[{m[2]}](../{sheets[int(m[3])]}.ipynb)" if int(m[3]) in sheets else m[0], source[0]
        )


def headings(env, docname):
    """Heading -> anchor for one page, as its table of contents has them."""
    found = {}
    for link in env.tocs[docname].findall(nodes.reference):
        found.setdefault(plain(link.astext()), link["anchorname"])
    return found


def plain(heading):
    """A heading without its mathematics' dollars and slants, to compare by."""
    return heading.replace("$", "").strip()


def address(app, chapter, heading, pathto):
    """Where a section of a chapter is; None if it is nowhere."""
    for name in (pages("chapters").get(chapter), *(page for page, (of, _) in ASIDE.items() if of == chapter)):
        anchor = headings(app.env, name).get(plain(heading)) if name in app.env.tocs else None
        if anchor is not None:
            return f"{pathto(name)}{anchor}"
    return None


def lead_on(app, body, pathto):
    """Where a report of a sheet names a section of a chapter, the words lead there."""

    def linked(match):
        there = address(app, int(match[1]), html.unescape(match[3]), pathto)
        return f'<a href="{there}">{match[0]}</a>' if there else match[0]

    return re.sub(r'(?s)<div class="attn-report">.*?</div>', lambda part: SECTION.sub(linked, part[0]), body)


def sections(app, pagename, pathto):
    """Where every section is that a report on a sheet's exercises may name: {words: address}; {} on other pages."""
    number = next((n for n, name in pages("exercises").items() if name == pagename), None)
    places = {e.place(m) for e in catalogue.chapter(number) for m in ((), *((m.id,) for m in e.misconceptions))}
    found = {section(*place): address(app, *place, pathto) for place in sorted(places)}
    return {words: there for words, there in found.items() if there}
