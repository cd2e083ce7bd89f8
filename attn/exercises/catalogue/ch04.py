"""Chapter 4, softmax row by row: a stable softmax, and its Jacobian."""

import numpy as np

from attn.exercises.engine import Exercise, wrong
from attn.exercises.probes import Stress
from attn.exercises.rules import SOFTMAX
from attn.softmax import jacobian, softmax


def row_softmax(
    s, *, before=lambda s: s, shift=lambda s: s.max(-1, keepdims=True), power=np.exp,
    total=lambda e: e.sum(-1, keepdims=True), finish=lambda p: p,
):  # fmt: skip
    """exp(s − shift) / total, each step a choice."""
    s = before(s)
    e = power(s - shift(s))
    return finish(e / total(e))


def nothing(s):
    """No shift."""
    return 0.0


def ones(e):
    """No division."""
    return 1.0


def columns(e):
    """Sums down the columns."""
    return e.sum(0, keepdims=True)


def clip(c):
    """Scores cut off at ±c."""
    return {"before": lambda s: np.clip(s, -c, c)}


def tied(got, right):
    """True where scores that differ were given one weight: the mark of clipping."""
    if got.kind != "value":
        return False
    return bool(np.ptp(got.value) < 1e-9 and np.allclose(got.value.sum(-1), 1))


def sums_to_zero(got, right):
    """True where a row of weights is all zeros: the mark of a NaN that was written over."""
    return got.kind == "value" and bool((got.value == 0).all(-1).any())


SOFTMAX = Exercise(
    "4.1", "row softmax", "Stability", "softmax(S)", softmax, row_softmax,
    hints=(
        "What must each row of the result sum to, and what is exp(1000) in floating point?",
        "Softmax does not change when you add a constant to a row. Which constant keeps every exponent at or below "
        "0?",
        "Three steps along the last axis, each keeping that axis: subtract something, take exp, divide by a sum.",
    ),
    cases=lambda rng: [(rng.normal(size=shape) * spread,)
                       for shape, spread in (((2, 3), 1), ((3, 3), 1), ((4, 2), 3), ((1, 5), 1))],
    misconceptions=(
        wrong("columns", "It normalises down each column (axis 0) in place of along each row (axis −1).",
              "A row is one query's share-out over the keys, so each row must sum to 1.",
              {"total": columns}, ask="Which index is summed in the denominator?",
              shift=lambda s: s.max(0, keepdims=True), total=columns),
        wrong("whole_matrix", "It divides by the sum over the whole matrix.",
              "Each row must sum to 1 by itself: every query has its own weight to spread.",
              {"total": lambda e: e.sum(), "shift": nothing}, total=lambda e: e.sum()),
        wrong("no_exp", "It divides by the row sum without taking exp first.",
              "Scores may be negative, and may sum to 0; exp makes each share positive.",
              {"power": lambda s: s, "shift": nothing}, power=lambda s: s),
        wrong("absolute", "It normalises absolute values in place of exponentials.",
              "A score of −3 is a poor match; |−3| makes it a good one.", shift=nothing, power=abs),
        wrong("squares", "It normalises squares in place of exponentials.",
              "A score of −3 is a poor match; its square makes it a good one.",
              shift=nothing, power=lambda s: s * s),
        wrong("base_two", "It raises 2 to the scores in place of e.",
              "That is a softmax at temperature 1/ln 2: every row comes out flatter.", power=np.exp2),
        wrong("sign", "It exponentiates −S: the smallest score gets the largest weight.",
              "The weight must grow with the score.",
              {"before": lambda s: -s, "shift": nothing}, before=lambda s: -s),
        wrong("not_divided", "It returns the exponentials and never divides.",
              "Weights must sum to 1 in each row.", {"total": ones}, shift=nothing, total=ones),
        wrong("euclidean", "It divides by the Euclidean norm of each row.",
              "The weights themselves must sum to 1, not their squares.",
              total=lambda e: np.sqrt((e * e).sum(-1, keepdims=True))),
        wrong("mean", "It divides by the mean of the exponentials in place of their sum.",
              "Rows then sum to their length in place of 1.", total=lambda e: e.mean(-1, keepdims=True)),
        wrong("sigmoid", "It takes a sigmoid of each entry on its own.",
              "In a softmax the entries of a row compete: one weight rises only as others fall.",
              shift=nothing, total=ones, power=lambda s: 1 / (1 + np.exp(-s))),
        wrong("hard", "It puts the whole weight on the largest entry.",
              "That is the limit of low temperature; softmax leaves every entry its share.",
              finish=lambda p: np.eye(p.shape[-1])[p.argmax(-1)]),
        wrong("keepdims", "It divides by row sums of shape (n,), so row sums meet columns.",
              "NumPy lines shapes up from the right: (n, m) / (n,) divides column j by row sum j. keepdims=True "
              "keeps "
              "the sums as a column.",
              {"total": lambda e: e.sum(-1), "shift": nothing}, ask="What is the shape of your row sums?",
              total=lambda e: e.sum(-1)),
        wrong("keepdims_shift", "It subtracts row maxima of shape (n,), so row maxima meet columns.",
              "NumPy lines shapes up from the right: (n, m) − (n,) shifts columns, and a row softmax notices.",
              ask="What is the shape of your row maxima?", shift=lambda s: s.max(-1)),
        wrong("logarithm", "It returns the logarithm of the softmax.",
              "Log-probabilities are useful in a loss; here weights are asked for, positive and summing to 1.",
              finish=np.log),
        wrong("no_shift", "Right for small scores. It overflows for large ones: exp(1000) is inf, and inf/inf is "
              "NaN.",
              "Adding a constant to a row changes no weight, so a safe form exists.",
              ask="What is exp(1000)? And what is inf/inf?", shift=nothing),
        wrong("one_shift", "It subtracts one maximum for the whole matrix, so a row far below it becomes 0/0.",
              "Each row has its own softmax, so each row needs its own maximum.", shift=lambda s: s.max()),
        wrong("shift_mean", "It subtracts the row's mean, so a row that is spread wide still overflows.",
              "Only the maximum makes sure that every exponent is at or below 0.",
              shift=lambda s: s.mean(-1, keepdims=True)),
        wrong("shift_min", "It subtracts the row's minimum, so a row that is spread wide still overflows.",
              "Only the maximum makes sure that every exponent is at or below 0.",
              shift=lambda s: s.min(-1, keepdims=True)),
        wrong("nan_hidden", "It overflows for large scores, and then writes another number over the NaN.",
              "The weights of that row are lost; subtracting the row's maximum keeps them.",
              {"shift": nothing, "finish": lambda p: np.nan_to_num(p, nan=1.0)},
              shift=nothing, finish=np.nan_to_num),
        wrong("clipped", "It cuts large scores off, so scores that differ get the same weight.",
              "A shift by the maximum changes no weight; a cut does.", clip(20), clip(50), clip(100), clip(500),
              {**clip(700), "shift": nothing}, {**clip(500), "shift": nothing}, **clip(700)),
        wrong("epsilon", "It adds a small number to the sum, so small exponentials lose part of their weight.",
              "After a shift by the maximum the sum is at least 1: there is nothing to protect.",
              {"shift": nothing, "total": lambda e: e.sum(-1, keepdims=True) + 1e-12},
              shift=nothing, total=lambda e: e.sum(-1, keepdims=True) + 1e-9),
        wrong("divided_by_maximum", "It divides the scores by the row's maximum in place of subtracting it.",
              "A shift changes no weight; a factor is another temperature.",
              before=lambda s: s / s.max(-1, keepdims=True)),
    ),
    probes=(
        Stress("no_shift", (np.array([[1000.0, 999.0]]),)),
        Stress("clipped", (np.array([[1000.0, 999.0]]),), when=tied),
        Stress("nan_hidden", (np.array([[-1000.0, -999.0]]),), when=sums_to_zero),
        Stress("one_shift", (np.array([[1000.0, 999.0], [0.0, 1.0]]),)),
        Stress("shift_min", (np.array([[600.0, -600.0]]),)),
        Stress("shift_mean", (np.array([[1000.0, -1000.0, -1000.0]]),)),
        Stress("clipped", (np.array([[60.0, 61.0]]),), when=tied),
        Stress("clipped", (np.array([[20.0, 30.0, 26.0]]),), when=tied),
        Stress("epsilon", (np.array([[-40.0, -41.0]]),), when=lambda got, right: got.value.sum() < 1),
    ),
    invariants=(
        ("A row of the result does not sum to 1.", lambda arguments, p: np.allclose(p.sum(-1), 1)),
        ("A weight is negative.", lambda arguments, p: (p >= 0).all()),
    ),
    forbidden=SOFTMAX,
)  # fmt: skip


def model_jacobian(p, *, diagonal=np.diag, outer=lambda p: p[:, None] * p, join=np.subtract, finish=lambda j: j):
    """diag(p) − p pᵀ, each part a choice."""
    return finish(join(diagonal(p), outer(p)))


JACOBIAN = Exercise(
    "4.4", "Jacobian of softmax", "The Jacobian", "softmax_jacobian(p)", jacobian, model_jacobian,
    hints=(
        "If one score rises, what happens to the other weights? They still sum to 1.",
        "Differentiate p_i = exp(s_i) / Σ exp(s_k) by s_j, once for i = j and once for i ≠ j.",
        "The two cases together are a diagonal matrix and an outer product of p with itself, both (n, n).",
    ),
    cases=lambda rng: [(softmax(rng.normal(size=n)),) for n in (2, 3, 5)],
    misconceptions=(
        wrong("diagonal_only", "It keeps only the diagonal, p_i(1 − p_i).",
              "Raising one score lowers every other weight: beside the diagonal stands −p_i p_j.",
              finish=lambda j: np.diag(np.diag(j))),
        wrong("no_outer", "It returns diag(p) and leaves out the outer product.",
              "The denominator depends on every score too; its derivative is the outer product.",
              outer=lambda p: 0.0),
        wrong("no_diagonal", "It returns the outer product alone and leaves out diag(p).",
              "A weight's own score stands in its numerator too: that derivative is p_i on the diagonal.",
              diagonal=lambda p: np.zeros((len(p), len(p)))),
        wrong("plus", "It adds p pᵀ in place of subtracting it.",
              "A higher score elsewhere lowers this weight: beside the diagonal the sign is minus.", join=np.add),
        wrong("sign", "It has the sign reversed: p pᵀ − diag(p).",
              "A weight rises with its own score, so the diagonal, p_i(1 − p_i), is positive.",
              join=lambda d, o: o - d),
        wrong("identity", "It uses the identity in place of diag(p).",
              "The derivative of exp(s_i) is exp(s_i): the diagonal carries p_i, not 1.",
              diagonal=lambda p: np.eye(len(p))),
        wrong("scalar", "It subtracts the number p·p in place of the matrix p pᵀ.",
              "For an array with one axis `p @ p.T` is a number; np.outer(p, p) is the matrix.",
              ask="What is the shape of your p pᵀ?", outer=lambda p: p @ p),
        wrong("vector", "It returns the vector p(1 − p), the derivative of a sigmoid, in place of a matrix.",
              "Every weight answers to every score: n² derivatives, not n.",
              ask="How many derivatives are there, with n weights and n scores?", finish=np.diag),
        wrong("broadcast", "It subtracts the row p from diag(p), so every row loses p itself.",
              "Beside the diagonal stands −p_i p_j, a product: the outer product, not p.", outer=lambda p: p),
        wrong("one_minus", "It computes p_i(1 − p_j) everywhere.",
              "The 1 belongs to the diagonal alone: it is p_i(δ_ij − p_j).",
              {"diagonal": lambda p: np.tile(p, (len(p), 1))},
              diagonal=lambda p: np.tile(p[:, None], (1, len(p)))),
        wrong("squared", "It subtracts the squares on the diagonal and of the outer product's entries.",
              "Beside the diagonal stands −p_i p_j, once each.", outer=lambda p: (p[:, None] * p) ** 2),
        wrong("softmax_again", "It takes a softmax of p first, though p holds weights already.",
              "p is the softmax. Taking it again gives the Jacobian at another point.",
              diagonal=lambda p: np.diag(softmax(p)), outer=lambda p: np.outer(softmax(p), softmax(p))),
        wrong("inverse", "It returns diag(1/p) in the place of diag(p).",
              "1/p belongs to the derivative of log p; the derivative of p itself carries p.",
              diagonal=lambda p: np.diag(1 / p)),
        wrong("all_positive", "It has p_i p_j beside the diagonal: the sign there is missing.",
              "A higher score elsewhere lowers this weight: −p_i p_j.", finish=abs),
        wrong("squares_beside", "It subtracts the row of squares p² from diag(p).",
              "Only the diagonal holds squares; beside it stands −p_i p_j: the outer product.",
              outer=lambda p: p**2),
        wrong("diagonal_without_p", "Its diagonal is 1 − p_i: a factor p_i is missing there.",
              "The derivative of p_i by its own score is p_i(1 − p_i).",
              diagonal=lambda p: np.diag(1 - p + p * p)),
    ),
    invariants=(
        ("A row does not sum to 0, but adding a constant to all scores must change nothing.",
         lambda arguments, j: np.allclose(j.sum(-1), 0)),
        ("The result is not symmetric, but p_i p_j is p_j p_i.", lambda arguments, j: np.allclose(j, j.T)),
    ),
)  # fmt: skip

EXERCISES = (SOFTMAX, JACOBIAN)
