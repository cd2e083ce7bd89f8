# ruff: noqa
"""Wrong answers to 6.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V, W_O, h):
    """merge_reshape"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V).reshape(n, -1) @ W_O


def hand_2(X, W_Q, W_K, W_V, W_O, h):
    """among_heads"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V).reshape(n, -1) @ W_O


def hand_3(X, W_Q, W_K, W_V, W_O, h):
    """one_wide_head"""
    Q, K, V = (X @ W_Q, X @ W_K, X @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V @ W_O


def hand_4(X, W_Q, W_K, W_V, W_O, h):
    """unnamed"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    O = soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V
    return sum((O[t] @ np.split(W_O, h, 0)[t] for t in range(h))) / h


def hand_5(X, W_Q, W_K, W_V, W_O, h):
    """unnamed"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2] * h)) @ V).swapaxes(0, 1).reshape(n, -1) @ W_O


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
