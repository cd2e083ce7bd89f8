"""Exercise 8.2, causal attention weights."""

import numpy as np

from attn import masks
from attn.exercises.catalogue.kin import with_masks
from attn.exercises.catalogue.sections import CORNER, FORBIDDEN, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.probes import Stress, never
from attn.softmax import softmax


def causal_model(
    s, *, offset=lambda n, m: m - n, keep=lambda past, j, i: j <= i, lay=lambda s, keep: softmax(s, keep), flip=False
):
    """Softmax of the allowed scores: where the queries stand, what they may see, how the mask is laid on."""
    n, m = s.shape
    i, j = np.arange(n)[:, None] + offset(n, m), np.arange(m)[None, :]
    allowed = np.broadcast_to(keep(None, j, i), (n, m))
    return lay(s, ~allowed if flip else allowed)


def fill(value):
    """Forbidden scores replaced by a number."""
    return lambda s, keep: plain(np.where(keep, s, value))


def added(value):
    """A number added to forbidden scores."""
    return lambda s, keep: plain(s + np.where(keep, 0.0, value))


def plain(s):
    """A stable softmax that makes no exception for empty rows: they become NaN, as the formula has it."""
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def bare(s):
    """Softmax without a shift."""
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True)


def renormalised(s, keep):
    """Softmax over everything, then the forbidden part removed and the rest scaled up."""
    a = np.where(keep, plain(s), 0.0)
    return a / a.sum(-1, keepdims=True)


def share_of(e):
    """Each entry over the sum of its row."""
    return e / e.sum(-1, keepdims=True)


def times(allowed, forbidden):
    """Scores multiplied by one number where allowed and another where not."""
    return lambda s, keep: plain(s * np.where(keep, allowed, forbidden))


def cut(c):
    """Scores cut off at ±c."""
    return lambda s, keep: plain(np.where(keep, np.clip(s, -c, c), -np.inf))


def unmasked_over(s, keep, eps):
    """The future removed after the exponential, and a sum that cannot be 0."""
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    return e / (e.sum(-1, keepdims=True) + eps)


def hidden_as_largest(s, keep):
    """The mask in the exponent: what is hidden counts as the largest score in the sum, and is removed afterwards."""
    low = s - np.where(keep, s, -np.inf).max(-1, keepdims=True)
    return share_of(np.exp(np.where(keep, low, 0.0))) * keep


def uniform(s, keep):
    """Equal weights for all keys that may be seen."""
    return keep / keep.sum(-1, keepdims=True)


EXERCISE = Exercise(
    "8.2",
    "causal attention weights",
    "The causal mask",
    "causal_weights(S)",
    lambda s: softmax(s, masks.causal(*s.shape)),
    causal_model,
    another=(
        """\
def causal_weights(S):
    n, m = S.shape
    S = S + np.triu(np.full((n, m), -np.inf), m - n + 1)
    return np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
""",
        "A mask may be added: 0 where one may look, −∞ where not.",
    ),
    hints=(
        "What do the rows of the result sum to, and which entries must be exactly 0?",
        "exp(−∞) is 0: what is forbidden must be so before the softmax shares out the weight.",
        "A boolean matrix from comparing j with i + (m − n); np.where puts −∞ where it is False; then a row softmax.",
    ),
    cases=lambda rng: [(rng.normal(size=shape) * 2,) for shape in ((3, 3), (5, 5), (2, 4), (1, 3), (1, 1), (3, 7))],
    misconceptions=(
        wrong(
            "mask_after",
            "It sets future weights to 0 after the softmax, so rows no longer sum to 1.",
            "The softmax has given part of the weight to the future by then. Forbid the scores, before it.",
            ask="What do your rows sum to?",
            lay=lambda s, keep: np.where(keep, plain(s), 0.0),
        ),
        wrong(
            "infinite_weights",
            "It writes −∞ into the weights, after the softmax.",
            "−∞ belongs in the scores, where exp turns it into 0.",
            lay=lambda s, keep: np.where(keep, plain(s), -np.inf),
        ),
        wrong(
            "multiply",
            "It multiplies the scores by a mask of 0 and 1, so a forbidden score becomes 0.",
            "A score of 0 is an ordinary score: exp(0) is 1. Only −∞ gets no weight.",
            {"lay": fill(0.0)},
            {"lay": lambda s, keep: plain(s * keep) * keep},
            {"lay": hidden_as_largest},
            ask="What weight does a score of 0 get?",
            lay=times(1.0, 0.0),
        ),
        wrong(
            "plus_infinity",
            "It fills the forbidden scores with +∞: the sign is wrong.",
            "exp(+∞) takes all the weight, exp(−∞) takes none.",
            {"lay": added(np.inf)},
            lay=fill(np.inf),
        ),
        wrong(
            "adds_truth",
            "It adds the mask of 0 and 1 to the scores.",
            "A mask that is added holds 0 where allowed and −∞ where not.",
            lay=lambda s, keep: plain(s + keep),
        ),
        wrong(
            "minus_one",
            "It fills the forbidden scores with −1.",
            "−1 is an ordinary score and gets weight; −∞ gets none.",
            lay=fill(-1.0),
        ),
        wrong(
            "tiny",
            "It fills the forbidden scores with a tiny positive number, which is nearly 0.",
            "A score near 0 gets an ordinary weight, exp(0) = 1. It is −∞ that gets none.",
            {"lay": fill(1e-3)},
            lay=fill(1e-2),
        ),
        wrong(
            "small_negative",
            "It lowers the forbidden scores by too little: some weight leaks to the future.",
            "exp(−10) is 0.00005, not 0. Use −∞.",
            {"lay": added(-10.0)},
            {"lay": fill(-5.0)},
            {"lay": fill(-20.0)},
            {"lay": added(-5.0)},
            {"lay": added(-20.0)},
            lay=fill(-10.0),
        ),
        wrong(
            "zero_times_infinity",
            "It multiplies by −∞ to build the mask: 0 · −∞ is NaN.",
            "Choose with np.where(allowed, S, −∞); multiplication cannot make −∞ of some and leave the rest.",
            {"lay": times(1.0, -np.inf)},
            lay=lambda s, keep: plain(s + np.where(keep, 0.0, 1.0) * -np.inf),
        ),
        wrong(
            "no_mask",
            "There is no mask: every query sees every key.",
            "A token that is being predicted must not be seen by the query that predicts it.",
            keep=lambda past, j, i: j >= 0,
        ),
        wrong(
            "weights_kept_raw",
            "It masks the scores and returns them without a softmax.",
            "Weights are asked for: positive, each row summing to 1.",
            {"lay": lambda s, keep: np.where(keep, s, 0.0)},
            lay=lambda s, keep: np.where(keep, s, -np.inf),
        ),
        wrong(
            "columns",
            "It takes the softmax down the columns (axis 0).",
            "Each query spreads a weight of 1 over the keys it may see: along a row.",
            lay=lambda s, keep: plain(np.where(keep, s, -np.inf).T).T,
        ),
        wrong(
            "anti_causal",
            "It keeps the upper triangle: queries see the future and not the past.",
            "Query i may see the keys j ≤ i: the lower triangle.",
            ask="Which keys may the first query see?",
            keep=lambda past, j, i: j >= i,
        ),
        wrong(
            "strict",
            "It hides the query's own place too: a token cannot see itself, and where n = m the first row is empty.",
            "Query i may see key i: its own token is already known.",
            {"keep": lambda past, j, i: j < i, "lay": fill(-np.inf)},
            keep=lambda past, j, i: j < i,
        ),
        wrong(
            "off_by_one",
            "It lets each query see one key of the future.",
            "The first query may see one key, its own: np.tril's second argument, or < in place of ≤.",
            keep=lambda past, j, i: j <= i + 1,
        ),
        wrong(
            "diagonal_only",
            "It lets each query see its own key only.",
            "Causal means the past and oneself.",
            keep=lambda past, j, i: j == i,
        ),
        wrong(
            "inverted",
            "True and False are exchanged in the mask: the past is hidden, the future shown.",
            "np.where(allowed, S, −∞) keeps where the condition is True.",
            {"flip": True, "lay": fill(-np.inf)},
            ask="In your mask, does True mean “may attend” or “blocked”?",
            flip=True,
        ),
        wrong(
            "top_left",
            "It aligns the mask at the top left. With fewer queries than keys, the last query must see all keys.",
            "With a cache the n queries are the last n of the m tokens: query i stands at position i + m − n.",
            ask="In the case with 2 queries and 4 keys, which token is query 0?",
            offset=lambda n, m: 0,
        ),
        wrong(
            "no_shift",
            "It overflows for large scores: exp(900) is inf, and inf/inf is NaN.",
            "Subtract the maximum of each row first: no weight changes.",
            lay=lambda s, keep: bare(np.where(keep, s, -np.inf)),
        ),
        wrong(
            "unmasked_maximum",
            "It removes the future after the exponential: "
            "where the future holds the largest score, the rest underflows to 0/0.",
            "The maximum, and with it the shift, must be taken over the allowed scores only.",
            dict(lay=lambda s, keep: share_of(np.exp(s - s.max(-1, keepdims=True)) * keep)),
            dict(lay=lambda s, keep: share_of(np.exp(np.where(keep, s, -np.inf) - s.max(-1, keepdims=True)))),
            lay=renormalised,
        ),
        wrong(
            "finite_fill",
            "It forbids with a number that is not low enough for large scores.",
            "Whatever number you choose, some scores lie lower; −∞ lies below all of them.",
            {"lay": fill(-100.0)},
            {"lay": fill(-1e4)},
            {"lay": added(-100.0)},
            {"lay": added(-1e3)},
            {"lay": added(-1e4)},
            lay=fill(-1e3),
        ),
        wrong(
            "clipped",
            "It cuts large scores off, so scores that differ get the same weight.",
            "A shift by the maximum changes no weight; a cut does.",
            {"lay": cut(500)},
            {"lay": cut(100)},
            {"lay": cut(50)},
            lay=cut(700),
        ),
        wrong(
            "one_maximum",
            "It subtracts one maximum for all rows, so in a row far below it every exponential is 0.",
            "Each row has its own softmax, and its own maximum over what is allowed.",
            {"lay": lambda s, keep: bare(np.where(keep, s, -np.inf) - s.max())},
            lay=lambda s, keep: bare(np.where(keep, s, -np.inf) - np.where(keep, s, -np.inf).max()),
        ),
        wrong(
            "nan_hidden",
            "It overflows for large scores, and then writes 0 over the NaN.",
            "Weights are lost. Subtract each row's maximum first, and no NaN arises.",
            {"lay": lambda s, keep: np.nan_to_num(np.exp(s) * keep / (np.exp(s) * keep).sum(-1, keepdims=True))},
            lay=lambda s, keep: np.nan_to_num(bare(np.where(keep, s, -np.inf))),
        ),
        wrong(
            "epsilon",
            "It adds a small number to the sum, so a row of small exponentials loses its weight.",
            "Take the maximum over the allowed scores: the sum is then at least 1 and needs no protection.",
            {"lay": lambda s, keep: unmasked_over(s, keep, 1e-9)},
            {"lay": lambda s, keep: unmasked_over(s, keep, 1e-8)},
            {"lay": lambda s, keep: unmasked_over(s, keep, 1e-6)},
            lay=lambda s, keep: unmasked_over(s, keep, 1e-12),
        ),
        wrong(
            "logarithm",
            "It returns the logarithm of the weights.",
            "The weights themselves are asked for, each row summing to 1.",
            lay=lambda s, keep: np.log(softmax(s, keep)),
        ),
        wrong(
            "scaled",
            "It divides the scores by a root.",
            "S holds the scores as they are to be used.",
            dict(lay=lambda s, keep: softmax(s / np.sqrt(len(s)), keep)),
            lay=lambda s, keep: softmax(s / np.sqrt(s.shape[1]), keep),
        ),
        wrong(
            "equal_weights",
            "It gives all keys that may be seen the same weight.",
            "The scores decide how the weight is spread.",
            lay=uniform,
        ),
        wrong(
            "zero_is_hidden",
            "It takes every score of 0 for a hidden one.",
            "0 is an ordinary score: choose by position, not by value.",
            dict(lay=lambda s, keep: plain(np.where(keep & (s != 0), s, -1e30))),
            dict(lay=lambda s, keep: plain(np.where(keep & (s != 0), s, -1e9))),
            dict(
                lay=lambda s, keep: np.where(
                    (keep & (s != 0)).any(-1, keepdims=True), plain(np.where(keep & (s != 0), s, -np.inf)), 0.0
                )
            ),
            lay=lambda s, keep: plain(np.where(keep & (s != 0), s, -np.inf)),
        ),
        wrong(
            "ragged",
            "It returns only the weights of the keys that may be seen, so rows have different lengths.",
            "The result is (n, m): a key that may not be seen has the weight 0, and its place.",
            lay=lambda s, keep: tuple(softmax(s, keep)[i][keep[i]] for i in range(len(s))),
        ),
    ),
    probes=(
        Stress("small_negative", (np.zeros((2, 2)),), when=never, exact=True),
        Stress("clipped", (np.array([[30.0, 20.0], [5000.0, 5001.0]]),), when=never),
        Stress("clipped", (np.array([[1.0, 2.0], [60.0, 61.0]]),), when=never),
        Stress("one_maximum", (np.array([[-900.0, -900.0], [0.0, 1.0]]),), when=never),
        Stress(
            "zero_is_hidden",
            (np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 2.0, 0.0], [0.0, 2.0, 0.0, 1.0]]),),
            when=never,
        ),
        Stress("no_shift", (np.array([[900.0, 900.0], [-900.0, 900.0]]),)),
        Stress("unmasked_maximum", (np.array([[-900.0, 900.0], [0.0, 1.0]]),), when=never),
        Stress("finite_fill", (np.array([[-2e4, 2e4], [0.0, 1.0]]),), when=lambda got, right: got.value[0, 1] > 0),
    ),
    invariants=(
        (
            "Weight reaches the future: an entry that must be 0 is not.",
            lambda arguments, a: not (np.nan_to_num(a) * ~masks.causal(*arguments[0].shape)).any(),
        ),
        ("A row of the result does not sum to 1.", lambda arguments, a: np.allclose(a.sum(-1), 1)),
    ),
)
EXERCISE = with_masks(EXERCISE, lambda scores, keep: (scores,))
EXERCISE = taught(
    EXERCISE,
    {
        FORBIDDEN: "unmasked_maximum zero_is_hidden",
        CORNER: "top_left",
    },
)
