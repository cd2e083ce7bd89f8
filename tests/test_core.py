"""Scaled dot-product attention: by hand, against torch, at the edges."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from ml_dtypes import bfloat16

from attn import core, laws, masks

attend = core.scaled_dot_product_attention


def test_two_keys_by_hand():
    """√4 halves log 9; scores 0 and log 3 make weights 1/4 and 3/4."""
    q = np.log(9) * np.eye(1, 4)
    k, v = np.array([[0, 0, 0, 0], [1, 0, 0, 0]]), np.array([[0], [4]])
    assert attend(q, k, v) == pytest.approx(3.0)


def test_the_trace_keeps_every_step():
    q, k, v = laws.qkv(np.random.default_rng(1))
    t = core.trace(q, k, v, masks.causal(3, 5), score_mod=np.tanh)
    np.testing.assert_allclose(t.raw, q @ k.T / np.sqrt(7))
    np.testing.assert_allclose(t.scores, np.where(masks.causal(3, 5), np.tanh(t.raw), -np.inf))
    np.testing.assert_allclose(t.output, t.weights @ v)


def test_the_mask_comes_after_the_score_modification():
    """A soft cap tanh(−inf) = −1 would let a forbidden key back in."""
    q, k, v = laws.qkv(np.random.default_rng(1))
    t = core.trace(q, k, v, np.arange(5) < 2, score_mod=lambda s: 2 * np.tanh(s / 2))
    np.testing.assert_array_equal(t.weights[:, 2:], 0)


sizes = st.integers(1, 6)


@st.composite
def problems(draw):
    """q, k, v, mask of ranks 2 to 4, ragged sizes, and masks in which whole rows may be forbidden."""
    batch = draw(st.lists(st.integers(1, 3), max_size=2))
    n, m, d, e = (draw(sizes) for _ in range(4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    q, k, v = (rng.normal(size=(*batch, *s)) for s in ((n, d), (m, d), (m, e)))
    kind = draw(st.sampled_from(["none", "bool", "float", "−inf"]))
    allowed = rng.random((*batch, n, m)) < draw(st.sampled_from([0.0, 0.3, 0.8]))
    bias = rng.normal(size=(n, m))
    return q, k, v, {"none": None, "bool": allowed, "float": bias, "−inf": np.where(allowed, bias, -np.inf)}[kind]


@settings(max_examples=100, deadline=None)
@given(problems(), st.sampled_from([None, 0.3]))
def test_it_equals_torch_and_agrees_on_empty_rows(problem, scale):
    q, k, v, mask = problem
    t = [torch.from_numpy(x) for x in (q, k, v)]
    theirs = F.scaled_dot_product_attention(*t, None if mask is None else torch.from_numpy(mask), scale=scale)
    ours = attend(q, k, v, mask, scale=scale)
    assert not np.isnan(ours).any()
    np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-12)


@given(problems(), st.randoms())
def test_what_is_masked_cannot_leak_from_any_row(problem, random):
    """Spoil one value row: exactly the queries that may see it notice, where torch spoils every query."""
    q, k, v, mask = problem
    j = random.randrange(k.shape[-2])
    spoilt = v.copy()
    spoilt[..., j, :] = np.nan
    t = core.trace(q, k, v, mask)
    sees = ~np.isneginf(t.scores[..., j])
    y = attend(q, k, spoilt, mask)
    np.testing.assert_array_equal(np.isnan(y).all(-1), sees)
    np.testing.assert_allclose(y[~sees], t.output[~sees], atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.bool_])
def test_floats_come_out_as_they_went_in(dtype):
    q = k = v = np.ones((2, 3), dtype)
    expected = dtype if np.dtype(dtype).kind == "f" else np.float64
    t = core.trace(q, k, v, np.zeros((2, 2)))
    assert {step.dtype for step in t} == {np.dtype(expected)}


def test_half_precision_scores_do_not_overflow_inside():
    """70 000 is beyond float16: the product must be formed in float32."""
    q, k = np.full((1, 2), 200, np.float16), np.array([[175, 175], [174, 175]], np.float16)
    y = attend(q, k, np.array([[1], [0]], np.float16), scale=1.0)
    assert y[0, 0] == 1


def test_bfloat16_is_computed_in_float32_and_handed_back_as_it_came():
    rng = np.random.default_rng(16)
    q, k, v = (rng.normal(size=size).astype(bfloat16) for size in [(3, 8), (5, 8), (5, 2)])
    y = attend(q, k, v, masks.causal(3, 5))
    exact = attend(*(x.astype(np.float32) for x in (q, k, v)), masks.causal(3, 5))
    assert y.dtype == bfloat16
    np.testing.assert_array_equal(y, exact.astype(bfloat16))


@pytest.mark.parametrize(
    ("n", "m", "d", "e"), [(0, 5, 7, 2), (3, 0, 7, 2), (3, 5, 0, 2), (3, 5, 7, 0), (0, 0, 0, 0), (1, 1, 1, 1)]
)
def test_empty_sequences_and_widths_have_the_documented_result(n, m, d, e):
    y = attend(np.ones((n, d)), np.ones((m, d)), np.ones((m, e)))
    np.testing.assert_array_equal(y, np.full((n, e), 1.0 if m else 0.0))


def test_length_one_returns_its_value_bit_for_bit():
    q, k, v = laws.qkv(np.random.default_rng(3), n=4, m=1)
    np.testing.assert_array_equal(attend(q, k, v), np.repeat(v, 4, axis=0))


def test_memory_order_and_read_only_arrays_do_not_matter():
    q, k, v = laws.qkv(np.random.default_rng(4))
    expected = attend(q, k, v)
    strided = [np.repeat(x, 2, axis=0)[::2] for x in (q, k, v)]
    fortran = [np.asfortranarray(x) for x in (q, k, v)]
    for x in fortran:
        x.flags.writeable = False
    np.testing.assert_allclose(attend(*strided), expected, rtol=1e-14)
    np.testing.assert_allclose(attend(*fortran), expected, rtol=1e-14)


def test_lists_will_do():
    np.testing.assert_array_equal(attend([[0]], [[0], [0]], [[1], [3]]), [[2.0]])


def test_leading_axes_broadcast():
    rng = np.random.default_rng(5)
    q, (_, k, v) = rng.normal(size=(2, 4, 3, 7)), laws.qkv(rng)
    np.testing.assert_allclose(attend(q, k, v)[1, 2], attend(q[1, 2], k, v))


def test_scores_of_denormals_neither_warn_nor_die():
    tiny = np.full((2, 2), 5e-324)
    np.testing.assert_allclose(attend(tiny, tiny, np.eye(2)), 0.5)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((np.ones(7), np.ones((5, 7)), np.ones((5, 2))), ValueError, r"q needs axes \(\.\.\. n d\)"),
        ((np.ones((3, 7)), np.ones((5, 6)), np.ones((5, 2))), ValueError, "axis d is 7 in q but 6 in k"),
        ((np.ones((3, 7)), np.ones((5, 7)), np.ones((4, 2))), ValueError, "axis m is 5 in k but 4 in v"),
        ((np.ones((2, 3, 7)), np.ones((3, 5, 7)), np.ones((5, 2))), ValueError, r"q \(2,\), k \(3,\)"),
        (("I love AI", np.ones((5, 7)), np.ones((5, 2))), TypeError, "q must hold real numbers"),
        ((np.ones((3, 7)), np.ones((5, 7)), None), TypeError, "v must hold real numbers"),
        ((np.ones((3, 7)), np.ones((5, 7)), np.ones((5, 2)), np.ones((5, 3), bool)), ValueError, r"mask .*\(5, 3\)"),
    ],
)
def test_bad_arguments_are_told_what_is_wrong(arguments, error, says):
    with pytest.raises(error, match=says):
        attend(*arguments)


def test_a_score_mod_that_changes_the_shape_is_told():
    q, k, v = laws.qkv(np.random.default_rng(6))
    with pytest.raises(ValueError, match=r"score_mod turned scores of shape \(3, 5\) into shape \(3, 1\)"):
        attend(q, k, v, score_mod=lambda s: s.max(-1, keepdims=True))
