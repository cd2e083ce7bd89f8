# ruff: noqa
"""Wrong answers to 6.2; each docstring is the diagnosis on record."""

import numpy as np


def straight(X, h):
    """reshape_only"""
    return X.reshape(h, X.shape[0], X.shape[1] // h)


def not_moved(X, h):
    """no_exchange"""
    return X.reshape(X.shape[0], h, -1)


def dealt(X, h):
    """interleaved"""
    return np.stack([X[:, t::h] for t in range(h)])


def a_list_of_blocks(X, h):
    """returns_list"""
    return np.split(X, h, axis=1)


def groups_of_tokens(X, h):
    """splits_tokens"""
    return np.array(np.split(X, h, axis=0))


def fully_reversed(X, h):
    """features_first"""
    return X.reshape(X.shape[0], h, -1).transpose(1, 2, 0)


def all_axes_turned(X, h):
    """unnamed"""
    return X.reshape(X.shape[0], h, -1).T


def off_by_one_column(X, h):
    """unnamed"""
    return np.roll(X, 1, axis=1).reshape(X.shape[0], h, -1).swapaxes(0, 1)


def float_sizes(X, h):
    """unnamed"""
    return X.reshape(X.shape[0], h, X.shape[1] / h).swapaxes(0, 1)
