"""Scores as dot products, cell by cell."""

import numpy as np

from attn import core
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, Tokens


class ScoreCells(Widget):
    """Click a cell of S = Q Kᵀ and see the dot product it is.

    Q: (n, d);  K: (m, d);  tokens: n names;  key_tokens: m names, the same as tokens unless given.
    row, col: the open cell.   Raises ValueError or TypeError.   .scores -> (n, m), .score -> float
    """

    view = "score_cells"
    Q = Matrix()
    K = Matrix()
    tokens = Tokens()
    key_tokens = Tokens()
    row = Position()
    col = Position()

    def __init__(self, Q, K, tokens=None, key_tokens=None, *, row=0, col=0):
        n, m = count(Q=Q), count(K=K)
        keys = words(tokens if key_tokens is None and n == m else key_tokens, m)
        super().__init__(Q=Q, K=K, tokens=words(tokens, n), key_tokens=keys, row=row, col=col)

    def check(self, s):
        same("the number of queries", {"Q": len(s.Q), "tokens": len(s.tokens)})
        same("the number of keys", {"K": len(s.K), "key_tokens": len(s.key_tokens)})
        same("the width d", {"Q": len(s.Q[0]), "K": len(s.K[0])})
        place("row", s.row, len(s.Q), "queries")
        place("col", s.col, len(s.K), "keys")

    @property
    def scores(self):
        """S = Q Kᵀ, not yet scaled.   -> (n, m)"""
        return core.scores(np.array(self.Q), np.array(self.K), scale=1.0)

    @property
    def score(self):
        """The dot product in the open cell.   -> float"""
        return float(self.scores[self.row, self.col])

    def sentence(self):
        q, k = self.Q[self.row], self.K[self.col]
        names = f"q({text.quoted(self.tokens[self.row])}) · k({text.quoted(self.key_tokens[self.col])})"
        return f"{names} = {text.products(q, k)} = {text.number(self.score)}."

    def tables(self):
        return [
            ("Q", self.Q, self.tokens, None),
            ("K", self.K, self.key_tokens, None),
            ("S = Q Kᵀ, queries down, keys across", self.scores, self.tokens, self.key_tokens),
        ]

    def static(self):
        title = "S = Q Kᵀ"
        return figures.heatmap(self.scores, self.tokens, self.key_tokens, kind="signed", name="S", title=title)
