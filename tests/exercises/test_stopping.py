"""Stopping an answer: every kind of endless one ends, nothing else is ever interrupted, and nothing of it remains."""

import _thread
import functools
import gc
import itertools
import re
import signal
import sys
import threading
import time
import types
import weakref
from fractions import Fraction

import numpy as np
import pytest

from attn.exercises import catalogue
from attn.exercises.checks import stopping
from attn.exercises.checks.engine import examine

SOFTMAX = catalogue.find("4.1")
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnhandledThreadExceptionWarning"
)  # SystemExit, in silence


def plain(S):
    while True:
        pass


def one_line(S):
    for _ in itertools.count(): pass  # noqa: E701  # fmt: skip


def bare_except(S):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def excepts_in_each_other(S):
    while True:
        try:
            try:
                try:
                    sum(range(1000))
                except:  # noqa: E722
                    S = S + 1
                finally:
                    S = S - 1
            except BaseException:
                S = S * 1
        except:  # noqa: E722
            continue


def excepts_in_its_helpers(S):
    while True:
        try:
            bare_except(S)
        except:  # noqa: E722
            pass


def keeps_what_it_caught(S):
    kept = []
    while True:
        try:
            while True:
                pass
        except BaseException as error:
            kept.append(error)


def goes_on_in_finally(S):
    try:
        plain(S)
    finally:
        plain(S)


def returns_in_finally(S):
    try:
        plain(S)
    finally:
        return np.exp(S) / np.exp(S).sum(-1, keepdims=True)  # noqa: B012


def raises_another(S):
    try:
        plain(S)
    except BaseException:
        raise ValueError("mine") from None


def numbers():
    while True:
        try:
            yield 1
        except GeneratorExit:
            return
        finally:
            np.ones(2)


def in_a_generator(S):
    return sum(numbers())


def in_a_comprehension(S):
    return [None for i in itertools.count() if i < 0]


def in_reduce(S):
    return functools.reduce(lambda a, b: a, itertools.count())


def in_a_key(S):
    return sorted([2, 1], key=lambda i: plain(S))


def in_vectorize(S):
    return np.vectorize(lambda x: plain(S))(S)


def in_a_comparison(S):
    class Slow:
        def __eq__(self, other):
            plain(S)

        __hash__ = None

    return Slow() in [1, 2]


def asleep(S):
    time.sleep(60)


def asleep_in_a_library(S):
    threading.Event().wait(60)


def waits_for_a_lock(S):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def a_huge_power(S):
    return 7 ** (10**8)


def calls_itself(S):
    try:
        calls_itself(S)
    except RecursionError:
        pass
    calls_itself(S)


def starts_a_thread(S):
    threading.Thread(target=plain, args=(S,)).start()
    plain(S)


def joins_a_thread(S):
    thread = threading.Thread(target=plain, args=(S,))
    thread.start()
    thread.join()


ENDLESS = [plain, one_line, bare_except, excepts_in_each_other, excepts_in_its_helpers, keeps_what_it_caught,
           goes_on_in_finally, returns_in_finally, raises_another, in_a_generator, in_a_comprehension, in_reduce,
           in_a_key, in_vectorize, in_a_comparison, asleep, asleep_in_a_library, waits_for_a_lock, a_huge_power,
           calls_itself, starts_a_thread, joins_a_thread]  # fmt: skip
WAITING = {asleep, asleep_in_a_library, waits_for_a_lock, a_huge_power, joins_a_thread}  # for what is no line of theirs
SIGNALS_ONLY = {keeps_what_it_caught, goes_on_in_finally, calls_itself}  # what takes a trace function away for good
name = dict(ids=lambda f: f.__name__)


def state():
    """Everything that stopping touches, as it is now."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)]
    timer = signal.getitimer(signal.ITIMER_REAL)
    return [*handlers, timer, sys.gettrace(), threading.gettrace(), sys.getprofile(), sys.stdout, np.geterr()]


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """Afterwards all is as before: handlers, timer, trace functions, and no thread that still runs."""
    monkeypatch.setattr(stopping, "slowness", lambda: (1.0, 1.0))  # whatever else runs here, the time is soon up
    before, threads = state(), set(threading.enumerate())
    yield
    assert state() == before
    for thread in set(threading.enumerate()) - threads:
        thread.join(5)  # it ends at the next line of its own
        assert not thread.is_alive()


def verdict(answer, limit=0.1):
    """The status of a check, and that it came soon after the limit."""
    report = examine(SOFTMAX, answer, limit=limit)
    assert not report.misconceptions and report.score == 0, str(report)
    return report.status


@pytest.mark.parametrize("answer", ENDLESS, **name)
def test_an_answer_without_an_end_is_stopped(answer):
    assert verdict(answer) == "timeout"


@pytest.mark.parametrize("answer", [f for f in ENDLESS if f not in WAITING | SIGNALS_ONLY], **name)
def test_it_is_stopped_in_any_thread(answer):
    said = []
    thread = threading.Thread(target=lambda: said.append(verdict(answer)))
    thread.start()
    thread.join(60)
    assert said == ["timeout"]


@pytest.mark.parametrize("answer", [plain, excepts_in_each_other, in_vectorize, starts_a_thread], **name)
def test_it_is_stopped_where_the_system_has_no_timer(answer, monkeypatch):
    monkeypatch.setattr(stopping, "TIMER", False)
    assert verdict(answer) == "timeout"


def test_a_browser_has_neither_threads_nor_signals(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(stopping, "signal", types.SimpleNamespace())
    assert verdict(excepts_in_each_other) == "timeout"


# ── what must never be interrupted ──────────────────────────────────────────────────────────────────────────


def library(source, **names):
    """Code where libraries lie."""
    space = {"time": time, **names}
    exec(compile(source, "/somewhere/site-packages/busy.py", "exec"), space)
    return space


BUSY = """
def tidy(log, seconds=0.4):
    log.append("begun")
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            len(log)
        log.append("done")
    except BaseException:
        log.append("broken")
        raise

class Held:
    def __init__(self, log):
        self.log = log
    def __del__(self):
        tidy(self.log)

def work(log):
    tidy(log)

def callback(log):
    return lambda reference: tidy(log)
"""


@pytest.mark.parametrize("main", [True, False], ids=["main", "thread"])
@pytest.mark.parametrize("way", ["finalize", "callback", "del", "own_del", "call"])
def test_a_finalizer_at_work_comes_to_its_end(way, main, monkeypatch):
    """The time is up while it runs: whatever the library does there is done."""
    said, log = [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: said.append(what))
    space = library(BUSY)

    class Mine:
        def __del__(self):
            space["tidy"](log)
            for _ in range(10):
                log.append("mine")

    def answer(S):
        thing = {"del": lambda: space["Held"](log), "own_del": Mine}.get(way, Plain)()
        if way == "finalize":
            weakref.finalize(thing, space["tidy"], log)
        if way == "callback":
            keep = weakref.ref(thing, space["callback"](log))  # noqa: F841
        if way == "call":
            space["work"](log)
        del thing
        plain(S)

    if main:
        assert verdict(answer) == "timeout"
    else:
        thread = threading.Thread(target=lambda: said.extend([] if verdict(answer) == "timeout" else ["?"]))
        thread.start()
        thread.join()
    gc.collect()
    assert log[:2] == ["begun", "done"] and "broken" not in log and not said
    assert len(log) == (12 if way == "own_del" else 2)


class Plain:
    """Something to hold."""


def test_a_finalizer_of_ones_own_that_never_ends_is_stopped_too(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda what: None)

    class Mine:
        def __del__(self):
            plain(0)

    def answer(S):
        Mine()
        plain(S)

    assert verdict(answer) == "timeout"


# ── other people's alarms ───────────────────────────────────────────────────────────────────────────────────


def test_an_alarm_of_somebody_else_rings_in_its_time_and_goes_on_afterwards():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.2)
        assert verdict(lambda S: [None for _ in itertools.count() if rung and plain(S)], limit=0.5) == "timeout"
        assert rung
        assert signal.getitimer(signal.ITIMER_REAL)[1] == pytest.approx(0.2)
        count = len(rung)
        while len(rung) == count:
            time.sleep(0.1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("inner", [5.0, 0.1])
def test_a_check_within_an_answer_ends_with_either(inner):
    seen = []

    def answer(S):
        seen.append(examine(SOFTMAX, plain, limit=inner).status)
        plain(S)

    assert verdict(answer, limit=0.3) == "timeout"
    assert seen in ([], ["timeout"])


def test_ctrl_c_ends_the_answer_and_not_the_session():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background starts without one

    def answer(S):
        _thread.interrupt_main()
        plain(S)

    try:
        report = examine(SOFTMAX, answer, limit=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert report.status == "timeout" and "You stopped it" in report.did


def test_a_trace_function_of_somebody_else_sees_the_answer():
    lines = []

    def tracer(frame, event, argument):
        lines.append(frame.f_code.co_name)
        return tracer

    sys.settrace(tracer)
    try:
        assert verdict(plain) == "timeout"
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    assert "plain" in lines


# ── time is not evidence ────────────────────────────────────────────────────────────────────────────────────


def slow(seconds, of=lambda S: True):
    """A right softmax that takes its time on some inputs."""

    def answer(S):
        if of(S):
            time.sleep(seconds)
        e = np.exp(S - S.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    return answer


@pytest.mark.parametrize("of", [lambda S: True, lambda S: abs(S).max() > 500, lambda S: S.shape == (1, 5)])
def test_too_slow_is_neither_right_nor_wrong(of):
    assert verdict(slow(30, of), limit=0.2) == "timeout"


def test_the_report_says_how_far_it_came_and_where():
    report = examine(SOFTMAX, slow(30, lambda S: abs(S).max() > 500), limit=0.2)
    assert re.search(r"\b[4-7] of \d\d tests run", report.did), str(report)
    assert "1000" in report.seen and report.status == "timeout"


def test_a_machine_that_is_slow_just_now_gives_more_time(monkeypatch):
    answer = slow(0.02)
    monkeypatch.setattr(stopping, "slowness", lambda: (1.0, 1.0))
    assert verdict_of(answer, 0.1) == "timeout"
    monkeypatch.setattr(stopping, "slowness", lambda: (1000.0, 1000.0))
    assert verdict_of(answer, 0.1) == "passed"


def verdict_of(answer, limit):
    return examine(SOFTMAX, answer, limit=limit).status


def test_fractions_are_numbers():
    exact = catalogue.find("9.3").reference()
    assert examine(catalogue.find("9.3"), Fraction(exact)).status == "passed"
    softmax = lambda S: np.vectorize(Fraction, otypes=[object])(slow(0)(S))  # noqa: E731
    assert examine(SOFTMAX, lambda S: softmax(S) if S.shape == (2, 3) else slow(0)(S)).status == "passed"


@pytest.mark.parametrize("value", [10**400, -(10**5000), 7**100000, [10**400], 2**64], ids=range(5))
def test_a_number_beyond_all_floats_is_only_wrong(value):
    report = examine(catalogue.find("9.3"), value)
    assert report.status == "failed" and len(str(report)) < 2000
    assert examine(SOFTMAX, lambda S: value).status == "failed"
