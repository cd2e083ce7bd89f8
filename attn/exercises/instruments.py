"""Ways of running an answer that see more than its result: the memory it holds, the passes it makes."""

import tracemalloc
from dataclasses import replace

import numpy as np


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


class Reader:
    """Where someone who reads a row has been."""

    def __init__(self, n):
        self.left, self.here, self.returned = np.zeros(n, bool), np.zeros(n, bool), False

    def read(self, places):
        """Note a look at some places. Looking twice at one block is no return; coming back to it later is."""
        if not (self.here & places).any():
            self.left |= self.here
            self.here = np.zeros_like(self.here)
        self.here |= places
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
