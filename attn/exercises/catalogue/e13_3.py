"""Exercise 13.3, a block of the delta rule without a loop."""

import numpy as np

from attn import memory
from attn.exercises.catalogue.sections import ADDING, CORRECTING, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import MEMORY
from attn.softmax import softmax


def block_model(
    q,
    k,
    v,
    beta,
    *,
    inner=lambda q, k, beta: beta[:, None] * np.tril(k @ k.T, -1),
    solve=lambda n, x: np.linalg.solve(np.eye(len(n)) + n, x),
    gain=lambda beta: beta[:, None],
    after=lambda n, x, beta: x,
    outer=lambda scores: np.tril(scores),
    scale=lambda d: 1.0,
    whole=None,
):
    """(n, d), (n, d), (n, e), (n,) -> (n, e): corrected values, weighed by the lower triangle of the scores."""
    if whole:
        return whole(q, k, v, beta)
    n = inner(q, k, beta)
    return outer(scale(q.shape[1]) * (q @ k.T)) @ after(n, solve(n, gain(beta) * v), beta)


def fading(q, k, v, beta, write=lambda b: b):
    """A memory that fades as a whole at each write."""
    z, out = np.zeros((k.shape[1], v.shape[1])), []
    for i, b in enumerate(beta):
        z = (1 - b) * z + write(b) * np.outer(k[i], v[i])
        out.append(q[i] @ z)
    return np.array(out)


def from_identity(q, k, v, beta):
    """A memory that begins with ones on its diagonal."""
    z, out = np.eye(k.shape[1], v.shape[1]), []
    for i, b in enumerate(beta):
        z = memory.write(z, k[i], v[i], b)
        out.append(q[i] @ z)
    return np.array(out)


def reference_block(q, k, v, beta):
    """The right answer to 13.3, by the loop."""
    return memory.recurrent(q, k, v, beta=beta)[0]


def causal_softmax(scores):
    """Softmax over the keys up to one's own."""
    return softmax(scores, np.tri(len(scores), dtype=bool))


def cases(rng):
    """Unit keys, no two sizes alike, one token alone; and keys as long as they come."""
    drawn = []
    for n, d, e in ((4, 3, 2), (6, 2, 5), (5, 4, 3), (1, 3, 2)):
        k = rng.normal(size=(n, d))
        k /= np.linalg.norm(k, axis=1, keepdims=True)
        drawn.append((rng.normal(size=(n, d)), k, rng.normal(size=(n, e)), rng.uniform(0.3, 0.9, n)))
    longer = [rng.normal(size=size) for size in ((4, 2), (4, 2), (4, 3))]
    return [*drawn, (*longer, rng.uniform(0.3, 0.9, 4))]


def unit(k):
    """Keys brought to length 1."""
    return k / np.linalg.norm(k, axis=1, keepdims=True)


EXERCISE = Exercise(
    "13.3",
    "a block of the delta rule",
    "Without the loop",
    "delta_block(Q, K, V, beta)",
    reference_block,
    block_model,
    another=(
        """\
def delta_block(Q, K, V, beta):
    N = beta[:, None] * np.tril(K @ K.T, -1)
    U, power = beta[:, None] * V, -N
    while power.any():
        U, power = U + power @ U, power @ power
    return np.tril(Q @ K.T) @ U
""",
        "The inverse as products: (I − N)(I + N²)(I + N⁴) ⋯, which ends because N has zeros on and above its diagonal.",
    ),
    hints=(
        "What does token 1 read under its key before it writes, if only token 0 has written?",
        "Call u what is really written. Every u depends on the earlier ones, linearly: (I + N) U = diag(β) V.",
        "One solve with a unit lower triangular matrix, then the lower triangle of the scores times U.",
    ),
    cases=cases,
    forbidden=MEMORY,
    misconceptions=(
        wrong(
            "unit_keys",
            "It brings the keys to length 1 first.",
            "Here keys are used as they are: what a longer key reads and writes counts for more.",
            dict(whole=lambda q, k, v, beta: block_model(unit(q), unit(k), v, beta)),
            whole=lambda q, k, v, beta: block_model(q, unit(k), v, beta),
        ),
        wrong(
            "least_squares",
            "It solves K Z = V for all pairs at once, without β.",
            "The memory is written token by token, each with its own strength, and is read in between.",
            whole=lambda q, k, v, beta: q @ (np.linalg.pinv(k) @ v),
        ),
        wrong(
            "no_correction",
            "It corrects nothing: it is linear attention with β on the values.",
            "What a token writes is less by what the memory already says under its key.",
            solve=lambda n, x: x,
        ),
        wrong(
            "first_term",
            "It takes I − N for the inverse of I + N: only the first term of the series.",
            "A correction is itself corrected later: solve the system.",
            ask="Is (I + N)(I − N) the identity?",
            solve=lambda n, x: x - n @ x,
        ),
        wrong(
            "multiplies",
            "It multiplies by I + N in place of solving.",
            "(I + N) U = diag(β) V asks for U.",
            solve=lambda n, x: x + n @ x,
        ),
        wrong(
            "wrong_sign",
            "It solves with I − N.",
            "What was read is taken away, so N has a plus sign on U's side.",
            solve=lambda n, x: np.linalg.solve(np.eye(len(n)) - n, x),
        ),
        wrong(
            "with_diagonal",
            "N has its diagonal: a token corrects what it has not written yet.",
            "A token reads before it writes, so N is strictly below the diagonal.",
            inner=lambda q, k, beta: beta[:, None] * np.tril(k @ k.T),
        ),
        wrong(
            "later_keys",
            "N lies above the diagonal: a token is corrected by those that come later.",
            "Only what was written before can be read.",
            inner=lambda q, k, beta: beta[:, None] * np.triu(k @ k.T, 1),
        ),
        wrong(
            "whole_block",
            "N has all keys of the block, earlier and later.",
            "Only what was written before can be read.",
            inner=lambda q, k, beta: beta[:, None] * (k @ k.T - np.diag(np.diag(k @ k.T))),
        ),
        wrong(
            "queries_in_n",
            "N is made of queries and keys.",
            "What a write takes away is what its own *key* reads: keys with keys.",
            dict(inner=lambda q, k, beta: beta[:, None] * np.tril(k @ q.T, -1)),
            inner=lambda q, k, beta: beta[:, None] * np.tril(q @ k.T, -1),
        ),
        wrong(
            "beta_along_columns",
            "β runs along N's columns: each correction has the strength of the token it reads.",
            "Row i of N belongs to the token that writes: β_i.",
            inner=lambda q, k, beta: beta[None, :] * np.tril(k @ k.T, -1),
        ),
        wrong(
            "beta_missing_in_n",
            "β is missing in N.",
            "The whole correction is scaled, so β stands in front of the old content too.",
            inner=lambda q, k, beta: np.tril(k @ k.T, -1),
        ),
        wrong(
            "beta_missing_on_v",
            "β is missing on V.",
            "A token writes a share β of its value.",
            gain=lambda beta: 1.0,
        ),
        wrong(
            "beta_after",
            "β is multiplied in after the system is solved, not before.",
            "Solve for what is really written: β stands on the right-hand side, (I + N) U = diag(β) V.",
            ask="With β = ½ for both, what does token 1 find of the value that token 0 wrote?",
            solve=lambda n, x: x,
            gain=lambda beta: 1.0,
            after=lambda n, x, beta: beta[:, None] * np.linalg.solve(np.eye(len(n)) + n, x),
        ),
        wrong(
            "values_in_place_of_writes",
            "It takes N V from β V: each token corrects by the earlier values, as if all of each had been written.",
            "What was written before is U, not V, and U is what the system asks for.",
            ask="How much of v₀ is in the memory after token 0 has written with β = ½?",
            solve=lambda n, x: x,
            gain=lambda beta: 1.0,
            after=lambda n, x, beta: beta[:, None] * x - n @ x,
        ),
        wrong(
            "beta_twice",
            "It multiplies by β once more after the system is solved.",
            "U is what is really written: β is in it already.",
            after=lambda n, x, beta: beta[:, None] * x,
        ),
        wrong(
            "starts_from_identity",
            "Its memory begins with the identity.",
            "Before the first write the memory is empty: zeros.",
            whole=from_identity,
        ),
        wrong(
            "reads_first",
            "Each token reads before it has written.",
            "In this chapter a token writes first: its own pair counts, on the diagonal.",
            outer=lambda scores: np.tril(scores, -1),
        ),
        wrong(
            "sees_ahead",
            "Each token reads the whole block, later tokens too.",
            "Keep the lower triangle of the scores.",
            outer=lambda scores: scores,
        ),
        wrong(
            "softmax_outside",
            "It takes a softmax of the scores.",
            "This memory reads with the dot product itself.",
            outer=causal_softmax,
        ),
        wrong(
            "scaled",
            "It divides the scores by √d.",
            "This memory reads with the dot product itself; nothing is scaled here.",
            scale=lambda d: d**-0.5,
        ),
        wrong(
            "fades",
            "It fades the whole memory at each write, in place of correcting along the key.",
            "Only what the memory says under the key is taken away; other keys keep theirs.",
            dict(whole=lambda q, k, v, beta: fading(q, k, v, beta, lambda b: 1.0)),
            whole=fading,
        ),
        wrong(
            "all_keys",
            "It corrects by the keys of all tokens, later ones too.",
            "A token reads what those before it wrote: the part of K Kᵀ below the diagonal.",
            inner=lambda q, k, beta: beta[:, None] * (k @ k.T),
        ),
        wrong(
            "writes_returned",
            "It returns what is written, or the memory, not what the queries read.",
            "Each token reads q @ Z after its write: (n, e).",
            dict(
                whole=lambda q, k, v, beta: (
                    k.T @ np.linalg.solve(np.eye(len(k)) + beta[:, None] * np.tril(k @ k.T, -1), beta[:, None] * v)
                )
            ),
            dict(outer=lambda scores: np.eye(len(scores))),
            whole=lambda q, k, v, beta: np.linalg.solve(
                np.eye(len(k)) + beta[:, None] * np.tril(k @ k.T, -1), beta[:, None] * v
            ),
        ),
        wrong(
            "transposed_system",
            "It solves with the transpose of I + N.",
            "Row i of N holds what token i reads of those before it.",
            solve=lambda n, x: np.linalg.solve(np.eye(len(n)) + n.T, x),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        ADDING: "reads_first",
        CORRECTING: "no_correction unit_keys beta_missing_on_v fades starts_from_identity",
    },
)
