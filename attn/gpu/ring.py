"""Ring attention: a sequence spread over several processes, each holding some queries, keys and values.

Every process keeps its queries. Keys and values travel round the ring, one step at a time. Each process turns the
block that has just arrived into a partial result and merges it into what it has. After as many steps as there are
processes, every query has met every key. It is attn.online's merge a third time, across processes.
While a block is used, the next one travels: forward keys and values, backward their gradients as well.
Source: Liu, Zaharia & Abbeel (2024), whose blocks this computes exactly.
"""

import numpy as np

from attn.axes import whole
from attn.gpu import block, torch
from attn.gpu.link import Link
from attn.gpu.merge import finish


def shards(n, ranks, layout="zigzag"):
    """Which positions each process holds.

        blocks:  one stretch each          zigzag: 2·ranks stretches, of which rank r holds r and 2·ranks − 1 − r
        striped: rank r holds r, r + ranks, r + 2·ranks, …

    n: tokens   ->   a list of `ranks` arrays of positions, together 0 … n − 1. Under a causal mask early tokens have
    little to do and late ones much: zigzag and striped give each process some of both, in every step of the ring.
    Raises ValueError for another layout. Source: zigzag is the order of Zhu's ring-flash-attention (2024) and of
    Grattafiori et al. (2024), §3.3.2; striped that of Brandon et al. (2023).
    """
    n, ranks = whole("n", n, least=0), whole("ranks", ranks, least=1)
    if layout == "blocks":
        return np.array_split(np.arange(n), ranks)
    if layout == "striped":
        return [np.arange(r, n, ranks) for r in range(ranks)]
    if layout != "zigzag":
        raise ValueError(f'layout must be "zigzag", "striped" or "blocks", not {layout!r}')
    parts = np.array_split(np.arange(n), 2 * ranks)
    return [np.concatenate([parts[r], parts[-1 - r]]) for r in range(ranks)]


def pairs(n, ranks, layout="zigzag"):
    """How many causal (query, key) pairs each process has to compute at each step of the ring.

        pairs_rt = #{(i, j) : i held by r, j held by (r − t) mod ranks, j ≤ i}

    ->   integers (ranks, steps = ranks). All wait for the slowest, so the ring takes the sum over steps of the largest.
    This is what the mask allows; observe.touched measures what is computed.
    """
    held = shards(n, ranks, layout)
    return np.array([[int(np.searchsorted(held[(r - t) % ranks], held[r], side="right").sum()) for t in range(ranks)]
                     for r in range(ranks)])  # fmt: skip


def attend(q, k, v, *, layout=None, scale=None, mesh=None, by=None, link=None):
    """This process's share of attention over the whole sequence; called by all processes of a mesh.

        Y = finish(merge over ranks of partial(Q, K_rank, V_rank))

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e), this process's   ->   (..., h, n, e)
    g divides h, and all processes have blocks of one shape. layout: how tokens are laid out, as in shards, if
    attention is causal (then n = m, and values must be finite); None: every query sees every key.
    mesh: a DeviceMesh of one axis, the default group unless given. by: "kernel" or "torch", as in
    attn.gpu.block. link: another link than Link(mesh).
    Half precision is accumulated in float32 in both directions. Differentiable, once.
    Raises ValueError if g does not divide h or the rows do not divide. Source: Liu, Zaharia & Abbeel (2024).
    """
    h, g = q.shape[-3], k.shape[-3]
    if h % g:
        raise ValueError(f"h = {h} query heads cannot share g = {g} key–value heads: g must divide h")
    if layout is not None and (q.shape[-2] != k.shape[-2] or (layout == "zigzag" and q.shape[-2] % 2)):
        raise ValueError(f"the {layout} layout cannot place {q.shape[-2]} queries and {k.shape[-2]} keys a process")
    lead, (q, k, v) = q.shape[:-2], (x.reshape(-1, *x.shape[-3:]) for x in (q, k, v))
    y = _Ring.apply(q, k, v, q.shape[-1] ** -0.5 if scale is None else scale, layout, by, link or Link(mesh))
    return y.reshape(*lead, *y.shape[-2:])


class _Ring(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, scale, layout, by, way):
        done, visiting = block.nothing(q, v), (k, v)
        for step in range(way.ranks):
            coming = way.send(visiting) if step + 1 < way.ranks else None  # it travels while this one is used
            if piece := seen(layout, way, step, q.shape[-2]):
                rows, keys, offset = piece
                part = block.partial(q[:, :, rows], *(x[:, :, keys] for x in visiting), scale, offset, by)
                block.fold(done, rows, part)
            visiting = coming() if coming else None
        way.release()
        y = finish(done).to(q.dtype)
        # an empty row has ℓ = 0: with lse = ∞ all its exponentials vanish, and so do its gradients
        ctx.save_for_backward(q, k, v, y, torch.where(done.l == 0, float("inf"), done.m + done.l.log()))
        ctx.told = scale, layout, by, way
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, d_y):
        q, k, v, y, lse = ctx.saved_tensors
        scale, layout, by, way = ctx.told
        acc = lse.dtype
        dq, visiting, arriving = torch.zeros_like(q, dtype=acc), (k, v), None
        for step in range(way.ranks):
            coming = way.send(visiting) if step + 1 < way.ranks else None
            mine = [torch.zeros_like(x, dtype=acc, memory_format=torch.contiguous_format) for x in (k, v)]
            if piece := seen(layout, way, step, q.shape[-2]):
                rows, keys, offset = piece
                near, kv = [x[:, :, rows] for x in (q, y, d_y, lse)], [x[:, :, keys] for x in visiting]
                slopes = block.gradients(*near, *kv, scale, offset, by)
                for total, where, share in zip((dq, *mine), (rows, keys, keys), slopes, strict=True):
                    total[:, :, where] += share
            if arriving:  # what the processes before have asked of this block; it travelled while we computed
                for own, theirs in zip(mine, arriving(), strict=True):
                    own += theirs
            arriving = way.send(mine, lane="gradients")
            visiting = coming() if coming else None
        dk, dv = arriving()  # after the last step every gradient is at home again
        way.release()
        return dq.to(q.dtype), dk.to(k.dtype), dv.to(v.dtype), None, None, None, None


def seen(layout, way, step, n):
    """The part of this step's block that some query here sees: (rows, keys, offset), or None if there is none.

    offset: row i of the part sees key j of it if j ≤ i + offset; None: all of them. At step 0 a process meets its own
    keys, in its own order. Later the block comes from an earlier rank, or, if step > rank, from a later one.
    The host knows all this from three numbers, so it need not ask the device.
    """
    rows = keys = slice(0, None)
    if layout is None or step == 0:
        return rows, keys, None if layout is None else 0
    later = step > way.rank
    if layout == "blocks":
        return None if later else (rows, keys, None)
    if layout == "striped":  # of two stripes, the later one's key stands just behind the query of the same number
        return rows, keys, -1 if later else 0
    return (slice(n // 2, None), keys, None) if later else (rows, slice(0, n // 2), None)
