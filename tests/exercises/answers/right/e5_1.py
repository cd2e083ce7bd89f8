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
