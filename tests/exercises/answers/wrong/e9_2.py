# ruff: noqa
"""Wrong answers to 9.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K, V):
    """tile"""
    r = len(Q) // len(K)
    K, V = (np.tile(K, (r, 1, 1)), np.tile(V, (r, 1, 1)))
    return soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def hand_2(Q, K, V):
    """scale_number"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    return soft(Q @ K.swapaxes(1, 2) / np.sqrt(len(Q))) @ V


def hand_3(Q, K, V):
    """unnamed"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 1), np.repeat(V, r, 1))
    return soft(Q[:len(K)] @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def sm_1(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_1.helper = True


def other_1(Q, K, V):
    """tile"""
    r = len(Q) // len(K)
    K, V = (np.tile(K, (r, 1, 1)), np.tile(V, (r, 1, 1)))
    return sm_1(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V


def sm_2(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_2.helper = True


def other_2(Q, K, V):
    """values_tiled"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.tile(V, (r, 1, 1)))
    return sm_2(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V


def sm_3(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_3.helper = True


def other_3(Q, K, V):
    """multi_query"""
    return sm_3(Q @ K[0].T / np.sqrt(Q.shape[-1])) @ V[0]


def sm_4(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_4.helper = True


def other_4(Q, K, V):
    """no_scale"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    return sm_4(Q @ K.transpose(0, 2, 1)) @ V


def sm_5(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_5.helper = True


def other_5(Q, K, V):
    """queries_pooled"""
    g = len(K)
    h, n, d = Q.shape
    Q = Q.reshape(g, h // g, n, d).mean(1)
    O = sm_5(Q @ K.transpose(0, 2, 1) / np.sqrt(d)) @ V
    return np.repeat(O, h // g, 0)


def sm_6(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_6.helper = True


def other_6(Q, K, V):
    """tile"""
    g = len(K)
    h, n, d = Q.shape
    q = Q.reshape(h // g, g, n, d)
    O = sm_6(q @ K.transpose(0, 2, 1) / np.sqrt(d)) @ V
    return O.reshape(h, n, -1)


def sm_7(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_7.helper = True


def other_7(Q, K, V):
    """scale_heads"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    return sm_7(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1] * len(Q))) @ V


def other_8(Q, K, V):
    """over_queries"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def sm_9(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_9.helper = True


def other_9(Q, K, V):
    """all_keys_together"""
    Kc, Vc = (np.concatenate(K), np.concatenate(V))
    return sm_9(Q @ Kc.T / np.sqrt(Q.shape[-1])) @ Vc


def sm_10(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_10.helper = True


def other_10(Q, K, V):
    """scale_tokens"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    return sm_10(Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[1])) @ V


def other_11(Q, K, V):
    """no_shift"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    E = np.exp(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return E / E.sum(-1, keepdims=True) @ V


def sm_12(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_12.helper = True


def other_12(Q, K, V):
    """summed"""
    r = len(Q) // len(K)
    K, V = (np.repeat(K, r, 0), np.repeat(V, r, 0))
    O = sm_12(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V
    return O.reshape(-1, r, *O.shape[1:]).sum(1)


def third_causal(Q, K, V):
    """causal"""
    h, n, d = Q.shape
    m = K.shape[1]
    r = h // K.shape[0]
    K = np.repeat(K, r, 0)
    V = np.repeat(V, r, 0)
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(d)
    S = np.where(np.tri(n, m, max(m - n, 0), dtype=bool), S, -np.inf)
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True) @ V
