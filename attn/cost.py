"""What attention costs: multiply–adds, exponentials, bytes, seconds at best. Arithmetic only, nothing is computed.

One multiply–add is a product and the sum it goes into: two floating-point operations. Counts are Python's integers,
exact at any size; what is not whole is refused by name, and what is negative too.
"""

from math import prod
from typing import NamedTuple

from attn.axes import aligned, groups, whole


class Work(NamedTuple):
    """The arithmetic of one attention layer on one sequence, step by step.

    projections, scores, values: multiply–adds of X W and O W_O, of Q Kᵀ, of A V.   exponentials: softmax's.

        >>> Work(projections=4, scores=2, values=2, exponentials=1).flops
        16
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

        >>> roofline(200, 100, peak=100, bandwidth=10).bound
        'memory'
    """

    intensity: float
    ridge: float
    compute_seconds: float
    memory_seconds: float
    seconds: float
    bound: str


class Model(NamedTuple):
    """The sizes of a published model that its attention costs depend on.

    >>> MODELS["GPT-2 small"]
    Model(width=768, layers=12, heads=12, kv_heads=12, head_width=64)
    """

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
        = Σ_i clip(i + offset + right + 1, 0, m) − Σ_i clip(i + offset − left, 0, m)

    n queries, m keys (n unless given); left, right None: no limit; offset = m − n unless given   ->   an integer.
    For n = m: all n², causal n(n + 1)/2. Raises as attn.axes.aligned does. Source: attn.masks, counted.

        >>> pairs(4, right=0)
        10
    """
    n, m, offset = aligned(n, m, offset)
    before = 0 if left is None else _keys_below(n, m, offset - whole("left", left, least=0))
    upto = n * m if right is None else _keys_below(n, m, offset + whole("right", right, least=0) + 1)
    return upto - before


def attention(n, m=None, *, width, heads, head_width, kv_heads=None, value_width=None, allowed=None):
    """The arithmetic of one layer: project, score, weigh, mix.

        projections  n·c·h·d + m·c·g·(d + e) + n·h·e·c       scores  h·P·d       values  h·P·e       exponentials  h·P

    P = allowed: the pairs computed, n·m unless given. A naive kernel computes them all and masks afterwards; one that
    skips computes pairs(...).   kv_heads g: heads unless given.   value_width e: head_width d unless given.   m: keys,
    n unless given.   ->   Work. Raises ValueError for negative sizes or if g does not divide h.
    Source: the shapes in Vaswani et al. (2017), §3.2; checked against counted loops.

        >>> attention(2, width=4, heads=2, head_width=2)
        Work(projections=128, scores=16, values=16, exponentials=8)
    """
    n, m, _ = aligned(n, m)
    (h, g), (d, e) = groups(heads, kv_heads), _widths(head_width, value_width)
    c, pairs = whole("width", width, least=0), n * m if allowed is None else whole("allowed", allowed, least=0)
    return Work(c * (n * h + m * g) * (d + e), h * pairs * d, h * pairs * e, h * pairs)


def crossover(width, *, heads, kv_heads=None):
    """The length at which scores and values cost as much as the projections: L² terms lead only beyond it.

        2·L²·h·d = 2·L·c·d·(h + g)   ⇒   L = c·(h + g)/h;   2c for multi-head attention

    ->   a number of tokens, for full attention with d = e. Raises ValueError if g does not divide h.
    Source: attention(), solved for n.

        >>> crossover(8192, heads=64)
        16384.0
    """
    h, g = groups(heads, kv_heads)
    return whole("width", width, least=0) * (h + g) / h


def attention_weights(width, *, heads, head_width, kv_heads=None, value_width=None):
    """How many numbers a layer's W_Q, W_K, W_V and W_O hold.

        c·h·d + c·g·d + c·g·e + h·e·c;   4c² for multi-head attention with h·d = c

    ->   an integer. Raises ValueError if g does not divide h. Source: the shapes in Vaswani et al. (2017), §3.2.2.

        >>> attention_weights(768, heads=12, head_width=64)
        2359296
    """
    (h, g), (d, e) = groups(heads, kv_heads), _widths(head_width, value_width)
    return whole("width", width, least=0) * (h + g) * (d + e)


def feed_forward_weights(width, hidden, *, gated=False):
    """How many numbers the feed-forward layer's matrices hold: two, or three with a gate (SwiGLU).

        2·c·f   or   3·c·f

    ->   an integer; biases and norms, a few thousand numbers, are left out. Raises ValueError for negative sizes.
    Source: Vaswani et al. (2017), §3.3; Shazeer (2020).

        >>> feed_forward_weights(768, 3072)
        4718592
    """
    return (3 if gated else 2) * whole("width", width, least=0) * whole("hidden", hidden, least=0)


def kv_cache_bytes(length, *, kv_heads, head_width, layers=1, batch=1, itemsize=2, value_width=None):
    """What the key–value cache of a sequence takes.

        b · layers · g · (d + e) · L · itemsize

    itemsize: bytes a number (2 for 16-bit floats)   ->   an integer. Raises ValueError for negative sizes.
    Source: Shazeer (2019), who shrank it by sharing heads; Ainslie et al. (2023).

        >>> readable(kv_cache_bytes(8192, kv_heads=8, head_width=128, layers=80))
        '2.5 GiB'
    """
    sizes = {"length": length, "kv_heads": kv_heads, "layers": layers, "batch": batch, "itemsize": itemsize}
    return sum(_widths(head_width, value_width)) * prod(whole(name, size, least=0) for name, size in sizes.items())


def state_bytes(*, heads, head_width, layers=1, batch=1, itemsize=2, value_width=None):
    """What a memory of fixed size takes in place of a key–value cache: one d × e matrix a head, however long the text.

        b · layers · h · d · e · itemsize

    ->   an integer; the last inputs of a short convolution, as published layers have it in front, are not counted.
    Raises ValueError for negative sizes. Source: attn.memory's state, counted.

        >>> readable(state_bytes(heads=32, head_width=128))
        '1 MiB'
    """
    sizes = {"heads": heads, "layers": layers, "batch": batch, "itemsize": itemsize}
    return prod(_widths(head_width, value_width)) * prod(whole(name, x, least=0) for name, x in sizes.items())


def memory_work(n, *, head_width, value_width=None, block=64, erase=True):
    """The multiply–adds of one head's memory in blocks of b tokens (b = 1: token by token).

        adding:      n · (2de + b(d + e))
        correcting:  n · (3de + b(d + e) + b(d + e/2))

    Each token reads the state and writes it, d·e each, and to correct reads it once more. Inside a block come Q Kᵀ and
    its product with U, and to correct K Kᵀ and the triangular system; b × b is counted whole, and b = 1 has none.
    n tokens   ->   an integer. Raises ValueError for negative sizes or block < 1. Source: attn.memory.chunked, counted.

        >>> memory_work(8, head_width=2, block=1)
        96
    """
    n, b, (d, e) = whole("n", n, least=0), whole("block", block, least=1), _widths(head_width, value_width)
    inside = 0 if b == 1 else b * (d + e) + (b * (2 * d + e) // 2 if erase else 0)
    return n * ((3 if erase else 2) * d * e + inside)


def naive_bytes(n, m=None, *, heads, head_width, kv_heads=None, value_width=None, itemsize=2):
    """The traffic of attention that writes its matrices down: S and A each go to memory and come back.

        itemsize · (n·h·d + m·g·(d + e) + n·h·e + 4·h·n·m)

    ->   bytes. Raises ValueError if g does not divide h. Source: the standard algorithm of Dao et al. (2022), §2.2.

        >>> naive_bytes(2, heads=1, head_width=4)
        96
    """
    n, m, _ = aligned(n, m)
    (h, g), (d, e) = groups(heads, kv_heads), _widths(head_width, value_width)
    return whole("itemsize", itemsize, least=0) * (n * h * (d + e) + m * g * (d + e) + 4 * h * n * m)


def tiled_bytes(n, m=None, *, heads, head_width, kv_heads=None, value_width=None, itemsize=2, block=128):
    """The traffic of attention in blocks: Q and the output once, K and V once for each block of queries.

        itemsize · (n·h·d + n·h·e + ⌈n·(h/g) / block⌉ · m·g·(d + e))

    ->   bytes. No score is ever written. The queries of the h/g heads that share a key–value head are one list of
    rows, cut into blocks. Raises ValueError if g does not divide h. Source: the loop order of Dao (2023).

        >>> tiled_bytes(2, heads=1, head_width=4)
        64
    """
    n, m, _ = aligned(n, m)
    (h, g), (d, e) = groups(heads, kv_heads), _widths(head_width, value_width)
    blocks = -(-n * (h // g) // whole("block", block, least=1))
    return whole("itemsize", itemsize, least=0) * (n * h * (d + e) + blocks * m * g * (d + e))


def roofline(flops, moved, *, peak, bandwidth):
    """The least time for some arithmetic and some traffic, when both go on at once.

        seconds = max(flops / peak, bytes / bandwidth),   intensity = flops / bytes,   ridge = peak / bandwidth

    flops, moved: counts (bytes).   peak: flops a second.   bandwidth: bytes a second   ->   Roofline.
    Raises ValueError unless all four are positive. Source: Williams, Waterman & Patterson (2009).

        >>> roofline(200, 100, peak=100, bandwidth=10).seconds
        10.0
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

        >>> readable(268435456)
        '256 MiB'
    """
    if not count >= 0:
        raise ValueError(f"count must not be negative, but is {count}")
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    power = 0
    while round(count) >= 1024 and power + 1 < len(units):
        count, power = count / 1024, power + 1
    return f"{count:.0f} {units[power]}" if count >= 100 else f"{count:.3g} {units[power]}"


def _widths(head_width, value_width):
    """d and e, e = d unless given."""
    d = whole("head_width", head_width, least=0)
    return d, d if value_width is None else whole("value_width", value_width, least=0)


def _keys_below(n, m, start):
    """Σ_i clip(i + start, 0, m) for n rows i: the keys j < i + start, as the difference of two ramps."""
    return _ramp(n, start) - _ramp(n, start - m)


def _ramp(n, start):
    """Σ_i max(i + start, 0) for i = 0 … n − 1, a difference of triangular numbers."""
    low, high = max(start, 0), max(start + n, 0)
    return (high * (high - 1) - low * (low - 1)) // 2
