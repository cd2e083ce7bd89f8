"""Exercise 10.1, a previous-token head."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.patterns import MEANING, MISSED, pattern
from attn.exercises.checks.exercise import Exercise, wrong


def causal_pattern(arguments, answer):
    """The pattern under a causal mask."""
    return pattern(answer, *arguments, masks.causal(*arguments))


def previous(n, *, looks=lambda i, n: max(i - 1, 0), strength=100.0, sign=1.0):
    """One-hot keys, and queries that ask for the key one place back."""
    k = np.eye(n) * 10
    q = sign * strength * np.eye(n)[[looks(i, n) for i in range(n)]]
    return q, k


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
        wrong("itself", "Every token attends to itself.", "Query i must match key i − 1.", looks=lambda i, n: i),
        wrong(
            "next",
            "Queries ask for the next token, which the mask hides: the weight spreads evenly over the past.",
            "Query i must match key i − 1: the shift has the wrong sign.",
            looks=lambda i, n: min(i + 1, n - 1) if i + 1 < n else i,
        ),
        wrong(
            "two_back",
            "Tokens attend two places back.",
            "One place back is asked for.",
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
            sign=-1.0,
        ),
        wrong(
            "flat",
            "The weight spreads evenly over the past: queries ask for nothing, or for what the mask hides.",
            "Keys must differ, and query i must match key i − 1. (With Q and K exchanged it matches the future.)",
            strength=0.0,
        ),
    ),
)
