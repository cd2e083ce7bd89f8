# ruff: noqa
"""Wrong answers to 6.3; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V, W_O, h):
    """merge_reshape"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V).reshape(n, -1) @ W_O


def hand_2(X, W_Q, W_K, W_V, W_O, h):
    """among_heads"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V).reshape(n, -1) @ W_O


def hand_3(X, W_Q, W_K, W_V, W_O, h):
    """one_wide_head"""
    Q, K, V = (X @ W_Q, X @ W_K, X @ W_V)
    return soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V @ W_O


def hand_4(X, W_Q, W_K, W_V, W_O, h):
    """divided"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    O = soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V
    return sum((O[t] @ np.split(W_O, h, 0)[t] for t in range(h))) / h


def hand_5(X, W_Q, W_K, W_V, W_O, h):
    """scale_all"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)]
    return (soft(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2] * h)) @ V).swapaxes(0, 1).reshape(n, -1) @ W_O


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def sm_1(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_1.helper = True


def other_1(X, W_Q, W_K, W_V, W_O, h):
    """no_mix"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_1(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return (A @ V).transpose(1, 0, 2).reshape(n, -1)


def sm_2(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_2.helper = True


def other_2(X, W_Q, W_K, W_V, W_O, h):
    """merge_reshape"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_2(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return (A @ V).reshape(n, -1) @ W_O


def sm_3(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_3.helper = True


def other_3(X, W_Q, W_K, W_V, W_O, h):
    """among_heads"""
    n = len(X)
    Q, K, V = [(X @ W).reshape(n, h, -1) for W in (W_Q, W_K, W_V)]
    A = sm_3(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return (A @ V).reshape(n, -1) @ W_O


def sm_4(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_4.helper = True


def other_4(X, W_Q, W_K, W_V, W_O, h):
    """scale_share"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_4(Q @ K.transpose(0, 2, 1) / np.sqrt(c / h))
    return (A @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def sm_5(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_5.helper = True


def other_5(X, W_Q, W_K, W_V, W_O, h):
    """scale_all"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_5(Q @ K.transpose(0, 2, 1) / np.sqrt(W_Q.shape[1]))
    return (A @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def sm_6(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_6.helper = True


def other_6(X, W_Q, W_K, W_V, W_O, h):
    """both_reshape"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(h, n, -1) for W in (W_Q, W_K, W_V)]
    A = sm_6(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return (A @ V).reshape(n, -1) @ W_O


def sm_7(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_7.helper = True


def other_7(X, W_Q, W_K, W_V, W_O, h):
    """residual"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_7(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return X + (A @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def sm_8(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_8.helper = True


def other_8(X, W_Q, W_K, W_V, W_O, h):
    """one_wide_head"""
    Q, K, V = (X @ W_Q, X @ W_K, X @ W_V)
    return sm_8(Q @ K.T / np.sqrt(Q.shape[1] // h)) @ V @ W_O


def sm_9(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_9.helper = True


def other_9(X, W_Q, W_K, W_V, W_O, h):
    """mean_weights"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    A = sm_9(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])).mean(0)
    return (A @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def sm_10(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_10.helper = True


def other_10(X, W_Q, W_K, W_V, W_O, h):
    """causal"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    S = np.where(np.tri(n, dtype=bool), S, -1000000000.0)
    return (sm_10(S) @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def other_11(X, W_Q, W_K, W_V, W_O, h):
    """over_heads"""
    n, c = X.shape
    Q, K, V = [(X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V)]
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(0))
    return (E / E.sum(0) @ V).transpose(1, 0, 2).reshape(n, -1) @ W_O


def sm_12(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_12.helper = True


def other_12(X, W_Q, W_K, W_V, W_O, h):
    """reversed"""
    outs = []
    for wq, wk, wv in zip(np.split(W_Q, h, 1), np.split(W_K, h, 1), np.split(W_V, h, 1)):
        Q, K, V = (X @ wq, X @ wk, X @ wv)
        outs.insert(0, sm_12(Q @ K.T / np.sqrt(Q.shape[1])) @ V)
    return np.hstack(outs) @ W_O


def sm_13(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_13.helper = True


def other_13(X, W_Q, W_K, W_V, W_O, h):
    """mix_transposed"""
    outs = []
    for wq, wk, wv in zip(np.split(W_Q, h, 1), np.split(W_K, h, 1), np.split(W_V, h, 1)):
        Q, K, V = (X @ wq, X @ wk, X @ wv)
        outs.append(sm_13(Q @ K.T / np.sqrt(Q.shape[1])) @ V)
    return np.hstack(outs) @ W_O.T


def sm_14(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


sm_14.helper = True


def other_14(X, W_Q, W_K, W_V, W_O, h):
    """no_scale"""
    outs = []
    for wq, wk, wv in zip(np.split(W_Q, h, 1), np.split(W_K, h, 1), np.split(W_V, h, 1)):
        Q, K, V = (X @ wq, X @ wk, X @ wv)
        outs.append(sm_14(Q @ K.T) @ V)
    return np.hstack(outs) @ W_O


def fresh_heads_interleaved_on_merging(X, W_Q, W_K, W_V, W_O, h):
    """merge_interleaved"""
    n = X.shape[0]
    Q, K, V = ((X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(-1, keepdims=True))
    O = E / E.sum(-1, keepdims=True) @ V
    return O.transpose(1, 2, 0).reshape(n, -1) @ W_O


def fresh_interleaved_heads(X, W_Q, W_K, W_V, W_O, h):
    """split_interleaved"""
    outs = []
    for t in range(h):
        Q, K, V = X @ W_Q[:, t::h], X @ W_K[:, t::h], X @ W_V[:, t::h]
        S = Q @ K.T / np.sqrt(Q.shape[1])
        E = np.exp(S - S.max(1, keepdims=True))
        outs.append(E / E.sum(1, keepdims=True) @ V)
    return np.concatenate(outs, axis=1) @ W_O


def third_width(X, W_Q, W_K, W_V, W_O, h):
    """width_share"""
    n, c = X.shape
    d = c // h
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    heads = []
    for i in range(h):
        q = Q[:, i*d:(i+1)*d]
        k = K[:, i*d:(i+1)*d]
        v = V[:, i*d:(i+1)*d]
        s = q @ k.T / np.sqrt(d)
        a = np.exp(s - s.max(axis=-1, keepdims=True))
        heads.append(a / a.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(heads, axis=-1) @ W_O


def third_values(X, W_Q, W_K, W_V, W_O, h):
    """values_width"""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // h
    out = []
    for t in range(h):
        s = slice(t * d, (t + 1) * d)
        S = Q[:, s] @ K[:, s].T / np.sqrt(d)
        A = np.exp(S - S.max(axis=1, keepdims=True))
        A = A / A.sum(axis=1, keepdims=True)
        out.append(A @ V[:, s])
    return np.concatenate(out, axis=1) @ W_O


def fresh_heads_not_summed(X, W_Q, W_K, W_V, W_O, h):
    """not_summed"""
    out = []
    for wq, wk, wv, wo in zip(np.hsplit(W_Q, h), np.hsplit(W_K, h), np.hsplit(W_V, h), np.vsplit(W_O, h)):
        s = (X @ wq) @ (X @ wk).T / np.sqrt(wq.shape[1])
        a = np.exp(s - s.max(axis=1, keepdims=True))
        a = a / a.sum(axis=1, keepdims=True)
        out.append(a @ X @ wv @ wo)
    return np.array(out)


def fresh_queries_and_keys_of_different_heads(X, W_Q, W_K, W_V, W_O, h):
    """pairs_of_heads"""
    Qs = np.split(X @ W_Q, h, axis=1)
    Ks = np.split(X @ W_K, h, axis=1)
    Vs = np.split(X @ W_V, h, axis=1)
    outs = []
    for t in range(h):
        S = Qs[t] @ Ks[(t + 1) % h].T / np.sqrt(Qs[t].shape[1])
        A = np.exp(S - S.max(axis=1, keepdims=True))
        outs.append(A @ Vs[t] / A.sum(axis=1, keepdims=True))
    return np.hstack(outs) @ W_O


def fresh_first_block_of_wo_for_all(X, W_Q, W_K, W_V, W_O, h):
    """same_block"""
    Y = np.zeros((len(X), W_O.shape[1]))
    for Q, K, V in zip(*[np.split(X @ W, h, axis=1) for W in (W_Q, W_K, W_V)]):
        S = Q @ K.T / np.sqrt(Q.shape[1])
        P = np.exp(S - S.max(1, keepdims=True))
        O = P / P.sum(1, keepdims=True) @ V
        Y += O @ W_O[:O.shape[1]]
    return Y


def fresh_weights_shared_from_head_zero(X, W_Q, W_K, W_V, W_O, h):
    """first_weights"""
    d = W_Q.shape[1] // h
    S = (X @ W_Q[:, :d]) @ (X @ W_K[:, :d]).T / np.sqrt(d)
    P = np.exp(S - S.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    return P @ (X @ W_V) @ W_O
