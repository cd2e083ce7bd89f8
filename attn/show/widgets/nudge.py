"""What a push on one score does to three weights: the softmax's Jacobian as a flow in the triangle."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, same, words
from attn.show.kit.traits import Position, StateError, Tokens, Vector


class Nudge(Widget):
    """Push one score, wherever the weights stand: they move straight to its corner, and in the corners hardly at all.

        J = diag(a) − a aᵀ,   column j = a_j (e_j − a)

    weights: (3,), none negative, their sum 1;  tokens: three names;  col: the score that is pushed.
    Raises ValueError or TypeError.   .jacobian -> (3, 3)
    """

    view = "nudge"
    weights = Vector()
    tokens = Tokens()
    col = Position()

    def __init__(self, weights=(0.2, 0.5, 0.3), tokens=None, col=0):
        super().__init__(weights=weights, tokens=words(tokens, len(weights)), col=col)

    def check(self, s):
        same("the number of words", {"the triangle": 3, "weights": len(s.weights), "tokens": len(s.tokens)})
        if min(s.weights) < -1e-9 or abs(sum(s.weights) - 1) > 1e-6:
            raise StateError("weights must be none negative, and their sum 1")
        place("col", s.col, 3, "words")

    jacobian = property(lambda self: softmax.jacobian(np.array(self.weights)), doc="∂weights / ∂scores.   -> (3, 3)")

    def sentence(self):
        j, word = self.col, text.quoted(self.tokens[self.col])
        return (
            f"At weights {text.vector(self.weights, text.slight)}, raising the score of {word} moves them by "
            f"{text.vector(self.jacobian[:, j], text.slight)} a unit. They go straight towards the corner of {word}: "
            f"a small rise h brings them {text.slight(self.weights[j])} h of the way."
        )

    def tables(self):
        return [
            ("Weights", [self.weights], ["a"], self.tokens),
            ("J = diag(a) − a aᵀ", self.jacobian, self.tokens, self.tokens),
        ]

    def static(self):
        return figures.heatmap(self.jacobian, self.tokens, kind="signed", title=self.sentence())
