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


def groups_of_tokens(X, h):
    """splits_tokens"""
    return np.array(np.split(X, h, axis=0))


def fully_reversed(X, h):
    """features_first"""
    return X.reshape(X.shape[0], h, -1).transpose(1, 2, 0)


def all_axes_turned(X, h):
    """sizes_first"""
    return X.reshape(X.shape[0], h, -1).T


def off_by_one_column(X, h):
    """unnamed"""
    return np.roll(X, 1, axis=1).reshape(X.shape[0], h, -1).swapaxes(0, 1)


def float_sizes(X, h):
    """unnamed"""
    return X.reshape(X.shape[0], h, X.shape[1] / h).swapaxes(0, 1)


def other_1(X, h):
    """reshape_only"""
    n, c = X.shape
    return X.reshape(h, n, c // h)


def other_2(X, h):
    """no_exchange"""
    n, c = X.shape
    return X.reshape(n, h, c // h)


def other_3(X, h):
    """interleaved"""
    return np.stack([X[:, t::h] for t in range(h)])


def other_4(X, h):
    """splits_tokens"""
    return np.array(np.split(X, h, axis=0))


def other_6(X, h):
    """features_first"""
    n, c = X.shape
    return X.T.reshape(h, c // h, n)


def other_7(X, h):
    """fortran"""
    n, c = X.shape
    return X.reshape((h, n, c // h), order='F')


def other_8(X, h):
    """sizes_first"""
    n, c = X.shape
    return X.reshape(n, h, -1).transpose(2, 0, 1)


def other_9(X, h):
    """interleaved"""
    n, c = X.shape
    return X.reshape(n, c // h, h).transpose(2, 0, 1)


def other_10(X, h):
    """unnamed"""
    n, c = X.shape
    e = c // h
    return np.stack([X[:, t * e:t * e + e] for t in range(1, h + 1)])


def other_11(X, h):
    """reversed"""
    n, c = X.shape
    return X.reshape(n, h, c // h).transpose(1, 0, 2)[::-1]


def other_12(X, h):
    """sizes_first"""
    n, c = X.shape
    return X.reshape(n, h, c // h).swapaxes(0, 2)


def other_13(X, h):
    """whole_numbers"""
    n, c = X.shape
    e = c // h
    H = np.zeros((h, n, e), int)
    for t in range(h):
        H[t] = X[:, t * e:(t + 1) * e]
    return H


def slipped_1(X, h):
    """width_fixed"""
    return X.reshape(len(X), -1, 2).transpose(1, 0, 2)


def fresh_fortran_order(X, h):
    """fortran"""
    n, he = X.shape
    return X.reshape((h, n, he // h), order="F")


def fresh_one_column_short(X, h):
    """column_lost"""
    e = X.shape[1] // h
    return np.array([X[:, t * e:(t + 1) * e - 1] for t in range(h)])


def fresh_stacked_on_last_axis(X, h):
    """heads_last"""
    return np.dstack(np.hsplit(X, h))


def fresh_start_not_multiplied(X, h):
    """start"""
    e = X.shape[1] // h
    return np.array([X[:, t:t + e] for t in range(h)])


def fresh_wrong_axes_swapped(X, h):
    """heads_last"""
    n, he = X.shape
    return X.reshape(n, h, he // h).swapaxes(1, 2)


def fresh_hard_coded_picture(X, h):
    """width_fixed"""
    return np.array([X[:, 2 * t:2 * t + 2] for t in range(h)])


def fresh_rows_cut(X, h):
    """splits_tokens"""
    return np.array_split(X, h, axis=0)
