# ruff: noqa
"""Wrong answers to 4.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S):
    """no_shift"""
    return np.log(np.exp(S).sum(1))


def hand_2(S):
    """empty_row"""
    m = S.max(1)
    return m + np.log(np.exp(S - m[:, None]).sum(1))


def hand_3(S):
    """one_shift"""
    m = S.max()
    return m + np.log(np.exp(S - m).sum(1))


def hand_4(S):
    """times"""
    m = S.max(1)
    return m * np.log(np.exp(S - m[:, None]).sum(1))


def hand_5(S):
    """empty_row"""
    m = S.max(1)
    return np.nan_to_num(m + np.log(np.exp(S - m[:, None]).sum(1)))


def hand_6(S):
    """other_base"""
    return np.log10(np.exp(S).sum(1))
