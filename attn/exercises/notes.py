"""Probes that read what an instrument wrote down about a run: calls, devices, dtypes.

As every probe: called as probe(sitting, cases, got) once the ordinary values are right -> Finding, or None.
"""

from dataclasses import dataclass

from attn.exercises import diagnose
from attn.exercises.report import Finding, labels
from attn.exercises.running import same


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

    def __call__(self, sitting, cases, got):
        """Run the case and read the notes."""
        notes = sitting.run(self.arguments, self.instrument).notes
        said = [text for word, _, text in (note.partition(": ") for note in notes) if word == self.word]
        said = [text for text in said if text != self.right]
        if len(said) < self.times:
            return None
        mistake = next(m for m in sitting.exercise.misconceptions if m.id == self.blame)
        often = f", {len(said)} times" if len(said) > 1 else ""
        wanted = f", expected {self.right}" if self.right else ""
        place = ", on another device" if self.instrument == "elsewhere" else ""
        seen = f"{labels(sitting.exercise, self.arguments)}{place}: {said[0]}{often}{wanted}"
        return diagnose.known((mistake,), seen)


@dataclass(frozen=True)
class Elsewhere:
    """On a GPU, where there is one, the values must be those of the CPU; blame names who mixes the two."""

    blame: str
    arguments: tuple

    def __call__(self, sitting, cases, got):
        """Run there and compare; a device without numbers has nothing to compare."""
        mine, right = sitting.run(self.arguments, "elsewhere"), sitting.expected(self.arguments)
        place = next((note.removeprefix("ran: on ") for note in mine.notes if note.startswith("ran: ")), "meta")
        if place == "meta" or same(mine, right, sitting.exercise.rtol):
            return None
        where = ([self.arguments], [mine], [right], [0])
        seen = f"on {place}: {diagnose.evidence(sitting, *where)}"
        return diagnose.unnamed(sitting, *where, seen)[0]


def permitted(sitting, cases, got):
    """What the exercise asks for must be written, not called; seen from what is called, whatever the text says."""
    ex = sitting.exercise
    called = {note.removeprefix("calls: ") for note in sitting.run(cases[0], "calls").notes}
    found = next((name for name in ex.forbidden if name in called), None)
    if found is None:
        return None
    seen = f"{labels(ex, cases[0])}: {found} was called"
    if own := [m for m in ex.misconceptions if m.id == "library_call"]:
        return diagnose.known(own, seen)
    library, _, name = found.partition(".")
    return Finding(
        f"It calls `{name}` of {library}, which does what this exercise asks you to write.",
        seen,
        "Written out once, it holds no secret any more. Use the library's to compare with yours.",
        ("library_call",),
    )
