"""Figures about matrices as such: turning one round, one product of two vectors, one matrix at a lower rank."""

import numpy as np

from attn import softmax
from attn.show import figures, text
from attn.show.base import Widget, count, place, same, words
from attn.show.traits import Matrix, Name, Position, Tokens, Vector

NEGLIGIBLE = 1e-9  # a singular value this far below the largest counts as zero


class Transpose(Widget):
    """Turn a matrix round, one pair of entries at a time: the diagonal stays, the others change places.

    M: (n, m);  rows: n names;  cols: m names;  name: what the matrix is called.
    step: 0 shows M, the last shows Mᵀ; there is one step for every pair of places mirrored at the diagonal.
    Raises ValueError or TypeError, naming the argument and both sizes.   .transposed -> (m, n)
    """

    view = "transpose"
    M = Matrix()
    rows = Tokens()
    cols = Tokens()
    name = Name("M")
    step = Position()

    def __init__(self, M, rows=None, cols=None, *, name="M", step=0):
        n = count(M=M)
        cols = [f"d{j + 1}" for j in range(np.shape(M)[1])] if cols is None else cols
        super().__init__(M=M, rows=words(rows, n), cols=cols, name=name, step=step)

    def check(self, s):
        same("the number of rows", {"M": len(s.M), "rows": len(s.rows)})
        same("the number of columns", {"M": len(s.M[0]), "cols": len(s.cols)})
        place("step", s.step, len(_mirrored(len(s.M), len(s.M[0]))) + 1, "steps")

    @property
    def transposed(self):
        """Mᵀ.   -> (m, n)"""
        return np.array(self.M).T

    def sentence(self):
        n, m = len(self.M), len(self.M[0])
        pairs, name = _mirrored(n, m), text.label(self.name)
        start = f"Step {self.step} of {len(pairs)}: "
        if self.step == 0:
            return f"{start}{name} ({n}×{m}), whose diagonal {text.vector(np.diag(self.M))} will stay."
        i, j = pairs[self.step - 1]
        held = [
            f"row {a + 1}, column {b + 1} ({text.number(self.M[a][b])})" for a, b in ((i, j), (j, i)) if a < n and b < m
        ]
        to = (j, i) if i < n and j < m else (i, j)
        moved = " and ".join(held) + (
            " change places" if len(held) == 2 else f" moves to row {to[0] + 1}, column {to[1] + 1}"
        )
        end = f"; that makes {name}ᵀ ({m}×{n})" if self.step == len(pairs) else ""
        return f"{start}{moved}{end}."

    def tables(self):
        name = text.label(self.name)
        return [(name, self.M, self.rows, self.cols), (f"{name}ᵀ", self.transposed, self.cols, self.rows)]

    def static(self):
        name = f"{text.label(self.name)}ᵀ"
        return figures.heatmap(self.transposed, self.cols, self.rows, kind="signed", name=name, title=name)


def _mirrored(n, m):
    """The places (i, j) above the diagonal, with (j, i), of which an (n, m) matrix has at least one."""
    size = max(n, m)
    return [(i, j) for i in range(size) for j in range(i + 1, size) if (i < n and j < m) or (j < n and i < m)]


class DotProduct(Widget):
    """Step through one dot product: the products light up one by one and a running total grows.

        q · k = Σ_c q_c k_c

    q, k: (d,);  names: what the two are called.   step: how many products are added, 0 ≤ step ≤ d.
    Raises ValueError or TypeError.   .total -> float, the whole sum;  .running -> float, the sum up to this step
    """

    view = "dot_product"
    q = Vector()
    k = Vector()
    names = Tokens()
    step = Position()

    def __init__(self, q, k, names=("q", "k"), *, step=0):
        super().__init__(q=q, k=k, names=names, step=step)

    def check(self, s):
        same("the width d", {"q": len(s.q), "k": len(s.k)})
        same("how many vectors there are", {"a dot product": 2, "names": len(s.names)})
        place("step", s.step, len(s.q) + 1, "steps")

    @property
    def total(self):
        """q · k, the whole sum.   -> float"""
        return self._sum(len(self.q))

    @property
    def running(self):
        """The sum of the products shown so far.   -> float"""
        return self._sum(self.step)

    def _sum(self, terms):
        return float(sum(a * b for a, b in zip(self.q[:terms], self.k, strict=False)))

    def sentence(self):
        d, t = len(self.q), self.step
        names = " · ".join(text.bare(name) for name in self.names)
        if t == 0:
            return f"Step 0 of {d}: {names} is a sum of {d} product{'s' * (d > 1)}, not yet added."
        product = text.products(self.q[t - 1 : t], self.k[t - 1 : t])
        added = text.number(self.q[t - 1] * self.k[t - 1])
        told = f"Step {t} of {d}: {product} = {added}, running total {text.number(self.running)}"
        return f"{told}. So {names} = {text.number(self.total)}." if t == d else f"{told}."

    def tables(self):
        products = [a * b for a, b in zip(self.q, self.k, strict=True)]
        names = [text.label(name) for name in self.names]
        return [(f"{' · '.join(names)} = {text.number(self.total)}", [self.q, self.k, products], [*names, "×"], None)]

    def static(self):
        ((caption, values, rows, _),) = self.tables()
        cols = figures.axes_names(len(self.q))
        return figures.heatmap(values, rows, cols, kind="signed", name=caption)


class RankSlider(Widget):
    """Cut a score matrix to its best approximation of rank r, and see what softmax makes of it.

        S_r = Σ_{i ≤ r} σ_i u_i v_iᵀ

    S: (n, m);  rank: 0 ≤ rank ≤ min(n, m);  tokens: n names (they name the columns too when n = m).
    Raises ValueError or TypeError.   .truncated, .weights -> (n, m);  .ranks -> (of S_r, of softmax(S_r));
    .singular_values -> (min(n, m),);  .error -> ‖S − S_r‖ / ‖S‖, Frobenius.  Source: Eckart & Young (1936).
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
    def error(self):
        """‖S − S_r‖ / ‖S‖ = √(Σ_{i > r} σ_i² / Σ σ_i²).   -> float"""
        s = self.singular_values
        return float(np.sqrt((s[self.rank :] ** 2).sum() / (s**2).sum())) if s[0] else 0.0

    def sentence(self):
        r, (cut, weighed), full = self.rank, self.ranks, min(len(self.S), len(self.S[0]))
        moved = np.abs(self.weights - softmax.softmax(np.array(self.S))).max()
        told = f"S ({len(self.S)}×{len(self.S[0])}) cut to rank {r} of {full}, error {text.percent(_clean(self.error))}"
        ranks = f"S_{r} has rank {cut}, softmax(S_{r}) has rank {weighed}"
        return f"{told}: {ranks}; no weight moves by more than {text.number(_clean(moved))}."

    def tables(self):
        cols = self.tokens if len(self.S) == len(self.S[0]) else None
        parts = [("S", self.S), (f"S_{self.rank}", self.truncated), (f"softmax(S_{self.rank})", self.weights)]
        sigma = [(f"σ{i + 1}", [x]) for i, x in enumerate(self.singular_values)]
        values = ("singular values of S", [row for _, row in sigma], [name for name, _ in sigma], ["σ"])
        return [*[(name, m, self.tokens, cols) for name, m in parts], values]

    def static(self):
        cols = [self.tokens] if len(self.S) == len(self.S[0]) else []
        parts = [(name, values, *cols) for name, values, *_ in self.tables()[:3]]
        return figures.matrices(parts, self.tokens, title=f"Rank {self.rank}, and what softmax makes of it")


def _rank(a):
    s = np.linalg.svd(a, compute_uv=False)
    return int((s > NEGLIGIBLE * s[0]).sum())


def _clean(x):
    return 0.0 if x < 1e-9 else float(x)
