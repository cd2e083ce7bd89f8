# ruff: noqa
"""Wrong answers to 5.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(A, V):
    """transposed"""
    return A.T @ V


def hand_2(A, V):
    """divided"""
    return (A[:, :, None] * V[None]).mean(1)


def hand_3(A, V):
    """hard"""
    return V[A.argmax(1)]


def hand_4(A, V):
    """another_mean"""
    return (A[:, :, None] * V[None]).max(1)


def other_1(A, V):
    """transposed"""
    return A.T @ V


def other_2(A, V):
    """elementwise"""
    return A * V


def other_3(A, V):
    """values_left"""
    return V @ A


def other_4(A, V):
    """divided"""
    return (A[:, :, None] * V[None]).mean(axis=1)


def other_5(A, V):
    """softmax_again"""
    E = np.exp(A)
    return E / E.sum(1, keepdims=True) @ V


def other_6(A, V):
    """hard"""
    return V[A.argmax(axis=1)]


def other_7(A, V):
    """output_transposed"""
    return (A @ V).T


def other_8(A, V):
    """divided"""
    return A @ V / A.shape[1]


def other_9(A, V):
    """unnamed"""
    n = A.shape[0]
    out = np.zeros((n, V.shape[1]))
    for i in range(n):
        for j in range(n):
            out[i] += A[i, j] * V[j]
    return out


def other_10(A, V):
    """over_features"""
    return (A[:, :, None] * V[None]).sum(axis=2)


def other_11(A, V):
    """last_only"""
    out = np.zeros((A.shape[0], V.shape[1]))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            out[i] = A[i, j] * V[j]
    return out


def other_12(A, V):
    """pooled"""
    return np.tile(A.mean(0) @ V, (len(A), 1))


def other_13(A, V):
    """running"""
    acc = np.zeros(V.shape[1])
    rows = []
    for i in range(len(A)):
        for j in range(len(V)):
            acc = acc + A[i, j] * V[j]
        rows.append(acc)
    return np.array(rows)


def other_14(A, V):
    """same_row"""
    acc = np.zeros(V.shape[1])
    rows = []
    for i in range(len(A)):
        acc[:] = A[i] @ V
        rows.append(acc)
    return np.array(rows)


def fresh_both_axes_summed(A, V):
    """features_summed"""
    return np.einsum("ij,je->i", A, V)


def fresh_last_key_left_out(A, V):
    """key_lost"""
    out = np.zeros((A.shape[0], V.shape[1]))
    for i in range(A.shape[0]):
        for j in range(A.shape[1] - 1):
            out[i] += A[i, j] * V[j]
    return out


def fresh_reshaped_not_transposed(A, V):
    """reshaped"""
    n, m = A.shape
    e = V.shape[1]
    return (A.reshape(n, m, 1) * V.reshape(1, e, m).transpose(0, 2, 1)).sum(axis=1)


def fresh_small_weights_dropped(A, V):
    """input_small"""
    W = np.where(A < 0.1, 0.0, A)
    return W @ V


def fresh_log_space_underflow(A, V):
    """largest_one"""
    with np.errstate(divide='ignore'):
        L = np.log(A)
    return np.exp(L - L.max(axis=1, keepdims=True)) @ V


def fresh_residual_left_in(A, V):
    """residual"""
    out = A @ V
    k = min(len(out), len(V))
    out[:k] += V[:k]
    return out
