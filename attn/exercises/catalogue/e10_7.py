"""Exercise 10.7, fold the values' bias into the output's."""

import numpy as np

from attn.encoder import Layer, folded
from attn.exercises.checks.exercise import Exercise, wrong


def reference(b_v, w_o, b_o):
    """attn.encoder.folded's b_o; no other weight matters."""
    names = dict.fromkeys(Layer._fields, np.zeros(0)) | dict(b_v=b_v, w_o=w_o, b_o=b_o)
    return folded(Layer(**names)).b_o


def fold_model(
    b_v,
    w_o,
    b_o,
    *,
    through=lambda b, w: b @ w,
    values=lambda b: b,
    join=lambda old, new: old + new,
):
    """b_O + b_V W_O."""
    return join(b_o, through(values(b_v), w_o))


def square_only(f):
    """A way that only a square W_O allows."""

    def through(b, w):
        if len(w) != w.shape[1]:
            raise ValueError("W_O is not square")
        return f(b, w)

    return through


EXERCISE = Exercise(
    "10.7",
    "fold one bias into another",
    "A published model, whole",
    "fold(b_V, W_O, b_O)",
    reference,
    fold_model,
    hints=(
        "Every value is x W_V + b_V. A row of weights sums to one: what is the average of n copies of b_V?",
        "A head hands on its average plus b_V, whatever the weights. Then both meet W_O.",
        "The old b_O plus a row vector times a matrix.",
    ),
    cases=lambda rng: [
        (rng.normal(size=p), rng.normal(size=(p, c)), rng.normal(size=c)) for p, c in ((2, 3), (4, 4), (6, 2), (3, 5))
    ],
    misconceptions=(
        wrong(
            "dropped",
            "It returns b_O as it was: b_V is dropped.",
            "b_V reaches every output, whatever the weights are. (b_K is the one that may be dropped.)",
            through=lambda b, w: np.zeros(w.shape[1]),
        ),
        wrong(
            "lost_old",
            "It returns b_V W_O alone: the old b_O is lost.",
            "b_O was there before, and still is.",
            join=lambda old, new: new,
        ),
        wrong(
            "transposed",
            "It multiplies by W_O from the left: W_O b_V.",
            "Rows stand on the left here: a head's output is a row, and meets the rows of W_O.",
            through=square_only(lambda b, w: w @ b),
        ),
        wrong(
            "not_through",
            "It adds b_V to b_O as it is.",
            "b_V is added before W_O, b_O after it: to move it past W_O, multiply by W_O.",
            through=square_only(lambda b, w: b),
        ),
        wrong(
            "subtracted",
            "It subtracts b_V W_O.",
            "What b_V added before must still be added.",
            join=lambda old, new: old - new,
        ),
        wrong(
            "twice",
            "It adds b_V W_O twice.",
            "Every row of weights sums to one: b_V reaches each output once.",
            through=lambda b, w: 2 * b @ w,
        ),
        wrong(
            "inverse",
            "It multiplies by the inverse of W_O.",
            "b_V stands before W_O in the formula, and is carried forward through it, not back.",
            through=lambda b, w: np.linalg.solve(w.T, b),
        ),
        wrong(
            "columns_alone",
            "It adds up the rows of W_O and leaves b_V out.",
            "Each row of W_O counts with its entry of b_V.",
            values=np.ones_like,
        ),
        wrong(
            "averaged",
            "It averages b_V W_O over the entries of b_V in place of adding.",
            "A product of a row with a matrix is a sum.",
            through=lambda b, w: b @ w / len(b),
        ),
        wrong(
            "unsummed",
            "It leaves the rows b_V[j] · W_O[j] unsummed: a matrix.",
            "Their sum is b_V W_O: one number for each of the c columns.",
            through=lambda b, w: b[:, None] * w,
        ),
        wrong(
            "multiplied",
            "It multiplies b_O by b_V W_O.",
            "Both are added to the stream.",
            join=lambda old, new: old * new,
        ),
    ),
)
