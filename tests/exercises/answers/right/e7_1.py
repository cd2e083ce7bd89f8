# ruff: noqa
"""Right answers to 7.1 in many hands."""

import math

import numpy as np


def plain(O, W_O):
    h, n, e = O.shape
    return O.transpose(1, 0, 2).reshape(n, h * e) @ W_O


def summed(O, W_O):
    return (O @ W_O.reshape(len(O), O.shape[2], -1)).sum(0)


def by_einsum(O, W_O):
    return np.einsum("hne,hec->nc", O, W_O.reshape(O.shape[0], O.shape[2], -1))


def hstack(O, W_O):
    return np.hstack(O) @ W_O


def loop(O, W_O):
    e = O.shape[-1]
    y = np.zeros((O.shape[1], W_O.shape[1]))
    for t, o in enumerate(O):
        y += o @ W_O[t * e : t * e + e]
    return y


def other_1(O, W_O):
    h, n, e = O.shape
    return np.einsum('hne,hec->nc', O, W_O.reshape(h, e, -1))


def other_2(O, W_O):
    return np.concatenate(list(O), axis=1) @ W_O


def fresh_batched_then_summed(O, W_O):
    return np.sum(O @ W_O.reshape(len(O), O.shape[2], -1), axis=0)


def fresh_einsum_blocks(O, W_O):
    h, n, e = O.shape
    return np.einsum("tie,tec->ic", O, W_O.reshape(h, e, W_O.shape[1]))
