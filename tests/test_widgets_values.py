"""The figures of single steps, rows and values from Python: what they compute, say and refuse."""

import numpy as np
import pytest
from worked import TOKENS, W_K, W_Q, W_V, X

pytest.importorskip("anywidget")

from attn import core, masks, softmax
from attn.show import widgets

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = core.scores(Q, K, scale=1.0)
A = softmax.softmax(S / np.sqrt(3))
SAT = [0.3, 4.7, 0.2, 0.6, 0.1, 3.9]
PRINTED = [0.01, 0.52, 0.01, 0.02, 0.01, 0.43]
CAT = np.vstack([np.eye(6)[:2], SAT, np.eye(6)[3:]])


@pytest.mark.parametrize(
    ("widget", "sentence"),
    [
        (
            lambda: widgets.Transpose(K, TOKENS, name="K", step=1),
            "Step 1 of 3: row 1, column 2 (1) and row 2, column 1 (2) change places.",
        ),
        (
            lambda: widgets.Transpose(K, TOKENS, name="K"),
            "Step 0 of 3: K (3×3), whose diagonal (0, 1, 1) will stay.",
        ),
        (
            lambda: widgets.Transpose([[1, 2]], step=1),
            "Step 1 of 1: row 1, column 2 (2) moves to row 2, column 1; that makes Mᵀ (2×1).",
        ),
        (
            lambda: widgets.Scaling(S, 3, TOKENS),
            "The scores of “I”, as they are, (1, 5, 3), give the weights (0.016, 0.867, 0.117), entropy 0.441 nats.",
        ),
        (
            lambda: widgets.SoftmaxPhases(S / np.sqrt(3), TOKENS, phase=1),
            "Phase 2 of 3, exponentials: the row of “I” is (1.781, 17.935, 5.652), which sums to 25.368.",
        ),
        (
            lambda: widgets.Flow(A, TOKENS),
            "“I” looks at “love” 70.7%, “AI” 22.3%, “I” 7.0%.",
        ),
        (
            lambda: widgets.Assembly(A, V, TOKENS),
            "The new vector of “I” is 0.070·v(“I”) + 0.707·v(“love”) + 0.223·v(“AI”) = (1, 1.637, 0.070).",
        ),
        (
            lambda: widgets.SoftmaxSliders([1, 5, 3], TOKENS, temperature=np.sqrt(3)),
            "At temperature 1.732, “love” has 70.7%: the exponentials (0.099, 1, 0.315) sum to 1.414.",
        ),
        (
            lambda: widgets.SoftmaxSliders([0, 9, 8], TOKENS),  # what is nearly nothing is no power of ten
            "“love” has 73.1%: the exponentials (≈0, 1, 0.368) sum to 1.368.",
        ),
    ],
)
def test_a_figure_says_its_step(widget, sentence):
    assert repr(widget()) == sentence


def test_the_sentence_finds_the_row_that_was_printed_wrong():
    shown = widgets.Sentence(CAT, "The cat sat on the mat", PRINTED)
    assert (shown.row, shown.printed_row) == (2, 2)
    np.testing.assert_allclose(shown.weights[2], [0.008, 0.667, 0.007, 0.011, 0.007, 0.300], atol=5e-4)
    assert shown.difference == pytest.approx(0.147, abs=5e-4)
    told = "off by up to 0.147, at “cat”: printed 0.520, computed 0.667."
    assert repr(shown) == f"At temperature 1, the printed row of “sat” is {told}"
    shown.row = 0
    assert repr(shown).startswith("At temperature 1, the row of “The” is largest at “The” (")


def test_no_temperature_gives_the_printed_row():
    shown = widgets.Sentence(CAT, "The cat sat on the mat", PRINTED)
    nearest = []
    for temperature in np.geomspace(0.1, 10, 100):
        shown.temperature = temperature
        nearest.append(shown.difference)
    assert min(nearest) > 0.01  # what was printed has two digits, so rounding explains at most 0.005


def test_a_sentence_without_a_printed_row_compares_nothing():
    shown = widgets.Sentence(CAT, "The cat sat on the mat")
    assert shown.difference == 0
    assert shown.state["printed"] is None
    assert "largest at “The”" in repr(shown)
    assert len(shown.tables()) == 2


def test_transposing_takes_one_step_a_mirrored_pair():
    rng = np.random.default_rng(3)
    for n, m, pairs in [(1, 1, 0), (3, 3, 3), (2, 5, 7), (5, 2, 7), (1, 4, 3)]:
        M = rng.normal(size=(n, m))
        shown = widgets.Transpose(M, step=pairs)
        np.testing.assert_array_equal(shown.transposed, M.T)
        with pytest.raises(ValueError, match=rf"there are {pairs + 1} steps"):
            shown.step = pairs + 1


def test_scaling_flattens_a_row_and_keeps_its_order():
    shown = widgets.Scaling(S, 3, TOKENS)
    np.testing.assert_allclose(shown.weights, softmax.softmax(S[0]))
    shown.scaled = True
    np.testing.assert_allclose(shown.weights, A[0])
    assert shown.entropies[1] > shown.entropies[0]
    np.testing.assert_array_equal(np.argsort(shown.plain), np.argsort(shown.divided))


def test_a_wider_row_is_sharper_and_divided_by_its_own_root_the_same():
    shown = widgets.Scaling(S, 3, TOKENS, width=48)
    np.testing.assert_allclose(shown.plain, softmax.softmax(4 * S[0]))
    np.testing.assert_allclose(shown.divided, A[0])
    assert repr(shown).startswith("The scores of “I” at width 48, as they are, (4, 20, 12)")


def test_scaling_takes_one_row_too():
    assert "r1" in repr(widgets.Scaling(S[0], 3, TOKENS))


def test_phases_end_in_the_weights_of_the_library_even_for_large_scores():
    rng = np.random.default_rng(6)
    for size in (1, 1e3, -1e3):
        scores = rng.normal(size=(3, 5)) + size
        scores[1, 2:] = -np.inf
        scores[2] = -np.inf
        shown = widgets.SoftmaxPhases(scores, phase=1)
        e = shown.shown
        assert np.isfinite(e).all()
        np.testing.assert_allclose(e[:2] / e[:2].sum(axis=1, keepdims=True), softmax.softmax(scores)[:2], rtol=1e-12)
        shown.phase = 2
        np.testing.assert_array_equal(shown.shown, softmax.softmax(scores))
        assert "−∞" in repr(widgets.SoftmaxPhases(scores, row=1))


def test_contributions_add_up_to_the_output():
    shown = widgets.Assembly(A, V - 1.5, TOKENS)
    np.testing.assert_allclose(shown.output, A[0] @ (V - 1.5))
    np.testing.assert_allclose(shown.contributions.sum(axis=0), shown.output)
    np.testing.assert_allclose(shown.shares.sum(axis=0), 1)
    np.testing.assert_allclose(widgets.Assembly(A, V, TOKENS).shares[:, 1], [0, 0.864, 0.136], atol=5e-4)
    assert not widgets.Assembly(A, np.zeros((3, 2))).shares.any()


def test_values_under_a_causal_mask():
    weights = softmax.softmax(S, masks.causal(3))
    shown = widgets.CausalValues(weights, V, TOKENS, step=1)
    np.testing.assert_allclose(shown.output, core.scaled_dot_product_attention(Q, K, V, masks.causal(3), scale=1.0))
    assert repr(shown) == "Step 1 of 3: “I” may see 1 of 3 words: 1·v(“I”) = (1, 0, 1)."


def test_a_row_of_shares_is_a_point_of_a_triangle():
    corners, scores = [[0, 0], [1, 0], [0.5, 0.9]], np.log([1, 2, 1])
    shown, plain = widgets.Hull(corners, scores, TOKENS, simplex=True), widgets.Hull(corners, scores, TOKENS)
    assert repr(shown).startswith("Shares (0.250, 0.500, 0.250) put the point at (0.625, 0.225), inside the triangle")
    assert "simplex" in shown.state and "simplex" not in plain.state
    assert repr(plain).startswith("Weights (0.250, 0.500, 0.250) put the output at")


def test_the_output_lies_in_the_hull():
    rng = np.random.default_rng(7)
    values, scores = rng.normal(size=(9, 2)), rng.normal(size=9) * 3
    shown = widgets.Hull(values, scores)
    corners = values[shown.corners]
    edges = np.roll(corners, -1, axis=0) - corners
    for point in (*values, shown.output):
        away = point - corners
        assert (edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] >= -1e-12).all()  # to the left of every edge


@pytest.mark.parametrize(
    ("values", "corners"),
    [
        ([[0, 0]], [0]),
        ([[1, 1], [1, 1]], [0]),
        ([[0, 0], [1, 1], [2, 2]], [0, 2]),
        ([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]], [0, 1, 2, 3]),
    ],
)
def test_corners_of_flat_and_doubled_hulls(values, corners):
    assert widgets.Hull(values).corners == corners


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Transpose(K, ["a"]), "the number of rows is 3 in M but 1 in rows"),
        (lambda: widgets.Transpose([1, 2]), "M must be a matrix"),
        (lambda: widgets.SoftmaxSliders([1, 2], temperature=0), "temperature must be positive, but it is 0"),
        (lambda: widgets.Scaling(S, 0), "d must be positive"),
        (lambda: widgets.Scaling(S, 3, width=-1), "width must be positive"),
        (lambda: widgets.Scaling(S, np.inf), "d must be one finite number"),
        (lambda: widgets.Scaling(S, 3, ["a"]), "the number of columns is 3 in scores but 1 in tokens"),
        (lambda: widgets.Scaling(S, 3, row=3), "row is 3"),
        (lambda: widgets.SoftmaxPhases(S, phase=3), "phase is 3, but there are 3 phases"),
        (lambda: widgets.Sentence(S[:2], ["a", "b"]), "2 in scores but 3 in the columns of scores"),
        (lambda: widgets.Sentence(S, TOKENS, [0.5]), "3 in scores but 1 in printed"),
        (lambda: widgets.Flow(S), "weights leave 0…1"),
        (lambda: widgets.Flow(A, selected=3), "selected is 3"),
        (lambda: widgets.Assembly(A, V[:2]), "the number of keys is 3 in weights but 2 in V"),
        (lambda: widgets.CausalValues(A, V), r"weights\[0, 1\] is 0.7.*, but no word may look ahead"),
        (lambda: widgets.CausalValues(np.eye(3), V[:2]), "3 in the columns of weights but 2 in V|but 2 in V"),
        (lambda: widgets.Hull(V), "the width e is 2 in the plane but 3 in V"),
        (lambda: widgets.Hull(V[:, :2], [1, 2]), "3 in V but 2 in scores"),
        (lambda: widgets.Hull([[0, 0]], [200]), "scores reach 200"),
    ],
)
def test_bad_values_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Scaling(S, "three"), "d must hold real numbers"),
        (lambda: widgets.Hull([[0, 0]], colour="red"), "unexpected keyword argument 'colour'"),
    ],
)
def test_bad_types_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()
