"""Exercise 13.2, the decay mask."""

import numpy as np

from attn import memory
from attn.exercises.catalogue.sections import FADING, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import MEMORY
from attn.exercises.checks.probes import Stress, never


def mask_model(
    alpha,
    *,
    between=lambda a, i, j: a[j + 1 : i + 1],
    join=lambda gates, a, j: np.prod(gates),
    seen=lambda i, j: j <= i,
    hidden=lambda a, i, j: 0.0,
    turn=lambda mask: mask,
):
    """(n,) -> (n, n): the gates between a write and a question, joined."""
    n = len(alpha)
    entries = [
        [join(between(alpha, i, j), alpha, j) if seen(i, j) else hidden(alpha, i, j) for j in range(n)]
        for i in range(n)
    ]
    return turn(np.array(entries, float).reshape(n, n))


def cases(rng):
    """Gates by hand, drawn ones, and a single token."""
    drawn = [rng.uniform(0.2, 0.95, n) for n in (3, 5, 6)]
    return [(np.array([0.5, 0.8, 0.25, 0.9]),), *((alpha,) for alpha in drawn), (np.array([0.3]),)]


def inverse(a, i, j):
    """What the quotient of cumulative products puts above the diagonal."""
    return 1 / np.prod(a[i + 1 : j + 1])


def by_logarithms(gates, a, j):
    """The gates in between, as a difference of sums of logarithms: NaN once a gate has been 0."""
    with np.errstate(all="ignore"):
        before = np.log(a[: j + 1]).sum()
        return np.exp(before + np.log(gates).sum() - before)


def raised(least):
    """The product of gates that are kept from falling below a number."""
    return lambda gates, a, j: np.prod(np.maximum(gates, least))


def divided(gates, a, j):
    """The gates in between, as a quotient of products from the start: NaN once those have faded to 0."""
    before = np.prod(a[: j + 1])
    with np.errstate(all="ignore"):
        return before * np.prod(gates) / before


EXERCISE = Exercise(
    "13.2",
    "the decay mask",
    "Without the loop",
    "decay_mask(alpha)",
    memory.decay_mask,
    mask_model,
    another=(
        """\
def decay_mask(alpha):
    n = len(alpha)
    left = [[np.prod(alpha[j + 1 : i + 1]) if j <= i else 0.0 for j in range(n)] for i in range(n)]
    return np.array(left)
""",
        "The definition, entry by entry: the product of the gates after j, up to i.",
    ),
    hints=(
        "Token 2 wrote. Token 3 comes: which gate has its write passed through when token 3 asks?",
        "Row i, column j is the product of the gates after j, up to and including i; above the diagonal 0.",
        "Products down each column, starting with 1 on the diagonal; a cumulative product does a whole column.",
    ),
    cases=cases,
    forbidden=MEMORY,
    probes=(
        Stress(
            "quotient",
            (np.full(14, 1e-30),),
            when=lambda got, right: got.kind != "value" or np.isnan(np.tril(got.value)).any(),
        ),
        Stress("epsilon", (np.full(9, 1e-3),), when=never),
        Stress(
            "zero_gate",
            (np.array([0.5, 0.0, 0.8, 1.0, 0.0, 0.6]),),
            when=lambda got, right: got.kind != "value" or np.isnan(got.value).any(),
        ),
    ),
    misconceptions=(
        wrong(
            "own_gate_too",
            "It includes the writer's own gate: α_j … α_i in place of α_{j+1} … α_i.",
            "Token j's gate comes before its write, so it fades what was there, not what j writes.",
            ask="What should stand on the diagonal?",
            between=lambda a, i, j: a[j : i + 1],
        ),
        wrong(
            "last_gate_missing",
            "It leaves out the gate of the token that asks: the product stops at α_{i−1}.",
            "The gate of token i has been applied before i reads.",
            between=lambda a, i, j: a[j + 1 : i],
        ),
        wrong(
            "one_early",
            "The gates are one place early: α_j … α_{i−1} in place of α_{j+1} … α_i.",
            "The first gate a write passes through is the next token's.",
            between=lambda a, i, j: a[j:i],
        ),
        wrong(
            "power_of_the_asker",
            "It raises the gate of the token that asks to the power i − j.",
            "Every token in between has a gate of its own.",
            between=lambda a, i, j: np.full(i - j, a[i]),
        ),
        wrong(
            "power_of_the_writer",
            "It raises the gate of the token that wrote to the power i − j.",
            "Every token in between has a gate of its own.",
            between=lambda a, i, j: np.full(i - j, a[j]),
        ),
        wrong(
            "one_gate_for_all",
            "It uses the first gate for every token.",
            "α is one number a token.",
            between=lambda a, i, j: np.full(i - j, a[0]),
        ),
        wrong(
            "from_the_start",
            "It multiplies all gates from the first one on, wherever the write stood.",
            "A write passes only through the gates that come after it.",
            dict(join=lambda gates, a, j: np.prod(a[: j + len(gates) + 1]) if len(gates) else 1.0),
            between=lambda a, i, j: a[: i + 1],
        ),
        wrong(
            "sums",
            "It adds the gates in place of multiplying them.",
            "Two gates of one half leave a quarter.",
            join=lambda gates, a, j: np.sum(gates),
        ),
        wrong(
            "logarithms",
            "It returns the logarithms of the products.",
            "One exponential is missing.",
            join=lambda gates, a, j: np.log(gates).sum(),
        ),
        wrong(
            "transposed",
            "Rows and columns are exchanged: the mask lies above the diagonal.",
            "Row i asks, column j wrote; the past is to the left.",
            turn=lambda mask: mask.T,
        ),
        wrong(
            "no_diagonal",
            "The diagonal is zero.",
            "A token reads after it has written: its own write counts in full.",
            seen=lambda i, j: j < i,
        ),
        wrong(
            "future_ones",
            "Above the diagonal it has ones: an empty product.",
            "The future has not been written yet. There belong zeros.",
            hidden=lambda a, i, j: 1.0,
        ),
        wrong(
            "future_inverse",
            "Above the diagonal it has the inverse products.",
            "The future has not been written yet. There belong zeros.",
            hidden=inverse,
        ),
        wrong(
            "quotient",
            "It divides cumulative products, and gives NaN as soon as they underflow to 0.",
            "Multiply only the gates in between.",
            ask="What is the cumulative product of two thousand gates of one half?",
            join=divided,
        ),
        wrong(
            "nan_replaced",
            "It divides products from the start, and makes a number of 0/0: afterwards, or by a tiny number below.",
            "What a later token wrote is lost with it. Multiply only the gates in between.",
            dict(join=lambda gates, a, j: np.nan_to_num(divided(gates, a, j), nan=1.0)),
            dict(join=lambda gates, a, j: np.prod(a[: j + 1]) * np.prod(gates) / (np.prod(a[: j + 1]) + 1e-300)),
            dict(join=lambda gates, a, j: np.prod(a[: j + 1]) * np.prod(gates) / max(np.prod(a[: j + 1]), 1e-300)),
            join=lambda gates, a, j: np.nan_to_num(divided(gates, a, j)),
        ),
        wrong(
            "zero_gate",
            "It takes logarithms: that of a gate 0 is −∞, and −∞ − (−∞) is NaN.",
            "A gate of 0 forgets what was there; what is written after it is left. Multiply only the gates in between.",
            ask="What is left for token 2 of what token 1 wrote, if token 1 came with a gate of 0?",
            join=by_logarithms,
        ),
        wrong(
            "raised_gates",
            "It raises the gates: a small number is added to them, or they are kept from falling below one.",
            "A small gate is meant to be small, and 0 is a gate too.",
            *(dict(join=lambda gates, a, j, eps=eps: np.prod(gates + eps)) for eps in (1e-3, 1e-2, 1e-4)),
            *(dict(join=raised(least)) for least in (1e-2, 1e-4)),
            join=raised(1e-3),
        ),
        wrong(
            "complement",
            "It takes alpha for the share that is forgotten, and keeps 1 − alpha.",
            "alpha[i] is what everything is multiplied by: the share that stays.",
            join=lambda gates, a, j: np.prod(1 - gates),
        ),
        wrong(
            "mean_gate",
            "It raises one gate, the mean or the first, to the power i − j.",
            "Each token has a gate of its own: the product of those in between.",
            dict(join=lambda gates, a, j: a[-1] ** len(gates)),
            dict(join=lambda gates, a, j: np.mean(gates) ** len(gates) if len(gates) else 1.0),
            dict(join=lambda gates, a, j: np.exp(np.mean(np.log(a))) ** len(gates)),
            join=lambda gates, a, j: a.mean() ** len(gates),
        ),
        wrong(
            "minus_infinity",
            "It puts −∞ where nothing is seen.",
            "−∞ is for scores, before a softmax; here nothing is left: 0.",
            dict(hidden=lambda a, i, j: np.nan),
            hidden=lambda a, i, j: -np.inf,
        ),
        wrong(
            "one_gate",
            "It multiplies by one gate, however many tokens lie between.",
            "Every token from j + 1 to i multiplies the memory by its gate.",
            dict(join=lambda gates, a, j: gates[0] if len(gates) else 1.0),
            dict(join=lambda gates, a, j: a[j] if len(gates) else 1.0),
            dict(between=lambda a, i, j: a[i : i + 1]),
            dict(between=lambda a, i, j: a[j : j + 1]),
            join=lambda gates, a, j: gates[-1] if len(gates) else 1.0,
        ),
        wrong(
            "smallest_gate",
            "It takes the smallest, or the sum, of the gates in between.",
            "They multiply one another.",
            dict(join=lambda gates, a, j: np.sum(gates) if len(gates) else 1.0),
            join=lambda gates, a, j: np.min(gates) if len(gates) else 1.0,
        ),
        wrong(
            "epsilon",
            "It divides products from the start with a small number beside, and they become as small themselves.",
            "The products fade to 0; build each entry from the one before it, or from sums of logarithms.",
            *(
                dict(
                    join=lambda gates, a, j, eps=eps: np.prod(a[: j + 1]) * np.prod(gates) / (np.prod(a[: j + 1]) + eps)
                )
                for eps in (1e-30, 1e-20, 1e-16, 1e-15, 1e-10, 1e-9, 1e-8, 1e-6)
            ),
            *(
                dict(
                    join=lambda gates, a, j, eps=eps: (
                        np.prod(a[: j + 1]) * np.prod(gates) / max(np.prod(a[: j + 1]), eps)
                    )
                )
                for eps in (1e-30, 1e-20, 1e-16, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6)
            ),
            join=lambda gates, a, j: np.prod(a[: j + 1]) * np.prod(gates) / (np.prod(a[: j + 1]) + 1e-12),
        ),
        wrong(
            "masked_late",
            "It multiplies what is not seen by 0, after the exponential: that may be inf, and inf · 0 is NaN.",
            "Mask the logarithms, or choose with np.where, before exp.",
            hidden=lambda a, i, j: 0.0 * float(1 / np.prod(a[i + 1 : j + 1])),
        ),
        wrong(
            "rows_running",
            "It takes products from the first token, along a row or a column.",
            "Entry (i, j) holds the gates from j + 1 to i.",
            join=lambda gates, a, j: np.prod(a[: j + 1]),
        ),
        wrong(
            "one_too_many",
            "It includes the writer's own gate, except on the diagonal.",
            "Token j's gate comes before its write.",
            join=lambda gates, a, j: a[j] * np.prod(gates) if len(gates) else 1.0,
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        FADING: "sums complement",
    },
)
