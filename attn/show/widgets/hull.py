"""Values in the plane, and the output that never leaves their hull."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same, words
from attn.show.kit.traits import Flag, Matrix, StateError, Tokens, Vector


class Hull(Widget):
    """Drag values and scores in the plane: the output, their weighted average, never leaves the values' hull.

        y = Σ_j softmax(s)_j V_j

    V: (n, 2);  scores: (n,), within ±100;  tokens: n names.   Raises ValueError or TypeError.
    simplex: True where the values are the corners of a triangle and the point in it is the row of shares itself
    .weights -> (n,);  .output -> (2,);  .corners -> the indices of the hull's corners, anticlockwise
    """

    view = "hull"
    V = Matrix()
    scores = Vector()
    tokens = Tokens()
    simplex = Flag()

    def __init__(self, V, scores=None, tokens=None, *, simplex=False):
        n = count(V=V)
        given = dict(V=V, scores=np.zeros(n) if scores is None else scores, tokens=words(tokens, n))
        super().__init__(**given, simplex=simplex)

    def check(self, s):
        same("the width e", {"the plane": 2, "V": len(s.V[0])})
        same("the number of words", {"V": len(s.V), "scores": len(s.scores), "tokens": len(s.tokens)})
        if max(map(abs, s.scores)) > 100:
            raise StateError(f"scores reach {max(s.scores, key=abs):.4g}; a slider goes to 100 on either side")

    @property
    def state(self):
        """As of every figure; a simplex is told only where it is one.   ->   dict"""
        return {name: value for name, value in super().state.items() if name != "simplex" or value}

    weights = property(lambda self: softmax.softmax(np.array(self.scores)), doc="softmax(scores).   -> (n,)")
    output = property(lambda self: self.weights @ np.array(self.V), doc="The weighted average.   -> (2,)")

    @property
    def corners(self):
        """Which values are corners of the hull, anticlockwise from the leftmost.   -> list of int"""
        order = sorted(range(len(self.V)), key=lambda j: (*self.V[j], j))
        lower, upper = _chain(self.V, order), _chain(self.V, order[::-1])
        return lower[:-1] + upper[:-1] or order[:1]

    def sentence(self):
        names = ", ".join(text.quoted(self.tokens[j]) for j in self.corners)
        what, point, inside = ("Shares", "point", "triangle") if self.simplex else ("Weights", "output", "hull")
        weights, output = (text.vector(row, text.slight) for row in (self.weights, self.output))
        told = f"{what} {weights} put the {point} at {output}"
        return f"{told}, inside the {inside} whose corners are {names}."

    def tables(self):
        rows = [[*v, s, a] for v, s, a in zip(self.V, self.scores, self.weights, strict=True)]
        if self.simplex:
            return [
                ("Corners, scores and shares", rows, self.tokens, ["x", "y", "score", "share"]),
                ("The point", [self.output], ["Σ share × corner"], ["x", "y"]),
            ]
        return [
            ("Values, scores and weights", rows, self.tokens, ["x", "y", "score", "weight"]),
            ("The output", [self.output], ["Σ weight × value"], ["x", "y"]),
        ]

    def static(self):
        return figures.plane(self.V, self.tokens, self.output, self.corners, alt=self.sentence())


def _chain(points, order):
    """One side of the hull (Andrew's monotone chain): the places, in order, at which the path turns left."""
    kept = []
    for j in order:
        while len(kept) > 1 and _turn(points[kept[-2]], points[kept[-1]], points[j]) <= 0:
            kept.pop()
        if not kept or points[kept[-1]] != points[j]:
            kept.append(j)
    return kept


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
