"""A times V under a causal mask, one word at a time."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_weights, count, place, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens


class CausalValues(Widget):
    """Multiply A by V under a causal mask, one word at a time: each word averages the values up to its own.

    weights: (n, n), 0 above the diagonal;  V: (n, e);  tokens: n names.   step: how many words are done, 0 ≤ step ≤ n.
    Raises ValueError, also where a word looks ahead, or TypeError.   .output -> (n, e)
    """

    view = "causal_values"
    weights = Matrix()
    V = Matrix()
    tokens = Tokens()
    step = Position()

    def __init__(self, weights, V, tokens=None, *, step=0):
        super().__init__(weights=weights, V=V, tokens=words(tokens, count(weights=weights)), step=step)

    def check(self, s):
        sizes = {"weights": len(s.weights), "the columns of weights": len(s.weights[0]), "V": len(s.V)}
        same("the number of words", {**sizes, "tokens": len(s.tokens)})
        check_weights(s)
        for i, j in np.argwhere(np.triu(s.weights, 1) > 1e-9)[:1]:
            told = f"weights[{i}, {j}] is {s.weights[i][j]:.4g}, but no word may look ahead"
            raise StateError(f"{told}: give masks.causal to softmax first")
        place("step", s.step, len(s.V) + 1, "steps")

    output = property(lambda self: np.array(self.weights) @ np.array(self.V), doc="Y = A V.   -> (n, e)")

    def sentence(self):
        n, i = len(self.V), self.step - 1
        if i < 0:
            return f"Step 0 of {n}: no word has averaged any values yet."
        sees = f"{text.quoted(self.tokens[i])} may see {i + 1} of {n} words"
        mixed = text.mixture(self.weights[i][: i + 1], self.tokens)
        return f"Step {self.step} of {n}: {sees}: {mixed} = {text.vector(self.output[i])}."

    def tables(self):
        names = self.tokens
        return [("A", self.weights, names, names), ("V", self.V, names, None), ("Y = A V", self.output, names, None)]

    def static(self):
        parts = [("A", self.weights, self.tokens), ("V", self.V), ("Y = A V", self.output)]
        return figures.matrices(parts, self.tokens, title="attention @ V under a causal mask")
