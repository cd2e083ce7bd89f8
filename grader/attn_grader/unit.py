"""The unit of grading: a pure function from a submission and settings to a result, on whatever machine it runs."""

import contextlib
import hashlib
import re
import time
from dataclasses import asdict, dataclass

from attn.exercises import catalogue
from attn.exercises.cells import is_stub
from attn.exercises.checks.engine import examine
from attn.exercises.checks.running import Outcome
from attn.exercises.report import Report
from attn_grader import hard
from attn_grader.isolation import Isolation
from attn_grader.known import knowledge, plan
from attn_grader.remote import Endless, Gone, NotStarted, Stalled, Worker

RESTARTS = 8  # of a submission's worker; each costs it what it was doing
QUICK = 1.0  # seconds of processor time for all calls that are foreseen; honest ones take a twentieth of it


@dataclass(frozen=True)
class Settings:
    """What the grades depend on. It travels between machines as it is.

    seed: a secret that draws the cases.   chapters: only these, () for all.   limit: seconds of processor time for
    one call.   each: seconds for one cell.   wall: seconds on the wall for all of a submission; what is not done then
    is ungraded.   memory: bytes for one worker, beyond the interpreter's own.
    """

    seed: str
    chapters: tuple[int, ...] = ()
    isolation: Isolation | None = None
    limit: float = 5.0
    each: float = 10.0
    wall: float = 900.0
    memory: int = 2 << 30

    def __post_init__(self):
        if not self.seed:
            raise ValueError("seed: a secret is needed; cases that can be guessed can be answered by heart")
        if self.isolation is None:
            raise ValueError("isolation: say where submissions run; nothing is run in the open by default")

    @property
    def exercises(self):
        """The exercises to grade, in the order of the book."""
        return [e for e in catalogue.every() if not self.chapters or e.chapter in self.chapters]

    @property
    def digest(self):
        """A mark that differs where grades could: of the seed and the exercises, and not of where it ran."""
        said = repr((self.seed, [exercise.id for exercise in self.exercises], self.limit))
        return hashlib.sha256(said.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Mark:
    """One exercise of one submission. status: a Report's, or "ungraded"; score is None only then."""

    exercise: str
    title: str
    status: str
    score: int | None
    max_score: int
    text: str
    html: str = ""
    misconceptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """All marks of one submission. skipped: files that were not read, with the reason."""

    submission: str
    settings: str
    marks: tuple[Mark, ...]
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def complete(self):
        """True if nothing is left ungraded."""
        return all(mark.score is not None for mark in self.marks)

    @property
    def endless(self):
        """True if some answer ran out of time: it deserves one more try, alone."""
        return any(mark.status == "timeout" for mark in self.marks)

    @property
    def score(self):
        """The points so far."""
        return sum(mark.score or 0 for mark in self.marks)

    def as_dict(self):
        """What is written to the result file."""
        return asdict(self)

    @classmethod
    def of(cls, said):
        """A result from its file. Raises KeyError, TypeError for anything else."""
        marks = tuple(Mark(**mark | {"misconceptions": tuple(mark["misconceptions"])}) for mark in said["marks"])
        return cls(said["submission"], said["settings"], marks, tuple(map(tuple, said["skipped"])))


def grade(submission, settings):
    """Grade one submission.  (Submission, Settings) -> Result. Raises nothing that a submission can cause.

    What the grader itself could not do is a mark "ungraded", with the reason.
    """
    exercises = settings.exercises
    marks = {}
    try:
        with Examination(submission, settings, exercises) as examination:
            for exercise in exercises:
                marks[exercise.id] = examination.mark(exercise)
    except NotStarted as reason:
        missing = (exercise for exercise in exercises if exercise.id not in marks)
        marks |= {exercise.id: ungraded(exercise, str(reason)) for exercise in missing}
    return Result(submission.name, settings.digest, tuple(marks[e.id] for e in exercises), submission.skipped)


class Examination:
    """One submission while it is graded: its notebooks, and the worker that runs them."""

    def __init__(self, submission, settings, exercises):
        self.submission, self.settings = submission, settings
        self.names = {exercise.id: exercise.call.partition("(")[0] for exercise in exercises}
        self.workers, self.restarts, self.skip = {}, 0, []  # one for each kind: torch is lent to what asks for it
        self.end, self.aloud = time.monotonic() + settings.wall, False
        self.plan = plan(settings.seed, tuple(exercise.id for exercise in exercises))
        self.exercises, self.foreseen, self.places = exercises, None, {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """End the workers."""
        while self.workers:
            self.workers.popitem()[1].close()

    def answering(self, exercise):
        """Where an exercise is answered: places of the notebooks that mention its name and may answer its chapter."""
        if exercise.id not in self.places:
            name = self.names[exercise.id]
            self.places[exercise.id] = [place for place, (file, cells) in enumerate(self.submission.notebooks)
                                        if belongs(file, exercise) and mentions(cells, name)]  # fmt: skip
        return self.places[exercise.id]

    def written(self, exercise):
        """True if somebody has put something in place of the sheet's stub."""
        name, books = self.names[exercise.id], self.submission.notebooks
        return any(not is_stub(books[place][1], name) for place in self.answering(exercise))

    def ready(self, kind):
        """A worker that is running. Raises NotStarted, Gone, Stalled."""
        if time.monotonic() > self.end:
            raise Stalled(f"the whole submission had {self.settings.wall:g} s, and they are over")
        if kind in self.workers and self.workers[kind].alive:
            return self.workers[kind]
        if kind in self.workers:
            self.workers.pop(kind).close()
        notebooks = [list(cells) for _, cells in self.submission.notebooks]
        while self.restarts < RESTARTS:
            self.restarts += 1
            try:
                self.workers[kind] = self.start(notebooks, kind=kind)
                return self.workers[kind]
            except CellEnded as ended:  # the next worker leaves that cell out
                self.skip.append(ended.cell)
        raise Gone("its cells end the process again and again")

    def start(self, notebooks, **changes):
        """A new worker. Raises CellEnded for a cell that it did not survive."""
        own = self.settings
        settings = dict(memory=own.memory, each=own.each, skip=self.skip, end=self.end, plan=self.plan) | changes
        worker = Worker.__new__(Worker)
        try:
            worker.__init__(notebooks, sorted(set(self.names.values())), own.isolation, aloud=self.aloud, **settings)
        except (Gone, Stalled):
            if not self.aloud:  # which cell was it?
                self.aloud = True
                return self.start(notebooks, **changes)
            if getattr(worker, "cell", None) is None or worker.cell in self.skip:
                raise
            raise CellEnded(worker.cell) from None
        return worker

    def foresee(self):
        """Have the calls that a right answer will be asked made all at once, each exercise's in its order.

        What does not come back with them is asked for again, one by one, of a worker that knows nothing of the rest.
        """
        self.foreseen, worker = {}, self.ready("numpy")
        found = {e.id: self.found(e, worker) for e in self.exercises if self.plan.calls.get(e.id)}
        wanted = {id: counting(places, self.submission.notebooks) for id, places in found.items() if places}
        try:
            for id, outcomes in worker.foresee(wanted, self.plan, min(QUICK, self.settings.limit)):
                self.foreseen[id] = outcomes
        except (Gone, Stalled):
            self.close()
            self.restarts -= 1

    def found(self, exercise, worker):
        """Places of the notebooks that define what an exercise asks for."""
        return [place for place in self.answering(exercise) if self.names[exercise.id] in worker.names[place]]

    @contextlib.contextmanager
    def apart(self, place, **changes):
        """A worker of its own for one notebook."""
        notebooks = [list(cells) if k == place else [] for k, (_, cells) in enumerate(self.submission.notebooks)]
        worker = self.start(notebooks, **changes)
        try:
            yield worker
        finally:
            worker.close()

    def mark(self, exercise):
        """One exercise's mark. Of several notebooks that answer it one counts: guesses are not collected."""
        try:
            places = []
            if self.answering(exercise) and (exercise.kind == "numpy" or self.written(exercise)):
                places = self.found(exercise, self.ready(exercise.kind))  # a second, where torch must be loaded
            if not places:
                return of(Report.plain(exercise, "not started", did="No answer of this name was handed in."))
            place = counting(places, self.submission.notebooks)
            report = self.examined(exercise, place)
            more = [self.submission.notebooks[k][0] for k in places if k != place]
            return of(
                report,
                f"Graded in {self.submission.notebooks[place][0]}; not counted: {', '.join(more)}." if more else "",
            )
        except Stalled as reason:
            self.close()
            return ungraded(exercise, str(reason))
        except Gone as reason:
            self.close()
            return of(Report.plain(exercise, "error", did=f"It could not be run: {reason}."))
        except NotStarted:
            raise
        except Exception as error:  # a fault of the checks is the grader's, never the learner's
            return ungraded(exercise, f"the check itself failed: {type(error).__name__}: {error}")

    def examined(self, exercise, place):
        """The report on one notebook's answer; what only a process's own word could vouch for is tried the hard way."""
        known = knowledge(self.settings.seed, exercise.id)
        report = examine(exercise, ..., known=known, limit=self.settings.limit, run=self.run(exercise, place))
        if report.status == "passed" and exercise.id in hard.CASES:
            report = hard.tried(self, exercise, place, report)
        return report

    def run(self, exercise, place):
        """How the checks call an answer.  -> run(arguments, deadline, instrument) -> Outcome"""
        header = {"name": self.names[exercise.id], "notebook": place, "kind": exercise.kind}
        if self.foreseen is None and exercise.kind == "numpy":
            self.foresee()
        ahead = zip(self.plan.calls.get(exercise.id, ()), (self.foreseen or {}).get(exercise.id, ()), strict=False)

        def run(arguments, deadline, instrument=None):
            nonlocal ahead
            asked, outcome = next(ahead, (None, None))
            if asked is not None and asked[0] is arguments and asked[1] == instrument:
                return outcome
            ahead = iter(())  # the checks went another way than a right answer's
            try:
                return self.ready(exercise.kind).call(
                    header | {"instrument": instrument}, arguments, self.settings.limit
                )
            except Endless:
                self.close()
                return Outcome("timeout")
            except Gone as gone:
                self.close()
                return Outcome("error", error="Stopped", message=str(gone))

        return run


class CellEnded(Exception):
    """A cell that a worker did not survive."""

    def __init__(self, cell):
        super().__init__(f"cell {cell}")
        self.cell = cell


def belongs(file, exercise):
    """A sheet named 04_… answers chapter 4 alone; a notebook of another name may answer anything."""
    number = re.match(r"(\d\d)_", file.rpartition("/")[2])
    return number is None or int(number[1]) == exercise.chapter


def mentions(cells, name):
    """True if a name occurs in some cells."""
    return any(re.search(rf"\b{name}\b", source) for source in cells)


def counting(places, notebooks):
    """Which of several notebooks counts: the last that bears its chapter's number, else the last."""
    numbered = [place for place in places if re.match(r"\d\d_", notebooks[place][0].rpartition("/")[2])]
    return (numbered or places)[-1]


def of(report, remark=""):
    """A report as a mark."""
    text = str(report) + (f"\n  {remark}" if remark else "")
    return Mark(report.exercise, report.title, report.status, report.score, report.max_score, text,
                report._repr_html_(), tuple(report.misconceptions))  # fmt: skip


def ungraded(exercise, reason):
    """A mark that says what the grader could not do."""
    text = f"? {exercise.id}  {exercise.title}: ungraded\n  Why  {reason}"
    return Mark(exercise.id, exercise.title, "ungraded", None, exercise.points, text)
