# ruff: noqa
"""Right answers to 5.1 in many hands."""

import math

import numpy as np


def plain(A, V):
    return A @ V


def by_einsum(A, V):
    return np.einsum("ij,je->ie", A, V)


def loops(A, V):
    O = np.zeros((A.shape[0], V.shape[1]))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            O[i] += A[i, j] * V[j]
    return O


def averages(A, V):
    return np.array([np.average(V, axis=0, weights=a) for a in A])


def broadcast(A, V):
    return (A[..., None] * V).sum(1)


def other_1(A, V):
    return np.einsum('ij,je->ie', A, V)


def other_2(A, V):
    return np.array([sum((a * v for a, v in zip(row, V))) for row in A])


def other_3(A, V):
    return (A[..., None] * V).sum(axis=1)


def fresh_broadcast_sum(A, V):
    return (A[:, :, None] * V[None, :, :]).sum(axis=1)


def fresh_nested_lists(A, V):
    n, m = A.shape
    e = V.shape[1]
    return [[sum(A[i, j] * V[j, k] for j in range(m)) for k in range(e)] for i in range(n)]
