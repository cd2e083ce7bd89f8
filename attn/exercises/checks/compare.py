"""When two outcomes agree, to the digits that count."""

import numpy as np

ATOL = 1e-9


def same(one, two, rtol):
    """True if two outcomes agree: kind, shapes, values, NaN where NaN, and the class of an exception."""
    if one.kind != two.kind or one.error != two.error:
        return False
    if one.kind != "value":
        return True
    x, y = one.value, two.value
    if not isinstance(y, tuple):
        return not isinstance(x, tuple) and close(x, y, rtol)
    # a list of arrays is as good as a tuple where several arrays are asked for
    x = tuple(x) if isinstance(x, tuple) or (one.listed and x.ndim and len(x) == len(y)) else (x,)
    return len(x) == len(y) and all(close(p, q, rtol) for p, q in zip(x, y, strict=True))


def close(x, y, rtol):
    """True if two arrays have one shape, one sort (truth values, real, complex) and the same entries within rtol."""
    if x.shape != y.shape or any((x.dtype.kind == sort) != (y.dtype.kind == sort) for sort in "bc"):
        return False
    if x.dtype.kind == "b":
        return bool((x == y).all())
    if x.dtype == np.float32 != y.dtype:  # wrong only in its digits: a probe says so
        return bool(agrees(x, y, 1e-5).all())
    return bool(agrees(x, y, rtol).all())


def agrees(x, y, rtol):
    """Entry by entry: equal within rtol, or both NaN, or the same infinity."""
    with np.errstate(all="ignore"):
        near = abs(x - y) <= ATOL + rtol * abs(y)
        return near & np.isfinite(y) | (x == y) | (np.isnan(x) & np.isnan(y))
