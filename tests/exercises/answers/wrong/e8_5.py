# ruff: noqa
"""Wrong answers to 8.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n, w):
    """two_sided"""
    return np.abs(np.arange(n)[:, None] - np.arange(n)) < w


def hand_2(n, w):
    """one_more"""
    d = np.arange(n)[:, None] - np.arange(n)
    return (d >= 0) & (d <= w)


def hand_3(n, w):
    """ahead"""
    d = np.arange(n) - np.arange(n)[:, None]
    return (d >= 0) & (d < w)


def hand_4(n, w):
    """numbers"""
    return np.array([[1 if 0 <= i - j < w else 0 for j in range(n)] for i in range(n)])
