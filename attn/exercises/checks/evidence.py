"""What a report shows of a wrong answer: one case, and one entry of it beside the expected one."""

import math

import numpy as np

from attn.exercises.checks.compare import agrees, largest
from attn.exercises.report import labels, numbers


def evidence(session, cases, got, right, failing):
    """The smallest case that fails, and one entry of it: what came out, what should have.  -> (text, arguments)"""
    i = first_shown(cases, got, failing)
    if not session.exercise.wants_function:  # the whole answer would be the expected value
        return (f"your answer, {answered(got[i])}" if got[i].kind == "value" else ""), ()
    case = labels(session.exercise, cases[i])
    said = difference(got[i], right[i], session.exercise.rtol)
    note = f" ({session.exercise.observed})" if session.exercise.observed and said else ""
    return (f"{case}: {said}{note}" if case and said else case or said), cases[i]


def first_shown(cases, got, failing):
    """The index of the case that a report shows: the smallest that fails with values, yet has rows and columns."""
    values = [i for i in failing if got[i].kind == "value"] or failing

    def size(i):
        shapes = [getattr(a, "shape", ()) for a in cases[i]]
        return any({0, 1} & set(shape) for shape in shapes), sum(map(math.prod, shapes))

    return min(values, key=size)


def answered(outcome):
    """A settled answer as the learner wrote it."""
    value = outcome.value
    return "(" + ", ".join(map(numbers, value)) + ")" if isinstance(value, tuple) else numbers(value)


def difference(got, right, rtol):
    """The first entry where two outcomes differ, in words; '' where they are not comparable entry by entry."""
    if got.kind != "value" or right.kind != "value":
        return ""
    g, e = got.value, right.value
    part = ""
    if isinstance(e, tuple):
        if not isinstance(g, tuple) or len(g) != len(e):
            return f"got {len(g) if isinstance(g, tuple) else 1} result(s), expected {len(e)}"
        k = next((k for k in range(len(e)) if g[k].shape != e[k].shape or wrong_at(g[k], e[k], rtol).any()), 0)
        part, g, e = f"result {k + 1}: ", g[k], e[k]
    elif isinstance(g, tuple):
        return f"got {len(g)} results, expected 1"
    return part + _entry(g, e, rtol)


def wrong_at(g, e, rtol):
    """Where two arrays of one shape differ: by more than rounding, or else at all."""
    if e.dtype.kind == "b":
        return g != e
    off = ~agrees(g, e, rtol, rtol / 2 * largest(e))
    return off if off.any() else ~agrees(g, e, 0)


def _entry(g, e, rtol):
    if g.shape != e.shape:
        return f"got shape {g.shape}, expected {e.shape}"
    if (g.dtype.kind == "b") != (e.dtype.kind == "b"):
        return f"got dtype {g.dtype}, expected {e.dtype}"
    if e.ndim == 0 or (e.size <= 2 and numbers(g) != numbers(e)):
        return "got {}, expected {}".format(*apart(g, e))
    off = wrong_at(g, e, rtol)
    where = tuple(int(k) for k in np.argwhere(off)[0]) if off.any() else (0,) * e.ndim
    return "entry {} is {}, expected {}".format(where[0] if e.ndim == 1 else where, *apart(g[where], e[where]))


def apart(g, e):
    """Two values in words, with as many figures as tell them apart."""
    one, other = numbers(g), numbers(e)
    if one == other and np.ndim(g) == 0 and g != e:
        return next(((f"{g:.{k}g}", f"{e:.{k}g}") for k in range(5, 18) if f"{g:.{k}g}" != f"{e:.{k}g}"), (one, other))
    return one, other
