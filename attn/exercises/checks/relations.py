"""How a wrong result is related to the right one; said only if it holds on every case that fails."""

import numpy as np

from attn.exercises.checks.compare import agrees, largest


def relation(pairs):
    """One sentence about (result, expected) pairs, or '' if nothing simple relates them all.

    Each test gives what it found on one pair (None for nothing); a sentence is made only when every pair shows it.
    """
    if all(_truth(x) and _truth(y) for x, y in pairs):  # truth values have no differences and no ratios
        pairs = [(x * 1, y * 1) for x, y in pairs]
    if any(isinstance(x, tuple) != isinstance(y, tuple) for x, y in pairs):
        x, y = pairs[0]
        return (
            f"It returns {len(x)} results where one is asked for."
            if isinstance(x, tuple)
            else f"It returns one array where {len(y)} results are asked for."
        )
    if isinstance(pairs[0][1], tuple):
        return _of_tuples(pairs)
    with np.errstate(all="ignore"):
        for test, sentence in TESTS:
            found = [test(x, y) for x, y in pairs]
            if all(f is not None for f in found) and (test not in PLACES or any(map(_tells_places, pairs))):
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


def _rearranged(x, y):
    return True if x.size == y.size > 1 and _near(np.sort(x, None), np.sort(y, None)) else None


def _damaged(x, y):
    bad = ~np.isfinite(x) & np.isfinite(y) if x.shape == y.shape else np.zeros(1, bool)
    return (int(bad.sum()), x.size) if bad.any() else None


def _complex(x, y):
    return True if x.dtype.kind == "c" != y.dtype.kind else None


def _imprecise(x, y):
    near = x.shape == y.shape and np.allclose(x, y, rtol=2e-2, atol=2e-3)
    return True if near and x.dtype in (np.float32, np.float16) else None


def _nearly(x, y):
    return True if x.shape == y.shape and np.allclose(x, y, rtol=1e-3, atol=1e-6) else None


def _whole(x, y):
    """The right numbers with what stands behind the point cut off."""
    return True if x.shape == y.shape and (x == np.trunc(y)).all() and (x != y).any() and x.any() else None


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
    return "Every number is the expected one times a factor, another in each case: which size does it follow?"


def _row(n, m, which):
    return np.arange(n)[:, None] == which % n * np.ones(m)


def _say(sentence):
    return lambda found: sentence


NAMES = {  # what is recognised in every exercise: the beginning of the sentence, and its name
    "Whole numbers": "whole_numbers",
    "Right to the first digits": "first_digits",
}

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
    (_imprecise, _say("Nearly right: the numbers are computed in a shorter float than they came in.")),
    (_nearly, _say("Right to the first digits only: is a small number added to a sum, or something rounded?")),
    (_rearranged, _say("All the right numbers, in the wrong places: look at reshape, transpose, axis order.")),
    (_shape, lambda f: f"Your result has shape {f[0][0]}; expected {f[0][1]}."),
    (_damaged, lambda f: f"{f[0][0]} of {f[0][1]} entries are NaN or infinite."),
    (_whole, _say("Whole numbers: what stands behind the point is cut off. Was the array made for integers?")),
    (_factor, _times),
    (
        _offset,
        lambda f: (
            f"Every number is the expected one plus {f[0]:.4g}."
            if np.ptp(f) < 1e-9
            else "Every number is the expected one plus a constant, another in each case."
        ),
    ),
    (_per_line(-1), _say("Each row is right up to a factor of its own: look at the normalisation.")),
    (_per_line(-2), _say("Each column is right up to a factor of its own: look at what runs over which axis.")),
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
