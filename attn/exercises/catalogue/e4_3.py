"""Exercise 4.3, log-sum-exp."""

import numpy as np

from attn.exercises.catalogue.sections import EMPTY, SHARES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import LOGSUMEXP
from attn.exercises.checks.probes import Stress, always, never
from attn.softmax import logsumexp


def lse_model(
    s,
    *,
    top=lambda s: s.max(-1),
    shift=lambda s: finite(s.max(-1, keepdims=True)),
    total=lambda e: e.sum(-1),
    join=lambda top, total: top + np.log(total),
    whole=None,
):
    """max + log Σ exp(s − max)."""
    return whole(s) if whole else join(top(s), total(np.exp(s - shift(s))))


def finite(top):
    """0 in place of −∞, so that an empty row subtracts nothing."""
    return np.where(np.isneginf(top), 0.0, top)


LOW = (-1e4, -1e5, -1e6, -1e8, -1e10, -1e12, -1e15, -1e20, -1e30, -1e38, -1e100, -1e300, -2e3, -9999.0, -99999.0,
       float(np.finfo(np.float32).min), float(np.finfo(float).min))  # fmt: skip


def soft(s):
    """The weights of a row."""
    return np.exp(s - logsumexp(s)[:, None])


def zero(s):
    """No shift."""
    return 0.0


EXERCISE = Exercise(
    "4.3",
    "log-sum-exp",
    "Stability",
    "logsumexp(S)",
    logsumexp,
    lse_model,
    another=(
        """\
def logsumexp(S):
    return np.logaddexp.reduce(S, axis=1, initial=-np.inf)
""",
        "Two numbers at a time, as a running sum: the empty sum is −∞, and the merge of chapter 12 is the same step.",
    ),
    hints=(
        "log Σ exp(s) of the row [1000, 1000] is 1000 + log 2. How could a computer find it?",
        "Take a factor exp(c) out of the sum; the logarithm makes it c in front.",
        "The row's maximum, plus the logarithm of a sum of exponentials that are at most 1.",
    ),
    cases=lambda rng: [(rng.normal(size=shape) * 2 + 1,) for shape in ((2, 3), (3, 3), (1, 4), (2, 1))],
    misconceptions=(
        wrong(
            "shift_lost",
            "It subtracts the maximum and forgets to add it back.",
            "Unlike in softmax the shift does not cancel here: it must be added outside the logarithm.",
            top=zero,
        ),
        wrong(
            "inside",
            "It adds the maximum inside the logarithm.",
            "Outside it is a summand, inside it would be a factor exp(max).",
            join=lambda top, total: np.log(total + top),
        ),
        wrong(
            "subtracted",
            "It subtracts the maximum a second time in place of adding it.",
            "exp(s) = exp(max) · exp(s − max), and the logarithm of the first factor is + max.",
            join=lambda top, total: np.log(total) - top,
        ),
        wrong(
            "mean",
            "It takes the mean of the exponentials in place of their sum.",
            "That is smaller by log m.",
            total=lambda e: e.mean(-1),
        ),
        wrong(
            "times",
            "It multiplies the maximum with the logarithm in place of adding it.",
            "The logarithm of a product is a sum: log(exp(max) · rest) = max + log(rest).",
            join=lambda top, total: top * np.log(total),
        ),
        wrong(
            "other_base",
            "It takes a logarithm to another base.",
            "exp and log must belong together: base e.",
            {"top": zero, "shift": zero, "join": lambda top, total: np.log2(total)},
            {
                "top": zero,
                "shift": zero,
                "total": lambda e: (e ** np.log(2)).sum(-1),
                "join": lambda top, total: np.log2(total),
            },
            {"join": lambda top, total: top + np.log10(total)},
            {"join": lambda top, total: top + np.log2(total)},
            top=zero,
            shift=zero,
            join=lambda top, total: np.log10(total),
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for the whole matrix, so a row far below it becomes log 0.",
            "Each row needs its own maximum.",
            top=lambda s: s.max(),
            shift=lambda s: s.max(),
        ),
        wrong(
            "another_maximum_back",
            "It subtracts one maximum and adds back another: the matrix's and the row's.",
            "What is subtracted inside must be added outside, row by row.",
            {"top": lambda s: s.max()},
            shift=lambda s: s.max(),
        ),
        wrong(
            "columns",
            "It runs down the columns.",
            "One number for each row.",
            top=lambda s: s.max(0),
            shift=lambda s: s.max(0),
            total=lambda e: e.sum(0),
        ),
        wrong(
            "everything",
            "It returns one number for the whole matrix.",
            "One number for each row.",
            top=lambda s: s.max(),
            shift=lambda s: s.max(),
            total=lambda e: e.sum(),
        ),
        wrong(
            "no_log",
            "It returns the sum of exponentials without the logarithm.",
            "The logarithm of the softmax's denominator is asked for.",
            top=zero,
            shift=zero,
            join=lambda top, total: total,
        ),
        wrong(
            "maximum_only",
            "It returns the row's maximum.",
            "The maximum is the larger part; the other scores add log Σ exp(s − max).",
            total=lambda e: 1.0,
        ),
        wrong(
            "keeps_axis",
            "It keeps the summed axis: (n, 1).",
            "A vector with one number for each row is asked for.",
            top=lambda s: s.max(-1, keepdims=True),
            total=lambda e: e.sum(-1, keepdims=True),
        ),
        wrong(
            "log_of_each",
            "It adds up the logarithms of the exponentials: that is the sum of the scores.",
            "The logarithm of a sum is not the sum of the logarithms.",
            {"total": lambda e: np.log(e).sum(-1), "join": lambda top, total: top + total},
            {
                "top": lambda s: s.max(),
                "shift": lambda s: s.max(),
                "total": lambda e: np.log(e).sum(-1),
                "join": lambda top, total: top + total,
            },
            top=zero,
            shift=zero,
            total=lambda e: np.log(e).sum(-1),
            join=lambda top, total: total,
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: log(inf) is inf.",
            "Subtract the row's maximum first, and add it back at the end.",
            top=zero,
            shift=zero,
        ),
        wrong(
            "shift_min",
            "It subtracts the row's minimum, so a row that is spread wide still overflows.",
            "Only the maximum makes sure that every exponent is at or below 0.",
            top=lambda s: s.min(-1),
            shift=lambda s: finite(s.min(-1, keepdims=True)),
        ),
        wrong(
            "empty_row",
            "A row of −∞ does not come out as −∞.",
            "Its sum is 0, and log 0 is −∞. Subtracting the maximum there, −∞ − (−∞), gives NaN; use 0 for it.",
            shift=lambda s: s.max(-1, keepdims=True),
        ),
        wrong(
            "zero_row",
            "It gives 0 for a row of −∞.",
            "The sum of nothing is 0, and the logarithm of 0 is −∞.",
            whole=lambda s: np.where(np.isneginf(s).all(-1), 0.0, logsumexp(s)),
        ),
        wrong(
            "rows_dropped",
            "It leaves rows of −∞ out of the result.",
            "Each row has its number, and that of an empty row is −∞.",
            whole=lambda s: logsumexp(s[~np.isneginf(s).all(-1)]),
        ),
        wrong(
            "finite_fill",
            "It puts a large negative number in the place of −∞, so a row of −∞ does not come out as −∞.",
            "exp(−∞) is 0 exactly: leave −∞ as it is, and subtract 0 where the maximum is −∞.",
            *(dict(whole=lambda s, c=c: logsumexp(np.maximum(s, c))) for c in LOW),
            whole=lambda s: logsumexp(np.maximum(s, -1e9)),
        ),
        wrong(
            "infinity_as_zero",
            "It counts a score of −∞ as a score of 0.",
            "exp(0) is 1, and exp(−∞) is 0: such a score adds nothing.",
            whole=lambda s: np.logaddexp.reduce(np.where(np.isinf(s), 0.0, s), axis=-1),
        ),
        wrong(
            "part_empty",
            "It takes a row with any −∞ in it for an empty one.",
            "exp(−∞) = 0 adds nothing to the sum; the other scores of the row still count.",
            top=lambda s: np.where(np.isneginf(s).any(-1), -np.inf, s.max(-1)),
        ),
        wrong(
            "one_more",
            "It adds 1 to the sum (log1p).",
            "The logarithm of the sum itself is asked for: np.log.",
            dict(join=lambda top, total: np.logaddexp(0.0, top + np.log(total))),
            total=lambda e: 1 + e.sum(-1),
        ),
        wrong(
            "column_meets_row",
            "It adds a column of maxima, (n, 1), to a row of logarithms, (n,): n × n numbers.",
            "Keep the axis in both or in neither.",
            dict(total=lambda e: e.sum(-1, keepdims=True)),
            top=lambda s: finite(s.max(-1, keepdims=True)),
        ),
        wrong(
            "average_score",
            "It gives the average of the scores under their softmax, or the entropy.",
            "The logarithm of the sum of exponentials is both of these added up.",
            dict(whole=lambda s: -(soft(s) * np.log(soft(s))).sum(-1)),
            whole=lambda s: (soft(s) * s).sum(-1),
        ),
        wrong(
            "count_added",
            "It adds or takes off the logarithm of how many scores there are.",
            "A sum is not a mean: nothing is divided by m.",
            dict(join=lambda top, total: top + np.log(total), whole=lambda s: logsumexp(s) + np.log(len(s))),
            whole=lambda s: logsumexp(s) + np.log(s.shape[1]),
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([[1000.0, 999.0]]),)),
        Stress("no_shift", (np.array([[-1000.0, -999.0]]),)),
        Stress("shift_min", (np.array([[1000.0, -1000.0]]),)),
        Stress("one_shift", (np.array([[1000.0, 999.0], [0.0, 1.0]]),)),
        Stress("empty_row", (np.array([[-np.inf, -np.inf], [0.0, 1.0]]),), when=always),
        Stress("part_empty", (np.array([[0.0, -np.inf, 1.0]]),), when=never),
    ),
    forbidden=LOGSUMEXP,
)
EXERCISE = taught(
    EXERCISE,
    {
        SHARES: "columns everything",
        EMPTY: "empty_row zero_row rows_dropped finite_fill part_empty",
    },
)
