# ruff: noqa
"""Wrong answers to 12.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Q, K, V, block):
    """all_scores"""
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def hand_2(Q, K, V, block):
    """softmax_each"""
    o = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        o += soft(Q @ K[i:i + block].T / np.sqrt(Q.shape[1])) @ V[i:i + block]
    return o


def hand_3(Q, K, V, block):
    """blocks_of_queries"""
    o = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(Q), block):
        o[i:i + block] = soft(Q[i:i + block] @ K.T / np.sqrt(Q.shape[1])) @ V
    return o


def hand_4(Q, K, V, block):
    """no_maximum"""
    l = 0
    o = 0
    for i in range(0, len(K), block):
        e = np.exp(Q @ K[i:i + block].T / np.sqrt(Q.shape[1]))
        l = l + e.sum(1, keepdims=True)
        o = o + e @ V[i:i + block]
    return o / l


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(Q, K, V, block):
    """all_scores"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_2(Q, K, V, block):
    """no_rescale"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        m = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m)
        l += P.sum(1, keepdims=True)
        o += P @ V[j:j + block]
    return o / l


def other_3(Q, K, V, block):
    """one_maximum"""
    n, d = Q.shape
    m, l, o = (-np.inf, np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        m2 = max(m, S.max())
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def other_4(Q, K, V, block):
    """short_block_lost"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K) - block + 1, block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def other_5(Q, K, V, block):
    """first_digits"""
    out = []
    for i in range(0, len(Q), block):
        S = Q[i:i + block] @ K.T / np.sqrt(Q.shape[1])
        E = np.exp(S - S.max(1, keepdims=True))
        out.append(E / E.sum(1, keepdims=True) @ V)
    return np.vstack(out) / 1.0001


def other_6(Q, K, V, block):
    """no_scale"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def other_7(Q, K, V, block):
    """softmax_each"""
    n, d = Q.shape
    o = np.zeros((n, V.shape[1]))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        E = np.exp(S - S.max(1, keepdims=True))
        o += E / E.sum(1, keepdims=True) @ V[j:j + block]
    return o


def other_8(Q, K, V, block):
    """blocks_averaged"""
    n, d = Q.shape
    o = np.zeros((n, V.shape[1]))
    c = 0
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        E = np.exp(S - S.max(1, keepdims=True))
        o += E / E.sum(1, keepdims=True) @ V[j:j + block]
        c += 1
    return o / c


def other_9(Q, K, V, block):
    """all_scores"""
    d = Q.shape[1]
    S = np.concatenate([Q @ K[j:j + block].T / np.sqrt(d) for j in range(0, len(K), block)], 1)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_10(Q, K, V, block):
    """all_scores"""
    S = np.empty((len(Q), len(K)))
    for j in range(0, len(K), block):
        S[:, j:j + block] = Q @ K[j:j + block].T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_11(Q, K, V, block):
    """no_maximum"""
    n, d = Q.shape
    l, o = (np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        P = np.exp(Q @ K[j:j + block].T / np.sqrt(d))
        l += P.sum(1, keepdims=True)
        o += P @ V[j:j + block]
    return o / l


def other_12(Q, K, V, block):
    """first_values"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[:P.shape[1]]
        m = m2
    return o / l


def other_13(Q, K, V, block):
    """causal"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -1e+30), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        ok = np.arange(j, j + S.shape[1])[None] <= np.arange(n)[:, None] + len(K) - n
        S = np.where(ok, S, -1e+30)
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def other_14(Q, K, V, block):
    """no_rescale_sum"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def other_15(Q, K, V, block):
    """scale_block"""
    n, d = Q.shape
    m, l, o = (np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1])))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(block)
        m2 = np.maximum(m, S.max(1, keepdims=True))
        P = np.exp(S - m2)
        c = np.exp(m - m2)
        l = l * c + P.sum(1, keepdims=True)
        o = o * c + P @ V[j:j + block]
        m = m2
    return o / l


def fresh_last_block_lost(Q, K, V, block):
    """short_block_lost"""
    n, d = Q.shape
    block = min(block, len(K))
    m, l, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for b in range(len(K) // block):
        s = Q @ K[b * block:(b + 1) * block].T / np.sqrt(d)
        new = np.maximum(m, s.max(1, keepdims=True))
        c, w = np.exp(m - new), np.exp(s - new)
        m, l, o = new, c * l + w.sum(1, keepdims=True), c * o + w @ V[b * block:(b + 1) * block]
    return o / l


def fresh_zero_start(Q, K, V, block):
    """maximum_from_zero"""
    n, d = Q.shape
    m, l, o = np.zeros((n, 1)), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for j in range(0, len(K), block):
        s = Q @ K[j:j + block].T / np.sqrt(d)
        new = np.maximum(m, s.max(1, keepdims=True))
        c, w = np.exp(m - new), np.exp(s - new)
        m, l, o = new, c * l + w.sum(1, keepdims=True), c * o + w @ V[j:j + block]
    return o / l


def third_queries(Q, K, V, block):
    """blocks_of_queries"""
    out = []
    for a in range(0, len(Q), block):
        S = Q[a:a + block] @ K.T / np.sqrt(Q.shape[1])
        P = np.exp(S - S.max(axis=1, keepdims=True))
        out.append(P / P.sum(axis=1, keepdims=True) @ V)
    return np.concatenate(out)


def third_local_maximum(Q, K, V, block):
    """block_maximum"""
    n, d = Q.shape
    l = np.zeros((n, 1))
    o = np.zeros((n, V.shape[1]))
    for a in range(0, len(K), block):
        S = Q @ K[a:a + block].T / np.sqrt(d)
        P = np.exp(S - S.max(axis=1, keepdims=True))
        l += P.sum(axis=1, keepdims=True)
        o += P @ V[a:a + block]
    return o / l


def third_divides(Q, K, V, block):
    """divides_each_time"""
    n, d = Q.shape
    m = np.full((n, 1), -np.inf)
    l = np.zeros((n, 1))
    o = np.zeros((n, V.shape[1]))
    for a in range(0, len(K), block):
        S = Q @ K[a:a + block].T / np.sqrt(d)
        new = np.maximum(m, S.max(axis=1, keepdims=True))
        P = np.exp(S - new)
        c = np.exp(m - new)
        l = c * l + P.sum(axis=1, keepdims=True)
        o = (c * o + P @ V[a:a + block]) / l
        m = new
    return o


def fresh_block_max_as_running(Q, K, V, block):
    """own_maximum"""
    n, d = Q.shape
    m, l, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for j in range(0, len(K), block):
        S = Q @ K[j:j + block].T / np.sqrt(d)
        new = S.max(axis=1, keepdims=True)
        c, P = np.exp(m - new), np.exp(S - new)
        l, o, m = c * l + P.sum(1, keepdims=True), c * o + P @ V[j:j + block], new
    return o / l


def fresh_scales_by_block(Q, K, V, block):
    """scale_block"""
    n = len(Q)
    top, l, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for a in range(0, len(K), block):
        Kb, Vb = K[a:a + block], V[a:a + block]
        t = Q @ Kb.T / np.sqrt(Kb.shape[0])
        new = np.maximum(top, t.max(axis=1, keepdims=True))
        c, p = np.exp(top - new), np.exp(t - new)
        l, o, top = c * l + p.sum(1, keepdims=True), c * o + p @ Vb, new
    return o / l
