"""Fill one matrix with more and more pairs: how many does it still give back?"""

import numpy as np

from attn import core, memory
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same
from attn.show.kit.traits import Matrix, Position, StateError

SHARPNESS = 20.0  # what softmax multiplies the products of unit keys by


class FillMatrix(Widget):
    """Write the first n pairs, then ask every key again: right is who reads nearest to its own value.

        adding: K Kᵀ V        correcting: the delta rule with β = 1        softmax: softmax(20 K Kᵀ) V

    K: (N, d) and V: (N, e), unit rows are meant, N ≤ 128;  n: pairs written, 1 to N.   Raises ValueError or TypeError.
    .crosstalk -> K Kᵀ of the pairs written, (n, n);  .right -> {"adding": share, "correcting": …, "softmax": …}.
    Source: ours; Schlag et al. (2021) ask how many pairs such a memory holds.
    """

    view = "fill_matrix"
    K = Matrix()
    V = Matrix()
    n = Position()

    def __init__(self, K, V, n=None):
        super().__init__(K=K, V=V, n=count(K=K) // 2 if n is None else n)

    def check(self, s):
        same("the number of pairs", {"K": len(s.K), "V": len(s.V)})
        if len(s.K) > 128:
            raise StateError(f"this figure holds up to 128 pairs, but there are {len(s.K)}")
        if not 1 <= s.n <= len(s.K):
            raise StateError(f"n must lie between 1 and {len(s.K)}, but is {s.n}")

    @property
    def crosstalk(self):
        """How far the keys written lean on one another.   -> (n, n)"""
        K = np.array(self.K[: self.n])
        return K @ K.T

    @property
    def right(self):
        """The share of keys that read nearest to their own value.   -> {rule: float}"""
        K, V, overlap = np.array(self.K[: self.n]), np.array(self.V[: self.n]), self.crosstalk
        weights = {
            "adding": overlap,
            "correcting": K @ memory.recurrent(K, K, np.eye(self.n))[1],
            "softmax": core.softmax(SHARPNESS * overlap),
        }
        own = np.arange(self.n)
        return {rule: float(((w @ V @ V.T).argmax(1) == own).mean()) for rule, w in weights.items()}

    def sentence(self):
        told = ", ".join(f"{rule} answers {text.percent(share)}" for rule, share in self.right.items())
        size = f"{len(self.K[0])} × {len(self.V[0])}"
        return f"{self.n} pairs written into a matrix of {size}: {told} of its keys right."

    def tables(self):
        shares = list(self.right.items())
        return [("Keys answered right", [[share] for _, share in shares], [rule for rule, _ in shares], ["share"])]

    def static(self):
        right = self.right
        return figures.bars(list(right.values()), list(right), title=self.sentence())
