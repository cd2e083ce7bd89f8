# ruff: noqa
"""Wrong answers to 2.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(W_Q, W_K):
    """scale_width"""
    return W_Q @ W_K.T / W_Q.shape[0]


def hand_2(W_Q, W_K):
    """transposed"""
    return W_K @ W_Q.T / np.sqrt(W_Q.shape[1])


def hand_3(W_Q, W_K):
    """unnamed"""
    return np.linalg.inv(W_Q.T @ W_K)
