"""Costs: the formulas against counted operations, real arrays and the published numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import cost, heads, masks


class Counter:
    """Matrix products and exponentials by loops, counting each as it happens."""

    def __init__(self):
        self.multiply_adds = self.exponentials = 0

    def product(self, a, b, wanted=None):
        """a @ b, entry by entry; `wanted` says which entries of the result, or which terms of the sums, to compute."""
        out = np.zeros((a.shape[0], b.shape[1]))
        for i, j in np.ndindex(out.shape):
            for t in range(a.shape[1]):
                if wanted is None or wanted(i, j, t):
                    out[i, j] += a[i, t] * b[t, j]
                    self.multiply_adds += 1
        return out

    def softmax(self, s, allowed):
        e = np.zeros_like(s)
        for i, j in zip(*np.nonzero(allowed), strict=True):
            e[i, j] = np.exp(s[i, j])
            self.exponentials += 1
        return e / np.maximum(e.sum(-1, keepdims=True), 1e-300)


def counted_layer(x, memory, w_q, w_k, w_v, w_o, h, g, allowed):
    """One layer, each step counted by itself, and its output."""
    counters = [Counter() for _ in range(4)]
    project, score, weigh, normalise = counters
    q, k, v = (heads.split(project.product(a, w), t) for a, w, t in [(x, w_q, h), (memory, w_k, g), (memory, w_v, g)])
    outputs = []
    for t in range(h):
        u = t * g // h
        s = score.product(q[t] / np.sqrt(q.shape[-1]), k[u].T, lambda i, j, _: allowed[i, j])
        a = normalise.softmax(s, allowed)
        outputs.append(weigh.product(a, v[u], lambda i, _, t: allowed[i, t]))
    y = project.product(np.concatenate(outputs, axis=1), w_o)
    return y, cost.Work(project.multiply_adds, score.multiply_adds, weigh.multiply_adds, normalise.exponentials)


@pytest.mark.parametrize("g", [1, 2, 4])
@pytest.mark.parametrize("m", [3, 5])
@pytest.mark.parametrize("mask", ["all", "causal", "window"])
def test_the_formulas_count_what_a_loop_counts(g, m, mask):
    rng = np.random.default_rng(0)
    n, c, h, d, e = 3, 6, 4, 2, 3
    ws = [rng.normal(size=s) for s in [(c, h * d), (c, g * d), (c, g * e), (h * e, c)]]
    x, memory = rng.normal(size=(n, c)), rng.normal(size=(m, c))
    limits = {"all": {}, "causal": {"right": 0}, "window": {"left": 1, "right": 0}}[mask]
    allowed = masks.causal(n, m) if mask == "causal" else masks.sliding_window(n, m, left=1)
    allowed = np.ones((n, m), bool) if mask == "all" else allowed
    y, work = counted_layer(x, memory, *ws, h, g, allowed)
    expected = heads.multi_head_attention(x, *ws, heads=h, kv_heads=g, memory=memory, mask=allowed)
    np.testing.assert_allclose(y, expected, rtol=1e-12)  # what was counted is attention
    sizes = {"width": c, "heads": h, "head_width": d, "kv_heads": g, "value_width": e}
    assert cost.attention(n, m, **sizes, allowed=cost.pairs(n, m, **limits)) == work
    assert work.flops == 2 * (work.projections + work.scores + work.values)
    assert cost.attention_weights(c, heads=h, head_width=d, kv_heads=g, value_width=e) == sum(w.size for w in ws)


@given(
    st.integers(0, 9), st.integers(0, 9), st.integers(0, 5), st.integers(0, 5), st.one_of(st.none(), st.integers(-4, 9))
)
def test_pairs_are_the_entries_of_the_mask(n, m, left, right, offset):
    window = masks.sliding_window(n, m, left=left, right=right, offset=offset)
    assert cost.pairs(n, m, left=left, right=right, offset=offset) == window.sum()
    assert cost.pairs(n, m, right=0, offset=offset) == masks.causal(n, m, offset=offset).sum()
    assert cost.pairs(n, m) == n * m


def test_a_causal_square_has_half_the_pairs_and_a_long_window_a_band():
    assert cost.pairs(131_072, right=0) == 131_072 * 131_073 // 2
    assert cost.pairs(8192, left=255, right=0) == 256 * 8192 - 256 * 255 // 2


def test_equal_products_for_any_number_of_heads_but_more_exponentials():
    one = cost.attention(100, width=64, heads=1, head_width=64)
    eight = cost.attention(100, width=64, heads=8, head_width=8)
    assert one.multiply_adds == eight.multiply_adds
    assert eight.exponentials == 8 * one.exponentials


def test_llama_3_70b_by_the_published_sizes():
    model = cost.MODELS["Llama-3-70B"]
    shared = {"kv_heads": model.kv_heads, "head_width": model.head_width}
    alone = {"kv_heads": model.heads, "head_width": model.head_width}
    assert cost.kv_cache_bytes(8192, **alone) == 256 * 2**20
    assert cost.kv_cache_bytes(8192, **shared) == 32 * 2**20
    assert cost.kv_cache_bytes(8192, **alone, layers=model.layers) == 20 * 2**30
    assert cost.kv_cache_bytes(8192, **shared, layers=model.layers) == 2.5 * 2**30
    assert cost.attention_weights(8192, heads=64, head_width=128) == 4 * 8192**2 == 268_435_456
    assert cost.attention_weights(8192, heads=64, head_width=128, kv_heads=8) == 150_994_944
    assert cost.crossover(8192, heads=64) == 16_384
    assert cost.crossover(8192, heads=64, kv_heads=8) == 9_216


@pytest.mark.parametrize("kv_heads", [1, 8, 64])
def test_at_the_crossover_both_sides_are_equal(kv_heads):
    length = int(cost.crossover(8192, heads=64, kv_heads=kv_heads))
    work = cost.attention(length, width=8192, heads=64, head_width=128, kv_heads=kv_heads)
    assert work.projections == work.scores + work.values
    longer = cost.attention(length + 1, width=8192, heads=64, head_width=128, kv_heads=kv_heads)
    assert longer.projections < longer.scores + longer.values


@pytest.mark.parametrize("name", cost.MODELS)
def test_the_models_sizes_fit_together(name):
    model = cost.MODELS[name]
    assert model.heads % model.kv_heads == 0
    if name != "PaLM":  # its heads are together narrower than the model: 48 · 256 = 12 288
        assert model.heads * model.head_width == model.width


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_cache_bytes_are_the_bytes_of_real_arrays(dtype):
    k, v = np.zeros((2, 5, 3, 17, 4), dtype), np.zeros((2, 5, 3, 17, 6), dtype)
    sizes = {"kv_heads": 3, "head_width": 4, "value_width": 6, "layers": 5, "batch": 2}
    assert cost.kv_cache_bytes(17, **sizes, itemsize=k.itemsize) == k.nbytes + v.nbytes


@pytest.mark.parametrize("g", [2, 6])
def test_naive_traffic_is_that_of_the_arrays_it_holds(g):
    q, k, v = (np.zeros(s, np.float32) for s in [(6, 3, 4), (g, 5, 4), (g, 5, 7)])
    s, y = np.zeros((6, 3, 5), np.float32), np.zeros((6, 3, 7), np.float32)
    sizes = {"heads": 6, "head_width": 4, "kv_heads": g, "value_width": 7, "itemsize": 4}
    expected = q.nbytes + k.nbytes + v.nbytes + y.nbytes + 4 * s.nbytes
    assert cost.naive_bytes(3, 5, **sizes) == expected


@pytest.mark.parametrize("g", [1, 2, 6])
@pytest.mark.parametrize("block", [1, 4, 100])
def test_tiled_traffic_is_that_of_a_walk_over_the_tiles(g, block):
    q, k, v = (np.zeros(s, np.float32) for s in [(6, 9, 4), (g, 5, 4), (g, 5, 7)])
    moved = 0
    for u in range(g):
        rows = q.reshape(g, -1, 4)[u]
        for start in range(0, len(rows), block):
            tile = rows[start : start + block]
            moved += tile.nbytes + k[u].nbytes + v[u].nbytes + len(tile) * 7 * 4
    sizes = {"heads": 6, "head_width": 4, "kv_heads": g, "value_width": 7, "itemsize": 4}
    assert cost.tiled_bytes(9, 5, **sizes, block=block) == moved


def test_a_roofline_by_hand():
    """A device of 100 flops and 10 bytes a second turns at 10 flops a byte."""
    slow = cost.roofline(200, 100, peak=100, bandwidth=10)
    assert slow == cost.Roofline(2.0, 10.0, 2.0, 10.0, 10.0, "memory")
    fast = cost.roofline(2000, 100, peak=100, bandwidth=10)
    assert fast.bound == "compute" and fast.seconds == 20.0


def test_decoding_is_bound_by_memory_and_prefill_in_tiles_by_arithmetic():
    """In 16-bit numbers a tile of b queries does b flops for each byte of K and V: 1 decoding, 128 here."""
    sizes = {"heads": 64, "head_width": 128}
    for n, bound in [(1, "memory"), (8192, "compute")]:
        work = cost.attention(n, 8192, width=8192, **sizes)
        moved = cost.tiled_bytes(n, 8192, **sizes, block=128)
        estimate = cost.roofline(2 * (work.scores + work.values), moved, peak=1e14, bandwidth=1e12)
        assert estimate.intensity == pytest.approx(min(n, 128), rel=0.02)
        assert estimate.bound == bound


def test_feed_forward_weights():
    assert cost.feed_forward_weights(768, 3072) == 2 * 768 * 3072
    assert cost.feed_forward_weights(4096, 11008, gated=True) == 3 * 4096 * 11008


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1024**2 - 1, "1 MiB"),
        (1.26 * 2**20, "1.26 MiB"),
        (256 * 2**20, "256 MiB"),
        (2.5 * 2**30, "2.5 GiB"),
        (2**70, "1048576 PiB"),
    ],
)
def test_bytes_for_people(count, text):
    assert cost.readable(count) == text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cost.pairs(-1), "n must be at least 0, but is -1"),
        (lambda: cost.crossover(8, heads=6, kv_heads=4), "g = 4 key–value heads do not divide h = 6"),
        (lambda: cost.kv_cache_bytes(-3, kv_heads=1, head_width=2), "length must be at least 0"),
        (lambda: cost.roofline(1, 0, peak=1, bandwidth=1), "moved must be positive"),
        (lambda: cost.readable(-1), "count must not be negative"),
    ],
)
def test_impossible_sizes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_is_left_out_is_what_the_docstrings_say():
    layer = {"heads": 4, "head_width": 2}
    assert cost.memory_work(9, head_width=2) == cost.memory_work(9, head_width=2, value_width=2, block=64, erase=True)
    assert cost.tiled_bytes(999, **layer) == cost.tiled_bytes(999, 999, **layer, kv_heads=4, itemsize=2, block=128)
    assert cost.naive_bytes(9, **layer) == cost.naive_bytes(9, 9, **layer, kv_heads=4, value_width=2, itemsize=2)
    sizes = {"layers": 1, "batch": 1, "itemsize": 2, "value_width": 2}
    assert cost.kv_cache_bytes(9, kv_heads=4, head_width=2) == cost.kv_cache_bytes(9, kv_heads=4, head_width=2, **sizes)
    assert cost.state_bytes(**layer) == cost.state_bytes(**layer, **sizes)


def test_a_fixed_memory_is_smaller_than_a_cache_from_some_length_on():
    state = cost.state_bytes(heads=32, head_width=128)
    assert state == 2 * 32 * 128 * 128
    assert cost.kv_cache_bytes(512, kv_heads=2, head_width=256) == state  # Qwen3-Next's shapes


@pytest.mark.parametrize("erase", [False, True])
@pytest.mark.parametrize("block", [1, 4])
def test_the_work_of_a_memory_is_counted_from_its_products(block, erase):
    n, d, e = 8, 3, 5
    read_and_write = 2 * d * e + (d * e if erase else 0)  # q Z and kᵀu, and k Z where something is erased
    inside = 0 if block == 1 else block * d + block * e + (block * d + block * e / 2 if erase else 0)
    assert cost.memory_work(n, head_width=d, value_width=e, block=block, erase=erase) == n * (read_and_write + inside)
    with pytest.raises(ValueError, match="block must be at least 1"):
        cost.memory_work(n, head_width=d, block=0)
