"""The backward pass of attn.gpu.kernel as Triton kernels: scores are made again, never kept.

    P = exp(S − lse),   δ_i = dY_i · Y_i,   dS = P ∘ (dY Vᵀ − δ)
    dV = Pᵀ dY,   dQ = scale · dS K,   dK = scale · dSᵀ Q

A small kernel computes δ, and lse from what the forward pass kept. Then one walks along keys for each block of queries
(dQ), the other along queries for each block of keys (dK, dV): so each number is written by one program, and no two
programs add to the same place. The last one makes the scores transposed, as K Qᵀ: then Pᵀ and dSᵀ are where the next
product wants them, and need not pass through shared memory.
Query heads that share a key–value head are programs of their own; what they ask of it is added up afterwards.
Source: the formulas of Dao (2023), algorithm 2, which goes over the keys once and adds to dQ atomically; two passes as
in Triton's own tutorial.
"""

import numpy as np

from attn.gpu import torch

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
import triton.language as tl

from attn.gpu.forward import FLAGS, SCALARS, masked, row_major, settings, strides
from attn.gpu.tiles import LOG2E, _cuts, _load, _place, _scores, _store
from attn.gpu.tuning import KEYS, QUERIES, tried


@triton.jit
def _deltas(y, dy, tops, sums, delta, lse, n, h, y_b, y_h, y_n, dy_b, dy_h, dy_n, E: tl.constexpr, BE: tl.constexpr,
            ACC: tl.constexpr, BM: tl.constexpr):  # fmt: skip
    """δ and lse of BM rows. An empty row has ℓ = 0: with lse = ∞ all its exponentials vanish, and so do its slopes."""
    blocks = tl.cdiv(n, BM)
    which, first = (tl.program_id(0) // blocks).to(tl.int64), tl.program_id(0) % blocks * BM
    b, head, rows = which // h, which % h, first + tl.arange(0, BM)
    a = _load(y + b * y_b + head * y_h, first, y_n, n, E, BM, BE, True).to(ACC)
    d = _load(dy + b * dy_b + head * dy_h, first, dy_n, n, E, BM, BE, True).to(ACC)
    at, here = which * n + rows, rows < n
    top, l = tl.load(tops + at, mask=here, other=0.0), tl.load(sums + at, mask=here, other=1.0)
    tl.store(delta + at, tl.sum(a * d, 1), mask=here)
    tl.store(lse + at, tl.where(l == 0.0, float("inf"), top + tl.log(tl.where(l == 0.0, 1.0, l))), mask=here)


@triton.jit
def _slopes(s, c, lse, d_p, delta, EDGE: tl.constexpr, MASK: tl.constexpr):
    """(P, dS) of a tile of scores; dS still without the scale. What is forbidden gets 0, whatever stood there."""
    p = tl.math.exp2(s * c - lse * LOG2E)
    ds = p * (d_p - delta)
    if EDGE or MASK > 0:
        ds = tl.where(s == -float("inf"), 0.0, ds)
    return p, ds


@triton.jit
def _along_keys(acc, low, high, cut, queries, d_y, lse, delta, k_at, v_at, k_m, v_m, rows, n, m, shift, left, right,
                scale, c, mask, mask_n, mask_m, EDGE: tl.constexpr, ACC: tl.constexpr, LEFT: tl.constexpr,
                RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, D: tl.constexpr, E: tl.constexpr,
                BD: tl.constexpr, BE: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    """dQ of one block of queries, from the keys low … high − 1."""
    for at in tl.range(low, high - cut[1] if EDGE else high, BN, num_stages=1 if EDGE else None):
        start = at + tl.where(at < cut[0], 0, cut[1]) if EDGE else at
        keys = start + tl.arange(0, BN)
        key = _load(k_at, start, k_m, m, D, BN, BD, EDGE)
        value = _load(v_at, start, v_m, m, E, BN, BE, EDGE)
        s = _scores(
            queries, key, rows[:, None], keys[None, :], n, m, shift, left, right, scale, mask, mask_n, mask_m,
            EDGE, LEFT, RIGHT, MASK, PRE, ACC
        )  # fmt: skip
        d_p = tl.dot(d_y, tl.trans(value), out_dtype=ACC, input_precision="ieee")
        _, ds = _slopes(s, c, lse[:, None], d_p, delta[:, None], EDGE, MASK)
        acc += tl.dot(ds.to(key.dtype), key, out_dtype=ACC, input_precision="ieee")
    return acc


@triton.jit
def _along_queries(acc_k, acc_v, low, high, cut, key, value, q_at, dy_at, q_n, dy_n, lse, delta, keys, n, m, shift,
                   left, right, scale, c, mask, mask_n, mask_m, EDGE: tl.constexpr, ACC: tl.constexpr,
                   LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, D: tl.constexpr,
                   E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr):  # fmt: skip
    """dK and dV of one block of keys, from the queries low … high − 1 of one head: every tile is transposed."""
    for at in tl.range(low, high - cut[1] if EDGE else high, BM, num_stages=1 if EDGE else None):
        start = at + tl.where(at < cut[0], 0, cut[1]) if EDGE else at
        rows = start + tl.arange(0, BM)
        queries = _load(q_at, start, q_n, n, D, BM, BD, EDGE)
        d_y = _load(dy_at, start, dy_n, n, E, BM, BE, EDGE)
        if EDGE:
            row_lse = tl.load(lse + rows, mask=rows < n, other=float("inf"))
            row_delta = tl.load(delta + rows, mask=rows < n, other=0.0)
        else:
            row_lse, row_delta = tl.load(lse + rows), tl.load(delta + rows)
        s = _scores(
            key, queries, rows[None, :], keys[:, None], n, m, shift, left, right, scale, mask, mask_n, mask_m,
            EDGE, LEFT, RIGHT, MASK, PRE, ACC
        )  # fmt: skip
        d_p = tl.dot(value, tl.trans(d_y), out_dtype=ACC, input_precision="ieee")
        p, ds = _slopes(s, c, row_lse[None, :], d_p, row_delta[None, :], EDGE, MASK)
        acc_v += tl.dot(p.to(d_y.dtype), d_y, out_dtype=ACC, input_precision="ieee")
        acc_k += tl.dot(ds.to(queries.dtype), queries, out_dtype=ACC, input_precision="ieee")
    return acc_k, acc_v


@triton.autotune(**tried(QUERIES))
@triton.jit
def _queries(q, k, v, dq, dy, lse, delta, mask, starts, n, m, offset, left, right, scale, c, factor, h, r,
             q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, dq_b, dq_h, dq_n, dy_b, dy_h, dy_n, t_b, t_h,
             mask_b, mask_h, mask_n, mask_m, sequences, longest, LONG, SPAN, ALIGNED: tl.constexpr,
             PACKED: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr,
             ACC: tl.constexpr, D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr,
             BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    blocks = tl.cdiv(longest, BM)
    which, head = tl.program_id(0) // blocks // h, (tl.program_id(0) // blocks % h).to(tl.int64)
    first, group = (blocks - 1 - tl.program_id(0) % blocks) * BM, head // r  # the last queries see most: longest first
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < n:
        rows, t_at = first + tl.arange(0, BM), b * t_b + head * t_h + q0
        queries = _load(q + b * q_b + head * q_h + q0 * q_n, first, q_n, n, D, BM, BD, True)
        d_y = _load(dy + b * dy_b + head * dy_h + q0 * dy_n, first, dy_n, n, E, BM, BE, True)
        row_lse = tl.load(lse + t_at + rows, mask=rows < n, other=float("inf"))
        row_delta = tl.load(delta + t_at + rows, mask=rows < n, other=0.0)
        k_at, v_at = k + b * k_b + group * k_h + k0 * k_m, v + b * v_b + group * v_h + k0 * v_m
        low, whole, until, high = _cuts(first + shift, tl.minimum(BM, n - first), left, right, m, BN)
        mask_at, cut, acc = mask + b * mask_b + head * mask_h, (whole, until - whole), tl.zeros((BM, BD), ACC)
        seen = k_at, v_at, k_m, v_m, rows, n, m, shift, left, right, scale, c, mask_at, mask_n, mask_m
        acc = _along_keys(acc, whole, until, cut, queries, d_y, row_lse, row_delta, *seen,
                          False, ACC, LEFT, RIGHT, MASK, PRE, D, E, BD, BE, BN)  # fmt: skip
        acc = _along_keys(acc, low, high, cut, queries, d_y, row_lse, row_delta, *seen,
                          True, ACC, LEFT, RIGHT, MASK, PRE, D, E, BD, BE, BN)  # fmt: skip
        _store(dq + b * dq_b + head * dq_h + q0 * dq_n, first, dq_n, n, acc * factor, D, BM, BD)


@triton.autotune(**tried(KEYS))
@triton.jit
def _keys(q, k, v, dk, dv, dy, lse, delta, mask, starts, n, m, offset, left, right, scale, c, factor, h, r,
          q_b, q_h, q_n, k_b, k_h, k_m, v_b, v_h, v_m, dk_b, dk_h, dk_m, dv_b, dv_h, dv_m, dy_b, dy_h, dy_n, t_b, t_h,
          mask_b, mask_h, mask_n, mask_m, sequences, longest, LONG, SPAN, ALIGNED: tl.constexpr, PACKED: tl.constexpr,
          LEFT: tl.constexpr, RIGHT: tl.constexpr, MASK: tl.constexpr, PRE: tl.constexpr, ACC: tl.constexpr,
          D: tl.constexpr, E: tl.constexpr, BD: tl.constexpr, BE: tl.constexpr, BM: tl.constexpr,
          BN: tl.constexpr):  # fmt: skip
    blocks = tl.cdiv(longest, BN)
    which, head = tl.program_id(0) // blocks // h, (tl.program_id(0) // blocks % h).to(tl.int64)
    first, group = (tl.program_id(0) % blocks) * BN, head // r  # the first keys are seen by most: longest first
    b, q0, k0, n, m, shift = _place(starts, which, sequences, n, m, offset, ALIGNED, PACKED)
    if first < m:
        keys, t_at = first + tl.arange(0, BN), b * t_b + head * t_h + q0
        key = _load(k + b * k_b + group * k_h + k0 * k_m, first, k_m, m, D, BN, BD, True)
        value = _load(v + b * v_b + group * v_h + k0 * v_m, first, v_m, m, E, BN, BE, True)
        q_at, dy_at = q + b * q_b + head * q_h + q0 * q_n, dy + b * dy_b + head * dy_h + q0 * dy_n
        low, whole, until, high = _cuts(first - shift, tl.minimum(BN, m - first), right, left, n, BM)
        mask_at, cut = mask + b * mask_b + head * mask_h, (whole, until - whole)
        seen = (q_at, dy_at, q_n, dy_n, lse + t_at, delta + t_at, keys, n, m, shift, left, right, scale, c,
                mask_at, mask_n, mask_m)  # fmt: skip
        acc_k, acc_v = tl.zeros((BN, BD), ACC), tl.zeros((BN, BE), ACC)
        acc_k, acc_v = _along_queries(acc_k, acc_v, whole, until, cut, key, value, *seen,
                                      False, ACC, LEFT, RIGHT, MASK, PRE, D, E, BD, BE, BM)  # fmt: skip
        acc_k, acc_v = _along_queries(acc_k, acc_v, low, high, cut, key, value, *seen,
                                      True, ACC, LEFT, RIGHT, MASK, PRE, D, E, BD, BE, BM)  # fmt: skip
        _store(dk + b * dk_b + head * dk_h + k0 * dk_m, first, dk_m, m, acc_k * factor, D, BN, BD)
        _store(dv + b * dv_b + head * dv_h + k0 * dv_m, first, dv_m, m, acc_v, E, BN, BE)


def backward(layout, plan, y, tops, sums, d_y, *, dtype=None):
    """Launch the kernels.

    y, d_y: (b, h, n, e)   tops, sums: (b, h, n), from forward.forward   ->   dq, dk, dv, shaped as q, k, v
    dtype: of the gradients, q's unless given.
    """
    q, k, v, y, d_y = (row_major(x) for x in (*layout[:3], y, d_y))
    acc, told = settings(layout, plan)
    (b, h, n, _), (g, m) = q.shape, k.shape[1:3]
    dtype = q.dtype if dtype is None else dtype
    dq = torch.empty(q.shape, dtype=dtype, device=q.device)
    # query heads that share a key–value head each write what they ask of it, in the accumulator's precision
    dk, dv = (torch.empty(b, h, m, x.shape[-1], dtype=dtype if g == h else acc, device=q.device) for x in (k, v))
    if 0 in (n, m, b, h):
        return torch.zeros_like(dq), *(torch.zeros(x.shape, dtype=dtype, device=q.device) for x in (k, v))
    delta, lse = torch.empty_like(tops), torch.empty_like(tops)
    mask, mask_strides = masked(plan, q)
    starts = lse if layout.starts is None else layout.starts
    common = {
        "lse": lse, "delta": delta, "mask": mask, "starts": starts, "n": n, "m": m,
        "factor": plan.scale, "t_b": lse.stride(0), "t_h": lse.stride(1), "dy": d_y, "q": q, "k": k, "v": v,
        **dict(zip(("mask_b", "mask_h", "mask_n", "mask_m"), mask_strides, strict=True)),
        **strides(q=q, k=k, v=v, dy=d_y), **{x: told[x] for x in (*SCALARS, *FLAGS)},
    }  # fmt: skip
    most = m if layout.starts is None else int((layout.starts[1, 1:] - layout.starts[1, :-1]).max())
    with np.errstate(all="ignore"):
        _deltas[(triton.cdiv(n, 32) * b * h,)](
            y, d_y, tops.contiguous(), sums.contiguous(), delta, lse, n, h, *y.stride()[:3], *d_y.stride()[:3],
            E=told["E"], BE=told["BE"], ACC=told["ACC"], BM=32,
        )  # fmt: skip
        _queries[lambda meta: (triton.cdiv(layout.longest, meta["BM"]) * layout.sequences * h,)](
            dq=dq, longest=layout.longest, **strides(dq=dq), **common
        )
        _keys[lambda meta: (triton.cdiv(most, meta["BN"]) * layout.sequences * h,)](
            dk=dk, dv=dv, longest=most, **strides(dk=dk, dv=dv), **common
        )
    if g < h:
        dk, dv = (x.unflatten(1, (g, h // g)).sum(2).to(dtype) for x in (dk, dv))
    return dq, dk, dv
