"""What the kernels of attn.gpu do with one tile: fetch it, score it, hide what is forbidden, fold it into (m, ℓ, o).

In all of them the letters are the house's: query i sits at position i + shift, and sees key j if
−left ≤ j − (i + shift) ≤ right. Base-2 exponentials stand for e's: exp(x) = 2^(x · log2 e), which GPUs have in silicon.
"""

import math

from attn.gpu import torch  # noqa: F401

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
import triton.language as tl

LOG2E = tl.constexpr(math.log2(math.e))


@triton.jit
def _load(at, first, stride, limit, W: tl.constexpr, BR: tl.constexpr, BW: tl.constexpr, EDGE: tl.constexpr):
    """Rows first … first + BR − 1 of an array; zeros beyond its end, if it may end here, and beyond its width W."""
    cols = tl.arange(0, BW)[None, :]
    at += tl.cast(first, tl.int64) * stride + tl.arange(0, BR)[:, None] * stride + cols
    if EDGE:
        x = tl.load(at, mask=((first + tl.arange(0, BR))[:, None] < limit) & (cols < W), other=0.0)
    elif W < BW:
        x = tl.load(at, mask=cols < W, other=0.0)
    else:
        x = tl.load(at)
    return x


@triton.jit
def _store(at, first, stride, limit, what, W: tl.constexpr, BR: tl.constexpr, BW: tl.constexpr):
    cols = tl.arange(0, BW)[None, :]
    at += tl.cast(first, tl.int64) * stride + tl.arange(0, BR)[:, None] * stride + cols
    tl.store(at, what.to(at.dtype.element_ty), mask=((first + tl.arange(0, BR))[:, None] < limit) & (cols < W))


@triton.jit
def _scores(a, b, rows, keys, n, m, shift, left, right, scale, mask, mask_n, mask_m, EDGE: tl.constexpr,
            LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr,
            ACC: tl.constexpr):  # fmt: skip
    """A tile of scores a bᵀ, −inf where forbidden; multiplied by scale already if PRE, else later, in the exponent.

    rows (BM, 1) and keys (1, BN) with a of queries, or rows (1, BM) and keys (BN, 1) with a of keys: the transpose.
    """
    s = tl.dot(a, tl.trans(b), out_dtype=ACC, input_precision="ieee")
    if PRE:
        s = s * scale
    if EDGE:
        gap, seen = keys - (rows + shift), keys < m
        if LEFT:
            seen = seen & (gap >= -left)
        if RIGHT:
            seen = seen & (gap <= right)
        s = tl.where(seen, s, -float("inf"))
    if MASK > 0:
        inside = (rows < n) & (keys < m)
        given = tl.load(mask + rows.to(tl.int64) * mask_n + keys.to(tl.int64) * mask_m, mask=inside, other=0)
        if MASK == 1:
            s = tl.where(given != 0, s, -float("inf"))
        else:  # NaN + −inf is NaN: a forbidden entry must not depend on what stood there
            s = tl.where(given == -float("inf"), given.to(ACC), s + given.to(ACC))
    return s


@triton.jit
def _place(starts, which, sequences, n, m, offset, ALIGNED: tl.constexpr, PACKED: tl.constexpr):
    """(batch, first query, first key, queries, keys, shift) of a sequence; packed ones lie all in batch 0.

    What is multiplied by strides is of 64 bits: a long cache has more than 2³¹ numbers.
    """
    b, q0, k0 = which.to(tl.int64), which.to(tl.int64) * 0, which.to(tl.int64) * 0
    if PACKED:
        q0, k0 = tl.load(starts + which).to(tl.int64), tl.load(starts + sequences + 1 + which).to(tl.int64)
        n = tl.load(starts + which + 1) - tl.load(starts + which)
        m = tl.load(starts + sequences + 2 + which) - tl.load(starts + sequences + 1 + which)
        b = b * 0
    shift = offset + which * 0
    if ALIGNED:
        shift = m - n + which * 0
    return b, q0, k0, n, m, shift


@triton.jit
def _weights(s, top, l, c):
    """A tile of scores taken into (m, ℓ) = (top, l): (its exponentials, the factor of what was summed before, m, ℓ)."""
    new = tl.maximum(top, tl.max(s, 1))
    base = tl.where(new == -float("inf"), 0.0, new) * c
    p = tl.math.exp2(tl.fma(s, tl.zeros_like(s) + c, tl.zeros_like(s) - base[:, None]))
    keep = tl.math.exp2(top * c - base)  # what taking the new maximum from the start would have made of it
    l = l * keep + tl.sum(p, 1)
    return p, keep, new, l


@triton.jit
def _fold(acc, top, l, plus, minus, q, k_at, v_at, low, high, cut, rows, n, m, shift, left, right, scale, c, k_m, v_m,
          mask, mask_n, mask_m, EDGE: tl.constexpr, ACC: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr,
          MASK: tl.constexpr, PRE: tl.constexpr, SOUND: tl.constexpr, D: tl.constexpr, E: tl.constexpr,
          BD: tl.constexpr, BE: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    """Merge the blocks of keys low … high − 1 into (m, ℓ, o) = (top, l, acc); at an edge, without those in between.

    The middle is one loop, and both edges together another: a tile or two, not pipelined. Two pipelined loops, one
    after the other, can make ptxas serialize the matrix products of both (its remark C7515).
    """
    for at in tl.range(low, high - cut[1] if EDGE else high, BN, num_stages=1 if EDGE else None):
        start = at + tl.where(at < cut[0], 0, cut[1]) if EDGE else at
        keys = start + tl.arange(0, BN)
        k = _load(k_at, start, k_m, m, D, BN, BD, EDGE)
        s = _scores(
            q, k, rows[:, None], keys[None, :], n, m, shift, left, right, scale, mask, mask_n, mask_m,
            EDGE, LEFT, RIGHT, MASK, PRE, ACC
        )  # fmt: skip
        p, keep, top, l = _weights(s, top, l, c)
        v = _load(v_at, start, v_m, m, E, BN, BE, EDGE)
        acc = acc * keep[:, None]
        if SOUND:
            acc += tl.dot(p.to(v.dtype), v, out_dtype=ACC, input_precision="ieee")
        else:  # 0 · NaN is NaN: what is not finite is left out, and counted where it was seen
            fine = tl.abs(v.to(ACC)) < float("inf")
            acc += tl.dot(p.to(v.dtype), tl.where(fine, v, 0.0).to(v.dtype), out_dtype=ACC, input_precision="ieee")
            seen = tl.where(s > -float("inf"), 1.0, 0.0).to(tl.float16)  # ones and zeros: exact, and quick
            plus += tl.dot(seen, tl.where(fine | (v < 0), 0.0, 1.0).to(tl.float16), out_dtype=tl.float32)
            minus += tl.dot(seen, tl.where(fine | (v > 0), 0.0, 1.0).to(tl.float16), out_dtype=tl.float32)
    return acc, top, l, plus, minus


@triton.jit
def _cuts(first, wide, before, after, limit, B: tl.constexpr):
    """Where a block first … first + wide − 1 of one axis must look at the other: (low, whole, until, high).

    Position i looks at i − before … i + after of the other axis, which has `limit`. Between whole and until, multiples
    of B, every position of the block sees everything: there nothing need be masked.
    """
    low = tl.maximum(0, first - before) // B * B
    high = tl.maximum(low, tl.minimum(limit, first + wide + after))
    whole = tl.minimum(high, tl.cdiv(tl.maximum(0, first + wide - 1 - before), B) * B)
    until = tl.maximum(whole, tl.maximum(0, tl.minimum(limit, first + after + 1)) // B * B)
    return low, whole, until, high
