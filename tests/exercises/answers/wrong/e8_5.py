# ruff: noqa
"""Wrong answers to 8.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n, w):
    """two_sided"""
    return np.abs(np.arange(n)[:, None] - np.arange(n)) < w


def hand_2(n, w):
    """one_more"""
    d = np.arange(n)[:, None] - np.arange(n)
    return (d >= 0) & (d <= w)


def hand_3(n, w):
    """ahead"""
    d = np.arange(n) - np.arange(n)[:, None]
    return (d >= 0) & (d < w)


def hand_4(n, w):
    """numbers"""
    return np.array([[1 if 0 <= i - j < w else 0 for j in range(n)] for i in range(n)])


def other_1(n, w):
    """one_less"""
    i, j = np.indices((n, n))
    return (j <= i) & (i - j < w - 1)


def other_2(n, w):
    """one_more"""
    i, j = np.indices((n, n))
    return (j <= i) & (i - j <= w)


def other_3(n, w):
    """two_sided"""
    i, j = np.indices((n, n))
    return np.abs(i - j) < w


def other_4(n, w):
    """ahead"""
    i, j = np.indices((n, n))
    return (j >= i) & (j - i < w)


def other_5(n, w):
    """causal_only"""
    return np.tri(n, dtype=bool)


def other_6(n, w):
    """before_own"""
    i, j = np.indices((n, n))
    return (j < i) & (i - j <= w)


def other_7(n, w):
    """negative_slice"""
    M = np.zeros((n, n), bool)
    for i in range(n):
        M[i, i - w + 1:i + 1] = True
    return M


def other_8(n, w):
    """blocks"""
    i, j = np.indices((n, n))
    return (i // w == j // w) & (j <= i)


def other_9(n, w):
    """numbers"""
    return np.tri(n) - np.tri(n, k=-w)


def other_10(n, w):
    """ahead"""
    i, j = np.indices((n, n))
    return ((j <= i) & (i - j < w)).T


def other_11(n, w):
    """dilated"""
    i, j = np.indices((n, n))
    return (j <= i) & ((i - j) % w == 0)


def other_12(n, w):
    """everything"""
    i, j = np.indices((n, n))
    return (j <= i) | (i - j < w)


def other_13(n, w):
    """inverted"""
    i, j = np.indices((n, n))
    return ~((j <= i) & (i - j < w))


def other_14(n, w):
    """not_itself"""
    return sum((np.eye(n, k=-t) for t in range(1, w))) > 0


def fresh_always_w_keys(n, w):
    """pushed_right"""
    out = np.zeros((n, n), dtype=bool)
    for i in range(n):
        start = max(0, i - w + 1)
        out[i, start:start + w] = True
    return out


def fresh_full_windows_only(n, w):
    """full_only"""
    out = np.zeros((n, n), dtype=bool)
    for i in range(w - 1, n):
        out[i, i - w + 1:i + 1] = True
    return out


def fresh_own_key_not_counted(n, w):
    """before_own"""
    i, j = np.indices((n, n))
    return (j < i) & (j >= i - w)


def fresh_first_w_keys(n, w):
    """first_keys"""
    i, j = np.ogrid[:n, :n]
    return (j <= i) & (j < w)


def fresh_window_at_end(n, w):
    """last_keys"""
    M = np.zeros((n, n), dtype=bool)
    M[:, max(0, n - w):] = True
    return M & np.tri(n, dtype=bool)
