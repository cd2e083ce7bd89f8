"""Rotary positions: the entries of a query and a key as pairs that turn, each at its own pace."""

import numpy as np

from attn import positions
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import same
from attn.show.kit.traits import Position, Real, StateError, Vector

FARTHEST = 200


class RotatingPairs(Widget):
    """Move a query and a key through the text: every pair turns, and the score asks only for their distance.

        pair i of q turns by m θ_i, pair i of k by n θ_i,   θ_i = base^(−2i/d);   q_m · k_n depends on m − n alone

    q, k: (d,), d even, 2 to 8: neighbouring entries are a pair;  m, n: their positions, 0 to 200, where the
    reader has 0 to 32 unless given one beyond;  base: above 1.
    Raises ValueError or TypeError.   .turned -> (2, d);  .parts -> (d / 2,), each pair's share of the score;  .score
    Source: Su et al. (2021), RoFormer, section 3.
    """

    view = "rotating_pairs"
    q = Vector()
    k = Vector()
    m = Position()
    n = Position()
    base = Real(10000.0)

    def __init__(self, q, k, *, m=0, n=0, base=10000.0):
        super().__init__(q=q, k=k, m=m, n=n, base=base)

    def check(self, s):
        same("the width d", {"q": len(s.q), "k": len(s.k)})
        if len(s.q) % 2 or len(s.q) > 8:
            raise StateError(f"q has width {len(s.q)}; pairs need an even one, and eight fit here")
        for name, value in (("m", s.m), ("n", s.n)):
            if not 0 <= value <= FARTHEST:
                raise StateError(f"{name} must lie between 0 and {FARTHEST}, but is {value}")
        if not s.base > 1:
            raise StateError(f"base must be above 1, but is {s.base:g}")

    @property
    def turned(self):
        """The query at m and the key at n.   -> (2, d)"""
        return positions.rope(np.array([self.q, self.k]), [self.m, self.n], base=self.base, interleaved=True)

    parts = property(lambda self: np.prod(self.turned, axis=0).reshape(-1, 2).sum(1), doc="-> (d / 2,)")
    score = property(lambda self: float(self.parts.sum()), doc="q_m · k_n.   -> float")

    def sentence(self):
        apart = str(self.m - self.n).replace("-", "−")
        return (
            f"Query at {self.m}, key at {self.n}, {apart} apart: the pairs give "
            f"{text.vector(_tidy(self.parts))}, the score is {text.number(float(_tidy(self.score)))}."
        )

    def tables(self):
        cols = [f"pair {i}" for i in range(len(self.parts))]
        rows = self.turned.reshape(2, -1, 2)
        told = [[*rows[:, i].ravel(), part] for i, part in enumerate(self.parts)]
        return [("Pairs, turned", told, cols, ["q₁", "q₂", "k₁", "k₂", "q · k"])]

    def static(self):
        return figures.bars(self.parts, [f"pair {i}" for i in range(len(self.parts))], title=self.sentence())


def _tidy(x):
    return np.where(np.abs(x) < 1e-9, 0.0, x)
