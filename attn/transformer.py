"""A transformer of attention alone, small enough to read whole, with weights that were really trained.

    X⁰ = E[tokens],   Xˡ⁺¹ = Xˡ + Σ_t A_t Xˡ W_Vᵗ W_Oᵗ,   logits = Xᴸ W_U

A_t = softmax((Xˡ + P) W_Qᵗ ((Xˡ + P) W_Kᵗ)ᵀ / √d + causal). The positions P enter queries and keys only, so what the
residual stream carries is about tokens, and everything is linear but the softmax: logits are a sum over paths.
Source: Elhage et al. (2021), "zero layer" to "two-layer attention-only transformers"; positions: Press et al. (2021).
"""

from typing import NamedTuple

import numpy as np

from attn import core, data, masks
from attn.axes import numeric, whole
from attn.heads import repeat_kv, split, writes
from attn.softmax import logsumexp

SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # the trained models' 32 tokens, written as base 32 writes digits


class Model(NamedTuple):
    """The weights, layers first, heads side by side in columns as attn.heads has them (rows in w_o).

    >>> load().heads
    4
    """

    heads: int
    w_e: np.ndarray  # (tokens, c)     embedding
    w_p: np.ndarray  # (positions, c)  positions
    w_q: np.ndarray  # (l, c, h·d)
    w_k: np.ndarray  # (l, c, g·d), g = h unless keys are shared
    w_v: np.ndarray  # (l, c, g·e)
    w_o: np.ndarray  # (l, h·e, c)
    w_u: np.ndarray  # (c, tokens)     unembedding

    def head(self, layer, head):
        """The four matrices one head uses: w_q (c, d), w_k (c, d), w_v (c, e), w_o (e, c)."""
        k, v = (split(w[layer], self.heads // self.shared)[head // self.shared] for w in (self.w_k, self.w_v))
        return split(self.w_q[layer], self.heads)[head], k, v, split(self.w_o[layer].T, self.heads)[head].T

    @property
    def shared(self):
        """How many heads share one head of keys and values: h / g, 1 as trained."""
        return self.w_q.shape[-1] // self.w_k.shape[-1]


class Run(NamedTuple):
    """One pass with every step kept; l layers, h heads.

    >>> run(load(), [0, 1, 2]).weights.shape
    (2, 4, 3, 3)
    """

    logits: np.ndarray  # (..., n, tokens)
    residual: np.ndarray  # (l + 1, ..., n, c)   the stream before the first layer, and after each
    weights: np.ndarray  # (l, ..., h, n, m)
    outputs: np.ndarray  # (l, ..., h, n, e)     A V, one head at a time
    writes: np.ndarray  # (l, ..., h, n, c)      A V W_O: residual[l + 1] − residual[l] is its sum over h


def load(name="induction"):
    """One of the course's trained models, in float64.

    name: "induction" (two layers), "one_layer" or "fixed_period" (the controls)   ->   Model.
    Raises FileNotFoundError for another name. How each was trained: chapters/data/README.md.

        >>> load("one_layer").w_q.shape
        (1, 64, 64)
    """
    with np.load(data.path(f"{name}.npz")) as stored:
        arrays = {key: stored[key].astype(np.float64) for key in Model._fields if key != "heads"}
        return Model(int(stored["heads"]), **arrays)


def run(model, tokens, *, without=(), mask=None):
    """The whole pass, with every intermediate kept.

        Xˡ⁺¹ = Xˡ + Σ_t A_t Xˡ W_Vᵗ W_Oᵗ

    tokens: integers (..., n)   ->   Run. without: pairs (layer, head) whose write is replaced by zeros.
    mask: broadcasts to (..., h, n, n), True = may attend; the future stays hidden in any case.
    Fewer key–value heads than heads (model._replace(w_k=..., w_v=...) after heads.pool_kv) are shared in groups.
    Raises TypeError unless tokens are integers, ValueError for a token, a length or a head the model has not.

        >>> decode(run(load(), encode("TRAMPOLINETRAM")).logits.argmax(-1))[-1]
        'P'
    """
    tokens = _tokens(model, tokens)
    layers, n = len(model.w_q), tokens.shape[-1]
    keep = np.ones((layers, model.heads, 1, 1))
    for layer, head in without:
        layer, head = whole("without's layer", layer), whole("without's head", head)
        if not (0 <= layer < layers and 0 <= head < model.heads):
            raise ValueError(f"without names head {(layer, head)}, but there are {layers} layers of {model.heads}")
        keep[layer, head] = 0
    stream, steps = [model.w_e[tokens]], []
    for layer in range(layers):
        attention = _attend(model, layer, stream[-1], masks.causal(n) if mask is None else masks.causal(n) & mask)
        written = writes(attention.output, model.w_o[layer]) * keep[layer]
        steps.append((attention.weights, attention.output, written))
        stream.append(stream[-1] + written.sum(-3))
    return Run(stream[-1] @ model.w_u, np.stack(stream), *(np.stack(kind) for kind in zip(*steps, strict=True)))


def _attend(model, layer, x, mask):
    placed = x + model.w_p[: x.shape[-2]]
    q = split(placed @ model.w_q[layer], model.heads)
    k = split(placed @ model.w_k[layer], model.heads // model.shared)
    v = split(x @ model.w_v[layer], model.heads // model.shared)
    return core.trace(q, repeat_kv(k, model.shared), repeat_kv(v, model.shared), mask)


def losses(logits, tokens):
    """How surprised the model is by each next token, in nats.

        ℓ_i = log Σ_k exp(logits_ik) − logits_i,tokens_(i+1)

    logits: (..., n, tokens)   tokens: (..., n)   ->   (..., n − 1). Guessing evenly costs log(vocabulary).
    Raises ValueError where shapes disagree. Source: cross-entropy, Goodfellow et al. (2016), §3.13.

        >>> losses(np.zeros((3, 32)), [0, 1, 2]).round(3)
        array([3.466, 3.466])
    """
    logits, tokens = numeric(logits=logits), np.asarray(tokens)
    if logits.shape[:-1] != tokens.shape:
        raise ValueError(f"logits of shape {logits.shape} do not fit tokens of shape {tokens.shape}")
    said = np.take_along_axis(logits[..., :-1, :], tokens[..., 1:, None], -1)[..., 0]
    return logsumexp(logits[..., :-1, :]) - said


def encode(text):
    """Text in the trained models' 32 symbols, as tokens. Raises ValueError for another symbol.

    "BAD"   ->   [1, 0, 3]

        >>> encode("BAD")
        array([1, 0, 3])
    """
    strange = sorted(set(text) - set(SYMBOLS))
    if strange:
        raise ValueError(f"the models' symbols are {SYMBOLS}; they have no {' '.join(strange)}")
    return np.array([SYMBOLS.index(symbol) for symbol in text], dtype=int)


def decode(tokens):
    """The inverse of encode.   tokens: (n,)   ->   text of n symbols.

    >>> decode([1, 0, 3])
    'BAD'
    """
    return "".join(SYMBOLS[token] for token in tokens)


def _tokens(model, tokens):
    tokens = np.asarray(tokens)
    if tokens.dtype.kind not in "iu":
        raise TypeError(f"tokens must be integers, not {tokens.dtype}")
    if tokens.size and not 0 <= tokens.min() <= tokens.max() < len(model.w_e):
        raise ValueError(f"tokens range {tokens.min()} to {tokens.max()}, but there are {len(model.w_e)} of them")
    if tokens.ndim < 1 or not 1 <= tokens.shape[-1] <= len(model.w_p):
        raise ValueError(f"tokens of shape {tokens.shape} need a length of 1 to {len(model.w_p)} positions")
    return tokens
