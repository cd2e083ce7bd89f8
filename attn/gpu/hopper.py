"""The forward pass once more, for Hopper: some warps only fetch tiles, the others only compute with them.

The fetching is done by the copy engine that Hopper has beside its multiprocessors. It is told the shape of an array
once, in a descriptor, and then fetches a tile from two coordinates; what lies beyond the array's end arrives as zeros.
Triton splits the loop over keys among three groups of four warps. One fetches, with few registers. Two compute, each
for half of the rows with registers of its own; while one of them makes exponentials, the other can keep the matrix unit
busy. Triton 3.7 does this to one loop of a kernel and fails where a second one follows, so there is one: every tile is
masked if any is.
Source: the division of work of Shah et al. (2024), as far as Triton 3.7 compiles it; compiled ahead for compute
capability 9.0, and run in the interpreter alone. That is why attention takes this way only when asked to.
"""

import numpy as np

from attn.gpu import torch

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
import triton.language as tl

from attn.gpu.forward import FLAGS, SCALARS, settings, strides
from attn.gpu.tiles import LOG2E, _cuts, _place, _scores, _store, _weights
from attn.gpu.tuning import INTERPRETED, SPECIALIZED, tried

WIDEST = 128  # of a row: two groups of four warps have no registers for wider sums


@triton.autotune(**tried(SPECIALIZED))
@triton.jit
def _specialized(q, k, v, y, tops, sums, n, m, offset, left, right, scale, c, h, r, q_b, q_h, q_n, k_b, k_h, k_m,
                 v_b, v_h, v_m, y_b, y_h, y_n, t_b, t_h, LONG, SPAN, ALIGNED: tl.constexpr, LEFT: tl.constexpr,
                 RIGHT: tl.constexpr, WHOLE: tl.constexpr, DIVIDED: tl.constexpr, ACC: tl.constexpr, D: tl.constexpr,
                 E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr,
                 BN: tl.constexpr):  # fmt: skip
    blocks = tl.cdiv(n, BM)
    which, head = tl.program_id(0) // blocks // h, (tl.program_id(0) // blocks % h).to(tl.int64)
    first = (blocks - 1 - tl.program_id(0) % blocks) * BM  # the last queries see most keys: longest first
    b, _, _, n, m, shift = _place(q, which, 1, n, m, offset, ALIGNED, False)
    asked = tl.make_tensor_descriptor(q + b * q_b + head * q_h, [n, D], [q_n, 1], [BM, BD])
    keys = tl.make_tensor_descriptor(k + b * k_b + (head // r) * k_h, [m, D], [k_m, 1], [BN, BD])
    values = tl.make_tensor_descriptor(v + b * v_b + (head // r) * v_h, [m, E], [v_m, 1], [BN, BE])
    rows, queries = first + tl.arange(0, BM), asked.load([first, 0])
    top, l, acc = tl.full((BM,), -float("inf"), ACC), tl.zeros((BM,), ACC), tl.zeros((BM, BE), ACC)
    low, _, _, high = _cuts(first + shift, tl.minimum(BM, n - first), left, right, m, BN)
    for start in tl.range(low, high, BN, warp_specialize=True):
        s = _scores(
            queries, keys.load([start, 0]), rows[:, None], (start + tl.arange(0, BN))[None, :], n, m, shift, left,
            right, scale, q, 0, 0, LEFT or RIGHT or not WHOLE, LEFT, RIGHT, 0, False, ACC
        )  # fmt: skip
        p, keep, top, l = _weights(s, top, l, c)
        value = values.load([start, 0])
        acc = tl.dot(p.to(value.dtype), value, acc * keep[:, None], out_dtype=ACC, input_precision="ieee")
    if DIVIDED:
        acc = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    _store(y + b * y_b + head * y_h, first, y_n, n, acc, E, BM, BE)
    t_at, here = b * t_b + head * t_h + rows, rows < n
    tl.store(tops + t_at, top * c / LOG2E, mask=here)
    tl.store(sums + t_at, l, mask=here)


def refusal(layout, plan):
    """Why the warps cannot be specialized for this call, in one sentence, or None if they can. -> str or None"""
    q, k, v = layout[:3]
    if not INTERPRETED and torch.cuda.get_device_capability(q.device) != (9, 0):
        return "specialized warps need a GPU of compute capability 9.0 (Hopper): leave specialized out"
    if not INTERPRETED and q.element_size() != 2:
        return f"specialized warps need float16 or bfloat16, not {q.dtype}"
    if plan.mask is not None or layout.starts is not None or not plan.sound or plan.scale <= 0:
        return (
            "specialized warps take no mask, no lengths, no scale below 0 and no values that may be NaN or inf: "
            "use is_causal, window, or leave specialized out"
        )
    if max(q.shape[-1], v.shape[-1]) > WIDEST:
        return f"specialized warps hold rows of at most {WIDEST} numbers, not {max(q.shape[-1], v.shape[-1])}"
    size = q.element_size()
    for name, x in zip("qkv", (q, k, v), strict=True):
        steps = [x.stride(axis) for axis in (0, 1, 2) if x.shape[axis] > 1]
        if x.stride(-1) != 1 or x.data_ptr() % 16 or any(step * size % 16 for step in steps):
            return f"the copy engine needs rows that begin at multiples of 16 bytes, and those of {name} do not"
    return None


def forward(layout, plan, *, divided=True):
    """As attn.gpu.forward.forward, where refusal has nothing to say.

    ->   y (b, h, n, e), m (b, h, n), ℓ (b, h, n); y in q's dtype, or, not divided by ℓ, in the accumulator's.
    """
    q, k, v = layout[:3]
    acc, told = settings(layout, plan)
    y = torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype if divided else acc, device=q.device)
    tops, sums = (torch.empty(q.shape[:-1], dtype=acc, device=q.device) for _ in range(2))
    if y.numel() == 0 and tops.numel() == 0:
        return y, tops, sums
    left_out = ("sequences", "PACKED", "MASK", "PRE")  # nothing of these here
    if q.is_cuda:
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=q.device))
    with np.errstate(all="ignore"):  # the interpreter computes with NumPy
        _specialized[lambda meta: (triton.cdiv(q.shape[2], meta["BM"]) * q.shape[0] * q.shape[1],)](
            q, k, v, y, tops, sums, q.shape[2], k.shape[2],
            **{x: told[x] for x in (*SCALARS, *FLAGS) if x not in left_out}, **strides(q=q, k=k, v=v, y=y),
            t_b=tops.stride(0), t_h=tops.stride(1), WHOLE=k.shape[2] % 128 == 0, DIVIDED=divided,
        )  # fmt: skip
    return y, tops, sums
