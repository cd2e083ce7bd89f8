# ruff: noqa
"""Wrong answers to 3.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K):
    """unnamed"""
    return np.array([Q[:, t] @ K[:, t].T if len(Q) == len(K) else 0.0 for t in range(Q.shape[1])])


def hand_3(Q, K):
    """axes_exchanged"""
    return Q[:, :, None] * K.T[None]


def hand_4(Q, K):
    """part_left_at_zero"""
    T = np.zeros((Q.shape[1], len(Q), len(K)))
    for t in range(1, Q.shape[1]):
        T[t] = np.outer(Q[:, t], K[:, t])
    return T


def other_1(Q, K):
    """features_last"""
    return Q[:, None, :] * K[None, :, :]


def other_2(Q, K):
    """summed"""
    return Q @ K.T


def other_3(Q, K):
    """rows"""
    return np.array([np.outer(Q[i], K[i]) for i in range(min(len(Q), len(K)))])


def other_4(Q, K):
    """keys_first"""
    return np.einsum('nd,md->dmn', Q, K)


def other_5(Q, K):
    """reshaped"""
    T = Q[:, None, :] * K[None, :, :]
    return T.reshape(Q.shape[1], len(Q), len(K))


def other_6(Q, K):
    """running"""
    return np.cumsum(np.einsum('nd,md->dnm', Q, K), axis=0)


def other_7(Q, K):
    """first_lost"""
    return np.array([np.outer(Q[:, i], K[:, i]) for i in range(1, Q.shape[1])])


def other_8(Q, K):
    """scaled"""
    return np.einsum('nd,md->dnm', Q, K) / np.sqrt(Q.shape[1])


def other_10(Q, K):
    """singular"""
    U, s, Vt = np.linalg.svd(Q @ K.T, full_matrices=False)
    T = np.zeros((Q.shape[1], len(Q), len(K)))
    for i in range(min(len(s), Q.shape[1])):
        T[i] = s[i] * np.outer(U[:, i], Vt[i])
    return T


def other_11(Q, K):
    """unnamed"""
    return np.stack([np.outer(Q[:, -i], K[:, -i]) for i in range(Q.shape[1])])


def other_12(Q, K):
    """divided"""
    return np.einsum('nd,md->dnm', Q, K) / Q.shape[1]


def other_13(Q, K):
    """features_last"""
    return np.stack([np.outer(Q[:, i], K[:, i]) for i in range(Q.shape[1])], axis=-1)


def fresh_all_pairs(Q, K):
    """all_pairs"""
    return np.einsum("is,jt->stij", Q, K).reshape(-1, len(Q), len(K))


def fresh_features_middle(Q, K):
    """axes_exchanged"""
    return Q[:, :, None] * K.T[None, :, :]


def fresh_hstacked(Q, K):
    """side_by_side"""
    return np.hstack([np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1])])


def fresh_inner_products(Q, K):
    """inner"""
    return np.array([Q[:, t] @ K[:, t] for t in range(Q.shape[1])])


def fresh_last_missing(Q, K):
    """last_left_at_zero"""
    n, d = Q.shape
    T = np.zeros((d, n, len(K)))
    for t in range(d - 1):
        T[t] = np.outer(Q[:, t], K[:, t])
    return T


def fresh_len_q(Q, K):
    """part_only"""
    return np.stack([np.outer(Q[:, t], K[:, t]) for t in range(len(Q))])


def fresh_reversed(Q, K):
    """order_only"""
    return np.stack([np.outer(Q[:, t], K[:, t]) for t in range(Q.shape[1] - 1, -1, -1)])


def fresh_rows_not_columns(Q, K):
    """rows"""
    return np.array([np.outer(Q[t], K[t]) for t in range(min(len(Q), len(K)))])


def fresh_shared_evenly(Q, K):
    """even_parts"""
    d = Q.shape[1]
    return np.stack([Q @ K.T / d] * d)


def fresh_svd(Q, K):
    """singular"""
    U, s, Vt = np.linalg.svd(Q @ K.T, full_matrices=False)
    T = np.zeros((Q.shape[1], len(Q), len(K)))
    for t in range(min(len(s), len(T))):
        T[t] = s[t] * np.outer(U[:, t], Vt[t])
    return T


def fresh_all_feature_pairs(Q, K):
    """all_pairs"""
    return np.einsum("is,jt->stij", Q, K)


def fresh_pairs_added(Q, K):
    """added"""
    return Q.T[:, :, None] + K.T[:, None, :]


def fresh_same_array_appended(Q, K):
    """same_array"""
    terms = []
    S = np.zeros((Q.shape[0], K.shape[0]))
    for t in range(Q.shape[1]):
        S += np.outer(Q[:, t], K[:, t])
        terms.append(S)
    return np.array(terms)
