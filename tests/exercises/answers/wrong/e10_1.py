# ruff: noqa
"""Wrong answers to 10.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(n):
    """itself soft"""
    return (np.eye(n), np.eye(n))


def hand_2(n):
    """unnamed"""
    return (10 * np.roll(np.eye(n), -1, 0), 10 * np.eye(n))


def hand_3(n):
    """soft"""
    return (np.roll(np.eye(n), 1, 0), np.eye(n))


def hand_4(n):
    """unnamed"""
    return np.eye(n, k=-1)


def hand_5(n):
    """flat"""
    return (100 * np.ones((n, 3)), 100 * np.ones((n, 3)))
