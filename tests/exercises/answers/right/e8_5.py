# ruff: noqa
"""Right answers to 8.5 in many hands."""

import math

import numpy as np


def plain(n, w):
    i, j = np.indices((n, n))
    return (j <= i) & (i - j < w)


def difference_of_triangles(n, w):
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-w, dtype=bool)


def loops(n, w):
    M = np.zeros((n, n), bool)
    for i in range(n):
        M[i, max(0, i - w + 1) : i + 1] = True
    return M


def tril_and_triu(n, w):
    return (np.tril(np.ones((n, n))) * np.triu(np.ones((n, n)), 1 - w)).astype(bool)


def sum_of_diagonals(n, w):
    return sum(np.eye(n, k=-t) for t in range(min(w, n))) > 0


def other_1(n, w):
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-w, dtype=bool)


def other_2(n, w):
    M = np.zeros((n, n), bool)
    for i in range(n):
        M[i, max(0, i - w + 1):i + 1] = True
    return M


def other_3(n, w):
    gap = np.subtract.outer(np.arange(n), np.arange(n))
    return np.isin(gap, np.arange(w))


def fresh_compare_distances(n, w):
    back = np.arange(n)[:, None] - np.arange(n)
    return (back >= 0) & (back < w)


def fresh_diagonals_ored(n, w):
    out = np.eye(n, dtype=bool)
    for back in range(1, min(w, n)):
        out |= np.eye(n, k=-back, dtype=bool)
    return out
