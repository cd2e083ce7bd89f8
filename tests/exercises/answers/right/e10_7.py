# ruff: noqa
"""Right answers to 10.7 in many hands."""

import numpy as np


def product(b_V, W_O, b_O):
    return b_O + b_V @ W_O


def loops(b_V, W_O, b_O):
    out = b_O.copy()
    for j in range(len(b_V)):
        out = out + b_V[j] * W_O[j]
    return out


def as_a_column(b_V, W_O, b_O):
    return (W_O.T @ b_V[:, None])[:, 0] + b_O


def by_difference(b_V, W_O, b_O):
    """What attention gives with the bias, less what it gives without."""
    rng = np.random.default_rng(0)
    A = rng.random((3, 4))
    A /= A.sum(1, keepdims=True)
    V = rng.normal(size=(4, len(b_V)))
    return ((A @ (V + b_V)) @ W_O + b_O - (A @ V) @ W_O).mean(0)


def einsum(b_V, W_O, b_O):
    return np.einsum("p,pc->c", b_V, W_O) + b_O


def stacked(b_V, W_O, b_O):
    return np.append(b_V, 1) @ np.vstack([W_O, b_O])
