"""Exercise 8.4, rows with nothing allowed."""

import numpy as np

from attn.exercises.catalogue.kin import with_masks
from attn.exercises.catalogue.sections import EMPTY, HIDDEN, taught
from attn.exercises.catalogue.stable import plain
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.probes import Stress, damaged, never
from attn.softmax import softmax


def empty_model(s, keep, *, lay=lambda s, keep: softmax(s, keep)):
    """Weights; 0 in a row that allows nothing."""
    return lay(s, keep)


def uniform(s, keep):
    """An empty row shared out evenly."""
    return np.where(keep.any(-1, keepdims=True), softmax(s, keep), 1 / s.shape[-1])


def unmasked(s, keep):
    """An empty row treated as if nothing were forbidden."""
    return np.where(keep.any(-1, keepdims=True), softmax(s, keep), plain(s))


def unshifted(s, keep):
    """Exponentials of the scores themselves."""
    e = np.where(keep, np.exp(s), 0.0)
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def top(s, keep):
    """Each row's largest allowed score, 0 where there is none."""
    largest = np.where(keep, s, -np.inf).max(-1, keepdims=True)
    return np.where(np.isneginf(largest), 0.0, largest)


def multiplied(s, keep):
    """Forbidden places multiplied by 0."""
    e = np.exp(s - top(s, keep)) * keep
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def multiplied_alone(s, keep):
    """Forbidden places multiplied by 0; a row whose sum is NaN is not divided."""
    e = np.exp(s - top(s, keep)) * keep
    total = e.sum(-1, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


def shifted_by_all(s, keep):
    """The maximum of every score in the row subtracted."""
    e = np.where(keep, np.exp(s - s.max(-1, keepdims=True)), 0.0)
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def guarded(eps):
    """A sum that cannot be 0."""

    def weigh(s, keep):
        e = np.exp(np.where(keep, s, -np.inf) - top(s, keep))
        return e / (e.sum(-1, keepdims=True) + eps)

    return weigh


def divided(e):
    """Each row over its sum, and over 1 where that is 0."""
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def infinity_added(s, keep):
    """−∞ added at forbidden places, which leaves a NaN there as it is."""
    t = s + np.where(keep, 0.0, -np.inf)
    return divided(np.exp(t - np.where(keep.any(-1, keepdims=True), t.max(-1, keepdims=True), 0.0)))


def one_top(s, keep):
    """One maximum for the whole matrix."""
    hidden = np.where(keep, s, -np.inf)
    return divided(np.exp(hidden - (hidden.max() if keep.any() else 0.0)))


def top_of_zero(s, keep):
    """A maximum that is never below 0."""
    return divided(np.where(keep, np.exp(s - np.max(s, -1, keepdims=True, where=keep, initial=0.0)), 0.0))


EXERCISE = Exercise(
    "8.4",
    "rows with nothing allowed",
    "Rows with nothing allowed",
    "safe_weights(S, allowed)",
    lambda s, keep: softmax(s, keep),
    empty_model,
    another=(
        """\
def safe_weights(S, allowed):
    P = np.zeros(S.shape)
    for row, scores, keep in zip(P, S, allowed):
        if keep.any():
            e = np.exp(scores[keep] - scores[keep].max())
            row[keep] = e / e.sum()
    return P
""",
        "Look at the allowed scores only, and neither −∞ nor an empty sum ever arises.",
    ),
    hints=(
        "What is the maximum of a row of −∞, and what is −∞ − (−∞)?",
        "An empty row has weights 0: its output is an empty sum. Decide it before a NaN arises.",
        "A maximum that is 0 where it would be −∞, and a division by 1 where the sum is 0.",
    ),
    cases=lambda rng: [
        (rng.normal(size=np.shape(keep)) * 2, np.array(keep, bool))
        for keep in (
            [[1, 0, 1], [0, 0, 0]],
            [[1, 1], [0, 1]],
            [[0, 0, 0], [1, 1, 1], [0, 1, 0]],
            [[0, 0]],
            [[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0]],
            [[1], [0]],
        )
    ],
    misconceptions=(
        wrong(
            "nan",
            "A row with nothing allowed becomes NaN: −∞ − (−∞) has no value.",
            "NaN spreads to everything it touches; an empty row must give zeros.",
            lay=lambda s, keep: plain(np.where(keep, s, -np.inf)),
        ),
        wrong(
            "uniform",
            "A row with nothing allowed is shared out evenly.",
            "Even shares look at keys that are forbidden; that is what −1e9 in place of −∞ does.",
            {"lay": lambda s, keep: plain(np.where(keep, s, -1e9))},
            lay=uniform,
        ),
        wrong(
            "unmasked",
            "A row with nothing allowed is treated as if all were allowed.",
            "Adding a large negative number to a whole row is a shift, and softmax ignores a shift.",
            {"lay": lambda s, keep: plain(s + np.where(keep, 0, -1e6))},
            lay=unmasked,
        ),
        wrong(
            "infinite",
            "It leaves −∞ in a row with nothing allowed.",
            "Weights are never negative: put 0.",
            lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), -np.inf),
        ),
        wrong(
            "all_zero",
            "It makes every weight 0 if any row is empty.",
            "The other rows have keys to look at.",
            lay=lambda s, keep: softmax(s, keep) * keep.any(-1).all(),
        ),
        wrong(
            "after",
            "It sets weights to 0 after the softmax, so rows no longer sum to 1.",
            "Forbid the scores, before it.",
            lay=lambda s, keep: plain(s) * keep,
        ),
        wrong(
            "inverted",
            "True and False are exchanged.",
            "True means “may attend”.",
            lay=lambda s, keep: softmax(s, ~keep),
        ),
        wrong(
            "first_key",
            "It gives an empty row to its first key.",
            "Nothing is allowed there, the first key neither.",
            lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), np.eye(s.shape[-1])[0]),
        ),
        wrong(
            "no_mask", "It forbids nothing.", "Where `allowed` is False the weight is 0.", lay=lambda s, keep: plain(s)
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
            "Subtract the maximum of what is allowed in each row first.",
            lay=unshifted,
        ),
        wrong(
            "shift_min",
            "It subtracts the smallest score of the row, so a row that is spread wide still overflows.",
            "Only the maximum makes sure that every exponent is at or below 0.",
            lay=lambda s, keep: unshifted(s - np.where(keep, s, np.inf).min(-1, keepdims=True, initial=1e9), keep),
        ),
        wrong(
            "nan_hidden",
            "It turns every NaN into 0, also one that was in the data.",
            "A NaN among the allowed scores is a fault upstream, and hiding it makes it hard to find.",
            lay=lambda s, keep: np.nan_to_num(plain(np.where(keep, s, -np.inf))),
        ),
        wrong(
            "forbidden_maximum",
            "It subtracts a maximum that may be a forbidden score: where that is far larger, the rest underflows to 0.",
            "The maximum must be taken over what is allowed.",
            {"lay": lambda s, keep: divided(np.where(keep, np.exp(s - s.max(-1, keepdims=True)), 0.0))},
            lay=shifted_by_all,
        ),
        wrong(
            "forbidden_nan",
            "A NaN at a forbidden place comes through: was it multiplied by 0, was −∞ added, or is it in a maximum?",
            "0 · NaN and NaN − ∞ are NaN. Choose with np.where(allowed, …) before the exponential.",
            {"lay": infinity_added},
            {"lay": multiplied_alone},
            lay=multiplied,
        ),
        wrong(
            "epsilon",
            "It adds a small number to the sum, so rows sum to a little less than 1.",
            "A row with something allowed sums to at least 1 after the shift; only an empty row needs care.",
            {"lay": guarded(1e-5)},
            {"lay": guarded(1e-7)},
            {"lay": guarded(1e-6)},
            *(
                {"lay": lambda s, keep, eps=eps: np.exp(s) * keep / ((np.exp(s) * keep).sum(-1, keepdims=True) + eps)}
                for eps in (1e-9, 1e-8, 1e-6)
            ),
            lay=guarded(1e-4),
        ),
        wrong(
            "not_divided",
            "It returns the exponentials and never divides.",
            "Weights must sum to 1 in each row.",
            lay=lambda s, keep: np.exp(np.where(keep, s, -np.inf) - top(s, keep)),
        ),
        wrong(
            "rows_dropped",
            "It leaves the empty rows out of the result.",
            "One row for each query: zeros there.",
            lay=lambda s, keep: softmax(s, keep)[keep.any(-1)],
        ),
        wrong(
            "stops_at_empty",
            "It stops at the first empty row, and the rows after it stay 0.",
            "`break` ends the loop; `continue` goes on to the next row.",
            lay=lambda s, keep: softmax(s, keep) * np.logical_and.accumulate(keep.any(-1))[:, None],
        ),
        wrong(
            "ones",
            "It leaves 1 in every place of an empty row.",
            "An empty row has weights 0.",
            lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), 1.0),
        ),
        wrong(
            "one_shift",
            "It subtracts one maximum for all rows, so a row far below it comes out as empty.",
            "Each row of scores has its own softmax, so each needs its own maximum.",
            {"lay": lambda s, keep: np.where(keep, one_top(s, keep), 0.0)},
            lay=one_top,
        ),
        wrong(
            "maximum_from_zero",
            "Its maximum is never below 0, so a row of very low scores comes out as empty.",
            "Begin below every score, at −∞, and use 0 only where nothing is allowed.",
            lay=top_of_zero,
        ),
        wrong(
            "any_for_all",
            "It gives zeros to every row in which something is forbidden.",
            "Only a row in which all is forbidden is empty: any, not all.",
            lay=lambda s, keep: softmax(s, keep) * keep.all(-1, keepdims=True),
        ),
        wrong(
            "one_more",
            "It adds 1 to the sum.",
            "A row with something allowed must sum to 1; only an empty row needs care.",
            lay=guarded(1.0),
        ),
        wrong(
            "columns_checked",
            "It looks for columns with nothing allowed in place of rows.",
            "A query is a row: allowed.any(axis=1).",
            lay=lambda s, keep: np.where(keep.any(0), plain(np.where(keep, s, -np.inf)), 0.0),
        ),
    ),
    probes=(
        Stress("epsilon", (np.zeros((1, 2)), np.array([[True, True]])), when=never, exact=True),
        Stress(
            "forbidden_maximum",
            (np.array([[-900.0, 900.0], [0.0, 1.0]]), np.array([[True, False], [True, True]])),
            when=never,
        ),
        Stress("forbidden_nan", (np.array([[np.nan, 1.0, 2.0]]), np.array([[False, True, True]])), when=damaged),
        Stress("no_shift", (np.array([[1000.0, 999.0]]), np.array([[True, True]]))),
        Stress("shift_min", (np.array([[1000.0, -1000.0]]), np.array([[True, True]]))),
        Stress(
            "nan_hidden",
            (np.array([[np.nan, 1.0], [0.0, 0.0]]), np.array([[True, True], [False, False]])),
            when=lambda got, right: got.kind == "value" and not np.isnan(got.value).any(),
        ),
    ),
)
EXERCISE = with_masks(EXERCISE, lambda scores, keep: (scores, keep), empty=True, but=("unmasked_maximum",))
EXERCISE = taught(
    EXERCISE,
    {
        EMPTY: "nan_hidden",
        HIDDEN: "forbidden_nan",
    },
)
