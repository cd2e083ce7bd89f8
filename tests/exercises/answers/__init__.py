"""Answers by many hands: right ones that must never be rejected, wrong ones with the diagnosis on record."""

import importlib
import inspect
from importlib.util import find_spec
from pathlib import Path

from attn.exercises import catalogue

HERE = Path(__file__).parent


def runnable():
    """The exercises whose library is installed here: without torch, all but those on tensors."""
    return [exercise for exercise in catalogue.every() if exercise.kind == "numpy" or find_spec(exercise.kind)]


def corpus(kind):
    """Every answer of one kind.  "right" or "wrong" -> list of (exercise id, name, function)"""
    found, here = [], {exercise.id for exercise in runnable()}
    for path in sorted((HERE / kind).glob("e*.py")):
        module = importlib.import_module(f"{__package__}.{kind}.{path.stem}")
        id = path.stem[1:].replace("_", ".")
        if id not in here:
            continue
        own = [(name, f) for name, f in vars(module).items()
               if inspect.isfunction(f) and f.__module__ == module.__name__ and not hasattr(f, "helper")]
        values = list(getattr(module, "VALUES", {}).items())
        found += [(id, name, answer) for name, answer in own + values]
    return found


def value_of(answer):
    """What is handed in: a function, or the first half of a (value, diagnosis) pair."""
    return answer[0] if isinstance(answer, tuple) else answer


def on_record(answer):
    """The misconceptions that a wrong answer's docstring, or the second half of a pair, names; () for "unnamed"."""
    names = (answer[1] if isinstance(answer, tuple) else answer.__doc__ or "").split()
    return () if names == ["unnamed"] else tuple(names)
