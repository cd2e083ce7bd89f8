# ruff: noqa
"""Right answers to 4.2 in many hands."""

import math

import numpy as np


def plain(S, T):
    return soft(S / T)


def divided_after_the_shift(S, T):
    e = np.exp((S - S.max(1, keepdims=True)) / T)
    return e / e.sum(1, keepdims=True)


def inverse_temperature(S, T):
    beta = 1.0 / T
    return np.array([soft(beta * row) for row in S])


def a_power_of_a_safe_softmax(S, T):
    log_p = S - S.max(1, keepdims=True)
    return soft(log_p * (1 / T))


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(S, T):
    Z = (S - S.max(1, keepdims=True)) / T
    return np.exp(Z) / np.sum(np.exp(Z), axis=1, keepdims=True)


def other_2(S, T):

    def soft(Z):
        Z = Z - Z.max(-1, keepdims=True)
        return np.exp(Z) / np.exp(Z).sum(-1, keepdims=True)
    return soft(np.true_divide(S, T))


def fresh_inverse_temperature(S, T):
    beta = 1.0 / T
    L = beta * S
    return np.exp(L - np.logaddexp.reduce(L, axis=-1, keepdims=True))


def fresh_loops(S, T):
    rows = []
    for row in S:
        top = max(row)
        e = [np.exp((x - top) / T) for x in row]
        z = sum(e)
        rows.append([x / z for x in e])
    return np.array(rows)
