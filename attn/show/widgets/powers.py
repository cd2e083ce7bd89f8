"""Three words' weights as points of a triangle, and how the rows of Aⁿ walk to one place."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same, words
from attn.show.kit.traits import Matrix, Position, StateError, Tokens

MOST = 24  # steps


class Powers(Widget):
    """Let the rows of a 3 × 3 stochastic matrix walk: row i of Aⁿ is where n looks from word i lead.

        Aⁿ = A · Aⁿ⁻¹ → 1πᵀ,   where π = πA

    A: (3, 3), rows of weights;  tokens: three names;  power: n, 0 to 24.   Raises ValueError or TypeError.
    .power_of_a -> (3, 3);  .pi -> (3,), the place where nothing moves any more, or None where there are several
    """

    view = "powers"
    A = Matrix()
    tokens = Tokens()
    power = Position()

    def __init__(self, A, tokens=None, power=1):
        super().__init__(A=A, tokens=words(tokens, count(A=A)), power=power)

    def check(self, s):
        same(
            "the number of words", {"the triangle": 3, "A": len(s.A), "A’s rows": len(s.A[0]), "tokens": len(s.tokens)}
        )
        if min(map(min, s.A)) < -1e-9 or any(abs(sum(row) - 1) > 1e-6 for row in s.A):
            raise StateError("the rows of A must be weights: none negative, and their sum 1")
        if not 0 <= s.power <= MOST:
            raise StateError(f"power must lie between 0 and {MOST}, but is {s.power}")

    power_of_a = property(lambda self: np.linalg.matrix_power(np.array(self.A), self.power), doc="Aⁿ.   -> (3, 3)")

    @property
    def pi(self):
        """The row with π = πA: by the matrix-tree theorem, the minors of I − A.   -> (3,) or None"""
        rest = np.eye(3) - self.A
        minors = np.array([np.linalg.det(np.delete(np.delete(rest, i, 0), i, 1)) for i in range(3)])
        return minors / minors.sum() if minors.sum() > 1e-9 else None

    def sentence(self):
        rows = self.power_of_a
        told = ", ".join(
            f"{text.quoted(t)} {text.vector(row, text.slight)}" for t, row in zip(self.tokens, rows, strict=True)
        )
        apart = text.slight(np.ptp(rows, axis=0).max())
        still = "at several places" if self.pi is None else f"at π = {text.vector(self.pi, text.slight)}"
        looks = "1 look" if self.power == 1 else f"{self.power} looks"
        return f"After {looks}: {told}. The rows are up to {apart} apart; nothing moves {still}."

    def tables(self):
        parts = [("A", self.A), (f"A to the power {self.power}", self.power_of_a)]
        both = [(name, rows, self.tokens, self.tokens) for name, rows in parts]
        return both if self.pi is None else [*both, ("π", [self.pi], ["π"], self.tokens)]

    def static(self):
        return figures.heatmap(self.power_of_a, self.tokens, title=self.sentence())
