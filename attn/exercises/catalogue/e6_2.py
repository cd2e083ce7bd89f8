"""Exercise 6.2, split heads."""

import numpy as np

from attn import heads
from attn.exercises.catalogue.sections import COLUMNS, RESHAPE, taught
from attn.exercises.checks.exercise import Exercise, wrong


def split_model(x, h, *, cut=heads.split, order=lambda y: y):
    """(n, h·e) -> (h, n, e): how the columns are dealt out, and in which order the heads come."""
    return order(cut(x, h))


def cut(pattern):
    """A split by reshape and transpose. pattern: (x, h, n, e) -> array."""
    return lambda x, h: pattern(x, h, len(x), x.shape[1] // h)


EXERCISE = Exercise(
    "6.2",
    "split heads",
    "Split and merge",
    "split_heads(X, h)",
    heads.split,
    split_model,
    another=(
        """\
def split_heads(X, h):
    return np.stack(np.split(X, h, axis=1))
""",
        "A head is a block of columns; a stack puts the blocks behind one another.",
    ),
    hints=(
        "Split np.arange(12).reshape(3, 4) into 2 heads: which numbers does head 0 hold, and from which tokens?",
        "Head t owns columns t·e … (t + 1)·e − 1 of every token. First cut the last axis in two, then move an axis.",
        "A reshape to three axes with the tokens still first, and one exchange of axes.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, w)), h) for n, w, h in ((3, 4, 2), (4, 4, 2), (2, 6, 2), (2, 12, 4), (1, 4, 2), (3, 2, 1))
    ],
    misconceptions=(
        wrong(
            "reshape_only",
            "It reshapes straight to (h, n, e): a token is cut up and its pieces fill rows of one head.",
            "reshape keeps memory order, which runs along a whole token before the next one begins. "
            "The tokens must stay the first axis until the columns are cut.",
            ask="Print head 0 for X = np.arange(12).reshape(3, 4): which token does each row come from?",
            cut=cut(lambda x, h, n, e: x.reshape(h, n, e)),
        ),
        wrong(
            "no_exchange",
            "It stops at (n, h, e): the heads are the second axis.",
            "Heads come first, so that each head is one matrix (n, e).",
            cut=cut(lambda x, h, n, e: x.reshape(n, h, e)),
        ),
        wrong(
            "interleaved",
            "It deals the columns out like cards: head t gets columns t, t + h, t + 2h and so on.",
            "Head t owns e columns side by side: that is how W_Q, W_K and W_V are cut into blocks.",
            ask="Which columns of X does head 0 own?",
            cut=cut(lambda x, h, n, e: x.reshape(n, e, h).transpose(2, 0, 1)),
        ),
        wrong(
            "features_first",
            "It ends with (h, e, n): the last two axes have changed places.",
            "Within a head, rows are tokens and columns are features, as in X.",
            cut=cut(lambda x, h, n, e: x.reshape(n, h, e).transpose(1, 2, 0)),
        ),
        wrong(
            "transpose_first",
            "It transposes X and then reshapes to (h, n, e).",
            "Transposing first makes features run together; then the reshape cuts across tokens.",
            cut=cut(lambda x, h, n, e: x.T.reshape(h, n, e)),
        ),
        wrong(
            "splits_tokens",
            "It cuts the tokens into groups, not the columns.",
            "Every head sees every token; what is divided among the heads is the width.",
            dict(cut=lambda x, h: tuple(np.array_split(x, h, axis=0))),
            dict(cut=lambda x, h: np.array_split(x, h, axis=0)),
            ask="How many tokens does each head see?",
            cut=lambda x, h: np.stack(np.array_split(x, h)),
        ),
        wrong(
            "same_block",
            "It gives every head the first block of columns.",
            "Head t owns block t; with one block for all, the heads are copies of one another.",
            cut=cut(lambda x, h, n, e: np.stack([x[:, :e]] * h)),
        ),
        wrong(
            "whole_width",
            "It gives every head all the columns.",
            "The heads share the width: e = width / h columns each.",
            cut=lambda x, h: np.stack([x] * h),
        ),
        wrong(
            "swapped_sizes",
            "It cuts the width into e heads of h columns: h and e are exchanged.",
            "h is the number of heads and comes first; e, the width of each, is what is left.",
            cut=cut(lambda x, h, n, e: x.reshape(n, e, h).swapaxes(0, 1)),
        ),
        wrong(
            "reversed",
            "The heads come in the reverse order.",
            "Head 0 owns the first columns.",
            order=lambda y: y[::-1],
        ),
        wrong(
            "first_only",
            "It returns head 0 alone.",
            "All h heads are asked for, (h, n, e).",
            order=lambda y: y[0],
        ),
        wrong(
            "last_left_out",
            "It leaves the last head out.",
            "range(h) ends at h − 1 by itself.",
            order=lambda y: y[:-1],
        ),
        wrong(
            "width_fixed",
            "It cuts heads of one fixed width, whatever h is.",
            "The h heads share the columns: e = width / h.",
            dict(cut=lambda x, h: np.stack([x[:, 2 * t : 2 * t + 2] for t in range(h)])),
            cut=lambda x, h: x.reshape(len(x), -1, 2).swapaxes(0, 1),
        ),
        wrong(
            "sizes_first",
            "It ends with the features first, where the heads belong: the wrong axes were exchanged.",
            "Of (n, h, e) the first two change places, and the features stay last.",
            {"cut": cut(lambda x, h, n, e: x.reshape(n, h, e).transpose(2, 0, 1))},
            cut=cut(lambda x, h, n, e: x.reshape(n, h, e).swapaxes(0, 2)),
        ),
        wrong(
            "column_lost",
            "It ends each block one column early.",
            "A slice ends before its second number: t·e : (t + 1)·e.",
            order=lambda y: y[..., :-1],
        ),
        wrong(
            "start",
            "Its blocks begin at t, or at t·h, in place of t·e.",
            "Head t owns columns t·e … (t + 1)·e − 1.",
            dict(cut=lambda x, h: tuple(x[:, t * h : t * h + x.shape[1] // h] for t in range(h))),
            cut=cut(lambda x, h, n, e: np.stack([x[:, t : t + e] for t in range(h)])),
        ),
        wrong(
            "heads_last",
            "The heads are the last axis, (n, e, h).",
            "A stack has its number first: (h, n, e).",
            cut=cut(lambda x, h, n, e: x.reshape(n, h, e).transpose(0, 2, 1)),
        ),
        wrong(
            "fortran",
            "It reshapes to (h, n, e) in Fortran order.",
            "There the first index runs fastest: columns are dealt out and tokens mixed.",
            cut=cut(lambda x, h, n, e: x.reshape((h, n, e), order="F")),
        ),
        wrong(
            "not_cut",
            "It keeps the full width in every head, and sets the others' columns to 0.",
            "A head is e wide: its columns are cut out, not covered.",
            cut=lambda x, h: np.stack(
                [np.where(np.arange(x.shape[1]) // (x.shape[1] // h) == t, x, 0.0) for t in range(h)]
            ),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        COLUMNS: "same_block whole_width start column_lost",
        RESHAPE: "reshape_only interleaved transpose_first fortran",
    },
)
