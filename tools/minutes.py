"""How long a chapter takes, counted and not guessed: 80 words, two code cells or one question a minute.

    python tools/minutes.py [REVISION]      a table of all chapters, as they stand or as git has them there

Dense pages were read at this pace. Folded text and folded cells are not counted: they can wait. A formula in a line
counts as one word, one on a line of its own as ten. `make run` writes the minutes into each chapter's opening.
"""

import re
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
WORDS, CELLS, QUESTIONS = 80, 2, 1  # a minute
ROUND = 5
UNCOUNTED = {"hide-cell", "remove-cell", "stamped"}
STATED = re.compile(r"· \d+ minutes(?:(, and )\d+( more for \*([^*]+)\*))?")
FOLDS = re.compile(r"<details>.*?</details>|^:::+ ?\{dropdown\}.*?^:::+$", re.DOTALL | re.MULTILINE)
QUESTION = re.compile(r"^\*\*\d+\.\*\*", re.MULTILINE)
HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


def prose(text):
    """The open text of a Markdown cell: no folds, links without their addresses, each formula as so many words."""
    text = FOLDS.sub("", text)
    text = re.sub(r"\$\$.*?\$\$", " x" * 10 + " ", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$\n]+\$|`[^`\n]+`", "x", text)
    text = re.sub(r"\{[\w:]+\}x", "", text)  # a citation
    return re.sub(r"\]\([^)]*\)|<[^>]+>", " ", text)


def words(text):
    """How many words a reader reads in a Markdown cell.   str -> int"""
    return len(re.findall(r"\w\S*", prose(text)))


def counts(notebook):
    """[(heading of the second level, words, open code cells, questions)] of a chapter, in order."""
    found = [["", 0, 0, 0]]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found[-1][2] += not UNCOUNTED & {*cell.metadata.get("tags", [])}
            continue
        pieces = HEADING.split(cell.source)
        for k, piece in enumerate(pieces):
            if k % 2:
                found.append([piece.strip(), words(piece), 0, 0])
                continue
            found[-1][1] += words(piece)
            found[-1][3] += len(QUESTION.findall(piece)) if found[-1][0] == "Check yourself" else 0
    return [tuple(one) for one in found]


def minutes(sections):
    """Of some of a chapter's sections, rounded to five.   counts -> int"""
    exact = sum(w / WORDS + c / CELLS + q / QUESTIONS for _, w, c, q in sections)
    return max(ROUND, ROUND * round(exact / ROUND))


def opening(notebook):
    """The cell that states the minutes: the first one, or, where pictures stand between, one soon after it."""
    return next((cell for cell in notebook.cells[:10] if STATED.search(cell.source)), None)


def stated(notebook):
    """The opening as it should be: its minutes counted.   notebook -> (source of its cell, the same stamped)

    "· 60 minutes, and 15 more for *Heading*, which can wait": the section of that heading is counted by itself.
    """
    cell = opening(notebook)
    source = cell.source if cell else ""
    sections = counts(notebook)

    def told(match):
        later = [one for one in sections if match[3] and one[0] == match[3].strip()]
        if not later:
            return f"· {minutes(sections)} minutes"
        rest = [one for one in sections if one not in later]
        return f"· {minutes(rest)} minutes{match[1]}{minutes(later)}{match[2]}"

    return source, STATED.sub(told, source, count=1)


def chapters(revision=None):
    """(name, notebook) of every chapter, from the folder or from a revision."""
    for path in sorted((ROOT / "chapters").glob("[0-9][0-9]*_*.ipynb")):
        if revision is None:
            yield path.stem, nbformat.read(path, as_version=4)
            continue
        name = f"{revision}:chapters/{path.name}"
        shown = subprocess.run(["git", "show", name], cwd=ROOT, capture_output=True, text=True, check=False)
        if shown.returncode == 0:  # a page may be younger than the revision
            yield path.stem, nbformat.reads(shown.stdout, as_version=4)


def asserted(notebook):
    """How many assertions stand in open cells."""
    cells = [c for c in notebook.cells if c.cell_type == "code" and not UNCOUNTED & {*c.metadata.get("tags", [])}]
    return sum(len(re.findall(r"^\s*(?:assert\b|np\.testing\.)", cell.source, re.MULTILINE)) for cell in cells)


def main(revision=None):
    """Print the table."""
    print(f"{'chapter':34} words  cells  questions  minutes  parentheses a thousand words  open assertions")
    for name, notebook in chapters(revision):
        sections = counts(notebook)
        read, cells, questions = (sum(one[k] for one in sections) for k in (1, 2, 3))
        text = " ".join(prose(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")
        share = 1000 * text.count("(") / max(read, 1)
        print(f"{name:34} {read:5}  {cells:5}  {questions:9}  {minutes(sections):7}  ", end="")
        print(f"{share:28.1f}  {asserted(notebook):15}")


if __name__ == "__main__":
    main(*sys.argv[1:])
