"""Figures that walk from words to new vectors: the embedding, the projections, the whole head in seven stages."""

import numpy as np

from attn import core
from attn.show import figures, text
from attn.show.base import Widget, count, place, same, words
from attn.show.traits import Matrix, Position, StateError, Tokens


class Embedding(Widget):
    """Click a word, see its embedding: one row of X.

    X: (n, c), one row a word; tokens: n names, or a sentence; selected: which word, 0 ≤ selected < n.
    Raises ValueError or TypeError, naming the argument and both sizes.   .vector -> (c,)
    """

    view = "embedding"
    X = Matrix()
    tokens = Tokens()
    selected = Position()

    def __init__(self, X, tokens=None, *, selected=0):
        super().__init__(X=X, tokens=words(tokens, count(X=X)), selected=selected)

    def check(self, s):
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        place("selected", s.selected, len(s.X), "words")

    @property
    def vector(self):
        """The embedding that is shown.   -> (c,)"""
        return np.array(self.X[self.selected])

    def sentence(self):
        word = text.quoted(self.tokens[self.selected])
        return f"{word} is row {self.selected + 1} of X: {text.vector(self.vector)}."

    def tables(self):
        return [("X, one row a word", self.X, self.tokens, None)]

    def static(self):
        parts = [("X, one row a word", self.X)]
        return figures.matrices(parts, self.tokens)


class Projection(Widget):
    """Step through Q = X W_Q, K = X W_K, V = X W_V, one word at a time.

    X: (n, c);  W_Q, W_K: (c, d);  W_V: (c, e);  tokens: n names.
    step: 0 before anything is computed, then n steps for Q, n for K, n for V.
    Raises ValueError or TypeError.   .Q, .K -> (n, d), .V -> (n, e)
    """

    view = "projection"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    tokens = Tokens()
    step = Position()

    def __init__(self, X, W_Q, W_K, W_V, tokens=None, *, step=0):
        super().__init__(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, tokens=words(tokens, count(X=X)), step=step)

    def check(self, s):
        _check_head(s)
        place("step", s.step, 3 * len(s.X) + 1, "steps")

    Q = property(lambda self: np.array(self.X) @ np.array(self.W_Q), doc="What each word asks.   -> (n, d)")
    K = property(lambda self: np.array(self.X) @ np.array(self.W_K), doc="What each word offers.   -> (n, d)")
    V = property(lambda self: np.array(self.X) @ np.array(self.W_V), doc="What each word hands over.   -> (n, e)")

    def sentence(self):
        n, last = len(self.X), 3 * len(self.X)
        if self.step == 0:
            return f"Step 0 of {last}: X ({n}×{len(self.X[0])}) waits to be multiplied by W_Q, W_K and W_V."
        lens, row = divmod(self.step - 1, n)
        name = "QKV"[lens]
        word, result = text.quoted(self.tokens[row]), text.vector(getattr(self, name)[row])
        return f"Step {self.step} of {last}: the embedding of {word} times W_{name} is its row of {name}, {result}."

    def tables(self):
        axes = [f"d{c + 1}" for c in range(len(self.W_Q))]  # named as X's columns, which they meet
        weights = [(f"W_{name}", getattr(self, f"W_{name}"), axes, None) for name in "QKV"]
        results = [(f"{name} = X W_{name}", getattr(self, name), self.tokens, None) for name in "QKV"]
        return [("X", self.X, self.tokens, None), *weights, *results]

    def static(self):
        parts = [(f"{name} = X W_{name}", getattr(self, name)) for name in "QKV"]
        return figures.matrices([("X", self.X), *parts], self.tokens, title="One input, three views")


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
        _check_head(s)
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
        row = text.vector
        told = [
            lambda: f"{word} enters as {row(self.X[i])}",
            lambda: f"{word} asks q = {row(self.Q[i])}, offers k = {row(self.K[i])}, carries v = {row(self.V[i])}",
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


def _check_head(s):
    same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
    for name in ("W_Q", "W_K", "W_V"):
        same("the model width c", {"X": len(s.X[0]), name: len(getattr(s, name))})
    same("the width d", {"W_Q": len(s.W_Q[0]), "W_K": len(s.W_K[0])})
