"""Exercise 12.2, merge two partial results."""

import numpy as np

from attn.exercises.catalogue.sections import STABILITY, TEMPERATURE, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.probes import Stress


def merge_model(
    m1,
    l1,
    o1,
    m2,
    l2,
    o2,
    *,
    top=max,
    factors=lambda m1, m2, m: (np.exp(m1 - m), np.exp(m2 - m)),
    sums=lambda l1, l2, a, b: l1 * a + l2 * b,
    outputs=lambda o1, o2, a, b, l1, l2: o1 * a + o2 * b,
    finish=lambda m, l, o: (m, l, o),
):
    """(m, ℓ, o) of the union of two sets of keys."""
    m = top(m1, m2)
    a, b = factors(m1, m2, m)
    return finish(m, sums(l1, l2, a, b), outputs(o1, o2, a, b, l1, l2))


def part(rng, keys, e, shift):
    """A partial result: maximum, sum of exponentials, weighted sum."""
    s, v = rng.normal(size=keys) * 2 + shift, rng.normal(size=(keys, e))
    w = np.exp(s - s.max())
    return s.max(), w.sum(), w @ v


def has_nan(got, right):
    """True for a result with a NaN."""
    return got.kind == "value" and any(np.isnan(part).any() for part in got.value)


def one_side(first):
    """The choices that return one part as it is as soon as either is empty."""
    kept = (1.0, 0.0) if first else (0.0, 1.0)
    return dict(
        top=lambda m1, m2: (m1 if first else m2) if np.isinf(m1 + m2) else max(m1, m2),
        factors=lambda m1, m2, m: kept if np.isinf(m1 + m2) else (np.exp(m1 - m), np.exp(m2 - m)),
    )


EXERCISE = Exercise(
    "12.2",
    "merge two partial results",
    "One merge",
    "merge(m1, l1, o1, m2, l2, o2)",
    merge_model,
    merge_model,
    another=(
        """\
def merge(m1, l1, o1, m2, l2, o2):
    parts = sorted([(m1, l1, o1), (m2, l2, o2)], key=lambda part: part[0])
    (low, l, o), (m, L, O) = parts
    shrink = np.exp(low - m)
    return m, L + shrink * l, O + shrink * o
""",
        "Only the side with the smaller maximum needs a factor; the other's is 1.",
    ),
    hints=(
        "Both sums are built on maxima of their own. On which maximum can they be added?",
        "Take the larger maximum; each side's sums shrink by exp(own maximum − common maximum).",
        "Three results: a maximum, and two sums of two rescaled terms each. Nothing is divided yet.",
    ),
    cases=lambda rng: [
        (*part(rng, n1, e, s1), *part(rng, n2, e, s2))
        for n1, n2, e, s1, s2 in ((2, 3, 2, 0, 1), (3, 1, 3, 2, -1), (2, 2, 1, 0, 0), (1, 1, 2, 1, -1))
    ],
    misconceptions=(
        wrong(
            "not_rescaled",
            "It adds the sums as they are, without bringing them to one maximum.",
            "exp(s − m₁) and exp(s − m₂) are in different units.",
            factors=lambda m1, m2, m: (1.0, 1.0),
        ),
        wrong(
            "reversed",
            "It rescales by exp(common − own): the sign is reversed.",
            "Terms must shrink: exp(own − common) ≤ 1.",
            factors=lambda m1, m2, m: (np.exp(m - m1), np.exp(m - m2)),
        ),
        wrong(
            "exchanged",
            "Each side is rescaled by the other side's factor.",
            "Each side's own maximum belongs in its factor.",
            factors=lambda m1, m2, m: (np.exp(m2 - m), np.exp(m1 - m)),
        ),
        wrong(
            "sum_not_rescaled",
            "It rescales the weighted sums but not the denominators.",
            "Both were built with the old maxima.",
            sums=lambda l1, l2, a, b: l1 + l2,
        ),
        wrong(
            "output_not_rescaled",
            "It rescales the denominators but not the weighted sums.",
            "Both were built with the old maxima.",
            outputs=lambda o1, o2, a, b, l1, l2: o1 + o2,
        ),
        wrong(
            "divided",
            "It divides the weighted sum by the denominator.",
            "o stays undivided, so that it can be merged again.",
            finish=lambda m, l, o: (m, l, o / l),
        ),
        wrong(
            "taken_as_divided",
            "It takes o for divided already, and multiplies by ℓ first.",
            "Here o is the weighted sum itself, not yet divided.",
            outputs=lambda o1, o2, a, b, l1, l2: o1 * l1 * a + o2 * l2 * b,
        ),
        wrong(
            "mean",
            "It takes the mean of two sums in place of adding them.",
            "Sums over two sets of keys add up.",
            dict(
                sums=lambda l1, l2, a, b: (l1 * a + l2 * b) / 2,
                outputs=lambda o1, o2, a, b, l1, l2: (o1 * a + o2 * b) / 2,
            ),
            dict(sums=lambda l1, l2, a, b: (l1 * a + l2 * b) / 2),
            outputs=lambda o1, o2, a, b, l1, l2: (o1 * a + o2 * b) / 2,
        ),
        wrong("smaller", "It takes the smaller maximum.", "Then exponentials may overflow.", top=min),
        wrong(
            "sum_of_maxima",
            "It adds the maxima.",
            "The maximum of a union is the larger of the two.",
            top=lambda m1, m2: m1 + m2,
        ),
        wrong(
            "first_wins",
            "It brings both sides to the first's maximum, even where the second's is larger.",
            "A later maximum may be larger; its exponentials then overflow.",
            dict(factors=lambda m1, m2, m: (1.0, np.exp(m2 - m1))),
            top=lambda m1, m2: m1,
        ),
        wrong(
            "empty",
            "A part with no keys, m = −∞, gives NaN.",
            "Nothing merged with something is that something: its factor is 0.",
            factors=lambda m1, m2, m: (np.exp(m1 - m) + 0 * m1, np.exp(m2 - m) + 0 * m2),
        ),
        wrong(
            "unshifted",
            "It goes back to exp(m) itself, which overflows for large maxima.",
            "exp(m₁ − m) needs only the difference, and that is never above 0.",
            {"factors": lambda m1, m2, m: (np.exp(m1) / np.exp(m), np.exp(m2) / np.exp(m))},
            factors=lambda m1, m2, m: (np.exp(m1) * np.exp(-m), np.exp(m2) * np.exp(-m)),
        ),
        wrong(
            "order",
            "The order is not m, ℓ, o.",
            "Whoever unpacks the result expects m, ℓ, o.",
            {"finish": lambda m, l, o: (o, l, m)},
            {"finish": lambda m, l, o: (l, o, m)},
            finish=lambda m, l, o: (m, o, l),
        ),
        wrong(
            "output_only",
            "It returns the finished average alone.",
            "The three parts are asked for, so that they can be merged again.",
            finish=lambda m, l, o: o / l,
        ),
        wrong(
            "soft_maximum",
            "It takes log(exp m₁ + exp m₂) for the maximum.",
            "m is the larger of the two; log-sum-exp is larger than both.",
            top=np.logaddexp,
        ),
        wrong(
            "log_sum",
            "It returns the logarithm of the whole sum for m.",
            "m is the larger of the two maxima; the sum is returned beside it.",
            finish=lambda m, l, o: (m + np.log(l), l, o),
        ),
        wrong(
            "mean_maximum",
            "It takes the mean of the two maxima for the common one.",
            "Only the larger of the two keeps every exponent at or below 0.",
            top=lambda m1, m2: (m1 + m2) / 2,
        ),
        wrong(
            "raw",
            "It rescales by exp(m₁) and exp(m₂), without the common maximum.",
            "The sums of the union are built on the new m: factors exp(m₁ − m) and exp(m₂ − m).",
            factors=lambda m1, m2, m: (np.exp(m1), np.exp(m2)),
        ),
        wrong(
            "second_wins",
            "It brings both sides to the second's maximum.",
            "The common maximum is the larger of the two.",
            dict(top=lambda m1, m2: m2),
            factors=lambda m1, m2, m: (np.exp(m1 - m2), 1.0),
        ),
        wrong(
            "base_two",
            "It takes powers of 2 in place of e.",
            "The sums are of exp; the factor must be too.",
            factors=lambda m1, m2, m: (np.exp2(m1 - m), np.exp2(m2 - m)),
        ),
        wrong(
            "larger_wins",
            "It keeps the part with the larger maximum and throws the other away.",
            "The smaller maximum still has weight: it shrinks by exp(m − larger).",
            dict(
                finish=lambda m, l, o: (m, l, o),
                sums=lambda l1, l2, a, b: l1 if a == 1 else l2,
                outputs=lambda o1, o2, a, b, l1, l2: o1 if a == 1 else o2,
            ),
            sums=lambda l1, l2, a, b: l1 if a > b else l2,
            outputs=lambda o1, o2, a, b, l1, l2: o1 if a > b else o2,
        ),
        wrong(
            "log_sum_exp",
            "It gives the log-sum-exp for m, and divides.",
            "Asked for are the largest score, the sum beside it, and the weighted sum, not divided.",
            dict(finish=lambda m, l, o: (m + np.log(l), 1.0, o)),
            dict(finish=lambda m, l, o: (m + np.log(l), l, o / l)),
            finish=lambda m, l, o: (m + np.log(l), 1.0, o / l),
        ),
        wrong(
            "empty_lost",
            "Where one part is empty it may return that one, or nothing, and not the other.",
            "Nothing merged with something is that something, on either side.",
            one_side(False),
            dict(
                top=lambda m1, m2: -np.inf if np.isinf(m1 + m2) else max(m1, m2),
                factors=lambda m1, m2, m: (0.0, 0.0) if np.isinf(m) else (np.exp(m1 - m), np.exp(m2 - m)),
            ),
            **one_side(True),
        ),
        wrong(
            "joined_values",
            "It joins the two weighted sums, or takes them apart.",
            "They are sums over keys: brought to one maximum they are added, a vector (e,).",
            dict(outputs=lambda o1, o2, a, b, l1, l2: np.stack([o1 * a, o2 * b])),
            outputs=lambda o1, o2, a, b, l1, l2: np.concatenate([o1 * a, o2 * b]),
        ),
    ),
    probes=(
        Stress("first_wins", (0.0, 1.0, np.ones(2), 1000.0, 1.0, np.zeros(2))),
        Stress("empty", (-np.inf, 0.0, np.zeros(2), 1.0, 2.0, np.ones(2)), when=has_nan),
        Stress("empty", (1.0, 2.0, np.ones(2), -np.inf, 0.0, np.zeros(2)), when=has_nan),
        Stress("first_wins", (-1000.0, 1.0, np.ones(2), 1000.0, 2.0, np.zeros(2))),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        STABILITY: "unshifted soft_maximum log_sum log_sum_exp",
        TEMPERATURE: "base_two",
    },
)
