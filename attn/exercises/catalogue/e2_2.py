"""Exercise 2.2, cross-attention."""

import numpy as np

from attn import core
from attn.exercises.catalogue.kin import with_scale, with_softmax
from attn.exercises.catalogue.sections import AVERAGE, FEWER, ROLES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Stress
from attn.softmax import softmax


def cross_model(
    x,
    memory,
    w_q,
    w_k,
    w_v,
    *,
    seek=lambda x, m: x,
    find=lambda x, m: m,
    fetch=lambda x, m: m,
    scale=lambda x, m, w_q, w_v: w_q.shape[1] ** -0.5,
    weigh=softmax,
    asks=lambda w_q, w_k: w_q,
    address=lambda w_q, w_k: w_k,
    worth=lambda w_k, w_v: w_v,
    average=lambda a, k, v: a @ v,
    finish=lambda o, x, w_v: o,
):
    """Cross-attention: what queries, keys and values are made of."""
    q, k = seek(x, memory) @ asks(w_q, w_k), find(x, memory) @ address(w_q, w_k)
    v = fetch(x, memory) @ worth(w_k, w_v)
    return finish(average(weigh(q @ k.T * scale(x, memory, w_q, w_v)), k, v), x, w_v)


def bare(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


def cross_case(rng, n, m, c, d, e):
    """Random X, M and three matrices."""
    return (*(rng.normal(size=(rows, c)) for rows in (n, m)), *(rng.normal(size=(c, w)) for w in (d, d, e)))


def source(which):
    """X or the memory."""
    return (lambda x, m: x) if which == "x" else (lambda x, m: m)


EXERCISE = Exercise(
    "2.2",
    "cross-attention",
    "Somebody asks",
    "cross_attend(X, M, W_Q, W_K, W_V)",
    lambda x, memory, w_q, w_k, w_v: core.scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v),
    cross_model,
    another=(
        """\
def cross_attend(X, M, W_Q, W_K, W_V):
    S = X @ (W_Q @ W_K.T / np.sqrt(W_Q.shape[1])) @ M.T
    A = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    return (A @ M) @ W_V
""",
        "Queries and keys meet only in W_Q W_Kᵀ, and the memory can be averaged before W_V is applied.",
    ),
    hints=(
        "Who asks, and who is looked at? How many rows should the result have?",
        "Queries come from X. Keys and values come from the memory M, both, because an address belongs to its content.",
        "Three projections, then scaled attention as in chapter 1: one output row for each row of X.",
    ),
    cases=lambda rng: [
        cross_case(rng, *sizes)
        for sizes in ((2, 3, 4, 5, 3), (4, 4, 4, 4, 4), (3, 3, 2, 3, 5), (1, 5, 3, 2, 2), (2, 1, 1, 1, 1))
    ],
    misconceptions=(
        wrong(
            "keys_from_x",
            "It makes the keys from X.",
            "Keys are the addresses of what is in the memory M.",
            find=source("x"),
        ),
        wrong(
            "values_from_x", "It makes the values from X.", "What is fetched lies in the memory M.", fetch=source("x")
        ),
        wrong(
            "queries_from_memory", "It makes the queries from the memory.", "X asks the questions.", seek=source("m")
        ),
        wrong(
            "self_attention",
            "It makes all three from X: that is self-attention.",
            "Keys and values come from the memory M.",
            seek=source("x"),
            find=source("x"),
            fetch=source("x"),
        ),
        wrong(
            "exchanged",
            "X and M are exchanged: the memory asks, and X is looked at.",
            "X asks and M answers: one output row for each row of X.",
            seek=source("m"),
            find=source("x"),
            fetch=source("x"),
        ),
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products, whose spread grows as √d.",
            scale=lambda x, m, w_q, w_v: 1.0,
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The standard deviation of a score is √d.",
            scale=lambda x, m, w_q, w_v: 1 / w_q.shape[1],
        ),
        wrong(
            "scale_tokens",
            "It divides by the root of a number of tokens.",
            "The sum in a score runs over d features.",
            {"scale": lambda x, m, w_q, w_v: len(x) ** -0.5},
            scale=lambda x, m, w_q, w_v: len(m) ** -0.5,
        ),
        wrong(
            "over_queries",
            "It takes the softmax over the queries.",
            "Each query spreads a weight of 1 over the memory.",
            weigh=lambda s: softmax(s, axis=0),
        ),
        wrong("no_softmax", "It leaves the softmax out.", "Scores are not weights.", weigh=lambda s: s),
        wrong(
            "both",
            "It looks at X and M together, one under the other.",
            "In cross-attention keys and values come from the memory alone.",
            {"find": lambda x, m: np.vstack([m, x]), "fetch": lambda x, m: np.vstack([m, x])},
            find=lambda x, m: np.vstack([x, m]),
            fetch=lambda x, m: np.vstack([x, m]),
        ),
        wrong(
            "scale_model",
            "It divides by the root of the model's width c, not of the queries' width d.",
            "The products are taken between queries and keys: d counts their terms.",
            scale=lambda x, m, w_q, w_v: x.shape[1] ** -0.5,
        ),
        wrong(
            "scale_values",
            "It divides by the root of the values' width.",
            "The products are taken between queries and keys, of width d.",
            scale=lambda x, m, w_q, w_v: w_v.shape[1] ** -0.5,
        ),
        wrong(
            "keys_from_queries",
            "It makes the keys with W_Q.",
            "Keys have a matrix of their own, W_K.",
            address=lambda w_q, w_k: w_q,
        ),
        wrong(
            "matrices_exchanged",
            "W_Q and W_K have changed places.",
            "What asks goes through W_Q, what is looked at through W_K.",
            asks=lambda w_q, w_k: w_k,
            address=lambda w_q, w_k: w_q,
        ),
        wrong(
            "queries_from_keys",
            "It makes the queries with W_K.",
            "Queries have a matrix of their own, W_Q.",
            asks=lambda w_q, w_k: w_k,
        ),
        wrong(
            "averages_keys",
            "It averages the keys in place of the values.",
            "Keys are addresses; values are what is fetched.",
            {"worth": lambda w_k, w_v: w_k},
            average=lambda a, k, v: a @ k,
        ),
        wrong(
            "returns_weights",
            "It returns the weights and not the average of the values.",
            "The weights say where to look; what is found there is the average of the rows of V.",
            average=lambda a, k, v: a,
        ),
        wrong(
            "plain_mean",
            "It takes the plain mean of the values for every query.",
            "That is the answer of a query that matches all keys alike; here the weights differ.",
            average=lambda a, k, v: np.full(a.shape, 1 / a.shape[-1]) @ v,
        ),
        wrong(
            "memory_not_projected",
            "It averages the rows of M as they are, without W_V.",
            "Values are what W_V makes of the memory.",
            worth=lambda w_k, w_v: np.eye(len(w_v)),
        ),
        wrong(
            "residual",
            "It adds X, or X's own values, to the result.",
            "What is fetched comes from the memory alone.",
            {"finish": lambda o, x, w_v: o + x},
            finish=lambda o, x, w_v: o + x @ w_v,
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for all queries, so in a row far below it every exponential is 0.",
            "Each query has a softmax of its own, with its own maximum.",
            weigh=lambda s: bare(s - s.max()),
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Subtract each row's maximum first: no weight changes.",
            weigh=lambda s: bare(s),
        ),
        wrong(
            "scale_after",
            "It divides by √d after the softmax.",
            "The softmax has then seen the scores unscaled, and its weights no longer sum to 1.",
            scale=lambda x, m, w_q, w_v: 1.0,
            average=lambda a, k, v: a @ v / np.sqrt(k.shape[1]),
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([[30.0]]), np.array([[30.0], [29.0]]), *[np.ones((1, 1))] * 3)),
        Stress("one_shift", (np.array([[30.0], [-30.0]]), np.array([[30.0], [29.0]]), *[np.ones((1, 1))] * 3)),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_scale(EXERCISE, lambda x, memory, w_q, w_v: w_q.shape[1])
EXERCISE = with_softmax(EXERCISE, lambda scores: (2 * scores, *[np.eye(4)] * 4))
EXERCISE = taught(
    EXERCISE,
    {
        AVERAGE: "averages_keys returns_weights plain_mean",
        ROLES: "matrices_exchanged",
        FEWER: "keys_from_queries queries_from_keys",
    },
)
