# ruff: noqa
"""Wrong answers to 12.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K, V, block):
    """all_scores"""
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def hand_2(Q, K, V, block):
    """softmax_each"""
    o = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        o += soft(Q @ K[i:i + block].T / np.sqrt(Q.shape[1])) @ V[i:i + block]
    return o


def hand_3(Q, K, V, block):
    """all_scores"""
    o = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(Q), block):
        o[i:i + block] = soft(Q[i:i + block] @ K.T / np.sqrt(Q.shape[1])) @ V
    return o


def hand_4(Q, K, V, block):
    """no_maximum"""
    l = 0
    o = 0
    for i in range(0, len(K), block):
        e = np.exp(Q @ K[i:i + block].T / np.sqrt(Q.shape[1]))
        l = l + e.sum(1, keepdims=True)
        o = o + e @ V[i:i + block]
    return o / l


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True
