# ruff: noqa
"""Wrong answers to 2.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(X, W_Q, W_K, W_V):
    """results_transposed"""
    return (W_Q.T @ X.T, W_K.T @ X.T, W_V.T @ X.T)


def hand_2(X, W_Q, W_K, W_V):
    """unnamed"""
    Q = X @ W_Q
    return (Q, Q @ W_K, Q @ W_V)


def hand_3(X, W_Q, W_K, W_V):
    """softmaxed"""
    return (soft(X @ W_Q), soft(X @ W_K), soft(X @ W_V))


def hand_4(X, W_Q, W_K, W_V):
    """one_result"""
    return (X @ W_Q, X @ W_K)


def hand_5(X, W_Q, W_K, W_V):
    """one_array"""
    return np.hstack([X @ W_Q, X @ W_K, X @ W_V])


def soft(s, axis=-1):
    e = np.exp(s - s.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


soft.helper = True


def other_1(X, W_Q, W_K, W_V):
    """keys_from_queries"""
    return (X @ W_Q, X @ W_Q, X @ W_V)


def other_2(X, W_Q, W_K, W_V):
    """keys_last"""
    return (X @ W_Q, X @ W_V, X @ W_K)


def other_3(X, W_Q, W_K, W_V):
    """transposed"""
    return (X @ W_Q.T, X @ W_K.T, X @ W_V.T)


def other_4(X, W_Q, W_K, W_V):
    """scaled"""
    Q = X @ W_Q
    return (Q / np.sqrt(Q.shape[-1]), X @ W_K, X @ W_V)


def other_5(X, W_Q, W_K, W_V):
    """stops_on_some_sizes"""
    return np.array([X @ W_Q, X @ W_K, X @ W_V])


def other_6(X, W_Q, W_K, W_V):
    """chained"""
    Q = X @ W_Q
    K = X @ W_K
    V = K @ W_V
    return (Q, K, V)


def other_7(X, W_Q, W_K, W_V):
    """one_array"""
    return X @ np.hstack([W_Q, W_K, W_V])


def other_8(X, W_Q, W_K, W_V):
    """results_transposed"""
    return (W_Q.T @ X.T, W_K.T @ X.T, W_V.T @ X.T)


def other_9(X, W_Q, W_K, W_V):
    """not_numbers"""
    return {'Q': X @ W_Q, 'K': X @ W_K, 'V': X @ W_V}


def other_10(X, W_Q, W_K, W_V):
    """equal_widths"""
    Z = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
    d = Z.shape[1] // 3
    return (Z[:, :d], Z[:, d:2 * d], Z[:, 2 * d:])


def other_11(X, W_Q, W_K, W_V):
    """elementwise"""
    return (X * W_Q, X * W_K, X * W_V)


def other_12(X, W_Q, W_K, W_V):
    """unnamed"""
    return (X @ W_Q + X[:, :1], X @ W_K, X @ W_V)


def fresh_chained(X, W_Q, W_K, W_V):
    """chained"""
    Q = X @ W_Q
    K = Q @ W_K
    V = K @ W_V
    return Q, K, V


def fresh_cut_at_e(X, W_Q, W_K, W_V):
    """cut_at_values"""
    P = X @ np.hstack([W_Q, W_K, W_V])
    e = W_V.shape[1]
    return P[:, :e], P[:, e:2 * e], P[:, 2 * e:]


def fresh_cut_missing_rest(X, W_Q, W_K, W_V):
    """values_cut"""
    P = X @ np.hstack([W_Q, W_K, W_V])
    d = W_Q.shape[1]
    return P[:, 0:d], P[:, d:2 * d], P[:, 2 * d:3 * d]


def fresh_first_token(X, W_Q, W_K, W_V):
    """first_token"""
    x = X[0]
    return x @ W_Q, x @ W_K, x @ W_V


def fresh_half(X, W_Q, W_K, W_V):
    """shorter_float"""
    return tuple((X @ W).astype(np.float16) for W in (W_Q, W_K, W_V))


def fresh_reshaped(X, W_Q, W_K, W_V):
    """cut_by_reshape"""
    P = X @ np.hstack([W_Q, W_K, W_V])
    n, d = len(X), W_Q.shape[1]
    flat = P.ravel()
    return (flat[:n * d].reshape(n, d), flat[n * d:2 * n * d].reshape(n, d), flat[2 * n * d:].reshape(n, -1))


def fresh_values_are_x(X, W_Q, W_K, W_V):
    """values_not_projected"""
    return X @ W_Q, X @ W_K, X


def third_values(X, W_Q, W_K, W_V):
    """values_attended"""
    Q = X @ W_Q
    K = X @ W_K
    V = (Q @ K.T) @ X @ W_V
    return Q, K, V


def fresh_cut_in_thirds(X, W_Q, W_K, W_V):
    """equal_widths"""
    big = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
    w = big.shape[1] // 3
    return big[:, :w], big[:, w:2 * w], big[:, 2 * w:3 * w]


def fresh_cut_with_widths_as_positions(X, W_Q, W_K, W_V):
    """sizes_as_places"""
    d = W_Q.shape[1]
    Y = X @ np.hstack([W_Q, W_K, W_V])
    return tuple(np.split(Y, [d, d], axis=1))


def fresh_one_triple_per_token(X, W_Q, W_K, W_V):
    """tuples_in_a_list"""
    return [(x @ W_Q, x @ W_K, x @ W_V) for x in X]


def fresh_values_made_with_w_k(X, W_Q, W_K, W_V):
    """values_from_keys"""
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_K
    return [Q, K, V]


def fresh_summed_features_broadcast(X, W_Q, W_K, W_V):
    """sums_apart"""
    return [X.sum(axis=1, keepdims=True) * W.sum(axis=0) for W in (W_Q, W_K, W_V)]


def fresh_writes_into_x(X, W_Q, W_K, W_V):
    """result_centred"""
    X -= X.mean(axis=0)
    return X @ W_Q, X @ W_K, X @ W_V
