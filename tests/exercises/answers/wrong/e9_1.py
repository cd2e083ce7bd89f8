# ruff: noqa
"""Wrong answers to 9.1; each docstring is the diagnosis on record."""

import numpy as np


def tiled(K, h):
    """tile"""
    return np.concatenate([K] * (h // len(K)))


def modulo(K, h):
    """tile reversed"""
    return np.stack([K[t % len(K)] for t in range(h - 1, -1, -1)])


def tokens_repeated(K, h):
    """along_tokens"""
    return K.repeat(h // len(K), 1)


def all_axes(K, h):
    """unnamed"""
    return np.repeat(K, h // len(K))


def h_times(K, h):
    """h_times"""
    return np.repeat(K, h, axis=0)


def a_list(K, h):
    """returns_list"""
    return [K[t * len(K) // h] for t in range(h)]


def four_axes(K, h):
    """extra_axis"""
    g, n, e = K.shape
    return np.broadcast_to(K[:, None], (g, h // g, n, e))


def resized(K, h):
    """tile"""
    return np.resize(K, (h, *K.shape[1:]))
