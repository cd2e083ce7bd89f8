# ruff: noqa
"""Wrong answers to 5.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(W_V, W_O, h):
    """summed"""
    return W_V @ W_O


def hand_2(W_V, W_O, h):
    """reshaped_columns"""
    c = len(W_V)
    return W_V.reshape(h, c, -1) @ W_O.reshape(h, -1, c)


def hand_3(W_V, W_O, h):
    """turned"""
    return W_O.reshape(h, -1, len(W_V)) @ W_V.reshape(len(W_V), h, -1).swapaxes(0, 1)


def other_1(W_V, W_O, h):
    """summed"""
    return W_V @ W_O


def other_2(W_V, W_O, h):
    """reshaped_columns"""
    c, he = W_V.shape
    return W_V.reshape(h, c, he // h) @ W_O.reshape(h, he // h, c)


def other_3(W_V, W_O, h):
    """interleaved"""
    return np.stack([W_V[:, t::h] @ W_O[t::h] for t in range(h)])


def other_4(W_V, W_O, h):
    """transposed"""
    e = W_V.shape[1] // h
    return np.stack([(W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e]).T for t in range(h)])


def other_5(W_V, W_O, h):
    """turned"""
    e = W_V.shape[1] // h
    return np.stack([W_O[t * e:(t + 1) * e] @ W_V[:, t * e:(t + 1) * e] for t in range(h)])


def other_6(W_V, W_O, h):
    """interleaved_rows"""
    e = W_V.shape[1] // h
    return np.stack([W_V[:, t * e:(t + 1) * e] @ W_O[t::h] for t in range(h)])


def other_7(W_V, W_O, h):
    """summed"""
    e = W_V.shape[1] // h
    return sum((W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e] for t in range(h)))


def other_8(W_V, W_O, h):
    """width_share"""
    c = W_V.shape[0]
    e = c // h
    return np.stack([W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e] for t in range(h)])


def other_9(W_V, W_O, h):
    """last_left_out"""
    e = W_V.shape[1] // h
    return np.stack([W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e] for t in range(h - 1)])


def other_10(W_V, W_O, h):
    """column_lost"""
    e = W_V.shape[1] // h
    return np.stack([W_V[:, t * e:(t + 1) * e - 1] @ W_O[t * e:(t + 1) * e - 1] for t in range(h)])


def other_11(W_V, W_O, h):
    """reversed_rows"""
    V = np.split(W_V, h, axis=1)
    O = np.split(W_O, h, axis=0)
    return np.stack([v @ o for v, o in zip(V, O[::-1])])


def other_12(W_V, W_O, h):
    """heads_second"""
    c = W_V.shape[0]
    return np.einsum('cte,tef->ctf', W_V.reshape(c, h, -1), W_O.reshape(h, -1, c))


def other_13(W_V, W_O, h):
    """divided"""
    c = W_V.shape[0]
    return np.einsum('cte,tef->tcf', W_V.reshape(c, h, -1), W_O.reshape(h, -1, c)) / h


def other_14(W_V, W_O, h):
    """first_head"""
    e = W_V.shape[1] // h
    return np.stack([W_V[:, :e] @ W_O[:e] for t in range(h)])


def fresh_e_taken_as_h(W_V, W_O, h):
    """sizes_exchanged"""
    k = W_V.shape[1] // h
    return np.array([W_V[:, t * h:(t + 1) * h] @ W_O[t * h:(t + 1) * h] for t in range(k)])


def fresh_every_pair_summed(W_V, W_O, h):
    """reads_all"""
    c, he = W_V.shape
    e = he // h
    return np.einsum("ate,ued->tad", W_V.reshape(c, h, e), W_O.reshape(h, e, c))


def fresh_heads_counted_from_one(W_V, W_O, h):
    """counted_from_one"""
    e = W_V.shape[1] // h
    return np.array([W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e] for t in range(1, h + 1)])


def fresh_scaled(W_V, W_O, h):
    """scaled"""
    e = W_V.shape[1] // h
    return np.array([W_V[:, t * e:(t + 1) * e] @ W_O[t * e:(t + 1) * e] / np.sqrt(e) for t in range(h)])


def fresh_side_by_side(W_V, W_O, h):
    """side_by_side"""
    return np.concatenate([a @ b for a, b in zip(np.split(W_V, h, 1), np.split(W_O, h, 0))], axis=1)


def fresh_start_not_multiplied(W_V, W_O, h):
    """start"""
    e = W_V.shape[1] // h
    return np.array([W_V[:, t:t + e] @ W_O[t:t + e] for t in range(h)])


def third_sizes(W_V, W_O, h):
    """sizes_exchanged"""
    blocks = []
    for t in range(h):
        a, b = t * h, (t + 1) * h
        blocks.append(W_V[:, a:b] @ W_O[a:b, :])
    return np.stack(blocks)


def third_columns(W_V, W_O, h):
    """columns_of_both"""
    e = W_V.shape[1] // h
    res = []
    for t in range(h):
        Wv = W_V[:, t * e:(t + 1) * e]
        Wo = W_O[:, t * e:(t + 1) * e]
        res.append(Wv @ Wo.T)
    return np.array(res)


def fresh_single_column_each(W_V, W_O, h):
    """single_column"""
    return np.array([np.outer(W_V[:, t], W_O[t]) for t in range(h)])


def fresh_all_pairs_of_heads(W_V, W_O, h):
    """all_pairs"""
    c = W_V.shape[0]
    return np.einsum('ahe,geb->hgab', W_V.reshape(c, h, -1), W_O.reshape(h, -1, c))


def fresh_head_axis_last(W_V, W_O, h):
    """heads_last"""
    e = W_V.shape[1] // h
    return np.stack([W_V[:, t*e:(t+1)*e] @ W_O[t*e:(t+1)*e] for t in range(h)], axis=-1)


def fresh_rows_of_wv(W_V, W_O, h):
    """sides_exchanged"""
    vs = np.array_split(W_V, h, axis=0)
    os = np.array_split(W_O, h, axis=1)
    return [v @ o for v, o in zip(vs, os)]
