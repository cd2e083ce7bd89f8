"""Linear attention: two orders of one product, a running state, and what it is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import core, features, masks
from attn.laws import qkv

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def test_the_two_orders_of_the_product_agree():
    q, k, v = qkv(np.random.default_rng(0))
    np.testing.assert_allclose(features.linear_attention(q, k, v), features.feature_weights(q, k) @ v, **CLOSE)


def test_the_weights_by_a_loop():
    q, k, _ = qkv(np.random.default_rng(1))
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))  # noqa: E731
    for i, row in enumerate(features.feature_weights(q, k)):
        similar = np.array([phi(q[i]) @ phi(key) for key in k])
        np.testing.assert_allclose(row, similar / similar.sum(), **CLOSE)


@pytest.mark.parametrize("block", [1, 2, 3, 5, 64])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_the_causal_form_is_the_masked_one_whatever_the_block(block, leading):
    rng = np.random.default_rng(2)
    q, k, v = rng.normal(size=(*leading, 5, 7)), rng.normal(size=(*leading, 5, 7)), rng.normal(size=(*leading, 5, 11))
    y, state = features.causal_linear_attention(q, k, v, block=block)
    expected = features.feature_weights(q, k, masks.causal(5)) @ v
    np.testing.assert_allclose(y, expected, **CLOSE)
    phi = features.elu_plus_one(k)
    np.testing.assert_allclose(state.total, phi.mT @ v, **CLOSE)
    np.testing.assert_allclose(state.normaliser, phi.sum(-2), **CLOSE)


@given(st.integers(0, 9), st.integers(1, 4), st.integers(0, 99))
def test_a_sequence_may_stop_and_go_on(cut, block, seed):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(9, 3)), rng.normal(size=(9, 3)), rng.normal(size=(9, 2))
    whole, end = features.causal_linear_attention(q, k, v)
    first, state = features.causal_linear_attention(q[:cut], k[:cut], v[:cut], block=block)
    second, state = features.causal_linear_attention(q[cut:], k[cut:], v[cut:], state=state, block=block)
    np.testing.assert_allclose(np.concatenate([first, second]), whole, **CLOSE)
    np.testing.assert_allclose(state.total, end.total, **CLOSE)


def test_the_future_cannot_reach_the_past():
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(5, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 11))
    before = features.causal_linear_attention(q, k, v, block=2)[0][:3]
    k[3:], v[3:] = 1e6, -1e6
    np.testing.assert_array_equal(features.causal_linear_attention(q, k, v, block=2)[0][:3], before)


def test_outputs_are_averages():
    q, k, _ = qkv(np.random.default_rng(4))
    w = features.feature_weights(q, k)
    assert (w > 0).all()
    np.testing.assert_allclose(w.sum(-1), 1, **CLOSE)


def test_it_is_not_softmax_attention():
    """A query far along one key: softmax takes that key alone, features still spread."""
    k = np.eye(4)
    q = 200 * k[:1]
    assert core.trace(q, k, k).weights[0, 0] > 1 - 1e-12
    assert features.feature_weights(q, k)[0, 0] < 0.41


def test_two_keys_by_hand():
    """φ(0) = 1 and φ(2) = 3: the weights are 1 : 3."""
    assert features.feature_weights([[0.0]], [[0.0], [2.0]]).tolist() == [[0.25, 0.75]]
    assert features.elu_plus_one(np.array([-np.inf, -1000.0, 0.0, 2.0])).tolist() == [0, 0, 1, 3]


def test_a_feature_that_is_the_kernels_own_recovers_softmax_weights():
    """For one-dimensional q and k, exp(qk) = Σ q^t k^t / t!: enough terms of that feature, and the two agree."""
    factorial = np.cumprod([1.0, *range(1, 30)])
    rng = np.random.default_rng(5)
    q, k = rng.normal(size=(3, 1)), rng.normal(size=(5, 1))
    series = lambda x: x ** np.arange(30) / np.sqrt(factorial)  # noqa: E731
    np.testing.assert_allclose(features.feature_weights(q, k, feature=series), core.trace(q, k, k).weights, **CLOSE)


def test_a_row_with_nothing_to_see_is_zero():
    q, k, v = qkv(np.random.default_rng(6))
    mask = np.ones((3, 5), bool)
    mask[1] = False
    w = features.feature_weights(q, k, mask)
    assert not w[1].any() and w[0].all()
    assert not features.linear_attention(q, k[:0], v[:0]).any()
    assert not features.linear_attention(q, np.full_like(k, -1e4), v).any()  # every feature has faded to 0
    assert features.causal_linear_attention(q[:0], k[:0], v[:0])[0].shape == (0, 11)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_come_out_as_they_went_in(dtype):
    rng = np.random.default_rng(7)
    arguments = [rng.normal(size=(5, 4)).astype(dtype) for _ in range(3)]
    for a in arguments:
        a.setflags(write=False)
    exact = features.linear_attention(*(a.astype(float) for a in arguments))
    y = features.linear_attention(*arguments)
    assert y.dtype == dtype == features.causal_linear_attention(*arguments)[0].dtype
    np.testing.assert_allclose(y, exact, atol=2 * np.finfo(dtype).eps)


def test_what_does_not_fit_is_named():
    q, k, v = qkv(np.random.default_rng(8))
    with pytest.raises(ValueError, match="axis n is 3 in q but 5 in k"):
        features.causal_linear_attention(q, k, v)
    with pytest.raises(ValueError, match="block must be at least 1"):
        features.causal_linear_attention(k, k, v, block=0)
    with pytest.raises(TypeError, match="mask must be boolean"):
        features.feature_weights(q, k, np.zeros((3, 5)))


def test_a_row_whose_weights_sum_to_one_is_their_average():
    one = np.ones((1, 1))
    assert features.linear_attention(one, one, 7 * one, feature=lambda x: x).item() == 7


def test_keys_without_values_are_named():
    q, k, v = qkv(np.random.default_rng(8))
    with pytest.raises(ValueError, match="axis m is 5 in k but 4 in v"):
        features.linear_attention(q, k, v[:4])
