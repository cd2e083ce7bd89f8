"""One output row, put together from what each word contributes."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_weights, count, place, row_names, same, words
from attn.show.kit.traits import Matrix, Position, Tokens


class Assembly(Widget):
    """See one output row assembled, dimension by dimension, from what each word contributes.

        y_e = Σ_j a_j V_je

    weights: (n, m), rows of weights;  V: (m, e);  tokens: m names (of the rows too when n = m);  row: whose output.
    Raises ValueError or TypeError.   .contributions -> (m, e), a_j V_j;  .output -> (e,), their sum;
    .shares -> (m, e), each contribution's part of all that is added to or taken from its dimension
    """

    view = "assembly"
    weights = Matrix()
    V = Matrix()
    tokens = Tokens()
    row = Position()

    def __init__(self, weights, V, tokens=None, row=0):
        count(weights=weights)
        super().__init__(weights=weights, V=V, tokens=words(tokens, count(V=V)), row=row)

    def check(self, s):
        same("the number of keys", {"weights": len(s.weights[0]), "V": len(s.V), "tokens": len(s.tokens)})
        check_weights(s)
        place("row", s.row, len(s.weights), "rows")

    @property
    def contributions(self):
        """a_j V_j, one row a word.   -> (m, e)"""
        return np.array(self.weights[self.row])[:, None] * np.array(self.V)

    output = property(lambda self: self.contributions.sum(axis=0), doc="The word's new vector.   -> (e,)")

    @property
    def shares(self):
        """|a_j V_je| / Σ_k |a_k V_ke|; 0 where a dimension gets nothing.   -> (m, e)"""
        size = np.abs(self.contributions)
        total = size.sum(axis=0)
        return size / np.where(total == 0, 1, total)

    def sentence(self):
        name = text.quoted(row_names(self.tokens, len(self.weights))[self.row])
        mixed = text.mixture(self.weights[self.row], self.tokens)
        return f"The new vector of {name} is {mixed} = {text.vector(self.output)}."

    def tables(self):
        parts = np.vstack([self.contributions, self.output])
        name = text.label(row_names(self.tokens, len(self.weights))[self.row])
        return [
            (f"Weights of {name}", [self.weights[self.row]], [name], self.tokens),
            ("V", self.V, self.tokens, None),
            ("weight × value, and the sum", parts, [*self.tokens, "Σ"], None),
            ("share of each dimension, in percent", 100 * self.shares, self.tokens, None),
        ]

    def static(self):
        *_, (caption, parts, rows, _), _ = self.tables()
        cols = figures.axes_names(len(self.V[0]))
        return figures.heatmap(parts, rows, cols, kind="signed", name=caption, title=caption)
