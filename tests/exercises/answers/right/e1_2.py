# ruff: noqa
"""Right answers to 1.2 in many hands."""

import math

import numpy as np


def plain(q, K, V):
    return soft(K @ q / np.sqrt(q.size)) @ V


def keys_one_by_one(q, K, V):
    s = np.array([np.dot(q, k) for k in K]) / math.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w[:, None] * V).sum(0) / w.sum()


def as_a_row(q, K, V):
    S = q[None] @ K.T / len(q) ** 0.5
    return (soft(S) @ V)[0]


def loops(q, K, V):
    s = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]
    w = [math.exp(x - max(s)) for x in s]
    return np.array([sum(wi * v[t] for wi, v in zip(w, V)) / sum(w) for t in range(V.shape[1])])


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


import math


def other_1(q, K, V):
    d = len(q)
    sc = [sum((a * b for a, b in zip(q, k))) / math.sqrt(d) for k in K]
    top = max(sc)
    es = [math.exp(x - top) for x in sc]
    tot = sum(es)
    out = np.zeros(V.shape[1])
    for e, v in zip(es, V):
        out += e / tot * v
    return out


def other_2(q, K, V):
    s = K.dot(q) * len(q) ** (-0.5)
    return np.exp(s - np.logaddexp.reduce(s)).dot(V)


def other_3(q, K, V):
    s = np.einsum('md,d->m', K, q) / np.sqrt(K.shape[-1])
    return np.average(V, axis=0, weights=np.exp(s - s.max()))


def other_4(q, K, V):
    s = (K * q).sum(1) / q.size ** 0.5
    with np.errstate(over='ignore'):
        w = 1 / np.exp(s[None, :] - s[:, None]).sum(1)
    return w @ V


def in_single_precision_1(q, K, V):
    s = (K @ q / np.sqrt(len(q))).astype(np.float32)
    e = np.exp(s - s.max())
    return e / e.sum() @ V.astype(np.float32)


def fresh_batch_of_one(q, K, V):
    Q = q.reshape(1, -1)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return ((E / E.sum(axis=1, keepdims=True)) @ V)[0]


def fresh_differences(q, K, V):
    s = K.dot(q) * len(q) ** -0.5
    # 1 / sum_k exp(s_k - s_j)
    with np.errstate(over="ignore"):
        a = 1 / np.exp(s[None, :] - s[:, None]).sum(axis=1)
    return np.average(V, axis=0, weights=a)
