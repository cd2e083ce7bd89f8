"""Chapter 9, continued: grouped queries, the size of a cache, and one step of decoding."""

import numpy as np

from attn import core, cost, heads
from attn.exercises.engine import Exercise, settled_on, wrong
from attn.exercises.probes import Stress
from attn.exercises.rules import ATTENTION
from attn.softmax import softmax


def tile(x, h):
    """Key heads in turn: 0 1 0 1."""
    return np.tile(x, (h // len(x), 1, 1))


def repeat(x, h):
    """Each key head for its group: 0 0 1 1."""
    return heads.repeat_kv(x, h // len(x))


def grouped(q, k, v, *, keys=repeat, values=repeat, queries=lambda q, g: q, scale=lambda q, k: q.shape[-1] ** -0.5,
            weigh=softmax, finish=lambda y, g: y):  # fmt: skip
    """Attention of h query heads over g key–value heads."""
    q = queries(q, len(k))
    return finish(weigh(q @ keys(k, len(q)).mT * scale(q, k)) @ values(v, len(q)), len(k))


def first(x, h):
    """Key head 0 for all."""
    return np.repeat(x[:1], h, 0)


def pooled(q, g):
    """Each query replaced by its group's mean."""
    mean = q.reshape(g, len(q) // g, *q.shape[1:]).mean(1)
    return repeat(mean, len(q))


def bare(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


GROUPED = Exercise(
    "9.2", "grouped-query attention", "Groups of queries", "grouped_attention(Q, K, V)",
    heads.grouped_query_attention, grouped,
    hints=(
        "Which key head do query heads 0 and 1 use, with h = 4 and g = 2?",
        "Give every query head its group's keys and values; then each head attends by itself, as always.",
        "Exercise 9.1 twice, for K and for V, and a batched attention.",
    ),
    cases=lambda rng: [tuple(rng.normal(size=s) * 1.5 for s in ((h, n, d), (g, m, d), (g, m, e)))
                       for h, g, n, m, d, e in ((4, 2, 3, 2, 5, 3), (6, 2, 2, 2, 2, 2), (6, 3, 2, 3, 4, 2), (4, 4,
                       2, 3, 2, 2))],
    misconceptions=(
        wrong("tile", "It goes through the key–value heads in turn, 0 1 0 1, in place of 0 0 1 1.",
              "Neighbouring query heads share.", keys=tile, values=tile),
        wrong("values_tiled", "It repeats the keys and tiles the values: weights meet the wrong values.",
              "Keys and values of a group belong together.", values=tile),
        wrong("keys_tiled", "It tiles the keys and repeats the values: weights meet the wrong values.",
              "Keys and values of a group belong together.", keys=tile),
        wrong("keys_first", "It uses key head 0 for every query head.", "There are g groups.", keys=first),
        wrong("values_first", "It uses value head 0 for every query head.", "There are g groups.", values=first),
        wrong("multi_query", "It uses key–value head 0 for every query head: that is multi-query attention.",
              "There are g groups, each with a head of its own.", keys=first, values=first),
        wrong("queries_pooled", "It averages the queries of each group.",
              "The queries stay apart; only keys and values are shared.", queries=pooled),
        wrong("scale_group", "It scales by the size of the group too.", "Each score still sums over d features.",
              scale=lambda q, k: (q.shape[-1] * len(q) / len(k)) ** -0.5),
        wrong("no_scale", "It never divides the scores by √d.", "A score is a sum of d products.",
              scale=lambda q, k: 1.0),
        wrong("scale_heads", "It scales by the root of all heads' width.", "Each score sums over one head's d "
              "features.",
              scale=lambda q, k: (q.shape[-1] * len(q)) ** -0.5),
        wrong("merged", "It lays the heads side by side at the end.", "The heads stay apart here: (h, n, e).",
              finish=lambda y, g: heads.merge(y)),
        wrong("over_queries", "It takes the softmax over the queries.", "Each query spreads a weight of 1 over the "
              "keys.", weigh=lambda s: softmax(s, axis=1)),
        wrong("scale_tokens", "It divides by the root of the number of keys.", "A score sums over d features.",
              scale=lambda q, k: k.shape[1] ** -0.5),
        wrong("summed", "It adds up the heads of each group.", "Every query head has an output of its own: (h, n, e).",
              finish=lambda y, g: y.reshape(g, -1, *y.shape[1:]).sum(1)),
        wrong("no_shift", "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
              "Subtract each row's maximum first: no weight changes.", weigh=bare),
        wrong("one_shift", "It subtracts one maximum for all rows, so a row far below it becomes 0/0.",
              "Each row of scores has its own maximum.", weigh=lambda s: bare(s - s.max())),
    ),
    probes=(
        Stress("no_shift", (np.array([[[900.0]]]), np.array([[[1.0], [0.999]]]), np.eye(2)[None])),
        Stress("one_shift", (np.array([[[900.0], [-900.0]]]), np.array([[[1.0], [0.999]]]), np.eye(2)[None])),
    ),
    forbidden=ATTENTION,
)  # fmt: skip

RIGHT = cost.kv_cache_bytes(8192, kv_heads=8, head_width=128, layers=80)
CACHE = Exercise(
    "9.3", "bytes in a key–value cache", "The size of a cache", "cache_bytes", lambda: RIGHT, settled_on(RIGHT),
    hints=(
        "What is kept for each token, in each layer, and how many numbers is that?",
        "A key and a value for every key–value head; then times layers, times tokens, times bytes a number.",
        "A product of six factors.",
    ),
    misconceptions=(
        wrong("half", "It is half of what is right: keys or values were counted, not both, or numbers in place of "
              "bytes.",
              "Both keys and values are kept, and each number of 16 bits takes 2 bytes.", value=RIGHT // 2),
        wrong("eightfold", "It is 8 times what is right: query heads were counted in place of key–value heads, or "
              "bits "
              "in place of bytes.",
              "Queries are not kept; keys and values exist once for each of the 8 groups. 16 bits are 2 bytes.",
              value=RIGHT * 8),
        wrong("model_width", "It is 64 times what is right: 8192 stands where a head's width belongs, or "
              "bits were counted too.",
              "Eight key–value heads of width 128 are kept, and 16 bits are 2 bytes.", value=RIGHT * 64),
        wrong("one_layer", "It counts one layer.", "Each of the 80 layers has a cache of its own.",
              value=RIGHT // 80),
        wrong("quarter", "It is a quarter of what is right: keys alone were counted, and numbers in place of bytes.",
              "A key and a value, 2 bytes for each number.", value=RIGHT // 4),
        wrong("four_bytes", "It takes 4 bytes for a number.", "16 bits are 2 bytes.", value=RIGHT * 2),
        wrong("one_token", "It counts one token.", "Every token of the 8192 is kept.", value=RIGHT // 8192),
        wrong("one_head", "It counts one key–value head.", "There are 8 of them.", value=RIGHT // 8),
        wrong("no_width", "It leaves out the width of a head.", "A key holds 128 numbers.", value=RIGHT // 128),
    ),
)  # fmt: skip


def step(q, k, v, old_k, old_v, *, seen=lambda old, new: np.vstack([old, new]),
         kept=lambda old, new: np.vstack([old, new]),
         scale=lambda d, m: d**-0.5, key=lambda q, k: k, mixed=lambda a, values: a @ values,
         order=lambda o, k, v: (o, k, v)):  # fmt: skip
    """One token's attention over the cache and itself, and the cache that is kept."""
    k = key(q, k)
    keys, values = seen(old_k, k), seen(old_v, v)
    a = softmax(keys @ q * scale(len(q), len(keys)))
    return order(mixed(a, values), kept(old_k, k), kept(old_v, v))


def reference_step(q, k, v, old_k, old_v):
    """The right answer to 9.4."""
    keys, values = np.vstack([old_k, k]), np.vstack([old_v, v])
    return core.scaled_dot_product_attention(q[None], keys, values)[0], keys, values


def old_only(old, new):
    """The cache as it was."""
    return old


def in_front(old, new):
    """The new row first."""
    return np.vstack([new, old])


def over_last(old, new):
    """The last row replaced."""
    return np.vstack([old[:-1], new])


def over_first(old, new):
    """A window that slides: the oldest row dropped."""
    return np.vstack([old[1:], new])


DECODE = Exercise(
    "9.4", "one step of decoding", "Token by token", "decode_step(q, k, v, K, V)", reference_step, step,
    hints=(
        "The new token may see itself. Is its own key among those you score?",
        "First the new key and value join the cache as its last row; then the query attends to all of it.",
        "Two stacks of rows, an attention with one query and no mask, and a tuple of three.",
    ),
    cases=lambda rng: [(rng.normal(size=d) * 1.5, rng.normal(size=d), rng.normal(size=e), rng.normal(size=(m, d)),
                        rng.normal(size=(m, e))) for m, d, e in ((2, 3, 2), (4, 2, 3), (1, 2, 2), (3, 5, 4))],
    misconceptions=(
        wrong("not_itself", "The new token does not see itself: its key joins the cache only afterwards.",
              "Causal attention includes the query's own position.", seen=old_only),
        wrong("not_kept", "It attends rightly, but hands back the old cache.",
              "The next token needs this one's key and value.", kept=old_only),
        wrong("neither", "The new key and value are not used at all.", "They are the cache's new last row.",
              seen=old_only, kept=old_only),
        wrong("overwrites_last", "The new row takes the place of the last one.", "The cache grows by a row.",
              {"kept": over_last}, seen=over_last, kept=over_last),
        wrong("drops_oldest", "The new row pushes out the oldest one.",
              "That is a sliding window; here every token is kept.", {"kept": over_first}, seen=over_first,
              kept=over_first),
        wrong("in_front", "The new row is put in front.",
              "Rows are in the order of the text: the next mask and the positions rely on it.", kept=in_front),
        wrong("only_itself", "The query sees its own key only.", "It sees the whole cache and itself.",
              seen=lambda old, new: new[None]),
        wrong("top_left", "It sees the first key only: a causal mask was laid on with its corner at the top left.",
              "One query with m keys is the last token: it needs no mask at all.", seen=lambda old, new: old[:1]),
        wrong("no_scale", "It never divides the scores by √d.", "A score is a sum of d products.", scale=lambda d,
              m: 1.0),
        wrong("scale_length", "It divides by the root of the cache's length.", "A score sums over d features.",
              scale=lambda d, m: m**-0.5),
        wrong("new_only", "It hands back the new key and value, not the whole cache.", "The cache with its new row "
              "is asked for.",
              kept=lambda old, new: new[None]),
        wrong("value_left_out", "It scores the new key, but leaves the new value out of the average.",
              "The new token has a weight, so its value counts too.", mixed=lambda a, values: a[:-1] @ values[:-1]),
        wrong("query_kept", "It puts the query into the cache in place of the key.",
              "Queries ask once and are not kept; what others will look for is the key.", key=lambda q, k: q),
        wrong("residual", "It adds the new value to the output.", "The output is the weighted average alone.",
              mixed=lambda a, values: a @ values + values[-1]),
        wrong("caches_exchanged", "The new V comes before the new K.", "The order is output, K, V.",
              order=lambda o, k, v: (o, v, k)),
        wrong("output_only", "It returns the output alone, without the cache.", "Asked for is (output, new K, new V).",
              order=lambda o, k, v: o),
    ),
)  # fmt: skip

EXERCISES = (GROUPED, CACHE, DECODE)
