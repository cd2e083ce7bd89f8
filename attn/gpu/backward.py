"""The backward pass of attn.gpu.kernel as two Triton kernels: scores are made again, never kept.

    P = exp(S − lse),   δ_i = dY_i · Y_i,   dS = P ∘ (dY Vᵀ − δ)
    dV = Pᵀ dY,   dQ = scale · dS K,   dK = scale · dSᵀ Q

One kernel walks along keys for each block of queries (dQ), the other along queries for each block of keys (dK, dV):
so each number is written by one program, and no two programs add to the same place. Source: the formulas of Dao
(2023), algorithm 2, which goes over the keys once and adds to dQ atomically; two passes as in Triton's own tutorial.
"""

import numpy as np
import triton
import triton.language as tl

from attn.gpu import torch
from attn.gpu.forward import FLAGS, SCALARS, masked, row_major, settings, strides
from attn.gpu.tiles import LOG2E, _load, _place, _scores, _store
from attn.gpu.tuning import BACKWARD, tried


@triton.jit
def _tile(q, k, v, d_y, lse, delta, rows, keys, n, m, shift, left, right, scale, c, mask, mask_n, mask_m,
          LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr,
          ACC: tl.constexpr):  # fmt: skip
    """(P, dS) of one tile; dS still without the scale. What is forbidden gets 0, whatever stood there."""
    s = _scores(
        q, k, rows, keys, n, m, shift, left, right, scale, mask, mask_n, mask_m, True, LEFT, RIGHT, MASK, PRE, ACC
    )
    p = tl.math.exp2(s * c - lse[:, None] * LOG2E)
    d_p = tl.dot(d_y, tl.trans(v), out_dtype=ACC, input_precision="ieee")
    return p, tl.where(s == -float("inf"), 0.0, p * (d_p - delta[:, None]))


@triton.autotune(**tried(BACKWARD))
@triton.jit
def _queries(q, k, v, dq, dy, lse, delta, mask, starts, n, m, offset, left, right, scale, c, factor, h, r,
             q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, dq_b, dq_h, dq_n, dy_b, dy_h, dy_n, t_b, t_h,
             mask_b, mask_h, mask_n, mask_m, sequences, longest, LONG, ALIGNED: tl.constexpr, PACKED: tl.constexpr,
             LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, ACC: tl.constexpr,
             D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr,
             BN: tl.constexpr):  # fmt: skip
    blocks = tl.cdiv(longest, BM)
    which, head = tl.program_id(0) // blocks // h, (tl.program_id(0) // blocks % h).to(tl.int64)
    first, group = (tl.program_id(0) % blocks) * BM, head // r
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < n:
        rows = first + tl.arange(0, BM)
        t_at = b * t_b + head * t_h + q0
        queries = _load(q + b * q_b + head * q_h + q0 * q_n, first, q_n, n, D, BM, BD, True)
        d_y = _load(dy + b * dy_b + head * dy_h + q0 * dy_n, first, dy_n, n, E, BM, BE, True)
        row_lse = tl.load(lse + t_at + rows, mask=rows < n, other=float("inf"))
        row_delta = tl.load(delta + t_at + rows, mask=rows < n, other=0.0)
        acc = tl.zeros((BM, BD), ACC)
        low = tl.maximum(0, first + shift - left) // BN * BN
        high = tl.minimum(m, tl.minimum(first + BM, n) + shift + right)
        for start in tl.range(low, high, BN):
            keys = start + tl.arange(0, BN)
            key = _load(k + b * k_b + group * k_h + k0 * k_m, start, k_m, m, D, BN, BD, True)
            value = _load(v + b * v_b + group * v_h + k0 * v_m, start, v_m, m, E, BN, BE, True)
            mask_at = mask + b * mask_b + head * mask_h
            _, ds = _tile(
                queries, key, value, d_y, row_lse, row_delta, rows, keys, n, m, shift, left, right, scale, c,
                mask_at, mask_n, mask_m, LEFT, RIGHT, MASK, PRE, ACC
            )  # fmt: skip
            acc += tl.dot(ds.to(key.dtype), key, out_dtype=ACC, input_precision="ieee")
        _store(dq + b * dq_b + head * dq_h + q0 * dq_n, first, dq_n, n, acc * factor, D, BM, BD)


@triton.autotune(**tried(BACKWARD))
@triton.jit
def _keys(q, k, v, dk, dv, dy, lse, delta, mask, starts, n, m, offset, left, right, scale, c, factor, h, r,
          q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, dk_b, dk_h, dk_m, dv_b, dv_h, dv_m, dy_b, dy_h, dy_n, t_b, t_h,
          mask_b, mask_h, mask_n, mask_m, sequences, longest, LONG, ALIGNED: tl.constexpr, PACKED: tl.constexpr,
          LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, ACC: tl.constexpr,
          D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr,
          BN: tl.constexpr):  # fmt: skip
    g, blocks = h // r, tl.cdiv(longest, BN)
    which, group = tl.program_id(0) // blocks // g, (tl.program_id(0) // blocks % g).to(tl.int64)
    first = (tl.program_id(0) % blocks) * BN
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < m:
        keys = first + tl.arange(0, BN)
        key = _load(k + b * k_b + group * k_h + k0 * k_m, first, k_m, m, D, BN, BD, True)
        value = _load(v + b * v_b + group * v_h + k0 * v_m, first, v_m, m, E, BN, BE, True)
        acc_k, acc_v = tl.zeros((BN, BD), ACC), tl.zeros((BN, BE), ACC)
        low = tl.maximum(0, first - shift - right) // BM * BM
        high = tl.minimum(n, tl.minimum(first + BN, m) - shift + left)
        for head in tl.range(group * r, group * r + r):  # every query head that reads this key–value head
            for start in tl.range(low, high, BM):
                rows = start + tl.arange(0, BM)
                t_at = b * t_b + head * t_h + q0
                queries = _load(q + b * q_b + head * q_h + q0 * q_n, start, q_n, n, D, BM, BD, True)
                d_y = _load(dy + b * dy_b + head * dy_h + q0 * dy_n, start, dy_n, n, E, BM, BE, True)
                row_lse = tl.load(lse + t_at + rows, mask=rows < n, other=float("inf"))
                row_delta = tl.load(delta + t_at + rows, mask=rows < n, other=0.0)
                mask_at = mask + b * mask_b + head * mask_h
                p, ds = _tile(
                    queries, key, value, d_y, row_lse, row_delta, rows, keys, n, m, shift, left, right, scale, c,
                    mask_at, mask_n, mask_m, LEFT, RIGHT, MASK, PRE, ACC
                )  # fmt: skip
                acc_v += tl.dot(tl.trans(p).to(d_y.dtype), d_y, out_dtype=ACC, input_precision="ieee")
                acc_k += tl.dot(tl.trans(ds).to(queries.dtype), queries, out_dtype=ACC, input_precision="ieee")
        _store(dk + b * dk_b + group * dk_h + k0 * dk_m, first, dk_m, m, acc_k * factor, D, BN, BD)
        _store(dv + b * dv_b + group * dv_h + k0 * dv_m, first, dv_m, m, acc_v, E, BN, BE)


def backward(layout, plan, y, tops, sums, d_y, *, dtype=None):
    """Launch both kernels.

    y, d_y: (b, h, n, e)   tops, sums: (b, h, n), from forward.forward   ->   dq, dk, dv, shaped as q, k, v
    dtype: of the gradients, q's unless given.
    """
    q, k, v, d_y = (row_major(x) for x in (*layout[:3], d_y))
    acc, told = settings(layout, plan)
    dq, dk, dv = (torch.empty_like(x, dtype=dtype, memory_format=torch.contiguous_format) for x in (q, k, v))
    delta = (d_y.to(acc) * y.to(acc)).sum(-1)
    # an empty row has ℓ = 0: with lse = ∞ all its exponentials vanish, and so do its gradients
    lse = torch.where(sums == 0, float("inf"), tops + sums.log())
    if 0 in (q.shape[2], k.shape[2], *q.shape[:2]):
        return tuple(x.zero_() for x in (dq, dk, dv))
    mask, mask_strides = masked(plan, q)
    starts = lse if layout.starts is None else layout.starts
    common = {
        "lse": lse, "delta": delta, "mask": mask, "starts": starts, "n": q.shape[2], "m": k.shape[2],
        "factor": plan.scale, "t_b": lse.stride(0), "t_h": lse.stride(1), "dy": d_y, "q": q, "k": k, "v": v,
        **dict(zip(("mask_b", "mask_h", "mask_n", "mask_m"), mask_strides, strict=True)),
        **strides(q=q, k=k, v=v, dy=d_y), **{x: told[x] for x in (*SCALARS, *FLAGS)},
    }  # fmt: skip
    most = k.shape[2] if layout.starts is None else int((starts[1, 1:] - starts[1, :-1]).max())
    with np.errstate(all="ignore"):
        _queries[lambda meta: (triton.cdiv(layout.longest, meta["BM"]) * layout.sequences * q.shape[1],)](
            dq=dq, longest=layout.longest, **strides(dq=dq), **common
        )
        _keys[lambda meta: (triton.cdiv(most, meta["BN"]) * layout.sequences * k.shape[1],)](
            dk=dk, dv=dv, longest=most, **strides(dk=dk, dv=dv), **common
        )
    return dq, dk, dv
