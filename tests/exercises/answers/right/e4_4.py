# ruff: noqa
"""Right answers to 4.4 in many hands."""

import numpy as np


def plain(p):
    return np.diag(p) - np.outer(p, p)


def columns_times_rows(p):
    return np.diag(p) - p[:, None] @ p[None, :]


def identity_minus(p):
    return p[:, None] * (np.eye(len(p)) - p)


def two_loops(p):
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J


def minus_then_diagonal(p):
    J = -np.outer(p, p)
    J[np.diag_indices(len(p))] += p
    return J


def fill_the_diagonal(p):
    J = -p.reshape(-1, 1) * p.reshape(1, -1)
    np.fill_diagonal(J, p * (1 - p))
    return J


def by_einsum(p):
    return np.einsum("i,ij->ij", p, np.eye(p.size)) - np.einsum("i,j->ij", p, p)


def by_where(p):
    return np.where(np.eye(len(p), dtype=bool), p * (1 - p), -np.multiply.outer(p, p))


def through_the_scores(p):
    s, h = np.log(p).astype(complex), 1e-30

    def soft(s):
        return np.exp(s) / np.exp(s).sum()

    return np.stack([soft(s + 1j * h * u).imag / h for u in np.eye(len(p))], axis=1)


def centred(p):
    return np.diag(p) @ (np.eye(len(p)) - np.ones((len(p), 1)) * p)


def as_a_covariance(p):
    deviations = np.eye(len(p)) - p
    return np.einsum("k,ki,kj->ij", p, deviations, deviations)


def by_the_library(p):
    from attn.softmax import jacobian

    return jacobian(p)


def other_1(p):
    n = p.size
    return np.array([[p[i] * ((1 if i == j else 0) - p[j]) for j in range(n)] for i in range(n)])


def other_2(p):
    return p[:, None] * (np.identity(len(p)) - p)


def other_3(p):
    J = -p[:, None] * p[None, :]
    J[np.arange(len(p)), np.arange(len(p))] += p
    return J


def other_4(p):
    n = len(p)
    return np.diag(p) @ (np.eye(n) - np.ones((n, 1)) @ p[None])


def fresh_broadcast(p):
    return p[:, None] * (np.eye(p.size) - p[None, :])


def fresh_directions(p):
    columns = [p * (e - p @ e) for e in np.eye(len(p))]
    return np.stack(columns, axis=1)
