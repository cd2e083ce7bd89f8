# ruff: noqa
"""Right answers to 3.2 in many hands."""

import math

import numpy as np


def plain(Q, K):
    return np.stack([np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1])])


def by_einsum(Q, K):
    return np.einsum("nd,md->dnm", Q, K)


def moved(Q, K):
    return np.moveaxis(Q[:, None, :] * K[None, :, :], -1, 0)


def columns(Q, K):
    return Q.T[..., None] @ K.T[:, None]


def array_of_products(Q, K):
    return np.array([q[:, None] * k for q, k in zip(Q.T, K.T)])


def other_1(Q, K):
    return Q.T[:, :, None] * K.T[:, None, :]


def other_2(Q, K):
    return np.moveaxis(Q[:, None] * K[None], -1, 0)


def other_3(Q, K):
    return np.stack([np.outer(a, b) for a, b in zip(Q.T, K.T)])


def in_a_list_1(Q, K):
    return [np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1])]


def in_a_list_2(Q, K):
    return [np.outer(Q[:, i], K[:, i]) for i in range(Q.shape[1])]


def fresh_batched_matmul(Q, K):
    columns = np.moveaxis(Q, 1, 0)[..., None]
    rows = K.T[:, None]
    return columns @ rows


def fresh_broadcast(Q, K):
    return Q.T[:, :, None] * K.T[:, None, :]
