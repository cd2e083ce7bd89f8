# ruff: noqa
"""Right answers to 11.2 in many hands."""

import math

import numpy as np


def plain(x, attend, feed, norm1, norm2):
    x = x + attend(norm1(x))
    x = x + feed(norm2(x))
    return x


def in_one_line(x, attend, feed, norm1, norm2):
    return (h := x + attend(norm1(x))) + feed(norm2(h))


def through_copies(x, attend, feed, norm1, norm2):
    stream = x.copy()
    for part, norm in ((attend, norm1), (feed, norm2)):
        stream += part(norm(stream))
    return stream


def other_1(x, attend, feed, norm1, norm2):
    y = attend(norm1(x)) + x
    return feed(norm2(y)) + y


def other_2(x, attend, feed, norm1, norm2):
    for part, norm in ((attend, norm1), (feed, norm2)):
        x = np.add(x, part(norm(x)))
    return x


def fresh_as_lists(x, attend, feed, norm1, norm2):
    a = attend(norm1(x))
    y = np.array([[p + q for p, q in zip(r, s)] for r, s in zip(x, a)])
    f = feed(norm2(y))
    return [[p + q for p, q in zip(r, s)] for r, s in zip(y.tolist(), np.asarray(f).tolist())]


def fresh_compose(x, attend, feed, norm1, norm2):
    residual = lambda part, norm: (lambda s: s + part(norm(s)))
    return residual(feed, norm2)(residual(attend, norm1)(x))
