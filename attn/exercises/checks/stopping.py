"""Stopping an answer that takes too long: only ever in the learner's own code.

The answer runs in the calling thread. When its time is up, a signal's handler looks where that thread is. In the
learner's own code it raises Stop. In a library's code, or in a finalizer, it lets that come to its end, and the signal
rings again at every point where Python looks for one, until the answer is over; a bare `except:` only gains a line.

Where a signal cannot be had (another thread, a browser), a trace function does the same at each of the learner's lines.
Neither reaches a call into C that never looks for signals, `sum(itertools.count())`, which Ctrl-C does not end either.
"""

import _thread
import functools
import signal
import sys
import threading
import time
import weakref

from attn.exercises.checks import causes

ALARM = getattr(signal, "SIGALRM", signal.SIGINT)
OFTEN = 0.02  # seconds between two rings of the clock
GRACE = 1.0  # seconds that a library's code may go on before it is stopped too
STEPS = 200_000  # a yardstick: so many steps of a loop usually take so many seconds
USUAL = 0.05 if sys.platform == "emscripten" else 0.015
SLOWEST = 20.0
TIMER = hasattr(signal, "setitimer")
WEAKREF = weakref.finalize.__call__.__code__.co_filename


class Stop(BaseException):
    """Raised inside an answer that ran too long; `except Exception` does not catch it."""


class Deadline:
    """A budget of seconds, shared by everything one check runs.

    When they are over, it is measured how fast the machine is just now. A slow processor gets more seconds of work, and
    a busy one more time to do them in: whoever shares the machine changes no verdict.
    """

    def __init__(self, seconds):
        self.seconds, self.look = seconds, seconds
        self.begun, self.worked = time.monotonic(), time.thread_time()
        self.over = self.by_hand = False

    def spent(self):
        """Seconds since the beginning."""
        return time.monotonic() - self.begun

    def left(self):
        """Seconds until the next look at the clock, never less than a hundredth."""
        return max(self.look - self.spent(), 0.01)

    def passed(self):
        """True when the time is up; once it is, it stays so."""
        if not self.over and self.spent() >= self.look:
            busy, slow = slowness()
            done = time.thread_time() - self.worked >= slow * self.seconds
            self.over = done or self.spent() >= 1.5 * busy * self.seconds
            self.look = self.spent() + self.seconds / 10
        return self.over


def slowness():
    """How many times longer a fixed sum takes than usual, each from 1 to SLOWEST.  -> (on the wall, in work)"""
    wall, work, total = time.perf_counter(), time.thread_time(), 0
    for i in range(STEPS):
        total += i * i % 7
    took = time.perf_counter() - wall, time.thread_time() - work
    return tuple(min(max(seconds / USUAL, 1.0), SLOWEST) for seconds in took)


def within(deadline, work):
    """work()'s result; None if the time was up before, or the reader pressed Ctrl-C. Nothing of it runs on."""
    main = threading.current_thread() is threading.main_thread() and sys.platform != "emscripten"
    limit = Alarm(deadline) if main and signal.getsignal(ALARM) is not None else Tracer(deadline)
    with Threads(limit), limit:
        try:
            result = work()
        except Stop:
            return None
    return None if limit.asked else result  # `finally: return` swallows a Stop


def may_stop(frame, late=False):
    """True if an exception may be raised in a frame: it is the learner's, and not at work for a finalizer.

    late: a library's code that the learner called has had its time, so it may be stopped too; but not an import.
    """
    own, theirs = causes.is_own(frame), False
    if not own and (not late or frame.f_code.co_filename.startswith(causes.HERE)):
        return False
    while frame is not None and frame.f_code is not within.__code__:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file == WEAKREF or (name == "__del__" and not (late and causes.is_own(frame))):
            return False
        if not own and file.startswith("<frozen importlib"):
            return False
        theirs = theirs or causes.is_own(frame)
        frame = frame.f_back
    return theirs and frame is not None


class Limit:
    """What the ways of stopping share. asked: the time was up, and the answer has been told so."""

    def __init__(self, deadline):
        self.deadline, self.asked, self.ended = deadline, False, False
        self.before = sys.gettrace()

    def restore(self):
        """Give back the trace function of a debugger, say: a Stop inside it would have taken it away."""
        self.ended = True
        if sys.gettrace() is not self.before:
            sys.settrace(self.before)

    def due(self):
        """True from the moment at which the answer must end."""
        self.asked = self.asked or self.deadline.passed()
        return self.asked


class Alarm(Limit):
    """A signal, in the main thread: a context in which an answer is stopped when its time is up."""

    def __init__(self, deadline):
        super().__init__(deadline)
        self.busy, self.since, self.others = False, None, None
        self.raised = self.left_alone = 0
        self.again = iter(functools.partial(_thread.interrupt_main, ALARM), True)

    def __enter__(self):
        self.handlers = {ALARM: signal.signal(ALARM, self.ring)}
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self.handlers[signal.SIGINT] = signal.signal(signal.SIGINT, self.by_hand)
        if not TIMER:
            return threading.Thread(target=self.clock, daemon=True).start()
        left, every = signal.setitimer(signal.ITIMER_REAL, self.deadline.left(), OFTEN)
        if left:  # somebody else's alarm: it rings in its time, and its clock goes on afterwards
            self.others = time.monotonic() + left, every
            signal.setitimer(signal.ITIMER_REAL, min(left, self.deadline.left()), OFTEN)

    def __exit__(self, *error):
        self.restore()  # and from here on, a ring that is on its way does nothing
        if TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        if self.others:
            left, every = self.others[0] - time.monotonic(), self.others[1]
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), every)

    def clock(self):
        """Where the system has no timer: a thread that rings."""
        while not self.ended:
            time.sleep(OFTEN)
            if self.deadline.spent() >= self.deadline.look and not self.ended:
                signal.raise_signal(ALARM)

    def by_hand(self, number, frame):
        """Ctrl-C: the reader lost patience, which is the same as a time-out."""
        self.deadline.over = self.deadline.by_hand = True
        self.ring(number, frame)

    def ring(self, number, frame):
        """The handler: stop the answer where that is safe, else ring again as soon as Python goes on."""
        if self.ended or self.busy:
            return
        self.busy = True
        try:
            self.pass_on(number, frame)
            if not self.due():
                return
            self.since = self.since or time.monotonic()
            stop = may_stop(frame, time.monotonic() - self.since > GRACE) and self.is_time()
        except RecursionError:  # no room left on the stack to look around: the clock rings again
            return
        finally:
            self.busy = False
        for _ in self.again:  # rings; and unlike after a call, no signal is heard until this function is left
            if stop:
                raise Stop
            return

    def is_time(self):
        """True, but now and then not for a few places: some loops of Python 3.12 look for signals in a `try` alone."""
        if self.left_alone:
            self.left_alone -= 1
            return False
        self.raised += 1
        if self.raised % 16 == 0:
            self.left_alone = 1 + self.raised // 16 % 8
        return True

    def pass_on(self, number, frame):
        """Somebody else's alarm is due: their handler is called as it would have been without us."""
        if not self.others or time.monotonic() < self.others[0]:
            return
        every = self.others[1]
        self.others = (time.monotonic() + every, every) if every else None
        if callable(self.handlers[ALARM]):
            self.handlers[ALARM](number, frame)


class Tracer(Limit):
    """A trace function, for any thread: a context in which an answer is stopped at a line of its own."""

    def __enter__(self):
        sys.settrace(self.enter)

    def __exit__(self, *error):
        self.restore()

    def enter(self, frame, event, argument):
        """A function is called: only the learner's are followed line by line."""
        return self.line if causes.is_own(frame) else None

    def line(self, frame, event, argument):
        """A line of the learner's begins."""
        if self.due() and may_stop(frame):
            raise Heard(self)
        return self.line

    def resume(self, frame):
        """Python takes a trace function away once it has raised; an `except:` let that vanish, so give it back."""
        if self.ended or frame is None or sys.gettrace() is not None:
            return
        while frame is not None and frame.f_code is not within.__code__:
            if causes.is_own(frame):
                frame.f_trace = self.line
            frame = frame.f_back
        sys.settrace(self.enter)


class Heard(Stop):
    """A Stop that sees to it that another follows."""

    def __init__(self, tracer):
        self.tracer = tracer

    def __del__(self):
        self.tracer.resume(sys._getframe().f_back)


class Threads:
    """A context in which threads that the answer starts are followed too: they end with it, at a line of their own."""

    running = 0  # answers that run just now, in any thread

    def __init__(self, limit):
        self.limit = limit

    def __enter__(self):
        Threads.running += 1
        self.before = threading.gettrace()
        threading.settrace(self.enter)

    def __exit__(self, *error):
        threading.settrace(self.before)
        Threads.running -= 1

    def enter(self, frame, event, argument):
        """A function is called in such a thread."""
        return self.line if causes.is_own(frame) else None

    def line(self, frame, event, argument):
        """A line of the learner's begins there."""
        if self.limit.asked or not Threads.running:
            raise SystemExit  # what ends a thread in silence
        return self.line
