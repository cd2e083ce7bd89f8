"""Online softmax: attention over some of the keys, and how such pieces merge.

A row of softmax needs its maximum m, its sum ℓ = Σ exp(s_j − m) and its average o = Σ exp(s_j − m) v_j. All three
can be had from pieces of the row in any order, because pieces merge: bring both to one maximum, then add.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from attn.axes import expect, numeric, working
from attn.core import scores, weighted_sum
from attn.masks import apply, forbid


class Partial(NamedTuple):
    """Attention over some of the keys, not yet divided. The neutral element of merge is (−inf, 0, 0).

    m: the largest score, −inf if there is none   (..., n)
    l: Σ_j exp(s_j − m)   (..., n)
    o: Σ_j exp(s_j − m) v_j   (..., n, e)

        >>> Partial(m=np.array([0.0]), l=np.array([2.0]), o=np.array([[6.0]])).o
        array([[6.]])
    """

    m: np.ndarray
    l: np.ndarray
    o: np.ndarray


def partial(q, k, v, mask=None, *, scale=None):
    """Attend to some of the keys and stop before the division, so that the rest can be merged in later.

        m = max_j s_j,   ℓ = Σ_j exp(s_j − m),   o = Σ_j exp(s_j − m) v_j,   s = mask(scale · Q Kᵀ)

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   Partial(m, l, o), in the dtype computed in.
    Over no keys at all it is the neutral element of merge. Arguments and errors: as scaled_dot_product_attention.
    Source: Milakov & Gimelshein (2018), §3, for m and ℓ; Rabe & Staats (2021) for o.

        >>> partial([[1.0]], [[0.0], [0.0]], [[2.0], [4.0]])
        Partial(m=array([0.]), l=array([2.]), o=array([[6.]]))
    """
    q, k, v = numeric(q=q, k=k, v=v)
    expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    (q, k, v), _ = working(q, k, v)
    s = scores(q, k, scale=scale)
    s = s if mask is None else apply(mask, s)
    with np.errstate(invalid="ignore", under="ignore"):
        return piece(s, v, calm=np.zeros(s.shape[:-1], bool), sound=False)


def merge(a, b):
    """Two partial results over different keys, joined. Associative and commutative: any split, any order.

        m = max(m_a, m_b),   ℓ = ℓ_a e^(m_a − m) + ℓ_b e^(m_b − m),   o = o_a e^(m_a − m) + o_b e^(m_b − m)

    a, b: Partial with m, l (..., n) and o (..., n, e)   ->   Partial. Nothing is approximated: each term is
    multiplied by e^(m_old − m_new), which is what taking the new maximum from the start would have made of it.
    Raises ValueError where the axes n or e disagree. Source: Milakov & Gimelshein (2018), §3.1; Rabe & Staats (2021).

        >>> a, b = partial([[1.0]], [[0.0]], [[2.0]]), partial([[1.0]], [[0.0]], [[4.0]])
        >>> finish(merge(a, b))
        array([[3.]])
    """
    expect(**{"a.m": (a.m, "... n"), "a.o": (a.o, "... n e"), "b.m": (b.m, "... n"), "b.o": (b.o, "... n e")})
    m = np.maximum(a.m, b.m)
    base = np.where(np.isneginf(m), 0, m)  # where both saw nothing, −inf − (−inf) would be NaN
    with np.errstate(invalid="ignore", under="ignore"):
        x, y = np.exp(a.m - base), np.exp(b.m - base)
        return Partial(m, x * a.l + y * b.l, x[..., None] * a.o + y[..., None] * b.o)


def finish(part):
    """The division put off until every key was seen; a row that saw none gives zeros.

        y = o / ℓ

    part: Partial   ->   (..., n, e). Source: Dao (2023), §3.1, which also divides once, at the end.

        >>> finish(Partial(np.array([0.0]), np.array([2.0]), np.array([[6.0]])))
        array([[3.]])
    """
    with np.errstate(invalid="ignore", under="ignore"):
        return part.o / np.where(part.l == 0, 1, part.l)[..., None]


def fold(q, k, v, mask, tiles, *, width, calm, sound):
    """Attention over tiles of keys, one after the other: no more scores at a time than one tile's.

        finish(merge of piece(mask(Q K_tileᵀ), V_tile) over the tiles)

    q: (..., r, n, d), scaled already   k: (..., m, d)   v: (..., m, e)   mask: None or (..., r, n, m)
    tiles: (first key, last + 1, None or bool (n, keys)) of each, at most `width` keys wide
    calm: bool (r, n), sound: bool, both as in piece
    ->   (..., r, n, e). The r heads that share the keys are rows of one product: the keys are read once for all.
    Source: Dao et al. (2022), algorithm 1, one row of tiles.

        >>> q, k, v = np.ones((1, 1, 1)), np.zeros((4, 1)), np.arange(4.0)[:, None]
        >>> calm = np.zeros((1, 1), bool)
        >>> fold(q, k, v, None, [(2, 4, None), (0, 2, None)], width=2, calm=calm, sound=False)
        array([[[1.5]]])
    """
    *lead, r, n, d = q.shape
    rows, calm = q.reshape(*lead, r * n, d), calm.reshape(-1)
    still, done = calm.all(), None
    room = np.empty(prod((*lead, r, n, width)), q.dtype)  # every tile is written here, so it never leaves the cache
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        for low, high, near in tiles:
            seen = None if mask is None else mask[..., low:high]
            if seen is not None and seen.dtype == bool and not seen.any():
                continue  # a weight of zero adds nothing: a tile with nothing allowed need not be made
            s = room[: prod((*lead, r, n, high - low))].reshape(*lead, r, n, high - low)
            flat = np.matmul(rows, k[..., low:high, :].mT, out=s.reshape(*lead, r * n, high - low))
            if seen is not None:
                s[...] = forbid(seen, s)
            if near is not None:  # in place is faster where little is forbidden, as at the edge of a band
                np.copyto(s, s.dtype.type(-np.inf), where=~near)
            part = piece(flat, v[..., low:high, :], calm=calm, sound=sound)
            if done is None:
                done = part
            elif still:  # every m is 0, every factor of merge is 1: what remains is the addition
                done = Partial(part.m, done.l + part.l, done.o + part.o)
            else:
                done = merge(done, part)
        if done is None:
            return np.zeros((*lead, r, n, v.shape[-1]), q.dtype)
        return finish(done).reshape(*lead, r, n, v.shape[-1])


def piece(s, v, *, calm, sound):
    """Scores already made and masked, turned into a Partial. The scores are overwritten: they have served.

        p_ij = exp(s_ij − m_i),   ℓ = P 1,   o = P V,   m_i = 0 in calm rows, max_j s_ij in the others

    s: (..., n, m)   v: (..., m, e)   ->   Partial. calm: bool (..., n), see calm_rows. sound: v is known to be finite.
    A calm row may take 0 for its maximum, because softmax is the same whatever is subtracted; if all are calm, the
    tile is spared the search for a maximum and the subtraction. The sum of each row is a product with ones, which
    adds the same numbers and runs four times as fast as .sum(-1).

        >>> piece(np.zeros((1, 2)), np.array([[2.0], [4.0]]), calm=np.array([True]), sound=True)
        Partial(m=array([0.]), l=array([2.]), o=array([[6.]]))
    """
    allowed = None if sound else ~np.isneginf(s)
    top = np.zeros_like(s, shape=s.shape[:-1])
    if not calm.all():
        top = np.where(calm, top, s.max(-1, initial=-np.inf))
        s -= np.where(np.isneginf(top), 0, top)[..., None]
    p = np.exp(s, out=s)
    o = p @ v
    if not sound and not np.isfinite(o).all():  # 0 · NaN is NaN: what is masked must be left out, not multiplied by 0
        o = weighted_sum(p, v, allowed)
    return Partial(top, p @ np.ones(p.shape[-1], p.dtype), o)


def calm_rows(q, k, v, *, scale, last):
    """Rows whose exponentials can neither overflow nor fade, by Cauchy–Schwarz, whatever the angles.

        |s_ij| = |scale| |q_i · k_j| ≤ |scale| ‖q_i‖ max_j ‖k_j‖ = B_i,   so   e^−B ≤ exp(s_ij) ≤ e^B

    q: (..., n, d)   k: (m, d)   v: (m, e)   last: (n,), the last key each query may see   ->   bool (..., n).
    This reads q, k and v once, where finding the maxima reads the whole (n, m) matrix. Calm means that e^B · ‖v‖ · m
    is far from overflow and e^−B · ‖v‖ far from the smallest number of full precision, with ‖v‖ the largest so far.
    A row is judged by the keys up to its last one alone: if later keys could change how it is computed, the future
    would reach the past, if only by a rounding error. A NaN makes the comparison False: not calm.

        >>> k = np.array([[1.0], [1e4]])
        >>> calm_rows(k, k, k, scale=1.0, last=np.array([0, 1]))
        array([ True, False])
    """
    room = np.finfo(q.dtype)
    lost = q.shape[-1] * room.tiny  # what squaring tiny numbers may have dropped: the bound must stay one
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        reach = np.sqrt(np.maximum.accumulate(np.vecdot(k, k)) + lost)[last]
        size = np.sqrt(np.maximum.accumulate(np.vecdot(v, v)))[last]
        bound = abs(scale) * np.sqrt(np.vecdot(q, q) + lost) * reach
        grow = np.exp(bound)
        fits = grow * np.maximum(size, 1) * k.shape[0] < room.max / 4  # 4: the bound itself is rounded
        return fits & (np.minimum(size, 1) / grow > 4 * room.tiny / room.eps)
