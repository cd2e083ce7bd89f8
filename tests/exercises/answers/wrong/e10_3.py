# ruff: noqa
"""Wrong answers to 10.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n):
    """too_wide"""
    return (100 * np.eye(n), 100 * np.eye(n))


def hand_2(n):
    """unnamed"""
    x = np.arange(n) * 100.0
    P = np.stack([x, x ** 0], 1)
    return (P, P)


def hand_3(n):
    """unnamed"""
    r = np.random.default_rng(0).normal(size=(n, 2)) * 100
    return (r, r)
