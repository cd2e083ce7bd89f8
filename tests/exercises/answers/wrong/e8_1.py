# ruff: noqa
"""Wrong answers to 8.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n, m):
    """top_left numbers"""
    return np.tril(np.ones((n, m)))


def hand_2(n, m):
    """numbers"""
    return np.tril(np.ones((n, m)), m - n).astype(int)


def hand_3(n, m):
    """inverted top_left"""
    return np.triu(np.ones((n, m), bool), 1)


def hand_4(n, m):
    """unnamed"""
    return np.tril(np.ones((n, n), bool))


def hand_5(n, m):
    """returns_list"""
    return [[j <= i + m - n for j in range(m)] for i in range(n)]
