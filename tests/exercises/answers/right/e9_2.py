# ruff: noqa
"""Right answers to 9.2 in many hands."""

import math

import numpy as np


def repeated(Q, K, V):
    r = len(Q) // len(K)
    K, V = K.repeat(r, 0), V.repeat(r, 0)
    return soft(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V


def by_view(Q, K, V):
    h, n, d = Q.shape
    g = len(K)
    q = Q.reshape(g, h // g, n, d)
    a = soft(np.einsum("grnd,gmd->grnm", q, K) / math.sqrt(d))
    return np.einsum("grnm,gme->grne", a, V).reshape(h, n, -1)


def head_by_head(Q, K, V):
    g, h = len(K), len(Q)
    return np.stack([soft(Q[t] @ K[t * g // h].T / Q.shape[2] ** 0.5) @ V[t * g // h] for t in range(h)])


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(Q, K, V):
    r = len(Q) // len(K)
    out = []
    for i, q in enumerate(Q):
        S = q @ K[i // r].T / np.sqrt(q.shape[1])
        A = np.exp(S - S.max(1, keepdims=True))
        out.append(A / A.sum(1, keepdims=True) @ V[i // r])
    return np.stack(out)


def other_2(Q, K, V):
    h, n, d = Q.shape
    g = len(K)
    S = np.einsum('grnd,gmd->grnm', Q.reshape(g, h // g, n, d), K) / d ** 0.5
    A = np.exp(S - S.max(-1, keepdims=True))
    A /= A.sum(-1, keepdims=True)
    return np.einsum('grnm,gme->grne', A, V).reshape(h, n, -1)


def fresh_einsum_grouped(Q, K, V):
    h, n, d = Q.shape
    g = K.shape[0]
    q = Q.reshape(g, h // g, n, d)
    s = np.einsum('grnd,gmd->grnm', q, K) / d ** 0.5
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    o = np.einsum('grnm,gme->grne', w, V) / w.sum(axis=-1)[..., None]
    return o.reshape(h, n, V.shape[-1])


def fresh_list_of_lists(Q, K, V):
    def one(q, k, v):
        s = q @ k.T / np.sqrt(q.shape[1])
        w = np.exp(s - s.max(1)[:, None])
        return (w @ v / w.sum(1)[:, None]).tolist()
    r = len(Q) // len(K)
    return [one(Q[i], K[i // r], V[i // r]) for i in range(len(Q))]
