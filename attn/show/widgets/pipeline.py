"""One attention head in seven stages."""

import numpy as np

from attn import core
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_head, count, place, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens
from attn.show.widgets.projection import Projection

STAGES = ("embeddings", "projections", "scores", "scaling", "softmax", "weighted sum", "new vectors")


class Pipeline(Widget):
    """Step through one attention head in seven stages, from embeddings to new vectors.

    X: (n, c);  W_Q, W_K: (c, d);  W_V: (c, e);  tokens: n names;  mask: (n, n) bool, True = may attend.
    stage: 0…6;  focus: the word whose row is followed.   Raises ValueError or TypeError.
    .Q, .K, .V, .scores, .scaled, .weights, .output are the matrices on the way.
    """

    view = "pipeline"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    mask = Matrix()
    tokens = Tokens()
    stage = Position()
    focus = Position()

    def __init__(self, X, W_Q, W_K, W_V, tokens=None, *, mask=None, stage=0, focus=0):
        n = count(X=X)
        mask = np.ones((n, n)) if mask is None else np.asarray(mask)
        if not np.isin(mask, (0, 1)).all():
            raise StateError("mask must be boolean: True where a query may attend")
        if np.broadcast_shapes(mask.shape, (1, 1)) not in {(a, b) for a in (1, n) for b in (1, n)}:
            raise StateError(f"mask has shape {mask.shape}, which does not fit {n} queries and {n} keys")
        mask = np.broadcast_to(mask, (n, n))
        super().__init__(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, mask=mask, tokens=words(tokens, n), stage=stage, focus=focus)

    def check(self, s):
        check_head(s)
        same("the number of words", {"X": len(s.X), "mask": len(s.mask)})
        place("stage", s.stage, len(STAGES), "stages")
        place("focus", s.focus, len(s.X), "words")

    Q, K, V = Projection.Q, Projection.K, Projection.V

    @property
    def scores(self):
        """Q Kᵀ, before scale and mask.   -> (n, n)"""
        return core.scores(self.Q, self.K, scale=1.0)

    @property
    def trace(self):
        """Every matrix from the scaled scores on.   -> attn.core.Trace"""
        return core.trace(self.Q, self.K, self.V, np.array(self.mask, bool))

    scaled = property(lambda self: self.trace.scores, doc="Scaled, masked scores.   -> (n, n)")
    weights = property(lambda self: self.trace.weights, doc="Rows of weights.   -> (n, n)")
    output = property(lambda self: self.trace.output, doc="The new vectors.   -> (n, e)")

    def sentence(self):
        word, i = text.quoted(self.tokens[self.focus]), self.focus

        def row(line):  # of many numbers a sentence has a few: the picture has them all
            told = text.vector(line[:3] if len(line) > 6 else line, text.slight)
            return told.replace(")", ", …)") if len(line) > 6 else told

        told = [
            lambda: f"{word} enters as {row(self.X[i])}",
            lambda: (
                f"{word} asks q = {row(self.Q[i])}, is found by k = {row(self.K[i])}, hands over v = {row(self.V[i])}"
            ),
            lambda: f"the query of {word} meets every key: {row(self.scores[i])}",
            lambda: f"divided by √{len(self.W_Q[0])}, the scores of {word} are {row(self.scaled[i])}",
            lambda: f"softmax turns them into the weights {row(self.weights[i])}",
            lambda: f"the values, averaged with these weights, give {row(self.output[i])}",
            lambda: f"{word} entered as {row(self.X[i])} and leaves as {row(self.output[i])}",
        ]
        return f"Stage {self.stage + 1} of {len(STAGES)}, {STAGES[self.stage]}: {told[self.stage]()}."

    def tables(self):
        names = self.tokens
        widths = [(name, getattr(self, name), names, None) for name in ("X", "Q", "K", "V")]
        squares = [("S = Q Kᵀ", self.scores), ("S / √d", self.scaled), ("A = softmax(S / √d)", self.weights)]
        return [*widths, *[(name, m, names, names) for name, m in squares], ("Y = A V", self.output, names, None)]

    def static(self):
        names = self.tokens
        parts = [("X", self.X), ("S / √d", self.scaled, names), ("A", self.weights, names), ("Y = A V", self.output)]
        return figures.matrices(parts, self.tokens, title="One head, from words to new vectors")
