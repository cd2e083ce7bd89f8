# ruff: noqa
"""Right answers to 6.2 in many hands."""

import numpy as np


def plain(X, h):
    n, width = X.shape
    return X.reshape(n, h, width // h).transpose(1, 0, 2)


def swapped(X, h):
    return X.reshape(len(X), h, -1).swapaxes(0, 1)


def sliced(X, h):
    e = X.shape[1] // h
    return np.stack([X[:, t * e : (t + 1) * e] for t in range(h)])


def by_split(X, h):
    return np.array(np.split(X, h, axis=1))


def by_hsplit(X, h):
    return np.stack(np.hsplit(X, h), axis=0)


def three_loops(X, h):
    n, e = X.shape[0], X.shape[1] // h
    out = np.zeros((h, n, e))
    for t in range(h):
        for i in range(n):
            for j in range(e):
                out[t, i, j] = X[i, t * e + j]
    return out


def moved(X, h):
    return np.moveaxis(X.reshape(X.shape[0], h, X.shape[1] // h), 1, 0)


def by_einsum(X, h):
    return np.einsum("nhe->hne", X.reshape(X.shape[0], h, X.shape[1] // h))


def through_columns(X, h):
    return X.T.reshape(h, X.shape[1] // h, X.shape[0]).transpose(0, 2, 1)


def by_index(X, h):
    e = X.shape[1] // h
    return X[:, np.arange(h)[:, None] * e + np.arange(e)].transpose(1, 0, 2)


def by_projection(X, h):
    blocks = np.eye(X.shape[1]).reshape(X.shape[1], h, -1).transpose(1, 0, 2)
    return X @ blocks


def by_strides(X, h):
    X = np.ascontiguousarray(X)
    n, e = X.shape[0], X.shape[1] // h
    a, b = X.strides
    return np.lib.stride_tricks.as_strided(X, (h, n, e), (e * b, a, b)).copy()


def other_1(X, h):
    return np.array(np.hsplit(X, h))


def other_2(X, h):
    return np.swapaxes(X.reshape(len(X), h, X.shape[1] // h), 0, 1)


def other_3(X, h):
    n, c = X.shape
    return X.T.reshape(h, c // h, n).transpose(0, 2, 1)


def other_4(X, h):
    e = X.shape[1] // h
    return X[:, np.arange(h)[:, None] * e + np.arange(e)].transpose(1, 0, 2)


def in_a_list_1(X, h):
    return np.split(X, h, axis=1)


def in_a_list_2(X, h):
    return np.split(X, h, axis=1)


def in_single_precision_3(X, h):
    n, c = X.shape
    e = c // h
    H = np.empty((h, n, e), np.float32)
    for t in range(h):
        H[t] = X[:, t * e:(t + 1) * e]
    return H


def fresh_column_index_table(X, h):
    columns = np.arange(X.shape[1]).reshape(h, -1)
    return np.moveaxis(X[:, columns], 0, 1)


def fresh_entry_by_entry(X, h):
    n, he = X.shape
    e = he // h
    out = np.empty((h, n, e))
    for i in range(n):
        for k in range(he):
            t, r = divmod(k, e)
            out[t, i, r] = X[i, k]
    return out
