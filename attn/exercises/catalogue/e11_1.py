"""Exercise 11.1, layer norm."""

import numpy as np

from attn import block
from attn.exercises.catalogue.sections import SHARES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import LAYER_NORM


def norm_model(
    x,
    gain,
    bias,
    eps,
    *,
    centre=lambda x: x - x.mean(-1, keepdims=True),
    spread=lambda x: x.var(-1, keepdims=True),
    divide=lambda x, var, eps: x / np.sqrt(var + eps),
    affine=lambda x, gain, bias: x * gain + bias,
):
    """(x − mean) / √(variance + eps) · gain + bias."""
    return affine(divide(centre(x), spread(x), eps), gain, bias)


EXERCISE = Exercise(
    "11.1",
    "layer norm",
    "Layer norm",
    "layer_norm(x, gain, bias, eps)",
    lambda x, gain, bias, eps: block.layer_norm(x, gain, bias, eps=eps),
    norm_model,
    another=(
        """\
def layer_norm(x, gain, bias, eps):
    c = x.shape[1]
    centred = x @ (np.eye(c) - np.full((c, c), 1 / c))
    return centred / np.sqrt(np.einsum("nc,nc->n", centred, centred)[:, None] / c + eps) * gain + bias
""",
        "Subtracting the mean is a projection: a product with one fixed matrix.",
    ),
    hints=(
        "Over which axis do mean and variance run, so that tokens do not touch each other?",
        "Each token by itself: subtract its mean, divide by the root of its variance plus eps, then gain and bias.",
        "Two means along the last axis that keep it, one root, one product, one sum.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, c)) * spread + 1, rng.normal(size=c), rng.normal(size=c), eps)
        for n, c, eps, spread in (
            (3, 4, 0.1, 2),
            (4, 4, 0.5, 0.5),
            (2, 5, 1e-5, 2),
            (2, 3, 2.0, 0.5),
            (1, 2, 0.0, 1),
            (2, 4, 1e-12, 0.1),
        )
    ],
    misconceptions=(
        wrong(
            "over_tokens",
            "It runs over the tokens (axis 0): that is the direction of batch norm.",
            "Each token is normed by itself, over its features.",
            centre=lambda x: x - x.mean(0),
            spread=lambda x: x.var(0),
        ),
        wrong(
            "everything",
            "It takes one mean and one variance for the whole matrix.",
            "Each token has its own.",
            centre=lambda x: x - x.mean(),
            spread=lambda x: x.var(),
        ),
        wrong(
            "unbiased",
            "It divides by c − 1 in the variance.",
            "Layer norm uses the plain mean of squares (ddof = 0).",
            spread=lambda x: x.var(-1, ddof=1, keepdims=True),
        ),
        wrong(
            "eps_outside",
            "It adds eps outside the root.",
            "eps stands under the root, beside the variance.",
            divide=lambda x, var, eps: x / (np.sqrt(var) + eps),
        ),
        wrong(
            "no_eps",
            "It leaves eps out.",
            "A token whose features are all alike would give 0/0.",
            divide=lambda x, var, eps: x / np.sqrt(var),
        ),
        wrong(
            "not_centred",
            "It does not subtract the mean.",
            "That is nearer to RMS norm; layer norm centres first.",
            centre=lambda x: x,
        ),
        wrong(
            "rms",
            "It divides by the root mean square and does not centre: that is RMS norm.",
            "Layer norm subtracts the mean first.",
            centre=lambda x: x,
            spread=lambda x: (x * x).mean(-1, keepdims=True),
        ),
        wrong(
            "by_variance",
            "It divides by the variance in place of its root.",
            "The standard deviation has x's own unit.",
            divide=lambda x, var, eps: x / (var + eps),
        ),
        wrong(
            "no_affine",
            "It leaves out gain and bias.",
            "They let the model undo the norm where that helps.",
            affine=lambda x, gain, bias: x,
        ),
        wrong("no_bias", "It leaves out the bias.", "The bias comes last.", affine=lambda x, gain, bias: x * gain),
        wrong(
            "no_gain",
            "It leaves out the gain.",
            "The gain multiplies the normed features.",
            affine=lambda x, gain, bias: x + bias,
        ),
        wrong(
            "bias_first",
            "It adds the bias before it multiplies by the gain.",
            "First the gain, then the bias.",
            affine=lambda x, gain, bias: (x + bias) * gain,
        ),
        wrong(
            "euclidean",
            "It divides by the Euclidean length of the centred token.",
            "That is larger by √c: take the mean of squares.",
            spread=lambda x: x.var(-1, keepdims=True) * x.shape[-1],
        ),
        wrong(
            "fixed_eps",
            "It uses an eps of its own in place of the one it is given.",
            "eps is an argument: use it.",
            {"divide": lambda x, var, eps: x / np.sqrt(var + 1e-6)},
            divide=lambda x, var, eps: x / np.sqrt(var + 1e-5),
        ),
        wrong(
            "one_plus_gain",
            "It multiplies by 1 + gain.",
            "The gain itself multiplies the normed features.",
            affine=lambda x, gain, bias: x * (1 + gain) + bias,
        ),
        wrong(
            "eps_squared",
            "It adds the square of eps under the root.",
            "eps itself stands beside the variance.",
            divide=lambda x, var, eps: x / np.sqrt(var + eps**2),
        ),
        wrong(
            "absolute_deviation",
            "It divides by the mean of the absolute deviations.",
            "The standard deviation is the root of the mean of squares.",
            {"divide": lambda x, var, eps: x / abs(x).mean(-1, keepdims=True)},
            {"divide": lambda x, var, eps: x / np.sqrt(abs(x).mean(-1, keepdims=True) + eps)},
            divide=lambda x, var, eps: x / (abs(x).mean(-1, keepdims=True) + eps),
        ),
        wrong(
            "eps_maximum",
            "It takes the larger of variance and eps in place of their sum.",
            "variance + eps.",
            divide=lambda x, var, eps: x / np.sqrt(np.maximum(var, eps)),
        ),
        wrong(
            "square_uncentred",
            "It divides by the mean square of x itself, not of what is left without the mean.",
            "The variance is the mean square of x − mean.",
            spread=lambda x: (x**2).mean(-1, keepdims=True),
        ),
        wrong(
            "mean_size",
            "It divides by the mean distance from the mean.",
            "The variance is a mean of squares; the root comes after it.",
            spread=lambda x: abs(x - x.mean(-1, keepdims=True)).mean(-1, keepdims=True) ** 2,
        ),
        wrong(
            "gain_per_token",
            "It gives each token a gain and a bias in place of each feature.",
            "gain and bias are c wide: one number for each feature, the same for all tokens.",
            affine=lambda x, gain, bias: x * np.resize(gain, len(x))[:, None] + np.resize(bias, len(x))[:, None],
        ),
        wrong(
            "keepdims",
            "It takes means that have lost their axis, so tokens meet features.",
            "NumPy lines shapes up from the right: (n, c) − (n,) runs along columns. keepdims=True keeps a column.",
            dict(centre=lambda x: x - x.mean(-1)),
            dict(spread=lambda x: x.var(-1)),
            centre=lambda x: x - x.mean(-1),
            spread=lambda x: x.var(-1),
        ),
        wrong(
            "median",
            "It subtracts the median, or the smallest entry, in place of the mean.",
            "Centred means: brought to mean 0.",
            dict(centre=lambda x: x - x.min(-1, keepdims=True)),
            centre=lambda x: x - np.median(x, -1, keepdims=True),
        ),
        wrong(
            "range",
            "It divides by the range of the token.",
            "The root of the variance is asked for.",
            spread=lambda x: np.ptp(x, axis=-1, keepdims=True),
            divide=lambda x, var, eps: x / (var + eps),
        ),
    ),
    forbidden=LAYER_NORM,
)
EXERCISE = taught(
    EXERCISE,
    {
        SHARES: "keepdims",
    },
)
