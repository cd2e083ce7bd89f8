# ruff: noqa
"""Wrong answers to 13.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(alpha):
    """own_gate_too"""
    n = len(alpha)
    return np.array([[np.prod(alpha[j : i + 1]) if j <= i else 0.0 for j in range(n)] for i in range(n)])


def hand_2(alpha):
    """last_gate_missing"""
    n = len(alpha)
    return np.array([[np.prod(alpha[j + 1 : i]) if j <= i else 0.0 for j in range(n)] for i in range(n)])


def hand_3(alpha):
    """quotient"""
    c = np.cumprod(alpha)
    with np.errstate(all="ignore"):
        return np.tril(c[:, None] / c)


def hand_4(alpha):
    """future_inverse"""
    c = np.cumsum(np.log(alpha))
    return np.exp(c[:, None] - c)


def hand_5(alpha):
    """power_of_the_asker"""
    i, j = np.indices((len(alpha), len(alpha)))
    return np.tril(alpha[:, None] ** np.maximum(i - j, 0))


def hand_6(alpha):
    """transposed"""
    n = len(alpha)
    return np.array([[np.prod(alpha[i + 1 : j + 1]) if i <= j else 0.0 for j in range(n)] for i in range(n)])


def hand_7(alpha):
    """no_diagonal"""
    n = len(alpha)
    return np.array([[np.prod(alpha[j + 1 : i + 1]) if j < i else 0.0 for j in range(n)] for i in range(n)])


def hand_8(alpha):
    """future_ones"""
    n = len(alpha)
    return np.array([[np.prod(alpha[j + 1 : i + 1]) for j in range(n)] for i in range(n)])


def hand_9(alpha):
    """sums"""
    c = np.cumsum(alpha)
    return np.tril(c[:, None] - c)


def hand_10(alpha):
    """one_early"""
    n = len(alpha)
    return np.array([[np.prod(alpha[j:i]) if j <= i else 0.0 for j in range(n)] for i in range(n)])


def hand_11(alpha):
    """from_the_start"""
    return np.tril(np.repeat(np.cumprod(alpha)[:, None], len(alpha), 1))


def hand_12(alpha):
    """one_gate_for_all"""
    i, j = np.indices((len(alpha), len(alpha)))
    return np.tril(alpha[0] ** np.maximum(i - j, 0))


def third_zero_gate(alpha):
    """zero_gate"""
    with np.errstate(all="ignore"):
        L = np.cumsum(np.log(alpha))
        D = L[:, None] - L[None, :]
        D[np.triu_indices(len(alpha), 1)] = -np.inf
        return np.exp(D)


def third_clip(alpha):
    """raised_gates"""
    L = np.cumsum(np.log(np.maximum(alpha, 1e-3)))
    return np.tril(np.exp(np.minimum(L[:, None] - L[None, :], 0)))


def by_logarithms(alpha):
    """zero_gate"""
    c = np.cumsum(np.log(alpha))
    i, j = np.indices((len(alpha), len(alpha)))
    return np.where(j <= i, np.exp(np.minimum(c[:, None] - c[None], 0)), 0)


def fresh_epsilon_in_log(alpha):
    """raised_gates"""
    g = np.cumsum(np.log(alpha + 1e-3))
    D = np.exp(np.minimum(g[:, None] - g[None, :], 0))
    return np.tril(D)


def fresh_nan_replaced_by_zero(alpha):
    """nan_replaced"""
    p = np.cumprod(alpha)
    with np.errstate(all="ignore"):
        D = p[:, None] / p[None, :]
    return np.tril(np.nan_to_num(D, nan=0.0, posinf=0.0))
