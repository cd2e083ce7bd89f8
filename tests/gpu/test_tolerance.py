"""Tolerances that bite: the kernel passes in every dtype and configuration, and each wrong kernel is refused."""

from importlib.util import find_spec

import numpy as np
import pytest

torch = pytest.importorskip("torch")
if not find_spec("triton"):
    pytest.skip("Triton has no package for this system", allow_module_level=True)
from attn.gpu import backward, compare, forward, hopper, kernel, tuning  # noqa: E402

DEVICE = "cpu" if kernel.INTERPRETED else "cuda"
DTYPES = ("float16", "bfloat16", "float32")
SHAPE = {"h": 4, "g": 2, "n": 70, "m": 100, "d": 32}  # several tiles, none of them whole at the end, two heads a group
SEEN = {"causal": {"is_causal": True}, "window": {"window": (50, 0)}, "full": {}}


def drawn(dtype, h, g, n, m, d, seed=0):
    """q, k, v, dY; the queries reach scores of some size, so that a maximum matters."""
    rng = np.random.default_rng(seed)
    shapes = (h, n), (g, m), (g, m), (h, n)
    arrays = [torch.from_numpy(rng.normal(size=(1, *shape, d))) for shape in shapes]
    return [(x * (2 if i == 0 else 1)).to(DEVICE, getattr(torch, dtype)) for i, x in enumerate(arrays)]


def allowed(n, m, name):
    gap = torch.arange(m) - (torch.arange(n)[:, None] + m - n)
    return {"causal": gap <= 0, "window": (gap <= 0) & (gap >= -50), "full": gap > -n - m}[name].to(DEVICE)


def answers(attend, q, k, v, d_y, **seen):
    leaves = [x.detach().clone().requires_grad_() for x in (q, k, v)]
    y = attend(*leaves, **seen)
    return [y.detach(), *torch.autograd.grad(y, leaves, d_y)]


def judged(attend, dtype, name, **shape):
    q, k, v, d_y = drawn(dtype, **{**SHAPE, **shape})
    right = compare.reference(q, k, v, d_y, allowed(q.shape[2], k.shape[2], name))
    return compare.compare(answers(attend, q, k, v, d_y, **SEEN[name]), right, dtype)


@pytest.mark.parametrize(("dtype", "name"), [*zip(DTYPES, SEEN, strict=True), ("bfloat16", "causal")])
def test_the_kernel_is_right_in_every_dtype_row_by_row(dtype, name):
    found = judged(kernel.flash_attention, dtype, name)
    assert found.right, found
    assert found.worst > 1e-9  # and something was rounded: it is not compared with itself


def specialized(q, k, v, **seen):
    return kernel.flash_attention(q, k, v, specialized=True, **seen)


@pytest.mark.prove
@pytest.mark.skipif(DEVICE == "cuda" and torch.cuda.get_device_capability() != (9, 0), reason="made for Hopper")
@pytest.mark.parametrize("shape", [{}, {"m": 128}], ids=["ragged", "whole"])
@pytest.mark.parametrize("name", SEEN)
def test_specialized_warps_are_right_in_value_and_gradient(name, shape):
    found = judged(specialized, "float16", name, **shape)
    assert found.right, found
    q, k, v, _ = drawn("float16", **{**SHAPE, **shape})
    assert torch.equal(specialized(q, k, v, **SEEN[name]), kernel.flash_attention(q, k, v, **SEEN[name]))


SIZES = sorted(
    {(c.kwargs["BM"], c.kwargs["BN"]) for c in (*tuning.FORWARD, *tuning.QUERIES, *tuning.KEYS, *tuning.SPECIALIZED)}
)


@pytest.mark.prove
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("rows", "keys"), SIZES)
def test_every_configuration_the_tuner_may_choose_is_right(monkeypatch, rows, keys, dtype):
    for tuner in (forward._forward, hopper._specialized, backward._queries, backward._keys):
        config = kernel.forward.triton.Config({"BM": rows, "BN": keys})
        monkeypatch.setattr(tuner, "configs", [config])
        monkeypatch.setattr(tuner, "cache", {})
    for name in SEEN:
        assert judged(kernel.flash_attention, dtype, name, n=150, m=201).right, name
        if DEVICE == "cpu" and any((rows, keys) == (c.kwargs["BM"], c.kwargs["BN"]) for c in tuning.SPECIALIZED):
            assert judged(specialized, dtype, name, n=150, m=201).right, name


# ── kernels that are wrong ──────────────────────────────────────────────────────────────────────────────────────


def dropped(q, k, v, **seen):
    """The last eighth of the keys is never visited."""
    kept = k.shape[2] - k.shape[2] // 8
    return kernel.flash_attention(q, k[:, :, :kept], v[:, :, :kept], offset=k.shape[2] - q.shape[2], **seen)


def last_tile_dropped(q, k, v, **seen):
    """The last tile is taken for beyond the end."""
    kept = (k.shape[2] - 1) // 32 * 32
    return kernel.flash_attention(q, k[:, :, :kept], v[:, :, :kept], offset=k.shape[2] - q.shape[2], **seen)


def scaled(q, k, v, **seen):
    """The scale is 5 % off."""
    return kernel.flash_attention(q, k, v, scale=1.05 * q.shape[-1] ** -0.5, **seen)


def unmasked(q, k, v, **seen):
    """One tile on the edge is taken for one that every row sees."""
    n, m = q.shape[2], k.shape[2]
    mask = {"causal": "is_causal" in seen, "window": "window" in seen}
    free = allowed(n, m, next((name for name, on in mask.items() if on), "full")).clone()
    free[32:64, m - n + 32 : m - n + 64] = True
    return kernel.flash_attention(q, k, v, free)


def one_off(q, k, v, window=None, **seen):
    """The window ends one key early, or the diagonal one key late."""
    if window:
        return kernel.flash_attention(q, k, v, window=(window[0] - 1, window[1]), **seen)
    return kernel.flash_attention(q, k, v, offset=k.shape[2] - q.shape[2] + 1, **seen)


def wrong_head(q, k, v, **seen):
    """Query head i reads key–value head i mod g instead of i // (h / g)."""
    h, g = q.shape[1], k.shape[1]
    return kernel.flash_attention(q, *(x[:, torch.arange(h) % g] for x in (k, v)), **seen)


def stale(q, k, v, **seen):
    """The sums of the first half keep their own maximum: they are not rescaled when the second half's is larger."""
    from attn.gpu import merge

    n, m = q.shape[2], k.shape[2]
    r, half = q.shape[1] // k.shape[1], m // 2
    mask = allowed(n, m, "causal" if "is_causal" in seen else "window" if "window" in seen else "full")
    k, v = (x.repeat_interleave(r, 1) for x in (k, v))
    a = merge.partial(q, k[:, :, :half], v[:, :, :half], mask[:, :half])
    b = merge.partial(q, k[:, :, half:], v[:, :, half:], mask[:, half:])
    return merge.finish(merge.Partial(b.m, a.l + b.l, a.o + b.o)).to(q.dtype)


def half_sums(q, k, v, **seen):
    """What is summed over the tiles is rounded to the inputs' half precision after each of them."""
    from attn.gpu import merge

    mask = allowed(
        q.shape[2], k.shape[2], "causal" if "is_causal" in seen else "window" if "window" in seen else "full"
    )
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    total = None
    for start in range(0, k.shape[2], 4):
        near = slice(start, start + 4)
        part = merge.partial(q, k[:, :, near], v[:, :, near], mask[:, near])
        part = merge.merge(total, part) if total else part
        total = merge.Partial(part.m, *(x.to(q.dtype).to(part.m.dtype) for x in part[1:]))
    return merge.finish(total).to(q.dtype)


EVERYWHERE = (dropped, last_tile_dropped, scaled, wrong_head, stale)
WRONG = [(way, name) for way in EVERYWHERE for name in SEEN]
WRONG += [(unmasked, "causal"), (unmasked, "window"), (one_off, "causal"), (one_off, "window")]
SAMPLE = [*WRONG[1::3], WRONG[-1]]  # each of them once or more


@pytest.mark.parametrize(("way", "name"), SAMPLE, ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_a_wrong_kernel_is_refused_in_the_widest_tolerance(way, name):
    q, k, v, _ = drawn("bfloat16", **SHAPE)
    right = compare.reference(q, k, v, mask=allowed(q.shape[2], k.shape[2], name))
    found = compare.compare([way(q, k, v, **SEEN[name])], right, "bfloat16")
    assert not found.right, f"{way.__doc__} passes: {found}"


@pytest.mark.prove
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("way", "name"), WRONG, ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_a_wrong_kernel_is_refused_in_every_dtype_and_by_its_values_alone(way, name, dtype):
    q, k, v, d_y = drawn(dtype, **SHAPE, seed=3)
    right = compare.reference(q, k, v, d_y, allowed(q.shape[2], k.shape[2], name))
    wrong = answers(way, q, k, v, d_y, **SEEN[name])
    for count in (1, 4):
        assert not compare.compare(wrong[:count], right[:count], dtype).right, (way.__doc__, count)


@pytest.mark.prove
def test_sums_in_half_precision_are_refused():
    assert not judged(half_sums, "bfloat16", "full", m=640).right


def test_an_absolute_tolerance_would_let_a_wrong_kernel_pass():
    """Why the bound is relative: at 8192 keys an eighth of them dropped moves no output by 4e-2."""
    rng = np.random.default_rng(0)
    q, k, v = (torch.from_numpy(rng.normal(size=(1, 1, rows, 64))).float() for rows in (32, 8192, 8192))
    (right,) = compare.reference(q, k, v)
    (wrong,) = compare.reference(q, k[:, :, :7168], v[:, :, :7168])
    assert (wrong - right).abs().max() < 4e-2
    assert not compare.compare([wrong], [right], "bfloat16").right


def test_a_row_that_is_nan_is_refused_and_an_empty_one_is_not():
    zeros = torch.zeros(1, 1, 3, 2)
    assert compare.compare([zeros], [zeros.double()], "float32").right
    broken = zeros.clone()
    broken[0, 0, 1] = float("nan")
    assert not compare.compare([broken], [zeros.double()], "float32").right
