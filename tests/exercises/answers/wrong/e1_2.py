# ruff: noqa
"""Wrong answers to 1.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(q, K, V):
    """scale_keys"""
    return soft(K @ q / np.sqrt(K.shape[0] * 1.0)) @ V


def hand_2(q, K, V):
    """no_exp"""
    s = K @ q / np.sqrt(len(q))
    w = s / np.abs(s).sum()
    return w @ V


def hand_3(q, K, V):
    """not_divided"""
    s = K @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    w /= w.max()
    return w @ V


def hand_4(q, K, V):
    """hard"""
    return V[np.argmax(K @ q)]


def hand_5(q, K, V):
    """shape_only"""
    return (soft(K @ q / np.sqrt(len(q))) @ V)[None]


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(q, K, V):
    """no_scale"""
    s = K @ q
    w = np.exp(s - s.max())
    return w / w.sum() @ V


def other_2(q, K, V):
    """no_shift"""
    w = np.exp(K @ q / np.sqrt(len(q)))
    return w @ V / w.sum()


def other_3(q, K, V):
    """returns_weights"""
    s = K @ q / np.sqrt(q.shape[0])
    e = np.exp(s - np.max(s))
    return e / e.sum()


def other_4(q, K, V):
    """hard"""
    return V[np.argmax(K @ q)]


def other_5(q, K, V):
    """scale_keys"""
    s = K @ q / np.sqrt(K.shape[0])
    e = np.exp(s - np.max(s))
    return e / e.sum() @ V


def other_6(q, K, V):
    """scale_d"""
    s = [np.dot(q, k) / len(q) for k in K]
    m = max(s)
    e = [np.exp(x - m) for x in s]
    return sum((x / sum(e) * v for x, v in zip(e, V)))


def other_8(q, K, V):
    """clipped"""
    s = np.clip(K @ q / np.sqrt(len(q)), -50, 50)
    e = np.exp(s)
    return e / e.sum() @ V


def other_9(q, K, V):
    """not_divided"""
    s = K @ q / np.sqrt(len(q))
    return np.exp(s - s.max()) @ V


def other_10(q, K, V):
    """divided_again"""
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return (V * (e / e.sum())[:, None]).mean(axis=0)


def other_11(q, K, V):
    """shape_only"""
    q = q[None]
    s = q @ K.T / np.sqrt(q.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_12(q, K, V):
    """scale_values"""
    s = K @ q / np.sqrt(V.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_13(q, K, V):
    """scale_inverse"""
    s = K @ q * np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_14(q, K, V):
    """nan_hidden"""
    w = np.exp(K @ q / np.sqrt(len(q)))
    return np.nan_to_num(w / w.sum()) @ V


def other_15(q, K, V):
    """cosine"""
    s = K @ q / (np.linalg.norm(K, axis=1) * np.linalg.norm(q) + 1e-09)
    e = np.exp(s)
    return e / e.sum() @ V


def other_16(q, K, V):
    """no_exp"""
    s = K @ q / np.sqrt(len(q))
    return s / s.sum() @ V


def other_17(q, K, V):
    """returns_nothing"""
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    print(e / e.sum() @ V)


def other_18(q, K, V):
    """rounded"""
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return np.round(e / e.sum() @ V, 2)


def other_19(q, K, V):
    """epsilon"""
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e @ V / (e.sum() + 0.001)


def other_20(q, K, V):
    """sizes"""
    s = np.abs(K @ q) / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_21(q, K, V):
    """distance"""
    s = -np.linalg.norm(K - q, axis=1) / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def other_22(q, K, V):
    """overwrites_input"""
    q /= np.sqrt(len(q))
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum() @ V


def fresh_abs_max(q, K, V):
    """shift_size"""
    s = K @ q / np.sqrt(len(q))
    a = np.exp(s - np.abs(s).max())
    return a @ V / a.sum()


def fresh_skips_last(q, K, V):
    """last_key_lost"""
    s = K @ q / np.sqrt(len(q))
    a = np.exp(s - s.max())
    a = a / a.sum()
    out = np.zeros(V.shape[1])
    for j in range(len(V) - 1):
        out += a[j] * V[j]
    return out


def fresh_sums_features(q, K, V):
    """adds_features"""
    s = K @ q / np.sqrt(len(q))
    a = np.exp(s - s.max())
    a = a / a.sum()
    return (a[:, None] * V).sum()


def fresh_transposed_keys(q, K, V):
    """keys_transposed"""
    s = K.T @ q / np.sqrt(len(q))
    a = np.exp(s - s.max())
    return (a / a.sum()) @ V
