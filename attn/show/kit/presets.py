"""What the playground and the mask painter start from: masks by name, and heads that do one thing, by construction.

presets.js makes the same ones on the page; a test holds the two together.
"""

import numpy as np

from attn import masks

SURE = 12.0  # how far a preset's best score stands above the rest: e^−12, so even 128 keys leave it 0.999
PRESETS = ("previous", "induction", "same", "first", "uniform", "self", "edge")
PATTERNS = ("none", "causal", "window", "prefix", "blocks", "documents")


def pattern(name, n, *, window=2, prefix=2):
    """A mask by name, True where a query may attend.

    name: one of PATTERNS; window: keys a query sees, its own among them (a block's size for "blocks");
    prefix: how many first keys everybody sees   ->   bool (n, n). Raises ValueError for another name.
    """
    made = {
        "none": lambda: np.ones((n, n), bool),
        "causal": lambda: masks.causal(n),
        "window": lambda: masks.sliding_window(n, left=window - 1),
        "prefix": lambda: masks.prefix(n, length=prefix),
        "blocks": lambda: masks.blocks(n, size=window),
        "documents": lambda: masks.causal(n) & masks.documents(packed(n)),
    }
    if name not in made:
        raise ValueError(f"there is no mask {name!r}; the masks are {', '.join(made)}")
    return made[name]()


def packed(n):
    """Three documents in one row of n tokens, of 4, 2 and 3 where n is 9: whose each token is.   ->   int (n,)"""
    at = np.arange(n)
    return (9 * at >= 4 * n).astype(int) + (3 * at >= 2 * n)


def preset(name, tokens, *, window=2):
    """Q, K and V of a head that does what its name says, and the mask it needs.

        q_i · k_j / √5  is largest, by SURE, exactly where query i shall look

    previous: the token before; self: itself; first: a sink; uniform: all alike; edge: the oldest key in the window;
    same: every copy of its own token; induction: the token after the last earlier copy, or the first where there is
    none.   ->   dict of Q, K (n, 5), V (n, 2) (place and number of the token), mask, scale, temperature, preset.
    Raises ValueError for another name. Positions and tokens stand on two circles each, as sinusoids place them.
    """
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}; the presets are {', '.join(PRESETS)}")
    n = len(tokens)
    places = np.arange(n)
    ids = numbers(tokens)
    look = {"previous": places - 1, "self": places, "edge": places - window + 1}
    if name in look:
        Q, K = SURE / gap(n) * circles(np.maximum(look[name], 0), n), circles(places, n)
    elif name == "same":
        Q, K = SURE / gap(ids.max() + 1) * circles(ids, ids.max() + 1), circles(ids, ids.max() + 1)
    elif name == "induction":
        Q, K = _induction(ids)
    else:
        Q, K = np.full((n, 1), SURE if name == "first" else 0), (places == 0).astype(float)[:, None]
    mask = {"same": "none", "self": "none", "edge": "window"}.get(name, "causal")
    start = dict(mask=mask, scale=5**-0.5, temperature=1.0, preset=name)
    Q, K = (_wide(a).round(12) + 0.0 for a in (5**0.5 * Q, K))  # what is 0 but for rounding is 0
    return dict(Q=Q, K=K, V=places_and_numbers(tokens), **start)


def _induction(ids):
    """Keys that carry the token before them; a slope for the latest copy; a first key for those who find nothing."""
    n, kinds = len(ids), ids.max() + 1
    apart = [j - i for i in range(n) for j in np.flatnonzero(ids[i + 1 :] == ids[i])[:1] + i + 1]
    slope = SURE / 2 / min(apart, default=n)
    strength = (slope * (n - 1) + 2 * SURE) / gap(kinds)
    Q = np.c_[strength * circles(ids, kinds), np.ones(n)]
    K = np.c_[circles(np.r_[0, ids[:-1]], kinds), slope * np.arange(n)]
    K[0] = [0, 0, 0, 0, 2 * strength - SURE]
    return Q, K


def numbers(tokens):
    """Which of the distinct tokens each one is, counted from 0 in order of appearance.   ->   int (n,)"""
    kinds = list(dict.fromkeys(tokens))
    return np.array([kinds.index(token) for token in tokens])


def places_and_numbers(tokens):
    """Values a reader can read: a token's place, and its number among the distinct tokens.   ->   (n, 2)"""
    return np.c_[np.arange(len(tokens)) + 1.0, numbers(tokens) + 1.0]


def circles(at, period):
    """Points on two circles, one turned once in a period, the other about √period times.   at: (n,)   ->   (n, 4)

    Their dot product with any other of the period is 2 with themselves and at most 2 − gap(period) else.
    """
    angle = 2 * np.pi * np.asarray(at) / period
    fast = angle * max(2, round(period**0.5))
    return np.c_[np.cos(angle), np.sin(angle), np.cos(fast), np.sin(fast)]


def gap(period):
    """By how much a point's dot product with itself exceeds that with the next best; 2 where it is alone."""
    others = circles(np.arange(1, period), period) @ circles([0], period)[0]
    return 2 - float(others.max()) if period > 1 else 2.0


def rank(a, tolerance=1e-3):
    """How many columns of a are needed to make the others, to a thousandth of the longest.   a: (n, m)   ->   int

    Column-pivoted Gram–Schmidt: the page does the same. What three digits cannot show does not count.
    """
    rest, found, first = np.array(a, float), 0, None
    while found < min(rest.shape):
        sizes = np.linalg.norm(rest, axis=0)
        j = int(sizes.argmax())
        first = sizes[j] if first is None else first
        if sizes[j] <= tolerance * first:
            break
        unit = rest[:, j] / sizes[j]
        rest -= np.outer(unit, unit @ rest)
        found += 1
    return found


def _wide(a):
    return np.pad(a, ((0, 0), (0, 5 - a.shape[1])))
