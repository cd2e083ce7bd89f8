# ruff: noqa
"""Right answers to 12.1 in many hands."""

import math

import numpy as np


def plain(s, V, block):
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        new = max(m, b.max())
        c = np.exp(m - new)
        e = np.exp(b - new)
        l = l * c + e.sum()
        o = o * c + e @ V[i : i + block]
        m = new
    return o / l


def keeps_the_average(s, V, block):
    m, l, y = -math.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, s.size, block):
        b, v = s[i : i + block], V[i : i + block]
        new = max(m, float(b.max()))
        old, e = l * math.exp(m - new), np.exp(b - new)
        total = old + e.sum()
        y = y * (old / total) + (e / total) @ v
        m, l = new, total
    return y


def one_key_at_a_time(s, V, block):
    m, l, o = -np.inf, 0.0, 0.0
    for x, v in zip(s, V):
        if x > m:
            c = np.exp(m - x)
            l, o, m = l * c, o * c, x
        w = np.exp(x - m)
        l += w
        o = o + w * v
    return o / l


def starts_with_the_first_block(s, V, block):
    m = s[:block].max()
    e = np.exp(s[:block] - m)
    l, o = e.sum(), e @ V[:block]
    for i in range(block, len(s), block):
        part = s[i : i + block]
        new = np.maximum(m, part.max())
        e = np.exp(part - new)
        l, o, m = l * np.exp(m - new) + e.sum(), o * np.exp(m - new) + e @ V[i : i + block], new
    return o / l


def keeps_the_logarithm(s, V, block):
    lse, y = -np.inf, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        mine = b.max() + np.log(np.exp(b - b.max()).sum())
        both = np.logaddexp(lse, mine)
        y = y * np.exp(lse - both) + np.exp(b - both) @ V[i : i + block]
        lse = both
    return y


def merges_finished_blocks(s, V, block):
    def finished(b, v):
        m = b.max()
        e = np.exp(b - m)
        return m, e.sum(), e @ v

    def merge(a, b):
        m = max(a[0], b[0])
        x, y = np.exp(a[0] - m), np.exp(b[0] - m)
        return m, a[1] * x + b[1] * y, a[2] * x + b[2] * y

    state = None
    for i in range(0, len(s), block):
        part = finished(s[i : i + block], V[i : i + block])
        state = part if state is None else merge(state, part)
    return state[2] / state[1]


def from_the_end(s, V, block):
    m, l, o = -np.inf, 0, np.zeros(V.shape[1])
    i = len(s)
    while i > 0:
        j = max(0, i - block)
        b = s[j:i]
        new = max(m, b.max())
        l = l * np.exp(m - new) + np.exp(b - new).sum()
        o = o * np.exp(m - new) + np.exp(b - new) @ V[j:i]
        m, i = new, j
    return o / l


def only_when_it_rises(s, V, block):
    top, total, acc = s[0], 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i : i + block]
        if b.max() > top:
            shrink = np.exp(top - b.max())
            total *= shrink
            acc *= shrink
            top = b.max()
        w = np.exp(b - top)
        total += w.sum()
        acc += (w[:, None] * V[i : i + block]).sum(0)
    return acc / total


def a_very_low_start(s, V, block):
    m, l, o = -1e30, 0.0, np.zeros((1, V.shape[1]))
    for i in range(0, len(s), block):
        b = s[None, i : i + block]
        new = np.maximum(m, b.max())
        p = np.exp(b - new)
        l, o, m = l * np.exp(m - new) + p.sum(), o * np.exp(m - new) + p @ V[i : i + block], new
    return (o / l)[0]


def recursive(s, V, block):
    def partial(lo, hi):
        if hi - lo <= block:
            b = s[lo:hi]
            e = np.exp(b - b.max())
            return b.max(), e.sum(), e @ V[lo:hi]
        mid = (lo + hi) // 2
        (a, la, oa), (b, lb, ob) = partial(lo, mid), partial(mid, hi)
        m = max(a, b)
        return m, la * np.exp(a - m) + lb * np.exp(b - m), oa * np.exp(a - m) + ob * np.exp(b - m)

    m, l, o = partial(0, len(s))
    return o / l


def other_1(s, V, block):
    m, l, o = (-np.inf, 0.0, np.zeros(V.shape[1]))
    start = 0
    while start < len(s):
        b, v = (s[start:start + block], V[start:start + block])
        new = max(m, b.max())
        p = np.exp(b - new)
        o = np.exp(m - new) * o + p @ v
        l = np.exp(m - new) * l + p.sum()
        m = new
        start += block
    return o / l


def other_2(s, V, block):
    L = -np.inf
    o = np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        b = s[i:i + block]
        L2 = np.logaddexp(L, np.logaddexp.reduce(b))
        o = o * np.exp(L - L2) + np.exp(b - L2) @ V[i:i + block]
        L = L2
    return o
