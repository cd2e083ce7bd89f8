"""Where a token stands, told to attention in three ways: added to the embedding, turned into queries and keys,
added to the scores. (ALiBi, the fourth, is a mask: attn.masks.alibi.)
"""

import numpy as np

from attn import axes
from attn.axes import expect, numeric, whole, working


def sinusoids(n, c, *, base=10000.0):
    """Each position as points on circles that turn at different speeds; add it to the embedding.

        P_i,2j = sin(i / base^(2j/c)),   P_i,2j+1 = cos(i / base^(2j/c))

    ->   float64 (n, c). Moving by k positions is one rotation of each (sin, cos) pair, the same from everywhere.
    Raises TypeError for what is not whole, ValueError for negative sizes. Source: Vaswani et al. (2017), §3.5.

        >>> sinusoids(2, 2).round(3)
        array([[0.   , 1.   ],
               [0.841, 0.54 ]])
    """
    n, c = whole("n", n, least=0), whole("c", c, least=0)
    angles = np.arange(n)[:, None] * base ** -(np.arange(0, c, 2) / c)
    table = np.empty((n, c))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : c // 2])
    return table


def rope(x, positions, *, base=10000.0, interleaved=False, rotary_dim=None):
    """Turn each pair of components by an angle proportional to the position.

        (a, b) -> (a cos φ − b sin φ, a sin φ + b cos φ),   φ = position · base^(−2t/r),   t = 0 … r/2 − 1

    x: (..., n, d)   positions: broadcasts to (..., n); for (b, h, n, d) one list for each sequence is (b, 1, n).
    ->   (..., n, d). Only the first r = rotary_dim components turn (all d unless given).
    interleaved: pair t is (x_2t, x_2t+1), as the paper writes it; otherwise it is (x_t, x_{t+r/2}), the layout of
    GPT-NeoX and of Llama's published weights. The two differ by a permutation: layout_permutation.
    Angles are computed in float64. Raises ValueError if r is odd or exceeds d, or positions do not fit.
    Source: Su et al. (2021), §3.2.2 and §3.4.2.

        >>> rope([[1.0, 0.0]], [np.pi / 2]).round(3)
        array([[0., 1.]])
    """
    x = numeric(x=x)
    expect(x=(x, "... n d"))
    (x,), dtype = working(x)
    r = _rotary(rotary_dim, x.shape[-1])
    angles = _angles(_fitting(positions, x), r, base)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    first, second = _pairs(r, interleaved)
    turned = x.copy()  # the components beyond r stay as they are
    turned[..., first] = x[..., first] * cos - x[..., second] * sin
    turned[..., second] = x[..., first] * sin + x[..., second] * cos
    return turned.astype(dtype, copy=False)


def rotation(positions, d, *, base=10000.0, interleaved=False, rotary_dim=None):
    """RoPE as a matrix, for looking at: 2 × 2 rotations on the diagonal (or spread over two, half the width apart).

        x R_i = rope(x, i),   R_i R_jᵀ = R_{i−j}:   the score of a pair sees only the distance

    positions: (...,)   ->   float64 (..., d, d), orthogonal. For rows on the left: q_i · k_j = x W_Q R_{i−j} W_Kᵀ x'ᵀ.
    Arguments and errors as rope. Source: Su et al. (2021), equation 15 (transposed: theirs are column vectors).

        >>> rotation(np.pi, 2).round(3) + 0.0
        array([[-1.,  0.],
               [ 0., -1.]])
    """
    r = _rotary(rotary_dim, d)
    angles = _angles(np.asarray(positions), r, base)
    first, second = (np.arange(d)[pair] for pair in _pairs(r, interleaved))
    matrix = np.broadcast_to(np.eye(d), (*np.shape(positions), d, d)).copy()
    matrix[..., first, first] = matrix[..., second, second] = np.cos(angles)
    matrix[..., first, second] = np.sin(angles)
    matrix[..., second, first] = -np.sin(angles)
    return matrix


def layout_permutation(d, *, rotary_dim=None):
    """The order that turns interleaved pairs into halves: evens first, then odds.

        rope(x, i, interleaved=True)[..., p] = rope(x[..., p], i)

    ->   integers (d,). Permuting the columns of W_Q and W_K alike leaves every score as it was, so weights published
    for one layout run in the other: w_q[:, p], head by head. np.argsort(p) goes back.
    Raises ValueError if rotary_dim is odd or exceeds d. Source: both layouts are one rotation in two bases.

        >>> layout_permutation(6)
        array([0, 2, 4, 1, 3, 5])
    """
    r = _rotary(rotary_dim, d)
    return np.concatenate([np.arange(0, r, 2), np.arange(1, r, 2), np.arange(r, d)])


def relative_bias(table, n, m=None, *, offset=None):
    """One learned number for each distance, shared by all pairs that far apart; add it to the scores.

        B_ij = table[clip(j − (i + offset), −w, w) + w]

    table: (..., 2w + 1), one row for each head   ->   (..., n, m). offset = m − n unless given, as in attn.masks.
    Raises ValueError unless the table has an odd number of entries. Source: the clipping is Shaw et al. (2018), §3.2.

        >>> relative_bias([-1.0, 0.0, 1.0], 3)
        array([[ 0.,  1.,  1.],
               [-1.,  0.,  1.],
               [-1., -1.,  0.]])
    """
    table = numeric(table=table)
    expect(table=(table, "... w"))
    if table.shape[-1] % 2 == 0:
        raise ValueError(f"table needs 2w + 1 entries (distances −w … w) but has {table.shape[-1]}")
    w = table.shape[-1] // 2
    return table[..., np.clip(_distances(n, m, offset), -w, w) + w]


def t5_buckets(n, m=None, *, buckets=32, max_distance=128, bidirectional=True, offset=None):
    """T5's drawers for distances: one each for near ones, logarithmically wider ones further out.

        near distances have a bucket each; distance δ beyond s near ones falls in
        s + ⌊(half − s) · log(δ/s) / log(max_distance/s)⌋, at most half − 1

    ->   integers (n, m) in 0 … buckets − 1; the bias is table[..., t5_buckets(n, m)] for a table (h, buckets).
    bidirectional: keys ahead use the upper half of the buckets; otherwise they share bucket 0 with distance 0.
    Raises ValueError unless there are at least 4 buckets (2 in one direction) and max_distance exceeds the near
    ones. Source: Raffel et al. (2020), §2.1, and their published code.

        >>> t5_buckets(2)
        array([[ 0, 17],
               [ 1,  0]])
    """
    ahead = _distances(n, m, offset)
    buckets, max_distance = whole("buckets", buckets), whole("max_distance", max_distance)
    half = buckets // 2 if bidirectional else buckets
    near = half // 2
    if near < 1 or max_distance <= near:
        raise ValueError(f"{buckets} buckets and max_distance {max_distance} leave no room: {near} near distances")
    distance = abs(ahead) if bidirectional else np.maximum(-ahead, 0)
    # the smallest distance of each far bucket; counting how many are reached avoids a logarithm that just misses
    edges = near * (max_distance / near) ** (np.arange(1, half - near) / (half - near))
    far = near + np.searchsorted(np.ceil(edges - 1e-9), distance, side="right")
    bucket = np.where(distance < near, distance, far)
    return bucket + half * (ahead > 0) if bidirectional else bucket


def _distances(n, m, offset):
    """How far key j stands ahead of query i."""
    i, j = axes.positions(n, m, offset)
    return j - i


def _rotary(rotary_dim, d):
    d = whole("d", d, least=0)
    r = d if rotary_dim is None else whole("rotary_dim", rotary_dim)
    if r % 2 or not 0 <= r <= d:
        raise ValueError(f"RoPE turns pairs: rotary_dim must be even and at most d = {d}, but is {r}")
    return r


def _angles(positions, r, base):
    return positions[..., None].astype(np.float64) * base ** -(np.arange(0, r, 2) / max(r, 1))


def _pairs(r, interleaved):
    """Slices of the first and the second component of each pair."""
    return (slice(0, r, 2), slice(1, r, 2)) if interleaved else (slice(0, r // 2), slice(r // 2, r))


def _fitting(positions, x):
    positions = numeric(positions=positions)
    try:
        fits = np.broadcast_shapes(positions.shape, x.shape[:-1]) == x.shape[:-1]
    except ValueError:
        fits = False
    if not fits:
        told = f"positions have shape {positions.shape}, which does not broadcast to (..., n) = {x.shape[:-1]}"
        raise ValueError(told)
    return positions
