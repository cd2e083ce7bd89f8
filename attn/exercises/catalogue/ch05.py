"""Chapter 5, the weighted average of values, and the one matrix that a head writes with."""

import numpy as np

from attn import circuits
from attn.exercises.engine import Exercise, wrong
from attn.softmax import softmax


def average_model(a, v, *, weights=lambda a: a, product=lambda a, v: a @ v):
    """AV."""
    return product(weights(a), v)


AVERAGE = Exercise(
    "5.1", "the average of the values", "A convex combination", "average(A, V)", lambda a, v: a @ v, average_model,
    hints=(
        "Row i of A holds the shares of query i. Of what are they shares?",
        "Row i of the output is Σ_j A_ij V_j, a combination of the rows of V.",
        "One product, with the weights on the left.",
    ),
    cases=lambda rng: [(softmax(rng.normal(size=(n, m)) * 2), rng.normal(size=(m, e)))
                       for n, m, e in ((2, 3, 5), (3, 3, 3), (4, 2, 2), (3, 5, 3))],
    misconceptions=(
        wrong("transposed", "It multiplies by the transpose of the weights.",
              "Column j of A says who looks at key j; row i says where query i looks.", weights=lambda a: a.T),
        wrong("values_left", "It multiplies VA.", "The rows of V are to be combined, so V stands on the right.",
              product=lambda a, v: v @ a),
        wrong("hard", "It takes the row of V with the largest weight.", "Every value counts with its weight.",
              weights=lambda a: np.eye(a.shape[1])[a.argmax(1)]),
        wrong("columns", "It normalises the columns of the weights first.",
              "The rows sum to 1 already; changing the columns undoes that.", weights=lambda a: a / a.sum(0)),
        wrong("softmax_again", "It takes a softmax of the weights.", "A holds weights already.", weights=softmax),
        wrong("uniform", "It takes the plain mean of the values for every query.", "Each query has its own weights.",
              weights=lambda a: np.full(a.shape, 1 / a.shape[1])),
        wrong("elementwise", "It multiplies the two matrices entry by entry.", "Each output is a sum over the keys.",
              product=lambda a, v: a * v),
        wrong("not_summed", "It leaves the weighted values unsummed: (n, m, e).",
              "The shares of one query add up to one row.", product=lambda a, v: a[:, :, None] * v),
        wrong("divided", "It divides by the number of keys.", "The weights sum to 1 already: they are the division.",
              product=lambda a, v: a @ v / len(v)),
        wrong("output_transposed", "It returns the output transposed.", "One row for each query.",
              product=lambda a, v: (a @ v).T),
        wrong("last_only", "It keeps the last weighted value only.",
              "The weighted values add up: is it `+=` in your loop, or `=`?", product=lambda a, v: a[:, -1:] * v[-1]),
        wrong("running", "It never starts a new sum: each query's output holds those of the queries before it.",
              "Every query begins its own sum at 0.", product=lambda a, v: (a @ v).cumsum(0)),
        wrong("same_row", "All rows are the last query's: one array was filled again and again.",
              "A list of one array n times holds one array; make a new one for each query.",
              product=lambda a, v: np.tile(a[-1] @ v, (len(a), 1))),
        wrong("over_features", "It sums over the features in place of the keys.", "The sum runs over the keys j.",
              product=lambda a, v: a * v.sum(1)),
        wrong("pooled", "It averages the queries' weights, so every query gets the same.",
              "Each row of A is one query's own.", weights=lambda a: np.tile(a.mean(0), (len(a), 1))),
    ),
    invariants=(("An output lies outside the range of the values it averages.",
                 lambda arguments, o: (o.max(0) <= arguments[1].max(0) + 1e-9).all()
                 and (o.min(0) >= arguments[1].min(0) - 1e-9).all()),),
)  # fmt: skip


def ov_model(
    w_v, w_o, h, *, columns=lambda w, h: np.stack(np.split(w, h, 1)), rows=lambda w, h: np.stack(np.split(w, h, 0)),
    product=lambda v, o: v @ o, gather=lambda m: m,
):  # fmt: skip
    """The h matrices W_V W_O of a layer."""
    return gather(product(columns(w_v, h), rows(w_o, h)))


OV = Exercise(
    "5.2", "the OV circuit", "Route, not create", "ov_circuits(W_V, W_O, h)",
    lambda w_v, w_o, h: circuits.ov(w_v, w_o, heads=h).matrix(), ov_model,
    hints=(
        "Head t makes its values with some columns of W_V. With which rows of W_O are they read?",
        "Cut W_V into blocks of columns and W_O into blocks of rows; head t's matrix is the product of its two "
        "blocks.",
        "A stack of h products, each (c, e) @ (e, c).",
    ),
    cases=lambda rng: [(rng.normal(size=(c, h * e)), rng.normal(size=(h * e, c)), h)
                       for c, h, e in ((3, 2, 2), (4, 2, 2), (5, 3, 1), (6, 2, 3))],
    misconceptions=(
        wrong("turned", "It multiplies W_O by W_V, in the wrong order.",
              "A token is a row: it meets W_V first, then W_O.", product=lambda v, o: o @ v),
        wrong("transposed", "It returns the transposes.", "Rows are what is read, columns what is written.",
              product=lambda v, o: (v @ o).swapaxes(1, 2)),
        wrong("summed", "It adds the heads up at once: W_V W_O as one matrix.",
              "Each head has its own weights A, so the heads' matrices stay apart until each has met its A.",
              gather=lambda m: m.sum(0)),
        wrong("mean", "It averages the heads.", "Each head has a matrix of its own.", gather=lambda m: m.mean(0)),
        wrong("interleaved_rows", "It deals the rows of W_O out like cards.", "Head t reads rows t·e … (t + 1)·e − "
              "1.",
              rows=lambda w, h: np.stack([w[t::h] for t in range(h)])),
        wrong("interleaved_columns", "It deals the columns of W_V out like cards.",
              "Head t owns columns t·e … (t + 1)·e − 1.", columns=lambda w, h: np.stack([w[:,
              t::h] for t in range(h)])),
        wrong("same_rows", "It reads with the first block of W_O for every head.", "Head t has its own block of "
              "rows.",
              rows=lambda w, h: np.stack([w[: len(w) // h]] * h)),
        wrong("same_columns", "It uses the first head's values for every head.", "Head t has its own block of "
              "columns.",
              columns=lambda w, h: np.stack([w[:, : w.shape[1] // h]] * h)),
        wrong("reversed_rows", "It reads the heads' blocks of W_O in the reverse order.",
              "Head 0 meets the first block.", rows=lambda w, h: np.stack(np.split(w, h, 0))[::-1]),
        wrong("reshaped_columns", "It cuts W_V by a bare reshape, which cuts across its columns.",
              "reshape to (h, c, e) keeps the order in memory. Cut the columns first, (c, h, e), then move h to the "
              "front.", columns=lambda w, h: w.reshape(h, len(w), -1)),
        wrong("heads_second", "The heads are the second axis, (c, h, c).", "A stack of matrices has its index first.",
              gather=lambda m: m.swapaxes(0, 1)),
        wrong("divided", "It divides by the number of heads.", "The heads' outputs add up as they are.",
              gather=lambda m: m / len(m)),
        wrong("last_left_out", "It leaves the last head out.", "range(h) ends at h − 1 by itself.",
              gather=lambda m: m[:-1]),
    ),
)  # fmt: skip

EXERCISES = (AVERAGE, OV)
