"""Where a word looks, as streams."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_weights, count, place, same, words
from attn.show.kit.traits import Flag, Matrix, Position, Tokens


class Flow(Widget):
    """Choose a word and see its attention flow to all words: the thicker the stream, the larger the weight.

    weights: (n, m), rows of weights;  tokens: n names;  key_tokens: m names, the same as tokens unless given.
    selected: whose attention.   rest: the last key is no word but stands for all others, and is told last.
    Raises ValueError or TypeError.   .row -> (m,), the weights of the chosen word
    """

    view = "flow"
    weights = Matrix()
    tokens = Tokens()
    key_tokens = Tokens()
    selected = Position()
    rest = Flag()

    def __init__(self, weights, tokens=None, key_tokens=None, selected=0, *, rest=False):
        n, m = count(weights=weights), len(weights[0])
        keys = words(tokens if key_tokens is None and n == m else key_tokens, m)
        super().__init__(weights=weights, tokens=words(tokens, n), key_tokens=keys, selected=selected, rest=rest)

    def check(self, s):
        same("the number of rows", {"weights": len(s.weights), "tokens": len(s.tokens)})
        same("the number of columns", {"weights": len(s.weights[0]), "key_tokens": len(s.key_tokens)})
        check_weights(s)
        place("selected", s.selected, len(s.tokens), "words")

    @property
    def row(self):
        """The weights of the chosen word.   -> (m,)"""
        return np.array(self.weights[self.selected])

    def sentence(self):
        row = self.weights[self.selected]
        named = len(row) - self.rest
        order = sorted((j for j in range(named) if row[j]), key=lambda j: -row[j])
        told = [f"{text.quoted(self.key_tokens[j])} {text.percent(row[j])}" for j in order[:6]]
        if len(order) > 6:
            told.append(f"{len(order) - 6} more together {text.percent(sum(row[j] for j in order[6:]))}")
        if self.rest and row[-1] > 1e-12:  # less is what rounding leaves
            told.append(f"{text.bare(self.key_tokens[-1])} {text.percent(row[-1])}")
        return f"{text.quoted(self.tokens[self.selected])} looks at {', '.join(told)}."

    def tables(self):
        return [("A: queries down, keys across", self.weights, self.tokens, self.key_tokens)]

    def static(self):
        title = f"Where {text.label(self.tokens[self.selected])} looks"
        return figures.bars(self.row, self.key_tokens, title=title)
