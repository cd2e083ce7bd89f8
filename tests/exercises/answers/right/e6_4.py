# ruff: noqa
"""Right answers to 6.4 in many hands."""

import numpy as np


def plain(H):
    h, n, e = H.shape
    return H.transpose(1, 0, 2).reshape(n, h * e)


def swapped(H):
    return H.swapaxes(0, 1).reshape(H.shape[1], -1)


def side_by_side(H):
    return np.concatenate(list(H), axis=1)


def by_hstack(H):
    return np.hstack([head for head in H])


def moved(H):
    return np.moveaxis(H, 0, 1).reshape(H.shape[1], H.shape[0] * H.shape[2])


def filled(H):
    h, n, e = H.shape
    out = np.empty((n, h * e))
    for t in range(h):
        out[:, t * e : (t + 1) * e] = H[t]
    return out


def by_einsum(H):
    return np.einsum("hne->nhe", H).reshape(H.shape[1], -1)


def token_by_token(H):
    return np.stack([np.concatenate([head[i] for head in H]) for i in range(H.shape[1])])


def raveled_rows(H):
    return np.array([H[:, i].ravel() for i in range(H.shape[1])])


def through_columns(H):
    h, n, e = H.shape
    return H.transpose(0, 2, 1).reshape(h * e, n).T


def by_block(H):
    return np.block([[head for head in H]])


def by_sum_of_placed_heads(H):
    h, n, e = H.shape
    places = np.eye(h * e).reshape(h, e, h * e)
    return sum(H[t] @ places[t] for t in range(h))


def other_1(H):
    return np.hstack(H)


def other_2(H):
    return np.concatenate([H[t] for t in range(H.shape[0])], axis=-1)


def other_3(H):
    h, n, e = H.shape
    out = np.empty((n, h * e))
    for t in range(h):
        for i in range(n):
            for a in range(e):
                out[i, t * e + a] = H[t, i, a]
    return out


def other_4(H):
    return np.moveaxis(H, 0, 1).reshape(H.shape[1], -1)


def in_a_list_1(H):
    return [np.concatenate([head[i] for head in H]) for i in range(H.shape[1])]


def fresh_concatenate_heads(H):
    return np.concatenate(list(H), axis=1)


def fresh_fill_blocks(H):
    h, n, e = np.shape(H)
    out = np.empty((n, h * e))
    for t, head in enumerate(H):
        out[:, t * e:t * e + e] = head
    return out
