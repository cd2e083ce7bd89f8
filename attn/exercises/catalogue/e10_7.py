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
    whole=None,
):
    """b_O + b_V W_O."""
    return whole(b_v, w_o, b_o) if whole else join(b_o, through(values(b_v), w_o))


def square_only(f):
    """A way that only a square W_O allows."""

    def through(b, w):
        if len(w) != w.shape[1]:
            raise ValueError("W_O is not square")
        return f(b, w)

    return through


def diagonal_only(b, w):
    """Each entry of b times its own entry of W_O's diagonal, zeros where there is none."""
    product = np.zeros(w.shape[1])
    size = min(w.shape)
    product[:size] = b[:size] * np.diag(w)
    return product


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
            dict(through=lambda b, w: b if len(b) == w.shape[1] else np.full(w.shape[1], b.sum())),
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
            "It multiplies by the inverse of W_O, or its pseudo-inverse.",
            "b_V stands before W_O in the formula, and is carried forward through it, not back.",
            dict(through=lambda b, w: np.linalg.pinv(w) @ b),
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
        wrong(
            "diagonal",
            "It takes only the diagonal of W_O.",
            "Every entry of b_V meets a whole row of W_O: a matrix product.",
            through=diagonal_only,
        ),
        wrong(
            "both_through",
            "It sends both biases through W_O.",
            "b_O is added after W_O: it is in the output already.",
            dict(whole=lambda b, w, o: (b + o) @ w if len(b) == len(o) else b @ w + o.sum() * w.sum(0)),
            whole=lambda b, w, o: (b + o) @ w,
        ),
        wrong(
            "one_number",
            "It adds one number everywhere: the sum, or the mean, of all of b_V W_O.",
            "Each column of W_O gives a number of its own.",
            dict(through=lambda b, w: np.full(w.shape[1], (b @ w).mean())),
            through=lambda b, w: np.full(w.shape[1], (b @ w).sum()),
        ),
        wrong(
            "sums_apart",
            "It takes the mean or the sum of b_V, and the columns of W_O by themselves.",
            "Entry j of b_V meets row j of W_O, and no other: a matrix product.",
            dict(through=lambda b, w: b.sum() * w.sum(0)),
            dict(through=lambda b, w: b.sum() * w.mean(0)),
            dict(through=lambda b, w: b.mean() * w.mean(0)),
            through=lambda b, w: b.mean() * w.sum(0),
        ),
        wrong(
            "times_width",
            "It counts b_V W_O as often as W_O has rows.",
            "Every average of values holds b_V once, as the weights sum to 1.",
            dict(through=lambda b, w: w.shape[1] * (b @ w)),
            through=lambda b, w: len(b) * (b @ w),
        ),
        wrong(
            "old_counted_often",
            "It adds b_O more than once: twice, or with every term of the sum.",
            "b_O is added once, after the sum.",
            dict(join=lambda old, new: new + 3 * old),
            dict(whole=lambda b, w, o: b @ w + w.shape[1] * o),
            dict(join=lambda old, new: new + 2 * old),
            whole=lambda b, w, o: b @ w + len(b) * o,
        ),
        wrong(
            "scaled",
            "It divides by a width, or by its root.",
            "A bias is not a score: nothing is divided.",
            dict(through=lambda b, w: b @ w / np.sqrt(w.shape[1])),
            dict(whole=lambda b, w, o: (b @ w + o) / np.sqrt(len(b))),
            dict(through=lambda b, w: b @ w / w.shape[1]),
            through=lambda b, w: b @ w / np.sqrt(len(b)),
        ),
        wrong(
            "back_into_values",
            "It brings b_O back through W_O, to add it to the values.",
            "The bias is asked for after W_O, (c,): b_V goes forward.",
            dict(whole=lambda b, w, o: b + o @ w.T),
            dict(whole=lambda b, w, o: b + np.linalg.solve(w.T, o)),
            whole=lambda b, w, o: b + o @ np.linalg.pinv(w),
        ),
    ),
)
