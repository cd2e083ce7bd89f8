"""A word and its embedding."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, Tokens


class Embedding(Widget):
    """Click a word, see its embedding: one row of X.

    X: (n, c), one row a word; tokens: n names, or a sentence; selected: which word, 0 ≤ selected < n.
    Raises ValueError or TypeError, naming the argument and both sizes.   .vector -> (c,)
    """

    view = "embedding"
    X = Matrix()
    tokens = Tokens()
    selected = Position()

    def __init__(self, X, tokens=None, *, selected=0):
        super().__init__(X=X, tokens=words(tokens, count(X=X)), selected=selected)

    def check(self, s):
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        place("selected", s.selected, len(s.X), "words")

    @property
    def vector(self):
        """The embedding that is shown.   -> (c,)"""
        return np.array(self.X[self.selected])

    def sentence(self):
        word = text.quoted(self.tokens[self.selected])
        return f"{word} is row {self.selected} of X: {text.vector(self.vector)}."

    def tables(self):
        return [("X, one row a word", self.X, self.tokens, None)]

    def static(self):
        parts = [("X, one row a word", self.X)]
        return figures.matrices(parts, self.tokens)
