"""Exercise 3.3, scaled dot-product attention."""

import numpy as np

from attn import core
from attn.exercises.catalogue.kin import with_scale, with_softmax
from attn.exercises.catalogue.sections import AVERAGE, PRODUCT, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Stress
from attn.softmax import softmax


def attention(
    q,
    k,
    v,
    *,
    product=lambda q, k: q @ k.T,
    scale=lambda q, k, v: q.shape[-1] ** -0.5,
    weigh=softmax,
    after=lambda q: 1,
    average=lambda a, q, k, v: a @ v,
):
    """softmax(QKᵀ · scale) V, each step a choice."""
    a = weigh(product(q, k) * scale(q, k, v)) * after(q)
    return average(a, q, k, v)


def constant(c):
    """A scale that ignores the arrays."""
    return lambda q, k, v: c


def bare(s, axis=-1, shift=0.0):
    """Softmax as the formula has it, with another shift than the row's maximum."""
    e = np.exp(s - shift)
    return e / e.sum(axis, keepdims=True)


def hard(s):
    """All the weight on the largest score."""
    return np.eye(s.shape[-1])[s.argmax(-1)]


def cosine(q, k):
    """The product of directions."""
    return (q / np.linalg.norm(q, axis=-1, keepdims=True)) @ (k / np.linalg.norm(k, axis=-1, keepdims=True)).T


def qkv(rng, n, m, d, e):
    """Random q, k, v, spread wide enough for the softmax to have a shape."""
    return rng.normal(size=(n, d)) * 1.5, rng.normal(size=(m, d)) * 1.5, rng.normal(size=(m, e))


SHAPES = (2, 3, 5, 2), (4, 4, 4, 4), (3, 2, 8, 5), (1, 6, 3, 7), (3, 3, 3, 2)


EXERCISE = Exercise(
    "3.3",
    "scaled dot-product attention",
    "Why √d",
    "attend(Q, K, V)",
    core.scaled_dot_product_attention,
    attention,
    another=(
        """\
def attend(Q, K, V):
    S = np.einsum("nd,md->nm", Q / np.sqrt(Q.shape[1]), K)
    return np.stack([np.exp(s - s.max()) @ V / np.exp(s - s.max()).sum() for s in S])
""",
        "The scale may stand on the queries, and the division may come after V: each query's sum is one number.",
    ),
    hints=(
        "If the entries of q and k have variance 1, what is the variance of q·k, a sum of d products?",
        "Bring the scores back to variance 1, then let each query spread a weight of 1 over the keys.",
        "Three steps: products of every query with every key, "
        "over a standard deviation; a softmax along the keys; a product with V.",
    ),
    cases=lambda rng: [qkv(rng, *shape) for shape in SHAPES],
    misconceptions=(
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "The scores have variance d, so as d grows the softmax saturates and its gradient vanishes.",
            scale=constant(1.0),
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The variance of q·k is d, so its standard deviation is √d. "
            "Dividing by d leaves a variance of 1/d: the weights are almost uniform.",
            ask="Is d the variance of a score, or its standard deviation?",
            scale=lambda q, k, v: 1 / q.shape[-1],
        ),
        wrong(
            "scale_square",
            "It divides the scores by d².",
            "The standard deviation of a score is √d; d² flattens every row of weights.",
            scale=lambda q, k, v: q.shape[-1] ** -2.0,
        ),
        wrong(
            "scale_tokens",
            "It divides by the root of a number of tokens.",
            "The sum in q·k runs over the d features. A longer text does not make the scores larger.",
            {"scale": lambda q, k, v: q.shape[0] ** -0.5},
            ask="Over which index does the sum in q·k run: tokens or features?",
            scale=lambda q, k, v: k.shape[0] ** -0.5,
        ),
        wrong(
            "scale_values",
            "It divides by the root of V's width.",
            "The products are taken between queries and keys, whose width is d; the width of V plays no part.",
            scale=lambda q, k, v: v.shape[-1] ** -0.5,
        ),
        wrong(
            "scale_inverse",
            "It multiplies the scores by √d in place of dividing.",
            "That raises their variance from d to d²: nearly all weight falls on one key.",
            scale=lambda q, k, v: q.shape[-1] ** 0.5,
        ),
        wrong(
            "scale_constant",
            "It divides the scores by a fixed number, whatever the width d.",
            "The scale follows the width of the queries: √d is 2 only where d is 4, 8 only where d is 64.",
            {"scale": constant(1 / 8)},
            scale=constant(1 / 2),
        ),
        wrong(
            "scale_after",
            "It divides by √d after the softmax.",
            "The softmax has then seen the scores unscaled, and its rows sum to 1/√d in place of 1.",
            ask="What do the rows of your weights sum to?",
            scale=constant(1.0),
            after=lambda q: q.shape[-1] ** -0.5,
        ),
        wrong(
            "scale_twice",
            "It scales before the softmax and divides by √d once more after it.",
            "One division repairs the variance. The second makes the rows of weights sum to 1/√d.",
            after=lambda q: q.shape[-1] ** -0.5,
        ),
        wrong(
            "over_queries",
            "It normalises over the queries (axis 0) in place of the keys (axis −1).",
            "Each query spreads a total weight of 1 over the keys, so each row must sum to 1.",
            ask="Which sums are 1 in your weights, those of the rows or of the columns?",
            weigh=lambda s: bare(s, 0),
        ),
        wrong(
            "over_everything",
            "It normalises over the whole matrix, all queries together.",
            "Each query has a weight of 1 to spread; here all of them share one.",
            weigh=lambda s: bare(s, None),
        ),
        wrong(
            "no_softmax",
            "It multiplies the scores by V with no softmax between.",
            "Scores may be negative and of any size; only weights that are positive and sum to 1 make an average.",
            ask="By which numbers does a query multiply the rows of V? Do they sum to 1, and is one negative?",
            then="Turn each row of scores into weights, all positive and 1 in sum, before they meet V.",
            weigh=lambda s: s,
        ),
        wrong(
            "no_exp",
            "It divides the scores by their row sum, without the exponential.",
            "Scores may be negative, and a row may sum to nearly 0; exp makes every weight positive.",
            weigh=lambda s: s / s.sum(-1, keepdims=True),
        ),
        wrong(
            "softmax_last",
            "It multiplies the scores by V first, and takes the softmax of the product.",
            "The softmax turns scores into weights; the values are averaged with them afterwards.",
            dict(weigh=lambda s: s, average=lambda a, q, k, v: bare(a @ v, 0)),
            weigh=lambda s: s,
            average=lambda a, q, k, v: bare(a @ v),
        ),
        wrong(
            "hard",
            "It takes the value of the best key alone.",
            "Softmax is soft: every key gets some weight, in proportion to exp(score).",
            weigh=hard,
        ),
        wrong(
            "cosine",
            "It uses the cosine between query and key in place of their product.",
            "Lengths count: a long key speaks louder. The formula divides by √d, not by the two norms.",
            {"product": cosine, "scale": constant(1.0)},
            product=cosine,
        ),
        wrong(
            "divided_again",
            "It divides the weighted sum by the number of keys.",
            "The weights sum to 1 already: they are the division.",
            average=lambda a, q, k, v: a @ v / len(v),
        ),
        wrong(
            "distance",
            "It scores by how near key and query are, not by their product.",
            "A score is a dot product; lengths count in it.",
            {"product": lambda q, k: -np.linalg.norm(q[:, None] - k, axis=-1)},
            product=lambda q, k: -((q[:, None] - k) ** 2).sum(-1),
        ),
        wrong(
            "elementwise",
            "It multiplies Q and K entry by entry.",
            "Every query meets every key: a matrix product, not *.",
            product=lambda q, k: q * k,
        ),
        wrong(
            "keys_first",
            "It computes KQᵀ, the transpose of the score matrix.",
            "Row i must belong to query i; KQᵀ has a row for each key.",
            ask="How many rows should the score matrix have, n or m?",
            product=lambda q, k: k @ q.T,
        ),
        wrong(
            "no_transpose",
            "It multiplies Q by K without the transpose.",
            "It runs only where d equals the number of keys, and then sums over tokens, not features.",
            product=lambda q, k: q @ k,
        ),
        wrong(
            "no_values",
            "It returns the weights and never multiplies by V.",
            "The weights say where to look; the output is what is found there, an average of rows of V.",
            average=lambda a, q, k, v: a,
        ),
        wrong(
            "weights_transposed",
            "It multiplies by the transpose of the weights.",
            "Row i of the weights belongs to query i; the transpose hands out shares by key.",
            average=lambda a, q, k, v: a.T @ v,
        ),
        wrong(
            "averages_keys",
            "It averages the keys in place of the values.",
            "Keys are addresses, values are what is fetched.",
            average=lambda a, q, k, v: a @ k,
        ),
        wrong(
            "plain_mean",
            "It takes the plain mean of the values for every query.",
            "That is the answer of a query that matches all keys alike; here the weights differ.",
            average=lambda a, q, k, v: np.full(a.shape, 1 / a.shape[-1]) @ v,
        ),
        wrong(
            "averages_queries",
            "It averages the queries in place of the values.",
            "Queries ask; what comes back is made of rows of V.",
            average=lambda a, q, k, v: a @ q,
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Adding a constant to a row changes no weight, so subtract the row's maximum first.",
            ask="What is exp(1000) in floating point?",
            weigh=bare,
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for all rows, so in a row far below it every exponential is 0.",
            "Each row of scores has its own softmax, so each needs its own maximum.",
            weigh=lambda s: bare(s, shift=s.max()),
        ),
        wrong(
            "nan_hidden",
            "It overflows, and then writes 0 over the NaN.",
            "A row of zeros is no average. Subtract the row's maximum, and no NaN arises.",
            weigh=lambda s: np.nan_to_num(bare(s)),
        ),
        wrong(
            "causal",
            "It hides the keys after each query: that is a causal mask.",
            "Here every query sees every key; masks come in chapter 8.",
            weigh=lambda s: softmax(s, np.tri(*s.shape, dtype=bool)),
        ),
        wrong(
            "softmax_twice",
            "It takes the softmax twice.",
            "The first one has made weights; a second flattens them.",
            weigh=lambda s: softmax(softmax(s)),
        ),
        wrong(
            "base_two",
            "It raises 2 to the scores in place of e.",
            "That is a softmax at temperature 1/ln 2: every row comes out flatter.",
            weigh=lambda s: softmax(s * np.log(2)),
        ),
        wrong(
            "not_divided",
            "It takes exponentials and never divides by their sum.",
            "Each query's weights must sum to 1.",
            {"weigh": lambda s: np.exp(s)},
            {"weigh": lambda s: np.exp(s - s.max())},
            weigh=lambda s: np.exp(s - s.max(-1, keepdims=True)),
        ),
        wrong(
            "whole_scores",
            "It rounds the scores down to whole numbers.",
            "// drops what stands behind the point; / keeps it.",
            weigh=lambda s: softmax(np.floor(s)),
        ),
        wrong(
            "apart",
            "It takes one softmax of the queries and one of the keys, and none of their products.",
            "The weights are a softmax of the scores, in which a query and a key have met.",
            dict(average=lambda a, q, k, v: softmax(q) @ (softmax(k).T @ v)),
            average=lambda a, q, k, v: softmax(q) @ (softmax(k, axis=0).T @ v),
        ),
    ),
    probes=(
        Stress("no_shift", (np.diag([80.0, 80.0]) - 40, np.diag([80.0, 80.0]) - 40, np.eye(2))),
        Stress("one_shift", (np.array([[900.0], [-900.0]]), np.array([[1.0], [2.0]]), np.eye(2))),
    ),
    forbidden=ATTENTION,
)
EXERCISE = with_scale(EXERCISE, lambda q, k, v: q.shape[-1])
EXERCISE = with_softmax(EXERCISE, lambda scores: (2 * scores, np.eye(4), np.eye(4)))
EXERCISE = taught(
    EXERCISE,
    {
        AVERAGE: "softmax_last divided_again no_values weights_transposed averages_keys averages_queries plain_mean",
        PRODUCT: "cosine distance elementwise no_transpose",
    },
)
