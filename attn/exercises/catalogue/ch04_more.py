"""Chapter 4, continued: temperature, the logarithm of the denominator, and where a chain of weights settles."""

import numpy as np

from attn.exercises.engine import Exercise, wrong
from attn.exercises.probes import Stress, always, never
from attn.exercises.rules import LOGSUMEXP
from attn.softmax import logsumexp, softmax


def tempered(s, t, *, before=lambda s, t: s / t, weigh=softmax, after=lambda p, t: p):
    """softmax(s / T)."""
    return after(weigh(before(s, t)), t)


def bare(s):
    """Softmax without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


TEMPERATURE = Exercise(
    "4.2", "temperature", "Temperature", "tempered_softmax(S, T)", lambda s, t: softmax(s / t), tempered,
    hints=(
        "A high temperature should make the weights more alike. Does your formula?",
        "The temperature divides the scores, before the exponential.",
        "A row softmax of a quotient.",
    ),
    cases=lambda rng: [(rng.normal(size=shape) * 2, t) for shape, t in (((2, 3), 2.0), ((3, 3), 0.5), ((1, 4), 4.0))],
    misconceptions=(
        wrong("times", "It multiplies the scores by T.", "Heat should flatten: T divides.", before=lambda s,
              t: s * t),
        wrong("after", "It divides the weights by T, after the softmax.", "The rows then sum to 1/T; T belongs to "
              "the scores.",
              before=lambda s, t: s, after=lambda p, t: p / t),
        wrong("after_normalised", "It ignores T, or uses it where it cancels.",
              "A factor before the normalisation drops out; only a factor on the scores changes the weights.",
              before=lambda s, t: s),
        wrong("root", "It divides by √T.", "T itself divides the scores.", before=lambda s, t: s / np.sqrt(t)),
        wrong("squared", "It divides by T twice.", "Once is enough: s/T.", before=lambda s, t: s / t**2),
        wrong("minus", "It subtracts T from the scores.", "A constant added to a row changes no weight; T must "
              "divide.",
              before=lambda s, t: np.where(np.arange(s.shape[-1]) == 0, s - t, s)),
        wrong("power_wrong_way", "It raises the weights to the power T.",
              "p^(1/T), normalised again, is the same as softmax(s/T); p^T is its opposite and was not normalised.",
              before=lambda s, t: s, after=lambda p, t: p**t),
        wrong("power_unnormalised", "It raises the weights to the power 1/T and does not normalise again.",
              "The powers no longer sum to 1.", before=lambda s, t: s, after=lambda p, t: p ** (1 / t)),
        wrong("whole_matrix", "It normalises over the whole matrix.", "Each row must sum to 1 by itself.",
              weigh=lambda s: softmax(s.ravel()).reshape(s.shape)),
        wrong("columns", "It normalises down the columns.", "Each row must sum to 1.", weigh=lambda s: softmax(s,
              axis=0)),
        wrong("no_shift", "It overflows when T is small: s/T is large, and exp of it is inf.",
              "Subtract the row's maximum of s/T before the exponential.", weigh=bare),
        wrong("power_fades", "It raises finished weights to the power 1/T: where T is small they all fade, and 0/0 "
              "is NaN.",
              "Divide the scores by T first; then softmax takes the row's maximum out, and its largest power is 1.",
              before=lambda s, t: s, after=lambda p, t: p ** (1 / t) / (p ** (1 / t)).sum(-1, keepdims=True)),
        wrong("numerator_only", "It divides by T above the line but not in the sum below it.",
              "Both exponentials are of s/T, or the row does not sum to 1.",
              before=lambda s, t: s, weigh=lambda s: s,
              after=lambda s, t: np.exp((s - s.max(-1, keepdims=True)) / t)
              / np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True)),
        wrong("bounded", "It does not let T fall below a bound, or adds a small number to it.",
              "T may be as small as 0.001: a bound changes the answer there. T > 0 needs no protection.",
              {"before": lambda s, t: s / max(t, 1e-2)}, {"before": lambda s, t: s / (t + 1e-3)},
              {"before": lambda s, t: s / (t + 1e-6)}, {"before": lambda s, t: s / (t + 1e-5)},
              {"before": lambda s, t: s / (t + 1e-4)}, before=lambda s, t: s / max(t, 0.1)),
    ),
    probes=(
        Stress("no_shift", (np.array([[1.0, 2.0]]), 1e-3)),
        Stress("bounded", (np.array([[0.001, 0.002]]), 1e-3), when=never),
        Stress("power_fades", (np.array([[0.0, 0.0, 0.0]]), 1e-3)),
    ),
)  # fmt: skip


def lse_model(
    s, *, top=lambda s: s.max(-1), shift=lambda s: finite(s.max(-1, keepdims=True)), total=lambda e: e.sum(-1),
    join=lambda top, total: top + np.log(total),
):  # fmt: skip
    """max + log Σ exp(s − max)."""
    return join(top(s), total(np.exp(s - shift(s))))


def finite(top):
    """0 in place of −∞, so that an empty row subtracts nothing."""
    return np.where(np.isneginf(top), 0.0, top)


def zero(s):
    """No shift."""
    return 0.0


LOGSUMEXP = Exercise(
    "4.3", "log-sum-exp", "Stability", "logsumexp(S)", logsumexp, lse_model,
    hints=(
        "log Σ exp(s) of the row [1000, 1000] is 1000 + log 2. How could a computer find it?",
        "Take a factor exp(c) out of the sum; the logarithm makes it c in front.",
        "The row's maximum, plus the logarithm of a sum of exponentials that are at most 1.",
    ),
    cases=lambda rng: [(rng.normal(size=shape) * 2 + 1,) for shape in ((2, 3), (3, 3), (1, 4))],
    misconceptions=(
        wrong("shift_lost", "It subtracts the maximum and forgets to add it back.",
              "Unlike in softmax the shift does not cancel here: it must be added outside the logarithm.", top=zero),
        wrong("inside", "It adds the maximum inside the logarithm.",
              "Outside it is a summand, inside it would be a factor exp(max).", join=lambda top,
              total: np.log(total + top)),
        wrong("subtracted", "It subtracts the maximum a second time in place of adding it.",
              "exp(s) = exp(max) · exp(s − max), and the logarithm of the first factor is + max.",
              join=lambda top, total: np.log(total) - top),
        wrong("mean", "It takes the mean of the exponentials in place of their sum.",
              "That is smaller by log m.", total=lambda e: e.mean(-1)),
        wrong("times", "It multiplies the maximum with the logarithm in place of adding it.",
              "The logarithm of a product is a sum: log(exp(max) · rest) = max + log(rest).",
              join=lambda top, total: top * np.log(total)),
        wrong("other_base", "It takes a logarithm to another base.", "exp and log must belong together: base e.",
              {"top": zero, "shift": zero, "join": lambda top, total: np.log2(total)},
              {"join": lambda top, total: top + np.log10(total)}, {"join": lambda top, total: top + np.log2(total)},
              top=zero, shift=zero, join=lambda top, total: np.log10(total)),
        wrong("one_shift", "It subtracts one maximum for the whole matrix, so a row far below it becomes log 0.",
              "Each row needs its own maximum.", top=lambda s: s.max(), shift=lambda s: s.max()),
        wrong("columns", "It runs down the columns.", "One number for each row.",
              top=lambda s: s.max(0), shift=lambda s: s.max(0), total=lambda e: e.sum(0)),
        wrong("everything", "It returns one number for the whole matrix.", "One number for each row.",
              top=lambda s: s.max(), shift=lambda s: s.max(), total=lambda e: e.sum()),
        wrong("no_log", "It returns the sum of exponentials without the logarithm.",
              "The logarithm of the softmax's denominator is asked for.",
              top=zero, shift=zero, join=lambda top, total: total),
        wrong("maximum_only", "It returns the row's maximum.",
              "The maximum is the larger part; the other scores add log Σ exp(s − max).", total=lambda e: 1.0),
        wrong("keeps_axis", "It keeps the summed axis: (n, 1).", "A vector with one number for each row is asked "
              "for.",
              top=lambda s: s.max(-1, keepdims=True), total=lambda e: e.sum(-1, keepdims=True)),
        wrong("log_of_each", "It adds up the logarithms of the exponentials: that is the sum of the scores.",
              "The logarithm of a sum is not the sum of the logarithms.",
              top=zero, shift=zero, total=lambda e: np.log(e).sum(-1), join=lambda top, total: total),
        wrong("no_shift", "It overflows for large scores: log(inf) is inf.",
              "Subtract the row's maximum first, and add it back at the end.", top=zero, shift=zero),
        wrong("shift_min", "It subtracts the row's minimum, so a row that is spread wide still overflows.",
              "Only the maximum makes sure that every exponent is at or below 0.",
              top=lambda s: s.min(-1), shift=lambda s: finite(s.min(-1, keepdims=True))),
        wrong("empty_row", "A row of −∞ does not come out as −∞.",
              "Its sum is 0, and log 0 is −∞. Subtracting the maximum there, −∞ − (−∞), gives NaN; use 0 for it.",
              shift=lambda s: s.max(-1, keepdims=True)),
        wrong("part_empty", "It takes a row with any −∞ in it for an empty one.",
              "exp(−∞) = 0 adds nothing to the sum; the other scores of the row still count.",
              top=lambda s: np.where(np.isneginf(s).any(-1), -np.inf, s.max(-1))),
        wrong("one_more", "It adds 1 to the sum (log1p).", "The logarithm of the sum itself is asked for: np.log.",
              total=lambda e: 1 + e.sum(-1)),
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
)  # fmt: skip


def settle(a, *, side=lambda a: a.T, pick=lambda w: abs(w - 1).argmin(), real=np.real, scale=lambda p: p / p.sum()):
    """The row p with p A = p and Σ p = 1, from an eigenvector."""
    values, vectors = np.linalg.eig(side(a))
    return scale(real(vectors[:, pick(values)]))


def signed(scale):
    """A scale applied to the eigenvector with its first entry made positive, so that the sign is no chance."""
    return lambda p: scale(p * np.sign(p[0].real))


def stepped(steps):
    """A matrix whose own row p is where the uniform row is after so many steps."""
    return lambda a: np.tile(np.linalg.matrix_power(a, steps).mean(0)[:, None], (1, len(a)))


def weights(rng, n):
    """A random stochastic matrix."""
    return softmax(rng.normal(size=(n, n)) * 1.5)


def stationary(a):
    """The stationary distribution, by solving p (A − I) = 0 together with Σ p = 1."""
    n = len(a)
    return np.linalg.lstsq(np.vstack([a.T - np.eye(n), np.ones(n)]), np.r_[np.zeros(n), 1.0], rcond=None)[0]


STATIONARY = Exercise(
    "4.5", "where attention settles", "A stochastic matrix", "stationary(A)", stationary, settle,
    hints=(
        "Send a row of weights through A again and again, p ← p A. What does it no longer do in the end?",
        "p A = p: a left eigenvector of A for the eigenvalue 1, that is, an eigenvector of Aᵀ.",
        "Either many steps p ← p A, or an eigenvector of Aᵀ divided by its sum.",
    ),
    cases=lambda rng: [(weights(rng, n),) for n in (2, 3, 5)]
    + [(np.array([[0.9, 0.1], [0.6, 0.4]])[::s, ::s],) for s in (1, -1)]
    + [(np.array([[0.96, 0.04], [0.06, 0.94]]),)],   # settles slowly: the second eigenvalue is 0.9
    misconceptions=(
        wrong("right_vector", "It gives every token the same weight: the right eigenvector, and that of every A.",
              "A1 = 1 holds for every stochastic matrix and tells nothing; the left one, p A = p, is asked for.",
              ask="Is A p = p or p A = p asked for?", side=lambda a: a),
        wrong("smallest", "It takes the eigenvector of the smallest eigenvalue.",
              "The one that stays is that of the eigenvalue 1, the largest.",
              pick=lambda w: abs(w).argmin(), scale=lambda p: p / p.sum()),
        wrong("euclidean", "It leaves the eigenvector at Euclidean length 1.",
              "Weights must sum to 1: divide by the sum.", {"scale": lambda p: p}, {"scale": lambda p: abs(p)},
              scale=signed(lambda p: p)),
        wrong("sign", "It leaves the eigenvector with a negative sign.",
              "Weights are positive; dividing by the sum settles sign and size together.",
              scale=signed(lambda p: -p)),
        wrong("largest_one", "It makes the largest entry 1.", "The entries must sum to 1.",
              scale=lambda p: p / p.sum() / (p / p.sum()).max()),
        wrong("complex", "It returns complex numbers with imaginary part 0.",
              "np.linalg.eig may answer in complex numbers; take the real part.", real=lambda x: x.astype(complex)),
        wrong("column_means", "It takes the mean of each column: one step from the uniform row, not the limit.",
              "Go on until p A = p.", side=stepped(1)),
        wrong("few_steps", "It stops before p has settled: some chains need more steps.",
              "Every step shrinks what is left by the second eigenvalue; go on until p A = p, or solve for it.",
              *({"side": stepped(k)} for k in (10, 20, 100)), side=stepped(50)),
        wrong("first_vector", "It takes the first eigenvector, whichever eigenvalue it has.",
              "np.linalg.eig gives no order; pick the one whose eigenvalue is 1.", pick=lambda w: 0),
        wrong("all_rows", "It returns the whole limit of Aᵏ, a matrix; each of its rows is the answer.",
              "One row of weights is asked for, (n,).", scale=lambda p: np.tile(p / p.sum(), (len(p), 1))),
    ),
    invariants=(
        ("The entries do not sum to 1.", lambda arguments, p: np.isclose(p.sum(), 1)),
        ("One more step through A changes it.", lambda arguments, p: np.allclose(p @ arguments[0], p)),
    ),
)  # fmt: skip

EXERCISES = (TEMPERATURE, LOGSUMEXP, STATIONARY)
