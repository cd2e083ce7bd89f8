"""Which writes a question still sees, in a memory that adds or corrects, with and without a gate."""

import numpy as np

from attn import memory
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Flag, Matrix, Position, Real, StateError, Tokens


class WritesSeen(Widget):
    """Names are written one after another, with values 1, 2, 3, …; then every name is asked once.

        row of a question = q (what is left of each write),   what it reads = Σ_j row_j · value_j

    K: (n, d), the key of each write;  tokens: n names, a name that comes back is written again;  alpha: 0 to 1, what
    is left at every step;  beta: 0 to 2;  erase: correct, or add;  written: how many are written so far, all unless
    given.   Raises ValueError or TypeError.
    .questions -> the distinct names;  .seen -> (questions, n);  .reads -> (questions,).  Source: Yang et al. (2024).
    """

    view = "writes_seen"
    K = Matrix()
    tokens = Tokens()
    alpha = Real(1.0)
    beta = Real(1.0)
    erase = Flag(True)
    written = Position()

    def __init__(self, K, tokens=None, alpha=1.0, beta=1.0, erase=True, written=None):
        n = count(K=K)
        written = n if written is None else written
        super().__init__(K=K, tokens=words(tokens, n), alpha=alpha, beta=beta, erase=erase, written=written)

    def check(self, s):
        same("the number of writes", {"K": len(s.K), "tokens": len(s.tokens)})
        for name, value, most in (("alpha", s.alpha, 1), ("beta", s.beta, 2)):
            if not 0 <= value <= most:
                raise StateError(f"{name} must lie between 0 and {most}, but is {value:.4g}")
        place("written", s.written, len(s.K) + 1, "steps")

    @property
    def questions(self):
        """The names, each once, in the order of their first writes.   -> list of str"""
        return list(dict.fromkeys(self.tokens))

    @property
    def seen(self):
        """What each question sees of each write; what is below half a thousandth is written 0.   -> (questions, n)"""
        return _tidy(self._rows())

    def _rows(self):
        K, n, done = np.array(self.K), len(self.K), self.written
        how = dict(alpha=np.full(done, self.alpha), beta=np.full(done, self.beta), erase=self.erase)
        state = memory.recurrent(K[:done], K[:done], np.eye(n)[:done], **how)[1]
        return K[[self.tokens.index(name) for name in self.questions]] @ state

    @property
    def reads(self):
        """The answers, Σ seen · value.   -> (questions,)"""
        return _tidy(self._rows() @ np.arange(1, len(self.K) + 1))

    def sentence(self):
        rule = "Correcting" if self.erase else "Adding"
        told = ", ".join(
            f"{text.quoted(name)} reads {text.number(value)}"
            for name, value in zip(self.questions[:6], self.reads, strict=False)
        )
        done = "" if self.written == len(self.K) else f", {self.written} of {len(self.K)} written"
        return f"{rule}, α = {text.number(self.alpha)}, β = {text.number(self.beta)}{done}: {told}."

    def _cols(self):
        return [f"{name} = {i + 1}" for i, name in enumerate(self.tokens)]

    def tables(self):
        done = "all" if self.written == len(self.K) else self.written
        seen = (f"What each question sees of each write, after {done} of them", self.seen, self.questions, self._cols())
        reads = (f"What each question reads, after {done} writes", self.reads[:, None], self.questions, ["reads"])
        return [seen, reads]

    def static(self):
        return figures.heatmap(self.seen, self.questions, self._cols(), kind="signed", name="seen")


def _tidy(values):
    return np.where(abs(values) < 5e-4, 0, values)
