"""The forward pass of attn.gpu.kernel as one Triton kernel, and how it is launched."""

import math

import numpy as np

from attn.gpu import torch

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
import triton.language as tl

from attn.gpu.tiles import LOG2E, _cuts, _fold, _load, _place, _store
from attn.gpu.tuning import FAR, FORWARD, INTERPRETED, tried


@triton.autotune(**tried(FORWARD))
@triton.jit
def _forward(q, k, v, y, tops, sums, mask, starts, n, m, offset, left, right, scale, c, h, r,
             q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, y_b, y_h, y_n, t_b, t_h, mask_b, mask_h, mask_n, mask_m,
             sequences, longest, LONG, SPAN, ALIGNED: tl.constexpr, PACKED: tl.constexpr, LEFT: tl.constexpr,
             RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, SOUND: tl.constexpr, DIVIDED: tl.constexpr,
             ACC: tl.constexpr, D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr,
             BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    blocks = tl.cdiv(longest, BM)
    which, head = tl.program_id(0) // blocks // h, (tl.program_id(0) // blocks % h).to(tl.int64)
    first = (blocks - 1 - tl.program_id(0) % blocks) * BM  # the last queries see most keys: longest first
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < n:
        k_at = k + b * k_b + (head // r) * k_h + k0 * k_m
        v_at = v + b * v_b + (head // r) * v_h + k0 * v_m
        t_at = b * t_b + head * t_h + q0
        mask_at = mask + b * mask_b + head * mask_h
        rows = first + tl.arange(0, BM)
        queries = _load(q + b * q_b + head * q_h + q0 * q_n, first, q_n, n, D, BM, BD, True)
        top, l = tl.full((BM,), -float("inf"), ACC), tl.zeros((BM,), ACC)
        acc = tl.zeros((BM, BE), ACC)
        plus = tl.zeros((BM, 1 if SOUND else BE), tl.float32)
        minus = tl.zeros((BM, 1 if SOUND else BE), tl.float32)
        # keys from whole to until are seen by every row of the block: there nothing need be masked
        low, whole, until, high = _cuts(first + shift, tl.minimum(BM, n - first), left, right, m, BN)
        seen = rows, n, m, shift, left, right, scale, c, k_m, v_m, mask_at, mask_n, mask_m
        acc, top, l, plus, minus = _fold(
            acc, top, l, plus, minus, queries, k_at, v_at, whole, until, (whole, until - whole), *seen,
            False, ACC, LEFT, RIGHT, MASK, PRE, SOUND, D, E, BD, BE, BN
        )  # fmt: skip
        acc, top, l, plus, minus = _fold(
            acc, top, l, plus, minus, queries, k_at, v_at, low, high, (whole, until - whole), *seen,
            True, ACC, LEFT, RIGHT, MASK, PRE, SOUND, D, E, BD, BE, BN
        )  # fmt: skip
        if DIVIDED:
            acc = acc / tl.where(l == 0.0, 1.0, l)[:, None]
        if not SOUND:
            acc = tl.where(plus > 0, float("inf"), tl.where(minus > 0, -float("inf"), acc))
            acc = tl.where((plus > 0) & (minus > 0), float("nan"), acc)
        _store(y + b * y_b + head * y_h + q0 * y_n, first, y_n, n, acc, E, BM, BE)
        tl.store(tops + t_at + rows, top * c / LOG2E, mask=rows < n)
        tl.store(sums + t_at + rows, l, mask=rows < n)


def unready():
    """Why the interpreter cannot be used although it is needed, in one sentence, or None. -> str or None"""
    if INTERPRETED and type(tl.max).__name__ != "InterpretedFunction":
        return (
            "Triton was imported before attn.gpu could ask for its interpreter: start Python again and import "
            "attn.gpu.kernel first, or set TRITON_INTERPRET=1"
        )
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
    pre = kind == 2 or plan.scale <= 0  # a maximum of scores is one of scaled scores if scale is positive
    return torch.float64 if exact else torch.float32, {
        "offset": plan.offset, "left": plan.left, "right": plan.right, "scale": plan.scale,
        "c": (1 if pre else plan.scale) * math.log2(math.e), "h": layout.q.shape[1],
        "r": layout.q.shape[1] // layout.k.shape[1], "sequences": layout.sequences, "ALIGNED": plan.aligned,
        "LONG": triton.next_power_of_2(max(1, layout.longest)), "PACKED": layout.starts is not None,
        "SPAN": triton.next_power_of_2(max(1, layout.k.shape[2])),
        "LEFT": plan.left < FAR, "RIGHT": plan.right < FAR, "MASK": kind, "PRE": pre,
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
    with np.errstate(all="ignore"):  # the interpreter computes with NumPy
        _forward[lambda meta: (triton.cdiv(layout.longest, meta["BM"]) * layout.sequences * q.shape[1],)](
            q, k, v, y, tops, sums, mask, starts, q.shape[2], k.shape[2],
            **{x: told[x] for x in (*SCALARS, *FLAGS)}, **strides(q=q, k=k, v=v, y=y),
            t_b=tops.stride(0), t_h=tops.stride(1),
            **dict(zip(("mask_b", "mask_h", "mask_n", "mask_m"), mask_strides, strict=True)),
            longest=layout.longest, SOUND=plan.sound, DIVIDED=divided,
        )  # fmt: skip
    return y, tops, sums


SCALARS = ("offset", "left", "right", "scale", "c", "h", "r", "sequences", "LONG", "SPAN")
FLAGS = ("ALIGNED", "PACKED", "LEFT", "RIGHT", "MASK", "PRE", "ACC", "D", "E", "BD", "BE")


def strides(**arrays):
    """The first three strides of (b, h, n, ·) arrays under the kernels' names: q_b, q_h, q_n, k_b, … -> dict"""
    names = {"k": "bhm", "v": "bhm"}
    return {
        f"{name}_{axis}": array.stride(place)
        for name, array in arrays.items()
        for place, axis in enumerate(names.get(name[-1], "bhn"))
    }
