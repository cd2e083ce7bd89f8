"""The room around attention: norms, a feed-forward layer, and the residual stream they write to."""

import math
from typing import NamedTuple

import numpy as np

from attn.axes import expect, numeric, working
from attn.heads import multi_head_attention


class BlockWeights(NamedTuple):
    """The weights of one pre-norm block with h heads, rows on the left as everywhere (nn.Linear's are transposed).

    attention: w_q (c, h·d), w_k (c, g·d), w_v (c, g·e), w_o (h·e, c)      feed-forward: w_in (c, f), w_out (f, c)
    gains and biases: (c,), b_in (f,); None leaves one out

        >>> BlockWeights(*[np.eye(4)] * 6).b_in is None
        True
    """

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray
    w_in: np.ndarray
    w_out: np.ndarray
    b_in: np.ndarray | None = None
    b_out: np.ndarray | None = None
    gain_1: np.ndarray | None = None
    bias_1: np.ndarray | None = None
    gain_2: np.ndarray | None = None
    bias_2: np.ndarray | None = None


def layer_norm(x, gain=None, bias=None, *, eps=1e-5):
    """Each row centred and scaled to variance one, then stretched and moved by what was learned.

        (x − mean x) / √(var x + ε) · gain + bias,   mean and var over the row, var dividing by c

    x: (..., c)   gain, bias: (c,) or None   ->   (..., c). Geometrically: project out the direction 1, then put the row
    on the sphere of radius √c. Raises ValueError where axes disagree. Source: Ba, Kiros & Hinton (2016), §3.

        >>> layer_norm([1.0, 3.0], eps=0)
        array([-1.,  1.])
    """
    (x, gain, bias), dtype = _ready(x=(x, "... c"), gain=(gain, "c"), bias=(bias, "c"))
    centred = x - x.mean(-1, keepdims=True)
    y = _times(centred / np.sqrt(_mean_square(centred) + eps), gain)
    return _plus(y, bias).astype(dtype, copy=False)


def rms_norm(x, gain=None, *, eps=1e-5):
    """Each row scaled to root mean square one; nothing is subtracted.

        x / √(mean x² + ε) · gain

    x: (..., c)   gain: (c,) or None   ->   (..., c). Equal to layer_norm on rows whose mean is 0.
    Raises ValueError where axes disagree. Source: Zhang & Sennrich (2019).

        >>> rms_norm([3.0, 3.0], eps=0)
        array([1., 1.])
    """
    (x, gain), dtype = _ready(x=(x, "... c"), gain=(gain, "c"))
    return _times(x / np.sqrt(_mean_square(x) + eps), gain).astype(dtype, copy=False)


def relu(x):
    """What is positive, and 0 for the rest.

        max(x, 0)

    x: (...)   ->   (...). Raises TypeError for what is not numbers. Source: Vaswani et al. (2017), §3.3, uses it.

        >>> relu([-1.0, 2.0])
        array([0., 2.])
    """
    return np.maximum(numeric(x=x), 0)


def gelu(x):
    """x times the probability that a standard normal number is smaller.

        x · Φ(x) = x/2 · (1 + erf(x/√2))

    x: (...)   ->   (...), exact to rounding. Raises TypeError for what is not numbers.
    Source: Hendrycks & Gimpel (2016).

        >>> gelu([-1.0, 1.0]).round(4)
        array([-0.1587,  0.8413])
    """
    (x,), dtype = working(numeric(x=x))
    # erfc keeps the digits that 1 + erf loses far to the left, where Φ is tiny
    phi = np.asarray(_erfc(x.astype(np.float64) * -(0.5**0.5)), np.float64) / 2
    return _product(x, phi).astype(dtype, copy=False)


def gelu_tanh(x):
    """gelu's older approximation, which GPT-2's weights were trained with; off by less than 5e-4.

        x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))

    x: (...)   ->   (...). Raises TypeError for what is not numbers. Source: Hendrycks & Gimpel (2016).

        >>> gelu_tanh([-1.0, 1.0]).round(4)
        array([-0.1588,  0.8412])
    """
    (x,), dtype = working(numeric(x=x))
    with np.errstate(over="ignore", under="ignore"):  # x³ may overflow; tanh of it is ±1 all the same
        inner = math.sqrt(2 / math.pi) * x * (1 + 0.044715 * np.square(x))
        return _product(x, (1 + np.tanh(inner)) / 2).astype(dtype, copy=False)


def silu(x):
    """x times a smooth switch: also called swish.

        x · σ(x) = x / (1 + e^(−x))

    x: (...)   ->   (...). Raises TypeError for what is not numbers. Source: Elfwing, Uchibe & Doya (2018).

        >>> silu([0.0, 1.0]).round(4)
        array([0.    , 0.7311])
    """
    (x,), dtype = working(numeric(x=x))
    with np.errstate(under="ignore"):
        small = np.exp(-abs(x))  # never above 1, so it cannot overflow on either side
    return _product(x, np.where(x >= 0, 1, small) / (1 + small)).astype(dtype, copy=False)


def feed_forward(x, w_in, w_out, b_in=None, b_out=None, *, activation=gelu):
    """Each token by itself: widen, bend, narrow.

        activation(x W_in + b_in) W_out + b_out

    x: (..., n, c)   w_in: (c, f)   w_out: (f, c')   b_in: (f,)   b_out: (c',)   ->   (..., n, c').
    Raises ValueError where axes disagree. Source: Vaswani et al. (2017), §3.3 (there with ReLU).

        >>> feed_forward([[1.0, -1.0]], np.eye(2), np.eye(2), activation=relu)
        array([[1., 0.]])
    """
    (x, w_in, w_out, b_in, b_out), dtype = _ready(
        x=(x, "... n c"), w_in=(w_in, "c f"), w_out=(w_out, "f o"), b_in=(b_in, "f"), b_out=(b_out, "o")
    )
    wide = activation(_plus(x @ w_in, b_in))
    return _plus(wide @ w_out, b_out).astype(dtype, copy=False)


def swiglu(x, w_gate, w_in, w_out):
    """A feed-forward layer whose widened half is multiplied by another, bent one: Llama's.

        (silu(x W_gate) ⊙ x W_in) W_out

    x: (..., n, c)   w_gate, w_in: (c, f)   w_out: (f, c')   ->   (..., n, c').
    Raises ValueError where axes disagree. Source: Shazeer (2020).

        >>> swiglu([[1.0, 0.0]], np.eye(2), np.eye(2), np.eye(2)).round(4)
        array([[0.7311, 0.    ]])
    """
    (x, w_gate, w_in, w_out), dtype = _ready(
        x=(x, "... n c"), w_gate=(w_gate, "c f"), w_in=(w_in, "c f"), w_out=(w_out, "f o")
    )
    return ((silu(x @ w_gate) * (x @ w_in)) @ w_out).astype(dtype, copy=False)


def pre_norm_block(x, weights, *, heads, kv_heads=None, mask=None, activation=gelu, rotate=None, eps=1e-5):
    """One layer of a transformer: attention adds to the stream, then the feed-forward layer does.

        x' = x + attention(norm₁(x)),   y = x' + feed_forward(norm₂(x'))

    x: (..., n, c)   weights: BlockWeights   mask: broadcasts to (..., h, n, n)   ->   (..., n, c).
    heads, kv_heads, rotate: as attn.heads.multi_head_attention.   eps: of both norms.
    Raises ValueError where axes disagree. Source: Xiong et al. (2020), figure 1 (b); the parts: Vaswani et al. (2017).

        >>> w = BlockWeights(*[np.eye(4)] * 6)
        >>> pre_norm_block(np.ones((3, 4)), w, heads=2).shape
        (3, 4)
    """
    w = weights
    (x,), dtype = working(numeric(x=x))
    normed = layer_norm(x, w.gain_1, w.bias_1, eps=eps)
    attended = multi_head_attention(
        normed, w.w_q, w.w_k, w.w_v, w.w_o, heads=heads, kv_heads=kv_heads, mask=mask, rotate=rotate
    )
    x = x + attended
    normed = layer_norm(x, w.gain_2, w.bias_2, eps=eps)
    y = x + feed_forward(normed, w.w_in, w.w_out, w.b_in, w.b_out, activation=activation)
    return y.astype(dtype, copy=False)


_erfc = np.frompyfunc(math.erfc, 1, 1)  # one Python call a number: slow and exact, and the standard library has it


def _mean_square(x):
    return np.square(x).mean(-1, keepdims=True)


def _times(x, gain):
    return x if gain is None else x * gain


def _plus(x, bias):
    return x if bias is None else x + bias


def _ready(**arguments):
    """name=(array or None, axes), checked together and in one dtype to compute in; and the dtype to hand back."""
    given = {name: (numeric(**{name: value}), axes) for name, (value, axes) in arguments.items() if value is not None}
    expect(**given)
    computed, dtype = working(*(array for array, _ in given.values()))
    ready = dict(zip(given, computed, strict=True))
    return [ready.get(name) for name in arguments], dtype


def _product(x, share):
    """x · share, where share fades to 0 as x goes to −inf: there the limit is 0, not inf · 0."""
    with np.errstate(invalid="ignore", under="ignore"):
        return np.where(np.isneginf(x), 0, x * share)
