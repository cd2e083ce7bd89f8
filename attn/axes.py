"""The alphabet of axes, one check that speaks it, and one rule each: for dtypes, for whole numbers, for positions,
for heads that share keys.

b batch · h head · g key–value head · n query position · m key position
d query/key width · e value width · c model width
"""

from typing import NamedTuple

import numpy as np


def numeric(**arrays):
    """The named arguments as floating-point arrays, or an error that names the one that cannot be.

    Floats keep their dtype; integers and booleans become float64. Nothing is copied that need not be.
    -> one array for one argument, a list for several.
    Raises TypeError for text, objects and complex numbers, ValueError for ragged lists.

        >>> numeric(q=[1, 2])
        array([1., 2.])
    """
    converted = [_numeric(name, value) for name, value in arrays.items()]
    return converted[0] if len(converted) == 1 else converted


def _numeric(name, value):
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular array of numbers ({error})") from None
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.kind == "f" or array.dtype.name == "bfloat16":
        return array
    raise TypeError(f"{name} must hold real numbers, not {array.dtype} (shape {array.shape})")


def working(*arrays):
    """(arrays in the dtype to compute in, the dtype to hand back).

    Half precision (float16, bfloat16) is computed in float32: its exponentials overflow at 11.1 and a sum of
    2049 ones stays 2048. Everything else is computed as it came.

        >>> [x.dtype.name for x in working(np.ones(2, np.float16))[0]]
        ['float32']
    """
    result = np.result_type(*arrays)
    half = result == np.float16 or result.name == "bfloat16"
    compute = np.dtype(np.float32) if half else result
    return [array.astype(compute, copy=False) for array in arrays], result


def expect(**arguments):
    """Check that arrays have the axes they claim, and that axes of one name have one size.

        expect(q=(q, "... n d"), k=(k, "... m d"))

    "..." stands for leading axes, which must broadcast together. Returns the broadcast leading shape.
    Raises ValueError: "axis d is 7 in q but 6 in k (k has shape (5, 6))".

        >>> expect(q=(np.ones((4, 3, 7)), "... n d"), k=(np.ones((5, 7)), "... m d"))
        (4,)
    """
    seen, leading = {}, {}
    for name, (array, pattern) in arguments.items():
        letters = pattern.replace("...", "").split()
        shape = np.shape(array)
        if len(shape) < len(letters) or ("..." not in pattern and len(shape) > len(letters)):
            axes = "axis" if len(letters) == 1 else "axes"
            raise ValueError(f"{name} needs {axes} ({pattern}) but has shape {shape}")
        for letter, size in zip(letters, shape[len(shape) - len(letters) :], strict=True):
            other, owner = seen.setdefault(letter, (size, name))
            if size != other:
                raise ValueError(f"axis {letter} is {other} in {owner} but {size} in {name} ({name} has shape {shape})")
        leading[name] = shape[: len(shape) - len(letters)]
    return _broadcast(leading)


def whole(name, value, least=None):
    """The value as a Python int, or an error that names it: TypeError if it is not one, ValueError if below `least`.

    ->   int, of shape (): it cannot overflow, whatever integer came in.

        >>> whole("n", np.int32(3))
        3
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__} ({value!r})")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, but is {value}")
    return int(value)


def aligned(n, m=None, offset=None):
    """How n queries and m keys lie on one line: query i at position i + offset, key j at position j.

        m = n unless given,   offset = m − n unless given: the last query sees the last key

    ->   (n, m, offset), ints. Raises TypeError for what is not whole, ValueError for negative sizes.

        >>> aligned(2, 5)
        (2, 5, 3)
    """
    n = whole("n", n, least=0)
    m = n if m is None else whole("m", m, least=0)
    return n, m, m - n if offset is None else whole("offset", offset)


def positions(n, m=None, offset=None):
    """Where each query and each key stands, ready to be compared: arguments and errors as aligned.

        i + offset,   j

    ->   integers (n, 1) and (1, m).

        >>> i, j = positions(2, 4)
        >>> j <= i
        array([[ True,  True,  True, False],
               [ True,  True,  True,  True]])
    """
    n, m, offset = aligned(n, m, offset)
    return np.arange(n)[:, None] + offset, np.arange(m)[None, :]


def groups(heads, kv_heads=None):
    """How many heads share how many key–value heads: g = h unless given.

    ->   (h, g), ints. Raises TypeError for what is not whole, ValueError unless g divides h.

        >>> groups(8, 2)
        (8, 2)
    """
    h = whole("heads", heads)
    g = h if kv_heads is None else whole("kv_heads", kv_heads)
    if g < 1 or h % g:
        raise ValueError(f"g = {g} key–value heads do not divide h = {h} heads")
    return h, g


def group(x, g):
    """Put the r = h / g heads that share a key–value head on an axis of their own: head t is r·⌊t/r⌋ + t mod r.

    x: (..., h, n, w)   ->   (..., g, r, n, w), a view, because it only cuts an axis.

        >>> group(np.zeros((6, 5, 4)), 2).shape
        (2, 3, 5, 4)
    """
    return x.reshape(*x.shape[:-3], g, x.shape[-3] // max(g, 1), *x.shape[-2:])


def ungroup(x):
    """The inverse of group: (..., g, r, n, w)   ->   (..., g·r, n, w).

    >>> ungroup(np.zeros((2, 3, 5, 4))).shape
    (6, 5, 4)
    """
    return x.reshape(*x.shape[:-4], x.shape[-4] * x.shape[-3], *x.shape[-2:])


class Grouped(NamedTuple):
    """Queries gathered around the key–value head they share; r = h / g queries to a head.

    q: (..., g, r, n, d)   k: (..., g, m, d)   v: (..., g, m, e), all views
    lead: the leading axes of the answer, (..., h), or () if nobody brought a head axis

        >>> grouped(np.zeros((6, 3, 7)), np.zeros((2, 5, 7)), np.zeros((2, 5, 4))).scores
        (6, 3, 5)
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    lead: tuple

    @property
    def scores(self):
        """The shape of the scores before grouping: (..., h, n, m)."""
        return *self.lead, self.q.shape[-2], self.k.shape[-2]

    def like_scores(self, mask):
        """A mask that broadcasts to the scores, laid out as the queries are   ->   (..., g, r, n, m), a view."""
        return np.broadcast_to(mask, self.scores).reshape(*self.q.shape[:-1], self.k.shape[-2])


def grouped(q, k, v):
    """Lay q, k and v out by key–value head. Query head t reads key–value head ⌊t / r⌋, as in torch's enable_gqa.

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e)   ->   Grouped, with g dividing h.
    Head and batch axes may also be missing, or 1, and then broadcast.
    Raises ValueError where axes disagree or g does not divide h. Source: Ainslie et al. (2023), §2.2.

        >>> grouped(np.zeros((6, 3, 7)), np.zeros((2, 5, 7)), np.zeros((2, 5, 4))).q.shape
        (2, 3, 3, 7)
    """
    h, *shared = (x.shape[-3] if x.ndim > 2 else 1 for x in (q, k, v))
    g = max(shared)
    if h > g > 1:
        groups(h, g)
        lead = (*expect(q=(q, "... h n d"), k=(k, "... g m d"), v=(v, "... g m e")), h)
    else:
        lead = expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    # splitting an axis never copies, and a broadcast axis has stride 0: r queries read one head in place
    q = np.broadcast_to(q, (lead or (1,)) + q.shape[-2:])
    k, v = (np.broadcast_to(x, (*lead[:-1], g, *x.shape[-2:])) for x in (k, v))
    return Grouped(group(q, g), k, v, lead)


def _broadcast(leading):
    try:
        return np.broadcast_shapes(*leading.values())
    except ValueError:
        told = ", ".join(f"{name} {shape}" for name, shape in leading.items())
        raise ValueError(f"the leading (batch and head) axes do not broadcast together: {told}") from None
