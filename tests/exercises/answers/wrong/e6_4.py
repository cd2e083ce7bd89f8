# ruff: noqa
"""Wrong answers to 6.4; each docstring is the diagnosis on record."""

import numpy as np


def straight(H):
    """reshape_only"""
    h, n, e = H.shape
    return H.reshape(n, h * e)


def stacked(H):
    """stacked"""
    return np.concatenate(list(H))


def shuffled(H):
    """interleaved"""
    return np.stack(list(H), axis=-1).reshape(H.shape[1], -1)


def added(H):
    """sum"""
    return np.add.reduce(H)


def averaged(H):
    """mean"""
    return np.mean(H, axis=0)


def heads_last_first(H):
    """reversed"""
    return np.hstack(list(H[::-1]))


def flat(H):
    """flattened"""
    return H.ravel()


def column_order(H):
    """interleaved"""
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1, order="F")


def head_numbers_from_one(H):
    """input_moved"""
    return np.hstack([H[t % len(H)] for t in range(1, len(H) + 1)])


def other_1(H):
    """reshape_only"""
    h, n, e = H.shape
    return H.reshape(n, h * e)


def other_2(H):
    """stacked"""
    return np.concatenate(H, axis=0)


def other_3(H):
    """interleaved"""
    h, n, e = H.shape
    return H.transpose(1, 2, 0).reshape(n, h * e)


def other_4(H):
    """sum"""
    return H.sum(axis=0)


def other_5(H):
    """no_reshape"""
    return H.transpose(1, 0, 2)


def other_6(H):
    """interleaved"""
    h, n, e = H.shape
    return np.stack(H, axis=-1).reshape(n, -1)


def other_7(H):
    """all_reversed"""
    h, n, e = H.shape
    return H.T.reshape(n, h * e)


def other_8(H):
    """last_left_out"""
    return np.hstack(H[:-1])


def other_9(H):
    """reversed"""
    return np.hstack(H[::-1])


def other_10(H):
    """whole_numbers"""
    h, n, e = H.shape
    out = np.zeros((n, h * e), dtype=int)
    for t in range(h):
        out[:, t * e:(t + 1) * e] = H[t]
    return out


def other_11(H):
    """start"""
    h, n, e = H.shape
    out = np.zeros((n, h * e))
    for t in range(h):
        out[:, t * h:t * h + e] = H[t][:, :out[:, t * h:t * h + e].shape[1]]
    return out


def other_12(H):
    """mean"""
    return np.mean(H, axis=0)


def other_13(H):
    """overwrites_input"""
    h, n, e = H.shape
    for t in range(1, h):
        H[t] += 0.0
    H *= 2
    return np.hstack(H / 2)


def fresh_all_axes_reversed(H):
    """all_reversed"""
    h, n, e = H.shape
    return H.T.reshape(n, h * e)


def fresh_first_head_forgotten(H):
    """part_left_at_zero"""
    h, n, e = H.shape
    out = np.zeros((n, h * e))
    for t in range(1, h):
        out[:, t * e:(t + 1) * e] = H[t]
    return out


def fresh_blocks_of_width_h(H):
    """start"""
    h, n, e = H.shape
    out = np.zeros((n, h * e))
    for t in range(h):
        for f in range(e):
            col = t * h + f
            if col < h * e:
                out[:, col] = H[t, :, f]
    return out


def fresh_first_and_last_head(H):
    """two_heads"""
    return np.concatenate([H[0], H[-1]], axis=1)


def fresh_list_of_heads(H):
    """unchanged"""
    heads = []
    for head in H:
        heads.append(head)
    return heads


def fresh_ragged_append(H):
    """flattened"""
    out = np.array([])
    for head in H:
        out = np.append(out, head)
    return out
