"""Exercise 3.1, the score matrix."""

import numpy as np

from attn import core
from attn.exercises.catalogue.sections import ROLES, SHARES, WHY_ROOT, taught
from attn.exercises.checks.exercise import Exercise, wrong


def scores_model(q, k, *, product=lambda q, k: q @ k.T, finish=lambda s: s):
    """QKᵀ."""
    return finish(product(q, k))


def directions(x):
    """Rows of length 1."""
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def square_table(q, k):
    """A table as wide as there are queries, filled as far as there are keys."""
    s, m = np.zeros((len(q), len(q))), min(len(q), len(k))
    s[:, :m] = q @ k[:m].T
    return s


EXERCISE = Exercise(
    "3.1",
    "the score matrix",
    "One entry, one dot product",
    "scores(Q, K)",
    lambda q, k: core.scores(q, k, scale=1.0),
    scores_model,
    another=(
        """\
def scores(Q, K):
    return np.einsum("nd,md->nm", Q, K)
""",
        "The letters say which axes stay and which is summed; no transpose has to be remembered.",
    ),
    hints=(
        "Which two rows meet in the entry (i, j), and what shape has a table of all such pairs?",
        "Entry (i, j) is the dot product of query i and key j.",
        "One matrix product, with K the other way round.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, d)), rng.normal(size=(m, d)))
        for n, m, d in ((2, 3, 5), (3, 3, 3), (4, 2, 2), (2, 4, 4), (1, 3, 1), (2, 1, 2))
    ],
    misconceptions=(
        wrong(
            "keys_first",
            "It computes KQᵀ, the transpose.",
            "Row i must belong to query i.",
            product=lambda q, k: k @ q.T,
        ),
        wrong(
            "no_transpose",
            "It multiplies Q by K without the transpose.",
            "It runs only where d equals the number of keys, and then sums over the wrong index.",
            product=lambda q, k: q @ k,
        ),
        wrong(
            "features",
            "It computes QᵀK, features by features.",
            "The sum must run over features, so they must be the inner axis.",
            product=lambda q, k: q.T @ k,
        ),
        wrong(
            "elementwise",
            "It multiplies Q and K entry by entry.",
            "Every query meets every key, not only the one in its own row.",
            product=lambda q, k: q * k,
        ),
        wrong(
            "row_by_row",
            "It multiplies each query with the key of its own row only.",
            "Every query meets every key: n·m products.",
            product=lambda q, k: (q * k).sum(-1),
        ),
        wrong(
            "cosine",
            "It uses the cosine between query and key.",
            "Lengths count in a dot product; a long key speaks louder.",
            product=lambda q, k: directions(q) @ directions(k).T,
        ),
        wrong(
            "distance",
            "It uses the distance between query and key in place of their dot product.",
            "A dot product grows with agreement, a distance with disagreement.",
            dict(product=lambda q, k: -((q[:, None] - k) ** 2).sum(-1)),
            dict(product=lambda q, k: np.sqrt(((q[:, None] - k) ** 2).sum(-1))),
            dict(product=lambda q, k: -np.sqrt(((q[:, None] - k) ** 2).sum(-1))),
            dict(product=lambda q, k: ((q[:, None] - k) ** 2).mean(-1)),
            product=lambda q, k: ((q[:, None] - k) ** 2).sum(-1),
        ),
        wrong(
            "queries_only", "It computes QQᵀ.", "The keys have projections of their own.", product=lambda q, k: q @ q.T
        ),
        wrong(
            "absolute",
            "It takes the products without their signs.",
            "A negative score says that query and key disagree.",
            finish=abs,
        ),
        wrong(
            "divided",
            "It divides by d, or takes a mean of the products.",
            "Here the bare sums are asked for.",
            product=lambda q, k: q @ k.T / q.shape[1],
        ),
        wrong("keys_only", "It computes KKᵀ.", "Queries have projections of their own.", product=lambda q, k: k @ k.T),
        wrong(
            "scaled",
            "It divides by √d, which comes in a later exercise.",
            "Here the bare products are asked for.",
            product=lambda q, k: q @ k.T / np.sqrt(q.shape[1]),
        ),
        wrong(
            "softmaxed",
            "It takes the softmax too.",
            "Scores are asked for, not weights.",
            finish=lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True),
        ),
        wrong(
            "not_summed",
            "It multiplies every query with every key and does not add the d products up.",
            "A dot product is a sum over the features: one number for each pair.",
            product=lambda q, k: q[:, None] * k,
        ),
        wrong(
            "reshaped",
            "It turns K round by reshape in place of a transpose, so features of different keys meet.",
            "reshape keeps the order in memory; .T exchanges rows and columns.",
            product=lambda q, k: q @ k.reshape(k.shape[::-1]),
        ),
        wrong(
            "last_feature",
            "It keeps the last feature's product only.",
            "Each score is a sum over all features: is it `+=` in your loop, or `=`?",
            product=lambda q, k: q[:, -1:] * k[:, -1],
        ),
        wrong(
            "feature_lost",
            "It leaves the last feature out of the sum.",
            "range(d) ends at d − 1 by itself; nothing must be taken off.",
            product=lambda q, k: q[:, :-1] @ k[:, :-1].T,
        ),
        wrong(
            "keys_summed",
            "It adds up the scores of each query.",
            "Each query has one score for each key: m of them stay.",
            finish=lambda s: s.sum(1),
        ),
        wrong(
            "wrong_sum",
            "It multiplies every query with every key, and adds up over the tokens.",
            "The sum of a dot product runs over the features, the last axis.",
            dict(product=lambda q, k: (q[:, None] * k).sum(0)),
            product=lambda q, k: (q[:, None] * k).sum(1),
        ),
        wrong(
            "square_only",
            "It runs over as many keys as there are queries.",
            "Queries and keys may differ in number: n rows, m columns.",
            dict(product=lambda q, k: q @ k[: len(q)].T),
            dict(product=square_table),
            dict(product=lambda q, k: np.hstack([q @ k[: len(q)].T, np.zeros((len(q), max(len(k) - len(q), 0)))])),
            product=lambda q, k: (q @ k.T)[:, : len(q)] if len(k) >= len(q) else (q @ k.T)[:, list(range(len(q)))],
        ),
        wrong(
            "centred",
            "It subtracts the mean first: a covariance or a correlation.",
            "A dot product takes the numbers as they are.",
            dict(product=lambda q, k: (q - q.mean(-1, keepdims=True)) @ (k - k.mean(-1, keepdims=True)).T),
            dict(product=lambda q, k: np.corrcoef(q, k)[: len(q), len(q) :]),
            dict(product=lambda q, k: np.cov(q, k)[: len(q), len(q) :]),
            product=lambda q, k: (q - q.mean(0)) @ (k - k.mean(0)).T,
        ),
        wrong(
            "sums_first",
            "It adds up the features of each query and of each key before they meet.",
            "Feature meets feature: the products are added up, not the features.",
            product=lambda q, k: q.sum(1)[:, None] * k.sum(1),
        ),
        wrong(
            "added",
            "It adds queries and keys, or subtracts them, in place of multiplying.",
            "A dot product multiplies feature by feature and adds the products up.",
            dict(product=lambda q, k: (q[:, None] - k).sum(-1)),
            product=lambda q, k: (q[:, None] + k).sum(-1),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        SHARES: "softmaxed",
        ROLES: "queries_only keys_only",
        WHY_ROOT: "scaled divided",
    },
)
