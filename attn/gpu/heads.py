"""The other way to spread a sequence over processes: exchange heads for rows, attend, exchange back.

Every process starts with its rows of all heads. One all-to-all exchange gives it all rows of its share of the heads;
for those it attends as if it were alone; a second exchange returns the rows. A process sends (P − 1)/P of its
shares of four tensors, each a P-th, where a ring passes on two blocks P − 1 times: so less travels. But P must divide
the key–value heads, and here nothing is hidden behind work.
Source: Jacobs et al. (2023), "DeepSpeed Ulysses".
"""

import numpy as np

from attn.gpu import ring, torch


def attend(q, k, v, *, layout=None, scale=None, mesh=None):
    """As ring.attend, by two exchanges in place of a ring; differentiable.

        Y = rows ← heads (softmax(mask(Q Kᵀ / √d)) V) ← heads ← rows

    q: (b, h, n, d)   k: (b, g, n, d)   v: (b, g, n, e), this process's rows   ->   (b, h, n, e)
    Raises ValueError if the number of processes does not divide g.
    """
    group = torch.distributed.group.WORLD if mesh is None else mesh.get_group()
    ranks = torch.distributed.get_world_size(group)
    if k.shape[1] % ranks:
        raise ValueError(f"{ranks} processes cannot share g = {k.shape[1]} key–value heads: {ranks} must divide g")
    order = np.concatenate(ring.shards(q.shape[2] * ranks, ranks, layout or "blocks"))
    there, back = (torch.as_tensor(x, device=q.device) for x in (np.argsort(order), order))
    mine = [_Exchange.apply(x, 1, 2, group)[:, :, there] for x in (q, k, v)]
    y = torch.nn.functional.scaled_dot_product_attention(
        *mine, is_causal=layout is not None, scale=scale, enable_gqa=q.shape[1] != k.shape[1]
    )
    return _Exchange.apply(y[:, :, back], 2, 1, group)


class _Exchange(torch.autograd.Function):
    """Cut an axis among all processes and join what comes along another; backward, the two change places."""

    @staticmethod
    def forward(ctx, x, cut, join, group):
        ctx.told = cut, join, group
        sent = torch.stack(x.chunk(torch.distributed.get_world_size(group), cut)).contiguous()
        come = torch.empty_like(sent)
        torch.distributed.all_to_all_single(come, sent, group=group)
        return torch.cat(come.unbind(), join)

    @staticmethod
    def backward(ctx, d_y):
        cut, join, group = ctx.told
        return _Exchange.apply(d_y, join, cut, group), None, None, None
