"""What is the same for a whole class: the cases, what they should give, and which calls the checks will make.

Computed once in each process, whoever's answer comes first. The calls are told to a worker all at once, so that an
ordinary submission costs a few messages and not hundreds: an answer to a call that was foreseen is taken, any other
call is made when the checks ask for it. What is foreseen holds arguments, and nothing about what they should give.
"""

import hashlib
from functools import cache

import numpy as np

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine
from attn.exercises.checks.session import Known

LARGEST = 1 << 16  # bytes of arguments that are worth sending to somebody who may not need them


def drawn(seed, exercise):
    """The random numbers of an exercise's cases: the same for everyone, not to be guessed."""
    return np.random.default_rng([*hashlib.sha256(f"{seed}/{exercise.id}".encode()).digest()])


@cache
def knowledge(seed, id):
    """What all submissions to an exercise are compared with."""
    exercise = catalogue.find(id)
    return Known(exercise, drawn(seed, exercise))


class Enough(Exception):
    """The next call cannot be foreseen."""


@cache
def calls(seed, id):
    """What the checks ask of a right answer, in their order.  -> tuple of (arguments, instrument)"""
    exercise, known, asked = catalogue.find(id), knowledge(seed, id), []

    def run(arguments, deadline, instrument=None):
        if not plain(arguments, instrument):
            raise Enough
        asked.append((arguments, instrument))
        return known.outcome(arguments, None)

    try:
        examine(exercise, ..., known=known, run=run, limit=60)
    except Enough:
        pass
    return tuple(asked)


def plain(arguments, instrument):
    """True for a call whose arguments can be sent ahead: small arrays and numbers; none that weighs memory."""
    small = sum(a.nbytes for a in arguments if isinstance(a, np.ndarray)) <= LARGEST
    return small and instrument != "memory" and not any(map(callable, arguments))


def spelt(arguments, functions=()):
    """How a message names a call's arguments: "array" for one that travels beside it, a number as it is."""
    return [
        {"call": functions.index(a)} if callable(a)
        else "array" if isinstance(a, np.ndarray)
        else a.item() if isinstance(a, np.generic)
        else a
        for a in arguments
    ]  # fmt: skip


class Plan:
    """The calls of all NumPy exercises, as the first message to a worker holds them.

    calls: {exercise's id: what `calls` gives}.   said: the same without the arrays.   arrays: these, in order.
    """

    def __init__(self, seed, exercises):
        self.calls = {e.id: calls(seed, e.id) for e in exercises if e.kind == "numpy"}
        names = {e.id: e.call.partition("(")[0] for e in exercises}
        self.said = {
            id: [{"kind": "numpy", "name": names[id], "instrument": instrument, "arguments": spelt(arguments)}
                 for arguments, instrument in planned]
            for id, planned in self.calls.items()
        }  # fmt: skip
        self.arrays = [a for planned in self.calls.values() for arguments, _ in planned for a in arguments
                       if isinstance(a, np.ndarray)]  # fmt: skip


@cache
def plan(seed, ids):
    """The plan for some exercises.  ids: a tuple of theirs"""
    return Plan(seed, [catalogue.find(id) for id in ids])
