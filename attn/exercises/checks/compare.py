"""When two outcomes agree: in any form that holds the same numbers, to the digits that count."""

import math
from dataclasses import replace

import numpy as np

RTOL = 2e-6  # six digits: what products and sums in float32 keep, also where they end in 64 bits
SINGLE = 2e-4  # what float32 keeps of exp(s) where scores s reach 2000
EXACT = 6e-10  # just over what a guard of 1e-9 beside a sum of 1 or more leaves: beyond the six digits asked for
FLOOR = 1e-9  # nothing is nearer to 0 than this


def in_form(outcome, right):
    """An outcome in the form of the right one: rows in a tuple as an array, an array of results as a tuple of them.

    A list of results that are alike in shape has become one array; with one axis more than each of them it is a tuple.
    """
    if outcome.kind != "value" or right.kind != "value":
        return outcome
    x, y = outcome.value, right.value
    if isinstance(y, tuple):
        parts = tuple(x) if isinstance(x, tuple) or x.ndim else (x,)
        parts = tuple(map(one_number, parts, y)) if len(parts) == len(y) else parts
        fits = [np.shape(p) for p in parts] == [q.shape for q in y]
        listed = not isinstance(x, tuple) and all(x.ndim == q.ndim + 1 for q in y)
        return replace(outcome, value=tuple(map(np.asarray, parts))) if fits or listed else outcome
    if isinstance(x, tuple):
        fits = y.ndim and [p.shape for p in x] == [y.shape[1:]] * len(y)
        return replace(outcome, value=np.stack(x)) if fits else outcome
    return replace(outcome, value=one_number(x, y))


def one_number(x, y):
    """[3] as 3, where 3 is asked for."""
    return np.reshape(x, ()) if y.ndim == 0 and np.size(x) == 1 else x


def same(one, two, rtol):
    """True if two outcomes agree: kind, shapes, values, NaN where NaN, and the class of an exception."""
    if one.kind != two.kind or one.error != two.error:
        return False
    if one.kind != "value":
        return True
    x, y = one.value, two.value
    if not isinstance(y, tuple):
        return not isinstance(x, tuple) and close(x, y, rtol)
    return isinstance(x, tuple) and len(x) == len(y) and all(close(p, q, rtol) for p, q in zip(x, y, strict=True))


def glance(outcome, rtol):
    """An outcome's form, a few entries, and how far others may be from them.  -> (form, entries, distances)"""
    if outcome.kind != "value":
        return outcome.kind, (), ()
    parts = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    real = all(x.dtype.kind != "c" for x in parts)
    form = isinstance(outcome.value, tuple), real, *(x.shape for x in parts)
    entries, distances = [], []
    for x in parts if real else ():
        some = x.reshape(-1)[:: max(x.size // 4, 1)].astype(float).tolist()
        least = max(rtol / 2 * float(largest(x * 1 if x.dtype.kind == "b" else x)), FLOOR)
        entries += some
        distances += [1.01 * (least + rtol * abs(entry)) for entry in some]  # 1.01: `agrees` rounds
    return form, entries, distances


def unlike(one, two):
    """True only if `same` is False, from the glance at an answer's outcome and that at a model's.

    Most models differ from an answer wherever one looks; where this says False, nothing is known.
    """
    if one[0] != two[0]:
        return True
    return any(abs(x - y) > far for x, y, far in zip(one[1], *two[1:], strict=True))


def close(x, y, rtol):
    """True if two arrays have one shape, one sort (truth values, real, complex) and the same entries within rtol.

    Whole numbers are exact, and so is everything where rtol is 0. Sums lose digits where their terms cancel, so the
    largest entry sets what counts as 0.
    """
    if x.shape != y.shape or any((x.dtype.kind == sort) != (y.dtype.kind == sort) for sort in "bc"):
        return False
    if x.dtype.kind == "b":
        return bool((x == y).all())
    if y.dtype.kind in "iu":
        return bool(agrees(x, y, 0).all())
    top = largest(y)
    if agrees(x, y, rtol, rtol / 2 * top).all():
        return True
    wide = max(rtol, SINGLE)  # asked only now: most pairs agree, or differ by more
    return bool(rtol > EXACT and single(x) and not single(y) and agrees(x, y, wide, wide / 2 * top).all())


def largest(y):
    """The size of the largest finite entry."""
    if not y.size:
        return 0.0
    sizes = abs(y)
    if math.isfinite(top := sizes.max()):
        return top
    finite = sizes[np.isfinite(sizes)]
    return finite.max() if finite.size else 0.0


def single(x):
    """True for floats of 32 bits, and for those of 64 bits that hold no more than 32."""
    if x.dtype != float:
        return x.dtype == np.float32
    with np.errstate(all="ignore"):
        return np.array_equal(x, x.astype(np.float32), equal_nan=True)


def agrees(x, y, rtol, atol=0.0):
    """Entry by entry: equal within rtol, or both NaN, or the same infinity."""
    with np.errstate(all="ignore"):
        near = abs(x - y) <= max(atol, min(FLOOR, rtol) or 1e-12) + rtol * abs(y)
        return near & np.isfinite(y) | (x == y) | (np.isnan(x) & np.isnan(y))
