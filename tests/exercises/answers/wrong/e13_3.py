# ruff: noqa
"""Wrong answers to 13.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K, V, beta):
    """no_correction"""
    return np.tril(Q @ K.T) @ (beta[:, None] * V)


def hand_2(Q, K, V, beta):
    """first_term"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ ((np.eye(len(K)) - N) @ (beta[:, None] * V))


def hand_3(Q, K, V, beta):
    """multiplies"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ ((np.eye(len(K)) + N) @ (beta[:, None] * V))


def hand_4(Q, K, V, beta):
    """with_diagonal"""
    N = beta[:, None] * np.tril(K @ K.T)
    return np.tril(Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_5(Q, K, V, beta):
    """beta_missing_on_v"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, V)


def hand_6(Q, K, V, beta):
    """beta_missing_in_n"""
    N = np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_7(Q, K, V, beta):
    """reads_first"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T, -1) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_8(Q, K, V, beta):
    """reads_first"""
    Z, Y = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        Y.append(q @ Z)
        Z = Z + b * np.outer(k, v - k @ Z)
    return np.array(Y)


def hand_9(Q, K, V, beta):
    """queries_in_n"""
    N = beta[:, None] * np.tril(Q @ K.T, -1)
    return np.tril(Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_10(Q, K, V, beta):
    """sees_ahead"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return (Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_11(Q, K, V, beta):
    """scaled"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) / np.sqrt(Q.shape[1]) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def hand_13(Q, K, V, beta):
    """beta_after"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ (beta[:, None] * np.linalg.solve(np.eye(len(K)) + N, V))


def hand_14(Q, K, V, beta):
    """values_in_place_of_writes"""
    N = beta[:, None] * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ (beta[:, None] * V - N @ V)


def hand_12(Q, K, V, beta):
    """beta_along_columns"""
    N = beta * np.tril(K @ K.T, -1)
    return np.tril(Q @ K.T) @ np.linalg.solve(np.eye(len(K)) + N, beta[:, None] * V)


def third_unit_keys(Q, K, V, beta):
    """unit_keys"""
    K = K / np.linalg.norm(K, axis=1, keepdims=True)
    Z = np.zeros((K.shape[1], V.shape[1]))
    out = np.zeros(V.shape)
    for i in range(len(beta)):
        Z = Z + beta[i] * np.outer(K[i], V[i] - K[i] @ Z)
        out[i] = Q[i] @ Z
    return out


def fresh_beta_twice(Q, K, V, beta):
    """beta_twice"""
    n = len(K)
    T = np.eye(n) + np.tril(beta[:, None] * (K @ K.T), -1)
    U = np.linalg.solve(T, beta[:, None] * V)
    return np.tril(Q @ K.T) @ (beta[:, None] * U)


def fresh_keys_with_queries(Q, K, V, beta):
    """queries_in_n"""
    n = len(K)
    T = np.eye(n) + np.tril(beta[:, None] * (K @ Q.T), -1)
    U = np.linalg.solve(T, beta[:, None] * V)
    return np.tril(Q @ K.T) @ U


def fresh_starts_from_identity(Q, K, V, beta):
    """starts_from_identity"""
    Z = np.eye(K.shape[1], V.shape[1])
    out = []
    for q, k, v, b in zip(Q, K, V, beta):
        Z = Z + b * np.outer(k, v - k @ Z)
        out.append(q @ Z)
    return np.stack(out)
