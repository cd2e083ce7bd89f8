# ruff: noqa
"""Wrong answers to 11.1; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(x, gain, bias, eps):
    """eps_outside"""
    return (x - x.mean(1, keepdims=True)) / (x.std(1, keepdims=True) + eps) * gain + bias


def hand_2(x, gain, bias, eps):
    """unbiased"""
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True, ddof=1) + eps) * gain + bias


def hand_3(x, gain, bias, eps):
    """over_tokens"""
    return (x - x.mean(0)) / np.sqrt(x.var(0) + eps) * gain + bias


def hand_4(x, gain, bias, eps):
    """keepdims"""
    return (x - x.mean(1)) / np.sqrt(x.var(1) + eps) * gain + bias


def hand_5(x, gain, bias, eps):
    """eps_squared"""
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps ** 2) * gain + bias


def other_1(x, gain, bias, eps):
    """by_variance"""
    m = x.mean(-1, keepdims=True)
    v = x.var(-1, keepdims=True)
    return (x - m) / (v + eps) * gain + bias


def other_2(x, gain, bias, eps):
    """eps_outside"""
    m = x.mean(-1, keepdims=True)
    return (x - m) / (x.std(-1, keepdims=True) + eps) * gain + bias


def other_3(x, gain, bias, eps):
    """unbiased"""
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(x.var(-1, ddof=1, keepdims=True) + eps) * gain + bias


def other_4(x, gain, bias, eps):
    """over_tokens"""
    return (x - x.mean(0)) / np.sqrt(x.var(0) + eps) * gain + bias


def other_5(x, gain, bias, eps):
    """rms"""
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + eps) * gain + bias


def other_6(x, gain, bias, eps):
    """no_bias"""
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(x.var(-1, keepdims=True) + eps) * gain


def other_7(x, gain, bias, eps):
    """bias_first"""
    m = x.mean(-1, keepdims=True)
    return ((x - m) / np.sqrt(x.var(-1, keepdims=True) + eps) + bias) * gain


def other_8(x, gain, bias, eps):
    """everything"""
    return (x - x.mean()) / np.sqrt(x.var() + eps) * gain + bias


def other_9(x, gain, bias, eps):
    """overwrites_input"""
    x -= x.mean(-1, keepdims=True)
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + eps) * gain + bias


def other_10(x, gain, bias, eps=1e-05):
    """fixed_eps"""
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(x.var(-1, keepdims=True) + 1e-05) * gain + bias


def other_11(x, gain, bias, eps):
    """eps_maximum"""
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(np.maximum(x.var(-1, keepdims=True), eps)) * gain + bias


def other_12(x, gain, bias, eps):
    """euclidean"""
    z = x - x.mean(-1, keepdims=True)
    return z / np.sqrt((z ** 2).sum(-1, keepdims=True) + eps) * gain + bias


def other_13(x, gain, bias, eps):
    """one_plus_gain"""
    z = x - x.mean(-1, keepdims=True)
    return z / np.sqrt((z ** 2).mean(-1, keepdims=True) + eps) * (1 + gain) + bias


def other_14(x, gain, bias, eps):
    """absolute_deviation"""
    z = x - x.mean(-1, keepdims=True)
    return z / (np.abs(z).mean(-1, keepdims=True) + eps) * gain + bias


def other_15(x, gain, bias, eps):
    """no_eps"""
    z = x - x.mean(-1, keepdims=True)
    return z / z.std(-1, keepdims=True) * gain + bias


def fresh_centred_rms_of_x(x, gain, bias, eps):
    """square_uncentred"""
    return (x - x.mean(1, keepdims=True)) / np.sqrt((x ** 2).mean(1, keepdims=True) + eps) * gain + bias


def fresh_gain_per_row(x, gain, bias, eps):
    """gain_per_token"""
    z = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps)
    n = len(x)
    return z * np.resize(gain, n)[:, None] + np.resize(bias, n)[:, None]


def fresh_var_from_moments_abs(x, gain, bias, eps):
    """mean_size"""
    z = x - x.mean(1, keepdims=True)
    return z / np.sqrt(np.abs(z).mean(1, keepdims=True) ** 2 + eps) * gain + bias
