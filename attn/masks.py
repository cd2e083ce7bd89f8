"""Who may attend to whom.

A mask is boolean, True = *may attend*, or float, *added* to the scores (−inf forbids). It broadcasts to the
scores (..., n, m). Query i sits at position i + offset among the keys; by default offset = m − n, so that the
last query is aligned with the last key and a cached prefix just works.

    causal(4) & sliding_window(4, left=1)      masks combine with &, | and ~
"""

import numpy as np

from attn.axes import numeric, positions, whole


def apply(mask, scores):
    """Scores with the mask laid on: forbidden entries become −inf, whatever they held.

        S'_ij = S_ij where allowed, −inf where not    (bool)        S' = S + M    (float)

    mask: bool or float, broadcasts to scores: (..., n, m)   ->   (..., n, m), a new array. Raises as fitting does.

        >>> apply([True, False], np.array([[1.0, 2.0]]))
        array([[  1., -inf]])
    """
    scores = numeric(scores=scores)
    return forbid(fitting(mask, scores.shape), scores)


def fitting(mask, shape):
    """The mask as an array of bools or floats that broadcasts to the scores' shape (..., n, m).

    ->   bool or float, as it came: broadcast is up to the caller.
    Raises TypeError for an integer mask (0 and 1 are ambiguous: say `mask.astype(bool)` or make it float),
    ValueError for a mask that does not broadcast to the scores.

        >>> fitting([True, False], (3, 2))
        array([ True, False])
    """
    mask = np.asarray(mask)
    if mask.dtype.kind in "iu":
        raise TypeError(
            "mask holds integers, which could mean allow/forbid or an added bias: "
            "use mask.astype(bool) (True = may attend) or mask.astype(float) (added to the scores)"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask has shape {mask.shape}, which does not broadcast to the scores {shape}")
    return mask if mask.dtype.kind == "b" else numeric(mask=mask)


def forbid(mask, scores):
    """What apply does once the mask is known to fit: mask, scores (..., n, m)   ->   (..., n, m), a new array.

    It keeps a forbidden NaN out of the scores; attn.core.weighted_sum keeps it out of the average of the values.

    >>> forbid(np.array([0.5, -np.inf]), np.array([[1.0, 2.0]]))
    array([[ 1.5, -inf]])
    """
    if mask.dtype.kind == "b":
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    mask = mask.astype(scores.dtype, copy=False)
    # NaN + −inf is NaN: a forbidden entry must not depend on what stood there
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(mask), mask, scores + mask)


def causal(n, m=None, *, offset=None):
    """No query sees a key after its own position.

        allowed_ij  ⇔  j ≤ i + offset,    offset = m − n unless given (the last query sees every key)

    n queries, m keys (m = n unless given)   ->   bool (n, m).
    offset = 0 is the top-left alignment of torch's and JAX's is_causal. Raises ValueError for negative sizes.

        >>> causal(2, 3)
        array([[ True,  True, False],
               [ True,  True,  True]])
    """
    i, j = positions(n, m, offset)
    return j <= i


def sliding_window(n, m=None, *, left, right=0, offset=None):
    """Each query sees at most `left` keys before its position, itself, and `right` keys after.

        allowed_ij  ⇔  −left ≤ j − (i + offset) ≤ right

    ->   bool (n, m). A causal window of w tokens counting the query's own (Mistral-7B's w = 4096) is left = w − 1.
    Raises TypeError for what is not whole, ValueError for negative sizes.
    Source: Beltagy et al. (2020), §3.1; Jiang et al. (2023), §2.

        >>> sliding_window(3, left=1).astype(int)
        array([[1, 0, 0],
               [1, 1, 0],
               [0, 1, 1]])
    """
    left, right = whole("left", left, least=0), whole("right", right, least=0)
    i, j = positions(n, m, offset)
    return (i - left <= j) & (j <= i + right)


def prefix(n, m=None, *, length, offset=None):
    """Causal, but everyone sees the first `length` keys: a prompt read in both directions.

        allowed_ij  ⇔  j < length  or  j ≤ i + offset

    ->   bool (n, m). Raises ValueError for negative sizes. Source: Raffel et al. (2020), §3.2.1, "prefix LM".

        >>> prefix(3, length=2).astype(int)
        array([[1, 1, 0],
               [1, 1, 0],
               [1, 1, 1]])
    """
    length = whole("length", length, least=0)
    i, j = positions(n, m, offset)
    return (j < length) | (j <= i)


def blocks(n, m=None, *, size, offset=None):
    """Each query sees the block of `size` positions it stands in, and no other.

        allowed_ij  ⇔  ⌊j / size⌋ = ⌊(i + offset) / size⌋

    ->   bool (n, m). Raises ValueError unless size ≥ 1.
    Source: Child et al. (2019), §4.3, the first half of the fixed pattern.

        >>> blocks(4, size=2).astype(int)
        array([[1, 1, 0, 0],
               [1, 1, 0, 0],
               [0, 0, 1, 1],
               [0, 0, 1, 1]])
    """
    size = whole("size", size, least=1)
    i, j = positions(n, m, offset)
    return i // size == j // size


def padding(lengths, m):
    """Only the first `lengths` keys of each sequence are real. The mask is on keys: it hides columns, not rows.

        allowed_bj  ⇔  j < lengths_b

    lengths: (...,) integers between 0 and m   ->   bool (..., 1, m), which broadcasts over the queries. For scores
    (b, h, n, m) pass lengths[:, None], shape (b, 1).
    Raises TypeError unless the lengths are integers, ValueError unless 0 ≤ lengths ≤ m.

        >>> padding([2], 3)
        array([[[ True,  True, False]]])
    """
    lengths = np.asarray(lengths)
    if lengths.dtype.kind not in "iu":
        raise TypeError(f"lengths must be integers, not {lengths.dtype}")
    m = whole("m", m, least=0)
    if ((lengths < 0) | (lengths > m)).any():
        raise ValueError(f"lengths must lie between 0 and m = {m}, but range {lengths.min()} to {lengths.max()}")
    return (np.arange(m) < lengths[..., None])[..., None, :]


def documents(ids, key_ids=None):
    """Several documents packed into one sequence do not see each other.

        allowed_ij  ⇔  ids_i = key_ids_j

    ids: (..., n), key_ids: (..., m), ids again unless given   ->   bool (..., n, m). Combine with causal(n).
    Source: Krell et al. (2021), sequence packing without cross-contamination.

        >>> documents([0, 0, 1]).astype(int)
        array([[1, 1, 0],
               [1, 1, 0],
               [0, 0, 1]])
    """
    ids = np.asarray(ids)
    key_ids = ids if key_ids is None else np.asarray(key_ids)
    return ids[..., :, None] == key_ids[..., None, :]


def alibi_slopes(heads):
    """ALiBi's slope for each head: a geometric sequence from 2^(−8/h) down to 2^(−8).

        slope_t = 2^(−8 t / h),   t = 1 … h

    ->   (h,). For h not a power of two the paper's published code takes every second slope of the next power of
    two to fill up; so do we. Raises ValueError unless heads ≥ 1. Source: Press et al. (2022), §3, and that code.

        >>> alibi_slopes(3)
        array([0.0625    , 0.00390625, 0.25      ])
    """
    heads = whole("heads", heads, least=1)
    power = 2 ** (heads.bit_length() - 1)
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8 * np.arange(1, 2 * power, 2) / (2 * power))
    return np.concatenate([slopes, between[: heads - power]])


def alibi(heads, n, m=None, *, offset=None):
    """A penalty that grows with distance, each head with its own slope; add it to the scores.

        M_hij = −slope_h · |i + offset − j|

    ->   float (h, n, m), to be combined with a causal mask: np.where(causal(n), alibi(h, n), −inf).
    Raises TypeError for what is not whole, ValueError for negative sizes. Source: Press et al. (2022), §3.

        >>> alibi(8, 3)[0, 2, :2]
        array([-1. , -0.5])
    """
    i, j = positions(n, m, offset)
    return -alibi_slopes(heads)[:, None, None] * abs(i - j)
