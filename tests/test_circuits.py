"""Circuits as thin factors: what is asked of them equals what the multiplied-out matrix answers."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import circuits, core, heads
from attn.lowrank import LowRank, overlap, principal_angles

CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def factors(rng, p=11, r=3, q=7, leading=()):
    return LowRank(rng.normal(size=(*leading, p, r)), rng.normal(size=(*leading, r, q)))


def by_size(values):
    return np.sort_complex(np.round(values, 8))


@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 7), st.integers(0, 99))
def test_thin_answers_equal_dense_answers(p, r, q, seed):
    low = factors(np.random.default_rng(seed), p, r, q)
    dense = low.matrix()
    assert low.shape == dense.shape == (p, q)
    np.testing.assert_allclose(low.norm(), np.linalg.norm(dense), **CLOSE)
    expected = np.linalg.svd(dense, compute_uv=False)
    found = low.singular_values()
    assert len(found) == min(p, r, q)
    np.testing.assert_allclose(found, expected[: len(found)], **CLOSE)
    np.testing.assert_allclose(expected[len(found) :], 0, atol=1e-12)
    np.testing.assert_array_equal(low.mT.matrix(), low.right.T @ low.left.T)


@pytest.mark.parametrize(("p", "r"), [(11, 3), (5, 5), (3, 7), (1, 1)])
def test_eigenvalues_and_trace_equal_the_dense_ones(p, r):
    low = factors(np.random.default_rng(p), p, r, p)
    found, dense = low.eigenvalues(), np.linalg.eigvals(low.matrix())
    assert len(found) == min(p, r)
    assert (np.diff(abs(found)) <= 1e-12).all()
    padded = np.concatenate([found, np.zeros(p - len(found))])
    np.testing.assert_allclose(by_size(padded), by_size(dense), atol=1e-6)
    np.testing.assert_allclose(low.trace(), np.trace(low.matrix()), **CLOSE)
    np.testing.assert_allclose(low.trace(), found.sum(), **CLOSE)


def test_products_stay_thin():
    rng = np.random.default_rng(0)
    a, b = factors(rng, 11, 3, 7), factors(rng, 7, 2, 13)
    for product, dense in [(a @ b, a.matrix() @ b.matrix()), (b.mT @ a.mT, b.matrix().T @ a.matrix().T)]:
        assert isinstance(product, LowRank)
        assert product.left.shape[-1] == 2
        np.testing.assert_allclose(product.matrix(), dense, **CLOSE)


def test_products_with_arrays_are_arrays():
    rng = np.random.default_rng(1)
    a = factors(rng)
    x, y, z = rng.normal(size=(4, 11)), rng.normal(size=(7, 5)), rng.normal(size=7)
    np.testing.assert_allclose(x @ a, x @ a.matrix(), **CLOSE)
    np.testing.assert_allclose(a @ y, a.matrix() @ y, **CLOSE)
    np.testing.assert_allclose(a @ z, a.matrix() @ z, **CLOSE)
    np.testing.assert_allclose(a.between(x, y).matrix(), x @ a.matrix() @ y, **CLOSE)


def test_a_vocabulary_wide_circuit_is_never_multiplied_out():
    rng = np.random.default_rng(2)
    embed, unembed = rng.normal(size=(20_000, 16)), rng.normal(size=(16, 20_000))
    tracemalloc.start()
    full = factors(rng, 16, 4, 16).between(embed, unembed)
    full.eigenvalues(), full.trace(), full.norm(), full.singular_values(), circuits.copying_score(full)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 20_000 * 8 / 100


def test_the_text_form_tells_shape_and_rank():
    assert repr(factors(np.random.default_rng(0), leading=(2,))) == "LowRank 2 × 11 × 7, rank at most 3"


def test_leading_axes_are_picked_and_entries_are_not():
    several = factors(np.random.default_rng(3), leading=(2, 5))
    np.testing.assert_array_equal(several[1, 3].matrix(), several.matrix()[1, 3])
    with pytest.raises(TypeError, match="no leading axis to pick from"):
        several[1, 3][0]


def test_what_does_not_fit_is_named():
    with pytest.raises(ValueError, match="axis r is 3 in left but 4 in right"):
        LowRank(np.zeros((5, 3)), np.zeros((4, 5)))
    with pytest.raises(ValueError, match="11 × 7"):
        factors(np.random.default_rng(0)).eigenvalues()


def test_half_precision_is_computed_in_single():
    low = LowRank(np.ones((4, 2), np.float16), np.ones((2, 4), np.float16))
    assert low.norm() == pytest.approx(8)
    assert low.matrix().dtype == np.float32


def test_scores_and_writes_see_only_the_circuits():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(5, 13))
    w_q, w_k, w_v, w_o = (rng.normal(size=s) for s in [(13, 24), (13, 8), (13, 14), (42, 13)])
    q, k, v = heads.split(x @ w_q, 6), heads.split(x @ w_k, 2), heads.split(x @ w_v, 2)
    qk, ov = circuits.qk(w_q, w_k, heads=6, kv_heads=2), circuits.ov(w_v, w_o, heads=6, kv_heads=2)
    np.testing.assert_allclose((x @ qk) @ x.T, core.scores(q, heads.repeat_kv(k, 3), scale=1.0), **CLOSE)
    np.testing.assert_allclose(x @ ov, heads.writes(heads.repeat_kv(v, 3), w_o), **CLOSE)
    np.testing.assert_allclose((x @ qk[4]) @ x.T, x @ w_q[:, 16:20] @ w_k[:, 4:8].T @ x.T, **CLOSE)


def test_any_change_of_basis_inside_a_head_leaves_its_circuit():
    rng = np.random.default_rng(5)
    w_q, w_k, r = rng.normal(size=(13, 4)), rng.normal(size=(13, 4)), rng.normal(size=(4, 4))
    moved = circuits.qk(w_q @ r, w_k @ np.linalg.inv(r).T)
    np.testing.assert_allclose(moved.matrix(), circuits.qk(w_q, w_k).matrix(), **CLOSE)


@pytest.mark.parametrize(("diagonal", "score"), [([2, 1, 5], 1), ([-2, -1, -5], -1), ([3, -1, 0], 0.5), ([0, 0, 0], 0)])
def test_copying_scores_by_hand(diagonal, score):
    assert circuits.copying_score(LowRank(np.diag(diagonal), np.eye(3))) == pytest.approx(score)


def test_a_rotation_copies_as_much_as_its_cosine():
    """Eigenvalues e^{±iφ}: the ratio is cos φ."""
    turn = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    assert circuits.copying_score(circuits.ov(np.eye(2), turn)) == pytest.approx(np.cos(1))


def test_composition_scores_by_the_papers_formula():
    """Columns as in the paper: W_QK = W_Qᵀ W_K and W_OV = W_O W_V are the transposes of ours, or their equals."""
    rng = np.random.default_rng(6)
    ov, later, qk = factors(rng, 13, 3, 13), factors(rng, 13, 3, 13), factors(rng, 13, 4, 13)
    f = np.linalg.norm
    w_ov, w_later, w_qk = ov.matrix().T, later.matrix().T, qk.matrix()
    assert circuits.q_composition(ov, qk) == pytest.approx(f(w_qk.T @ w_ov) / (f(w_qk) * f(w_ov)))
    assert circuits.k_composition(ov, qk) == pytest.approx(f(w_qk @ w_ov) / (f(w_qk) * f(w_ov)))
    assert circuits.v_composition(ov, later) == pytest.approx(f(w_later @ w_ov) / (f(w_later) * f(w_ov)))


def test_composition_sees_whether_one_head_reads_what_another_writes():
    e = np.eye(6)
    writes_2 = LowRank(e[:, [0]], e[[2]])
    reads_2_as_query = LowRank(e[:, [2]], e[[4]])
    assert circuits.q_composition(writes_2, reads_2_as_query) == pytest.approx(1)
    assert circuits.k_composition(writes_2, reads_2_as_query) == pytest.approx(0)
    assert circuits.k_composition(writes_2, reads_2_as_query.mT) == pytest.approx(1)
    assert circuits.v_composition(writes_2, reads_2_as_query) == pytest.approx(1)


def test_all_pairs_of_heads_at_once():
    rng = np.random.default_rng(7)
    first, second = factors(rng, 13, 3, 13, (2,)), factors(rng, 13, 3, 13, (5,))
    table = circuits.k_composition(first[:, None], second)
    assert table.shape == (2, 5)
    assert table[1, 3] == pytest.approx(circuits.k_composition(first[1], second[3]))


def test_random_circuits_score_about_one_over_root_c():
    rng = np.random.default_rng(8)
    c = 256
    found = circuits.v_composition(factors(rng, c, 16, c), factors(rng, c, 16, c))
    assert found == pytest.approx(c**-0.5, rel=0.15)


def test_principal_angles_by_hand():
    """A line at 1e-9 and a line at 0.3 radians from a plane; arccos alone would see the first as 0."""
    plane = np.eye(4)[:, :2]
    near = np.array([[np.cos(1e-9), 0, np.sin(1e-9), 0], [0, np.cos(0.3), 0, np.sin(0.3)]]).T
    np.testing.assert_allclose(principal_angles(plane, near), [1e-9, 0.3], rtol=1e-6)
    np.testing.assert_allclose(principal_angles(near, plane), [1e-9, 0.3], rtol=1e-6)
    assert overlap(plane, near) == pytest.approx((1 + np.cos(0.3) ** 2) / 2)
    np.testing.assert_allclose(principal_angles(plane, np.eye(4)[:, 2:]), np.pi / 2)


def test_subspaces_of_different_spaces_have_no_angles():
    with pytest.raises(ValueError, match="axis p is 3 in a but 4 in b"):
        principal_angles(np.eye(3), np.eye(4))


def test_a_repeated_direction_counts_once():
    doubled = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    assert len(principal_angles(doubled, np.eye(3)[:, :2])) == 1
    assert overlap(doubled, np.eye(3)[:, :2]) == pytest.approx(1)
    assert overlap(np.zeros((3, 1)), np.eye(3)) == 0


@given(st.integers(2, 8), st.integers(1, 8), st.integers(1, 8), st.integers(0, 99))
def test_angles_do_not_depend_on_the_basis_and_lie_in_a_quarter_turn(p, r, s, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(p, r)), rng.normal(size=(p, s))
    angles = principal_angles(a, b)
    assert len(angles) == min(p, r, s)
    assert (angles >= 0).all() and (angles <= np.pi / 2 + 1e-12).all() and (np.diff(angles) >= -1e-9).all()
    np.testing.assert_allclose(principal_angles(a @ (np.eye(r) * 3 + 0.1), b), angles, atol=1e-6)


def test_heads_overlap_where_their_blocks_of_w_o_share_rows():
    e = np.eye(8)
    w_o = np.concatenate([e[[0, 1]], e[[1, 2]], e[[6, 7]]])
    expected = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(circuits.write_overlap(w_o, 3), expected, atol=1e-12)


def test_grouped_heads_must_divide():
    with pytest.raises(ValueError, match="g = 4 key–value heads do not divide h = 6"):
        circuits.qk(np.zeros((5, 12)), np.zeros((5, 8)), heads=6, kv_heads=4)


def test_a_stack_of_products_keeps_the_thinner_inner_width():
    rng = np.random.default_rng(3)
    wide, thin = factors(rng, r=5, leading=(2,)), factors(rng, p=7, r=2, leading=(2,))
    for one, other in ((wide, thin), (thin, LowRank(rng.normal(size=(2, 7, 5)), rng.normal(size=(2, 5, 7))))):
        product = one @ other
        assert product.left.shape[-1] == 2
        np.testing.assert_allclose(product.matrix(), one.matrix() @ other.matrix(), **CLOSE)
