"""What is measured, and the figure each should not exceed. Every function yields rows."""

import itertools
from functools import cache

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attn.cache import KVCache, decode
from attn.core import scaled_dot_product_attention
from attn.flash import KEYS, QUERIES, flash_attention
from attn.memory import chunked, recurrent
from bench.pairs import Row, exponent, peak_beside, ratios, seconds_of

WIDTH = 64


def draw(dtype, length, *, h=8, g=None, queries=None):
    """Random q (1, h, queries, 64), k and v (1, g, length, 64), and the same memory as torch tensors."""
    rng = np.random.default_rng(length)
    g, queries = g or h, queries or length
    shapes = (1, h, queries, WIDTH), (1, g, length, WIDTH), (1, g, length, WIDTH)
    arrays = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    return arrays, [torch.from_numpy(x) for x in arrays]


def two_products(q, k, v, is_causal):
    """The floor under every exact method: Q Kᵀ and P V over the same tiles, and nothing between them."""
    tile = np.empty(QUERIES * KEYS, q.dtype)
    for index in np.ndindex(q.shape[:2]):
        for start in range(0, q.shape[2], QUERIES):
            rows = q[index][start : start + QUERIES]
            end = start + len(rows) if is_causal else k.shape[2]
            for low in range(0, end, KEYS):
                keys = slice(low, min(end, low + KEYS))
                s = np.matmul(rows, k[index][keys].T, out=tile[: len(rows) * (keys.stop - low)].reshape(len(rows), -1))
                s @ v[index][keys]


def speed(seconds):
    """One thread each against torch's SDPA, with the two products alone as the floor."""
    torch.set_num_threads(1)
    for (dtype, target), length, causal in itertools.product(
        (("float32", 1.15), ("float64", 0.9)), (2048, 4096, 8192), (False, True)
    ):
        own, their = draw(dtype, length)
        name = f"{dtype} (1, 8, {length}, 64){' causal' if causal else ''}"
        theirs = lambda x=their, c=causal: sdpa(*x, is_causal=c)  # noqa: E731
        yield ratios(
            f"flash / SDPA, {name}",
            lambda x=own, c=causal: flash_attention(*x, is_causal=c),
            theirs,
            target=target,
            seconds=seconds,
        )
        if length == 2048:
            products = lambda x=own, c=causal: two_products(*x, c)  # noqa: E731
            yield ratios(f"the two products / SDPA, {name}", products, theirs, seconds=seconds / 4)
    own, their = draw("float32", 2048)
    yield ratios(
        "core (plain formula) / SDPA, float32 (1, 8, 2048, 64)",
        lambda: scaled_dot_product_attention(*own),
        lambda: sdpa(*their),
        seconds=seconds / 2,
    )


def small(seconds):
    """Short sequences, made in one tile: no slower than the plain formula, but for some 20 µs of bookkeeping."""
    torch.set_num_threads(1)
    for length in (16, 64, 128, 256):
        (own, _) = draw("float32", length)
        yield ratios(
            f"flash / core, float32 (1, 8, {length}, 64)",
            lambda x=own: flash_attention(*x),
            lambda x=own: scaled_dot_product_attention(*x),
            target=1.1 if length >= 64 else None,
            seconds=seconds / 4,
            most=401,
        )


def two_threads(seconds):
    """Two threads each: torch's own, and our two workers."""
    torch.set_num_threads(2)
    for length, causal in itertools.product((2048, 4096, 8192), (False, True)):
        own, their = draw("float32", length)
        yield ratios(
            f"flash, 2 workers / SDPA, 2 threads, float32 (1, 8, {length}, 64){' causal' if causal else ''}",
            lambda x=own, c=causal: flash_attention(*x, is_causal=c, workers=2),
            lambda x=their, c=causal: sdpa(*x, is_causal=c),
            target=1.35,
            threads=2,
            seconds=seconds,
        )
    torch.set_num_threads(1)


def memory(_):
    """Bytes beside the output as the sequence grows: an exponent of 0 is flat, the plain formula's is 2."""
    for name, attend, lengths, target in (
        ("flash", flash_attention, (2048, 4096, 8192, 16384), 0.2),
        ("flash causal", lambda *x: flash_attention(*x, is_causal=True), (2048, 4096, 8192, 16384), 0.2),
        ("core", scaled_dot_product_attention, (512, 1024, 2048), None),
    ):
        peaks = [peak_beside(lambda f=attend, n=n: f(*draw_once("float32", n))) for n in lengths]
        p = exponent(lengths, peaks)
        told = ", ".join(f"{peak / 2**20:.2f}" for peak in peaks)
        yield Row(f"memory beside the output, exponent, {name}", p, p, p, target, 1, f"MiB at {lengths}: {told}")


@cache
def draw_once(dtype, length):
    """One head's q, k, v, kept, so that a memory measurement does not count them."""
    return draw(dtype, length, h=1)[0]


def window(seconds):
    """A window of 256 keys: linear in the length, and a fraction of the full causal pass."""
    lengths, width = (2048, 4096, 8192, 16384, 32768), 255
    attend = lambda *x: flash_attention(*x, is_causal=True, window=width)  # noqa: E731
    p = exponent(lengths, [seconds_of(lambda n=n: attend(*draw_once("float32", n))) for n in lengths])
    yield Row("window of 256, time exponent, 2048 to 32768", p, p, p, 1.1, 5)
    own, their = draw("float32", 8192, h=2)
    yield ratios(
        "window of 256 / SDPA full causal, float32 (1, 2, 8192, 64)",
        lambda: attend(*own),
        lambda: sdpa(*their, is_causal=True),
        target=0.2,
        seconds=seconds,
    )


def grouped(seconds):
    """Eight query heads on g key–value heads: by view, and with K and V repeated."""
    for g in (2, 1):
        own, _ = draw("float32", 2048, g=g)
        r = 8 // g
        view = lambda x=own: flash_attention(*x, is_causal=True)  # noqa: E731
        copied = lambda x=own, r=r: flash_attention(x[0], *(y.repeat(r, 1) for y in x[1:]), is_causal=True)  # noqa: E731
        row = ratios(f"heads by view / repeated, 8 on {g}, 2048 causal", view, copied, target=1.05, seconds=seconds)
        told = " against ".join(f"{peak_beside(f) / 2**20:.2f}" for f in (view, copied))
        yield row._replace(note=f"{row.note}; MiB beside the output {told}")


def decoding(seconds):
    """One query of 32 heads against a cache of 16,384 tokens."""
    torch.set_num_threads(1)
    for g, target in ((32, 0.8), (8, 0.65), (1, None)):
        (q, k, v), their = draw("float32", 16384, h=32, g=g, queries=1)
        kept = KVCache().append(k, v)
        yield ratios(
            f"decode / SDPA, 32 heads on {g}, 16384 tokens",
            lambda q=q, kept=kept: decode(q, kept),
            lambda x=their, g=g: sdpa(*x, enable_gqa=g < 32),
            target=target,
            seconds=seconds,
            most=101,
        )


def memories(seconds):
    """One head of a correcting memory: in blocks, in the loop, against causal softmax in tiles; where they cross."""
    lengths, width = (1024, 2048, 4096, 8192, 16384), 128
    ways = {
        "blocks of 64": lambda q, k, v: chunked(q, k, v)[0],
        "token by token": lambda q, k, v: recurrent(q, k, v)[0],
        "softmax, causal": lambda q, k, v: flash_attention(q, k, v, is_causal=True),
    }
    times = {}
    for name, way in ways.items():
        drawn = [_stream(n, width) for n in lengths]
        times[name] = [seconds_of(lambda f=way, x=x: f(*x)) for x in drawn]
        p = exponent(lengths, times[name])
        told = ", ".join(f"{1e3 * t:.3g}" for t in times[name])
        yield Row(f"one head of a memory, time exponent, {name}", p, p, p, None, 5, f"ms at {lengths}: {told}")
    blocks, loop, softmax = (np.array(times[name]) for name in ways)
    yield Row("blocks / loop, 16384 tokens", *[blocks[-1] / loop[-1]] * 3, 0.5, 5)
    yield Row("blocks / causal softmax, 16384 tokens", *[blocks[-1] / softmax[-1]] * 3, 1.0, 5)
    ahead = np.log(softmax / blocks)  # above 0 the memory is the faster one
    crossing = float(np.exp(np.interp(0, ahead, np.log(lengths)))) if ahead[0] < 0 < ahead[-1] else float("nan")
    yield Row("length at which blocks and causal softmax take the same time", *[crossing] * 3, None, 5)


def _stream(length, width):
    """q, k, v (length, width) of float32 with unit keys."""
    q, k, v = np.random.default_rng(length).normal(size=(3, length, width)).astype(np.float32)
    return q, k / np.linalg.norm(k, axis=-1, keepdims=True), v


ALL = {f.__name__: f for f in (speed, small, two_threads, memory, window, grouped, decoding, memories)}
