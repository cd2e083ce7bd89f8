# ruff: noqa
"""Wrong answers to 2.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(W_Q, W_K):
    """scale_width"""
    return W_Q @ W_K.T / W_Q.shape[0]


def hand_2(W_Q, W_K):
    """transposed"""
    return W_K @ W_Q.T / np.sqrt(W_Q.shape[1])


def hand_3(W_Q, W_K):
    """unnamed"""
    return np.linalg.inv(W_Q.T @ W_K)


def other_1(W_Q, W_K):
    """no_scale"""
    return W_Q @ W_K.T


def other_2(W_Q, W_K):
    """transposed"""
    return W_K @ W_Q.T / np.sqrt(W_Q.shape[1])


def other_3(W_Q, W_K):
    """features"""
    return W_Q.T @ W_K / np.sqrt(W_Q.shape[1])


def other_4(W_Q, W_K):
    """scale_model"""
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[0])


def other_5(W_Q, W_K):
    """symmetric"""
    B = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])
    return (B + B.T) / 2


def other_6(W_Q, W_K):
    """scale_d"""
    return W_Q @ W_K.T / W_Q.shape[1]


def other_7(W_Q, W_K):
    """scale_d"""
    d = W_Q.shape[1]
    return W_Q / np.sqrt(d) @ (W_K / np.sqrt(d)).T


import math


def other_8(W_Q, W_K):
    """whole_root"""
    return W_Q @ W_K.T / math.isqrt(W_Q.shape[1])


def other_9(W_Q, W_K):
    """features"""
    return np.einsum('cd,ce->de', W_Q, W_K) / np.sqrt(W_Q.shape[1])


def other_10(W_Q, W_K):
    """all_pairs"""
    return np.outer(W_Q, W_K) / np.sqrt(W_Q.shape[1])


def other_11(W_Q, W_K):
    """scale_inverse"""
    return W_Q @ W_K.T * W_Q.shape[1] ** 0.5


def other_12(W_Q, W_K):
    """scale_inverse"""
    return W_Q @ W_K.T / W_Q.shape[-1] ** (-0.5)


def fresh_einsum_extra(W_Q, W_K):
    """sums_first"""
    return np.einsum("id,je->ij", W_Q, W_K) / np.sqrt(W_Q.shape[1])


def fresh_half_power(W_Q, W_K):
    """scale_half"""
    d = W_Q.shape[1]
    return W_Q @ W_K.T / (d ** 1 / 2)


def fresh_off_by_one(W_Q, W_K):
    """feature_lost"""
    c, d = W_Q.shape
    B = np.zeros((c, c))
    for t in range(1, d):
        B += np.outer(W_Q[:, t], W_K[:, t])
    return B / np.sqrt(d)


def fresh_softmaxed(W_Q, W_K):
    """softmaxed"""
    B = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])
    E = np.exp(B - B.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_one_number(W_Q, W_K):
    """one_number"""
    c, d = W_Q.shape
    total = 0.0
    for i in range(c):
        total += W_Q[i] @ W_K[i]
    return total / np.sqrt(d)
