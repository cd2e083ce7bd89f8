"""Which keys a block of queries can see, and which heads share them: the geometry of flash, without its algebra.

Everything here is a view or a pair of integers. No key or value is copied, and no (n, m) matrix is made.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from attn.axes import expect, whole
from attn.masks import apply, sliding_window


class Heads(NamedTuple):
    """Queries gathered around the key–value head they share; r = h / g queries to a head.

    q: (..., g, r, n, d)   k: (..., g, m, d)   v: (..., g, m, e), all views
    lead: the leading axes of the answer, (..., h), or () if nobody brought a head axis
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    lead: tuple


def grouped(q, k, v):
    """Lay q, k and v out by key–value head. Query head t reads key–value head ⌊t / r⌋, as in torch's enable_gqa.

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e)   ->   Heads, with g dividing h.
    Head and batch axes may also be missing, or 1, and then broadcast.
    Raises ValueError where axes disagree or h is not a multiple of g. Source: Ainslie et al. (2023), §2.2.
    """
    h, g = _heads(q), max(_heads(k), _heads(v))
    if h > g > 1:
        if h % g:
            raise ValueError(f"h = {h} query heads cannot share g = {g} key–value heads: g must divide h")
        lead = (*expect(q=(q, "... h n d"), k=(k, "... g m d"), v=(v, "... g m e")), h)
    else:
        lead = expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    batch, h = lead[:-1], (lead or (1,))[-1]
    # splitting an axis never copies, and a broadcast axis has stride 0: r queries read one head in place
    q = np.broadcast_to(q, lead + q.shape[-2:]).reshape(*batch, g, h // max(g, 1), *q.shape[-2:])
    k, v = (np.broadcast_to(x, (*batch, g, *x.shape[-2:])) for x in (k, v))
    return Heads(q, k, v, lead)


def laid(mask, heads):
    """A mask laid out as the queries are.

    mask: broadcasts to (..., h, n, m)   ->   (..., g, r, n, m), a view. Raises as attn.masks.apply does.
    """
    if mask is None:
        return None
    mask = np.asarray(mask)
    n, m = heads.q.shape[-2], heads.k.shape[-2]
    try:
        mask = np.broadcast_to(mask, (*heads.lead, n, m))
    except ValueError:
        shape = (*heads.lead, n, m)
        raise ValueError(f"mask has shape {mask.shape}, which does not broadcast to the scores {shape}") from None
    apply(mask[..., :0, :0], np.zeros((*heads.lead, 0, 0)))  # an integer mask is refused before any work is done
    return mask.reshape(*heads.q.shape[:-1], m)


class Band(NamedTuple):
    """Query i, at position i + offset, sees `left` keys before its position and `right` after it.

    allowed_ij  ⇔  −left ≤ j − (i + offset) ≤ right
    """

    m: int
    left: int
    right: int
    offset: int
    pattern: Callable  # (queries, keys, offset) -> bool (queries, keys), remembering the last few answers

    def keys(self, start, stop):
        """The range (first, last + 1) of keys that any of the queries start … stop − 1 may see."""
        low = max(0, start + self.offset - self.left)
        return low, max(low, min(self.m, stop + self.offset + self.right))

    def allowed(self, start, stop, low, high):
        """None if every query start … stop − 1 sees every key low … high − 1, else bool (queries, keys)."""
        first, last = start + self.offset, stop - 1 + self.offset
        if last - self.left <= low and high - 1 <= first + self.right:
            return None
        return self.pattern(stop - start, high - low, offset=first - low)  # the band, seen from the tile's corner

    def spans(self, start, stop, width):
        """Cut the visible keys into spans of at most `width`, backwards from the last.

        Cut from the end, the diagonal falls on the same place of every block's last span, and is paid for once.
        """
        low, high = self.keys(start, stop)
        return [(max(low, end - width), end) for end in range(high, low, -width)]


def band(n, m, *, is_causal=False, window=None, offset=None):
    """The band of keys that is_causal and window leave open.

        is_causal: right = 0     window: (left, right), or left alone, which means (left, 0)

    Either side of a window may be None: unlimited. offset: m − n unless given, so the last query sees the last key.
    n queries, m keys   ->   Band. Raises TypeError for what is not whole numbers, ValueError for negative ones.
    """
    offset = m - n if offset is None else whole("offset", offset)
    far = n + m + abs(offset)  # farther than any key is from any query
    left, right = window if isinstance(window, (tuple, list)) and len(window) == 2 else (window, 0)
    if window is None:
        left = right = None
    left = far if left is None else min(far, whole("window's left", left, least=0))
    right = far if right is None else min(far, whole("window's right", right, least=0))
    right = 0 if is_causal else right
    # to draw a tile's pattern costs a third of the tile; along the diagonal it is the same one again and again
    pattern = lru_cache(maxsize=4)(partial(sliding_window, left=left, right=right))
    return Band(m, left, right, offset, pattern)


def narrowed(mask, near):
    """A key must pass both: mask (bool, float or None) and near (bool or None), which broadcast together.

    ->   (..., n, m), bool or float like mask, or None where nothing is forbidden.
    """
    if mask is None or near is None:
        return near if mask is None else mask
    return mask & near if mask.dtype == bool else np.where(near, mask, -np.inf)


def _heads(x):
    return x.shape[-3] if x.ndim > 2 else 1
