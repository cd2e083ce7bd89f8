"""Chapter 12, continued: merging partial results, attention in blocks, and the bytes that move."""

import numpy as np

from attn import core
from attn.exercises.engine import Exercise, settled_on, wrong
from attn.exercises.probes import Memory, Stress
from attn.exercises.rules import ATTENTION


def merge_model(
    m1, l1, o1, m2, l2, o2, *, top=max, factors=lambda m1, m2, m: (np.exp(m1 - m), np.exp(m2 - m)),
    sums=lambda l1, l2, a, b: l1 * a + l2 * b, outputs=lambda o1, o2, a, b, l1, l2: o1 * a + o2 * b,
    finish=lambda m, l, o: (m, l, o),
):  # fmt: skip
    """(m, ℓ, o) of the union of two sets of keys."""
    m = top(m1, m2)
    a, b = factors(m1, m2, m)
    return finish(m, sums(l1, l2, a, b), outputs(o1, o2, a, b, l1, l2))


def part(rng, keys, e, shift):
    """A partial result: maximum, sum of exponentials, weighted sum."""
    s, v = rng.normal(size=keys) * 2 + shift, rng.normal(size=(keys, e))
    w = np.exp(s - s.max())
    return s.max(), w.sum(), w @ v


MERGE = Exercise(
    "12.2", "merge two partial results", "One merge", "merge(m1, l1, o1, m2, l2, o2)", merge_model,
    merge_model,
    hints=(
        "Both sums are built on maxima of their own. On which maximum can they be added?",
        "Take the larger maximum; each side's sums shrink by exp(own maximum − common maximum).",
        "Three results: a maximum, and two sums of two rescaled terms each. Nothing is divided yet.",
    ),
    cases=lambda rng: [(*part(rng, n1, e, s1), *part(rng, n2, e, s2)) for n1, n2, e, s1, s2 in
                       ((2, 3, 2, 0, 1), (3, 1, 3, 2, -1), (2, 2, 1, 0, 0))],
    misconceptions=(
        wrong("not_rescaled", "It adds the sums as they are, without bringing them to one maximum.",
              "exp(s − m₁) and exp(s − m₂) are in different units.", factors=lambda m1, m2, m: (1.0, 1.0)),
        wrong("reversed", "It rescales by exp(common − own): the sign is reversed.", "Terms must shrink: exp(own − "
              "common) ≤ 1.",
              factors=lambda m1, m2, m: (np.exp(m - m1), np.exp(m - m2))),
        wrong("exchanged", "Each side is rescaled by the other side's factor.", "Each side's own maximum belongs "
              "in its factor.",
              factors=lambda m1, m2, m: (np.exp(m2 - m), np.exp(m1 - m))),
        wrong("sum_not_rescaled", "It rescales the weighted sums but not the denominators.", "Both were built with "
              "the old maxima.",
              sums=lambda l1, l2, a, b: l1 + l2),
        wrong("output_not_rescaled", "It rescales the denominators but not the weighted sums.", "Both were built "
              "with the old maxima.",
              outputs=lambda o1, o2, a, b, l1, l2: o1 + o2),
        wrong("divided", "It divides the weighted sum by the denominator.", "o stays undivided, so that it can be "
              "merged again.",
              finish=lambda m, l, o: (m, l, o / l)),
        wrong("taken_as_divided", "It takes o for divided already, and multiplies by ℓ first.",
              "Here o is the weighted sum itself, not yet divided.",
              outputs=lambda o1, o2, a, b, l1, l2: o1 * l1 * a + o2 * l2 * b),
        wrong("mean", "It averages the two weighted sums.", "Sums add up.", outputs=lambda o1, o2, a, b, l1,
              l2: (o1 * a + o2 * b) / 2),
        wrong("smaller", "It takes the smaller maximum.", "Then exponentials may overflow.", top=min),
        wrong("sum_of_maxima", "It adds the maxima.", "The maximum of a union is the larger of the two.",
              top=lambda m1, m2: m1 + m2),
        wrong("first_wins", "It keeps the first part's maximum, even where the second's is larger.",
              "A later maximum may be larger; its exponentials then overflow.", top=lambda m1, m2: m1),
        wrong("empty", "A part with no keys, m = −∞, gives NaN.", "Nothing merged with something is that "
              "something: its factor is 0.",
              factors=lambda m1, m2, m: (np.exp(m1 - m) + 0 * m1, np.exp(m2 - m) + 0 * m2)),
        wrong("unshifted", "It goes back to exp(m) itself, which overflows for large maxima.",
              "exp(m₁ − m) needs only the difference, and that is never above 0.",
              {"factors": lambda m1, m2, m: (np.exp(m1) / np.exp(m), np.exp(m2) / np.exp(m))},
              factors=lambda m1, m2, m: (np.exp(m1) * np.exp(-m), np.exp(m2) * np.exp(-m))),
        wrong("order", "The order is m, o, ℓ.", "Whoever unpacks the result expects m, ℓ, o.",
              finish=lambda m, l, o: (m, o, l)),
        wrong("output_only", "It returns the finished average alone.",
              "The three parts are asked for, so that they can be merged again.", finish=lambda m, l, o: o / l),
        wrong("soft_maximum", "It takes log(exp m₁ + exp m₂) for the maximum.",
              "m is the larger of the two; log-sum-exp is larger than both.", top=np.logaddexp),
    ),
    probes=(
        Stress("first_wins", (0.0, 1.0, np.ones(2), 1000.0, 1.0, np.zeros(2))),
        Stress("empty", (-np.inf, 0.0, np.zeros(2), 1.0, 2.0, np.ones(2))),
    ),
)  # fmt: skip


def blocks_model(
    q, k, v, block, *, scale=lambda d, block: d**-0.5, shrink=lambda old, new: np.exp(old - new),
    starts=lambda n, block: range(0, n, block), finish=lambda o, l: o / l, top=np.maximum, first=lambda q, k: None,
    share=lambda e: e, shrink_sum=None,
):  # fmt: skip
    """Attention, one block of keys at a time."""
    first(q, k)
    m, l, o = np.full((len(q), 1), -np.inf), np.zeros((len(q), 1)), np.zeros((len(q), v.shape[1]))
    for i in starts(len(k), block):
        s = q @ k[i : i + block].T * scale(q.shape[1], block)
        new = top(m, s.max(1, keepdims=True))
        e, c = share(np.exp(s - new)), shrink(m, new)
        kept = shrink_sum(m, new) if shrink_sum else c
        m, l, o = new, l * kept + e.sum(1, keepdims=True), o * c + e @ v[i : i + block]
    return finish(o, l)


def large():
    """512 queries and keys: all scores at once would take 2 MiB."""
    x = np.linspace(-1, 1, 512 * 4).reshape(512, 4)
    return x, x[::-1].copy(), x, 32


def long():
    """4 queries and 65 536 keys: all scores would take 2 MiB, also if only the queries were cut into blocks."""
    x = np.linspace(-1, 1, 65536 * 2).reshape(65536, 2)
    return x[:4].copy(), x, x, 256


BLOCKS = Exercise(
    "12.3", "attention in blocks", "Twice: blocks of a GPU", "block_attention(Q, K, V, block)",
    lambda q, k, v, block: core.scaled_dot_product_attention(q, k, v), blocks_model,
    hints=(
        "How many scores need to be in memory at once, if keys come in blocks?",
        "Exercise 12.1 for all queries together: the maximum and the sum become columns, one entry for each query.",
        "Per block: scores (n, block), a new maximum (n, 1), one factor (n, 1) for both sums. Divide at the end.",
    ),
    cases=lambda rng: [(rng.normal(size=(n, d)) * 2, rng.normal(size=(m, d)) * 2, rng.normal(size=(m, e)), b)
                       for n, m, d, e, b in ((2, 4, 3, 2, 2), (3, 5, 2, 3, 2), (2, 6, 4, 1, 3), (4, 4, 4, 4, 1))],
    misconceptions=(
        wrong("no_rescale", "When a row's maximum rises, it does not rescale what it has added up.",
              "Old terms are exp(s − old maximum); they must be multiplied by exp(old − new).", shrink=lambda old,
              new: 1.0),
        wrong("reversed", "It rescales by exp(new − old): the sign is reversed.", "Old terms must shrink.",
              shrink=lambda old, new: np.where(np.isneginf(old), 0.0, np.exp(new - old))),
        wrong("last_block", "It forgets every block but the last.", "Both sums carry over from block to block.",
              shrink=lambda old, new: 0.0),
        wrong("short_block_lost", "It leaves out a last block that is shorter than the others.", "m need not be a "
              "multiple of block.",
              starts=lambda n, block: range(0, n - block + 1, block)),
        wrong("first_block", "It stops after the first block.", "Is the `return` inside the loop?",
              starts=lambda n, block: range(0, 1)),
        wrong("first_lost", "It leaves out the first block.", "The first block counts too.",
              starts=lambda n, block: range(block, n, block)),
        wrong("no_scale", "It never divides the scores by √d.", "A score is a sum of d products.", scale=lambda d,
              block: 1.0),
        wrong("scale_block", "It divides by the root of the block size.", "A score sums over d features.",
              scale=lambda d, block: block**-0.5),
        wrong("scale_d", "It divides the scores by d in place of √d.", "The standard deviation of a score is √d.",
              scale=lambda d, block: 1 / d),
        wrong("never_divides", "It never divides by the denominators.", "The weights sum to ℓ, not to 1.",
              finish=lambda o, l: o),
        wrong("one_maximum", "It takes one maximum for all queries: a row far below it underflows to 0/0.", "Each "
              "row has its own.",
              top=lambda m, t: np.maximum(m, t.max())),
        wrong("no_maximum", "It subtracts no maximum, so large scores overflow.", "Keep each row's largest score "
              "so far.",
              top=lambda m, t: np.zeros_like(t), shrink=lambda old, new: np.where(np.isneginf(old), 0.0, 1.0)),
        wrong("softmax_each", "It takes a whole attention in each block and adds them up.",
              "The weights must sum to 1 over all keys, not in each block.",
              shrink=lambda old, new: 1.0, share=lambda e: e / e.sum(1, keepdims=True), finish=lambda o, l: o),
        wrong("all_scores", "It holds all n·m scores at once, perhaps in a list of blocks.",
              "The point of blocks is memory that does not grow with n·m.", first=lambda q, k: q @ k.T),
        wrong("blocks_averaged", "It averages the blocks' attentions with equal weights.",
              "A block counts in proportion to its sum of exponentials, not alike.",
              shrink=lambda old, new: 1.0, share=lambda e: e / e.sum(1, keepdims=True)),
        wrong("no_rescale_sum", "It rescales the weighted sum but not the denominator.",
              "Both were built with the old maximum, so both need the factor exp(old − new).",
              shrink_sum=lambda old, new: 1.0),
        wrong("no_rescale_average", "It rescales the denominator but not the weighted sum.",
              "Both were built with the old maximum, so both need the factor exp(old − new).",
              shrink=lambda old, new: 1.0, shrink_sum=lambda old, new: np.exp(old - new)),
    ),
    probes=(
        Stress("no_maximum", (np.array([[900.0]]), np.array([[1.0], [2.0], [0.5]]), np.eye(3), 2)),
        Stress("one_maximum", (np.array([[900.0], [-900.0]]), np.array([[1.0], [2.0], [0.5]]), np.eye(3), 2)),
        Memory("all_scores", large, 1 << 20),
        Memory("all_scores", long, 1 << 20),
    ),
    forbidden=ATTENTION,
)  # fmt: skip

N, D = 4096, 128
NAIVE = 2 * (4 * N * D + 4 * N * N)
BYTES = Exercise(
    "12.5", "bytes moved by naive attention", "The roof", "naive_bytes", lambda: NAIVE, settled_on(NAIVE),
    hints=(
        "Which matrices does each of the three steps read, and which does it write?",
        "QKᵀ reads Q and K and writes S; the softmax reads S and writes A; AV reads A and V and writes O.",
        "Four matrices n × d and four passes over n × n, 2 bytes a number.",
    ),
    misconceptions=(
        wrong("scores_once", "It counts one pass over the n × n scores.", "S is written, read, written as A, and "
              "read again.",
              value=2 * (4 * N * D + N * N)),
        wrong("scores_twice", "It counts two passes over n × n.", "S is written and read, A is written and read.",
              value=2 * (4 * N * D + 2 * N * N)),
        wrong("scores_thrice", "It counts three passes over n × n.", "S is written and read, A is written and read.",
              value=2 * (4 * N * D + 3 * N * N)),
        wrong("tiled", "It counts no n × n matrix: that is the tiled way.", "Naively S and A go to memory and back.",
              value=2 * 4 * N * D),
        wrong("scores_only", "It counts the n × n matrices and forgets Q, K, V and O.", "Each is read or written "
              "once.",
              value=2 * 4 * N * N),
        wrong("no_output", "It forgets O.", "O is written.", value=2 * (3 * N * D + 4 * N * N)),
        wrong("single", "It takes 4 bytes for a number.", "16 bits are 2 bytes.", value=2 * NAIVE),
        wrong("numbers", "It counts numbers, not bytes.", "16 bits are 2 bytes.", value=NAIVE // 2),
        wrong("flops", "It counts multiplications and additions, not bytes.", "Bytes are what memory moves.",
              value=4 * N * N * D),
        wrong("bits", "It counts bits, not bytes.", "16 bits are 2 bytes.", value=NAIVE * 8),
        wrong("first_trip", "It counts the first of the three trips only.",
              "The softmax reads S and writes A; the last product reads A and V and writes O.",
              value=2 * (2 * N * D + N * N)),
    ),
)  # fmt: skip

EXERCISES = (MERGE, BLOCKS, BYTES)
