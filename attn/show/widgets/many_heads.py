"""Many heads as one diagram: columns of the projections, rows of W_O, what each head writes."""

import numpy as np

from attn import core, heads
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, positive, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens, Vector


class ManyHeads(Widget):
    """Follow one head through all the matrices of its layer, every number drawn as a square of one size.

        Qᵗ, Kᵗ, Vᵗ = columns t·d … (t+1)·d − 1 of X W_Q, X W_K, X W_V
        stream = X + Σ_t Oᵗ W_Oᵗ,   W_Oᵗ = rows t·d … (t+1)·d − 1 of W_O

    X: (n, c);  W_Q, W_K, W_V: (c, h·d);  W_O: (h·d, c);  heads: h, at most 8;  tokens: n names;  head, row: the chosen
    head and word;  on: (h,), 0 where a head is switched off.   Raises ValueError or TypeError.
    .weights -> (h, n, n);  .writes -> (h, n, c), 0 where a head is off;  .stream -> (n, c)
    """

    view = "many_heads"
    X = Matrix()
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    W_O = Matrix()
    tokens = Tokens()
    heads = Position()
    head = Position()
    row = Position()
    on = Vector()

    def __init__(self, X, W_Q, W_K, W_V, W_O, heads, tokens=None, *, head=0, row=0, on=None):
        on = np.ones(max(int(heads), 1)) if on is None else np.asarray(on, float)
        state = dict(tokens=words(tokens, count(X=X)), heads=heads, head=head, row=row, on=on)
        super().__init__(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, **state)

    def check(self, s):
        positive("heads", s.heads, 8)
        same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
        same("the model width c", {"X": len(s.X[0]), "the columns of W_O": len(s.W_O[0])})
        for name in ("W_Q", "W_K", "W_V"):
            same("the model width c", {"X": len(s.X[0]), name: len(getattr(s, name))})
            same("the width h·d", {"W_O": len(s.W_O), f"the columns of {name}": len(getattr(s, name)[0])})
        if len(s.W_O) % s.heads:
            raise StateError(f"{s.heads} heads do not divide the width h·d, which is {len(s.W_O)}")
        same("the number of heads", {"heads": s.heads, "on": len(s.on)})
        place("head", s.head, s.heads, "heads")
        place("row", s.row, len(s.X), "words")

    @property
    def _trace(self):
        q, k, v = (heads.split(np.array(self.X) @ np.array(w), self.heads) for w in (self.W_Q, self.W_K, self.W_V))
        return core.trace(q, k, v)

    weights = property(lambda self: self._trace.weights, doc="Every head's A.   -> (h, n, n)")
    stream = property(lambda self: np.array(self.X) + self.writes.sum(axis=0), doc="X + what heads write. -> (n, c)")

    @property
    def writes(self):
        """What each head adds to the stream, nothing where it is off.   -> (h, n, c)"""
        return heads.writes(self._trace.output, np.array(self.W_O)) * np.array(self.on)[:, None, None]

    def sentence(self):
        t, i, d = self.head, self.row, len(self.W_O) // self.heads
        own = f"{t * d} to {(t + 1) * d - 1}"
        a, name, sums = self.weights[t, i], text.quoted(self.tokens[i]), self.writes[:, i].sum(axis=0)
        if not self.on[t]:
            then = sums + heads.writes(self._trace.output, np.array(self.W_O))[t, i]
            without, then = (text.number(np.linalg.norm(sum_)) for sum_ in (sums, then))
            told = f"Head {t} of {self.heads} is switched off and adds nothing to {name}. The other heads add a vector"
            return f"{told} of length {without}; with head {t} it would be {then}."
        most = int(np.flatnonzero(a >= a.max() - 1e-9)[0])
        told = f"Head {t} of {self.heads} owns columns {own} of W_Q, W_K and W_V, and rows {own} of W_O. "
        told += f"{name} looks most at {text.quoted(self.tokens[most])} ({text.number(a[most])}). "
        own, whole = (text.number(np.linalg.norm(added)) for added in (self.writes[t, i], sums))
        return f"{told}The head adds a vector of length {own}; all heads together add one of length {whole}."

    def tables(self):
        names = [f"head {t}" for t in range(self.heads)]
        parts = [(f"A of {name}", a, self.tokens, self.tokens) for name, a in zip(names, self.weights, strict=True)]
        written = [*self.writes[:, self.row], self.writes[:, self.row].sum(axis=0)]
        label = text.label(self.tokens[self.row])
        return [*parts, (f"What each head adds to {label}, and all of them", written, [*names, "Σ"], None)]

    def static(self):
        written = [*self.writes[:, self.row], self.writes[:, self.row].sum(axis=0)]
        rows = [*(f"head {t}" for t in range(self.heads)), "Σ"]
        title = "What each head adds"
        return figures.heatmap(
            written, rows, figures.axes_names(len(self.X[0])), kind="signed", name=title, title=title
        )
