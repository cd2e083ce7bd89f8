"""Exercise 6.3, multi-head attention."""

import numpy as np

from attn import heads
from attn.exercises.catalogue.kin import with_roles, with_scale, with_softmax
from attn.exercises.catalogue.layers import layer
from attn.exercises.catalogue.sections import APART, BUS, COLUMNS, MIXED, RESHAPE, SPLIT, WRITTEN, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Stress
from attn.softmax import softmax


def multi(
    x,
    w_q,
    w_k,
    w_v,
    w_o,
    h,
    *,
    split=heads.split,
    merge=heads.merge,
    scale=lambda c, d, h: d**-0.5,
    weigh=softmax,
    choose=lambda o: o,
    mix=lambda o, w: o @ w,
    outside=lambda y, x: y,
    count=lambda h: h,
    roles=lambda q, k, v: (q, k, v),
    average=lambda a, v: a @ v,
    whole=None,
):
    """Multi-head attention, each step a choice."""
    if whole:
        return whole(x, w_q, w_k, w_v, w_o, h)
    q, k, v = roles(*(split(x @ w, count(h)) for w in (w_q, w_k, w_v)))
    a = weigh(q @ k.mT * scale(x.shape[1], q.shape[2], h))
    return outside(mix(merge(choose(average(a, v))), w_o), x)


def bare(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


def sliced(x, w_q, w_k, w_v, w_o, h, width):
    """Heads of one width, cut by slices: what they leave over is lost, and what they lack is empty."""
    cut = [[(x @ w)[:, t * width : (t + 1) * width] for w in (w_q, w_k, w_v)] for t in range(h)]
    return np.concatenate([softmax(q @ k.T / np.sqrt(width)) @ v for q, k, v in cut], 1) @ w_o


def straight_split(x, h):
    """The reshape that mixes tokens."""
    return x.reshape(h, len(x), -1)


def straight_merge(x):
    """The reshape that mixes tokens, back."""
    return x.reshape(x.shape[1], -1)


def whole_layer(rng, n, c, h, d, e):
    """A layer with W_O."""
    x, w_q, w_k, w_v, h = layer(rng, n, c, h, d, e)
    return x, w_q, w_k, w_v, rng.normal(size=(h * e, c)), h


EXERCISE = Exercise(
    "6.3",
    "multi-head attention",
    "Several heads at once",
    "multi_head(X, W_Q, W_K, W_V, W_O, h)",
    lambda x, w_q, w_k, w_v, w_o, h: heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=h),
    multi,
    another=(
        """\
def multi_head(X, W_Q, W_K, W_V, W_O, h):
    total = 0
    for Q, K, V, W in zip(*(np.split(X @ W, h, axis=1) for W in (W_Q, W_K, W_V)), np.split(W_O, h, axis=0)):
        S = Q @ K.T / np.sqrt(Q.shape[1])
        total = total + np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None]) @ V @ W
    return total
""",
        "No head needs to be merged: what the heads write adds up.",
    ),
    hints=(
        "Between the projections and W_O, which axes do your arrays have, and what does each count?",
        "Project, split into heads, attend in each head by itself, lay the heads side by side, mix with W_O.",
        "Exercises 6.2 and 6.4 on both sides of a batched attention, and one product at the end.",
    ),
    cases=lambda rng: [
        whole_layer(rng, *sizes)
        for sizes in (
            (3, 5, 2, 3, 2),
            (4, 4, 2, 2, 2),
            (2, 3, 3, 2, 2),
            (3, 4, 4, 1, 1),
            (2, 3, 2, 6, 1),
            (1, 2, 1, 1, 2),
        )
    ],
    misconceptions=(
        wrong(
            "width_share",
            "It cuts blocks of c/h columns, though the projections' own width decides.",
            "A head is as wide as W_Q's columns over h, and its values as W_V's; neither need be c/h.",
            whole=lambda x, w_q, w_k, w_v, w_o, h: sliced(x, w_q, w_k, w_v, w_o, h, len(w_q) // h),
        ),
        wrong(
            "values_width",
            "It cuts the values into blocks as wide as those of the queries.",
            "The values have a width of their own: W_V's columns over h.",
            whole=lambda x, w_q, w_k, w_v, w_o, h: sliced(x, w_q, w_k, w_v, w_o, h, w_q.shape[1] // h),
        ),
        wrong(
            "scale_model",
            "It divides the scores by the root of the model's width c.",
            "Each score sums over the d features of one head.",
            ask="How many products does one score sum over?",
            scale=lambda c, d, h: c**-0.5,
        ),
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products.",
            scale=lambda c, d, h: 1.0,
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The standard deviation of a score is √d.",
            scale=lambda c, d, h: 1 / d,
        ),
        wrong(
            "split_reshape",
            "It splits by a bare reshape, so each head gets pieces of several tokens.",
            "reshape keeps memory order: cut the columns first, then exchange the axes.",
            split=straight_split,
        ),
        wrong(
            "merge_reshape",
            "It merges by a bare reshape, so each token gets pieces of others.",
            "reshape keeps memory order: exchange the axes first.",
            merge=straight_merge,
        ),
        wrong(
            "both_reshape",
            "It splits and merges by bare reshapes. They undo each other, but what happens between is wrong.",
            "In between, the heads attend over mixed-up tokens.",
            split=straight_split,
            merge=straight_merge,
        ),
        wrong(
            "over_heads",
            "It takes the softmax over the heads.",
            "In each head, each query spreads a weight of 1 over the keys.",
            weigh=lambda s: softmax(s, axis=0),
        ),
        wrong(
            "over_queries",
            "It takes the softmax over the queries.",
            "Each query spreads a weight of 1 over the keys.",
            weigh=lambda s: softmax(s, axis=1),
        ),
        wrong("no_softmax", "It leaves the softmax out.", "Scores are not weights.", weigh=lambda s: s),
        wrong(
            "first_head",
            "It lets head 0 speak for all heads.",
            "Each head has its own output.",
            choose=lambda o: np.repeat(o[:1], len(o), 0),
        ),
        wrong(
            "same_block",
            "Every head meets the same block of W_O.",
            "Head t has its own block of rows, t·e to (t + 1)·e.",
            dict(choose=lambda o: np.concatenate([0 * o[1:], o.sum(0, keepdims=True)])),
            choose=lambda o: np.concatenate([o.sum(0, keepdims=True), 0 * o[1:]]),
        ),
        wrong(
            "first_weights",
            "It uses the weights of head 0 for all heads.",
            "Each head has weights of its own: that is what several heads are for.",
            weigh=lambda s: np.repeat(softmax(s[:1]), len(s), 0),
        ),
        wrong(
            "mean_head",
            "It averages the heads before W_O.",
            "Each head meets its own rows of W_O.",
            choose=lambda o: np.repeat(o.mean(0, keepdims=True), len(o), 0),
        ),
        wrong(
            "reversed",
            "The heads are laid side by side in the reverse order.",
            "Head 0 meets the first rows of W_O.",
            choose=lambda o: o[::-1],
        ),
        wrong(
            "divided",
            "It divides what the heads write by their number.",
            "What the heads write adds up; it is not averaged.",
            choose=lambda o: o / len(o),
        ),
        wrong(
            "no_mix",
            "It leaves W_O out.",
            "W_O brings the heads back to the model's width and mixes them.",
            mix=lambda o, w: o,
        ),
        wrong(
            "mix_transposed",
            "It multiplies by the transpose of W_O.",
            "Here W_O is (h·e, c), as in the formulas.",
            mix=lambda o, w: o @ w.T,
        ),
        wrong(
            "one_wide_head",
            "It attends once, with all columns as one wide head.",
            "Each head has scores and weights of its own.",
            {"count": lambda h: 1, "scale": lambda c, d, h: (d / h) ** -0.5},
            count=lambda h: 1,
        ),
        wrong(
            "among_heads",
            "It leaves the heads as the second axis, so the heads of each token attend to one another.",
            "The product and the softmax run over the last two axes: "
            "they must be tokens and features, or tokens and tokens.",
            ask="What is the shape of your scores: (h, n, n) or (n, h, h)?",
            split=lambda x, h: x.reshape(len(x), h, -1),
            merge=lambda o: o.reshape(len(o), -1),
        ),
        wrong(
            "residual",
            "It adds X to the result.",
            "The residual sum belongs to the block around it.",
            outside=lambda y, x: y + x,
        ),
        wrong(
            "scale_all",
            "It divides the scores by the root of all heads' width.",
            "Each score sums over the d features of one head.",
            scale=lambda c, d, h: (d * h) ** -0.5,
        ),
        wrong(
            "scale_share",
            "It divides the scores by √(c/h), though W_Q's own width decides d.",
            "d is the width of W_Q over h; it need not be c/h.",
            scale=lambda c, d, h: (c / h) ** -0.5,
        ),
        wrong(
            "mean_weights",
            "It averages the weights of all heads, so that every head looks at the same places.",
            "Each head has weights of its own: that is what several heads are for.",
            weigh=lambda s: softmax(s).mean(0, keepdims=True),
        ),
        wrong(
            "causal",
            "It hides the keys after each query: that is a causal mask.",
            "Here every token sees every token; masks come in chapter 8.",
            weigh=lambda s: softmax(s, np.tri(*s.shape[-2:], dtype=bool)),
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Subtract each row's maximum first: no weight changes.",
            weigh=bare,
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for all rows, so in a row far below it every exponential is 0.",
            "Each row of scores has its own maximum.",
            weigh=lambda s: bare(s - s.max()),
        ),
        wrong(
            "pairs_of_heads",
            "It lets the queries of a head meet the keys, or its weights meet the values, of another head.",
            "A head keeps to itself: its queries, keys and values are of one number.",
            *(dict(roles=lambda q, k, v, by=by: (q, np.roll(k, by, 0), v)) for by in (1,)),
            *(dict(roles=lambda q, k, v, by=by: (q, k, np.roll(v, by, 0))) for by in (1, -1)),
            dict(roles=lambda q, k, v: (q, k[:1], v)),
            dict(roles=lambda q, k, v: (q, k, np.repeat(v[:1], len(v), 0))),
            dict(roles=lambda q, k, v: (q, k[::-1], v)),
            roles=lambda q, k, v: (q, np.roll(k, -1, 0), v),
        ),
        wrong(
            "keys_reshaped",
            "It turns the keys round by .T of all three axes, or by a reshape, in place of exchanging the last two.",
            ".T of a stack reverses all its axes, and reshape keeps the order in memory: K.swapaxes(-1, -2), or K.mT.",
            dict(roles=lambda q, k, v: (q, k.reshape(len(k), k.shape[2], k.shape[1]).mT, v)),
            roles=lambda q, k, v: (q, k.T.reshape(len(k), k.shape[2], k.shape[1]).mT, v),
        ),
        wrong(
            "column_lost",
            "It ends the blocks of queries and keys one column too early, or begins them one too late.",
            "A slice ends before its second number by itself: t·d to (t + 1)·d.",
            dict(roles=lambda q, k, v: (q[..., 1:], k[..., 1:], v)),
            roles=lambda q, k, v: (q[..., :-1], k[..., :-1], v),
        ),
        wrong(
            "split_interleaved",
            "It deals the columns out like cards: head t gets columns t, t + h, and so on.",
            "Head t owns a block of columns, and the block of rows of W_O with the same numbers.",
            split=lambda x, h: np.stack([x[:, t::h] for t in range(h)]),
        ),
        wrong(
            "merge_interleaved",
            "It shuffles the heads' features together in place of laying the heads side by side.",
            "W_O has a block of rows for each head: all features of head 0, then those of head 1.",
            merge=lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
        ),
        wrong(
            "both_interleaved",
            "It deals columns out to the heads like cards, and merges them the same way.",
            "The merge undoes the split, but each head has mixed columns of several blocks.",
            split=lambda x, h: np.stack([x[:, t::h] for t in range(h)]),
            merge=lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([[30.0], [29.0]]), *[np.ones((1, 1))] * 4, 1)),
        Stress("one_shift", (np.array([[30.0], [1.0]]), *[np.ones((1, 1))] * 4, 1)),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_roles(with_scale(EXERCISE, lambda c, d, h: d))
EXERCISE = with_softmax(EXERCISE, lambda scores: (np.eye(4), 2 * scores, *[np.eye(4)] * 3, 1), but=("keys_first",))
EXERCISE = taught(
    EXERCISE,
    {
        COLUMNS: "width_share values_width same_block column_lost",
        SPLIT: "among_heads",
        RESHAPE: "split_reshape merge_reshape both_reshape keys_reshaped split_interleaved merge_interleaved "
        "both_interleaved",
        APART: "one_wide_head mean_weights first_weights",
        WRITTEN: "mean_head divided mix_transposed",
        MIXED: "no_mix",
        BUS: "residual",
    },
)
