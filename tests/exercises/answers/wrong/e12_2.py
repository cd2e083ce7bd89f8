# ruff: noqa
"""Wrong answers to 12.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(m1, l1, o1, m2, l2, o2):
    """not_rescaled"""
    return (max(m1, m2), l1 + l2, o1 + o2)


def hand_2(m1, l1, o1, m2, l2, o2):
    """divided"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    l = a * l1 + b * l2
    return (m, l, (a * o1 + b * o2) / l)


def hand_3(m1, l1, o1, m2, l2, o2):
    """unnamed"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (a * l1 + b * l2, a * o1 + b * o2)


def hand_4(m1, l1, o1, m2, l2, o2):
    """sum_of_maxima"""
    m = m1 + m2
    return (m, l1 * np.exp(-m2) + l2 * np.exp(-m1), o1 * np.exp(-m2) + o2 * np.exp(-m1))
