"""Exercise 2.3, the bilinear form behind a score."""

import numpy as np

from attn import circuits
from attn.exercises.catalogue.kin import with_scale
from attn.exercises.catalogue.sections import FEWER, taught
from attn.exercises.checks.exercise import Exercise, wrong


def bilinear_model(w_q, w_k, *, product=lambda a, b: a @ b.T, scale=lambda w: w.shape[1] ** -0.5, finish=lambda b: b):
    """B = W_Q W_Kᵀ / √d."""
    return finish(product(w_q, w_k) * scale(w_q))


EXERCISE = Exercise(
    "2.3",
    "the bilinear form behind a score",
    "Which numbers mean something?",
    "bilinear(W_Q, W_K)",
    lambda w_q, w_k: circuits.qk(w_q, w_k).matrix() * w_q.shape[1] ** -0.5,
    bilinear_model,
    another=(
        """\
def bilinear(W_Q, W_K):
    return np.einsum("id,jd->ij", W_Q, W_K) / np.sqrt(W_Q.shape[1])
""",
        "The letter d on both sides and not behind the arrow: the sum over it is what makes the rank at most d.",
    ),
    hints=(
        "A score is (x W_Q)(y W_K)ᵀ / √d. What stands between x and yᵀ?",
        "Turn the transpose of the product round: (y W_K)ᵀ = W_Kᵀ yᵀ.",
        "One c × c matrix, a product of W_Q with a transpose, over √d.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(c, d)), rng.normal(size=(c, d))) for c, d in ((4, 2), (3, 3), (5, 3), (2, 1), (6, 5), (1, 3))
    ],
    misconceptions=(
        wrong(
            "features",
            "It computes W_QᵀW_K, a d × d matrix.",
            "x and y are c wide: what stands between them is c × c.",
            product=lambda a, b: a.T @ b,
        ),
        wrong(
            "transposed",
            "It computes W_K W_Qᵀ, the transpose: queries and keys have changed places.",
            "In x B yᵀ the asking token x meets W_Q first.",
            product=lambda a, b: b @ a.T,
        ),
        wrong(
            "no_transpose",
            "It multiplies W_Q by W_K with no transpose.",
            "It runs only where c = d, and then sums over the wrong index.",
            product=lambda a, b: a @ b,
        ),
        wrong(
            "no_scale",
            "It leaves out the division by √d.",
            "The score is scaled, so the form that yields it must be.",
            scale=lambda w: 1.0,
        ),
        wrong(
            "scale_d",
            "It divides by d in place of √d.",
            "A score's standard deviation is √d.",
            scale=lambda w: 1 / w.shape[1],
        ),
        wrong(
            "scale_width",
            "It divides by c, the model's width.",
            "d is the width of queries and keys, W_Q's second axis.",
            scale=lambda w: 1 / w.shape[0],
        ),
        wrong(
            "scale_model",
            "It divides by √c, the root of the model's width, in place of √d.",
            "d is the width of queries and keys, W_Q's second axis.",
            scale=lambda w: w.shape[0] ** -0.5,
        ),
        wrong(
            "symmetric",
            "It makes the form symmetric, (B + Bᵀ)/2.",
            "That x looks at y does not mean that y looks at x: B need not be symmetric.",
            finish=lambda b: (b + b.T) / 2,
        ),
        wrong(
            "queries_twice",
            "It uses W_Q twice.",
            "Keys have a matrix of their own; W_Q W_Qᵀ is always symmetric.",
            product=lambda a, b: a @ a.T,
        ),
        wrong(
            "elementwise",
            "It multiplies the two matrices entry by entry.",
            "Entry (i, j) sums over the d columns of both: a matrix product.",
            product=lambda a, b: a * b,
        ),
        wrong(
            "scale_inverse",
            "It multiplies by √d in place of dividing.",
            "The score is divided by √d.",
            scale=lambda w: w.shape[1] ** 0.5,
        ),
        wrong(
            "whole_root",
            "It rounds √d to a whole number.",
            "√2 is 1.414…: np.sqrt, not math.isqrt or //.",
            {"scale": lambda w: 1 // w.shape[1] ** 0.5},
            scale=lambda w: 1 / int(w.shape[1] ** 0.5),
        ),
        wrong(
            "all_pairs",
            "It multiplies every entry of one matrix with every entry of the other (np.outer).",
            "Entry (i, j) sums over the d columns of both: a matrix product.",
            product=lambda a, b: np.outer(a, b),
        ),
        wrong(
            "sums_first",
            "It adds up the features of each matrix, and then multiplies the sums.",
            "Feature t of W_Q meets feature t of W_K alone: one letter d for both, a product, then the sum.",
            product=lambda a, b: np.outer(a.sum(1), b.sum(1)),
        ),
        wrong(
            "one_number",
            "It sums over the rows too: one number, the trace of W_Q W_Kᵀ.",
            "Every row of W_Q meets every row of W_K: a number for each pair, (c, c).",
            product=lambda a, b: (a * b).sum(),
        ),
        wrong(
            "feature_lost",
            "It leaves a feature out of the sum.",
            "range(d) goes from 0 to d − 1: all d features count.",
            dict(product=lambda a, b: a[:, :-1] @ b[:, :-1].T),
            product=lambda a, b: a[:, 1:] @ b[:, 1:].T,
        ),
        wrong(
            "softmaxed",
            "It takes a softmax of the form.",
            "B makes scores of two tokens; a softmax comes later, over the scores of a query.",
            finish=lambda b: np.exp(b) / np.exp(b).sum(-1, keepdims=True),
        ),
    ),
    invariants=(
        ("The rank is greater than d.", lambda arguments, b: np.linalg.matrix_rank(b) <= arguments[0].shape[1]),
    ),
)
EXERCISE = with_scale(EXERCISE, lambda w_q: w_q.shape[1])
EXERCISE = taught(
    EXERCISE,
    {
        FEWER: "queries_twice symmetric",
    },
)
