# ruff: noqa
"""Wrong answers to 7.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(O, W_O):
    """unnamed"""
    return np.array([np.hstack(O) @ W_O] * len(O))


def hand_2(O, W_O):
    """interleaved"""
    return O @ W_O.reshape(O.shape[2], len(O), -1).swapaxes(0, 1)
