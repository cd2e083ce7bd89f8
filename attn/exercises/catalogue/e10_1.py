"""Exercise 10.1, a previous-token head."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.patterns import MEANING, MISSED, pattern
from attn.exercises.checks.exercise import Exercise, wrong


def causal_pattern(arguments, answer):
    """The pattern under a causal mask."""
    return pattern(answer, *arguments, masks.causal(*arguments))


def previous(n, *, looks=lambda i, n: max(i - 1, 0), strength=100.0, sign=1.0, whole=None):
    """One-hot keys, and queries that ask for the key one place back."""
    if whole:
        return whole(n)
    k = np.eye(n) * 10
    q = sign * strength * np.eye(n)[[looks(i, n) for i in range(n)]]
    return q, k


def around(n, period, back=1):
    """Keys on a circle, and queries one step behind, or so many."""
    t = np.arange(n) * 2 * np.pi / period(n)
    step = back * 2 * np.pi / period(n)
    return 1000 * np.stack([np.cos(t - step), np.sin(t - step)], 1), np.stack([np.cos(t), np.sin(t)], 1)


def few_keys(n, width):
    """One-hot keys of a fixed width: tokens beyond it have a key of zeros, or share one."""
    k = np.zeros((n, width))
    k[np.arange(min(n, width)), np.arange(min(n, width))] = 10
    return 100 * np.vstack([k[:1], k[:-1]]), k


def last_shared(n, width):
    """One-hot keys of a fixed width, of which tokens beyond it share the last."""
    k = 10 * np.eye(width)[np.minimum(np.arange(n), width - 1)]
    return 100 * np.vstack([k[:1], k[:-1]]), k


EXERCISE = Exercise(
    "10.1",
    "a previous-token head",
    "Heads made by hand",
    "previous_token(n)",
    previous,
    previous,
    hints=(
        "If every key is another unit vector, which query matches key j and no other?",
        "Let key j be the unit vector e_j and query i a long copy of the key before it.",
        "Two matrices of shape (n, n): an identity, and an identity moved by one row, times a large number.",
    ),
    cases=lambda rng: [(n,) for n in (4, 3, 6, 20, 2, 1)],
    observe=causal_pattern,
    observed=MEANING,
    missed=MISSED,
    misconceptions=(
        wrong(
            "itself",
            "Every token attends to itself.",
            "Query i must match key i − 1.",
            dict(looks=lambda i, n: i, strength=0.1),
            looks=lambda i, n: i,
        ),
        wrong(
            "next",
            "Queries ask for the next token, which the mask hides: the weight spreads evenly over the past.",
            "Query i must match key i − 1: the shift has the wrong sign.",
            dict(looks=lambda i, n: (i + 1) % n),
            dict(looks=lambda i, n: min(i + 1, n - 1)),
            looks=lambda i, n: min(i + 1, n - 1) if i + 1 < n else i,
        ),
        wrong(
            "two_back",
            "Tokens attend two places back.",
            "One place back is asked for.",
            dict(whole=lambda n: (1000 * np.eye(n, k=-2), 10 * np.eye(n))),
            dict(looks=lambda i, n: i - 2),
            dict(looks=lambda i, n: max(i - 2, 0), strength=0.1),
            dict(looks=lambda i, n: max(i - 2, 0)),
            looks=lambda i, n: max(i - 2, 0),
        ),
        wrong(
            "first",
            "Every token attends to the first one.",
            "That is a sink; each token should find its neighbour.",
            looks=lambda i, n: 0,
        ),
        wrong(
            "soft",
            "The right token gets the largest weight, but less than 0.99.",
            "Make the queries longer: the softmax sharpens as the scores grow. "
            "Does your width grow with n? √d does too.",
            {"strength": 1.6},
            {"strength": 2.2},
            strength=0.2,
        ),
        wrong(
            "opposite",
            "The sign is reversed: the previous token gets the least weight.",
            "The score must be largest there.",
            dict(sign=-1.0, strength=0.1),
            sign=-1.0,
        ),
        wrong(
            "flat",
            "The weight spreads evenly over the past: queries ask for nothing, or for what the mask hides.",
            "Keys must differ, and query i must match key i − 1. (With Q and K exchanged it matches the future.)",
            strength=0.0,
        ),
        wrong(
            "earlier_alike",
            "The weight spreads over all earlier tokens alike: every query matches all of them.",
            "One place back is asked for: query i must match key i − 1 and no other.",
            whole=lambda n: (1000 * np.tri(n, k=-1), 10 * np.eye(n)),
        ),
        wrong(
            "circle_forward",
            "Queries are turned forward on the circle: each asks for the next token, which the mask hides.",
            "Query i must match key i − 1: turn the queries back by one step.",
            dict(whole=lambda n: around(n, lambda n: n, -1)),
            whole=lambda n: around(n, lambda n: n + 1, -1),
        ),
        wrong(
            "shared_places",
            "Tokens far apart have the same key: the circle closes, or the width is too small for all of them.",
            "With 20 tokens each needs a direction of its own: a width that grows with n, or a circle of more places.",
            *(dict(whole=lambda n, p=p: around(n, lambda n: p)) for p in (4, 5, 6, 7, 9, 10, 12, 16)),
            *(dict(whole=lambda n, w=w: last_shared(n, w)) for w in (2, 3, 4, 5, 6, 8, 10, 12, 16)),
            *(dict(whole=lambda n, w=w: few_keys(n, w)) for w in (2, 3, 4, 5, 6, 8, 10, 12, 16)),
            *(
                dict(whole=lambda n, w=w: (100 * np.eye(w)[(np.arange(n) - 1) % w], 10 * np.eye(w)[np.arange(n) % w]))
                for w in (2, 3, 4, 5, 6, 8, 10, 12, 16)
            ),
            whole=lambda n: around(n, lambda n: 8),
        ),
        wrong(
            "width_counts",
            "The scores fade as the width grows: the right token no longer gets 0.99 where there are many.",
            "The product is divided by √d. A scale that is enough for few tokens must grow with the width.",
            *(dict(strength=c) for c in (0.8, 1.2, 1.5)),
            *(dict(looks=lambda i, n: i - 1, strength=c) for c in (1.0, 1.5)),
            strength=1.0,
        ),
    ),
)
