# ruff: noqa
"""Right answers to 13.2 in many hands."""

import numpy as np


def loops(alpha):
    n = len(alpha)
    mask = np.zeros((n, n))
    for j in range(n):
        left = 1.0
        for i in range(j, n):
            if i > j:
                left *= alpha[i]
            mask[i, j] = left
    return mask


def down_columns(alpha):
    n = len(alpha)
    return np.tril(np.cumprod(np.where(np.tri(n, k=-1, dtype=bool), np.asarray(alpha)[:, None], 1.0), axis=0))


def row_by_row(alpha):
    mask = np.eye(len(alpha))
    for i in range(1, len(alpha)):
        mask[i, :i] = alpha[i] * mask[i - 1, :i]
    return mask


def slices(alpha):
    n = len(alpha)
    return np.array([[np.prod(alpha[j + 1 : i + 1]) if j <= i else 0.0 for j in range(n)] for i in range(n)])
