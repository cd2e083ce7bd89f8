"""A row of scores to drag, and its weights."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import positive, same, words
from attn.show.kit.traits import Real, StateError, Tokens, Vector


class SoftmaxSliders(Widget):
    """Drag a row of scores and watch the weights that softmax makes of it.

        a_j = exp((s_j − max s) / τ) / Σ_k exp((s_k − max s) / τ)

    scores: (m,), within ±100;  tokens: m names;  temperature: τ > 0.   Raises ValueError or TypeError.
    .exponentials -> (m,), shifted so that the largest is 1;  .weights -> (m,)
    """

    view = "softmax_sliders"
    scores = Vector()
    tokens = Tokens()
    temperature = Real(1.0)

    def __init__(self, scores, tokens=None, temperature=1.0):
        super().__init__(scores=scores, tokens=words(tokens, np.size(scores)), temperature=temperature)

    def check(self, s):
        same("the number of scores", {"scores": len(s.scores), "tokens": len(s.tokens)})
        positive("temperature", s.temperature)
        if max(map(abs, s.scores)) > 100:
            raise StateError(f"scores reach {max(s.scores, key=abs):.4g}; a slider goes to 100 on either side")

    @property
    def exponentials(self):
        """exp((x − max x) / τ): what softmax divides by its sum.   -> (m,)"""
        return np.exp((np.array(self.scores) - max(self.scores)) / self.temperature)

    @property
    def weights(self):
        """softmax(scores / τ).   -> (m,)"""
        return softmax.softmax(np.array(self.scores) / self.temperature)

    def sentence(self):
        first = int(np.argmax(self.scores))
        share = text.percent(float(self.weights[first]))
        if max(self.scores) - min(self.scores) < 1e-9:
            return f"Equal scores make equal shares: {share} each."
        e = self.exponentials
        heat = "" if self.temperature == 1 else f"At temperature {text.number(self.temperature)}, "
        told = f"the exponentials {text.vector(e, _rounded)} sum to {text.number(float(e.sum()))}"
        return f"{heat}{text.quoted(self.tokens[first])} has {share}: {told}."

    def tables(self):
        steps = [("score", self.scores), ("exp(score − max)", self.exponentials), ("weight", self.weights)]
        return [("From scores to weights", [row for _, row in steps], [name for name, _ in steps], self.tokens)]

    def static(self):
        return figures.bars(self.weights, self.tokens, title="weights = softmax(scores)")


def _rounded(x):
    """What is nearly nothing says so: a power of ten would say more than is meant."""
    return "≈0" if 0 < x < 0.0005 else text.number(x)
