# ruff: noqa
"""Wrong answers to 10.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n):
    """itself"""
    return (np.eye(n), np.eye(n))


def hand_2(n):
    """next"""
    return (10 * np.roll(np.eye(n), -1, 0), 10 * np.eye(n))


def hand_3(n):
    """soft"""
    return (np.roll(np.eye(n), 1, 0), np.eye(n))


def hand_4(n):
    """shapes"""
    return np.eye(n, k=-1)


def hand_5(n):
    """flat"""
    return (100 * np.ones((n, 3)), 100 * np.ones((n, 3)))


def other_1(n):
    """itself"""
    return (30 * np.eye(n), 30 * np.eye(n))


def other_2(n):
    """flat"""
    return (30 * np.eye(n), 30 * np.eye(n, k=-1))


def other_3(n):
    """soft"""
    return (np.eye(n, k=-1), np.eye(n))


def other_4(n):
    """soft"""
    return (4 * np.eye(n, k=-1), 4 * np.eye(n))


def other_5(n):
    """two_back"""
    return (30 * np.eye(n, k=-2), 30 * np.eye(n))


def other_6(n):
    """first"""
    Q = np.ones((n, 2)) * 30
    K = np.zeros((n, 2))
    K[0] = 30
    return (Q, K)


def other_7(n):
    """shapes"""
    return np.eye(n, k=-1)


def other_8(n):
    """shapes"""
    return (30 * np.ones((n, n)), 30 * np.eye(n, n + 1))


def other_9(n):
    """next"""
    I = 30 * np.eye(n)
    return (np.roll(I, -1, axis=0), I)


def other_10(n):
    """elsewhere"""
    i = np.arange(n)[:, None].astype(float)
    return (100 * (i - 1), i)


def other_11(n):
    """shapes"""
    I = np.eye(4) * 30
    return (np.roll(I, 1, 0), I)


def other_12(n):
    """elsewhere"""
    g = np.random.default_rng(0)
    return (g.normal(size=(n, n)), g.normal(size=(n, n)))


def other_13(n):
    """shapes"""
    return (np.inf * np.eye(n, k=-1), np.eye(n))


def other_14(n):
    """shapes"""
    return (np.zeros((n, 0)), np.zeros((n, 0)))


def fresh_half_circle_wrap(n):
    """circle_forward"""
    a = 2 * np.pi * np.arange(n) / (n + 1)
    K = np.stack([np.cos(a), np.sin(a)], 1)
    b = a + 2 * np.pi / (n + 1)
    Q = 2000 * np.stack([np.cos(b), np.sin(b)], 1)
    return Q, K


def fresh_spread_previous(n):
    """earlier_alike"""
    return 100 * np.tril(np.ones((n, n)), -1), np.eye(n)
