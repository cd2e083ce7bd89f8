"""Queries and keys in their two planes, changed by one matrix R: everything moves, and no score does."""

import numpy as np

from attn import core
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens

LEAST = 0.05  # |det R|: closer to zero, the keys fly out of sight


class Gauge(Widget):
    """Halve, turn and shear the plane of the queries; the keys do the opposite, and the scores stand still.

        Q′ = Q R,   K′ = K R⁻ᵀ,   Q′ K′ᵀ = Q R R⁻¹ Kᵀ = Q Kᵀ

    Q: (n, 2);  K: (m, 2);  R: (2, 2), |det R| ≥ 0.05;  tokens, key_tokens: names;  row, col: the chosen score.
    Raises ValueError or TypeError.
    .moved -> Q′ (n, 2) and K′ (m, 2);  .scores -> (n, m), of the moved ones, divided by √2
    """

    view = "gauge"
    Q = Matrix()
    K = Matrix()
    R = Matrix()
    tokens = Tokens()
    key_tokens = Tokens()
    row = Position()
    col = Position()

    def __init__(self, Q, K, tokens=None, key_tokens=None, *, R=((1, 0), (0, 1)), row=0, col=0):
        names = dict(tokens=words(tokens, count(Q=Q)), key_tokens=words(key_tokens, count(K=K)))
        super().__init__(Q=Q, K=K, R=R, row=row, col=col, **names)

    def check(self, s):
        same(
            "the width d", {"the plane": 2, "Q": len(s.Q[0]), "K": len(s.K[0]), "R": len(s.R[0]), "R’s rows": len(s.R)}
        )
        same("the number of queries", {"Q": len(s.Q), "tokens": len(s.tokens)})
        same("the number of keys", {"K": len(s.K), "key_tokens": len(s.key_tokens)})
        place("row", s.row, len(s.Q), "queries")
        place("col", s.col, len(s.K), "keys")
        if abs(np.linalg.det(s.R)) < LEAST:
            raise StateError(
                f"R has determinant {np.linalg.det(s.R):.3g}; its inverse needs one of size {LEAST} or more"
            )

    @property
    def moved(self):
        """The queries and the keys after R.   -> (n, 2), (m, 2)"""
        return np.array(self.Q) @ self.R, np.array(self.K) @ np.linalg.inv(self.R).T

    scores = property(lambda self: core.scores(*self.moved), doc="Q′ K′ᵀ / √2.   -> (n, m)")

    def sentence(self):
        q, k = (part[at] for part, at in zip(self.moved, (self.row, self.col), strict=True))
        still = np.allclose(self.R, np.eye(2), rtol=0, atol=1e-9)
        axes = " and ".join(map(text.vector, self.R))
        return (
            f"{'R changes nothing yet' if still else f'R sends the axes to {axes}'}. "
            f"The query of {text.quoted(self.tokens[self.row])} is {text.vector(_tidy(q))}, the key of "
            f"{text.quoted(self.key_tokens[self.col])} is {text.vector(_tidy(k))}, "
            f"and their scaled score is {text.number(float(_tidy(self.scores[self.row, self.col])))}"
            f"{'. Will any score change?' if still else ', as before.'}"
        )

    def tables(self):
        return [
            ("Q R", self.moved[0], self.tokens, ["x", "y"]),
            ("K R⁻ᵀ", self.moved[1], self.key_tokens, ["x", "y"]),
            ("Scores", self.scores, self.tokens, self.key_tokens),
        ]

    def static(self):
        return figures.heatmap(self.scores, self.tokens, self.key_tokens, kind="signed", title=self.sentence())


def _tidy(x):
    return np.where(np.abs(x) < 1e-9, 0.0, x)  # the rounding of an inverse is no number to show
