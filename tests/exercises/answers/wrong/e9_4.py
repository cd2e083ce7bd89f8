# ruff: noqa
"""Wrong answers to 9.4; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(q, k, v, K, V):
    """not_itself"""
    s = K @ q / np.sqrt(len(q))
    return (soft(s) @ V, np.vstack([K, k]), np.vstack([V, v]))


def hand_2(q, k, v, K, V):
    """output_only"""
    K = np.vstack([K, k])
    V = np.vstack([V, v])
    return soft(K @ q / np.sqrt(len(q))) @ V


def hand_3(q, k, v, K, V):
    """shape_only"""
    K = np.vstack([K, k])
    V = np.vstack([V, v])
    return (soft(q[None] @ K.T / np.sqrt(len(q))) @ V, K, V)


def hand_4(q, k, v, K, V):
    """scale_length"""
    K = np.vstack([K, v]) if len(k) == len(v) else np.vstack([K, k])
    V = np.vstack([V, v])
    return (soft(K @ q / np.sqrt(len(K))) @ V, K, V)


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(q, k, v, K, V):
    """not_itself"""
    if len(K) == 0:
        return (v, np.vstack([K, k]), np.vstack([V, v]))
    s = K @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    o = w / w.sum() @ V
    return (o, np.vstack([K, k]), np.vstack([V, v]))


def other_2(q, k, v, K, V):
    """in_front"""
    K2, V2 = (np.vstack([k, K]), np.vstack([v, V]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_3(q, k, v, K, V):
    """no_scale"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_4(q, k, v, K, V):
    """query_kept"""
    K2, V2 = (np.vstack([K, q]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_5(q, k, v, K, V):
    """flattened"""
    K2, V2 = (np.append(K, k), np.append(V, v))
    s = K2.reshape(-1, len(q)) @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2.reshape(-1, len(v)), K2, V2)


def other_6(q, k, v, K, V):
    """output_only"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return w / w.sum() @ V2


def other_7(q, k, v, K, V):
    """not_kept"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K, V)


def other_8(q, k, v, K, V):
    """overwrites_last"""
    K2, V2 = (K.copy(), V.copy())
    if len(K2):
        K2[-1], V2[-1] = (k, v)
    else:
        K2, V2 = (k[None], v[None])
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_9(q, k, v, K, V):
    """shape_only"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = q[None] @ K2.T / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_10(q, k, v, K, V):
    """caches_exchanged"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, V2, K2)


def other_11(q, k, v, K, V):
    """drops_oldest"""
    K2, V2 = (np.vstack([K, k])[-max(len(K), 1):], np.vstack([V, v])[-max(len(V), 1):])
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_12(q, k, v, K, V):
    """value_left_out"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    w = w / w.sum()
    return (w[:-1] @ V, K2, V2)


def other_13(q, k, v, K, V):
    """scale_length"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(K2))
    w = np.exp(s - s.max())
    return (w / w.sum() @ V2, K2, V2)


def other_14(q, k, v, K, V):
    """residual"""
    K2, V2 = (np.vstack([K, k]), np.vstack([V, v]))
    s = K2 @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return (v + w / w.sum() @ V2, K2, V2)


def no_empty_past(q, k, v, K, V):
    """stops_on_some_sizes"""
    s, t = K @ q / np.sqrt(len(q)), k @ q / np.sqrt(len(q))
    m = max(s.max(), t)
    e, f = np.exp(s - m), np.exp(t - m)
    return (e @ V + f * v) / (e.sum() + f), np.vstack((K, k)), np.vstack((V, v))


def fresh_empty_returns_zero(q, k, v, K, V):
    """empty_is_zero"""
    K2, V2 = np.vstack([K, k]), np.vstack([V, v])
    if K.shape[0] == 0:
        return np.zeros_like(v), K2, V2
    s = K2 @ q / np.sqrt(len(q))
    a = np.exp(s - s.max())
    return a / a.sum() @ V2, K2, V2


def fresh_order_swapped(q, k, v, K, V):
    """order"""
    K, V = np.vstack([K, k]), np.vstack([V, v])
    s = K @ q / np.sqrt(len(q))
    a = np.exp(s - s.max())
    return K, V, a / a.sum() @ V
