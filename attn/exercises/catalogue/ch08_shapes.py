"""Chapter 8, continued: the causal mask itself, and a window."""

import numpy as np

from attn import masks
from attn.exercises.engine import Exercise, wrong


def mask_model(n, m, *, offset=lambda n, m: m - n, keep=lambda j, i: j <= i, finish=lambda mask: mask):
    """True where query i, at position i + offset, may see key j."""
    i, j = np.arange(n)[:, None] + offset(n, m), np.arange(m)[None, :]
    return finish(np.broadcast_to(keep(j, i), (n, m)))


MASK = Exercise(
    "8.1", "the causal mask", "The causal mask", "causal_mask(n, m)", masks.causal, mask_model,
    hints=(
        "With 2 queries and 4 keys, the last query is the last token. How many keys does each query see?",
        "Query i stands at position i + m − n and sees the keys j up to there.",
        "A comparison of a row of key positions with a column of query positions.",
    ),
    cases=lambda rng: [(3, 3), (2, 4), (1, 3), (5, 5)],
    misconceptions=(
        wrong("transposed", "It shows the future and hides the past: the triangle is the wrong one.",
              "Query i sees keys j ≤ i, the lower triangle.", keep=lambda j, i: j >= i),
        wrong("strict", "It hides the query's own token.", "Query i may see key i.", keep=lambda j, i: j < i),
        wrong("off_by_one", "It lets each query see one key of the future.", "The first query of a square mask "
              "sees one key.",
              keep=lambda j, i: j <= i + 1),
        wrong("inverted", "True and False are exchanged.", "True means “may attend” here. (nn.MultiheadAttention's "
              "own masks say the "
              "opposite.)", keep=lambda j, i: j > i),
        wrong("top_left", "It aligns the mask at the top left.",
              "With a cache the queries are the last n tokens: the last query sees every key.", offset=lambda n,
              m: 0),
        wrong("numbers", "It returns 1 and 0 in place of True and False.",
              "A mask of numbers would be added to the scores; a mask of truth values chooses.",
              finish=lambda k: k * 1.0),
        wrong("additive", "It returns 0 and −∞, the form that is added to scores.", "Truth values are asked for.",
              finish=lambda k: np.where(k, 0.0, -np.inf)),
        wrong("everything", "It lets every query see every key.", "The future must be hidden.", keep=lambda j,
              i: j >= 0),
        wrong("diagonal", "It lets each query see its own key only.", "The past may be seen.", keep=lambda j,
              i: j == i),
        wrong("turned", "It has one row for each key.", "Rows are queries.", finish=lambda k: k.T),
        wrong("offset_sign", "It shifts the triangle the wrong way: n − m in place of m − n.",
              "With more keys than queries, even the first query sees several keys.", offset=lambda n, m: n - m),
        wrong("square", "It has one column for each query, not for each key.", "Columns are keys: m of them.",
              finish=lambda k: np.tri(len(k), dtype=bool)),
    ),
)  # fmt: skip


def window_model(n, w, *, first=lambda i, w: i - w + 1, last=lambda i, w: i, finish=lambda mask: mask):
    """True for the keys from `first` to `last` of each query."""
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    return finish((first(i, w) <= j) & (j <= last(i, w)))


WINDOW = Exercise(
    "8.5", "a sliding window", "A window", "window_mask(n, w)",
    lambda n, w: masks.sliding_window(n, left=w - 1), window_model,
    hints=(
        "With w = 1, which keys does a query see? With w = 2?",
        "The w keys that a query sees are its own and the w − 1 before it.",
        "Two comparisons of key positions with query positions, both true.",
    ),
    cases=lambda rng: [(5, 2), (6, 3), (4, 1), (7, 4), (3, 5)],
    misconceptions=(
        wrong("one_more", "The window holds w + 1 keys.", "w counts the query's own key too.", first=lambda i,
              w: i - w),
        wrong("one_less", "The window holds w − 1 keys.", "w counts the query's own key too.", first=lambda i,
              w: i - w + 2),
        wrong("two_sided", "The window reaches into the future as well.", "A causal window looks back only.",
              last=lambda i, w: i + w - 1),
        wrong("two_sided_wide", "The window reaches w keys to either side.", "It looks back only, and counts the "
              "query's own key.",
              first=lambda i, w: i - w, last=lambda i, w: i + w),
        wrong("causal_only", "It is causal, and has no window.", "Keys w or more positions back are hidden.",
              first=lambda i, w: 0 * i),
        wrong("future_open", "It hides the distant past, and shows all of the future.", "Keys after the query are "
              "hidden.",
              last=lambda i, w: i + 10**6),
        wrong("blocks", "It cuts the sequence into blocks of w in place of a band.",
              "Each query's window ends at the query itself.", first=lambda i, w: i // w * w),
        wrong("not_itself", "The window ends before the query's own key.", "A token may see itself.",
              last=lambda i, w: i - 1),
        wrong("ahead", "The window looks ahead in place of back.", "The past may be seen, not the future.",
              first=lambda i, w: i, last=lambda i, w: i + w - 1),
        wrong("inverted", "True and False are exchanged.", "True means “may attend”.", finish=lambda mask: ~mask),
        wrong("numbers", "It returns 1 and 0 in place of True and False.", "Truth values are asked for.",
              finish=lambda mask: mask * 1.0),
        wrong("negative_slice", "Near the start its slices begin at a negative number, which counts from the end.",
              "Python reads −1 as the last place: begin at max(0, i − w + 1).",
              first=lambda i, w: np.where(i - w + 1 < 0, np.maximum(len(i) + i - w + 1, 0), i - w + 1)),
        wrong("dilated", "It sees every w-th key in place of the last w.", "The keys of a window are neighbours.",
              first=lambda i, w: 0 * i, last=lambda i, w: np.where((i - np.arange(len(i))) % w == 0, i, -1)),
    ),
)  # fmt: skip

EXERCISES = (MASK, WINDOW)
