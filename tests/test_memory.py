"""Memory as a matrix: token by token, in blocks, as one causal matrix, backwards; and the laws that hold it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import core, features, laws, masks, memory
from attn.softmax import softmax

CLOSE = {"rtol": 1e-11, "atol": 1e-11}
KINDS = {"adding": (False, False), "decay": (False, True), "delta": (True, False), "gated delta": (True, True)}


def stream(kind, seed=0, n=23):
    """Arguments for one of the four memories: (q, k, v, {beta, alpha, erase})."""
    q, k, v, beta, alpha = laws.stream(np.random.default_rng(seed), n=n)
    erase, decays = KINDS[kind]
    return q, k, v, dict(beta=beta, alpha=alpha if decays else None, erase=erase)


def by_loop(q, k, v, beta, alpha):
    return memory.recurrent(q, k, v, beta=beta, alpha=alpha)[0]


def in_blocks(size):
    return lambda q, k, v, beta, alpha: memory.chunked(q, k, v, beta=beta, alpha=alpha, block=size)[0]


# ── the laws ────────────────────────────────────────────────────────────────────────────────────────────────


def forget(z, alpha, beta):
    return alpha * z


def missing(v, k, z):
    return v - k @ z


def variant(*, forget=forget, missing=missing, after=lambda z: z, early=False):
    """A hand-written gated delta rule with one part exchanged."""

    def remember(q, k, v, beta, alpha):
        z, y = np.zeros((k.shape[1], v.shape[1])), []
        for t in range(len(k)):
            z = forget(z, alpha[t], beta[t])
            read = q[t] @ z
            z = after(z + beta[t] * np.outer(k[t], missing(v[t], k[t], z)))
            y.append(read if early else q[t] @ z)
        return np.array(y)

    return remember


def forgets_at_block_borders(q, k, v, beta, alpha):
    cut = range(0, len(k), 8)
    return np.concatenate([by_loop(*(x[s : s + 8] for x in (q, k, v, beta, alpha))) for s in cut])


def sees_its_whole_block(q, k, v, beta, alpha):
    n = beta[:, None] * np.tril(k @ k.T, -1)
    return (q @ k.T) @ np.linalg.solve(np.eye(len(k)) + n, beta[:, None] * v)


def softmax_weights(q, k, v, beta, alpha):
    return core.scaled_dot_product_attention(q, k, v, masks.causal(len(k)))


def squashed(z):
    return z / max(1, np.linalg.norm(z))


MISTAKES = {
    "adds and never erases": (variant(missing=lambda v, k, z: v), laws.what_was_written_is_read_back),
    "adds the error in place of taking it away": (
        variant(missing=lambda v, k, z: v + k @ z),
        laws.every_write_passes_through_what_follows,
    ),
    "fades everything by 1 − β": (
        variant(forget=lambda z, a, b: (1 - b) * a * z, missing=lambda v, k, z: v),
        laws.what_was_written_is_read_back,
    ),
    "forgets once more after writing": (variant(after=lambda z: 0.99 * z), laws.what_was_written_is_read_back),
    "reads before it writes": (variant(early=True), laws.what_was_written_is_read_back),
    "bends the state": (variant(after=np.tanh), laws.a_memory_is_linear_in_the_values),
    "normalises the state": (variant(after=squashed), laws.a_memory_is_linear_in_the_values),
    "starts every block afresh": (forgets_at_block_borders, laws.every_write_passes_through_what_follows),
    "sees its whole block": (sees_its_whole_block, laws.a_memory_cannot_see_ahead),
    "softmax in place of a memory": (softmax_weights, laws.the_past_reaches_the_future_through_d_rows),
    "ignores β": (
        lambda q, k, v, beta, alpha: by_loop(q, k, v, 0 * beta + 1, alpha),
        laws.no_trace_without_strength,
    ),
    "a decay of its own": (
        lambda q, k, v, beta, alpha: by_loop(q, k, v, beta, 0.9 * alpha),
        laws.no_trace_without_strength,
    ),
}


@pytest.mark.parametrize("law", laws.MEMORY, ids=lambda law: law.__name__)
@pytest.mark.parametrize("remember", [by_loop, *map(in_blocks, (1, 2, 5, 8, 64))])
def test_every_form_obeys_every_law(law, remember):
    law(remember, np.random.default_rng(0))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_caught_by_its_law(mistake):
    remember, law = MISTAKES[mistake]
    with pytest.raises(laws.LawBroken):
        law(remember, np.random.default_rng(0))


def test_every_law_catches_a_mistake():
    assert [law.__name__ for law in laws.MEMORY if law not in {law for _, law in MISTAKES.values()}] == []


# ── one recurrence, three forms ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", [1, 2, 7, 16, 23, 64])
def test_blocks_of_any_size_equal_the_loop(kind, block):
    q, k, v, how = stream(kind)
    y, state = memory.recurrent(q, k, v, **how)
    blocked, end = memory.chunked(q, k, v, block=block, **how)
    np.testing.assert_allclose(blocked, y, **CLOSE)
    np.testing.assert_allclose(end, state, **CLOSE)


def test_all_blocks_can_be_inverted_before_any_state_is_known():
    """U = TV − (T diag(g) K) Z with T = (I + N)⁻¹ diag(β): only the last product waits for the block before."""
    rng = np.random.default_rng(13)
    q, k, v = rng.normal(size=(3, 4, 16, 8))  # four blocks of 16 tokens
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    beta, alpha = rng.uniform(0, 1, (4, 16, 1)), rng.uniform(0.9, 1, (4, 16))
    gamma, g = memory.decay_mask(alpha), np.cumprod(alpha, axis=1)[..., None]
    inverse = np.linalg.inv(np.eye(16) + beta * np.tril(gamma * (k @ k.mT), -1)) * beta.mT
    corrected, taken, state, outputs = inverse @ v, inverse @ (g * k), np.zeros((8, 8)), []
    for i in range(4):
        u = corrected[i] - taken[i] @ state
        outputs.append(g[i] * (q[i] @ state) + (gamma[i] * (q[i] @ k[i].T)) @ u)
        state = g[i, -1] * state + (gamma[i, -1][:, None] * k[i]).T @ u
    flat = (x.reshape(64, 8) for x in (q, k, v))
    y, end = memory.recurrent(*flat, beta=beta.ravel(), alpha=alpha.ravel())
    np.testing.assert_allclose(np.concatenate(outputs), y, atol=1e-12)
    np.testing.assert_allclose(state, end, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_one_causal_matrix_times_the_values(kind):
    q, k, v, how = stream(kind)
    c = memory.matrix(q, k, **how)
    np.testing.assert_allclose(c @ v, memory.recurrent(q, k, v, **how)[0], **CLOSE)
    assert not np.triu(c, 1).any()
    assert np.linalg.matrix_rank(c[12:, :12]) == 5 == memory.rows_needed(c[12:, :12], 0)


def test_the_matrix_is_the_formula():
    q, k, _, beta, alpha = laws.stream(np.random.default_rng(1))
    mask = memory.decay_mask(alpha)
    n = beta[:, None] * np.tril(mask * (k @ k.T), -1)
    expected = (mask * (q @ k.T)) @ np.linalg.inv(np.eye(13) + n) * beta
    np.testing.assert_allclose(memory.matrix(q, k, beta=beta, alpha=alpha), expected, **CLOSE)


def test_adding_is_linear_attention_without_its_denominator():
    q, k, v, _ = stream("adding")
    y, state = memory.recurrent(q, k, v, erase=False)
    np.testing.assert_allclose(y, np.tril(q @ k.T) @ v, **CLOSE)
    phi = features.elu_plus_one
    theirs = features.causal_linear_attention(q, k, v)[1]
    np.testing.assert_allclose(memory.recurrent(phi(q), phi(k), v, erase=False)[1], theirs.total, **CLOSE)
    np.testing.assert_allclose(state, k.T @ v, **CLOSE)


@pytest.mark.parametrize("form", [memory.recurrent, memory.chunked])
@given(cut=st.integers(0, 9), block=st.integers(1, 4), seed=st.integers(0, 99))
def test_a_sequence_may_stop_and_go_on(form, cut, block, seed):
    q, k, v, how = stream("gated delta", seed, n=9)
    how |= dict(block=block) if form is memory.chunked else {}
    whole, end = form(q, k, v, **how)
    part = lambda here: {name: x[here] if np.ndim(x) else x for name, x in how.items()}  # noqa: E731
    first, state = form(q[:cut], k[:cut], v[:cut], **part(slice(0, cut)))
    second, state = form(q[cut:], k[cut:], v[cut:], state=state, **part(slice(cut, 9)))
    np.testing.assert_allclose(np.concatenate([first, second]), whole, **CLOSE)
    np.testing.assert_allclose(state, end, **CLOSE)


@pytest.mark.parametrize("form", [memory.recurrent, memory.chunked])
def test_leading_axes_are_so_many_memories(form):
    rng = np.random.default_rng(2)
    q, k, v = rng.normal(size=(2, 3, 7, 5)), 0.3 * rng.normal(size=(2, 1, 7, 5)), rng.normal(size=(2, 3, 7, 4))
    alpha = rng.uniform(0.5, 1, (3, 7))
    y, state = form(q, k, v, alpha=alpha)
    assert y.shape == (2, 3, 7, 4) and state.shape == (2, 3, 5, 4)
    for i, j in np.ndindex(2, 3):
        one, end = form(q[i, j], k[i, 0], v[i, j], alpha=alpha[j])
        np.testing.assert_allclose(y[i, j], one, **CLOSE)
        np.testing.assert_allclose(state[i, j], end, **CLOSE)


def test_nothing_in_nothing_out():
    q, k, v, _ = stream("delta")
    for form in (memory.recurrent, memory.chunked):
        y, state = form(q[:0], k[:0], v[:0])
        assert y.shape == (0, 3) and not state.any() and state.shape == (5, 3)


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_write_by_hand():
    """Z = [[2], [0]], k = [1, 0], v = 5, β = ½: half of the missing 3 is added."""
    np.testing.assert_array_equal(memory.write([[2.0], [0]], [1.0, 0], [5.0], 0.5), [[3.5], [0]])
    np.testing.assert_array_equal(memory.write([[2.0], [0]], [1.0, 0], [5.0], 0.5, erase=False), [[4.5], [0]])


def test_a_write_is_a_step_down_the_squared_error():
    rng = np.random.default_rng(3)
    z, k, v = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=3)
    loss = lambda z: ((k @ z - v) ** 2).sum() / 2  # noqa: E731
    slopes = np.zeros_like(z)
    for entry in np.ndindex(5, 3):
        nudge = np.zeros_like(z)
        nudge[entry] = 1e-6
        slopes[entry] = (loss(z + nudge) - loss(z - nudge)) / 2e-6
    np.testing.assert_allclose(memory.write(z, k, v, 0.7) - z, -0.7 * slopes, atol=1e-8)


# ── decay ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_decay_mask_by_hand():
    mask = memory.decay_mask([0.5, 0.8, 0.25, 0.9])
    np.testing.assert_allclose(mask[-1], [0.18, 0.225, 0.9, 1])
    np.testing.assert_array_equal(np.diag(mask), 1)
    assert not np.triu(mask, 1).any()


def test_long_products_fade_to_zero_and_a_zero_forgets_all():
    assert np.isfinite(memory.decay_mask(np.full(3000, 0.5))).all()
    mask = memory.decay_mask([0.5, 0, 0.5])
    np.testing.assert_array_equal(mask, [[1, 0, 0], [0, 1, 0], [0, 0.5, 1]])


def test_past_and_future_meet_in_one_row_of_a_decay_mask():
    mask = memory.decay_mask(np.random.default_rng(4).uniform(0.8, 1, 12))
    assert memory.rows_needed(mask[6:, :6], 0) == 1


def test_rows_needed_are_counted():
    spectrum = np.diag([1.0, 0.1, 0.005, 0])
    assert [int(memory.rows_needed(spectrum, error)) for error in (0, 0.01, 0.2, 2)] == [3, 2, 1, 0]
    assert memory.rows_needed(np.zeros((2, 4, 3))).tolist() == [0, 0]
    weights = softmax(np.random.default_rng(5).normal(size=(16, 16)))
    assert memory.rows_needed(weights, 0) == np.linalg.matrix_rank(weights) == 16


# ── backwards ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_slopes(kind):
    rng = np.random.default_rng(6)
    q, k, v, how = stream(kind, n=6)
    erase = how["erase"]
    given = [q, k, v, how["beta"], np.ones(6) if how["alpha"] is None else how["alpha"]]
    d_y, d_state = rng.normal(size=(6, 3)), rng.normal(size=(5, 3))

    def loss(q, k, v, beta, alpha):
        y, state = memory.recurrent(q, k, v, beta=beta, alpha=alpha, erase=erase)
        return (y * d_y).sum() + (state * d_state).sum()

    found = memory.memory_vjp(*given[:3], d_y, beta=given[3], alpha=given[4], erase=erase, d_state=d_state)
    for place, (name, gradient) in enumerate(zip(("q", "k", "v", "beta", "alpha"), found, strict=True)):
        assert gradient.shape == given[place].shape
        for entry in np.ndindex(*gradient.shape):
            ends = []
            for step in (1e-6, -1e-6):
                nudged = [x.copy() for x in given]
                nudged[place][entry] += step
                ends.append(loss(*nudged))
            assert gradient[entry] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-7), (name, entry)


def test_gradients_are_by_default_those_of_the_memory_by_default():
    rng = np.random.default_rng(8)
    q, k, v, d_y = (rng.normal(size=(4, 3)) for _ in range(4))
    d_v = memory.memory_vjp(q, 0.3 * k, v, d_y)[2]
    towards = rng.normal(size=v.shape)  # a memory is linear in its values: the step may be whole
    ends = [(memory.recurrent(q, 0.3 * k, v + step, beta=np.ones(4))[0] * d_y).sum() for step in (0, towards)]
    np.testing.assert_allclose((d_v * towards).sum(), ends[1] - ends[0], **CLOSE)


def test_gradients_of_many_memories_at_once():
    rng = np.random.default_rng(7)
    q, k, v, d_y = (rng.normal(size=(2, 5, 3)) for _ in range(4))
    many = memory.memory_vjp(q, 0.3 * k, v, d_y)
    for i in range(2):
        for both, one in zip(many, memory.memory_vjp(q[i], 0.3 * k[i], v[i], d_y[i]), strict=True):
            np.testing.assert_allclose(both[i], one, **CLOSE)


# ── manners ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_come_out_as_they_went_in(dtype):
    q, k, v, how = stream("gated delta")
    how = {name: x.astype(dtype) if np.ndim(x) else x for name, x in how.items()}
    arguments = [x.astype(dtype) for x in (q, k, v)]
    for x in (*arguments, how["beta"], how["alpha"]):
        x.setflags(write=False)
    for form in (memory.recurrent, memory.chunked):
        y, state = form(*arguments, **how)
        assert y.dtype == state.dtype == dtype
        np.testing.assert_allclose(y, memory.recurrent(q, k, v, **how)[0], atol=30 * np.finfo(dtype).eps)
    assert memory.decay_mask(how["alpha"]).dtype == dtype


def test_what_does_not_fit_is_named():
    q, k, v, _ = stream("delta")
    with pytest.raises(ValueError, match="axis n is 23 in q but 4 in beta"):
        memory.recurrent(q, k, v, beta=np.ones(4))
    with pytest.raises(ValueError, match="axis d"):
        memory.chunked(q, k, v, state=np.zeros((4, 3)))
    with pytest.raises(ValueError, match="block must be at least 1"):
        memory.chunked(q, k, v, block=0)
    for broken in (2.5, 2.0, True, "2", None):
        with pytest.raises(TypeError, match="block must be an integer"):
            memory.chunked(q, k, v, block=broken)
    assert memory.chunked(q, k, v, block=np.int64(2))[0].shape == v.shape
    with pytest.raises(ValueError, match="axis e"):
        memory.write(np.zeros((5, 3)), k[0], np.zeros(4))


@pytest.mark.parametrize("form", [memory.recurrent, memory.chunked])
def test_an_empty_text_writes_nothing_and_keeps_its_axes(form):
    q, v = np.zeros((2, 3, 0, 4)), np.zeros((2, 3, 0, 5))
    y, state = form(q, q, v)
    assert y.shape == (2, 3, 0, 5) and state.shape == (2, 3, 4, 5) and not state.any()
