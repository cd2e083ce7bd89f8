# ruff: noqa
"""Wrong answers to 7.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(O, W_O):
    """merge_reshape"""
    return O.reshape(O.shape[1], -1) @ W_O


def hand_2(O, W_O):
    """unnamed"""
    return sum((o @ w for o, w in zip(O, np.split(W_O, len(O), 1))))


def hand_3(O, W_O):
    """unnamed"""
    return np.vstack(O) @ W_O[:O.shape[2]]
