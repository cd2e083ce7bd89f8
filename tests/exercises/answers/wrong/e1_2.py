# ruff: noqa
"""Wrong answers to 1.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(q, K, V):
    """scale_keys"""
    return soft(K @ q / np.sqrt(K.shape[0] * 1.0)) @ V


def hand_2(q, K, V):
    """no_exp"""
    s = K @ q / np.sqrt(len(q))
    w = s / np.abs(s).sum()
    return w @ V


def hand_3(q, K, V):
    """not_divided"""
    s = K @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    w /= w.max()
    return w @ V


def hand_4(q, K, V):
    """hard"""
    return V[np.argmax(K @ q)]


def hand_5(q, K, V):
    """unnamed"""
    return (soft(K @ q / np.sqrt(len(q))) @ V)[None]


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
