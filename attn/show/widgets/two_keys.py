"""Two keys at an angle: what each reads back from a memory that adds and from one that corrects."""

import numpy as np

from attn import memory
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.traits import Real, StateError


class TwoKeys(Widget):
    """Turn the second of two unit keys, set β, and read both back: adding against correcting.

        adding: Z = k₁ᵀv₁ + k₂ᵀv₂        correcting: each write first takes away β of what its key already reads

    angle: degrees between the keys, 0 to 180;  beta: 0 to 2.   Raises ValueError or TypeError.
    .pair -> (2, 2), the keys;  .adding, .correcting -> (2, 2): row i says how much of v₁ and of v₂ key i reads.
    Source: Schlag et al. (2021).
    """

    view = "two_keys"
    angle = Real(60.0)
    beta = Real(1.0)

    def __init__(self, angle=60.0, beta=1.0):
        super().__init__(angle=angle, beta=beta)

    def check(self, s):
        for name, value, most in (("angle", s.angle, 180), ("beta", s.beta, 2)):
            if not 0 <= value <= most:
                raise StateError(f"{name} must lie between 0 and {most}, but is {value:.4g}")

    @property
    def pair(self):
        """The first key lies along x; the second is turned from it.   -> (2, 2)"""
        theta = np.radians(self.angle)
        return np.array([[1.0, 0.0], [np.cos(theta), np.sin(theta)]])

    adding = property(lambda self: self._read(erase=False), doc="What each key reads.   -> (2, 2)")
    correcting = property(lambda self: self._read(erase=True), doc="What each key reads.   -> (2, 2)")

    def _read(self, erase):
        beta = np.full(2, self.beta)
        read = self.pair @ memory.recurrent(self.pair, self.pair, np.eye(2), beta=beta, erase=erase)[1]
        return np.where(abs(read) < 1e-12, 0, read)

    def sentence(self):
        told = (
            f"{name} reads {text.vector(read[0])} with key 1 and {text.vector(read[1])} with key 2"
            for name, read in (("adding", self.adding), ("correcting", self.correcting))
        )
        return f"Keys at {text.number(self.angle)}°, β = {text.number(self.beta)}: {'; '.join(told)}."

    def tables(self):
        rows, cols = ["key 1", "key 2"], ["of v1", "of v2"]
        return [("Adding", self.adding, rows, cols), ("Correcting", self.correcting, rows, cols)]

    def static(self):
        cols = ["of v1", "of v2"]
        parts = [("adding", self.adding, cols), ("correcting", self.correcting, cols)]
        return figures.matrices(parts, ["key 1", "key 2"], title=self.sentence())
