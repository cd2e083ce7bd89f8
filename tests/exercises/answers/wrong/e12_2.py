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
    """more_results"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (a * l1 + b * l2, a * o1 + b * o2)


def hand_4(m1, l1, o1, m2, l2, o2):
    """sum_of_maxima"""
    m = m1 + m2
    return (m, l1 * np.exp(-m2) + l2 * np.exp(-m1), o1 * np.exp(-m2) + o2 * np.exp(-m1))


def other_1(m1, l1, o1, m2, l2, o2):
    """not_rescaled"""
    return (max(m1, m2), l1 + l2, o1 + o2)


def other_2(m1, l1, o1, m2, l2, o2):
    """smaller"""
    m = min(m1, m2)
    return (m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m), o1 * np.exp(m1 - m) + o2 * np.exp(m2 - m))


def other_3(m1, l1, o1, m2, l2, o2):
    """mean"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * a + l2 * b, (o1 * a + o2 * b) / 2)


def other_4(m1, l1, o1, m2, l2, o2):
    """divided"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    l = l1 * a + l2 * b
    return (m, l, (o1 * a + o2 * b) / l)


def other_5(m1, l1, o1, m2, l2, o2):
    """taken_as_divided"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * a + l2 * b, o1 * l1 * a + o2 * l2 * b)


def other_6(m1, l1, o1, m2, l2, o2):
    """exchanged"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * b + l2 * a, o1 * b + o2 * a)


def other_7(m1, l1, o1, m2, l2, o2):
    """unnamed"""
    if m1 >= m2:
        return (m1, l1 + l2 * np.exp(m2 - m1), o1 + o2 * np.exp(m2 - m1))
    return (m2, l2 + l1 * np.exp(m2 - m1), o2 + o1 * np.exp(m1 - m2))


def other_8(m1, l1, o1, m2, l2, o2):
    """sum_of_maxima raw"""
    return (m1 + m2, l1 * np.exp(m1) + l2 * np.exp(m2), o1 * np.exp(m1) + o2 * np.exp(m2))


def other_9(m1, l1, o1, m2, l2, o2):
    """unshifted"""
    m = max(m1, m2)
    return (m, (l1 * np.exp(m1) + l2 * np.exp(m2)) / np.exp(m), (o1 * np.exp(m1) + o2 * np.exp(m2)) / np.exp(m))


def other_10(m1, l1, o1, m2, l2, o2):
    """sum_not_rescaled"""
    m = max(m1, m2)
    return (m, l1 + l2, o1 * np.exp(m1 - m) + o2 * np.exp(m2 - m))


def other_11(m1, l1, o1, m2, l2, o2):
    """output_not_rescaled"""
    m = max(m1, m2)
    return (m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m), o1 + o2)


def other_12(m1, l1, o1, m2, l2, o2):
    """overwrites_input"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    o1 *= a
    o1 += b * o2
    return (m, l1 * a + l2 * b, o1)


def other_13(m1, l1, o1, m2, l2, o2):
    """output_only"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (o1 * a + o2 * b) / (l1 * a + l2 * b)


def other_14(m1, l1, o1, m2, l2, o2):
    """order"""
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, o1 * a + o2 * b, l1 * a + l2 * b)


def other_15(m1, l1, o1, m2, l2, o2):
    """soft_maximum"""
    m = np.logaddexp(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * a + l2 * b, o1 * a + o2 * b)


def other_17(m1, l1, o1, m2, l2, o2):
    """empty_lost"""
    if np.isinf(m1) or np.isinf(m2):
        return (m1, l1, o1)
    m = max(m1, m2)
    a, b = (np.exp(m1 - m), np.exp(m2 - m))
    return (m, l1 * a + l2 * b, o1 * a + o2 * b)


def fresh_base_two(m1, l1, o1, m2, l2, o2):
    """base_two"""
    m = max(m1, m2)
    a, b = np.exp2(m1 - m), np.exp2(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2


def fresh_logsumexp_as_m(m1, l1, o1, m2, l2, o2):
    """log_sum"""
    m = max(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    l = a * l1 + b * l2
    return m + np.log(l), l, a * o1 + b * o2


def fresh_nan_to_zero_mean(m1, l1, o1, m2, l2, o2):
    """mean_maximum"""
    m = (m1 + m2) / 2
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2


def fresh_order_of_tuple(m1, l1, o1, m2, l2, o2):
    """order"""
    m = max(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return a * o1 + b * o2, a * l1 + b * l2, m


def fresh_raw_exponentials(m1, l1, o1, m2, l2, o2):
    """raw"""
    return max(m1, m2), np.exp(m1) * l1 + np.exp(m2) * l2, np.exp(m1) * o1 + np.exp(m2) * o2


def fresh_relative_to_second(m1, l1, o1, m2, l2, o2):
    """second_wins"""
    a = np.exp(m1 - m2)
    return max(m1, m2), a * l1 + l2, a * o1 + o2


def third_relative(m1, l1, o1, m2, l2, o2):
    """first_wins"""
    c = np.exp(m2 - m1)
    return max(m1, m2), l1 + c * l2, o1 + c * o2


def fresh_mean_of_sets(m1, l1, o1, m2, l2, o2):
    """mean"""
    m = max(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, np.mean([a * l1, b * l2]), np.mean([a * o1, b * o2], axis=0)


def fresh_empty_returns_zeros(m1, l1, o1, m2, l2, o2):
    """empty_lost"""
    if np.isinf(m1) or np.isinf(m2):
        return -np.inf, 0.0, np.zeros_like(o1)
    m = max(m1, m2)
    a, b = np.exp(m1 - m), np.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2
