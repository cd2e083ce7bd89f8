"""Scaled dot-product attention, the one formula the course is about."""

from typing import NamedTuple

import numpy as np

from attn.axes import expect, numeric, working
from attn.masks import apply
from attn.softmax import softmax


class Trace(NamedTuple):
    """One attention, every step kept.

    raw: scale · Q Kᵀ, before anything is forbidden   (..., n, m)
    scores: what softmax sees, after score_mod and mask   (..., n, m)
    weights: each row sums to one, or to zero where nothing is allowed   (..., n, m)
    output: each row an average of rows of v   (..., n, e)

        >>> trace(np.eye(2), np.eye(2), np.eye(2), scale=0.0).weights
        array([[0.5, 0.5],
               [0.5, 0.5]])
    """

    raw: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def scores(q, k, *, scale=None):
    """How well each query matches each key.

        S = scale · Q Kᵀ

    q: (..., n, d)   k: (..., m, d)   ->   (..., n, m).   scale: 1/√d unless given.
    Raises ValueError where axes disagree, TypeError for what is not numbers. Source: Vaswani et al. (2017), §3.2.1.

        >>> scores([[2.0, 0.0, 0.0, 0.0]], [[3.0, 0.0, 0.0, 0.0]])
        array([[3.]])
    """
    q, k = numeric(q=q, k=k)
    expect(q=(q, "... n d"), k=(k, "... m d"))
    (q, k), dtype = working(q, k)
    with np.errstate(over="ignore"):
        return _scores(q, k, scale).astype(dtype, copy=False)


def trace(q, k, v, mask=None, *, scale=None, score_mod=None):
    """Attend, and keep every matrix on the way: arguments as scaled_dot_product_attention.

        raw = scale · Q Kᵀ,   scores = mask(score_mod(raw)),   weights = softmax(scores),   output = weights V

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   Trace(raw, scores, weights, output).
    Raises as scaled_dot_product_attention does. Source: Vaswani et al. (2017), §3.2.1.

        >>> trace([[1.0]], [[0.0], [np.log(3)]], [[0.0], [4.0]]).weights
        array([[0.25, 0.75]])
    """
    q, k, v = numeric(q=q, k=k, v=v)
    expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    (q, k, v), dtype = working(q, k, v)
    raw = _scores(q, k, scale)
    s = raw if score_mod is None else modified(score_mod, raw)
    s = s if mask is None else apply(mask, s)
    a = softmax(s)
    y = weighted_sum(a, v, allowed=~np.isneginf(s))
    with np.errstate(over="ignore"):  # a float16 score beyond 65 504 is shown as inf; the weights were made in float32
        return Trace(*(step.astype(dtype, copy=False) for step in (raw, s, a, y)))


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None, score_mod=None):
    """For each query an average of the rows of v: the better a key matches it, the more its row counts.

        Y = softmax(scale · Q Kᵀ) V

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   y: (..., n, e)
    mask: broadcasts to (..., n, m); bool, True means "may attend", or float, added to the scores.
    scale: 1/√d unless given, so unit-variance q and k give unit-variance scores.
    score_mod: a function raw -> scores, applied before the mask (soft-capping, relative biases).
    A query that may attend to nothing gets zeros. What is masked cannot leak, not even a NaN. Half precision is
    computed in float32; integers become float64. No argument is modified.
    Raises ValueError where axes disagree or a mask does not fit, TypeError for what is not numbers.
    Source: Vaswani et al. (2017), §3.2.1, equation 1.

        >>> scaled_dot_product_attention([[1.0]], [[0.0], [np.log(3)]], [[0.0], [4.0]])
        array([[3.]])
    """
    return trace(q, k, v, mask, scale=scale, score_mod=score_mod).output


def modified(score_mod, raw):
    """The scores after score_mod, or an error if it changed their shape.

        score_mod(raw)

    raw: (..., n, m)   ->   (..., n, m). Raises ValueError for another shape.

        >>> modified(lambda s: s + 1, np.zeros((1, 2)))
        array([[1., 1.]])
    """
    s = np.asarray(score_mod(raw))
    if s.shape != raw.shape:
        raise ValueError(f"score_mod turned scores of shape {raw.shape} into shape {s.shape}")
    return s


def weighted_sum(weights, v, allowed):
    """Sum the allowed rows of v, weighted: an average where the weights of a row sum to one.

        y_i = Σ_{j allowed} weights_ij · v_j

    weights, allowed: (..., n, m)   v: (..., m, e)   ->   (..., n, e). Floats, as they are: the caller has checked them.
    Since 0 · NaN is NaN, a forbidden row of v is left out, not multiplied by 0; of the scores attn.masks.forbid takes
    the same care. Source: ours.

        >>> weighted_sum(np.array([[1.0, 0.0]]), np.array([[2.0], [np.nan]]), np.array([[True, False]]))
        array([[2.]])
    """
    sound = np.isfinite(v).all(-1, keepdims=True)
    if sound.all():
        return weights @ v
    y = weights @ np.where(sound, v, 0)
    rotten = ~sound[..., 0].reshape(-1, v.shape[-2]).all(0)
    for j in np.flatnonzero(rotten):
        row = np.where(sound[..., j, :], 0, v[..., j, :])[..., None, :]
        with np.errstate(invalid="ignore"):
            y = y + np.where(allowed[..., :, j, None], weights[..., :, j, None] * row, 0)
    return y


def _scores(q, k, scale):
    if scale is None:
        # width 0: every score is an empty sum, so any scale will do
        scale = max(q.shape[-1], 1) ** -0.5
    with np.errstate(invalid="ignore", over="ignore"):  # inf · 0 in the data is the data's NaN, not our warning
        return (q * q.dtype.type(scale)) @ k.mT
