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


def other_1(tokens):
    seen, out = ({}, np.full(len(tokens), -1))
    for i, t in enumerate(tokens):
        out[i] = seen.get(t, -1)
        seen[t] = i + 1
    return out


def other_2(tokens):
    r = []
    for i in range(len(tokens)):
        a = -1
        for j in range(i - 1, -1, -1):
            if tokens[j] == tokens[i]:
                a = j + 1
                break
        r.append(a)
    return np.array(r)


def other_3(tokens):
    n = len(tokens)
    i = np.arange(n)
    c = np.where((tokens[:, None] == tokens) & (i < i[:, None]), i + 1, -1)
    return c.max(axis=1)


def in_a_list_1(tokens):
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(last[t] + 1 if t in last else -1)
        last[t] = i
    return out


def fresh_backwards_loop(tokens):
    out = np.full(len(tokens), -1)
    for i in range(len(tokens)):
        for j in range(i - 1, -1, -1):
            if tokens[j] == tokens[i]:
                out[i] = j + 1
                break
    return out


def fresh_comprehension(tokens):
    return np.array([max([j + 1 for j in range(i) if tokens[j] == tokens[i]], default=-1)
                     for i in range(len(tokens))])
