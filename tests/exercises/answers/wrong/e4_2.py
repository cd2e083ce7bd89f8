# ruff: noqa
"""Wrong answers to 4.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, T):
    """after"""
    return soft(S) / T


def hand_2(S, T):
    """after_normalised"""
    e = np.exp(S - S.max(1, keepdims=True)) / T
    return e / e.sum(1, keepdims=True)


def hand_3(S, T):
    """whole_matrix"""
    e = np.exp(S / T)
    return e / e.sum()


def hand_4(S, T):
    """unnamed"""
    return soft(S / (T + 1))


def hand_5(S, T):
    """unnamed"""
    return soft(S ** (1 / T))


def hand_6(S, T):
    """times"""
    return soft(S) ** T / (soft(S) ** T).sum(1, keepdims=True)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
