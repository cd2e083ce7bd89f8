# ruff: noqa
"""Right answers to 3.3 in many hands."""

import math

import numpy as np


def plain(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True) @ V


def with_einsum(Q, K, V):
    s = np.einsum("id,jd->ij", Q, K) * K.shape[1] ** -0.5
    s -= s.max(axis=1)[:, None]
    w = np.exp(s)
    w /= w.sum(axis=1)[:, None]
    return np.einsum("ij,je->ie", w, V)


def three_loops(Q, K, V):
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        scores = [sum(Q[i, t] * K[j, t] for t in range(Q.shape[1])) / math.sqrt(Q.shape[1]) for j in range(len(K))]
        top = max(scores)
        weights = [math.exp(s - top) for s in scores]
        total = sum(weights)
        for j, w in enumerate(weights):
            out[i] += w / total * V[j]
    return out


def scale_on_the_queries(Q, K, V):
    return soft((Q / np.sqrt(Q.shape[1])) @ K.T) @ V


def fourth_root_on_both(Q, K, V):
    r = Q.shape[1] ** 0.25
    return soft((Q / r) @ (K / r).T) @ V


def scaled_inside_the_exponent(Q, K, V):
    s = Q.dot(K.transpose())
    e = np.exp((s - s.max(1, keepdims=True)) / np.sqrt(Q.shape[1]))
    return (e @ V) / e.sum(1, keepdims=True)


def row_by_row(Q, K, V):
    rows = []
    for q in Q:
        s = K @ q / np.sqrt(len(q))
        e = np.exp(s - s.max())
        rows.append(e @ V / e.sum())
    return np.array(rows)


def columns_are_queries(Q, K, V):
    s = K @ Q.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(0))
    return (V.T @ (e / e.sum(0))).T


def through_logarithms(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    return np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True)) @ V


def stacked_by_comprehension(Q, K, V):
    return np.stack([soft((q * K).sum(1) / Q.shape[1] ** 0.5) @ V for q in Q])


def by_broadcasting(Q, K, V):
    s = (Q[:, None, :] * K[None, :, :]).sum(-1) / math.sqrt(Q.shape[-1])
    a = soft(s)
    return (a[:, :, None] * V[None]).sum(1)


def by_outer_products(Q, K, V):
    s = sum(np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1])) / np.sqrt(Q.shape[1])
    return np.matmul(soft(s), V)


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(Q, K, V):
    O = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        s = np.array([q @ k for k in K]) / np.sqrt(len(q))
        w = np.exp(s - s.max())
        for j in range(len(K)):
            O[i] += w[j] * V[j]
        O[i] /= w.sum()
    return O


def other_2(Q, K, V):
    S = np.einsum('nd,md->nm', Q / Q.shape[1] ** 0.5, K)
    E = np.exp(S - S.max(1)[:, None])
    return E @ V / E.sum(1)[:, None]


def other_3(Q, K, V):
    S = Q @ K.T * (np.log2(np.e) / np.sqrt(K.shape[1]))
    S = S - np.max(S, axis=-1, keepdims=True)
    P = np.exp2(S)
    return np.matmul(P / np.sum(P, axis=-1, keepdims=True), V)


def other_4(Q, K, V):

    def sm(r):
        e = np.exp(r - r.max())
        return e / e.sum()
    return np.apply_along_axis(sm, 1, Q.dot(K.T) / np.sqrt(Q.shape[1])).dot(V)


def other_5(Q, K, V):
    S = (K @ Q.T).astype(float) / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(0, keepdims=True))
    return (V.T @ (E / E.sum(0))).T


def in_a_list_1(Q, K, V):
    return [soft(K @ q / np.sqrt(len(q))) @ V for q in Q]


def fresh_columns_are_queries(Q, K, V):
    S = K @ Q.T / Q.shape[1] ** 0.5
    S = S - np.amax(S, axis=0)
    A = np.exp(S) / np.exp(S).sum(axis=0)
    return (V.T @ A).T


def fresh_einsum(Q, K, V):
    S = np.einsum("id,jd->ij", Q, K) * Q.shape[1] ** -0.5
    A = np.exp(S - np.max(S, 1)[:, None])
    A /= np.einsum("ij->i", A)[:, None]
    return np.einsum("ij,je->ie", A, V)
