"""Exercise 10.3, each token to itself, in two dimensions."""

import numpy as np

from attn.exercises.catalogue.patterns import MEANING, MISSED, pattern
from attn.exercises.checks.exercise import Exercise, wrong


def circle(n, *, angle=lambda n: np.arange(n) * 2 * np.pi / n, radius=None, length=100.0, flip=1.0, width=2, turn=0.0):
    """n points on a circle, each its own key and query."""
    if width != 2:
        return np.eye(n) * length, np.eye(n) * length
    t = angle(n)
    r = np.ones(n) if radius is None else radius(n)
    k = r[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
    q = r[:, None] * np.stack([np.cos(t + turn * 2 * np.pi / n), np.sin(t + turn * 2 * np.pi / n)], 1)
    return flip * q * length, k * length


EXERCISE = Exercise(
    "10.3",
    "each token to itself, in two dimensions",
    "Heads made by hand",
    "to_itself(n)",
    circle,
    circle,
    hints=(
        "With keys of different lengths, which key wins the product with a long query?",
        "Among vectors of one length, the product is largest for the vector itself. "
        "In the plane there is room for any number.",
        "Points on a circle, far out, used as queries and as keys.",
    ),
    cases=lambda rng: [(n,) for n in (3, 4, 8)],
    observe=lambda arguments, answer: pattern(answer, *arguments, width=2),
    observed=MEANING,
    missed=MISSED,
    misconceptions=(
        wrong("too_wide", "It uses n dimensions; two are asked for.", "Points on a circle need only a plane.", width=3),
        wrong(
            "lengths",
            "Keys of different lengths: the longest takes what belongs to its neighbours.",
            "The product of two vectors grows with their lengths. Give all the same one.",
            radius=lambda n: 1 + 3.0 * np.arange(n),
        ),
        wrong(
            "soft",
            "Each token gets its own largest weight, but less than 0.99.",
            "Move the points further out: neighbours come closer as n grows.",
            {"length": 4.0},
            length=1.0,
        ),
        wrong(
            "opposite",
            "The sign is reversed: each token looks at the far side.",
            "q·k must be largest for the token itself.",
            flip=-1.0,
        ),
        wrong(
            "half_line",
            "The points lie on one line through the origin: each token looks at the longest on its side.",
            "On a line only two directions exist; use the plane.",
            angle=lambda n: np.zeros(n),
            radius=lambda n: 1.0 + np.arange(n),
        ),
        wrong(
            "coincide",
            "Points coincide, so tokens share their weight.",
            "Every token needs a place of its own.",
            angle=lambda n: np.arange(n) // 2 * 4 * np.pi / n,
        ),
        wrong(
            "neighbour",
            "Each token looks at its neighbour on the circle.",
            "Use the same points for queries and keys.",
            turn=1.0,
        ),
    ),
)
