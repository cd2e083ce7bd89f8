"""torch's own ring, beside ours: what of it runs here, and the same numbers from both.

torch has it in two layers. In front, `context_parallel` takes the place of scaled_dot_product_attention inside a
`with`, cuts the tensors among the devices of a DeviceMesh, and hands blocks to the kernels of CUDA devices; for a CPU's
causal kernel it has no rule, and says so. Behind stands the loop over blocks itself, which is given the attention of
one block as an operator, and so runs with a CPU's. By default it gathers all keys and values at once; they travel from
process to process only where the rotation is asked for, as here. Both layers are experimental in torch and may move.
"""

from contextlib import contextmanager

import numpy as np

from attn import cost
from attn.gpu import Refused, heads, ring, timing, torch
from attn.gpu.compare import reference
from attn.gpu.processes import Group, differentiated


def torch_ring(layout, dtype, q, k, v, d_y=None):
    """What one process does in torch's ring, on a CPU: its rows of the answer, and of the gradients if d_y is given.

        Y = softmax(Q Kᵀ / √d) V        for processes.ring(…, by=torch_ring)

    layout: "zigzag" for causal attention, None for all keys; dtype: None.
    q, d_y: (h, n, d)   k, v: (g, n, d), NumPy arrays; g divides h   ->   [y] or [y, dq, dk, dv], shaped as q, q, k, v.
    Raises Refused where torch keeps its ring elsewhere.
    """
    behind, causal = _behind(), layout is not None
    q, *shared, d_y = (None if x is None else torch.from_numpy(x)[None] for x in (q, k, v, d_y))
    r = q.shape[1] // shared[0].shape[1]
    tensors = dict(zip(("query", "key", "value"), (q, *(x.repeat_interleave(r, 1) for x in shared)), strict=True))
    group = mesh("cpu").get_group()
    with rotating(behind, enable_load_balance=causal, convert_to_f32=q.dtype != torch.float64):
        forward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
        y, lse = behind._templated_ring_attention(group, 2, forward, is_causal=causal, **tensors)
        if d_y is None:
            return [y[0].numpy()]
        told = {"is_causal": causal, "grad_out": d_y, "grad_out_name": "grad_out", "out": y, "logsumexp": lse}
        dq, *wide = behind._templated_ring_attention_backward(group, 2, _backward, **told, **tensors)[:3]
    return [x[0].numpy() for x in (y, dq, *(x.unflatten(1, (-1, r)).sum(2) for x in wide))]


def _behind():
    try:
        from torch.distributed.tensor.experimental._context_parallel import _attention
    except ImportError:
        raise Refused("this torch does not keep its ring where torch 2.13 does: pip install torch==2.13.0") from None
    return _attention


@contextmanager
def rotating(behind, **options):
    """torch's context parallelism with keys and values that travel, and other options; afterwards as it was."""
    kept = dict(vars(behind._cp_options))
    behind.set_rotate_method("alltoall")
    vars(behind._cp_options).update(options)
    try:
        yield
    finally:
        vars(behind._cp_options).update(kept)


def mesh(device):
    """All processes of the default group in a row, as a DeviceMesh. -> DeviceMesh"""
    from torch.distributed.device_mesh import init_device_mesh

    return init_device_mesh(device, (torch.distributed.get_world_size(),))


def _backward(*, query, key, value, out, logsumexp, is_causal, grad_out):
    backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
    return backward(grad_out, query, key, value, out, logsumexp, 0.0, is_causal)


def context_parallel(q, k, v, d_y=None):
    """Causal attention by torch's front door, in one process of a group, which has the whole arrays.

        Y = softmax(mask(Q Kᵀ / √d)) V

    q, d_y: (b, h, n, d)   k, v: (b, h, n, d), NumPy arrays, the same in all processes   ->   ("", its rows of y, or of
    y, dq, dk, dv), held in the zigzag of ring.shards, or (the reason why it does not run here, None).
    """
    from torch.nn.attention import SDPBackend, sdpa_kernel

    device = "cuda" if torch.distributed.get_backend() == "nccl" else "cpu"
    cut = [torch.from_numpy(np.array(x)).to(device) for x in ((q, k, v) if d_y is None else (q, k, v, d_y))]
    try:
        with entered(cut), sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            leaves = [x.detach().clone().requires_grad_(d_y is not None) for x in cut[:3]]
            y = torch.nn.functional.scaled_dot_product_attention(*leaves, is_causal=True)
            slopes = () if d_y is None else torch.autograd.grad(y, leaves, cut[3])
            return "", [x.detach().cpu().numpy() for x in (y, *slopes)]
    except (NotImplementedError, RuntimeError) as error:
        return f"torch refuses: {str(error).splitlines()[0]}", None


@contextmanager
def entered(tensors):
    """torch's context_parallel over all devices of the group; each (b, h, n, ·) tensor is cut, in place, along n."""
    from torch.distributed.tensor.experimental import context_parallel as front

    row = mesh(tensors[0].device.type)
    with rotating(_behind()), front(row, buffers=list(tensors), buffer_seq_dims=[2] * len(tensors)):
        yield


def exchange_heads(layout, dtype, q, *others):
    """What one process does for processes.ring(…, by=exchange_heads): attn.gpu.heads in place of the ring."""

    def attend(q, k, v):
        return heads.attend(*(x[None] for x in (q, k, v)), layout=layout)[0]

    return differentiated(attend, dtype, q, *others)


def rows(device, dtype, sizes, runs):
    """The two rings beside each other for attn.gpu.measure: one GPU a process, or on a CPU two processes. -> rows"""
    ranks = torch.cuda.device_count() if device.type == "cuda" else 2
    if ranks < 2:
        told = {"question": "ring", "dtype": dtype, "q": [], "k": []}
        reason = "a ring needs two GPUs or more, and here is one"
        return [{**told, "name": name, "reason": reason} for name in ("torch's ring", "our ring")]
    with Group(ranks, backend="nccl" if device.type == "cuda" else "gloo") as group:
        return group.run(race, [(device.type, dtype, sizes, runs)] * ranks)[0]


def race(kind, dtype, sizes, runs):
    """What each process does for rows: causal attention by each way, compared first, then timed. -> rows"""
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    n = min(sizes["lengths"]) // (2 * ranks) * 2 * ranks
    drawn = torch.randn(3, sizes["b"], sizes["h"], n, sizes["d"], generator=torch.Generator().manual_seed(12))
    q, k, v = arrays = [x.to(kind, getattr(torch, dtype)) for x in drawn]
    here = torch.as_tensor(ring.shards(n, ranks)[rank], device=q.device)
    seen = here[:, None] >= torch.arange(n, device=q.device)
    expected = reference(q[:, :, here], k, v, mask=seen)
    work = cost.attention(n, n, width=0, heads=sizes["h"], head_width=sizes["d"], allowed=cost.pairs(n, right=0))
    told = {"causal": True, "ranks": ranks, "flops": sizes["b"] * work.flops}
    mine, cut = [x[:, :, here].contiguous() for x in arrays], [x.clone() for x in arrays]
    asked = {"our ring": lambda: ring.attend(*mine, layout="zigzag")}
    if sizes["h"] % ranks == 0:
        asked["heads exchanged"] = lambda: heads.attend(*mine, layout="zigzag")
    ours = timing.rows("ring", asked, arrays, expected, told, runs)
    sdpa = torch.nn.functional
    with entered(cut):  # which puts its own function in the place of torch's, so it cannot take turns with the others
        asked = {"torch's ring": lambda: sdpa.scaled_dot_product_attention(*cut, is_causal=True)}
        return timing.rows("ring", asked, arrays, expected, told, runs) + ours
