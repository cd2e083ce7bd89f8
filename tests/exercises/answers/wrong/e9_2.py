# ruff: noqa
"""Wrong answers to 9.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K, V):
    """tile"""
    r = len(Q) // len(K)
    K, V = (np.tile(K, (r, 1, 1)), np.tile(V, (r, 1, 1)))
    return soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def hand_2(Q, K, V):
    """unnamed"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    return soft(Q @ K.swapaxes(1, 2) / np.sqrt(len(Q))) @ V


def hand_3(Q, K, V):
    """unnamed"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 1), np.repeat(V, r, 1))
    return soft(Q[:len(K)] @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
