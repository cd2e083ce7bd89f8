"""Exercise 8.5, a sliding window."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.sections import CAUSAL, FORBIDDEN, taught
from attn.exercises.checks.exercise import Exercise, wrong


def window_model(n, w, *, first=lambda i, w: i - w + 1, last=lambda i, w: i, finish=lambda mask: mask, whole=None):
    """True for the keys from `first` to `last` of each query."""
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    if whole:
        return whole(i, j, w)
    return finish((first(i, w) <= j) & (j <= last(i, w)))


EXERCISE = Exercise(
    "8.5",
    "a sliding window",
    "A window",
    "window_mask(n, w)",
    lambda n, w: masks.sliding_window(n, left=w - 1),
    window_model,
    another=(
        """\
def window_mask(n, w):
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-w, dtype=bool)
""",
        "A band is one triangle without another.",
    ),
    hints=(
        "With w = 1, which keys does a query see? With w = 2?",
        "The w keys that a query sees are its own and the w − 1 before it.",
        "Two comparisons of key positions with query positions, both true.",
    ),
    cases=lambda rng: [(5, 2), (6, 3), (4, 1), (7, 4), (3, 5), (1, 1), (4, 4)],
    misconceptions=(
        wrong(
            "one_more", "The window holds w + 1 keys.", "w counts the query's own key too.", first=lambda i, w: i - w
        ),
        wrong(
            "one_less",
            "The window holds w − 1 keys.",
            "w counts the query's own key too.",
            first=lambda i, w: i - w + 2,
        ),
        wrong(
            "two_sided",
            "The window reaches into the future as well.",
            "A causal window looks back only.",
            last=lambda i, w: i + w - 1,
        ),
        wrong(
            "two_sided_wide",
            "The window reaches w keys to either side.",
            "It looks back only, and counts the query's own key.",
            first=lambda i, w: i - w,
            last=lambda i, w: i + w,
        ),
        wrong(
            "causal_only",
            "It is causal, and has no window.",
            "Keys w or more positions back are hidden.",
            first=lambda i, w: 0 * i,
        ),
        wrong(
            "future_open",
            "It hides the distant past, and shows all of the future.",
            "Keys after the query are hidden.",
            last=lambda i, w: i + 10**6,
        ),
        wrong(
            "blocks",
            "It cuts the sequence into blocks of w in place of a band.",
            "Each query's window ends at the query itself.",
            first=lambda i, w: i // w * w,
        ),
        wrong(
            "not_itself",
            "The window ends before the query's own key.",
            "A token may see itself.",
            last=lambda i, w: i - 1,
        ),
        wrong(
            "ahead",
            "The window looks ahead in place of back.",
            "The past may be seen, not the future.",
            first=lambda i, w: i,
            last=lambda i, w: i + w - 1,
        ),
        wrong("inverted", "True and False are exchanged.", "True means “may attend”.", finish=lambda mask: ~mask),
        wrong(
            "numbers",
            "It returns 1 and 0 in place of True and False.",
            "Truth values are asked for.",
            finish=lambda mask: mask * 1.0,
        ),
        wrong(
            "additive",
            "It returns 0 and −∞, the form that is added to scores.",
            "Truth values are asked for.",
            {"finish": lambda mask: np.where(mask, 0.0, -1e9)},
            finish=lambda mask: np.where(mask, 0.0, -np.inf),
        ),
        wrong(
            "negative_slice",
            "Near the start its slices begin at a negative number, which counts from the end.",
            "Python reads −1 as the last place: begin at max(0, i − w + 1).",
            first=lambda i, w: np.where(i - w + 1 < 0, np.maximum(len(i) + i - w + 1, 0), i - w + 1),
        ),
        wrong(
            "dilated",
            "It sees every w-th key in place of the last w.",
            "The keys of a window are neighbours.",
            first=lambda i, w: 0 * i,
            last=lambda i, w: np.where((i - np.arange(len(i))) % w == 0, i, -1),
        ),
        wrong(
            "pushed_right",
            "Near the start it pushes the window on, so as to hold w keys.",
            "The first queries have fewer keys behind them, and see no others.",
            last=lambda i, w: np.maximum(i, w - 1),
        ),
        wrong(
            "full_only",
            "It leaves queries with fewer than w keys before them without any.",
            "The first queries see what there is, themselves at least.",
            first=lambda i, w: np.where(i < w - 1, 10**6, i - w + 1),
        ),
        wrong(
            "before_own",
            "The window holds the w keys before the query's own, and not that one.",
            "The w keys are its own and the w − 1 before it.",
            first=lambda i, w: i - w,
            last=lambda i, w: i - 1,
        ),
        wrong(
            "everything",
            "It lets every query see every key.",
            "The future is hidden, and the distant past. Or is one list every row, as in [[…] * n] * n?",
            first=lambda i, w: 0 * i,
            last=lambda i, w: 0 * i + len(i),
        ),
        wrong(
            "last_row_empty",
            "Its last row is empty.",
            "A slice that ends at −0 ends at 0, and holds nothing; and range(n) reaches the last row by itself.",
            finish=lambda k: k & (np.arange(len(k)) < len(k) - 1)[:, None],
        ),
        wrong(
            "one_side",
            "It hides the keys inside the window and shows those before it.",
            "The w keys that end with the query's own are seen.",
            dict(last=lambda i, w: i - w + 1, first=lambda i, w: 0 * i),
            first=lambda i, w: 0 * i,
            last=lambda i, w: i - w,
        ),
        wrong(
            "own_key_only",
            "It lets each query see one key: its own, or the one w − 1 before.",
            "A query sees w keys, side by side.",
            dict(first=lambda i, w: i - w + 1, last=lambda i, w: i - w + 1),
            dict(first=lambda i, w: i - w, last=lambda i, w: i - w),
            first=lambda i, w: i,
            last=lambda i, w: i,
        ),
        wrong(
            "first_keys",
            "It shows the first w keys of the sequence, not the last w up to the query's own.",
            "The window moves with the query: it ends at the query's own key.",
            dict(whole=lambda i, j, w: (j < w) & (i >= 0)),
            whole=lambda i, j, w: (j <= i) & (j < w),
        ),
        wrong(
            "last_keys",
            "It shows the last w keys of the sequence, not the last w up to the query's own.",
            "The window moves with the query: it ends at the query's own key.",
            dict(whole=lambda i, j, w: (j >= len(i) - w) & (i >= 0)),
            whole=lambda i, j, w: (j <= i) & (j >= len(i) - w),
        ),
        wrong(
            "ends_of_the_window",
            "It shows the ends of the window, and nothing in between.",
            "The window holds all keys from i − w + 1 to i.",
            whole=lambda i, j, w: (j == i) | (j == i - w + 1),
        ),
        wrong(
            "wraps_round",
            "Near the start its window wraps round to the last keys.",
            "A negative place counts from the end: begin at max(0, i − w + 1).",
            whole=lambda i, j, w: (i - j) % len(i) < w,
        ),
        wrong(
            "window_cut",
            "It takes a shorter window than asked for where the sequence is short.",
            "The window may be as long as the sequence, or longer: then it is the causal mask.",
            dict(first=lambda i, w: i - min(w, max(len(i) - 2, 1)) + 1),
            first=lambda i, w: i - min(w, max(len(i) - 1, 1)) + 1,
        ),
        wrong(
            "half_window",
            "It takes half of the window.",
            "w keys are seen: the query's own and the w − 1 before it.",
            dict(first=lambda i, w: i - w // 2, last=lambda i, w: i + w // 2),
            dict(first=lambda i, w: i - max(w // 2, 1) + 1),
            first=lambda i, w: i - w // 2,
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        FORBIDDEN: "additive",
        CAUSAL: "future_open everything",
    },
)
