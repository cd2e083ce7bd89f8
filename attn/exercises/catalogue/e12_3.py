"""Exercise 12.3, attention in blocks."""

import numpy as np

from attn import core
from attn.exercises.catalogue.kin import with_scale
from attn.exercises.catalogue.sections import CAUSAL, MERGE, STABILITY, TILES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Memory, Stress


def blocks_model(
    q,
    k,
    v,
    block,
    *,
    scale=lambda d, block: d**-0.5,
    shrink=lambda old, new: np.exp(old - new),
    starts=lambda n, block: range(0, n, block),
    finish=lambda o, l: o / l,
    top=np.maximum,
    first=lambda q, k: None,
    share=lambda e: e,
    shrink_sum=None,
    values=lambda v, i, k: v[i : i + k],
    hide=lambda s, i, m: s,
    shift=lambda s, new: new,
    extra=lambda i, block, m, new: 0.0,
    each=lambda o, l: o,
):
    """Attention, one block of keys at a time."""
    first(q, k)
    m, l, o = np.full((len(q), 1), -np.inf), np.zeros((len(q), 1)), np.zeros((len(q), v.shape[1]))
    for i in starts(len(k), block):
        s = hide(q @ k[i : i + block].T * scale(q.shape[1], block), i, len(k))
        new = top(m, s.max(1, keepdims=True))
        e, c = share(np.exp(s - shift(s, new))), shrink(m, new)
        kept = shrink_sum(m, new) if shrink_sum else c
        m, l, o = (
            new,
            l * kept + e.sum(1, keepdims=True) + extra(i, block, len(k), new),
            o * c + e @ values(v, i, s.shape[1]),
        )
        o = each(o, l)
    return finish(o, l)


def large():
    """512 queries and keys: all scores at once would take 2 MiB."""
    x = np.linspace(-1, 1, 512 * 4).reshape(512, 4)
    return x, x[::-1].copy(), x, 32


def long():
    """8 queries and 65 536 keys: all scores would take 4 MiB, also if only the queries were cut into blocks.

    Keys and values are one number wide, so that copies of both, in whatever float, take 1 MiB at most.
    """
    x = np.linspace(-1, 1, 65536).reshape(65536, 1)
    return x[:8].copy(), x, x, 256


EXERCISE = Exercise(
    "12.3",
    "attention in blocks",
    "Twice: blocks of a GPU",
    "block_attention(Q, K, V, block)",
    lambda q, k, v, block: core.scaled_dot_product_attention(q, k, v),
    blocks_model,
    hints=(
        "How many scores need to be in memory at once, if keys come in blocks?",
        "Exercise 12.1 for all queries together: the maximum and the sum become columns, one entry for each query.",
        "Per block: scores (n, block), a new maximum (n, 1), one factor (n, 1) for both sums. Divide at the end.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, d)) * 2, rng.normal(size=(m, d)) * 2, rng.normal(size=(m, e)), b)
        for n, m, d, e, b in (
            (2, 4, 3, 2, 2),
            (3, 5, 2, 3, 2),
            (2, 6, 4, 1, 3),
            (4, 4, 4, 4, 1),
            (1, 1, 1, 1, 1),
            (2, 3, 2, 2, 8),
            (2, 7, 3, 2, 2),
        )
    ],
    misconceptions=(
        wrong(
            "no_rescale",
            "When a row's maximum rises, it does not rescale what it has added up.",
            "Old terms are exp(s − old maximum); they must be multiplied by exp(old − new).",
            shrink=lambda old, new: 1.0,
        ),
        wrong(
            "reversed",
            "It rescales by exp(new − old): the sign is reversed.",
            "Old terms must shrink.",
            shrink=lambda old, new: np.where(np.isneginf(old), 0.0, np.exp(new - old)),
        ),
        wrong(
            "last_block",
            "It forgets every block but the last.",
            "Both sums carry over from block to block.",
            shrink=lambda old, new: 0.0,
        ),
        wrong(
            "short_block_lost",
            "It leaves out a last block that is shorter than the others.",
            "m need not be a multiple of block.",
            dict(starts=lambda n, block: range(0, max(n - n % block, 1), block)),
            {"starts": lambda n, block: range(0, n, block)[: max(n // block, 1)]},
            starts=lambda n, block: range(0, n - block + 1, block),
        ),
        wrong(
            "first_block",
            "It stops after the first block.",
            "Is the `return` inside the loop?",
            starts=lambda n, block: range(0, 1),
        ),
        wrong(
            "first_lost",
            "It leaves out the first block.",
            "The first block counts too.",
            starts=lambda n, block: range(block, n, block),
        ),
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products.",
            scale=lambda d, block: 1.0,
        ),
        wrong(
            "scale_block",
            "It divides by the root of the block size.",
            "A score sums over d features.",
            dict(scale=lambda d, block: 1.0, hide=lambda s, i, m: s * s.shape[1] ** -0.5),
            scale=lambda d, block: block**-0.5,
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The standard deviation of a score is √d.",
            scale=lambda d, block: 1 / d,
        ),
        wrong(
            "never_divides",
            "It never divides by the denominators.",
            "The weights sum to ℓ, not to 1.",
            finish=lambda o, l: o,
        ),
        wrong(
            "one_maximum",
            "It takes one maximum for all queries: a row far below it underflows to 0/0.",
            "Each row has its own.",
            top=lambda m, t: np.maximum(m, t.max()),
        ),
        wrong(
            "own_maximum",
            "It takes each block's own maximum in place of the running one: where scores fall, the old sums overflow.",
            "A maximum that may fall makes exp(old − new) grow without bound.",
            top=lambda m, t: t,
        ),
        wrong(
            "no_maximum",
            "It subtracts no maximum, so large scores overflow.",
            "Keep each row's largest score so far.",
            top=lambda m, t: np.zeros_like(t),
            shrink=lambda old, new: np.where(np.isneginf(old), 0.0, 1.0),
        ),
        wrong(
            "softmax_each",
            "It takes a whole attention in each block and adds them up.",
            "The weights must sum to 1 over all keys, not in each block.",
            shrink=lambda old, new: 1.0,
            share=lambda e: e / e.sum(1, keepdims=True),
            finish=lambda o, l: o,
        ),
        wrong(
            "all_scores",
            "It holds all n·m scores at once, perhaps in a list of blocks.",
            "The point of blocks is memory that does not grow with n·m.",
            first=lambda q, k: q @ k.T,
        ),
        wrong(
            "blocks_of_queries",
            "It holds a query's scores with all keys at once: it is the keys that come in blocks, not the queries.",
            "Keys can be many though the queries are few: one new token looks at all that came before.",
            first=lambda q, k: [(q[i : i + 32] @ k.T).max() for i in range(0, len(q), 32)],
        ),
        wrong(
            "block_maximum",
            "It subtracts each block's own maximum and adds the blocks up, though they are relative to different ones.",
            "Bring both to one maximum first: what is there by exp(old − new), what comes by the new one.",
            shift=lambda s, new: s.max(1, keepdims=True),
            shrink=lambda old, new: 1.0,
        ),
        wrong(
            "divides_each_time",
            "It divides the weighted sum in every block, so what came first is divided again and again.",
            "Divide once, at the end, by the sum over all keys.",
            each=lambda o, l: o / l,
            finish=lambda o, l: o,
        ),
        wrong(
            "blocks_averaged",
            "It averages the blocks' attentions with equal weights.",
            "A block counts in proportion to its sum of exponentials, not alike.",
            shrink=lambda old, new: 1.0,
            share=lambda e: e / e.sum(1, keepdims=True),
        ),
        wrong(
            "first_values",
            "It takes the values of the first block in every block.",
            "Keys and values are cut at the same places: V[i : i + block] too.",
            values=lambda v, i, k: v[:k],
        ),
        wrong(
            "causal",
            "It hides the keys after each query: that is a causal mask.",
            "Here every query sees every key.",
            {"hide": lambda s, i, m: np.where(np.arange(i, i + s.shape[1]) <= np.arange(len(s))[:, None], s, -1e30)},
            hide=lambda s, i, m: np.where(
                np.arange(i, i + s.shape[1]) <= np.arange(len(s))[:, None] + m - len(s), s, -1e30
            ),
        ),
        wrong(
            "no_rescale_sum",
            "It rescales the weighted sum but not the denominator.",
            "Both were built with the old maximum, so both need the factor exp(old − new).",
            shrink_sum=lambda old, new: 1.0,
        ),
        wrong(
            "no_rescale_average",
            "It rescales the denominator but not the weighted sum.",
            "Both were built with the old maximum, so both need the factor exp(old − new).",
            shrink=lambda old, new: 1.0,
            shrink_sum=lambda old, new: np.exp(old - new),
        ),
        wrong(
            "maximum_from_zero",
            "Its running maximum starts at 0: in a row of low scores every exp underflows.",
            "Start below every score, at −∞.",
            top=lambda m, new: np.maximum(np.maximum(m, new), 0.0),
        ),
        wrong(
            "first_maximum",
            "It keeps the maximum of the first block, so larger scores that come later overflow.",
            "The maximum must rise with the scores, and what is there be rescaled.",
            top=lambda m, t: np.where(np.isfinite(m), m, t),
        ),
        wrong(
            "column_maximum",
            "It takes a maximum over the queries, another for each key.",
            "A shift changes no weight only if it is the same all along a row: a maximum for each query.",
            shift=lambda s, new: s.max(0, keepdims=True),
            shrink=lambda old, new: 1.0,
        ),
        wrong(
            "padded_with_zeros",
            "It fills the last block up with keys of zeros, which take weight.",
            "A score of 0 is a score like any other: what is not there has −∞, or is not there.",
            top=lambda m, t: np.maximum(np.maximum(m, t), 0.0),
            extra=lambda i, block, m, new: max(i + block - m, 0) * np.exp(-new),
        ),
    ),
    probes=(
        Stress("no_maximum", (np.array([[900.0]]), np.array([[1.0], [2.0], [0.5]]), np.eye(3), 2)),
        Stress("one_maximum", (np.array([[900.0], [-900.0]]), np.array([[1.0], [2.0], [0.5]]), np.eye(3), 2)),
        Stress("no_maximum", (np.array([[2000.0]]), np.array([[1.0], [-1], [1023 / 1024]]), np.eye(3), 2)),
        Stress(
            "maximum_from_zero", (np.array([[-900.0]]), np.array([[1.0], [1025 / 1024], [1023 / 1024]]), np.eye(3), 2)
        ),
        Stress(
            "first_maximum", (np.array([[1.0]]), np.array([[0.0], [1], [800], [801], [1600], [1599]]), np.eye(6), 2)
        ),
        Memory("all_scores", large, 1 << 20),
        Memory("blocks_of_queries", long, 5 << 18),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_scale(EXERCISE, lambda d, block: d)
EXERCISE = taught(
    EXERCISE,
    {
        STABILITY: "one_maximum no_maximum column_maximum",
        CAUSAL: "causal",
        TILES: "all_scores blocks_of_queries",
        MERGE: "no_rescale reversed no_rescale_sum no_rescale_average never_divides own_maximum softmax_each "
        "block_maximum divides_each_time blocks_averaged maximum_from_zero first_maximum last_block",
    },
)
