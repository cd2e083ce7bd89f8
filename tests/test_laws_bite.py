"""A law that catches nothing proves nothing: every wrong attention is caught by a law, every law catches one."""

import numpy as np
import pytest

from attn import core, laws
from attn.softmax import softmax


def stable(s):
    """Softmax over the last axis, right but for the empty row."""
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def variant(raw=lambda q, k, c: c * q @ k.mT, bool_mask=None, weights=stable, output=lambda a, v: a @ v, root=None):
    """A hand-written attention with one part exchanged."""

    def attend(q, k, v, mask=None, *, scale=None):
        c = (root or (lambda q, k, v: q.shape[-1] ** -0.5))(q, k, v) if scale is None else scale
        s = raw(q, k, c)
        if mask is not None and mask.dtype == bool:
            s = (bool_mask or (lambda s, mask: np.where(mask, s, -np.inf)))(s, mask)
        elif mask is not None:
            s = s + mask
        return output(weights(s), v)

    return attend


def reference(q, k, v, mask=None, *, scale=None):
    return core.scaled_dot_product_attention(q, k, v, mask, scale=scale)


def masked_after_softmax(q, k, v, mask=None, *, scale=None):
    a = core.trace(q, k, v, scale=scale).weights
    return (a if mask is None else a * mask if mask.dtype == bool else a * np.exp(mask)) @ v


def positions_leak_in(q, k, v, mask=None, *, scale=None):
    bias = -np.arange(float(k.shape[-2]))
    return core.scaled_dot_product_attention(q, k, v, mask, scale=scale, score_mod=lambda s: s + bias)


def queries_see_each_other(q, k, v, mask=None, *, scale=None):
    y = reference(q, k, v, mask, scale=scale)
    return y + 1e-3 * np.arange(y.shape[-2])[:, None] * y


def float_mask_read_as_bool(q, k, v, mask=None, *, scale=None):
    return reference(q, k, v, None if mask is None else mask.astype(bool), scale=scale)


def bool_mask_read_upside_down(q, k, v, mask=None, *, scale=None):
    return reference(q, k, v, ~mask if mask is not None and mask.dtype == bool else mask, scale=scale)


def empty_row_gets_the_mean(q, k, v, mask=None, *, scale=None):
    y = reference(q, k, v, mask, scale=scale)
    if mask is not None:
        empty = ~(mask if mask.dtype == bool else ~np.isneginf(mask)).any(-1)
        y = np.where(empty[..., None], v.mean(-2, keepdims=True), y)
    return y


def overwrites_the_queries(q, k, v, mask=None, *, scale=None):
    q *= q.shape[-1] ** -0.5 if scale is None else scale
    return reference(q, k, v, mask, scale=1.0)


def always_float64(q, k, v, mask=None, *, scale=None):
    return reference(*(x.astype(float) for x in (q, k, v)), mask, scale=scale)


def soft_causal(q, k, v, mask=None, *, scale=None):
    if mask is not None and mask.dtype == bool:
        mask = np.where(mask, 0.0, -20.0)
    return reference(q, k, v, mask, scale=scale)


def relu_weights(s):
    e = np.maximum(np.where(np.isneginf(s), 0, s), 0) ** 2 + 1e-9 * ~np.isneginf(s)
    return e / e.sum(-1, keepdims=True)


MISTAKES = {
    "weights do not sum to one": (variant(weights=lambda s: stable(s) * 0.9), laws.constants_come_out_unchanged),
    "softmax over the queries": (variant(weights=lambda s: stable(s.mT).mT), laws.constants_come_out_unchanged),
    "signed weights": (variant(weights=lambda s: 2 * stable(s) - 1 / s.shape[-1]), laws.output_is_an_average),
    "squared ReLU in place of exp": (variant(weights=relu_weights), laws.keys_have_no_origin),
    "cosine similarity": (
        variant(
            raw=lambda q, k, c: (
                (q / np.linalg.norm(q, axis=-1, keepdims=True)) @ (k / np.linalg.norm(k, axis=-1, keepdims=True)).mT
            )
        ),
        laws.keys_have_no_origin,
    ),
    "a position leaks in": (positions_leak_in, laws.pair_order_is_irrelevant),
    "queries see each other": (queries_see_each_other, laws.queries_are_strangers),
    "sums over the batch": (
        variant(output=lambda a, v: (a @ v).reshape(-1, a.shape[-2], v.shape[-1]).sum(0)),
        laws.each_axis_has_its_place,
    ),
    "negated distance in place of the dot product": (
        variant(raw=lambda q, k, c: -c * ((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1)),
        laws.only_the_product_matters,
    ),
    "no scale": (variant(root=lambda q, k, v: 1.0), laws.scores_are_divided_by_root_d),
    "divides by d": (variant(root=lambda q, k, v: 1 / q.shape[-1]), laws.scores_are_divided_by_root_d),
    "divides by the root of the number of keys": (
        variant(root=lambda q, k, v: k.shape[-2] ** -0.5),
        laws.scores_are_divided_by_root_d,
    ),
    "divides by the root of the value width": (
        variant(root=lambda q, k, v: v.shape[-1] ** -0.5),
        laws.scores_are_divided_by_root_d,
    ),
    "scales after softmax": (
        variant(raw=lambda q, k, c: q @ k.mT, weights=lambda s: stable(s) * 7**-0.5),
        laws.constants_come_out_unchanged,
    ),
    "ignores a given scale": (
        lambda q, k, v, mask=None, *, scale=None: reference(q, k, v, mask),
        laws.a_given_scale_is_used,
    ),
    "squares the values": (variant(output=lambda a, v: a @ (v * abs(v))), laws.output_is_linear_in_the_values),
    "no maximum subtracted": (
        variant(weights=lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True)),
        laws.large_scores_stay_exact,
    ),
    "scores clipped at 50": (variant(weights=lambda s: stable(np.minimum(s, 50))), laws.large_scores_stay_exact),
    "boolean mask upside down": (bool_mask_read_upside_down, laws.true_means_may_attend),
    "mask applied after softmax": (masked_after_softmax, laws.a_mask_forbids_before_softmax),
    "float mask read as boolean": (float_mask_read_as_bool, laws.a_float_mask_is_added),
    "adds the boolean to the scores": (variant(bool_mask=lambda s, mask: s + mask), laws.true_means_may_attend),
    "fills with −20": (soft_causal, laws.the_future_cannot_reach_the_past),
    "an empty row is NaN": (variant(), laws.nothing_allowed_gives_zero),
    "an empty row gets the mean of the values": (empty_row_gets_the_mean, laws.nothing_allowed_gives_zero),
    "multiplies masked values by zero": (
        lambda q, k, v, mask=None, *, scale=None: core.trace(q, k, v * 0 + 1, mask, scale=scale).weights @ v,
        laws.what_is_masked_cannot_leak,
    ),
    "adds −inf to a NaN score": (
        lambda q, k, v, mask=None, *, scale=None: (
            softmax(core.scores(q, k, scale=scale) + (0 if mask is None else np.where(mask, 0, -np.inf))) @ v
        ),
        laws.what_is_masked_cannot_leak,
    ),
    "overwrites the queries": (overwrites_the_queries, laws.arguments_stay_as_they_were),
    "always float64": (always_float64, laws.floats_keep_their_width),
}


@pytest.mark.parametrize("law", laws.ATTENTION, ids=lambda law: law.__name__)
def test_attention_obeys(law):
    law(core.scaled_dot_product_attention, np.random.default_rng(0))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_caught_by_its_law(mistake):
    attend, law = MISTAKES[mistake]
    with pytest.raises(laws.LawBroken):
        law(attend, np.random.default_rng(0))


def test_every_law_catches_a_mistake():
    named = {law for _, law in MISTAKES.values()}
    assert [law.__name__ for law in laws.ATTENTION if law not in named] == []
