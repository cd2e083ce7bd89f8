"""What ordinary numbers cannot show: stress, overwritten inputs, hidden memory, hidden state.

A probe is called once the values on the ordinary cases are right: probe(sitting, cases, got) -> Finding, or None.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attn.exercises import diagnose
from attn.exercises.notes import permitted
from attn.exercises.report import Finding, labels
from attn.exercises.running import same


def all_of(exercise):
    """What the exercise forbids, its own probes, then those that every function must pass."""
    first = (permitted,) if exercise.forbidden else ()
    return (*first, *exercise.probes, *(EVERYWHERE if exercise.wants_function else ()))


def damaged(got, right):
    """True where something finite was asked for and NaN, inf or an exception came."""
    if got.kind != "value":
        return True
    parts = got.value if isinstance(got.value, tuple) else (got.value,)
    return not all(np.isfinite(part).all() for part in parts)


def always(got, right):
    """Any difference at all is this mistake."""
    return True


def never(got, right):
    """Only a model that does the same may be named."""
    return False


@dataclass(frozen=True)
class Stress:
    """A case at the edge: huge scores, an empty row, a NaN behind the mask.

    blame: the misconception that this case was made for.   when: (got, right) -> True if the damage is its mark;
    an answer that fails in another way is described, not named.
    """

    blame: str
    arguments: tuple
    when: Callable = damaged

    def __call__(self, sitting, cases, got):
        """Run the case; on damage, look for the one mistake that explains every stress case of the exercise."""
        ex = sitting.exercise
        mine, right = sitting.once(self.arguments), sitting.expected(self.arguments)
        if same(mine, right, ex.rtol):
            return None
        others = [p.arguments for p in ex.probes if isinstance(p, Stress)]
        runs = [sitting.once(arguments) for arguments in others]
        rights = [sitting.expected(arguments) for arguments in others]
        failing = [i for i, (g, e) in enumerate(zip(runs, rights, strict=True)) if not same(g, e, ex.rtol)]
        seen = diagnose.evidence(sitting, [self.arguments], [mine], [right], [0])
        every = [*others, *cases], [*runs, *got], [*rights, *got], failing
        mistakes = diagnose.named(sitting, *every, most=1)
        if not mistakes and self.when(mine, right):
            mistakes = tuple(m for m in ex.misconceptions if m.id == self.blame)
        if mistakes:
            return diagnose.known(mistakes, seen)
        return diagnose.unnamed(sitting, [self.arguments], [mine], [right], [0], seen)[0]


@dataclass(frozen=True)
class Memory:
    """The answer must not hold more than `most` bytes at once on a large case; blame names who does."""

    blame: str
    arguments: Callable
    most: int

    def __call__(self, sitting, cases, got):
        """Trace the allocations of one call."""
        arguments = self.arguments()
        peak = sitting.run(arguments, "memory").peak
        if peak <= self.most:
            return None
        mistake = next(m for m in sitting.exercise.misconceptions if m.id == self.blame)
        seen = f"{labels(sitting.exercise, arguments)}: {peak / 1024:,.0f} KiB at once, allowed {self.most / 1024:,.0f}"
        return diagnose.known((mistake,), seen)


@dataclass(frozen=True)
class OnePass:
    """The answer must not come back to what it has read of its first argument; blame names who does."""

    blame: str
    arguments: tuple

    def __call__(self, sitting, cases, got):
        """Run on a row that notes what is read of it."""
        if not sitting.run(self.arguments, "passes").reread:
            return None
        mistake = next(m for m in sitting.exercise.misconceptions if m.id == self.blame)
        return diagnose.known((mistake,), labels(sitting.exercise, self.arguments))


def untouched(sitting, cases, got):
    """Arguments are borrowed: the caller's arrays must be as they were, to the last bit."""
    if not sitting.overwritten:
        return None
    return Finding(
        "It returns the right values but overwrites one of its inputs.",
        "the arrays passed in, compared bit for bit before and after",
        "The caller's array changes behind its back, and the next line that uses it is wrong. "
        "Look for `-=`, `/=`, `out=` or an assignment into an argument.",
        ("overwrites_input",),
    )


def an_array(sitting, cases, got):
    """A list of rows is not an array: the next formula cannot use it."""
    several = isinstance(sitting.expected(cases[0]).value, tuple) or sitting.exercise.observe
    if not any(outcome.nested or (outcome.listed and not several) for outcome in got):
        return None
    return Finding(
        "The numbers are right, but they come in a Python list in place of an array.",
        labels(sitting.exercise, cases[0]),
        f"A list has no shape, no transpose and no @; {sitting.exercise.stack} makes one array of it.",
        ("returns_list",),
    )


def steady(sitting, cases, got):
    """The same question twice has the same answer."""
    if same(sitting.run(cases[0]), got[0], sitting.exercise.rtol):
        return None
    return Finding(
        "It answers the same question differently the second time.",
        labels(sitting.exercise, cases[0]),
        "Something outlives the call (a global, a default argument that is a list) or is drawn at random.",
        ("keeps_state",),
    )


def precision(sitting, cases, got):
    """Floats come out as they went in: 64 bits here."""
    short = [o.value.dtype for o in got if getattr(o.value, "dtype", None) in (np.float16, np.float32)]
    if not short:
        return None
    return Finding(
        f"The numbers come out as {short[0]}, though {np.dtype(float)} went in.",
        labels(sitting.exercise, cases[0]),
        "Digits that are lost once do not come back: compute in the precision of the input.",
        ("shorter_float",),
    )


EVERYWHERE = (untouched, an_array, precision, steady)
