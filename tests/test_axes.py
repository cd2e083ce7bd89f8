"""The alphabet of axes: what fits, what does not, and what the error says."""

import numpy as np
import pytest

from attn.axes import expect, numeric, working


def test_agreeing_axes_give_the_broadcast_leading_shape():
    q, k = np.zeros((2, 1, 3, 7)), np.zeros((4, 5, 7))
    assert expect(q=(q, "... n d"), k=(k, "... m d")) == (2, 4)


def test_a_mismatch_names_the_axis_both_sizes_and_the_argument():
    with pytest.raises(ValueError, match=r"axis d is 7 in q but 6 in k \(k has shape \(5, 6\)\)"):
        expect(q=(np.zeros((3, 7)), "... n d"), k=(np.zeros((5, 6)), "... m d"))


def test_leading_axes_that_do_not_broadcast_are_named():
    with pytest.raises(ValueError, match=r"do not broadcast together: q \(2,\), k \(3,\)"):
        expect(q=(np.zeros((2, 3, 7)), "... n d"), k=(np.zeros((3, 5, 7)), "... m d"))


@pytest.mark.parametrize(("shape", "pattern"), [((7,), "... n d"), ((), "n"), ((2, 3), "n")])
def test_a_wrong_rank_is_named(shape, pattern):
    with pytest.raises(ValueError, match=r"x needs ax[ie]s \("):
        expect(x=(np.zeros(shape), pattern))


@pytest.mark.parametrize("value", ["attend", ["a", "b"], [None], np.array([1j]), np.array([{}])])
def test_what_is_not_a_real_number_is_refused_by_name(value):
    with pytest.raises(TypeError, match="q must hold real numbers"):
        numeric(q=value)


def test_a_ragged_list_is_refused_by_name():
    with pytest.raises(ValueError, match="q is not a rectangular array"):
        numeric(q=[[1, 2], [3]])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.float16, np.float16),
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.int8, np.float64),
        (np.uint64, np.float64),
        (np.bool_, np.float64),
    ],
)
def test_floats_stay_and_integers_become_float64(given, kept):
    assert numeric(x=np.ones(3, given)).dtype == kept


def test_half_precision_is_computed_in_single():
    (x,), handed_back = working(np.ones(3, np.float16))
    assert (x.dtype, handed_back) == (np.float32, np.float16)


def test_nothing_is_copied_that_need_not_be():
    x = np.ones(3)
    (same,), _ = working(numeric(x=x))
    assert same is x
