"""What a head does to the residual stream, as two low-rank matrices.

A head never uses W_Q, W_K, W_V, W_O by themselves. Its scores see only W_Q W_Kᵀ and its output only W_V W_O: two
c × c matrices of rank at most d. They are kept as pairs of thin factors, because everything worth asking of them
(eigenvalues, norms, products with other circuits) can be answered by d × d work.

Rows are tokens, so circuits act from the right: x W_V W_O. Elhage et al. (2021) write columns, that is, the transposes.
"""

import numpy as np

from attn.axes import expect, groups, numeric
from attn.heads import repeat_kv, split
from attn.lowrank import LowRank, overlap


def qk(w_q, w_k, *, heads=None, kv_heads=None):
    """What a head's scores see of its weights: a bilinear form on the residual stream.

        score(x, y) = scale · x (W_Q W_Kᵀ) yᵀ

    w_q: (..., c, d)   w_k: (..., c', d)   ->   LowRank (..., c, c').
    With heads, the wide matrices w_q (c, h·d) and w_k (c', g·d) are cut into heads: LowRank (h, c, c'); kv_heads = g
    (h unless given) are repeated. Raises ValueError where axes disagree or heads do not divide.
    Source: Elhage et al. (2021), the QK circuit.

        >>> qk(np.ones((5, 6)), np.ones((5, 6)), heads=3)
        LowRank 3 × 5 × 5, rank at most 2
    """
    w_q, w_k = numeric(w_q=w_q, w_k=w_k)
    if heads is not None:
        w_q, w_k = split(w_q, heads), _shared(w_k, heads, kv_heads)
    expect(w_q=(w_q, "... c d"), w_k=(w_k, "... k d"))
    return LowRank(w_q, w_k.mT)


def ov(w_v, w_o, *, heads=None, kv_heads=None):
    """What a head writes when it looks at a token: a linear map of the residual stream.

        written(x) = x (W_V W_O)

    w_v: (..., c, e)   w_o: (..., e, c')   ->   LowRank (..., c, c').
    With heads, the wide matrices w_v (c, g·e) and w_o (h·e, c') are cut into heads: LowRank (h, c, c').
    Raises ValueError where axes disagree or heads do not divide. Source: Elhage et al. (2021), the OV circuit.

        >>> ov(np.ones((5, 2)), np.ones((2, 5)))
        LowRank 5 × 5, rank at most 2
    """
    w_v, w_o = numeric(w_v=w_v, w_o=w_o)
    if heads is not None:
        w_v, w_o = _shared(w_v, heads, kv_heads), split(w_o.mT, heads).mT
    expect(w_v=(w_v, "... c e"), w_o=(w_o, "... e k"))
    return LowRank(w_v, w_o)


def copying_score(circuit):
    """Does a circuit answer each token with more of the same? 1: all eigenvalues positive, −1: all negative.

        Σ λ / Σ |λ|

    circuit: LowRank (..., p, p), often ov.between(embed, unembed)   ->   (...,) in [−1, 1]; 0 if every λ is 0.
    Raises ValueError unless square. Source: Elhage et al. (2021), "copying" and the eigenvalues of OV circuits.

        >>> round(float(copying_score(ov(np.eye(2), [[3.0, 0.0], [0.0, -1.0]]))), 6)
        0.5
    """
    values = circuit.eigenvalues()
    total = abs(values).sum(-1)
    return values.sum(-1).real / np.where(total == 0, 1, total)  # complex ones come in pairs: the sum is real


def q_composition(earlier_ov, later_qk):
    """How much of what an earlier head writes reaches a later head's queries.

        ‖W_OV W_QK‖ / (‖W_OV‖ ‖W_QK‖)   (Frobenius)

    earlier_ov, later_qk: LowRank (..., c, c)   ->   (...,) in [0, 1]. For all pairs of heads pass leading axes (a, 1)
    and (b,). Random circuits do not score 0 but about 1/√c: compare with that. Raises ValueError where axes disagree.
    Source: Elhage et al. (2021), composition scores.

        >>> e = np.eye(3)
        >>> round(float(q_composition(LowRank(e[:, :1], e[1:2]), LowRank(e[:, 1:2], e[2:]))), 6)
        1.0
    """
    return _composition(earlier_ov, later_qk)


def k_composition(earlier_ov, later_qk):
    """How much of what an earlier head writes reaches a later head's keys: induction heads live on it.

        ‖W_QK W_OVᵀ‖ / (‖W_QK‖ ‖W_OV‖)   (Frobenius)

    Shapes, baseline, errors and source: as q_composition. (..., c, c), (..., c, c)   ->   (...,).

        >>> e = np.eye(3)
        >>> round(float(k_composition(LowRank(e[:, :1], e[1:2]), LowRank(e[:, :1], e[1:2]))), 6)
        1.0
    """
    return _composition(later_qk, earlier_ov.mT)


def v_composition(earlier_ov, later_ov):
    """How much of what an earlier head writes a later head moves on: two heads acting as one virtual head.

        ‖W_OV W_OV'‖ / (‖W_OV‖ ‖W_OV'‖)   (Frobenius)

    Shapes, baseline, errors and source: as q_composition. (..., c, c), (..., c, c)   ->   (...,).

        >>> e = np.eye(3)
        >>> round(float(v_composition(LowRank(e[:, :1], e[1:2]), LowRank(e[:, 2:], e[:1]))), 6)
        0.0
    """
    return _composition(earlier_ov, later_ov)


def write_overlap(w_o, heads):
    """How much the heads' places in the residual stream coincide: each writes into the rows of its block of W_O.

        overlap_st = mean_i cos² θ_i between the row spaces of W_Oˢ and W_Oᵗ

    w_o: (h·e, c)   ->   (h, h), symmetric, 1 on the diagonal; unrelated heads overlap by about e/c.
    Raises ValueError unless heads divides w_o's rows. Source: principal angles, Björck & Golub (1973).

        >>> write_overlap(np.eye(4)[[0, 1, 1, 2]], 2).round(6)
        array([[1. , 0.5],
               [0.5, 1. ]])
    """
    blocks = split(numeric(w_o=w_o).mT, heads)
    return np.array([[overlap(a, b) for b in blocks] for a in blocks])


def _shared(w, heads, kv_heads):
    """Key or value weights cut into heads, each repeated for the heads that share it."""
    h, g = groups(heads, kv_heads)
    return repeat_kv(split(w, g), h // g)


def _composition(first, second):
    scale = first.norm() * second.norm()
    return (first @ second).norm() / np.where(scale == 0, 1, scale)
