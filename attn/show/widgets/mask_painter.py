"""Paint a mask, see what follows: the weights, who hears of whom, the cost."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import presets, text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, positive, same
from attn.show.kit.traits import Matrix, Position, StateError, Tokens

LARGEST = 64
# Three texts in one row, of 4, 2 and 2 or 3 words: where "documents" parts 8 or 9 tokens
TEXTS = "the cat sat up dogs run we sing too".split()


class MaskPainter(Widget):
    """Paint who may attend to whom, cell by cell, and see what weights remain, who hears of whom, what it costs.

        A = softmax(S + M),   looks_ij = the shortest way from i to j over allowed pairs
        multiply–adds of scores and values = 2 · d · (allowed pairs),   2 · d · n² for all

    n: how many tokens, up to 64;  mask: a bool (n, n) array, or one of presets.PATTERNS, causal unless given;
    window: keys a query sees under "window", a block's size under "blocks";  d: the width of one head;
    tokens: n names; unless given, words of three short texts where n is 8 or 9, else t0, t1, …;
    row, col: the chosen cell;   scores: (n, n), scaled; unless given, random ones of variance 1.
    Raises ValueError or TypeError.
    .mask -> bool (n, n), True = may attend;  .weights -> (n, n);  .looks -> (n, n), how many layers it takes until
    a query can know of a key: 0 for itself, ∞ for never;  .pairs -> int;  .multiply_adds -> int;
    .empty_rows -> list of int
    """

    view = "mask_painter"
    painted = Matrix()
    scores = Matrix()
    tokens = Tokens()
    window = Position()
    d = Position()
    row = Position()
    col = Position()

    def __init__(self, n=8, mask="causal", window=3, *, d=64, tokens=None, row=None, col=0, scores=None):
        if not isinstance(n, (int, np.integer)) or not 1 <= n <= LARGEST:
            raise StateError(f"n is {n!r}; the painter takes 1 to {LARGEST} tokens")
        mask = "causal" if mask is None else mask
        mask = presets.pattern(mask, n, window=window) if isinstance(mask, str) else np.asarray(mask)
        scores = np.random.default_rng(0).normal(size=(n, n)).round(1) if scores is None else scores
        row = n - 1 if row is None else row
        if tokens is None:
            tokens = TEXTS[:n] if n in (8, 9) else [f"t{i}" for i in range(n)]
        state = dict(tokens=tokens, window=window, d=d, row=row, col=col)
        super().__init__(painted=mask, scores=scores, **state)

    def check(self, s):
        n = len(s.tokens)
        if (len(s.painted), len(s.painted[0])) != (n, n):
            raise StateError(f"mask is {len(s.painted)}×{len(s.painted[0])}, but there are {n} tokens")
        same("the number of tokens", {"scores": len(s.scores), "the columns of scores": len(s.scores[0]), "mask": n})
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

    @property
    def weights(self):
        """softmax(S + M); a row that sees nothing is zeros.   -> (n, n)"""
        return softmax.softmax(np.array(self.scores), self.mask)

    @property
    def looks(self):
        """In how many layers a query hears of a key: each keeps what it knows, and looks once.   -> (n, n), ∞: never"""
        n = len(self.tokens)
        known = np.eye(n, dtype=bool)
        looks = np.where(known, 0, np.inf)
        for layer in range(1, n):
            known = known | (self.mask.astype(int) @ known > 0)
            looks[known & np.isinf(looks)] = layer
        return looks

    def sentence(self):
        n = len(self.tokens)
        told = f"{self.pairs} of {n * n} pairs ({text.percent(self.pairs / n**2)}): {text.grouped(self.multiply_adds)}"
        told = f"{told} multiply–adds instead of {text.grouped(2 * self.d * n * n)}, if the kernel skips the rest."
        empty = [text.quoted(self.tokens[i]) for i in self.empty_rows]
        more = f" and {len(empty) - 6} more" if len(empty) > 6 else ""
        seen = (
            f"Nothing to see for {', '.join(empty[:6])}{more}: weights 0, output 0."
            if empty
            else "Every query sees a key."
        )
        return f"{self._chosen()} {told} {seen}"

    def _chosen(self):
        """The chosen pair: its weight, and in how many looks the query hears of the key.   ->   str"""
        i, j = self.row, self.col
        query, key, looks = text.quoted(self.tokens[i]), text.quoted(self.tokens[j]), self.looks[i, j]
        told = f"{query} gives {key} {text.percent(self.weights[i, j])} of its attention"
        if i == j:
            return f"{told}."
        heard = "never hears of it" if np.isinf(looks) else f"hears of it in {looks:.0f} look{'s' if looks > 1 else ''}"
        return f"{told} and {heard}."

    def tables(self):
        n = len(self.tokens)
        counts = [[self.pairs, self.multiply_adds], [n * n, 2 * self.d * n * n]]
        return [
            ("The mask: 1 may attend, 0 may not", self.painted, self.tokens, self.tokens),
            ("A, the weights of the scores that remain", self.weights, self.tokens, self.tokens),
            ("Looks until it is heard of, ∞ for never", self.looks, self.tokens, self.tokens),
            ("What it costs", counts, ["as painted", "all pairs"], ["pairs", "multiply–adds"]),
        ]

    def static(self):
        return figures.heatmap(self.painted, self.tokens, name="mask", title="1 may attend, 0 may not")
