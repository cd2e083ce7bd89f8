"""A law that catches nothing proves nothing: common mistakes meet their law, and each law one that only it catches."""

import numpy as np
import pytest

from attn import block, core, flash, grads, heads, laws, masks, memory
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


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_common_mistake_is_caught_by_its_law(mistake):
    attend, law = MISTAKES[mistake]
    with pytest.raises(laws.LawBroken):
        law(attend, np.random.default_rng(0))


# ── one mistake that only one law catches ───────────────────────────────────────────────────────────────────
# Such a mistake is rare in life and hard to make: it must be right wherever the other eighteen look.


def elsewhere(wrong):
    """Wrong only in unmasked calls with five keys: where most laws compare like with like."""

    def attend(q, k, v, mask=None, *, scale=None):
        chosen = wrong if mask is None and k.shape[-2] == 5 else reference
        return chosen(q, k, v, mask, scale=scale)

    return attend


def with_bias(bias):
    """Scores moved by bias(k, v), a ten-millionth of it: above rounding, below what a tolerance of 1e-5 forgives."""
    return elsewhere(
        lambda q, k, v, mask=None, *, scale=None: core.scaled_dot_product_attention(
            q, k, v, mask, scale=scale, score_mod=lambda s: s + 1e-7 * bias(k, v)[..., None, :]
        )
    )


def spread(x):
    return ((x - x.mean(-2, keepdims=True)) ** 2).sum(-1)


def in_long_rows(weigh):
    """Weights made otherwise where a row sees more than three keys; μ is what a mask multiplies each weight by."""

    def attend(q, k, v, mask=None, *, scale=None):
        t = core.trace(q, k, v, mask, scale=scale)
        raw = np.where(np.isneginf(t.scores), 0, np.nan_to_num(t.raw, posinf=0))
        mu = np.exp(np.where(np.isneginf(t.scores), -np.inf, t.scores - raw))
        long = (mu > 0).sum(-1, keepdims=True) > 3
        return core.weighted_sum(np.where(long, weigh(t.weights, raw, mu), t.weights), v, ~np.isneginf(t.scores))

    return attend


def polynomial(a, raw, mu):
    w = mu * (raw**2 + 1e-3)
    return w / np.maximum(w.sum(-1, keepdims=True), 1e-300)


def extrapolated(a, raw, mu):
    return a * (1 + 2 * (raw - (a * raw).sum(-1, keepdims=True)))


def mixes_rows(q, k, v, mask=None, *, scale=None):
    y = reference(q, k, v, mask, scale=scale)
    y[..., 1:, :] += 1e-7 * (y[..., :-1, :] - y[..., 1:, :])
    return y


def first_of_the_batch(q, k, v, mask=None, *, scale=None):
    return reference(q[:1] + 0 * q if q.ndim == 3 else q, k, v, mask, scale=scale)


def root_of_seven(q, k, v, mask=None, *, scale=None):
    usual = 1 if q.shape[-1] == 1 else 7**-0.5
    return reference(q, k, v, mask, scale=usual if scale is None else scale)


def scores_clipped(q, k, v, mask=None, *, scale=None):
    return core.scaled_dot_product_attention(q, k, v, mask, scale=scale, score_mod=lambda s: np.minimum(s, 50))


def a_lonely_key_is_lost(q, k, v, mask=None, *, scale=None):
    y = reference(q, k, v, mask, scale=scale)
    return y if mask is None or mask.dtype != bool else np.where(mask.sum(-1, keepdims=True) == 1, 0, y)


def padding_after_softmax(q, k, v, mask=None, *, scale=None):
    if mask is None or mask.dtype != bool or (mask != mask[:1]).any() or mask[0].sum() > 3:
        return reference(q, k, v, mask, scale=scale)
    return (core.trace(q, k, v, scale=scale).weights * mask) @ v


def only_minus_infinity_counts(q, k, v, mask=None, *, scale=None):
    if mask is not None and mask.dtype != bool:
        mask = ~np.isneginf(mask)
    return reference(q, k, v, mask, scale=scale)


def maximum_over_the_forbidden(q, k, v, mask=None, *, scale=None):
    t = core.trace(q, k, v, mask, scale=scale)
    top = np.where(np.isfinite(t.raw), t.raw, -np.inf).max(-1, keepdims=True)
    e = np.exp(np.where(np.isneginf(t.scores), -np.inf, t.scores - top))
    total = e.sum(-1, keepdims=True)
    return core.weighted_sum(e / np.where(total == 0, 1, total), v, ~np.isneginf(t.scores))


def zero_times_what_is_masked(q, k, v, mask=None, *, scale=None):
    return core.trace(q, k, v * 0 + 1, mask, scale=scale).weights @ v


def uses_the_mask_as_a_notebook(q, k, v, mask=None, *, scale=None):
    y = reference(q, k, v, mask, scale=scale)
    if mask is not None and mask.flags.writeable and mask.shape == (3, 5):
        mask[...] = True
    return y


ONLY = {
    laws.constants_come_out_unchanged: in_long_rows(lambda a, raw, mu: 0.99 * a),
    laws.output_is_an_average: in_long_rows(extrapolated),
    laws.keys_have_no_origin: in_long_rows(polynomial),
    laws.pair_order_is_irrelevant: with_bias(lambda k, v: np.arange(5.0)),
    laws.queries_are_strangers: elsewhere(mixes_rows),
    laws.each_axis_has_its_place: first_of_the_batch,
    laws.only_the_product_matters: with_bias(lambda k, v: spread(k)),
    laws.scores_are_divided_by_root_d: root_of_seven,
    laws.a_given_scale_is_used: lambda q, k, v, mask=None, *, scale=None: reference(q, k, v, mask),
    laws.output_is_linear_in_the_values: with_bias(lambda k, v: spread(v)),
    laws.large_scores_stay_exact: scores_clipped,
    laws.true_means_may_attend: a_lonely_key_is_lost,
    laws.a_mask_forbids_before_softmax: padding_after_softmax,
    laws.a_float_mask_is_added: only_minus_infinity_counts,
    laws.the_future_cannot_reach_the_past: maximum_over_the_forbidden,
    laws.nothing_allowed_gives_zero: empty_row_gets_the_mean,
    laws.what_is_masked_cannot_leak: zero_times_what_is_masked,
    laws.arguments_stay_as_they_were: uses_the_mask_as_a_notebook,
    laws.floats_keep_their_width: always_float64,
}


def spoilt(which, wrong, *, masked=False):
    """attention_vjp with one of its gradients exchanged, in unmasked calls of three queries or in masked ones."""

    def vjp(q, k, v, d_y, mask=None):
        found = list(grads.attention_vjp(q, k, v, d_y, mask))
        if masked if mask is not None else (len(q) == 3 and not masked):
            found[which] = wrong(found[which], mask)
        return found

    return vjp


ONLY_GRADIENT = {
    laws.gradients_are_slopes: spoilt(0, lambda d_q, mask: 1.01 * d_q, masked=True),
    laws.key_gradients_sum_to_zero: spoilt(1, lambda d_k, mask: d_k + 1e-3),
    laws.value_gradients_share_out_the_output_s: spoilt(2, lambda d_v, mask: 1.01 * d_v),
    laws.nothing_allowed_gives_zero_gradient: spoilt(
        0, lambda d_q, mask: np.where(mask.any(-1, keepdims=True), d_q, np.nan), masked=True
    ),
}


def remembering(change=lambda q, k, v, beta, alpha: (q, k, v, beta, alpha), after=lambda y, v: y):
    """The gated delta rule with its arguments or its outputs exchanged."""

    def remember(*given):
        q, k, v, beta, alpha = change(*given)
        return after(memory.recurrent(q, k, v, beta=beta, alpha=alpha)[0], v)

    return remember


def sees_a_little_ahead(y, v):
    return y + 1e-14 * (v.sum(0) - v.cumsum(0))


def adds_at_full_strength(q, k, v, beta, alpha):
    return memory.recurrent(q, k, v, beta=beta, alpha=alpha, erase=not (beta == 1).all())[0]


def keeps_wide_values(q, k, v, beta, alpha):
    if v.shape[1] > k.shape[1]:
        return core.scaled_dot_product_attention(q, k, v, masks.causal(len(k)))
    return memory.recurrent(q, k, v, beta=beta, alpha=alpha)[0]


ONLY_MEMORY = {
    laws.every_write_passes_through_what_follows: remembering(lambda q, k, v, beta, alpha: (q, k, v, beta, alpha**2)),
    laws.a_memory_is_linear_in_the_values: remembering(
        lambda q, k, v, beta, alpha: (q, k, np.where(v > 1e5, v, v.clip(-4, 4)), beta, alpha)
    ),
    laws.a_memory_cannot_see_ahead: remembering(after=sees_a_little_ahead),
    laws.what_was_written_is_read_back: adds_at_full_strength,
    laws.the_past_reaches_the_future_through_d_rows: keeps_wide_values,
    laws.no_trace_without_strength: remembering(lambda q, k, v, beta, alpha: (q, k, v, np.maximum(beta, 0.1), alpha)),
}
FAMILIES = [(laws.ATTENTION, ONLY), (laws.GRADIENT, ONLY_GRADIENT), (laws.MEMORY, ONLY_MEMORY)]


def breaks(law, wrong):
    """Whether a law catches a wrong attention, a wrong backward pass or a wrong memory."""
    arguments = (reference, wrong) if law in laws.GRADIENT else (wrong,)
    try:
        law(*arguments, np.random.default_rng(0))
    except laws.LawBroken:
        return True
    return False


@pytest.mark.parametrize(
    ("family", "law", "wrong"),
    [(family, law, only.get(law)) for family, only in FAMILIES for law in family],
    ids=lambda x: getattr(x, "__name__", "") if x in laws.ATTENTION + laws.GRADIENT + laws.MEMORY else "",
)
def test_each_law_catches_what_no_other_law_does(family, law, wrong):
    caught = [other.__name__ for other in family if breaks(other, wrong)]
    assert caught == [law.__name__]


# ── who must obey ───────────────────────────────────────────────────────────────────────────────────────────


def in_tiles(size):
    return lambda q, k, v, mask=None, *, scale=None: flash.flash_attention(q, k, v, mask, scale=scale, block=size)


def in_a_group(q, k, v, mask=None, *, scale=None):
    """The second of three query heads that share one head of keys; the others ask something else."""
    asked = np.stack([-q, q, 2 * q], axis=-3)
    return heads.grouped_query_attention(asked, k[..., None, :, :], v[..., None, :, :], mask, scale=scale)[..., 1, :, :]


def in_a_block(q, k, v, mask=None, *, scale=None):
    """Attention inside a pre-norm block: the tokens are queries and keys in turn, each beside its negative.

    A row with mean 0 passes layer_norm as it is if ε is huge and the gain its root; the feed-forward layer is 0.
    """
    (n, d), (m, e) = q.shape[-2:], v.shape[-2:]
    q = q if scale is None else q * q.dtype.type(scale * d**0.5)
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    told = np.zeros((*lead, n + m, 2 * (2 * d + 2 * e)), np.result_type(q, k, v))
    told[..., :n, :d], told[..., n:, d : 2 * d], told[..., n:, 2 * d : 2 * d + e] = q, k, v
    half = told.shape[-1] // 2
    told[..., half:] = -told[..., :half]
    pick = np.eye(told.shape[-1], dtype=told.dtype)
    w_q, w_k, w_v = pick[:, :d], pick[:, d : 2 * d], pick[:, 2 * d : 2 * d + e]
    answer = slice(2 * d + e, half)
    nothing = np.zeros((told.shape[-1], 1), told.dtype)
    gain = np.full(told.shape[-1], 1e15, told.dtype)
    weights = block.BlockWeights(w_q, w_k, w_v, pick[answer], nothing, nothing.T, gain_1=gain)
    everyone = np.zeros((*lead, n + m, n + m), bool if mask is None or mask.dtype == bool else mask.dtype)
    everyone[...] = False if everyone.dtype == bool else -np.inf
    everyone[..., :n, n:] = (True if everyone.dtype == bool else 0) if mask is None else mask
    y = block.pre_norm_block(told, weights, heads=1, mask=everyone[..., None, :, :], eps=1e30)
    return y[..., :n, answer]


SUBJECTS = {
    "core": reference,
    "flash": in_tiles(None),
    "flash in tiles": in_tiles((2, 3)),
    "grouped heads": in_a_group,
    "inside a block": in_a_block,
}


@pytest.mark.parametrize("law", laws.ATTENTION, ids=lambda law: law.__name__)
def test_every_attention_obeys(law):
    for attend in SUBJECTS.values():
        law(attend, np.random.default_rng(0))


@pytest.mark.parametrize("law", laws.GRADIENT, ids=lambda law: law.__name__)
def test_the_backward_pass_obeys(law):
    law(reference, grads.attention_vjp, np.random.default_rng(0))
