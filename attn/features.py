"""Linear attention: replace softmax's exp(q · k) by a product of features, and the sum can be taken in another order.

        softmax:   Σ_j exp(q_i · k_j) v_j      the exponential ties i to j: n·m terms
        features:  Σ_j (φ(q_i) · φ(k_j)) v_j = φ(q_i) · (Σ_j φ(k_j) v_jᵀ):      one f × e matrix serves every query

This is not softmax attention, nor close to it unless φ is made to be: rows still sum to one, but no query can single
out one key as sharply as an exponential does. Source: Katharopoulos et al. (2020).
"""

from typing import NamedTuple

import numpy as np

from attn.axes import expect, numeric, whole, working
from attn.masks import causal


class State(NamedTuple):
    """All that linear attention remembers of the keys and values so far, whatever their number.

    total: Σ φ(k_j) v_jᵀ   (..., f, e)      normaliser: Σ φ(k_j)   (..., f)

        >>> causal_linear_attention(*[np.ones((3, 2))] * 3)[1].normaliser
        array([6., 6.])
    """

    total: np.ndarray
    normaliser: np.ndarray


def elu_plus_one(x):
    """A positive feature for each component: x + 1 above 0, eˣ below.

        φ(x) = elu(x) + 1

    x: (..., d)   ->   (..., d), positive. Raises TypeError for what is not numbers.
    Source: Katharopoulos et al. (2020), §3.2.1.

        >>> elu_plus_one([0.0, 2.0])
        array([1., 3.])
    """
    (x,), dtype = working(numeric(x=x))
    with np.errstate(under="ignore"):  # far below 0 the feature fades to 0, as it should
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))).astype(dtype, copy=False)


def feature_weights(q, k, mask=None, *, feature=elu_plus_one):
    """The weights that linear attention uses without ever forming them, for looking at and for checking.

        A_ij = φ(q_i) · φ(k_j) / Σ_l φ(q_i) · φ(k_l),   sums over allowed l

    q: (..., n, d)   k: (..., m, d)   mask: bool, broadcasts to (..., n, m)   ->   (..., n, m); empty rows are 0.
    Raises ValueError where axes disagree, TypeError for a mask that is not boolean.
    Source: Katharopoulos et al. (2020), equation 4.

        >>> feature_weights([[0.0]], [[0.0], [2.0]])
        array([[0.25, 0.75]])
    """
    q, k = numeric(q=q, k=k)
    expect(q=(q, "... n d"), k=(k, "... m d"))
    (q, k), dtype = working(q, k)
    similarity = feature(q) @ feature(k).mT
    if mask is not None:
        similarity = np.where(_boolean(mask), similarity, 0)
    return _divided(similarity, similarity.sum(-1)).astype(dtype, copy=False)


def linear_attention(q, k, v, *, feature=elu_plus_one):
    """Attention by features, keys and values summed up first: cost grows with n + m, not n · m.

        Y = φ(Q) (φ(K)ᵀ V) / φ(Q) (φ(K)ᵀ 1)

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   (..., n, e); equal to feature_weights(q, k) @ v, and not to
    softmax attention. feature: a function (..., d) -> (..., f), non-negative.   Without keys the output is 0.
    Raises ValueError where axes disagree. Source: Katharopoulos et al. (2020), equations 4 and 5.

        >>> linear_attention([[0.0]], [[0.0], [2.0]], [[0.0], [4.0]])
        array([[3.]])
    """
    (q, k, v), dtype = _checked(q, k, v)
    state = State(*_sums(feature(k), v))
    return _read(feature(q), state).astype(dtype, copy=False)


def causal_linear_attention(q, k, v, *, feature=elu_plus_one, state=None, block=64):
    """Attention by features where no query sees a later key: a running sum, taken one block of positions at a time.

        y_i = φ(q_i) · S_i / φ(q_i) · z_i,   S_i = Σ_{j ≤ i} φ(k_j) v_jᵀ,   z_i = Σ_{j ≤ i} φ(k_j)

    q: (..., n, d)   k: (..., n, d)   v: (..., n, e)   ->   (y: (..., n, e), State after the last position).
    Inside a block the pairs are formed, block²; before it, only the state is read. block = 1 is the recurrence token by
    token, block ≥ n the quadratic form; all give the same y. Pass the State back in to go on where a sequence stopped.
    Raises ValueError where axes disagree or block < 1. Source: Katharopoulos et al. (2020), §3.3 and §3.4; in blocks:
    Hua et al. (2022).

        >>> causal_linear_attention(*[np.array([[0.0], [2.0]])] * 3)[0]
        array([[0. ],
               [1.5]])
    """
    (q, k, v), dtype = _checked(q, k, v)
    expect(q=(q, "... n d"), k=(k, "... n d"))
    block = whole("block", block, least=1)
    phi_q, phi_k = feature(q), feature(k)
    state = _nothing(phi_k, v) if state is None else state
    outputs = []
    for start in range(0, q.shape[-2], block):
        here = slice(start, start + block)
        y, state = _block(phi_q[..., here, :], phi_k[..., here, :], v[..., here, :], state)
        outputs.append(y)
    y = np.concatenate(outputs, axis=-2) if outputs else np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    return y.astype(dtype, copy=False), state


def _block(phi_q, phi_k, v, state):
    """Outputs of one block of positions, and the state behind it."""
    size = phi_q.shape[-2]
    pairs = np.where(causal(size), phi_q @ phi_k.mT, 0)
    above = pairs @ v + phi_q @ state.total
    below = pairs.sum(-1) + (phi_q * state.normaliser[..., None, :]).sum(-1)
    total, normaliser = _sums(phi_k, v)
    return _divided(above, below), State(state.total + total, state.normaliser + normaliser)


def _read(phi_q, state):
    return _divided(phi_q @ state.total, (phi_q * state.normaliser[..., None, :]).sum(-1))


def _sums(phi_k, v):
    return phi_k.mT @ v, phi_k.sum(-2)


def _nothing(phi_k, v):
    leading = np.broadcast_shapes(phi_k.shape[:-2], v.shape[:-2])
    f, e = phi_k.shape[-1], v.shape[-1]
    return State(np.zeros((*leading, f, e), v.dtype), np.zeros((*leading, f), v.dtype))


def _divided(above, below):
    """above / below by rows; a row whose weights sum to 0 saw nothing and stays 0."""
    below = below[..., None]
    return np.where(below == 0, 0, above / np.where(below == 0, 1, below))


def _checked(q, k, v):
    q, k, v = numeric(q=q, k=k, v=v)
    expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e"))
    return working(q, k, v)


def _boolean(mask):
    mask = np.asarray(mask)
    if mask.dtype.kind != "b":
        raise TypeError(f"mask must be boolean, not {mask.dtype}: without an exponential there is nothing to add it to")
    return mask
