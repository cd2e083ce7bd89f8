"""A row of scores, divided by √d or not."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_rows, count, positive, row_names, words
from attn.show.kit.traits import Flag, Matrix, Position, Real, Tokens, array


class Scaling(Widget):
    """Divide one row of scores by √d, or do not, and compare the weights.

        softmax(s)   or   softmax(s / √d)

    scores: (n, m), −∞ for what is forbidden, or one row (m,);  d: the width of queries and keys, positive;
    tokens: m names;  row: whose scores;  scaled: whether √d divides.   Raises ValueError or TypeError.
    .weights -> (m,), as shown;  .plain, .divided -> (m,), the weights either way;  .entropies -> both, in nats
    """

    view = "scaling"
    scores = Matrix(holes=True)
    d = Real(1.0)
    tokens = Tokens()
    row = Position()
    scaled = Flag()

    def __init__(self, scores, d, tokens=None, row=0, *, scaled=False):
        scores = [scores] if np.ndim(scores) == 1 else scores
        count(scores=scores)
        super().__init__(scores=scores, d=d, tokens=words(tokens, np.shape(scores)[1]), row=row, scaled=scaled)

    def check(self, s):
        check_rows(s)
        positive("d", s.d)

    plain = property(lambda self: _weights(self.scores[self.row]), doc="softmax(s).   -> (m,)")
    divided = property(lambda self: _weights(self.scores[self.row], self.d**0.5), doc="softmax(s / √d).   -> (m,)")
    weights = property(lambda self: self.divided if self.scaled else self.plain, doc="As shown.   -> (m,)")

    @property
    def entropies(self):
        """The entropy of the row's weights, undivided and divided, in nats.   -> (float, float)"""
        return float(softmax.entropy(self.plain)), float(softmax.entropy(self.divided))

    def sentence(self):
        root = self.d**0.5 if self.scaled else 1.0
        how = f"divided by √{text.number(self.d)}" if self.scaled else "as they are"
        shown = [None if x is None else x / root for x in self.scores[self.row]]
        name = text.quoted(row_names(self.tokens, len(self.scores))[self.row])
        made = f"give the weights {text.vector(self.weights)}, entropy {text.number(self.entropies[self.scaled])} nats"
        return f"The scores of {name}, {how}, {text.vector(shown)}, {made}."

    def tables(self):
        s, root = self.scores[self.row], self.d**0.5
        divided = [None if x is None else x / root for x in s]
        names = ["score", "weight", f"score / √{text.number(self.d)}", "its weight"]
        entropies = [[x] for x in self.entropies]
        name = row_names(self.tokens, len(self.scores))[self.row]
        return [
            (f"The row of {name}", [s, self.plain, divided, self.divided], names, self.tokens),
            ("Entropy in nats", entropies, ["undivided", "divided"], ["entropy"]),
        ]

    def static(self):
        names = ["softmax(s)", f"softmax(s / √{text.number(self.d)})"]
        title = f"The row of {text.label(row_names(self.tokens, len(self.scores))[self.row])}"
        return figures.heatmap([self.plain, self.divided], names, self.tokens, name="weights", title=title)


def _weights(row, root=1.0):
    return softmax.softmax(array([row])[0] / root)
