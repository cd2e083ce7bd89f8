# ruff: noqa
"""Wrong answers to 10.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(tokens):
    """first"""
    t = list(tokens)
    return np.array([t.index(x) + 1 if x in t[:i] else -1 for i, x in enumerate(t)])


def hand_2(tokens):
    """the_occurrence"""
    last = {}
    o = []
    for i, x in enumerate(tokens):
        o.append(last.get(x, -1))
        last[x] = i
    return np.array(o)


def hand_3(tokens):
    """zero_for_none"""
    t = list(tokens)
    o = []
    for i, x in enumerate(t):
        o.append(max([j for j in range(i) if t[j] == x], default=-1) + 1)
    return np.array(o)


def other_1(tokens):
    """the_occurrence"""
    out = []
    last = {}
    for i, t in enumerate(tokens):
        out.append(last.get(t, -1))
        last[t] = i
    return np.array(out)


def other_2(tokens):
    """first"""
    out = []
    first = {}
    for i, t in enumerate(tokens):
        out.append(first[t] + 1 if t in first else -1)
        first.setdefault(t, i)
    return np.array(out)


def other_3(tokens):
    """zero_for_none"""
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(last.get(t, -1) + 1)
        last[t] = i
    return np.array(out)


def other_4(tokens):
    """includes_itself"""
    out = []
    for i, t in enumerate(tokens):
        w = np.where(tokens[:i + 1] == t)[0]
        out.append(w[-1] + 1 if len(w) else -1)
    return np.array(out)


def other_5(tokens):
    """later"""
    out = []
    for i, t in enumerate(tokens):
        w = np.where(tokens[i + 1:] == t)[0]
        out.append(i + 1 + w[0] if len(w) else -1)
    return np.array(out)


def other_6(tokens):
    """before"""
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(last[t] - 1 if t in last else -1)
        last[t] = i
    return np.array(out)


def other_7(tokens):
    """token"""
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(tokens[last[t] + 1] if t in last else -1)
        last[t] = i
    return np.array(out)


def other_8(tokens):
    """zero_is_false"""
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(last[t] + 1 if last.get(t) else -1)
        last[t] = i
    return np.array(out)


def other_10(tokens):
    """first"""
    n = len(tokens)
    eq = (tokens[:, None] == tokens[None]) & (np.arange(n)[None] < np.arange(n)[:, None])
    return np.where(eq.any(1), eq.argmax(1) + 1, -1)


def other_11(tokens):
    """unnamed"""
    out = -np.ones(len(tokens), int)
    for i in range(1, len(tokens)):
        if tokens[i] == tokens[i - 1]:
            out[i] = i
    return out


def other_12(tokens):
    """unnamed"""
    last = {}
    out = np.full(len(tokens), np.nan)
    for i, t in enumerate(tokens):
        if t in last:
            out[i] = last[t] + 1
        last[t] = i
    return out


def other_13(tokens):
    """distance"""
    last = {}
    out = []
    for i, t in enumerate(tokens):
        out.append(i - last[t] if t in last else -1)
        last[t] = i
    return np.array(out)


def other_14(tokens):
    """zero_is_false"""
    n = len(tokens)
    out = np.full(n, -1)
    for i in range(1, n):
        for j in range(i - 1, 0, -1):
            if tokens[j] == tokens[i]:
                out[i] = j + 1
                break
    return out


def fresh_distance(tokens):
    """distance"""
    last, out = {}, []
    for i, t in enumerate(tokens):
        out.append(i - last[t] - 1 if t in last else -1)
        last[t] = i
    return np.array(out)


def fresh_last_anywhere(tokens):
    """any_place"""
    last = {t: i for i, t in enumerate(tokens)}
    return np.array([last[t] + 1 if last[t] < i else -1 for i, t in enumerate(tokens)])


def fresh_later_occurrence(tokens):
    """later"""
    out = []
    for i, t in enumerate(tokens):
        later = [j for j in range(i + 1, len(tokens)) if tokens[j] == t]
        out.append(later[0] if later else -1)
    return np.array(out)


def fresh_skips_neighbours(tokens):
    """not_the_neighbour"""
    n = len(tokens)
    earlier = np.tril(tokens[:, None] == tokens[None, :], -2)
    return np.where(earlier, np.arange(n), -2).max(1) + 1


def fresh_window_of_neighbours(tokens):
    """later"""
    order = np.lexsort((-np.arange(len(tokens)), tokens))
    out = np.full(len(tokens), -1)
    same = tokens[order][1:] == tokens[order][:-1]
    out[order[1:][same]] = order[:-1][same] + 1
    return out


def fresh_looks_into_future(tokens):
    """any_place"""
    n = len(tokens)
    out = []
    for i in range(n):
        others = [j for j in range(n) if j != i and tokens[j] == tokens[i]]
        out.append(others[-1] + 1 if others else -1)
    return out


def fresh_none_for_new(tokens):
    """none_inside"""
    seen = {}
    res = []
    for i, t in enumerate(tokens):
        res.append(seen.get(t))
        seen[t] = i + 1
    return res


def fresh_argmax_of_nothing(tokens):
    """no_hit_overlooked"""
    n = len(tokens)
    same = (tokens[:, None] == tokens[None, :]) & np.tri(n, k=-1, dtype=bool)
    last = n - 1 - same[:, ::-1].argmax(axis=1)
    last[0] = -2
    return last + 1


def fresh_itself_for_none(tokens):
    """itself_for_none"""
    last, out = {}, []
    for i, t in enumerate(tokens.tolist()):
        out.append(last.get(t, i))
        last[t] = i + 1
    return out


def fresh_looks_forward(tokens):
    """later"""
    n = len(tokens)
    out = [-1] * n
    for i in range(n):
        for j in range(i + 1, n):
            if tokens[j] == tokens[i]:
                out[i] = min(j + 1, n - 1)
                break
    return out


def fresh_wants_same_pair(tokens):
    """same_pair"""
    t = tokens.tolist()
    out = []
    for i in range(len(t)):
        hit = -1
        for j in range(1, i):
            if t[j] == t[i] and t[j - 1] == t[i - 1]:
                hit = j + 1
        out.append(hit)
    return out
