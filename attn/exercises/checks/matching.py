"""Which catalogued mistakes give exactly what an answer gave, on every case."""

import itertools

from attn.exercises.checks.compare import glance

SPELLINGS = 4  # of each mistake, where two are made together


def candidates(exercise, most=2):
    """Every way to be wrong that the model knows: single mistakes first, then pairs that choose differently.

    Of the spellings of a mistake a pair takes the first few: rare ones meet rarely.  -> [(misconceptions, choices)]
    """
    yield from (((m,), choices) for m in exercise.misconceptions for choices in m.variants)
    if most < 2:
        return
    some = [((m,), choices) for m in exercise.misconceptions for choices in m.variants[:SPELLINGS]]
    for ((one,), these), ((other,), those) in itertools.combinations(some, 2):
        if one.id != other.id and not these.keys() & those.keys():
            yield (one, other), these | those


def named(session, cases, got, right, failing, most=2):
    """The mistakes whose model did exactly what the answer did, on every case; () if there are none.

    A case that raised an exception may agree but cannot decide: at least one failing case must hold values. A
    single mistake may be excused at an edge, one key say or an empty cache, where an answer may behave unlike itself.
    A pattern, which holds few marks and no numbers, is evidence for a single mistake and not for two.
    """
    telling = [i for i in failing if got[i].kind == "value"]
    inner = [i for i in telling if not edge(cases[i])]
    if not telling:
        return ()
    order = telling + [i for i in range(len(cases)) if i not in telling]
    middle = inner + [i for i in order if i not in inner and not edge(cases[i])]
    return (
        alike(session, cases, got, order, 1)
        or (inner and len(middle) < len(order) and alike(session, cases, got, middle, 1))
        or (
            most > 1
            and quick(session.exercise)
            and not session.exercise.observe
            and tells(cases, got, telling)
            and alike(session, cases, got, order, most)
        )
        or ()
    )


def quick(exercise):
    """True if a thousand pairs of mistakes can be looked at while somebody waits: with tensors they take seconds."""
    return exercise.kind == "numpy"


def tells(cases, got, telling):
    """True if a result holds more than zeros: two mistakes together make zeros of anything."""
    values = [got[i].value for i in telling if not edge(cases[i])] or [got[i].value for i in telling]
    return any(isinstance(x, tuple) or (abs(x * 1.0) > 1e-12).any() for x in values)


def alike(session, cases, got, order, most):
    """The first mistakes whose model agrees with the answer on some cases; ()."""
    looked = [(cases[i], got[i], glance(got[i], 0)) for i in order]
    arguments, _, glanced = looked[0]
    for mistakes, choices in session.known.likely(most, arguments, glanced):
        if all(session.like(*one, choices) for one in looked):
            return mistakes
    session.known.sift(most, arguments)
    return ()


def also_alike(session, cases, got, failing, names):
    """The other catalogued mistakes whose model agrees with the answer on every one of these cases."""
    first = next(i for i in failing if got[i].kind == "value")
    likely = session.known.likely(1, cases[first], glance(got[first], 0))
    order = [first, *(i for i in range(len(cases)) if i != first)]
    looked = [(cases[i], got[i], glance(got[i], 0)) for i in order]
    twins = [m for (m,), choices in likely if m != names[0] and all(session.like(*one, choices) for one in looked)]
    return list({m.id: m for m in twins}.values())


def edge(arguments):
    """True for a case with a size of 0 or 1."""
    shapes = [getattr(x, "shape", ()) for x in arguments]
    return any({0, 1} & set(shape) for shape in shapes) or (not any(shapes) and min(arguments, default=2) < 2)
