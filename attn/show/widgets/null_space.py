"""A word moved where its key cannot see it: along the null space of W_K, and across it."""

import numpy as np

from attn import core
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, Real, StateError, Tokens, Vector

FARTHEST = 6.0


class NullSpace(Widget):
    """Move one word's embedding along the null space of W_K: its key, its score and all weights stand still.

        (x + t n) W_K = x W_K   where n W_K = 0;        across it, along r in the span of W_K's columns, the key moves

    X: (n, c), c > 2;  W_K: (c, 2), of rank 2;  q: (2,);  tokens: n names;  row: the word that moves;  along, across:
    how far, −6 to 6.   Raises ValueError or TypeError.
    .moved -> (n, c);  .K -> (n, 2);  .scores, .weights -> (n,)
    """

    view = "null_space"
    X = Matrix()
    W_K = Matrix()
    q = Vector()
    tokens = Tokens()
    row = Position()
    along = Real(0.0)
    across = Real(0.0)
    unseen = Vector()
    seen = Vector()

    def __init__(self, X, W_K, q, tokens=None, *, row=0, along=0.0, across=0.0):
        n = count(X=X)
        same("the model width c", {"X": np.shape(X)[1], "W_K": count(W_K=W_K)})
        w = np.asarray(W_K, float)
        if w.ndim != 2 or w.shape[1] != 2 or len(w) < 3 or np.linalg.matrix_rank(w, rtol=1e-9) < 2:
            raise StateError(f"W_K must have rank 2 and at least 3 rows, but its shape is {w.shape}")
        onto = w @ np.linalg.pinv(w)  # the part of a row of X that W_K sees
        directions = [_unit(part.sum(1)) for part in (np.eye(len(w)) - onto, onto)]  # all entries take part
        state = dict(along=along, across=across, unseen=directions[0].round(9), seen=directions[1].round(9))
        super().__init__(X=X, W_K=W_K, q=q, tokens=words(tokens, n), row=row, **state)

    def check(self, s):
        same("the width d", {"the plane": 2, "W_K": len(s.W_K[0]), "q": len(s.q)})
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        place("row", s.row, len(s.X), "words")
        for name, value in (("along", s.along), ("across", s.across)):
            if abs(value) > FARTHEST:
                raise StateError(f"{name} must lie between −{FARTHEST:g} and {FARTHEST:g}, but is {value:.4g}")

    @property
    def moved(self):
        """The embeddings, one of them moved.   -> (n, c)"""
        x = np.array(self.X)
        x[self.row] += self.along * np.array(self.unseen) + self.across * np.array(self.seen)
        return x

    K = property(lambda self: self.moved @ self.W_K, doc="-> (n, 2)")
    scores = property(lambda self: core.scores(np.array([self.q]), self.K)[0], doc="q · k / √2.   -> (n,)")
    weights = property(lambda self: core.trace(np.array([self.q]), self.K, self.K).weights[0], doc="-> (n,)")

    def sentence(self):
        far = self.moved[self.row] - self.X[self.row]
        key = far @ self.W_K
        return (
            f"{text.quoted(self.tokens[self.row])} has moved by {text.number(_told(np.linalg.norm(far)))}, "
            f"and its key by {text.number(_told(np.linalg.norm(key)))}. "
            f"Its scaled score is {text.number(self.scores[self.row])}, "
            f"its weight {text.number(self.weights[self.row])}."
        )

    def tables(self):
        parts = zip(self.K, self.scores, self.weights, strict=True)
        rows = [[*k, s, a] for k, s, a in parts]
        return [
            (f"The embedding of {self.tokens[self.row]}", [self.moved[self.row]], [self.tokens[self.row]], None),
            ("Keys, scores and weights", rows, self.tokens, ["key₁", "key₂", "score", "weight"]),
        ]

    def static(self):
        return figures.plane(self.K, self.tokens, self.K[self.row], [], alt=self.sentence())


def _unit(x):
    return x / (np.linalg.norm(x) or 1.0)


def _told(x):
    return 0.0 if x < 1e-7 else float(x)  # directions travel with nine decimals
