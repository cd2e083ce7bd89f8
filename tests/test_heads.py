"""Several heads: split, attend, merge, mix; and fewer keys than queries."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import core, heads, masks, positions

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def weights(rng, c=13, h=6, g=6, d=5, e=7, memory=None, out=11):
    """Random projections; no two widths agree, so a swapped axis cannot hide."""
    memory = c if memory is None else memory
    shapes = [(c, h * d), (memory, g * d), (memory, g * e), (h * e, out)]
    return [rng.normal(size=shape) / np.sqrt(shape[0]) for shape in shapes]


@given(h=st.integers(1, 5), n=st.integers(0, 4), d=st.integers(1, 4), batch=st.lists(st.integers(0, 3), max_size=2))
def test_merge_undoes_split(h, n, d, batch):
    x = np.arange(np.prod([*batch, n, h * d]), dtype=float).reshape(*batch, n, h * d)
    assert heads.split(x, h).shape == (*batch, h, n, d)
    np.testing.assert_array_equal(heads.merge(heads.split(x, h)), x)


def test_a_head_owns_consecutive_columns():
    x = np.arange(24).reshape(2, 12)
    np.testing.assert_array_equal(heads.split(x, 3)[1], x[:, 4:8])


def test_split_is_a_view_and_a_bare_reshape_is_something_else():
    x = np.arange(24.0).reshape(4, 6)
    assert np.shares_memory(heads.split(x, 2), x)
    assert not np.array_equal(heads.split(x, 2), x.reshape(2, 4, 3))


@pytest.mark.parametrize("h", [0, 5, -1])
def test_heads_that_do_not_divide_are_refused(h):
    with pytest.raises(ValueError, match=f"{h} heads do not divide the last axis of x, 12"):
        heads.split(np.zeros((2, 12)), h)


def test_repeating_is_not_tiling():
    k = np.array([0.0, 1.0])[:, None, None]
    assert heads.repeat_kv(k, 2).ravel().tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("g", [1, 2, 3, 6])
@pytest.mark.parametrize("mask", [None, "causal", "heads", "batch", "float", "bias"])
def test_grouped_heads_equal_repeated_heads(g, mask):
    rng = np.random.default_rng(g)
    q, k, v = rng.normal(size=(2, 6, 3, 7)), rng.normal(size=(2, g, 5, 7)), rng.normal(size=(2, g, 5, 11))
    mask = {
        None: None,
        "causal": masks.causal(3, 5),
        "heads": rng.random((6, 3, 5)) < 0.6,
        "batch": rng.random((2, 1, 3, 5)) < 0.6,
        "float": rng.normal(size=(2, 6, 3, 5)),
        "bias": masks.alibi(6, 3, 5),
    }[mask]
    k_all, v_all = heads.repeat_kv(k, 6 // g), heads.repeat_kv(v, 6 // g)
    expected = core.scaled_dot_product_attention(q, k_all, v_all, mask)
    np.testing.assert_allclose(heads.grouped_query_attention(q, k, v, mask), expected, **CLOSE)


def test_a_score_mod_sees_the_heads_it_would_see_without_groups():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(6, 3, 7)), rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 5, 11))
    bias = rng.normal(size=(6, 3, 5))
    with_mod = heads.grouped_query_attention(q, k, v, score_mod=lambda raw: raw + bias)
    np.testing.assert_allclose(with_mod, heads.grouped_query_attention(q, k, v, bias), **CLOSE)
    with pytest.raises(ValueError, match=r"score_mod turned scores of shape \(6, 3, 5\) into shape \(3, 5\)"):
        heads.grouped_query_attention(q, k, v, score_mod=lambda raw: raw[0])


def test_keys_and_values_are_not_copied():
    k = np.ones((1, 1 << 15, 16), np.float32)
    q = np.ones((8, 1, 16), np.float32)
    tracemalloc.start()
    heads.grouped_query_attention(q, k, k)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    scores = 8 * (1 << 15) * 4
    assert peak < 7 * scores < 8 * k.nbytes, "repeating K and V would alone need 16 times K"


@pytest.mark.parametrize(
    ("k_shape", "mask", "message"),
    [
        ((4, 5, 7), None, "g = 4 key–value heads do not divide h = 6"),
        ((0, 5, 7), None, "g = 0 key–value heads do not divide h = 6"),
        ((2, 5, 8), None, "axis d is 7 in q but 8 in k"),
        ((2, 5, 7), np.ones((2, 3, 5), bool), r"mask has shape \(2, 3, 5\), .* the scores \(6, 3, 5\)"),
    ],
)
def test_what_does_not_fit_is_named(k_shape, mask, message):
    with pytest.raises(ValueError, match=message):
        heads.grouped_query_attention(np.ones((6, 3, 7)), np.ones(k_shape), np.ones((*k_shape[:-1], 11)), mask)


@pytest.mark.parametrize("g", [1, 2, 6])
def test_multi_head_attention_is_a_sum_over_heads(g):
    rng = np.random.default_rng(1)
    x, (w_q, w_k, w_v, w_o) = rng.normal(size=(2, 4, 13)), weights(rng, g=g)
    total = 0
    for t in range(6):
        u = t * g // 6
        q, k = x @ w_q[:, 5 * t : 5 * t + 5], x @ w_k[:, 5 * u : 5 * u + 5]
        v = x @ w_v[:, 7 * u : 7 * u + 7]
        total = total + core.scaled_dot_product_attention(q, k, v, masks.causal(4)) @ w_o[7 * t : 7 * t + 7]
    y = heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=6, kv_heads=g, mask=masks.causal(4))
    np.testing.assert_allclose(y, total, **CLOSE)


def test_cross_attention_takes_keys_and_values_from_memory():
    rng = np.random.default_rng(2)
    x, memory, (w_q, w_k, w_v, w_o) = rng.normal(size=(2, 4, 13)), rng.normal(size=(2, 9, 17)), weights(rng, memory=17)
    y = heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=6, memory=memory)
    q, k, v = (heads.split(heads.project(a, w), 6) for a, w in [(x, w_q), (memory, w_k), (memory, w_v)])
    expected = heads.merge(core.scaled_dot_product_attention(q, k, v)) @ w_o
    np.testing.assert_allclose(y, expected, **CLOSE)


def test_rotating_queries_and_keys_makes_scores_see_only_distance():
    """The same token twice, at any two places the same distance apart, gets the same score."""
    rng = np.random.default_rng(3)
    x = np.tile(rng.normal(size=13), (6, 1))
    w_q, w_k, *_ = weights(rng, h=1, g=1, d=6, e=6)
    s = core.scores(*(positions.rope(x @ w, np.arange(6)) for w in (w_q, w_k)))
    np.testing.assert_allclose(s[1:, 1:], s[:-1, :-1], **CLOSE)


def test_the_layer_rotates_queries_and_keys_and_not_values():
    rng = np.random.default_rng(11)
    x, (w_q, w_k, w_v, w_o) = rng.normal(size=(5, 13)), weights(rng, g=2, d=4)
    turn = lambda z: positions.rope(z, np.arange(5))  # noqa: E731
    q, k, v = turn(heads.split(x @ w_q, 6)), turn(heads.split(x @ w_k, 2)), heads.split(x @ w_v, 2)
    expected = heads.merge(heads.grouped_query_attention(q, k, v)) @ w_o
    y = heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=6, kv_heads=2, rotate=turn)
    np.testing.assert_allclose(y, expected, **CLOSE)


@pytest.mark.parametrize("scale", [0.0, 0.3])
def test_a_given_scale_reaches_the_scores(scale):
    rng = np.random.default_rng(12)
    q, k, v = rng.normal(size=(6, 3, 7)), rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 5, 11))
    y = heads.grouped_query_attention(q, k, v, scale=scale)
    expected = core.scaled_dot_product_attention(q, heads.repeat_kv(k, 3), heads.repeat_kv(v, 3), scale=scale)
    np.testing.assert_allclose(y, expected, **CLOSE)
    x, ws = rng.normal(size=(4, 13)), weights(rng)
    q, k, v = (heads.split(x @ w, 6) for w in ws[:3])
    expected = heads.merge(core.scaled_dot_product_attention(q, k, v, scale=scale)) @ ws[3]
    np.testing.assert_allclose(heads.multi_head_attention(x, *ws, heads=6, scale=scale), expected, **CLOSE)


def test_the_writes_of_the_heads_add_up_to_the_layers_output():
    rng = np.random.default_rng(4)
    o, w_o = rng.normal(size=(2, 6, 4, 7)), rng.normal(size=(42, 11))
    parts = heads.writes(o, w_o)
    assert parts.shape == (2, 6, 4, 11)
    np.testing.assert_allclose(parts.sum(-3), heads.merge(o) @ w_o, **CLOSE)
    with pytest.raises(ValueError, match="w_o needs h·e = 6·7 = 42 rows but has 41"):
        heads.writes(o, w_o[1:])


def test_pooling_equal_heads_changes_nothing():
    rng = np.random.default_rng(5)
    shared = rng.normal(size=(13, 2 * 5))
    repeated = heads.merge(heads.repeat_kv(heads.split(shared, 2), 3))
    np.testing.assert_allclose(heads.pool_kv(repeated, 6, 2), shared, **CLOSE)


def test_pooling_takes_the_mean_of_consecutive_heads():
    w = np.array([[0.0, 2.0, 10.0, 14.0]])
    assert heads.pool_kv(w, 4, 2).tolist() == [[1.0, 12.0]]


def a_turn(rng, d):
    return np.linalg.qr(rng.normal(size=(d, d)))[0]


def test_heads_turned_towards_each_other_score_as_before():
    rng = np.random.default_rng(15)
    w, partner = rng.normal(size=(13, 6 * 5)), rng.normal(size=(11, 6 * 5))
    one, other = (heads.split(x, 6) for x in (w, partner))
    turned = heads.align_kv(w, partner, 6, 2)
    assert np.abs(turned[0] - w).max() > 0.1
    new, along = (heads.split(x, 6) for x in turned)
    np.testing.assert_allclose(new @ along.mT, one @ other.mT, **CLOSE)


def test_one_head_in_several_bases_is_found_again_group_by_group():
    rng = np.random.default_rng(16)
    first = rng.normal(size=(2, 13, 5))  # one head for each group of three
    bases = [np.stack([head] + [head @ a_turn(rng, 5) for _ in range(2)]) for head in first]
    w = heads.merge(np.concatenate(bases))
    assert np.abs(heads.pool_kv(w, 6, 2) - heads.merge(first)).max() > 0.1
    turned, _ = heads.align_kv(w, w, 6, 2)
    np.testing.assert_allclose(heads.pool_kv(turned, 6, 2), heads.merge(first), **CLOSE)


def test_each_round_of_turning_brings_the_heads_closer_to_their_mean():
    rng = np.random.default_rng(17)
    w = rng.normal(size=(13, 6 * 5))

    def apart(w, g):
        groups = heads.split(w, 6).reshape(g, 6 // g, 13, 5)
        return np.linalg.norm(groups - groups.mean(axis=1, keepdims=True))

    found = [apart(heads.align_kv(w, w, 6, 2, rounds=n)[0], 2) for n in (1, 2, 50, 51)]
    assert apart(w, 2) > found[0] > found[1] > found[2]
    np.testing.assert_allclose(found[3], found[2], rtol=1e-6)  # it has come to rest
    once, often = (heads.align_kv(w, w, 6, 3, rounds=n)[0] for n in (1, 50))
    np.testing.assert_allclose(often, once, **CLOSE)  # two heads need one round


def test_the_block_diagonal_matrix_is_built_and_multiplies_like_the_heads():
    rng = np.random.default_rng(6)
    o, blocks = rng.normal(size=(6, 4, 7)), rng.normal(size=(6, 7, 3))
    big = heads.block_diagonal(blocks)
    assert big.shape == (42, 18)
    assert np.count_nonzero(big) == blocks.size
    np.testing.assert_allclose(heads.merge(o) @ big, heads.merge(o @ blocks), **CLOSE)


def test_blocks_may_differ_in_shape():
    built = heads.block_diagonal([np.ones((1, 2)), 2 * np.ones((2, 1))])
    np.testing.assert_array_equal(built, [[1, 1, 0], [0, 0, 2], [0, 0, 2]])
    with pytest.raises(ValueError, match="at least one block"):
        heads.block_diagonal([])
    with pytest.raises(ValueError, match="block"):
        heads.block_diagonal([np.ones((1, 2)), np.ones(3)])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_come_out_as_they_went_in(dtype):
    rng = np.random.default_rng(7)
    x, ws = rng.normal(size=(4, 13)).astype(dtype), [w.astype(dtype) for w in weights(rng)]
    y = heads.multi_head_attention(x, *ws, heads=6)
    exact = heads.multi_head_attention(x.astype(float), *(w.astype(float) for w in ws), heads=6)
    assert y.dtype == dtype
    # computed in float32 throughout, so one float16 rounding at the end is the only one
    np.testing.assert_allclose(y, exact, rtol=2 * np.finfo(dtype).eps, atol=20 * np.finfo(np.float32).eps)


def test_arguments_are_left_alone():
    rng = np.random.default_rng(8)
    arguments = [rng.normal(size=(4, 13)), *weights(rng)]
    for a in arguments:
        a.setflags(write=False)
    heads.multi_head_attention(*arguments, heads=6, mask=masks.causal(4))


def test_wrong_widths_name_the_axis():
    rng = np.random.default_rng(9)
    x, (w_q, w_k, w_v, w_o) = rng.normal(size=(4, 13)), weights(rng)
    with pytest.raises(ValueError, match="axis c is 13 in x but 12 in w_q"):
        heads.multi_head_attention(x, w_q[1:], w_k, w_v, w_o, heads=6)
    with pytest.raises(ValueError, match="axis c is 13 in memory but 12 in w_k"):
        heads.multi_head_attention(x, w_q, w_k[1:], w_v, w_o, heads=6)
    with pytest.raises(ValueError, match="axis r is 42 in heads but 41 in w_o"):
        heads.multi_head_attention(x, w_q, w_k, w_v, w_o[1:], heads=6)
