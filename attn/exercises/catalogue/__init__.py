"""Every exercise, by chapter. A chapter's module is imported when one of its exercises is asked for."""

import importlib
from pathlib import Path


def modules():
    """The chapter numbers that have exercises, in order."""
    return sorted({int(name[2:4]) for name in files("[0-9][0-9]")})


def files(number):
    """The names of a chapter's modules: ch04, and ch04_… where one file would grow too long."""
    return sorted(path.stem for path in Path(__file__).parent.glob(f"ch{number}*.py"))


def chapter(number):
    """The exercises of one chapter, in order; () where it has none."""
    loaded = [importlib.import_module(f"attn.exercises.catalogue.{name}") for name in files(f"{number:02}")]
    return tuple(sorted((e for module in loaded for e in module.EXERCISES), key=lambda e: int(e.id.split(".")[1])))


def chapters():
    """{chapter number: its exercises}."""
    return {number: chapter(number) for number in modules()}


def every():
    """All exercises, in the order of the book."""
    return [exercise for number in modules() for exercise in chapter(number)]


def find(id):
    """The exercise with this id, or None."""
    head, _, tail = str(id).partition(".")
    if not (head.isdecimal() and tail.isdecimal()):
        return None
    return next((exercise for exercise in chapter(int(head)) if exercise.id == f"{int(head)}.{int(tail)}"), None)


def unknown(id):
    """What to say about an id that is none."""
    import difflib  # 10 ms that only a slip of the pen need cost

    ids = [exercise.id for exercise in every()]
    near = difflib.get_close_matches(str(id), ids, n=3, cutoff=0.5)
    return f"There is no exercise {str(id)[:40]!r}." + (f" Did you mean {', '.join(near)}?" if near else "")
