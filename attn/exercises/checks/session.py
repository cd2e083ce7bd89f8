"""One answer before its examiner: what it did on each case, and what the model would have done."""

import sys
import warnings
from dataclasses import replace

import numpy as np

from attn.exercises.checks import diagnose, matching, probes
from attn.exercises.checks.compare import EXACT, SINGLE, glance, in_form, same, unlike
from attn.exercises.checks.running import Outcome, local
from attn.exercises.checks.stopping import Deadline
from attn.exercises.report import Report


class OutOfTime(Exception):
    """The time was up before the answer was: nothing is known of it, good or bad."""

    def __init__(self, arguments):
        self.arguments = arguments


class Known:
    """What is the same for every answer to an exercise: the cases, the ways to be wrong, and what each way gives.

    A check makes its own; whoever checks a whole class keeps one for each exercise.
    """

    def __init__(self, exercise, rng):
        self.cases, self.ways, self._outcomes, self._seen, self._sieves = exercise.cases(rng), {}, {}, {}, {}
        self.exercise, self._kept = exercise, {}

    def kept(self, name, make):
        """Whatever else is made when it is first asked for, and once."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def candidates(self, most):
        """matching.candidates, made once."""
        if most not in self.ways:
            self.ways[most] = list(matching.candidates(self.exercise, most))
        return self.ways[most]

    def outcome(self, arguments, choices):
        """What the model gives with some choices made differently, the reference for None; computed once."""
        key = id(arguments), id(choices)
        if key not in self._outcomes:
            model = self.exercise.called(self.exercise.model)
            f = self.exercise.reference if choices is None else model
            made = running_model(f, arguments, choices or {})
            if choices is not None:  # an answer's is put into this form too
                made = in_form(made, self.outcome(arguments, None))
            self._outcomes[key] = arguments, choices, made  # holding both keeps the ids theirs
        return self._outcomes[key][2]

    def seen(self, arguments, choices, look):
        """That outcome as `look` sees it, (arguments, outcome) -> outcome, and its glance; computed once."""
        key = id(arguments), id(choices)
        if key not in self._seen:
            seen = look(arguments, self.outcome(arguments, choices))  # which holds what the ids are of
            self._seen[key] = seen, glance(seen, max(self.exercise.rtol, SINGLE))
        return self._seen[key]

    def likely(self, most, arguments, glanced):
        """The candidates, without those that a sieve tells apart from an answer by its glance on a case."""
        ways, sieve = self.candidates(most), self._sieves.get((id(arguments), most))
        if sieve is None:
            return ways
        if glanced[0] not in sieve:
            return []
        places, entries, distances = sieve[glanced[0]]
        with np.errstate(all="ignore"):
            return [ways[k] for k in places[~(abs(entries - glanced[1]) > distances).any(1)]]

    def sift(self, most, arguments):
        """Make a case's sieve, once every candidate has been looked at on it: all glances of one form side by side."""
        if (id(arguments), most) in self._sieves:
            return
        forms = {}
        for k, (_, choices) in enumerate(self.candidates(most)):
            form, *numbers = self._seen[id(arguments), id(choices)][1]
            forms.setdefault(form, []).append((k, *numbers))
        self._sieves[id(arguments), most] = {form: [np.array(x) for x in zip(*rows, strict=True)]
                                             for form, rows in forms.items()}  # fmt: skip


class Session:
    """One answer before its examiner: runs the cases, then the probes, and stops at the first thing to say."""

    def __init__(self, exercise, run, deadline, known=None):
        self.exercise, self.deadline = exercise, deadline
        self.known = known or Known(exercise, np.random.default_rng(0))
        self._run = run
        self._runs, self.prints = {}, {}
        self.overwritten = set()  # places of arguments
        self.done, self.total = 0, 1  # tests

    def run(self, arguments, instrument=None):
        """The answer on one case, seen through the exercise's eyes; instrument: "memory" or "passes", seen too.

        Raises OutOfTime, so that no one takes an answer that was stopped for evidence.
        """
        outcome = self._run(arguments, self.deadline, instrument)
        self.prints.setdefault(id(arguments), (arguments, outcome.prints))
        if outcome.kind == "timeout":
            raise OutOfTime(arguments)
        self.overwritten |= set(outcome.overwritten)
        return self.seen(arguments, in_form(outcome, self.known.outcome(arguments, None)))

    def once(self, arguments):
        """As run, but a case that several probes look at is run only once."""
        if id(arguments) not in self._runs:
            self._runs[id(arguments)] = arguments, self.run(arguments)  # holding them keeps the id theirs
        return self._runs[id(arguments)][1]

    def same(self, arguments, one, other):
        """True if two outcomes on a case agree; where the case is exact, to every digit."""
        exact = any(getattr(p, "exact", False) and p.arguments is arguments for p in self.exercise.probes)
        return same(one, other, EXACT if exact else self.exercise.rtol)

    def printed(self, arguments):
        """The first three lines that the answer printed on a case; '' where there are none."""
        _, text = self.prints.get(id(arguments), (None, ""))
        return "\n".join(text.splitlines()[:3])

    def seen(self, arguments, outcome):
        """What is compared: the value, or what `observe` makes of it."""
        if self.exercise.observe is None or outcome.kind != "value":
            return outcome
        look = local(lambda *_: self.exercise.observe(arguments, outcome.value), silent=False)
        seen = look(arguments, Deadline(self.deadline.seconds))
        if seen.kind == "timeout":
            raise OutOfTime(arguments)
        return replace(seen, error="") if seen.kind == "error" else seen  # it is the look that failed, not the answer

    def expected(self, arguments, choices=None):
        """The reference's outcome, or that of the model with some choices made differently."""
        return self.known.seen(arguments, choices, self.seen)[0]

    def like(self, arguments, outcome, seen, choices):
        """True if an answer's outcome, `seen` being its glance, is what the model gives with some choices."""
        expected, theirs = self.known.seen(arguments, choices, self.seen)
        return not unlike(seen, theirs) and self.same(arguments, outcome, expected)

    def report(self):
        """Run everything.  -> Report"""
        ex, cases, got = self.exercise, self.known.cases, []
        self.total = len(cases) + len(probes.all_of(ex))
        for arguments in cases:
            got.append(self.run(arguments))
            if got[0].kind == "none":
                return Report.plain(ex, "not started", did=nothing_yet(ex))
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
        return Report.found(self.exercise, diagnose.noted(self, first), counts)


def nothing_yet(exercise):
    """What to say where there is no answer: that it is the stub, or that the cell with the answer did not run."""
    did = "Nothing to check yet: put your code in place of the stub."
    error = getattr(sys, "last_value", None)
    if isinstance(error, SyntaxError):
        at = f"line {error.lineno}, " if error.lineno else ""
        return f"Nothing to check yet: Python could not read your cell ({at}{error.msg}), so the stub is still there."
    if not exercise.wants_function:
        return did
    name = exercise.call.partition("(")[0]
    return f"{did} If you have: did its cell run, and is the function still called {name}?"


def running_model(f, arguments, choices):
    """A model's outcome: trusted code, so no copies, no clock."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Outcome.of(f(*arguments, **choices))
        except Exception as error:
            return Outcome("error", error=type(error).__name__, message=str(error))
