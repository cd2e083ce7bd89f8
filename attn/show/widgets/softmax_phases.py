"""Softmax in three phases, all rows at once."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_rows, count, place, row_names, words
from attn.show.kit.traits import Matrix, Position, Tokens, array

PHASES = ("scaled scores", "exponentials", "weights")


class SoftmaxPhases(Widget):
    """Softmax in three phases, all rows at once, with their sums: scaled scores, exponentials, weights.

    scores: (n, m), already scaled, −∞ for what is forbidden;  tokens: m names (of the rows too when n = m).
    phase: 0…2;  row: whose working is told.  Where a row's largest score lies beyond ±30 every row's largest is
    subtracted before the exponential, which changes no weight.   Raises ValueError or TypeError.
    .shown -> (n, m), the matrix of this phase;  .weights -> (n, m)
    """

    view = "softmax_phases"
    scores = Matrix(holes=True)
    tokens = Tokens()
    phase = Position()
    row = Position()

    def __init__(self, scores, tokens=None, *, phase=0, row=0):
        count(scores=scores)
        super().__init__(scores=scores, tokens=words(tokens, np.shape(scores)[1]), phase=phase, row=row)

    def check(self, s):
        check_rows(s)
        place("phase", s.phase, len(PHASES), "phases")

    @property
    def exponentials(self):
        """exp(s), or exp(s − max s) where scores are large.   -> (n, m)"""
        s = array(self.scores)
        top = s.max(axis=1, keepdims=True)
        top = np.where(np.isneginf(top), 0, top)  # a row with nothing allowed has no largest score
        return np.exp(s - top if abs(top).max() > 30 else s)

    weights = property(lambda self: softmax.softmax(array(self.scores)), doc="softmax(scores).   -> (n, m)")

    @property
    def shown(self):
        """The matrix of this phase.   -> (n, m)"""
        return (array(self.scores), self.exponentials, self.weights)[self.phase]

    def sentence(self):
        row, name = self.shown[self.row], text.quoted(row_names(self.tokens, len(self.scores))[self.row])
        told = f"Phase {self.phase + 1} of 3, {PHASES[self.phase]}: the row of {name} is {text.vector(row)}"
        return f"{told}, which sums to {text.number(float(row.sum()))}."

    def tables(self):
        parts = zip(PHASES, (array(self.scores), self.exponentials, self.weights), strict=True)
        names = row_names(self.tokens, len(self.scores))
        return [(name, np.c_[m, m.sum(axis=1)], names, [*self.tokens, "Σ"]) for name, m in parts]

    def static(self):
        parts = [(name, values, cols) for name, values, _, cols in self.tables()]
        return figures.matrices(parts, row_names(self.tokens, len(self.scores)), title="Softmax in three phases")
