"""Ratios, measured side by side: ours and theirs in turn, so that a slow moment of the machine hits both."""

import time
import tracemalloc
from typing import NamedTuple

import numpy as np


class Row(NamedTuple):
    """One line of the table: what was measured, its median and quartiles, and the figure it should not exceed."""

    what: str
    median: float
    low: float
    high: float
    target: float | None
    pairs: int
    note: str = ""

    @property
    def met(self):
        """True or False, or None where there is no target. Shape ()."""
        return None if self.target is None else self.median <= self.target


def ratios(what, ours, theirs, *, target=None, threads=1, seconds=10.0, least=5, most=41):
    """Time ours / theirs, pair by pair: the median of the pairs' ratios and its quartiles.

    ours, theirs: functions without arguments   ->   Row. One warm-up each, then pairs until `seconds` have passed.
    With one thread the clock is that thread's processor time, which other programs' turns do not count towards;
    with more it is the clock on the wall, and a loaded machine shows.
    """
    clock = time.thread_time if threads == 1 else time.perf_counter
    ours(), theirs()
    found, own, until = [], [], time.perf_counter() + seconds
    while len(found) < least or (len(found) < most and time.perf_counter() < until):
        start = clock()
        theirs()
        between = clock()
        ours()
        own.append(clock() - between)
        found.append(own[-1] / (between - start))
    low, median, high = np.quantile(found, [0.25, 0.5, 0.75])
    return Row(what, median, low, high, target, len(found), f"ours {1e3 * np.median(own):.4g} ms")


def seconds_of(f, *, repeats=5):
    """Processor time of one call: the median of several, after a warm-up. -> float"""
    f()
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        f()
        times.append(time.thread_time() - start)
    return float(np.median(times))


def peak_beside(f):
    """Most bytes that NumPy and Python held at once during f, beyond the array f returns. -> int"""
    f()
    tracemalloc.start()
    y = f()
    peak = tracemalloc.get_traced_memory()[1] - y.nbytes
    tracemalloc.stop()
    return peak


def exponent(sizes, costs):
    """p in cost ≈ c · size^p: the slope of the line through the logarithms. -> float"""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
