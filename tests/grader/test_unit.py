"""One submission: answers get their marks, attacks gain nothing, and the grader's faults are its own."""

import os
import subprocess
import sys
import time

import psutil
import pytest
from attn_grader import remote, unit
from attn_grader.isolation import Isolation, Refused
from attn_grader.notebooks import Submission
from attn_grader.preflight import fly
from attn_grader.unit import Settings, grade

from attn.exercises import catalogue

from .attacks import (
    ASKING,
    ATTACKS,
    EMPTY_ON_A_PROBE,
    FORGED,
    ITS_OWN_LOSS,
    MINUSES,
    NEEDS_SANDBOX,
    NO_AXIS,
    ONE_PASS,
    OVERLAP,
    SKIPS,
    UNHEARD,
)
from .conftest import COLUMNS, JACOBIAN, KINDS, SOFTMAX, marks, submission

SAMPLE = ("an endless loop that swallows everything", "an endless cell that swallows everything", "leaving in a cell",
          "a forged report", "the course's own answer, unhidden", "whatever lies about", "killing everybody",
          "None on one probe", "a surrogate in a message", "80 GB", "memory in shares", "a sandbox within",
          "a cell that always begins")  # fmt: skip


def test_right_is_a_point_and_wrong_is_named(isolation):
    kind = isolation.kind
    assert marks(submission(SOFTMAX, JACOBIAN), kind=kind)["4.1"].score == 1
    wrong = marks(submission(COLUMNS), kind=kind)["4.1"]
    assert (wrong.score, wrong.status, wrong.misconceptions) == (0, "failed", ("columns",))


def attacked(name, kind):
    """An attack's mark for 4.1, and that of the right 4.4 behind it."""
    if kind == "none" and name in NEEDS_SANDBOX:
        pytest.skip("no sandbox: the page says so")
    found = marks(submission("import numpy as np", ATTACKS[name], JACOBIAN), kind=kind)
    return found["4.1"], found["4.4"]


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_gains_nothing_and_the_next_answer_is_graded(name):
    mark, next_one = attacked(name, KINDS[0])
    assert not mark.score and "Traceback" not in mark.text
    assert next_one.score == 1 or name in ITS_OWN_LOSS


@pytest.mark.prove
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in SAMPLE])
def test_every_other_attack_gains_nothing(name):
    test_an_attack_gains_nothing_and_the_next_answer_is_graded(name)


@pytest.mark.prove
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_without_a_sandbox(name):
    mark, next_one = attacked(name, "none")
    assert not mark.score and (next_one.score == 1 or name in ITS_OWN_LOSS)


@pytest.mark.prove
def test_a_sleep_is_no_evidence_and_an_endless_loop_is():
    asleep = marks(submission(ATTACKS["asleep"]), limit=0.5)["4.1"]
    assert (asleep.status, asleep.score) == ("ungraded", None)
    endless = marks(submission(ATTACKS["an endless loop"]), limit=0.5)["4.1"]
    assert (endless.status, endless.score) == ("timeout", 0)


def test_memory_and_passes_are_not_taken_on_the_answers_word(isolation):
    forged = marks(submission(FORGED), (12,), isolation.kind, limit=5.0)
    assert forged["12.1"].misconceptions == ("two_passes",) and forged["12.3"].misconceptions == ("all_scores",)
    honest = marks(submission(ONE_PASS), (12,), isolation.kind, limit=5.0)
    assert honest["12.1"].score == honest["12.3"].score == 1


@pytest.mark.parametrize("source", [OVERLAP, SKIPS], ids=["pieces that overlap", "jumps and empty pieces"])
def test_a_second_pass_is_seen_however_the_row_is_cut(source):
    assert marks(submission(source), (12,), limit=5.0)["12.1"].misconceptions == ("two_passes",)


def test_torch_is_lent_to_what_asks_for_it_alone():
    pytest.importorskip("torch")
    assert marks(submission(UNHEARD), (4, 12), limit=5.0)["4.1"].score == 0


@pytest.mark.prove
def test_the_wall_s_deadline_holds_while_a_worker_talks():
    begun = time.monotonic()
    mark = marks(submission(ASKING), (11,), wall=6.0)["11.2"]
    assert mark.status == "ungraded" and time.monotonic() - begun < 20


def test_an_honest_mistake_is_a_zero_also_where_the_check_stumbled():
    assert marks(submission(EMPTY_ON_A_PROBE))["4.1"].score == 0
    assert marks(submission(NO_AXIS), (11,))["11.2"].score == 0
    assert marks(submission(MINUSES, SOFTMAX), (4, 12))["4.1"].score == 1


def test_nothing_outlives_its_grader():
    """A cell takes back the sandbox's order to die with its parent; it is killed all the same."""
    before = {process.pid for process in psutil.process_iter()}
    marks(submission(ATTACKS["outliving the sandbox"]), limit=1.0)
    new = [process for process in psutil.process_iter(["cmdline"]) if process.pid not in before]
    workers = [process for process in new if "while len(text) < size" in " ".join(process.info["cmdline"] or [])]
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive


def test_a_grader_that_is_killed_leaves_no_endless_answer():
    """Without a sandbox a worker's parent is a nursery, which ends when the grader does; the worker goes with it."""
    source = (
        "from tests.grader.conftest import marks, submission\n"
        "from tests.grader.attacks import ATTACKS\n"
        "marks(submission(ATTACKS['an endless loop']), kind='none', limit=60.0)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([os.path.abspath("grader"), os.path.abspath(".")])}
    before = {process.pid for process in psutil.process_iter()}
    grader = subprocess.Popen([sys.executable, "-c", source], env=environment)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        new = [p for p in psutil.process_iter(["cmdline", "ppid"]) if p.pid not in before | {grader.pid}]
        workers = [p for p in new if "while len(text) < size" in " ".join(p.info["cmdline"] or [])]
        if len(workers) >= 2:
            break
        time.sleep(0.1)
    assert len(workers) >= 2
    grader.kill()
    grader.wait()
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive


def test_of_many_guesses_one_counts():
    name = next(e.call for e in catalogue.chapter(3) if e.id == "3.5")
    guesses = Submission("ada", tuple((f"try {k}.ipynb", (f"{name} = {k}",)) for k in range(130)))
    mark = marks(guesses, (3,))["3.5"]
    assert mark.score == 0 and "not counted" in mark.text


def test_a_sheet_answers_its_own_chapter():
    there = Submission("ada", (("03_scores.ipynb", (SOFTMAX,)),))
    assert marks(there)["4.1"].status == "not started"


def test_the_graders_own_failure_is_never_a_zero(monkeypatch):
    result = grade(submission(SOFTMAX), Settings("s", (4,), Isolation(KINDS[0], python="/no/such/python")))
    assert {mark.status for mark in result.marks} == {"ungraded"} and not result.complete

    def broken(*arguments, **settings):
        raise ZeroDivisionError("in the checks")

    monkeypatch.setattr(unit, "examine", broken)
    mark = marks(submission(SOFTMAX))["4.1"]
    assert mark.status == "ungraded" and "ZeroDivisionError" in mark.text


def test_a_deadline_stands_over_the_whole_submission():
    late = marks(submission(SOFTMAX), wall=0.0)["4.1"]
    assert late.status == "ungraded" and "whole submission" in late.text


@pytest.mark.parametrize("kind", KINDS)
def test_preflight_passes_where_grading_works(kind):
    fly(Settings("s", isolation=Isolation(kind)))


def test_preflight_refuses_an_interpreter_that_cannot_grade():
    with pytest.raises(Refused):
        fly(Settings("s", isolation=Isolation(KINDS[0], python="/bin/false")))


def test_preflight_refuses_an_isolation_in_which_answers_lie(monkeypatch):
    if "bwrap" not in KINDS:
        pytest.skip("needs bubblewrap")
    from pathlib import Path

    from attn_grader import isolation

    import attn

    real = isolation.packages("numpy")
    monkeypatch.setattr(isolation, "packages", lambda kind="numpy": (*real, Path(attn.__file__).parent))
    isolation.sandbox.cache_clear()
    try:
        with pytest.raises(Refused, match="within reach"):
            fly(Settings("s", isolation=Isolation("bwrap")))
    finally:
        isolation.sandbox.cache_clear()


@pytest.mark.parametrize("kind", ["docker", "podman", "bwrap"])
def test_nothing_is_graded_with_less_protection_than_asked_for(monkeypatch, kind):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Refused, match="not installed"):
        Isolation(kind, image="python").find()


def test_a_container_needs_an_image_and_a_kind_must_be_known():
    with pytest.raises(Refused, match="image"):
        Isolation("docker")
    with pytest.raises(Refused, match="isolation"):
        Isolation("chroot")


def test_a_seed_is_needed():
    with pytest.raises(ValueError, match="seed"):
        Settings("")
    with pytest.raises(ValueError, match="isolation"):
        Settings("s")


def test_nothing_of_a_worker_stays(isolation):
    forks = "import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n        time.sleep(600)\n        os._exit(0)"
    before = {process.pid for process in psutil.process_iter()}
    marks(submission(forks, SOFTMAX), kind=isolation.kind)
    new = [process for process in psutil.process_iter(["cmdline"]) if process.pid not in before]
    workers = [process for process in new if "while len(text) < size" in " ".join(process.info["cmdline"] or [])]
    _, alive = psutil.wait_procs(workers, timeout=20)  # the system clears a sandbox a moment after its end
    assert not alive


def test_what_a_worker_says_is_checked():
    for header in ({"kind": "nonsense"}, {"kind": "value", "parts": "many"}, {"kind": "value", "parts": 65}):
        with pytest.raises(remote.Gone):
            remote._outcome(header, None)
