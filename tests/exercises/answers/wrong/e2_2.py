# ruff: noqa
"""Wrong answers to 2.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, M, W_Q, W_K, W_V):
    """keys_first"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(K @ Q.T / np.sqrt(Q.shape[1])) @ V


def hand_2(X, M, W_Q, W_K, W_V):
    """scale_tokens"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(Q @ K.T / np.sqrt(len(M))) @ V


def hand_3(X, M, W_Q, W_K, W_V):
    """both"""
    Z = np.vstack([X, M])
    Q, K, V = (X @ W_Q, Z @ W_K, Z @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def hand_4(X, M, W_Q, W_K, W_V):
    """over_queries"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1]), 0) @ V


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def a_1(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ V


a_1.helper = True


def other_1(X, M, W_Q, W_K, W_V):
    """self_attention"""
    return a_1(X @ W_Q, X @ W_K, X @ W_V)


def a_2(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ V


a_2.helper = True


def other_2(X, M, W_Q, W_K, W_V):
    """exchanged"""
    return a_2(M @ W_Q, X @ W_K, X @ W_V)


def a_3(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ V


a_3.helper = True


def other_3(X, M, W_Q, W_K, W_V):
    """values_from_x"""
    return a_3(X @ W_Q, M @ W_K, X @ W_V)


def a_4(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ V


a_4.helper = True


def other_4(X, M, W_Q, W_K, W_V):
    """both"""
    Z = np.vstack([X, M])
    return a_4(X @ W_Q, Z @ W_K, Z @ W_V)


def other_5(X, M, W_Q, W_K, W_V):
    """scale_model"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    s = Q @ K.T / np.sqrt(X.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


def other_6(X, M, W_Q, W_K, W_V):
    """no_scale"""
    Q, K, V = (X @ W_Q, M @ W_K, M @ W_V)
    s = Q @ K.T
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


def other_7(X, M, W_Q, W_K, W_V):
    """keys_from_queries"""
    Q, K, V = (X @ W_Q, M @ W_Q, M @ W_V)
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


def other_8(X, M, W_Q, W_K, W_V):
    """over_queries"""
    s = X @ W_Q @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
    e = np.exp(s - s.max(0))
    return e / e.sum(0) @ (M @ W_V)


def other_9(X, M, W_Q, W_K, W_V):
    """memory_not_projected"""
    s = X @ W_Q @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ M


def other_10(X, M, W_Q, W_K, W_V):
    """one_shift"""
    s = X @ W_Q @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum(-1, keepdims=True) @ (M @ W_V)


def other_11(X, M, W_Q, W_K, W_V):
    """residual"""
    s = X @ W_Q @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ (M @ W_V) + X @ W_V


def fresh_residual(X, M, W_Q, W_K, W_V):
    """residual"""
    S = (X @ W_Q) @ (M @ W_K).T / np.sqrt(W_Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return X + (E / E.sum(axis=1, keepdims=True)) @ (M @ W_V)


def fresh_scale_after(X, M, W_Q, W_K, W_V):
    """scale_after"""
    S = (X @ W_Q) @ (M @ W_K).T
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True) / np.sqrt(W_Q.shape[1])
    return A @ (M @ W_V)
