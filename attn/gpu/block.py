"""Attention over one block of keys and its gradients, by the quickest way that the device has.

    "kernel"  the Triton kernels of attn.gpu, on a GPU; interpreted, and slow, on a CPU
    "torch"   torch's fused operator for CPUs

Both are given a block of keys and an offset: query i sees key j if j ≤ i + offset; None: it sees all.
q: (b, h, n, d)   k: (b, g, m, d)   v: (b, g, m, e); half precision is accumulated in float32.
"""

from attn.gpu import torch
from attn.gpu.merge import Partial, merge

INF = float("inf")
STRIP = 32  # rows of a triangle at a time: torch's operator computes a small triangle as a square


def wide(dtype):
    """The dtype that sums are kept in: float64 for itself, else float32."""
    return torch.float64 if dtype == torch.float64 else torch.float32


def nothing(q, v):
    """Having seen no key: the neutral element of merge. -> Partial"""
    empty = q.new_zeros(q.shape[:-1], dtype=wide(q.dtype))
    return Partial(empty - INF, empty, empty.new_zeros(*q.shape[:-1], v.shape[-1]))


def partial(q, k, v, scale, offset, by=None):
    """Attention over one block, as it is merged. -> Partial of m, l (b, h, n) and o (b, h, n, e)"""
    if _way(q, by) == "kernel":
        from attn.gpu import forward

        layout, plan = _asked(q, k, v, scale, offset)
        o, m, l = forward.forward(layout, plan, divided=False)
        return Partial(m, l, o)
    done = nothing(q, v)
    for rows, keys, causal in _squares(q, k, offset):
        q1, k1, v1 = _operands(q[:, :, rows], k[:, :, keys], v[:, :, keys])
        y, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q1, k1, v1, 0.0, causal, scale=scale)
        fold(done, rows, Partial(lse, torch.ones_like(lse), y[..., : v.shape[-1]]))
    return done


def fold(done, rows, part):
    """Merge a partial result into some rows of another, in place."""
    near = Partial(*(x[:, :, rows] for x in done))
    for held, new in zip(done, merge(near, part), strict=True):
        held[:, :, rows] = new


def gradients(q, y, d_y, lse, k, v, scale, offset, by=None):
    """What one block adds to the gradients, when y and lse = m + log ℓ are those of all keys.

        P = exp(S − lse),   dS = P ∘ (dY Vᵀ − dY · Y),   dQ = scale · dS K,   dK = scale · dSᵀ Q,   dV = Pᵀ dY

    y, d_y: (b, h, n, e)   lse: (b, h, n)   ->   dq, dk, dv, shaped as q, k, v, in float32 at least.
    """
    acc = wide(q.dtype)
    if _way(q, by) == "kernel":
        from attn.gpu import backward, kernel

        (y, d_y), _ = kernel._computable(y, d_y)
        return backward.backward(*_asked(q, k, v, scale, offset), y, lse, torch.ones_like(lse), d_y, dtype=acc)
    slopes = [torch.zeros_like(x, dtype=acc) for x in (q, k, v)]
    for rows, keys, causal in _squares(q, k, offset):
        q1, k1, v1 = _operands(q[:, :, rows], k[:, :, keys], v[:, :, keys])
        wide_y, wide_d = (_padded(x[:, :, rows].to(acc), v1.shape[-1]) for x in (y, d_y))
        backwards = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
        got = backwards(wide_d, q1, k1, v1, wide_y, lse[:, :, rows].contiguous(), 0.0, causal, scale=scale)
        for out, x, where in zip(slopes, got, (rows, keys, keys), strict=True):
            grouped = x.unflatten(1, (out.shape[1], -1)).sum(2)  # every query head adds to the head that it shares
            out[:, :, where] += grouped[..., : out.shape[-1]]
    return slopes


def _way(q, by):
    return by or ("torch" if q.device.type == "cpu" else "kernel")


def _asked(q, k, v, scale, offset):
    from attn.gpu import kernel

    (q, k, v), _ = kernel._computable(q, k, v)
    layout = kernel.Layout(q, k, v, len(q), q.shape[-2], None)
    return layout, kernel._plan(layout, None, offset is not None, None, offset, scale, True)


def _squares(q, k, offset):
    """(rows, keys, causal) of what torch's operator is asked: rectangles, and small squares under their own diagonal.

    An offset of −1 is a square without its first query and its last key.
    """
    n, m = q.shape[-2], k.shape[-2]
    if offset is None:
        yield slice(0, n), slice(0, m), False
        return
    if n != m or offset > 0:
        raise ValueError(f"torch's operator has no offset {offset} for {n} queries and {m} keys")
    for start in range(0, n + offset, STRIP):
        near = slice(start, min(start + STRIP, n + offset))
        rows = slice(near.start - offset, near.stop - offset)
        if start:
            yield rows, slice(0, start), False
        yield rows, near, True


def _operands(q, k, v):
    """All of one dtype, one number of heads and one width, as torch's operator wants them."""
    d, r = max(q.shape[-1], v.shape[-1]), q.shape[1] // k.shape[1]
    made = [_padded(x.to(wide(x.dtype)), d) for x in (q, k, v)]
    return made[0], *(x.repeat_interleave(r, 1) for x in made[1:])


def _padded(x, width):
    return torch.nn.functional.pad(x, (0, width - x.shape[-1])).contiguous()
