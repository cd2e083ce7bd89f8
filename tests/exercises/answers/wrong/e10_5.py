# ruff: noqa
"""Wrong answers to 10.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(tokens):
    """first"""
    t = list(tokens)
    return np.array([t.index(x) + 1 if x in t[:i] else -1 for i, x in enumerate(t)])


def hand_2(tokens):
    """the_occurrence"""
    last = {}
    o = []
    for i, x in enumerate(tokens):
        o.append(last.get(x, -1))
        last[x] = i
    return np.array(o)


def hand_3(tokens):
    """zero_for_none"""
    t = list(tokens)
    o = []
    for i, x in enumerate(t):
        o.append(max([j for j in range(i) if t[j] == x], default=-1) + 1)
    return np.array(o)
