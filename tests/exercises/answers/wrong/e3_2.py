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
