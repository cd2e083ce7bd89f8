# ruff: noqa
"""Wrong answers to 11.2; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(x, attend, feed, norm1, norm2):
    """post_norm"""
    return norm2(norm1(x + attend(x)) + feed(norm1(x + attend(x))))


def hand_2(x, attend, feed, norm1, norm2):
    """chained"""
    return x + feed(norm2(attend(norm1(x))))


def hand_3(x, attend, feed, norm1, norm2):
    """normed_residual"""
    x = norm1(x)
    x = x + attend(x)
    x = norm2(x)
    return x + feed(x)


def hand_4(x, attend, feed, norm1, norm2):
    """stream_lost"""
    y = x + attend(norm1(x))
    return x + feed(norm2(y))
