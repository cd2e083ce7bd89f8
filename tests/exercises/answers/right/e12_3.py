# ruff: noqa
"""Right answers to 12.3 in many hands."""

import math

import numpy as np


def plain(Q, K, V, block):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        S = Q @ K[i : i + block].T / np.sqrt(K.shape[1])
        new = np.maximum(m, S.max(1))
        c, E = np.exp(m - new), np.exp(S - new[:, None])
        l = l * c + E.sum(1)
        o = o * c[:, None] + E @ V[i : i + block]
        m = new
    return o / l[:, None]


def query_by_query(Q, K, V, block):
    out = np.empty((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        m, l, o = -np.inf, 0.0, 0.0
        for j in range(0, len(K), block):
            s = K[j : j + block] @ q / math.sqrt(len(q))
            new = max(m, s.max())
            e = np.exp(s - new)
            l, o, m = l * math.exp(m - new) + e.sum(), o * math.exp(m - new) + e @ V[j : j + block], new
        out[i] = o / l
    return out


def scaled_first(Q, K, V, block):
    q = Q / np.sqrt(Q.shape[1])
    m = np.full((len(Q), 1), -1e30)
    l = np.zeros((len(Q), 1))
    y = np.zeros((len(Q), V.shape[1]))
    for j in range(0, len(K), block):
        s = q @ K[j : j + block].T
        t = np.maximum(m, s.max(1, keepdims=True))
        e = np.exp(s - t)
        old = l * np.exp(m - t)
        l = old + e.sum(1, keepdims=True)
        y = y * (old / l) + (e / l) @ V[j : j + block]
        m = t
    return y


def other_1(Q, K, V, block):
    n, d = Q.shape
    Q = Q / np.sqrt(d)
    m = np.full(n, -np.inf)
    l = np.zeros(n)
    o = np.zeros((n, V.shape[1]))
    for j in range(0, K.shape[0], block):
        S = Q @ K[j:j + block].T
        new = np.maximum(m, S.max(axis=1))
        c = np.exp(m - new)
        P = np.exp(S - new[:, None])
        l = c * l + P.sum(axis=1)
        o = c[:, None] * o + P @ V[j:j + block]
        m = new
    return o / l[:, None]


def other_2(Q, K, V, block):
    n, d = Q.shape
    L = np.full(n, -np.inf)
    o = np.zeros((n, V.shape[1]))
    for Kj, Vj in ((K[j:j + block], V[j:j + block]) for j in range(0, len(K), block)):
        S = Q @ Kj.T / d ** 0.5
        L2 = np.logaddexp(L, np.logaddexp.reduce(S, axis=1))
        o = o * np.exp(L - L2)[:, None] + np.exp(S - L2[:, None]) @ Vj
        L = L2
    return o


def fresh_float32_lse(Q, K, V, block):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    n, d = Q.shape
    lse = np.full((n, 1), -np.inf, np.float32)
    out = np.zeros((n, V.shape[1]), np.float32)
    for a in range(0, len(K), block):
        t = Q @ K[a:a + block].T / np.float32(np.sqrt(d))
        m = t.max(axis=1, keepdims=True)
        p = np.exp(t - m)
        z = p.sum(axis=1, keepdims=True)
        new = np.logaddexp(lse, m + np.log(z))
        out = np.exp(lse - new) * out + np.exp(m - new) * (p @ V[a:a + block])
        lse = new
    return out
