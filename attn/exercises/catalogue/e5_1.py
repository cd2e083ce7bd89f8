"""Exercise 5.1, the average of the values."""

import numpy as np

from attn.exercises.catalogue.sections import SHARES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.softmax import softmax


def average_model(a, v, *, weights=lambda a: a, product=lambda a, v: a @ v):
    """AV."""
    return product(weights(a), v)


def with_own_value(a, v):
    """The average, and the value of the query's own number, as far as there is one."""
    y, own = a @ v, min(len(a), len(v))
    y[:own] += v[:own]
    return y


EXERCISE = Exercise(
    "5.1",
    "the average of the values",
    "A convex combination",
    "average(A, V)",
    lambda a, v: a @ v,
    average_model,
    another=(
        """\
def average(A, V):
    return np.einsum("nm,me->ne", A, V)
""",
        "Row i of A and all of V: the letter m, the keys, is summed.",
    ),
    hints=(
        "Row i of A holds the shares of query i. Of what are they shares?",
        "Row i of the output is Σ_j A_ij V_j, a combination of the rows of V.",
        "One product, with the weights on the left.",
    ),
    cases=lambda rng: [
        (softmax(rng.normal(size=(n, m)) * 2), rng.normal(size=(m, e)))
        for n, m, e in ((2, 3, 5), (3, 3, 3), (4, 2, 2), (3, 5, 3), (1, 1, 2), (2, 1, 1))
    ],
    misconceptions=(
        wrong(
            "transposed",
            "It multiplies by the transpose of the weights.",
            "Column j of A says who looks at key j; row i says where query i looks.",
            weights=lambda a: a.T,
        ),
        wrong(
            "values_left",
            "It multiplies VA.",
            "The rows of V are to be combined, so V stands on the right.",
            product=lambda a, v: v @ a,
        ),
        wrong(
            "hard",
            "It takes the row of V with the largest weight.",
            "Every value counts with its weight.",
            weights=lambda a: np.eye(a.shape[1])[a.argmax(1)],
        ),
        wrong(
            "columns",
            "It normalises the columns of the weights first.",
            "The rows sum to 1 already; changing the columns undoes that.",
            weights=lambda a: a / a.sum(0),
        ),
        wrong("softmax_again", "It takes a softmax of the weights.", "A holds weights already.", weights=softmax),
        wrong(
            "uniform",
            "It takes the plain mean of the values for every query.",
            "Each query has its own weights.",
            weights=lambda a: np.full(a.shape, 1 / a.shape[1]),
        ),
        wrong(
            "elementwise",
            "It multiplies the two matrices entry by entry.",
            "Each output is a sum over the keys.",
            product=lambda a, v: a * v,
        ),
        wrong(
            "not_summed",
            "It leaves the weighted values unsummed: (n, m, e).",
            "The shares of one query add up to one row.",
            product=lambda a, v: a[:, :, None] * v,
        ),
        wrong(
            "divided",
            "It divides once more: by the number of keys, or by the sum of all weights.",
            "The weights sum to 1 already: they are the division.",
            {"product": lambda a, v: a @ v / a.sum()},
            product=lambda a, v: a @ v / len(v),
        ),
        wrong(
            "output_transposed",
            "It returns the output transposed.",
            "One row for each query.",
            product=lambda a, v: (a @ v).T,
        ),
        wrong(
            "last_only",
            "It keeps the last weighted value only.",
            "The weighted values add up: is it `+=` in your loop, or `=`?",
            product=lambda a, v: a[:, -1:] * v[-1],
        ),
        wrong(
            "running",
            "It never starts a new sum: each query's output holds those of the queries before it.",
            "Every query begins its own sum at 0.",
            product=lambda a, v: (a @ v).cumsum(0),
        ),
        wrong(
            "same_row",
            "All rows are the last query's: one array was filled again and again.",
            "A list of one array n times holds one array; make a new one for each query.",
            product=lambda a, v: np.tile(a[-1] @ v, (len(a), 1)),
        ),
        wrong(
            "largest_one",
            "It makes the largest weight of each row 1, so the rows no longer sum to 1.",
            "The weights are used as they come: each row sums to 1.",
            weights=lambda a: a / a.max(1, keepdims=True),
        ),
        wrong(
            "residual",
            "It adds the values themselves to the result.",
            "What is asked for is the weighted average alone.",
            product=with_own_value,
        ),
        wrong(
            "over_features",
            "It sums over the features in place of the keys.",
            "The sum runs over the keys j.",
            product=lambda a, v: a * v.sum(1),
        ),
        wrong(
            "pooled",
            "It averages the queries' weights, so every query gets the same.",
            "Each row of A is one query's own.",
            weights=lambda a: np.tile(a.mean(0), (len(a), 1)),
        ),
        wrong(
            "features_summed",
            "It adds the features of each output up: one number for each query.",
            "The sum runs over the keys alone; an output is as wide as V.",
            product=lambda a, v: (a @ v).sum(1),
        ),
        wrong(
            "key_lost",
            "It leaves a key out of the sum.",
            "range(m) goes from 0 to m − 1: all m keys count.",
            dict(product=lambda a, v: a[:, 1:] @ v[1:]),
            product=lambda a, v: a[:, :-1] @ v[:-1],
        ),
        wrong(
            "reshaped",
            "It turns V round by reshape, so numbers of different values meet.",
            "reshape keeps the order in memory; .T exchanges rows and columns.",
            product=lambda a, v: a @ v.reshape(v.shape[::-1]).T,
        ),
        wrong(
            "values_overwritten",
            "It multiplies V itself by each query's weights, so that later queries find it changed.",
            "V *= … writes into the array: make a new one for each query, a[:, None] * V.",
            product=lambda a, v: np.cumprod(a, 0) @ v,
        ),
        wrong(
            "queries_lost",
            "It leaves a query out.",
            "There is one output for each row of A.",
            dict(product=lambda a, v: (a @ v)[:-1]),
            product=lambda a, v: (a @ v)[1:],
        ),
        wrong(
            "another_mean",
            "It takes a median, a geometric mean or a largest value.",
            "The average is Σ a_j v_j.",
            dict(product=lambda a, v: np.exp(a @ np.log(abs(v)))),
            dict(product=lambda a, v: (a[:, :, None] * v).max(1)),
            dict(product=lambda a, v: np.array([np.median(v, 0)] * len(a))),
            product=lambda a, v: np.median(a[:, :, None] * v, 1),
        ),
        wrong(
            "smallest_weight",
            "It takes the row of V with the smallest weight.",
            "Every row counts with its weight.",
            product=lambda a, v: v[a.argmin(1)],
        ),
    ),
    invariants=(
        (
            "An output lies outside the range of the values it averages.",
            lambda arguments, o: (
                (o.max(0) <= arguments[1].max(0) + 1e-9).all() and (o.min(0) >= arguments[1].min(0) - 1e-9).all()
            ),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        SHARES: "columns softmax_again",
    },
)
