# ruff: noqa
"""Wrong answers to 5.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(A, V):
    """transposed"""
    return A.T @ V


def hand_2(A, V):
    """divided"""
    return (A[:, :, None] * V[None]).mean(1)


def hand_3(A, V):
    """hard"""
    return V[A.argmax(1)]


def hand_4(A, V):
    """unnamed"""
    return (A[:, :, None] * V[None]).max(1)
