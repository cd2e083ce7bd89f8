"""How an answer is examined: it is called on the cases, compared, stressed, and what went wrong is named."""

from dataclasses import replace
from importlib import import_module

import numpy as np

from attn.exercises.checks.running import local, settled
from attn.exercises.checks.session import Known, OutOfTime, Session
from attn.exercises.checks.stopping import Deadline
from attn.exercises.report import Report


def examine(exercise, answer, *, rng=None, limit=5.0, run=None, known=None):
    """Check an answer and say what is wrong with it.

    run: how to call the answer, (arguments, deadline, instrument) -> Outcome; in this process unless given.
    limit: seconds for everything together.   known: what is the same for every answer, in place of rng, for a class.
    -> Report. Never raises for anything an answer does.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    if not prepared(exercise):
        return Report.without(exercise, exercise.kind)
    if run is None:
        refusal = misfit(exercise, answer)
        if refusal:
            return Report.plain(exercise, "error", did=refusal)
        run = local(exercise.called(answer)) if callable(answer) else settled(answer)
    session = Session(exercise, run, Deadline(limit), known or Known(exercise, rng))
    try:
        report = session.report()
    except OutOfTime as stopped:
        report = Report.stopped(exercise, stopped.arguments, session)
    right = session.known.outcome(report.case, None) if report.case and exercise.observe is None else None
    return replace(
        report,
        case=exercise.given(report.case),
        expected=right.value if right and right.kind == "value" else None,
        prints=session.printed(report.case),
    )


def prepared(exercise):
    """Load what the exercise computes with, before the clock starts. False where it is not installed."""
    if exercise.kind == "numpy":
        return True
    try:
        import_module("attn.exercises.checks.tensors").ready()
    except (ImportError, OSError):  # OSError: installed, and not for this system
        return False
    return True


def misfit(exercise, answer):
    """Why this answer cannot be checked at all: a result in place of a function, or the reverse. '' if it can."""
    if answer is None or answer is Ellipsis:
        return ""
    if exercise.wants_function and not callable(answer):
        return f'This exercise asks for the function itself: check("{exercise.id}", {exercise.call.partition("(")[0]})'
    if not exercise.wants_function and callable(answer):
        return f'This exercise asks for a value, not a function: check("{exercise.id}", {exercise.call})'
    return ""
