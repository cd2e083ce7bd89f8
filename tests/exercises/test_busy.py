"""A busy machine changes no verdict: the same answers, alone and with four busy processes beside, ten times.

`python -m tests.exercises.test_busy 10` prints each run as it goes.
"""

import multiprocessing
import sys
import time
from contextlib import contextmanager

import pytest

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine

from .answers import corpus, value_of

pytestmark = pytest.mark.prove  # ten runs of some hundred answers

RUNS, BUSY = 10, 4


def burn():
    """Work without end."""
    while True:
        sum(range(10_000))


@contextmanager
def busy(processes):
    """Other processes that want the processor too."""
    others = [multiprocessing.get_context("spawn").Process(target=burn, daemon=True) for _ in range(processes)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


def slow(answer, seconds=1e-3):
    """The same answer, a thousandth of a second later each time."""
    if not callable(answer):
        return answer

    def later(*arguments):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
        return answer(*arguments)

    return later


def chosen():
    """One answer of twelve, and at every exercise a slow right and a slow wrong one: (id, name, answer)."""
    spared = ("endless", "remembers")  # one has no end; the other remembers the run before, alone or not
    right, wrong = corpus("right"), [found for found in corpus("wrong") if found[1] not in spared]
    some = [(id, name, value_of(f)) for id, name, f in right[::12] + wrong[::12]]
    slowly = {}
    for kind, answers in (("slow right", right), ("slow wrong", wrong)):
        for id, _, f in answers:
            slowly.setdefault((id, kind), (id, kind, slow(value_of(f))))
    return some + list(slowly.values())


def verdicts(answers):
    """What a check says of each."""
    reports = [examine(catalogue.find(id), answer) for id, _, answer in answers]
    return [(report.status, report.misconceptions, report.did) for report in reports]


def differences(answers, before, after):
    """Where two runs disagree."""
    return [(answer[:2], a[:2], b[:2]) for answer, a, b in zip(answers, before, after, strict=True) if a != b]


def test_the_verdicts_are_the_same_beside_four_busy_processes():
    answers = chosen()
    assert {id for id, _, _ in answers} == {exercise.id for exercise in catalogue.every()}
    alone = verdicts(answers)
    with busy(BUSY):
        for _ in range(RUNS):
            assert not differences(answers, alone, verdicts(answers))


def main(runs=RUNS):
    """The same as a report."""
    answers = chosen()
    start = time.time()
    alone, total = verdicts(answers), 0
    print(f"{len(answers)} answers alone: {time.time() - start:.0f} s", flush=True)
    with busy(BUSY):
        for run in range(runs):
            start = time.time()
            found = differences(answers, alone, verdicts(answers))
            total += len(found)
            print(f"run {run + 1}: {time.time() - start:.0f} s, {len(found)} differences {found[:5]}", flush=True)
    print(f"{runs} runs beside {BUSY} busy processes: {total} differences")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
