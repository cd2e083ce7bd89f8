"""Exercise 1.2, one query by hand."""

import numpy as np

from attn import core
from attn.exercises.catalogue.kin import with_scale, with_softmax
from attn.exercises.catalogue.sections import AVERAGE, ROOT, SCORES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Stress, never
from attn.softmax import softmax


def one_query(
    q,
    k,
    v,
    *,
    dot=lambda q, k: k @ q,
    scale=lambda q, k, v: q.size**-0.5,
    weigh=softmax,
    after=lambda q: 1.0,
    average=lambda a, q, k, v: a @ v,
):
    """softmax(K q / √d) V for one query, each step a choice."""
    a = weigh(dot(q, k) * scale(q, k, v)) * after(q)
    return average(a, q, k, v)


def naive(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum()


EXERCISE = Exercise(
    "1.2",
    "one query by hand",
    "Values: the weighted average",
    "answer_query(q, K, V)",
    lambda q, k, v: core.scaled_dot_product_attention(q[None], k, v)[0],
    one_query,
    another=(
        """\
def answer_query(q, K, V):
    s = np.einsum("d,md->m", q, K) / np.sqrt(q.size)
    a = np.exp(s - np.logaddexp.reduce(s))
    return np.einsum("m,me->e", a, V)
""",
        "exp(s − log Σ exp) is the softmax without a division, and no exponent is above 0.",
    ),
    hints=(
        "What do the m weights of one query sum to, and what do you multiply them by?",
        "Score the query against every key, over √d; make the scores weights; average the rows of V with them.",
        "A product of K with q gives m scores; a softmax; a product of the weights with V.",
    ),
    cases=lambda rng: [
        (rng.normal(size=d) * 1.5, rng.normal(size=(m, d)), rng.normal(size=(m, e)))
        for m, d, e in ((3, 5, 2), (4, 4, 4), (2, 7, 3), (5, 2, 2), (3, 3, 3), (1, 2, 1))
    ],
    misconceptions=(
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products; √d brings its spread back to 1.",
            scale=lambda q, k, v: 1.0,
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The variance of a score is d, so its standard deviation is √d.",
            scale=lambda q, k, v: 1 / q.size,
        ),
        wrong(
            "scale_keys",
            "It divides by the root of the number of keys.",
            "The sum in a score runs over d features. More keys do not make a score larger.",
            scale=lambda q, k, v: len(k) ** -0.5,
        ),
        wrong(
            "scale_after",
            "It divides by √d after the softmax.",
            "The softmax has then seen the scores unscaled, and its weights no longer sum to 1.",
            scale=lambda q, k, v: 1.0,
            after=lambda q: q.size**-0.5,
        ),
        wrong(
            "no_softmax",
            "It averages with the raw scores: there is no softmax.",
            "Scores may be negative and sum to anything; weights are positive and sum to 1.",
            weigh=lambda s: s,
        ),
        wrong(
            "no_exp",
            "It divides the scores by their sum, without the exponential.",
            "Scores may be negative and may sum to 0; exp makes every weight positive.",
            {"weigh": lambda s: s / abs(s).sum()},
            weigh=lambda s: s / s.sum(),
        ),
        wrong(
            "not_divided",
            "It takes exponentials and never divides by their sum.",
            "Weights must sum to 1, or the output is no average.",
            {"weigh": lambda s: np.exp(s - s.max())},
            weigh=np.exp,
        ),
        wrong(
            "hard",
            "It returns the value of the best key alone.",
            "Softmax is soft: every key has some weight.",
            weigh=lambda s: np.eye(len(s))[s.argmax()],
        ),
        wrong(
            "returns_weights",
            "It returns the weights and not the average of the values.",
            "The weights say where to look; what is found there is the average of the rows of V.",
            average=lambda a, q, k, v: a,
        ),
        wrong(
            "averages_keys",
            "It averages the keys in place of the values.",
            "Keys are addresses; values are what is fetched.",
            average=lambda a, q, k, v: a @ k,
        ),
        wrong(
            "sums_up",
            "It adds the values up without weights.",
            "Each row of V counts with its weight.",
            average=lambda a, q, k, v: v.sum(0),
        ),
        wrong(
            "plain_mean",
            "It takes the plain mean of the values.",
            "That is the answer of a query that matches all keys alike; here the weights differ.",
            average=lambda a, q, k, v: v.mean(0),
        ),
        wrong(
            "divided_again",
            "It divides the weighted sum by the number of keys.",
            "The weights sum to 1 already: they are the division.",
            average=lambda a, q, k, v: a @ v / len(v),
        ),
        wrong(
            "distance",
            "It scores by how near key and query are, not by their product.",
            "A score is a dot product; lengths count in it.",
            {"dot": lambda q, k: -((k - q) ** 2).sum(-1)},
            {"dot": lambda q, k: np.linalg.norm(k - q, axis=-1)},
            dot=lambda q, k: -np.linalg.norm(k - q, axis=-1),
        ),
        wrong(
            "not_summed",
            "It returns the weighted values one by one and does not add them up.",
            "One query has one answer, of width e: the sum of the weighted rows.",
            average=lambda a, q, k, v: a[:, None] * v,
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Subtract the largest score first: no weight changes.",
            weigh=naive,
        ),
        wrong(
            "scale_values",
            "It divides by the root of the values' width.",
            "A score sums over the d features of query and key; the width of V plays no part.",
            scale=lambda q, k, v: v.shape[1] ** -0.5,
        ),
        wrong(
            "scale_inverse",
            "It multiplies the scores by √d in place of dividing.",
            "That spreads them further apart: nearly all weight falls on one key.",
            scale=lambda q, k, v: q.size**0.5,
        ),
        wrong(
            "cosine",
            "It uses the cosine between query and key in place of their product over √d.",
            "Lengths count: a long key speaks louder.",
            dot=lambda q, k: k @ q / np.linalg.norm(k, axis=1) / np.linalg.norm(q),
            scale=lambda q, k, v: 1.0,
        ),
        wrong(
            "sizes",
            "It takes the size of each score without its sign.",
            "A score of −3 is a poor match; |−3| makes it a good one.",
            dot=lambda q, k: abs(k @ q),
        ),
        wrong(
            "nan_hidden",
            "It overflows for large scores, and then writes 0 over the NaN.",
            "A weight is lost. Subtract the largest score first, and no NaN arises.",
            weigh=lambda s: np.nan_to_num(naive(s)),
        ),
        wrong(
            "clipped",
            "It cuts large scores off, so scores that differ get the same weight.",
            "A shift by the maximum changes no weight; a cut does.",
            {"weigh": lambda s: softmax(np.clip(s, -100, 100))},
            {"weigh": lambda s: softmax(np.clip(s, -500, 500))},
            {"weigh": lambda s: softmax(np.clip(s, -700, 700))},
            weigh=lambda s: softmax(np.clip(s, -50, 50)),
        ),
        wrong(
            "last_key_lost",
            "It leaves the last key out of the average.",
            "range(m) ends at m − 1 by itself; nothing must be taken off.",
            average=lambda a, q, k, v: a[:-1] @ v[:-1],
        ),
        wrong(
            "first_key_lost",
            "It leaves the first key out of the average.",
            "Rows are counted from 0.",
            average=lambda a, q, k, v: a[1:] @ v[1:],
        ),
        wrong(
            "adds_features",
            "It adds the features of the answer up too: one number.",
            "The sum runs over the keys alone; the answer is as wide as V.",
            dict(average=lambda a, q, k, v: a * v.sum(1)),
            average=lambda a, q, k, v: (a @ v).sum(),
        ),
        wrong(
            "keys_transposed",
            "It multiplies Kᵀ by q: features of keys meet keys.",
            "It runs only where K is square. Each row of K meets q: K @ q.",
            dot=lambda q, k: k.T @ q,
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([900.0]), np.array([[1.0], [2.0]]), np.eye(2))),
        Stress("nan_hidden", (np.array([-900.0]), np.array([[1.0], [2.0]]), np.eye(2)), when=never),
        Stress("no_shift", (np.array([2000.0]), np.array([[-1.0], [1023 / 1024], [1.0]]), np.eye(3))),
        Stress("clipped", (np.array([1000.0]), np.array([[1.0], [1 + 1 / 1024]]), np.eye(2)), when=never),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_scale(EXERCISE, lambda q, k, v: q.size)
EXERCISE = with_softmax(EXERCISE, lambda scores: (2 * scores[0], np.eye(4), np.eye(4)), rows=False)
EXERCISE = taught(
    EXERCISE,
    {
        ROOT: "no_scale scale_d scale_keys scale_after scale_values scale_inverse scale_square scale_half "
        "scale_times_d scale_constant whole_root",
        SCORES: "cosine distance",
        AVERAGE: "returns_weights averages_keys plain_mean divided_again not_summed",
    },
)
