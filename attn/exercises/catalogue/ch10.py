"""Chapter 10, the playground: make queries and keys that attend to what is asked for."""

import numpy as np

from attn import masks
from attn.exercises.engine import Exercise, wrong
from attn.softmax import softmax

SHARP = 0.99
MEANING = "1: a weight above 0.99; 0.5: the largest of its row; 0: any other"

MISSED = "It attends to other places than it should."


def pattern(answer, n, mask=None, width=None):
    """What an answer (Q, K) attends to: 1 where a weight is above 0.99, ½ where it is only the row's largest, else 0.

    -> (n, m). Raises ValueError for what is not two matrices of one width.
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 3:  # a list of two alike
        answer = tuple(answer)
    if not isinstance(answer, tuple) or len(answer) != 2 or any(x.ndim != 2 for x in answer):
        raise ValueError("return a tuple of two matrices, Q and K")
    q, k = answer
    if len(q) != n or len(k) != n:
        raise ValueError(f"Q and K need a row for each of the {n} tokens, but have shapes {q.shape} and {k.shape}")
    if not (np.isfinite(q).all() and np.isfinite(k).all() and q.size):
        raise ValueError("Q and K must hold finite numbers, and at least one column")
    if q.shape[1] != k.shape[1]:
        raise ValueError(f"Q and K need one width, but have {q.shape[1]} and {k.shape[1]}")
    if width is not None and q.shape[1] != width:
        return np.array([q.shape[1]])  # the wrong shape says it
    a = softmax(q @ k.T / np.sqrt(q.shape[1]), mask)
    return np.where(a > SHARP, 1.0, np.where(a >= a.max(-1, keepdims=True) - 1e-6, 0.5, 0.0))


def causal_pattern(arguments, answer):
    """The pattern under a causal mask."""
    return pattern(answer, *arguments, masks.causal(*arguments))


def previous(n, *, looks=lambda i, n: max(i - 1, 0), strength=100.0, sign=1.0):
    """One-hot keys, and queries that ask for the key one place back."""
    k = np.eye(n) * 10
    q = sign * strength * np.eye(n)[[looks(i, n) for i in range(n)]]
    return q, k


PREVIOUS = Exercise(
    "10.1", "a previous-token head", "Heads made by hand", "previous_token(n)", previous, previous,
    hints=(
        "If every key is another unit vector, which query matches key j and no other?",
        "Let key j be the unit vector e_j and query i a long copy of the key before it.",
        "Two matrices of shape (n, n): an identity, and an identity moved by one row, times a large number.",
    ),
    cases=lambda rng: [(n,) for n in (4, 3, 6, 20)],
    observe=causal_pattern, observed=MEANING,
    missed=MISSED,
    misconceptions=(
        wrong("itself", "Every token attends to itself.", "Query i must match key i − 1.", looks=lambda i, n: i),
        wrong("next", "Queries ask for the next token, which the mask hides: the weight spreads evenly over the "
              "past.",
              "Query i must match key i − 1: the shift has the wrong sign.", looks=lambda i, n: min(i + 1,
              n - 1) if i + 1 < n else i),
        wrong("two_back", "Tokens attend two places back.", "One place back is asked for.", looks=lambda i,
              n: max(i - 2, 0)),
        wrong("first", "Every token attends to the first one.", "That is a sink; each token should find its "
              "neighbour.",
              looks=lambda i, n: 0),
        wrong("soft", "The right token gets the largest weight, but less than 0.99.",
              "Make the queries longer: the softmax sharpens as the scores grow. Does your "
              "width grow with n? √d does too.",
              {"strength": 1.6}, {"strength": 2.2}, strength=0.2),
        wrong("opposite", "The sign is reversed: the previous token gets the least weight.", "The score must be "
              "largest there.",
              sign=-1.0),
        wrong("flat", "The weight spreads evenly over the past: all the scores that a query may see are alike.",
              "Keys must differ, and query i must match key i − 1. (With Q and K exchanged it matches the future.)",
              strength=0.0),
    ),
)  # fmt: skip


def circle(n, *, angle=lambda n: np.arange(n) * 2 * np.pi / n, radius=None, length=100.0, flip=1.0, width=2, turn=0.0):
    """n points on a circle, each its own key and query."""
    if width != 2:
        return np.eye(n) * length, np.eye(n) * length
    t = angle(n)
    r = np.ones(n) if radius is None else radius(n)
    k = r[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
    q = r[:, None] * np.stack([np.cos(t + turn * 2 * np.pi / n), np.sin(t + turn * 2 * np.pi / n)], 1)
    return flip * q * length, k * length


SELF = Exercise(
    "10.3", "each token to itself, in two dimensions", "Heads made by hand", "to_itself(n)", circle, circle,
    hints=(
        "With keys of different lengths, which key wins the product with a long query?",
        "Among vectors of one length, the product is largest for the vector itself. In the plane there is room for "
        "any number.",
        "Points on a circle, far out, used as queries and as keys.",
    ),
    cases=lambda rng: [(n,) for n in (3, 4, 8)],
    observe=lambda arguments, answer: pattern(answer, *arguments, width=2), observed=MEANING,
    missed=MISSED,
    misconceptions=(
        wrong("too_wide", "It uses n dimensions; two are asked for.", "Points on a circle need only a plane.",
              width=3),
        wrong("lengths", "Keys of different lengths: the longest takes what belongs to its neighbours.",
              "The product of two vectors grows with their lengths. Give all the same one.",
              radius=lambda n: 1 + 3.0 * np.arange(n)),
        wrong("soft", "Each token gets its own largest weight, but less than 0.99.",
              "Move the points further out: neighbours come closer as n grows.",
              {"length": 4.0}, length=1.0),
        wrong("opposite", "The sign is reversed: each token looks at the far side.", "q·k must be largest for the "
              "token itself.",
              flip=-1.0),
        wrong("half_line", "The points lie on one line through the origin: each token looks at the longest on its "
              "side.",
              "On a line only two directions exist; use the plane.",
              angle=lambda n: np.zeros(n), radius=lambda n: 1.0 + np.arange(n)),
        wrong("coincide", "Points coincide, so tokens share their weight.", "Every token needs a place of its own.",
              angle=lambda n: np.arange(n) // 2 * 4 * np.pi / n),
        wrong("neighbour", "Each token looks at its neighbour on the circle.", "Use the same points for queries "
              "and keys.",
              turn=1.0),
    ),
)  # fmt: skip


def induction(
    tokens,
    *,
    earlier=lambda same, i: same[-1:],
    past=lambda i: i,
    target=lambda j: j + 1,
    none=-1,
    place=lambda t, i, tokens: t,
):
    """For each position the place after the last earlier occurrence of its token; −1 where there is none."""
    found = []
    for i, token in enumerate(tokens):
        same = [j for j in range(past(i)) if j < len(tokens) and tokens[j] == token]
        chosen = earlier(same, i)
        found.append(place(target(chosen[0]), i, tokens) if chosen else none)
    return np.array(found)


INDUCTION = Exercise(
    "10.5", "where an induction head looks", "Induction", "induction_targets(tokens)", induction, induction,
    hints=(
        "The text so far is A B C A. What came after A last time?",
        "Find the last earlier place that holds the same token, and go one place on.",
        "A loop over positions, a search backwards among the earlier ones, plus 1; −1 where nothing is found.",
    ),
    cases=lambda rng: [(np.array(tokens),) for tokens in ([5, 7, 5, 9, 5], [1, 2, 3, 1, 2, 3], [4, 4, 4], [1, 2,
    3], [2, 1, 2, 2])],
    misconceptions=(
        wrong("the_occurrence", "It looks at the earlier occurrence itself.",
              "The head copies what came after it: one place further on.", target=lambda j: j),
        wrong("before", "It looks at the place before the earlier occurrence.", "What came after is asked for.",
              target=lambda j: j - 1),
        wrong("first", "It takes the first occurrence in place of the last.", "The most recent one counts.",
              earlier=lambda same, i: same[:1]),
        wrong("includes_itself", "It counts the present token as its own earlier occurrence, and looks at the "
              "future.",
              "Only places before i count.", past=lambda i: i + 1),
        wrong("zero_for_none", "It gives 0 where there is no earlier occurrence.", "0 is a position; −1 is asked "
              "for.", none=0),
        wrong("any_place", "It searches the whole text, the future too.", "Position i knows only what came before.",
              past=lambda i: 10**3),
        wrong("two_after", "It looks two places after the earlier occurrence.", "One place after.",
              target=lambda j: j + 2),
        wrong("next_to_last", "It takes the occurrence before the last one.", "The most recent one counts.",
              earlier=lambda same, i: same[-2:][:1] if len(same) > 1 else []),
        wrong("zero_is_false", "It overlooks an earlier occurrence at place 0.",
              "0 is a place like any other: does a loop end before it, or does `if place` take it for False?",
              earlier=lambda same, i: same[-1:] if same and same[-1] else []),
        wrong("distance", "It gives how far back the earlier occurrence is, not a place.",
              "The place itself is asked for: one after the earlier occurrence.", place=lambda t, i, tokens: i - t + 1),
        wrong("token", "It gives the token that stands there, not its place.", "A place is asked for, (n,) of them.",
              place=lambda t, i, tokens: int(tokens[t]) if t < len(tokens) else t),
    ),
)  # fmt: skip

EXERCISES = (PREVIOUS, SELF, INDUCTION)
