"""Ways of running an answer that see more than its result: the memory it holds, the passes it makes."""

import sys
import tracemalloc
from dataclasses import replace

import numpy as np

from attn.exercises.checks import causes


def weighed(attempt, f, arguments):
    """The outcome, with the bytes that the call held at once (Outcome.peak)."""
    tracemalloc.start()
    try:
        outcome = attempt(f, arguments)
        return outcome and replace(outcome, peak=tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def watched(attempt, f, arguments):
    """The outcome, and whether the first argument was read again after the reader had moved on (Outcome.reread)."""
    row = arguments[0].view(Watched)
    row.reader = Reader(len(row))
    outcome = attempt(f, [row, *arguments[1:]])
    return outcome and replace(outcome, reread=row.reader.returned)


def listened(attempt, f, arguments):
    """The outcome, and which functions of libraries the answer itself called: a note "calls: package.name" for each."""
    handed = getattr(f, "__wrapped__", f)  # a library's function handed in as it is has been called as well
    heard, before = {full_name(handed)}, sys.getprofile()

    def listen(frame, event, argument):
        if event == "c_call" and causes.is_own(frame):
            heard.add(full_name(argument))
        elif event == "call" and frame.f_back and causes.is_own(frame.f_back, frame):
            heard.add(f"{package(frame.f_globals.get('__name__'))}.{python_name(frame)}")

    sys.setprofile(listen)
    try:
        outcome = attempt(f, arguments)
    finally:
        sys.setprofile(before)
    return outcome and replace(outcome, notes=(*outcome.notes, *sorted(f"calls: {name}" for name in heard)))


def package(module):
    """The first part of a module's name."""
    return str(module).partition(".")[0]


def full_name(f):
    """Package and name of a function, or of a method of something of that package: "torch.softmax"."""
    home = getattr(f, "__module__", None) or type(getattr(f, "__self__", None)).__module__
    return f"{package(home)}.{getattr(f, '__name__', '')}"


def python_name(frame):
    """A Python function's name; a class's own for the function that makes one of it."""
    name = frame.f_code.co_name
    return type(frame.f_locals.get("self")).__name__ if name == "__init__" else name


class Reader:
    """Where someone who reads a row has been."""

    def __init__(self, n):
        self.left, self.here, self.returned = np.zeros(n, bool), np.zeros(n, bool), False

    def read(self, places):
        """Note a look at some places. Looking twice at one block is no return; coming back to it later is."""
        if (places & ~self.here).any():  # moved on: what is not looked at again is left behind
            self.left |= self.here & ~places
            self.here = places
        self.returned |= bool((self.left & places).any())

    def read_all(self):
        """Note a look at the whole row, which goes past every place and leaves it."""
        self.read(np.ones_like(self.left))
        self.left[:] = True
        self.here[:] = False


class Watched(np.ndarray):
    """A row of numbers that notes which of its entries are read; what is cut out of it is a plain array."""

    reader = None

    def __getitem__(self, key):
        if self.reader is not None:
            places = np.zeros(len(self), bool)
            places[key] = True
            self.reader.read(places)
        return self.view(np.ndarray)[key]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        for x in inputs:
            if isinstance(x, Watched) and x.reader is not None:
                x.reader.read_all()
        plain = [x.view(np.ndarray) if isinstance(x, Watched) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **settings)
