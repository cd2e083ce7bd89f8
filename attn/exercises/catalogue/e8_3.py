"""Exercise 8.3, padding."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.kin import with_masks
from attn.exercises.catalogue.sections import CAUSAL, FORBIDDEN, taught
from attn.exercises.catalogue.stable import plain
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.probes import Stress, never
from attn.softmax import softmax


def padding_model(
    s,
    lengths,
    *,
    real=lambda m, lengths: np.arange(m) < lengths[:, None],
    place=lambda r, s: r[:, None, :],
    lay=lambda s, keep: softmax(s, keep),
):
    """Weights with the padded keys hidden."""
    keep = place(real(s.shape[-1], lengths), s)
    return lay(s, np.broadcast_to(keep, s.shape))


def on_rows(real, s):
    """The mask laid on queries: as many of them as a sequence has real keys."""
    return (np.arange(s.shape[1]) < real.sum(1)[:, None])[..., None]


def removed(s, keep, eps=0.0):
    """The padded part removed after the exponential, the rest scaled up; eps: a guard against a sum of 0."""
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    return e / (e.sum(-1, keepdims=True) + eps)


def whole_sequence(s, axes):
    """Exponentials, shifted by the largest along some axes, over their sum in the whole sequence."""
    e = np.exp(s - s.max(axes, keepdims=True))
    return e / e.sum((1, 2), keepdims=True)


def queries_too(s, keep):
    """Rows from each sequence's length on set to 0 as well."""
    lengths = keep.sum(-1)[:, :1]
    return softmax(s, keep) * (np.arange(s.shape[1]) < lengths)[..., None]


EXERCISE = Exercise(
    "8.3",
    "padding",
    "Padding",
    "padded_weights(S, lengths)",
    lambda s, lengths: softmax(s, masks.padding(lengths, s.shape[-1])),
    padding_model,
    another=(
        """\
def padded_weights(S, lengths):
    P = np.zeros_like(S)
    for scores, weights, length in zip(S, P, lengths):
        E = np.exp(scores[:, :length] - scores[:, :length].max(axis=1, keepdims=True))
        weights[:, :length] = E / E.sum(axis=1, keepdims=True)
    return P
""",
        "What is not there need not be masked: cut it off, and put the weights into zeros.",
    ),
    hints=(
        "A padded token is not there. Must nobody look at it, or must it not look?",
        "The mask is on keys: in sequence b the columns from lengths[b] on are hidden, for every query alike.",
        "A comparison of shape (b, m), given an axis for the queries, and a masked softmax.",
    ),
    cases=lambda rng: [
        (rng.normal(size=(b, n, m)) * 2, np.array(lengths))
        for b, n, m, lengths in (
            (2, 3, 4, [4, 2]),
            (2, 2, 5, [2, 4]),
            (3, 3, 3, [1, 3, 2]),
            (2, 2, 2, [2, 1]),
            (1, 2, 3, [2]),
            (2, 1, 4, [1, 3]),
            (2, 3, 1, [1, 1]),
            (2, 5, 3, [3, 1]),
        )
    ],
    misconceptions=(
        wrong(
            "queries",
            "It hides rows, the queries, in place of columns, the keys.",
            "What a padded query computes is thrown away later; what matters is that nobody looks at a padded key.",
            {"place": on_rows, "lay": lambda s, keep: plain(np.where(keep, s, -1e9))},
            {"place": on_rows, "lay": lambda s, keep: plain(np.where(keep, s, -np.inf))},
            place=on_rows,
        ),
        wrong(
            "no_axis",
            "It lays the mask (b, m) on without an axis for the queries, so sequences meet queries.",
            "NumPy lines shapes up from the right: (b, m) meets (n, m). Put an axis of 1 between.",
            ask="What is the shape of your mask, and how does NumPy line it up with (b, n, m)?",
            place=lambda r, s: r,
        ),
        wrong(
            "inverted",
            "It hides the real keys and shows the padding.",
            "True means “may attend”.",
            lay=lambda s, keep: softmax(s, ~keep),
        ),
        wrong(
            "adds_truth",
            "It adds the mask of truth values to the scores.",
            "A mask that is added holds 0 and −∞.",
            lay=lambda s, keep: plain(s + keep),
        ),
        wrong(
            "multiplies",
            "It multiplies the scores by the mask: a hidden score becomes 0.",
            "exp(0) is 1: hide with −∞.",
            lay=lambda s, keep: plain(s * keep),
        ),
        wrong(
            "after",
            "It sets weights to 0 after the softmax, so rows no longer sum to 1.",
            "Hide the scores, before it.",
            lay=lambda s, keep: plain(s) * keep,
        ),
        wrong(
            "one_more",
            "It shows one padded key.",
            "Keys are counted from 0: j < length.",
            real=lambda m, lengths: np.arange(m) <= lengths[:, None],
        ),
        wrong(
            "one_less",
            "It hides the last real key.",
            "Keys are counted from 0: j < length.",
            real=lambda m, lengths: np.arange(m) < np.maximum(lengths[:, None] - 1, 1),
        ),
        wrong(
            "from_the_left",
            "It takes the padding to stand on the left.",
            "The first lengths[b] keys are real.",
            real=lambda m, lengths: np.arange(m) >= m - lengths[:, None],
        ),
        wrong(
            "longest",
            "It gives every sequence the length of the longest.",
            "Each sequence has its own length.",
            real=lambda m, lengths: np.arange(m) < np.full_like(lengths, lengths.max())[:, None],
        ),
        wrong(
            "first_length",
            "It gives every sequence the length of the first.",
            "Each sequence has its own length.",
            real=lambda m, lengths: np.arange(m) < np.full_like(lengths, lengths[0])[:, None],
        ),
        wrong("no_mask", "It hides nothing.", "Keys from lengths[b] on are padding.", lay=lambda s, keep: plain(s)),
        wrong(
            "padding_maximum",
            "It removes the padding after the exponential: "
            "where the padding holds the largest score, the rest underflows to 0/0.",
            "The maximum must be taken over the real keys.",
            lay=removed,
        ),
        wrong(
            "over_queries",
            "It takes the softmax over the queries.",
            "Each query spreads a weight of 1 over the real keys.",
            dict(
                lay=lambda s, keep: np.where(keep, plain(np.where(keep, s, -1e30).swapaxes(1, 2)).swapaxes(1, 2), 0.0)
            ),
            {"lay": lambda s, keep: plain(np.where(keep, s, -1e30).swapaxes(1, 2)).swapaxes(1, 2)},
            {"lay": lambda s, keep: plain(np.where(keep, s, -1e9).swapaxes(1, 2)).swapaxes(1, 2)},
            lay=lambda s, keep: plain(np.where(keep, s, -np.inf).swapaxes(1, 2)).swapaxes(1, 2),
        ),
        wrong(
            "over_everything",
            "It normalises over all queries of a sequence together, or over all sequences.",
            "Each query has a weight of 1 to spread; here many share one.",
            dict(lay=lambda s, keep: whole_sequence(np.where(keep, s, -np.inf), (1, 2))),
            lay=lambda s, keep: whole_sequence(np.where(keep, s, -np.inf), -1),
        ),
        wrong(
            "one_column",
            "It hides one column of padding and leaves the others.",
            "All keys from lengths[b] on are padding: a slice, not one place.",
            real=lambda m, lengths: np.arange(m) != lengths[:, None],
        ),
        wrong(
            "causal",
            "It hides the future as well.",
            "Here every query sees every real key.",
            dict(
                lay=lambda s, keep: plain(
                    np.where(keep & np.tri(*s.shape[1:], max(s.shape[2] - s.shape[1], 0), dtype=bool), s, -np.inf)
                )
            ),
            dict(
                lay=lambda s, keep: plain(
                    np.where(keep & np.tri(*s.shape[1:], max(s.shape[2] - s.shape[1], 0), dtype=bool), s, -1e30)
                )
            ),
            dict(
                lay=lambda s, keep: plain(
                    np.where(keep & np.tri(*s.shape[1:], max(s.shape[2] - s.shape[1], 0), dtype=bool), s, -1e9)
                )
            ),
            dict(lay=lambda s, keep: plain(np.where(keep & np.tri(*s.shape[1:], 0, dtype=bool), s, -np.inf))),
            dict(lay=lambda s, keep: plain(np.where(keep & np.tri(*s.shape[1:], 0, dtype=bool), s, -1e30))),
            dict(lay=lambda s, keep: plain(np.where(keep & np.tri(*s.shape[1:], 0, dtype=bool), s, -1e9))),
            lay=lambda s, keep: plain(
                np.where(keep & np.tri(*s.shape[1:], s.shape[2] - s.shape[1], dtype=bool), s, -1e30)
            ),
        ),
        wrong(
            "epsilon",
            "It adds a small number to the sum, so a row of small exponentials loses its weight.",
            "Take the maximum over the real keys: the sum is then at least 1 and needs no protection.",
            {"lay": lambda s, keep: removed(s, keep, 1e-9)},
            {"lay": lambda s, keep: removed(s, keep, 1e-6)},
            lay=lambda s, keep: removed(s, keep, 1e-12),
        ),
        wrong(
            "per_query",
            "It takes the length of another sequence for each query.",
            "Lengths belong to sequences, the first axis: lengths[:, None, None].",
            place=lambda r, s: r[np.arange(s.shape[1]) % len(r)][None],
        ),
        wrong(
            "queries_too",
            "It hides the rows of padded queries as well.",
            "Only keys are hidden: a row of weights sums to 1 for every query.",
            lay=queries_too,
        ),
        wrong(
            "ragged",
            "It cuts the padding off, so the parts have different shapes.",
            "The result is (b, n, m): a padded key has the weight 0, and its place.",
            lay=lambda s, keep: tuple(softmax(x, k)[:, k[0]] for x, k in zip(s, keep, strict=True)),
        ),
        wrong(
            "shortest",
            "It gives every sequence the length of the shortest.",
            "Each sequence has its own length.",
            dict(real=lambda m, lengths: np.arange(m) < np.full_like(lengths, int(lengths.mean()))[:, None]),
            real=lambda m, lengths: np.arange(m) < np.full_like(lengths, lengths.min())[:, None],
        ),
    ),
    probes=(Stress("padding_maximum", (np.array([[[-900.0, 900.0]]]), np.array([1])), when=never),),
)


def shown(scores, keep):
    """As much of each row as its mask shows from the left, at least one key."""
    return scores[:, None], np.where(keep.all(1), 4, np.maximum(keep.argmin(1), 1))


EXERCISE = with_masks(EXERCISE, shown)
EXERCISE = taught(
    EXERCISE,
    {
        FORBIDDEN: "padding_maximum",
        CAUSAL: "causal",
    },
)
