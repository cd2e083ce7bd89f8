# ruff: noqa
"""Wrong answers to 6.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V, h, t):
    """scale_model values_width"""
    d = W_Q.shape[1] // h
    Q, K, V = [X @ W[:, t * d:(t + 1) * d] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(X.shape[1])) @ V


def hand_2(X, W_Q, W_K, W_V, h, t):
    """values_width"""
    d = W_Q.shape[1] // h
    Q, K, V = [X @ W[:, t * d:(t + 1) * d] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(d)) @ V


def hand_3(X, W_Q, W_K, W_V, h, t):
    """previous_head"""
    Q, K, V = [np.split(X @ W, h, 1)[t - 1] for W in (W_Q, W_K, W_V)]
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(X, W_Q, W_K, W_V, h, t):
    """interleaved"""
    Q, K, V = (X @ W_Q[:, t::h], X @ W_K[:, t::h], X @ W_V[:, t::h])
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_2(X, W_Q, W_K, W_V, h, t):
    """scale_all"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    Q, K, V = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, t * d:(t + 1) * d], X @ W_V[:, t * e:(t + 1) * e])
    S = Q @ K.T / np.sqrt(W_Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_3(X, W_Q, W_K, W_V, h, t):
    """previous_head"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    t = t - 1
    Q, K, V = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, t * d:(t + 1) * d], X @ W_V[:, t * e:(t + 1) * e])
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_4(X, W_Q, W_K, W_V, h, t):
    """values_width"""
    d = W_Q.shape[1] // h
    b = slice(t * d, (t + 1) * d)
    Q, K, V = (X @ W_Q[:, b], X @ W_K[:, b], X @ W_V[:, b])
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_5(X, W_Q, W_K, W_V, h, t):
    """width_share"""
    d = X.shape[1] // h
    Q, K, V = (X @ W_Q, X @ W_K, X @ W_V)
    Q, K, V = (M[:, t * d:(t + 1) * d] for M in (Q, K, V))
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_6(X, W_Q, W_K, W_V, h, t):
    """sliced_after"""
    Q, K, V = (X @ W_Q, X @ W_K, X @ W_V)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    O = E / E.sum(1, keepdims=True) @ V
    e = V.shape[1] // h
    return O[:, t * e:(t + 1) * e]


def other_7(X, W_Q, W_K, W_V, h, t):
    """no_scale"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    Q, K, V = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, t * d:(t + 1) * d], X @ W_V[:, t * e:(t + 1) * e])
    S = Q @ K.T
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_8(X, W_Q, W_K, W_V, h, t):
    """all_values"""
    d = W_Q.shape[1] // h
    Q, K = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, t * d:(t + 1) * d])
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ (X @ W_V)


def other_9(X, W_Q, W_K, W_V, h, t):
    """reshape_only"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    Q = (X @ W_Q).reshape(h, len(X), d)[t]
    K = (X @ W_K).reshape(h, len(X), d)[t]
    V = (X @ W_V).reshape(h, len(X), e)[t]
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_10(X, W_Q, W_K, W_V, h, t):
    """first_keys"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    Q, K, V = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, :d], X @ W_V[:, t * e:(t + 1) * e])
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_11(X, W_Q, W_K, W_V, h, t):
    """over_queries"""
    d, e = (W_Q.shape[1] // h, W_V.shape[1] // h)
    Q, K, V = (X @ W_Q[:, t * d:(t + 1) * d], X @ W_K[:, t * d:(t + 1) * d], X @ W_V[:, t * e:(t + 1) * e])
    S = Q @ K.T / np.sqrt(d)
    E = np.exp(S - S.max(0))
    return E / E.sum(0) @ V


def fresh_scale_with_e(X, W_Q, W_K, W_V, h, t):
    """scale_values"""
    d, e = W_Q.shape[1] // h, W_V.shape[1] // h
    S = (X @ W_Q[:, t * d:(t + 1) * d]) @ (X @ W_K[:, t * d:(t + 1) * d]).T / np.sqrt(e)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True) @ (X @ W_V[:, t * e:(t + 1) * e])


def fresh_values_not_projected(X, W_Q, W_K, W_V, h, t):
    """values_not_projected"""
    d = W_Q.shape[1] // h
    S = (X @ W_Q[:, t * d:(t + 1) * d]) @ (X @ W_K[:, t * d:(t + 1) * d]).T / np.sqrt(d)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True) @ X


def third_scores(X, W_Q, W_K, W_V, h, t):
    """sliced_after"""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // h
    e = V.shape[1] // h
    S = Q @ K.T / np.sqrt(d)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A = A / A.sum(axis=1, keepdims=True)
    return (A @ V)[:, t*e:(t+1)*e]


def fresh_block_ends_one_early(X, W_Q, W_K, W_V, h, t):
    """column_lost"""
    d = W_Q.shape[1] // h
    e = W_V.shape[1] // h
    Q = (X @ W_Q)[:, t * d:(t + 1) * d - 1]
    K = (X @ W_K)[:, t * d:(t + 1) * d - 1]
    V = (X @ W_V)[:, t * e:(t + 1) * e]
    S = Q @ K.T / np.sqrt(d)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V


def fresh_every_head_returned(X, W_Q, W_K, W_V, h, t):
    """not_picked"""
    n = len(X)
    q, k, v = ((X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    a = np.exp(s - s.max(axis=-1, keepdims=True))
    a /= a.sum(axis=-1, keepdims=True)
    return a @ v


def fresh_rows_of_the_matrices(X, W_Q, W_K, W_V, h, t):
    """rows"""
    w = X.shape[1] // h
    rows = slice(t * w, (t + 1) * w)
    Q, K, V = (X[:, rows] @ W[rows] for W in (W_Q, W_K, W_V))
    S = Q @ K.T / np.sqrt(W_Q.shape[1] // h)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    return A @ V / A.sum(axis=1, keepdims=True)


def fresh_all_heads_returned(X, W_Q, W_K, W_V, h, t):
    """all_heads"""
    out = []
    for Q, K, V in zip(*(np.split(X @ W, h, axis=1) for W in (W_Q, W_K, W_V))):
        S = Q @ K.T / np.sqrt(Q.shape[1])
        P = np.exp(S - S.max(axis=1, keepdims=True))
        out.append(P / P.sum(axis=1, keepdims=True) @ V)
    return np.concatenate(out, axis=1)


def fresh_cuts_tokens_columns(X, W_Q, W_K, W_V, h, t):
    """rows"""
    c = X.shape[1] // h
    x = X[:, t*c:(t+1)*c]
    rows = slice(t*c, (t+1)*c)
    d, e = W_Q.shape[1] // h, W_V.shape[1] // h
    Q, K, V = x @ W_Q[rows, :d], x @ W_K[rows, :d], x @ W_V[rows, :e]
    S = Q @ K.T / np.sqrt(d)
    P = np.exp(S - S.max(axis=1, keepdims=True))
    return P / P.sum(axis=1, keepdims=True) @ V


def fresh_heads_from_the_end(X, W_Q, W_K, W_V, h, t):
    """reversed"""
    Q, K, V = (np.split(X @ W, h, axis=1)[h - 1 - t] for W in (W_Q, W_K, W_V))
    S = Q @ K.T / np.sqrt(Q.shape[1])
    P = np.exp(S - S.max(1, keepdims=True))
    return P / P.sum(1, keepdims=True) @ V


def fresh_other_heads_zeroed_but_kept(X, W_Q, W_K, W_V, h, t):
    """not_cut"""
    d, e = W_Q.shape[1] // h, W_V.shape[1] // h
    Q, K, V = (np.split(X @ W, h, axis=1)[t] for W in (W_Q, W_K, W_V))
    S = Q @ K.T / np.sqrt(d)
    P = np.exp(S - S.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    out = np.zeros((len(X), h * e))
    out[:, t*e:(t+1)*e] = P @ V
    return out
