# ruff: noqa
"""Wrong answers to 3.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K):
    """keys_first"""
    return np.dot(K, Q.T)


def hand_2(Q, K):
    """unnamed"""
    return np.abs(Q @ K.T)


def hand_3(Q, K):
    """unnamed"""
    return np.array([Q[i] @ K[i] for i in range(min(len(Q), len(K)))])


def hand_4(Q, K):
    """unnamed"""
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q) - 1):
        for j in range(len(K)):
            S[i, j] = Q[i] @ K[j]
    return S
