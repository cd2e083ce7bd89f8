"""What attention costs: multiply–adds, exponentials, bytes, seconds at best. Arithmetic only; imports nothing of attn.

One multiply–add is a product and the sum it goes into: two floating-point operations. Counts are exact integers.
"""

from math import prod
from typing import NamedTuple

import numpy as np


class Work(NamedTuple):
    """The arithmetic of one attention layer on one sequence, step by step.

    projections, scores, values: multiply–adds of X W and O W_O, of Q Kᵀ, of A V.   exponentials: softmax's.
    """

    projections: int
    scores: int
    values: int
    exponentials: int

    @property
    def multiply_adds(self):
        """Projections, scores and values together."""
        return self.projections + self.scores + self.values

    @property
    def flops(self):
        """Two for each multiply–add; the exponentials are not in it."""
        return 2 * self.multiply_adds


class Roofline(NamedTuple):
    """The least time a device can take, and what holds it up.

    intensity: flops per byte.   ridge: the intensity at which the device changes from one bound to the other.
    seconds: the larger of compute_seconds and memory_seconds.   bound: "compute" or "memory".
    """

    intensity: float
    ridge: float
    compute_seconds: float
    memory_seconds: float
    seconds: float
    bound: str


class Model(NamedTuple):
    """The sizes of a published model that its attention costs depend on."""

    width: int
    layers: int
    heads: int
    kv_heads: int
    head_width: int


MODELS = {  # attn.show.widgets.cache_calculator.SOURCES names the paper or configuration that each was read from
    "GPT-2 small": Model(768, 12, 12, 12, 64),
    "GPT-3": Model(12288, 96, 96, 96, 128),
    "PaLM": Model(18432, 118, 48, 1, 256),
    "Falcon-7B": Model(4544, 32, 71, 1, 64),
    "Llama-2-7B": Model(4096, 32, 32, 32, 128),
    "Llama-2-70B": Model(8192, 80, 64, 8, 128),
    "Llama-3-8B": Model(4096, 32, 32, 8, 128),
    "Llama-3-70B": Model(8192, 80, 64, 8, 128),
    "Mistral-7B": Model(4096, 32, 32, 8, 128),
}


def pairs(n, m=None, *, left=None, right=None, offset=None):
    """How many (query, key) pairs a mask allows, counted without building it.

        #{(i, j) : −left ≤ j − (i + offset) ≤ right};   causal: right=0;   a window of w: left=w − 1, right=0

    n queries, m keys (n unless given); left, right None: no limit; offset = m − n unless given   ->   an integer.
    For n = m: all n², causal n(n + 1)/2. Raises ValueError for negative sizes. Source: attn.masks, counted.
    """
    m = n if m is None else m
    _not_negative(n=n, m=m, left=left or 0, right=right or 0)
    at = np.arange(n) + (m - n if offset is None else offset)
    first = 0 if left is None else np.clip(at - left, 0, m)
    last = m if right is None else np.clip(at + right + 1, 0, m)
    return int(np.broadcast_to(np.maximum(last - first, 0), n).sum())


def attention(n, m=None, *, width, heads, head_width, kv_heads=None, value_width=None, allowed=None):
    """The arithmetic of one layer: project, score, weigh, mix.

        projections  n·c·h·d + m·c·g·(d + e) + n·h·e·c       scores  h·P·d       values  h·P·e       exponentials  h·P

    P = allowed: the pairs computed, n·m unless given. A naive kernel computes them all and masks afterwards; one that
    skips computes pairs(...).   kv_heads g: heads unless given.   value_width e: head_width d unless given.   m: keys,
    n unless given.   ->   Work. Raises ValueError for negative sizes or if g does not divide h.
    Source: the shapes in Vaswani et al. (2017), §3.2; checked against counted loops.
    """
    m = n if m is None else m
    e = head_width if value_width is None else value_width
    g = _groups(heads, kv_heads)
    allowed = n * m if allowed is None else allowed
    _not_negative(n=n, m=m, width=width, head_width=head_width, value_width=e, allowed=allowed)
    projections = width * (n * heads * (head_width + e) + m * g * (head_width + e))
    return Work(projections, heads * allowed * head_width, heads * allowed * e, heads * allowed)


def crossover(width, *, heads, kv_heads=None):
    """The length at which scores and values cost as much as the projections: L² terms lead only beyond it.

        2·L²·h·d = 2·L·c·d·(h + g)   ⇒   L = c·(h + g)/h;   2c for multi-head attention

    ->   a number of tokens, for full attention with d = e. Raises ValueError if g does not divide h.
    Source: attention(), solved for n.
    """
    return width * (heads + _groups(heads, kv_heads)) / heads


def attention_weights(width, *, heads, head_width, kv_heads=None, value_width=None):
    """How many numbers a layer's W_Q, W_K, W_V and W_O hold.

        c·h·d + c·g·d + c·g·e + h·e·c;   4c² for multi-head attention with h·d = c

    ->   an integer. Raises ValueError if g does not divide h. Source: the shapes in Vaswani et al. (2017), §3.2.2.
    """
    e = head_width if value_width is None else value_width
    return width * (heads + _groups(heads, kv_heads)) * (head_width + e)


def feed_forward_weights(width, hidden, *, gated=False):
    """How many numbers the feed-forward layer's matrices hold: two, or three with a gate (SwiGLU).

        2·c·f   or   3·c·f

    ->   an integer; biases and norms, a few thousand numbers, are left out. Raises ValueError for negative sizes.
    Source: Vaswani et al. (2017), §3.3; Shazeer (2020).
    """
    _not_negative(width=width, hidden=hidden)
    return (3 if gated else 2) * width * hidden


def kv_cache_bytes(length, *, kv_heads, head_width, layers=1, batch=1, itemsize=2, value_width=None):
    """What the key–value cache of a sequence takes.

        b · layers · g · (d + e) · L · itemsize

    itemsize: bytes a number (2 for 16-bit floats)   ->   an integer. Raises ValueError for negative sizes.
    Source: Shazeer (2019), who shrank it by sharing heads; Ainslie et al. (2023).
    """
    e = head_width if value_width is None else value_width
    sizes = {"length": length, "kv_heads": kv_heads, "head_width": head_width, "value_width": e}
    _not_negative(**sizes, layers=layers, batch=batch, itemsize=itemsize)
    return prod((batch, layers, kv_heads, head_width + e, length, itemsize))


def state_bytes(*, heads, head_width, layers=1, batch=1, itemsize=2, value_width=None):
    """What a memory of fixed size takes in place of a key–value cache: one d × e matrix a head, however long the text.

        b · layers · h · d · e · itemsize

    ->   an integer. Raises ValueError for negative sizes. Source: attn.memory's state, counted.
    """
    e = head_width if value_width is None else value_width
    _not_negative(heads=heads, head_width=head_width, value_width=e, layers=layers, batch=batch, itemsize=itemsize)
    return prod((batch, layers, heads, head_width, e, itemsize))


def memory_work(n, *, head_width, value_width=None, block=64, erase=True):
    """The multiply–adds of one head's memory in blocks of b tokens (b = 1: token by token).

        adding:      n · (2de + b(d + e))
        correcting:  n · (3de + b(d + e) + b(d + e/2))

    Each token reads the state and writes it, d·e each, and to correct reads it once more. Inside a block come Q Kᵀ and
    its product with U, and to correct K Kᵀ and the triangular system; b × b is counted whole, and b = 1 has none.
    n tokens   ->   an integer. Raises ValueError for negative sizes or block < 1. Source: attn.memory.chunked, counted.
    """
    e = head_width if value_width is None else value_width
    _not_negative(n=n, head_width=head_width, value_width=e)
    if block < 1:
        raise ValueError(f"block must be at least 1, but is {block}")
    state = (3 if erase else 2) * head_width * e
    pairs_ = 0 if block == 1 else block * (head_width + e) + (block * (2 * head_width + e) // 2 if erase else 0)
    return n * (state + pairs_)


def naive_bytes(n, m=None, *, heads, head_width, kv_heads=None, value_width=None, itemsize=2):
    """The traffic of attention that writes its matrices down: S and A each go to memory and come back.

        itemsize · (n·h·d + m·g·(d + e) + n·h·e + 4·h·n·m)

    ->   bytes. Raises ValueError if g does not divide h. Source: the standard algorithm of Dao et al. (2022), §2.2.
    """
    inputs = _operands(n, n if m is None else m, heads, head_width, kv_heads, value_width)
    return itemsize * (sum(inputs) + 4 * heads * n * (n if m is None else m))


def tiled_bytes(n, m=None, *, heads, head_width, kv_heads=None, value_width=None, itemsize=2, block=128):
    """The traffic of attention in blocks: Q and the output once, K and V once for each block of queries.

        itemsize · (n·h·d + n·h·e + ⌈n·(h/g) / block⌉ · m·g·(d + e))

    ->   bytes. No score is ever written. The queries of the h/g heads that share a key–value head are one list of
    rows, cut into blocks. Raises ValueError if g does not divide h. Source: the loop order of Dao (2023).
    """
    m = n if m is None else m
    g = _groups(heads, kv_heads)
    q, kv, o = _operands(n, m, heads, head_width, kv_heads, value_width)
    return itemsize * (q + o + -(-n * (heads // g) // block) * kv)


def roofline(flops, moved, *, peak, bandwidth):
    """The least time for some arithmetic and some traffic, when both go on at once.

        seconds = max(flops / peak, bytes / bandwidth),   intensity = flops / bytes,   ridge = peak / bandwidth

    flops, moved: counts (bytes).   peak: flops a second.   bandwidth: bytes a second   ->   Roofline.
    Raises ValueError unless all four are positive. Source: Williams, Waterman & Patterson (2009).
    """
    for name, value in {"flops": flops, "moved": moved, "peak": peak, "bandwidth": bandwidth}.items():
        if not value > 0:
            raise ValueError(f"{name} must be positive, but is {value}")
    compute, memory = flops / peak, moved / bandwidth
    bound = "compute" if compute >= memory else "memory"
    return Roofline(flops / moved, peak / bandwidth, compute, memory, max(compute, memory), bound)


def readable(count):
    """Bytes for people: 268435456 -> "256 MiB", in powers of 1024, to three digits.

    count: a number of bytes ≥ 0   ->   str. Raises ValueError for a negative count. Source: IEC 80000-13's prefixes.
    """
    _not_negative(count=count)
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    power = 0
    while round(count) >= 1024 and power + 1 < len(units):
        count, power = count / 1024, power + 1
    return f"{count:.0f} {units[power]}" if count >= 100 else f"{count:.3g} {units[power]}"


def _operands(n, m, heads, d, kv_heads, e):
    """How many numbers Q, K with V, and the output hold."""
    e = d if e is None else e
    _not_negative(n=n, m=m, head_width=d, value_width=e)
    return n * heads * d, m * _groups(heads, kv_heads) * (d + e), n * heads * e


def _groups(heads, kv_heads):
    g = heads if kv_heads is None else kv_heads
    if g < 1 or heads % g:
        raise ValueError(f"g = {g} key–value heads do not divide h = {heads} heads")
    return g


def _not_negative(**sizes):
    for name, size in sizes.items():
        if size < 0:
            raise ValueError(f"{name} must not be negative, but is {size}")
