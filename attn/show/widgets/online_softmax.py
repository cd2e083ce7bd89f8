"""Softmax in blocks, with a running maximum."""

import numpy as np

from attn import online
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, positive, same, words
from attn.show.kit.traits import Matrix, Position, Tokens, Vector


class OnlineSoftmax(Widget):
    """Read a row of scores block by block, keep three numbers' worth of state, and end with exact attention.

        m' = max(m, max s),   r = e^(m − m'),   ℓ' = r ℓ + Σ e^(s − m'),   o' = r o + Σ e^(s − m') v,   y = o / ℓ

    scores: (n,);  V: (n, e);  block: scores read at a time;  tokens: n names;  step: blocks read so far.
    Raises ValueError or TypeError.   .running -> attn.online.Partial(m, l, o);  .rescale -> r of the last block;
    .output -> (e,), o / ℓ;  .memory -> (numbers held, numbers a whole row would hold)
    """

    view = "online_softmax"
    scores = Vector()
    V = Matrix()
    block = Position()
    tokens = Tokens()
    step = Position()

    def __init__(self, scores, V, block=2, *, tokens=None, step=0):
        super().__init__(scores=scores, V=V, block=block, tokens=words(tokens, count(V=V)), step=step)

    def check(self, s):
        same("the number of keys", {"scores": len(s.scores), "V": len(s.V), "tokens": len(s.tokens)})
        positive("block", s.block)
        place("step", s.step, -(-len(s.V) // s.block) + 1, "steps")

    @property
    def running(self):
        """m, ℓ and o after the blocks read so far: −∞, 0 and zeros before the first.   -> attn.online.Partial"""
        return self._after(self.step)

    @property
    def rescale(self):
        """e^(m_old − m_new): what the last block made of the sums before it; 0 for the first.   -> float"""
        if self.step == 0:
            return 1.0
        return float(np.exp(self._after(self.step - 1).m - self.running.m))

    output = property(lambda self: online.finish(self.running), doc="o / ℓ, so far.   -> (e,)")

    @property
    def memory(self):
        """Numbers held at once: a block of scores with m, ℓ and o; a whole row of scores with o.   -> (int, int)"""
        n, e = len(self.V), len(self.V[0])
        return min(self.block, n) + 2 + e, n + e

    def _after(self, step):
        e = len(self.V[0])
        held = online.Partial(np.full(1, -np.inf), np.zeros(1), np.zeros((1, e)))
        for start in range(0, self.block * step, self.block):
            s, v = (np.array(part[start : start + self.block]) for part in (self.scores, self.V))
            held = online.merge(held, online.partial(np.ones((1, 1)), s[:, None], v, scale=1.0))
        return online.Partial(held.m[0], held.l[0], held.o[0])

    def sentence(self):
        last = -(-len(self.V) // self.block)
        if self.step == 0:
            return f"Block 0 of {last}: nothing read, m = −∞, ℓ = 0, o = {text.vector(self.running.o)}."
        m, l, o = self.running
        told = f"Block {self.step} of {last}: m = {text.number(float(m))}, what was held is multiplied by "
        told += f"{text.number(self.rescale)}, ℓ = {text.number(float(l))}, o = {text.vector(o)}"
        return f"{told}; o / ℓ = {text.vector(self.output)}."

    def tables(self):
        steps = range(-(-len(self.V) // self.block) + 1)
        rows = [[float(p.m), float(p.l), *p.o, *online.finish(p)] for p in map(self._after, steps)]
        axes = figures.axes_names(len(self.V[0]))
        cols = ["m", "ℓ", *[f"o {axis}" for axis in axes], *[f"o/ℓ {axis}" for axis in axes]]
        return [
            ("The row of scores", [self.scores], ["score"], self.tokens),
            ("The running state", rows, [f"after block {step}" for step in steps], cols),
        ]

    def static(self):
        *_, (caption, rows, names, cols) = self.tables()
        return figures.heatmap(rows, names, cols, kind="signed", name="running state", title=caption)
