"""A table of scores from a text, with its softmax, beside the row that the text prints for it."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, positive, same, words
from attn.show.kit.traits import Matrix, Position, Real, Tokens, Vector


class Printed(Vector):
    """A row of numbers, or None where nothing was printed."""

    default_value = None

    def validate(self, obj, value):
        """None, or any (m,) array-like   ->   None or list. Raises StateError or StateTypeError."""
        return None if value is None else super().validate(obj, value)


class Sentence(Widget):
    """Walk down a table of scores, row by row, with its softmax; where a row was printed, compare the two.

    scores: (n, n), as they enter softmax;  tokens: n names;  printed: (n,), the row of weights that the text prints.
    row: which row to read, and which one `printed` is held against (the row it comes closest to unless given).
    temperature: τ > 0, 1 unless the reader moves it.   Raises ValueError or TypeError.
    .weights -> (n, n), softmax(scores / τ);  .difference -> float, how far printed is off at most
    """

    view = "sentence"
    scores = Matrix()
    tokens = Tokens()
    printed = Printed()
    printed_row = Position()
    row = Position()
    temperature = Real(1.0)

    def __init__(self, scores, tokens=None, printed=None, *, row=None, temperature=1.0):
        n = count(scores=scores)
        if row is None:
            row = 0 if printed is None else _nearest(scores, printed)
        super().__init__(
            scores=scores, tokens=words(tokens, n), printed=printed, printed_row=row, row=row, temperature=temperature
        )

    def check(self, s):
        n = len(s.scores)
        same("the number of words", {"scores": n, "the columns of scores": len(s.scores[0]), "tokens": len(s.tokens)})
        if s.printed is not None:
            same("the number of words", {"scores": n, "printed": len(s.printed)})
        place("row", s.row, n, "rows")
        place("printed_row", s.printed_row, n, "rows")
        positive("temperature", s.temperature)

    @property
    def weights(self):
        """softmax(scores / τ).   -> (n, n)"""
        return softmax.softmax(np.array(self.scores) / self.temperature)

    @property
    def difference(self):
        """max |printed − computed| over the printed row; 0 where nothing was printed.   -> float"""
        if self.printed is None:
            return 0.0
        return float(np.abs(np.array(self.printed) - self.weights[self.printed_row]).max())

    def sentence(self):
        heat, word = f"At temperature {text.number(self.temperature)}", text.quoted(self.tokens[self.row])
        row = self.weights[self.row]
        if self.printed is None or self.row != self.printed_row:
            return f"{heat}, the row of {word} is {text.extremes(list(row), self.tokens)}."
        gaps = np.abs(np.array(self.printed) - row)
        j = int(np.flatnonzero(gaps >= gaps.max() - 1e-9)[0])
        most = f"off by up to {text.number(gaps[j])}, at {text.quoted(self.tokens[j])}"
        both = f"printed {text.number(self.printed[j])}, computed {text.number(row[j])}"
        return f"{heat}, the printed row of {word} is {most}: {both}."

    def tables(self):
        names = self.tokens
        squares = [("scores", self.scores, names, names), ("weights = softmax(scores)", self.weights, names, names)]
        if self.printed is None:
            return squares
        computed = self.weights[self.printed_row]
        rows = [self.printed, computed, np.array(self.printed) - computed]
        caption = f"The row of {text.label(names[self.printed_row])}, printed and computed"
        return [*squares, (caption, rows, ["printed", "computed", "difference"], names)]

    def static(self):
        names = self.tokens
        parts = [("scores", self.scores, names), ("softmax(scores)", self.weights, names)]
        return figures.matrices(parts, names, title=self.sentence())


def _nearest(scores, printed):
    """The row whose softmax comes closest to the printed one; 0 where they cannot be compared."""
    weights = softmax.softmax(np.asarray(scores, float))
    if np.shape(printed) != weights.shape[1:]:
        return 0
    return int(np.abs(weights - printed).max(axis=1).argmin())
