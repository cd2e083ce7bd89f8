"""Cut time once: the block future × past, its singular values, and the rows of memory it needs."""

import numpy as np

from attn import core, masks, memory
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, same
from attn.show.kit.traits import Matrix, Position, Real, StateError

NEGLIGIBLE = 1e-9  # a singular value this far below the largest counts as zero, as in rank_slider


class CutTime(Widget):
    """Move a cut through the text: how many rows must a memory have to carry the past across it?

        block = C[cut:, :cut];   rows needed: the least r whose best approximation is within 1 %

    Q, K: (n, d), n ≤ 64;  cut: 0 < cut < n;  sharpness: what the scores of softmax are multiplied by, 0 to 10.
    Raises ValueError or TypeError.   .matrices -> {name: (n, n)}, of softmax and of a memory that adds;
    .spectra -> {name: singular values of the block}.  Source: Dao and Gu (2024), for the memory's rank.
    """

    view = "cut_time"
    Q = Matrix()
    K = Matrix()
    cut = Position()
    sharpness = Real(1.0)

    def __init__(self, Q, K, cut=None, sharpness=1.0):
        super().__init__(Q=Q, K=K, cut=count(K=K) // 2 if cut is None else cut, sharpness=sharpness)

    def check(self, s):
        same("the number of tokens", {"Q": len(s.Q), "K": len(s.K)})
        same("the width d", {"Q": len(s.Q[0]), "K": len(s.K[0])})
        if not 2 <= len(s.K) <= 64:
            raise StateError(f"this figure cuts texts of 2 to 64 tokens, but there are {len(s.K)}")
        if not 0 < s.cut < len(s.K):
            raise StateError(f"cut must lie between 1 and {len(s.K) - 1}, but is {s.cut}")
        if not 0 <= s.sharpness <= 10:
            raise StateError(f"sharpness must lie between 0 and 10, but is {s.sharpness:.4g}")

    @property
    def matrices(self):
        """The causal matrices.   -> {"softmax": (n, n), "adding": (n, n)}"""
        Q, K = np.array(self.Q), np.array(self.K)
        scores = self.sharpness * core.scores(Q, K)
        return {"softmax": core.softmax(scores, masks.causal(len(K))), "adding": memory.matrix(Q, K, erase=False)}

    @property
    def spectra(self):
        """The singular values of each block future × past, falling.   -> {name: (min(future, past),)}"""
        return {name: np.linalg.svd(c[self.cut :, : self.cut], compute_uv=False) for name, c in self.matrices.items()}

    @property
    def rows(self):
        """(rank, rows needed for 1 %) of each block.   -> {name: (int, int)}"""
        counted = {}
        for name, s in self.spectra.items():
            tail = np.sqrt((s[::-1] ** 2).cumsum()[::-1])
            counted[name] = int((s > NEGLIGIBLE * s[0]).sum()), int((tail > 0.01 * tail[0]).sum())
        return counted

    @property
    def growth(self):
        """The rows needed for 1 % at every cut, 1 to n − 1.   -> {name: (n − 1,)}"""
        every = [CutTime(self.Q, self.K, cut, self.sharpness).rows for cut in range(1, len(self.K))]
        return {name: [rows[name][1] for rows in every] for name in self.matrices}

    def sentence(self):
        n = len(self.K)
        told = "; ".join(f"{name}: rank {rank}, {rows} rows for 1%" for name, (rank, rows) in self.rows.items())
        return f"Cut after {self.cut} of {n} tokens, scores × {text.number(self.sharpness)}: {told}."

    def tables(self):
        spectra = list(self.spectra.values())
        names = [f"σ{i + 1}" for i in range(len(spectra[0]))]
        return [("Singular values of future × past", np.array(spectra).T, names, list(self.spectra))]

    def static(self):
        spectra = {name: s[s > NEGLIGIBLE * s[0]] / s[0] for name, s in self.spectra.items()}
        count_ = {name: np.arange(1, len(s) + 1) for name, s in spectra.items()}
        return figures.curves(
            count_, spectra, log="y", across="number of the singular value", up="size", alt=self.sentence()
        )
