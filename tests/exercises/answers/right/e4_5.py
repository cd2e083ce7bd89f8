# ruff: noqa
"""Right answers to 4.5 in many hands."""

import math

import numpy as np


def power(A):
    p = np.full(len(A), 1 / len(A))
    for _ in range(2000):
        p = p @ A
    return p


def squared(A):
    for _ in range(60):
        A = A @ A
        A = A / A.sum(1, keepdims=True)
    return A[0]


def solved(A):
    n = len(A)
    M = A.T - np.eye(n)
    M[-1] = 1
    return np.linalg.solve(M, np.eye(n)[-1])


def eigen(A):
    w, v = np.linalg.eig(A.T)
    p = np.real(v[:, np.argmax(w.real)])
    return p / p.sum()


def null_space(A):
    _, _, vt = np.linalg.svd(A.T - np.eye(len(A)))
    return vt[-1] / vt[-1].sum()


def matrix_power(A):
    return np.linalg.matrix_power(A, 1024)[0]


def other_1(A):
    n = len(A)
    M = np.vstack([A.T - np.eye(n), np.ones(n)])
    return np.linalg.lstsq(M, np.append(np.zeros(n), 1), rcond=None)[0]


def other_2(A):
    w, v = np.linalg.eig(A.T)
    x = v[:, np.abs(w - 1).argmin()].real
    return x / x.sum()


def other_3(A):
    P = A
    for _ in range(40):
        P = P @ P
        P = P / P.sum(1, keepdims=True)
    return P[0]


def other_4(A):
    n = len(A)
    return np.linalg.solve((np.eye(n) - A + np.ones((n, n))).T, np.ones(n))


def fresh_eigenvector(A):
    values, vectors = np.linalg.eig(A.T)
    p = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    return p / p.sum()


def fresh_elimination(A):
    # Grassmann, Taksar, Heyman: no subtraction at all
    B = np.array(A, dtype=float)
    n = len(B)
    for k in range(n - 1, 0, -1):
        B[:k, k] /= B[k, :k].sum()
        B[:k, :k] += np.outer(B[:k, k], B[k, :k])
    p = [1.0]
    for k in range(1, n):
        p.append(sum(p[i] * B[i, k] for i in range(k)))
    return [x / sum(p) for x in p]
