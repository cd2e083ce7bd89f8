"""Mistakes that can be made in every exercise: one step too many, one left out, one argument taken for another.

Each is a change of an argument before the reference sees it, or of its result afterwards. Where an answer agrees with
the reference so changed on every case, the change is what it did; an exercise need not list it.
"""

import itertools

from attn.exercises.checks.alterations import GIVEN, JOINED, MADE, altered, folded, many, resized, worded
from attn.exercises.checks.arrays import quietly
from attn.exercises.checks.compare import SINGLE, glance, unlike
from attn.exercises.checks.running import Outcome
from attn.exercises.report import LIKELY, Finding


def changed_arguments(names, arguments):
    """Every change of one argument, and of two: (id, words, arguments)"""
    places = [i for i, a in enumerate(arguments) if getattr(a, "ndim", 0) and a.dtype.kind == "f"]
    for i, j in itertools.permutations(places, 2):
        given = list(arguments)
        given[i] = arguments[j]
        yield "one_for_another", f"uses {names[j]} where {names[i]} belongs", tuple(given)
    for i, j in itertools.combinations(places, 2):
        given = list(arguments)
        given[i], given[j] = arguments[j], arguments[i]
        yield "exchanged", f"exchanges {names[i]} and {names[j]}", tuple(given)
    for i in sorted(range(len(arguments)), key=lambda i: i not in places):  # arrays first: they go wrong most
        for id, words, x in altered(arguments[i]):
            if x is not None:
                yield id, words.format(names[i]), (*arguments[:i], x, *arguments[i + 1 :])


def changed_results(names, arguments, y):
    """Every change of the right result: (id, words, result, None where it makes no sense)"""
    given = list(zip(names, arguments, strict=False))
    if isinstance(y, tuple):
        yield from many(y)
        for id, words, change in MADE:
            parts = [quietly(change, part) for part in y]
            yield id, worded(words, y[0].ndim), None if any(part is None for part in parts) else tuple(parts)
        for name, a in given:
            yield from resized(name, a, y)
        return
    if not y.ndim or y.dtype.kind not in "fiub":
        return
    if y.dtype.kind == "b":
        yield from folded(y)
        return
    for name, a in given:
        if getattr(a, "ndim", 0) and a.dtype.kind == "f":
            for id, words, change in JOINED:
                yield id, worded(words, a.ndim).format(name), quietly(change, y, a)
    for id, words, change in MADE:
        yield id, worded(words, y.ndim), quietly(change, y)
    for name, a in given:
        yield from resized(name, a, y)
    yield from folded(y)


def changes(exercise, arguments, right):
    """All that can go wrong with one case: (id, words, how to get the outcome)"""
    for id, words, result in changed_results(exercise.names, arguments, right.value):
        yield id, words, lambda result=result: result
    for id, words, given in changed_arguments(exercise.names, arguments):
        yield id, words, lambda given=given: exercise.reference(*given)


def outcome(make):
    """What a change gives; None where it gives nothing."""
    value = quietly(make)
    return None if value is None else Outcome.of(value)


def made(known, arguments, right):
    """What every change makes of a case, and a glance at it: as far as somebody asks, and once for a whole class.

    Yields (id, words, outcome, glance).
    """

    def begin():
        return arguments, [], changes(known.exercise, arguments, right)  # holding them keeps the id theirs

    _, held, more = known.kept((made, id(arguments)), begin)
    place = 0
    while True:
        if place == len(held):
            try:
                name, words, make = next(more)
            except StopIteration:
                return
            theirs = outcome(make)
            held.append((name, words, theirs, theirs and glance(theirs, max(known.exercise.rtol, SINGLE))))
        yield held[place]
        place += 1


def usual(session, cases, got, right, order, case, only=()):
    """The mistake of this module that an answer made, as a Finding; None.

    order: the cases to be looked at, the first of them one that failed with values; at least one more must agree.
    case: (text, arguments) of the report.   only: ids, where a few alone can be told apart.
    """
    ex = session.exercise
    if ex.observe or not ex.wants_function or right[order[0]].kind != "value":
        return None
    first, mine = cases[order[0]], got[order[0]]
    near = glance(mine, 0)
    for id, words, theirs, seen in made(session.known, first, right[order[0]]):
        if (only and id not in only) or theirs is None or theirs.kind != "value" or unlike(near, seen):
            continue
        if not session.same(first, mine, theirs) or not all(
            agrees(session, cases[i], got[i], right[i], words) for i in order[1:]
        ):
            continue
        own = next((m for m in ex.misconceptions if m.id == id), None)
        if own:
            return Finding(own.did, case[0], own.why, (own.id,), case[1], LIKELY)
        return Finding(f"It {words}.", case[0], WHY, (id,), case[1], LIKELY)
    return None


# What a result may have gone through where a catalogued mistake, another act, gives the same numbers. Most changes
# of this module are such a mistake in other words.
OTHER_ACTS = ("result_scaled", "result_clipped", "result_positive")


def another(session, cases, got, right, failing):
    """Sentences about another act than a catalogued mistake, that gives the same numbers on every case."""
    if session.exercise.observe or any(right[i].kind != "value" or got[i].kind != "value" for i in failing):
        return []
    found = []
    for id, words, change in MADE:
        if id in OTHER_ACTS and all(
            same_after(session, change, cases[i], got[i], right[i]) for i in range(len(cases)) if got[i].kind == "value"
        ):
            found.append(f"It {words}.")
    return found[:1]


def same_after(session, change, arguments, mine, right):
    """True if a change of the right result gives what the answer gave."""
    y = right.value
    if isinstance(y, tuple) or not y.ndim or y.dtype.kind not in "fiu":
        return False
    theirs = outcome(lambda: change(y))
    return theirs is not None and theirs.kind == "value" and session.same(arguments, mine, theirs)


WHY = "The exercise asks for neither more nor less than its statement says: take this step out, or put it right."


def agrees(session, arguments, mine, right, words):
    """True if a change, known by its words, makes of another case what the answer made of it."""
    for _, said, theirs, _ in made(session.known, arguments, right):
        if said == words and theirs is not None:
            if session.same(arguments, mine, theirs) or (empty(mine) and empty(theirs)):
                return True
    return mine.kind == "error"


def empty(outcome):
    """True for an array without entries, whatever its shape says."""
    return getattr(outcome.value, "size", 1) == 0


NAMED = {  # every mistake of this module, as a learner's record says it afterwards
    **{id: worded(words).format("an input") for id, words, _ in (*reversed(GIVEN), *reversed(MADE))},
    "one_for_another": "used one input where another belongs",
    "exchanged": "exchanged two inputs",
    "fixed_number": "took a number to be fixed, whatever it was",
    "number_changed": "changed a number before using it",
    "number_moved": "counted one too many, or one too few",
    "mask_inverted": "exchanged True and False",
    "mask_ignored": "left a mask out",
    "mask_transposed": "took a mask transposed",
    "factor_of_size": "divided or multiplied by a size",
    "residual": "added an input to the result",
    "input_joined": "joined an input to the result",
    "axis_sum": "added up along an axis that should stay",
    "axis_mean": "averaged along an axis that should stay",
    "axis_amax": "took the largest along an axis that should stay",
    "axis_first": "gave only the first along an axis",
    "axis_last": "gave only the last along an axis",
    "axis_short": "left out the first or the last along an axis",
    "axis_long": "put zeros before or behind the result",
    "squeezed": "squeezed axes of size 1 away",
    "axis_added": "added an axis of size 1",
    "joined": "joined parts that should stay apart",
    "made_matrix": "made a matrix of a vector",
    "first_result": "returned one of the results alone",
    "last_result": "returned one of the results alone",
    "order_reversed": "returned the results in the reverse order",
    "results_cut": "left out some of the results",
    "one_array": "returned several results as one array",
    "result_turned": "returned one of the results transposed",
}
