# ruff: noqa
"""Wrong answers to 3.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K):
    """unnamed"""
    return np.array([Q[:, t] @ K[:, t].T if len(Q) == len(K) else 0.0 for t in range(Q.shape[1])])


def hand_2(Q, K):
    """returns_list"""
    return [np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1])]


def hand_3(Q, K):
    """unnamed"""
    return Q[:, :, None] * K.T[None]


def hand_4(Q, K):
    """unnamed"""
    T = np.zeros((Q.shape[1], len(Q), len(K)))
    for t in range(1, Q.shape[1]):
        T[t] = np.outer(Q[:, t], K[:, t])
    return T
