"""A word moved where its key cannot see it: along the null space of W_K, and across it."""

import numpy as np

from attn import core, softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, Real, StateError, Tokens, Vector

FARTHEST = 4.0
NEAR = 1e-3  # a direction given with fewer decimals than W_K is a lost one still


class NullSpace(Widget):
    """Move one word's embedding along the null space of W_K: its key, its score and all weights stand still.

        (x + t n) W_K = x W_K   where n W_K = 0;        across it, along r in the span of W_K's columns, the key moves

    X: (n, c), c > 2;  W_K: (c, 2), of rank 2;  q: (2,);  tokens: n names;  row: the word that moves;  along, across:
    how far, −4 to 4;  unseen: (c,) the lost direction n to slide along, (0, 0) by W_K; one that all entries take part
    in unless given.  answers: names of what the head may answer, softmax(a X W_A + own), a the weights, W_A: (c, k),
    own: (k,) what the asking word itself adds.   Raises ValueError or TypeError.
    .moved -> (n, c);  .K -> (n, 2);  .scores, .weights -> (n,);  .answer -> (k,)
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
    answers = Tokens()
    W_A = Matrix()
    own = Vector()

    def __init__(
        self, X, W_K, q, tokens=None, *, row=0, along=0.0, across=0.0, unseen=None, answers=(), W_A=None, own=None
    ):
        n = count(X=X)
        same("the model width c", {"X": np.shape(X)[1], "W_K": count(W_K=W_K)})
        w = np.asarray(W_K, float)
        if w.ndim != 2 or w.shape[1] != 2 or len(w) < 3 or np.linalg.matrix_rank(w, rtol=1e-9) < 2:
            raise StateError(f"W_K must have rank 2 and at least 3 rows, but its shape is {w.shape}")
        onto = w @ np.linalg.pinv(w)  # the part of a row of X that W_K sees
        lost = np.eye(len(w)) - onto
        ways = [_unit(part.sum(1)) for part in (lost, onto)]  # all entries take part
        if unseen is not None:
            given = np.asarray(unseen, float)
            same("the model width c", {"W_K": len(w), "unseen": given.size})
            ways[0] = _unit(lost @ given)
            if np.linalg.norm(_unit(given) - ways[0]) > NEAR:
                raise StateError("unseen must be a direction that W_K loses, unseen W_K = 0")
        state = dict(along=along, across=across, unseen=ways[0].round(9), seen=ways[1].round(9), answers=answers)
        state |= dict(W_A=np.zeros((len(w), 1)) if W_A is None else W_A, own=[0.0] if own is None else own)
        super().__init__(X=X, W_K=W_K, q=q, tokens=words(tokens, n), row=row, **state)

    def check(self, s):
        same("the width d", {"the plane": 2, "W_K": len(s.W_K[0]), "q": len(s.q)})
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        place("row", s.row, len(s.X), "words")
        if s.answers:
            same("the model width c", {"X": len(s.X[0]), "W_A": len(s.W_A)})
            same("how many answers there are", {"answers": len(s.answers), "W_A": len(s.W_A[0]), "own": len(s.own)})
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

    @property
    def answer(self):
        """How likely each answer is, softmax(a X W_A + own).   -> (k,)"""
        return softmax.softmax(self.weights @ self.moved @ np.array(self.W_A) + self.own)

    def sentence(self):
        far = self.moved[self.row] - self.X[self.row]
        key = far @ self.W_K
        told = (
            f"{text.quoted(self.tokens[self.row])} has moved by {text.number(_told(np.linalg.norm(far)))}, "
            f"and its key by {text.number(_told(np.linalg.norm(key)))}. "
            f"Its scaled score is {text.number(self.scores[self.row])}, "
            f"its weight {text.slight(self.weights[self.row])}."
        )
        if not self.answers:
            return told
        likely = self.answer.argmax()
        return f"{told} The head answers {text.quoted(self.answers[likely])}, {text.percent(self.answer[likely])}."

    def tables(self):
        parts = zip(self.K, self.scores, self.weights, strict=True)
        rows = [[*k, s, a] for k, s, a in parts]
        answer = [("The answer", [self.answer], ["probability"], self.answers)] if self.answers else []
        return [
            (f"The embedding of {self.tokens[self.row]}", [self.moved[self.row]], [self.tokens[self.row]], None),
            ("Keys, scores and weights", rows, self.tokens, ["key₁", "key₂", "score", "weight"]),
            *answer,
        ]

    def static(self):
        return figures.plane(self.K, self.tokens, self.K[self.row], [], alt=self.sentence())


def _unit(x):
    return x / (np.linalg.norm(x) or 1.0)


def _told(x):
    return round(float(x), 6)  # directions travel with nine decimals: 5.9999999 is 6
