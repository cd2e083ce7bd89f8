"""Exercise 4.1, row softmax."""

import numpy as np

from attn.exercises.catalogue.kin import with_softmax
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import SOFTMAX
from attn.exercises.checks.probes import Stress
from attn.softmax import softmax


def row_softmax(
    s,
    *,
    before=lambda s: s,
    shift=lambda s: s.max(-1, keepdims=True),
    power=np.exp,
    total=lambda e: e.sum(-1, keepdims=True),
    finish=lambda p: p,
    weigh=None,
):
    """exp(s − shift) / total, each step a choice; weigh: all of them at once."""
    if weigh:
        return weigh(s)
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
    if got.kind != "value" or not got.value.size:
        return False
    return bool(np.ptp(got.value) < 1e-9 and np.allclose(got.value.sum(-1), 1))


def sums_to_zero(got, right):
    """True where a row of weights is all zeros: the mark of a NaN that was written over."""
    return got.kind == "value" and bool((got.value == 0).all(-1).any())


EXERCISE = Exercise(
    "4.1",
    "row softmax",
    "Stability",
    "softmax(S)",
    softmax,
    row_softmax,
    another=(
        """\
def softmax(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
""",
        "log Σ exp is itself a safe sum; subtracting it shifts and divides in one step.",
    ),
    hints=(
        "What must each row of the result sum to, and what is exp(1000) in floating point?",
        "Softmax does not change when you add a constant to a row. Which constant keeps every exponent at or below 0?",
        "Three steps along the last axis, each keeping that axis: subtract something, take exp, divide by a sum.",
    ),
    cases=lambda rng: [
        (rng.normal(size=shape) * spread,)
        for shape, spread in (((2, 3), 1), ((3, 3), 1), ((4, 2), 3), ((1, 5), 1), ((3, 1), 1))
    ],
    misconceptions=(
        wrong(
            "columns",
            "It normalises down each column (axis 0) in place of along each row (axis −1).",
            "A row is one query's share-out over the keys, so each row must sum to 1.",
            {"total": columns},
            ask="Which index is summed in the denominator?",
            shift=lambda s: s.max(0, keepdims=True),
            total=columns,
        ),
        wrong(
            "whole_matrix",
            "It divides by the sum over the whole matrix.",
            "Each row must sum to 1 by itself: every query has its own weight to spread.",
            {"total": lambda e: e.sum(), "shift": nothing},
            ask="What does one row of your result sum to, and what should it?",
            then="The denominator belongs to a row: a matrix of n rows has n sums, not one.",
            total=lambda e: e.sum(),
        ),
        wrong(
            "no_exp",
            "It divides by the row sum without taking exp first.",
            "Scores may be negative, and may sum to 0; exp makes each share positive.",
            {"power": lambda s: s, "shift": nothing},
            power=lambda s: s,
        ),
        wrong(
            "absolute",
            "It normalises absolute values in place of exponentials.",
            "A score of −3 is a poor match; |−3| makes it a good one.",
            shift=nothing,
            power=abs,
        ),
        wrong(
            "squares",
            "It normalises squares in place of exponentials.",
            "A score of −3 is a poor match; its square makes it a good one.",
            shift=nothing,
            power=lambda s: s * s,
        ),
        wrong(
            "base_two",
            "It raises 2 to the scores in place of e.",
            "That is a softmax at temperature 1/ln 2: every row comes out flatter.",
            power=np.exp2,
        ),
        wrong(
            "sign",
            "It exponentiates −S: the smallest score gets the largest weight.",
            "The weight must grow with the score.",
            {"before": lambda s: -s, "shift": nothing},
            before=lambda s: -s,
        ),
        wrong(
            "not_divided",
            "It does not divide the exponentials by their sum.",
            "Weights must sum to 1 in each row.",
            {"total": ones},
            shift=nothing,
            total=ones,
        ),
        wrong(
            "euclidean",
            "It divides by the Euclidean norm of each row.",
            "The weights themselves must sum to 1, not their squares.",
            total=lambda e: np.sqrt((e * e).sum(-1, keepdims=True)),
        ),
        wrong(
            "mean",
            "It divides by the mean of the exponentials in place of their sum.",
            "Rows then sum to their length in place of 1.",
            total=lambda e: e.mean(-1, keepdims=True),
        ),
        wrong(
            "sigmoid",
            "It takes a sigmoid of each entry on its own.",
            "In a softmax the entries of a row compete: one weight rises only as others fall.",
            shift=nothing,
            total=ones,
            power=lambda s: 1 / (1 + np.exp(-s)),
        ),
        wrong(
            "hard",
            "It puts the whole weight on the largest entry.",
            "That is the limit of low temperature; softmax leaves every entry its share.",
            finish=lambda p: np.eye(p.shape[-1])[p.argmax(-1)],
        ),
        wrong(
            "keepdims",
            "It divides by row sums of shape (n,), so row sums meet columns.",
            "NumPy lines shapes up from the right: (n, m) / (n,) divides column j by row sum j. "
            "keepdims=True keeps the sums as a column.",
            {"total": lambda e: e.sum(-1), "shift": nothing},
            ask="What is the shape of your row sums?",
            total=lambda e: e.sum(-1),
        ),
        wrong(
            "keepdims_shift",
            "It subtracts row maxima of shape (n,), so row maxima meet columns.",
            "NumPy lines shapes up from the right: (n, m) − (n,) shifts columns, and a row softmax notices.",
            ask="What is the shape of your row maxima?",
            shift=lambda s: s.max(-1),
        ),
        wrong(
            "logarithm",
            "It returns the logarithm of the softmax.",
            "Log-probabilities are useful in a loss; here weights are asked for, positive and summing to 1.",
            finish=np.log,
        ),
        wrong(
            "no_shift",
            "Right for small scores. It overflows for large ones: exp(1000) is inf, and inf/inf is NaN.",
            "Adding a constant to a row changes no weight, so a safe form exists.",
            ask="Up to which score is exp finite? How could a row be moved there without a change of its weights?",
            shift=nothing,
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for the whole matrix, so in a row far below it every exponential is 0.",
            "Each row has its own softmax, so each row needs its own maximum.",
            ask="After your subtraction, what is the largest exponent in each row?",
            then="Which constant, one for each row, makes the largest exponent of every row exactly 0?",
            shift=lambda s: s.max(),
        ),
        wrong(
            "shift_mean",
            "It subtracts the row's mean, so a row that is spread wide still overflows.",
            "Only the maximum makes sure that every exponent is at or below 0.",
            shift=lambda s: s.mean(-1, keepdims=True),
        ),
        wrong(
            "shift_min",
            "It subtracts the row's minimum, so a row that is spread wide still overflows.",
            "Only the maximum makes sure that every exponent is at or below 0.",
            shift=lambda s: s.min(-1, keepdims=True),
        ),
        wrong(
            "nan_hidden",
            "It overflows for large scores, and then writes another number over the NaN.",
            "The weights of that row are lost; subtracting the row's maximum keeps them.",
            {"shift": nothing, "finish": lambda p: np.nan_to_num(p, nan=1.0)},
            shift=nothing,
            finish=np.nan_to_num,
        ),
        wrong(
            "clipped",
            "It cuts large scores off, so scores that differ get the same weight.",
            "A shift by the maximum changes no weight; a cut does.",
            clip(20),
            clip(50),
            clip(100),
            clip(500),
            {**clip(700), "shift": nothing},
            {**clip(500), "shift": nothing},
            **clip(700),
        ),
        wrong(
            "epsilon",
            "It adds a small number to the sum, so small exponentials lose part of their weight.",
            "After a shift by the maximum the sum is at least 1: there is nothing to protect.",
            {"shift": nothing, "total": lambda e: e.sum(-1, keepdims=True) + 1e-12},
            shift=nothing,
            total=lambda e: e.sum(-1, keepdims=True) + 1e-9,
        ),
        wrong(
            "divided_by_maximum",
            "It divides the scores by the row's maximum in place of subtracting it.",
            "A shift changes no weight; a factor is another temperature.",
            before=lambda s: s / s.max(-1, keepdims=True),
        ),
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
)
EXERCISE = with_softmax(EXERCISE, lambda scores: (scores,), but=("over_queries", "causal"))
