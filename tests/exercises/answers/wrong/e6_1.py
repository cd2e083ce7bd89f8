# ruff: noqa
"""Wrong answers to 6.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V, h, t):
    """unnamed"""
    d = W_Q.shape[1] // h
    Q, K, V = [X @ W[:, t * d:(t + 1) * d] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(X.shape[1])) @ V


def hand_2(X, W_Q, W_K, W_V, h, t):
    """unnamed"""
    d = W_Q.shape[1] // h
    Q, K, V = [X @ W[:, t * d:(t + 1) * d] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(d)) @ V


def hand_3(X, W_Q, W_K, W_V, h, t):
    """previous_head"""
    Q, K, V = [np.split(X @ W, h, 1)[t - 1] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
