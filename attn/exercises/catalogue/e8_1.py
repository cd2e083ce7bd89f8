"""Exercise 8.1, the causal mask."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.sections import CORNER, FORBIDDEN, WINDOW, taught
from attn.exercises.checks.exercise import Exercise, wrong


def mask_model(n, m, *, offset=lambda n, m: m - n, keep=lambda j, i: j <= i, finish=lambda mask: mask):
    """True where query i, at position i + offset, may see key j."""
    i, j = np.arange(n)[:, None] + offset(n, m), np.arange(m)[None, :]
    return finish(np.broadcast_to(keep(j, i), (n, m)))


EXERCISE = Exercise(
    "8.1",
    "the causal mask",
    "The causal mask",
    "causal_mask(n, m)",
    masks.causal,
    mask_model,
    another=(
        """\
def causal_mask(n, m):
    return np.tri(n, m, m - n, dtype=bool)
""",
        "A lower triangle whose corner is moved by m − n: the last query sits on the last key.",
    ),
    hints=(
        "With 2 queries and 4 keys, the last query is the last token. How many keys does each query see?",
        "Query i stands at position i + m − n and sees the keys j up to there.",
        "A comparison of a row of key positions with a column of query positions.",
    ),
    cases=lambda rng: [(3, 3), (2, 4), (1, 3), (5, 5), (1, 1), (3, 8)],
    misconceptions=(
        wrong(
            "transposed",
            "It shows the future and hides the past: the triangle is the wrong one.",
            "Query i sees keys j ≤ i, the lower triangle.",
            keep=lambda j, i: j >= i,
        ),
        wrong(
            "strict",
            "It hides the query's own token.",
            "Query i may see key i.",
            dict(keep=lambda j, i: j < np.maximum(i, 1)),
            keep=lambda j, i: j < i,
        ),
        wrong(
            "window",
            "It shows the last few keys alone, and hides the older ones.",
            "Query i sees all keys up to its own; a window is another mask, that of 8.5.",
            dict(keep=lambda j, i: (j <= i) & (i - j <= 2)),
            dict(keep=lambda j, i: (j <= i) & (i - j <= 3)),
            keep=lambda j, i: (j <= i) & (i - j <= 1),
        ),
        wrong(
            "off_by_one",
            "It lets each query see one key of the future.",
            "The first query of a square mask sees one key.",
            keep=lambda j, i: j <= i + 1,
        ),
        wrong(
            "inverted",
            "True and False are exchanged.",
            "True means “may attend” here. (nn.MultiheadAttention's own masks say the opposite.)",
            keep=lambda j, i: j > i,
        ),
        wrong(
            "top_left",
            "It aligns the mask at the top left.",
            "With a cache the queries are the last n tokens: the last query sees every key.",
            offset=lambda n, m: 0,
        ),
        wrong(
            "numbers",
            "It returns 1 and 0 in place of True and False.",
            "A mask of numbers would be added to the scores; a mask of truth values chooses.",
            finish=lambda k: k * 1.0,
        ),
        wrong(
            "additive",
            "It returns 0 and −∞, the form that is added to scores.",
            "Truth values are asked for.",
            finish=lambda k: np.where(k, 0.0, -np.inf),
        ),
        wrong(
            "everything",
            "It lets every query see every key.",
            "The future must be hidden. Or is one list the row of every query, as in [[…] * m] * n?",
            keep=lambda j, i: j >= 0,
        ),
        wrong(
            "diagonal", "It lets each query see its own key only.", "The past may be seen.", keep=lambda j, i: j == i
        ),
        wrong("turned", "It has one row for each key.", "Rows are queries.", finish=lambda k: k.T),
        wrong(
            "offset_sign",
            "It shifts the triangle the wrong way: n − m in place of m − n.",
            "With more keys than queries, even the first query sees several keys.",
            offset=lambda n, m: n - m,
        ),
        wrong(
            "square",
            "It has one column for each query, not for each key.",
            "Columns are keys: m of them.",
            finish=lambda k: np.tri(len(k), dtype=bool),
        ),
        wrong(
            "old_keys_lost",
            "It hides all keys but the last n.",
            "The last query sees every key: older keys stay visible.",
            finish=lambda k: k & (np.arange(k.shape[1]) >= k.shape[1] - len(k)),
        ),
        wrong(
            "old_keys_last",
            "It puts the m − n older keys behind the new ones, in place of before them.",
            "The queries are the last n tokens: older keys come first.",
            finish=lambda k: np.hstack([np.tri(len(k), dtype=bool), np.ones((len(k), k.shape[1] - len(k)), bool)]),
        ),
        wrong(
            "rows_reversed",
            "Its rows come in the reverse order.",
            "The first query sees the fewest keys, the last one all.",
            finish=lambda k: k[::-1],
        ),
        wrong(
            "columns_cut",
            "It cuts columns out of the (m, m) mask in place of rows.",
            "The n queries are the last n rows: np.tri(m)[m − n :].",
            finish=lambda k: np.tri(k.shape[1], dtype=bool)[:, -len(k) :],
        ),
        wrong(
            "proportional",
            "It stretches the diagonal over the rectangle.",
            "Query i stands at position i + m − n: the triangle moves, it does not stretch.",
            dict(offset=lambda n, m: 0, keep=lambda j, i: j <= np.round(i * (j.shape[1] / len(i)))),
            dict(offset=lambda n, m: 0, keep=lambda j, i: j < (i + 1) * j.shape[1] // len(i)),
            dict(offset=lambda n, m: 0, keep=lambda j, i: j <= i * (j.shape[1] // len(i))),
            offset=lambda n, m: 0,
            keep=lambda j, i: (j + 1) / j.shape[1] <= (i + 1) / len(i),
        ),
        wrong(
            "fixed_offset",
            "It moves the triangle by the same number of keys for all sizes.",
            "The offset is m − n: 2 in the picture, 0 in a square.",
            dict(offset=lambda n, m: 1, keep=lambda j, i: j <= i),
            dict(offset=lambda n, m: 3, keep=lambda j, i: j <= i),
            offset=lambda n, m: 2,
            keep=lambda j, i: j <= i,
        ),
        wrong(
            "last_row_empty",
            "Its last row is empty.",
            "A slice that ends at −0 ends at 0, and holds nothing; and range(n) reaches the last row by itself.",
            dict(finish=lambda k: np.vstack([k[:-1], k[-1:] & False])),
            finish=lambda k: k & (np.arange(len(k)) < len(k) - 1)[:, None],
        ),
        wrong(
            "offset_n",
            "It moves the triangle by n in place of m − n.",
            "Query i stands at position i + m − n.",
            offset=lambda n, m: n,
        ),
        wrong(
            "past_only_new",
            "It shows the first m − n keys and hides all of the new ones, or the reverse.",
            "Query i sees the old keys and the new ones up to its own.",
            dict(finish=lambda k: np.broadcast_to(np.arange(k.shape[1]) < k.shape[1] - len(k), k.shape)),
            finish=lambda k: np.broadcast_to(np.arange(k.shape[1]) >= k.shape[1] - len(k), k.shape),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        WINDOW: "window",
        FORBIDDEN: "additive",
        CORNER: "top_left offset_sign square old_keys_lost old_keys_last columns_cut proportional fixed_offset "
        "offset_n past_only_new",
    },
)
