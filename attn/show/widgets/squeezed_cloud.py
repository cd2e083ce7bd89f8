"""Rank one: a cloud of points squeezed onto a line, and the line that loses least."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same, words
from attn.show.kit.traits import Flag, Matrix, Real, StateError, Tokens

EQUAL = 1e-6  # shares closer than this are the same


class SqueezedCloud(Widget):
    """Turn a line through the origin and squeeze the cloud onto it: what the line does not hold is lost.

        M ≈ M u uᵀ, of rank 1;   kept: ‖M u‖² / ‖M‖², at most σ₁² / (σ₁² + σ₂²), by the first right singular vector

    M: (n, 2), not all zero;  angle: of u, degrees, −90 to 90;  squeezed: the points on the line, or where they were;
    tokens: n names.   Raises ValueError or TypeError.   .kept, .most -> shares;  .best -> the best angle;  .rank_one
    Source: Eckart and Young (1936).
    """

    view = "squeezed_cloud"
    M = Matrix()
    angle = Real(0.0)
    squeezed = Flag()
    tokens = Tokens()

    def __init__(self, M, tokens=None, *, angle=0.0, squeezed=False):
        super().__init__(M=M, tokens=words(tokens, count(M=M)), angle=angle, squeezed=squeezed)

    def check(self, s):
        same("the width", {"the plane": 2, "M": len(s.M[0])})
        same("the number of rows", {"M": len(s.M), "tokens": len(s.tokens)})
        if not -90 <= s.angle <= 90:
            raise StateError(f"angle must lie between −90 and 90, but is {s.angle:.4g}")
        if not np.any(s.M):
            raise StateError("M is zero: every line holds all of it")

    _u = property(lambda self: np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))]))
    _sizes = property(lambda self: np.linalg.svd(np.array(self.M), compute_uv=False))
    rank_one = property(lambda self: np.outer(np.array(self.M) @ self._u, self._u), doc="M u uᵀ.   -> (n, 2)")
    kept = property(
        lambda self: float(np.square(np.array(self.M) @ self._u).sum() / np.square(self.M).sum()), doc="-> share"
    )
    most = property(
        lambda self: float(self._sizes[0] ** 2 / np.square(self._sizes).sum()), doc="σ₁² / Σ σ².   -> share"
    )

    @property
    def best(self):
        """The angle of the first right singular vector, −90 to 90 degrees.   -> float"""
        x, y = np.array(self.M).T
        return float(np.degrees(np.arctan2(2 * x @ y, x @ x - y @ y)) / 2)

    def sentence(self):
        told = f"A line at {text.number(self.angle, 1)}° keeps {text.percent(self.kept)} of the squared lengths"
        return told + (": no line keeps more." if self.most - self.kept < EQUAL else ".")

    def tables(self):
        return [
            ("M", self.M, self.tokens, ["x", "y"]),
            ("M u uᵀ", self.rank_one, self.tokens, ["x", "y"]),
        ]

    def static(self):
        return figures.plane(self.M, self.tokens, np.mean(self.M, axis=0), [], alt=self.sentence())
