# ruff: noqa
"""Wrong answers to 4.4; each docstring is the diagnosis on record."""

import numpy as np


def sigmoid_like(p):
    """vector"""
    return p * (1 - p)


def on_the_diagonal(p):
    """diagonal_only"""
    return np.diag(p * (1 - p))


def dot_for_outer(p):
    """scalar"""
    return np.diag(p) - p @ p.T


def plus(p):
    """plus"""
    return np.diag(p) + np.outer(p, p)


def turned_round(p):
    """sign"""
    return np.outer(p, p) - np.diag(p)


def identity_minus_outer(p):
    """identity"""
    return np.eye(len(p)) - np.outer(p, p)


def loops_with_a_slip(p):
    """all_positive"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else p[i] * p[j]
    return J


def derivative_of_the_logarithm(p):
    """log_softmax"""
    return np.eye(len(p)) - p


def flat(p):
    """shape_only"""
    return (np.diag(p) - np.outer(p, p)).ravel()


def halved(p):
    """unnamed"""
    return 0.5 * (np.diag(p) - np.outer(p, p))


def numerically_and_roughly(p):
    """coarse_step"""
    s = np.log(p)
    f = lambda s: np.exp(s) / np.exp(s).sum()
    return np.stack([(f(s + 1e-2 * u) - f(s)) / 1e-2 for u in np.eye(len(p))], 1)


def other_1(p):
    """diagonal_only"""
    return np.diag(p * (1 - p))


def other_2(p):
    """sign"""
    return np.outer(p, p) - np.diag(p)


def other_3(p):
    """identity"""
    return np.eye(len(p)) - np.outer(p, p)


def other_4(p):
    """no_diagonal"""
    return -np.outer(p, p)


def other_5(p):
    """one_minus"""
    return np.outer(p, 1 - p)


def other_6(p):
    """squares_beside"""
    return np.diag(p) - p ** 2


def other_7(p):
    """scalar"""
    return np.diag(p) - p @ p.T


def other_8(p):
    """softmax_again"""
    e = np.exp(p - p.max())
    q = e / e.sum()
    return np.diag(q) - np.outer(q, q)


def other_9(p):
    """all_positive"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[j]) if i == j else p[i] * p[j]
    return J


def other_10(p):
    """last_left_at_zero"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n - 1):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def other_11(p):
    """unnamed"""
    r = np.sqrt(p)
    return np.diag(r) - np.outer(r, r)


def other_12(p):
    """vector"""
    return p * (1 - p)


def other_13(p):
    """coarse_step"""
    n = len(p)
    J = np.zeros((n, n))
    s = np.log(p)
    h = 0.01
    for j in range(n):
        t = s.copy()
        t[j] += h
        e = np.exp(t)
        J[:, j] = (e / e.sum() - p) / h
    return J


def other_14(p):
    """log_softmax"""
    return np.eye(len(p)) - p[None, :]


def other_15(p):
    """diagonal_without_p"""
    J = -np.outer(p, p)
    np.fill_diagonal(J, 1 - p)
    return J


def fresh_int_array(p):
    """whole_numbers"""
    n = len(p)
    J = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def fresh_last_row_missing(p):
    """last_left_at_zero"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n - 1):
        for j in range(n):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def fresh_row_sums(p):
    """rows_added"""
    return (np.diag(p) - np.outer(p, p)).sum(axis=1)


def fresh_squared(p):
    """no_own"""
    return np.diag(p ** 2) - np.outer(p, p)


def fresh_upper_only(p):
    """half_filled"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            J[i, j] = (p[i] if i == j else 0) - p[i] * p[j]
    return J


def fresh_zero_diagonal(p):
    """no_own"""
    J = -np.outer(p, p)
    np.fill_diagonal(J, 0)
    return J


def fresh_diagonal_writes_into_p(p):
    """overwrites_input"""
    J = np.zeros((len(p), len(p)))
    q = p
    q *= 1 - p
    for i in range(len(p)):
        for j in range(len(p)):
            J[i, j] = q[i] if i == j else -p[i] * p[j]
    return J
