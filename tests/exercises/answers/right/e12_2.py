# ruff: noqa
"""Right answers to 12.2 in many hands."""

import math

import numpy as np


def plain(m1, l1, o1, m2, l2, o2):
    m = np.maximum(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2


def by_cases(m1, l1, o1, m2, l2, o2):
    if m1 < m2:
        m1, l1, o1, m2, l2, o2 = m2, l2, o2, m1, l1, o1
    c = math.exp(m2 - m1)
    return m1, l1 + c * l2, o1 + c * o2


def as_a_list(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    return [m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m), o1 * np.exp(m1 - m) + o2 * np.exp(m2 - m)]


def other_1(m1, l1, o1, m2, l2, o2):
    m = np.maximum(m1, m2)
    a = np.exp(np.array([m1, m2]) - m)
    return (m, a @ [l1, l2], a @ np.array([o1, o2]))


def other_2(m1, l1, o1, m2, l2, o2):
    if m2 > m1:
        return other_2(m2, l2, o2, m1, l1, o1)
    f = np.exp(m2 - m1)
    return [m1, l1 + f * l2, o1 + f * o2]


def in_a_list_1(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * a + l2 * b, [x * a + y * b for x, y in zip(o1, o2)])


def fresh_arrays(m1, l1, o1, m2, l2, o2):
    ms = np.array([m1, m2])
    w = np.exp(ms - ms.max())
    return ms.max(), w @ np.array([l1, l2]), w @ np.stack([o1, o2])


def fresh_common_maximum(m1, l1, o1, m2, l2, o2):
    m = max(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2
