# ruff: noqa
"""Wrong answers to 8.4; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, allowed):
    """uniform"""
    return soft(np.where(allowed, S, -1000000000.0))


def hand_2(S, allowed):
    """nan_hidden"""
    return np.nan_to_num(soft(np.where(allowed, S, -np.inf)))


def hand_3(S, allowed):
    """after"""
    return soft(S) * allowed


def hand_4(S, allowed):
    """epsilon"""
    e = np.exp(S) * allowed
    return e / (e.sum(1, keepdims=True) + 1e-09)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(S, allowed):
    """nan"""
    Z = np.where(allowed, S, -np.inf)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_2(S, allowed):
    """nan_hidden"""
    with np.errstate(all='ignore'):
        Z = np.where(allowed, S, -np.inf)
        E = np.exp(Z - Z.max(1, keepdims=True))
        return np.nan_to_num(E / E.sum(1, keepdims=True))


def other_3(S, allowed):
    """uniform"""
    Z = np.where(allowed, S, -1000000000.0)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_4(S, allowed):
    """epsilon"""
    Z = np.where(allowed, S, -1000000000.0)
    E = np.exp(Z - Z.max(1, keepdims=True)) * allowed
    return E / (E.sum(1, keepdims=True) + 1e-06)


def other_5(S, allowed):
    """forbidden_maximum"""
    E = np.exp(S - S.max(1, keepdims=True)) * allowed
    t = E.sum(1, keepdims=True)
    return np.divide(E, t, out=np.zeros_like(E), where=t > 0)


def other_6(S, allowed):
    """forbidden_nan"""
    m = np.where(allowed, S, -np.inf).max(1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    E = np.exp(S - m) * allowed
    t = E.sum(1, keepdims=True)
    return E / np.where(t == 0, 1, t)


def other_7(S, allowed):
    """inverted"""
    Z = np.where(allowed, -np.inf, S)
    m = Z.max(1, keepdims=True)
    E = np.exp(Z - np.where(np.isinf(m), 0, m))
    t = E.sum(1, keepdims=True)
    return E / np.where(t == 0, 1, t)


def other_8(S, allowed):
    """all_zero"""
    if not allowed.any(1).all():
        return np.zeros_like(S)
    Z = np.where(allowed, S, -np.inf)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_9(S, allowed):
    """rows_dropped"""
    keep = allowed.any(1)
    Z = np.where(allowed, S, -np.inf)[keep]
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_10(S, allowed):
    """nan_hidden"""
    Z = np.where(allowed, S, np.nan)
    with np.errstate(all='ignore'):
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            m = np.nanmax(Z, axis=1, keepdims=True)
        E = np.exp(Z - m)
        return np.nan_to_num(E / np.nansum(E, axis=1, keepdims=True))


def other_11(S, allowed):
    """not_divided"""
    Z = np.where(allowed, S, -np.inf)
    m = Z.max(1, keepdims=True)
    return np.exp(Z - np.where(np.isinf(m), 0, m))


def other_12(S, allowed):
    """no_shift"""
    E = np.where(allowed, np.exp(S), 0)
    t = E.sum(1, keepdims=True)
    return E / np.where(t == 0, 1, t)


def other_13(S, allowed):
    """ones"""
    A = np.ones_like(S)
    for i in range(len(S)):
        if not allowed[i].any():
            continue
        z = S[i][allowed[i]]
        e = np.exp(z - z.max())
        A[i] = 0
        A[i][allowed[i]] = e / e.sum()
    return A


def other_14(S, allowed):
    """stops_at_empty"""
    A = np.zeros_like(S)
    for i in range(len(S)):
        if not allowed[i].any():
            break
        z = S[i][allowed[i]]
        e = np.exp(z - z.max())
        A[i][allowed[i]] = e / e.sum()
    return A


def fresh_all_for_any(S, allowed):
    """any_for_all"""
    out = np.zeros(S.shape)
    for i in range(len(S)):
        if allowed[i].all():
            w = np.exp(S[i] - S[i].max())
            out[i] = w / w.sum()
    return out


def fresh_columns_checked(S, allowed):
    """columns_checked"""
    T = np.where(allowed, S, -np.inf)
    E = np.exp(T - T.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True)
    return np.where(allowed.any(axis=0), A, 0.0)


def fresh_infinity_added(S, allowed):
    """forbidden_nan"""
    T = S + np.where(allowed, 0.0, -np.inf)
    top = np.where(allowed.any(axis=1, keepdims=True), T.max(axis=1, keepdims=True), 0)
    E = np.exp(T - top)
    return E / np.maximum(E.sum(axis=1, keepdims=True), 1)


def fresh_maximum_at_least_zero(S, allowed):
    """maximum_from_zero"""
    top = np.max(S, axis=1, keepdims=True, where=allowed, initial=0.0)
    E = np.where(allowed, np.exp(S - top), 0.0)
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0, 1, total)


def fresh_maximum_of_everything(S, allowed):
    """forbidden_maximum"""
    E = np.where(allowed, np.exp(S - S.max(axis=1, keepdims=True)), 0.0)
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0, 1, total)


def fresh_one_added_below(S, allowed):
    """one_more"""
    T = np.where(allowed, S, -np.inf)
    top = np.where(allowed.any(axis=1, keepdims=True), T.max(axis=1, keepdims=True), 0)
    E = np.exp(T - top)
    return E / (1 + E.sum(axis=1, keepdims=True))


def fresh_one_maximum_for_all_rows(S, allowed):
    """one_shift"""
    T = np.where(allowed, S, -np.inf)
    top = T.max() if allowed.any() else 0.0
    E = np.exp(T - top)
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0, 1, total)


def fresh_product_with_mask(S, allowed):
    """forbidden_nan"""
    top = np.max(np.where(allowed, S, -1e4), axis=1, keepdims=True)
    E = np.exp(np.minimum(S - top, 0)) * allowed
    return E / np.maximum(E.sum(axis=1, keepdims=True), 1e-300)


def fresh_global_max_shift(S, allowed):
    """one_shift"""
    if not allowed.any():
        return np.zeros_like(S)
    top = S[allowed].max()
    E = np.where(allowed, np.exp(S - top), 0.0)
    Z = E.sum(axis=1, keepdims=True)
    return np.where(Z == 0, 0.0, E / np.where(Z == 0, 1.0, Z))
