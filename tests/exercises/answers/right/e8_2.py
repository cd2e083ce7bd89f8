# ruff: noqa
"""Right answers to 8.2 in many hands."""

import math

import numpy as np


def plain(S):
    n, m = S.shape
    keep = np.tril(np.ones((n, m), dtype=bool), m - n)
    return soft(np.where(keep, S, -np.inf))


def added_mask(S):
    n, m = S.shape
    M = np.triu(np.full((n, m), -np.inf), m - n + 1)
    return soft(S + M)


def large_negative(S):
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n) > 0, S, -1e9))


def large_negative_added(S):
    n, m = S.shape
    return soft(S + (1 - np.tri(n, m, m - n)) * -1e9)


def smallest_float(S):
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n, dtype=bool), S, np.finfo(float).min))


def row_by_row(S):
    n, m = S.shape
    A = np.zeros((n, m))
    for i in range(n):
        k = i + 1 + m - n
        A[i, :k] = soft(S[i, :k])
    return A


def two_loops(S):
    n, m = S.shape
    A = np.zeros_like(S)
    for i in range(n):
        seen = [S[i, j] for j in range(m) if j <= i + m - n]
        top = max(seen)
        total = sum(math.exp(x - top) for x in seen)
        for j, x in enumerate(seen):
            A[i, j] = math.exp(x - top) / total
    return A


def by_comparison(S):
    n, m = S.shape
    i, j = np.arange(n)[:, None], np.arange(m)
    return soft(np.where(j - i > m - n, -np.inf, S))


def by_indices(S):
    T = S.copy()
    n, m = S.shape
    T[np.triu_indices(n, m - n + 1, m)] = -np.inf
    return soft(T)


def by_logical_mask(S):
    T = np.array(S)
    n, m = T.shape
    T[~np.tri(n, m, m - n, dtype=bool)] = float("-inf")
    e = np.exp(T - T.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def masked_exponentials(S):
    n, m = S.shape
    keep = np.tri(n, m, m - n)
    top = np.where(keep == 1, S, -np.inf).max(1, keepdims=True)
    e = np.exp(np.minimum(S - top, 0)) * keep
    return e / e.sum(1, keepdims=True)


def last_rows_of_a_square(S):
    n, m = S.shape
    return soft(np.where(np.tri(m, dtype=bool)[m - n :], S, -np.inf))


def padded(S):
    n, m = S.shape
    rows = [np.pad(soft(S[i, : m - n + i + 1]), (0, n - 1 - i)) for i in range(n)]
    return np.array(rows)


def by_the_library(S):
    from attn import masks, softmax

    return softmax.softmax(S, masks.causal(*S.shape))


def by_masked_arrays(S):
    n, m = S.shape
    T = np.ma.array(S, mask=~np.tri(n, m, m - n, dtype=bool))
    e = np.ma.exp(T - T.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).filled(0)


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(S):
    n, m = S.shape
    Z = np.where(np.tri(n, m, m - n, dtype=bool), S, -1e+30)
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_2(S):
    n, m = S.shape
    A = np.zeros((n, m))
    for i in range(n):
        r = S[i, :i + m - n + 1]
        e = np.exp(r - r.max())
        A[i, :len(e)] = e / e.sum()
    return A


def other_3(S):
    n, m = S.shape
    ok = np.arange(m) <= np.arange(n)[:, None] + m - n
    Z = np.where(ok, S, -np.inf)
    return np.exp(Z - np.logaddexp.reduce(Z, axis=1)[:, None])


def fresh_added_triangle_of_infinities(S):
    n, m = S.shape
    T = S + np.triu(np.full((n, m), -np.inf), k=m - n + 1)
    L = np.logaddexp.reduce(T, axis=1)
    return np.exp(T - L[:, None])


def fresh_masked_array(S):
    n, m = S.shape
    M = np.ma.masked_array(S, mask=~np.tri(n, m, m - n, dtype=bool))
    E = np.exp(M - M.max(axis=1).reshape(n, 1))
    return (E / E.sum(axis=1).reshape(n, 1)).filled(0.0)
