"""Running a learner's answer: in copies, with a time limit, never raising; and comparing what came out."""

import contextlib
import ctypes
import dis
import io
import threading
import time
import warnings
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from attn.exercises import causes, instruments

ATOL = 1e-9


@dataclass(frozen=True)
class Outcome:
    """What an answer did on one case.

    kind: "value", "none" (no answer yet), "nothing" (returned None), "error", "timeout", or "type" (not numbers).
    value: an array, or a tuple of arrays.
    listed: it came as a list, nested: a part of it did.   overwritten: positions of changed arguments.
    peak: bytes held at once, reread: a second pass over the first argument, where the call was run to see that.
    notes: what else was seen, "word: more words".
    """

    kind: str
    value: object = None
    error: str = ""
    message: str = ""
    line: str = ""
    lineno: int = 0
    listed: bool = False
    nested: bool = False
    overwritten: tuple = ()
    peak: int = 0
    reread: bool = False
    notes: tuple = ()

    @classmethod
    def of(cls, result):
        """A returned value as an outcome."""
        if isinstance(result, cls):  # whoever called the answer has looked at the result already
            return result
        if result is Ellipsis or result is NotImplemented:
            return cls("none")
        if result is None:
            return cls("nothing")
        try:
            value = _arrays(result)
        except (TypeError, ValueError, RuntimeError):
            return cls("type", message=type(result).__name__)
        return cls("value", value, listed=isinstance(result, list), nested=_nested(result))


def _nested(result):
    """True for a tuple of results one of which is a list."""
    return isinstance(result, tuple) and any(isinstance(part, list) for part in result)


def _arrays(result):
    """An array, or a tuple of arrays; a list of unlike arrays can only be meant as a tuple."""
    if isinstance(result, tuple):
        return tuple(map(_array, result))
    try:
        return _array(result)
    except ValueError:
        if isinstance(result, list) and all(isinstance(part, np.ndarray | float | int) for part in result):
            return tuple(map(_array, result))
        raise


def _array(part):
    if isinstance(part, (str, bytes, dict, set)):
        raise TypeError
    array = np.asarray(part)
    if array.dtype.kind not in "biufc":
        raise TypeError
    return array


class Deadline:
    """A budget of seconds, shared by everything one check runs."""

    def __init__(self, seconds):
        self.seconds, self.end = seconds, time.monotonic() + seconds

    def left(self):
        """Seconds that remain, never less than a hundredth."""
        return max(self.end - time.monotonic(), 0.01)

    def passed(self):
        """True when the time is up."""
        return time.monotonic() >= self.end


class Stop(BaseException):
    """Raised inside an answer that ran too long; `except Exception` does not catch it."""


def local(f, hush=True):
    """How to call f in this process, in silence if hush.  f -> run(arguments, deadline, instrument=None) -> Outcome"""

    def run(arguments, deadline, instrument=None):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        with _hushed() if hush else contextlib.nullcontext():
            outcome = _within(deadline.left(), lambda: through(instrument, f)(f, copies))
        if outcome is None:
            return Outcome("timeout")
        changed = tuple(i for i, (a, c) in enumerate(zip(arguments, copies, strict=True)) if _differs(a, c))
        return replace(outcome, overwritten=changed)

    return run


def settled(value):
    """An answer that is a value, not a function: the same outcome whatever it is asked."""
    outcome = Outcome("none") if value is None else Outcome.of(value)
    outcome = replace(outcome, listed=True)  # an array of pairs is as good as a list of them
    return lambda arguments, deadline, instrument=None: outcome


def attempt(f, arguments):
    """Call an answer; whatever it does becomes an outcome."""
    try:
        with np.errstate(all="ignore"):
            outcome = Outcome.of(f(*arguments))
    except NotImplementedError:
        return Outcome("none")
    except Stop:
        return None
    except BaseException as error:  # an answer may raise SystemExit or KeyboardInterrupt: no reason to die
        line, lineno = causes.own_line(error)
        return Outcome("error", error=type(error).__name__, message=str(error)[:300], line=line, lineno=lineno)
    return Outcome("none") if outcome.kind == "nothing" and is_stub(f) else outcome


INSTRUMENTS = {
    None: attempt,
    "memory": partial(instruments.weighed, attempt),
    "passes": partial(instruments.watched, attempt),
    "calls": partial(instruments.listened, attempt),
}


def through(instrument, f):
    """How to run f so that an instrument sees it; a function of tensors brings instruments of its own."""
    return getattr(type(f), "instruments", INSTRUMENTS)[instrument]


def is_stub(f):
    """True for a function with an empty body: `pass`, `...` or a docstring alone."""
    code = getattr(getattr(f, "__wrapped__", f), "__code__", None)
    if code is None:
        return False
    idle = {"RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP", "POP_TOP"}
    return all(step.opname in idle for step in dis.get_instructions(code))


@contextlib.contextmanager
def _hushed():
    """No prints and no warnings. They are the whole process's, so never in two threads at once."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _within(seconds, work):
    """work()'s result, or None if it takes longer. Threads, because signals and forks are not for every system."""
    box, done = [], []

    def body():
        try:
            box.append(work())
        except Stop:  # asked again on its way out
            pass
        finally:
            done.append(True)  # no call of Python's own, in which another request could be heard

    thread = threading.Thread(target=body, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # a Python in a browser has no threads: run it here, without a limit
        return work()
    try:
        thread.join(seconds)
    except KeyboardInterrupt:  # the reader lost patience: the same as a time-out
        pass
    if thread.is_alive():
        _halt(thread, done)
    return box[0] if box and not thread.is_alive() else None


def _halt(thread, done):
    """Ask a running thread to stop, several times: a bare `except:` swallows the first request."""
    for _ in range(8):
        if done:  # it is on its way out: leave it in peace
            return thread.join(0.1)
        _ask(thread.ident)
        thread.join(0.05)
        if not thread.is_alive():
            return
    try:  # the request waits for a thread asleep, and until it is heard CPython 3.11 begins no profiled call
        _ask(threading.get_ident())
        for _ in range(1000):
            time.sleep(0)
    except Stop:  # heard, by ourselves: the alarm is off, and the sleeper will hear its own when it wakes
        pass


def _ask(ident):
    """Have Stop raised in a thread when it next runs Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(Stop))


def _differs(a, copy):
    """True if an argument was changed, even in its last bit."""
    return isinstance(a, np.ndarray) and (a.shape != copy.shape or a.tobytes() != copy.tobytes())


def same(one, two, rtol):
    """True if two outcomes agree: kind, shapes, values, NaN where NaN, and the class of an exception."""
    if one.kind != two.kind or one.error != two.error:
        return False
    if one.kind != "value":
        return True
    x, y = one.value, two.value
    if not isinstance(y, tuple):
        return not isinstance(x, tuple) and close(x, y, rtol)
    # a list of arrays is as good as a tuple where several arrays are asked for
    x = tuple(x) if isinstance(x, tuple) or (one.listed and x.ndim and len(x) == len(y)) else (x,)
    return len(x) == len(y) and all(close(p, q, rtol) for p, q in zip(x, y, strict=True))


def close(x, y, rtol):
    """True if two arrays have one shape, one sort (truth values, real, complex) and the same entries within rtol."""
    if x.shape != y.shape or any((x.dtype.kind == sort) != (y.dtype.kind == sort) for sort in "bc"):
        return False
    if x.dtype.kind == "b":
        return bool((x == y).all())
    if x.dtype == np.float32 != y.dtype:  # wrong only in its digits: a probe says so
        return bool(agrees(x, y, 1e-5).all())
    return bool(agrees(x, y, rtol).all())


def agrees(x, y, rtol):
    """Entry by entry: equal within rtol, or both NaN, or the same infinity."""
    with np.errstate(all="ignore"):
        near = abs(x - y) <= ATOL + rtol * abs(y)
        return near & np.isfinite(y) | (x == y) | (np.isnan(x) & np.isnan(y))
