"""Figures about what the weights do: where a word looks, and how values become its new vector."""

import numpy as np

from attn import softmax
from attn.show import figures, text
from attn.show.base import Widget, count, place, same, words
from attn.show.traits import Matrix, Position, StateError, Tokens, Vector


class Flow(Widget):
    """Choose a word and see its attention flow to all words: the thicker the stream, the larger the weight.

    weights: (n, m), rows of weights;  tokens: n names;  key_tokens: m names, the same as tokens unless given.
    selected: whose attention.   Raises ValueError or TypeError.   .row -> (m,), the weights of the chosen word
    """

    view = "flow"
    weights = Matrix()
    tokens = Tokens()
    key_tokens = Tokens()
    selected = Position()

    def __init__(self, weights, tokens=None, key_tokens=None, selected=0):
        n, m = count(weights=weights), len(weights[0])
        keys = words(tokens if key_tokens is None and n == m else key_tokens, m)
        super().__init__(weights=weights, tokens=words(tokens, n), key_tokens=keys, selected=selected)

    def check(self, s):
        same("the number of rows", {"weights": len(s.weights), "tokens": len(s.tokens)})
        same("the number of columns", {"weights": len(s.weights[0]), "key_tokens": len(s.key_tokens)})
        _are_weights(s)
        place("selected", s.selected, len(s.tokens), "words")

    @property
    def row(self):
        """The weights of the chosen word.   -> (m,)"""
        return np.array(self.weights[self.selected])

    def sentence(self):
        row = self.weights[self.selected]
        order = sorted(range(len(row)), key=lambda j: -row[j])
        told = [f"{text.quoted(self.key_tokens[j])} {text.percent(row[j])}" for j in order[:6]]
        if len(order) > 6:
            told.append(f"{len(order) - 6} more together {text.percent(sum(row[j] for j in order[6:]))}")
        return f"{text.quoted(self.tokens[self.selected])} looks at {', '.join(told)}."

    def tables(self):
        return [("A: queries down, keys across", self.weights, self.tokens, self.key_tokens)]

    def static(self):
        title = f"Where {text.label(self.tokens[self.selected])} looks"
        return figures.bars(self.row, self.key_tokens, title=title)


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
        _are_weights(s)
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
        name = text.quoted(_row_name(self, self.row))
        mixed = _mixture(self.weights[self.row], self.tokens)
        return f"The new vector of {name} is {mixed} = {text.vector(self.output)}."

    def tables(self):
        parts = np.vstack([self.contributions, self.output])
        name = text.label(_row_name(self, self.row))
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


class CausalValues(Widget):
    """Multiply A by V under a causal mask, one word at a time: each word averages the values up to its own.

    weights: (n, n), 0 above the diagonal;  V: (n, e);  tokens: n names.   step: how many words are done, 0 ≤ step ≤ n.
    Raises ValueError, also where a word looks ahead, or TypeError.   .output -> (n, e)
    """

    view = "causal_values"
    weights = Matrix()
    V = Matrix()
    tokens = Tokens()
    step = Position()

    def __init__(self, weights, V, tokens=None, *, step=0):
        super().__init__(weights=weights, V=V, tokens=words(tokens, count(weights=weights)), step=step)

    def check(self, s):
        sizes = {"weights": len(s.weights), "the columns of weights": len(s.weights[0]), "V": len(s.V)}
        same("the number of words", {**sizes, "tokens": len(s.tokens)})
        _are_weights(s)
        for i, j in np.argwhere(np.triu(s.weights, 1) > 1e-9)[:1]:
            told = f"weights[{i}, {j}] is {s.weights[i][j]:.4g}, but no word may look ahead"
            raise StateError(f"{told}: give masks.causal to softmax first")
        place("step", s.step, len(s.V) + 1, "steps")

    output = property(lambda self: np.array(self.weights) @ np.array(self.V), doc="Y = A V.   -> (n, e)")

    def sentence(self):
        n, i = len(self.V), self.step - 1
        if i < 0:
            return f"Step 0 of {n}: no word has averaged any values yet."
        sees = f"{text.quoted(self.tokens[i])} may see {i + 1} of {n} words"
        mixed = _mixture(self.weights[i][: i + 1], self.tokens)
        return f"Step {self.step} of {n}: {sees}: {mixed} = {text.vector(self.output[i])}."

    def tables(self):
        names = self.tokens
        return [("A", self.weights, names, names), ("V", self.V, names, None), ("Y = A V", self.output, names, None)]

    def static(self):
        parts = [("A", self.weights, self.tokens), ("V", self.V), ("Y = A V", self.output)]
        return figures.matrices(parts, self.tokens, title="attention @ V under a causal mask")


class Hull(Widget):
    """Drag values and scores in the plane: the output, their weighted average, never leaves the values' hull.

        y = Σ_j softmax(s)_j V_j

    V: (n, 2);  scores: (n,), within ±100;  tokens: n names.   Raises ValueError or TypeError.
    .weights -> (n,);  .output -> (2,);  .corners -> the indices of the hull's corners, anticlockwise
    """

    view = "hull"
    V = Matrix()
    scores = Vector()
    tokens = Tokens()

    def __init__(self, V, scores=None, tokens=None):
        n = count(V=V)
        super().__init__(V=V, scores=np.zeros(n) if scores is None else scores, tokens=words(tokens, n))

    def check(self, s):
        same("the width e", {"the plane": 2, "V": len(s.V[0])})
        same("the number of words", {"V": len(s.V), "scores": len(s.scores), "tokens": len(s.tokens)})
        if max(map(abs, s.scores)) > 100:
            raise StateError(f"scores reach {max(s.scores, key=abs):.4g}; a slider goes to 100 on either side")

    weights = property(lambda self: softmax.softmax(np.array(self.scores)), doc="softmax(scores).   -> (n,)")
    output = property(lambda self: self.weights @ np.array(self.V), doc="The weighted average.   -> (2,)")

    @property
    def corners(self):
        """Which values are corners of the hull, anticlockwise from the leftmost.   -> list of int"""
        order = sorted(range(len(self.V)), key=lambda j: (*self.V[j], j))
        lower, upper = _chain(self.V, order), _chain(self.V, order[::-1])
        return lower[:-1] + upper[:-1] or order[:1]

    def sentence(self):
        names = ", ".join(text.quoted(self.tokens[j]) for j in self.corners)
        told = f"Weights {text.vector(self.weights)} put the output at {text.vector(self.output)}"
        return f"{told}, inside the hull whose corners are {names}."

    def tables(self):
        rows = [[*v, s, a] for v, s, a in zip(self.V, self.scores, self.weights, strict=True)]
        return [
            ("Values, scores and weights", rows, self.tokens, ["x", "y", "score", "weight"]),
            ("The output", [self.output], ["Σ weight × value"], ["x", "y"]),
        ]

    def static(self):
        return figures.plane(self.V, self.tokens, self.output, self.corners, alt=self.sentence())


def _chain(points, order):
    """One side of the hull (Andrew's monotone chain): the places, in order, at which the path turns left."""
    kept = []
    for j in order:
        while len(kept) > 1 and _turn(points[kept[-2]], points[kept[-1]], points[j]) <= 0:
            kept.pop()
        if not kept or points[kept[-1]] != points[j]:
            kept.append(j)
    return kept


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _are_weights(s):
    if not all(-1e-9 <= x <= 1 + 1e-9 for row in s.weights for x in row):
        raise StateError("weights leave 0…1: give the rows that softmax made, not the scores")


def _row_name(s, i):
    return s.tokens[i] if len(s.weights) == len(s.tokens) else f"r{i + 1}"


def _mixture(weights, names):
    """0.070·v(“I”) + 0.707·v(“love”) + …: a weighted sum in words; beyond six terms the middle is left out."""
    told = [f"{text.number(a)}·v({text.quoted(name)})" for a, name in zip(weights, names, strict=False)]
    if len(told) > 6:
        told = [*told[:3], "…", *told[-2:]]
    return " + ".join(told)
