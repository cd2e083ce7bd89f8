"""How a wrong result is related to the right one; said only if it holds on every case that fails."""

import itertools
import re

import numpy as np

from attn.exercises.checks.compare import agrees, largest


def relation(pairs):
    """One sentence about (result, expected) pairs, or '' if nothing simple relates them all.

    Each test gives what it found on one pair (None for nothing); a sentence is made only when every pair shows it.
    """
    if all(_truth(x) and _truth(y) for x, y in pairs):  # truth values have no differences and no ratios
        pairs = [(x * 1, y * 1) for x, y in pairs]
    if other := [(x, y) for x, y in pairs if isinstance(x, tuple) != isinstance(y, tuple)]:
        x, y = other[0]
        if isinstance(x, tuple) and len({part.shape for part in x}) > 1:
            shapes = ", ".join(str(part.shape) for part in x[:4])
            return f"It returns parts of several shapes, {shapes}, which make no one array of shape {y.shape}."
        return (
            f"It returns {len(x)} results of shape {x[0].shape if x else ()} where one of shape {y.shape} is asked for."
            if isinstance(x, tuple)
            else f"It returns one array where {len(y)} results are asked for."
        )
    if isinstance(pairs[0][1], tuple):
        return _of_tuples(pairs)
    with np.errstate(all="ignore"):
        for test, sentence in TESTS:
            found = list(itertools.takewhile(lambda f: f is not None, itertools.starmap(test, pairs)))
            if len(found) == len(pairs) and (test not in PLACES or any(map(_tells_places, pairs))):
                return sentence(found)
    return ""


def _truth(x):
    return isinstance(x, np.ndarray) and x.dtype.kind == "b"


def _of_tuples(pairs):
    if any(len(x) != len(y) for x, y in pairs):
        return f"It returns {len(pairs[0][0])} results in place of {len(pairs[0][1])}."
    wrong = [k for k in range(len(pairs[0][1])) if any(not _near(x[k], y[k]) for x, y in pairs)]
    if len(wrong) == 1 and len(pairs[0][1]) > 1:
        said = relation([(x[wrong[0]], y[wrong[0]]) for x, y in pairs if not _near(x[wrong[0]], y[wrong[0]])])
        return f"Only result {wrong[0] + 1} is wrong. {said}".strip()
    alike = {relation([(x[k], y[k]) for x, y in pairs]) for k in wrong} if len(wrong) == len(pairs[0][1]) else set()
    if len(alike) == 1 and name_of(min(alike)):
        return min(alike)
    swapped = all(_near(x[0], y[1]) and _near(x[1], y[0]) for x, y in pairs) if len(pairs[0][1]) == 2 else False
    return "The two results are in each other's place." if swapped else ""


def _near(x, y):
    if x.shape != y.shape:
        return False
    x, y = x * 1, y * 1
    return bool(agrees(x, y, 1e-5, 1e-6 * largest(y)).all())


def _sorts(x, y):
    return x.dtype.kind if (x.dtype.kind == "b") != (y.dtype.kind == "b") else None


def _transposed(x, y):
    return True if x.ndim >= 2 and not _near(x, y) and _near(x.T, y) else None


def _swapped_axes(x, y):
    """Two axes that changed places, among three or more."""
    for i in range(x.ndim):
        for j in range(i):
            if x.ndim > 2 and x.ndim == y.ndim and _near(x.swapaxes(i, j), y):
                return (j, i)
    return None


def _shape(x, y):
    return (x.shape, y.shape) if x.shape != y.shape else None


def _reshaped(x, y):
    same_order = x.shape != y.shape and x.size == y.size > 1 and _near(x.ravel(), y.ravel())
    return (x.shape, y.shape) if same_order else None


def _unsummed(axis):
    """One axis too many, over which a sum was to run."""

    def test(x, y):
        return True if x.ndim == y.ndim + 1 and axis < x.ndim and _near(x.sum(axis), y) else None

    return test


def _unpicked(x, y):
    """Several parts, of which one is what was asked for."""
    return True if x.ndim == y.ndim + 1 and any(_near(part, y) for part in x) else None


def _rearranged(x, y):
    """The numbers that are expected, elsewhere: said only of enough different ones to be no chance."""
    many = x.size == y.size and len(np.unique(np.round(y * 1.0, 9))) > 3
    return True if many and _near(np.sort(x, None), np.sort(y, None)) else None


def _damaged(x, y):
    bad = ~np.isfinite(x) & np.isfinite(y) if x.shape == y.shape else np.zeros(1, bool)
    return (int(bad.sum()), x.size) if bad.any() else None


def _complex(x, y):
    return True if x.dtype.kind == "c" != y.dtype.kind else None


def _imprecise(x, y):
    """The float that a result is in, where it is a short one and explains how far off it is."""
    far = {np.dtype(np.float32): 1e-3, np.dtype(np.float16): 2e-2}.get(x.dtype)
    return x.dtype if far and x.shape == y.shape and np.allclose(x, y, rtol=far, atol=far / 10) else None


def _nearly(x, y):
    """Off by no more than a thousandth or two of the largest entry, as half precision in between leaves it."""
    return True if x.shape == y.shape and np.allclose(x, y, rtol=1e-3, atol=1e-3 * largest(y * 1)) else None


def _whole(x, y):
    """The right numbers with what stands behind the point cut off."""
    return (
        True
        if x.shape == y.shape and (x == np.trunc(y)).all() and (x != y).any() and (x.any() or x.dtype.kind in "iu")
        else None
    )


def _rounded(x, y):
    """Decimals that are left."""
    if x.shape != y.shape or not y.size or _near(x, y) or x.dtype.kind in "iu":  # an array for integers cuts off
        return None
    return next((k for k in range(6) if np.allclose(x, np.round(y, k), rtol=1e-12, atol=1e-12)), None)


def _left_at_zero(x, y):
    """Where 0 stands in place of what is expected, and nothing else is wrong."""
    if x.shape != y.shape or not y.ndim or y.size < 2:
        return None
    off = ~np.isclose(x * 1, y * 1, rtol=1e-5, atol=1e-9, equal_nan=True)
    if not off.any() or off.all() or (x[off] != 0).any() or not (x[~off] != 0).any():
        return None
    for axis, name in ((0, line(y.ndim)), (-1, "column")):
        lines, wrong = np.moveaxis(x, axis, 0), np.moveaxis(off, axis, 0)
        empty = [k for k in range(len(lines)) if not lines[k].any() and wrong[k].any()]
        if not np.delete(wrong, empty, 0).any():
            return name, tuple(empty), len(lines)
    return "entry", (), int(off.sum())


def _say_left(found):
    name, empty, n = found[0]
    names = plural(name)
    if not empty:  # scattered: what they have in common is not known
        return (
            f"0 stands in {n} {'entry' if n == 1 else 'entries'} where another value is expected; the others are right."
        )
    if all(rest == tuple(range(1, size)) for _, rest, size in found):
        return f"Only the first {name} is filled, the rest is 0. (A `return` inside a loop leaves that, for one.)"
    if len(empty) == 1 and all(rest == (size - 1,) for _, rest, size in found):
        return f"The last {name} is 0 where other values are expected; the others are right."
    if len(empty) == 1:
        return f"The {name} {empty[0]} of {n} is 0 where other values are expected; the others are right."
    return (
        f"The {names} {', '.join(map(str, empty))} of {n} are 0 where other values are expected; the others are right."
    )


def line(axes):
    """What the first of so many axes counts, as a learner would call it."""
    return {1: "entry", 2: "row"}.get(axes, "part")


def plural(word):
    """Several of them."""
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


def _running(x, y):
    return line(y.ndim) if y.ndim and len(y) > 1 and _near(x, y.cumsum(0)) else None


def _all_alike(x, y):
    """The number of the expected row that stands in every row."""
    if x.shape != y.shape or y.ndim < 2 or len(y) < 2:
        return None
    return next(((line(y.ndim), k) for k in (len(y) - 1, 0) if _near(x, np.broadcast_to(y[k], y.shape))), None)


def _sizes(x, y):
    return True if x.shape == y.shape and (y < 0).any() and _near(x, abs(y)) else None


def _moved(x, y):
    """An axis along which all has moved by one place, or run backwards, and how."""
    if x.shape != y.shape:
        return None
    for axis in range(y.ndim):
        if y.shape[axis] > 2 and _near(x, np.flip(y, axis)):
            return axis, "are in the reverse order"
        for by in (1, -1):
            if y.shape[axis] > 2 and _near(x, np.roll(y, by, axis)):
                return axis, f"have moved by one place {'on' if by > 0 else 'back'}"
    return None


def _part(x, y):
    """How many of the first or last rows there are, where the others are missing."""
    if x.shape[1:] != y.shape[1:] or not x.ndim or not y.ndim or not 0 < len(x) < len(y):
        return None
    return next((side for side, rest in (("first", y[: len(x)]), ("last", y[-len(x) :])) if _near(x, rest)), None)


def _factor(x, y):
    if x.shape != y.shape or y.size < 2 or np.ptp(y) < 1e-9:
        return None
    ratio = (x / y)[abs(y) > 1e-9]
    even = ratio.size and np.ptp(ratio) <= 1e-4 * abs(ratio[0]) and _near(x, y * ratio[0])
    return ratio[0] if even and abs(ratio[0] - 1) > 1e-6 else None


def _offset(x, y):
    if x.shape != y.shape or y.size < 2 or np.ptp(y) < 1e-9:
        return None
    gap = x - y
    return float(gap.flat[0]) if np.ptp(gap) < 1e-5 * abs(gap.flat[0]) else None


def _per_line(axis):
    def test(x, y):
        if x.shape != y.shape or x.ndim != 2 or x.shape[axis] < 2:
            return None
        top = np.take_along_axis(y, abs(y).argmax(axis, keepdims=True), axis)
        factor = np.take_along_axis(x, abs(y).argmax(axis, keepdims=True), axis) / top
        return True if np.isfinite(factor).all() and factor.all() and _near(x, y * factor) else None

    return test


def _only_in(place):
    """Wrong only inside one region of the matrix, and right everywhere else."""

    def test(x, y):
        if x.shape != y.shape or x.ndim < 2 or min(x.shape[-2:]) < 2:
            return None
        inside = np.broadcast_to(place(*x.shape[-2:]), x.shape)
        off = ~np.isclose(x * 1, y * 1, rtol=1e-6, atol=1e-9, equal_nan=True)
        return True if off.any() and not off[~inside].any() else None

    return test


def _tells_places(pair):
    """True if a matrix is large enough to tell a diagonal from a corner, and a row from half of everything."""
    x, y = pair
    return min(y.shape[-2:]) >= 3 and (~np.isclose(x * 1, y * 1, equal_nan=True)).sum() > 1


def _times(factors):
    if np.ptp(factors) < 1e-6 * abs(factors[0]):
        return f"Every number is {factors[0]:.4g} times the expected one."
    return "Every number is the expected one times a factor, another in each case."


def _row(n, m, which):
    return np.arange(n)[:, None] == which % n * np.ones(m)


def _say(sentence):
    return lambda found: sentence


NAMES = {  # what is recognised in every exercise: the beginning of the sentence, and its name
    "Whole numbers": "whole_numbers",
    "Right to the first digits": "first_digits",
    "Rounded to": "rounded",
    "Nearly right: the numbers": "shorter_float",
    "Only the first row is filled": "left_at_zero",
    "Only the first entry is filled": "left_at_zero",
    "Only the first column is filled": "left_at_zero",
    "The last row is 0": "last_left_at_zero",
    "The last entry is 0": "last_left_at_zero",
    "The last column is 0": "last_left_at_zero",
    "The row ": "part_left_at_zero",
    "The rows ": "part_left_at_zero",
    "The column ": "part_left_at_zero",
    "The columns ": "part_left_at_zero",
    "Only the first of what": "part_only",
    "Only the last of what": "part_only",
    "The right numbers, but in shape": "shape_only",
    "The right numbers, but along": "order_only",
    "The right numbers without": "signs_lost",
    "Your result is the transpose": "result_transposed",
    "Axes ": "axes_exchanged",
    "It returns truth values": "truth_values",
    "A sum is left out": "not_summed",
    "It returns several parts": "not_picked",
    "It returns parts of several": "ragged",
    "It returns 2 results": "more_results",
    "It returns 3 results": "more_results",
    "The two results are": "results_exchanged",
    **dict.fromkeys((f"Each {word} holds the sum of all" for word in ("entry", "row", "part")), "running"),
    **dict.fromkeys((f"Every {word} is the expected {word}" for word in ("row", "part")), "same_row"),
    "Only the first part is filled": "left_at_zero",
    "The last part is 0": "last_left_at_zero",
    "The part ": "part_left_at_zero",
    "The parts ": "part_left_at_zero",
}


def name_of(said):
    """The name of what a sentence of this module recognises; '' where it describes no more than the numbers."""
    said = re.sub(r"^Only result \d+ is wrong\. ", "", said)
    return next((id for start, id in NAMES.items() if said.startswith(start)), "")


TESTS = [
    (_complex, _say("The numbers are complex; a real result is asked for.")),
    (
        _sorts,
        lambda f: (
            "It returns truth values where numbers are asked for."
            if f[0] == "b"
            else "It returns numbers where True and False are asked for."
        ),
    ),
    (_transposed, _say("Your result is the transpose of the expected one.")),
    (_swapped_axes, lambda f: f"Axes {f[0][0]} and {f[0][1]} of your result have changed places."),
    (_reshaped, lambda f: f"The right numbers, but in shape {f[0][0]} in place of {f[0][1]}."),
    (_imprecise, lambda f: f"Nearly right: the numbers are in {f[0]}, a shorter float than they came in."),
    (_rounded, lambda f: f"Rounded to {f[0]} decimals, the expected numbers are yours."),
    (
        _nearly,
        _say(
            "Right to the first digits only, as a small number added, a shorter float, rounding or few steps leave it."
        ),
    ),
    (_part, lambda f: f"Only the {f[0]} of what is asked for are there: the others are missing."),
    (_running, lambda f: f"Each {f[0]} holds the sum of all {plural(f[0])} up to it, as if none began at 0."),
    (_moved, lambda f: f"The right numbers, but along axis {f[0][0]} they {f[0][1]}."),
    *(
        (_unsummed(axis), _say(f"A sum is left out: added up along axis {axis}, your result is the expected one."))
        for axis in range(4)
    ),
    (_unpicked, _say("It returns several parts along axis 0 where one is asked for; that one is among them.")),
    (_rearranged, _say("The numbers are those expected, but they stand in other places.")),
    (_shape, lambda f: f"Your result has shape {f[0][0]}; expected {f[0][1]}."),
    (_left_at_zero, _say_left),
    (
        _all_alike,
        lambda f: (
            f"Every {f[0][0]} is the expected {f[0][0]} {f[0][1]}"
            + (", as if one array were filled again and again." if f[0][1] else ".")
        ),
    ),
    (_sizes, _say("The right numbers without their signs.")),
    (_damaged, lambda f: f"{f[0][0]} of {f[0][1]} entries are NaN or infinite."),
    (
        _whole,
        _say("Whole numbers: the expected ones without what stands behind the point. So an integer array keeps them."),
    ),
    (_factor, _times),
    (
        _offset,
        lambda f: (
            f"Every number is the expected one plus {f[0]:.4g}."
            if np.ptp(f) < 1e-9
            else "Every number is the expected one plus a constant, another in each case."
        ),
    ),
    (_per_line(-1), _say("Each row is the expected one times a factor of its own.")),
    (_per_line(-2), _say("Each column is the expected one times a factor of its own.")),
    (_only_in(lambda n, m: np.eye(n, m, dtype=bool)), _say("Right everywhere but on the diagonal.")),
    (_only_in(lambda n, m: _row(n, m, 0)), _say("Right everywhere but in the first row.")),
    (_only_in(lambda n, m: _row(n, m, -1)), _say("Right everywhere but in the last row.")),
    (_only_in(lambda n, m: _row(m, n, 0).T), _say("Right everywhere but in the first column.")),
    (_only_in(lambda n, m: _row(m, n, -1).T), _say("Right everywhere but in the last column.")),
    (_only_in(lambda n, m: ~np.tri(n, m, -1, dtype=bool)), _say("Right below the diagonal; wrong on it or above.")),
    (_only_in(lambda n, m: np.tri(n, m, dtype=bool)), _say("Right above the diagonal; wrong on it or below.")),
    (_only_in(lambda n, m: ~np.eye(n, m, dtype=bool)), _say("Right on the diagonal and wrong beside it.")),
]

# Sentences about a place, the smaller first: the first that holds is said.
PLACES = [test for test, _ in TESTS if test.__qualname__.startswith("_only_in")]
