# ruff: noqa
"""Wrong answers to 10.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n):
    """too_wide"""
    return (100 * np.eye(n), 100 * np.eye(n))


def hand_2(n):
    """elsewhere"""
    x = np.arange(n) * 100.0
    P = np.stack([x, x ** 0], 1)
    return (P, P)


def hand_3(n):
    """random"""
    r = np.random.default_rng(0).normal(size=(n, 2)) * 100
    return (r, r)


def other_1(n):
    """elsewhere"""
    x = np.arange(n) * 10.0
    P = np.stack([x, x], 1)
    return (P, P)


def other_2(n):
    """soft"""
    a = 2 * np.pi * np.arange(n) / n
    P = np.stack([np.cos(a), np.sin(a)], 1)
    return (P, P)


def other_3(n):
    """soft"""
    a = 2 * np.pi * np.arange(n) / n
    P = 4 * np.stack([np.cos(a), np.sin(a)], 1)
    return (P, P)


def other_4(n):
    """degrees"""
    a = 360 * np.arange(n) / n
    P = 20 * np.stack([np.cos(a), np.sin(a)], 1)
    return (P, P)


def other_5(n):
    """too_wide"""
    return (20 * np.eye(n), 20 * np.eye(n))


def other_6(n):
    """same_place_twice"""
    a = np.linspace(0, 2 * np.pi, n)
    P = 20 * np.stack([np.cos(a), np.sin(a)], 1)
    return (P, P)


def other_7(n):
    """same_place_twice"""
    return (20 * np.eye(n, 2), 20 * np.eye(n, 2))


def other_8(n):
    """same_place_twice"""
    s = np.where(np.arange(n) % 2 == 0, 20.0, -20.0)
    P = np.stack([s, s], 1)
    return (P, P)


def other_9(n):
    """opposite"""
    a = 2 * np.pi * np.arange(n) / n
    P = 20 * np.stack([np.cos(a), np.sin(a)], 1)
    return (P, -P)


def other_10(n):
    """shapes"""
    a = 2 * np.pi * np.arange(n) / n
    P = 20 * np.stack([np.cos(a), np.sin(a)])
    return (P, P)


def other_11(n):
    """shapes"""
    a = 2 * np.pi * np.arange(n) / n
    return 20 * np.stack([np.cos(a), np.sin(a)], 1)


def other_12(n):
    """elsewhere"""
    P = np.random.default_rng(0).normal(size=(n, 2)) * 20
    return (P, P)


def other_13(n):
    """soft"""
    a = np.pi / 2 * np.arange(n) / n
    P = 5 * np.stack([np.cos(a), np.sin(a)], 1)
    return (P, P)


def fresh_degrees(n):
    """degrees"""
    a = 360 * np.arange(n) / n
    P = np.stack([np.cos(a), np.sin(a)], axis=1)
    return 100 * P, P


def fresh_random_vectors(n):
    """random"""
    rng = np.random.default_rng(0)
    P = rng.normal(size=(n, 2))
    return 10 * P, P
