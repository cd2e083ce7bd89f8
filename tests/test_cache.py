"""Token by token from the cache is the same attention as all at once."""

import tracemalloc

import numpy as np
import pytest

from attn import core, masks
from attn.cache import KVCache, decode, prefill


def qkv(rng, n=23, h=6, g=2, b=3):
    """Random q, k, v of one sequence; h and g are what the tests are about, the other axes are primes."""
    return rng.normal(size=(b, h, n, 7)), rng.normal(size=(b, g, n, 7)), rng.normal(size=(b, g, n, 11))


def whole(q, k, v, mask):
    r = q.shape[-3] // k.shape[-3]
    return core.scaled_dot_product_attention(q, np.repeat(k, r, -3), np.repeat(v, r, -3), mask)


@pytest.mark.parametrize("h, g", [(6, 6), (6, 2), (6, 1)])
@pytest.mark.parametrize("steps", [[1] * 18, [2, 5, 1, 10], [18]])
@pytest.mark.parametrize("window", [None, 0, 4, 50])
def test_prefill_and_decode_equal_the_full_pass(h, g, steps, window):
    q, k, v = qkv(np.random.default_rng(0), h=h, g=g)
    mask = masks.causal(23) & masks.sliding_window(23, left=23 if window is None else window)
    y, cache = prefill(q[..., :5, :], k[..., :5, :], v[..., :5, :], window=window)
    rows, done = [y], 5
    for t in steps:
        now = slice(done, done + t)
        rows.append(decode(q[..., now, :], cache.append(k[..., now, :], v[..., now, :])))
        done += t
    np.testing.assert_allclose(np.concatenate(rows, axis=-2), whole(q, k, v, mask), atol=1e-13)


def test_many_new_queries_against_a_long_cache_are_blocked_and_still_right():
    rng = np.random.default_rng(1)
    q, k, v = rng.normal(size=(2, 300, 7)), rng.normal(size=(2, 900, 7)), rng.normal(size=(2, 900, 3))
    expected = core.scaled_dot_product_attention(q, k, v, masks.causal(300, 900))
    np.testing.assert_allclose(decode(q, KVCache().append(k, v)), expected, atol=1e-13)


def test_another_scale_is_the_scale_of_the_full_pass():
    q, k, v = qkv(np.random.default_rng(3), h=2, g=2)
    expected = core.scaled_dot_product_attention(q, k, v, masks.causal(23), scale=0.3)
    y = decode(q[..., -2:, :], KVCache().append(k, v), scale=0.3)
    np.testing.assert_allclose(y, expected[..., -2:, :], atol=1e-13)


def test_a_mask_hides_padding_in_the_cache():
    q, k, v = qkv(np.random.default_rng(2))
    mask = masks.padding(np.array([[23], [7], [0]]), 23)
    y = decode(q[..., -2:, :], KVCache().append(k, v), mask)
    np.testing.assert_allclose(y, whole(q, k, v, mask & masks.causal(23))[..., -2:, :], atol=1e-13)
    assert (y[2] == 0).all()


def test_the_cache_holds_what_was_appended_in_order():
    _, k, v = qkv(np.random.default_rng(3))
    cache = KVCache()
    for i in range(23):
        cache.append(k[..., i : i + 1, :], v[..., i : i + 1, :])
        assert len(cache) == cache.seen == i + 1
    np.testing.assert_array_equal(cache.keys, k)
    np.testing.assert_array_equal(cache.values, v)
    assert cache.nbytes == k.nbytes + v.nbytes
    assert repr(cache) == "KVCache: 23 of 23 tokens, keys (3, 2, 23, 7), values (3, 2, 23, 11)"


def test_views_cost_nothing_and_never_change_under_their_reader():
    _, k, v = qkv(np.random.default_rng(4))
    for window in (None, 3):
        cache = KVCache(capacity=8, window=window).append(k[..., :4, :], v[..., :4, :])
        early = cache.keys
        assert np.shares_memory(early, cache.keys) and not early.flags.writeable
        for i in range(4, 23):
            cache.append(k[..., i : i + 1, :], v[..., i : i + 1, :])
        np.testing.assert_array_equal(early, k[..., :4, :])


def test_growing_copies_each_token_a_bounded_number_of_times():
    """Doubling: among 1,000 appends at most ten move the whole cache."""
    cache, moves, before = KVCache(), 0, None
    for _ in range(1000):
        cache.append(np.zeros((1, 1, 4)), np.zeros((1, 1, 4)))
        moves += before is None or not np.shares_memory(before, cache.keys)
        before = cache.keys
    assert moves <= 10


def test_room_asked_for_is_room_given():
    cache = KVCache(capacity=100).append(np.zeros((2, 1, 4)), np.zeros((2, 1, 4)))
    first = cache.keys
    for _ in range(99):
        cache.append(np.zeros((2, 1, 4)), np.zeros((2, 1, 4)))
    assert np.shares_memory(first, cache.keys)


def test_a_windowed_cache_stops_growing():
    cache, token = KVCache(window=5), np.zeros((1, 1, 64))
    tracemalloc.start()
    for _ in range(500):
        cache.append(token, token)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(cache) == 6 and cache.seen == 500  # the five before the newest, and the newest
    assert used < 30 * 2 * token.nbytes


def test_the_cache_keeps_copies():
    k = np.ones((1, 2, 3))
    cache = KVCache().append(k, k)
    k[:] = 7
    assert (cache.keys == 1).all() and (cache.values == 1).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_cache_may_be_kept_in_a_narrower_dtype_if_one_says_so(dtype):
    q, k, v = qkv(np.random.default_rng(5))
    q, k, v = (x.astype(dtype) for x in (q, k, v))
    assert KVCache().append(k, v).keys.dtype == dtype
    with pytest.raises(TypeError, match="k is float64, but the cache keeps float32"):
        KVCache().append(k.astype(np.float32), v.astype(np.float32)).append(k.astype(float), v.astype(float))
    small = KVCache(dtype=np.float16).append(k, v)
    assert small.nbytes == 2 * (k.size + v.size)
    assert decode(q[..., -1:, :], small).dtype == dtype


@pytest.mark.parametrize(
    "wrong, error, told",
    [
        (lambda: KVCache(capacity=-1), ValueError, "capacity must be at least 0"),
        (lambda: KVCache(window=1.5), TypeError, "window must be an integer"),
        (lambda: KVCache(dtype=np.int8), TypeError, "dtype must be a floating-point type"),
        (lambda: KVCache().keys, ValueError, "the cache is empty"),
        (lambda: KVCache().append(np.ones((2, 3, 4)), np.ones((2, 5, 4))), ValueError, "axis t is 3 in k but 5 in v"),
        (lambda: KVCache().append(np.ones((2, 3, 4)), np.ones((1, 3, 4))), ValueError, "k and v must agree"),
        (lambda: filled().append(np.ones((2, 1, 5)), np.ones((2, 1, 4))), ValueError, r"keeps \(2, t, 4\)"),
        (lambda: decode(np.ones((2, 4, 4)), filled()), ValueError, "4 queries: too many for a cache that holds 3"),
        (lambda: decode(np.ones((2, 1, 5)), filled()), ValueError, "axis d is 5 in q but 4 in k"),
        (lambda: decode(np.ones((2, 1, 4)), KVCache()), ValueError, "holds 0 of 0"),
        (lambda: decode(np.ones(4), KVCache()), ValueError, "the cache is empty"),
    ],
)
def test_errors_say_what_the_cache_keeps(wrong, error, told):
    with pytest.raises(error, match=told):
        wrong()


def filled():
    return KVCache().append(np.ones((2, 3, 4)), np.ones((2, 3, 4)))


def test_queries_that_see_further_back_than_the_window_kept_are_refused():
    cache, token = KVCache(window=2), np.ones((1, 1, 4))
    for _ in range(9):
        cache.append(token, token)
    assert decode(token, cache).shape == (1, 1, 4)
    with pytest.raises(ValueError, match="2 queries: too many for a cache that holds 3 of 9"):
        decode(np.ones((1, 2, 4)), cache)
