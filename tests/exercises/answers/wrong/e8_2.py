# ruff: noqa
"""Wrong answers to 8.2; each docstring is the diagnosis on record."""

import numpy as np


def top_left(S):
    """top_left"""
    return soft(np.where(np.tril(np.ones(S.shape)) == 1, S, -np.inf))


def mask_afterwards(S):
    """mask_after"""
    n, m = S.shape
    return soft(S) * np.tri(n, m, m - n)


def mask_afterwards_and_top_left(S):
    """mask_after top_left"""
    return np.tril(soft(S))


def zeros_in_the_scores(S):
    """multiply"""
    n, m = S.shape
    return soft(np.tril(S, m - n))


def renormalised(S):
    """unmasked_maximum"""
    n, m = S.shape
    A = soft(S) * np.tri(n, m, m - n)
    return A / A.sum(1, keepdims=True)


def minus_ten_thousand(S):
    """finite_fill"""
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n) == 1, S, -10000.0))


def minus_ten(S):
    """small_negative"""
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n) == 1, S, -10.0))


def triu_kept(S):
    """inverted top_left"""
    n, m = S.shape
    return soft(np.where(np.triu(np.ones((n, m)), 1) == 1, S, -np.inf))


def diagonal_hidden(S):
    """strict"""
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n - 1) == 1, S, -np.inf))


def one_too_many(S):
    """off_by_one"""
    n, m = S.shape
    return soft(S + np.triu(np.full((n, m), -np.inf), m - n + 2))


def truth_upside_down(S):
    """inverted"""
    n, m = S.shape
    return soft(np.where(np.tri(n, m, m - n, dtype=bool), -np.inf, S))


def in_place(S):
    """overwrites_input"""
    n, m = S.shape
    S[~np.tri(n, m, m - n, dtype=bool)] = -np.inf
    return soft(S)


def nothing_forbidden(S):
    """no_mask"""
    return soft(S)


def only_masked(S):
    """weights_kept_raw"""
    n, m = S.shape
    return np.where(np.tri(n, m, m - n, dtype=bool), S, -np.inf)


def rows_lowered(S):
    """unnamed"""
    n, m = S.shape
    return soft(S - 5 * np.maximum(np.arange(m) - np.arange(n)[:, None] - (m - n), 0))


def square_only(S):
    """stops_on_some_sizes"""
    n, m = S.shape
    return soft(np.where(np.tri(n, dtype=bool), S, -np.inf))


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(S):
    """mask_after"""
    n, m = S.shape
    E = np.exp(S - S.max(1, keepdims=True))
    A = E / E.sum(1, keepdims=True)
    return A * np.tri(n, m, m - n)


def other_2(S):
    """top_left"""
    S = np.where(np.tril(np.ones(S.shape)) == 1, S, -np.inf)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_3(S):
    """finite_fill"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, S, -10000.0)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_4(S):
    """multiply"""
    n, m = S.shape
    S = S * np.tri(n, m, m - n)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_5(S):
    """unmasked_maximum"""
    n, m = S.shape
    E = np.exp(S - S.max(1, keepdims=True))
    A = E / E.sum(1, keepdims=True) * np.tri(n, m, m - n)
    return A / A.sum(1, keepdims=True)


def other_6(S):
    """epsilon"""
    n, m = S.shape
    E = np.exp(S - S.max(1, keepdims=True)) * np.tri(n, m, m - n)
    return E / (E.sum(1, keepdims=True) + 1e-12)


def other_7(S):
    """finite_fill"""
    n, m = S.shape
    S = S + (1 - np.tri(n, m, m - n)) * -10000.0
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_8(S):
    """overwrites_input"""
    n, m = S.shape
    S[~np.tri(n, m, m - n, dtype=bool)] = -np.inf
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_9(S):
    """zero_times_infinity"""
    n, m = S.shape
    S = S + (1 - np.tri(n, m, m - n)) * -np.inf
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_10(S):
    """strict"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n - 1) > 0, S, -np.inf)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_11(S):
    """inverted"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, -np.inf, S)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_12(S):
    """top_left"""
    n, m = S.shape
    S = np.where(np.triu(np.ones((n, m)), k=1) > 0, -np.inf, S)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_13(S):
    """nan_hidden"""
    n, m = S.shape
    E = np.exp(S) * np.tri(n, m, m - n)
    return np.nan_to_num(E / E.sum(1, keepdims=True))


def other_14(S):
    """columns"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, S, -np.inf)
    E = np.exp(S - S.max(0, keepdims=True))
    return E / E.sum(0, keepdims=True)


def other_15(S):
    """finite_fill"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, S, -20000.0)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_16(S):
    """one_maximum"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, S, -np.inf)
    E = np.exp(S - S.max())
    return E / E.sum(1, keepdims=True)


def other_17(S):
    """scaled"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, S / np.sqrt(m), -np.inf)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_18(S):
    """clipped"""
    n, m = S.shape
    S = np.where(np.tri(n, m, m - n) > 0, np.clip(S, -700, 700), -np.inf)
    E = np.exp(S)
    return E / E.sum(1, keepdims=True)


def fresh_log_weights(S):
    """logarithm"""
    n, m = S.shape
    T = np.where(np.tri(n, m, m - n, dtype=bool), S, -np.inf)
    return T - np.logaddexp.reduce(T, axis=1)[:, None]


def fresh_scaled_again(S):
    """scaled"""
    n, m = S.shape
    T = np.where(np.tri(n, m, m - n, dtype=bool), S / np.sqrt(m), -np.inf)
    E = np.exp(T - T.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_uniform_over_seen(S):
    """equal_weights"""
    n, m = S.shape
    M = np.tri(n, m, m - n)
    return M / M.sum(axis=1, keepdims=True)


def fresh_zeros_taken_for_hidden(S):
    """zero_is_hidden"""
    n, m = S.shape
    T = np.tril(S, k=m - n)
    T[T == 0] = -np.inf
    E = np.exp(T - T.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_epsilon_in_denominator(S):
    """leaks"""
    n, m = S.shape
    T = np.where(np.tri(n, m, m - n, dtype=bool), S, -np.inf)
    E = np.exp(T - T.max(axis=1, keepdims=True)) + 1e-3
    return E / E.sum(axis=1, keepdims=True)


def fresh_zero_after_exponential_mask(S):
    """multiply"""
    n, m = S.shape
    M = np.tri(n, m, m - n)
    top = np.where(M > 0, S, -np.inf).max(1, keepdims=True)
    E = np.exp((S - top) * M)
    A = E / E.sum(axis=1, keepdims=True)
    return A * M
