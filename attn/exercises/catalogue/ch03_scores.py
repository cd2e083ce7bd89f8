"""Chapter 3, continued: the scores as products, as a sum of outer products, their spread and their rank."""

import numpy as np

from attn import core
from attn.exercises.engine import Exercise, settled_on, wrong


def scores_model(q, k, *, product=lambda q, k: q @ k.T, finish=lambda s: s):
    """QKᵀ."""
    return finish(product(q, k))


def directions(x):
    """Rows of length 1."""
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


SCORES = Exercise(
    "3.1", "the score matrix", "One entry, one dot product", "scores(Q, K)",
    lambda q, k: core.scores(q, k, scale=1.0), scores_model,
    hints=(
        "Which two rows meet in the entry (i, j), and what shape has a table of all such pairs?",
        "Entry (i, j) is the dot product of query i and key j.",
        "One matrix product, with K the other way round.",
    ),
    cases=lambda rng: [(rng.normal(size=(n, d)), rng.normal(size=(m, d))) for n, m, d in ((2, 3, 5), (3, 3, 3),
    (4, 2, 2), (2, 4, 4))],
    misconceptions=(
        wrong("keys_first", "It computes KQᵀ, the transpose.", "Row i must belong to query i.",
              product=lambda q, k: k @ q.T),
        wrong("no_transpose", "It multiplies Q by K without the transpose.",
              "It runs only where d equals the number of keys, and then sums over the wrong index.",
              product=lambda q, k: q @ k),
        wrong("features", "It computes QᵀK, features by features.",
              "The sum must run over features, so they must be the inner axis.", product=lambda q, k: q.T @ k),
        wrong("elementwise", "It multiplies Q and K entry by entry.",
              "Every query meets every key, not only the one in its own row.", product=lambda q, k: q * k),
        wrong("row_by_row", "It multiplies each query with the key of its own row only.",
              "Every query meets every key: n·m products.", product=lambda q, k: (q * k).sum(-1)),
        wrong("cosine", "It uses the cosine between query and key.",
              "Lengths count in a dot product; a long key speaks louder.",
              product=lambda q, k: directions(q) @ directions(k).T),
        wrong("distance", "It uses the squared distance in place of the dot product.",
              "A dot product grows with agreement, a distance with disagreement.",
              product=lambda q, k: ((q[:, None] - k) ** 2).sum(-1)),
        wrong("queries_only", "It computes QQᵀ.", "The keys have projections of their own.", product=lambda q,
              k: q @ q.T),
        wrong("scaled", "It divides by √d, which comes in a later exercise.",
              "Here the bare products are asked for.", product=lambda q, k: q @ k.T / np.sqrt(q.shape[1])),
        wrong("softmaxed", "It takes the softmax too.", "Scores are asked for, not weights.",
              finish=lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True)),
        wrong("not_summed", "It multiplies every query with every key and does not add the d products up.",
              "A dot product is a sum over the features: one number for each pair.",
              product=lambda q, k: q[:, None] * k),
        wrong("reshaped", "It turns K round by reshape in place of a transpose, so features of different keys meet.",
              "reshape keeps the order in memory; .T exchanges rows and columns.",
              product=lambda q, k: q @ k.reshape(k.shape[::-1])),
        wrong("last_feature", "It keeps the last feature's product only.",
              "Each score is a sum over all features: is it `+=` in your loop, or `=`?",
              product=lambda q, k: q[:, -1:] * k[:, -1]),
        wrong("feature_lost", "It leaves the last feature out of the sum.",
              "range(d) ends at d − 1 by itself; nothing must be taken off.",
              product=lambda q, k: q[:, :-1] @ k[:, :-1].T),
    ),
)  # fmt: skip


def outer_model(q, k, *, term=lambda q, k: q.T[:, :, None] * k.T[:, None, :], gather=lambda t: t):
    """The d terms q_t k_tᵀ, one for each feature."""
    return gather(term(q, k))


OUTER = Exercise(
    "3.2", "scores as a sum of outer products", "A sum of outer products", "score_terms(Q, K)",
    lambda q, k: np.einsum("nd,md->dnm", q, k), outer_model,
    hints=(
        "Take one feature t alone. What does it add to every score?",
        "Feature t adds Q[i, t] · K[j, t] to the entry (i, j): an outer product of two columns.",
        "A stack of d matrices, each an outer product; their sum is QKᵀ.",
    ),
    cases=lambda rng: [(rng.normal(size=(n, d)), rng.normal(size=(m, d))) for n, m, d in ((2, 3, 4), (3, 3, 3),
    (4, 2, 5))],
    misconceptions=(
        wrong("over_tokens", "It takes outer products of rows: one for each token in place of one for each feature.",
              "A row of Q is one token. What is summed in a score are the features, the columns.",
              term=lambda q, k: q[:, :, None] * k[:, None, :]),
        wrong("keys_first", "It takes k_t q_tᵀ: every term is transposed.", "Rows belong to queries.",
              term=lambda q, k: k.T[:, :, None] * q.T[:, None, :]),
        wrong("summed", "It returns the sum of the terms.", "Here the d terms are asked for one by one: (d, n, m).",
              gather=lambda t: t.sum(0)),
        wrong("mean", "It returns the mean of the terms.", "The terms are asked for one by one, and they sum to QKᵀ.",
              gather=lambda t: t.mean(0)),
        wrong("last_only", "It returns the last term alone.", "There is a term for each of the d features.",
              gather=lambda t: t[-1]),
        wrong("first_only", "It returns the first term alone.", "There is a term for each of the d features.",
              gather=lambda t: t[0]),
        wrong("features_last", "The feature axis comes last, (n, m, d).", "A stack of matrices has its index first.",
              gather=lambda t: np.moveaxis(t, 0, -1)),
        wrong("running", "It returns running sums of the terms.", "Each term alone is asked for.",
              gather=lambda t: t.cumsum(0)),
        wrong("reshaped", "It brings the feature axis to the front by reshape, so numbers change places.",
              "reshape keeps the order in memory; np.moveaxis or transpose moves an axis.",
              term=lambda q, k: (q[:, None] * k).reshape(q.shape[1], len(q), len(k))),
        wrong("scaled", "It divides by √d, which comes in a later exercise.", "Here the bare terms are asked for.",
              gather=lambda t: t * len(t) ** -0.5),
        wrong("divided", "It divides every term by d.", "The terms sum to QKᵀ as they are.",
              gather=lambda t: t / len(t)),
        wrong("first_lost", "It leaves the first feature out.", "Features are counted from 0: range(d).",
              gather=lambda t: t[1:]),
        wrong("last_lost", "It leaves the last feature out.", "range(d) ends at d − 1 by itself.",
              gather=lambda t: t[:-1]),
    ),
    invariants=(("The terms do not sum to QKᵀ.",
                 lambda arguments, t: np.allclose(t.sum(0), arguments[0] @ arguments[1].T)),),
)  # fmt: skip

SPREAD = Exercise(
    "3.4", "the spread of a score", "Why √d", "spread", lambda: 8.0, settled_on(8.0),
    hints=(
        "What is the variance of one product of two independent numbers with mean 0 and variance 1?",
        "Variances of independent terms add up. The standard deviation is the root of their sum.",
        "A root of the number of terms.",
    ),
    misconceptions=(
        wrong("variance", "It gives the variance in place of the standard deviation.",
              "64 products of variance 1 sum to a variance of 64; the standard deviation is its root.", value=64.0),
        wrong("one", "It takes the spread of one product for the spread of their sum.",
              "Each product has variance 1, and there are 64 of them.", value=1.0),
        wrong("inverse", "It gives the factor that repairs the spread, not the spread itself.",
              "Scores are divided by the standard deviation: this is its inverse.", value=1 / 8),
        wrong("both_factors", "It counts the variances of q and of k for each product and adds them.",
              "The variance of a product of independent numbers with mean 0 is the product of the variances, 1·1.",
              value=np.sqrt(128.0)),
        wrong("squared", "It squares the variance.", "Variances add up once: 64, and a root follows.", value=4096.0),
        wrong("fourth_root", "It takes the root once too often.", "One root leads from variance to standard "
              "deviation.",
              value=np.sqrt(8.0)),
        wrong("halved", "It halves d first.", "All 64 products count.", {"value": 32.0}, value=np.sqrt(32.0)),
    ),
)  # fmt: skip

RANK = Exercise(
    "3.5", "the rank of the score matrix", "Rank at most d", "rank", lambda: 64, settled_on(64),
    hints=(
        "QKᵀ is a sum of outer products. How many, and what is the rank of each?",
        "The rank of a sum is at most the sum of the ranks, and never more than the number of rows.",
        "The smallest of three numbers.",
    ),
    misconceptions=(
        wrong("tokens", "It takes the number of tokens: a matrix of that size has that rank at most, but this one "
              "is a product.",
              "QKᵀ is the product of an n × d and a d × m matrix; all goes through d.", value=1000),
        wrong("keys", "It takes the number of keys.", "All goes through d features, which are fewer.", value=2000),
        wrong("model", "It takes the model's width.", "A head sees d features, not all c.", value=768),
        wrong("square", "It multiplies d by d.", "A product of thin matrices has the rank of the thinner one at "
              "most.",
              value=4096),
        wrong("sum", "It adds the ranks of Q and K.", "Ranks do not add up in a product: the smaller one limits.",
              value=128),
        wrong("one", "It takes the rank of a single outer product.", "There are d of them.", value=1),
        wrong("less_one", "It takes one off.", "d independent features give a rank of d: nothing is lost here.",
              value=63),
    ),
)  # fmt: skip

EXERCISES = (SCORES, OUTER, SPREAD, RANK)
