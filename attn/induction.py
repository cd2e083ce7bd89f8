"""Induction: finding what followed last time, and how to tell that a head does it.

A sequence that repeats can be predicted by looking for an earlier copy of the current token and reading what came
after it. The first attention layer must tell each token what stood before it; the second can then match.
Source: Elhage et al. (2021), "induction heads"; Olsson et al. (2022).
"""

import numpy as np

from attn import masks
from attn.axes import whole


def repeated(rng, sequences, periods, *, length=32, vocabulary=32):
    """Sequences that repeat: a few distinct tokens in random order, over and over, each with a period of its own.

        tokens_i = π(i mod period),   π a random permutation of the vocabulary

    periods: the ones to draw from   ->   tokens: integers (sequences, length), drawn: (sequences,) the periods.
    Raises TypeError for what is not whole, ValueError if a period is longer than the vocabulary.

        >>> tokens, period = repeated(np.random.default_rng(0), 2, [3], length=6)
        >>> tokens[:, :3] == tokens[:, 3:]
        array([[ True,  True,  True],
               [ True,  True,  True]])
    """
    sequences, length = whole("sequences", sequences, least=0), whole("length", length, least=0)
    vocabulary, periods = whole("vocabulary", vocabulary, least=1), [whole("periods", p, least=1) for p in periods]
    if max(periods) > vocabulary:
        raise ValueError(f"a period of {max(periods)} needs more distinct tokens than the {vocabulary} there are")
    drawn = rng.choice(np.asarray(periods), sequences)
    order = rng.random((sequences, vocabulary)).argsort(-1)
    return np.take_along_axis(order, np.arange(length) % drawn[:, None], -1), drawn


def seen(tokens):
    """Where a token has occurred before: from there on a repeating sequence can be predicted.

        seen_i  ⇔  tokens_j = tokens_i for some j < i

    tokens: (..., n)   ->   bool (..., n).

        >>> seen([5, 7, 5])
        array([False, False,  True])
    """
    tokens = np.asarray(tokens)
    same = tokens[..., :, None] == tokens[..., None, :]
    return (same & masks.causal(tokens.shape[-1], offset=-1)).any(-1)


def induction_slots(tokens):
    """Where an induction head should look: at whatever followed an earlier copy of the current token.

        slot_ij  ⇔  1 ≤ j ≤ i  and  tokens_(j−1) = tokens_i

    tokens: (..., n)   ->   bool (..., n, m). A row is empty where nothing was seen.
    Source: Olsson et al. (2022), the definition of an induction head.

        >>> np.argwhere(induction_slots([5, 7, 5]))
        array([[2, 1]])
    """
    tokens = np.asarray(tokens)
    slots = np.zeros((*tokens.shape, tokens.shape[-1]), bool)
    slots[..., 1:] = tokens[..., :, None] == tokens[..., None, :-1]
    return slots & masks.causal(tokens.shape[-1])


def induction_score(weights, tokens):
    """The share of a head's attention that lands on induction slots, averaged over the queries that have one.

        mean over i of Σ_{j: slot_ij} A_ij,   the last query left out: no loss ever asked anything of it

    weights: (..., h, n, m)   tokens: (..., n)   ->   (h,). 1 for a perfect induction head.
    Score it over *varying* periods: at one fixed period a head that looks back a fixed distance looks perfect.

        >>> induction_score(np.ones((1, 4, 4)) / 4, [5, 7, 5, 7])
        array([0.25])
    """
    slots = induction_slots(tokens)
    asked = slots.any(-1)
    asked[..., -1] = False
    return _mean_over(_mass(weights, slots), asked)


def previous_token_score(weights, tokens):
    """The share of a head's attention on the token just before, averaged over first occurrences.

        mean over new i ≥ 1 of A_i,i−1

    weights: (..., h, n, m)   tokens: (..., n)   ->   (h,). Only first occurrences are asked: an induction head that
    follows needs no more of them, and a trained head really does nothing of the kind elsewhere.

        >>> previous_token_score(np.eye(3, k=-1)[None], [5, 6, 7])
        array([1.])
    """
    new = ~seen(tokens)
    new[..., 0] = False
    before = np.eye(new.shape[-1], k=-1, dtype=bool)
    return _mean_over(_mass(weights, np.broadcast_to(before, (*new.shape, new.shape[-1]))), new)


def _mass(weights, slots):
    return (np.asarray(weights) * slots[..., None, :, :]).sum(-1)


def _mean_over(mass, rows):
    return np.moveaxis(mass, -2, 0)[:, rows].mean(-1)
