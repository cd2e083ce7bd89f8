"""Exercise 4.4, Jacobian of softmax."""

import numpy as np

from attn.exercises.catalogue.sections import SIMPLEX, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.softmax import jacobian, softmax


def model_jacobian(
    p, *, diagonal=np.diag, outer=lambda p: p[:, None] * p, join=np.subtract, finish=lambda j: j, whole=None
):
    """diag(p) − p pᵀ, each part a choice; whole: p -> all of it in another way."""
    return whole(p) if whole else finish(join(diagonal(p), outer(p)))


def differences(p, h, sides):
    """What each weight gains when a score moves by h, for each unit of h; sides: forward, backward or both."""
    s, eye = np.log(p)[:, None], np.eye(len(p)) * h
    up, down = (np.exp(s + eye * (sides != "backward")), np.exp(s - eye * (sides != "forward")))
    return (up / up.sum(0) - down / down.sum(0)) / (h * (2 if sides == "both" else 1))


EXERCISE = Exercise(
    "4.4",
    "Jacobian of softmax",
    "The Jacobian",
    "softmax_jacobian(p)",
    jacobian,
    model_jacobian,
    another=(
        """\
def softmax_jacobian(p):
    return p[:, None] * (np.eye(len(p)) - p)
""",
        "p_i(δ_ij − p_j), as the derivative comes out of the quotient rule.",
    ),
    hints=(
        "If one score rises, what happens to the other weights? They still sum to 1.",
        "Differentiate p_i = exp(s_i) / Σ exp(s_k) by s_j, once for i = j and once for i ≠ j.",
        "The two cases together are a diagonal matrix and an outer product of p with itself, both (n, n).",
    ),
    cases=lambda rng: [(softmax(rng.normal(size=n)),) for n in (2, 3, 5, 1)],
    misconceptions=(
        wrong(
            "diagonal_only",
            "It keeps only the diagonal, p_i(1 − p_i).",
            "Raising one score lowers every other weight: beside the diagonal stands −p_i p_j.",
            finish=lambda j: np.diag(np.diag(j)),
        ),
        wrong(
            "no_outer",
            "It returns diag(p) and leaves out the outer product.",
            "The denominator depends on every score too; its derivative is the outer product.",
            outer=lambda p: 0.0,
        ),
        wrong(
            "no_diagonal",
            "It returns the outer product alone and leaves out diag(p).",
            "A weight's own score stands in its numerator too: that derivative is p_i on the diagonal.",
            diagonal=lambda p: np.zeros((len(p), len(p))),
        ),
        wrong(
            "plus",
            "It adds p pᵀ in place of subtracting it.",
            "A higher score elsewhere lowers this weight: beside the diagonal the sign is minus.",
            join=np.add,
        ),
        wrong(
            "sign",
            "It has the sign reversed: p pᵀ − diag(p).",
            "A weight rises with its own score, so the diagonal, p_i(1 − p_i), is positive.",
            join=lambda d, o: o - d,
        ),
        wrong(
            "identity",
            "It uses the identity in place of diag(p).",
            "The derivative of exp(s_i) is exp(s_i): the diagonal carries p_i, not 1.",
            diagonal=lambda p: np.eye(len(p)),
        ),
        wrong(
            "derivative_by_itself",
            "It returns the identity: the derivatives of the weights by the weights.",
            "The variables are the scores s, not the weights: ∂p_i/∂s_j is asked for.",
            whole=lambda p: np.eye(len(p)),
        ),
        wrong(
            "scalar",
            "It subtracts the number p·p in place of the matrix p pᵀ.",
            "For an array with one axis `p @ p.T` is a number; np.outer(p, p) is the matrix.",
            ask="What is the shape of your p pᵀ?",
            outer=lambda p: p @ p,
        ),
        wrong(
            "vector",
            "It returns the vector p(1 − p), the derivative of a sigmoid, in place of a matrix.",
            "Every weight answers to every score: n² derivatives, not n.",
            ask="How many derivatives are there, with n weights and n scores?",
            finish=np.diag,
        ),
        wrong(
            "broadcast",
            "It subtracts the row p from diag(p), so every row loses p itself.",
            "Beside the diagonal stands −p_i p_j, a product: the outer product, not p.",
            outer=lambda p: p,
        ),
        wrong(
            "one_minus",
            "It computes p_i(1 − p_j) everywhere.",
            "The 1 belongs to the diagonal alone: it is p_i(δ_ij − p_j).",
            {"diagonal": lambda p: np.tile(p, (len(p), 1))},
            diagonal=lambda p: np.tile(p[:, None], (1, len(p))),
        ),
        wrong(
            "squared",
            "It subtracts the squares on the diagonal and of the outer product's entries.",
            "Beside the diagonal stands −p_i p_j, once each.",
            outer=lambda p: (p[:, None] * p) ** 2,
        ),
        wrong(
            "softmax_again",
            "It takes a softmax of p first, though p holds weights already.",
            "p is the softmax. Taking it again gives the Jacobian at another point.",
            diagonal=lambda p: np.diag(softmax(p)),
            outer=lambda p: np.outer(softmax(p), softmax(p)),
        ),
        wrong(
            "inverse",
            "It returns diag(1/p) in the place of diag(p).",
            "1/p belongs to the derivative of log p; the derivative of p itself carries p.",
            diagonal=lambda p: np.diag(1 / p),
        ),
        wrong(
            "all_positive",
            "It has p_i p_j beside the diagonal: the sign there is missing.",
            "A higher score elsewhere lowers this weight: −p_i p_j.",
            finish=abs,
        ),
        wrong(
            "squares_beside",
            "It subtracts the row of squares p² from diag(p).",
            "Only the diagonal holds squares; beside it stands −p_i p_j: the outer product.",
            outer=lambda p: p**2,
        ),
        wrong(
            "diagonal_without_p",
            "Its diagonal is 1 − p_i: a factor p_i is missing there.",
            "The derivative of p_i by its own score is p_i(1 − p_i).",
            diagonal=lambda p: np.diag(1 - p + p * p),
        ),
        wrong(
            "log_softmax",
            "It returns the derivative of log p, not of p.",
            "d log p_i = d p_i / p_i: a factor p_i is missing in each row.",
            diagonal=lambda p: np.eye(len(p)),
            outer=lambda p: p,
        ),
        wrong(
            "half_filled",
            "It fills one triangle only.",
            "The Jacobian is symmetric: −p_i p_j stands on both sides of the diagonal.",
            dict(finish=np.tril),
            finish=np.triu,
        ),
        wrong(
            "no_own",
            "It leaves 0 on the diagonal: it is never filled, or starts from p_i² in place of p_i.",
            "A weight answers to its own score most of all: p_i(1 − p_i).",
            finish=lambda j: j - np.diag(np.diag(j)),
        ),
        wrong(
            "rows_added",
            "It adds up the rows, which gives 0 everywhere.",
            "All n × n derivatives are asked for.",
            finish=lambda j: j.sum(1),
        ),
        wrong(
            "coarse_step",
            "It takes differences over a step that is too coarse in place of derivatives.",
            "A difference quotient is right to as many digits as its step is small; the formula needs no step.",
            *(
                dict(whole=lambda p, h=h, sides=sides: differences(p, h, sides))
                for h in (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4)
                for sides in ("forward", "backward", "both")
                if h > 5e-3 or sides != "both"
            ),
        ),
        wrong(
            "weights_moved",
            "It takes the derivatives by the weights p_j in place of the scores s_j.",
            "The scores are what moves, each by itself; p_j answers to all of them.",
            whole=lambda p: np.eye(len(p)) - p[:, None],
        ),
        wrong(
            "diagonal_plain",
            "It puts p_i itself on the diagonal, over the −p_i² that stands there.",
            "On the diagonal both terms count: p_i − p_i².",
            whole=lambda p: np.where(np.eye(len(p), dtype=bool), p, -p[:, None] * p),
        ),
        wrong(
            "own_square",
            "It subtracts p_i² all along a row, or a column, in place of p_i p_j.",
            "Row i, column j holds a product of two different weights: −p_i p_j.",
            whole=lambda p: np.diag(p) - (p**2)[:, None],
        ),
        wrong(
            "beside_alone",
            "It puts −p_i, or −p_j, beside the diagonal, without the other weight.",
            "Beside the diagonal stands a product of two weights, −p_i p_j.",
            dict(whole=lambda p: np.diag(p * (1 - p)) - (1 - np.eye(len(p))) * p),
            whole=lambda p: np.diag(p * (1 - p)) - (1 - np.eye(len(p))) * p[:, None],
        ),
        wrong(
            "twice",
            "It subtracts the outer product twice, or half of it.",
            "Both terms come once: diag(p) − p pᵀ.",
            dict(outer=lambda p: p[:, None] * p / 2),
            outer=lambda p: 2 * p[:, None] * p,
        ),
        wrong(
            "root_on_diagonal",
            "It puts another function of p on the diagonal.",
            "On the diagonal stands p_i − p_i².",
            dict(diagonal=lambda p: np.diag(np.log(p))),
            diagonal=lambda p: np.diag(np.sqrt(p)),
        ),
        wrong(
            "beside_complement",
            "It puts −p_i(1 − p_j) beside the diagonal.",
            "p_j rises with s_j, and every other weight p_i falls by p_i p_j.",
            whole=lambda p: np.diag(p * (1 - p)) - np.outer(p, 1 - p) * (1 - np.eye(len(p))),
        ),
    ),
    invariants=(
        (
            "A row does not sum to 0, but adding a constant to all scores must change nothing.",
            lambda arguments, j: np.allclose(j.sum(-1), 0),
        ),
        ("The result is not symmetric, but p_i p_j is p_j p_i.", lambda arguments, j: np.allclose(j, j.T)),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        SIMPLEX: "log_softmax",
    },
)
