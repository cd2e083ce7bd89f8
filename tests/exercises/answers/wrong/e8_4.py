# ruff: noqa
"""Wrong answers to 8.4; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, allowed):
    """uniform"""
    return soft(np.where(allowed, S, -1000000000.0))


def hand_2(S, allowed):
    """nan_hidden"""
    return np.nan_to_num(soft(np.where(allowed, S, -np.inf)))


def hand_3(S, allowed):
    """after"""
    return soft(S) * allowed


def hand_4(S, allowed):
    """no_shift"""
    e = np.exp(S) * allowed
    return e / (e.sum(1, keepdims=True) + 1e-09)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
