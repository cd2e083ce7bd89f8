# ruff: noqa
"""Right answers to 2.2 in many hands."""

import math

import numpy as np


def plain(X, M, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, M @ W_K, M @ W_V
    return soft(Q @ K.T / np.sqrt(W_Q.shape[1])) @ V


def weights_times_memory_first(X, M, W_Q, W_K, W_V):
    A = soft(X @ (W_Q @ W_K.T) @ M.T / np.sqrt(W_K.shape[-1]))
    return A @ M @ W_V


def row_by_row(X, M, W_Q, W_K, W_V):
    K, V = M @ W_K, M @ W_V
    return np.stack([soft(K @ (x @ W_Q) / np.sqrt(K.shape[1])) @ V for x in X])


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(X, M, W_Q, W_K, W_V):
    S = X @ W_Q @ W_K.T @ M.T / W_Q.shape[1] ** 0.5
    A = np.exp(S - S.max(axis=-1)[:, None])
    A /= A.sum(axis=-1)[:, None]
    return A @ M @ W_V


def other_2(X, M, W_Q, W_K, W_V):
    St = M @ W_K @ (X @ W_Q).T / np.sqrt(W_K.shape[-1])
    E = np.exp(St - St.max(0))
    return (E / E.sum(0)).T @ (M @ W_V)


def other_3(X, M, W_Q, W_K, W_V):
    rows = []
    for x in X:
        s = x @ W_Q @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
        w = np.exp(s - max(s))
        rows.append(w / sum(w) @ M @ W_V)
    return np.array(rows)


def fresh_bilinear_form(X, M, W_Q, W_K, W_V):
    B = W_Q @ W_K.T / W_Q.shape[1] ** 0.5
    S = np.einsum("nc,ck,mk->nm", X, B, M)
    L = S - S.max(axis=-1)[:, None]
    E = np.exp(L)
    return (E @ M / E.sum(axis=-1)[:, None]) @ W_V


def fresh_log_weights(X, M, W_Q, W_K, W_V):
    S = (X @ W_Q / np.sqrt(W_Q.shape[1])) @ (M @ W_K).T
    L = S - np.logaddexp.reduce(S, axis=1, keepdims=True)
    return np.exp(L) @ M @ W_V
