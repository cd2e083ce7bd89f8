"""From a learner's file to plain Python cells: whatever a notebook looks like, and a reason where it cannot be read."""

import json
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from attn.exercises.cells import without_magics

LARGEST = 64 << 20  # bytes; stored pictures make honest notebooks large
LONG_CELL = 5000  # letters
SUFFIX = ".ipynb"
COPIES = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git"}


class Unreadable(ValueError):
    """A file that is no notebook; the text is the reason."""


@dataclass(frozen=True)
class Submission:
    """What one learner handed in: a name, and (file name, cells) pairs. It travels between machines as it is.

    skipped: (file name, reason) pairs of what was not read.
    """

    name: str
    notebooks: tuple[tuple[str, tuple[str, ...]], ...]
    skipped: tuple[tuple[str, str], ...] = ()


def submissions(folder):
    """Every entry of a folder as one submission: a notebook, or a folder with notebooks at any depth.

    -> (list of Submission, list of (path, reason) left out). Links are never followed. Raises ValueError if the
    folder is none or two entries have one name.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"folder: {folder} is not a folder")
    found, left_out = [], []
    for entry in sorted(folder.iterdir(), key=lambda path: natural(path.name)):
        if reason := strange(entry):
            left_out.append((shown(entry.name), reason))
        elif entry.is_dir():
            paths, inside = walked(entry)
            if paths:
                found.append(read(entry.name, [(str(path.relative_to(entry)), path) for path in paths], inside))
            else:
                left_out.append((shown(entry.name), "a folder without a notebook"))
        elif entry.suffix.lower() == SUFFIX:
            found.append(read(entry.name, [(entry.name, entry)], []))
        else:
            left_out.append((shown(entry.name), "not a notebook"))
    names = [submission.name for submission in found]
    if double := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"folder: {folder} holds two submissions named {', '.join(sorted(double))}")
    return found, left_out


def strange(path):
    """Why an entry is not looked at; '' if it is."""
    if path.is_symlink():
        return "a symbolic link"
    if path.name in COPIES or path.name.startswith("._"):
        return "a copy made by a program"
    return "" if path.is_dir() or path.is_file() else "not a regular file"


def walked(folder):
    """The notebooks below a folder, in natural order, and what was left out.  -> (paths, (name, reason) pairs)"""
    paths, left_out = [], []
    for path in sorted(folder.iterdir(), key=lambda path: natural(path.name)):
        if reason := strange(path):
            left_out.append((shown(path.name), reason))
        elif path.is_dir():
            more, inside = walked(path)
            paths, left_out = paths + more, left_out + inside
        elif path.suffix.lower() == SUFFIX:
            paths.append(path)
    return paths, left_out


def read(name, files, skipped):
    """A submission from (name, path) pairs; a file that cannot be read is skipped with its reason."""
    notebooks, skipped = [], list(skipped)
    for file, path in files:
        try:
            if path.stat().st_size > LARGEST:
                raise Unreadable(f"larger than {LARGEST >> 20} MB")
            notebooks.append((shown(file), tuple(code_cells(path.read_bytes()))))
        except OSError as error:
            skipped.append((shown(file), error.strerror or "cannot be read"))
        except Unreadable as error:
            skipped.append((shown(file), str(error)))
    return Submission(shown(name), tuple(notebooks), tuple(skipped))


def code_cells(data):
    """The code cells of a notebook, formats 3 and 4, as plain Python.  bytes -> list of str. Raises Unreadable."""
    try:
        content = json.loads(decoded(data))
        cells = content.get("cells")
        if cells is None:  # format 3 keeps its cells in worksheets, and their text under another name
            cells = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
        sources = [cell.get("source", cell.get("input", "")) for cell in cells if cell["cell_type"] == "code"]
        return [plain("".join(source)) for source in sources]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable("not a notebook") from None
    except RecursionError:
        raise Unreadable("brackets nested too deep") from None


def decoded(data):
    """A file's text: UTF-8 as notebooks are, with or without a mark; UTF-16 with one; else one byte a letter."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def plain(source):
    """A cell as plain Python: %magics, !commands and ?questions become calls, as Jupyter itself makes them."""
    if not re.search(r"[%!?]", source):
        return source
    if len(source) > LONG_CELL:  # Jupyter's own way takes the square of a cell's length
        return without_magics(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a learner's "\d" is not ours to warn about
        try:
            return _jupyter().transform_cell(source)
        except Exception:  # what Jupyter cannot read is left for the interpreter to refuse
            return source


def _jupyter():
    from IPython.core.inputtransformer2 import TransformerManager  # 0.2 s that few notebooks cost

    global _jupyter
    manager = TransformerManager()
    _jupyter = lambda: manager  # noqa: E731
    return manager


def natural(name):
    """A key that puts "sheet 9" before "sheet 10"."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.lower()) for part in re.split(r"(\d+)", name)]


def shown(name):
    """A file's name as text that can be written anywhere: bytes that are no letters are spelt out."""
    return str(name).encode("utf8", "surrogateescape").decode("utf8", "backslashreplace")
