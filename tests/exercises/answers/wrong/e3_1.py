# ruff: noqa
"""Wrong answers to 3.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K):
    """keys_first"""
    return np.dot(K, Q.T)


def hand_2(Q, K):
    """absolute"""
    return np.abs(Q @ K.T)


def hand_3(Q, K):
    """pairs_only"""
    return np.array([Q[i] @ K[i] for i in range(min(len(Q), len(K)))])


def hand_4(Q, K):
    """last_left_at_zero"""
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q) - 1):
        for j in range(len(K)):
            S[i, j] = Q[i] @ K[j]
    return S


def other_1(Q, K):
    """keys_first"""
    return K @ Q.T


def other_2(Q, K):
    """scaled"""
    return Q @ K.T / np.sqrt(Q.shape[1])


def other_3(Q, K):
    """row_by_row"""
    return (Q * K).sum(axis=1)


def other_4(Q, K):
    """no_transpose"""
    return Q @ K


def other_5(Q, K):
    """features"""
    return Q.T @ K


def other_6(Q, K):
    """unnamed"""
    n, d = Q.shape
    m, _ = K.shape
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(n):
            S[i, j] = Q[i] @ K[j]
    return S


def other_7(Q, K):
    """feature_lost"""
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for t in range(Q.shape[1] - 1):
                S[i, j] += Q[i, t] * K[j, t]
    return S


def other_8(Q, K):
    """last_feature"""
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for t in range(Q.shape[1]):
                S[i, j] = Q[i, t] * K[j, t]
    return S


def other_9(Q, K):
    """whole_numbers"""
    S = np.zeros((len(Q), len(K)), dtype=int)
    for i in range(len(Q)):
        for j in range(len(K)):
            S[i, j] = Q[i] @ K[j]
    return S


def other_10(Q, K):
    """distance"""
    return ((Q[:, None] - K[None]) ** 2).sum(-1)


def other_11(Q, K):
    """cosine"""
    return Q / np.linalg.norm(Q, axis=1, keepdims=True) @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T


def other_12(Q, K):
    """not_summed"""
    return Q[:, None, :] * K[None, :, :]


def other_13(Q, K):
    """softmaxed"""
    S = Q @ K.T
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_15(Q, K):
    """queries_only"""
    return Q @ Q.T


def other_16(Q, K):
    """reshaped"""
    return Q @ K.reshape(K.shape[1], K.shape[0])


def fresh_early_return(Q, K):
    """part_only"""
    rows = []
    for q in Q:
        rows.append([q @ k for k in K])
        return rows


def fresh_einsum_sum_all(Q, K):
    """keys_summed"""
    return np.einsum("id,jd->i", Q, K)


def fresh_loop_to_n(Q, K):
    """square_only"""
    n, m = len(Q), len(K)
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(n):
            if j < m:
                S[i, j] = Q[i] @ K[j]
    return S


def fresh_sum_wrong_axis(Q, K):
    """wrong_sum"""
    return (Q[:, None, :] * K[None, :, :]).sum(axis=1)


def fresh_einsum_query_letter_lost(Q, K):
    """axis_sum"""
    return np.einsum("nd,md->m", Q, K)
