"""What attn.gpu.measure asks of a device, each question with its rivals, its prediction and its reference.

A question is (title, ways, (q, k, v), references, predicted): ways are functions without arguments by name, timed in
turns; references are what they must be close to; predicted holds flops, exponentials and bytes by attn.cost.
"""

from attn import cost
from attn.gpu import torch, ways
from attn.gpu.compare import reference
from attn.gpu.kernel import decode, flash_attention


def every(device, dtype, sizes):
    """All questions, one after the other, so that only one size is in memory at a time. -> iterator of questions"""
    yield from _prefill(device, dtype, sizes)
    yield from _gradients(device, dtype, sizes)
    yield from _windows(device, dtype, sizes)
    yield from _decode(device, dtype, sizes)


def _arrays(device, dtype, b, h, g, n, m, d):
    return [torch.randn(b, heads, rows, d, device=device).to(dtype) for heads, rows in ((h, n), (g, m), (g, m))]


def _predicted(q, k, allowed):
    b, h, n, d = q.shape
    g, m, size = k.shape[1], k.shape[2], q.element_size()
    work = cost.attention(n, m, width=0, heads=h, head_width=d, kv_heads=g, allowed=allowed)
    shape = {"heads": h, "head_width": d, "kv_heads": g, "itemsize": size}
    return {"flops": b * work.flops, "exponentials": b * work.exponentials,
            "bytes": b * cost.tiled_bytes(n, m, **shape, block=max(n * h // g, 1)),
            "naive_bytes": b * cost.naive_bytes(n, m, **shape)}  # fmt: skip


def _causal(n, device):
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()


def _prefill(device, dtype, sizes):
    """Naive against tiled, torch's kernels against ours, causal and not."""
    for n in sizes["lengths"]:
        q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
        for is_causal in (False, True):
            mask = _causal(n, device) if is_causal else None
            told = {"causal": is_causal, **_predicted(q, k, cost.pairs(n, right=0) if is_causal else n * n)}
            naive = ways.prepared(n, device) if is_causal else ways.naive  # its mask is made before it is timed
            every = {**ways.every(), "the formula": naive, **ways.rivals(), "our kernel": _ours}
            every["our kernel, specialized"] = _specialized
            every["our kernel, as called"] = lambda q, k, v, c: flash_attention(q, k, v, is_causal=c)
            rivals = {name: _call(attend, q, k, v, is_causal) for name, attend in every.items()}
            yield "prefill", rivals, arrays, reference(q, k, v, mask=mask), told


def _gradients(device, dtype, sizes):
    """Forward and backward together, at the shortest length; values and gradients are compared."""
    n = min(sizes["lengths"])
    q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
    d_y = torch.randn_like(q)
    told = {"causal": True, **_predicted(q, k, cost.pairs(n, right=0))}
    told["flops"] = told["flops"] * 7 // 2  # five products backward (the scores are made again), two forward
    every = {"SDPA": ways.sdpa, "SDPA, flash": ways.backend("FLASH_ATTENTION"),
             "SDPA, cuDNN": ways.backend("CUDNN_ATTENTION"), **ways.rivals(), "our kernel": _ours,
             "our kernel, specialized": _specialized}  # fmt: skip
    rivals = {name: _both_ways(attend, q, k, v, d_y) for name, attend in every.items()}
    yield "forward and backward", rivals, arrays, reference(q, k, v, d_y, _causal(n, device)), told


def _windows(device, dtype, sizes):
    """A window against full causal attention: by FlexAttention and by our kernel."""
    left = sizes["window"] - 1
    for n in sizes["lengths"]:
        q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
        mask = _causal(n, device) & ~_causal(n, device).tril(-left - 1)
        told = {"window": left + 1, **_predicted(q, k, cost.pairs(n, left=left, right=0))}
        every = {
            "FlexAttention": ways.flex(ways.window(left)),
            "FlexAttention, tuned": ways.flex(ways.window(left), tuned=True),
            "our kernel": lambda q, k, v, c: flash_attention(q, k, v, window=(left, 0), sound=True),
        }
        rivals = {name: _call(attend, q, k, v, True) for name, attend in every.items()}
        yield "window", rivals, arrays, reference(q, k, v, mask=mask), told


def _decode(device, dtype, sizes):
    """One token against a long cache: multi-head, grouped, multi-query."""
    h, m = sizes["h"], sizes["context"]
    for g in sorted({h, max(1, h // 4), 1}, reverse=True):
        q, k, v = arrays = _arrays(device, dtype, sizes["batch"], h, g, 1, m, sizes["d"])
        told = {"kv_heads": g, **_predicted(q, k, m)}
        every = {"SDPA": ways.sdpa, "our kernel, keys split": lambda q, k, v, c: decode(q, k, v)}
        rivals = {name: _call(attend, q, k, v, False) for name, attend in every.items()}
        yield "decode", rivals, arrays, reference(q, k, v), told


def _ours(q, k, v, is_causal):
    return flash_attention(q, k, v, is_causal=is_causal, sound=True)


def _specialized(q, k, v, is_causal):
    return flash_attention(q, k, v, is_causal=is_causal, sound=True, specialized=True)


def _call(attend, q, k, v, is_causal):
    return lambda: attend(q, k, v, is_causal)


def _both_ways(attend, q, k, v, d_y):
    def work():
        leaves = [x.detach().requires_grad_() for x in (q, k, v)]
        y = attend(*leaves, True)
        return y.detach(), *torch.autograd.grad(y, leaves, d_y)

    return work
