"""Matrices known by two thin factors, and angles between the subspaces that such factors span."""

from dataclasses import dataclass

import numpy as np

from attn.axes import expect, numeric, working


@dataclass(frozen=True, eq=False, repr=False)
class LowRank:
    """A matrix known by two thin factors, multiplied out only when asked.

        M = left · right

    left: (..., p, r)   right: (..., r, q)   stands for   (..., p, q); leading axes are several matrices at once.
    `@` with another LowRank stays low-rank; `@` with an array gives an array. Half precision becomes float32.
    Raises ValueError where axes disagree.
    Source: the low-rank factorisation of Elhage et al. (2021)'s circuits.

        >>> LowRank(np.ones((5, 2)), np.ones((2, 4)))
        LowRank 5 × 4, rank at most 2
    """

    left: np.ndarray
    right: np.ndarray

    __array_ufunc__ = None  # so that array @ circuit comes to __rmatmul__ here

    def __post_init__(self):
        (left, right), _ = working(*numeric(left=self.left, right=self.right))
        expect(left=(left, "... p r"), right=(right, "... r q"))
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)

    @property
    def shape(self):
        """The shape of the matrix it stands for: (..., p, q)."""
        leading = np.broadcast_shapes(self.left.shape[:-2], self.right.shape[:-2])
        return (*leading, self.left.shape[-2], self.right.shape[-1])

    @property
    def mT(self):
        """The transpose: (left right)ᵀ = rightᵀ leftᵀ, shape (..., q, p)."""
        return LowRank(self.right.mT, self.left.mT)

    def __repr__(self):
        return f"LowRank {' × '.join(map(str, self.shape))}, rank at most {self.left.shape[-1]}"

    def __getitem__(self, index):
        """Pick among leading axes: circuits[3] is head 3's."""
        if self.left.ndim != len(self.shape) or self.right.ndim != len(self.shape) or self.left.ndim < 3:
            raise TypeError(f"{self!r} has no leading axis to pick from; its entries are in .matrix()")
        return LowRank(self.left[index], self.right[index])

    def __matmul__(self, other):
        if not isinstance(other, LowRank):
            return self.left @ (self.right @ other)
        middle = self.right @ other.left
        if middle.shape[-2] <= middle.shape[-1]:  # keep the thinner of the two inner widths
            return LowRank(self.left, middle @ other.right)
        return LowRank(self.left @ middle, other.right)

    def __rmatmul__(self, other):
        return (other @ self.left) @ self.right

    def matrix(self):
        """Multiply out: left · right, shape (..., p, q)."""
        return self.left @ self.right

    def between(self, before, after):
        """before · M · after, still low-rank: a circuit from vocabulary to vocabulary costs no (V, V) matrix.

        before: (..., a, p)   after: (..., q, b)   ->   LowRank (..., a, b).
        """
        return LowRank(before @ self.left, self.right @ after)

    def trace(self):
        """tr(left · right) = tr(right · left) = Σ left_ij right_ji. M square: (..., p, p)   ->   (...,)."""
        self._square("trace")
        return (self.left * self.right.mT).sum((-2, -1))

    def eigenvalues(self):
        """The eigenvalues that may differ from 0, largest first: those of the small product right · left.

            left · right and right · left have the same non-zero eigenvalues

        M square: (..., p, p)   ->   complex (..., min(p, r)); the remaining p − r are 0.
        Raises ValueError unless M is square.
        Source: Sylvester's determinant identity, det(λ − LR) = λ^(p−r) det(λ − RL).
        """
        self._square("eigenvalues")
        found = np.linalg.eigvals(self.right @ self.left).astype(complex)
        order = np.argsort(-abs(found), axis=-1, kind="stable")
        return np.take_along_axis(found, order, -1)[..., : self.shape[-1]]

    def singular_values(self):
        """The singular values that may differ from 0, largest first, from two thin QR factorisations.

            left = Q₁R₁, rightᵀ = Q₂R₂   ⇒   M = Q₁ (R₁R₂ᵀ) Q₂ᵀ:   the small middle has M's singular values

        ->   (..., min(p, q, r)). Source: orthonormal factors on either side leave them alone.
        """
        return np.linalg.svd(self._middle(), compute_uv=False)

    def norm(self):
        """The Frobenius norm ‖left · right‖, from the same small middle. (..., p, q)   ->   (...,)."""
        return np.linalg.norm(self._middle(), axis=(-2, -1))

    def _middle(self):
        return np.linalg.qr(self.left, mode="r") @ np.linalg.qr(self.right.mT, mode="r").mT

    def _square(self, what):
        p, q = self.shape[-2:]
        if p != q:
            raise ValueError(f"{what}: only a square matrix has this, but {self!r} is {p} × {q}")


def principal_angles(a, b):
    """The angles between two subspaces, smallest first: 0 where they share a direction, π/2 where orthogonal.

        cos θ_i = σ_i(Q_aᵀ Q_b),   Q_a, Q_b orthonormal bases of the columns of a and b

    a: (p, r)   b: (p, s)   ->   (min(rank a, rank b),), radians. A head writes into the rows of its W_O: pass w_o.T.
    Small angles come from sines, which see what a cosine near 1 rounds away. Raises ValueError where axes disagree.
    Source: Björck & Golub (1973).

        >>> principal_angles(np.eye(3)[:, :2], np.eye(3)[:, 2:]) / np.pi
        array([0.5])
    """
    (a, b), _ = working(*numeric(a=a, b=b))
    expect(a=(a, "p r"), b=(b, "p s"))
    wide, thin = sorted((_basis(a), _basis(b)), key=lambda q: -q.shape[1])
    cosines = np.linalg.svd(wide.T @ thin, compute_uv=False)
    sines = np.linalg.svd(thin - wide @ (wide.T @ thin), compute_uv=False)[::-1]
    small = cosines > 0.5**0.5
    return np.where(small, np.arcsin(np.minimum(sines, 1)), np.arccos(np.minimum(cosines, 1)))


def overlap(a, b):
    """How much of the smaller subspace lies in the other: 1 if it is contained, 0 if they are orthogonal.

        mean_i cos² θ_i

    a: (p, r)   b: (p, s)   ->   a number in [0, 1]; two random subspaces of widths r ≥ s overlap by about r/p.
    Raises ValueError where axes disagree. Source: the mean of squared cosines of principal_angles.

        >>> round(overlap(np.eye(3)[:, :2], np.eye(3)[:, 1:]), 6)
        0.5
    """
    angles = principal_angles(a, b)
    return float((np.cos(angles) ** 2).mean()) if angles.size else 0.0


def _basis(a):
    """Orthonormal columns spanning those of a; directions at rounding level do not count."""
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    return u[:, s > s.max(initial=0) * max(a.shape) * np.finfo(a.dtype).eps]
