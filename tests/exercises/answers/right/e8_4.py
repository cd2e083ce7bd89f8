# ruff: noqa
"""Right answers to 8.4 in many hands."""

import math

import numpy as np


def plain(S, allowed):
    T = np.where(allowed, S, -np.inf)
    top = T.max(1, keepdims=True)
    e = np.exp(T - np.where(top == -np.inf, 0, top))
    total = e.sum(1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total != 0)


def row_by_row(S, allowed):
    A = np.zeros(S.shape)
    for i in range(len(S)):
        if allowed[i].any():
            x = S[i, allowed[i]]
            e = np.exp(x - x.max())
            A[i, allowed[i]] = e / e.sum()
    return A


def repaired(S, allowed):
    T = np.where(allowed, S, -np.inf)
    e = np.exp(T - T.max(-1, keepdims=True))
    return np.where(allowed.any(-1, keepdims=True), e / e.sum(-1, keepdims=True), 0.0)


def only_where_something(S, allowed):
    some = allowed.any(1)
    A = np.zeros_like(S)
    T = np.where(allowed[some], S[some], -np.inf)
    e = np.exp(T - T.max(1, keepdims=True))
    A[some] = e / e.sum(1, keepdims=True)
    return A


def large_negative_then_zero(S, allowed):
    T = np.where(allowed, S, -1e9)
    e = np.exp(T - T.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) * allowed


def other_1(S, allowed):
    A = np.zeros(S.shape)
    for i in range(S.shape[0]):
        if allowed[i].any():
            z = S[i, allowed[i]]
            e = np.exp(z - z.max())
            A[i, allowed[i]] = e / e.sum()
    return A


def other_2(S, allowed):
    Z = np.where(allowed, S, -np.inf)
    m = Z.max(1, keepdims=True)
    m = np.where(m == -np.inf, 0.0, m)
    E = np.exp(Z - m)
    t = E.sum(1, keepdims=True)
    return E / np.where(t == 0, 1, t)


def other_3(S, allowed):
    some = allowed.any(axis=1)
    A = np.zeros_like(S)
    Z = np.where(allowed, S, -np.inf)[some]
    E = np.exp(Z - Z.max(1, keepdims=True))
    A[some] = E / E.sum(1, keepdims=True)
    return A


def fresh_extra_column_for_the_empty(S, allowed):
    # an extra key, allowed only where nothing else is, takes all the weight of an empty row
    empty = ~allowed.any(axis=1)
    T = np.column_stack([np.where(allowed, S, -np.inf), np.where(empty, 0.0, -np.inf)])
    E = np.exp(T - T.max(axis=1)[:, None])
    return (E / E.sum(axis=1)[:, None])[:, :-1]


def fresh_only_rows_with_something(S, allowed):
    rows = allowed.any(axis=1)
    out = np.zeros(S.shape)
    T = np.where(allowed[rows], S[rows], -np.inf)
    L = np.logaddexp.reduce(T, axis=1)
    out[rows] = np.exp(T - L[:, None])
    return out
