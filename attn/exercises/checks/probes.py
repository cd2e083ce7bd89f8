"""What ordinary numbers cannot show: stress, overwritten inputs, hidden memory, hidden state.

A probe is called once the values on the ordinary cases are right: probe(session, cases, got) -> Finding, or None.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attn.exercises.checks import diagnose, matching
from attn.exercises.checks.compare import same
from attn.exercises.checks.evidence import evidence
from attn.exercises.report import PERHAPS, SEEN, Finding, labels


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
    an answer that fails in another way is described, not named.   exact: numbers so simple that no float loses a digit
    of them, so that every digit counts.
    """

    blame: str
    arguments: tuple
    when: Callable = damaged
    exact: bool = False

    def __call__(self, session, cases, got):
        """Run the case; on damage, look for the one mistake that explains every stress case of the exercise."""
        ex = session.exercise
        mine, right = session.once(self.arguments), session.expected(self.arguments)
        if session.same(self.arguments, mine, right):
            return None
        others = [p.arguments for p in ex.probes if isinstance(p, Stress)]
        runs = [session.once(arguments) for arguments in others]
        rights = [session.expected(arguments) for arguments in others]
        failing = [i for i, found in enumerate(zip(others, runs, rights, strict=True)) if not session.same(*found)]
        seen = evidence(session, [self.arguments], [mine], [right], [0])
        every = [*others, *cases], [*runs, *got], [*rights, *got], failing
        mistakes = matching.named(session, *every, most=1)
        if mistakes:
            others = matching.also_alike(session, *every[:2], failing, mistakes)
            return diagnose.either(diagnose.known(mistakes, *seen), *(m.did for m in others))
        if self.when(mine, right):  # the damage has other causes too
            mistakes = tuple(m for m in ex.misconceptions if m.id == self.blame)
            return diagnose.known(mistakes, *seen, label=PERHAPS)
        return diagnose.unnamed(session, [self.arguments], [mine], [right], [0], seen, usual=False)[0]


@dataclass(frozen=True)
class Memory:
    """The answer must not hold more than `most` bytes at once on a large case; blame names who does."""

    blame: str
    arguments: Callable
    most: int

    def __call__(self, session, cases, got):
        """Trace the allocations of one call."""
        arguments = session.known.kept(self.arguments, self.arguments)
        peak = session.run(arguments, "memory").peak
        if peak <= self.most:
            return None
        mistake = next(m for m in session.exercise.misconceptions if m.id == self.blame)
        seen = f"{labels(session.exercise, arguments)}: {peak / 1024:,.0f} KiB at once, allowed {self.most / 1024:,.0f}"
        return diagnose.known((mistake,), seen, arguments)


@dataclass(frozen=True)
class OnePass:
    """The answer must not come back to what it has read of its first argument; blame names who does."""

    blame: str
    arguments: tuple

    def __call__(self, session, cases, got):
        """Run on a row that notes what is read of it."""
        if not session.run(self.arguments, "passes").reread:
            return None
        mistake = next(m for m in session.exercise.misconceptions if m.id == self.blame)
        return diagnose.known((mistake,), labels(session.exercise, self.arguments), self.arguments, SEEN)


@dataclass(frozen=True)
class Noted:
    """The answer must not do what an instrument writes down under a word; blame names who does.

    instrument: as for INSTRUMENTS; None where an ordinary run tells.   times: how often it takes to count.
    right: what may stand behind the word all the same.
    """

    blame: str
    word: str
    arguments: tuple
    instrument: str | None = None
    times: int = 1
    right: str = ""

    def __call__(self, session, cases, got):
        """Run the case and read the notes."""
        notes = session.run(self.arguments, self.instrument).notes
        said = [text for word, _, text in (note.partition(": ") for note in notes) if word == self.word]
        said = [text for text in said if text != self.right]
        if len(said) < self.times:
            return None
        mistake = next(m for m in session.exercise.misconceptions if m.id == self.blame)
        often = f", {len(said)} times" if len(said) > 1 else ""
        wanted = f", expected {self.right}" if self.right else ""
        place = ", on another device" if self.instrument == "elsewhere" else ""
        seen = f"{labels(session.exercise, self.arguments)}{place}: {said[0]}{often}{wanted}"
        return diagnose.known((mistake,), seen, self.arguments, SEEN)


@dataclass(frozen=True)
class Elsewhere:
    """On a GPU, where there is one, the values must be those of the CPU; blame names who mixes the two."""

    blame: str
    arguments: tuple

    def __call__(self, session, cases, got):
        """Run there and compare; a device without numbers has nothing to compare."""
        mine, right = session.run(self.arguments, "elsewhere"), session.expected(self.arguments)
        place = next((note.removeprefix("ran: on ") for note in mine.notes if note.startswith("ran: ")), "meta")
        if place == "meta" or same(mine, right, session.exercise.rtol):
            return None
        where = ([self.arguments], [mine], [right], [0])
        text, case = evidence(session, *where)
        return diagnose.unnamed(session, *where, (f"on {place}: {text}", case))[0]


def permitted(session, cases, got):
    """What the exercise asks for must be written, not called; seen from what is called, whatever the text says."""
    ex = session.exercise
    called = {note.removeprefix("calls: ") for note in session.run(cases[0], "calls").notes}
    found = next((name for name in ex.forbidden if name in called), None)
    if found is None:
        return None
    seen = f"{labels(ex, cases[0])}: {found} was called"
    if own := [m for m in ex.misconceptions if m.id == "library_call"]:
        return diagnose.known(own, seen, cases[0], SEEN)
    library, _, name = found.partition(".")
    return Finding(
        f"It calls `{name}` of {library}, which does what this exercise asks you to write.",
        seen,
        "Written out once, it holds no secret any more. Use the library's to compare with yours.",
        ("library_call",),
        cases[0],
    )


def untouched(session, cases, got):
    """Arguments are borrowed: the caller's arrays must be as they were, to the last bit."""
    if not session.overwritten:
        return None
    return Finding(
        "It returns the right values but overwrites one of its inputs.",
        "the arrays passed in, compared bit for bit before and after",
        "The caller's array changes behind its back, and the next line that uses it is wrong. "
        "Look for `-=`, `/=`, `out=` or an assignment into an argument.",
        ("overwrites_input",),
    )


def steady(session, cases, got):
    """The same question twice has the same answer."""
    if same(session.run(cases[0]), got[0], session.exercise.rtol):
        return None
    return Finding(
        "It answers the same question differently the second time.",
        labels(session.exercise, cases[0]),
        "Something outlives the call (a global, a default argument that is a list) or is drawn at random.",
        ("keeps_state",),
        cases[0],
    )


EVERYWHERE = (untouched, steady)
