"""Exercise 6.1, one head from wide matrices."""

import numpy as np

from attn.exercises.catalogue.kin import with_roles, with_scale, with_softmax
from attn.exercises.catalogue.layers import layer
from attn.exercises.catalogue.sections import APART, RESHAPE, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.softmax import softmax


def block(w, h, t):
    """Columns t·d … (t + 1)·d − 1."""
    d = w.shape[1] // h
    return w[:, t * d : (t + 1) * d]


def rows_alone(w, h, t, d):
    """The matrix with zeros in all rows but those of a block."""
    n = len(w) // h
    return np.where((np.arange(len(w))[:, None] // max(n, 1) == t), w, 0.0)


def short(w, h, t, d):
    """A block without its last column."""
    return block(w, h, t)[:, :-1]


def late(w, h, t, d):
    """A block without its first column."""
    return block(w, h, t)[:, 1:]


def one_head(
    x,
    w_q,
    w_k,
    w_v,
    h,
    t,
    *,
    take=lambda w, h, t, d: block(w, h, t),
    take_keys=None,
    take_values=None,
    scale=lambda x, d, h: d**-0.5,
    width=lambda d, e, own: d,
    which=lambda t, h: t,
    finish=lambda y, h, t: y,
    weigh=softmax,
    roles=lambda q, k, v: (q, k, v),
    average=lambda a, v: a @ v,
    project=lambda x, w, h, t: x @ w,
    gather=None,
):
    """Attention of head t alone; gather: of every head, and what is made of their outputs."""
    if gather:
        return gather([one_head(x, w_q, w_k, w_v, h, s) for s in range(h)])
    t, d = which(t, h), w_q.shape[1] // h
    cuts = (take, w_q), (take_keys or take, w_k), (take_values or take, w_v)
    q, k, v = roles(*(project(x, cut(w, h, t, d), h, t) for cut, w in cuts))
    return finish(average(weigh(q @ k.T * scale(x, width(q.shape[1], v.shape[1], d), h)), v), h, t)


def reshaped(x, w, h, t):
    """Head t of a bare reshape of all projections."""
    return (x @ w).reshape(h, len(x), -1)[t]


EXERCISE = Exercise(
    "6.1",
    "one head from wide matrices",
    "Block columns",
    "one_head(X, W_Q, W_K, W_V, h, t)",
    one_head,
    one_head,
    another=(
        """\
def one_head(X, W_Q, W_K, W_V, h, t):
    Q, K, V = (np.split(X @ W, h, axis=1)[t] for W in (W_Q, W_K, W_V))
    S = Q @ K.T / np.sqrt(Q.shape[1])
    return np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None]) @ V
""",
        "Cut after the product or before it: columns of X W are X times the columns of W.",
    ),
    hints=(
        "Which columns of W_Q make the queries of head t?",
        "Head t owns block t of the columns of each matrix; every head sees the whole of X.",
        "Three slices of columns, three products, then attention as always, scaled by the head's own width.",
    ),
    cases=lambda rng: [
        (*layer(rng, *sizes), t)
        for *sizes, t in (
            (3, 5, 2, 2, 3, 1),
            (4, 4, 2, 2, 2, 0),
            (2, 6, 3, 2, 2, 2),
            (3, 4, 4, 1, 2, 1),
            (2, 6, 2, 2, 3, 1),
            (2, 3, 3, 6, 1, 0),
            (1, 2, 1, 1, 2, 0),
        )
    ],
    misconceptions=(
        wrong(
            "rows",
            "It cuts rows of the matrices, and with them the features of X.",
            "Each head reads the whole token; what it owns are columns.",
            dict(take=rows_alone, width=lambda d, e, own: own),
            dict(take=rows_alone),
            dict(
                take=lambda w, h, t, d: np.where(np.arange(len(w))[:, None] * h // len(w) == t, w, 0.0),
                width=lambda d, e, own: own,
            ),
            dict(take=lambda w, h, t, d: block(rows_alone(w, h, t, d), h, 0)),
            dict(take=lambda w, h, t, d: block(rows_alone(w, h, t, d), h, t)),
            take=lambda w, h, t, d: np.where(np.arange(len(w))[:, None] * h // len(w) == t, w, 0.0),
        ),
        wrong(
            "sizes_exchanged",
            "It takes h for the width of a head.",
            "h is the number of heads; each is the matrix's width over h.",
            dict(take=lambda w, h, t, d: w[:, t * h : (t + 1) * h], width=lambda d, e, own: own),
            take=lambda w, h, t, d: w[:, t * h : (t + 1) * h],
        ),
        wrong(
            "column_lost",
            "It ends a block one column too early, or begins it one too late.",
            "A slice ends before its second number by itself: t·d to (t + 1)·d.",
            dict(take=short, width=lambda d, e, own: own),
            dict(take=short, take_values=lambda w, h, t, d: block(w, h, t)),
            dict(take=short, take_values=lambda w, h, t, d: block(w, h, t), width=lambda d, e, own: own),
            dict(take_values=short),
            dict(take=late, width=lambda d, e, own: own),
            dict(take=late),
            take=short,
        ),
        wrong(
            "start",
            "Its block begins at t, or at t·h, in place of t·d.",
            "Head t owns columns t·d … (t + 1)·d − 1 of each matrix, d being that matrix's width over h.",
            dict(take=lambda w, h, t, d: w[:, t * h : t * h + w.shape[1] // h], width=lambda d, e, own: own),
            take=lambda w, h, t, d: w[:, t : t + w.shape[1] // h],
        ),
        wrong(
            "pairs_of_heads",
            "It lets the queries of a head meet the keys, or its weights meet the values, of another head.",
            "A head keeps to itself: block t of all three matrices.",
            dict(take_keys=lambda w, h, t, d: block(w, h, (t - 1) % h)),
            dict(take_values=lambda w, h, t, d: block(w, h, (t + 1) % h)),
            dict(take_values=lambda w, h, t, d: block(w, h, (t - 1) % h)),
            dict(take_values=lambda w, h, t, d: block(w, h, 0)),
            take_keys=lambda w, h, t, d: block(w, h, (t + 1) % h),
        ),
        wrong(
            "interleaved",
            "It takes every h-th column, t, t + h, and so on.",
            "Head t owns neighbouring columns.",
            take=lambda w, h, t, d: w[:, t::h],
        ),
        wrong(
            "scale_model",
            "It divides the scores by the root of the model's width.",
            "Each score sums over the d features of this head, not over all c.",
            scale=lambda x, d, h: x.shape[1] ** -0.5,
        ),
        wrong(
            "scale_all",
            "It divides the scores by the root of all heads' width.",
            "Each score sums over the d features of this head alone.",
            scale=lambda x, d, h: (d * h) ** -0.5,
        ),
        wrong(
            "scale_share",
            "It divides the scores by √(c/h), though W_Q's own width decides d.",
            "d is the width of W_Q over h; it need not be c/h.",
            scale=lambda x, d, h: (x.shape[1] / h) ** -0.5,
        ),
        wrong(
            "width_share",
            "It cuts blocks of c/h columns, though the matrices' own width decides.",
            "A head's block is the matrix's width over h; it need not be c/h.",
            {
                "take": lambda w, h, t, d: w[:, t * (len(w) // h) : (t + 1) * (len(w) // h)],
                "scale": lambda x, d, h: (x.shape[1] // h) ** -0.5,
            },
            take=lambda w, h, t, d: w[:, t * (len(w) // h) : (t + 1) * (len(w) // h)],
        ),
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products.",
            scale=lambda x, d, h: 1.0,
        ),
        wrong(
            "next_head",
            "It takes the head after the one asked for.",
            "Heads are counted from 0.",
            which=lambda t, h: (t + 1) % h,
        ),
        wrong(
            "previous_head",
            "It takes the head before the one asked for.",
            "Heads are counted from 0.",
            {"which": lambda t, h: t - 1, "scale": lambda x, d, h: max(d, 1) ** -0.5},
            which=lambda t, h: (t - 1) % h,
        ),
        wrong(
            "reversed",
            "It counts the heads from the last one.",
            "Head 0 owns the first columns.",
            which=lambda t, h: h - 1 - t,
        ),
        wrong(
            "all_heads",
            "It returns the outputs of all heads, not that of head t alone.",
            "Head t alone is asked for, (n, e): t picks the block.",
            gather=np.hstack,
        ),
        wrong(
            "not_cut",
            "It returns the width of all heads, with 0 in the place of the others.",
            "A head is e wide: its output is (n, e).",
            finish=lambda y, h, t: np.hstack([y if s == t else 0 * y for s in range(h)]),
        ),
        wrong(
            "last_head",
            "It takes the last head, whichever is asked for.",
            "t picks the block.",
            which=lambda t, h: h - 1,
        ),
        wrong("first_head", "It takes head 0, whichever is asked for.", "t picks the block.", which=lambda t, h: 0),
        wrong(
            "all_columns",
            "It uses all columns: one wide head.",
            "Head t owns width / h columns.",
            take=lambda w, h, t, d: w,
        ),
        wrong(
            "values_width",
            "It cuts W_V into blocks as wide as those of W_Q.",
            "Values may have another width: each matrix is cut into h blocks of its own.",
            take_values=lambda w, h, t, d: w[:, t * d : (t + 1) * d],
        ),
        wrong(
            "all_values",
            "It cuts the queries and keys, but uses all of W_V.",
            "The values are cut into heads too.",
            take_values=lambda w, h, t, d: w,
        ),
        wrong(
            "sliced_after",
            "It attends with all columns as one wide head, and cuts the output afterwards.",
            "Each head has scores of its own: cut the queries and keys before they meet.",
            dict(
                take=lambda w, h, t, d: w,
                take_values=lambda w, h, t, d: block(w, h, t),
                scale=lambda x, d, h: (d / h) ** -0.5,
            ),
            take=lambda w, h, t, d: w,
            finish=lambda y, h, t: np.split(y, h, 1)[t],
        ),
        wrong(
            "reshape_only",
            "It cuts the projections by a bare reshape, so each head gets pieces of several tokens.",
            "reshape keeps the order in memory: a head is a block of columns.",
            take=lambda w, h, t, d: w,
            project=reshaped,
        ),
        wrong(
            "first_keys",
            "It takes head 0's keys for every head.",
            "Head t has keys of its own.",
            take_keys=lambda w, h, t, d: block(w, h, 0),
        ),
        wrong(
            "over_queries",
            "It takes the softmax over the queries.",
            "Each query spreads a weight of 1 over the keys.",
            weigh=lambda s: softmax(s, axis=0),
        ),
        wrong(
            "scale_values",
            "It divides by the root of the values' width.",
            "A score sums over the d features of query and key; the width of the values plays no part.",
            width=lambda d, e, own: e,
        ),
        wrong(
            "values_not_projected",
            "It averages the tokens themselves, without W_V.",
            "Values are what W_V makes of the tokens.",
            take_values=lambda w, h, t, d: np.eye(len(w)),
        ),
    ),
)
EXERCISE = with_roles(with_scale(EXERCISE, lambda x, d, h: d))
EXERCISE = with_softmax(
    EXERCISE, lambda scores: (np.eye(4), 2 * scores, np.eye(4), np.eye(4), 1, 0), but=("keys_first",)
)
EXERCISE = taught(
    EXERCISE,
    {
        RESHAPE: "reshape_only interleaved",
        APART: "all_columns sliced_after",
    },
)
