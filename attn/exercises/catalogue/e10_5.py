"""Exercise 10.5, where an induction head looks."""

import numpy as np

from attn.exercises.catalogue.sections import BY_HAND, taught
from attn.exercises.checks.exercise import Exercise, wrong


def induction(
    tokens,
    *,
    earlier=lambda same, i: same[-1:],
    past=lambda i: i,
    target=lambda j: j + 1,
    none=-1,
    place=lambda t, i, tokens: t,
    whole=None,
):
    """For each position the place after the last earlier occurrence of its token; −1 where there is none."""
    if whole:
        return whole(tokens)
    found = []
    for i, token in enumerate(tokens):
        same = [j for j in range(past(i)) if j < len(tokens) and tokens[j] == token]
        chosen = earlier(same, i)
        found.append(place(target(chosen[0]), i, tokens) if chosen else none)
    return np.array(found)


def after(tokens, i, wanted, before):
    """The place after the last of the first `before` tokens that is `wanted`; −1."""
    return next((j + 1 for j in reversed(range(before)) if tokens[j] == wanted), -1)


def pairs_alike(t):
    """The place after the last earlier occurrence of a token and the one before it, together; −1."""
    found = [[j + 1 for j in range(1, i) if t[j] == t[i] and t[j - 1] == t[i - 1]] for i in range(len(t))]
    return np.array([places[-1] if places else -1 for places in found])


def matrix(tokens):
    """A 1 where each position looks."""
    n = len(tokens)
    places = induction(tokens)
    return (places[:, None] == np.arange(n)).astype(int)


EXERCISE = Exercise(
    "10.5",
    "where an induction head looks",
    "Induction",
    "induction_targets(tokens)",
    induction,
    induction,
    hints=(
        "The text so far is A B C A. What came after A last time?",
        "Find the last earlier place that holds the same token, and go one place on.",
        "A loop over positions, a search backwards among the earlier ones, plus 1; −1 where nothing is found.",
    ),
    cases=lambda rng: [
        (np.array(tokens),) for tokens in ([5, 7, 5, 9, 5], [1, 2, 3, 1, 2, 3], [4, 4, 4], [1, 2, 3], [2, 1, 2, 2])
    ],
    misconceptions=(
        wrong(
            "the_occurrence",
            "It looks at the earlier occurrence itself.",
            "The head copies what came after it: one place further on.",
            target=lambda j: j,
        ),
        wrong(
            "before",
            "It looks at the place before the earlier occurrence.",
            "What came after is asked for.",
            target=lambda j: j - 1,
        ),
        wrong(
            "first",
            "It takes the first occurrence in place of the last.",
            "The most recent one counts.",
            earlier=lambda same, i: same[:1],
        ),
        wrong(
            "includes_itself",
            "It counts the present token as its own earlier occurrence, and looks at the future.",
            "Only places before i count.",
            past=lambda i: i + 1,
        ),
        wrong(
            "zero_for_none",
            "It gives 0 where there is no earlier occurrence.",
            "0 is a position; −1 is asked for.",
            none=0,
        ),
        wrong(
            "any_place",
            "It searches the whole text, the future too.",
            "Position i knows only what came before.",
            {"past": lambda i: 10**3, "earlier": lambda same, i: [j for j in same[-1:] if j < i]},
            {"past": lambda i: 10**3, "earlier": lambda same, i: [j for j in same if j != i][-1:]},
            {"past": lambda i: 10**3, "earlier": lambda same, i: [j for j in same if j != i][:1]},
            past=lambda i: 10**3,
        ),
        wrong(
            "two_after",
            "It looks two places after the earlier occurrence, or counts places from 1.",
            "One place after.",
            target=lambda j: j + 2,
        ),
        wrong(
            "next_to_last",
            "It takes the occurrence before the last one.",
            "The most recent one counts.",
            earlier=lambda same, i: same[-2:][:1] if len(same) > 1 else [],
        ),
        wrong(
            "zero_is_false",
            "It overlooks an earlier occurrence at place 0.",
            "0 is a place like any other: does a loop end before it, or does `if place` take it for False?",
            earlier=lambda same, i: same[-1:] if same and same[-1] else [],
        ),
        wrong(
            "distance",
            "It gives how far back the earlier occurrence is, not a place.",
            "The place itself is asked for: one after the earlier occurrence.",
            {"place": lambda t, i, tokens: i - t},
            place=lambda t, i, tokens: i - t + 1,
        ),
        wrong(
            "token",
            "It gives the token that stands there, not its place.",
            "A place is asked for, (n,) of them.",
            place=lambda t, i, tokens: int(tokens[t]) if t < len(tokens) else t,
        ),
        wrong(
            "later",
            "It looks at the next occurrence in place of the last earlier one.",
            "A head knows only what came before.",
            dict(past=lambda i: 10**3, earlier=lambda same, i: [j for j in same if j > i][:1]),
            dict(
                past=lambda i: 10**3,
                earlier=lambda same, i: [j for j in same if j > i][:1],
                place=lambda t, i, tokens: min(t, len(tokens) - 1),
            ),
            past=lambda i: 10**3,
            earlier=lambda same, i: [j for j in same if j > i][:1],
            target=lambda j: j,
        ),
        wrong(
            "not_the_neighbour",
            "It overlooks an earlier occurrence right before.",
            "The place before counts like any other.",
            earlier=lambda same, i: [j for j in same if j < i - 1][-1:],
        ),
        wrong(
            "hits_only",
            "It leaves out the positions that look nowhere.",
            "There is one entry for each position: −1 where its token has not occurred before.",
            dict(whole=lambda t: induction(t)[1:]),
            whole=lambda t: np.array([x for x in induction(t) if x >= 0], dtype=int),
        ),
        wrong(
            "one_hot",
            "It returns a matrix with a 1 at each place, not the places.",
            "One number for each position is asked for: (n,).",
            dict(whole=lambda t: matrix(t).astype(bool)),
            whole=matrix,
        ),
        wrong(
            "previous_token",
            "It searches for the previous token, not for the present one.",
            "At A the head looks for an earlier A, and goes one place further.",
            dict(whole=lambda t: np.array([-1] + [after(t, i, t[i - 1], i) for i in range(1, len(t))])),
            dict(
                whole=lambda t: np.array(
                    [-1]
                    + [after(t, i, t[i - 1], i - 1) - 1 * (after(t, i, t[i - 1], i - 1) > 0) for i in range(1, len(t))]
                )
            ),
            whole=lambda t: np.array([-1] + [after(t, i, t[i - 1], i - 1) for i in range(1, len(t))]),
        ),
        wrong(
            "no_hit_overlooked",
            "It gives a place where there is no earlier occurrence. (argmax of nothing is 0, for one.)",
            "Where a row has no hit, argmax and sort still answer: ask with any() first, and give −1.",
            dict(whole=lambda t: np.where(induction(t) < 0, 1, induction(t))),
            dict(whole=lambda t: np.where(induction(t) < 0, len(t) - 1, induction(t))),
            dict(whole=lambda t: np.where(induction(t) < 0, np.arange(len(t)) + 1, induction(t))),
            dict(whole=lambda t: np.r_[-1, np.where(induction(t) < 0, len(t), induction(t))[1:]]),
            dict(whole=lambda t: np.r_[-1, np.where(induction(t) < 0, 1, induction(t))[1:]]),
            whole=lambda t: np.where(induction(t) < 0, len(t), induction(t)),
        ),
        wrong(
            "itself_for_none",
            "It gives a position its own number where its token has not occurred before.",
            "−1 says that there is no such place; its own number is a place.",
            whole=lambda t: np.where(induction(t) < 0, np.arange(len(t)), induction(t)),
        ),
        wrong(
            "same_pair",
            "It asks that the token before matches as well.",
            "The head looks for the present token alone, wherever it stood.",
            whole=pairs_alike,
        ),
        wrong(
            "next_in_sequence",
            "It looks one place back, or at the place itself, whatever the token is.",
            "The head goes where the same token stood before.",
            dict(whole=lambda t: np.arange(len(t))),
            whole=lambda t: np.arange(len(t)) - 1,
        ),
        wrong(
            "counts",
            "It counts how often the token has occurred.",
            "A place is asked for: the one after the last earlier occurrence.",
            whole=lambda t: np.array([(t[:i] == t[i]).sum() for i in range(len(t))]),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        BY_HAND: "previous_token next_in_sequence",
    },
)
