"""Figures whose heart is one row of scores: what softmax makes of it."""

import numpy as np

from attn import softmax
from attn.show import figures, text
from attn.show.base import Widget, count, place, positive, same, words
from attn.show.traits import Flag, Matrix, Position, Real, StateError, Tokens, Vector

PHASES = ("scaled scores", "exponentials", "weights")


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
        """exp((s − max s) / τ): what softmax divides by its sum.   -> (m,)"""
        return np.exp((np.array(self.scores) - max(self.scores)) / self.temperature)

    @property
    def weights(self):
        """softmax(scores / τ).   -> (m,)"""
        return softmax.softmax(np.array(self.scores) / self.temperature)

    def sentence(self):
        e = self.exponentials
        heat = "" if self.temperature == 1 else f" at temperature {text.number(self.temperature)}"
        told = f"Scores {text.vector(self.scores)}{heat}: shifted exponentials {text.vector(e)}, which sum to "
        return f"{told}{text.number(float(e.sum()))}, and weights {text.vector(self.weights)}."

    def tables(self):
        steps = [("score", self.scores), ("exp(score − max)", self.exponentials), ("weight", self.weights)]
        return [("From scores to weights", [row for _, row in steps], [name for name, _ in steps], self.tokens)]

    def static(self):
        return figures.bars(self.weights, self.tokens, title="weights = softmax(scores)")


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
        _check_rows(s)
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
        name = text.quoted(_row_names(self)[self.row])
        made = f"give the weights {text.vector(self.weights)}, entropy {text.number(self.entropies[self.scaled])} nats"
        return f"The scores of {name}, {how}, {text.vector(shown)}, {made}."

    def tables(self):
        s, root = self.scores[self.row], self.d**0.5
        divided = [None if x is None else x / root for x in s]
        names = ["score", "weight", f"score / √{text.number(self.d)}", "its weight"]
        entropies = [[x] for x in self.entropies]
        return [
            (f"The row of {_row_names(self)[self.row]}", [s, self.plain, divided, self.divided], names, self.tokens),
            ("Entropy in nats", entropies, ["undivided", "divided"], ["entropy"]),
        ]

    def static(self):
        names = ["softmax(s)", f"softmax(s / √{text.number(self.d)})"]
        title = f"The row of {text.label(_row_names(self)[self.row])}"
        return figures.heatmap([self.plain, self.divided], names, self.tokens, name="weights", title=title)


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
        _check_rows(s)
        place("phase", s.phase, len(PHASES), "phases")

    @property
    def exponentials(self):
        """exp(s), or exp(s − max s) where scores are large.   -> (n, m)"""
        s = _array(self.scores)
        top = s.max(axis=1, keepdims=True)
        top = np.where(np.isneginf(top), 0, top)  # a row with nothing allowed has no largest score
        return np.exp(s - top if abs(top).max() > 30 else s)

    weights = property(lambda self: softmax.softmax(_array(self.scores)), doc="softmax(scores).   -> (n, m)")

    @property
    def shown(self):
        """The matrix of this phase.   -> (n, m)"""
        return (_array(self.scores), self.exponentials, self.weights)[self.phase]

    def sentence(self):
        row, name = self.shown[self.row], text.quoted(_row_names(self)[self.row])
        told = f"Phase {self.phase + 1} of 3, {PHASES[self.phase]}: the row of {name} is {text.vector(row)}"
        return f"{told}, which sums to {text.number(float(row.sum()))}."

    def tables(self):
        parts = zip(PHASES, (_array(self.scores), self.exponentials, self.weights), strict=True)
        names = _row_names(self)
        return [(name, np.c_[m, m.sum(axis=1)], names, [*self.tokens, "Σ"]) for name, m in parts]

    def static(self):
        parts = [(name, values, cols) for name, values, _, cols in self.tables()]
        return figures.matrices(parts, _row_names(self), title="Softmax in three phases")


def _check_rows(s):
    same("the number of columns", {"scores": len(s.scores[0]), "tokens": len(s.tokens)})
    place("row", s.row, len(s.scores), "rows")


def _row_names(s):
    """The tokens name the rows too where there are as many."""
    n = len(s.scores)
    return s.tokens if n == len(s.tokens) else [f"r{i + 1}" for i in range(n)]


def _array(rows):
    return np.array([[-np.inf if x is None else x for x in row] for row in rows])


def _weights(row, root=1.0):
    return softmax.softmax(_array([row])[0] / root)
