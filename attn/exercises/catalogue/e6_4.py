"""Exercise 6.4, merge heads."""

import numpy as np

from attn import heads
from attn.exercises.catalogue.sections import RESHAPE, WRITTEN, taught
from attn.exercises.checks.exercise import Exercise, wrong


def merge_model(x, *, lay=heads.merge, order=lambda x: x):
    """(h, n, e) -> (n, h·e): the order of the heads, and how they are laid."""
    return lay(order(x))


def overlapping(x, step=1):
    """Blocks of columns that begin at t, or at t times a step, in place of t·e; what runs out of the row is lost."""
    h, n, e = x.shape
    y = np.zeros((n, h * e + h * step))
    for t in range(h):
        y[:, t * step : t * step + e] = x[t]
    return y[:, : h * e]


EXERCISE = Exercise(
    "6.4",
    "merge heads",
    "Split and merge",
    "merge_heads(H)",
    heads.merge,
    merge_model,
    another=(
        """\
def merge_heads(H):
    return np.hstack(list(H))
""",
        "Side by side is what hstack does: each head brings its own columns.",
    ),
    hints=(
        "Row i of the result belongs to token i. Which h rows of H are laid into it?",
        "Merging undoes splitting: bring the tokens to the front, then let heads and features run together.",
        "One exchange of axes, then a reshape to two.",
    ),
    cases=lambda rng: [
        (rng.normal(size=shape),) for shape in ((2, 3, 2), (2, 2, 2), (3, 2, 4), (4, 3, 1), (1, 3, 2), (2, 1, 3))
    ],
    misconceptions=(
        wrong(
            "reshape_only",
            "It reshapes (h, n, e) to (n, h·e) without moving the heads: pieces of different tokens share a row.",
            "reshape keeps memory order, so the token axis must come first.",
            ask="Which tokens' numbers stand in row 0 of your result?",
            lay=lambda x: x.reshape(x.shape[1], -1),
        ),
        wrong(
            "interleaved",
            "It shuffles the heads' features together in place of laying the heads side by side.",
            "W_O is cut into blocks of rows, one for each head in order; feature t·e + j is feature j of head t.",
            lay=lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
        ),
        wrong(
            "sum",
            "It adds the heads up.",
            "Heads are laid side by side. A sum appears later, when each head has met its own block of W_O.",
            lay=lambda x: x.sum(0),
        ),
        wrong(
            "mean",
            "It averages the heads.",
            "Each head keeps its own columns; what they have in common is for W_O to find.",
            lay=lambda x: x.mean(0),
        ),
        wrong(
            "stacked",
            "It stacks the heads along the tokens: (h·n, e).",
            "There are n tokens before and after; it is the width that grows.",
            ask="How many rows should the result have?",
            lay=lambda x: x.reshape(-1, x.shape[2]),
        ),
        wrong(
            "no_reshape",
            "It stops at (n, h, e): heads and features are still two axes.",
            "The result is a matrix with one row for each token.",
            lay=lambda x: x.swapaxes(0, 1),
        ),
        wrong(
            "features_first",
            "It exchanges tokens and features inside each head before it reshapes.",
            "It is the heads and the tokens that change places: (n, h, e).",
            lay=lambda x: x.swapaxes(1, 2).reshape(x.shape[1], -1),
        ),
        wrong(
            "features_as_tokens",
            "It takes the features for tokens: the result is (e, h·n).",
            "Rows of the result are tokens, the second axis of H.",
            lay=lambda x: x.transpose(2, 0, 1).reshape(x.shape[2], -1),
        ),
        wrong(
            "transposed",
            "It returns (h·e, n), the transpose of what is asked for.",
            "Rows are tokens, columns are features, as in X.",
            lay=lambda x: heads.merge(x).T,
        ),
        wrong(
            "first_only", "It returns head 0 alone.", "All heads go into the result, side by side.", lay=lambda x: x[0]
        ),
        wrong(
            "reversed",
            "The heads come in the reverse order.",
            "Head 0 fills the first columns.",
            order=lambda x: x[::-1],
        ),
        wrong(
            "last_left_out", "It leaves the last head out.", "range(h) ends at h − 1 by itself.", order=lambda x: x[:-1]
        ),
        wrong(
            "start",
            "Its blocks begin at t, or at t·h, in place of t·e.",
            "Head t owns columns t·e … (t + 1)·e − 1.",
            dict(lay=lambda x: overlapping(x, len(x))),
            lay=overlapping,
        ),
        wrong(
            "all_reversed",
            "It reverses all three axes (.T) and reshapes.",
            "Tokens must come first, then heads: np.transpose(H, (1, 0, 2)).",
            lay=lambda x: x.T.reshape(x.shape[1], -1),
        ),
        wrong(
            "axes_misread",
            "It makes a row of each head, as if the axes were (n, h, e): tokens, heads, features.",
            "H is (h, n, e): the first axis counts the heads.",
            lay=lambda x: x.reshape(len(x), -1),
        ),
        wrong(
            "two_heads",
            "It lays two heads side by side, however many there are.",
            "h may be any number: all the heads count.",
            dict(lay=lambda x: np.hstack([x[0], x[-1]])),
            lay=lambda x: np.hstack(list(x[:2])),
        ),
        wrong(
            "unchanged",
            "It returns the heads as they came, (h, n, e), and does not lay them side by side.",
            "The result is a matrix with one row for each token: (n, h·e).",
            lay=lambda x: x,
        ),
        wrong(
            "flattened",
            "It lays all numbers in one vector.",
            "Joining without an axis flattens. Each token has a row: join along the columns.",
            lay=lambda x: x.ravel(),
        ),
        wrong(
            "one_list",
            "It fills one list with all tokens' features, for every row: all rows are the same list.",
            "[[]] * n holds one list n times; make a new one for each row.",
            dict(lay=lambda x: np.tile(x.ravel(), (x.shape[1], 1))),
            lay=lambda x: np.tile(x.reshape(-1), (x.shape[1], 1)),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        RESHAPE: "reshape_only",
        WRITTEN: "sum mean",
    },
)
