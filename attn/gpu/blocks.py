"""The Triton kernels behind attn.gpu.kernel, and how they are launched. Only attn.gpu.kernel imports this.

In all of them the letters are the house's: query i sits at position i + shift, and sees key j if
−left ≤ j − (i + shift) ≤ right. Base-2 exponentials stand for e's: exp(x) = 2^(x · log2 e), which GPUs have in silicon.
"""

import math

import numpy as np
import triton
import triton.language as tl

from attn.gpu import torch

INTERPRETED = not torch.cuda.is_available()
SMALL = [triton.Config({"BM": 32, "BN": 32}, num_warps=4)]
CONFIGS = SMALL if INTERPRETED else [
    triton.Config({"BM": bm, "BN": bn}, num_warps=warps, num_stages=stages)
    for bm, bn, warps, stages in (
        (16, 64, 4, 3), (64, 32, 4, 3), (64, 64, 4, 3), (64, 128, 4, 3), (128, 32, 4, 3), (128, 64, 4, 3),
        (128, 64, 8, 3), (128, 128, 8, 2), (128, 128, 8, 3))
]  # fmt: skip
BACKWARD = SMALL if INTERPRETED else [
    triton.Config({"BM": bm, "BN": bn}, num_warps=warps, num_stages=2)
    for bm, bn, warps in ((32, 64, 4), (64, 32, 4), (64, 64, 4), (64, 64, 8), (64, 128, 8), (128, 64, 8))
]
KEY = ["D", "E", "LONG", "BAND", "MASK"]


@triton.jit
def _load(at, rows, stride, limit, W: tl.constexpr, BW: tl.constexpr):
    """Rows of an array, zeros beyond its end and beyond its width W, which is padded to a power of two."""
    cols = tl.arange(0, BW)
    return tl.load(at + rows[:, None] * stride + cols[None, :],
                   mask=(rows[:, None] < limit) & (cols[None, :] < W), other=0.0)


@triton.jit
def _store(at, rows, stride, limit, what, W: tl.constexpr, BW: tl.constexpr):
    cols = tl.arange(0, BW)
    tl.store(at + rows[:, None] * stride + cols[None, :], what.to(at.dtype.element_ty),
             mask=(rows[:, None] < limit) & (cols[None, :] < W))


@triton.jit
def _scores(q, k, rows, keys, n, m, shift, left, right, scale, mask, mask_n, mask_m,
            EDGE: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, ACC: tl.constexpr):  # fmt: skip
    """A tile of scores, −inf where forbidden; multiplied by scale already if PRE, else later, in the exponent."""
    s = tl.dot(q, tl.trans(k), out_dtype=ACC, input_precision="ieee")
    if PRE:
        s = s * scale
    if EDGE:
        gap = keys[None, :] - (rows[:, None] + shift)
        s = tl.where((keys[None, :] < m) & (gap >= -left) & (gap <= right), s, -float("inf"))
    if MASK > 0:
        inside = (rows[:, None] < n) & (keys[None, :] < m)
        given = tl.load(mask + rows[:, None] * mask_n + keys[None, :] * mask_m, mask=inside, other=0)
        if MASK == 1:
            s = tl.where(given != 0, s, -float("inf"))
        else:   # NaN + −inf is NaN: a forbidden entry must not depend on what stood there
            s = tl.where(given == -float("inf"), given.to(ACC), s + given.to(ACC))
    return s


@triton.jit
def _place(starts, which, sequences, n, m, offset, ALIGNED: tl.constexpr, PACKED: tl.constexpr):
    """(batch, first query, first key, queries, keys, shift) of a sequence; packed ones lie all in batch 0."""
    b, q0, k0 = which.to(tl.int64), which * 0, which * 0
    if PACKED:
        q0, k0 = tl.load(starts + which), tl.load(starts + sequences + 1 + which)
        n, m = tl.load(starts + which + 1) - q0, tl.load(starts + sequences + 2 + which) - k0
        b = b * 0
    shift = offset + which * 0
    if ALIGNED:
        shift = m - n + which * 0
    return b, q0, k0, n, m, shift


@triton.jit
def _fold(acc, top, l, plus, minus, q, k_at, v_at, low, high, rows, n, m, shift, left, right, scale, c, k_m, v_m,
          mask, mask_n, mask_m, D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr,
          BN: tl.constexpr, EDGE: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, SOUND: tl.constexpr,
          ACC: tl.constexpr):  # fmt: skip
    """Merge the blocks of keys low … high − 1 into (m, ℓ, o) = (top, l, acc)."""
    for start in tl.range(low, high, BN):
        keys = start + tl.arange(0, BN)
        k = _load(k_at, keys, k_m, m, D, BD)
        s = _scores(q, k, rows, keys, n, m, shift, left, right, scale, mask, mask_n, mask_m, EDGE, MASK, PRE, ACC)
        new = tl.maximum(top, tl.max(s, 1))
        base = tl.where(new == -float("inf"), 0.0, new) * c
        p = tl.math.exp2(tl.fma(s, tl.zeros_like(s) + c, tl.zeros_like(s) - base[:, None]))
        keep = tl.math.exp2(top * c - base)      # what taking the new maximum from the start would have made of it
        l = l * keep + tl.sum(p, 1)
        v = _load(v_at, keys, v_m, m, E, BE)
        acc = acc * keep[:, None]
        if SOUND:
            acc += tl.dot(p.to(v.dtype), v, out_dtype=ACC, input_precision="ieee")
        else:   # 0 · NaN is NaN: what is not finite is left out, and counted where it was seen
            size = tl.abs(v.to(ACC))
            fine = size < float("inf")
            acc += tl.dot(p.to(v.dtype), tl.where(fine, v, 0.0).to(v.dtype), out_dtype=ACC, input_precision="ieee")
            seen = tl.where(s > -float("inf"), 1.0, 0.0).to(ACC)
            plus += tl.dot(seen, tl.where(fine | (v < 0), 0.0, 1.0).to(ACC), out_dtype=ACC, input_precision="ieee")
            minus += tl.dot(seen, tl.where(fine | (v > 0), 0.0, 1.0).to(ACC), out_dtype=ACC, input_precision="ieee")
        top = new
    return acc, top, l, plus, minus


@triton.autotune(configs=CONFIGS, key=KEY)
@triton.jit
def _forward(q, k, v, y, tops, sums, mask, starts, n, m, offset, left, right, scale, c, h, r,
             q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, y_b, y_h, y_n, t_b, t_h, mask_b, mask_h, mask_n, mask_m,
             sequences, LONG, ALIGNED: tl.constexpr, PACKED: tl.constexpr, BAND: tl.constexpr, MASK: tl.constexpr,
             PRE: tl.constexpr, SOUND: tl.constexpr, DIVIDED: tl.constexpr, ACC: tl.constexpr, D: tl.constexpr,
             E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    which, head = tl.program_id(1) // h, tl.program_id(1) % h
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * BM     # the last queries see most keys: longest first
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < n:
        k_at = k + b * k_b + (head // r) * k_h + k0 * k_m
        v_at = v + b * v_b + (head // r) * v_h + k0 * v_m
        t_at = b * t_b + head * t_h + q0
        mask_at = mask + b * mask_b + head * mask_h
        rows = first + tl.arange(0, BM)
        queries = _load(q + b * q_b + head * q_h + q0 * q_n, rows, q_n, n, D, BD)
        top, l = tl.full((BM,), -float("inf"), ACC), tl.zeros((BM,), ACC)
        acc = tl.zeros((BM, BE), ACC)
        plus, minus = tl.zeros((BM, 1 if SOUND else BE), ACC), tl.zeros((BM, 1 if SOUND else BE), ACC)
        end = tl.minimum(first + BM, n) + shift
        low = tl.maximum(0, first + shift - left) // BN * BN
        high = tl.maximum(low, tl.minimum(m, end + right))
        # keys that every row of the block sees, in whole blocks: there nothing need be masked
        whole = tl.minimum(high, tl.cdiv(tl.maximum(0, end - 1 - left), BN) * BN)
        until = tl.maximum(whole, tl.maximum(0, tl.minimum(m, first + shift + right + 1)) // BN * BN)
        acc, top, l, plus, minus = _fold(
            acc, top, l, plus, minus, queries, k_at, v_at, low, whole, rows, n, m, shift, left, right, scale, c, k_m,
            v_m, mask_at, mask_n, mask_m, D, E, BD, BE, BN, True, MASK, PRE, SOUND, ACC)
        acc, top, l, plus, minus = _fold(
            acc, top, l, plus, minus, queries, k_at, v_at, whole, until, rows, n, m, shift, left, right, scale, c, k_m,
            v_m, mask_at, mask_n, mask_m, D, E, BD, BE, BN, False, MASK, PRE, SOUND, ACC)
        acc, top, l, plus, minus = _fold(
            acc, top, l, plus, minus, queries, k_at, v_at, until, high, rows, n, m, shift, left, right, scale, c, k_m,
            v_m, mask_at, mask_n, mask_m, D, E, BD, BE, BN, True, MASK, PRE, SOUND, ACC)
        if DIVIDED:
            acc = acc / tl.where(l == 0.0, 1.0, l)[:, None]
        if not SOUND:
            acc = tl.where(plus > 0, float("inf"), tl.where(minus > 0, -float("inf"), acc))
            acc = tl.where((plus > 0) & (minus > 0), float("nan"), acc)
        _store(y + b * y_b + head * y_h + q0 * y_n, rows, y_n, n, acc, E, BE)
        tl.store(tops + t_at + rows, top * c / 1.4426950408889634, mask=rows < n)
        tl.store(sums + t_at + rows, l, mask=rows < n)


def unready():
    """Why the interpreter cannot be used although it is needed, in one sentence, or None. -> str or None"""
    if INTERPRETED and type(tl.max).__name__ != "InterpretedFunction":
        return ("Triton was imported before attn.gpu could ask for its interpreter: start Python again and import "
                "attn.gpu.kernel first, or set TRITON_INTERPRET=1")
    return None


def width(size):
    """The power of two that holds a row of `size` numbers, and that a matrix unit can take. -> int ≥ 16"""
    return max(16, triton.next_power_of_2(size))


def row_major(x):
    """The array with its last axis contiguous, a copy only where it was not. -> the same shape"""
    return x if x.stride(-1) == 1 or x.shape[-1] <= 1 else x.contiguous()


def settings(layout, plan):
    """(accumulator's torch dtype, what every kernel is told of the plan, by name)"""
    exact = layout.q.dtype == torch.float64
    kind = 0 if plan.mask is None else 1 if plan.mask.dtype == torch.bool else 2
    pre = kind == 2 or plan.scale <= 0          # a maximum of scores is one of scaled scores if scale is positive
    return torch.float64 if exact else torch.float32, {
        "offset": plan.offset, "left": plan.left, "right": plan.right, "scale": plan.scale,
        "c": (1 if pre else plan.scale) * math.log2(math.e), "h": layout.q.shape[1],
        "r": layout.q.shape[1] // layout.k.shape[1], "sequences": layout.sequences, "ALIGNED": plan.aligned,
        "LONG": triton.next_power_of_2(max(1, layout.longest)), "PACKED": layout.starts is not None,
        "BAND": plan.left < 1 << 30 or plan.right < 1 << 30, "MASK": kind, "PRE": pre,
        "ACC": tl.float64 if exact else tl.float32, "D": layout.q.shape[-1], "E": layout.v.shape[-1],
        "BD": width(layout.q.shape[-1]), "BE": width(layout.v.shape[-1]),
    }  # fmt: skip


def masked(plan, anything):
    """The mask's array and its four strides; where there is none, any array, of which nothing is read."""
    if plan.mask is None:
        return anything, (0, 0, 0, 0)
    mask = plan.mask.view(torch.uint8) if plan.mask.dtype == torch.bool else plan.mask
    return mask, mask.stride()


def forward(layout, plan, *, divided=True):
    """Launch the forward kernel.

    ->   y (b, h, n, e), m (b, h, n), ℓ (b, h, n); y in q's dtype, or, not divided by ℓ, in the accumulator's.
    """
    q, k, v = (row_major(x) for x in layout[:3])
    acc, told = settings(layout, plan)
    y = torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype if divided else acc, device=q.device)
    tops, sums = (torch.empty(q.shape[:-1], dtype=acc, device=q.device) for _ in range(2))
    mask, mask_strides = masked(plan, q)
    starts = tops if layout.starts is None else layout.starts
    if y.numel() == 0 and tops.numel() == 0:
        return y, tops, sums
    with np.errstate(all="ignore"):   # the interpreter computes with NumPy
        _forward[lambda meta: (triton.cdiv(layout.longest, meta["BM"]), layout.sequences * q.shape[1])](
            q, k, v, y, tops, sums, mask, starts, q.shape[2], k.shape[2], **{x: told[x] for x in SCALARS},
            **strides(q=q, k=k, v=v, y=y), t_b=tops.stride(0), t_h=tops.stride(1),
            **dict(zip(("mask_b", "mask_h", "mask_n", "mask_m"), mask_strides, strict=True)),
            **{x: told[x] for x in FLAGS}, SOUND=plan.sound, DIVIDED=divided)
    return y, tops, sums


SCALARS = ("offset", "left", "right", "scale", "c", "h", "r", "sequences", "LONG")
FLAGS = ("ALIGNED", "PACKED", "BAND", "MASK", "PRE", "ACC", "D", "E", "BD", "BE")


def strides(**arrays):
    """The first three strides of (b, h, n, ·) arrays under the kernels' names: q_b, q_h, q_n, k_b, … -> dict"""
    names = {"k": "bhm", "v": "bhm"}
    return {f"{name}_{axis}": array.stride(place) for name, array in arrays.items()
            for place, axis in enumerate(names.get(name[-1], "bhn"))}
