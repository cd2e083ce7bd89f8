"""Exercise 4.2, temperature."""

import numpy as np

from attn.exercises.catalogue.kin import with_softmax
from attn.exercises.catalogue.sections import STABILITY, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.probes import Stress, never
from attn.softmax import softmax


def tempered(s, t, *, before=lambda s, t: s / t, weigh=softmax, after=lambda p, t: p):
    """softmax(s / T)."""
    return after(weigh(before(s, t)), t)


def bare(s):
    """Softmax without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


def greedy(p):
    """All the weight on each row's largest."""
    return np.eye(p.shape[-1])[p.argmax(-1)]


def mixture(p, share):
    """Weights, and a share of equal ones."""
    return (1 - share) * p + share / p.shape[-1]


EXERCISE = Exercise(
    "4.2",
    "temperature",
    "Temperature",
    "tempered_softmax(S, T)",
    lambda s, t: softmax(s / t),
    tempered,
    another=(
        """\
def tempered_softmax(S, T):
    return np.exp(S / T - np.logaddexp.reduce(S / T, axis=1)[:, None])
""",
        "A temperature is a scale of the scores, and nothing else of the softmax changes.",
    ),
    hints=(
        "A high temperature should make the weights more alike. Does your formula?",
        "The temperature divides the scores, before the exponential.",
        "A row softmax of a quotient.",
    ),
    cases=lambda rng: [
        (rng.normal(size=shape) * 2, t) for shape, t in (((2, 3), 2.0), ((3, 3), 0.5), ((1, 4), 4.0), ((2, 1), 3.0))
    ],
    misconceptions=(
        wrong("times", "It multiplies the scores by T.", "Heat should flatten: T divides.", before=lambda s, t: s * t),
        wrong(
            "after",
            "It divides the weights by T, after the softmax.",
            "The rows then sum to 1/T; T belongs to the scores.",
            before=lambda s, t: s,
            after=lambda p, t: p / t,
        ),
        wrong(
            "after_normalised",
            "It ignores T, or uses it where it cancels.",
            "A factor before the normalisation drops out; only a factor on the scores changes the weights.",
            before=lambda s, t: s,
        ),
        wrong("root", "It divides by √T.", "T itself divides the scores.", before=lambda s, t: s / np.sqrt(t)),
        wrong("squared", "It divides by T twice.", "Once is enough: s/T.", before=lambda s, t: s / t**2),
        wrong(
            "minus",
            "It subtracts T from the scores.",
            "A constant added to a row changes no weight; T must divide.",
            before=lambda s, t: np.where(np.arange(s.shape[-1]) == 0, s - t, s),
        ),
        wrong(
            "power_wrong_way",
            "It raises the weights to the power T.",
            "p^(1/T), normalised again, is the same as softmax(s/T); p^T is its opposite and was not normalised.",
            before=lambda s, t: s,
            after=lambda p, t: p**t,
        ),
        wrong(
            "power_unnormalised",
            "It raises the weights to the power 1/T and does not normalise again.",
            "The powers no longer sum to 1.",
            before=lambda s, t: s,
            after=lambda p, t: p ** (1 / t),
        ),
        wrong(
            "whole_matrix",
            "It normalises over the whole matrix.",
            "Each row must sum to 1 by itself.",
            weigh=lambda s: softmax(s.ravel()).reshape(s.shape),
        ),
        wrong(
            "columns", "It normalises down the columns.", "Each row must sum to 1.", weigh=lambda s: softmax(s, axis=0)
        ),
        wrong(
            "no_shift",
            "It overflows when T is small: s/T is large, and exp of it is inf.",
            "Subtract the row's maximum of s/T before the exponential.",
            weigh=bare,
        ),
        wrong(
            "max_of_undivided",
            "It subtracts the maximum of S from S/T, so where T is small an exponent may still be huge.",
            "What is subtracted must be the maximum of s/T itself: then no exponent is above 0.",
            dict(before=lambda s, t: s / t - s.max(), weigh=bare),
            before=lambda s, t: s / t - s.max(-1, keepdims=True),
            weigh=bare,
        ),
        wrong(
            "mixed",
            "It mixes the weights with equal ones, the more of these the higher T is.",
            "T divides the scores; a mixture of weights is another thing, with a floor under every weight.",
            dict(before=lambda s, t: s, after=lambda p, t: mixture(p, min(t, 1.0))),
            before=lambda s, t: s,
            after=lambda p, t: mixture(p, t / (1 + t)),
        ),
        wrong(
            "power_fades",
            "It raises finished weights to the power 1/T: where T is small they all fade, and 0/0 is NaN.",
            "Divide the scores by T first; then softmax takes the row's maximum out, and its largest power is 1.",
            before=lambda s, t: s,
            after=lambda p, t: p ** (1 / t) / (p ** (1 / t)).sum(-1, keepdims=True),
        ),
        wrong(
            "numerator_only",
            "It divides by T above the line but not in the sum below it.",
            "Both exponentials are of s/T, or the row does not sum to 1.",
            before=lambda s, t: s,
            weigh=lambda s: s,
            after=lambda s, t: (
                np.exp((s - s.max(-1, keepdims=True)) / t) / np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True)
            ),
        ),
        wrong(
            "bounded",
            "It does not let T fall below a bound, or adds a small number to it.",
            "T may be as small as 0.001: a bound changes the answer there. T > 0 needs no protection.",
            {"before": lambda s, t: s / max(t, 1e-2)},
            {"before": lambda s, t: s / (t + 1e-3)},
            {"before": lambda s, t: s / (t + 1e-6)},
            {"before": lambda s, t: s / (t + 1e-5)},
            {"before": lambda s, t: s / (t + 1e-4)},
            before=lambda s, t: s / max(t, 0.1),
        ),
        wrong(
            "greedy",
            "It takes the largest score alone where T is small.",
            "However small T is, scores that lie close enough share the weight.",
            dict(after=lambda p, t: greedy(p) if t < 0.1 else p),
            dict(after=lambda p, t: greedy(p) if t <= 0.01 else p),
            dict(after=lambda p, t: greedy(p) if t <= 0.001 else p),
            after=lambda p, t: greedy(p) if t < 0.01 else p,
        ),
        wrong(
            "whole_t",
            "It makes a whole number of T.",
            "T may be any number above 0: 0.5 is not 0 and not 1.",
            dict(before=lambda s, t: s / max(1, round(t))),
            dict(before=lambda s, t: s / np.ceil(t)),
            before=lambda s, t: s / max(1, int(t)),
        ),
    ),
    probes=(
        Stress("no_shift", (np.array([[1.0, 2.0]]), 1e-3)),
        Stress("bounded", (np.array([[0.001, 0.002]]), 1e-3), when=never),
        Stress("power_fades", (np.array([[0.0, 0.0, 0.0]]), 1e-3)),
    ),
)
EXERCISE = with_softmax(EXERCISE, lambda scores: (scores, 1.0), but=("causal",))
EXERCISE = taught(
    EXERCISE,
    {
        STABILITY: "max_of_undivided",
    },
)
