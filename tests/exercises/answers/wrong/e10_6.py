# ruff: noqa
"""Wrong answers to 10.6; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(cue, near, other, plain):
    """no_control"""
    return cue.mean(0)


def hand_2(cue, near, other, plain):
    """no_near"""
    return np.minimum((cue - other).mean(0), (cue - plain).mean(0))


def hand_3(cue, near, other, plain):
    """no_plain"""
    return np.minimum((cue - other).mean(0), (cue - near).mean(0))


def hand_4(cue, near, other, plain):
    """only_other"""
    return cue.mean(0) - other.mean(0)


def hand_5(cue, near, other, plain):
    """averaged"""
    return (cue - (near + other + plain) / 3).mean(0)


def hand_6(cue, near, other, plain):
    """kindest"""
    return np.max([(cue - c).mean(0) for c in (near, other, plain)], axis=0)


def hand_7(cue, near, other, plain):
    """word_by_word"""
    return (cue - np.maximum(np.maximum(near, other), plain)).mean(0)


def hand_8(cue, near, other, plain):
    """reversed"""
    return np.min([(c - cue).mean(0) for c in (near, other, plain)], axis=0)


def hand_9(cue, near, other, plain):
    """which"""
    return np.argmax(np.min([(cue - c).mean(0) for c in (near, other, plain)], axis=0))


def hand_10(cue, near, other, plain):
    """over_heads"""
    return np.min([(cue - c).mean(1) for c in (near, other, plain)], axis=0)


def hand_11(cue, near, other, plain):
    """ratio"""
    return np.min([(cue / c).mean(0) for c in (near, other, plain)], axis=0)


def hand_12(cue, near, other, plain):
    """summed"""
    return np.min([(cue - c).sum(0) for c in (near, other, plain)], axis=0)


def hand_13(cue, near, other, plain):
    """worst_word"""
    return np.min([cue - c for c in (near, other, plain)], axis=(0, 1))


def hand_14(cue, near, other, plain):
    """middle"""
    return np.median([(cue - c).mean(0) for c in (near, other, plain)], axis=0)


def hand_15(cue, near, other, plain):
    """no_other"""
    return cue.mean(0) - np.maximum(near.mean(0), plain.mean(0))


def hand_16(cue, near, other, plain):
    """only_near"""
    return (cue - near).mean(axis=0)
