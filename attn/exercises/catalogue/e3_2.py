"""Exercise 3.2, scores as a sum of outer products."""

import numpy as np

from attn.exercises.catalogue.sections import PRODUCT, WHY_ROOT, taught
from attn.exercises.checks.exercise import Exercise, wrong


def outer_model(q, k, *, term=lambda q, k: q.T[:, :, None] * k.T[:, None, :], gather=lambda t: t):
    """The d terms q_t k_tᵀ, one for each feature."""
    return gather(term(q, k))


def singular_terms(q, k):
    """σ u vᵀ for each singular value of QKᵀ, and zeros up to d of them."""
    u, s, vt = np.linalg.svd(q @ k.T, full_matrices=False)
    terms = np.zeros((q.shape[1], len(q), len(k)))
    for t in range(min(len(s), len(terms))):
        terms[t] = s[t] * np.outer(u[:, t], vt[t])
    return terms


EXERCISE = Exercise(
    "3.2",
    "scores as a sum of outer products",
    "A sum of outer products",
    "score_terms(Q, K)",
    lambda q, k: np.einsum("nd,md->dnm", q, k),
    outer_model,
    another=(
        """\
def score_terms(Q, K):
    return np.stack([np.outer(q, k) for q, k in zip(Q.T, K.T)])
""",
        "Columns of Q meet columns of K: each feature adds one matrix of rank 1.",
    ),
    hints=(
        "Take one feature t alone. What does it add to every score?",
        "Feature t adds Q[i, t] · K[j, t] to the entry (i, j): an outer product of two columns.",
        "A stack of d matrices, each an outer product; their sum is QKᵀ.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, d)), rng.normal(size=(m, d))) for n, m, d in ((2, 3, 4), (3, 3, 3), (4, 2, 5), (1, 2, 1))
    ],
    misconceptions=(
        wrong(
            "over_tokens",
            "It takes outer products of rows: one for each token in place of one for each feature.",
            "A row of Q is one token. What is summed in a score are the features, the columns.",
            term=lambda q, k: q[:, :, None] * k[:, None, :],
        ),
        wrong(
            "keys_first",
            "It takes k_t q_tᵀ: every term is transposed.",
            "Rows belong to queries.",
            term=lambda q, k: k.T[:, :, None] * q.T[:, None, :],
        ),
        wrong(
            "summed",
            "It returns the sum of the terms.",
            "Here the d terms are asked for one by one: (d, n, m).",
            gather=lambda t: t.sum(0),
        ),
        wrong(
            "mean",
            "It returns the mean of the terms.",
            "The terms are asked for one by one, and they sum to QKᵀ.",
            gather=lambda t: t.mean(0),
        ),
        wrong(
            "last_only",
            "It returns the last term alone.",
            "There is a term for each of the d features.",
            gather=lambda t: t[-1],
        ),
        wrong(
            "first_only",
            "It returns the first term alone.",
            "There is a term for each of the d features.",
            gather=lambda t: t[0],
        ),
        wrong(
            "features_last",
            "The feature axis comes last, (n, m, d).",
            "A stack of matrices has its index first.",
            gather=lambda t: np.moveaxis(t, 0, -1),
        ),
        wrong(
            "running",
            "It returns running sums of the terms.",
            "Each term alone is asked for.",
            gather=lambda t: t.cumsum(0),
        ),
        wrong(
            "reshaped",
            "It brings the feature axis to the front by reshape, so numbers change places.",
            "reshape keeps the order in memory; np.moveaxis or transpose moves an axis.",
            term=lambda q, k: (q[:, None] * k).reshape(q.shape[1], len(q), len(k)),
        ),
        wrong(
            "scaled",
            "It divides by √d, which comes in a later exercise.",
            "Here the bare terms are asked for.",
            gather=lambda t: t * len(t) ** -0.5,
        ),
        wrong(
            "divided", "It divides every term by d.", "The terms sum to QKᵀ as they are.", gather=lambda t: t / len(t)
        ),
        wrong(
            "first_lost",
            "It leaves the first feature out.",
            "Features are counted from 0: range(d).",
            gather=lambda t: t[1:],
        ),
        wrong(
            "last_lost", "It leaves the last feature out.", "range(d) ends at d − 1 by itself.", gather=lambda t: t[:-1]
        ),
        wrong(
            "all_pairs",
            "It multiplies every feature of Q with every feature of K.",
            "Feature t of a query meets feature t of a key: d terms, not d².",
            dict(term=lambda q, k: np.einsum("is,jt->stij", q, k)),
            term=lambda q, k: np.einsum("is,jt->stij", q, k).reshape(-1, len(q), len(k)),
        ),
        wrong(
            "added",
            "It adds the features of query and key, or subtracts them, in place of multiplying.",
            "A term of a dot product is a product: Q_it times K_jt.",
            dict(term=lambda q, k: q.T[:, :, None] - k.T[:, None, :]),
            term=lambda q, k: q.T[:, :, None] + k.T[:, None, :],
        ),
        wrong(
            "same_array",
            "Every term is the sum of all: is one array filled, and put into the list again and again?",
            "append stores the array itself and no copy; make a new one for each feature.",
            gather=lambda t: np.stack([t.sum(0)] * len(t)),
        ),
        wrong(
            "entrywise",
            "It multiplies the columns entry by entry: a query meets the key of its own number alone.",
            "In an outer product every query meets every key: n × m numbers for each feature.",
            term=lambda q, k: (q * k).T,
        ),
        wrong(
            "side_by_side",
            "It lays the terms side by side, or one under the other.",
            "A stack has an axis of its own for them: np.stack.",
            dict(gather=lambda t: np.vstack(list(t))),
            gather=lambda t: np.hstack(list(t)),
        ),
        wrong(
            "inner",
            "It takes inner products of columns: one number for each feature.",
            "Each term is a whole matrix, an outer product of a column of Q and one of K.",
            term=lambda q, k: np.array([q[:, t] @ k[:, t] for t in range(q.shape[1])]),
        ),
        wrong(
            "rows",
            "It takes outer products of rows, a query and the key of the same number.",
            "A term belongs to a feature: a column of Q and a column of K.",
            term=lambda q, k: np.array([np.outer(a, b) for a, b in zip(q, k, strict=False)]),
        ),
        wrong(
            "even_parts",
            "It cuts QKᵀ into d equal parts.",
            "They sum to QKᵀ, but each term is what one feature adds.",
            gather=lambda t: np.stack([t.mean(0)] * len(t)),
        ),
        wrong(
            "singular",
            "It takes the terms of a singular value decomposition.",
            "They sum to QKᵀ too, but each term asked for belongs to one feature.",
            term=singular_terms,
        ),
        wrong(
            "other_side_summed",
            "It adds up the features of one side before they meet the other.",
            "Feature t of the queries meets feature t of the keys, and no other.",
            dict(term=lambda q, k: np.einsum("is,jt->tij", q, k)),
            term=lambda q, k: np.einsum("it,js->tij", q, k),
        ),
    ),
    invariants=(
        ("The terms do not sum to QKᵀ.", lambda arguments, t: np.allclose(t.sum(0), arguments[0] @ arguments[1].T)),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        PRODUCT: "keys_first added",
        WHY_ROOT: "scaled",
    },
)
