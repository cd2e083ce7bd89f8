"""A score matrix at a lower rank, and what softmax makes of it."""

import numpy as np

from attn import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Position, Tokens

NEGLIGIBLE = 1e-9  # a singular value this far below the largest counts as zero


class RankSlider(Widget):
    """Cut a score matrix to its best approximation of rank r, and see what softmax makes of it.

        S_r = Σ_{i ≤ r} σ_i u_i v_iᵀ

    S: (n, m);  rank: 0 ≤ rank ≤ min(n, m);  tokens: n names (they name the columns too when n = m).
    Raises ValueError or TypeError.   .truncated, .weights -> (n, m);  .ranks -> (of S_r, of softmax(S_r));
    .singular_values -> (min(n, m),);  .kept -> ‖S_r‖² / ‖S‖², Frobenius;
    .error -> ‖S − S_r‖ / ‖S‖;  .order -> rows and columns as the figure shows them, by u_1 and v_1.
    Source: Eckart & Young (1936).
    """

    view = "rank_slider"
    S = Matrix()
    rank = Position()
    tokens = Tokens()

    def __init__(self, S, rank, tokens=None):
        super().__init__(S=S, rank=rank, tokens=words(tokens, count(S=S)))

    def check(self, s):
        same("the number of rows", {"S": len(s.S), "tokens": len(s.tokens)})
        place("rank", s.rank, min(len(s.S), len(s.S[0])) + 1, f"ranks for a {len(s.S)}×{len(s.S[0])} matrix S")

    @property
    def singular_values(self):
        """σ_1 ≥ σ_2 ≥ …   -> (min(n, m),)"""
        return np.linalg.svd(np.array(self.S), compute_uv=False)

    @property
    def truncated(self):
        """S_r; what is rounding beside σ_1 is written as 0.   -> (n, m)"""
        u, s, vt = np.linalg.svd(np.array(self.S), full_matrices=False)
        cut = (u[:, : self.rank] * s[: self.rank]) @ vt[: self.rank]
        return np.where(abs(cut) < 1e-12 * s[0], 0, cut)

    @property
    def weights(self):
        """softmax(S_r).   -> (n, m)"""
        return softmax.softmax(self.truncated)

    @property
    def ranks(self):
        """How many singular values of S_r, and of softmax(S_r), exceed 10⁻⁹ of the largest.   -> (int, int)"""
        return _rank(self.truncated), _rank(self.weights)

    @property
    def kept(self):
        """The share of the squared length, ‖S_r‖² / ‖S‖² = Σ_{i ≤ r} σ_i² / Σ σ_i².   -> float"""
        s = self.singular_values
        return float((s[: self.rank] ** 2).sum() / (s**2).sum()) if s[0] else 1.0

    @property
    def error(self):
        """‖S − S_r‖ / ‖S‖ = √(Σ_{i > r} σ_i² / Σ σ_i²).   -> float"""
        s = self.singular_values
        return float(np.sqrt((s[self.rank :] ** 2).sum() / (s**2).sum())) if s[0] else 0.0

    @property
    def order(self):
        """Rows by u_1, columns by v_1, from the largest down; as given where no layer is the largest.

        -> (n,), (m,): at rank 1 each row rises or falls all the way. Of the two signs, u_1's largest entry is positive.
        """
        u, s, vt = np.linalg.svd(np.array(self.S), full_matrices=False)
        if not s[0] - (s[1] if len(s) > 1 else 0) > NEGLIGIBLE * s[0]:
            return np.arange(len(u)), np.arange(vt.shape[1])
        first = u[:, 0].round(9)
        sign = np.sign(first[np.abs(first).argmax()])
        return tuple(np.argsort(-sign * line.round(9), kind="stable") for line in (u[:, 0], vt[0]))

    def sentence(self):
        r, (cut, weighed) = self.rank, self.ranks
        full = max(_rank(np.array(self.S)), r, 1)
        moved = np.abs(self.weights - softmax.softmax(np.array(self.S))).max()
        told = f"S ({len(self.S)}×{len(self.S[0])}) cut to rank {r} of {full} keeps {text.percent(_clean(self.kept))}"
        ranks = f"S_{r} has rank {cut}, softmax(S_{r}) has rank {weighed}"
        return f"{told} of its squared length: {ranks}; no weight moves by more than {text.number(_clean(moved))}."

    def tables(self):
        i, j = self.order
        names = self.tokens if len(self.S) == len(self.S[0]) else [f"d{k + 1}" for k in range(len(j))]
        rows, cols = [self.tokens[k] for k in i], [names[k] for k in j]
        parts = [("S", np.array(self.S)), (f"S_{self.rank}", self.truncated)]
        parts += [(f"softmax(S_{self.rank})", self.weights)]
        sigma = [(f"σ{i + 1}", [x]) for i, x in enumerate(self.singular_values)]
        values = ("singular values of S", [row for _, row in sigma], [name for name, _ in sigma], ["σ"])
        return [*[(name, m[np.ix_(i, j)].tolist(), rows, cols) for name, m in parts], values]

    def static(self):
        tables = self.tables()[:3]
        parts = [(name, values, cols) for name, values, _, cols in tables]
        return figures.matrices(parts, tables[0][2], title=f"Rank {self.rank}, and what softmax makes of it")


def _rank(a):
    s = np.linalg.svd(a, compute_uv=False)
    return int((s > NEGLIGIBLE * s[0]).sum())


def _clean(x):
    return 0.0 if x < 1e-9 else float(x)
