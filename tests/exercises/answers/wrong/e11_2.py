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


def other_1(x, attend, feed, norm1, norm2):
    """post_norm"""
    x = norm1(x + attend(x))
    return norm2(x + feed(x))


def other_2(x, attend, feed, norm1, norm2):
    """normed_residual"""
    y = norm1(x)
    x = y + attend(y)
    y = norm2(x)
    return y + feed(y)


def other_3(x, attend, feed, norm1, norm2):
    """parallel"""
    return x + attend(norm1(x)) + feed(norm2(x))


def other_4(x, attend, feed, norm1, norm2):
    """no_residual"""
    return feed(norm2(attend(norm1(x))))


def other_5(x, attend, feed, norm1, norm2):
    """one_norm"""
    x = x + attend(norm1(x))
    return x + feed(norm1(x))


def other_6(x, attend, feed, norm1, norm2):
    """feed_first"""
    x = x + feed(norm2(x))
    return x + attend(norm1(x))


def other_7(x, attend, feed, norm1, norm2):
    """overwrites_input"""
    x += attend(norm1(x))
    x += feed(norm2(x))
    return x


def other_8(x, attend, feed, norm1, norm2):
    """stream_lost"""
    y = x + attend(norm1(x))
    return x + feed(norm2(y))


def other_9(x, attend, feed, norm1, norm2):
    """no_norms"""
    x = x + attend(x)
    return x + feed(x)


def other_10(x, attend, feed, norm1, norm2):
    """norm_after_part"""
    x = x + norm1(attend(x))
    return x + norm2(feed(x))


def other_11(x, attend, feed, norm1, norm2):
    """no_feed"""
    return x + attend(norm1(x))


def other_12(x, attend, feed, norm1, norm2):
    """norm_at_end"""
    x = x + attend(norm1(x))
    x = x + feed(norm2(x))
    return norm2(x)


def other_13(x, attend, feed, norm1, norm2):
    """norms_exchanged"""
    x = x + attend(norm2(x))
    return x + feed(norm1(x))


def other_14(x, attend, feed, norm1, norm2):
    """update_only"""
    a = attend(norm1(x))
    return a + feed(norm2(x + a))


def other_15(x, attend, feed, norm1, norm2):
    """feed_not_normed"""
    x = x + attend(norm1(x))
    return x + feed(x)


def other_16(x, attend, feed, norm1, norm2):
    """stream_twice"""
    a = x + attend(norm1(x))
    return x + a + feed(norm2(a))


def fresh_feed_reads_attention_only(x, attend, feed, norm1, norm2):
    """feed_reads_part"""
    a = attend(norm1(x))
    f = feed(norm2(a))
    return x + a + f
