"""Chapter 2, queries, keys and values: three projections of what goes in, and who is projected from what."""

import numpy as np

from attn import circuits, core
from attn.exercises.engine import Exercise, wrong
from attn.exercises.probes import Stress
from attn.exercises.rules import ATTENTION
from attn.softmax import softmax


def project_model(
    x, w_q, w_k, w_v, *, apply=lambda x, w: x @ w, choose=lambda q, k, v: (q, k, v), order=lambda q, k, v: (q, k, v)
):
    """(X W_Q, X W_K, X W_V): how a matrix is applied, which matrix serves which, and the order of the results."""
    w_q, w_k, w_v = choose(w_q, w_k, w_v)
    return order(apply(x, w_q), apply(x, w_k), apply(x, w_v))


def cut_in_three(z):
    """Two parts of a third of the width, and the rest."""
    d = z.shape[1] // 3
    return z[:, :d], z[:, d : 2 * d], z[:, 2 * d :]


PROJECT = Exercise(
    "2.1", "three projections", "Three projections", "project(X, W_Q, W_K, W_V)", project_model, project_model,
    hints=(
        "A row of X is one token, c numbers wide. From which side must it meet W, which is (c, d)?",
        "Each token goes through the same three matrices; tokens are not mixed.",
        "Three products with X on the left, returned as a tuple in the order Q, K, V.",
    ),
    cases=lambda rng: [(rng.normal(size=(n, c)), rng.normal(size=(c, d)), rng.normal(size=(c, d)),
    rng.normal(size=(c, e)))
                       for n, c, d, e in ((3, 5, 2, 4), (4, 4, 4, 4), (2, 3, 3, 5), (3, 3, 3, 3), (2, 4, 3, 1))],
    misconceptions=(
        wrong("left", "It multiplies from the left, W X.",
              "Tokens are rows, so X stands on the left: W X mixes tokens, not features.",
              apply=lambda x, w: w @ x),
        wrong("transposed", "It multiplies by the transpose, X Wᵀ.",
              "Here W is (c, d), as in the formulas. It is nn.Linear that stores the transpose.",
              ask="What is the shape of W here, and what would nn.Linear store?", apply=lambda x, w: x @ w.T),
        wrong("results_transposed", "It returns (XW)ᵀ, features by tokens.",
              "Rows stay tokens: Q has one row for each of the n tokens.", apply=lambda x, w: (x @ w).T),
        wrong("one_matrix", "It uses W_Q for all three.",
              "A query asks, a key is an address, a value is what is fetched: three roles, three matrices.",
              choose=lambda q, k, v: (q, q, q)),
        wrong("keys_from_queries", "It uses W_Q for the keys too.",
              "With K = Q every token would match itself best, and the scores would be symmetric.",
              choose=lambda q, k, v: (q, q, v)),
        wrong("values_from_keys", "It uses W_K for the values.",
              "What a token is found by and what it hands over are different things.",
              choose=lambda q, k, v: (q, k, k)),
        wrong("swapped", "Queries and keys are in each other's place.",
              "QKᵀ would come out transposed: the order is Q, K, V.", order=lambda q, k, v: (k, q, v)),
        wrong("values_first", "The values come first: the order is not Q, K, V.",
              "Whoever unpacks the result expects queries, keys, values.",
              {"order": lambda q, k, v: (v, k, q)}, order=lambda q, k, v: (v, q, k)),
        wrong("elementwise", "It multiplies entry by entry in place of a matrix product.",
              "Each feature of Q is a sum over all features of the token: @, not *.", apply=lambda x, w: x * w),
        wrong("keys_last", "The order is Q, V, K.", "Whoever unpacks the result expects queries, keys, values.",
              order=lambda q, k, v: (q, v, k)),
        wrong("scaled", "It divides the queries by √d, which belongs to the scores.",
              "Here the bare projections are asked for.", order=lambda q, k, v: (q * q.shape[1] ** -0.5, k, v)),
        wrong("equal_widths", "It makes one wide product and cuts it into three equal parts.",
              "Values may be of another width than queries and keys: cut at d and at 2d.",
              order=lambda q, k, v: cut_in_three(np.hstack([q, k, v]))),
    ),
)  # fmt: skip


def cross_model(
    x, memory, w_q, w_k, w_v, *, seek=lambda x, m: x, find=lambda x, m: m, fetch=lambda x, m: m,
    scale=lambda x, m, w_q, w_v: w_q.shape[1] ** -0.5, weigh=softmax, address=lambda w_q, w_k: w_k,
    finish=lambda o, x, w_v: o,
):  # fmt: skip
    """Cross-attention: what queries, keys and values are made of."""
    q, k, v = seek(x, memory) @ w_q, find(x, memory) @ address(w_q, w_k), fetch(x, memory) @ w_v
    return finish(weigh(q @ k.T * scale(x, memory, w_q, w_v)) @ v, x, w_v)


def bare(s):
    """Softmax as the formula has it, without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


def cross_case(rng, n, m, c, d, e):
    """Random X, M and three matrices."""
    return (*(rng.normal(size=(rows, c)) for rows in (n, m)), *(rng.normal(size=(c, w)) for w in (d, d, e)))


def source(which):
    """X or the memory."""
    return (lambda x, m: x) if which == "x" else (lambda x, m: m)


CROSS = Exercise(
    "2.2", "cross-attention", "Somebody asks", "cross_attend(X, M, W_Q, W_K, W_V)",
    lambda x, memory, w_q, w_k, w_v: core.scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v),
    cross_model,
    hints=(
        "Who asks, and who is looked at? How many rows should the result have?",
        "Queries come from X. Keys and values come from the memory M, both, because an address belongs to its "
        "content.",
        "Three projections, then scaled attention as in chapter 1: one output row for each row of X.",
    ),
    cases=lambda rng: [cross_case(rng, *sizes) for sizes in ((2, 3, 4, 5, 3), (4, 4, 4, 4, 4), (3, 3, 2, 3, 5),
    (1, 5, 3, 2, 2))],
    misconceptions=(
        wrong("keys_from_x", "It makes the keys from X.", "Keys are the addresses of what is in the memory M.",
              find=source("x")),
        wrong("values_from_x", "It makes the values from X.", "What is fetched lies in the memory M.",
              fetch=source("x")),
        wrong("queries_from_memory", "It makes the queries from the memory.", "X asks the questions.",
              seek=source("m")),
        wrong("self_attention", "It makes all three from X: that is self-attention.",
              "Keys and values come from the memory M.", seek=source("x"), find=source("x"), fetch=source("x")),
        wrong("exchanged", "X and M are exchanged: the memory asks, and X is looked at.",
              "X asks and M answers: one output row for each row of X.",
              seek=source("m"), find=source("x"), fetch=source("x")),
        wrong("no_scale", "It never divides the scores by √d.", "A score is a sum of d products, whose spread "
              "grows as √d.",
              scale=lambda x, m, w_q, w_v: 1.0),
        wrong("scale_d", "It divides the scores by d in place of √d.",
              "The standard deviation of a score is √d.", scale=lambda x, m, w_q, w_v: 1 / w_q.shape[1]),
        wrong("scale_tokens", "It divides by the root of a number of tokens.",
              "The sum in a score runs over d features.", {"scale": lambda x, m, w_q, w_v: len(x) ** -0.5},
              scale=lambda x, m, w_q, w_v: len(m) ** -0.5),
        wrong("over_queries", "It takes the softmax over the queries.", "Each query spreads a weight of 1 over the "
              "memory.",
              weigh=lambda s: softmax(s, axis=0)),
        wrong("no_softmax", "It leaves the softmax out.", "Scores are not weights.", weigh=lambda s: s),
        wrong("both", "It looks at X and M together, one under the other.",
              "In cross-attention keys and values come from the memory alone.",
              {"find": lambda x, m: np.vstack([m, x]), "fetch": lambda x, m: np.vstack([m, x])},
              find=lambda x, m: np.vstack([x, m]), fetch=lambda x, m: np.vstack([x, m])),
        wrong("scale_model", "It divides by the root of the model's width c, not of the queries' width d.",
              "The products are taken between queries and keys: d counts their terms.",
              scale=lambda x, m, w_q, w_v: x.shape[1] ** -0.5),
        wrong("scale_values", "It divides by the root of the values' width.",
              "The products are taken between queries and keys, of width d.",
              scale=lambda x, m, w_q, w_v: w_v.shape[1] ** -0.5),
        wrong("keys_from_queries", "It makes the keys with W_Q.", "Keys have a matrix of their own, W_K.",
              address=lambda w_q, w_k: w_q),
        wrong("residual", "It adds X's own values to the result.", "What is fetched comes from the memory alone.",
              finish=lambda o, x, w_v: o + x @ w_v),
        wrong("one_shift", "It subtracts one maximum for all queries, so a row far below it becomes 0/0.",
              "Each query has a softmax of its own, with its own maximum.", weigh=lambda s: bare(s - s.max())),
        wrong("no_shift", "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
              "Subtract each row's maximum first: no weight changes.", weigh=lambda s: bare(s)),
    ),
    probes=(
        Stress("no_shift", (np.array([[30.0]]), np.array([[30.0], [29.0]]), *[np.ones((1, 1))] * 3)),
        Stress("one_shift", (np.array([[30.0], [-30.0]]), np.array([[30.0], [29.0]]), *[np.ones((1, 1))] * 3)),
    ),
    forbidden=ATTENTION,
)  # fmt: skip


def bilinear_model(w_q, w_k, *, product=lambda a, b: a @ b.T, scale=lambda w: w.shape[1] ** -0.5, finish=lambda b: b):
    """B = W_Q W_Kᵀ / √d."""
    return finish(product(w_q, w_k) * scale(w_q))


BILINEAR = Exercise(
    "2.3", "the bilinear form behind a score", "Only the product matters", "bilinear(W_Q, W_K)",
    lambda w_q, w_k: circuits.qk(w_q, w_k).matrix() * w_q.shape[1] ** -0.5, bilinear_model,
    hints=(
        "A score is (x W_Q)(y W_K)ᵀ / √d. What stands between x and yᵀ?",
        "Turn the transpose of the product round: (y W_K)ᵀ = W_Kᵀ yᵀ.",
        "One c × c matrix, a product of W_Q with a transpose, over √d.",
    ),
    cases=lambda rng: [(rng.normal(size=(c, d)), rng.normal(size=(c, d))) for c, d in
                       ((4, 2), (3, 3), (5, 3), (2, 1), (6, 5))],
    misconceptions=(
        wrong("features", "It computes W_QᵀW_K, a d × d matrix.",
              "x and y are c wide: what stands between them is c × c.", product=lambda a, b: a.T @ b),
        wrong("transposed", "It computes W_K W_Qᵀ, the transpose: queries and keys have changed places.",
              "In x B yᵀ the asking token x meets W_Q first.", product=lambda a, b: b @ a.T),
        wrong("no_transpose", "It multiplies W_Q by W_K with no transpose.",
              "It runs only where c = d, and then sums over the wrong index.", product=lambda a, b: a @ b),
        wrong("no_scale", "It leaves out the division by √d.",
              "The score is scaled, so the form that yields it must be.", scale=lambda w: 1.0),
        wrong("scale_d", "It divides by d in place of √d.", "A score's standard deviation is √d.",
              scale=lambda w: 1 / w.shape[1]),
        wrong("scale_width", "It divides by c, the model's width.", "d is the width of queries and keys, W_Q's "
              "second axis.",
              scale=lambda w: 1 / w.shape[0]),
        wrong("scale_model", "It divides by √c, the root of the model's width, in place of √d.",
              "d is the width of queries and keys, W_Q's second axis.", scale=lambda w: w.shape[0] ** -0.5),
        wrong("symmetric", "It makes the form symmetric, (B + Bᵀ)/2.",
              "That x looks at y does not mean that y looks at x: B need not be symmetric.",
              finish=lambda b: (b + b.T) / 2),
        wrong("queries_twice", "It uses W_Q twice.", "Keys have a matrix of their own; W_Q W_Qᵀ is always symmetric.",
              product=lambda a, b: a @ a.T),
        wrong("elementwise", "It multiplies the two matrices entry by entry.",
              "Entry (i, j) sums over the d columns of both: a matrix product.", product=lambda a, b: a * b),
        wrong("scale_inverse", "It multiplies by √d in place of dividing.", "The score is divided by √d.",
              scale=lambda w: w.shape[1] ** 0.5),
        wrong("whole_root", "It rounds √d to a whole number.", "√2 is 1.414…: np.sqrt, not math.isqrt or //.",
              {"scale": lambda w: 1 // w.shape[1] ** 0.5}, scale=lambda w: 1 / int(w.shape[1] ** 0.5)),
        wrong("all_pairs", "It multiplies every entry of one matrix with every entry of the other (np.outer).",
              "Entry (i, j) sums over the d columns of both: a matrix product.", product=lambda a, b: np.outer(a, b)),
    ),
    invariants=(("The rank is greater than d.",
                 lambda arguments, b: np.linalg.matrix_rank(b) <= arguments[0].shape[1]),),
)  # fmt: skip

EXERCISES = (PROJECT, CROSS, BILINEAR)
