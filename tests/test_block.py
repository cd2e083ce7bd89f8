"""The block and its parts: by hand, and against torch's modules built from the same weights."""

import math

import numpy as np
import pytest

from attn import block, heads, masks, positions

torch = pytest.importorskip("torch")
F = torch.nn.functional

SHAPES = {
    "w_q": (12, 12), "w_k": (12, 12), "w_v": (12, 12), "w_o": (12, 12), "w_in": (12, 20), "w_out": (20, 12),
    "b_in": (20,), "b_out": (12,), "gain_1": (12,), "bias_1": (12,), "gain_2": (12,), "bias_2": (12,),
}  # fmt: skip


def random_weights(rng, without=()):
    drawn = {name: rng.normal(size=shape) / math.sqrt(12) for name, shape in SHAPES.items()}
    return block.BlockWeights(**(drawn | dict.fromkeys(without)))


def tensor(x):
    return torch.from_numpy(np.ascontiguousarray(x))


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_is_torchs(eps):
    rng = np.random.default_rng(0)
    x, gain, bias = rng.normal(3, 5, size=(2, 3, 7)), rng.normal(size=7), rng.normal(size=7)
    expected = F.layer_norm(tensor(x), (7,), tensor(gain), tensor(bias), eps)
    np.testing.assert_allclose(block.layer_norm(x, gain, bias, eps=eps), expected, rtol=1e-12, atol=1e-13)


def test_rms_norm_is_torchs():
    rng = np.random.default_rng(1)
    x, gain = rng.normal(3, 5, size=(2, 3, 7)), rng.normal(size=7)
    np.testing.assert_allclose(
        block.rms_norm(x, gain, eps=1e-6), F.rms_norm(tensor(x), (7,), tensor(gain), 1e-6), rtol=1e-12
    )


def test_norms_by_hand():
    """(1, 3): mean 2, standard deviation 1; root mean square √5."""
    np.testing.assert_allclose(block.layer_norm([1.0, 3.0], eps=0), [-1, 1])
    np.testing.assert_allclose(block.rms_norm([1.0, 3.0], eps=0), np.array([1, 3]) / np.sqrt(5))


def test_layer_norm_projects_and_then_reaches_the_sphere():
    x = np.random.default_rng(2).normal(4, 3, size=(5, 9))
    y = block.layer_norm(x, eps=0)
    np.testing.assert_allclose(y.sum(-1), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(y, axis=-1), 3, rtol=1e-12)
    np.testing.assert_allclose(block.layer_norm(7 * x + 2, eps=0), y, rtol=1e-10)
    np.testing.assert_allclose(block.rms_norm(x - x.mean(-1, keepdims=True), eps=0), y, rtol=1e-12)


ACTIVATIONS = {
    "relu": (block.relu, torch.relu),
    "gelu": (block.gelu, F.gelu),
    "gelu_tanh": (block.gelu_tanh, lambda x: F.gelu(x, approximate="tanh")),
    "silu": (block.silu, F.silu),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_are_torchs(name):
    ours, theirs = ACTIVATIONS[name]
    x = np.concatenate([np.linspace(-30, 30, 1201), [-1e4, 1e4, 0.0, -0.0, 1e-300, -745.0]])
    np.testing.assert_allclose(ours(x), theirs(tensor(x)), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_activations_have_limits_and_keep_their_dtype(name, dtype):
    ours, _ = ACTIVATIONS[name]
    y = ours(np.array([-np.inf, -6e4, 0, 6e4, np.inf], dtype))
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, np.array([0, 0, 0, 6e4, np.inf], dtype))


def test_gelu_keeps_its_digits_far_to_the_left():
    """Φ(−10) = 7.62e−24; computed as 1 + erf it would be 0."""
    assert block.gelu(-10.0) == pytest.approx(-7.61985302416052e-23, rel=1e-12)
    x = np.linspace(-12, 0, 50, dtype=np.float32)
    np.testing.assert_allclose(block.gelu(x), block.gelu(x.astype(float)), rtol=1e-7)
    assert block.gelu(1.0) == pytest.approx(0.841344746068543, rel=1e-14)


def test_the_tanh_form_is_close_to_the_exact_one_and_not_equal():
    x = np.linspace(-6, 6, 4001)
    worst = abs(block.gelu(x) - block.gelu_tanh(x)).max()
    assert 4e-4 < worst < 5e-4


def test_feed_forward_and_swiglu_by_their_formulas():
    rng = np.random.default_rng(3)
    x, w_gate, w_in, w_out = (rng.normal(size=s) for s in [(2, 5, 7), (7, 11), (7, 11), (11, 3)])
    b_in, b_out = rng.normal(size=11), rng.normal(size=3)
    expected = np.maximum(x @ w_in + b_in, 0) @ w_out + b_out
    np.testing.assert_allclose(
        block.feed_forward(x, w_in, w_out, b_in, b_out, activation=block.relu), expected, rtol=1e-12
    )
    gate = x @ w_gate
    expected = (gate / (1 + np.exp(-gate)) * (x @ w_in)) @ w_out
    np.testing.assert_allclose(block.swiglu(x, w_gate, w_in, w_out), expected, rtol=1e-12)


def torch_layer(w, activation, dtype):
    """nn.TransformerEncoderLayer(norm_first=True) with our weights; its Q, K and V matrices are one, transposed."""
    layer = torch.nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, activation=activation, batch_first=True, norm_first=True, dtype=dtype
    )
    theirs = {
        "self_attn.in_proj_weight": np.concatenate([w.w_q, w.w_k, w.w_v], axis=1).T,
        "self_attn.in_proj_bias": np.zeros(36),
        "self_attn.out_proj.weight": w.w_o.T,
        "self_attn.out_proj.bias": np.zeros(12),
        "linear1.weight": w.w_in.T, "linear1.bias": w.b_in,
        "linear2.weight": w.w_out.T, "linear2.bias": w.b_out,
        "norm1.weight": w.gain_1, "norm1.bias": w.bias_1,
        "norm2.weight": w.gain_2, "norm2.bias": w.bias_2,
    }  # fmt: skip
    layer.load_state_dict({name: tensor(value).to(dtype) for name, value in theirs.items()})
    return layer


@pytest.mark.parametrize(
    ("mode", "causal", "ours", "theirs", "dtype", "tol"),
    [
        ("train", False, block.relu, "relu", torch.float64, 1e-12),
        ("train", True, block.gelu, "gelu", torch.float64, 1e-12),
        ("eval", True, block.relu, "relu", torch.float64, 1e-12),
        ("eval", False, block.gelu, "gelu", torch.float32, 1e-6),
    ],
)
def test_the_block_is_torchs_encoder_layer(mode, causal, ours, theirs, dtype, tol):
    rng = np.random.default_rng(4)
    w, x = random_weights(rng), rng.normal(size=(2, 5, 12))
    layer = getattr(torch_layer(w, theirs, dtype), mode)()
    forbidden = tensor(~masks.causal(5)) if causal else None  # nn.Transformer's masks say True = blocked
    with torch.no_grad():
        expected = layer(tensor(x).to(dtype), src_mask=forbidden).numpy()
    mine = np.float64 if dtype == torch.float64 else np.float32
    weights = block.BlockWeights(*(a.astype(mine) for a in w))
    mask = masks.causal(5) if causal else None
    y = block.pre_norm_block(x.astype(mine), weights, heads=3, mask=mask, activation=ours)
    assert y.dtype == mine
    np.testing.assert_allclose(y, expected, rtol=tol, atol=tol)


def test_without_biases_it_is_torchs_layer_without_biases():
    rng = np.random.default_rng(5)
    w, x = random_weights(rng, without=("b_in", "b_out", "bias_1", "bias_2")), rng.normal(size=(2, 5, 12))
    zero = w._replace(b_in=np.zeros(20), b_out=np.zeros(12), bias_1=np.zeros(12), bias_2=np.zeros(12))
    expected = torch_layer(zero, "gelu", torch.float64)(tensor(x)).detach()
    np.testing.assert_allclose(block.pre_norm_block(x, w, heads=3), expected, rtol=1e-12, atol=1e-12)


def test_grouped_heads_and_rotations_reach_the_attention():
    rng = np.random.default_rng(6)
    w, x = random_weights(rng), rng.normal(size=(5, 12))
    shared = w._replace(w_k=rng.normal(size=(12, 4)), w_v=rng.normal(size=(12, 4)))
    options = {"kv_heads": 1, "mask": masks.causal(5), "rotate": lambda z: positions.rope(z, np.arange(5))}
    normed = block.layer_norm(x, w.gain_1, w.bias_1)
    attended = heads.multi_head_attention(normed, *shared[:4], heads=3, **options)
    middle = x + attended
    expected = middle + block.feed_forward(block.layer_norm(middle, w.gain_2, w.bias_2), *w[4:8])
    np.testing.assert_allclose(block.pre_norm_block(x, shared, heads=3, **options), expected, rtol=1e-12)


def test_eps_reaches_both_norms():
    """Once where the first norm alone can tell (nothing is attended to), once where the second can."""
    rng = np.random.default_rng(9)
    w, x, eps = random_weights(rng), rng.normal(size=(5, 12)), 0.3
    normed = block.layer_norm(x, w.gain_1, w.bias_1, eps=eps)
    middle = x + heads.multi_head_attention(normed, *w[:4], heads=3)
    second = block.layer_norm(middle, w.gain_2, w.bias_2, eps=eps)
    expected = middle + block.feed_forward(second, *w[4:8])
    np.testing.assert_allclose(block.pre_norm_block(x, w, heads=3, eps=eps), expected, rtol=1e-12)
    np.testing.assert_allclose(block.rms_norm([3.0, 4.0], eps=3.5), [0.75, 1.0])
    np.testing.assert_allclose(block.layer_norm([3.0, 5.0], eps=3.0), [-0.5, 0.5])


def test_half_precision_is_rounded_once():
    rng = np.random.default_rng(7)
    w, x = block.BlockWeights(*(a.astype(np.float16) for a in random_weights(rng))), rng.normal(size=(5, 12))
    x = x.astype(np.float16)
    y = block.pre_norm_block(x, w, heads=3)
    exact = block.pre_norm_block(x.astype(float), block.BlockWeights(*(a.astype(float) for a in w)), heads=3)
    assert y.dtype == np.float16
    np.testing.assert_allclose(y, exact, rtol=2**-11 + 1e-4, atol=1e-4)


def test_arguments_are_left_alone():
    rng = np.random.default_rng(8)
    w, x = random_weights(rng), rng.normal(size=(5, 12))
    for a in (*w, x):
        a.setflags(write=False)
    block.pre_norm_block(x, w, heads=3)


WRONG = {
    "axis c is 3 in x but 4 in gain": lambda x, w: block.layer_norm(x, np.ones(4)),
    r"gain needs axis \(c\) but has shape \(2, 3\)": lambda x, w: block.rms_norm(x, np.ones((2, 3))),
    "axis f is 5 in w_in but 4 in w_out": lambda x, w: block.feed_forward(x, w, np.zeros((4, 3))),
    "axis f is 5 in w_gate but 6 in w_in": lambda x, w: block.swiglu(x, w, np.zeros((3, 6)), w.T),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_is_named(message):
    with pytest.raises(ValueError, match=message):
        WRONG[message](np.zeros((2, 3)), np.zeros((3, 5)))


def test_text_is_not_activated():
    with pytest.raises(TypeError, match="x must hold real numbers"):
        block.gelu("x")
