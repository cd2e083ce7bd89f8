# ruff: noqa
"""Right answers to 10.1 in many hands."""

import math

import numpy as np


def identity(n):
    Q = np.zeros((n, n))
    Q[0, 0] = 1
    for i in range(1, n):
        Q[i, i - 1] = 1
    return 200.0 * Q, np.eye(n)


def rolled(n):
    K = 30 * np.eye(n)
    return np.roll(K, 1, axis=0) @ np.eye(n) * 30, K


def on_a_circle(n):
    a = 2 * np.pi * np.arange(n) / n
    K = np.stack([np.cos(a), np.sin(a)], 1)
    b = a - 2 * np.pi / n
    Q = np.stack([np.cos(b), np.sin(b)], 1)
    return 100 * Q, 100 * K


def on_a_parabola(n):
    j = np.arange(n)
    K = np.stack([j, -(j**2), np.zeros(n)], 1).astype(float)
    t = np.maximum(j - 1, 0)
    Q = np.stack([2.0 * t, np.ones(n), np.zeros(n)], 1)
    return 100 * Q, K


def as_lists(n):
    K = np.eye(n) * 50
    return [K[np.maximum(np.arange(n) - 1, 0)], K]


def other_1(n):
    I = np.eye(n)
    return (10 * n * np.roll(I, 1, axis=0), 10 * I)


def other_2(n):
    i = np.arange(n, dtype=float)
    a = 40.0
    Q = np.stack([a * 2 * (i - 1), -a * np.ones(n)], 1)
    return (Q, np.stack([i, i ** 2], 1))


def other_3(n):
    t = 2 * np.pi * np.arange(n) / (2 * n)
    r = 10 * n
    K = np.stack([np.cos(t), np.sin(t)], 1) * r
    t = t - np.pi / n
    return (np.stack([np.cos(t), np.sin(t)], 1) * r, K)


def fresh_binary_code(n):
    def bits(x):
        return [2.0 * ((x >> b) & 1) - 1 for b in range(6)]
    Q = np.array([bits((i - 1) % 64) for i in range(n)])
    K = np.array([bits(i) for i in range(n)])
    return 30 * Q, K


def fresh_circle(n):
    def on(x):
        return 100 * np.array([[np.cos(a), np.sin(a)] for a in x])
    step = 2 * np.pi / 32
    return on([step * (i - 1) for i in range(n)]), on([step * i for i in range(n)])
