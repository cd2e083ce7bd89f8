# ruff: noqa
"""Wrong answers to 2.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, M, W_Q, W_K, W_V):
    """unnamed"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(K @ Q.T / np.sqrt(Q.shape[1])) @ V


def hand_2(X, M, W_Q, W_K, W_V):
    """scale_tokens"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(Q @ K.T / np.sqrt(len(M))) @ V


def hand_3(X, M, W_Q, W_K, W_V):
    """both"""
    Z = np.vstack([X, M])
    Q, K, V = (X @ W_Q, Z @ W_K, Z @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def hand_4(X, M, W_Q, W_K, W_V):
    """over_queries"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1]), 0) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
