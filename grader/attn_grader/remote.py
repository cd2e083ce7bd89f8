"""The parent's side of a worker: start it, call functions in it, measure its work, end it."""

import atexit
import json
import os
import select
import signal
import threading
import time
import unicodedata
import uuid
from functools import cache
from pathlib import Path

import numpy as np
import psutil

import attn.exercises.checks
from attn.exercises.checks.running import Outcome
from attn_grader.isolation import ENVIRONMENT
from attn_grader.known import spelt
from attn_grader.processes import Nursery, Spawned, message
from attn_grader.worker import HEAD, unpacked

WORKER = Path(__file__).with_name("worker.py").read_bytes()
CHECKS = Path(attn.exercises.checks.__file__).parent
PARTS = ("causes", "instruments", "stopping", "running")  # how a call is made, and nothing about what it should give
STARTING = {"numpy": 30, "torch": 180}  # seconds until a worker must have said that it is there
LARGEST = 1 << 27
ROOM = 512 << 20  # bytes beside a worker's own limit, before the tree of its processes holds too much together
PATIENCE = 8.0  # how many seconds may pass on the wall for each second of work that is allowed


class Gone(Exception):
    """The worker ended or spoke nonsense: the submission's doing."""


class Endless(Gone):
    """It used up the processor time it was given: the submission's doing."""


class Stalled(Exception):
    """Only time passed: a busy machine, a sleep, a dead daemon. Nobody's answer can be judged by that."""


class NotStarted(Exception):
    """The worker was not there before anything of the submission ran: the grader's own failure."""


@cache
def sources(kind):
    """The texts of what a process must have loaded to make calls of a kind."""
    names = [*PARTS, "tensors"] if kind == "torch" else PARTS
    return {f"attn.exercises.checks.{name}": (CHECKS / f"{name}.py").read_text("utf8") for name in names}


def preparation(kind, plan):
    """What a process prepares before a submission comes, as the first message says it.  -> (header, arrays)"""
    said, arrays = (plan.said, plan.arrays) if plan else ({}, [])
    return {"kind": kind, "sources": sources(kind), "plan": said, "given": 0}, arrays


def started(isolation, name, kind, plan):
    """A process that will serve one submission.  -> (Spawned or Forked, the text to send first, what to prepare)"""
    if isolation.kind != "none":
        command = isolation.command(name, len(WORKER), kind)
        process = Spawned(command, dict(os.environ) if isolation.boxed else ENVIRONMENT)
        return process, WORKER, preparation(kind, plan)
    for fresh in (False, True):  # the second time with a new nursery: a submission may have ended the old one
        try:
            return nursery(isolation, kind, plan, fresh).fork(), b"", ({}, [])
        except OSError as error:
            reason = error
    raise NotStarted(f"a worker did not start: {reason}")


NURSERIES, LOCK = {}, threading.Lock()


def nursery(isolation, kind, plan, fresh):
    """This process's nursery for workers without a sandbox; fresh: not the one that there is."""
    with LOCK:
        place = os.getpid(), isolation, kind, plan
        old = NURSERIES.get(place)
        if old is None or fresh or old.process.poll() is not None:
            if old is not None:
                old.close()
            command, told = isolation.command("", len(WORKER), kind), preparation(kind, plan)
            NURSERIES[place] = Nursery(command, WORKER, told, ENVIRONMENT)
        return NURSERIES[place]


@atexit.register
def end_nurseries():
    """End the nurseries of this process."""
    for (pid, *_), one in NURSERIES.items():
        if pid == os.getpid():
            one.close()


class Worker:
    """One submission in a process of its own.

    notebooks: lists of cells.   wanted: names that exercises ask for.   memory: bytes beyond the interpreter's own.
    seconds: of processor time, for all of it.   each: seconds for one cell.   skip: (notebook, cell) not to run.
    given: arrays that are there before memory is limited, for call_given.   end: on the wall's clock, for all of it.
    plan: the calls that may be foreseen.   aloud: each cell is known before it runs; else one that ends the process
    may not be.   names: of the wanted names, those that each notebook defines.
    """

    def __init__(
        self,
        notebooks,
        wanted,
        isolation,
        *,
        kind="numpy",
        memory=2 << 30,
        seconds=120,
        each=10.0,
        skip=(),
        given=(),
        end=float("inf"),
        plan=None,
        aloud=True,
    ):
        self.isolation, self.name, self.cell = isolation, f"attn-grader-{uuid.uuid4().hex[:12]}", None
        self.names, self.end, self.heard = [[] for _ in notebooks], end, bytearray()
        self.memory = memory + ROOM + sum(array.nbytes for array in given)
        self.process, text, (preparing, planned) = started(isolation, self.name, kind, plan)
        os.set_blocking(self.process.writing, False)  # a worker that does not listen must not stop us
        settings = {"notebooks": notebooks, "wanted": wanted, "memory": memory, "seconds": seconds, "each": each,
                    "skip": list(skip), "aloud": aloud}  # fmt: skip
        try:
            told = message(settings | preparing | {"given": len(given)}, [*planned, *given])
            self._start(text + told, STARTING[kind])
            self._listen(wanted, each)
        except BaseException:
            self.close()
            raise

    def _start(self, told, patience):
        try:
            self._write(told, time.monotonic() + patience)
            ready, _ = self.receive(self.clock(None, patience))
        except (Gone, Stalled) as error:
            raise NotStarted(f"a worker did not start: {error}") from None
        if ready.get("kind") != "ready":
            raise NotStarted("a worker did not start: it said something else")

    def _listen(self, wanted, each):
        while True:
            header, _ = self.receive(self.clock(2 * each, PATIENCE * each))
            if header.get("kind") != "begun":
                break
            cell = _cell(header.get("cell"))
            if cell is None or (self.cell is not None and cell <= self.cell):  # each cell begins once, in its order
                raise Gone("it spoke nonsense")
            self.cell = cell
        self.cell = None
        for mine, said in zip(self.names, _named(header.get("names")), strict=False):
            mine += [name for name in wanted if name in said]

    @property
    def alive(self):
        """True while it can be called."""
        return self.process.alive

    def send(self, header, arrays=(), seconds=30.0):
        """Write one message. Raises Gone, Stalled."""
        self._write(message(header, arrays), time.monotonic() + seconds)

    def _write(self, data, end):
        view, pipe = memoryview(data), self.process.writing
        while view:
            try:
                view = view[os.write(pipe, view[: 1 << 20]) :]
            except BlockingIOError:
                if not select.select([], [pipe], [], max(0.0, end - time.monotonic()))[1]:
                    raise Stalled("it stopped listening") from None
            except (OSError, ValueError):  # ValueError: closed by us
                raise Gone("it ended") from None

    def clock(self, work, seconds):
        """A clock for one call, or one wait. Whatever is said on the way, it goes on."""
        return Clock(self.tree, work, min(seconds, self.end - time.monotonic()), self.memory)

    def receive(self, clock):
        """Read one message.  -> (header, Arrays)

        Raises what the clock raises, and Gone; nothing that arrives is trusted.
        """
        head, body = HEAD.unpack(self._read(HEAD.size, clock))
        if head > 1 << 20 or body > LARGEST:
            raise Gone("it spoke nonsense")
        try:
            header = json.loads(self._read(head, clock))
            if not isinstance(header, dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise Gone("it spoke nonsense") from None
        return header, Arrays(self._read(body, clock))

    def _read(self, size, clock):
        out = self.process.reading
        while len(self.heard) < size:
            if not select.select([out], [], [], clock.step())[0]:
                clock.look()
                continue
            try:
                piece = os.read(out, 1 << 20)
            except BlockingIOError:
                continue
            except OSError:  # a socket whose other end was killed
                piece = b""
            if not piece:
                clock.ended(self.process)
            self.heard += piece
        said = bytes(self.heard[:size])
        del self.heard[:size]
        return said

    def tree(self):
        """(seconds of processor time, bytes of memory) of the worker and of all it started; None if nothing tells."""
        pid = self.isolation.host_pid(self.name, self.process.pid)
        try:
            top = psutil.Process(pid)
            used = [spent(process) for process in [top, *top.children(recursive=True)]]
        except (psutil.Error, ValueError, TypeError):
            return None
        return sum(seconds for seconds, _ in used), sum(held for _, held in used)

    def call(self, header, arguments, work):
        """Call one function.  -> Outcome. Raises Gone, Endless, Stalled."""
        functions = [a for a in arguments if callable(a)]
        kinds = spelt(arguments, functions)
        self.send(header | {"arguments": kinds}, [a for a in arguments if isinstance(a, np.ndarray)])
        return self._answered(work, functions)

    def foresee(self, wanted, plan, work):
        """Have all planned calls of some exercises made at once.  wanted: {exercise's id: place of its notebook}

        Yields (id, outcomes) as they come. Raises Gone, Endless, Stalled: the rest is not known then.
        """
        self.send({"kind": "plan", "wanted": list(wanted.items())})
        clock, left = self.clock(work, PATIENCE * work), LARGEST
        for id in wanted:
            outcomes = []
            for _ in plan.calls[id]:
                header, stream = self.receive(clock)
                clock.beat()
                left -= len(stream.data)
                if left < 0:
                    raise Gone("it said too much at once")
                outcomes.append(_outcome(header, stream))
            yield id, outcomes

    def call_given(self, header, arguments, row, work):
        """Call one function with arrays that the worker has; None among them is `row`, served piece by piece."""
        kinds = ["given" if isinstance(a, np.ndarray) else a for a in arguments]
        kinds = [{"served": len(row.values)} if kind is None else kind for kind in kinds]
        self.send(header | {"arguments": kinds, "given": True})
        return self._answered(work, (), row)

    def _answered(self, work, functions, row=None):
        """Serve what a call asks for on its way.  -> Outcome"""
        clock = self.clock(work, PATIENCE * work)
        while True:
            header, stream = self.receive(clock)
            clock.beat()
            if header.get("kind") == "callback":
                index = header.get("index")
                if type(index) is not int or not 0 <= index < len(functions):
                    raise Gone("it spoke nonsense")
                asked = stream.next()
                try:
                    with np.errstate(all="ignore"):
                        given = functions[index](asked)
                except Exception as error:  # the learner's argument: at a desk it would be the answer's own error
                    raise Gone(f"a function that it was given does not take what it passes: {error}") from None
                self.send({}, [given])
            elif header.get("kind") == "read" and row is not None:
                ends = header.get("slice")
                if not (
                    isinstance(ends, list) and len(ends) == 3 and all(type(k) is int for k in ends) and ends[2] > 0
                ):
                    raise Gone("it spoke nonsense")
                self.send({}, [row(*ends)])
            else:
                return _outcome(header, stream)

    def close(self):
        """Kill the worker and all that it started."""
        self.process.end()
        self.isolation.remove(self.name)


class Clock:
    """Waits by processor time where that can be read, and by the wall's in any case; and watches memory on its way.

    used: () -> (seconds, bytes) of the whole tree of processes, or None.   work: seconds of it that may be used, None
    for any.   seconds: on the wall.   memory: bytes that the tree may hold together.
    """

    def __init__(self, used, work, seconds, memory):
        self.used, self.work, self.memory, self.end = used, work, memory, time.monotonic() + seconds
        self.pause, self.start, self.seen = 0.2, None, time.monotonic()

    def step(self):
        """How long to wait before the next look."""
        return max(0.0, min(self.pause, self.end - time.monotonic()))

    def beat(self):
        """Look, if the last look is some time ago: a worker that talks all the time is looked at too."""
        if time.monotonic() - self.seen >= self.pause:
            self.look()

    def look(self):
        """Raise Endless if the work is used up, Stalled if only time has passed, Gone if it holds too much."""
        self.seen, now = time.monotonic(), self.used()
        if now is not None:  # the first look comes a step late: a quick answer costs no look at all
            seconds, held = now
            self.start = seconds if self.start is None else self.start
            if self.work is not None and seconds - self.start >= self.work:
                raise Endless(f"it used {self.work:g} s of processor time")
            if held > self.memory:
                raise Gone(f"it and what it started held {held >> 20} MB together")
        if time.monotonic() >= self.end:
            raise Stalled("time passed and little was computed: was the machine busy, or did it sleep?")
        self.pause = min(1.0, self.pause * 1.3)

    def ended(self, process):
        """Raise for a worker that is no more: Endless if the system's cap on processor time ended it."""
        if process.signalled() == signal.SIGXCPU:
            raise Endless("it used all its processor time")
        raise Gone("the process ended before it answered")


def spent(process):
    """One process's processor time and its ended children's, in seconds, and the bytes it holds by itself."""
    try:
        times, memory = process.cpu_times(), process.memory_info()
    except psutil.Error:
        return 0.0, 0
    seconds = times.user + times.system + getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
    return seconds, max(memory.rss - getattr(memory, "shared", 0), 0)


def _cell(said):
    """(notebook, cell) as a worker names them; None for anything else."""
    good = isinstance(said, list) and len(said) == 2 and all(type(k) is int for k in said)
    return tuple(said) if good else None


def _named(said):
    """Lists of names, from whatever a worker sent for them."""
    return [{name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
            for names in (said if isinstance(said, list) else [])]  # fmt: skip


class Arrays:
    """The arrays of a message, one after another."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def next(self):
        """The next array. Raises Gone for anything that is none."""
        try:
            read, self.place = unpacked(self.data, self.place)
        except Exception:
            raise Gone("it spoke nonsense") from None
        if read.dtype.kind not in "biufc":
            raise Gone("it spoke nonsense")
        return read


def _outcome(header, stream):
    """What a worker says a call did. Every field is checked: it may be forged."""
    kind = header.get("kind")
    if kind not in ("value", "none", "nothing", "error", "timeout", "type"):
        raise Gone("it spoke nonsense")
    text = {name: _text(header.get(name, "")) for name in ("error", "message", "line")}
    value = None
    if kind == "value":
        parts = header.get("parts")
        if type(parts) is not int or not 0 <= parts <= 64:
            raise Gone("it spoke nonsense")
        arrays = tuple(stream.next() for _ in range(parts))
        value = arrays if header.get("tuple") or len(arrays) != 1 else arrays[0]
    number = {name: header[name] if type(header.get(name)) is int else 0 for name in ("lineno", "peak")}
    changed, notes = header.get("overwritten"), header.get("notes")
    said = tuple(_text(note)[:100] for note in notes[:200]) if isinstance(notes, list) else ()
    overwritten = tuple(changed) if isinstance(changed, list) else ()
    return Outcome(
        kind, value, **text, **number, reread=bool(header.get("reread")), notes=said, overwritten=overwritten
    )


def _text(said):
    """Text that can be shown anywhere: no lone surrogates, no commands to a terminal, no turns of direction."""
    text = str(said)[:300].encode("utf8", "replace").decode("utf8")
    if text.isprintable():
        return text
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf"))
