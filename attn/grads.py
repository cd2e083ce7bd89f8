"""Attention backwards: how a change of the output answers to changes of q, k and v, by hand.

Reverse mode carries one number per entry: given ∂loss/∂Y, each function returns ∂loss/∂(its arguments). The Jacobian
itself is never formed; multiplying by its transpose is all that is ever needed.
"""

import numpy as np

from attn.axes import expect, numeric, working
from attn.core import trace, weighted_sum


def softmax_vjp(p, d_p, *, axis=-1):
    """From the gradient by the weights to the gradient by the scores, p = softmax(x).

        dx = Jᵀ dp = (diag(p) − p pᵀ) dp = p ∘ (dp − Σ_k p_k dp_k)

    p, d_p: (..., m), broadcasting   ->   d_x: (..., m). Each row of d_x sums to zero where p sums to one (shifting
    the scores changes nothing), and is zero where p is zero: what was forbidden stays so.
    Raises TypeError for what is not numbers, ValueError where the shapes do not broadcast.
    Source: the product with softmax's Jacobian, attn.softmax.jacobian; page 4a derives it.

        >>> softmax_vjp([0.25, 0.75], [1.0, 0.0])
        array([ 0.1875, -0.1875])
    """
    (p, d_p), dtype = working(*numeric(p=p, d_p=d_p))
    expect(p=(p, "..."), d_p=(d_p, "..."))
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        return (p * (d_p - (p * d_p).sum(axis, keepdims=True))).astype(dtype, copy=False)


def attention_vjp(q, k, v, d_output, mask=None, *, scale=None):
    """The gradients of a loss by q, k and v, from its gradient by attention's output.

        A = softmax(mask(scale · Q Kᵀ)),   Y = A V
        dV = Aᵀ dY
        dA = dY Vᵀ
        dS = A ∘ (dA − rowsum(dY ∘ Y))        since Σ_k A_ik dA_ik = Σ_k A_ik dY_i · V_k = dY_i · Y_i
        dQ = scale · dS K
        dK = scale · dSᵀ Q

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   d_output: (..., n, e)   ->   (dq, dk, dv), shaped as q, k, v.
    Where q, k or v were broadcast, their gradients are summed over what they were broadcast to. A row with nothing
    allowed has gradient 0, and what is masked cannot leak, not even a NaN. mask and scale: as in
    scaled_dot_product_attention; a float mask is a constant here. Each gradient comes in its argument's dtype.
    Raises ValueError where axes disagree, TypeError for what is not numbers.
    Source: Dao et al. (2022), appendix B.2.

        >>> [dx.shape for dx in attention_vjp(*(np.ones((3, 2)),) * 3, np.ones((3, 2)))]
        [(3, 2), (3, 2), (3, 2)]
    """
    given = numeric(q=q, k=k, v=v, d_output=d_output)
    (q, k, v, d_y), _ = working(*given)
    lead = expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"), d_output=(d_y, "... n e"))
    _, s, a, y = trace(q, k, v, mask, scale=scale)
    if y.shape[:-2] != lead:
        raise ValueError(f"d_output has shape {d_y.shape}, but the output has shape {y.shape}")
    scale = q.dtype.type(max(q.shape[-1], 1) ** -0.5 if scale is None else scale)
    allowed = ~np.isneginf(s)
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        d_y = np.broadcast_to(d_y, y.shape)
        d_v = weighted_sum(a.mT, d_y, allowed.mT)
        d_a = np.where(allowed, d_y @ v.mT, 0)
        d_s = a * (d_a - np.where(allowed, (d_y * y).sum(-1, keepdims=True), 0)) * scale
        d_q, d_k = weighted_sum(d_s, k, allowed), weighted_sum(d_s.mT, q, allowed.mT)
    return tuple(_as(x, shaped) for x, shaped in zip((d_q, d_k, d_v), given, strict=False))


def _as(gradient, argument):
    """Summed back to the argument's shape, for an entry that was used many times hears from every use."""
    extra = gradient.ndim - argument.ndim
    gradient = gradient.sum(tuple(range(extra)))
    once = tuple(i for i, size in enumerate(argument.shape) if size == 1 < gradient.shape[i])
    return gradient.sum(once, keepdims=True).astype(argument.dtype, copy=False)
