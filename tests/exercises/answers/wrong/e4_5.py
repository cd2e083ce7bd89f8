# ruff: noqa
"""Wrong answers to 4.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(A):
    """unnamed"""
    w, v = np.linalg.eig(A)
    return v[:, 0]


def hand_2(A):
    """unnamed"""
    p = np.ones(len(A)) / len(A)
    for _ in range(3):
        p = p @ A
    return p


def hand_3(A):
    """right_vector"""
    p = np.ones(len(A)) / len(A)
    for _ in range(300):
        p = A @ p
    return p


def hand_4(A):
    """unnamed"""
    w, v = np.linalg.eig(A.T)
    p = v[:, np.argmax(w)]
    return p


def hand_5(A):
    """column_means"""
    return A.mean(0)


def hand_6(A):
    """unnamed"""
    return np.linalg.matrix_power(A, 500)
