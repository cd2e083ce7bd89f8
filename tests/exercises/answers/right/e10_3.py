# ruff: noqa
"""Right answers to 10.3 in many hands."""

import math

import numpy as np


def circle(n):
    z = 200 * np.exp(2j * np.pi * np.arange(n) / n)
    P = np.stack([z.real, z.imag], 1)
    return P, P


def parabola(n):
    j = np.arange(n, dtype=float)
    return 100 * np.stack([2 * j, np.ones(n)], 1), np.stack([j, -(j**2)], 1)


def turned(n):
    a = 0.3 + 2 * np.pi * np.arange(n) / n
    P = np.column_stack([np.sin(a), np.cos(a)])
    return 1000 * P, 5 * P


def other_1(n):
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)
    P = 50 * np.c_[np.cos(t), np.sin(t)]
    return (P, P)


def other_2(n):
    i = np.arange(n, dtype=float)
    return (20 * np.c_[2 * i, -np.ones(n)], np.c_[i, i * i])


def fresh_circle(n):
    a = 2 * np.pi * np.arange(n) / n
    P = 20 * np.column_stack((np.cos(a), np.sin(a)))
    return P, P


def fresh_complex_roots(n):
    z = 30 * np.exp(2j * np.pi * np.arange(n) / 8)
    P = np.array([[w.real, w.imag] for w in z])
    return P.copy(), P.copy()
