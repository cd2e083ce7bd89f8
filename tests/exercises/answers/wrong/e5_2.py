# ruff: noqa
"""Wrong answers to 5.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(W_V, W_O, h):
    """summed"""
    return W_V @ W_O


def hand_2(W_V, W_O, h):
    """unnamed"""
    c = len(W_V)
    return W_V.reshape(h, c, -1) @ W_O.reshape(h, -1, c)


def hand_3(W_V, W_O, h):
    """turned"""
    return W_O.reshape(h, -1, len(W_V)) @ W_V.reshape(len(W_V), h, -1).swapaxes(0, 1)
