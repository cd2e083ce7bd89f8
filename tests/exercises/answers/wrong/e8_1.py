# ruff: noqa
"""Wrong answers to 8.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n, m):
    """top_left numbers"""
    return np.tril(np.ones((n, m)))


def hand_2(n, m):
    """numbers"""
    return np.tril(np.ones((n, m)), m - n).astype(int)


def hand_3(n, m):
    """inverted top_left"""
    return np.triu(np.ones((n, m), bool), 1)


def hand_4(n, m):
    """square"""
    return np.tril(np.ones((n, n), bool))


def other_1(n, m):
    """strict"""
    return np.tri(n, m, k=m - n - 1, dtype=bool)


def other_2(n, m):
    """top_left"""
    return np.tril(np.ones((n, m), dtype=bool))


def other_3(n, m):
    """inverted"""
    return np.triu(np.ones((n, m), bool), k=m - n + 1)


def other_4(n, m):
    """numbers"""
    return np.tril(np.ones((n, m)), k=m - n)


def other_5(n, m):
    """additive"""
    return np.where(np.tri(n, m, m - n) > 0, 0.0, -np.inf)


def other_6(n, m):
    """transposed"""
    return np.triu(np.ones((n, m), bool), k=m - n)


def other_7(n, m):
    """square"""
    return np.tri(n, n, dtype=bool)


def other_8(n, m):
    """offset_sign"""
    return np.tri(n, m, k=n - m, dtype=bool)


def other_9(n, m):
    """top_left"""
    M = np.full((n, m), False)
    for i in range(n):
        for j in range(m):
            if j <= i:
                M[i, j] = True
    return M


def other_10(n, m):
    """turned"""
    i = np.arange(n) + m - n
    j = np.arange(m)
    return i[None, :] >= j[:, None]


def other_11(n, m):
    """off_by_one"""
    return np.tri(n, m, k=m - n + 1, dtype=bool)


def other_13(n, m):
    """numbers"""
    return np.tri(n, m, k=m - n, dtype=int)


def other_14(n, m):
    """strict"""
    M = np.zeros((n, m), bool)
    for i in range(n):
        M[i, :i + m - n] = True
    return M


def fresh_earlier_keys_only_of_the_window(n, m):
    """old_keys_lost"""
    out = np.zeros((n, m), dtype=bool)
    out[:, m - n:] = np.tri(n, dtype=bool)
    return out


def fresh_last_columns_of_the_square(n, m):
    """columns_cut"""
    return np.tri(m, dtype=bool)[:, -n:]


def fresh_rows_upside_down(n, m):
    """rows_reversed"""
    return np.tri(n, m, m - n, dtype=bool)[::-1]


def fresh_own_key_lost_but_first(n, m):
    """strict"""
    out = np.zeros((n, m), bool)
    for i in range(n):
        visible = max(m - n + i, 1)
        out[i, :visible] = True
    return out


def fresh_two_diagonal_band(n, m):
    """window"""
    pos = np.arange(n)[:, None] + m - n
    dist = pos - np.arange(m)[None, :]
    return (dist >= 0) & (dist <= 1)


def fresh_keys_first_padded(n, m):
    """old_keys_last"""
    tri = np.tri(n, n, dtype=bool)
    past = np.ones((n, m - n), dtype=bool)
    return np.hstack([tri, past])
