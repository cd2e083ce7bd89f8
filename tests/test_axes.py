"""The alphabet of axes: what fits, what does not, and what the error says; whole numbers and shared heads."""

import numpy as np
import pytest

from attn import cache, circuits, cost, features, flash, heads, induction, masks, positions, transformer
from attn.axes import expect, group, grouped, groups, numeric, ungroup, whole, working


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


# ── counts and positions ────────────────────────────────────────────────────────────────────────────────────

X = np.zeros((4, 6))
LAYER = {"heads": 4, "head_width": 2}
COUNTS = {  # every public function that takes a count or a position, with arguments that are right
    masks.causal: dict(n=2, m=3, offset=1),
    masks.sliding_window: dict(n=2, m=3, left=1, right=1, offset=1),
    masks.prefix: dict(n=2, m=3, length=1, offset=1),
    masks.blocks: dict(n=2, m=3, size=1, offset=1),
    masks.padding: dict(lengths=[1], m=3),
    masks.alibi_slopes: dict(heads=3),
    masks.alibi: dict(heads=3, n=2, m=3, offset=1),
    positions.sinusoids: dict(n=2, c=4),
    positions.rope: dict(x=X, positions=np.arange(4), rotary_dim=2),
    positions.rotation: dict(positions=np.arange(4), d=6, rotary_dim=2),
    positions.layout_permutation: dict(d=6, rotary_dim=2),
    positions.relative_bias: dict(table=np.zeros(5), n=2, m=3, offset=1),
    positions.t5_buckets: dict(n=2, m=3, buckets=8, max_distance=20, offset=1),
    cost.pairs: dict(n=2, m=3, left=1, right=1, offset=1),
    cost.attention: dict(n=2, m=3, width=6, **LAYER, kv_heads=2, value_width=2, allowed=5),
    cost.crossover: dict(width=6, heads=4, kv_heads=2),
    cost.attention_weights: dict(width=6, **LAYER, kv_heads=2, value_width=2),
    cost.feed_forward_weights: dict(width=6, hidden=8),
    cost.kv_cache_bytes: dict(length=3, kv_heads=2, head_width=2, layers=2, batch=2, itemsize=2, value_width=2),
    cost.naive_bytes: dict(n=2, m=3, **LAYER, kv_heads=2, value_width=2, itemsize=2),
    cost.tiled_bytes: dict(n=2, m=3, **LAYER, kv_heads=2, value_width=2, itemsize=2, block=2),
    cost.state_bytes: dict(**LAYER, layers=2, batch=2, itemsize=2, value_width=2),
    cost.memory_work: dict(n=2, head_width=2, value_width=2, block=2),
    heads.split: dict(x=X, heads=2),
    heads.repeat_kv: dict(x=X[None], times=2),
    heads.pool_kv: dict(w=X, heads=6, kv_heads=2),
    heads.align_kv: dict(w=X, partner=X, heads=6, kv_heads=2, rounds=2),
    heads.multi_head_attention: dict(
        x=X, w_q=X.T @ X, w_k=X.T[:, :3], w_v=X.T, w_o=np.zeros((8, 6)), heads=2, kv_heads=1
    ),
    circuits.qk: dict(w_q=X, w_k=X, heads=6, kv_heads=6),
    circuits.ov: dict(w_v=X, w_o=X.T, heads=6, kv_heads=6),
    circuits.write_overlap: dict(w_o=X, heads=2),
    cache.KVCache: dict(capacity=3, window=2),
    features.causal_linear_attention: dict(q=X, k=X, v=X, block=2),
    flash.flash_attention: dict(q=X, k=X, v=X, window=1, offset=1, block=2, workers=1),
    lambda **sizes: induction.repeated(np.random.default_rng(0), **sizes): dict(
        sequences=2, periods=[2], length=5, vocabulary=3
    ),
}
ARRAYS = {"x", "w", "q", "k", "v", "w_q", "w_k", "w_v", "w_o", "partner", "positions", "table", "rng"}
COUNTED = [(f, name) for f, given in COUNTS.items() for name in given if name not in ARRAYS]


@pytest.mark.parametrize(
    ("f", "name"), COUNTED, ids=lambda x: x if isinstance(x, str) else f"{x.__module__}.{x.__name__}"
)
def test_a_count_that_is_not_whole_is_refused_by_name_and_any_integer_will_do(f, name):
    right = COUNTS[f]
    wrong = [2.5] if isinstance(right[name], list) else 2.5
    with pytest.raises(TypeError, match=f"{name}.* must be (an integer|integers), not float"):
        f(**right | {name: wrong})
    assert repr(f(**right | {name: np.int32(right[name])})) == repr(f(**right))
    if name != "offset":
        with pytest.raises(ValueError):
            f(**right | {name: [-1, 0] if isinstance(wrong, list) else -1})


def test_silenced_heads_are_counted_in_whole_numbers():
    with pytest.raises(TypeError, match="without's head must be an integer, not float"):
        transformer.run(transformer.load(), [0, 1], without=[(0, 0.5)])


def test_a_whole_number_is_pythons_own():
    """A 32-bit integer would overflow in the next product; Python's cannot."""
    assert type(whole("n", np.int32(7))) is int and type(cost.pairs(np.int32(131_072))) is int
    assert cost.pairs(np.int32(131_072)) == 2**34
    assert cost.pairs(np.int32(131_072), right=np.int32(0)) == 131_072 * 131_073 // 2
    long = {"heads": np.int32(64), "head_width": np.int32(128)}
    assert cost.attention(np.int32(131_072), width=np.int32(8192), **long).scores == 2**34 * 8192
    assert cost.kv_cache_bytes(np.int32(131_072), kv_heads=np.int32(64), head_width=np.int32(128)) == 2**32
    assert cost.naive_bytes(np.int32(131_072), **long) > 2**42


@pytest.mark.parametrize("h, g", [(6, 4), (6, 0), (2, 3), (0, 0)])
def test_heads_that_cannot_be_shared_are_refused(h, g):
    with pytest.raises(ValueError, match=f"g = {g} key–value heads do not divide h = {h}"):
        groups(h, g)


def test_grouping_only_cuts_an_axis():
    x = np.arange(24.0).reshape(6, 2, 2)
    assert np.shares_memory(group(x, 3), x)
    np.testing.assert_array_equal(group(x, 3)[1, 0], x[2])  # head 2 is the first that reads key–value head 1
    np.testing.assert_array_equal(ungroup(group(x, 3)), x)


def test_grouped_arguments_are_views_laid_out_by_key_value_head():
    q, k = np.zeros((5, 6, 3, 7)), np.zeros((2, 4, 7))
    done = grouped(q, k, k)
    assert (done.q.shape, done.k.shape, done.lead) == ((5, 2, 3, 3, 7), (5, 2, 4, 7), (5, 6))
    assert np.shares_memory(done.q, q) and np.shares_memory(done.k, k)
    mask = np.arange(12).reshape(3, 4)
    assert done.like_scores(mask).shape == (5, 2, 3, 3, 4) and np.shares_memory(done.like_scores(mask), mask)
