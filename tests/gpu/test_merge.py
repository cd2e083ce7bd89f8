"""The merge on tensors: an algebra, the heart's equal, and differentiable."""

import numpy as np
import pytest

from attn import grads, laws, online

torch = pytest.importorskip("torch")
from attn.gpu import merge  # noqa: E402

from .adapters import numpy_way  # noqa: E402


def parts(rng, count=3, n=4, e=3):
    return [
        merge.partial(*(torch.from_numpy(rng.normal(size=s)) for s in ((n, 5), (m, 5), (m, e))))
        for m in (2, 1, 6, 3)[:count]
    ]


def same(a, b, tol=1e-14):
    for x, y in zip(a, b, strict=True):
        torch.testing.assert_close(x, y, rtol=tol, atol=tol)


def test_merging_is_associative_and_commutative():
    a, b, c = parts(np.random.default_rng(0))
    same(merge.merge(merge.merge(a, b), c), merge.merge(a, merge.merge(b, c)))
    same(merge.merge(a, b), merge.merge(b, a), tol=0)


def test_having_seen_nothing_is_the_neutral_element():
    (a,) = parts(np.random.default_rng(1), 1)
    nothing = merge.partial(torch.ones(4, 5).double(), torch.ones(0, 5).double(), torch.ones(0, 3).double())
    same(merge.merge(a, nothing), a, tol=0)
    same(merge.merge(nothing, nothing), nothing, tol=0)


def test_many_at_once_is_one_after_the_other():
    a, b, c = parts(np.random.default_rng(2))
    stacked = merge.Partial(*(torch.stack(x) for x in zip(a, b, c, strict=True)))
    same(merge.merge_along(stacked, 0), merge.merge(a, merge.merge(b, c)))


def test_the_tensors_merge_as_the_arrays_do():
    rng = np.random.default_rng(3)
    q, k, v = laws.qkv(rng)
    halves = [(q, k[part], v[part]) for part in (slice(2), slice(2, 5))]
    mine = merge.merge(*(merge.partial(*map(torch.from_numpy, half)) for half in halves))
    heart = online.merge(*(online.partial(*half) for half in halves))
    for x, y in zip(mine, heart, strict=True):
        np.testing.assert_allclose(x.numpy(), y, rtol=1e-13)


@pytest.mark.parametrize("block", [None, 2])
@pytest.mark.parametrize("law", laws.ATTENTION, ids=lambda law: law.__name__)
def test_attention_by_merging_obeys(law, block):
    law(numpy_way(lambda *args, **named: merge.attend(*args, block=block, **named)), np.random.default_rng(0))


@pytest.mark.parametrize("law", laws.GRADIENT, ids=lambda law: law.__name__)
def test_gradients_through_merging_obey(law):
    def vjp(q, k, v, d_y, mask=None):
        leaves = [torch.from_numpy(x.copy()).requires_grad_() for x in (q, k, v)]
        y = merge.attend(*leaves, None if mask is None else torch.from_numpy(np.array(mask)), block=2)
        return [x.numpy() for x in torch.autograd.grad(y, leaves, torch.from_numpy(d_y))]

    law(numpy_way(merge.attend), vjp, np.random.default_rng(0))


def test_gradients_are_the_hand_derived_ones():
    q, k, v = laws.qkv(np.random.default_rng(4))
    leaves = [torch.from_numpy(x).requires_grad_() for x in (q, k, v)]
    got = torch.autograd.grad(merge.attend(*leaves, block=2).sum(), leaves)
    for x, y in zip(got, grads.attention_vjp(q, k, v, np.ones((3, 11))), strict=True):
        np.testing.assert_allclose(x.numpy(), y, atol=1e-14)


def test_integer_masks_are_refused():
    x = torch.ones(2, 3)
    with pytest.raises(TypeError, match="mask must be bool"):
        merge.attend(x, x, x, torch.ones(2, 2, dtype=torch.int64))
