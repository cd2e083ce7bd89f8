"""Positions: sinusoids, rotations in both layouts, relative biases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import core, positions

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def paper_rope(x, i, base=10000.0):
    """Su et al. (2021), equation 34, one component at a time: interleaved pairs, one vector at position i."""
    d = len(x)
    out = [0.0] * d
    for t in range(d // 2):
        phi = i * base ** (-2 * t / d)
        out[2 * t] = x[2 * t] * math.cos(phi) - x[2 * t + 1] * math.sin(phi)
        out[2 * t + 1] = x[2 * t + 1] * math.cos(phi) + x[2 * t] * math.sin(phi)
    return out


def rotate_half_rope(x, i, base=10000.0):
    """The published GPT-NeoX form, x·cos + rotate_half(x)·sin, with the frequencies written twice."""
    d = len(x)
    frequencies = np.array([base ** (-2 * t / d) for t in range(d // 2)])
    angle = i * np.concatenate([frequencies, frequencies])
    rotated = np.concatenate([-x[d // 2 :], x[: d // 2]])
    return x * np.cos(angle) + rotated * np.sin(angle)


def test_sinusoids_by_the_formula():
    table = positions.sinusoids(5, 6)
    for i in range(5):
        for j in range(3):
            assert table[i, 2 * j] == pytest.approx(math.sin(i / 10000 ** (2 * j / 6)), abs=1e-15)
            assert table[i, 2 * j + 1] == pytest.approx(math.cos(i / 10000 ** (2 * j / 6)), abs=1e-15)


@pytest.mark.parametrize(("n", "c"), [(0, 4), (1, 1), (3, 7), (4, 0)])
def test_sinusoids_of_any_size(n, c):
    assert positions.sinusoids(n, c).shape == (n, c)


def test_moving_along_the_sinusoids_is_one_rotation_from_everywhere():
    table = positions.sinusoids(20, 8)
    step = np.linalg.lstsq(table[:-3], table[3:], rcond=None)[0]
    np.testing.assert_allclose(table[:-3] @ step, table[3:], atol=1e-12)


@pytest.mark.parametrize("base", [10000.0, 500000.0, 17.0])
@pytest.mark.parametrize(("interleaved", "reference"), [(True, paper_rope), (False, rotate_half_rope)])
def test_rope_is_the_published_formula(interleaved, reference, base):
    rng = np.random.default_rng(0)
    x, places = rng.normal(size=(2, 3, 5, 8)), np.array([0, 1, 7, 100, 4095])
    y = positions.rope(x, places, base=base, interleaved=interleaved)
    for index in np.ndindex(2, 3, 5):
        np.testing.assert_allclose(y[index], reference(x[index], places[index[-1]], base), rtol=1e-10, atol=1e-12)


@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 2**16))
def test_the_layouts_differ_by_a_permutation(half, rest, place):
    d, r = 2 * half + rest, 2 * half
    x = np.random.default_rng(d).normal(size=(1, d))
    p = positions.layout_permutation(d, rotary_dim=r)
    interleaved = positions.rope(x, place, interleaved=True, rotary_dim=r)
    np.testing.assert_array_equal(interleaved[..., p], positions.rope(x[..., p], place, rotary_dim=r))


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("rotary_dim", [None, 0, 2, 6])
def test_the_matrix_turns_as_the_function_does(interleaved, rotary_dim):
    rng = np.random.default_rng(1)
    x, options = rng.normal(size=(5, 8)), {"interleaved": interleaved, "rotary_dim": rotary_dim}
    r = positions.rotation(np.arange(5), 8, **options)
    np.testing.assert_allclose((x[:, None] @ r)[:, 0], positions.rope(x, np.arange(5), **options), **CLOSE)
    np.testing.assert_allclose(r @ r.mT, np.broadcast_to(np.eye(8), (5, 8, 8)), **CLOSE)


def test_only_the_distance_counts():
    """R_i R_jᵀ = R_(i−j): shifting every position by the same amount changes no score."""
    at = lambda i: positions.rotation(i, 6)  # noqa: E731
    np.testing.assert_allclose(at(9) @ at(4).T, at(5), **CLOSE)
    np.testing.assert_allclose(at(4) @ at(9).T, at(-5), **CLOSE)
    rng = np.random.default_rng(2)
    q, k = rng.normal(size=(2, 5, 6))
    here, there = np.arange(5), np.arange(5) + 1000
    s = core.scores(positions.rope(q, here), positions.rope(k, here))
    np.testing.assert_allclose(s, core.scores(positions.rope(q, there), positions.rope(k, there)), atol=1e-10)
    assert not np.allclose(s, core.scores(q, k))


def test_a_quarter_turn_by_hand():
    """Width 2 has one pair, one radian a position: at π/2 the vector (1, 0) becomes (0, 1)."""
    np.testing.assert_allclose(positions.rope([[1.0, 0.0]], [np.pi / 2]), [[0, 1]], atol=1e-15)


def test_beyond_the_rotary_width_nothing_moves():
    x = np.random.default_rng(3).normal(size=(4, 9))
    y = positions.rope(x, np.arange(4), rotary_dim=4)
    np.testing.assert_array_equal(y[:, 4:], x[:, 4:])
    np.testing.assert_array_equal(y[:, :4], positions.rope(x[:, :4], np.arange(4)))
    assert not np.array_equal(y[1:, :4], x[1:, :4])


def test_each_sequence_may_have_its_own_positions():
    x = np.random.default_rng(4).normal(size=(2, 3, 5, 6))
    places = np.stack([np.arange(5), np.arange(5) + 40])
    y = positions.rope(x, places[:, None])
    np.testing.assert_array_equal(y[1], positions.rope(x[1], places[1]))


def test_rope_of_one_token_at_a_time_equals_rope_of_all():
    x = np.random.default_rng(5).normal(size=(3, 5, 6))
    one_by_one = [positions.rope(x[:, i : i + 1], i) for i in range(5)]
    np.testing.assert_array_equal(np.concatenate(one_by_one, axis=1), positions.rope(x, np.arange(5)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rope_keeps_dtype_length_and_argument(dtype):
    x = np.random.default_rng(6).normal(size=(5, 8)).astype(dtype)
    x.setflags(write=False)
    y = positions.rope(x, 100_000 + np.arange(5))
    assert y.dtype == dtype
    exact = positions.rope(x.astype(float), 100_000 + np.arange(5))
    np.testing.assert_allclose(y, exact, atol=4 * np.finfo(dtype).eps)  # far positions stay exact: float64 angles


@pytest.mark.parametrize("places", [np.arange(4), np.zeros((2, 5))])
def test_positions_that_do_not_fit_say_so(places):
    with pytest.raises(ValueError, match=r"positions have shape .* does not broadcast to \(..., n\) = \(5,\)"):
        positions.rope(np.zeros((5, 8)), places)


@pytest.mark.parametrize(("d", "rotary_dim", "told"), [(7, None, 7), (7, 3, 3), (7, 8, 8), (8, -2, -2)])
def test_an_odd_or_oversized_rotary_width_is_refused(d, rotary_dim, told):
    message = f"must be even and at most d = {d}, but is {told}"
    for call in (
        lambda: positions.rope(np.zeros((5, d)), np.arange(5), rotary_dim=rotary_dim),
        lambda: positions.rotation(3, d, rotary_dim=rotary_dim),
        lambda: positions.layout_permutation(d, rotary_dim=rotary_dim),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_a_relative_bias_is_constant_along_diagonals_and_clipped():
    table = np.array([[-2.0, -1, 0, 1, 2], [10, 20, 30, 40, 50]])
    bias = positions.relative_bias(table, 3, 5, offset=2)
    expected = [[-2, -1, 0, 1, 2], [-2, -2, -1, 0, 1], [-2, -2, -2, -1, 0]]
    np.testing.assert_array_equal(bias[0], expected)
    np.testing.assert_array_equal(bias[1], 10 * (bias[0] + 3))
    np.testing.assert_array_equal(positions.relative_bias(table, 3, 5), bias)  # offset m − n by default
    with pytest.raises(ValueError, match="2w \\+ 1 entries"):
        positions.relative_bias(np.zeros(4), 3)
    with pytest.raises(ValueError, match="table"):
        positions.relative_bias(1.0, 3)


def published_bucket(ahead, bidirectional, buckets=32, max_distance=128):
    """T5's published code, one distance at a time, in exact enough logarithms."""
    bucket = 0
    if bidirectional:
        buckets //= 2
        bucket += buckets * (ahead > 0)
        distance = abs(ahead)
    else:
        distance = max(-ahead, 0)
    near = buckets // 2
    if distance < near:
        return bucket + distance
    far = math.log(distance / near) / math.log(max_distance / near) * (buckets - near)
    return bucket + min(near + int(far + 1e-9), buckets - 1)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("buckets", "max_distance"), [(32, 128), (8, 20), (64, 1000)])
def test_t5_buckets_are_the_published_ones(bidirectional, buckets, max_distance):
    options = {"bidirectional": bidirectional, "buckets": buckets, "max_distance": max_distance}
    table = positions.t5_buckets(1, 2401, offset=1200, **options)
    expected = [published_bucket(j - 1200, **options) for j in range(2401)]
    np.testing.assert_array_equal(table[0], expected)
    assert 0 <= table.min() <= table.max() == buckets - 1


def test_t5_buckets_by_hand():
    """One direction, 32 buckets: 16 near ones, then ⌊16 · log₈(δ/16)⌋ more."""
    buckets = positions.t5_buckets(1, 200, offset=199, bidirectional=False)[0][::-1]
    assert [int(buckets[distance]) for distance in (0, 15, 16, 128, 199)] == [0, 15, 16, 31, 31]
    assert int(positions.t5_buckets(1, 3, offset=0)[0, 1]) == 17
    with pytest.raises(ValueError, match="no room"):
        positions.t5_buckets(3, buckets=2)
    with pytest.raises(ValueError, match="no room"):
        positions.t5_buckets(3, buckets=8, max_distance=2)  # as many near buckets in one direction


def test_a_single_vector_is_told_that_rows_are_asked_for():
    with pytest.raises(ValueError, match="x"):
        positions.rope(np.ones(4), [0])
