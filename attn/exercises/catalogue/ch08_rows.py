"""Chapter 8, continued: padding, and rows with nothing allowed."""

import numpy as np

from attn import masks
from attn.exercises.engine import Exercise, wrong
from attn.exercises.probes import Stress, never
from attn.softmax import softmax


def plain(s):
    """A stable softmax along the last axis that lets empty rows become NaN."""
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def padding_model(
    s, lengths, *, real=lambda m, lengths: np.arange(m) < lengths[:, None], place=lambda r, s: r[:, None, :],
    lay=lambda s, keep: softmax(s, keep),
):  # fmt: skip
    """Weights with the padded keys hidden."""
    keep = place(real(s.shape[-1], lengths), s)
    return lay(s, np.broadcast_to(keep, s.shape))


def on_rows(real, s):
    """The mask laid on queries; it fits only where there are no more queries than keys."""
    return real[:, : s.shape[1], None] if real.shape[1] >= s.shape[1] else real[:, None, :]


def removed(s, keep, eps=0.0):
    """The padded part removed after the exponential, the rest scaled up; eps: a guard against a sum of 0."""
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    return e / (e.sum(-1, keepdims=True) + eps)


PADDING = Exercise(
    "8.3", "padding", "Padding hides keys", "padded_weights(S, lengths)",
    lambda s, lengths: softmax(s, masks.padding(lengths, s.shape[-1])), padding_model,
    hints=(
        "A padded token is not there. Must nobody look at it, or must it not look?",
        "The mask is on keys: in sequence b the columns from lengths[b] on are hidden, for every query alike.",
        "A comparison of shape (b, m), given an axis for the queries, and a masked softmax.",
    ),
    cases=lambda rng: [(rng.normal(size=(b, n, m)) * 2, np.array(lengths)) for b, n, m, lengths in
                       ((2, 3, 4, [4, 2]), (2, 2, 5, [2, 4]), (3, 3, 3, [1, 3, 2]), (2, 2, 2, [2, 1]), (1, 2, 3, [2]))],
    misconceptions=(
        wrong("queries", "It hides rows, the queries, in place of columns, the keys.",
              "What a padded query computes is thrown away later; what matters is that nobody looks at a padded key.",
              {"place": on_rows, "lay": lambda s, keep: plain(np.where(keep, s, -1e9))},
              {"place": on_rows, "lay": lambda s, keep: plain(np.where(keep, s, -np.inf))}, place=on_rows),
        wrong("no_axis", "It lays the mask (b, m) on without an axis for the queries, so sequences meet queries.",
              "NumPy lines shapes up from the right: (b, m) meets (n, m). Put an axis of 1 between.",
              ask="What is the shape of your mask, and how does NumPy line it up with (b, n, m)?",
              place=lambda r, s: r),
        wrong("inverted", "It hides the real keys and shows the padding.", "True means “may attend”.",
              lay=lambda s, keep: softmax(s, ~keep)),
        wrong("adds_truth", "It adds the mask of truth values to the scores.", "A mask that is added holds 0 and −∞.",
              lay=lambda s, keep: plain(s + keep)),
        wrong("multiplies", "It multiplies the scores by the mask: a hidden score becomes 0.", "exp(0) is 1: hide "
              "with −∞.",
              lay=lambda s, keep: plain(s * keep)),
        wrong("after", "It sets weights to 0 after the softmax, so rows no longer sum to 1.", "Hide the scores, "
              "before it.",
              lay=lambda s, keep: plain(s) * keep),
        wrong("one_more", "It shows one padded key.", "Keys are counted from 0: j < length.",
              real=lambda m, lengths: np.arange(m) <= lengths[:, None]),
        wrong("one_less", "It hides the last real key.", "Keys are counted from 0: j < length.",
              real=lambda m, lengths: np.arange(m) < np.maximum(lengths[:, None] - 1, 1)),
        wrong("from_the_left", "It takes the padding to stand on the left.", "The first lengths[b] keys are real.",
              real=lambda m, lengths: np.arange(m) >= m - lengths[:, None]),
        wrong("longest", "It gives every sequence the length of the longest.", "Each sequence has its own length.",
              real=lambda m, lengths: np.arange(m) < np.full_like(lengths, lengths.max())[:, None]),
        wrong("first_length", "It gives every sequence the length of the first.", "Each sequence has its own length.",
              real=lambda m, lengths: np.arange(m) < np.full_like(lengths, lengths[0])[:, None]),
        wrong("no_mask", "It hides nothing.", "Keys from lengths[b] on are padding.", lay=lambda s, keep: plain(s)),
        wrong("padding_maximum", "It removes the padding after the exponential: where the padding holds the "
              "largest score, the "
              "rest underflows to 0/0.", "The maximum must be taken over the real keys.", lay=removed),
        wrong("over_queries", "It takes the softmax over the queries.",
              "Each query spreads a weight of 1 over the real keys.",
              {"lay": lambda s, keep: plain(np.where(keep, s, -1e30).swapaxes(1, 2)).swapaxes(1, 2)},
              {"lay": lambda s, keep: plain(np.where(keep, s, -1e9).swapaxes(1, 2)).swapaxes(1, 2)},
              lay=lambda s, keep: plain(np.where(keep, s, -np.inf).swapaxes(1, 2)).swapaxes(1, 2)),
        wrong("one_column", "It hides one column of padding and leaves the others.",
              "All keys from lengths[b] on are padding: a slice, not one place.",
              real=lambda m, lengths: np.arange(m) != lengths[:, None]),
        wrong("causal", "It hides the future as well.", "Here every query sees every real key.",
              lay=lambda s, keep: plain(np.where(keep & np.tri(*s.shape[1:], s.shape[2] - s.shape[1], dtype=bool),
                                                 s, -1e30))),
        wrong("epsilon", "It adds a small number to the sum, so a row of small exponentials loses its weight.",
              "Take the maximum over the real keys: the sum is then at least 1 and needs no protection.",
              {"lay": lambda s, keep: removed(s, keep, 1e-9)}, {"lay": lambda s, keep: removed(s, keep, 1e-6)},
              lay=lambda s, keep: removed(s, keep, 1e-12)),
    ),
    probes=(Stress("padding_maximum", (np.array([[[-900.0, 900.0]]]), np.array([1]))),),
)  # fmt: skip


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


EMPTY = Exercise(
    "8.4", "rows with nothing allowed", "Rows with nothing allowed", "safe_weights(S, allowed)",
    lambda s, keep: softmax(s, keep), empty_model,
    hints=(
        "What is the maximum of a row of −∞, and what is −∞ − (−∞)?",
        "An empty row has weights 0: its output is an empty sum. Decide it before a NaN arises.",
        "A maximum that is 0 where it would be −∞, and a division by 1 where the sum is 0.",
    ),
    cases=lambda rng: [(rng.normal(size=np.shape(keep)) * 2, np.array(keep, bool)) for keep in
                       ([[1, 0, 1], [0, 0, 0]], [[1, 1], [0, 1]], [[0, 0, 0], [1, 1, 1], [0, 1, 0]], [[0, 0]])],
    misconceptions=(
        wrong("nan", "A row with nothing allowed becomes NaN: −∞ − (−∞) has no value.",
              "NaN spreads to everything it touches; an empty row must give zeros.",
              lay=lambda s, keep: plain(np.where(keep, s, -np.inf))),
        wrong("uniform", "A row with nothing allowed is shared out evenly.",
              "Even shares look at keys that are forbidden; that is what −1e9 in place of −∞ does.",
              {"lay": lambda s, keep: plain(np.where(keep, s, -1e9))},
              lay=uniform),
        wrong("unmasked", "A row with nothing allowed is treated as if all were allowed.",
              "Adding a large negative number to a whole row is a shift, and softmax ignores a shift.",
              {"lay": lambda s, keep: plain(s + np.where(keep, 0, -1e6))}, lay=unmasked),
        wrong("infinite", "It leaves −∞ in a row with nothing allowed.", "Weights are never negative: put 0.",
              lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), -np.inf)),
        wrong("all_zero", "It makes every weight 0 if any row is empty.", "The other rows have keys to look at.",
              lay=lambda s, keep: softmax(s, keep) * keep.any(-1).all()),
        wrong("after", "It sets weights to 0 after the softmax, so rows no longer sum to 1.", "Forbid the scores, "
              "before it.",
              lay=lambda s, keep: plain(s) * keep),
        wrong("inverted", "True and False are exchanged.", "True means “may attend”.", lay=lambda s,
              keep: softmax(s, ~keep)),
        wrong("first_key", "It gives an empty row to its first key.", "Nothing is allowed there, the first key "
              "neither.",
              lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), np.eye(s.shape[-1])[0])),
        wrong("no_mask", "It forbids nothing.", "Where `allowed` is False the weight is 0.", lay=lambda s,
              keep: plain(s)),
        wrong("no_shift", "It overflows for large scores: exp(1000) is inf, and inf/inf is NaN.",
              "Subtract the maximum of what is allowed in each row first.", lay=unshifted),
        wrong("shift_min", "It subtracts the smallest score of the row, so a row that is spread wide still "
              "overflows.",
              "Only the maximum makes sure that every exponent is at or below 0.",
              lay=lambda s, keep: unshifted(s - np.where(keep, s, np.inf).min(-1, keepdims=True, initial=1e9), keep)),
        wrong("nan_hidden", "It turns every NaN into 0, also one that was in the data.",
              "A NaN among the allowed scores is a fault upstream, and hiding it makes it hard to find.",
              lay=lambda s, keep: np.nan_to_num(plain(np.where(keep, s, -np.inf)))),
        wrong("forbidden_maximum", "It subtracts a maximum that may be a forbidden score: where that is far larger, "
              "the rest underflows to 0.", "The maximum must be taken over what is allowed.",
              lay=shifted_by_all),
        wrong("forbidden_nan", "A NaN at a forbidden place spoils its row: it was multiplied by 0, which leaves NaN.",
              "0 · NaN is NaN. Choose with np.where(allowed, …) before the exponential.", lay=multiplied),
        wrong("epsilon", "It adds a small number to the sum, so rows sum to a little less than 1.",
              "A row with something allowed sums to at least 1 after the shift; only an empty row needs care.",
              {"lay": guarded(1e-5)}, {"lay": guarded(1e-7)}, {"lay": guarded(1e-4)},
              *({"lay": lambda s, keep, eps=eps: np.exp(s) * keep / ((np.exp(s) * keep).sum(-1, keepdims=True) + eps)}
                for eps in (1e-9, 1e-8, 1e-6)), lay=guarded(1e-6)),
        wrong("not_divided", "It returns the exponentials and never divides.", "Weights must sum to 1 in each row.",
              lay=lambda s, keep: np.exp(np.where(keep, s, -np.inf) - top(s, keep))),
        wrong("rows_dropped", "It leaves the empty rows out of the result.", "One row for each query: zeros there.",
              lay=lambda s, keep: softmax(s, keep)[keep.any(-1)]),
        wrong("stops_at_empty", "It stops at the first empty row, and the rows after it stay 0.",
              "`break` ends the loop; `continue` goes on to the next row.",
              lay=lambda s, keep: softmax(s, keep) * np.logical_and.accumulate(keep.any(-1))[:, None]),
        wrong("ones", "It leaves 1 in every place of an empty row.", "An empty row has weights 0.",
              lay=lambda s, keep: np.where(keep.any(-1, keepdims=True), softmax(s, keep), 1.0)),
    ),
    probes=(
        Stress("forbidden_maximum", (np.array([[-900.0, 900.0], [0.0, 1.0]]),
                                     np.array([[True, False], [True, True]])), when=never),
        Stress("forbidden_nan", (np.array([[np.nan, 1.0, 2.0]]), np.array([[False, True, True]])), when=never),
        Stress("no_shift", (np.array([[1000.0, 999.0]]), np.array([[True, True]]))),
        Stress("shift_min", (np.array([[1000.0, -1000.0]]), np.array([[True, True]]))),
        Stress("nan_hidden", (np.array([[np.nan, 1.0], [0.0, 0.0]]), np.array([[True, True], [False, False]])),
               when=lambda got, right: got.kind == "value" and not np.isnan(got.value).any()),
    ),
)  # fmt: skip

EXERCISES = (PADDING, EMPTY)
