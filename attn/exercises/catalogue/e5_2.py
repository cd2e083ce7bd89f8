"""Exercise 5.2, the OV circuit."""

import numpy as np

from attn import circuits
from attn.exercises.catalogue.sections import COLUMNS, RESHAPE, WRITTEN, taught
from attn.exercises.checks.exercise import Exercise, wrong


def ov_model(
    w_v,
    w_o,
    h,
    *,
    columns=lambda w, h: np.stack(np.split(w, h, 1)),
    rows=lambda w, h: np.stack(np.split(w, h, 0)),
    product=lambda v, o: v @ o,
    gather=lambda m: m,
):
    """The h matrices W_V W_O of a layer."""
    return gather(product(columns(w_v, h), rows(w_o, h)))


def paired(v, o):
    """The products of blocks that need not be of one size."""
    return np.stack([left @ right for left, right in zip(v, o, strict=True)])


EXERCISE = Exercise(
    "5.2",
    "the OV circuit",
    "Route, not create",
    "ov_circuits(W_V, W_O, h)",
    lambda w_v, w_o, h: circuits.ov(w_v, w_o, heads=h).matrix(),
    ov_model,
    another=(
        """\
def ov_circuits(W_V, W_O, h):
    return np.stack([v @ o for v, o in zip(np.split(W_V, h, axis=1), np.split(W_O, h, axis=0))])
""",
        "Columns of W_V and rows of W_O are cut at the same places.",
    ),
    hints=(
        "Head t makes its values with some columns of W_V. With which rows of W_O are they read?",
        "Cut W_V into blocks of columns and W_O into blocks of rows; head t's matrix is the product of its two blocks.",
        "A stack of h products, each (c, e) @ (e, c).",
    ),
    cases=lambda rng: [
        (rng.normal(size=(c, h * e)), rng.normal(size=(h * e, c)), h)
        for c, h, e in ((3, 2, 2), (4, 2, 2), (5, 3, 1), (6, 2, 3), (2, 1, 2))
    ],
    misconceptions=(
        wrong(
            "turned",
            "It multiplies W_O by W_V, in the wrong order.",
            "A token is a row: it meets W_V first, then W_O.",
            product=lambda v, o: o @ v,
        ),
        wrong(
            "transposed",
            "It returns the transposes.",
            "Rows are what is read, columns what is written.",
            product=lambda v, o: (v @ o).swapaxes(1, 2),
        ),
        wrong(
            "summed",
            "It adds the heads up at once: W_V W_O as one matrix.",
            "Each head has its own weights A, so the heads' matrices stay apart until each has met its A.",
            gather=lambda m: m.sum(0),
        ),
        wrong("mean", "It averages the heads.", "Each head has a matrix of its own.", gather=lambda m: m.mean(0)),
        wrong(
            "interleaved_rows",
            "It deals the rows of W_O out like cards.",
            "Head t reads rows t·e … (t + 1)·e − 1.",
            rows=lambda w, h: np.stack([w[t::h] for t in range(h)]),
        ),
        wrong(
            "interleaved_columns",
            "It deals the columns of W_V out like cards.",
            "Head t owns columns t·e … (t + 1)·e − 1.",
            columns=lambda w, h: np.stack([w[:, t::h] for t in range(h)]),
        ),
        wrong(
            "interleaved",
            "It deals the columns of W_V and the rows of W_O out like cards: head t gets t, t + h, and so on.",
            "Head t owns columns t·e … (t + 1)·e − 1 of W_V, and the rows of W_O with the same numbers.",
            columns=lambda w, h: np.stack([w[:, t::h] for t in range(h)]),
            rows=lambda w, h: np.stack([w[t::h] for t in range(h)]),
        ),
        wrong(
            "width_share",
            "It cuts blocks of c/h, though the matrices' own width decides.",
            "A head's block is the width of W_V over h; it need not be c/h.",
            columns=lambda w, h: np.stack([w[:, t * (len(w) // h) : (t + 1) * (len(w) // h)] for t in range(h)]),
            rows=lambda w, h: np.stack([w[t * (w.shape[1] // h) : (t + 1) * (w.shape[1] // h)] for t in range(h)]),
        ),
        wrong(
            "columns_of_both",
            "It cuts W_O into blocks of columns too.",
            "W_O reads the heads side by side: head t's part is a block of its rows.",
            rows=lambda w, h: [w[:, t * (len(w) // h) : (t + 1) * (len(w) // h)].T for t in range(h)],
            product=paired,
        ),
        wrong(
            "same_rows",
            "It reads with the first block of W_O for every head.",
            "Head t has its own block of rows.",
            rows=lambda w, h: np.stack([w[: len(w) // h]] * h),
        ),
        wrong(
            "same_columns",
            "It uses the first head's values for every head.",
            "Head t has its own block of columns.",
            columns=lambda w, h: np.stack([w[:, : w.shape[1] // h]] * h),
        ),
        wrong(
            "first_head",
            "It gives every head the matrix of the first.",
            "Head t has columns of W_V and rows of W_O of its own.",
            gather=lambda m: np.repeat(m[:1], len(m), 0),
        ),
        wrong(
            "reversed_rows",
            "It reads the heads' blocks of W_O in the reverse order.",
            "Head 0 meets the first block.",
            rows=lambda w, h: np.stack(np.split(w, h, 0))[::-1],
        ),
        wrong(
            "reshaped_columns",
            "It cuts W_V by a bare reshape, which cuts across its columns.",
            "reshape to (h, c, e) keeps the order in memory. "
            "Cut the columns first, (c, h, e), then move h to the front.",
            columns=lambda w, h: w.reshape(h, len(w), -1),
        ),
        wrong(
            "heads_second",
            "The heads are the second axis, (c, h, c).",
            "A stack of matrices has its index first.",
            gather=lambda m: m.swapaxes(0, 1),
        ),
        wrong(
            "heads_last",
            "The heads are the last axis, (c, c, h).",
            "A stack of matrices has its index first.",
            gather=lambda m: np.moveaxis(m, 0, -1),
        ),
        wrong(
            "all_pairs",
            "It pairs the values of each head with the rows of every head: (h, h, c, c).",
            "One letter for the head in both factors: head t writes with its own block of W_O.",
            product=lambda v, o: v[:, None] @ o,
        ),
        wrong(
            "sides_exchanged",
            "It cuts rows of W_V and columns of W_O, where columns of W_V and rows of W_O belong to a head.",
            "A head reads all c features and writes all c: what it owns lies between, e columns and e rows.",
            columns=lambda w, h: np.array_split(w, h, axis=0),
            rows=lambda w, h: np.array_split(w, h, axis=1),
            product=lambda v, o: [left @ right for left, right in zip(v, o, strict=True)],
        ),
        wrong(
            "divided",
            "It divides by the number of heads.",
            "The heads' outputs add up as they are.",
            gather=lambda m: m / len(m),
        ),
        wrong(
            "last_left_out",
            "It leaves the last head out.",
            "range(h) ends at h − 1 by itself.",
            {"gather": lambda m: np.stack(list(m[:-1]))},
            gather=lambda m: m[:-1],
        ),
        wrong(
            "sizes_exchanged",
            "It takes h for the width of a head, and the width for the number of heads.",
            "h is the number of heads; each is W_V.shape[1] // h wide.",
            dict(
                columns=lambda w, h: [w[:, t * h : (t + 1) * h] for t in range(h)],
                rows=lambda w, h: [w[t * h : (t + 1) * h] for t in range(h)],
                product=paired,
            ),
            columns=lambda w, h: np.stack(np.split(w, w.shape[1] // h, 1)),
            rows=lambda w, h: np.stack(np.split(w, len(w) // h, 0)),
        ),
        wrong(
            "reads_all",
            "Each head writes through the rows of all heads.",
            "One letter for the head in both factors: head t meets the rows of head t alone.",
            product=lambda v, o: v @ o.sum(0),
        ),
        wrong(
            "counted_from_one",
            "It counts the heads from 1: the first is missing, and an empty one comes last.",
            "range(h) begins at 0.",
            gather=lambda m: np.concatenate([m[1:], 0 * m[:1]]),
        ),
        wrong(
            "scaled",
            "It divides by √e.",
            "A scale belongs to the scores; what a head writes is not scaled.",
            product=lambda v, o: v @ o / np.sqrt(v.shape[-1]),
        ),
        wrong(
            "side_by_side",
            "It lays the circuits side by side, or one under the other.",
            "h matrices have an axis of their own: np.stack.",
            dict(gather=lambda m: np.vstack(list(m))),
            gather=lambda m: np.hstack(list(m)),
        ),
        wrong(
            "start",
            "Its blocks begin at t, or at t·h, in place of t·e.",
            "Head t owns columns t·e … (t + 1)·e − 1.",
            dict(
                columns=lambda w, h: [w[:, t * h : t * h + w.shape[1] // h] for t in range(h)],
                rows=lambda w, h: [w[t * h : t * h + len(w) // h] for t in range(h)],
                product=paired,
            ),
            columns=lambda w, h: np.stack([w[:, t : t + w.shape[1] // h] for t in range(h)]),
            rows=lambda w, h: np.stack([w[t : t + len(w) // h] for t in range(h)]),
        ),
        wrong(
            "whole_for_each",
            "It gives each head the whole product W_V W_O.",
            "Head t has its own block of columns of W_V, and the rows of W_O that meet it.",
            gather=lambda m: np.broadcast_to(m.sum(0), m.shape),
        ),
        wrong(
            "column_lost",
            "It ends each block one column too early, or begins it one too late.",
            "A slice ends before its second number by itself: t·e to (t + 1)·e.",
            dict(product=lambda v, o: v[..., 1:] @ o[:, 1:]),
            product=lambda v, o: v[..., :-1] @ o[:, :-1],
        ),
        wrong(
            "single_column",
            "It takes one column of W_V and one row of W_O for each head, in place of a block of e.",
            "Head t owns columns t·e … (t + 1)·e − 1: as many as W_V is wide, over h.",
            dict(product=lambda v, o: v[..., :1] @ o[:, :1]),
            dict(product=lambda v, o: v[..., -1:] @ o[:, -1:]),
            columns=lambda w, h: w.T[:h, :, None],
            rows=lambda w, h: w[:h, None],
        ),
        wrong(
            "entrywise",
            "It multiplies the blocks entry by entry.",
            "A token meets W_V first, then W_O: a matrix product.",
            product=lambda v, o: v * o.swapaxes(1, 2),
        ),
        wrong(
            "pairs_of_heads",
            "It lets each head's values meet the rows of another head.",
            "Head t writes with rows t·e to (t + 1)·e of W_O.",
            dict(product=lambda v, o: v @ np.roll(o, 1, 0)),
            product=lambda v, o: v @ np.roll(o, -1, 0),
        ),
        wrong(
            "sums_first",
            "It adds up the features of each block before they meet.",
            "Feature meets feature: a matrix product.",
            product=lambda v, o: v.sum(-1, keepdims=True) * o.sum(1, keepdims=True),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        COLUMNS: "interleaved_columns width_share same_columns sizes_exchanged start whole_for_each column_lost "
        "single_column",
        RESHAPE: "reshaped_columns interleaved",
        WRITTEN: "interleaved_rows columns_of_both same_rows reversed_rows reads_all pairs_of_heads all_pairs "
        "sides_exchanged summed",
    },
)
