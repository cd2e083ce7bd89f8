"""What attn.gpu.measure asks of a device, each question with its prediction and its reference.

A question is (title, way, work, (q, k, v), expected, predicted): work() computes what is timed; expected is what it
must be close to, in float32; predicted holds flops and bytes by attn.cost.
"""

from attn import cost
from attn.gpu import merge, torch, ways
from attn.gpu.kernel import decode, flash_attention


def every(device, dtype, sizes):
    """All questions, one after the other, so that only one size is in memory at a time. -> iterator of questions"""
    yield from _prefill(device, dtype, sizes)
    yield from _gradients(device, dtype, sizes)
    yield from _windows(device, dtype, sizes)
    yield from _decode(device, dtype, sizes)


def _arrays(device, dtype, b, h, g, n, m, d):
    return [torch.randn(b, heads, rows, d, device=device).to(dtype) for heads, rows in ((h, n), (g, m), (g, m))]


def _reference(q, k, v, mask=None):
    """In float32 and in blocks, so that no (n, m) matrix is needed where none is asked for."""
    r = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(r, 1).float() for x in (k, v))
    return merge.attend(q.float(), k, v, mask, block=512)


def _predicted(q, k, allowed):
    b, h, n, d = q.shape
    g, m, size = k.shape[1], k.shape[2], q.element_size()
    work = cost.attention(n, m, width=0, heads=h, head_width=d, kv_heads=g, allowed=allowed)
    shape = {"heads": h, "head_width": d, "kv_heads": g, "itemsize": size}
    return {"flops": b * work.flops, "bytes": b * cost.tiled_bytes(n, m, **shape, block=max(n * h // g, 1)),
            "naive_bytes": b * cost.naive_bytes(n, m, **shape)}  # fmt: skip


def _causal(n, device):
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()


def _prefill(device, dtype, sizes):
    """Naive against tiled, torch's kernels against ours, causal and not."""
    for n in sizes["lengths"]:
        q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
        for is_causal in (False, True):
            expected = _reference(q, k, v, _causal(n, device) if is_causal else None)
            told = {"causal": is_causal, **_predicted(q, k, cost.pairs(n, right=0) if is_causal else n * n)}
            for name, attend in {**ways.every(), "our kernel": _ours}.items():
                work = _call(attend, q, k, v, is_causal)
                yield "prefill", name, work, arrays, expected, told


def _gradients(device, dtype, sizes):
    """Forward and backward together, at the shortest length; the values are compared, the gradients by the tests."""
    n = min(sizes["lengths"])
    q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
    expected = _reference(q, k, v, _causal(n, device))
    told = {"causal": True, **_predicted(q, k, cost.pairs(n, right=0))}
    told["flops"] = told["flops"] * 7 // 2  # five products backward (the scores are made again), two forward
    for name, attend in {"SDPA": ways.sdpa, "our kernel": _ours}.items():
        yield "forward and backward", name, _both_ways(attend, q, k, v), arrays, expected, told


def _windows(device, dtype, sizes):
    """A window against full causal attention: by FlexAttention and by our kernel."""
    left = sizes["window"] - 1
    for n in sizes["lengths"]:
        q, k, v = arrays = _arrays(device, dtype, sizes["b"], sizes["h"], sizes["h"], n, n, sizes["d"])
        mask = _causal(n, device) & ~_causal(n, device).tril(-left - 1)
        expected = _reference(q, k, v, mask)
        told = {"window": left + 1, **_predicted(q, k, cost.pairs(n, left=left, right=0))}
        yield "window", "FlexAttention", _call(ways.flex(ways.window(left)), q, k, v, True), arrays, expected, told
        work = _call(lambda q, k, v, c: flash_attention(q, k, v, window=(left, 0), sound=True), q, k, v, True)
        yield "window", "our kernel", work, arrays, expected, told


def _decode(device, dtype, sizes):
    """One token against a long cache: multi-head, grouped, multi-query."""
    h, m = sizes["h"], sizes["context"]
    for g in sorted({h, max(1, h // 4), 1}, reverse=True):
        q, k, v = arrays = _arrays(device, dtype, sizes["batch"], h, g, 1, m, sizes["d"])
        expected, told = _reference(q, k, v), {"kv_heads": g, **_predicted(q, k, m)}
        for name, attend in {"SDPA": ways.sdpa, "our kernel, keys split": lambda q, k, v, c: decode(q, k, v)}.items():
            yield "decode", name, _call(attend, q, k, v, False), arrays, expected, told


def _ours(q, k, v, is_causal):
    return flash_attention(q, k, v, is_causal=is_causal, sound=True)


def _call(attend, q, k, v, is_causal):
    return lambda: attend(q, k, v, is_causal)


def _both_ways(attend, q, k, v):
    def work():
        leaves = [x.detach().requires_grad_() for x in (q, k, v)]
        y = attend(*leaves, True)
        torch.autograd.grad(y, leaves, torch.ones_like(y))
        return y.detach()

    return work
