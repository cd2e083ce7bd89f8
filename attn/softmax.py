"""Softmax and its kin, row by row: weights, log-sum-exp, entropy, Jacobian.

A row is a last axis. Two edges are decided once, here, for the whole package: a row with nothing allowed has
weights 0 (an empty average, not NaN), and adding a constant to a row changes nothing, so the row's maximum is
subtracted before any exponential is taken.
"""

import numpy as np

from attn.axes import numeric, working
from attn.masks import apply


def softmax(x, mask=None, *, axis=-1):
    """Positive weights that sum to one along an axis.

        softmax(x)_j = exp(x_j) / Σ_k exp(x_k)

    x: (..., m)   ->   weights: (..., m), in x's floating dtype.
    mask: broadcasts to x; bool (True = may attend) or float (added to x).
    A row with nothing allowed gives zeros. A NaN in an allowed place makes its row NaN, in a masked place nothing.
    An allowed +inf makes its row NaN too: inf/inf has no value. Raises as attn.masks.apply does.
    Source: Bridle (1990); the shift by the maximum: Goodfellow et al. (2016), §4.1.

        >>> softmax(np.log([1, 3]))
        array([0.25, 0.75])
    """
    (x,), dtype = working(numeric(x=x))
    x = x if mask is None else apply(mask, x)
    e, total, _ = _exponentials(x, axis)
    return (e / np.where(total == 0, 1, total)).astype(dtype, copy=False)


def logsumexp(x, mask=None, *, axis=-1):
    """The logarithm of softmax's denominator, without overflow.

        logsumexp(x) = max(x) + log Σ_k exp(x_k − max(x))

    x: (..., m)   ->   (...,). A row with nothing allowed gives −inf, the logarithm of an empty sum.
    mask, errors: as softmax. Source: the shifted formula of Blanchard, Higham & Higham (2021).

        >>> logsumexp([[1000.0, 1000.0]]).round(3)
        array([1000.693])
    """
    (x,), dtype = working(numeric(x=x))
    x = x if mask is None else apply(mask, x)
    _, total, top = _exponentials(x, axis)
    with np.errstate(divide="ignore"):  # log 0 = −inf is the answer for an empty row
        return (np.log(total) + top).squeeze(axis).astype(dtype, copy=False)


def entropy(p, *, axis=-1):
    """How spread out a row of weights is, in nats: 0 for one-hot, log m for uniform.

        H(p) = −Σ_j p_j log p_j,   with 0 log 0 = 0

    p: (..., m)   ->   (...,). Raises ValueError if a weight is negative. Source: Shannon (1948), §6.

        >>> entropy([[1.0, 0.0], [0.5, 0.5]]).round(3)
        array([0.   , 0.693])
    """
    (p,), dtype = working(numeric(p=p))
    if (p < 0).any():
        raise ValueError(f"p holds a negative weight ({p.min():.3g}); entropy is defined for weights ≥ 0")
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    return (0 - (p * logs).sum(axis)).astype(dtype, copy=False)  # 0 − 0, not −0: one-hot rows print as 0


def jacobian(p):
    """How each weight answers to each score: ∂p_i/∂x_j for p = softmax(x).

        J = diag(p) − p pᵀ

    p: (..., m)   ->   (..., m, m): symmetric, positive semi-definite, and J·1 = 0.
    Source: differentiate the definition of softmax; the page Jacobian does it.

        >>> jacobian([0.25, 0.75])
        array([[ 0.1875, -0.1875],
               [-0.1875,  0.1875]])
    """
    (p,), dtype = working(numeric(p=p))
    diagonal = p[..., :, None] * np.eye(p.shape[-1], dtype=p.dtype)
    return (diagonal - p[..., :, None] * p[..., None, :]).astype(dtype, copy=False)


def _exponentials(x, axis):
    """exp(x − top), its sum, and top: the row maximum, or 0 where a row allows nothing."""
    top = x.max(axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isneginf(top), 0, top).astype(x.dtype, copy=False)
    with np.errstate(invalid="ignore", under="ignore"):  # an allowed inf or NaN answers for itself
        e = np.exp(x - top)
    return e, e.sum(axis, keepdims=True), top
