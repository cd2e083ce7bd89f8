"""What a learner calls: check, hint, predict, solution, progress, mistakes, review. Each has its say; none raises."""

import sys
from dataclasses import replace

from attn.exercises import catalogue, sheets
from attn.exercises.catalogue import firsts
from attn.exercises.checks.engine import examine
from attn.exercises.record import Record
from attn.exercises.report import HINTS, Report, onward

BAR = 20


class Message(str):
    """A text that is shown once: printed by the call, and not a second time as the cell's value."""

    def __repr__(self):
        return "" if in_notebook() else f"<{len(self.splitlines())} lines>"

    def _ipython_display_(self):
        """The call has printed it already."""


class Shown(Report):
    """A report that the call has shown already."""

    def _ipython_display_(self):
        """The call has shown it already."""


def check(id, answer=None, *, limit=5.0):
    """Check an answer and show what it did; the result is also kept in the progress file.

    id: "3.3".   answer: the function, or the number or arrays the exercise asks for.   limit: seconds, in all.
    -> Report (.status, .misconceptions, .score, .max_score, .tests; .case, the arguments it failed on). Never raises.
    """
    exercise = catalogue.find(id)
    if exercise is None:
        report = Shown(str(id), "no such exercise", "error", did=catalogue.unknown(id))
    else:
        report = _noted(exercise, _examined(exercise, answer, limit))
    _show(report)
    return report


def not_found(id, name, defined=()):
    """Show that a check finds no answer of its name, where a page and not Python looks for it.

    id: "4.1".   name: what the check looks for.   defined: the names that the answer's cell defines instead.
    -> Report, with status "error".
    """
    exercise = catalogue.find(id)
    made = " and ".join(defined) or "nothing by that name"
    report = _noted(
        exercise, Shown.plain(exercise, "error", did=f"Your cell defines {made}; the check looks for {name}.")
    )
    _show(report)
    return report


def _noted(exercise, report):
    """Keep a report in the progress file.  -> the report, which then names the hint that comes next"""
    given, _ = Record.load().note(report).save().hinted(exercise.id)
    return replace(report, next=onward(exercise, report.status, report.misconceptions, given + 1))


def _examined(exercise, answer, limit):
    try:
        report = examine(exercise, answer, limit=limit)
    except Exception as error:  # a fault of ours is said as ours, and never as a wall of text
        report = Report.plain(exercise, "error", did=f"The check itself failed ({type(error).__name__}: {error}).")
    return Shown(**{name: getattr(report, name) for name in Report.__dataclass_fields__})


def hint(id):
    """Show the next of three hints: a question, the idea, the shape. The first fits what the last check saw.

    -> str, the hint. The count starts again when a check ends in another way. Never raises.
    """
    exercise = catalogue.find(id)
    if exercise is None:
        return _say(catalogue.unknown(id))
    record = Record.load()
    given, mistake = record.hinted(exercise.id)
    status = record.entry(exercise.id).get("status")
    shows = f'solution("{exercise.id}", reveal=True) shows an answer.'
    if given >= HINTS:
        return _say(f"{exercise.id}: that was the last hint. {shows}")
    record.count_hint(exercise.id, given + 1).save()
    after = f" That is the last; {shows}" if given == HINTS - 1 else ""
    return _say(f"{exercise.id}, hint {given + 1} of {HINTS}: {exercise.ladder(mistake, status)[given]}{after}")


def solution(id, reveal=False):
    """Show one way to write the answer, once check has passed it, or with reveal=True.  -> str. Never raises."""
    exercise = catalogue.find(id)
    if exercise is None:
        return _say(catalogue.unknown(id))
    if not reveal and not Record.load().passed(exercise.id):
        return _say(f'{exercise.id} has not passed yet. solution("{exercise.id}", reveal=True) shows it all the same.')
    if not Record.load().passed(exercise.id):
        Record.load().revealed(exercise.id).save()
    text = sheets.solution_text(exercise) or f"{exercise.id}: its solution is not installed here."
    return _say("\n\n".join([text, *sheets.another(exercise)]))


def predict(id):
    """Ask for a small case of an exercise, to be done in the head; the answer comes after the guess.

    -> widgets.Predict, the last value of its cell; without a figure's packages, or without a question, a str.
    """
    exercise = catalogue.find(id)
    if exercise is None:
        return _say(catalogue.unknown(id))
    asked = firsts.FIRSTS.get(exercise.id)
    if asked is None:
        return _say(f"{exercise.id} has no small case.")
    try:
        return firsts.question(exercise)
    except ImportError:
        return _say(f"Predict: {asked.question}")


def progress():
    """Show how far each chapter is. The record stays on this computer, in .attn-progress.json.  -> str"""
    record, lines = Record.load(), []
    for chapter, exercises in sorted(catalogue.chapters().items()):
        done = sum(record.passed(exercise.id) for exercise in exercises)
        bar = "█" * round(BAR * done / len(exercises))
        missing = " ".join(exercise.id for exercise in exercises if not record.passed(exercise.id))
        lines.append(f"Chapter {chapter:2}  {bar:·<{BAR}}  {done}/{len(exercises)}  {missing}".rstrip())
    return _say("\n".join([*lines, *record.remarks]))


def mistakes():
    """Show which mistakes your checks have named so far, and which section of the book cures each.  -> str"""
    from attn.exercises import recall  # it reads every exercise, for which no check should wait

    record = Record.load()
    return _say("\n".join([recall.mistakes(record), *record.remarks]))


def review(upto=None):
    """Show a short mixed sheet made of your own named mistakes, to be met again.  -> str

    upto: the last chapter it draws on; all of them if not given.
    """
    from attn.exercises import recall

    return _say(recall.sheet(Record.load(), upto if isinstance(upto, int) else None))


def in_notebook():
    """True inside a Jupyter kernel, where HTML can be shown."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")


def _show(report):
    if in_notebook():
        sys.modules["IPython"].display.display({"text/plain": str(report), "text/html": report._repr_html_()}, raw=True)
    else:
        _print(str(report))


def _say(text):
    _print(text)
    return Message(text)


def _print(text):
    """Print, also where the console's encoding has no √."""
    try:
        print(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        print(text.encode(encoding, "replace").decode(encoding))
