# ruff: noqa
"""Wrong answers to 3.3; each docstring is the diagnosis on record."""

import numpy as np


def by_the_library(Q, K, V):
    """library_call"""
    from attn import core

    return core.scaled_dot_product_attention(Q, K, V)


def forgot_the_scale(Q, K, V):
    """no_scale"""
    return soft(Q @ K.T) @ V


def divided_by_d(Q, K, V):
    """scale_d"""
    d_k = K.shape[-1]
    return soft(np.einsum("nd,md->nm", Q, K) / d_k) @ V


def scaled_both(Q, K, V):
    """scale_d"""
    return soft((Q / np.sqrt(Q.shape[1])) @ (K / np.sqrt(K.shape[1])).T) @ V


def length_of_q(Q, K, V):
    """scale_tokens"""
    return soft(Q @ K.T / np.sqrt(len(Q))) @ V


def sixty_four(Q, K, V):
    """scale_constant"""
    return soft(Q @ K.T / np.sqrt(64)) @ V


def operator_precedence(Q, K, V):
    """scale_d double"""
    return soft(Q @ K.T / Q.shape[-1] * 0.5) @ V


def wrong_axis(Q, K, V):
    """over_queries"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(0))
    return E / E.sum(0) @ V


def shift_by_row_sum_by_column(Q, K, V):
    """over_queries"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(0) @ V


def two_mistakes(Q, K, V):
    """over_queries no_scale"""
    S = Q @ K.T
    E = np.exp(S)
    return E / E.sum(0) @ V


def weights_only(Q, K, V):
    """no_values"""
    return soft(Q @ K.T / np.sqrt(Q.shape[1]))


def overflow(Q, K, V):
    """no_shift"""
    E = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return E / E.sum(1, keepdims=True) @ V


def one_maximum(Q, K, V):
    """one_shift"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max())
    return E / E.sum(1, keepdims=True) @ V


def overwrites(Q, K, V):
    """overwrites_input"""
    Q /= np.sqrt(Q.shape[1])
    return soft(Q @ K.T) @ V


def forgot_return(Q, K, V):
    """returns_nothing"""
    soft(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def elementwise(Q, K, V):
    """elementwise"""
    return soft(Q * K / np.sqrt(Q.shape[1])) @ V


def undefined_name(Q, K, V):
    """unnamed"""
    return softmax(Q @ K.T) @ V


def distances(Q, K, V):
    """distance"""
    D = ((Q[:, None] - K[None]) ** 2).sum(-1)
    return soft(-D / np.sqrt(Q.shape[1])) @ V


def soft(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


soft.helper = True


def other_1(Q, K, V):
    """over_everything"""
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max())
    return E / E.sum() @ V


def other_2(Q, K, V):
    """scale_values"""
    S = Q @ K.T / np.sqrt(V.shape[-1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_3(Q, K, V):
    """scale_after"""
    S = Q @ K.T
    E = np.exp(S - S.max(1, keepdims=True))
    A = E / E.sum(1, keepdims=True)
    return A @ V / np.sqrt(Q.shape[1])


def other_4(Q, K, V):
    """keepdims"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1))
    return E / E.sum(axis=1) @ V


def other_5(Q, K, V):
    """whole_scores"""
    S = Q @ K.T // np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_6(Q, K, V):
    """shift_below_only"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    m = S.max(1, keepdims=True)
    return np.exp(S) / np.exp(S - m).sum(1, keepdims=True) @ V


def other_7(Q, K, V):
    """causal"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    S = np.where(np.tril(np.ones_like(S)) > 0, S, -np.inf)
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_8(Q, K, V):
    """scale_d"""
    d = Q.shape[1]
    S = np.einsum('nd,md->nm', Q, K) / d
    E = np.exp(S - S.max(1, keepdims=True))
    return np.einsum('nm,me->ne', E / E.sum(1, keepdims=True), V)


def other_9(Q, K, V):
    """weights_transposed"""
    d = Q.shape[1]
    S = np.einsum('nd,md->nm', Q, K) / d ** 0.5
    E = np.exp(S - S.max(1, keepdims=True))
    return np.einsum('nm,ne->me', E / E.sum(1, keepdims=True), V)


def other_10(Q, K, V):
    """shift_mean"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.mean(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_11(Q, K, V):
    """softmax_twice"""

    def sm(S):
        E = np.exp(S - S.max(1, keepdims=True))
        return E / E.sum(1, keepdims=True)
    return sm(sm(Q @ K.T / np.sqrt(Q.shape[1]))) @ V


def other_12(Q, K, V):
    """result_unit"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    O = E / E.sum(1, keepdims=True) @ V
    return O / np.linalg.norm(O, axis=1, keepdims=True)


def other_13(Q, K, V):
    """scale_d"""
    d = Q.shape[1]
    S = Q / np.sqrt(d) @ (K / np.sqrt(d)).T
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_14(Q, K, V):
    """not_divided"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(1, keepdims=True))
    return E / E.max(1, keepdims=True) @ V


def other_15(Q, K, V):
    """base_two"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp2(S - S.max(1, keepdims=True))
    return E / E.sum(1, keepdims=True) @ V


def other_16(Q, K, V):
    """left_at_zero"""
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        s = K @ q / np.sqrt(len(q))
        w = np.exp(s - s.max())
        out[i] = w / w.sum() @ V
        return out


def other_17(Q, K, V):
    """one_shift"""
    out = []
    big = -np.inf
    for q in Q:
        s = K @ q / np.sqrt(len(q))
        big = max(big, s.max())
        w = np.exp(s - big)
        out.append(w / w.sum() @ V)
    return np.array(out)


def other_18(Q, K, V):
    """first_digits"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp((S - S.max(1, keepdims=True)).astype(np.float16))
    return E / E.sum(1, keepdims=True) @ V


def fresh_half_precision(Q, K, V):
    """shorter_float"""
    S = (Q @ K.T / np.sqrt(Q.shape[1])).astype(np.float16)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V.astype(np.float16)


def fresh_linear_reading(Q, K, V):
    """apart"""
    E = np.exp(Q - Q.max(axis=1, keepdims=True))
    F = np.exp(K - K.max(axis=0))
    return (E / E.sum(axis=1, keepdims=True)) @ ((F / F.sum(axis=0)).T @ V)


def fresh_precedence(Q, K, V):
    """scale_half"""
    d = Q.shape[1]
    S = Q @ K.T / (d ** 1 / 2)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A /= A.sum(axis=1, keepdims=True)
    return A @ V


def fresh_small_number_in_denominator(Q, K, V):
    """one_shift"""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    S = S - S.max()
    W = np.exp(S)
    W = W / (W.sum(axis=1, keepdims=True) + 1e-9)
    return W @ V


def fresh_softmax_last(Q, K, V):
    """softmax_last"""
    Y = (Q @ K.T) @ V / np.sqrt(Q.shape[1])
    E = np.exp(Y - Y.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def fresh_half_precision_again(Q, K, V):
    """first_digits"""
    S = (Q.astype(np.float16) @ K.astype(np.float16).T) / np.float16(np.sqrt(Q.shape[1]))
    P = np.exp(S - S.max(axis=1, keepdims=True))
    return (P / P.sum(axis=1, keepdims=True)) @ V
