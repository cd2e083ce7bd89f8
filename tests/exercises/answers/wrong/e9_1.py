# ruff: noqa
"""Wrong answers to 9.1; each docstring is the diagnosis on record."""

import numpy as np


def tiled(K, h):
    """tile"""
    return np.concatenate([K] * (h // len(K)))


def modulo(K, h):
    """tile reversed"""
    return np.stack([K[t % len(K)] for t in range(h - 1, -1, -1)])


def tokens_repeated(K, h):
    """along_tokens"""
    return K.repeat(h // len(K), 1)


def all_axes(K, h):
    """repeat_reshaped"""
    return np.repeat(K, h // len(K))


def h_times(K, h):
    """h_times"""
    return np.repeat(K, h, axis=0)


def four_axes(K, h):
    """extra_axis"""
    g, n, e = K.shape
    return np.broadcast_to(K[:, None], (g, h // g, n, e))


def resized(K, h):
    """tile"""
    return np.resize(K, (h, *K.shape[1:]))


def other_1(K, h):
    """tile"""
    return np.tile(K, (h // K.shape[0], 1, 1))


def other_2(K, h):
    """along_tokens"""
    return np.repeat(K, h // K.shape[0], axis=1)


def other_3(K, h):
    """h_times"""
    return np.repeat(K, h, axis=0)


def other_4(K, h):
    """tile"""
    return np.stack([K[i % len(K)] for i in range(h)])


def other_5(K, h):
    """repeat_reshaped"""
    return np.repeat(K, h // K.shape[0])


def other_6(K, h):
    """first_for_all"""
    return np.repeat(K[:1], h, axis=0)


def other_7(K, h):
    """tile"""
    g, n, e = K.shape
    return np.broadcast_to(K[None], (h // g, g, n, e)).reshape(h, n, e)


def other_8(K, h):
    """mean"""
    return np.repeat(K.mean(0, keepdims=True), h, 0)


def other_9(K, h):
    """divided_by_groups"""
    g = len(K)
    return np.stack([K[min(i // g, g - 1)] for i in range(h)])


def other_10(K, h):
    """unchanged"""
    return K


def other_11(K, h):
    """extra_axis"""
    g, n, e = K.shape
    return np.broadcast_to(K[:, None], (g, h // g, n, e))


def other_13(K, h):
    """along_features"""
    return np.repeat(K, h // len(K), axis=-1)


def other_14(K, h):
    """unnamed"""
    r = h // K.shape[0]
    return np.concatenate([K[i:i + 1] for i in range(len(K)) for _ in range(r - 1)] + [K[-1:]] * len(K))


def other_15(K, h):
    """divided"""
    r = h // K.shape[0]
    return np.repeat(K / r, r, axis=0)


def other_16(K, h):
    """reversed"""
    return np.repeat(K, h // len(K), axis=0)[::-1]


def fresh_divides_by_g(K, h):
    """divided_by_groups"""
    g = len(K)
    return np.stack([K[min(i // g, g - 1)] for i in range(h)])


def fresh_linspace_round(K, h):
    """spread"""
    g = len(K)
    return K[np.round(np.linspace(0, g - 1, h)).astype(int)]


def fresh_off_by_one(K, h):
    """one_early"""
    g = len(K)
    r = h // g
    return K[np.minimum((np.arange(h) + 1) // r, g - 1)]


def fresh_transposed_out(K, h):
    """axes_exchanged"""
    return np.repeat(K, h // K.shape[0], axis=0).transpose(1, 0, 2)


def fresh_zero_pads(K, h):
    """part_left_at_zero"""
    g, n, e = K.shape
    out = np.zeros((h, n, e))
    out[::h // g] = K
    return out


def fresh_split_width(K, h):
    """width_cut"""
    g, n, e = K.shape
    r = h // g
    return [K[i // r][:, (i % r) * (e // r):(i % r + 1) * (e // r)] for i in range(h)]


def fresh_hard_coded_pairs(K, h):
    """fixed_group"""
    out = []
    for i in range(h):
        out.append(K[(i // 2) % K.shape[0]])
    return np.array(out)


def fresh_repeats_h_minus_g(K, h):
    """difference"""
    out = []
    for head in K:
        for _ in range(h - K.shape[0]):
            out.append(head)
    return np.array(out)


def fresh_repeats_tokens(K, h):
    """along_tokens"""
    g, n, e = K.shape
    return np.repeat(K, h // g, axis=1).reshape(h, n, e)
