"""Exercise 9.1, repeat key–value heads."""

import numpy as np

from attn import heads
from attn.exercises.checks.exercise import Exercise, wrong


def repeat_model(k, h, *, share=lambda k, h: heads.repeat_kv(k, h // len(k)), order=lambda k: k):
    """(g, n, e) -> (h, n, e): which of the g heads each of the h query heads is given."""
    return share(order(k), h)


def floor_parts(head, r):
    """r parts of the width of one head, each as wide as a whole part can be."""
    width = head.shape[1] // r
    return [head[:, i * width : (i + 1) * width] for i in range(r)]


def even_parts(head, r):
    """r parts of the width of one head, the narrower ones filled up with a column of zeros."""
    parts = np.array_split(head, r, axis=1)
    return [np.pad(part, ((0, 0), (0, parts[0].shape[1] - part.shape[1]))) for part in parts]


EXERCISE = Exercise(
    "9.1",
    "repeat key–value heads",
    "Two orders",
    "repeat_kv(K, h)",
    lambda k, h: heads.repeat_kv(k, h // len(k)),
    repeat_model,
    another=(
        """\
def repeat_kv(K, h):
    return K[np.arange(h) // (h // len(K))]
""",
        "Query head i uses key head i // (h/g): an index says who shares with whom.",
    ),
    hints=(
        "With g = 2 and h = 4, which key head must query head 1 use?",
        "Consecutive query heads form a group: each key head is copied h/g times before the next one comes.",
        "One call that repeats along the first axis, h // g times each.",
    ),
    cases=lambda rng: [
        (rng.normal(size=shape), h)
        for *shape, h in (
            (2, 3, 2, 4),
            (2, 2, 2, 6),
            (3, 2, 4, 6),
            (1, 2, 3, 4),
            (3, 1, 2, 3),
            (1, 2, 1, 1),
            (3, 1, 1, 12),
        )
    ],
    misconceptions=(
        wrong(
            "tile",
            "It goes through the key heads in turn, k₀ k₁ k₀ k₁, in place of repeating each, k₀ k₀ k₁ k₁.",
            "Query heads 0 … h/g − 1 share key head 0: groups are neighbours.",
            ask="With g = 2 and h = 4, which key head does your query head 1 get?",
            share=lambda k, h: np.tile(k, (h // len(k), 1, 1)),
        ),
        wrong(
            "along_tokens",
            "It repeats along the tokens in place of the heads.",
            "The number of keys stays as it is; it is heads that are missing.",
            {"share": lambda k, h: np.tile(k, (1, h // len(k), 1))},
            {"share": lambda k, h: np.repeat(k, h // len(k), 1).reshape(h, *k.shape[1:])},
            share=lambda k, h: np.repeat(k, h // len(k), 1),
        ),
        wrong(
            "along_features",
            "It repeats along the features in place of the heads.",
            "Each key keeps its width; it is heads that are missing.",
            {"share": lambda k, h: np.tile(k, (1, 1, h // len(k)))},
            share=lambda k, h: np.repeat(k, h // len(k), 2),
        ),
        wrong(
            "h_times",
            "It repeats each key head h times in place of h/g.",
            "h heads are wanted in all, so each of the g is copied h/g times.",
            share=lambda k, h: np.repeat(k, h, 0),
        ),
        wrong(
            "g_times",
            "It repeats each key head g times in place of h/g.",
            "h heads are wanted in all, so each of the g is copied h/g times.",
            share=lambda k, h: np.repeat(k, len(k), 0),
        ),
        wrong(
            "difference",
            "It repeats each key head h − g times in place of h/g.",
            "h heads are wanted in all, so each of the g is copied h/g times.",
            share=lambda k, h: np.repeat(k, h - len(k), 0),
        ),
        wrong(
            "first_for_all",
            "It gives key head 0 to every query head.",
            "That is multi-query attention; here there are g groups, each with a key head of its own.",
            share=lambda k, h: np.repeat(k[:1], h, 0),
        ),
        wrong(
            "zeros",
            "It fills up with zeros.",
            "A query head with keys of 0 scores every token alike; it is meant to share its group's keys.",
            share=lambda k, h: np.concatenate([k, np.zeros((h - len(k), *k.shape[1:]))]),
        ),
        wrong(
            "last_for_rest",
            "It gives the last key head to all the query heads that are left over.",
            "Every key head serves the same number of query heads, h/g.",
            share=lambda k, h: k[np.minimum(np.arange(h), len(k) - 1)],
        ),
        wrong(
            "mean",
            "It gives every query head the mean of the key heads.",
            "The groups differ; averaging is for making key heads, not for sharing them.",
            share=lambda k, h: np.repeat(k.mean(0, keepdims=True), h, 0),
        ),
        wrong(
            "divided",
            "It divides the key heads by the size of their group.",
            "A copy is a copy: sharing changes no number.",
            share=lambda k, h: np.repeat(k / (h // len(k)), h // len(k), 0),
        ),
        wrong(
            "width_cut",
            "It cuts the width of the key heads into parts, in place of repeating whole heads.",
            "A query head needs a whole key head: each of the h has the width e.",
            dict(share=lambda k, h: np.stack([part for head in k for part in even_parts(head, h // len(k))])),
            share=lambda k, h: np.stack([part for head in k for part in floor_parts(head, h // len(k))]),
        ),
        wrong(
            "extra_axis",
            "It leaves the copies on an axis of their own: (g, h/g, n, e).",
            "One more reshape joins groups and copies into the h heads.",
            share=lambda k, h: np.repeat(k[:, None], h // len(k), 1),
        ),
        wrong(
            "unchanged",
            "It returns K as it is, with g heads.",
            "Each of the h query heads needs a key head.",
            share=lambda k, h: k,
        ),
        wrong(
            "reversed",
            "The key heads come in the reverse order.",
            "Query head 0 uses key head 0.",
            order=lambda k: k[::-1],
        ),
        wrong(
            "divided_by_groups",
            "It divides by g in place of h/g: query head i gets key head i // g.",
            "h/g neighbours share a key head: i // (h // g).",
            share=lambda k, h: k[np.minimum(np.arange(h) // len(k), len(k) - 1)],
        ),
        wrong(
            "one_early",
            "It changes the key head one query head too early.",
            "Query heads are counted from 0: i // (h // g).",
            share=lambda k, h: k[np.minimum((np.arange(h) + 1) // (h // len(k)), len(k) - 1)],
        ),
        wrong(
            "spread",
            "It spreads the key heads evenly and rounds, so the first and the last serve fewer query heads.",
            "Every key head serves h/g query heads.",
            share=lambda k, h: k[np.round(np.linspace(0, len(k) - 1, h)).astype(int)],
        ),
        wrong(
            "fixed_group",
            "It repeats each key head the same number of times, whatever h and g are.",
            "The number of query heads in a group is h / g; it is 2 in the picture alone.",
            dict(share=lambda k, h: np.repeat(k, 4, 0)),
            dict(share=lambda k, h: np.repeat(k, 3, 0)),
            dict(share=lambda k, h: k[np.arange(h) // 2 % len(k)]),
            dict(share=lambda k, h: k[np.minimum(np.arange(h) // 2, len(k) - 1)]),
            share=lambda k, h: np.repeat(k, 2, 0),
        ),
        wrong(
            "repeat_reshaped",
            "It repeats number by number: np.repeat without an axis flattens.",
            "Name axis 0, the heads, and each matrix stays whole.",
            dict(share=lambda k, h: np.repeat(k, h // len(k))),
            share=lambda k, h: np.repeat(k, h // len(k)).reshape(h, *k.shape[1:]),
        ),
        wrong(
            "head_numbers",
            "It returns the numbers of the key heads, not the heads.",
            "Asked for are the arrays: K at those places, (h, n, e).",
            dict(share=lambda k, h: np.arange(len(k)).repeat(h // len(k))[:, None]),
            share=lambda k, h: np.arange(len(k)).repeat(h // len(k)),
        ),
        wrong(
            "wrong_axis_size",
            "It takes the number of tokens, or the width, for the number of key heads.",
            "K is (g, n, e): g is the first axis.",
            dict(share=lambda k, h: np.repeat(k, h // k.shape[1], 0)),
            dict(share=lambda k, h: np.repeat(k, h // k.shape[2], 0)),
            dict(share=lambda k, h: np.repeat(k, max(h // k.shape[2], 1), 0)),
            share=lambda k, h: np.repeat(k, max(h // k.shape[1], 1), 0),
        ),
        wrong(
            "joined_heads",
            "It joins the heads into one matrix.",
            "Each query head has a matrix (n, e) of its own: three axes stay.",
            share=lambda k, h: heads.repeat_kv(k, h // len(k)).reshape(-1, k.shape[2]),
        ),
    ),
)
