"""Figures whose heart is one row of scores: what softmax makes of it."""

import numpy as np

from attn import softmax
from attn.show import figures, text
from attn.show.base import Widget, same, words
from attn.show.traits import StateError, Tokens, Vector


class ScoreSliders(Widget):
    """Drag a row of scores and watch the weights that softmax makes of it.

        a_j = exp(s_j − max s) / Σ_k exp(s_k − max s)

    scores: (m,), within ±100;  tokens: m names.   Raises ValueError or TypeError.
    .exponentials -> (m,), shifted so that the largest is 1;  .weights -> (m,)
    """

    view = "score_sliders"
    scores = Vector()
    tokens = Tokens()

    def __init__(self, scores, tokens=None):
        super().__init__(scores=scores, tokens=words(tokens, np.size(scores)))

    def check(self, s):
        same("the number of scores", {"scores": len(s.scores), "tokens": len(s.tokens)})
        if max(map(abs, s.scores)) > 100:
            raise StateError(f"scores reach {max(s.scores, key=abs):.4g}; a slider goes to 100 on either side")

    @property
    def exponentials(self):
        """exp(s − max s): what softmax divides by its sum.   -> (m,)"""
        return np.exp(np.array(self.scores) - max(self.scores))

    @property
    def weights(self):
        """softmax(scores).   -> (m,)"""
        return softmax.softmax(np.array(self.scores))

    def sentence(self):
        e = self.exponentials
        told = f"Scores {text.vector(self.scores)}: shifted exponentials {text.vector(e)}, which sum to "
        return f"{told}{text.number(float(e.sum()))}, and weights {text.vector(self.weights)}."

    def tables(self):
        steps = [("score", self.scores), ("exp(score − max)", self.exponentials), ("weight", self.weights)]
        return [("From scores to weights", [row for _, row in steps], [name for name, _ in steps], self.tokens)]

    def static(self):
        return figures.bars(self.weights, self.tokens, title="weights = softmax(scores)")
