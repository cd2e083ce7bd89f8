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


@pytest.mark.parametrize(
    ("widget", "sentence"),
    [
        (
            lambda: widgets.Scaling(S, 3, TOKENS),
            "The scores of “I”, as they are, (1, 5, 3), give the weights (0.016, 0.867, 0.117), entropy 0.441 nats.",
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


def test_what_is_nearly_zero_in_an_output_is_no_power_of_ten():
    assert "put the output at (0, ≈0)" in repr(widgets.Hull([[1, 0], [-1, 0.0004]]))


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
        (lambda: widgets.SoftmaxSliders([1, 2], temperature=0), "temperature must be positive, but it is 0"),
        (lambda: widgets.Scaling(S, 0), "d must be positive"),
        (lambda: widgets.Scaling(S, 3, width=-1), "width must be positive"),
        (lambda: widgets.Scaling(S, np.inf), "d must be one finite number"),
        (lambda: widgets.Scaling(S, 3, ["a"]), "the number of columns is 3 in scores but 1 in tokens"),
        (lambda: widgets.Scaling(S, 3, row=3), "row is 3"),
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
