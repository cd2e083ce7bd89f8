"""Exercise 9.4, one step of decoding."""

import numpy as np

from attn import core
from attn.exercises.catalogue.kin import with_scale, with_softmax
from attn.exercises.catalogue.sections import CORNER, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.softmax import softmax


def step(
    q,
    k,
    v,
    old_k,
    old_v,
    *,
    seen=lambda old, new: np.vstack([old, new]),
    kept=lambda old, new: np.vstack([old, new]),
    scale=lambda d, m: d**-0.5,
    key=lambda q, k: k,
    weigh=softmax,
    mixed=lambda a, values: a @ values,
    order=lambda o, k, v: (o, k, v),
    values_scale=False,
    own=None,
):
    """One token's attention over the cache and itself, and the cache that is kept."""
    k = key(q, k)
    keys, values = seen(old_k, k), seen(old_v, v)
    a = weigh(keys @ q * scale(len(v) if values_scale else len(q), len(keys)))
    if own:
        return order(own(q, v, old_k, old_v, keys, values), kept(old_k, k), kept(old_v, v))
    return order(mixed(a, values), kept(old_k, k), kept(old_v, v))


def past(q, old_k, old_v):
    """What the tokens before give alone; zeros where there are none."""
    return softmax(old_k @ q * len(q) ** -0.5) @ old_v if len(old_k) else np.zeros(old_v.shape[1])


def every_output(queries, keys, values):
    """The outputs of several queries."""
    return softmax(queries @ keys.T * keys.shape[1] ** -0.5) @ values


def reference_step(q, k, v, old_k, old_v):
    """The right answer to 9.4."""
    keys, values = np.vstack([old_k, k]), np.vstack([old_v, v])
    return core.scaled_dot_product_attention(q[None], keys, values)[0], keys, values


def old_only(old, new):
    """The cache as it was."""
    return old


def in_front(old, new):
    """The new row first."""
    return np.vstack([new, old])


def over_last(old, new):
    """The last row replaced."""
    return np.vstack([old[:-1], new])


def over_first(old, new):
    """A window that slides: the oldest row dropped."""
    return np.vstack([old[1:], new])


EXERCISE = Exercise(
    "9.4",
    "one step of decoding",
    "Token by token",
    "decode_step(q, k, v, K, V)",
    reference_step,
    step,
    another=(
        """\
def decode_step(q, k, v, K, V):
    K, V = np.r_[K, k[None]], np.r_[V, v[None]]
    s = K @ q / np.sqrt(q.size)
    return np.exp(s - np.logaddexp.reduce(s)) @ V, K, V
""",
        "With one query and no mask it is exercise 1.2 on a cache that has grown by a row.",
    ),
    hints=(
        "The new token may see itself. Is its own key among those you score?",
        "First the new key and value join the cache as its last row; then the query attends to all of it.",
        "Two stacks of rows, an attention with one query and no mask, and a tuple of three.",
    ),
    cases=lambda rng: [
        (
            rng.normal(size=d) * 1.5,
            rng.normal(size=d),
            rng.normal(size=e),
            rng.normal(size=(m, d)),
            rng.normal(size=(m, e)),
        )
        for m, d, e in ((2, 3, 2), (4, 2, 3), (1, 2, 2), (3, 5, 4), (2, 1, 1), (0, 2, 3))
    ],
    misconceptions=(
        wrong(
            "not_itself",
            "The new token does not see itself: its key joins the cache only afterwards.",
            "Causal attention includes the query's own position.",
            seen=old_only,
        ),
        wrong(
            "not_kept",
            "It attends rightly, but hands back the old cache.",
            "The next token needs this one's key and value.",
            kept=old_only,
        ),
        wrong(
            "neither",
            "The new key and value are not used at all.",
            "They are the cache's new last row.",
            seen=old_only,
            kept=old_only,
        ),
        wrong(
            "overwrites_last",
            "The new row takes the place of the last one.",
            "The cache grows by a row.",
            {"kept": over_last},
            seen=over_last,
            kept=over_last,
        ),
        wrong(
            "drops_oldest",
            "The new row pushes out the oldest one.",
            "That is a sliding window; here every token is kept.",
            {"kept": over_first},
            seen=over_first,
            kept=over_first,
        ),
        wrong(
            "in_front",
            "The new row is put in front.",
            "Rows are in the order of the text: the next mask and the positions rely on it.",
            kept=in_front,
        ),
        wrong(
            "only_itself",
            "The query sees its own key only.",
            "It sees the whole cache and itself.",
            seen=lambda old, new: new[None],
        ),
        wrong(
            "top_left",
            "It sees the first key only: a causal mask was laid on with its corner at the top left.",
            "One query with m keys is the last token: it needs no mask at all.",
            seen=lambda old, new: old[:1],
        ),
        wrong(
            "no_scale", "It never divides the scores by √d.", "A score is a sum of d products.", scale=lambda d, m: 1.0
        ),
        wrong(
            "scale_length",
            "It divides by the root of the cache's length.",
            "A score sums over d features.",
            scale=lambda d, m: m**-0.5,
        ),
        wrong(
            "new_only",
            "It hands back the new key and value, not the whole cache.",
            "The cache with its new row is asked for.",
            kept=lambda old, new: new[None],
        ),
        wrong(
            "value_left_out",
            "It scores the new key, but leaves the new value out of the average.",
            "The new token has a weight, so its value counts too.",
            mixed=lambda a, values: a[:-1] @ values[:-1],
        ),
        wrong(
            "query_kept",
            "It puts the query into the cache in place of the key.",
            "Queries ask once and are not kept; what others will look for is the key.",
            key=lambda q, k: q,
        ),
        wrong(
            "residual",
            "It adds the new value to the output.",
            "The output is the weighted average alone.",
            mixed=lambda a, values: a @ values + values[-1],
        ),
        wrong(
            "caches_exchanged",
            "The new V comes before the new K.",
            "The order is output, K, V.",
            order=lambda o, k, v: (o, v, k),
        ),
        wrong(
            "output_only",
            "It returns the output alone, without the cache.",
            "Asked for is (output, new K, new V).",
            order=lambda o, k, v: o,
        ),
        wrong(
            "order",
            "It returns the caches first and the output last.",
            "Whoever unpacks the result expects the output, then K, then V.",
            order=lambda o, k, v: (k, v, o),
        ),
        wrong(
            "empty_is_zero",
            "With an empty cache it returns zeros.",
            "The new token sees itself: with nothing before it, its own value is the answer.",
            mixed=lambda a, values: a @ values if len(values) > 1 else 0 * values[0],
        ),
        wrong(
            "scale_values",
            "It divides by the root of the values' width e.",
            "The scores are sums of d products, the width of the query.",
            values_scale=True,
        ),
        wrong(
            "own_value_added",
            "It adds the token's own value to what the past gives.",
            "Its own key has a share of the same softmax: it competes with those before.",
            dict(own=lambda q, v, k, values, *_: (past(q, k, values) + v) / 2),
            dict(own=lambda q, v, k, values, *_: (past(q, k, values) * len(k) + v) / (len(k) + 1)),
            own=lambda q, v, k, values, *_: past(q, k, values) + v,
        ),
        wrong(
            "every_row",
            "It computes an output for every token of the cache.",
            "One query comes, and one output is asked for: (e,).",
            dict(own=lambda q, v, k, values, *both: every_output(np.vstack([k, q]), *both)),
            dict(own=lambda q, v, k, values, *both: every_output(both[0], *both)),
            mixed=lambda a, values: a[:, None] * values,
        ),
        wrong(
            "flattened",
            "It joins the cache and the new row into one flat row.",
            "np.append without axis=0 flattens; np.vstack puts a row under rows.",
            kept=lambda old, new: np.append(old, new),
        ),
        wrong(
            "bare_first",
            "At the first token it returns a vector in place of a cache of one row.",
            "The cache of one token is a matrix of one row, (1, d).",
            kept=lambda old, new: np.vstack([old, new]) if len(old) else new,
        ),
        wrong(
            "shorter_cache",
            "It keeps the cache in a shorter float.",
            "The cache is kept as it came, to six digits at least.",
            kept=lambda old, new: np.vstack([old, new]).astype(np.float16).astype(float),
        ),
        wrong(
            "reversed_cache",
            "It turns the cache round.",
            "The new token is the last row, behind the old ones in their order.",
            kept=lambda old, new: np.vstack([old, new])[::-1],
        ),
    ),
)
EXERCISE = with_scale(EXERCISE, lambda d, m: d)
EXERCISE = with_softmax(
    EXERCISE, lambda scores: (2 * scores[0], np.eye(4)[3], np.eye(4)[3], np.eye(4)[:3], np.eye(4)[:3]), rows=False
)
EXERCISE = taught(
    EXERCISE,
    {
        CORNER: "top_left",
    },
)
