"""Exercise 10.3, each token to itself, in two dimensions."""

import numpy as np

from attn.exercises.catalogue.patterns import MEANING, MISSED, pattern
from attn.exercises.checks.exercise import Exercise, wrong


def circle(
    n,
    *,
    angle=lambda n: np.arange(n) * 2 * np.pi / n,
    radius=None,
    length=100.0,
    flip=1.0,
    width=2,
    turn=0.0,
    whole=None,
):
    """n points on a circle, each its own key and query."""
    if whole:
        return whole(n)
    if width != 2:
        return np.eye(n) * length, np.eye(n) * length
    t = angle(n)
    r = np.ones(n) if radius is None else radius(n)
    k = r[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
    q = r[:, None] * np.stack([np.cos(t + turn * 2 * np.pi / n), np.sin(t + turn * 2 * np.pi / n)], 1)
    return flip * q * length, k * length


def turned(n, places):
    """Points on a circle of so many places, taken again and again."""
    t = np.arange(n) * 2 * np.pi / places
    return np.stack([np.cos(t), np.sin(t)], 1)


def random_points(n, seed, length, new):
    """The same random points as queries and keys."""
    x = np.random.default_rng(seed).normal(size=(n, 2)) if new else np.random.RandomState(seed).normal(size=(n, 2))
    return length * x, length * x


def grid(n, side):
    """Points on a grid of squares."""
    return np.stack([np.arange(n) % side, np.arange(n) // side], 1).astype(float)


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
            "Every token looks at the last one, whose key has the largest product with every query.",
            "The longest key wins, and so does the farthest on a line. Give all one length, each its own direction.",
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
        wrong(
            "same_place_twice",
            "Two tokens stand at one place, so they share the weight.",
            "np.linspace(0, 2π, n) has both ends, which are one point of the circle; and every token needs a "
            "direction of its own.",
            dict(whole=lambda n: (100 * np.eye(n, 2), 100 * np.eye(n, 2))),
            *(dict(whole=lambda n, w=w: (100 * turned(n, w), 100 * turned(n, w))) for w in (2, 3, 4, 5, 6, 7)),
            angle=lambda n: np.linspace(0, 2 * np.pi, n),
        ),
        wrong(
            "on_a_grid",
            "The points lie on a grid: one that others surround is nobody's best match.",
            "A query likes best the key that lies furthest in its direction. Only corners of the outline can win.",
            *(dict(whole=lambda n, s=s: (100 * (grid(n, s) + 0.0), 100 * (grid(n, s) + 0.0))) for s in (2, 3, 4)),
            *(
                dict(whole=lambda n, s=s: (100 * (grid(n, s)[:, ::-1] + 0.0), 100 * (grid(n, s)[:, ::-1] + 0.0)))
                for s in (2, 3, 4)
            ),
            whole=lambda n: (100 * (grid(n, 3) - 1), 100 * (grid(n, 3) - 1)),
        ),
        wrong(
            "neighbour_turned",
            "It turns the queries by a step, so each token looks at a neighbour.",
            "Here each token looks at itself: its query and its key point the same way.",
            turn=-1.0,
        ),
        wrong(
            "half_way",
            "The best key of a query lies at another place than its own, half-way or double.",
            "With keys (j, −j²) the query needs (2i, 1): then 2ij − j² is largest at j = i.",
            whole=lambda n: (
                100.0 * np.stack([np.arange(n), 0 * np.arange(n) + 1], 1),
                np.stack([np.arange(n), -(np.arange(n) ** 2)], 1).astype(float),
            ),
        ),
        wrong(
            "degrees",
            "Some tokens stand close together for some n: were the angles given in degrees?",
            "cos and sin take radians: 2π j / n.",
            {"angle": lambda n: np.arange(n) * 360 / n, "length": 5.0},
            {"angle": lambda n: np.arange(n) * 360 / n, "length": 10**0.5},
            angle=lambda n: np.arange(n) * 360 / n,
            length=10.0,
        ),
        wrong(
            "random",
            "Points drawn at random: a query prefers whichever key lies furthest in its direction.",
            "Give all keys one length and the queries their directions: then each is its own best match.",
            *(
                dict(whole=lambda n, seed=seed, c=c, new=new: random_points(n, seed, c, new))
                for seed in (0, 1, 2, 3, 42, 123)
                for c in (1.0, 10.0, 100.0, 10**0.5, 1000**0.5, 20**0.5, 50**0.5)  # both factors count: 10 P and P
                for new in (True, False)
            ),
        ),
    ),
)
