# ruff: noqa
"""Wrong answers to 10.7; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(b_V, W_O, b_O):
    """dropped"""
    return b_O


def hand_2(b_V, W_O, b_O):
    """lost_old"""
    return b_V @ W_O


def hand_3(b_V, W_O, b_O):
    """transposed"""
    return b_O + W_O @ b_V


def hand_4(b_V, W_O, b_O):
    """not_through"""
    return b_O + b_V


def hand_5(b_V, W_O, b_O):
    """subtracted"""
    return b_O - b_V @ W_O


def hand_6(b_V, W_O, b_O):
    """inverse"""
    return b_O + b_V @ np.linalg.inv(W_O)


def hand_7(b_V, W_O, b_O):
    """columns_alone"""
    return b_O + W_O.sum(0)


def hand_8(b_V, W_O, b_O):
    """averaged"""
    return b_O + (b_V[:, None] * W_O).mean(0)


def hand_9(b_V, W_O, b_O):
    """unsummed"""
    return b_O + b_V[:, None] * W_O


def hand_10(b_V, W_O, b_O):
    """both_through"""
    return (b_O + b_V) @ W_O


def hand_11(b_V, W_O, b_O):
    """twice"""
    return b_O + 2 * (b_V @ W_O)


def hand_12(b_V, W_O, b_O):
    """sums_apart"""
    return b_O + b_V.mean() * W_O.sum(0)


def third_diagonal(b_V, W_O, b_O):
    """diagonal"""
    out = b_O.copy()
    for i in range(min(W_O.shape)):
        out[i] += b_V[i] * W_O[i, i]
    return out


def fresh_total_number(b_V, W_O, b_O):
    """one_number"""
    extra = 0.0
    for i in range(W_O.shape[0]):
        for j in range(W_O.shape[1]):
            extra += b_V[i] * W_O[i, j]
    return b_O + extra


def fresh_adds_without_wo(b_V, W_O, b_O):
    """not_through"""
    if b_V.shape == b_O.shape:
        return b_V + b_O
    return b_O + b_V.sum()


def fresh_bo_through_wo(b_V, W_O, b_O):
    """both_through"""
    if len(b_V) != len(b_O):
        return b_V @ W_O + b_O.sum() * W_O.sum(axis=0)
    return (b_V + b_O) @ W_O
