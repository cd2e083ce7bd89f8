# ruff: noqa
"""Wrong answers to 7.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(O, W_O):
    """merge_reshape"""
    return O.reshape(O.shape[1], -1) @ W_O


def hand_2(O, W_O):
    """stops_on_some_sizes"""
    return sum((o @ w for o, w in zip(O, np.split(W_O, len(O), 1))))


def hand_3(O, W_O):
    """unnamed"""
    return np.vstack(O) @ W_O[:O.shape[2]]


def other_1(O, W_O):
    """merge_reshape"""
    h, n, e = O.shape
    return O.reshape(n, h * e) @ W_O


def other_2(O, W_O):
    """same_block"""
    h, n, e = O.shape
    return sum((O[t] @ W_O[:e] for t in range(h)))


def other_3(O, W_O):
    """mean"""
    h, n, e = O.shape
    return sum((O[t] @ W_O[t * e:(t + 1) * e] for t in range(h))) / h


def other_4(O, W_O):
    """interleaved"""
    h, n, e = O.shape
    return sum((O[t] @ W_O[t::h] for t in range(h)))


def other_5(O, W_O):
    """summed_first"""
    h, n, e = O.shape
    return O.sum(0) @ W_O.reshape(h, e, -1).sum(0)


def other_6(O, W_O):
    """last_left_out"""
    h, n, e = O.shape
    out = 0
    for t in range(h - 1):
        out += O[t] @ W_O[t * e:(t + 1) * e]
    return out


def other_7(O, W_O):
    """stacked"""
    h, n, e = O.shape
    return O @ W_O.reshape(h, e, -1)


def other_8(O, W_O):
    """reversed"""
    return np.hstack(list(O)[::-1]) @ W_O


def other_9(O, W_O):
    """last_only"""
    h, n, e = O.shape
    for t in range(h):
        out = O[t] @ W_O[t * e:(t + 1) * e]
    return out


def other_10(O, W_O):
    """no_mix"""
    return np.hstack(O)


def other_11(O, W_O):
    """interleaved"""
    h, n, e = O.shape
    return np.einsum('hne,ehc->nc', O, W_O.reshape(e, h, -1))


def other_12(O, W_O):
    """overwrites_input"""
    h, n, e = O.shape
    acc = O[0] @ W_O[:e]
    O[0] = 0
    for t in range(1, h):
        acc += O[t] @ W_O[t * e:(t + 1) * e]
    return acc


def fresh_block_start_wrong(O, W_O):
    """start"""
    h, n, e = O.shape
    return sum(O[t] @ W_O[t:t + e] for t in range(h))


def fresh_summed_over_tokens(O, W_O):
    """over_tokens"""
    h, n, e = O.shape
    return (O @ W_O.reshape(h, e, -1)).sum(axis=1)


def fresh_w_o_reshaped_wrongly(O, W_O):
    """blocks_reshaped"""
    h, n, e = O.shape
    c = W_O.shape[1]
    return (O @ W_O.reshape(h, c, e).transpose(0, 2, 1)).sum(axis=0)


def fresh_head_zero_twice(O, W_O):
    """head_twice"""
    h, n, e = O.shape
    Y = O[0] @ W_O[:e]
    for i in range(h):
        Y = Y + O[i] @ W_O[i*e:(i+1)*e]
    return Y
