# ruff: noqa
"""Wrong answers to 6.4; each docstring is the diagnosis on record."""

import numpy as np


def straight(H):
    """reshape_only"""
    h, n, e = H.shape
    return H.reshape(n, h * e)


def stacked(H):
    """stacked"""
    return np.concatenate(list(H))


def shuffled(H):
    """interleaved"""
    return np.stack(list(H), axis=-1).reshape(H.shape[1], -1)


def added(H):
    """sum"""
    return np.add.reduce(H)


def averaged(H):
    """mean"""
    return np.mean(H, axis=0)


def heads_last_first(H):
    """reversed"""
    return np.hstack(list(H[::-1]))


def list_of_rows(H):
    """returns_list"""
    return [np.concatenate([head[i] for head in H]) for i in range(H.shape[1])]


def flat(H):
    """unnamed"""
    return H.ravel()


def column_order(H):
    """interleaved"""
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1, order="F")


def head_numbers_from_one(H):
    """unnamed"""
    return np.hstack([H[t % len(H)] for t in range(1, len(H) + 1)])
