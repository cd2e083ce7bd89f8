# ruff: noqa
"""Right answers to 6.3 in many hands."""

import math

import numpy as np


def head_by_head(X, W_Q, W_K, W_V, W_O, h):
    out = []
    for t in range(h):
        q, k, v = (np.split(X @ W, h, axis=1)[t] for W in (W_Q, W_K, W_V))
        out.append(soft(q @ k.T / np.sqrt(q.shape[1])) @ v)
    return np.concatenate(out, axis=1) @ W_O


def sum_of_writes(X, W_Q, W_K, W_V, W_O, h):
    y = 0
    for wq, wk, wv, wo in zip(*(np.split(W, h, 1) for W in (W_Q, W_K, W_V)), np.split(W_O, h, 0)):
        y = y + soft(X @ wq @ wk.T @ X.T / np.sqrt(wq.shape[1])) @ X @ (wv @ wo)
    return y


def by_einsum(X, W_Q, W_K, W_V, W_O, h):
    q, k, v = (np.einsum("nc,chd->hnd", X, W.reshape(len(W), h, -1)) for W in (W_Q, W_K, W_V))
    a = soft(np.einsum("hnd,hmd->hnm", q, k) / math.sqrt(q.shape[-1]))
    return np.einsum("hnm,hme,hec->nc", a, v, W_O.reshape(h, -1, W_O.shape[1]))


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(X, W_Q, W_K, W_V, W_O, h):
    out = 0
    for q, k, v, o in zip(np.hsplit(W_Q, h), np.hsplit(W_K, h), np.hsplit(W_V, h), np.vsplit(W_O, h)):
        S = X @ q @ (X @ k).T / np.sqrt(q.shape[1])
        A = np.exp(S - S.max(1, keepdims=True))
        out = out + A / A.sum(1, keepdims=True) @ X @ v @ o
    return out


def other_2(X, W_Q, W_K, W_V, W_O, h):
    c = X.shape[1]
    Q = np.einsum('nc,chd->hnd', X, W_Q.reshape(c, h, -1))
    K = np.einsum('nc,chd->hnd', X, W_K.reshape(c, h, -1))
    V = np.einsum('nc,che->hne', X, W_V.reshape(c, h, -1))
    S = np.einsum('hid,hjd->hij', Q, K) / np.sqrt(Q.shape[-1])
    A = np.exp(S - S.max(-1, keepdims=True))
    A /= A.sum(-1, keepdims=True)
    return np.einsum('hij,hje,hec->ic', A, V, W_O.reshape(h, -1, W_O.shape[1]))


def fresh_all_einsum(X, W_Q, W_K, W_V, W_O, h):
    n, c = X.shape
    Q, K, V = ((X @ W).reshape(n, h, -1) for W in (W_Q, W_K, W_V))
    S = np.einsum("iha,jha->hij", Q, K) / np.sqrt(Q.shape[2])
    E = np.exp(S - S.max(axis=2, keepdims=True))
    A = E / E.sum(axis=2, keepdims=True)
    return np.einsum("hij,jhe,hec->ic", A, V, W_O.reshape(h, -1, W_O.shape[1]))


def fresh_hstack_of_heads(X, W_Q, W_K, W_V, W_O, h):
    heads = []
    for wq, wk, wv in zip(np.hsplit(W_Q, h), np.hsplit(W_K, h), np.hsplit(W_V, h)):
        S = (X @ wq) @ (X @ wk).T * wq.shape[1] ** -0.5
        L = np.logaddexp.reduce(S, axis=1)
        heads.append(np.exp(S - L[:, None]) @ (X @ wv))
    return np.hstack(heads) @ W_O
