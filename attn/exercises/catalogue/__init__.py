"""Every exercise, one module each: e4_1 is exercise 4.1. It is imported when somebody asks for it."""

import importlib
from functools import cache
from pathlib import Path


@cache
def numbers():
    """Every exercise as (chapter, number in it), in the order of the book."""
    return sorted(tuple(map(int, path.stem[1:].split("_"))) for path in Path(__file__).parent.glob("e*_*.py"))


def exercise(chapter, number):
    """One exercise, as its module has it."""
    return importlib.import_module(f"attn.exercises.catalogue.e{chapter}_{number}").EXERCISE


def chapter(number):
    """The exercises of one chapter, in order; () where it has none."""
    return tuple(exercise(*place) for place in numbers() if place[0] == number)


def chapters():
    """{chapter number: its exercises}."""
    return {number: chapter(number) for number in sorted({place[0] for place in numbers()})}


def every():
    """All exercises, in the order of the book."""
    return [exercise(*place) for place in numbers()]


def find(id):
    """The exercise with this id, or None."""
    head, _, tail = str(id).partition(".")
    if not (head.isdecimal() and tail.isdecimal()):
        return None
    place = int(head), int(tail)
    return exercise(*place) if place in numbers() else None


def unknown(id):
    """What to say about an id that is none."""
    import difflib  # 10 ms that only a slip of the pen need cost

    ids = [f"{chapter}.{number}" for chapter, number in numbers()]
    near = difflib.get_close_matches(str(id), ids, n=3, cutoff=0.5)
    return f"There is no exercise {str(id)[:40]!r}." + (f" Did you mean {', '.join(near)}?" if near else "")
