# ruff: noqa
"""Right answers to 2.1 in many hands."""

import math

import numpy as np


def plain(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def as_a_list(X, W_Q, W_K, W_V):
    return [X.dot(W) for W in (W_Q, W_K, W_V)]


def by_einsum(X, W_Q, W_K, W_V):
    return tuple(np.einsum("nc,cd->nd", X, W) for W in (W_Q, W_K, W_V))


def all_at_once(X, W_Q, W_K, W_V):
    Y = X @ np.hstack([W_Q, W_K, W_V])
    d = W_Q.shape[1]
    return Y[:, :d], Y[:, d : 2 * d], Y[:, 2 * d :]


def by_generator(X, *Ws):
    return tuple(map(lambda W: (W.T @ X.T).T, Ws))


def other_1(X, W_Q, W_K, W_V):
    return [X @ W for W in (W_Q, W_K, W_V)]


def other_2(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    Z = X @ np.concatenate([W_Q, W_K, W_V], 1)
    return tuple(np.split(Z, [d, 2 * d], axis=1))


def other_3(X, W_Q, W_K, W_V):
    return tuple((np.einsum('nc,cd->nd', X, W) for W in (W_Q, W_K, W_V)))


def three_lists(X, W_Q, W_K, W_V):
    return [(X @ W).tolist() for W in (W_Q, W_K, W_V)]


def fresh_einsum(X, W_Q, W_K, W_V):
    Q, K, V = (np.einsum("nc,cd->nd", X, W) for W in (W_Q, W_K, W_V))
    return Q, K, V


def fresh_loops(X, W_Q, W_K, W_V):
    def mul(A, B):
        out = np.zeros((A.shape[0], B.shape[1]))
        for i in range(A.shape[0]):
            for j in range(B.shape[1]):
                for k in range(A.shape[1]):
                    out[i, j] += A[i, k] * B[k, j]
        return out
    return tuple(mul(X, W) for W in (W_Q, W_K, W_V))
