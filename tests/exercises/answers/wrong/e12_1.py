# ruff: noqa
"""Wrong answers to 12.1; each docstring is the diagnosis on record."""

import numpy as np


def never_rescales(s, V, block):
    """no_rescale"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        m = max(m, s[i : i + block].max())
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def two_passes(s, V, block):
    """two_passes"""
    m = -np.inf
    for i in range(0, len(s), block):
        m = max(m, s[i : i + block].max())
    l, o = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def maximum_of_all_first(s, V, block):
    """two_passes"""
    m, l, o = s.max(), 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block] - m)
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def all_at_once(s, V, block):
    """all_in_memory"""
    e = np.exp(s - s.max())
    return e @ V / e.sum()


def no_maximum(s, V, block):
    """no_maximum"""
    l, o = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block])
        l += e.sum()
        o += e @ V[i : i + block]
    return o / l


def from_zero(s, V, block):
    """maximum_from_zero"""
    m, l, o = 0.0, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
        m = new
    return o / l


def returns_in_the_loop(s, V, block):
    """first_block"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
        m = new
        return o / l


def whole_blocks_only(s, V, block):
    """short_block_lost"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for k in range(len(s) // block):
        b, v = s[k * block : (k + 1) * block], V[k * block : (k + 1) * block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ v
        m = new
    return o / l


def maximum_not_kept(s, V, block):
    """last_block"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[i : i + block]
    return o / l


def endless(s, V, block):
    """unnamed"""
    i, o = 0, 0.0
    while i < len(s):
        o = o + np.exp(s[i])
    return o


def other_1(s, V, block):
    """two_passes"""
    m = max((s[i:i + block].max() for i in range(0, len(s), block)))
    l, o = (0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        p = np.exp(s[i:i + block] - m)
        l += p.sum()
        o += p @ V[i:i + block]
    return o / l


def other_2(s, V, block):
    """all_in_memory"""
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_3(s, V, block):
    """no_rescale"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m = max(m, b.max())
        p = np.exp(b - m)
        l += p.sum()
        o += p @ V[i:i + block]
    return o / l


def other_4(s, V, block):
    """no_rescale_average"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        l = l * np.exp(m - m2) + p.sum()
        o = o + p @ V[i:i + block]
        m = m2
    return o / l


def other_5(s, V, block):
    """short_block_lost"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for k in range(len(s) // block):
        b = s[k * block:(k + 1) * block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum()
        o = o * c + p @ V[k * block:(k + 1) * block]
        m = m2
    return o / l


def other_6(s, V, block):
    """maximum_from_zero"""
    m, l, o = (0.0, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum()
        o = o * c + p @ V[i:i + block]
        m = m2
    return o / l


def other_7(s, V, block):
    """block_averages"""
    outs = []
    for i in range(0, len(s), block):
        b = s[i:i + block]
        e = np.exp(b - b.max())
        outs.append(e / e.sum() @ V[i:i + block])
    return np.mean(outs, axis=0)


def other_8(s, V, block):
    """all_in_memory"""
    parts = []
    for i in range(0, len(s), block):
        parts.append(s[i:i + block])
    z = np.concatenate(parts)
    e = np.exp(z - z.max())
    return e @ V / e.sum()


def other_9(s, V, block):
    """never_divides"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum()
        o = o * c + p @ V[i:i + block]
        m = m2
    return o


def other_10(s, V, block):
    """factor_reversed"""
    m, l, o = (s[0], 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        c = np.exp(m2 - m)
        l = l * c + p.sum()
        o = o * c + p @ V[i:i + block]
        m = m2
    return o / l


def other_11(s, V, block):
    """first_maximum"""
    m, l, o = (s[:block].max(), 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        p = np.exp(b - m)
        l = l + p.sum()
        o = o + p @ V[i:i + block]
    return o / l


def other_12(s, V, block):
    """no_maximum"""
    l, o = (0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        p = np.exp(s[i:i + block])
        l += p.sum()
        o += p @ V[i:i + block]
    return o / l


def other_13(s, V, block):
    """two_passes"""
    n = len(s)
    m = s[0]
    for x in s:
        if x > m:
            m = x
    l = 0
    o = 0
    for i in range(n):
        l += np.exp(s[i] - m)
        o = o + np.exp(s[i] - m) * V[i]
    return o / l


def other_14(s, V, block):
    """own_maximum"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = b.max()
        p = np.exp(b - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum()
        o = o * c + p @ V[i:i + block]
        m = m2
    return o / l


def other_15(s, V, block):
    """divides_each"""
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    for i in range(0, len(s), block):
        b = s[i:i + block]
        m2 = max(m, b.max())
        p = np.exp(b - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum()
        o = (o * c + p @ V[i:i + block]) / l
        m = m2
    return o


def fresh_drops_last_block(s, V, block):
    """short_block_lost"""
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for b in range(max(len(s) // block, 1)):
        sb, vb = s[b * block:(b + 1) * block], V[b * block:(b + 1) * block]
        new = max(m, sb.max())
        c, w = np.exp(m - new), np.exp(sb - new)
        l, o = l * c + w.sum(), o * c + w @ vb
        m = new
    return o / l


def fresh_minus_1000_start(s, V, block):
    """maximum_from_zero"""
    m, l, o = -1000.0, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        sb = s[i:i + block]
        new = max(m, sb.max())
        c, w = np.exp(m - new), np.exp(sb - new)
        l, o = l * c + w.sum(), o * c + w @ V[i:i + block]
        m = new
    return o / l


def fresh_max_not_updated(s, V, block):
    """maximum_not_kept"""
    m = s[0]
    l, o = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        sb = s[i:i + block]
        new = max(m, sb.max())
        c = np.exp(m - new)
        p = np.exp(sb - new)
        l = l * c + p.sum()
        o = o * c + p @ V[i:i + block]
    return o / l
