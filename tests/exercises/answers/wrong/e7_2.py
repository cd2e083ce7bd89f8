# ruff: noqa
"""Wrong answers to 7.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(O, W_O):
    """unnamed"""
    return np.array([np.hstack(O) @ W_O] * len(O))


def hand_2(O, W_O):
    """interleaved"""
    return O @ W_O.reshape(O.shape[2], len(O), -1).swapaxes(0, 1)


def other_1(O, W_O):
    """summed"""
    h, n, e = O.shape
    return np.einsum('hne,hec->nc', O, W_O.reshape(h, e, -1))


def other_2(O, W_O):
    """tokens_first"""
    h, n, e = O.shape
    return np.einsum('hne,hec->nhc', O, W_O.reshape(h, e, -1))


def other_3(O, W_O):
    """running"""
    h, n, e = O.shape
    return np.cumsum(O @ W_O.reshape(h, e, -1), axis=0)


def other_4(O, W_O):
    """interleaved"""
    h, n, e = O.shape
    return np.stack([O[t] @ W_O[t::h] for t in range(h)])


def other_5(O, W_O):
    """same_block"""
    h, n, e = O.shape
    return np.stack([O[t] @ W_O[:e] for t in range(h)])


def other_6(O, W_O):
    """interleaved"""
    h, n, e = O.shape
    return np.einsum('hne,ehc->hnc', O, W_O.reshape(e, h, -1))


def other_7(O, W_O):
    """shared_out"""
    h, n, e = O.shape
    Y = np.hstack(O) @ W_O
    return np.stack([Y / h] * h)


def other_8(O, W_O):
    """blocks_reversed"""
    h, n, e = O.shape
    return np.stack([O[t] @ W_O[(h - 1 - t) * e:(h - t) * e] for t in range(h)])


def other_9(O, W_O):
    """returns_list"""
    h, n, e = O.shape
    return [o @ w for o, w in zip(O, np.split(W_O, h))]


def other_10(O, W_O):
    """running"""
    h, n, e = O.shape
    return np.stack([np.hstack([O[u] if u <= t else 0 * O[u] for u in range(h)]) @ W_O for t in range(h)])


def other_11(O, W_O):
    """all_but_one"""
    h, n, e = O.shape
    return np.stack([np.hstack([O[u] if u != t else 0 * O[u] for u in range(h)]) @ W_O for t in range(h)])
