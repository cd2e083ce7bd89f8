# ruff: noqa
"""Right answers to 4.1 in many hands."""

import math

import numpy as np


def plain(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def copy_then_in_place(S):
    out = S.copy()
    out -= out.max(1)[:, None]
    np.exp(out, out=out)
    out /= out.sum(1)[:, None]
    return out


def transposed_and_back(S):
    T = S.T
    E = np.exp(T - T.max(0))
    return (E / E.sum(0)).T


def two_loops(S):
    A = np.empty(S.shape)
    for i in range(S.shape[0]):
        top = max(S[i])
        total = sum(math.exp(x - top) for x in S[i])
        for j in range(S.shape[1]):
            A[i, j] = math.exp(S[i, j] - top) / total
    return A


def through_logarithms(S):
    top = S.max(1, keepdims=True)
    return np.exp(S - top - np.log(np.exp(S - top).sum(1, keepdims=True)))


def logaddexp(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])


def along_rows(S):
    def one(row):
        e = np.exp(row - np.max(row))
        return e / np.sum(e)

    return np.apply_along_axis(one, 1, S)


def odds(S):
    return 1 / np.exp(np.minimum(S[:, None, :] - S[:, :, None], 700)).sum(-1)


def amax_and_newaxis(S):
    shifted = S - np.amax(S, axis=1)[:, np.newaxis]
    weights = np.exp(shifted)
    return np.divide(weights, np.sum(weights, axis=1, keepdims=True))


def a_little_more_than_the_maximum(S):
    e = np.exp(S - S.max(1, keepdims=True) - 1)
    return e / e.sum(1, keepdims=True)


def stacked(S):
    return np.vstack([np.exp(r - r.max()) / np.exp(r - r.max()).sum() for r in S])


def by_einsum(S):
    e = np.exp(S - S.max(1, keepdims=True))
    return np.einsum("ij,i->ij", e, 1 / np.einsum("ij->i", e))


def by_a_diagonal(S):
    e = np.exp(S - S.max(1, keepdims=True))
    return np.diag(1 / e.sum(1)) @ e


def other_1(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=1, keepdims=True))


def other_2(S):
    E = np.exp(S.T - S.max(axis=1))
    return (E / E.sum(axis=0)).T


def other_3(S):
    out = np.empty(S.shape)
    for i, r in enumerate(S):
        e = np.exp(r - r.max())
        out[i] = e / e.sum()
    return out


def other_4(S):
    Z = np.array(S, dtype=float)
    Z -= Z.max(axis=-1, keepdims=True)
    np.exp(Z, out=Z)
    Z /= np.einsum('ij->i', Z)[:, None]
    return Z


def in_a_list_1(S):
    return [list(np.exp(r - r.max()) / np.exp(r - r.max()).sum()) for r in S]


def in_single_precision_2(S):
    e = np.exp((S - S.max(1, keepdims=True)).astype(np.float32))
    return e / e.sum(1, keepdims=True)


def in_single_precision_3(S):
    S = S.astype('float32')
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def in_a_list_4(S):
    out = []
    for row in S:
        e = [np.exp(x - max(row)) for x in row]
        out.append([x / sum(e) for x in e])
    return out


def fresh_apply(S):
    def one(row):
        e = np.exp(row - np.max(row))
        return e / e.sum()
    return np.apply_along_axis(one, 1, S)


def fresh_logaddexp(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
