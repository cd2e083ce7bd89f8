"""Two heads' keys in one plane: one head is turned back towards the other, and their mean loses less or more."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same, words
from attn.show.kit.traits import Matrix, Real, StateError, Tokens

NEAR = 1e-4  # of the squared error: within a degree of the best turn


class TurnBack(Widget):
    """Turn head B back until its keys lie closest to those of head A: then their mean C loses least.

        C = (A + B R) / 2,   error² = ‖A − B R‖² / 2 (‖A‖² + ‖B‖²),   R a turn by −angle

    A, B: (n, 2), neither all zero, the keys of the same n words in two heads;  angle: degrees, −180 to 180;
    tokens: n names.   Raises ValueError or TypeError.
    .turned, .mean -> (n, 2);  .error, .least -> shares;  .best -> the best angle
    Source: Schönemann (1966), where R may be a mirror, too.
    """

    view = "turn_back"
    A = Matrix()
    B = Matrix()
    angle = Real(0.0)
    tokens = Tokens()

    def __init__(self, A, B, tokens=None, *, angle=0.0):
        super().__init__(A=A, B=B, tokens=words(tokens, count(A=A)), angle=angle)

    def check(self, s):
        same("the width", {"the plane": 2, "A": len(s.A[0]), "B": len(s.B[0])})
        same("the number of rows", {"A": len(s.A), "B": len(s.B), "tokens": len(s.tokens)})
        if not -180 <= s.angle <= 180:
            raise StateError(f"angle must lie between −180 and 180, but is {s.angle:.4g}")
        for name in "AB":
            if not np.any(getattr(s, name)):
                raise StateError(f"{name} is zero: no turn changes it")

    @property
    def turned(self):
        """B R.   -> (n, 2)"""
        c, s = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        return np.array(self.B) @ [[c, -s], [s, c]]

    mean = property(lambda self: (np.array(self.A) + self.turned) / 2, doc="C.   -> (n, 2)")
    error = property(lambda self: self._error(np.sum(self.A * self.turned)), doc="What C loses.   -> share")
    least = property(lambda self: self._error(np.hypot(*self._overlap)), doc="The error at the best angle.   -> share")
    best = property(lambda self: float(np.degrees(np.arctan2(*self._overlap[::-1]))), doc="-> degrees")

    @property
    def _overlap(self):  # of A with B, and with B turned back by 90°
        (ax, ay), (bx, by) = np.transpose(self.A), np.transpose(self.B)
        return np.array([ax @ bx + ay @ by, ax @ by - ay @ bx])

    def _error(self, overlap):
        whole = np.square(self.A).sum() + np.square(self.B).sum()
        return float(np.sqrt(max(0.0, 0.5 - overlap / whole)))

    def sentence(self):
        told = f"Head B turned back by {text.number(self.angle, 1)}°: the error of the mean is {_told(self.error)}"
        return told + (", and no turn has less." if self.error**2 - self.least**2 < NEAR else ".")

    def tables(self):
        return [
            ("A", self.A, self.tokens, ["x", "y"]),
            ("B, turned back", self.turned, self.tokens, ["x", "y"]),
            ("C, their mean", self.mean, self.tokens, ["x", "y"]),
        ]

    def static(self):
        return figures.plane(self.mean, self.tokens, np.mean(self.mean, axis=0), [], alt=self.sentence())


def _told(error):
    return f"{error:.2f}"
