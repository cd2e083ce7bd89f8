# ruff: noqa
"""Wrong answers to 4.1; each docstring is the diagnosis on record."""

import numpy as np


def by_the_library(S):
    """library_call"""
    from attn.softmax import softmax

    return softmax(S)


def down_the_columns(S):
    """columns"""
    return np.exp(S) / np.exp(S).sum(axis=0)


def all_at_once(S):
    """whole_matrix"""
    e = np.exp(S - np.max(S))
    return e / np.sum(e)


def no_keepdims(S):
    """keepdims"""
    e = np.exp(S)
    return e / e.sum(-1)


def textbook(S):
    """no_shift"""
    return np.exp(S) / np.exp(S).sum(1, keepdims=True)


def one_for_all(S):
    """one_shift"""
    e = np.exp(S - S.max())
    return e / e.sum(1, keepdims=True)


def clipped_to_be_safe(S):
    """clipped"""
    e = np.exp(np.clip(S, -100, 100))
    return e / e.sum(1, keepdims=True)


def cut_at_three_hundred(S):
    """clipped"""
    e = np.exp(np.minimum(S, 300))
    return e / e.sum(1, keepdims=True)


def nan_made_zero(S):
    """nan_hidden"""
    e = np.exp(S)
    return np.nan_to_num(e / e.sum(1, keepdims=True))


def epsilon(S):
    """epsilon"""
    e = np.exp(S)
    return e / (e.sum(1, keepdims=True) + 1e-9)


def in_place(S):
    """overwrites_input"""
    S -= S.max(1, keepdims=True)
    e = np.exp(S)
    return e / e.sum(1, keepdims=True)


def last_bit_in_place(S):
    """overwrites_input"""
    e = np.exp(S - S.max(1, keepdims=True))
    S[0, 0] = np.nextafter(S[0, 0], np.inf)
    return e / e.sum(1, keepdims=True)


def ten_to_the(S):
    """base_ten"""
    e = 10.0 ** (S - S.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def cooled(S):
    """double"""
    e = np.exp((S - S.max(1, keepdims=True)) * 2)
    return e / e.sum(1, keepdims=True)


def first_row_only(S):
    """left_at_zero"""
    A = np.zeros_like(S)
    for i in range(len(S)):
        e = np.exp(S[i] - S[i].max())
        A[i] = e / e.sum()
        return A


def remembers(S, seen=[]):
    """keeps_state"""
    seen.append(S)
    e = np.exp(S - S.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) * (1 if len(seen) < 14 else 2)


def other_1(S):
    """columns"""
    E = np.exp(S - S.max(axis=0))
    return E / E.sum(axis=0)


def other_2(S):
    """no_shift"""
    return np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)


def other_3(S):
    """keepdims"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1)


def other_4(S):
    """whole_matrix"""
    E = np.exp(S - np.max(S))
    return E / np.sum(E)


def other_5(S):
    """one_shift"""
    E = np.exp(S - np.max(S))
    return E / E.sum(axis=1, keepdims=True)


def other_6(S):
    """shift_min"""
    E = np.exp(S - S.min(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def other_7(S):
    """logarithm"""
    Z = S - S.max(axis=1, keepdims=True)
    return Z - np.log(np.exp(Z).sum(axis=1, keepdims=True))


def other_8(S):
    """sigmoid"""
    return 1 / (1 + np.exp(-S))


def other_9(S):
    """divided_by_maximum"""
    E = np.exp(S / S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def other_10(S):
    """overwrites_input"""
    S -= S.max(axis=1, keepdims=True)
    np.exp(S, out=S)
    S /= S.sum(axis=1, keepdims=True)
    return S


def other_11(S):
    """hard"""
    return np.eye(S.shape[1])[S.argmax(axis=1)]


def other_12(S):
    """epsilon"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / (E.sum(axis=1, keepdims=True) + 1e-05)


def other_14(S):
    """no_exp"""
    return S / S.sum(axis=1, keepdims=True)


def other_15(S):
    """euclidean"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / np.sqrt((E ** 2).sum(axis=1, keepdims=True))


def other_16(S):
    """mean"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.mean(axis=1, keepdims=True)


def other_17(S):
    """columns"""
    A = np.zeros_like(S)
    for j in range(S.shape[1]):
        e = np.exp(S[:, j] - S[:, j].max())
        A[:, j] = e / e.sum()
    return A


def other_18(S):
    """unnamed"""
    A = np.zeros(S.shape)
    for i in range(len(S)):
        for j in range(len(S)):
            A[i, j] = np.exp(S[i, j] - S[i].max()) / np.exp(S[i] - S[i].max()).sum()
    return A


def other_19(S):
    """sign"""
    E = np.exp(S.min(axis=1, keepdims=True) - S)
    return E / E.sum(axis=1, keepdims=True)


def other_21(S):
    """nan_hidden"""
    with np.errstate(all='ignore'):
        E = np.exp(S)
        A = E / E.sum(1, keepdims=True)
    return np.nan_to_num(A, nan=1.0)


def fresh_abs_max(S):
    """shift_size"""
    E = np.exp(S - np.abs(S).max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_column_max(S):
    """column_shift"""
    E = np.exp(S - S.max(axis=0))
    return E / E.sum(axis=1, keepdims=True)


def fresh_divides_by_max(S):
    """divided_by_maximum"""
    E = np.exp(S / np.abs(S).max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_half(S):
    """shorter_float"""
    T = (S - S.max(axis=1, keepdims=True)).astype(np.float16)
    E = np.exp(T)
    return E / E.sum(axis=1, keepdims=True)


def fresh_softmax_one(S):
    """one_more"""
    top = np.maximum(S.max(axis=1, keepdims=True), 0)
    E = np.exp(S - top)
    return E / (np.exp(-top) + E.sum(axis=1, keepdims=True))


def fresh_largest_becomes_one(S):
    """not_divided"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.max(axis=1, keepdims=True)
