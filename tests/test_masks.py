"""Masks: who may attend to whom, drawn out by hand, and what bad arguments hear."""

import numpy as np
import pytest

from attn import masks


def drawing(text):
    return np.array([[c == "x" for c in row] for row in text.split()])


@pytest.mark.parametrize(
    ("mask", "picture"),
    [
        (masks.causal(3), "x.. xx. xxx"),
        (masks.causal(2, 4), "xxx. xxxx"),  # the last query sees every key
        (masks.causal(2, 4, offset=0), "x... xx.."),  # top-left, as torch's is_causal
        (masks.causal(4, 2), ".. .. x. xx"),  # more queries than keys: the first see nothing
        (masks.sliding_window(4, left=1), "x... xx.. .xx. ..xx"),
        (masks.sliding_window(4, left=1, right=1), "xx.. xxx. .xxx ..xx"),
        (masks.sliding_window(2, 4, left=1), ".xx. ..xx"),
        (masks.prefix(4, length=2), "xx.. xx.. xxx. xxxx"),
        (masks.blocks(4, size=2), "xx.. xx.. ..xx ..xx"),
        (masks.padding([2], 4)[0], "xx.."),
        (masks.documents([0, 0, 1]), "xx. xx. ..x"),
    ],
)
def test_masks_look_as_drawn(mask, picture):
    np.testing.assert_array_equal(mask, drawing(picture))


def test_padding_hides_columns_and_broadcasts_over_queries():
    mask = masks.padding(np.array([[3], [1]]), 3)
    assert mask.shape == (2, 1, 1, 3)
    np.testing.assert_array_equal(mask[:, 0, 0], [[True, True, True], [True, False, False]])


def test_alibi_slopes_are_the_papers():
    np.testing.assert_allclose(masks.alibi_slopes(8), 0.5 ** np.arange(1, 9))
    root = (
        0.5**0.5
    )  # twelve heads: the eight of a power of two, then every second of sixteen's, which start at 2^(−1/2)
    np.testing.assert_allclose(masks.alibi_slopes(12), [*0.5 ** np.arange(1, 9), *root ** np.arange(1, 8, 2)])
    np.testing.assert_allclose(masks.alibi_slopes(3), [0.5**4, 0.5**8, 0.5**2])
    np.testing.assert_allclose(masks.alibi(8, 3)[0], [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: masks.causal(-1), ValueError, "n must be at least 0"),
        (lambda: masks.causal(2.5), TypeError, "n must be an integer, not float"),
        (lambda: masks.causal("3"), TypeError, "n must be an integer, not str"),
        (lambda: masks.causal(True), TypeError, "n must be an integer, not bool"),
        (lambda: masks.sliding_window(3, left=-1), ValueError, "left must be at least 0"),
        (lambda: masks.blocks(3, size=0), ValueError, "size must be at least 1"),
        (lambda: masks.alibi_slopes(0), ValueError, "heads must be at least 1"),
        (lambda: masks.padding([5], 4), ValueError, "between 0 and m = 4"),
        (lambda: masks.padding([1.5], 4), TypeError, "lengths must be integers"),
        (lambda: masks.apply(np.ones((3, 4), int), np.zeros((3, 4))), TypeError, "ambiguous|allow/forbid"),
        (lambda: masks.apply(np.ones((4, 3), bool), np.zeros((3, 4))), ValueError, r"\(4, 3\).*\(3, 4\)"),
        (lambda: masks.apply(np.ones((2, 3, 4), bool), np.zeros((3, 4))), ValueError, r"\(2, 3, 4\)"),
        (lambda: masks.apply("causal", np.zeros((3, 4))), TypeError, "mask must hold real numbers"),
    ],
)
def test_bad_arguments_are_told_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_a_forbidden_entry_forgets_what_it_held():
    s = np.array([[np.nan, np.inf, 1.0]])
    np.testing.assert_array_equal(masks.apply(np.array([False, False, True]), s), [[-np.inf, -np.inf, 1]])
    np.testing.assert_array_equal(masks.apply(np.array([-np.inf, -np.inf, 2.0]), s), [[-np.inf, -np.inf, 3]])


def test_a_float_mask_does_not_widen_the_scores():
    assert masks.apply(np.zeros(3), np.zeros((2, 3), np.float32)).dtype == np.float32


def test_a_single_true_allows_everything():
    s = np.ones((2, 3))
    np.testing.assert_array_equal(masks.apply(True, s), s)
