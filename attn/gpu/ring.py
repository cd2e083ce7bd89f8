"""Ring attention: a sequence spread over several processes, each holding some queries, keys and values.

Every process keeps its queries. The keys and values travel round the ring, one step at a time; each process turns the
block that has just come by into a partial result and merges it into what it has. After as many steps as there are
processes, everyone has met every key, and nobody has ever held more than two blocks of them. It is attn.online's merge
a third time, across processes. Source: Liu, Zaharia & Abbeel (2024), whose blocks this computes exactly.
"""

import numpy as np

from attn.axes import whole
from attn.gpu import torch
from attn.gpu.merge import Partial, finish, merge, partial


def shards(n, ranks, layout="zigzag"):
    """Which positions each process holds.

        blocks: one stretch each        zigzag: 2·ranks stretches, of which rank r holds r and 2·ranks − 1 − r

    n: tokens   ->   a list of `ranks` arrays of positions, together 0 … n − 1. Under a causal mask early stretches have
    little to do and late ones much; zigzag gives each process one of both. Raises ValueError for another layout.
    Source: the zigzag order is that of Zhu's ring-flash-attention (2024) and of Grattafiori et al. (2024), §3.3.2.
    """
    n, ranks = whole("n", n, least=0), whole("ranks", ranks, least=1)
    if layout == "blocks":
        return np.array_split(np.arange(n), ranks)
    if layout != "zigzag":
        raise ValueError(f'layout must be "zigzag" or "blocks", not {layout!r}')
    parts = np.array_split(np.arange(n), 2 * ranks)
    return [np.concatenate([parts[r], parts[-1 - r]]) for r in range(ranks)]


def pairs(n, ranks, layout="zigzag"):
    """How many causal (query, key) pairs each process computes at each step of the ring.

        pairs_rt = #{(i, j) : i held by r, j held by (r − t) mod ranks, j ≤ i}

    ->   integers (ranks, steps = ranks). All wait for the slowest, so the ring takes the sum over steps of the largest.
    """
    held = shards(n, ranks, layout)
    return np.array([[int(np.searchsorted(held[(r - t) % ranks], held[r], side="right").sum()) for t in range(ranks)]
                     for r in range(ranks)])  # fmt: skip


def attend(q, k, v, *, positions=None, scale=None):
    """This process's share of attention over the whole sequence; called by all processes of the default group.

        Y = finish(merge over ranks of partial(Q, K_rank, V_rank))

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e), this process's   ->   (..., h, n, e)
    g divides h, and all processes have blocks of one shape. positions: (n,), where this process's tokens stand, if
    attention is causal (then n = m); None: every query sees every key. Differentiable: the gradients of keys and
    values travel the ring with them. Raises ValueError if g does not divide h. Source: Liu, Zaharia & Abbeel (2024).
    """
    h, g = q.shape[-3], k.shape[-3]
    if h % g:
        raise ValueError(f"h = {h} query heads cannot share g = {g} key–value heads: g must divide h")
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    at = torch.zeros(0) if positions is None else torch.as_tensor(positions)
    grouped = q.unflatten(-3, (g, h // g))
    return _Ring.apply(grouped, k.unsqueeze(-3), v.unsqueeze(-3), at, scale).flatten(-4, -3)


class _Ring(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, at, scale):
        ranks, done, visiting = torch.distributed.get_world_size(), None, (k, v, at)
        for step in range(ranks):
            coming = _send_on(visiting) if step + 1 < ranks else None  # the next block travels while this one is used
            part = _part(q, *visiting, at, scale)
            done = part if done is None else merge(done, part)
            visiting = coming() if coming else None
        y = finish(done).to(q.dtype)
        # an empty row has ℓ = 0: with lse = ∞ all its exponentials vanish, and so do its gradients
        lse = torch.where(done.l == 0, float("inf"), done.m + done.l.log())
        ctx.save_for_backward(q, k, v, at, y, lse)
        ctx.scale = scale
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, d_y):
        q, k, v, at, y, lse = ctx.saved_tensors
        delta, dq = (d_y * y).sum(-1, keepdim=True), torch.zeros_like(q)
        travelling = (k, v, at, torch.zeros_like(k), torch.zeros_like(v))
        for _ in range(torch.distributed.get_world_size()):
            k, v, their, dk, dv = travelling
            s = _masked(ctx.scale * (q @ k.mT), at, their)
            p = torch.exp(s - lse[..., None])
            ds = p * (d_y @ v.mT - delta)
            dq += ctx.scale * (ds @ k)
            dk, dv = dk + (ctx.scale * ds.mT @ q).sum_to_size(k.shape), dv + (p.mT @ d_y).sum_to_size(v.shape)
            travelling = _send_on((k, v, their, dk, dv))()  # after the last step every gradient is at home again
        return dq, travelling[3], travelling[4], None, None


def _part(q, k, v, their, at, scale):
    """This process's partial result over a visiting block; a block that lies in the future is not computed."""
    if at.numel() and their.min() > at.max():
        nothing = q.new_zeros(q.shape[:-1])
        return Partial(nothing - float("inf"), nothing, q.new_zeros(*q.shape[:-1], v.shape[-1]))
    return partial(q, k, v, _seen(at, their), scale=scale)


def _seen(at, their):
    return their <= at[:, None] if at.numel() else None


def _masked(s, at, their):
    return torch.where(_seen(at, their), s, -float("inf")) if at.numel() else s


def _send_on(tensors):
    """Start sending tensors to the next process and receiving as many from the one before. -> a function that waits"""
    dist = torch.distributed
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if ranks == 1:
        return lambda: tensors
    there = [torch.empty_like(x, memory_format=torch.contiguous_format) for x in tensors]
    moves = [dist.P2POp(dist.isend, x.contiguous(), (rank + 1) % ranks) for x in tensors if x.numel()]
    moves += [dist.P2POp(dist.irecv, x, (rank - 1) % ranks) for x in there if x.numel()]
    works = dist.batch_isend_irecv(moves)

    def arrived():
        for work in works:
            work.wait()
        return tuple(there)

    return arrived
