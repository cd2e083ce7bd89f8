# ruff: noqa
"""Wrong answers to 12.1; each docstring is the diagnosis on record."""

import numpy as np


def never_rescales(s, V, block):
    """no_rescale"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        m = max(m, s[i : i + block].max())
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def two_passes(s, V, block):
    """two_passes"""
    m = -np.inf
    for i in range(0, len(s), block):
        m = max(m, s[i : i + block].max())
    l, o = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def maximum_of_all_first(s, V, block):
    """two_passes"""
    m, l, o = s.max(), 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def all_at_once(s, V, block):
    """all_in_memory"""
    e = np.exp(s - s.max())
    return e @ V / e.sum()


def no_maximum(s, V, block):
    """no_maximum"""
    l, o = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block])
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def from_zero(s, V, block):
    """maximum_from_zero"""
    m, l, o = 0.0, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
        m = new
    return o / l


def returns_in_the_loop(s, V, block):
    """first_block"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
        m = new
        return o / l


def whole_blocks_only(s, V, block):
    """short_block_lost"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for k in range(len(s) // block):
        b, v = s[k * block : (k + 1) * block], V[k * block : (k + 1) * block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ v
        m = new
    return o / l


def maximum_not_kept(s, V, block):
    """last_block"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
    return o / l


def endless(s, V, block):
    """unnamed"""
    i, o = 0, 0.0
    while i < len(s):
        o = o + np.exp(s[i])
    return o
