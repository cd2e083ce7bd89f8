"""A row of scores, divided by √d or not, at any width d."""

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
    tokens: m names;  row: whose scores;  scaled: whether √d divides;  width: d unless the reader makes it another.
    At another width the scores are stretched by √(width / d), as their spread is where entries are independent and of
    variance 1.   Raises ValueError or TypeError.
    .weights -> (m,), as shown;  .plain, .divided -> (m,), the weights either way;  .entropies -> both, in nats
    """

    view = "scaling"
    scores = Matrix(holes=True)
    d = Real(1.0)
    tokens = Tokens()
    row = Position()
    scaled = Flag()
    width = Real(1.0)

    def __init__(self, scores, d, tokens=None, row=0, *, scaled=False, width=None):
        scores = [scores] if np.ndim(scores) == 1 else scores
        count(scores=scores)
        names, width = words(tokens, np.shape(scores)[1]), d if width is None else width
        super().__init__(scores=scores, d=d, tokens=names, row=row, scaled=scaled, width=width)

    def check(self, s):
        check_rows(s)
        positive("d", s.d)
        positive("width", s.width)

    @property
    def stretched(self):
        """The row's scores at this width, s · √(width / d).   -> (m,)"""
        return array([self.scores[self.row]])[0] * (self.width / self.d) ** 0.5

    plain = property(lambda self: softmax.softmax(self.stretched), doc="Of the scores at this width.   -> (m,)")
    divided = property(lambda self: softmax.softmax(self.stretched / self.width**0.5), doc="softmax(s / √d).   -> (m,)")
    weights = property(lambda self: self.divided if self.scaled else self.plain, doc="As shown.   -> (m,)")

    @property
    def entropies(self):
        """The entropy of the row's weights, undivided and divided, in nats.   -> (float, float)"""
        return float(softmax.entropy(self.plain)), float(softmax.entropy(self.divided))

    def sentence(self):
        how = f"divided by √{text.number(self.width)}" if self.scaled else "as they are"
        shown = self.stretched / (self.width**0.5 if self.scaled else 1.0)
        name = text.quoted(row_names(self.tokens, len(self.scores))[self.row])
        name = name if self.width == self.d else f"{name} at width {text.number(self.width)}"
        made = f"give the weights {text.vector(self.weights)}, entropy {_tiny(self.entropies[self.scaled])} nats"
        return f"The scores of {name}, {how}, {text.vector(shown)}, {made}."

    def tables(self):
        s, root = self.stretched, self.width**0.5
        names = ["score", "weight", f"score / √{text.number(self.width)}", "its weight"]
        entropies = [[x] for x in self.entropies]
        name = row_names(self.tokens, len(self.scores))[self.row]
        return [
            (f"The row of {name}", [s, self.plain, s / root, self.divided], names, self.tokens),
            ("Entropy in nats", entropies, ["undivided", "divided"], ["entropy"]),
        ]

    def static(self):
        names = ["softmax(s)", f"softmax(s / √{text.number(self.width)})"]
        title = f"The row of {text.label(row_names(self.tokens, len(self.scores))[self.row])}"
        return figures.heatmap([self.plain, self.divided], names, self.tokens, name="weights", title=title)


def _tiny(x):
    """A number that rounding would show as 0 is less than 0.001: a power of ten would say nothing.   -> str"""
    return "<0.001" if 0 < abs(x) < 0.0005 else text.number(x)
