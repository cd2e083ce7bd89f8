"""What a check says: a few fixed fields, at most sixteen lines of ninety columns, never a traceback."""

import html
import textwrap
from dataclasses import dataclass

import numpy as np

WIDTH, LABEL = 90, 19
SEEN, LIKELY, PERHAPS = (
    "What it did",
    "Most likely",
    "Perhaps",
)  # observed; inferred from equal numbers; one way of many
HINTS = 3  # an exercise has
FEW, FEWER = 12, 4  # numbers of a case that are written out, and of one argument where a case has more
ASIDE = {  # sections of pages that go a chapter on: what such a page is called beside the chapter's number
    "A sum of outer products": "3 (the page Rank)",
    "Where the rows live": "4 (the page Jacobian)",
    "The Jacobian": "4 (the page Jacobian)",
    "A published model, whole": "10b",
    "Which heads bring it?": "10b",
}
MARKS = {"passed": "✓", "not started": "○", "timeout": "○"}
WORDS = {
    "passed": "passed",
    "failed": "not yet",
    "not started": "not started",
    "error": "stopped with an error",
    "timeout": "did not finish",
}


@dataclass(frozen=True)
class Finding:
    """One thing to say about an answer. misconceptions: ids of what was recognised, () if nothing was.

    case: the arguments that show it, () where it shows on none.
    label: how sure `did` is. SEEN was observed; LIKELY is a cause that gives the same numbers on every case; PERHAPS is
    one of several that lead there.
    """

    did: str
    seen: str = ""
    why: str = ""
    misconceptions: tuple = ()
    case: tuple = ()
    label: str = SEEN


@dataclass(frozen=True)
class Report:
    """The result of one check.

    status: "passed", "failed", "not started", "error" or "timeout".   misconceptions: ids of the named mistakes.
    score: the exercise's points if it passed, else 0.   passed, total: tests.   did, seen, why, next: the fields.
    case: the arguments of the one case it speaks of, to be called with: softmax(*report.case); () if there is none.
    expected: what is right on that case; None if there is no case, or many answers are right.
    call: the name to call.   prints: the first lines that the answer printed there.   label: that of `did`.
    as_dict() is the same as plain data, for a page.
    """

    exercise: str
    title: str
    status: str
    max_score: int = 1
    passed: int = 0
    total: int = 0
    misconceptions: tuple = ()
    did: str = ""
    seen: str = ""
    why: str = ""
    next: str = ""
    case: tuple = ()
    expected: object = None
    call: str = ""
    prints: str = ""
    label: str = SEEN

    @classmethod
    def plain(cls, exercise, status, *, finding=None, passed=0, total=0, did=""):
        """A report on an exercise; its last field says where to go from here."""
        finding = finding or Finding(did)
        return cls(
            exercise.id, exercise.title, status, exercise.points, passed, total, tuple(finding.misconceptions),
            finding.did, finding.seen, finding.why, onward(exercise, status, finding.misconceptions),
            finding.case, call=exercise.call.partition("(")[0], label=finding.label)  # fmt: skip

    @classmethod
    def found(cls, exercise, finding, counts, status="failed"):
        """A report on something wrong."""
        return cls.plain(exercise, status, finding=finding, **counts)

    @classmethod
    def stopped(cls, exercise, arguments, session):
        """A report on an answer that was stopped: nobody passed, and nobody is accused of anything."""
        clock, ran = session.deadline, f"{session.done} of {session.total} tests run"
        if clock.by_hand:
            did, why = f"You stopped it after {clock.spent():.2g} s; {ran}.", ""
        elif session.done:
            did = f"{ran}; too slow: the {clock.seconds:g} s for all of them were over on this size."
            why = (
                "Nothing is known of the other tests. The inputs are small: which loop takes long, or never ends here?"
            )
        else:
            did = f"It was still running after {clock.seconds:g} s, so it was stopped; {ran}."
            why = "The inputs here are small: look for a loop whose condition never becomes false."
        return cls.plain(exercise, "timeout", finding=Finding(did, labels(exercise, arguments), why, (), arguments))

    @classmethod
    def without(cls, exercise, module):
        """A report on an answer that cannot be run, because a library is missing. Nobody failed."""
        return cls(
            exercise.id, exercise.title, "not started", exercise.points,
            did=f"Nothing yet: your answer was not run. This exercise needs {module}, which is not installed here.",
            seen=f"`import {module}`, in the Python that runs this check",
            why="Nothing is wrong with your answer: it takes tensors, and only here. The others need NumPy alone.",
            next=f"`pip install {module}`, start the kernel afresh and check again; or go on without it.")  # fmt: skip

    @property
    def score(self):
        """All the points, or none: a part of the tests is not a part of the idea."""
        return self.max_score if self.status == "passed" else 0

    @property
    def tests(self):
        """ "4 of 7 tests"; '' where the answer is a single value."""
        return f"{self.passed} of {self.total} tests" if self.total > 1 else ""

    @property
    def heading(self):
        """The first line."""
        count = f" ({self.tests})" if self.tests else ""
        return f"{MARKS.get(self.status, '✗')} {self.exercise}  {self.title}: {WORDS[self.status]}{count}"

    @property
    def fields(self):
        """The (label, text) pairs that have something to say."""
        pairs = (
            (self.label, self.did),
            ("Seen on", self.seen),
            ("It printed", self.prints),
            ("Why it is wrong", self.why),
            ("Try", self.replay),
            ("Next", self.next),
        )
        return [(label, text) for label, text in pairs if text]

    @property
    def replay(self):
        """The line that runs the answer once more on the case, beside what is right; '' where there is none."""
        if not self.case:
            return ""
        beside = "" if self.expected is None else ", report.expected"
        return f'`report = check("{self.exercise}", {self.call}); {self.call}(*report.case){beside}`'

    def as_dict(self):
        """Everything as plain data: {"id", "title", "status", "passed", "total", "score", "max_score",
        "misconceptions", "label", "did", "seen", "why", "try", "next", "prints", "case"}; case is a list of lists and
        numbers.
        """
        names = (
            "title", "status", "passed", "total", "score", "max_score", "label", "did", "seen", "why", "next", "prints"
        )  # fmt: skip
        case = [x.tolist() if hasattr(x, "tolist") else None if callable(x) else x for x in self.case]
        return {name: getattr(self, name) for name in names} | {
            "id": self.exercise,
            "misconceptions": list(self.misconceptions),
            "try": self.replay,
            "case": case,
        }

    def __str__(self):
        lines = textwrap.wrap(self.heading, WIDTH, subsequent_indent="  ")
        for label, text in self.fields:
            lines += _field(label, text)
        return "\n".join(lines)

    def __repr__(self):
        return f"<Report {self.exercise}: {self.status}>"

    def _repr_html_(self):
        rows = "".join(f"<dt>{html.escape(label)}</dt><dd>{_inline(text)}</dd>" for label, text in self.fields)
        return f'<div class="attn-report"><p><strong>{html.escape(self.heading)}</strong></p><dl>{rows}</dl></div>'


def onward(exercise, status, mistakes=(), hint=1):
    """The last field: what to do next; mistakes: those that were named; hint: which one comes, none after the last."""
    if status == "passed":
        return f'solution("{exercise.id}") shows one way to write it{", and another" if exercise.another else ""}.'
    chapter = section(*exercise.place(mistakes))
    if status == "not started" or hint > HINTS:
        return chapter
    return f'hint("{exercise.id}") ({hint} of {HINTS}), or {chapter}'


def section(chapter, heading):
    """A place in the book, in words; a page makes a link of them."""
    return f'Chapter {ASIDE.get(heading, chapter)}, "{heading}"'


def labels(exercise, arguments, few=FEW):
    """A case in words: "Q (2×5), K (3×5), h = 2", or "S = [[1000, 999]]" where it has few numbers in all."""
    most = few if sum(getattr(value, "size", 1) for value in arguments) <= few else FEWER
    return ", ".join(label(name, value, most) for name, value in zip(exercise.names, arguments, strict=False))


def label(name, value, most=FEWER):
    """One argument in words; its numbers, if they are no more than `most`."""
    if not hasattr(value, "shape") or not value.shape:
        return name if callable(value) else f"{name} = {number(value)}"
    if 0 < value.size <= most:
        return f"{name} = {numbers(value)}"
    return f"{name} ({'×'.join(map(str, value.shape))})" if value.ndim > 1 else f"{name} (length {value.size})"


def numbers(value):
    """A small array on one line, four figures each."""
    if getattr(value, "ndim", 0) == 0:
        return number(value)
    return "[" + ", ".join(numbers(part) for part in value) + "]"


def number(x):
    """One number, four significant figures; -0 as 0."""
    if isinstance(x, (bool, np.bool_)) or getattr(getattr(x, "dtype", None), "kind", "") == "b":
        return str(bool(x))
    text = f"{x:.4g}"
    return "0" if text == "-0" else text


def _field(label, text):
    first, rest = f"  {label:<{LABEL - 2}}", " " * LABEL
    lines = []
    for line in text.splitlines():  # of which only what an answer printed has several
        lines += textwrap.wrap(
            line, WIDTH, initial_indent=rest if lines else first, subsequent_indent=rest, break_on_hyphens=False
        )
    return lines


def _inline(text):
    """Text as HTML; what stands between backticks is code."""
    pieces = html.escape(text).split("`")
    if len(pieces) % 2 == 0:  # an unpaired backtick is only a character
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))
