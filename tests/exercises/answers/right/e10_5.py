# ruff: noqa
"""Right answers to 10.5 in many hands."""

import math

import numpy as np


def loops(tokens):
    out = []
    for i in range(len(tokens)):
        found = -1
        for j in range(i):
            if tokens[j] == tokens[i]:
                found = j + 1
        out.append(found)
    return np.array(out)


def backwards(tokens):
    out = np.full(len(tokens), -1)
    for i in range(len(tokens)):
        for j in range(i - 1, -1, -1):
            if tokens[j] == tokens[i]:
                out[i] = j + 1
                break
    return out


def by_matrix(tokens):
    n = len(tokens)
    same = np.tril(tokens[:, None] == tokens, -1)
    return np.where(same.any(1), n - np.argmax(same[:, ::-1], axis=1), -1)
