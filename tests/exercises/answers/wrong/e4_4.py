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
    """unnamed"""
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else p[i] * p[j]
    return J


def derivative_of_the_logarithm(p):
    """identity broadcast"""
    return np.eye(len(p)) - p


def flat(p):
    """unnamed"""
    return (np.diag(p) - np.outer(p, p)).ravel()


def halved(p):
    """unnamed"""
    return 0.5 * (np.diag(p) - np.outer(p, p))


def numerically_and_roughly(p):
    """unnamed"""
    s = np.log(p)
    f = lambda s: np.exp(s) / np.exp(s).sum()
    return np.stack([(f(s + 1e-2 * u) - f(s)) / 1e-2 for u in np.eye(len(p))], 1)
