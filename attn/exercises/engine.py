"""What an exercise is, and how an answer to it is examined.

An exercise carries one model: a function whose keyword arguments are *choices*, each right unless told otherwise.
A misconception names another value for one of the choices. So the list of known mistakes is at once the diagnosis
(an answer that equals the model with that choice is named) and the test data (each must be caught and named).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np

from attn.exercises import diagnose, probes
from attn.exercises.report import Report
from attn.exercises.running import Outcome, local, same, settled
from attn.exercises.stopping import Deadline


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make: what it does, why that is wrong, and which choices of the model make it.

    did: a sentence that begins "It …".   why: the reason, in the chapter's words.
    ask: the first hint for whoever made it; the exercise's own first hint if empty.
    variants: choices of the model; several where harmless habits give the same mistake different numbers.
    """

    id: str
    did: str
    why: str
    ask: str
    variants: tuple[dict, ...]


def wrong(id, did, why, *also, ask="", **choices):
    """A misconception; `also` holds further choices that make the same mistake in another way.

    -> Misconception. Two misconceptions that set no choice in common can be made together; both are then named.
    """
    return Misconception(id, did, why, ask, (choices, *also) if choices else also)


def settled_on(right):
    """The model of an exercise whose answer is one value: the choice `value` is the answer."""
    return lambda *, value=right: value


@dataclass(frozen=True)
class Exercise:
    """One exercise: the statement's function, the cases that separate mistakes, the mistakes themselves.

    call: how the answer is called, "attend(Q, K, V)"; a bare name for an exercise whose answer is a number.
    reference: the right answer, attn's own wherever attn has it.   model: the same with choices to get wrong.
    cases: rng -> list of argument tuples; non-square before square, and every axis of another size.
    probes: what values on ordinary numbers cannot show (attn.exercises.probes).
    invariants: (sentence, holds(arguments, output)) pairs, told when no mistake fits.
    observe: what is compared, where many answers are right: (arguments, output) -> array; observed: what it shows;
    missed: the sentence for an answer whose observed property is another, in no known way.
    forbidden: what an answer must not call, "torch.softmax": it is what is to be written.
    kind: "torch" where the answer takes tensors; cases and reference are arrays all the same.
    """

    id: str
    title: str
    section: str
    call: str
    reference: Callable
    model: Callable
    hints: tuple[str, str, str]
    misconceptions: tuple[Misconception, ...]
    cases: Callable = lambda rng: [()]
    probes: tuple = ()
    invariants: tuple = ()
    observe: Callable | None = None
    observed: str = ""
    missed: str = ""
    forbidden: tuple[str, ...] = ()
    kind: str = "numpy"
    rtol: float = 1e-8
    points: int = 1

    @property
    def chapter(self):
        """The chapter's number: 3 for "3.3"."""
        return int(self.id.split(".")[0])

    @property
    def names(self):
        """The argument names in `call`; none where the answer is a number."""
        inside = self.call.partition("(")[2].rstrip(")")
        return tuple(name.strip() for name in inside.split(",") if name.strip())

    @property
    def wants_function(self):
        """True unless the answer is a number, a tuple or an array."""
        return "(" in self.call

    @property
    def stack(self):
        """The function that makes one array of a list of them."""
        return "torch.stack" if self.kind == "torch" else "np.array or np.stack"

    def called(self, f):
        """A function of the exercise's kind as one of arrays. Raises ImportError where its library is missing."""
        return f if self.kind == "numpy" else import_module("attn.exercises.tensors").Tensors(f)

    def ladder(self, mistake=None):
        """The three hints: a question, the idea, the shape of the expression.  id of a misconception -> 3 strings"""
        own = next((m.ask for m in self.misconceptions if m.id == mistake and m.ask), None)
        return (own or self.hints[0], *self.hints[1:])


def examine(exercise, answer, *, rng=None, limit=5.0, run=None):
    """Check an answer and say what is wrong with it.

    run: how to call the answer, (arguments, deadline, instrument) -> Outcome; in this process unless given.
    limit: seconds for everything together.   -> Report. Never raises for anything an answer does.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    if not prepared(exercise):
        return Report.without(exercise, exercise.kind)
    if run is None:
        refusal = misfit(exercise, answer)
        if refusal:
            return Report.plain(exercise, "error", did=refusal)
        run = local(exercise.called(answer)) if callable(answer) else settled(answer)
    sitting = Sitting(exercise, run, Deadline(limit))
    try:
        return sitting.report(exercise.cases(rng))
    except OutOfTime as stopped:
        return Report.stopped(exercise, stopped.arguments, sitting)


def prepared(exercise):
    """Load what the exercise computes with, before the clock starts. False where it is not installed."""
    if exercise.kind == "numpy":
        return True
    try:
        import_module("attn.exercises.tensors").ready()
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


class OutOfTime(Exception):
    """The time was up before the answer was: nothing is known of it, good or bad."""

    def __init__(self, arguments):
        self.arguments = arguments


class Sitting:
    """One answer before its examiner: runs the cases, then the probes, and stops at the first thing to say."""

    def __init__(self, exercise, run, deadline):
        self.exercise, self.deadline = exercise, deadline
        self._run = run
        self._runs = {}
        self.overwritten = False
        self.done, self.total = 0, 1  # tests

    def run(self, arguments, instrument=None):
        """The answer on one case, seen through the exercise's eyes; instrument: "memory" or "passes", seen too.

        Raises OutOfTime, so that no one takes an answer that was stopped for evidence.
        """
        outcome = self._run(arguments, self.deadline, instrument)
        if outcome.kind == "timeout":
            raise OutOfTime(arguments)
        self.overwritten |= bool(outcome.overwritten)
        return self.seen(arguments, outcome)

    def once(self, arguments):
        """As run, but a case that several probes look at is run only once."""
        if id(arguments) not in self._runs:
            self._runs[id(arguments)] = arguments, self.run(arguments)  # holding them keeps the id theirs
        return self._runs[id(arguments)][1]

    def seen(self, arguments, outcome):
        """What is compared: the value, or what `observe` makes of it."""
        if self.exercise.observe is None or outcome.kind != "value":
            return outcome
        look = local(lambda *_: self.exercise.observe(arguments, outcome.value), hush=False)
        seen = look(arguments, Deadline(self.deadline.seconds))
        if seen.kind == "timeout":
            raise OutOfTime(arguments)
        return replace(seen, error="") if seen.kind == "error" else seen  # it is the look that failed, not the answer

    def expected(self, arguments, choices=None):
        """The reference's outcome, or that of the model with some choices made differently."""
        f = self.exercise.reference if choices is None else self.exercise.called(self.exercise.model)
        return self.seen(arguments, running_model(f, arguments, choices or {}))

    def report(self, cases):
        """Run everything.  list of argument tuples -> Report"""
        ex, got = self.exercise, []
        self.total = len(cases) + len(probes.all_of(ex))
        for arguments in cases:
            got.append(self.run(arguments))
            if got[0].kind == "none":
                did = "Nothing to check yet: put your code in place of the stub."
                return Report.plain(ex, "not started", did=did)
            self.done += 1
        right = [self.expected(arguments) for arguments in cases]
        well = [same(g, e, ex.rtol) for g, e in zip(got, right, strict=True)]
        counts = dict(passed=sum(well), total=self.total)
        if not all(well):
            return diagnose.explain(self, cases, got, right, counts)
        return self.probed(cases, got, counts)

    def probed(self, cases, got, counts):
        """The values are right on ordinary cases: now the stress."""
        first = None
        for probe in probes.all_of(self.exercise):
            finding = probe(self, cases, got)
            self.done += 1
            counts["passed"] += finding is None
            if finding and (first is None or (finding.misconceptions and not first.misconceptions)):
                first = finding  # a later probe may know the name of what an earlier one only saw
        if first is None:
            return Report.plain(self.exercise, "passed", **counts)
        return Report.found(self.exercise, first, counts)


def running_model(f, arguments, choices):
    """A model's outcome: trusted code, so no copies, no clock."""
    with np.errstate(all="ignore"):
        try:
            return Outcome.of(f(*arguments, **choices))
        except Exception as error:
            return Outcome("error", error=type(error).__name__, message=str(error))
