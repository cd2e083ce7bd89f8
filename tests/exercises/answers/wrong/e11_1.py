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
    """unnamed"""
    return (x - x.mean(1)) / np.sqrt(x.var(1) + eps) * gain + bias


def hand_5(x, gain, bias, eps):
    """unnamed"""
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps ** 2) * gain + bias
