# ruff: noqa
"""Right answers to 8.1 in many hands."""

import math

import numpy as np


def by_tril(n, m):
    return np.tril(np.ones((n, m), dtype=bool), k=m - n)


def by_tri(n, m):
    return np.tri(n, m, m - n, dtype=bool)


def not_triu(n, m):
    return ~np.triu(np.ones((n, m), bool), m - n + 1)


def last_rows(n, m):
    return np.tril(np.full((m, m), True))[m - n :]


def compared(n, m):
    return np.greater_equal.outer(np.arange(m - n, m), np.arange(m))


def loops(n, m):
    keep = np.zeros((n, m), dtype=bool)
    for i in range(n):
        keep[i, : i + m - n + 1] = True
    return keep


def indices(n, m):
    i, j = np.indices((n, m))
    return j - i <= m - n


def other_1(n, m):
    return np.arange(m)[None, :] <= np.arange(n)[:, None] + (m - n)


def other_2(n, m):
    M = np.zeros((n, m), dtype=bool)
    for i in range(n):
        M[i, :m - n + i + 1] = True
    return M


def other_3(n, m):
    return ~np.triu(np.ones((n, m), dtype=bool), k=m - n + 1)


def other_4(n, m):
    return np.array([[j - i <= m - n for j in range(m)] for i in range(n)])


def in_a_list_1(n, m):
    return [[j <= i + m - n for j in range(m)] for i in range(n)]


def in_a_list_2(n, m):
    return [[j <= i + m - n for j in range(m)] for i in range(n)]


def fresh_compare_positions(n, m):
    return np.arange(m)[None, :] <= np.arange(n)[:, None] + (m - n)


def fresh_counted_from_the_end(n, m):
    # distance of a query and of a key from the last position
    q = np.arange(n)[::-1]
    k = np.arange(m)[::-1]
    return np.greater_equal.outer(k, q).T
