"""What an answer must not do, tried so that the answer cannot lie about it.

A check reads off in the answer's own process how much memory it held, or whether it came back to a row; code in that
process can forge the reading. Here others say it: the system gives the process no more memory than a right answer
needs, and a row is handed out piece by piece by the parent, which sees what is asked for twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from attn.exercises.report import Finding, Report
from attn_grader.remote import Gone, Stalled

BLOCK = 1 << 14


@dataclass(frozen=True)
class Case:
    """Arguments too large for the mistake `blame` to fit into `spare` bytes beyond the interpreter's and their own.

    right: arguments -> the result.   returns: the mistake of coming back to the first argument, which is then served.
    """

    blame: str
    arguments: Callable
    right: Callable
    spare: int
    returns: str = ""


def tiles():
    """6 000 queries and keys of width 2: their scores would take 288 MB."""
    return (*np.random.default_rng(0).normal(size=(3, 6000, 2)), 50)


def row():
    """4 million scores that rise and fall, with one value each: their exponentials would take 32 MB."""
    n = 1 << 22
    return 3 * np.sin(np.arange(n) / 1e6), np.cos(np.arange(n) / 7e5)[:, None], BLOCK


def weighted(s, v, block):
    """softmax(s) v."""
    e = np.exp(s - s.max())
    return e @ v / e.sum()


CASES = {
    "12.1": Case("all_in_memory", row, weighted, 24 << 20, returns="two_passes"),
    "12.3": Case("all_scores", tiles, lambda q, k, v, block: reference(q, k, v), 96 << 20),
}


@cache
def expected(id):
    """The result that a case has, computed once in each process."""
    return CASES[id].right(*CASES[id].arguments())


def reference(q, k, v):
    """Attention, row block by row block."""
    from attn.core import scaled_dot_product_attention

    return np.concatenate([scaled_dot_product_attention(part, k, v) for part in np.split(q, 12)])


class Row:
    """A row as the parent serves it, piece by piece. returned: somebody came back to what they had moved on from."""

    def __init__(self, values):
        self.values, self.here, self.returned = values, (0, 0), False

    def __call__(self, start, stop, step):
        if start < stop:  # an empty piece moves nobody
            first, last = self.here
            self.returned |= start < first
            if step != 1 or stop - start > BLOCK:  # more than a block is not looked at: it is passed
                self.here = max(last, stop), max(last, stop)
            elif stop > last:  # what lies before a piece that goes on is left behind
                self.here = start, stop
        return self.values[start:stop:step]


def tried(examination, exercise, place, report):
    """The report, or another one for an answer that fails where it has just what a right one needs.

    Raises Stalled for a result that proves nothing: somebody must look.
    """
    case = CASES[exercise.id]
    arguments = case.arguments()
    served = Row(arguments[0]) if case.returns else None
    given = [None if a is arguments[0] and served else a for a in arguments]
    examination.close()
    outcome = None
    try:
        with examination.apart(
            place, given=[a for a in given if isinstance(a, np.ndarray)], memory=case.spare
        ) as worker:
            header = {"name": examination.names[exercise.id], "notebook": place, "kind": exercise.kind,
                      "instrument": None}  # fmt: skip
            outcome = worker.call_given(header, given, served, 8 * examination.settings.limit)
    except Gone as gone:  # out of memory ends a process in more than one way
        failed = str(gone)
    else:
        failed = outcome.error
        if outcome.kind == "value" and not isinstance(outcome.value, tuple):
            if served and served.returned:
                return blamed(exercise, case.returns, report, "a row that is handed out piece by piece")
            right = expected(exercise.id)
            if outcome.value.shape == right.shape and np.allclose(outcome.value, right):
                return report
    if failed in ("MemoryError", "_ArrayMemoryError") or outcome is None:
        return blamed(exercise, case.blame, report, f"{len(arguments[0]):,} rows, with {case.spare >> 20} MB to spare")
    raise Stalled("right on ordinary cases, but a large one whose memory is limited from outside could not confirm it")


def blamed(exercise, id, report, seen):
    """A report that names the mistake."""
    mistake = next(m for m in exercise.misconceptions if m.id == id)
    finding = Finding(mistake.did, seen, mistake.why, (id,))
    return Report.found(exercise, finding, {"passed": report.passed - 1, "total": report.total})
