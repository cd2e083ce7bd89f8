"""The interactive figures. Each is a class here, a module js/VIEW.js beside it, and a sentence.

They take plain arrays and token names, say what is wrong with bad ones, and expose what the reader sees.
"""

import numpy as np
import traitlets

from attn import core
from attn.axes import numeric
from attn.show import figures, text
from attn.show.base import Matrix, StateError, Tokens, Widget, place, same


def _place(default=0):
    return traitlets.Int(default).tag(sync=True, figure=True)


def _count(**arguments):
    """How many rows a matrix argument has, or the error it deserves."""
    ((name, _),) = arguments.items()
    shape = numeric(**arguments).shape
    if len(shape) != 2:
        raise StateError(f"{name} must be a matrix, not an array of shape {shape}")
    return shape[0]


def _words(tokens, count):
    """The given token names, or t1, t2, … for as many rows as there are."""
    return [f"t{i + 1}" for i in range(count)] if tokens is None else tokens


class Embedding(Widget):
    """Click a word, see its embedding: one row of X.

    X: (n, c), one row a word; tokens: n names, or a sentence; selected: which word, 0 ≤ selected < n.
    Raises ValueError or TypeError, naming the argument and both sizes.   .vector -> (c,)
    """

    view = "embedding"
    X = Matrix()
    tokens = Tokens()
    selected = _place()

    def __init__(self, X, tokens=None, *, selected=0):
        super().__init__(X=X, tokens=_words(tokens, _count(X=X)), selected=selected)

    def check(self, s):
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        place("selected", s.selected, len(s.X), "words")

    @property
    def vector(self):
        """The embedding that is shown.   -> (c,)"""
        return np.array(self.X[self.selected])

    def sentence(self):
        word = text.quoted(self.tokens[self.selected])
        return f"{word} is row {self.selected + 1} of X: {text.vector(self.vector)}."

    def tables(self):
        return [("X, one row a word", self.X, self.tokens, None)]

    def static(self):
        parts = [("X, one row a word", self.X)]
        return figures.matrices(parts, self.tokens)


class Projection(Widget):
    """Step through Q = X W_Q, K = X W_K, V = X W_V, one word at a time.

    X: (n, c);  W_Q, W_K: (c, d);  W_V: (c, e);  tokens: n names.
    step: 0 before anything is computed, then n steps for Q, n for K, n for V.
    Raises ValueError or TypeError.   .Q, .K -> (n, d), .V -> (n, e)
    """

    view = "projection"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    tokens = Tokens()
    step = _place()

    def __init__(self, X, W_Q, W_K, W_V, tokens=None, *, step=0):
        super().__init__(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, tokens=_words(tokens, _count(X=X)), step=step)

    def check(self, s):
        _check_head(s)
        place("step", s.step, 3 * len(s.X) + 1, "steps")

    Q = property(lambda self: np.array(self.X) @ np.array(self.W_Q), doc="What each word asks.   -> (n, d)")
    K = property(lambda self: np.array(self.X) @ np.array(self.W_K), doc="What each word offers.   -> (n, d)")
    V = property(lambda self: np.array(self.X) @ np.array(self.W_V), doc="What each word hands over.   -> (n, e)")

    def sentence(self):
        n, last = len(self.X), 3 * len(self.X)
        if self.step == 0:
            return f"Step 0 of {last}: X ({n}×{len(self.X[0])}) waits to be multiplied by W_Q, W_K and W_V."
        lens, row = divmod(self.step - 1, n)
        name = "QKV"[lens]
        word, result = text.quoted(self.tokens[row]), text.vector(getattr(self, name)[row])
        return f"Step {self.step} of {last}: the embedding of {word} times W_{name} is its row of {name}, {result}."

    def tables(self):
        weights = [(f"W_{name}", getattr(self, f"W_{name}"), None, None) for name in "QKV"]
        results = [(f"{name} = X W_{name}", getattr(self, name), self.tokens, None) for name in "QKV"]
        return [("X", self.X, self.tokens, None), *weights, *results]

    def static(self):
        parts = [(f"{name} = X W_{name}", getattr(self, name)) for name in "QKV"]
        return figures.matrices([("X", self.X), *parts], self.tokens, title="One input, three views")


class ScoreCells(Widget):
    """Click a cell of S = Q Kᵀ and see the dot product it is.

    Q: (n, d);  K: (m, d);  tokens: n names;  key_tokens: m names, the same as tokens unless given.
    row, col: the open cell.   Raises ValueError or TypeError.   .scores -> (n, m), .score -> float
    """

    view = "score_cells"
    Q = Matrix()
    K = Matrix()
    tokens = Tokens()
    key_tokens = Tokens()
    row = _place()
    col = _place()

    def __init__(self, Q, K, tokens=None, key_tokens=None, *, row=0, col=0):
        n, m = _count(Q=Q), _count(K=K)
        keys = _words(tokens if key_tokens is None and n == m else key_tokens, m)
        super().__init__(Q=Q, K=K, tokens=_words(tokens, n), key_tokens=keys, row=row, col=col)

    def check(self, s):
        same("the number of queries", {"Q": len(s.Q), "tokens": len(s.tokens)})
        same("the number of keys", {"K": len(s.K), "key_tokens": len(s.key_tokens)})
        same("the width d", {"Q": len(s.Q[0]), "K": len(s.K[0])})
        place("row", s.row, len(s.Q), "queries")
        place("col", s.col, len(s.K), "keys")

    @property
    def scores(self):
        """S = Q Kᵀ, not yet scaled.   -> (n, m)"""
        return core.scores(np.array(self.Q), np.array(self.K), scale=1.0)

    @property
    def score(self):
        """The dot product in the open cell.   -> float"""
        return float(self.scores[self.row, self.col])

    def sentence(self):
        q, k = self.Q[self.row], self.K[self.col]
        names = f"q({text.quoted(self.tokens[self.row])}) · k({text.quoted(self.key_tokens[self.col])})"
        return f"{names} = {text.products(q, k)} = {text.number(self.score)}."

    def tables(self):
        return [
            ("Q", self.Q, self.tokens, None),
            ("K", self.K, self.key_tokens, None),
            ("S = Q Kᵀ, queries down, keys across", self.scores, self.tokens, self.key_tokens),
        ]

    def static(self):
        title = "S = Q Kᵀ"
        return figures.heatmap(self.scores, self.tokens, self.key_tokens, kind="signed", name="S", title=title)


class Heatmap(Widget):
    """A matrix in colour with its numbers and its legend; walk over it and each cell says what it holds.

    values: (n, m); −∞ is allowed (a masked score).  tokens, key_tokens: names of rows and columns.
    kind: "weight" (white 0 to ink 1) or "signed" (white is zero).  name: what the matrix is called.
    Raises ValueError or TypeError.   .weights -> (n, m), the values as an array
    """

    view = "heatmap"
    values = Matrix(holes=True)
    tokens = Tokens()
    key_tokens = Tokens()
    kind = traitlets.Unicode("weight").tag(sync=True, figure=True)
    name = traitlets.Unicode("A").tag(sync=True, figure=True)
    row = _place()
    col = _place()

    def __init__(self, values, tokens=None, key_tokens=None, *, kind="weight", name="A", row=0, col=0):
        n, m = _count(values=values), len(values[0])
        keys = _words(tokens if key_tokens is None and n == m else key_tokens, m)
        super().__init__(
            values=values, tokens=_words(tokens, n), key_tokens=keys, kind=kind, name=name, row=row, col=col
        )

    def check(self, s):
        same("the number of rows", {"values": len(s.values), "tokens": len(s.tokens)})
        same("the number of columns", {"values": len(s.values[0]), "key_tokens": len(s.key_tokens)})
        place("row", s.row, len(s.tokens), "rows")
        place("col", s.col, len(s.key_tokens), "columns")
        if s.kind not in figures.SCALES:
            raise StateError(f'kind is {s.kind!r}; it must be "weight" or "signed"')
        if s.kind == "weight" and not all(x is not None and -1e-9 <= x <= 1 + 1e-9 for r in s.values for x in r):
            raise StateError('values leave 0…1, which kind="weight" shows; for scores say kind="signed"')

    @property
    def weights(self):
        """The values that are shown, −∞ where nothing is allowed.   -> (n, m)"""
        return np.array([[-np.inf if x is None else x for x in row] for row in self.values])

    def sentence(self):
        names, row = self.key_tokens, self.values[self.row]
        word, key = text.quoted(self.tokens[self.row]), text.quoted(names[self.col])
        size = f"{len(self.values)}×{len(names)}"
        told = f"{self.name} ({size}): row {word}, column {key} holds {text.number(row[self.col])}"
        return f"{told}; the row is {text.extremes(row, names)}."

    def tables(self):
        return [(f"{self.name}: queries down, keys across", self.values, self.tokens, self.key_tokens)]

    def static(self):
        return figures.heatmap(
            self.weights, self.tokens, self.key_tokens, kind=self.kind, name=self.name, title=self.name
        )


STAGES = ("embeddings", "projections", "scores", "scaling", "softmax", "weighted sum", "new vectors")


class Pipeline(Widget):
    """Step through one attention head in seven stages, from embeddings to new vectors.

    X: (n, c);  W_Q, W_K: (c, d);  W_V: (c, e);  tokens: n names;  mask: (n, n) bool, True = may attend.
    stage: 0…6;  focus: the word whose row is followed.   Raises ValueError or TypeError.
    .Q, .K, .V, .scores, .scaled, .weights, .output are the matrices on the way.
    """

    view = "pipeline"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    mask = Matrix()
    tokens = Tokens()
    stage = _place()
    focus = _place()

    def __init__(self, X, W_Q, W_K, W_V, tokens=None, *, mask=None, stage=0, focus=0):
        n = _count(X=X)
        mask = np.ones((n, n)) if mask is None else np.broadcast_to(mask, (n, n))
        if not np.isin(mask, (0, 1)).all():
            raise StateError("mask must be boolean: True where a query may attend")
        super().__init__(
            X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, mask=mask, tokens=_words(tokens, n), stage=stage, focus=focus
        )

    def check(self, s):
        _check_head(s)
        same("the number of words", {"X": len(s.X), "mask": len(s.mask)})
        place("stage", s.stage, len(STAGES), "stages")
        place("focus", s.focus, len(s.X), "words")

    Q, K, V = Projection.Q, Projection.K, Projection.V

    @property
    def scores(self):
        """Q Kᵀ, before scale and mask.   -> (n, n)"""
        return core.scores(self.Q, self.K, scale=1.0)

    @property
    def trace(self):
        """Every matrix from the scaled scores on.   -> attn.core.Trace"""
        return core.trace(self.Q, self.K, self.V, np.array(self.mask, bool))

    scaled = property(lambda self: self.trace.scores, doc="Scaled, masked scores.   -> (n, n)")
    weights = property(lambda self: self.trace.weights, doc="Rows of weights.   -> (n, n)")
    output = property(lambda self: self.trace.output, doc="The new vectors.   -> (n, e)")

    def sentence(self):
        word, i = text.quoted(self.tokens[self.focus]), self.focus
        row = text.vector
        told = [
            lambda: f"{word} enters as {row(self.X[i])}",
            lambda: f"{word} asks q = {row(self.Q[i])}, offers k = {row(self.K[i])}, carries v = {row(self.V[i])}",
            lambda: f"the query of {word} meets every key: {row(self.scores[i])}",
            lambda: f"divided by √{len(self.W_Q[0])}, the scores of {word} are {row(self.scaled[i])}",
            lambda: f"softmax turns them into the weights {row(self.weights[i])}",
            lambda: f"the values, averaged with these weights, give {row(self.output[i])}",
            lambda: f"{word} entered as {row(self.X[i])} and leaves as {row(self.output[i])}",
        ]
        return f"Stage {self.stage + 1} of {len(STAGES)}, {STAGES[self.stage]}: {told[self.stage]()}."

    def tables(self):
        words = self.tokens
        widths = [(name, getattr(self, name), words, None) for name in ("X", "Q", "K", "V")]
        squares = [("S = Q Kᵀ", self.scores), ("S / √d", self.scaled), ("A = softmax(S / √d)", self.weights)]
        return [*widths, *[(name, m, words, words) for name, m in squares], ("Y = A V", self.output, words, None)]

    def static(self):
        words = self.tokens
        parts = [("X", self.X), ("S / √d", self.scaled, words), ("A", self.weights, words), ("Y = A V", self.output)]
        return figures.matrices(parts, self.tokens, title="One head, from words to new vectors")


def _check_head(s):
    same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
    for name in ("W_Q", "W_K", "W_V"):
        same("the model width c", {"X": len(s.X[0]), name: len(getattr(s, name))})
    same("the width d", {"W_Q": len(s.W_Q[0]), "W_K": len(s.W_K[0])})
