"""Runs one submission's notebooks and answers calls to its functions. It knows no test and no expected value.

A process of its own, spoken to over a pipe: each message is two lengths, a JSON header and arrays as .npy, which are
read without pickle. It imports NumPy and the standard library only (and torch, where an exercise on tensors asks for
it), and stands in for attn with empty names.
"""

import collections
import copy
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
import struct
import sys
import types
import typing

import numpy as np
import numpy.fft
import numpy.linalg
import numpy.ma
import numpy.random

# A submission may import these; once the process is nobody's, it may be unable to read where they lie.
LOADED = (collections, copy, functools, heapq, itertools, math, operator, random, typing,
          numpy.fft, numpy.linalg, numpy.ma, numpy.random)  # fmt: skip

HEAD = struct.Struct("<II")


class Pipe:
    """Messages over two descriptors."""

    def __init__(self):
        self.out, self.back = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # what a submission prints or asks for goes nowhere
            os.dup2(nowhere, descriptor)

    def send(self, header, arrays=()):
        """Write one message."""
        blob = io.BytesIO()
        for array in arrays:
            np.save(blob, array, allow_pickle=False)
        head, body = json.dumps(header).encode(), blob.getvalue()
        self.out.write(HEAD.pack(len(head), len(body)) + head + body)
        self.out.flush()

    def receive(self):
        """Read one message.  -> (header, list of arrays). Ends the process when the parent has gone."""
        sizes = self.back.read(HEAD.size)
        if len(sizes) < HEAD.size:
            os._exit(0)
        head, body = HEAD.unpack(sizes)
        header, blob = json.loads(self.back.read(head)), io.BytesIO(self.back.read(body))
        return header, [np.load(blob, allow_pickle=False) for _ in range(header.get("arrays", 0))]


def limit(memory, seconds):
    """Caps on memory, processor time, file size and processes, where the system has them."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit
        return
    if hasattr(os, "getuid") and os.getuid() == 0:  # for root there would be no limit on processes
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    caps = {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": 1 << 20, "RLIMIT_NPROC": 64, "RLIMIT_CORE": 0}
    for name, value in caps.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, ValueError, OSError):
            continue


def stand_in():
    """An attn that has the names a sheet imports, and nothing behind them."""
    package, exercises, checks = (
        types.ModuleType(name) for name in ("attn", "attn.exercises", "attn.exercises.checks")
    )
    package.__path__, package.exercises, exercises.__path__, exercises.checks = [], exercises, [], checks
    for name in ("check", "hint", "solution", "progress", "start"):
        setattr(exercises, name, lambda *arguments, **settings: None)
    sys.modules.update({module.__name__: module for module in (package, exercises, checks)})


def run_cells(cells, each):
    """Run cells in one namespace; a cell that fails or takes too long loses only itself.  -> namespace"""
    space = {"__name__": "__main__"}
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGALRM, _too_long)
    for number, cell in enumerate(cells, 1):
        try:
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, each)
            exec(compile(cell, f"<cell {number}>", "exec"), space)
        except BaseException:
            continue
        finally:
            if alarm:
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


def answer(pipe, running, space, header, arrays):
    """Run one call and send what it did; a plain value in the namespace is an answer too."""
    arrays = iter(arrays)
    arguments = [
        next(arrays) if kind == "array" else Called(pipe, kind["call"]) if isinstance(kind, dict) else kind
        for kind in header["arguments"]
    ]
    found = space.get(header["name"])
    before = [a.tobytes() if isinstance(a, np.ndarray) else None for a in arguments]
    if callable(found) and header["kind"] == "torch":
        found = with_tensors(found)
    run = running.through(header["instrument"], found) if callable(found) else lambda f, _: running.Outcome.of(f)
    outcome = run(found, arguments)
    after = [a.tobytes() if isinstance(a, np.ndarray) else None for a in arguments]
    if outcome is None:
        return pipe.send({"kind": "timeout"})
    parts = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    said = {
        "kind": outcome.kind,
        "error": outcome.error,
        "message": outcome.message,
        "line": outcome.line,
        "lineno": outcome.lineno,
        "listed": outcome.listed,
        "nested": outcome.nested,
        "peak": outcome.peak,
        "reread": bool(outcome.reread),
        "notes": outcome.notes,
        "tuple": isinstance(outcome.value, tuple),
        "parts": len(parts) if outcome.kind == "value" else 0,
        "overwritten": [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b],
    }
    return pipe.send(said, parts if outcome.kind == "value" else ())


def with_tensors(f):
    """A function of tensors as one of arrays; one that says what is missing where torch is not installed."""
    if module := sys.modules.get("attn.exercises.checks.tensors"):
        return module.Tensors(f)

    def missing(*arguments):
        raise ModuleNotFoundError("No module named 'torch'")

    return missing


def load(sources):
    """The engine's running half, from its text: how a call is made, and nothing about what it should give."""
    for name, text in sources.items():
        module = types.ModuleType(f"attn.exercises.checks.{name}")
        sys.modules[module.__name__] = module
        setattr(sys.modules["attn.exercises.checks"], name, module)
        module.__file__ = f"<{name}>"
        try:
            exec(compile(text, f"<{name}>", "exec"), module.__dict__)
        except (ImportError, OSError):  # what it computes with is not installed: calls that need it will say so
            del sys.modules[module.__name__]
    return sys.modules["attn.exercises.checks.running"]


def size():
    """The bytes of address space in use already; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def main():
    """Serve one submission until the parent hangs up."""
    pipe = Pipe()
    settings, _ = pipe.receive()
    stand_in()
    running = load(settings["sources"])
    if tensors := sys.modules.get("attn.exercises.checks.tensors"):
        # before there are limits, which torch itself exceeds
        tensors.ready()
        settings["memory"] += size()
    limit(settings["memory"], settings["seconds"])
    spaces = [run_cells(cells, settings["each"]) for cells in settings["notebooks"]]
    pipe.send({"kind": "ready", "names": [[name for name in settings["wanted"] if name in space] for space in spaces]})
    while True:
        header, arrays = pipe.receive()
        answer(pipe, running, spaces[header["notebook"]], header, arrays)


if __name__ == "__main__":
    main()
