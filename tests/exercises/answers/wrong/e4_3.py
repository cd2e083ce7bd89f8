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
    """zero_row"""
    m = S.max(1)
    return np.nan_to_num(m + np.log(np.exp(S - m[:, None]).sum(1)))


def hand_6(S):
    """other_base"""
    return np.log10(np.exp(S).sum(1))


def other_1(S):
    """no_shift"""
    return np.log(np.exp(S).sum(axis=1))


def other_2(S):
    """shift_lost"""
    m = S.max(axis=1, keepdims=True)
    return np.log(np.exp(S - m).sum(axis=1))


def other_3(S):
    """keeps_axis"""
    m = S.max(axis=1, keepdims=True)
    return m + np.log(np.exp(S - m).sum(axis=1, keepdims=True))


def other_4(S):
    """empty_row"""
    m = S.max(axis=1)
    return m + np.log(np.exp(S - m[:, None]).sum(axis=1))


def other_5(S):
    """columns"""
    m = S.max(axis=0)
    return m + np.log(np.exp(S - m).sum(axis=0))


def other_6(S):
    """everything"""
    m = S.max()
    return m + np.log(np.exp(S - m).sum())


def other_7(S):
    """zero_row"""
    m = S.max(axis=1)
    m = np.where(np.isinf(m), 0, m)
    with np.errstate(divide='ignore'):
        return np.nan_to_num(m + np.log(np.exp(S - m[:, None]).sum(axis=1)), neginf=0)


def other_8(S):
    """log_of_each"""
    return np.log(np.exp(S)).sum(axis=1)


def other_9(S):
    """mean"""
    m = S.max(axis=1)
    m = np.where(np.isfinite(m), m, 0)
    with np.errstate(divide='ignore'):
        return m + np.log(np.exp(S - m[:, None]).mean(axis=1))


def other_10(S):
    """maximum_only"""
    return S.max(axis=1)


def other_11(S):
    """one_more"""
    m = S.max(axis=1)
    m = np.where(np.isfinite(m), m, 0)
    return m + np.log1p(np.exp(S - m[:, None]).sum(axis=1))


def other_12(S):
    """empty_row"""
    m = S.max(axis=1)
    m = np.where(np.isfinite(m), m, 0)
    return m + np.log(np.exp(S - m[:, None]).sum(axis=1) + 1e-09)


def other_13(S):
    """unnamed"""
    m = S.max(axis=1)
    return m + np.log(np.exp(S - m).sum(axis=1))


def other_14(S):
    """subtracted"""
    m = S.max(axis=1)
    m = np.where(np.isfinite(m), m, 0)
    with np.errstate(divide='ignore'):
        return np.log(np.exp(S - m[:, None]).sum(axis=1)) - m


def other_15(S):
    """other_base"""
    m = S.max(axis=1)
    m = np.where(np.isfinite(m), m, 0)
    with np.errstate(divide='ignore'):
        return m + np.log10(np.exp(S - m[:, None]).sum(axis=1))


def slipped_1(S):
    """part_empty"""
    out = np.full(len(S), -np.inf)
    for i, row in enumerate(S):
        if not np.isinf(row).any():
            top = row.max()
            out[i] = top + np.log(np.exp(row - top).sum())
    return out


def fresh_base_two(S):
    """other_base"""
    return np.logaddexp2.reduce(S, axis=1)


def fresh_log_inside(S):
    """log_of_each"""
    return np.log(np.exp(S - S.max())).sum(axis=1) + S.max()


def fresh_outer_add(S):
    """column_meets_row"""
    m = S.max(axis=1, keepdims=True)
    m = np.where(np.isinf(m), 0.0, m)
    with np.errstate(divide="ignore"):
        return m + np.log(np.exp(S - m).sum(axis=1))


def third_infinities(S):
    """infinity_as_zero"""
    S = np.where(np.isinf(S), 0, S)
    m = S.max(axis=1)
    return m + np.log(np.exp(S - m[:, None]).sum(axis=1))


def fresh_empty_rows_dropped(S):
    """rows_dropped"""
    keep = S[~np.all(np.isneginf(S), axis=1)]
    m = keep.max(axis=1, keepdims=True) if len(keep) else np.zeros((0, 1))
    return np.log(np.exp(keep - m).sum(axis=1)) + m[:, 0]


def fresh_minus_inf_as_minus_1e9(S):
    """finite_fill"""
    Z = np.where(np.isinf(S), -1e9, S)
    m = Z.max(axis=1, keepdims=True)
    return (m + np.log(np.exp(Z - m).sum(axis=1, keepdims=True)))[:, 0]
