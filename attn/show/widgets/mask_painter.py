"""Paint a mask, see what it costs."""

import numpy as np

from attn.show import figures
from attn.show.kit import presets, text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, positive, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens

LARGEST = 64


class MaskPainter(Widget):
    """Paint who may attend to whom, cell by cell, and read what is saved by computing no more than that.

        multiply–adds of scores and values = 2 · d · (allowed pairs),   2 · d · n² for all

    n: how many tokens, up to 64;  mask: a bool (n, n) array, or one of presets.PATTERNS, causal unless given;
    window: keys a query sees under "window", a block's size under "blocks";  d: the width of one head;
    tokens: n names;  row, col: the chosen cell.   Raises ValueError or TypeError.
    .mask -> bool (n, n), True = may attend;  .pairs -> int;  .multiply_adds -> int;  .empty_rows -> list of int
    """

    view = "mask_painter"
    painted = Matrix()
    tokens = Tokens()
    window = Position()
    d = Position()
    row = Position()
    col = Position()

    def __init__(self, n=8, mask="causal", window=3, *, d=64, tokens=None, row=0, col=0):
        if not isinstance(n, (int, np.integer)) or not 1 <= n <= LARGEST:
            raise StateError(f"n is {n!r}; the painter takes 1 to {LARGEST} tokens")
        mask = "causal" if mask is None else mask
        mask = presets.pattern(mask, n, window=window) if isinstance(mask, str) else np.asarray(mask)
        super().__init__(painted=mask, tokens=words(tokens, n), window=window, d=d, row=row, col=col)

    def check(self, s):
        n = len(s.tokens)
        if (len(s.painted), len(s.painted[0])) != (n, n):
            raise StateError(f"mask is {len(s.painted)}×{len(s.painted[0])}, but there are {n} tokens")
        if not np.isin(s.painted, (0, 1)).all():
            raise StateError("mask must be boolean: True where a query may attend")
        positive("window", s.window)
        positive("d", s.d)
        place("row", s.row, n, "tokens")
        place("col", s.col, n, "tokens")

    mask = property(lambda self: np.array(self.painted, bool), doc="True where a query may attend.   -> bool (n, n)")
    pairs = property(lambda self: int(self.mask.sum()), doc="How many (query, key) pairs are allowed.   -> int")
    multiply_adds = property(lambda self: 2 * self.d * self.pairs, doc="2 · d · pairs.   -> int")
    empty_rows = property(lambda self: np.flatnonzero(~self.mask.any(axis=1)).tolist(), doc="-> list of int")

    def sentence(self):
        n = len(self.tokens)
        told = f"{self.pairs} of {n * n} pairs ({text.percent(self.pairs / n**2)}): {text.grouped(self.multiply_adds)}"
        told = f"{told} multiply–adds instead of {text.grouped(2 * self.d * n * n)}, if the kernel skips the rest."
        empty = [text.quoted(self.tokens[i]) for i in self.empty_rows]
        if not empty:
            return f"{told} Every query sees a key."
        more = f" and {len(empty) - 6} more" if len(empty) > 6 else ""
        return f"{told} Nothing to see for {', '.join(empty[:6])}{more}: weights 0, output 0."

    def tables(self):
        n = len(self.tokens)
        counts = [[self.pairs, self.multiply_adds], [n * n, 2 * self.d * n * n]]
        return [
            ("The mask: 1 may attend, 0 may not", self.painted, self.tokens, self.tokens),
            ("What it costs", counts, ["as painted", "all pairs"], ["pairs", "multiply–adds"]),
        ]

    def static(self):
        return figures.heatmap(self.painted, self.tokens, name="mask", title="1 may attend, 0 may not")
