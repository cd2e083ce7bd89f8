"""Exercise 12.1, online softmax."""

import numpy as np

from attn.exercises.catalogue.sections import STABILITY, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION, SOFTMAX
from attn.exercises.checks.probes import Memory, OnePass, Stress
from attn.softmax import softmax


def online_model(
    s,
    v,
    block,
    *,
    start=-np.inf,
    begin=lambda s, start: start,
    carry=lambda m, new: new,
    top=max,
    keep_sum=lambda m, new: np.exp(m - new),
    keep_average=lambda m, new: np.exp(m - new),
    each=lambda o, l: o,
    finish=lambda o, l, s: o / l,
    chosen=lambda starts, n, block: starts,
    first=lambda s: None,
    share=lambda e: e,
    fill=None,
    values=lambda v, i, k: v[i : i + k],
):
    """softmax(s) @ v, block by block: what is kept, and how it is rescaled when the maximum rises."""
    first(s)
    m, l, o = begin(s, start), 0.0, np.zeros(v.shape[1])
    for i in chosen(range(0, len(s), block), len(s), block):
        part = s[i : i + block]
        if fill is not None:
            part = np.append(part, np.full(block - len(part), fill))
        new = top(m, part.max())
        e = share(np.exp(part - new))
        l = l * keep_sum(m, new) + e.sum()
        o = each(o * keep_average(m, new) + e[: len(v) - i] @ values(v, i, min(block, len(v) - i)), l)
        m = carry(m, new)
    return finish(o, l, s)


def one(m, new):
    """No rescaling."""
    return 1.0


def upside_down(m, new):
    """The factor with its sign reversed; nothing is kept from before the first block."""
    return np.exp(new - m) if np.isfinite(m) else 0.0


def forgets(m, new):
    """Nothing is kept from the block before."""
    return 0.0


def scores(*values):
    """One row of scores, and values to average."""
    s = np.array(values, dtype=float)
    return s, np.stack([np.arange(len(s)), np.cos(np.arange(len(s)))], 1), 2


def holding(starts):
    """The starts of the blocks, while something of each is held."""
    held = []
    for i in starts:
        held.append(np.zeros(40))
        yield i


def many_blocks():
    """2048 blocks of 4: a list of what each of them gave would be seen."""
    n = 1 << 13
    return np.zeros(n), np.zeros((n, 2)), 4


def long_row():
    """65 536 scores in blocks of 256: a second array of that length would be seen."""
    n = 1 << 16
    return np.zeros(n), np.zeros((n, 4)), 256


EXERCISE = Exercise(
    "12.1",
    "online softmax",
    "One merge",
    "online_softmax(s, V, block)",
    lambda s, v, block: softmax(s) @ v,
    online_model,
    hints=(
        "When a larger score turns up in a later block, what becomes of the exponentials that you have added up?",
        "Carry three things along: the maximum so far, the sum of exp(s − maximum), and the weighted sum of rows of V.",
        "In each block: the new maximum, one factor exp(old − new) "
        "for both sums, the block's own terms. Divide at the end.",
    ),
    cases=lambda rng: (
        [
            (rng.normal(size=n) * 3, rng.normal(size=(n, e)), block)
            for n, block, e in (
                (4, 2, 3),
                (6, 3, 2),
                (5, 2, 1),
                (4, 4, 2),
                (7, 3, 2),
                (3, 1, 2),
                (1, 1, 1),
                (3, 5, 2),
                (9, 2, 2),
            )
        ]
        + [(np.array([-5.0, -4.0, -3.0, -2.0]), rng.normal(size=(4, 2)), 2)]
    ),
    misconceptions=(
        wrong(
            "no_rescale",
            "When the running maximum rises, it does not rescale what it has added up so far.",
            "Old terms are exp(s − old maximum). To count beside new ones they must be multiplied by exp(old − new).",
            keep_sum=one,
            keep_average=one,
        ),
        wrong(
            "no_rescale_sum",
            "It rescales the weighted sum but not the denominator.",
            "Both were built with the old maximum, so both need the factor exp(old − new).",
            keep_sum=one,
        ),
        wrong(
            "no_rescale_average",
            "It rescales the denominator but not the weighted sum.",
            "Both were built with the old maximum, so both need the factor exp(old − new).",
            keep_average=one,
        ),
        wrong(
            "factor_reversed",
            "It rescales by exp(new − old): the sign is reversed.",
            "The new maximum is the larger, so old terms must shrink: exp(old − new) ≤ 1.",
            {"keep_sum": lambda m, new: np.exp(new - m), "keep_average": lambda m, new: np.exp(new - m)},
            keep_sum=upside_down,
            keep_average=upside_down,
        ),
        wrong(
            "divides_each",
            "It divides by the denominator in every block, and then goes on adding.",
            "The weighted sum and its denominator grow together; divide once, at the end.",
            each=lambda o, l: o / l,
            finish=lambda o, l, s: o,
        ),
        wrong(
            "divides_each_and_end",
            "It divides by the denominator in every block and again at the end.",
            "The weighted sum and its denominator grow together; divide once, at the end.",
            each=lambda o, l: o / l,
        ),
        wrong(
            "never_divides",
            "It never divides by the denominator.",
            "The weights exp(s − maximum) sum to ℓ, not to 1.",
            finish=lambda o, l, s: o,
        ),
        wrong(
            "divides_by_count",
            "It divides by the number of keys in place of the sum of exponentials.",
            "A softmax is a weighted average; its weights sum to ℓ.",
            finish=lambda o, l, s: o / len(s),
        ),
        wrong(
            "last_block",
            "It forgets every block but the last.",
            "Maximum, sum and weighted sum must all three carry over from block to block: is each kept?",
            keep_sum=forgets,
            keep_average=forgets,
        ),
        wrong(
            "first_block",
            "It stops after the first block.",
            "Every block holds keys that deserve their weight: is the `return` inside the loop?",
            chosen=lambda starts, n, block: starts[:1],
        ),
        wrong(
            "short_block_lost",
            "It leaves out a last block that is shorter than the others.",
            "len(s) need not be a multiple of block; the keys left over count too.",
            {"chosen": lambda starts, n, block: list(starts)[: max(n // block, 1)]},
            ask="With 5 scores in blocks of 2, how many blocks are there?",
            chosen=lambda starts, n, block: [i for i in starts if i + block <= n],
        ),
        wrong(
            "first_lost",
            "It leaves out the first block.",
            "The first block counts too: start the loop at 0.",
            chosen=lambda starts, n, block: starts[1:],
        ),
        wrong(
            "overlap",
            "It moves on by one score in place of a whole block, so blocks overlap.",
            "Each score counts once: the next block begins where this one ends.",
            chosen=lambda starts, n, block: range(n),
        ),
        wrong(
            "block_averages",
            "It averages the blocks' results with equal weights.",
            "A block's result counts in proportion to its sum of exponentials, not alike.",
            {"share": lambda e: e / e.sum(), "keep_sum": one, "keep_average": one, "top": lambda m, b: b},
            keep_sum=lambda m, new: 1.0,
            top=lambda m, b: b,
            keep_average=one,
            finish=lambda o, l, s: o / l,
        ),
        wrong(
            "blocks_added",
            "It takes a whole softmax in each block and adds the blocks' results up.",
            "The weights must sum to 1 over all keys, not in each block.",
            share=lambda e: e / e.sum(),
            keep_sum=one,
            keep_average=one,
            top=lambda m, b: b,
            finish=lambda o, l, s: o,
        ),
        wrong(
            "sum_only",
            "It returns the denominator, or the values' plain sum, in place of their weighted average.",
            "What is asked for is softmax(s) @ V, one number for each column of V.",
            {"finish": lambda o, l, s: l},
            finish=lambda o, l, s: np.full_like(o, l),
        ),
        wrong(
            "no_maximum",
            "It subtracts no maximum, so exp overflows for large scores or underflows for small ones.",
            "Keep the largest score so far and take exp(s − maximum): no exponent is then above 0.",
            start=0.0,
            top=lambda m, b: 0.0,
        ),
        wrong(
            "maximum_from_zero",
            "Its running maximum starts at 0 or another number: if all scores lie far below, every exp underflows.",
            "Start below every score, at −∞.",
            {"start": -1000.0},
            start=0.0,
        ),
        wrong(
            "maximum_not_kept",
            "It does not keep the new maximum: every block is measured against the first value again.",
            "What has been added up is relative to the last maximum: m = new at the end of each block.",
            dict(start=0.0, carry=lambda m, new: m),
            begin=lambda s, start: s[0],
            carry=lambda m, new: m,
        ),
        wrong(
            "own_maximum",
            "It takes each block's own maximum in place of the running one: where scores fall, the old sums overflow.",
            "A maximum that may fall makes exp(old − new) grow without bound.",
            top=lambda m, b: b,
        ),
        wrong(
            "first_maximum",
            "It keeps the first block's maximum for all blocks, so a later, larger score overflows.",
            "The maximum must rise with the scores, and the sums be rescaled when it does.",
            top=lambda m, b: b if np.isneginf(m) else m,
        ),
        wrong(
            "all_in_memory",
            "It holds an array as long as s: the exponentials or weights of all keys at once.",
            "The point of blocks is memory that does not grow with the number of keys.",
            first=lambda s: np.exp(np.zeros(len(s))),
        ),
        wrong(
            "two_passes",
            "It goes through the scores twice: once for the maximum, once more for the sums.",
            "A block is fetched from slow memory once. "
            "When a larger score turns up, rescale what you have; do not go back.",
            ask="How often does your code read s[0]?",
            first=lambda s: s.max(),
        ),
        wrong(
            "keeps_a_list",
            "It keeps what each block gave, and puts it together at the end.",
            "There are as many partial results as blocks, more than a block holds. A running maximum, sum and weighted "
            "sum need no list.",
            chosen=lambda starts, n, block: holding(starts),
        ),
        wrong(
            "padded_with_zeros",
            "It fills the last block up with scores of 0, which count in the sum.",
            "exp(0 − m) is not 0: what is not there has the score −∞.",
            fill=0.0,
        ),
        wrong(
            "first_values",
            "It takes the first values for every block.",
            "Each block of scores goes with its own rows of V.",
            values=lambda v, i, k: v[:k],
        ),
    ),
    probes=(
        Stress("no_maximum", scores(900, 901, 902, 900, 899, 903)),
        Stress("maximum_from_zero", scores(-900, -901, -899, -902, -900, -903)),
        Stress("maximum_from_zero", scores(-1990, -1991, -1989, -1992, -1990)),
        Stress("first_maximum", scores(0, 1, 800, 801, 1600, 1599)),
        Stress("own_maximum", scores(*range(0, -1600, -200))),
        Stress("no_maximum", scores(800, -800, -800, 800, 800, -800)),
        Stress("no_maximum", scores(2000, -2000, 1999, 2000, -1999)),
        Memory("all_in_memory", long_row, 1 << 18),
        Memory("keeps_a_list", many_blocks, 1 << 16),
        OnePass("two_passes", scores(1, 3, 2, 5, 4, 6, 0, 7)),
    ),
    forbidden=(*SOFTMAX, *ATTENTION),
)
EXERCISE = taught(
    EXERCISE,
    {
        STABILITY: "no_maximum",
    },
)
