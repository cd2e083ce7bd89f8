"""Several heads at once: project, split, attend, merge, mix. And fewer keys than queries: grouped heads.

Head t owns columns t·d … (t+1)·d − 1 of each projection, so one product with the wide matrix is h products
with narrow ones, and split() only renames what is already there.
"""

import numpy as np

from attn.axes import expect, group, grouped, groups, numeric, ungroup, whole, working
from attn.core import modified, scaled_dot_product_attention
from attn.masks import fitting


def project(x, w):
    """Every row of x through the same linear map.

        X W

    x: (..., n, c)   w: (c, p)   ->   (..., n, p). nn.Linear holds Wᵀ: pass its weight's .T.
    Raises ValueError where axes disagree, TypeError for what is not numbers.
    Source: Vaswani et al. (2017), §3.2.2.

        >>> project([[1.0, 2.0]], np.eye(2))
        array([[1., 2.]])
    """
    x, w = numeric(x=x, w=w)
    expect(x=(x, "... n c"), w=(w, "c p"))
    (x, w), dtype = working(x, w)
    return (x @ w).astype(dtype, copy=False)


def split(x, heads):
    """Cut the last axis into heads and bring them to the front: a reshape, then a transpose.

        split(X)_tij = X_i,(t·d + j)

    x: (..., n, h·d)   ->   (..., h, n, d), a view where x allows one. A bare reshape to (..., h, n, d) has the
    right shape and the wrong numbers: it mixes positions. Raises ValueError unless heads divides the last axis.
    Source: Vaswani et al. (2017), §3.2.2, as every implementation does it.

        >>> split(np.arange(8).reshape(2, 4), 2)[1]
        array([[2, 3],
               [6, 7]])
    """
    x, heads = np.asarray(x), whole("heads", heads)
    expect(x=(x, "... n w"))
    n, width = x.shape[-2:]
    if heads < 1 or width % heads:
        raise ValueError(f"{heads} heads do not divide the last axis of x, {width} (x has shape {x.shape})")
    return x.reshape(*x.shape[:-2], n, heads, width // heads).swapaxes(-3, -2)


def merge(x):
    """Lay the heads side by side again: the inverse of split.

        merge(split(X, h)) = X

    x: (..., h, n, d)   ->   (..., n, h·d). Raises ValueError for fewer than three axes.
    Source: "Concat" in Vaswani et al. (2017), §3.2.2.

        >>> merge(split(np.arange(8).reshape(2, 4), 2))
        array([[0, 1, 2, 3],
               [4, 5, 6, 7]])
    """
    x = np.asarray(x)
    expect(x=(x, "... h n d"))
    h, n, d = x.shape[-3:]
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], n, h * d)


def repeat_kv(x, times):
    """Copy each key–value head for the query heads that share it: 0 0 1 1, never 0 1 0 1.

        repeat_kv(K)_t = K_⌊t / times⌋

    x: (..., g, m, d)   ->   (..., g·times, m, d). grouped_query_attention gives the same without the copy.
    Raises ValueError for fewer than three axes. Source: Ainslie et al. (2023), §2.2.

        >>> repeat_kv(np.array([[[0.0]], [[1.0]]]), 2).ravel()
        array([0., 0., 1., 1.])
    """
    x = np.asarray(x)
    expect(x=(x, "... g m d"))
    return np.repeat(x, whole("times", times, least=0), axis=-3)


def grouped_query_attention(q, k, v, mask=None, *, scale=None, score_mod=None):
    """Attention where consecutive query heads share one head of keys and values.

        Y_t = softmax(scale · Q_t K_uᵀ) V_u,   u = ⌊t · g / h⌋

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e)   ->   (..., h, n, e),   g divides h
    g = h is multi-head attention, g = 1 multi-query. K and V are never copied: the query heads of a group become
    an axis that K and V broadcast along. mask, scale, score_mod, dtypes: as in scaled_dot_product_attention; the
    mask broadcasts to (..., h, n, m), and score_mod sees (and returns) that shape.
    Raises ValueError where axes disagree or g does not divide h.
    Source: Ainslie et al. (2023), §2.2; g = 1: Shazeer (2019).

        >>> grouped_query_attention(np.ones((6, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 7))).shape
        (6, 3, 7)
    """
    q, k, v = numeric(q=q, k=k, v=v)
    expect(q=(q, "... h n d"), k=(k, "... g m d"), v=(v, "... g m e"))
    _, g = groups(q.shape[-3], k.shape[-3])
    heads = grouped(q, k, v)
    mask = None if mask is None else heads.like_scores(fitting(mask, heads.scores))
    inner = None if score_mod is None else lambda raw: group(modified(score_mod, ungroup(raw)), g)
    k, v = heads.k[..., None, :, :], heads.v[..., None, :, :]
    return ungroup(scaled_dot_product_attention(heads.q, k, v, mask, scale=scale, score_mod=inner))


def multi_head_attention(
    x, w_q, w_k, w_v, w_o, *, heads, kv_heads=None,
    mask=None, memory=None, scale=None, score_mod=None, rotate=None,
):  # fmt: skip
    """h attentions side by side, each with its own projections, their outputs mixed by W_O.

        Y = [O¹ | … | Oʰ] W_O,   Oᵗ = attention(X W_Qᵗ, M W_Kᵗ, M W_Vᵗ)

    x: (..., n, c)   w_q: (c, h·d)   w_k: (c', g·d)   w_v: (c', g·e)   w_o: (h·e, c")   ->   (..., n, c")
    memory M: (..., m, c'), what keys and values are made of: x unless given (then this is cross-attention).
    kv_heads: g, all heads unless given.   mask: broadcasts to (..., h, n, m).
    rotate: a function of (..., h, n, d) that puts positions into queries and keys (attn.positions.rope).
    Raises ValueError where axes disagree or heads do not divide. Source: Vaswani et al. (2017), §3.2.2.

        >>> x, w = np.ones((3, 4)), np.eye(4)
        >>> multi_head_attention(x, w, w, w, w, heads=2).shape
        (3, 4)
    """
    memory = x if memory is None else memory
    x, memory, w_q, w_k, w_v, w_o = numeric(x=x, memory=memory, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
    (x, memory, w_q, w_k, w_v, w_o), dtype = working(x, memory, w_q, w_k, w_v, w_o)
    expect(x=(x, "... n c"), w_q=(w_q, "c p"))
    expect(memory=(memory, "... m c"), w_k=(w_k, "c p"), w_v=(w_v, "c r"))
    heads, kv_heads = groups(heads, kv_heads)
    q, k, v = split(x @ w_q, heads), split(memory @ w_k, kv_heads), split(memory @ w_v, kv_heads)
    if rotate is not None:
        q, k = rotate(q), rotate(k)
    o = merge(grouped_query_attention(q, k, v, mask, scale=scale, score_mod=score_mod))
    expect(heads=(o, "... n r"), w_o=(w_o, "r c"))
    return (o @ w_o).astype(dtype, copy=False)


def writes(o, w_o):
    """What each head adds to the residual stream: W_O cut into rows of blocks, one for each head.

        [O¹ | … | Oʰ] W_O = Σ_t Oᵗ W_Oᵗ

    o: (..., h, n, e)   w_o: (h·e, c)   ->   (..., h, n, c); its sum over h is merge(o) @ w_o.
    Raises ValueError where axes disagree. Source: Elhage et al. (2021): heads are independent and additive.

        >>> writes(np.ones((2, 3, 4)), np.ones((8, 5))).shape
        (2, 3, 5)
    """
    o, w_o = numeric(o=o, w_o=w_o)
    (o, w_o), dtype = working(o, w_o)
    expect(o=(o, "... h n e"), w_o=(w_o, "p c"))
    h, e = o.shape[-3], o.shape[-1]
    if w_o.shape[0] != h * e:
        raise ValueError(f"w_o needs h·e = {h}·{e} = {h * e} rows but has {w_o.shape[0]} (shape {w_o.shape})")
    return (o @ w_o.reshape(h, e, w_o.shape[1])).astype(dtype, copy=False)


def align_kv(w, partner, heads, kv_heads, *, rounds=50):
    """Turn the heads of each group towards each other, each partner along with its head: before pool_kv.

        W_t ← W_t R_t,  P_t ← P_t R_t,   R_t = U Vᵀ  where  W_tᵀ M = U Σ Vᵀ

    w: (c, h·d)   partner: (m, h·d)   ->   (w, partner), turned. R_t is the turn that brings W_t closest to M: in the
    first round the first head of the group, then the group's mean, round after round. W_Q is the partner of W_K, and
    W_Oᵀ that of W_V: W_t P_tᵀ stays as it was, so the model does, unless rope stands between. Two heads need no more
    than one round. Raises ValueError where axes disagree, unless g divides h and h divides the width.
    Source: Schönemann (1966) for the best turn.

        >>> one = np.array([[2.0, 0.0], [0.0, 1.0]])
        >>> other = one @ [[0, 1], [-1, 0]]  # turned by a quarter
        >>> w, _ = align_kv(np.hstack([one, other]), np.ones((3, 4)), 2, 1)
        >>> w.round(12) + 0.0
        array([[2., 0., 2., 0.],
               [0., 1., 0., 1.]])
    """
    (w, partner), dtype = working(*numeric(w=w, partner=partner))
    expect(w=(w, "c p"), partner=(partner, "m p"))
    h, g = groups(heads, kv_heads)
    w, partner = (group(split(x, h), g) for x in (w, partner))
    mean = w[..., :1, :, :]
    for _ in range(whole("rounds", rounds, least=1)):
        u, _, vt = np.linalg.svd(w.mT @ mean)
        w, partner = w @ (u @ vt), partner @ (u @ vt)
        mean = w.mean(axis=-3, keepdims=True)
    return tuple(merge(ungroup(x)).astype(dtype, copy=False) for x in (w, partner))


def pool_kv(w, heads, kv_heads):
    """Turn h key (or value) projections into g by averaging within each group: how MHA is converted to GQA.

        W_u = (g / h) · Σ_{t in group u} W_t

    w: (c, h·d)   ->   (c, g·d). Raises ValueError unless g divides h and h divides the width.
    Source: Ainslie et al. (2023), §2.1, mean pooling.

        >>> pool_kv([[0.0, 2.0, 10.0, 14.0]], 4, 2)
        array([[ 1., 12.]])
    """
    (w,), dtype = working(numeric(w=w))
    h, g = groups(heads, kv_heads)
    return merge(group(split(w, h), g).mean(-3)).astype(dtype, copy=False)


def block_diagonal(blocks):
    """The matrix with the given blocks down its diagonal and zeros elsewhere, really built.

        diag(B¹, …, Bʰ)

    blocks: h matrices (p_t, r_t), or one array (h, p, r)   ->   (Σ p_t, Σ r_t).
    Raises ValueError for no blocks or a block that is not a matrix. Source: the direct sum of linear maps.

        >>> block_diagonal([[[1.0, 2.0]], [[3.0]]])
        array([[1., 2., 0.],
               [0., 0., 3.]])
    """
    blocks = [numeric(block=block) for block in blocks]
    if not blocks:
        raise ValueError("block_diagonal needs at least one block")
    for block in blocks:
        expect(block=(block, "p r"))
    rows, columns = np.cumsum([(0, 0), *(block.shape for block in blocks)], axis=0).T
    built = np.zeros((rows[-1], columns[-1]), np.result_type(*blocks))
    for t, block in enumerate(blocks):
        built[rows[t] : rows[t + 1], columns[t] : columns[t + 1]] = block
    return built
