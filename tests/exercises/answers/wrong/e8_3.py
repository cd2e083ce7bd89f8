# ruff: noqa
"""Wrong answers to 8.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, lengths):
    """after"""
    A = soft(S)
    for i, k in enumerate(lengths):
        A[i, :, k:] = 0
    return A


def hand_2(S, lengths):
    """padding_maximum"""
    A = soft(S)
    for i, k in enumerate(lengths):
        A[i, :, k:] = 0
    return A / A.sum(-1, keepdims=True)


def hand_3(S, lengths):
    """queries"""
    T = S.copy()
    for i, k in enumerate(lengths):
        T[i, k:, :] = -1000000000.0
    return soft(T)


def hand_4(S, lengths):
    """overwrites_input"""
    for i, k in enumerate(lengths):
        S[i, :, k:] = -1000000000.0
    return soft(S)


def hand_5(S, lengths):
    """multiplies"""
    T = S.copy()
    for i, k in enumerate(lengths):
        T[i, :, k:] = 0
    return soft(T)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
