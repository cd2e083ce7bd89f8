# ruff: noqa
"""Right answers to 3.1 in many hands."""

import math

import numpy as np


def plain(Q, K):
    return Q @ K.T


def by_einsum(Q, K):
    return np.einsum("id,jd->ij", Q, K)


def inner(Q, K):
    return np.inner(Q, K)


def loops(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            S[i, j] = q.dot(k)
    return S


def broadcast(Q, K):
    return (Q[:, None] * K[None]).sum(axis=2)


def nested_comprehension(Q, K):
    return np.array([[q @ k for k in K] for q in Q])


def tensordot(Q, K):
    return np.tensordot(Q, K, axes=(1, 1))


def other_1(Q, K):
    return np.inner(Q, K)


def other_2(Q, K):
    return np.tensordot(Q, K, axes=(1, 1))


def other_3(Q, K):
    S = np.empty((Q.shape[0], K.shape[0]))
    for i in range(Q.shape[0]):
        for j in range(K.shape[0]):
            t = 0.0
            for a in range(Q.shape[1]):
                t += Q[i][a] * K[j][a]
            S[i][j] = t
    return S


def other_4(Q, K):
    return (K @ Q.T).T


def other_5(Q, K):
    return ((Q ** 2).sum(1)[:, None] + (K ** 2).sum(1)[None] - ((Q[:, None] - K[None]) ** 2).sum(-1)) / 2


def in_a_list_1(Q, K):
    return [[sum((a * b for a, b in zip(q, k))) for k in K] for q in Q]


def fresh_broadcast(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(axis=-1)


def fresh_by_feature(Q, K):
    S = np.zeros((len(Q), len(K)))
    for t in range(Q.shape[1]):
        S += np.multiply.outer(Q[:, t], K[:, t])
    return S
