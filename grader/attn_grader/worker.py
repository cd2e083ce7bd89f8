"""Runs one submission's cells and answers calls to its functions. It knows no test and no expected value.

A process of its own, spoken to over a pipe: each message is two lengths, a JSON header and arrays as .npy, which are
read without pickle. Its text comes over the pipe, so nothing of the course need be readable where it runs. It imports
NumPy and the standard library only (torch where an exercise takes tensors), and stands in for attn with empty names.
"""

import ast
import builtins
import collections
import copy
import ctypes
import dataclasses
import decimal
import fractions
import functools
import heapq
import io
import itertools
import json
import math
import operator
import os
import random
import signal
import socket
import struct
import sys
import time
import types
import typing

import numpy as np
import numpy.fft
import numpy.linalg
import numpy.ma
import numpy.random

# A submission may import these; once the process is nobody's, it may be unable to read where they lie.
LOADED = (collections, copy, dataclasses, decimal, fractions, functools, heapq, itertools, math, operator, random,
          typing, numpy.fft, numpy.linalg, numpy.ma, numpy.random)  # fmt: skip
HEAD = struct.Struct("<II")
MAGIC, FIRST = b"\x93NUMPY\x01\x00", struct.Struct("<8sH")
QUIET = {"time", "timeit", "capture", "prun"}  # cell magics that run what they wrap


def packed(array):
    """An array as .npy, as np.save writes it; the header of each shape is written once."""
    ordered = array.flags.f_contiguous and not array.flags.c_contiguous
    data = array.T if ordered else array
    return heading(array.dtype, array.shape, ordered) + data.tobytes()


@functools.lru_cache(1024)
def heading(dtype, shape, ordered):
    """The beginning of an .npy file."""
    said = io.BytesIO()
    fields = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": ordered, "shape": shape}
    np.lib.format.write_array_header_1_0(said, fields)
    return said.getvalue()


def unpacked(data, start=0):
    """The array that begins at a byte, and where the next one does.  -> (array, int). ValueError where there is none.

    It may be forged: nothing is believed but what NumPy reads in a header of its first version, and no object is made.
    """
    first = start + FIRST.size
    if len(data) < first:
        raise ValueError("no array")
    magic, size = FIRST.unpack_from(data, start)
    if magic != MAGIC or size > 1 << 13:
        raise ValueError("no array")
    shape, ordered, dtype = headed(bytes(data[first - 2 : first + size]))
    count = math.prod(shape)
    begin, end = first + size, first + size + count * dtype.itemsize
    if dtype.hasobject or end > len(data):
        raise ValueError("no array of numbers, or not all of it")
    flat = np.frombuffer(data, dtype, count, begin) if count else np.zeros(0, dtype)
    flat = flat.copy()  # the reader's own, to be written to
    return (flat.reshape(shape[::-1]).T if ordered else flat.reshape(shape)), end


@functools.lru_cache(1024)
def headed(text):
    """A header's (shape, fortran order, dtype)."""
    return np.lib.format.read_array_header_1_0(io.BytesIO(text))


class Pipe:
    """Messages over two descriptors, the process's own input and output until it takes them."""

    SOON, MANY = 0.005, 1 << 18  # seconds of silence, and bytes, after which what was said is sent

    def __init__(self):
        self.out, self.back = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
        self.held, self.size, self.sent = [], 0, time.monotonic()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # what a submission prints or asks for goes nowhere
            os.dup2(nowhere, descriptor)

    def send(self, header, arrays=()):
        """Write one message, after those that wait."""
        self.hold(header, arrays)
        self.flush()

    def say(self, header, arrays=()):
        """Write one message, or let it wait for the next ones: what a write costs is the system's call."""
        self.hold(header, arrays)
        if self.size > self.MANY or time.monotonic() - self.sent > self.SOON:
            self.flush()

    def hold(self, header, arrays):
        """Put a message behind those that wait."""
        head, body = json.dumps(header).encode(), b"".join(map(packed, arrays))
        self.held += HEAD.pack(len(head), len(body)), head, body
        self.size += len(head) + len(body)

    def flush(self):
        """Write what waits."""
        self.out.write(b"".join(self.held))
        self.out.flush()
        self.held, self.size, self.sent = [], 0, time.monotonic()

    def receive(self):
        """Read one message.  -> (header, list of arrays). Ends the process when the parent has gone."""
        sizes = self.back.read(HEAD.size)
        if len(sizes) < HEAD.size:
            os._exit(0)
        head, body = HEAD.unpack(sizes)
        header, blob, arrays, place = json.loads(self.back.read(head)), self.back.read(body), [], 0
        for _ in range(header.get("arrays", 0)):
            array, place = unpacked(blob, place)
            arrays.append(array)
        return header, arrays


def limit(memory, seconds):
    """Caps that a submission cannot lift: memory beyond what is in use, processor time, file size, processes."""
    import resource  # Unix: on Windows grading refuses to start

    memory += size()
    if hasattr(os, "getuid") and os.getuid() == 0:  # for root there would be no limit on processes
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        except OSError:  # a sandbox that gives no other user limits processes itself
            pass
    caps = {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": 1 << 20, "RLIMIT_NPROC": 64,
            "RLIMIT_CORE": 0}  # fmt: skip
    for name, value in caps.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, ValueError, OSError):
            continue


def die_with_parent():
    """Have Linux end this process when its parent ends; elsewhere an endless loop goes on to its processor time."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        pass


def size():
    """The bytes of address space in use already; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


class Inert(types.ModuleType):
    """A module that has every name, and nothing behind them: a plot that nobody will look at."""

    def __init__(self, name="inert"):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert(name)

    def __call__(self, *arguments, **settings):
        return Inert()

    def __iter__(self):
        return iter((Inert(), Inert()))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Scenery:
    """Finds the libraries that draw and show. They matter to no answer, so they need not be installed."""

    NAMES = ("matplotlib", "IPython", "ipywidgets", "seaborn", "plotly", "tqdm", "rich", "attn.show")

    def find_spec(self, name, path=None, target=None):
        """The finder's protocol."""
        import importlib.machinery

        if any(name == scene or name.startswith(scene + ".") for scene in self.NAMES):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """The loader's protocol."""
        return Inert(spec.name)

    def exec_module(self, module):
        """The loader's protocol."""


def stand_in():
    """An attn that has the names a sheet imports, and nothing behind them; scenery; what Jupyter puts in reach."""
    package, exercises = types.ModuleType("attn"), types.ModuleType("attn.exercises")
    package.__path__, package.exercises = [], exercises
    for name in ("check", "hint", "solution", "progress", "start"):
        setattr(exercises, name, lambda *arguments, **settings: None)
    sys.modules.update({"attn": package, "attn.exercises": exercises})
    sys.meta_path.append(Scenery())
    builtins.display = lambda *arguments, **settings: None
    builtins.input = lambda prompt="": ""


class Shell:
    """What get_ipython() gives: magics that time a cell run it, all others do nothing."""

    def __init__(self, space):
        self.space = space

    def run_cell_magic(self, name, line, cell):
        """%%time and its like run what they wrap."""
        if name in QUIET:
            run_cell(cell, self.space, f"<%%{name}>")

    def run_line_magic(self, name, line, *more):
        """%time runs the statement behind it; %matplotlib and the others do nothing."""
        if name in QUIET:
            run_cell(line, self.space, f"<%{name}>")

    def __getattr__(self, name):
        return lambda *arguments, **settings: []


def run_cell(source, space, name):
    """Run a cell statement by statement, so that an import that fails takes nothing else with it."""
    for statement in ast.parse(source, name).body:
        code = compile(ast.Module([statement], []), name, "exec")
        try:
            exec(code, space)
        except ImportError:
            if not isinstance(statement, (ast.Import, ast.ImportFrom)):
                raise


def run_cells(cells, each, begun, skip):
    """Run cells in one namespace; one that fails or takes too long loses only itself.  -> namespace

    begun: called with a cell's number before it runs; skip: numbers of cells that ended a process before this one.
    """
    space = {"__name__": "__main__"}
    shell = Shell(space)
    space["get_ipython"] = lambda: shell
    signal.signal(signal.SIGALRM, _too_long)
    for number, cell in enumerate(cells):
        if number in skip:
            continue
        begun(number)
        try:
            signal.setitimer(signal.ITIMER_REAL, each, 0.1)  # again and again: a bare `except:` swallows the first
            run_cell(cell, space, f"<cell {number + 1}>")
        except BaseException:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return space


def _too_long(number, frame):
    raise TimeoutError


class Called:
    """A function that lives with the parent, as an argument: calling it is a message there and back."""

    def __init__(self, pipe, index):
        self.pipe, self.index = pipe, index

    def __call__(self, x):
        self.pipe.send({"kind": "callback", "index": self.index}, [np.asarray(x, dtype=float)])
        return self.pipe.receive()[1][0]


class Served(np.ndarray):
    """A row that lies with the parent: what is read of it is fetched, and the parent sees it."""

    pipe = None

    def fetch(self, start, stop, step):
        """A slice of the row."""
        self.pipe.send({"kind": "read", "slice": [int(start), int(stop), int(step)]})
        return self.pipe.receive()[1][0]

    def __getitem__(self, key):
        if self.pipe is None:
            return super().__getitem__(key)
        if isinstance(key, slice) and (key.step is None or key.step > 0):
            return self.fetch(*key.indices(len(self)))
        if isinstance(key, (int, np.integer)):
            place = range(len(self))[key]
            return self.fetch(place, place + 1, 1)[0]
        return self.fetch(0, len(self), 1)[key]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        plain = [x[:] if isinstance(x, Served) and x.pipe is not None else np.asarray(x) for x in inputs]
        return getattr(ufunc, method)(*plain, **settings)


def served(pipe, length):
    """A Served row; what reads its memory past the fetching finds NaN."""
    row = np.broadcast_to(np.nan, length).view(Served)
    row.pipe = pipe
    return row


def answer(pipe, running, space, header, arrays, given):
    """Run one call; a plain value in the namespace is an answer too.  -> the message that says so: (header, arrays)"""
    arrays, given = iter(arrays), iter(given)
    makers = {"call": lambda k: Called(pipe, k), "served": lambda n: served(pipe, n)}
    arguments = [
        next(arrays) if kind == "array"
        else next(given) if kind == "given"
        else makers[next(iter(kind))](next(iter(kind.values()))) if isinstance(kind, dict)
        else kind
        for kind in header["arguments"]
    ]  # fmt: skip
    found = space.get(header["name"])
    watched = () if header.get("given") else arguments  # a given array is too large to copy
    before = [a.tobytes() if isinstance(a, np.ndarray) else None for a in watched]
    if callable(found) and header["kind"] == "torch":
        found = with_tensors(found)
    run = running.through(header["instrument"], found) if callable(found) else lambda f, _: running.Outcome.of(f)
    outcome = run(found, arguments)
    after = [a.tobytes() if isinstance(a, np.ndarray) else None for a in watched]
    if outcome is None:
        return {"kind": "timeout"}, ()
    parts = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    said = {
        "kind": outcome.kind,
        "error": outcome.error,
        "message": outcome.message,
        "line": outcome.line,
        "lineno": outcome.lineno,
        "peak": outcome.peak,
        "reread": bool(outcome.reread),
        "notes": outcome.notes,
        "tuple": isinstance(outcome.value, tuple),
        "parts": len(parts) if outcome.kind == "value" else 0,
        "overwritten": [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b],
    }
    return said, parts if outcome.kind == "value" else ()


def foresee(pipe, running, spaces, plan, wanted):
    """Run the calls that are planned for some exercises, one after another, and say what they did.

    wanted: (exercise, place of the notebook that answers it) pairs.
    """
    for exercise, place in wanted:
        for header, arrays in plan[exercise]:
            pipe.say(*answer(pipe, running, spaces[place], header, arrays, ()))
    pipe.flush()


def with_tensors(f):
    """A function of tensors as one of arrays; one that says what is missing where torch is not installed."""
    if module := next((m for name, m in sys.modules.items() if name.endswith(".tensors")), None):
        return module.Tensors(f)

    def missing(*arguments):
        raise ModuleNotFoundError("No module named 'torch'")

    return missing


def load(sources):
    """The checks' running half, from its text: how a call is made, and nothing about what it should give."""
    loaded = {}
    for name, text in sources.items():
        module = loaded[name] = types.ModuleType(name)
        parent, _, last = name.rpartition(".")
        for package in [".".join(parent.split(".")[: k + 1]) for k in range(parent.count(".") + 1)]:
            if package not in sys.modules:
                sys.modules[package] = types.ModuleType(package)
                sys.modules[package].__path__ = []
        sys.modules[name] = module
        setattr(sys.modules[parent], last, module)
        module.__file__ = f"<{name}>"
        try:
            exec(compile(text, f"<{name}>", "exec"), module.__dict__)
        except (ImportError, OSError):  # what it computes with is not installed: calls that need it will say so
            del sys.modules[name]
    return next(module for name, module in loaded.items() if name.endswith(".running"))


def prepare(sources, kind, planned, arrays):
    """What every submission needs before it comes: the stand-ins, the checks' running half, warm libraries, the plan.

    -> (the module that runs calls, {exercise: its calls in their order, as (header, arrays) pairs})
    """
    stand_in()
    running = load(sources)
    if kind == "torch" and (tensors := next((m for n, m in sys.modules.items() if n.endswith(".tensors")), None)):
        tensors.ready()  # before there are limits, which torch itself exceeds
    np.ones((64, 64)) @ np.ones((64, 64))  # the linear algebra library takes its own memory now
    arrays = iter(arrays)
    return running, {
        exercise: [(header, [next(arrays) for _ in range(header["arguments"].count("array"))]) for header in headers]
        for exercise, headers in planned.items()
    }


def serve(pipe, settings, given, running, plan, limited=lambda: None):
    """Run one submission's cells, then answer calls until the parent hangs up.

    limited: called once limits and user are set, which would undo what it asks for.
    """
    limit(settings["memory"], settings["seconds"])
    limited()
    pipe.send({"kind": "ready"})  # up to here nothing of the submission has run: a failure before is the grader's
    spaces = []
    for place, cells in enumerate(settings["notebooks"]):
        begun = functools.partial(begin, pipe.send if settings["aloud"] else pipe.say, place)
        skip = {number for where, number in settings["skip"] if where == place}
        spaces.append(run_cells(cells, settings["each"], begun, skip))
    pipe.send({"kind": "names", "names": [[n for n in settings["wanted"] if n in space] for space in spaces]})
    while True:
        header, arrays = pipe.receive()
        if header["kind"] == "plan":
            foresee(pipe, running, spaces, plan, header["wanted"])
        else:
            pipe.send(*answer(pipe, running, spaces[header["notebook"]], header, arrays, given))


def begin(tell, place, number):
    """Say that a cell begins."""
    tell({"kind": "begun", "cell": [place, number]})


def nursery(pipe, running, plan):
    """Fork a process for each submission: what `prepare` did is done once.

    Over the pipe, a socket here, come the ends of other sockets, one for each submission; its process id goes back.
    """
    control = socket.socket(fileno=os.dup(pipe.back.fileno()))
    pipe.send({"kind": "nursery"})
    while True:
        word, ends, _, _ = socket.recv_fds(control, 1, 1)
        if not word:
            os._exit(0)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries the dead
        child = os.fork()
        if child:
            os.close(ends[0])
            control.sendall(struct.pack("<I", child))
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for descriptor in (0, 1):
            os.dup2(ends[0], descriptor)
        os.close(ends[0])
        for mine in (control, pipe.out, pipe.back):
            mine.close()
        own = Pipe()
        settings, given = own.receive()
        serve(own, settings, given, running, plan, limited=die_with_parent)


def main():
    """Serve one submission, or fork a process for each of many."""
    pipe = Pipe()
    settings, arrays = pipe.receive()
    count = len(arrays) - settings["given"]
    running, plan = prepare(settings["sources"], settings["kind"], settings["plan"], arrays[:count])
    if settings.get("nursery"):
        nursery(pipe, running, plan)
    serve(pipe, settings, arrays[count:], running, plan)


if __name__ == "__main__":
    main()
