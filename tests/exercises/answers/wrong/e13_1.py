# ruff: noqa
"""Wrong answers to 13.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(Z, k, v, beta):
    """adds"""
    return Z + beta * np.outer(k, v)


def hand_2(Z, k, v, beta):
    """sign"""
    return Z + beta * np.outer(k, k @ Z - v)


def hand_3(Z, k, v, beta):
    """erases_all"""
    Z = Z - np.outer(k, k @ Z)
    return Z + beta * np.outer(k, v)


def hand_4(Z, k, v, beta):
    """writes_all"""
    return (np.eye(len(k)) - beta * np.outer(k, k)) @ Z + np.outer(k, v)


def hand_5(Z, k, v, beta):
    """no_beta"""
    return Z + np.outer(k, v - k @ Z)


def hand_6(Z, k, v, beta):
    """fades_everything"""
    return (1 - beta) * Z + beta * np.outer(k, v)


def hand_7(Z, k, v, beta):
    """unit_key"""
    k = k / np.linalg.norm(k)
    return Z + beta * np.outer(k, v - k @ Z)


def hand_8(Z, k, v, beta):
    """adds_first"""
    Z = Z + beta * np.outer(k, v)
    return Z - beta * np.outer(k, k @ Z)


def hand_9(Z, k, v, beta):
    """divides_by_length"""
    return Z + beta * np.outer(k, v - k @ Z) / (k @ k)


def hand_10(Z, k, v, beta):
    """grows"""
    return Z + beta * np.outer(k, v + k @ Z)


def hand_11(Z, k, v, beta):
    """forgets_all"""
    return beta * np.outer(k, v)


def hand_12(Z, k, v, beta):
    """erases_only"""
    return Z - beta * np.outer(k, k @ Z)


def hand_13(Z, k, v, beta):
    """fades_by_length"""
    return (1 - beta * k @ k) * Z + beta * np.outer(k, v)


def hand_15(Z, k, v, beta):
    """erases_by_length"""
    return Z - beta * np.outer(k, k @ Z) / (k @ k) + beta * np.outer(k, v)


def hand_14(Z, k, v, beta):
    """unnamed"""
    return k @ Z + beta * (v - k @ Z)


def third_reshaped(Z, k, v, beta):
    """outer_reshaped"""
    d, e = Z.shape
    err = v - k @ Z
    return Z + beta * np.outer(err, k).reshape(d, e)


def fresh_clips_missing_part(Z, k, v, beta):
    """clipped"""
    missing = np.clip(v - k @ Z, -1.0, 1.0)
    return Z + min(beta, 1.0) * np.outer(k, missing)


def fresh_inner_product(Z, k, v, beta):
    """no_outer"""
    missing = v - k @ Z
    return Z + beta * (k.sum() * missing)
