"""Attention in blocks equals attention, whatever the blocks; partial results merge in any order."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn import core, masks, online, tiles
from attn.flash import Partial, finish, flash_attention, merge, partial

BLOCKS = [None, 1, 3, (2, 5), (64, 7), (256, 512)]


def qkv(rng, *, n=13, m=17, h=2, g=2, b=3):
    """Random q, k, v; every axis its own prime (h and g are what the test is about)."""
    return rng.normal(size=(b, h, n, 7)), rng.normal(size=(b, g, m, 7)), rng.normal(size=(b, g, m, 11))


def repeated(x, h):
    return np.repeat(x, h // x.shape[-3], axis=-3)


@pytest.mark.parametrize("n, m", [(1, 1), (1, 19), (13, 17), (17, 13), (5, 1), (31, 31), (3, 0), (0, 3)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_blocks_change_nothing(n, m, is_causal):
    q, k, v = qkv(np.random.default_rng(0), n=n, m=m)
    expected = core.scaled_dot_product_attention(q, k, v, masks.causal(n, m) if is_causal else None)
    for block in BLOCKS:
        y = flash_attention(q, k, v, is_causal=is_causal, block=block)
        np.testing.assert_allclose(y, expected, atol=1e-13, err_msg=f"block {block}")


def test_one_wild_row_in_a_block_does_not_unsettle_the_calm_ones():
    """Rows that need a running maximum and rows that do not stand in one block: every tile must be merged with care."""
    q, k, v = qkv(np.random.default_rng(2), n=6, m=40, b=1)
    q[..., 2, :] *= 1000
    for block in ((6, 8), (3, 5)):
        y = flash_attention(q, k, v, block=block)
        np.testing.assert_allclose(y, core.scaled_dot_product_attention(q, k, v), atol=1e-12, err_msg=f"block {block}")


@pytest.mark.parametrize("n, m", [(600, 600), (300, 701), (701, 300)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_default_tiles_change_nothing_where_they_are_used(n, m, is_causal):
    q, k, v = qkv(np.random.default_rng(1), n=n, m=m, b=1)
    expected = core.scaled_dot_product_attention(q, k, v, masks.causal(n, m) if is_causal else None)
    np.testing.assert_allclose(flash_attention(q, k, v, is_causal=is_causal), expected, atol=1e-13)


@pytest.mark.parametrize("block", [None, 3, (2, 5), (64, 7)])
@pytest.mark.parametrize("window", [0, 4, (2, 3), (None, 2), (3, None), (None, None)])
@pytest.mark.parametrize("offset", [None, -5, 9, 40, -40])
def test_windows_are_the_masks_of_the_same_name(block, window, offset):
    rng = np.random.default_rng(2)
    q, k, v = qkv(rng, h=1, g=1, b=2)
    left, right = window if isinstance(window, tuple) else (window, 0)
    left, right = (99 if side is None else side for side in (left, right))
    band = masks.sliding_window(13, 17, left=left, right=right, offset=offset)
    own = rng.random((2, 1, 13, 17)) > 0.3
    for is_causal in (False, True):
        near = band & masks.causal(13, 17, offset=offset) if is_causal else band
        for mask in (None, own, np.where(own, rng.normal(size=own.shape), -np.inf)):
            both = near if mask is None else near & mask if mask.dtype == bool else np.where(near, mask, -np.inf)
            options = dict(is_causal=is_causal, window=window, offset=offset, block=block)
            y = flash_attention(q, k, v, mask, **options, workers=3 if block == 3 else None)
            np.testing.assert_allclose(y, core.scaled_dot_product_attention(q, k, v, both), atol=1e-13)


def test_grouped_heads_stay_apart_in_tiles_of_every_size():
    rng = np.random.default_rng(3)
    q, k, v = qkv(rng, h=6, g=2)
    mask = rng.random((3, 6, 13, 17)) > 0.4
    expected = core.scaled_dot_product_attention(q, repeated(k, 6), repeated(v, 6), mask & masks.causal(13, 17))
    for block in BLOCKS:
        y = flash_attention(q, k, v, mask, is_causal=True, block=block)
        np.testing.assert_allclose(y, expected, atol=1e-13, err_msg=f"block {block}")


@pytest.mark.parametrize("block", [None, 4])
@pytest.mark.parametrize(
    "axes", [((), (), ()), ((5,), (), ()), ((), (5,), (5,)), ((2, 3, 5), (3, 1), (5,)), ((1, 5), (2, 5), (2, 1))]
)
def test_leading_axes_broadcast_as_in_the_plain_formula(axes, block):
    rng = np.random.default_rng(4)
    q, k, v = (rng.normal(size=(*lead, *own)) for lead, own in zip(axes, ((13, 7), (17, 7), (17, 11)), strict=True))
    expected = core.scaled_dot_product_attention(q, k, v)
    y = flash_attention(q, k, v, block=block)
    assert y.shape == expected.shape
    np.testing.assert_allclose(y, expected, atol=1e-13)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_row_with_nothing_allowed_gives_zeros(block):
    q, k, v = qkv(np.random.default_rng(5))
    mask = np.ones((13, 17), bool)
    mask[4] = False
    for kind in (mask, np.where(mask, 0.0, -np.inf)):
        y = flash_attention(q, k, v, kind, block=block)
        assert (y[..., 4, :] == 0).all() and np.isfinite(y).all()
    y = flash_attention(q, k, v, is_causal=True, offset=-3, block=block)
    assert (y[..., :3, :] == 0).all() and (y[..., 3:, :] != 0).all()


@pytest.mark.parametrize("rot", [np.nan, np.inf])
@pytest.mark.parametrize("block", [None, 1, 3, (5, 4)])
def test_what_is_masked_does_not_leak(rot, block):
    q, k, v = qkv(np.random.default_rng(6))
    clean = flash_attention(q, k, v, is_causal=True, block=block)
    bad_k, bad_v = k.copy(), v.copy()
    bad_k[..., 9, :], bad_v[..., 9, :] = np.nan, rot  # seen by queries 5, 6, …: offset is 4
    for arguments, mask in (((q, bad_k, bad_v), None), ((q, bad_k, bad_v), masks.causal(13, 17))):
        y = flash_attention(*arguments, mask, is_causal=mask is None, block=block)
        np.testing.assert_allclose(y[..., :5, :], clean[..., :5, :], atol=1e-14)
        assert not np.isfinite(y[..., 5:, :]).any()
    y = flash_attention(q, k, bad_v, np.arange(17) != 9, block=block)
    np.testing.assert_allclose(y, core.scaled_dot_product_attention(q, k, v, np.arange(17) != 9), atol=1e-13)


@pytest.mark.parametrize("block", [None, 1, (5, 4), (256, 512)])
@pytest.mark.parametrize("change", [1.0, 1e6, np.nan])
def test_the_future_cannot_reach_the_past_not_even_by_a_rounding_error(block, change):
    """Huge later keys end the calm of later rows; earlier rows must be computed just as before."""
    rng = np.random.default_rng(7)
    n = 13 if block != (256, 512) else 700
    q, k, v = rng.normal(size=(3, 2, n, 7)).astype(np.float32)
    before = flash_attention(q, k, v, is_causal=True, block=block)
    k[:, 9:], v[:, 9:] = change, -change
    after = flash_attention(q, k, v, is_causal=True, block=block)
    np.testing.assert_array_equal(after[:, :9], before[:, :9])
    assert not np.array_equal(after[:, 9:], before[:, 9:], equal_nan=True)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("block", [None, 4])
def test_floats_come_out_as_they_went_in_and_integers_as_float64(dtype, block):
    q, k, v = ((3 * x).astype(dtype) for x in qkv(np.random.default_rng(8)))
    y = flash_attention(q, k, v, block=block)
    assert y.dtype == (np.float64 if dtype == np.int64 else dtype)
    expected = core.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(y, expected, atol={np.float16: 2e-2, np.float32: 1e-5}.get(dtype, 1e-12))


def test_half_precision_does_not_overflow():
    q = np.full((40, 16), 8, np.float16)  # scores of 256: e^256 is far beyond float16, and float32
    assert (flash_attention(q, q, q, block=8) == 8).all()


@pytest.mark.parametrize("size", [1e4, 300, 1e-300])
@pytest.mark.parametrize("block", [None, 4, (5, 3)])
def test_scores_of_any_size_make_no_warning_and_no_nan(size, block):
    rng = np.random.default_rng(9)
    q, k = rng.choice([-1.0, 1.0], size=(2, 29, 1)) * np.sqrt(size)
    v = rng.normal(size=(29, 3))
    y = flash_attention(q, k, v, scale=1.0, block=block)
    np.testing.assert_allclose(y, core.scaled_dot_product_attention(q, k, v, scale=1.0), atol=1e-12)


@pytest.mark.parametrize(
    "dtype, power", [(np.float32, p) for p in (-37, -30, 0, 30, 37)] + [(np.float64, p) for p in (-300, 0, 300)]
)
@pytest.mark.parametrize("bound", [5.0, 65.0, 80.0, 690.0])
def test_skipping_the_maximum_is_safe_for_values_of_any_size(dtype, power, bound):
    """Without a maximum, e^±bound meets tiny or huge values: calm_rows must know when that loses digits."""
    rng = np.random.default_rng(10)
    v = (rng.random((40, 3)) * 10.0**power).astype(dtype)
    q, k = np.full((2, 40, 1), np.sqrt(bound), dtype)
    for sign in (1, -1):  # every score is +bound or every score is −bound, so the answer is the mean
        y = flash_attention(q, sign * k, v, scale=1.0, block=16)
        np.testing.assert_allclose(y, np.broadcast_to(v.mean(0), y.shape), rtol=40 * np.finfo(dtype).eps)


def test_a_bound_that_a_rounding_could_break_is_not_trusted():
    """The scores' bound is computed in the working dtype: its sign, its keys' number and its edge all count."""
    q = k = np.full((64, 1), 9.0, np.float32)  # scores of ±81: e^81 fits float32, and 64 of it do not leave room for v
    v = np.full((64, 1), 1e3, np.float32)
    for scale in (1.0, -1.0):
        np.testing.assert_allclose(flash_attention(q, k, v, scale=scale, block=64), v, rtol=1e-5)
    last = np.arange(64)
    assert not online.calm_rows(q, k, v, scale=-1.0, last=last).any()
    assert online.calm_rows(q, k, v, scale=-0.5, last=last).all()
    many, large = np.full((4096, 1), 60, np.float32), np.full((4096, 1), 1e9, np.float32)
    one, last = np.ones((1, 1), np.float32), np.array([0])  # e^60 · 1e9 fits, four thousand of it do not
    assert online.calm_rows(one, many[:1], large[:1], scale=1.0, last=last).all()
    assert not online.calm_rows(one, many, large, scale=1.0, last=last).any()
    np.testing.assert_allclose(flash_attention(one, many, large, scale=1.0, block=4096), 1e9, rtol=1e-5)


@pytest.mark.parametrize("spread", [1, 30])
def test_float32_loses_no_more_than_the_plain_formula(spread):
    rng = np.random.default_rng(11)
    q, k, v = rng.normal(size=(3, 2, 400, 16))
    q, k, v = (x.astype(np.float32) for x in (spread * q, k, v))
    exact = core.scaled_dot_product_attention(*(x.astype(np.float64) for x in (q, k, v)))
    plain = abs(core.scaled_dot_product_attention(q, k, v) - exact).max()
    for block in (64, (256, 512)):
        assert abs(flash_attention(q, k, v, block=block) - exact).max() <= 2 * plain


@pytest.mark.parametrize("block", [None, 5])
def test_arguments_may_be_anyhow_in_memory_and_are_left_alone(block):
    q, k, v = qkv(np.random.default_rng(12))
    expected = flash_attention(q, k, v, block=block)
    strange = np.asfortranarray(q), k[..., ::-1].copy()[..., ::-1], np.repeat(v, 2, axis=-2)[..., ::2, :]
    for x in strange:
        x.flags.writeable = False
    np.testing.assert_allclose(flash_attention(*strange, block=block), expected, atol=1e-14)


def test_strict_error_handling_around_the_call_finds_nothing_to_report():
    q, k, v = qkv(np.random.default_rng(13))
    with np.errstate(all="raise"):
        flash_attention(100 * q, k, v, is_causal=True, offset=-2, block=3)
        flash_attention(q, k, v, np.zeros((13, 17), bool), block=3, workers=2)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 23), max_size=5), st.randoms(), st.sampled_from([0.1, 1, 30, 1e3]))
def test_pieces_merge_in_any_split_and_any_order(cuts, random, spread):
    rng = np.random.default_rng(len(cuts))
    q, k, v = spread * rng.normal(size=(5, 7)), rng.normal(size=(23, 7)), rng.normal(size=(23, 3))
    mask = rng.random((5, 23)) > 0.4
    mask[2] = False
    edges = [0, *sorted(cuts), 23]
    parts = [partial(q, k[a:b], v[a:b], mask[:, a:b]) for a, b in itertools.pairwise(edges)]
    while len(parts) > 1:  # join two at random, as a tree of any shape would
        random.shuffle(parts)
        parts.append(merge(parts.pop(), parts.pop()))
    expected = core.scaled_dot_product_attention(q, k, v, mask)
    np.testing.assert_allclose(finish(parts[0]), expected, atol=1e-12)


def parts(rng, count=3):
    return [partial(*(30 * rng.normal(size=s) for s in ((5, 2), (3, 2), (3, 7)))) for _ in range(count)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_merge_is_associative_and_exactly_commutative(seed):
    a, b, c = parts(np.random.default_rng(seed))
    for one, other in zip(merge(merge(a, b), c), merge(a, merge(b, c)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
    for one, other in zip(merge(a, b), merge(b, a), strict=True):
        np.testing.assert_array_equal(one, other)


def test_merging_in_nothing_changes_nothing():
    rng = np.random.default_rng(14)
    q, k, v = rng.normal(size=(5, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 7))
    nothing, a = partial(q, k[:0], v[:0]), partial(q, k, v)
    assert (nothing.m == -np.inf).all() and not nothing.l.any() and not nothing.o.any()
    for both in (merge(nothing, a), merge(a, nothing)):
        for x, y in zip(both, a, strict=True):
            np.testing.assert_array_equal(x, y)
    assert not finish(merge(nothing, nothing)).any()


def test_two_pieces_by_hand():
    """Scores 0 and log 3, one key each: sums 1 and 1, maxima 0 and log 3, so the first counts for a third."""
    a = Partial(np.array([0.0]), np.array([1.0]), np.array([[0.0]]))
    b = Partial(np.log([3.0]), np.array([1.0]), np.array([[4.0]]))
    both = merge(a, b)
    assert both.m == pytest.approx(np.log(3)) and both.l == pytest.approx(4 / 3) and finish(both) == pytest.approx(3)


@pytest.mark.parametrize(
    "change, error, told",
    [
        (dict(k=np.ones((2, 5, 6))), ValueError, "axis d is 7 in q but 6 in k"),
        (dict(q=np.ones((5, 3, 7))), ValueError, "g = 2 key–value heads do not divide h = 5"),
        (dict(v=np.ones((2, 4, 3))), ValueError, "axis m is 5 in k but 4 in v"),
        (dict(mask=np.ones((3, 4), bool)), ValueError, r"mask has shape \(3, 4\)"),
        (dict(mask=np.ones((3, 5), int)), TypeError, "mask holds integers"),
        (dict(window=-1), ValueError, "window's left must be at least 0"),
        (dict(window=(1, 2.5)), TypeError, "window's right must be an integer"),
        (dict(window=(1, 2, 3)), TypeError, "window's left must be an integer"),
        (dict(offset=0.5), TypeError, "offset must be an integer"),
        (dict(block=0), ValueError, "block must be at least 1"),
        (dict(block=(1, 2, 3)), ValueError, "block must be one number or"),
        (dict(workers=0), ValueError, "workers must be at least 1"),
        (dict(q="text"), TypeError, "q must hold real numbers"),
    ],
)
def test_errors_name_the_axis_and_the_argument(change, error, told):
    arguments = dict(q=np.ones((4, 3, 7)), k=np.ones((2, 5, 7)), v=np.ones((2, 5, 3))) | change
    with pytest.raises(error, match=told):
        flash_attention(**arguments)


@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"window": 40}, {"workers": 2}])
def test_memory_beside_the_output_does_not_grow_with_the_length(options):
    beside = []
    for n in (512, 2048):
        q, k, v = np.random.default_rng(15).normal(size=(3, n, 8))
        flash_attention(q, k, v, block=64, **options)
        tracemalloc.start()
        y = flash_attention(q, k, v, block=64, **options)
        beside.append(tracemalloc.get_traced_memory()[1] - y.nbytes)
        tracemalloc.stop()
    assert beside[1] < beside[0] + 2048 * 100  # a few numbers a row; the scores would take 2048 · 2048 · 8 bytes


@pytest.mark.parametrize("window", [None, (3, 3), (0, 1), (1, 2)])
def test_a_row_is_judged_by_the_keys_to_its_right_too(window):
    """Its own key and those before it are small: only one that comes later makes its exponentials overflow."""
    q, k = np.full((4, 1), 40.0), np.array([[0.0], [0.0], [0.0], [40.0]])
    v = np.arange(8.0).reshape(4, 2)
    mask = None if window is None else masks.sliding_window(4, 4, left=window[0], right=window[1])
    plain = core.scaled_dot_product_attention(q, k, v, mask, scale=1.0)
    np.testing.assert_allclose(flash_attention(q, k, v, window=window, scale=1.0, block=2), plain, rtol=1e-12, atol=0)


def test_a_row_whose_exponentials_fade_is_not_calm():
    """exp(−690) is a full number still, but what it is multiplied by may not be one: e^−B stands too near to 0."""
    one = np.ones((1, 1))
    assert online.calm_rows(one, one, one, scale=600.0, last=np.array([0])).all()
    assert not online.calm_rows(one, one, one, scale=690.0, last=np.array([0])).any()


def test_the_first_query_of_a_causal_band_sees_the_first_key_last():
    assert tiles.band(3, 3, is_causal=True).last(3).tolist() == [0, 1, 2]
