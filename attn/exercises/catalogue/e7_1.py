"""Exercise 7.1, W_O as a sum over heads."""

import numpy as np

from attn import heads
from attn.exercises.catalogue.sections import MIXED, RESHAPE, taught
from attn.exercises.checks.exercise import Exercise, wrong


def rows(w, h):
    """W_O in blocks of rows: (h, e, c)."""
    return w.reshape(h, -1, w.shape[1])


def writes_model(o, w, *, cut=lambda o: o, blocks=rows, gather=lambda y: y.sum(0), whole=None):
    """Σ_t O_t W_O^t; whole: all of it in another way."""
    return whole(o, w) if whole else gather(cut(o) @ blocks(w, len(o)))


def mixed_up(o):
    """Heads laid side by side by a bare reshape, and cut again."""
    h, n, e = o.shape
    return heads.split(o.reshape(n, h * e), h)


def mix_case(rng, h, n, e, c):
    """Random heads and W_O."""
    return rng.normal(size=(h, n, e)), rng.normal(size=(h * e, c))


CASES = ((2, 3, 2, 5), (2, 2, 2, 4), (3, 2, 1, 2), (2, 3, 3, 6), (2, 4, 2, 4), (1, 2, 3, 2), (2, 1, 1, 1), (3, 2, 2, 4))


INTERLEAVED = lambda w, h: np.stack([w[t::h] for t in range(h)])  # noqa: E731


def column_blocks(w, h):
    """Blocks of columns, which only a square W_O lets one use."""
    if len(w) != w.shape[1]:
        raise ValueError("blocks of columns do not fit")
    return np.stack([block.T for block in np.split(w, h, 1)])


def stepping(o, w):
    """Blocks of W_O that begin at multiples of c / h, the share of the model's width."""
    h, _, e = o.shape
    step = w.shape[1] // h
    return sum(o[t] @ w[t * step : t * step + e] for t in range(h))


EXERCISE = Exercise(
    "7.1",
    "W_O as a sum over heads",
    "A sum over heads",
    "mix(O, W_O)",
    lambda o, w: heads.writes(o, w).sum(0),
    writes_model,
    another=(
        """\
def mix(O, W_O):
    return np.einsum("hne,hec->nc", O, W_O.reshape(len(O), -1, W_O.shape[1]))
""",
        "Heads and features are both summed; only the order of the rows of W_O says which is which.",
    ),
    hints=(
        "Row i of the heads laid side by side is [O⁰_i | O¹_i | …]. Which rows of W_O does O¹_i meet?",
        "A product with a row of blocks is a sum of products of blocks: each head with its own rows of W_O.",
        "A sum over heads of (n, e) @ (e, c).",
    ),
    cases=lambda rng: [mix_case(rng, *sizes) for sizes in CASES],
    misconceptions=(
        wrong(
            "column_blocks",
            "It lets heads meet columns of W_O in place of rows: cut into blocks of columns, or transposed.",
            "A head is e wide: it meets e rows of W_O. Columns are where it writes.",
            blocks=column_blocks,
        ),
        wrong(
            "interleaved",
            "It gives head t every h-th row of W_O.",
            "Head t owns e neighbouring rows.",
            blocks=INTERLEAVED,
        ),
        wrong("first_only", "It counts the first head alone.", "Every head writes.", gather=lambda y: y[0]),
        wrong("last_only", "It counts the last head alone.", "Every head writes.", gather=lambda y: y[-1]),
        wrong(
            "mean",
            "It averages what the heads write.",
            "They write to one stream, and what they write adds up.",
            gather=lambda y: y.mean(0),
        ),
        wrong(
            "same_block",
            "Every head meets the same block of W_O.",
            "Head t has its own block.",
            dict(blocks=lambda w, h: np.stack([w[-(len(w) // h) :]] * h)),
            blocks=lambda w, h: np.stack([w[: len(w) // h]] * h),
        ),
        wrong(
            "reversed",
            "The heads meet the blocks in the reverse order.",
            "Head 0 meets the first rows.",
            blocks=lambda w, h: rows(w, h)[::-1],
        ),
        wrong(
            "stacked",
            "It returns each head's part and does not add them up.",
            "The sum over heads is asked for.",
            gather=lambda y: y,
        ),
        wrong(
            "side_by_side",
            "It lays the written parts side by side.",
            "All heads write into the same c columns: add.",
            gather=heads.merge,
        ),
        wrong(
            "merge_reshape",
            "It lays the heads side by side by a bare reshape, so each token gets pieces of others.",
            "reshape keeps memory order: exchange the axes first, (n, h, e).",
            cut=mixed_up,
        ),
        wrong("product", "It multiplies the heads' parts.", "What is written adds up.", gather=lambda y: y.prod(0)),
        wrong(
            "no_mix",
            "It lays the heads side by side and leaves W_O out.",
            "The last step is the product with W_O.",
            blocks=lambda w, h: rows(np.eye(len(w)), h),
        ),
        wrong(
            "last_left_out",
            "It leaves the last head out.",
            "range(h) ends at h − 1 by itself.",
            gather=lambda y: y[:-1].sum(0),
        ),
        wrong(
            "summed_first",
            "It adds the heads up, and the blocks of W_O too, before they meet.",
            "Every head meets its own block alone; summed first, each head meets all of them.",
            cut=lambda o: o.sum(0, keepdims=True),
            blocks=lambda w, h: rows(w, h).sum(0, keepdims=True),
        ),
        wrong(
            "start",
            "Its blocks of W_O begin at t in place of t·e, so they overlap.",
            "Head t owns rows t·e … (t + 1)·e − 1.",
            blocks=lambda w, h: np.stack([w[t : t + len(w) // h] for t in range(h)]),
        ),
        wrong(
            "over_tokens",
            "It adds up over the tokens in place of the heads.",
            "Each token has a row in the result; what is summed are the heads, the first axis.",
            gather=lambda y: y.sum(1),
        ),
        wrong(
            "blocks_reshaped",
            "It turns the blocks of W_O round by reshape.",
            "W_O is (h·e, c): reshape it to (h, e, c), and nothing has to be exchanged.",
            blocks=lambda w, h: w.reshape(h, w.shape[1], -1).transpose(0, 2, 1),
        ),
        wrong(
            "width_share",
            "It cuts W_O every c/h rows, the share of the model's width.",
            "A head's block of W_O has e rows, as many as the head has features.",
            whole=stepping,
        ),
        wrong(
            "head_twice",
            "It counts one head twice, the first or the last.",
            "A sum begins at 0; where it begins with a head, the loop goes on with the next.",
            dict(gather=lambda y: y.sum(0) + y[-1]),
            gather=lambda y: y.sum(0) + y[0],
        ),
        wrong(
            "first_left_out",
            "It leaves the first head out.",
            "Heads are counted from 0.",
            gather=lambda y: y[1:].sum(0),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        RESHAPE: "merge_reshape",
        MIXED: "no_mix side_by_side",
    },
)
