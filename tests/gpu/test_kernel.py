"""The Triton kernel: laws, ragged shapes against float64, gradients, refusals. Interpreted where there is no GPU."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from attn import cost, flash, laws, masks

torch = pytest.importorskip("torch")
if not find_spec("triton"):  # to import it here would be too early: it must be told to interpret
    pytest.skip("Triton has no package for this system", allow_module_level=True)
from attn.gpu import Refused, decode, kernel, merge, observe  # noqa: E402

from .adapters import numpy_way  # noqa: E402

EXACT = torch.float64 if kernel.INTERPRETED else torch.float32
TOL = 1e-12 if kernel.INTERPRETED else 2e-5
DEVICE = "cpu" if kernel.INTERPRETED else "cuda"


def placed(attend):
    return lambda q, k, v, mask=None, **named: attend(
        *(x.to(DEVICE) for x in (q, k, v)), None if mask is None else mask.to(DEVICE), **named
    ).cpu()


def random(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [torch.from_numpy(rng.normal(size=shape)).to(DEVICE, EXACT) for shape in shapes]


@pytest.mark.parametrize("law", laws.ATTENTION, ids=lambda law: law.__name__)
def test_the_kernel_obeys(law):
    if not kernel.INTERPRETED and law in (laws.floats_keep_their_width,):
        pytest.skip("a GPU's kernel has no float64")
    tol = {} if kernel.INTERPRETED or law is laws.the_future_cannot_reach_the_past else {"tol": TOL}
    way = placed(kernel.flash_attention)
    law(numpy_way(way, None if kernel.INTERPRETED else torch.float32), np.random.default_rng(0), **tol)


@pytest.mark.parametrize("law", laws.ATTENTION[:10], ids=lambda law: law.__name__)
@pytest.mark.parametrize(("dtype", "tol"), [(torch.float32, 1e-5), (torch.float16, 3e-2), (torch.bfloat16, 2e-1)])
def test_the_kernel_obeys_in_narrower_floats(law, dtype, tol):
    law(numpy_way(placed(kernel.flash_attention), dtype), np.random.default_rng(0), tol=tol)


CASES = [  # h, g, n, m, d, e, what may be seen: no size is a multiple of a block
    (4, 2, 37, 37, 5, 3, {"is_causal": True}),
    (2, 1, 33, 70, 17, 20, {"is_causal": True}),
    (1, 1, 70, 33, 3, 4, {"is_causal": True}),
    (2, 2, 40, 40, 4, 4, {"window": (7, 0)}),
    (2, 1, 40, 75, 4, 4, {"window": (20, 5), "offset": 3}),
    (1, 1, 65, 33, 4, 4, {"window": (0, None), "offset": -9}),
    (1, 1, 5, 5, 2, 2, {"scale": -2.0, "is_causal": True}),
    (1, 1, 1, 66, 2, 2, {}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_and_gradients_equal_the_heart_s(case):
    h, g, n, m, d, e, seen = case
    leaves = [x.requires_grad_() for x in random((h, n, d), (g, m, d), (g, m, e))]
    y = kernel.flash_attention(*leaves, **seen)
    heart = flash.flash_attention(*(x.detach().cpu().double().numpy() for x in leaves), **seen)
    np.testing.assert_allclose(y.detach().cpu().numpy(), heart, atol=TOL)
    left, right = seen.get("window", (None, None))
    far = n + m + 20
    band = masks.sliding_window(
        n,
        m,
        left=far if left is None else left,
        offset=seen.get("offset"),
        right=0 if seen.get("is_causal") else far if right is None else right,
    )
    wide = [leaves[0], *(x.repeat_interleave(h // g, 0) for x in leaves[1:])]
    other = merge.attend(*wide, torch.from_numpy(band).to(DEVICE), scale=seen.get("scale"), block=13)
    (d_y,) = random(y.shape, seed=1)
    for x, z in zip(torch.autograd.grad(y, leaves, d_y), torch.autograd.grad(other, leaves, d_y), strict=True):
        torch.testing.assert_close(x, z, atol=20 * TOL, rtol=20 * TOL)


def test_packed_sequences_do_not_see_each_other():
    lengths, key_lengths = [33, 0, 1, 6], [20, 3, 7, 40]
    leaves = [x.requires_grad_() for x in random((4, 40, 5), (2, 70, 5), (2, 70, 3))]
    y = kernel.flash_attention(*leaves, lengths=lengths, key_lengths=key_lengths, is_causal=True)
    q, k, v = (x.split(sizes, 1) for x, sizes in zip(leaves, (lengths, key_lengths, key_lengths), strict=True))
    alone = torch.cat([kernel.flash_attention(*three, is_causal=True) for three in zip(q, k, v, strict=True)], 1)
    torch.testing.assert_close(y, alone, atol=TOL, rtol=0)
    (d_y,) = random(y.shape, seed=1)
    for x, z in zip(torch.autograd.grad(y, leaves, d_y), torch.autograd.grad(alone, leaves, d_y), strict=True):
        torch.testing.assert_close(x, z, atol=20 * TOL, rtol=0)


@pytest.mark.parametrize("mask", ["bool", "float"])
def test_a_mask_with_batches_and_an_empty_row_has_gradients(mask):
    leaves = [x.requires_grad_() for x in random((2, 2, 9, 4), (2, 2, 35, 4), (2, 2, 35, 3))]
    allowed = torch.from_numpy(np.random.default_rng(2).random((2, 1, 9, 35)) < 0.6).to(DEVICE)
    allowed[:, :, 3] = False
    given = allowed if mask == "bool" else torch.where(allowed, 0.5, -float("inf")).to(EXACT)
    y, other = kernel.flash_attention(*leaves, given), merge.attend(*leaves, given)
    assert (y[:, :, 3] == 0).all()
    for x, z in zip(torch.autograd.grad(y.sum(), leaves), torch.autograd.grad(other.sum(), leaves), strict=True):
        torch.testing.assert_close(x, z, atol=20 * TOL, rtol=0)


def test_where_there_is_no_gradient_an_error_says_so_and_names_the_way_out():
    leaves = [x.requires_grad_() for x in random((2, 5, 4), (2, 7, 4), (2, 7, 3))]
    (bias,) = random((5, 7), seed=3)
    with pytest.raises(Refused, match=r"mask requires a gradient.*merge\.attend"):
        kernel.flash_attention(*leaves, bias.requires_grad_())
    with torch.no_grad():
        y = kernel.flash_attention(*leaves, bias)
    torch.testing.assert_close(y, kernel.flash_attention(*leaves, bias.detach()).detach(), atol=TOL, rtol=0)
    (slope,) = torch.autograd.grad(merge.attend(*leaves, bias).sum(), bias)  # the way out that the sentence names
    assert slope.abs().max() > 1e-3
    with pytest.raises(Refused, match="decode computes no gradients"):
        kernel.decode(*(x[None] for x in leaves))


def test_gradients_are_asked_for_once_and_of_tensors_as_they_were():
    leaves = [x.requires_grad_() for x in random((2, 5, 4), (2, 7, 4), (2, 7, 3))]
    y = kernel.flash_attention(*leaves)
    dq, *_ = torch.autograd.grad((y * y).sum(), leaves, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        dq.sum().backward()
    y = kernel.flash_attention(*leaves)
    with torch.no_grad():
        leaves[1].mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@pytest.mark.parametrize(("m", "splits"), [(1, None), (33, None), (33, 1), (33, 3), (7, 999)])
def test_decoding_by_splits_equals_attention(splits, m):
    q, k, v = random((2, 4, 1, 5), (2, 2, m, 5), (2, 2, m, 3))
    torch.testing.assert_close(kernel.decode(q, k, v, splits=splits), kernel.flash_attention(q, k, v), atol=TOL, rtol=0)


@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0)])
def test_empty_sequences_give_zeros_or_nothing(n, m):
    y = kernel.flash_attention(*random((2, n, 4), (2, m, 4), (2, m, 5)))
    assert y.shape == (2, n, 5) and not y.any()


@pytest.mark.skipif(not kernel.INTERPRETED, reason="there is a GPU")
def test_where_triton_came_first_the_kernel_says_so():
    code = "import triton; from attn.gpu import kernel; print(kernel.MISSING)"
    bare = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    said = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True).stdout
    assert said.startswith("Triton was imported before") and said.count("\n") == 1


@pytest.mark.skipif(DEVICE == "cuda", reason="another device refuses first")
def test_specialized_warps_refuse_what_they_do_not_take():
    x, odd, wide = (torch.ones(1, 4, d) for d in (8, 5, 160))
    broken = torch.full_like(x, float("nan"))
    for arguments, more, words in (
        ((x, x, x, torch.ones(4, 4, dtype=torch.bool)), {}, "take no mask"),
        ((x, x, x), {"lengths": [1, 3]}, "no lengths"),
        ((x, x, x), {"scale": -1.0}, "no scale below 0"),
        ((x, x, broken), {}, "may be NaN"),
        ((x, odd[..., :4], x), {}, "axis d"),
        ((x, x, odd), {}, "those of v do not"),
        ((wide, wide, x), {}, "at most 128"),
    ):
        with pytest.raises((Refused, ValueError), match=words):
            kernel.flash_attention(*arguments, specialized=True, **more)


def test_what_cannot_be_done_is_refused_in_one_sentence():
    x, wide = torch.ones(2, 4, 8, device=DEVICE), torch.ones(1, 1, 300, device=DEVICE)
    for arguments, words in (
        ((x, x, x.double()), "one floating-point dtype"),
        ((x.int(),) * 3, "floating-point"),
        ((wide,) * 3, "at most 256"),
        ((x.to("meta"),) * 3, "but q is on meta"),
    ):
        with pytest.raises(Refused, match=words) as caught:
            kernel.flash_attention(*arguments)
        assert caught.value._render_traceback_() == [f"Refused: {caught.value}"]
    with pytest.raises(ValueError, match="g must divide h"):
        kernel.flash_attention(torch.ones(3, 4, 8, device=DEVICE), x, x)
    with pytest.raises(ValueError, match="add up to 3"):
        kernel.flash_attention(x, x, x, lengths=[3])
    with pytest.raises(ValueError, match="does not broadcast"):
        kernel.flash_attention(x, x, x, torch.ones(5, 4, dtype=torch.bool, device=DEVICE))


class Launches:
    """In the place of a kernel: writes down what it is launched with."""

    def __init__(self, into):
        self.into = into

    def __getitem__(self, grid):
        return lambda *arguments, **named: self.into.append((grid, arguments))


@pytest.mark.parametrize("order", ["b g m d", "b m g d"])
def test_decoding_is_two_launches_and_beside_them_torch_only_makes_room(monkeypatch, order):
    """No copy, whatever the order in which the cache is kept, and nothing left to do afterwards."""
    from torch.utils._python_dispatch import TorchDispatchMode

    q, k, v = random((2, 4, 1, 5), (2, 2, 37, 5), (2, 2, 37, 3))
    if order == "b m g d":
        k, v = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in (k, v))
    y = kernel.decode(q, k, v, splits=3)
    torch.testing.assert_close(y, kernel.flash_attention(q, k, v), atol=TOL, rtol=0)
    done, launched = [], []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, op, types, arguments=(), named=None):
            done.append(op.overloadpacket.__name__)
            return op(*arguments, **(named or {}))

    monkeypatch.setattr(decode, "_pieces", Launches(launched))
    monkeypatch.setattr(decode, "_join", Launches(launched))
    with Watch():
        kernel.decode(q, k, v, splits=3)
    assert set(done) <= {"empty", "view", "_unsafe_view", "alias", "select"}  # views of what is there
    assert done.count("empty") == 4
    assert [grid for grid, _ in launched] == [(2 * 2 * 3,), (2 * 4,)]
    assert [x.data_ptr() for x in launched[0][1][:3]] == [x.data_ptr() for x in (q, k, v)]


@pytest.mark.parametrize(("m", "splits"), [(1, None), (127, None), (300, 2), (300, 7), (1000, None), (5, 5)])
def test_pieces_cover_the_cache_once(m, splits):
    count, size = decode.pieces(m, 2, 32, splits)
    cut = [range(i * size, min(m, i * size + size)) for i in range(count)]
    assert [j for part in cut for j in part] == list(range(m)) and all(cut)
    assert splits is None or count <= splits


@pytest.mark.skipif(not kernel.INTERPRETED, reason="a GPU's kernel reads memory by itself")
@pytest.mark.parametrize("causal", [False, True])
def test_the_kernel_asks_for_the_bytes_that_the_formula_says(causal):
    n, d, h, block = 96, 16, 2, 32
    q, k, v = (x.half() for x in random((h, n, d), (h, n, d), (h, n, d)))
    with observe.traffic() as moved:
        kernel.flash_attention(q, k, v, is_causal=causal)
    unseen = 3 if causal else 0  # tiles above the diagonal of 3 × 3
    keys = h * block * 2 * d * 2
    once = 2 * h * n * d * 2  # q and y
    assert moved.read + moved.written == once + (9 - unseen) * keys + 2 * h * n * 4
    assert moved.written == h * n * d * 2 + 2 * h * n * 4
    if not causal:
        assert once + 9 * keys == cost.tiled_bytes(n, heads=h, head_width=d, block=block)
    told = moved.read
    kernel.flash_attention(q, k, v)
    assert moved.read == told  # outside nothing is counted
