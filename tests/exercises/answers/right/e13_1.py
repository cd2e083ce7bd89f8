# ruff: noqa
"""Right answers to 13.1 in many hands."""

import numpy as np


def plain(Z, k, v, beta):
    return Z + beta * np.outer(k, v - k @ Z)


def projected(Z, k, v, beta):
    return (np.eye(len(k)) - beta * np.outer(k, k)) @ Z + beta * np.outer(k, v)


def in_loops(Z, k, v, beta):
    Z = np.array(Z, float)
    said = [sum(k[i] * Z[i, j] for i in range(len(k))) for j in range(len(v))]
    new = Z.copy()
    for i in range(len(k)):
        for j in range(len(v)):
            new[i, j] += beta * k[i] * (v[j] - said[j])
    return new


def columns(Z, k, v, beta):
    k, v = np.asarray(k)[:, None], np.asarray(v)[None]
    return Z - beta * k * (k.T @ Z) + beta * k * v


def einsum(Z, k, v, beta):
    missing = v - np.einsum("d,de->e", k, Z)
    return Z + np.einsum(",d,e->de", beta, k, missing)


def broadcast(Z, k, v, beta):
    error = k @ Z - v
    return Z - beta * k[:, np.newaxis] * error[np.newaxis, :]
