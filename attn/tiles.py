"""Which keys a block of queries can see: the geometry of flash, without its algebra.

Everything here is a pair of integers or a small pattern. No (n, m) matrix is made.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from attn.axes import aligned, whole
from attn.masks import sliding_window


class Band(NamedTuple):
    """Query i, at position i + offset, sees `left` keys before its position and `right` after it.

    allowed_ij  ⇔  −left ≤ j − (i + offset) ≤ right

        >>> list(band(4, 4, is_causal=True).tiles(2, 4, 2))
        [(2, 4, array([[ True, False],
               [ True,  True]])), (0, 2, None)]
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

    def last(self, n):
        """The last key that each of n queries may see.   -> integers (n,)"""
        return np.clip(np.arange(n) + self.offset + self.right, 0, self.m - 1)

    def allowed(self, start, stop, low, high):
        """None if every query start … stop − 1 sees every key low … high − 1, else bool (queries, keys)."""
        first, last = start + self.offset, stop - 1 + self.offset
        if last - self.left <= low and high - 1 <= first + self.right:
            return None
        return self.pattern(stop - start, high - low, offset=first - low)  # the band, seen from the tile's corner

    def tiles(self, start, stop, width):
        """Cut the keys that the queries start … stop − 1 see into tiles at most `width` wide, the last keys first.

        -> (low, high, allowed(start, stop, low, high)) for each, one at a time. Cut from the end, the diagonal falls on
        the same place of every block's last tile, and its pattern is paid for once.
        """
        low, high = self.keys(start, stop)
        for end in range(high, low, -width):
            begin = max(low, end - width)
            yield begin, end, self.allowed(start, stop, begin, end)


def band(n, m, *, is_causal=False, window=None, offset=None):
    """The band of keys that is_causal and window leave open.

        is_causal: right = 0     window: (left, right), or left alone, which means (left, 0)

    Either side of a window may be None: unlimited. offset: m − n unless given, so the last query sees the last key.
    n queries, m keys   ->   Band. Raises TypeError for what is not whole numbers, ValueError for negative ones.

        >>> band(4, 4, window=1).keys(2, 4)
        (1, 4)
    """
    n, m, offset = aligned(n, m, offset)
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
