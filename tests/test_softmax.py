"""Softmax, log-sum-exp, entropy, Jacobian: values by hand, edges, and derivatives against differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn.softmax import entropy, jacobian, logsumexp, softmax

FINITE = hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.floats(-1e4, 1e4))


def test_softmax_of_log_counts_is_shares():
    np.testing.assert_allclose(softmax(np.log([1, 2, 5])), [1 / 8, 2 / 8, 5 / 8], rtol=1e-15)


@given(FINITE)
def test_rows_are_weights(x):
    p = softmax(x)
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(-1), 1, rtol=1e-12)


@given(FINITE, st.floats(-1e4, 1e4))
def test_a_shift_changes_only_rounding(x, shift):
    np.testing.assert_allclose(softmax(x + shift), softmax(x), atol=1e-11)


def test_a_row_with_nothing_allowed_is_zero_and_warns_nobody():
    x = np.array([[1.0, 2.0], [-np.inf, -np.inf], [np.nan, 1.0]])
    mask = np.array([[True, True], [True, True], [False, False]])
    np.testing.assert_array_equal(softmax(x, mask)[1:], 0)
    np.testing.assert_array_equal(logsumexp(x, mask)[1:], -np.inf)


def test_an_empty_row_of_width_zero_is_empty():
    assert softmax(np.zeros((3, 0))).shape == (3, 0)
    np.testing.assert_array_equal(logsumexp(np.zeros((3, 0))), -np.inf)


def test_nan_and_inf_in_an_allowed_place_stay_in_their_row():
    p = softmax(np.array([[np.nan, 0.0], [np.inf, 0.0], [0.0, 0.0]]))
    assert np.isnan(p[0]).all() and np.isnan(p[1, 0])
    np.testing.assert_array_equal(p[2], 0.5)


def test_any_axis_will_do():
    x = np.random.default_rng(0).normal(size=(3, 4, 5))
    np.testing.assert_allclose(softmax(x, axis=0), np.moveaxis(softmax(np.moveaxis(x, 0, -1)), -1, 0))
    assert logsumexp(x, axis=1).shape == (3, 5)
    np.testing.assert_allclose(entropy(softmax(x, axis=0), axis=0), entropy(softmax(np.moveaxis(x, 0, -1))))
    assert logsumexp(x).shape == entropy(softmax(x)).shape == (3, 4)


def test_half_precision_survives_a_sum_of_many():
    p = softmax(np.zeros(5000, np.float16))
    assert p.dtype == np.float16
    np.testing.assert_allclose(p.astype(float), 1 / 5000, rtol=1e-3)  # a float16 sum stops at 2048


@pytest.mark.parametrize("x", [[1000.0, 999.0], [-1000.0, -1001.0]])
def test_logsumexp_neither_overflows_nor_underflows(x):
    assert logsumexp(np.array(x)) == pytest.approx(x[0] + np.log1p(np.exp(-1)), rel=1e-15)


def test_entropy_runs_from_zero_to_log_m():
    p = np.array([[1, 0, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]])
    np.testing.assert_allclose(entropy(p), np.log([1, 4, 2]), atol=1e-15)
    assert str(entropy(p)[0]) == "0.0"  # not −0.0, which a reader would ask about


def test_entropy_refuses_a_negative_weight():
    with pytest.raises(ValueError, match="negative weight"):
        entropy(np.array([1.5, -0.5]))


def test_jacobian_is_the_slope_of_softmax():
    x, h = np.random.default_rng(1).normal(size=7), 1e-5
    central = [(softmax(x + h * u) - softmax(x - h * u)) / (2 * h) for u in np.eye(7)]
    np.testing.assert_allclose(jacobian(softmax(x)), central, atol=1e-10)


@given(hnp.arrays(np.float64, 6, elements=st.floats(-20, 20)))
def test_jacobian_is_symmetric_semidefinite_and_kills_constants(x):
    j = jacobian(softmax(x))
    np.testing.assert_array_equal(j, j.T)
    np.testing.assert_allclose(j @ np.ones(6), 0, atol=1e-15)
    assert np.linalg.eigvalsh(j).min() >= -1e-15
