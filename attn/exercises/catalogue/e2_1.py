"""Exercise 2.1, three projections."""

import numpy as np

from attn.exercises.catalogue.sections import FEWER, WHY_ROOT, taught
from attn.exercises.checks.exercise import Exercise, wrong
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


def thirds(z):
    """Three parts of a third of the width each, whatever is left over."""
    d = z.shape[1] // 3
    return z[:, :d], z[:, d : 2 * d], z[:, 2 * d : 3 * d]


def cut_at(z, width):
    """Columns cut at one and two widths."""
    return z[:, :width], z[:, width : 2 * width], z[:, 2 * width :]


def cut_flat(z, size, width):
    """Three parts one after the other in memory."""
    flat = z.ravel()
    one, two = flat[:size].reshape(-1, width), flat[size : 2 * size].reshape(-1, width)
    return one, two, flat[2 * size :].reshape(len(z), -1)


EXERCISE = Exercise(
    "2.1",
    "three projections",
    "Three projections",
    "project(X, W_Q, W_K, W_V)",
    project_model,
    project_model,
    another=(
        """\
def project(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    return tuple(np.split(X @ np.hstack([W_Q, W_K, W_V]), [d, 2 * d], axis=1))
""",
        "One wide product does all three: matrices side by side are one matrix.",
    ),
    hints=(
        "A row of X is one token, c numbers wide. From which side must it meet W, which is (c, d)?",
        "Each token goes through the same three matrices; tokens are not mixed.",
        "Three products with X on the left, returned as a tuple in the order Q, K, V.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(n, c)), rng.normal(size=(c, d)), rng.normal(size=(c, d)), rng.normal(size=(c, e)))
        for n, c, d, e in (
            (3, 5, 2, 4),
            (4, 4, 4, 4),
            (2, 3, 3, 5),
            (3, 3, 3, 3),
            (2, 4, 3, 1),
            (2, 4, 2, 5),
            (1, 1, 1, 2),
        )
    ],
    misconceptions=(
        wrong(
            "values_attended",
            "It mixes the values with the scores already.",
            "A projection looks at each token by itself: V = X W_V. Scores and weights come later.",
            dict(order=lambda q, k, v: (q, k, softmax(q @ k.T) @ v)),
            dict(order=lambda q, k, v: (q, k, softmax(q @ k.T / np.sqrt(q.shape[1])) @ v)),
            order=lambda q, k, v: (q, k, q @ k.T @ v),
        ),
        wrong(
            "left",
            "It multiplies from the left, W X.",
            "Tokens are rows, so X stands on the left: W X mixes tokens, not features.",
            apply=lambda x, w: w @ x,
        ),
        wrong(
            "transposed",
            "It multiplies by the transpose, X Wᵀ.",
            "Here W is (c, d), as in the formulas. It is nn.Linear that stores the transpose.",
            ask="What is the shape of W here, and what would nn.Linear store?",
            apply=lambda x, w: x @ w.T,
        ),
        wrong(
            "results_transposed",
            "It returns (XW)ᵀ, features by tokens.",
            "Rows stay tokens: Q has one row for each of the n tokens.",
            apply=lambda x, w: (x @ w).T,
        ),
        wrong(
            "one_matrix",
            "It uses W_Q for all three.",
            "A query asks, a key is an address, a value is what is fetched: three roles, three matrices.",
            choose=lambda q, k, v: (q, q, q),
        ),
        wrong(
            "keys_from_queries",
            "It uses W_Q for the keys too.",
            "With K = Q every token would match itself best, and the scores would be symmetric.",
            choose=lambda q, k, v: (q, q, v),
        ),
        wrong(
            "values_from_keys",
            "It uses W_K for the values.",
            "What a token is found by and what it hands over are different things.",
            choose=lambda q, k, v: (q, k, k),
        ),
        wrong(
            "swapped",
            "Queries and keys are in each other's place.",
            "QKᵀ would come out transposed: the order is Q, K, V.",
            order=lambda q, k, v: (k, q, v),
        ),
        wrong(
            "values_first",
            "The values come first: the order is not Q, K, V.",
            "Whoever unpacks the result expects queries, keys, values.",
            {"order": lambda q, k, v: (v, k, q)},
            order=lambda q, k, v: (v, q, k),
        ),
        wrong(
            "queries_from_keys",
            "It uses W_K for the queries too.",
            "A query asks, a key is an address: two roles, two matrices.",
            choose=lambda q, k, v: (k, k, v),
        ),
        wrong(
            "values_from_queries",
            "It uses W_Q for the values.",
            "What a token asks for and what it hands over are different things.",
            choose=lambda q, k, v: (q, k, q),
        ),
        wrong(
            "queries_last",
            "The order is K, V, Q.",
            "Whoever unpacks the result expects queries, keys, values.",
            order=lambda q, k, v: (k, v, q),
        ),
        wrong(
            "one_array",
            "It returns the three side by side as one array.",
            "Three results are asked for: a tuple.",
            order=lambda q, k, v: np.hstack([q, k, v]),
        ),
        wrong(
            "softmaxed",
            "It takes a softmax of what it projects.",
            "Projections are plain products; the softmax comes later, on the scores.",
            apply=lambda x, w: np.exp(x @ w) / np.exp(x @ w).sum(-1, keepdims=True),
        ),
        wrong(
            "elementwise",
            "It multiplies entry by entry in place of a matrix product.",
            "Each feature of Q is a sum over all features of the token: @, not *.",
            apply=lambda x, w: x * w,
        ),
        wrong(
            "sums_apart",
            "It adds up the features of X and the rows of W by themselves, and multiplies the sums.",
            "Feature j of a token meets row j of W and no other: a product for each j, then the sum.",
            apply=lambda x, w: x.sum(1, keepdims=True) * w.sum(0),
        ),
        wrong(
            "keys_last",
            "The order is Q, V, K.",
            "Whoever unpacks the result expects queries, keys, values.",
            order=lambda q, k, v: (q, v, k),
        ),
        wrong(
            "scaled",
            "It divides the queries by √d, which belongs to the scores.",
            "Here the bare projections are asked for.",
            order=lambda q, k, v: (q * q.shape[1] ** -0.5, k, v),
        ),
        wrong(
            "equal_widths",
            "It makes one wide product and cuts it into three equal parts.",
            "Values may be of another width than queries and keys: cut at d and at 2d.",
            dict(order=lambda q, k, v: tuple(np.array_split(np.hstack([q, k, v]), 3, axis=1))),
            dict(order=lambda q, k, v: tuple(np.split(np.hstack([q, k, v]), 3, axis=1))),
            dict(order=lambda q, k, v: thirds(np.hstack([q, k, v]))),
            order=lambda q, k, v: cut_in_three(np.hstack([q, k, v])),
        ),
        wrong(
            "chained",
            "It projects the result of the one before: K from Q, V from K.",
            "All three projections begin at X.",
            dict(choose=lambda q, k, v: (q, q @ k, k @ v)),
            dict(choose=lambda q, k, v: (q, k, k @ v)),
            choose=lambda q, k, v: (q, q @ k, q @ k @ v),
        ),
        wrong(
            "cut_at_values",
            "It cuts the wide product at the width of the values.",
            "Queries and keys are d wide: cut at d and at 2d.",
            order=lambda q, k, v: cut_at(np.hstack([q, k, v]), v.shape[1]),
        ),
        wrong(
            "values_cut",
            "It ends the values at 3d.",
            "Values may be wider than d: their part goes from 2d to the end.",
            order=lambda q, k, v: (q, k, v[:, : q.shape[1]]),
        ),
        wrong(
            "first_token",
            "It projects the first token only.",
            "Each of the n rows of X is a token: X @ W does them all.",
            dict(apply=lambda x, w: x[:1] @ w),
            apply=lambda x, w: x[0] @ w,
        ),
        wrong(
            "cut_by_reshape",
            "It cuts the wide product along its memory in place of its columns.",
            "In memory row follows row: the first n·d numbers are not the first d columns.",
            order=lambda q, k, v: cut_flat(np.hstack([q, k, v]), q.size, q.shape[1]),
        ),
        wrong(
            "values_not_projected",
            "It takes the tokens themselves for values.",
            "Values are what W_V makes of the tokens.",
            choose=lambda q, k, v: (q, k, np.eye(len(v))),
        ),
        wrong(
            "chained_back",
            "It projects what the one before projected, brought back by a transpose: K from Q, V from K.",
            "All three projections begin at X.",
            choose=lambda q, k, v: (q, q @ q.T @ k, q @ q.T @ k @ k.T @ v),
        ),
        wrong(
            "sizes_as_places",
            "It gives np.split the widths as places to cut at.",
            "np.split takes positions: the first cut is at d and the second at 2d.",
            dict(order=lambda q, k, v: tuple(np.split(np.hstack([q, k, v]), [q.shape[1], q.shape[1]], axis=1))),
            dict(order=lambda q, k, v: tuple(np.split(np.hstack([q, k, v]), [q.shape[1], v.shape[1]], axis=1))),
            dict(order=lambda q, k, v: tuple(np.split(np.hstack([q, k, v]), [q.shape[1], q.shape[1] + 1], axis=1))),
            dict(
                order=lambda q, k, v: tuple(
                    np.split(np.hstack([q, k, v]), [q.shape[1], q.shape[1], v.shape[1]], axis=1)
                )
            ),
            order=lambda q, k, v: tuple(np.split(np.hstack([q, k, v]), [q.shape[1], q.shape[1] + v.shape[1]], axis=1)),
        ),
        wrong(
            "keys_transposed",
            "It returns the keys transposed, ready for QKᵀ.",
            "Keys are asked for as rows, one for each token: (n, d).",
            order=lambda q, k, v: (q, k.T, v),
        ),
        wrong(
            "one_result",
            "It returns one of the three alone.",
            "All three are asked for: a tuple (Q, K, V).",
            dict(order=lambda q, k, v: v),
            dict(order=lambda q, k, v: (q, k)),
            dict(order=lambda q, k, v: (q,)),
            order=lambda q, k, v: q,
        ),
        wrong(
            "goes_on",
            "It goes on to the scores, the weights or the output.",
            "Asked for are the three projections themselves.",
            dict(order=lambda q, k, v: q @ k.T / np.sqrt(q.shape[1])),
            dict(order=lambda q, k, v: (q @ k.T, v)),
            order=lambda q, k, v: q @ k.T,
        ),
        wrong(
            "bias_added",
            "It adds 1, or a bias, to what it projects.",
            "A projection here is the product alone.",
            apply=lambda x, w: x @ w + 1,
        ),
        wrong(
            "nonlinear",
            "It puts what it projects through a ReLU, a tanh or a norm.",
            "A projection here is the product alone.",
            dict(apply=lambda x, w: np.tanh(x @ w)),
            dict(apply=lambda x, w: x @ w / np.linalg.norm(x @ w, axis=1, keepdims=True)),
            apply=lambda x, w: np.maximum(x @ w, 0),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        FEWER: "one_matrix keys_from_queries values_from_keys queries_from_keys values_from_queries",
        WHY_ROOT: "scaled",
    },
)
