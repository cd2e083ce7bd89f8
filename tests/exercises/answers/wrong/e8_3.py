# ruff: noqa
"""Wrong answers to 8.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, lengths):
    """after"""
    A = soft(S)
    for i, k in enumerate(lengths):
        A[i, :, k:] = 0
    return A


def hand_2(S, lengths):
    """padding_maximum"""
    A = soft(S)
    for i, k in enumerate(lengths):
        A[i, :, k:] = 0
    return A / A.sum(-1, keepdims=True)


def hand_3(S, lengths):
    """queries"""
    T = S.copy()
    for i, k in enumerate(lengths):
        T[i, k:, :] = -1000000000.0
    return soft(T)


def hand_4(S, lengths):
    """overwrites_input"""
    for i, k in enumerate(lengths):
        S[i, :, k:] = -1000000000.0
    return soft(S)


def hand_5(S, lengths):
    """multiplies"""
    T = S.copy()
    for i, k in enumerate(lengths):
        T[i, :, k:] = 0
    return soft(T)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(S, lengths):
    """epsilon"""
    b, n, m = S.shape
    ok = np.arange(m)[None, None] < np.array(lengths)[:, None, None]
    E = np.exp(S - S.max(-1, keepdims=True)) * ok
    return E / (E.sum(-1, keepdims=True) + 1e-09)


def other_2(S, lengths):
    """one_more"""
    b, n, m = S.shape
    ok = np.arange(m)[None, None] <= np.array(lengths)[:, None, None]
    Z = np.where(ok, S, -np.inf)
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_3(S, lengths):
    """after"""
    b, n, m = S.shape
    E = np.exp(S - S.max(-1, keepdims=True))
    A = E / E.sum(-1, keepdims=True)
    A = A.copy()
    for i, l in enumerate(lengths):
        A[i, :, l:] = 0
    return A


def other_4(S, lengths):
    """queries"""
    b, n, m = S.shape
    ok = np.arange(n)[None, :, None] < np.array(lengths)[:, None, None]
    Z = np.where(ok, S, -1e+30)
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_5(S, lengths):
    """from_the_left"""
    b, n, m = S.shape
    ok = np.arange(m)[None, None] >= m - np.array(lengths)[:, None, None]
    Z = np.where(ok, S, -np.inf)
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_6(S, lengths):
    """first_length"""
    Z = S.copy()
    Z[:, :, lengths[0]:] = -np.inf
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_7(S, lengths):
    """longest"""
    Z = S.copy()
    Z[:, :, max(lengths):] = -np.inf
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_8(S, lengths):
    """overwrites_input"""
    for i, l in enumerate(lengths):
        S[i, :, l:] = -np.inf
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_9(S, lengths):
    """queries_too"""
    Z = S.copy()
    A = np.zeros_like(S)
    for i, l in enumerate(lengths):
        z = Z[i, :l, :l]
        e = np.exp(z - z.max(-1, keepdims=True))
        A[i, :l, :l] = e / e.sum(-1, keepdims=True)
    return A


def other_10(S, lengths):
    """multiplies"""
    Z = S.copy()
    for i, l in enumerate(lengths):
        Z[i, :, l:] = 0
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_11(S, lengths):
    """causal"""
    b, n, m = S.shape
    ok = (np.arange(m)[None, None] < np.array(lengths)[:, None, None]) & np.tri(n, m, m - n, dtype=bool)
    Z = np.where(ok, S, -1e+30)
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_12(S, lengths):
    """no_mask"""
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_13(S, lengths):
    """ragged"""
    out = []
    for s, l in zip(S, lengths):
        z = s[:, :l]
        e = np.exp(z - z.max(-1, keepdims=True))
        out.append(e / e.sum(-1, keepdims=True))
    return out


def other_14(S, lengths):
    """one_column"""
    Z = S.copy()
    for i, l in enumerate(lengths):
        if l < S.shape[2]:
            Z[i, :, l] = -np.inf
    E = np.exp(Z - Z.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def other_15(S, lengths):
    """over_queries"""
    Z = S.copy()
    for i, l in enumerate(lengths):
        Z[i, :, l:] = -1e+30
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def fresh_lengths_per_query(S, lengths):
    """per_query"""
    b, n, m = S.shape
    real = np.array([[[k < lengths[q % b] for k in range(m)] for q in range(n)] for i in range(b)])
    T = np.where(real, S, -np.inf)
    E = np.exp(T - T.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def fresh_queries_masked_too(S, lengths):
    """queries_too"""
    out = np.zeros(S.shape)
    for i, k in enumerate(lengths):
        for q in range(min(k, S.shape[1])):
            s = S[i, q, :k]
            w = np.exp(s - s.max())
            out[i, q, :k] = w / w.sum()
    return out


def fresh_normalises_whole_sequence(S, lengths):
    """over_everything"""
    real = np.arange(S.shape[2]) < lengths[:, None, None]
    X = np.where(real, S, -np.inf)
    E = np.exp(X - X.max(axis=-1, keepdims=True))
    return E / E.sum(axis=(1, 2), keepdims=True)
