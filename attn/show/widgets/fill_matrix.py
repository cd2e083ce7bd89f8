"""Fill one matrix with more and more pairs: how many does it still give back?"""

import numpy as np

from attn import core, memory
from attn.axes import numeric
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import same
from attn.show.kit.traits import Matrix, Position, StateError

SHARPNESS = 20.0  # what softmax multiplies the products of unit keys by
RULES = "adding", "correcting", "softmax"
MIDDLE = 0.1, 0.9  # the band of a curve: eight draws of ten


class FillMatrix(Widget):
    """Write the first n pairs, then ask every key again: right is who reads nearest to its own value.

        adding: K Kᵀ V        correcting: the delta rule with β = 1        softmax: softmax(20 K Kᵀ) V

    K: (N, d) and V: (N, e), or several draws of both, (draws, N, d) and (draws, N, e); unit rows are meant, N ≤ 128
    n: pairs written to begin with, 1 to N, or half a key's width.   Raises ValueError or TypeError.
    The shares are means over the draws, and a band holds the middle eight in ten. Only the first draw is
    kept, rounded, for the picture.
    .right -> {"adding": share, "correcting": …, "softmax": …};  .spread -> {rule: (low, high)};  .crosstalk -> K Kᵀ of
    the pairs written, (n, n);  .matrices -> {rule: (d, e)}.
    Source: ours; Schlag et al. (2021) ask how many pairs such a memory holds.
    """

    view = "fill_matrix"
    K = Matrix()
    V = Matrix()
    answers = Matrix()  # for each number of pairs: the mean share of each rule, then the low and the high ends
    size = Matrix()  # [[draws, width of a value]]
    n = Position()

    def __init__(self, K, V, n=None):
        K, V = (array[None] if array.ndim == 2 else array for array in numeric(K=K, V=V))
        for name, array in (("K", K), ("V", V)):
            if array.ndim != 3 or 0 in array.shape:
                raise StateError(f"{name} must be (N, width) or (draws, N, width), not {array.shape}")
            if not np.isfinite(array).all():
                raise StateError(f"{name} must be finite")
        same("the number of draws", {"K": len(K), "V": len(V)})
        same("the number of pairs", {"K": K.shape[1], "V": V.shape[1]})
        if K.shape[1] > 128:
            raise StateError(f"this figure holds up to 128 pairs, but there are {K.shape[1]}")
        shares = answered(K, V)
        ends = np.quantile(shares, MIDDLE, axis=-1)
        table = np.concatenate([shares.mean(-1).round(4), *ends.round(2)], axis=1)
        n = min(max(1, K.shape[2] // 2), K.shape[1]) if n is None else n
        super().__init__(K=K[0].round(2), V=V[0].round(2), answers=table, size=[[len(K), V.shape[2]]], n=n)

    def check(self, s):
        same("the number of pairs", {"K": len(s.K), "V": len(s.V), "answers": len(s.answers)})
        if not 1 <= s.n <= len(s.K):
            raise StateError(f"n must lie between 1 and {len(s.K)}, but is {s.n}")

    @property
    def crosstalk(self):
        """How far the keys written lean on one another.   -> (n, n)"""
        K = np.array(self.K[: self.n])
        return K @ K.T

    @property
    def right(self):
        """The share of keys that read nearest to their own value, in the mean over the draws.   -> {rule: float}"""
        return dict(zip(RULES, self.answers[self.n - 1], strict=False))

    @property
    def spread(self):
        """Between which shares the middle eight of ten draws lie.   -> {rule: (low, high)}"""
        row = self.answers[self.n - 1]
        return dict(zip(RULES, zip(row[3:6], row[6:], strict=True), strict=True))

    @property
    def matrices(self):
        """The matrix of each rule in the draw shown.   -> {"adding": (d, e), "correcting": (d, e)}"""
        K, V = (np.array(x[: self.n]) for x in (self.K, self.V))
        return {rule: memory.recurrent(K, K, V, erase=rule == "correcting")[1] for rule in RULES[:2]}

    @property
    def nearest(self):
        """In the draw shown, whose value each key reads nearest to.   -> {"adding": (n,), "correcting": (n,)}"""
        K, V = (np.array(x[: self.n]) for x in (self.K, self.V))
        return {rule: (K @ Z @ V.T).argmax(-1) for rule, Z in self.matrices.items()}

    def sentence(self):
        told = ", ".join(f"{rule} answers {text.percent(share)}" for rule, share in self.right.items())
        draws, width = map(int, self.size[0])
        mean = f", in the mean of {draws} draws" if draws > 1 else ""
        size = f"{len(self.K[0])} × {width}"
        pairs = "1 pair" if self.n == 1 else f"{self.n} pairs"
        return f"{pairs} written into a matrix of {size}: {told} of its keys right{mean}."

    def tables(self):
        total = len(self.K)
        counts = sorted({self.n, total} | {2**i for i in range(7) if 2**i <= total})
        shares = [self.answers[n - 1][:3] for n in counts]
        return [("Keys answered right", shares, [f"{n} written" for n in counts], list(RULES))]

    def static(self):
        right = self.right
        return figures.bars(list(right.values()), list(right), title=self.sentence())


def answered(K, V):
    """Who reads nearest to its own value, after each pair.   K: (draws, N, d), V: (draws, N, e) -> (N, 3, draws)"""
    adding = correcting = np.zeros((len(K), K.shape[2], V.shape[2]))
    shares = []
    for n in range(1, K.shape[1] + 1):
        keys, values = K[:, :n], V[:, :n]
        k, v = keys[:, -1:], values[:, -1:]
        adding = adding + k.mT @ v
        correcting = correcting + k.mT @ (v - k @ correcting)
        read = keys @ adding, keys @ correcting, core.softmax(SHARPNESS * keys @ keys.mT) @ values
        shares.append([((x @ values.mT).argmax(-1) == np.arange(n)).mean(-1) for x in read])
    return np.array(shares)
