"""Partial results of attention on torch tensors, and their merge: attn.online with another array library.

Every function is differentiable. The maxima are held constant for the gradient: whatever is subtracted before exp
drops out of o / ℓ, so its derivative adds up to zero, and following it would only add rounding errors.
"""

from typing import Any, NamedTuple

from attn.axes import expect, whole
from attn.gpu import torch

INF = float("inf")


class Partial(NamedTuple):
    """Attention over some of the keys, not yet divided. The neutral element of merge is (−inf, 0, 0).

    m: the largest score, −inf if there is none   (..., n)
    l: Σ_j exp(s_j − m)   (..., n)
    o: Σ_j exp(s_j − m) v_j   (..., n, e)
    """

    m: Any
    l: Any
    o: Any


def partial(q, k, v, mask=None, *, scale=None):
    """Attend to some of the keys and stop before the division.

        m = max_j s_j,   ℓ = Σ_j exp(s_j − m),   o = Σ_j exp(s_j − m) v_j,   s = mask(scale · Q Kᵀ)

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   Partial(m, l, o), half precision in float32.
    mask: bool, True means "may attend", or float, added; broadcasts to (..., n, m). scale: 1/√d unless given.
    Raises ValueError where axes disagree, TypeError for an integer mask.
    Source: Milakov & Gimelshein (2018), §3, for m and ℓ; Rabe & Staats (2021) for o.
    """
    expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    q, k, v = (x.float() if x.dtype in (torch.float16, torch.bfloat16) else x for x in (q, k, v))
    s = (q.shape[-1] ** -0.5 if scale is None else scale) * (q @ k.mT)
    allowed = torch.ones((), dtype=torch.bool, device=s.device)
    if mask is not None:
        allowed, s = laid_on(mask, s)
    if s.shape[-1] == 0:
        return Partial(s.new_full(s.shape[:-1], -INF), s.new_zeros(s.shape[:-1]), s @ v)
    m = s.detach().amax(-1)
    p = torch.exp(s - torch.where(m == -INF, 0, m)[..., None])
    return Partial(m, p.sum(-1), average(p, v, allowed))


def laid_on(mask, s):
    """(what may be seen, the scores with −inf where not): bool masks choose, float masks are added.

    mask: broadcasts to s: (..., n, m)   ->   bool and float (..., n, m). Raises TypeError for an integer mask.
    """
    if not (mask.dtype == torch.bool or mask.dtype.is_floating_point):
        raise TypeError("mask must be bool (True = may attend) or float (added to the scores), not integers")
    allowed = mask if mask.dtype == torch.bool else mask != -INF
    s = s if mask.dtype == torch.bool else s + torch.where(allowed, mask, 0).to(s.dtype)
    return allowed, torch.where(allowed, s, -INF)


def average(p, v, allowed):
    """P V, in which a NaN or inf behind the mask reaches nobody: 0 · NaN would be NaN.

    p: (..., n, m)   v: (..., m, e)   allowed: bool, broadcasts to p   ->   (..., n, e)
    """
    finite = torch.isfinite(v)
    if allowed.ndim == 0 or bool(finite.all()):
        return p @ v
    seen = allowed.to(p.dtype).expand(p.shape)  # how many NaN, inf and −inf does each output see?
    plus, minus, lost = (seen @ x.to(p.dtype) > 0 for x in (v == INF, v == -INF, torch.isnan(v)))
    y = p @ torch.where(finite, v, 0)
    y = torch.where(plus, INF, torch.where(minus, -INF, y))
    return torch.where(lost | (plus & minus), float("nan"), y)


def merge(a, b):
    """Two partial results over different keys, joined. Associative and commutative: any split, any order.

        m = max(m_a, m_b),   ℓ = ℓ_a e^(m_a − m) + ℓ_b e^(m_b − m),   o = o_a e^(m_a − m) + o_b e^(m_b − m)

    a, b: Partial with m, l (..., n) and o (..., n, e)   ->   Partial.
    Source: Milakov & Gimelshein (2018), §3.1; Rabe & Staats (2021).
    """
    expect(**{"a.m": (a.m, "... n"), "a.o": (a.o, "... n e"), "b.m": (b.m, "... n"), "b.o": (b.o, "... n e")})
    m = torch.maximum(a.m, b.m)
    base = torch.where(m == -INF, 0, m)  # where both saw nothing, −inf − (−inf) would be NaN
    x, y = torch.exp(a.m - base), torch.exp(b.m - base)
    return Partial(m, x * a.l + y * b.l, x[..., None] * a.o + y[..., None] * b.o)


def merge_along(part, axis):
    """Many partial results at once, stacked along an axis of m: one maximum for all, then sums.

        m = max_s m_s,   ℓ = Σ_s ℓ_s e^(m_s − m),   o = Σ_s o_s e^(m_s − m)

    part: m, l (..., s, ..., n), o (..., s, ..., n, e); axis: a number ≥ 0   ->   Partial without that axis.
    """
    m = part.m.amax(axis)
    x = torch.exp(part.m - torch.where(m == -INF, 0, m).unsqueeze(axis))
    return Partial(m, (x * part.l).sum(axis), (x[..., None] * part.o).sum(axis))


def finish(part):
    """The division put off until every key was seen; a row that saw none gives zeros.

        y = o / ℓ

    part: Partial   ->   (..., n, e). Source: Dao (2023), §3.1.
    """
    return part.o / torch.where(part.l == 0, 1, part.l)[..., None]


def attend(q, k, v, mask=None, *, scale=None, block=None):
    """scaled_dot_product_attention on tensors, one block of keys after the other.

        Y = finish(merge over blocks of keys of partial(Q, K_block, V_block))

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   (..., n, e), in the dtype of q, k and v together.
    block: keys at a time, all at once unless given. Empty rows, masks and errors: as partial.
    """
    m = k.shape[-2]
    block = max(m, 1) if block is None else whole("block", block, least=1)
    mask = None if mask is None else mask.expand(*mask.shape[:-1], m)
    done = None
    for low in range(0, max(m, 1), block):
        near = slice(low, low + block)
        part = partial(q, k[..., near, :], v[..., near, :], None if mask is None else mask[..., near], scale=scale)
        done = part if done is None else merge(done, part)
    return finish(done).to(torch.result_type(q, v))
