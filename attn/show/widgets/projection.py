"""Q, K and V from X, one word at a time."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_head, count, place, same, words
from attn.show.kit.traits import Matrix, Position, Tokens


class Projection(Widget):
    """Step through Q = X W_Q, K = X W_K, V = X W_V, one word at a time.

    X: (n, c);  W_Q, W_K: (c, d);  W_V: (c, e);  tokens: n names;  features: c names of X's columns, or none.
    step: 0 before anything is computed, then n steps for Q, n for K, n for V.
    Raises ValueError or TypeError.   .Q, .K -> (n, d), .V -> (n, e)
    """

    view = "projection"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    tokens = Tokens()
    features = Tokens()
    step = Position()

    def __init__(self, X, W_Q, W_K, W_V, tokens=None, *, features=(), step=0):
        named = dict(tokens=words(tokens, count(X=X)), features=list(features))
        super().__init__(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, step=step, **named)

    def check(self, s):
        check_head(s)
        features = getattr(s, "features", [])  # the state leaves out what is not given
        if features:
            same("the model width c", {"X": len(s.X[0]), "features": len(features)})
        place("step", s.step, 3 * len(s.X) + 1, "steps")

    @property
    def state(self):
        """As of every figure, but features only where they were given.   ->   dict"""
        return {name: value for name, value in super().state.items() if name != "features" or value}

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
        axes = self.features or [f"d{c + 1}" for c in range(len(self.W_Q))]  # named as X's columns, which they meet
        weights = [(f"W_{name}", getattr(self, f"W_{name}"), axes, None) for name in "QKV"]
        results = [(f"{name} = X W_{name}", getattr(self, name), self.tokens, None) for name in "QKV"]
        return [("X", self.X, self.tokens, self.features or None), *weights, *results]

    def static(self):
        parts = [(f"{name} = X W_{name}", getattr(self, name)) for name in "QKV"]
        return figures.matrices([("X", self.X), *parts], self.tokens, title="One input, three views")
