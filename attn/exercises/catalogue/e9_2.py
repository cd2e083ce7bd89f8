"""Exercise 9.2, grouped-query attention."""

import numpy as np

from attn import heads
from attn.exercises.catalogue.kin import with_roles, with_scale, with_softmax
from attn.exercises.catalogue.sections import REPEAT, SEVERAL, WHY_ROOT, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Stress
from attn.softmax import softmax


def tile(x, h):
    """Key heads in turn: 0 1 0 1."""
    return np.tile(x, (h // len(x), 1, 1))


def repeat(x, h):
    """Each key head for its group: 0 0 1 1."""
    return heads.repeat_kv(x, h // len(x))


def grouped(
    q,
    k,
    v,
    *,
    keys=repeat,
    values=repeat,
    queries=lambda q, g: q,
    scale=lambda q, k: q.shape[-1] ** -0.5,
    by_values=None,
    weigh=softmax,
    average=lambda a, v: a @ v,
    finish=lambda y, g: y,
    whole=None,
):
    """Attention of h query heads over g key–value heads."""
    if whole:
        return whole(q, k, v)
    q = queries(q, len(k))
    return finish(
        average(weigh(q @ keys(k, len(q)).mT * (by_values(v) if by_values else scale(q, k))), values(v, len(q))), len(k)
    )


def first(x, h):
    """Key head 0 for all."""
    return np.repeat(x[:1], h, 0)


def mean(x, h):
    """The mean of all key heads, for all."""
    return np.repeat(x.mean(0, keepdims=True), h, 0)


def pooled(q, g):
    """Each query replaced by its group's mean."""
    mean = q.reshape(g, len(q) // g, *q.shape[1:]).mean(1)
    return repeat(mean, len(q))


def bare(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


EXERCISE = Exercise(
    "9.2",
    "grouped-query attention",
    "Groups of queries",
    "grouped_attention(Q, K, V)",
    heads.grouped_query_attention,
    grouped,
    another=(
        """\
def grouped_attention(Q, K, V):
    g, h = len(K), len(Q)
    S = np.einsum("grnd,gmd->grnm", Q.reshape(g, h // g, *Q.shape[1:]), K) / np.sqrt(Q.shape[2])
    A = np.exp(S - np.logaddexp.reduce(S, axis=-1)[..., None])
    return np.einsum("grnm,gme->grne", A, V).reshape(h, Q.shape[1], -1)
""",
        "Give the queries an axis for their group, and no key or value is copied.",
    ),
    hints=(
        "Which key head do query heads 0 and 1 use, with h = 4 and g = 2?",
        "Give every query head its group's keys and values; then each head attends by itself, as always.",
        "Exercise 9.1 twice, for K and for V, and a batched attention.",
    ),
    cases=lambda rng: [
        tuple(rng.normal(size=s) * 1.5 for s in ((h, n, d), (g, m, d), (g, m, e)))
        for h, g, n, m, d, e in (
            (4, 2, 3, 2, 5, 3),
            (6, 2, 2, 2, 2, 2),
            (6, 3, 2, 3, 4, 2),
            (4, 4, 2, 3, 2, 2),
            (2, 1, 1, 3, 6, 1),
            (2, 2, 2, 1, 1, 1),
        )
    ],
    misconceptions=(
        wrong(
            "tile",
            "It goes through the key–value heads in turn, 0 1 0 1, in place of 0 0 1 1.",
            "Neighbouring query heads share.",
            keys=tile,
            values=tile,
        ),
        wrong(
            "values_tiled",
            "It repeats the keys and tiles the values: weights meet the wrong values.",
            "Keys and values of a group belong together.",
            values=tile,
        ),
        wrong(
            "keys_tiled",
            "It tiles the keys and repeats the values: weights meet the wrong values.",
            "Keys and values of a group belong together.",
            keys=tile,
        ),
        wrong("keys_first", "It uses key head 0 for every query head.", "There are g groups.", keys=first),
        wrong("values_first", "It uses value head 0 for every query head.", "There are g groups.", values=first),
        wrong(
            "multi_query",
            "It uses key–value head 0 for every query head: that is multi-query attention.",
            "There are g groups, each with a head of its own.",
            keys=first,
            values=first,
        ),
        wrong(
            "mean_of_groups",
            "It gives every query head the mean of the key–value heads.",
            "Each group has a key–value head of its own.",
            keys=mean,
            values=mean,
        ),
        wrong(
            "queries_pooled",
            "It averages the queries of each group.",
            "The queries stay apart; only keys and values are shared.",
            queries=pooled,
        ),
        wrong(
            "scale_group",
            "It scales by the size of the group too.",
            "Each score still sums over d features.",
            scale=lambda q, k: (q.shape[-1] * len(q) / len(k)) ** -0.5,
        ),
        wrong(
            "no_scale", "It never divides the scores by √d.", "A score is a sum of d products.", scale=lambda q, k: 1.0
        ),
        wrong(
            "scale_number",
            "It divides by the root of the number of heads.",
            "A score is a sum of d products; how many heads there are plays no part.",
            {"scale": lambda q, k: len(k) ** -0.5},
            scale=lambda q, k: len(q) ** -0.5,
        ),
        wrong(
            "scale_heads",
            "It scales by the root of all heads' width.",
            "Each score sums over one head's d features.",
            scale=lambda q, k: (q.shape[-1] * len(q)) ** -0.5,
        ),
        wrong(
            "merged",
            "It lays the heads side by side at the end.",
            "The heads stay apart here: (h, n, e).",
            finish=lambda y, g: heads.merge(y),
        ),
        wrong(
            "over_queries",
            "It takes the softmax over the queries.",
            "Each query spreads a weight of 1 over the keys.",
            weigh=lambda s: softmax(s, axis=1),
        ),
        wrong(
            "scale_tokens",
            "It divides by the root of the number of keys.",
            "A score sums over d features.",
            scale=lambda q, k: k.shape[1] ** -0.5,
        ),
        wrong(
            "summed",
            "It adds up the heads of each group.",
            "Every query head has an output of its own: (h, n, e).",
            finish=lambda y, g: y.reshape(g, -1, *y.shape[1:]).sum(1),
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Subtract each row's maximum first: no weight changes.",
            weigh=bare,
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for all rows, so in a row far below it every exponential is 0.",
            "Each row of scores has its own maximum.",
            weigh=lambda s: bare(s - s.max()),
        ),
        wrong(
            "scale_values",
            "It divides by the root of the values' width e.",
            "The scores are sums of d products, the width of queries and keys.",
            by_values=lambda v: v.shape[-1] ** -0.5,
        ),
        wrong(
            "over_heads",
            "It takes the softmax over the heads.",
            "Each query of each head spreads a weight of 1 over its keys, the last axis.",
            dict(weigh=lambda s: np.exp(s) / np.exp(s).sum(0)),
            weigh=lambda s: np.exp(s - s.max(0)) / np.exp(s - s.max(0)).sum(0),
        ),
        wrong(
            "all_keys_together",
            "It lets each query head look at the keys of all heads, side by side.",
            "Each query head has one key–value head: that of its group.",
            whole=lambda q, k, v: (
                softmax(q @ np.concatenate(list(k)).T / np.sqrt(q.shape[-1])) @ np.concatenate(list(v))
            ),
        ),
        wrong(
            "group_mean",
            "It averages the queries of each group, and has one head for each group.",
            "All h query heads keep their own queries and outputs.",
            dict(
                whole=lambda q, k, v: (
                    softmax(q.reshape(len(k), -1, *q.shape[1:]).sum(1) @ k.mT / np.sqrt(q.shape[-1])) @ v
                )
            ),
            whole=lambda q, k, v: (
                softmax(q.reshape(len(k), -1, *q.shape[1:]).mean(1) @ k.mT / np.sqrt(q.shape[-1])) @ v
            ),
        ),
        wrong(
            "scale_of_group",
            "It divides the scores by the number of heads in a group, or by its root.",
            "Sharing keys changes no width: √d.",
            scale=lambda q, k: q.shape[-1] ** -0.5 * len(k) / len(q),
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([[[900.0]]]), np.array([[[1.0], [1 - 1 / 1024]]]), np.eye(2)[None])),
        Stress("one_shift", (np.array([[[900.0], [-900.0]]]), np.array([[[1.0], [1 - 1 / 1024]]]), np.eye(2)[None])),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_roles(with_scale(EXERCISE, lambda q, k: q.shape[-1]), matrices=False)
EXERCISE = with_softmax(
    EXERCISE,
    lambda scores: (2 * scores[None], np.eye(4)[None], np.eye(4)[None]),
    but=("keepdims", "keepdims_shift"),  # with heads in front their shapes rarely meet
)
EXERCISE = taught(
    EXERCISE,
    {
        WHY_ROOT: "scale_number scale_heads scale_group scale_of_group",
        SEVERAL: "over_heads merged",
        REPEAT: "tile values_tiled keys_tiled",
    },
)
