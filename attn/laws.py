"""Laws that any correct attention obeys: one examination for this package, for torch's kernels and for your answer.

A law takes an implementation and a generator, and raises LawBroken with one sentence if it finds a violation:

    laws.keys_have_no_origin(attend, np.random.default_rng(0))

attend(q, k, v, mask=None, *, scale=None) takes and returns NumPy arrays, with the contract of
attn.core.scaled_dot_product_attention. tol is for arithmetic, not for logic: 1e-12 suits float64, 1e-5 float32.
This module imports no implementation, so it cannot agree with one by accident.
"""

import numpy as np


class LawBroken(AssertionError):
    """An implementation broke a law; the message says how, with the number that shows it."""


def require(condition, message):
    """Raise LawBroken(message) unless the condition holds."""
    if not condition:
        raise LawBroken(message)


def qkv(rng, n=3, m=5, d=7, e=11):
    """Random q (n, d), k (m, d), v (m, e). Every axis has its own prime, so a swapped axis cannot hide."""
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, e))


def constants_come_out_unchanged(attend, rng, *, tol=1e-12):
    """The weights of a row sum to one: average a constant and you get the constant."""
    q, k, v = qkv(rng)
    same = np.broadcast_to(v[:1], v.shape)
    _close(attend(q, k, same), np.broadcast_to(v[:1], (3, 11)), tol, "averaging equal values changed them")


def output_is_an_average(attend, rng, *, tol=1e-12):
    """No weight is negative: each output lies between the least and the greatest value it averages."""
    q, k, v = qkv(rng)
    y = attend(3 * q, k, v)
    outside = np.maximum(y - v.max(axis=0), v.min(axis=0) - y).max()
    require(outside <= tol, f"an output leaves the range of the values by {outside:.3g}")


def keys_have_no_origin(attend, rng, *, tol=1e-12):
    """Adding one vector to every key shifts each row of scores evenly; softmax drops the shift."""
    q, k, v = qkv(rng)
    _close(attend(q, k + rng.normal(size=7), v), attend(q, k, v), tol, "moving the origin of the keys moved an output")


def pair_order_is_irrelevant(attend, rng, *, tol=1e-12):
    """Keys and values are a set of pairs: shuffling them together changes nothing."""
    q, k, v = qkv(rng)
    order = np.roll(np.arange(5), 2)
    _close(attend(q, k[order], v[order]), attend(q, k, v), tol, "shuffling the key–value pairs moved an output")


def queries_are_strangers(attend, rng, *, tol=1e-12):
    """No query knows of another: shuffling the queries shuffles the rows (equivariance, not invariance)."""
    q, k, v = qkv(rng)
    order = np.array([2, 0, 1])
    _close(attend(q[order], k, v), attend(q, k, v)[order], tol, "shuffling the queries did more than shuffle the rows")


def each_axis_has_its_place(attend, rng, *, tol=1e-12):
    """Scores compare query with key along d; the output has one row a query and the width of the values."""
    q, k, v = qkv(rng)
    y = np.asarray(attend(q, k, v))
    require(y.shape == (3, 11), f"3 queries and values of width 11 gave an output of shape {y.shape}, not (3, 11)")
    y = np.asarray(attend(np.stack([q, -q]), k, v))
    require(y.shape == (2, 3, 11), f"a batch of 2 gave an output of shape {y.shape}, not (2, 3, 11)")
    _close(y[1], attend(-q, k, v), tol, "the second of a batch differs from the same alone")


def only_the_product_matters(attend, rng, *, tol=1e-10):
    """Scores are q·k, so (qR, kR⁻ᵀ) score as (q, k) for any invertible R."""
    q, k, v = qkv(rng)
    r = np.eye(7) + 0.2 * rng.normal(size=(7, 7))
    y = attend(q @ r, k @ np.linalg.inv(r).T, v)
    _close(y, attend(q, k, v), tol, "turning queries and keys against each other moved an output")


def scores_are_divided_by_root_d(attend, rng, *, tol=1e-12):
    """With d = 4, √4 halves log 9: scores 0 and log 3 make weights 1/4 and 3/4, and 3/4 of 4 is 3."""
    q = np.log(9.0) * np.eye(1, 4)
    k, v = np.array([[0.0, 0, 0, 0], [1, 0, 0, 0]]), np.array([[0.0], [4]])
    y = float(np.asarray(attend(q, k, v))[0, 0])
    require(abs(y - 3) <= 10 * tol, f"the hand-worked case gives {y:.4g} in place of 3 (3.6 without the scale)")


def a_given_scale_is_used(attend, rng, *, tol=1e-12):
    """An explicit scale replaces 1/√d: doubling it equals doubling the queries."""
    q, k, v = qkv(rng)
    _close(attend(q, k, v, scale=0.5), attend(2 * q, k, v, scale=0.25), tol, "scale=0.5 is not twice scale=0.25")
    _close(attend(q, k, v, scale=7**-0.5), attend(q, k, v), tol, "scale=1/√d is not the default")


def output_is_linear_in_the_values(attend, rng, *, tol=1e-12):
    """The weights do not look at v, so attention is linear in it."""
    q, k, v = qkv(rng)
    w = rng.normal(size=v.shape)
    y = attend(q, k, 2 * v - 3 * w)
    _close(y, 2 * attend(q, k, v) - 3 * attend(q, k, w), 10 * tol, "the output is not linear in the values")


def large_scores_stay_exact(attend, rng, *, tol=1e-12):
    """Scores of ±16 384 overflow exp, but only differences count: a lead of 1 still makes weights 0.731 and 0.269."""
    q, k = np.array([[128.0], [-128.0]]), np.array([[128.0], [128 - 1 / 128], [-128.0]])
    v = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with np.errstate(all="ignore"):
        y = np.asarray(attend(q, k, v))
    require(np.isfinite(y).all(), "scores of ±16 384 gave a NaN or an inf; the true output is finite")
    lead = 1 / (1 + np.exp(-1.0))
    expected = np.array([lead * v[0] + (1 - lead) * v[1], v[2]])
    _close(y, expected, 10 * tol, "at scores of ±16 384 the weights are wrong")


def true_means_may_attend(attend, rng, *, tol=1e-12):
    """A boolean mask says who may be seen: allow one key, and its value comes out."""
    q, k, v = qkv(rng)
    only = np.arange(5) == np.array([[3], [0], [4]])
    _close(attend(q, k, v, only), v[[3, 0, 4]], tol, "with one key allowed the output is not its value")


def a_mask_forbids_before_softmax(attend, rng, *, tol=1e-12):
    """What is forbidden takes no weight, and what is left sums to one: as if the key were not there."""
    q, k, v = qkv(rng)
    allowed = np.array([True, True, False, True, False])
    y = attend(q, k, v, np.broadcast_to(allowed, (3, 5)))
    _close(y, attend(q, k[allowed], v[allowed]), tol, "forbidding a key is not the same as removing it")


def a_float_mask_is_added(attend, rng, *, tol=1e-12):
    """A float mask is added to the scores: log 2 on a key counts it twice, −inf removes it."""
    q, k, v = qkv(rng)
    twice = np.zeros((3, 5))
    twice[:, 1] = np.log(2)
    y = attend(q, k[[0, 1, 1, 2, 3, 4]], v[[0, 1, 1, 2, 3, 4]])
    _close(attend(q, k, v, twice), y, 10 * tol, "adding log 2 to a key's scores does not count it twice")
    gone = np.zeros((3, 5))
    gone[:, 2] = -np.inf
    y = attend(q, np.delete(k, 2, 0), np.delete(v, 2, 0))
    _close(attend(q, k, v, gone), y, tol, "adding −inf to a key's scores does not remove it")


def the_future_cannot_reach_the_past(attend, rng, *, tol=0.0):
    """Under a causal mask, later keys and values change no earlier output: not by rounding, not at all."""
    q, k, v = rng.normal(size=(5, 7)), *qkv(rng)[1:]
    allowed = np.tri(5, dtype=bool)
    before = np.array(attend(q, k, v, allowed))[:3]
    k, v = k.copy(), v.copy()
    k[3:], v[3:] = 1e3, -1e6
    _close(np.asarray(attend(q, k, v, allowed))[:3], before, tol, "a later token changed an earlier output")


def nothing_allowed_gives_zero(attend, rng, *, tol=0.0):
    """A query that may attend to nothing gets an empty sum, 0; its neighbours notice nothing."""
    q, k, v = qkv(rng)
    allowed = np.ones((3, 5), bool)
    allowed[1] = False
    for mask, kind in ((allowed, "boolean"), (np.where(allowed, 0.0, -np.inf), "−inf")):
        with np.errstate(all="ignore"):
            y = np.asarray(attend(q, k, v, mask))
        require((y[1] == 0).all(), f"a query with nothing allowed ({kind} mask) got {y[1, 0]:.3g} in place of 0")
        _close(y[[0, 2]], attend(q[[0, 2]], k, v), max(tol, 1e-5), "an empty row disturbed its neighbours")


def what_is_masked_cannot_leak(attend, rng, *, tol=1e-12):
    """A NaN or an inf behind the mask reaches nobody: 0 · NaN is NaN, so it must be left out, not multiplied."""
    q, k, v = qkv(rng)
    allowed = np.broadcast_to(np.arange(5) != 2, (3, 5))
    clean = attend(q, k, v, allowed)
    for rot in (np.nan, np.inf):
        for name, place in (("key", 1), ("value", 2)):
            spoilt = [q, k.copy(), v.copy()]
            spoilt[place][2] = rot
            with np.errstate(all="ignore"):
                y = attend(*spoilt, allowed)
            _close(y, clean, tol, f"a masked {name} holding {rot} reached an output")


def arguments_stay_as_they_were(attend, rng, *, tol=0.0):
    """Arguments are borrowed: attention writes into none of them."""
    arguments = [*qkv(rng), np.arange(5) != np.array([[1], [2], [4]])]
    before = [x.copy() for x in arguments]
    attend(*arguments)
    for name, x, old in zip(("q", "k", "v", "mask"), arguments, before, strict=True):
        require(np.array_equal(x, old), f"{name} was modified")


def floats_keep_their_width(attend, rng, *, tol=0.0):
    """float32 in, float32 out; float64 in, float64 out."""
    for width in (np.float32, np.float64):
        y = attend(*(x.astype(width) for x in qkv(rng)))
        require(y.dtype == width, f"{np.dtype(width)} came out as {y.dtype}")


ATTENTION = [
    constants_come_out_unchanged,
    output_is_an_average,
    keys_have_no_origin,
    pair_order_is_irrelevant,
    queries_are_strangers,
    each_axis_has_its_place,
    only_the_product_matters,
    scores_are_divided_by_root_d,
    a_given_scale_is_used,
    output_is_linear_in_the_values,
    large_scores_stay_exact,
    true_means_may_attend,
    a_mask_forbids_before_softmax,
    a_float_mask_is_added,
    the_future_cannot_reach_the_past,
    nothing_allowed_gives_zero,
    what_is_masked_cannot_leak,
    arguments_stay_as_they_were,
    floats_keep_their_width,
]


def gradients_are_slopes(attend, vjp, rng, *, tol=1e-7):
    """Nudge one number and the output moves as its gradient says (central differences)."""
    arguments, d_y = list(qkv(rng)), rng.normal(size=(3, 11))
    allowed = np.arange(5) != np.array([[1], [2], [4]])
    for place, (name, gradient) in enumerate(zip("qkv", vjp(*arguments, d_y, allowed), strict=True)):
        slopes = np.empty_like(arguments[place])
        for entry in np.ndindex(*slopes.shape):
            ends = []
            for step in (1e-6, -1e-6):
                nudged = [x.copy() for x in arguments]
                nudged[place][entry] += step
                ends.append((attend(*nudged, allowed) * d_y).sum())
            slopes[entry] = (ends[0] - ends[1]) / 2e-6
        _close(gradient, slopes, tol, f"d{name} differs from the measured slope")


def key_gradients_sum_to_zero(attend, vjp, rng, *, tol=1e-12):
    """Keys have no origin, so moving them all together changes nothing: their gradients sum to zero."""
    q, k, v = qkv(rng)
    _, dk, _ = vjp(q, k, v, rng.normal(size=(3, 11)))
    _close(dk.sum(axis=0), np.zeros(7), tol, "the gradients of the keys do not sum to zero")


def value_gradients_share_out_the_output_s(attend, vjp, rng, *, tol=1e-12):
    """Each row of weights sums to one, so dv hands on exactly what came in."""
    q, k, v = qkv(rng)
    d_y = rng.normal(size=(3, 11))
    _close(vjp(q, k, v, d_y)[2].sum(axis=0), d_y.sum(axis=0), tol, "dv does not add up to d_output")


def nothing_allowed_gives_zero_gradient(attend, vjp, rng, *, tol=0.0):
    """An empty row's output is the constant 0: nothing flows back through it, and never a NaN."""
    q, k, v = qkv(rng)
    allowed = np.ones((3, 5), bool)
    allowed[1] = False
    d_y = rng.normal(size=(3, 11))
    gradients = vjp(q, k, v, d_y, allowed)
    require((gradients[0][1] == 0).all(), "a query with nothing allowed has a gradient")
    others = vjp(q[[0, 2]], k, v, d_y[[0, 2]])
    for name, got, expected in zip(("dk", "dv"), gradients[1:], others[1:], strict=True):
        _close(got, expected, max(tol, 1e-12), f"an empty row disturbed {name}")


GRADIENT = [
    gradients_are_slopes,
    key_gradients_sum_to_zero,
    value_gradients_share_out_the_output_s,
    nothing_allowed_gives_zero_gradient,
]


# ── memories ────────────────────────────────────────────────────────────────────────────────────────────────
# remember(q, k, v, beta, alpha) -> y takes the gated delta rule's arguments, as attn.memory.recurrent does.


def stream(rng, n=13, d=5, e=3):
    """Random q, k (n, d), v (n, e), β and α (n): unit keys, strengths from 0.2 to 1, decays from 0.6 to 1."""
    q, k, v = rng.normal(size=(n, d)), rng.normal(size=(n, d)), rng.normal(size=(n, e))
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    return q, k, v, rng.uniform(0.2, 1, n), rng.uniform(0.6, 1, n)


def every_write_passes_through_what_follows(remember, rng, *, tol=1e-12):
    """Token j's write reaches token i through one factor α(I − βkᵀk) for every token after j, up to i."""
    q, k, v, beta, alpha = stream(rng)
    expected = np.zeros((13, 3))
    for j in range(13):
        left = beta[j] * np.outer(k[j], v[j])
        for i in range(j, 13):
            if i > j:
                left = alpha[i] * (left - beta[i] * np.outer(k[i], k[i] @ left))
            expected[i] += q[i] @ left
    _close(remember(q, k, v, beta, alpha), expected, tol, "an output is not the sum of the writes that are left")


def a_memory_is_linear_in_the_values(remember, rng, *, tol=1e-12):
    """Where and how strongly it writes does not depend on what it writes."""
    q, k, v, beta, alpha = stream(rng)
    w = rng.normal(size=v.shape)
    y = 2 * remember(q, k, v, beta, alpha) - 3 * remember(q, k, w, beta, alpha)
    _close(remember(q, k, 2 * v - 3 * w, beta, alpha), y, 10 * tol, "the outputs are not linear in the values")


def a_memory_cannot_see_ahead(remember, rng, *, tol=0.0):
    """Later tokens change no earlier output, not by rounding, not at all."""
    q, k, v, beta, alpha = stream(rng)
    before = np.array(remember(q, k, v, beta, alpha))[:7]
    later = np.arange(13)[:, None] >= 7
    changed = np.where(later, -k, k), np.where(later, 1e6, v), np.where(later[:, 0], 0.3, beta)
    y = np.asarray(remember(q, *changed, np.where(later[:, 0], 0.7, alpha)))[:7]
    _close(y, before, tol, "a later token changed an earlier output")


def what_was_written_is_read_back(remember, rng, *, tol=1e-12):
    """With β = 1 and a unit key, asking for the key just written gives its value; keys at right angles keep theirs."""
    k = np.linalg.qr(rng.normal(size=(5, 5)))[0][[0, 1, 0, 2]]
    v, one = rng.normal(size=(4, 3)), np.ones(4)
    _close(remember(k, k, v, one, one), v, tol, "a value just written is not what its key reads")
    asked = k[[0, 0, 1, 1]]
    _close(remember(asked, k, v, one, one)[1:], v[[0, 1, 1]], tol, "a write disturbed a key at right angles to it")


def the_past_reaches_the_future_through_d_rows(remember, rng, *, tol=1e-10):
    """Cut time once: fed the identity as values, the block future × past has rank d at most, for a state has d rows."""
    q, k, _, beta, alpha = stream(rng)
    block = np.asarray(remember(q, k, np.eye(13), beta, alpha))[7:, :7]
    s = np.linalg.svd(block, compute_uv=False)
    require(s[5:].max() <= tol * s[0], f"the block future × past has a singular value {s[5]:.3g} after its 5th")


def no_trace_without_strength(remember, rng, *, tol=1e-12):
    """A token with β = 0 and α = 1 might as well not be there: that is how padding is written."""
    q, k, v, beta, alpha = stream(rng)
    silent = np.isin(np.arange(13), (0, 4, 5, 12))
    y = remember(q, k, v, np.where(silent, 0, beta), np.where(silent, 1, alpha))
    short = remember(*(x[~silent] for x in (q, k, v, beta, alpha)))
    _close(np.asarray(y)[~silent], short, tol, "a token of strength 0 left a trace")


MEMORY = [
    every_write_passes_through_what_follows,
    a_memory_is_linear_in_the_values,
    a_memory_cannot_see_ahead,
    what_was_written_is_read_back,
    the_past_reaches_the_future_through_d_rows,
    no_trace_without_strength,
]


def _close(got, expected, tol, message):
    got, expected = np.asarray(got), np.asarray(expected)
    require(got.shape == expected.shape, f"{message}: shape {got.shape} in place of {expected.shape}")
    gap = np.abs(got - expected).max() if got.size else 0.0
    require(gap <= tol, f"{message}: the largest difference is {gap:.3g}")
