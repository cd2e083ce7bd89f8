# ruff: noqa
"""Wrong answers to 2.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V):
    """results_transposed"""
    return (W_Q.T @ X.T, W_K.T @ X.T, W_V.T @ X.T)


def hand_2(X, W_Q, W_K, W_V):
    """unnamed"""
    Q = X @ W_Q
    return (Q, Q @ W_K, Q @ W_V)


def hand_3(X, W_Q, W_K, W_V):
    """unnamed"""
    return (soft(X @ W_Q), soft(X @ W_K), soft(X @ W_V))


def hand_4(X, W_Q, W_K, W_V):
    """unnamed"""
    return (X @ W_Q, X @ W_K)


def hand_5(X, W_Q, W_K, W_V):
    """unnamed"""
    return np.hstack([X @ W_Q, X @ W_K, X @ W_V])


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
