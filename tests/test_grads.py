"""Gradients by hand equal finite differences and autograd."""

import numpy as np
import pytest

from attn import core, masks, softmax
from attn.grads import attention_vjp, softmax_vjp

N, M, D, E = 3, 5, 7, 11
SHAPES = [
    ((N, D), (M, D), (M, E)),
    ((2, 3, N, D), (2, 3, M, D), (2, 3, M, E)),
    ((2, 1, N, D), (3, M, D), (2, 1, M, E)),  # an array used for many heads hears from all of them
    ((N, D), (4, M, D), (1, M, E)),
]
MASKS = {
    "none": None,
    "causal": masks.causal(N, M),
    "empty rows": masks.causal(N, M, offset=-2),
    "nothing": np.zeros((N, M), bool),
    "bias": np.where(masks.causal(N, M, offset=-1), -0.3 * np.arange(M), -np.inf),
}


def arguments(rng, shapes):
    q, k, v = (rng.normal(size=shape) for shape in shapes)
    return (q, k, v), rng.normal(size=core.scaled_dot_product_attention(q, k, v).shape)


def differences(f, x, h=1e-5):
    """The gradient of f by every entry of x, from central differences."""
    slopes = np.empty_like(x)
    for i in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i] = h
        slopes[i] = (f(x + step) - f(x - step)) / (2 * h)
    return slopes


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("shapes, scale", [(SHAPES[0], None), (SHAPES[3], -0.7)])
def test_gradients_equal_central_differences(shapes, mask, scale):
    given, d_y = arguments(np.random.default_rng(0), shapes)
    for i, gradient in enumerate(attention_vjp(*given, d_y, mask, scale=scale)):

        def loss(x, i=i):
            changed = [*given[:i], x, *given[i + 1 :]]
            return (d_y * core.scaled_dot_product_attention(*changed, mask, scale=scale)).sum()

        assert gradient.shape == given[i].shape
        np.testing.assert_allclose(gradient, differences(loss, given[i]), atol=1e-7)


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("shapes", SHAPES)
def test_gradients_equal_autograd(shapes, mask):
    torch = pytest.importorskip("torch")
    given, d_y = arguments(np.random.default_rng(1), shapes)
    leaves = [torch.tensor(x, requires_grad=True) for x in given]
    seen = None if mask is None else torch.tensor(np.broadcast_to(mask, (N, M)).copy())
    y = torch.nn.functional.scaled_dot_product_attention(*leaves, attn_mask=seen)
    y.backward(torch.tensor(d_y))
    for gradient, leaf in zip(attention_vjp(*given, d_y, mask), leaves, strict=True):
        np.testing.assert_allclose(gradient, leaf.grad.numpy(), atol=1e-10)


def test_two_keys_by_hand():
    """Weights 1/4 and 3/4, values 0 and 4, y = 3. dA = (0, 4), dS = (1/4 · (0 − 3), 3/4 · (4 − 3)) = ∓3/4."""
    q, k, v = np.array([[1.0]]), np.array([[0.0], [np.log(3)]]), np.array([[0.0], [4.0]])
    d_q, d_k, d_v = attention_vjp(q, k, v, np.ones((1, 1)), scale=1.0)
    assert d_v == pytest.approx(np.array([[0.25], [0.75]]))
    assert d_k == pytest.approx(np.array([[-0.75], [0.75]]))
    assert d_q == pytest.approx(0.75 * np.log(3))


@pytest.mark.parametrize("rot", [np.nan, np.inf])
def test_what_is_masked_does_not_leak_into_gradients(rot):
    (q, k, v), d_y = arguments(np.random.default_rng(4), SHAPES[0])
    mask = np.ones((N, M), bool)
    mask[:, 2] = mask[1] = False
    clean = attention_vjp(q, k, v, d_y, mask)
    q[1] = k[2] = v[2] = d_y[1] = rot  # a key nobody sees, a query that sees nobody
    for one, other in zip(attention_vjp(q, k, v, d_y, mask), clean, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-14)


@pytest.mark.parametrize("dtype, tolerance", [(np.float16, 2e-2), (np.float32, 1e-5)])
def test_gradients_come_in_the_dtype_of_their_arguments(dtype, tolerance):
    given, d_y = arguments(np.random.default_rng(5), SHAPES[1])
    exact = attention_vjp(*given, d_y)
    for one, other in zip(attention_vjp(*(x.astype(dtype) for x in given), d_y.astype(dtype)), exact, strict=True):
        assert one.dtype == dtype
        np.testing.assert_allclose(one, other, atol=tolerance, rtol=tolerance)


def test_gradients_leave_their_arguments_alone_and_strict_error_handling_in_peace():
    given, d_y = arguments(np.random.default_rng(6), SHAPES[1])
    for x in (*given, d_y):
        x.flags.writeable = False
    with np.errstate(all="raise"):
        attention_vjp(*given, d_y, MASKS["empty rows"], scale=1e3)


@pytest.mark.parametrize("axis", [-1, 0])
def test_softmax_vjp_is_the_product_with_the_jacobian(axis):
    rng = np.random.default_rng(7)
    x, d_p = rng.normal(size=(2, 4, 5))
    p = softmax.softmax(x, axis=axis)
    rows, d_rows = (np.moveaxis(a, axis, -1) for a in (p, d_p))
    expected = (softmax.jacobian(rows) @ d_rows[..., None])[..., 0]
    np.testing.assert_allclose(np.moveaxis(softmax_vjp(p, d_p, axis=axis), axis, -1), expected, atol=1e-15)


@pytest.mark.parametrize(
    "change, error, told",
    [
        (dict(d_output=np.ones((N, 2))), ValueError, "axis e is 11 in v but 2 in d_output"),
        (dict(d_output=np.ones((2, N, E))), ValueError, r"the output has shape \(3, 11\)"),
        (dict(k=np.ones((M, 2))), ValueError, "axis d is 7 in q but 2 in k"),
        (dict(mask=np.ones((N, M), int)), TypeError, "mask holds integers"),
        (dict(d_output="text"), TypeError, "d_output must hold real numbers"),
    ],
)
def test_errors_name_the_axis_and_the_argument(change, error, told):
    given = dict(q=np.ones((N, D)), k=np.ones((M, D)), v=np.ones((M, E)), d_output=np.ones((N, E)))
    with pytest.raises(error, match=told):
        attention_vjp(**given | change)


@pytest.mark.parametrize("crowd", range(3))
def test_whichever_array_is_many_one_gradient_of_the_output_serves_them_all(crowd):
    rng = np.random.default_rng(11)
    arrays = [rng.normal(size=shape) for shape in SHAPES[0]]
    d_y = rng.normal(size=(N, E))
    arrays[crowd] = np.stack([arrays[crowd], 2 * arrays[crowd]])
    got = attention_vjp(*arrays, d_y)
    each = [attention_vjp(*(x[i] if j == crowd else x for j, x in enumerate(arrays)), d_y) for i in range(2)]
    for j, gradient in enumerate(got):
        alone = [one[j] for one in each]
        np.testing.assert_allclose(gradient, np.stack(alone) if j == crowd else sum(alone), atol=1e-12)
