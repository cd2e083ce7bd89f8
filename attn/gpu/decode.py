"""One query a head against a long cache, as two launches: partial results of pieces of the cache, and their merge.

The h / g queries that share a key–value head are the rows of one block, so each key is read once. Keys and values are
read where they lie: any strides will do, so a cache kept as (b, g, m, d) or as (b, m, g, d) is never copied.
Source: the split of the keys in Flash-Decoding (Dao et al., 2023).
"""

import math

import numpy as np

from attn.gpu import torch

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
import triton.language as tl

from attn.gpu.forward import row_major, width
from attn.gpu.tiles import _fold, _load


@triton.jit
def _pieces(q, k, v, tops, sums, sides, m, size, splits, c, g, r, q_b, q_h, k_b, k_g, k_m, v_b, v_g, v_m,
            ACC: tl.constexpr, D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr,
            BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    """(m, ℓ, o) over the keys of one piece, for the r queries of one key–value head."""
    which, piece = tl.program_id(0) // splits, tl.program_id(0) % splits
    b, group = (which // g).to(tl.int64), (which % g).to(tl.int64)
    rows, cols = tl.arange(0, BM), tl.arange(0, BE)
    low, end = piece * size, tl.minimum(m, piece * size + size)
    queries = _load(q + b * q_b + group * r * q_h, 0, q_h, r, D, BM, BD, True)
    seen = rows, r, end, 0, 0, 0, 1.0, c, k_m, v_m, q, 0, 0
    k_at, v_at, whole = k + b * k_b + group * k_g, v + b * v_b + group * v_g, low + (end - low) // BN * BN
    top, l, acc = tl.full((BM,), -float("inf"), ACC), tl.zeros((BM,), ACC), tl.zeros((BM, BE), ACC)
    none = tl.zeros((BM, 1), tl.float32)
    acc, top, l, _, _ = _fold(acc, top, l, none, none, queries, k_at, v_at, low, whole, (whole, 0), *seen,
                              False, ACC, False, False, 0, False, True, D, E, BD, BE, BN)  # fmt: skip
    acc, top, l, _, _ = _fold(acc, top, l, none, none, queries, k_at, v_at, whole, end, (end, 0), *seen,
                              True, ACC, False, False, 0, False, True, D, E, BD, BE, BN)  # fmt: skip
    at = (which * splits + piece).to(tl.int64) * r + rows
    tl.store(tops + at, top, mask=rows < r)
    tl.store(sums + at, l, mask=rows < r)
    tl.store(sides + at[:, None] * E + cols[None, :], acc, mask=(rows < r)[:, None] & (cols < E)[None, :])


@triton.jit
def _join(tops, sums, sides, y, splits, c, r, ACC: tl.constexpr, E: tl.constexpr, BE: tl.constexpr,
          BS: tl.constexpr):  # fmt: skip
    """The pieces of one query merged, and divided: one maximum for all, then sums."""
    row, s, cols = tl.program_id(0).to(tl.int64), tl.arange(0, BS), tl.arange(0, BE)
    at = (row // r * splits + s) * r + row % r
    top = tl.load(tops + at, mask=s < splits, other=-float("inf"))
    share = tl.math.exp2((top - tl.max(top, 0)) * c)
    l = tl.sum(share * tl.load(sums + at, mask=s < splits, other=0.0), 0)
    here = (s < splits)[:, None] & (cols < E)[None, :]
    o = tl.sum(share[:, None] * tl.load(sides + at[:, None] * E + cols[None, :], mask=here, other=0.0), 0)
    tl.store(y + row * E + cols, (o / l).to(y.dtype.element_ty), mask=cols < E)


def fetched(d, e, size):
    """How many keys at a time: what is fetched at once stays below 32 KiB. -> a power of two, 16 to 128"""
    return max(16, min(128, 1 << ((32 << 10) // (size * (width(d) + width(e)))).bit_length() - 1))


def pieces(m, rows, block, splits=None):
    """(how many pieces, keys in each): enough for some 256 programs; pieces are whole blocks. rows: b · g."""
    splits = max(1, min(256 // max(rows, 1), m // 128)) if splits is None else min(splits, m)
    size = -(-m // splits)
    size = size if size < block else -(-size // block) * block
    return -(-m // size), size


def decode(q, k, v, scale, splits=None):
    """Launch both kernels.

    q: (b, h, 1, d)   k: (b, g, m, d)   v: (b, g, m, e)   ->   (b, h, 1, e) in q's dtype; scale > 0
    """
    q, k, v = (row_major(x) for x in (q, k, v))
    (b, h, _, d), (g, m), e = q.shape, k.shape[1:3], v.shape[-1]
    block, exact = fetched(d, e, q.element_size()), q.dtype == torch.float64
    splits, size = pieces(m, b * g, block, splits)
    told = {"ACC": tl.float64 if exact else tl.float32, "E": e, "BE": width(e)}
    acc = torch.float64 if exact else torch.float32
    tops, sums, sides = (torch.empty(b, g, splits, h // g, *x, dtype=acc, device=q.device) for x in ((), (), (e,)))
    y, c = torch.empty(b, h, 1, e, dtype=q.dtype, device=q.device), scale * math.log2(math.e)
    with np.errstate(all="ignore"):
        _pieces[(b * g * splits,)](
            q, k, v, tops, sums, sides, m, size, splits, c, g, h // g, *q.stride()[:2], *k.stride()[:3],
            *v.stride()[:3], D=d, BD=width(d), BM=width(h // g), BN=block, **told,
        )  # fmt: skip
        _join[(b * h,)](tops, sums, sides, y, splits, c, h // g, BS=triton.next_power_of_2(splits), **told)
    return y
