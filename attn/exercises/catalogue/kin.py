"""Mistakes that a softmax, a scale and the roles of queries, keys and values bring into every exercise that holds one.

Each function gives an exercise the mistakes of one family that it does not name itself, and the cases that tell
them apart. So a mistake known in one exercise is known in its sisters.
"""

from dataclasses import replace

import numpy as np

from attn.exercises.catalogue.sections import MASKED, READ, SCALED, SOFTMAX, taught
from attn.exercises.catalogue.stable import plain
from attn.exercises.checks.exercise import wrong
from attn.exercises.checks.probes import Stress, never

SAME = {  # one mistake under another exercise's name for it
    "over_queries": {"columns", "over_tokens"},
    "mask_after": {"after"},
    "multiply": {"multiplies"},
    "unmasked_maximum": {"padding_maximum", "forbidden_maximum"},
    "over_everything": {"whole_matrix", "everything"},
    "no_softmax": {"weights_kept_raw"},
    "one_shift": {"one_maximum"},
    "returns_weights": {"no_values"},
    "mean": {"mean_of_exponentials"},
}


def joined(exercise, mistakes, sections, probes=()):
    """An exercise with more mistakes and probes; what it names itself keeps its words, and gains spellings.

    sections: where the book teaches them, as `taught` has it.
    """
    known = {m.id: m for m in exercise.misconceptions}
    for m in mistakes:
        id = next((name for name in (m.id, *SAME.get(m.id, ())) if name in known), None)
        known[id or m.id] = replace(known[id], variants=(*known[id].variants, *m.variants)) if id else m
    probes = tuple(p for p in probes if p.blame in known)
    exercise = replace(exercise, misconceptions=tuple(known.values()), probes=(*exercise.probes, *probes))
    return taught(exercise, sections, family=True)


# ── softmax ─────────────────────────────────────────────────────────────────────────────────────────────────


def share(e, axis=-1, eps=0.0):
    """Each entry over the sum along an axis."""
    return e / (e.sum(axis, keepdims=True) + eps)


def shifted(by):
    """Softmax with another shift than the row's maximum."""
    return lambda s: share(np.exp(s - by(s)))


def bare(s):
    """Softmax without a shift."""
    return share(np.exp(s))


def cut(c, low=True):
    """Softmax of scores that are cut off at c, and at −c."""
    return lambda s: plain(np.clip(s, -c if low else None, c))


def hard(s):
    """All the weight on each row's largest score."""
    return np.eye(s.shape[-1])[s.argmax(-1)]


def misaligned(s):
    """Row sums that meet columns."""
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1)


def everything(s):
    """One sum for all."""
    return np.exp(s - s.max()) / np.exp(s - s.max()).sum()


ONE_MAXIMUM = (  # a row far below it is 0/0, or 0 where something is done about that
    shifted(lambda s: s.max()),
    lambda s: np.nan_to_num(share(np.exp(s - s.max()))),
    *(lambda s, eps=eps: share(np.exp(s - s.max()), eps=eps) for eps in (1e-12, 1e-10, 1e-9, 1e-300)),
)
ROW = (  # id, what it did, why that is wrong, and the ways from scores to weights that do it
    ("no_softmax", "It uses the scores themselves as weights: there is no softmax.",
     "Scores may be negative and sum to anything; weights are positive and sum to 1.", lambda s: s),
    ("no_exp", "It divides the scores by their sum, without the exponential.",
     "Scores may be negative and may sum to 0; exp makes every weight positive.",
     share, lambda s: s / abs(s).sum(-1, keepdims=True)),
    ("not_divided", "It takes exponentials and never divides by their sum.",
     "The weights of a row must sum to 1, or the result is no average.",
     np.exp, lambda s: np.exp(s - s.max()), lambda s: np.exp(s - s.max(-1, keepdims=True))),
    ("hard", "It puts the whole weight on the largest score.",
     "Softmax is soft: every score has some weight.", hard),
    ("base_two", "It raises 2 to the scores in place of e.",
     "That is a softmax at temperature 1/ln 2: every row comes out flatter.", lambda s: plain(s * np.log(2))),
    ("base_ten", "It raises 10 to the scores in place of e.",
     "That is a softmax at temperature 1/ln 10: every row comes out sharper.",
     lambda s: plain(s * np.log(10))),
    ("sign", "It exponentiates the scores with their sign reversed: the smallest gets the largest weight.",
     "The weight must grow with the score.", lambda s: plain(-s), lambda s: share(np.exp(-s))),
    ("sizes", "It takes the size of each score without its sign.",
     "A score of −3 is a poor match; |−3| makes it a good one.", lambda s: plain(abs(s))),
    ("absolute", "It normalises absolute values in place of exponentials.",
     "A score of −3 is a poor match; |−3| makes it a good one.", lambda s: share(abs(s))),
    ("squares", "It normalises squares in place of exponentials.",
     "A score of −3 is a poor match; its square makes it a good one.", lambda s: share(s * s)),
    ("softmax_twice", "It takes the softmax twice.",
     "The first one has made weights; a second flattens them.", lambda s: plain(plain(s))),
    ("sigmoid", "It takes a sigmoid of each score on its own.",
     "In a softmax the scores of a row compete: one weight rises only as others fall.",
     lambda s: 1 / (1 + np.exp(-s))),
    ("mean", "It divides by the mean of the exponentials in place of their sum.",
     "Weights then sum to their number in place of 1.", lambda s: plain(s) * s.shape[-1]),
    ("euclidean", "It divides by the Euclidean norm of the exponentials.",
     "The weights themselves must sum to 1, not their squares.",
     lambda s: plain(s) / np.sqrt((plain(s) ** 2).sum(-1, keepdims=True))),
    ("logarithm", "It takes the logarithm of the weights: a log-softmax.",
     "Log-probabilities are useful in a loss; here weights are asked for, positive and summing to 1.",
     lambda s: np.log(plain(s))),
    ("divided_by_maximum", "It divides the scores by their maximum in place of subtracting it.",
     "A shift changes no weight; a factor is another temperature.",
     lambda s: plain(s / s.max(-1, keepdims=True)), lambda s: plain(s / s.max()),
     lambda s: plain(s / abs(s).max(-1, keepdims=True)), lambda s: plain(s / abs(s).max())),
    ("shift_in_numerator", "It subtracts the maximum above the line but not in the sum below it.",
     "A shift changes no weight only where both have it.",
     lambda s: np.exp(s - s.max(-1, keepdims=True)) / np.exp(s).sum(-1, keepdims=True)),
    ("shift_below_only", "It subtracts the maximum in the sum below the line but not above it.",
     "A shift changes no weight only where both have it.",
     lambda s: np.exp(s) / np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True)),
    ("double", "It multiplies the scores by 2, or halves them.", "The scores are to be taken as they are.",
     lambda s: plain(2 * s), lambda s: plain(s / 2)),
    ("no_shift", "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
     "Subtracting each row's maximum first changes no weight.", bare),
    ("shift_mean", "It subtracts the mean, so scores that are spread wide still overflow.",
     "Only the maximum makes sure that every exponent is at or below 0.",
     shifted(lambda s: s.mean(-1, keepdims=True)), shifted(lambda s: s.mean())),
    ("shift_min", "It subtracts the minimum, so scores that are spread wide still overflow.",
     "Only the maximum makes sure that every exponent is at or below 0.",
     shifted(lambda s: s.min(-1, keepdims=True)), shifted(lambda s: s.min())),
    ("shift_size", "It subtracts the largest size |s|, so a row of scores far below 0 becomes 0/0.",
     "Subtract the largest score itself, with its sign: then one exponent is 0 and none is above it.",
     shifted(lambda s: abs(s).max(-1, keepdims=True)), shifted(lambda s: abs(s).max())),
    ("one_more", "It adds 1 to the sum, as a softmax that may attend to nothing.",
     "Here the weights of a row sum to 1 exactly.", lambda s: share(np.exp(s), eps=1.0),
     lambda s: np.exp(s) / (1 + np.exp(s).sum(-1, keepdims=True)),
     lambda s: share(np.exp(s - s.max(-1, keepdims=True)), eps=1.0)),
    ("best_two", "It keeps the two largest scores, and hides the others.",
     "Softmax gives every key some weight, however little.",
     lambda s: plain(np.where(s >= np.sort(s, -1)[..., -2:][..., :1], s, -np.inf))),
    ("spread_to_one", "It brings the scores to a fixed range or spread first.",
     "The spread of the scores says how sharp the weights are; it is not to be taken away.",
     lambda s: plain((s - s.min(-1, keepdims=True)) / np.ptp(s, axis=-1, keepdims=True)),
     lambda s: plain((s - s.mean(-1, keepdims=True)) / s.std(-1, keepdims=True)),
     lambda s: plain((s - s.mean()) / s.std()),
     lambda s: plain(s / np.linalg.norm(s, axis=-1, keepdims=True))),
    ("softplus", "It takes another function in place of the exponential.",
     "Weights are shares of exp(score): only then does a shift change nothing.",
     lambda s: share(np.logaddexp(0, s)), lambda s: share(np.maximum(s, 0)), lambda s: share(np.expm1(s)),
     lambda s: share(np.exp(s) + 1), lambda s: share(s - s.min(-1, keepdims=True)), lambda s: share(np.cosh(s)),
     lambda s: share(1 / (1 + np.exp(-s))), lambda s: share(np.expm1(s - s.max(-1, keepdims=True)))),
    ("whole_scores", "It takes the scores as whole numbers.",
     "// drops what stands behind the point; / keeps it.", lambda s: plain(np.floor(s)), lambda s: plain(np.trunc(s)),
     lambda s: plain(np.round(s))),
    ("nan_hidden", "It overflows for large scores, and then writes another number over the NaN.",
     "Weights are lost. Subtract the largest score first, and no NaN arises.",
     lambda s: np.nan_to_num(bare(s)), lambda s: np.nan_to_num(bare(s), nan=1.0),
     lambda s: np.nan_to_num(bare(s), nan=1 / s.shape[-1])),
    ("clipped", "It cuts large scores off, so scores that differ get the same weight.",
     "A shift by the maximum changes no weight; a cut does.",
     cut(700), *(cut(c) for c in (20, 30, 50, 80, 88, 100, 300, 500, 709)),
     *(cut(c, low=False) for c in (20, 30, 50, 80, 88, 100, 300, 500, 700, 709))),
    ("epsilon", "It adds a small number to the sum, so the weights sum to a little less than 1.",
     "After a shift by the maximum the sum is at least 1: there is nothing to protect.",
     lambda s: share(np.exp(s), eps=1e-9),
     *(lambda s, eps=eps: share(np.exp(s), eps=eps) for eps in (1e-12, 1e-10, 1e-8, 1e-6)),
     *(lambda s, eps=eps: share(np.exp(s - s.max(-1, keepdims=True)), eps=eps) for eps in (1e-6, 1e-5, 1e-3))),
)  # fmt: skip
ROWS = (  # the same, where there are several rows
    ("over_queries", "It takes the softmax over the queries (axis 0) in place of the keys (axis −1).",
     "Each query spreads a weight of 1 over the keys, so each row must sum to 1.",
     lambda s: share(np.exp(s - s.max(-2, keepdims=True)), -2), lambda s: share(np.exp(s), -2),
     lambda s: share(np.exp(s - s.max(-1, keepdims=True)), -2)),
    ("keys_first", "It computes KQᵀ, the transpose of the score matrix.",
     "Row i must belong to query i; KQᵀ has a row for each key.", lambda s: plain(s.swapaxes(-1, -2))),
    ("over_everything", "It normalises over the whole matrix, all queries together.",
     "Each query has a weight of 1 to spread; here all of them share one.",
     everything, lambda s: np.exp(s) / np.exp(s).sum(),
     lambda s: np.exp(s - s.max(-1, keepdims=True)) / np.exp(s - s.max(-1, keepdims=True)).sum()),
    ("keepdims", "It divides by row sums that have lost their axis, so row sums meet columns.",
     "NumPy lines shapes up from the right: (n, m) / (n,) divides column j by row sum j. "
     "keepdims=True keeps the sums as a column.", misaligned, lambda s: np.exp(s) / np.exp(s).sum(-1),
     lambda s: np.exp(s - s.max(-1)) / np.exp(s - s.max(-1)).sum(-1)),
    ("keepdims_shift", "It subtracts row maxima that have lost their axis, so row maxima meet columns.",
     "NumPy lines shapes up from the right: (n, m) − (n,) shifts columns, and a row softmax notices.",
     shifted(lambda s: s.max(-1))),
    ("column_shift", "It subtracts the maximum of each column, and divides by the sum of each row.",
     "A shift changes no weight only if it is the same all along a row.", shifted(lambda s: s.max(-2, keepdims=True))),
    ("causal", "It hides the keys after each query: that is a causal mask.",
     "Here every query sees every key; masks come in chapter 8.",
     lambda s: plain(np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)),
     lambda s: plain(np.where(np.tri(*s.shape[-2:], s.shape[-1] - s.shape[-2], dtype=bool), s, -np.inf)),
     lambda s: plain(np.where(np.tri(*s.shape[-2:], max(s.shape[-1] - s.shape[-2], 0), dtype=bool), s, -np.inf))),
    ("one_shift", "It subtracts one maximum for all rows, so in a row far below it every exponential is 0.",
     "Each row of scores has its own softmax, so each needs its own maximum.", *ONE_MAXIMUM),
)  # fmt: skip


def softmaxes(choice="weigh", rows=True, inside=lambda f: f):
    """The mistakes of a softmax, made by a choice that turns scores into weights.

    rows: of several rows.   inside: what makes such a function into a value of the choice.
    """
    return tuple(
        wrong(id, did, why, *({choice: inside(f)} for f in others), **{choice: inside(first)})
        for id, did, why, first, *others in (*ROW, *(ROWS if rows else ()))
    )


LARGE = np.array([[1000.0, 999, 998, 1000], [999, 1000, 1000, 997], [1000, 998, 1000, 1000], [998, 997, 1000, 999]])
APART = np.array([[1000.0, 999, 998, 997], [0, 1, 2, 3], [-1000, -999, -998, -1000], [500, 501, 499, 498]])
WIDE = np.array(
    [[300.0, -900, 300, 299], [1000, -1000, -1000, -1000], [-600, 600, -600, 600], [-1000, -1000, 800, 799]]
)
LOW = APART[[2, 2, 2, 2]] + np.arange(4)[:, None]
SIXTY = np.array([[60.0, 61, 60, 62], [0, 61, 60, 60], [110, 112, 111, 0], [310, 312, 0, 311]])
TWENTY = np.array([[20.0, 30, 26, 25], [0, 31, 33, 32], [90, 91, 84, 83], [85, 86, 0, 89]])
EVEN = np.array([[0.0] * 4, [0] * 4, [0, 0, -1000, -1000], [0] * 4])  # weights ½ and ¼, under a causal mask too
FAINT = np.array([[-25.0, -24, -26, -24], [-30, -31, -31, -30], [-25, -25, -24, -24], [-35, -36, -35, -34]])


def stresses(of, rows=True):
    """Cases that tell the ways to a stable softmax apart. of: a matrix of scores (4, 4) -> the exercise's arguments."""
    return (
        Stress("no_shift", of(LARGE)),
        *([Stress("one_shift", of(APART))] if rows else []),
        Stress("shift_min", of(WIDE), when=never),
        Stress("shift_mean", of(np.roll(WIDE, -1, 0)), when=never),
        Stress("nan_hidden", of(LOW), when=never),
        Stress("clipped", of(SIXTY), when=never),
        Stress("clipped", of(TWENTY), when=never),
        Stress("epsilon", of(FAINT), when=never),
        Stress("epsilon", of(EVEN), when=never, exact=True),
    )


def with_softmax(exercise, of, choice="weigh", rows=True, but=()):
    """An exercise that holds a softmax, with all its mistakes; but: ids of those that make no sense in it."""
    mistakes = [m for m in softmaxes(choice, rows) if m.id not in but]
    return joined(exercise, mistakes, SOFTMAX, [p for p in stresses(of, rows) if p.blame not in but])


# ── masks ───────────────────────────────────────────────────────────────────────────────────────────────────


def filled(value):
    """Forbidden scores replaced by a number."""
    return lambda s, keep: plain(np.where(keep, s, value))


def lowered(value):
    """A number added to forbidden scores."""
    return lambda s, keep: plain(s + np.where(keep, 0.0, value))


def times(value):
    """Forbidden scores multiplied by a number."""
    return lambda s, keep: plain(s * np.where(keep, 1.0, value))


def zeroed(lay):
    """The same, with zeros in a row that allows nothing."""
    return lambda s, keep: np.where(keep.any(-1, keepdims=True), lay(s, keep), 0.0)


def turned(lay):
    """The same, with True and False exchanged."""
    return lambda s, keep: lay(s, ~keep)


def kept(s, keep, eps=0.0):
    """The forbidden part removed after the exponential, the rest scaled up."""
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    return share(e, eps=eps)


def raised(eps):
    """A small number added to each exponential."""
    return lambda s, keep: share(
        np.exp(np.where(keep, s, BELOW) - np.where(keep, s, -1e9).max(-1, keepdims=True)) + eps
    )


BELOW = -np.inf
UNDER_MASK = (
    "not_divided", "hard", "base_two", "base_ten", "softmax_twice", "mean", "euclidean", "no_shift", "one_shift",
    "nan_hidden", "clipped", "epsilon", "over_everything", "over_queries",
)  # fmt: skip


LAID = (  # id, what it did, why that is wrong, and the ways to lay a mask on scores that do it
    ("mask_after", "It sets forbidden weights to 0 after the softmax, so rows no longer sum to 1.",
     "The softmax has given part of the weight away by then. Forbid the scores, before it.",
     lambda s, keep: plain(s) * keep),
    ("infinite_weights", "It writes −∞ into the weights, after the softmax.",
     "−∞ belongs in the scores, where exp turns it into 0.",
     lambda s, keep: np.where(keep, plain(s), BELOW)),
    ("multiply", "It sets forbidden scores to 0, or multiplies them by 0.",
     "A score of 0 is an ordinary score: exp(0) is 1. Only −∞ gets no weight.", times(0.0), filled(0.0)),
    ("plus_infinity", "It fills the forbidden scores with +∞ or a large number: the sign is wrong.",
     "exp(+∞) takes all the weight, exp(−∞) takes none.", filled(np.inf), filled(1e9),
     lowered(np.inf)),
    ("adds_truth", "It adds the mask of 0 and 1 to the scores.",
     "A mask that is added holds 0 where allowed and −∞ where not.",
     lambda s, keep: plain(s + keep), lambda s, keep: plain(s + ~keep)),
    ("minus_one", "It fills the forbidden scores with −1.",
     "−1 is an ordinary score and gets weight; −∞ gets none.", filled(-1.0)),
    ("tiny", "It fills the forbidden scores with a tiny positive number, which is nearly 0.",
     "A score near 0 gets an ordinary weight, exp(0) = 1. It is −∞ that gets none.",
     filled(1e-2), filled(1e-3), filled(1e-1)),
    ("small_negative", "It lowers the forbidden scores by too little: some weight leaks to them.",
     "exp(−10) is 0.00005, not 0. Use −∞.", filled(-10.0), lowered(-10.0), filled(-5.0), lowered(-5.0),
     filled(-20.0), lowered(-20.0)),
    ("leaks", "It adds a small number to every exponential, so some weight leaks to what may not be seen.",
     "Forbidden places get exactly 0; after a shift by the allowed maximum no sum needs protection.",
     *(raised(eps) for eps in (1e-3, 1e-2, 1e-4))),
    ("zero_times_infinity", "It multiplies by −∞ to build the mask: 0 · −∞ is NaN.",
     "Choose with np.where(allowed, S, −∞); multiplication cannot make −∞ of some and leave the rest.",
     lambda s, keep: plain(s + np.where(keep, 0.0, 1.0) * BELOW)),
    ("no_mask", "There is no mask: what may not be seen gets weight.",
     "Where nothing may be seen the weight is 0.", lambda s, keep: plain(s)),
    ("weights_kept_raw", "It masks the scores and returns them without a softmax.",
     "Weights are asked for: positive, each row summing to 1.",
     lambda s, keep: np.where(keep, s, BELOW), lambda s, keep: np.where(keep, s, 0.0),
     lambda s, keep: np.where(keep, s, -1e9)),
    ("inverted", "True and False are exchanged: what may be seen is hidden, and the rest is shown.",
     "True means “may attend”.",
     *map(turned, (filled(BELOW), filled(-1e9), lowered(-1e9), filled(-1e30), kept))),
    ("over_queries", "It takes the softmax down the columns, over the queries.",
     "Each query spreads a weight of 1 over the keys it may see: along a row.",
     *(lambda s, keep, low=low: plain(np.where(keep, s, low).swapaxes(-1, -2)).swapaxes(-1, -2)
       for low in (BELOW, -1e9, -1e30))),
    ("unmasked_maximum", "It removes the forbidden part after the exponential: "
     "where that holds the largest score, the rest underflows to 0/0.",
     "The maximum, and with it the shift, must be taken over the allowed scores only.", kept,
     lambda s, keep: np.where(keep, kept(s, keep), 0.0)),
    ("finite_fill", "It forbids with a number that is not low enough for large scores.",
     "Whatever number you choose, some scores lie lower; −∞ lies below all of them.",
     *(way(-c) for c in (50.0, 100.0, 500.0, 1e3) for way in (filled, lowered))),
    ("epsilon", "It adds a small number to the sum, so rows sum to a little less than 1.",
     "After a shift by the allowed maximum the sum is at least 1: there is nothing to protect.",
     *(lambda s, keep, eps=eps: kept(s, keep, eps) for eps in (1e-12, 1e-9, 1e-8, 1e-6)),
     *(lambda s, keep, eps=eps: share(np.exp(s) * keep, eps=eps) for eps in (1e-12, 1e-9, 1e-8, 1e-6))),
)  # fmt: skip
TWO = np.array([[1, 0, 0, 1], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], bool)
FEW = np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0]], bool)


def masked(empty):
    """The mistakes of a softmax under a mask."""
    for id, did, why, *lays in LAID:
        only = empty and id in (
            "small_negative",
            "finite_fill",
            "leaks",
        )  # an empty row of one number would be shared out
        lays = lays[4:] if empty and id == "epsilon" else lays  # with its own maximum it is `forbidden_maximum` there
        ways = [way for lay in lays for way in ((lay, zeroed(lay)) if empty else (lay,))[only:]]
        first, *others = [{"lay": way} for way in ways]
        yield wrong(id, did, why, *others, **first)
    cut_out = {m.id: m.variants for m in softmaxes("lay", inside=placed)}
    for m in softmaxes("lay", inside=hiding(empty)):
        if m.id in UNDER_MASK:
            yield replace(m, variants=(*m.variants, *cut_out[m.id]))


def hiding(empty):
    """What makes a softmax into one of the scores that may be seen."""

    def inside(f):
        hidden = lambda s, keep: f(np.where(keep, s, BELOW))  # noqa: E731
        return zeroed(hidden) if empty else hidden

    return inside


def placed(f):
    """A softmax of the part that may be seen, put into zeros."""
    return lambda s, keep: np.where(keep, f(np.where(keep, s, BELOW)), 0.0)


def with_masks(exercise, of, empty=False, but=()):
    """An exercise whose choice `lay` (scores, keep) makes weights of scores that may not all be seen.

    of: scores (4, 4) and what may be seen of them -> arguments.   empty: rows with nothing allowed get zeros.
    but: ids of what makes no sense in it.
    """
    return joined(exercise, [m for m in masked(empty) if m.id not in but], MASKED, (
        *stresses(lambda scores: of(scores, np.ones((4, 4), bool))),
        Stress("small_negative", of(EVEN, TWO), when=never, exact=True),
        Stress("unmasked_maximum", of(np.where(FEW, -900.0, 900.0), FEW), when=never),
        Stress("finite_fill", of(np.where(FEW, -1000.0, 1000.0), FEW), when=never),
    ))  # fmt: skip


# ── scale ───────────────────────────────────────────────────────────────────────────────────────────────────


def with_scale(exercise, width, choice="scale"):
    """An exercise whose scores are divided by √d, with the mistakes of that. width: what the choice is given -> d."""

    def made(id, did, why, *factors):
        first, *others = [{choice: lambda *given, f=f: f(width(*given))} for f in factors]
        return wrong(id, did, why, *others, **first)

    root = "The variance of q·k, a sum of d products, is d; its standard deviation is √d."
    return joined(exercise, (
        made("no_scale", "It never divides the scores by √d.", root, lambda d: 1.0),
        made("scale_d", "It divides the scores by d in place of √d.", root, lambda d: 1 / d),
        made("scale_square", "It divides the scores by d².", root, lambda d: d**-2.0),
        made("scale_half", "It divides by d/2: d ** 1 / 2 is (d ** 1) / 2.",
             "A power binds first: write d ** 0.5, or np.sqrt(d).", lambda d: 2 / d),
        made("scale_inverse", "It multiplies the scores by √d in place of dividing.",
             "That spreads them further apart: nearly all weight falls on one key.", lambda d: d**0.5),
        made("scale_times_d", "It multiplies the scores by d.", root, lambda d: float(d)),
        made("scale_constant", "It divides the scores by a fixed number, whatever the width d.",
             "The scale follows the width of the queries: √d is 2 only where d is 4, 8 only where d is 64.",
             lambda d: 1 / 8, lambda d: 1 / 2, lambda d: 1 / 64),
        made("whole_root", "It rounds √d to a whole number.", "√2 is 1.414…: np.sqrt, not math.isqrt or //.",
             lambda d: 1 / int(d**0.5), lambda d: 1 / round(d**0.5)),
    ), SCALED)  # fmt: skip


# ── roles ───────────────────────────────────────────────────────────────────────────────────────────────────


def with_roles(exercise, matrices=True):
    """An exercise of self-attention with the choices `roles` (q, k, v) and `average` (weights, v), and mistakes there.

    matrices: its queries, keys and values come from W_Q, W_K and W_V.
    """
    both = "A query asks, a key is an address, a value is what is fetched: three roles, three matrices."
    projected = (
        wrong("roles_exchanged", "W_Q and W_K have changed places: keys ask, and queries are looked at.",
              "Row i of the scores belongs to query i: QKᵀ, with Q from W_Q.", roles=lambda q, k, v: (k, q, v)),
        wrong("keys_from_queries", "It uses W_Q for the keys too.", both, roles=lambda q, k, v: (q, q, v)),
        wrong("queries_from_keys", "It uses W_K for the queries too.", both, roles=lambda q, k, v: (k, k, v)),
        wrong("values_from_keys", "It averages the keys in place of the values.",
              "Keys are addresses; values are what is fetched.", roles=lambda q, k, v: (q, k, k)),
        wrong("values_from_queries", "It averages the queries in place of the values.",
              "Queries ask; what comes back is made of rows of V.", roles=lambda q, k, v: (q, k, q)),
    )  # fmt: skip
    return joined(exercise, (
        *(projected if matrices else ()),
        *([wrong("softmax_last", "It multiplies the scores by V first, and takes the softmax of the product.",
                 "The softmax turns scores into weights; the values are averaged with them afterwards.",
                 weigh=lambda s: s, average=lambda a, v: plain(a @ v))] if matrices else []),
        wrong("returns_weights", "It returns the weights and not the average of the values.",
              "The weights say where to look; what is found there is the average of the rows of V.",
              average=lambda a, v: a),
        wrong("weights_transposed", "It multiplies by the transpose of the weights.",
              "Row i of the weights belongs to query i; the transpose hands out shares by key.",
              average=lambda a, v: a.swapaxes(-1, -2) @ v),
        wrong("plain_mean", "It takes the plain mean of the values for every query.",
              "That is the answer of a query that matches all keys alike; here the weights differ.",
              average=lambda a, v: np.full(a.shape, 1 / a.shape[-1]) @ v),
        wrong("divided_again", "It divides the weighted sum by the number of keys.",
              "The weights sum to 1 already: they are the division.", average=lambda a, v: a @ v / v.shape[-2]),
        wrong("residual", "It adds the values themselves to the result.",
              "What is asked for is the weighted average alone.", average=lambda a, v: a @ v + v),
    ), READ)  # fmt: skip
