"""A query among keys in the plane: scores are shadows times a length, and the length is a temperature."""

import numpy as np

from attn import core
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens, Vector

LONGEST = 1e6  # of a coordinate


class QueryPlane(Widget):
    """Turn and lengthen a query among keys: direction chooses, length sharpens.

        s_j = q · k_j / √2 = ‖q‖ · (shadow of k_j on q) / √2,      a = softmax(s)

    q: (2,), not zero;  K: (n, 2);  tokens: n names;  row: the key whose shadow is drawn.   Raises ValueError or
    TypeError.
    .scores, .weights -> (n,);  .shadows -> (n,), how far each key reaches in the direction of q
    """

    view = "query_plane"
    q = Vector()
    K = Matrix()
    tokens = Tokens()
    row = Position()

    def __init__(self, q, K, tokens=None, row=0):
        super().__init__(q=q, K=K, tokens=words(tokens, count(K=K)), row=row)

    def check(self, s):
        same("the width d", {"the plane": 2, "q": len(s.q), "K": len(s.K[0])})
        same("the number of keys", {"K": len(s.K), "tokens": len(s.tokens)})
        place("row", s.row, len(s.K), "keys")
        if not any(s.q):
            raise StateError("q is zero: it points nowhere")
        if max(map(abs, np.ravel(s.K).tolist() + list(s.q))) > LONGEST:
            raise StateError(f"coordinates go to {LONGEST:g}")

    scores = property(
        lambda self: core.scores(np.array([self.q]), np.array(self.K))[0], doc="q · k / √2, scaled.   -> (n,)"
    )
    weights = property(
        lambda self: core.trace(np.array([self.q]), np.array(self.K), np.array(self.K)).weights[0],
        doc="softmax(scores).   -> (n,)",
    )
    shadows = property(lambda self: np.array(self.K) @ self.q / np.hypot(*self.q), doc="k · q / ‖q‖.   -> (n,)")

    def sentence(self):
        j, told, weights = self.row, text.number, self.weights.tolist()
        long, shadow = told(np.hypot(*self.q)), told(self.shadows[j])
        return (
            f"The query is {long} long. The shadow of {text.quoted(self.tokens[j])} on it is {shadow}, so its scaled "
            f"score is {long} × {shadow} / √2 = {told(self.scores[j])}. "
            f"Weights: {text.extremes(weights, self.tokens, text.weight)}."
        )

    def tables(self):
        rows = [[*k, *rest] for k, *rest in zip(self.K, self.shadows, self.scores, self.weights, strict=True)]
        return [
            ("The query", [self.q], ["q"], ["x", "y"]),
            ("The keys", rows, self.tokens, ["x", "y", "shadow", "scaled", "weight"]),
        ]

    def static(self):
        return figures.plane(self.K, self.tokens, self.q, [], alt=self.sentence())
