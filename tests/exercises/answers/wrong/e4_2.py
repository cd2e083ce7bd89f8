# ruff: noqa
"""Wrong answers to 4.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(S, T):
    """after"""
    return soft(S) / T


def hand_2(S, T):
    """after_normalised"""
    e = np.exp(S - S.max(1, keepdims=True)) / T
    return e / e.sum(1, keepdims=True)


def hand_3(S, T):
    """whole_matrix"""
    e = np.exp(S / T)
    return e / e.sum()


def hand_4(S, T):
    """number_moved"""
    return soft(S / (T + 1))


def hand_5(S, T):
    """unnamed"""
    return soft(S ** (1 / T))


def hand_6(S, T):
    """times"""
    return soft(S) ** T / (soft(S) ** T).sum(1, keepdims=True)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(S, T):
    """times"""
    Z = S * T
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_2(S, T):
    """after"""
    E = np.exp(S - S.max(1, keepdims=True))
    A = E / E.sum(1, keepdims=True)
    return A / T


def other_3(S, T):
    """root"""
    Z = S / np.sqrt(T)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_4(S, T):
    """max_of_undivided"""
    Z = S / T
    E = np.exp(Z - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_5(S, T):
    """no_shift"""
    E = np.exp(S / T)
    return E / E.sum(1, keepdims=True)


def other_6(S, T):
    """bounded"""
    Z = S / max(T, 0.1)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_7(S, T):
    """times"""
    E = np.exp(S - S.max(1, keepdims=True))
    A = E / E.sum(1, keepdims=True)
    P = A ** T
    return P / P.sum(1, keepdims=True)


def other_8(S, T=1):
    """after_normalised"""
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_9(S, T):
    """overwrites_input"""
    S /= T
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def other_10(S, T):
    """columns"""
    Z = S / T
    E = np.exp(Z - Z.max(0, keepdims=True))
    return E / E.sum(0, keepdims=True)


def other_11(S, T):
    """numerator_only"""
    Z = S - S.max(1, keepdims=True)
    return np.exp(Z / T) / np.exp(Z).sum(1, keepdims=True)


def other_12(S, T):
    """bounded"""
    Z = S / (T + 0.001)
    E = np.exp(Z - Z.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True)


def slipped_1(S, T):
    """power_fades"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = (E / E.sum(axis=1, keepdims=True)) ** (1 / T)
    return P / P.sum(axis=1, keepdims=True)


def fresh_floor_division(S, T):
    """whole_scores"""
    Z = S // T
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_greedy_when_small(S, T):
    """greedy"""
    if T < 0.01:
        return np.eye(S.shape[1])[S.argmax(axis=1)]
    Z = S / T
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_int_t(S, T):
    """whole_t"""
    Z = S / max(1, int(T))
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_maximum_before_dividing(S, T):
    """max_of_undivided"""
    m = S.max(axis=1, keepdims=True)
    E = np.exp(S / T - m)
    return E / E.sum(axis=1, keepdims=True)


def fresh_mixed_with_uniform(S, T):
    """mixed"""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    share = T / (1 + T)
    return (1 - share) * P + share / S.shape[1]
