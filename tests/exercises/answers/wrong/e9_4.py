# ruff: noqa
"""Wrong answers to 9.4; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(q, k, v, K, V):
    """not_itself"""
    s = K @ q / np.sqrt(len(q))
    return (soft(s) @ V, np.vstack([K, k]), np.vstack([V, v]))


def hand_2(q, k, v, K, V):
    """unnamed"""
    K = np.vstack([K, k])
    V = np.vstack([V, v])
    return soft(K @ q / np.sqrt(len(q))) @ V


def hand_3(q, k, v, K, V):
    """unnamed"""
    K = np.vstack([K, k])
    V = np.vstack([V, v])
    return (soft(q[None] @ K.T / np.sqrt(len(q))) @ V, K, V)


def hand_4(q, k, v, K, V):
    """unnamed"""
    K = np.vstack([K, v]) if len(k) == len(v) else np.vstack([K, k])
    V = np.vstack([V, v])
    return (soft(K @ q / np.sqrt(len(K))) @ V, K, V)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
