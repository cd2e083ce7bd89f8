# ruff: noqa
"""Wrong answers to 4.1; each docstring is the diagnosis on record."""

import numpy as np


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


def a_list(S):
    """returns_list"""
    return [list(np.exp(r - r.max()) / np.exp(r - r.max()).sum()) for r in S]


def single_precision(S):
    """shorter_float"""
    e = np.exp((S - S.max(1, keepdims=True)).astype(np.float32))
    return e / e.sum(1, keepdims=True)


def ten_to_the(S):
    """unnamed"""
    e = 10.0 ** (S - S.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def cooled(S):
    """unnamed"""
    e = np.exp((S - S.max(1, keepdims=True)) * 2)
    return e / e.sum(1, keepdims=True)


def first_row_only(S):
    """unnamed"""
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
