"""Exercise 11.2, a pre-norm block."""

import numpy as np

from attn.exercises.catalogue.sections import NORM, PLUS, taught
from attn.exercises.checks.exercise import Exercise, wrong


def block_model(
    x,
    attend,
    feed,
    norm1,
    norm2,
    *,
    before=lambda f, norm: lambda x: f(norm(x)),
    first=lambda x, y: x + y,
    second=lambda x, y: x + y,
    norms=lambda a, b: (a, b),
    order=lambda a, f: (a, f),
    after=lambda x, n1, n2: x,
    source=lambda x, h: h,
    last=lambda x, y: y,
    whole=None,
):
    """x + attend(norm1(x)), then the same with the feed-forward part."""
    if whole:
        return whole(x, attend, feed, norm1, norm2)
    a, b = norms(norm1, norm2)
    one, two = order(attend, feed)
    h = first(x, before(one, a)(x))
    return after(last(x, second(h, before(two, b)(source(x, h)))), a, b)


def norm_like(seed):
    """A stand-in for a layer norm that is easy to tell from another."""

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / (1 + abs(x).max(-1, keepdims=True)) * (seed + 1) + 0.1 * seed

    return norm


def attend_like(x):
    """A stand-in for attention: every token receives a share of the mean."""
    return np.tanh(x) + 0.5 * x.mean(0)


def feed_like(x):
    """A stand-in for the feed-forward part."""
    return np.maximum(x, 0) * 1.5 - 0.25


EXERCISE = Exercise(
    "11.2",
    "a pre-norm block",
    "The transformer block",
    "block(x, attend, feed, norm1, norm2)",
    lambda x, attend, feed, norm1, norm2: (h := x + attend(norm1(x))) + feed(norm2(h)),
    block_model,
    another=(
        """\
def block(x, attend, feed, norm1, norm2):
    for part, norm in ((attend, norm1), (feed, norm2)):
        x = x + part(norm(x))
    return x
""",
        "Both parts have one form, so a block is that form twice.",
    ),
    hints=(
        "What runs along unchanged from the bottom of the network to the top?",
        "Each part reads a normed copy of the stream, and what it returns is added to the stream itself.",
        "Two lines of one form: the stream, plus a part of a norm of the stream.",
    ),
    cases=lambda rng: [
        (rng.normal(size=shape), attend_like, feed_like, norm_like(1), norm_like(2))
        for shape in ((3, 4), (2, 5), (1, 3))
    ],
    misconceptions=(
        wrong(
            "feed_reads_part",
            "The feed-forward part reads what attention returned alone, without the stream it was added to.",
            "Each part reads the stream as it then is: x + attend(norm1(x)).",
            first=lambda x, y: y,
            last=lambda x, y: x + y,
        ),
        wrong(
            "post_norm",
            "It norms after each sum, as the first transformer did.",
            "In a pre-norm block the stream itself is never normed; only what each part reads is.",
            before=lambda f, norm: lambda x: norm(x + f(x)),
            first=lambda x, y: y,
            second=lambda x, y: y,
        ),
        wrong(
            "no_residual",
            "It leaves out both residual sums.",
            "Each part adds to the stream; it does not replace it.",
            first=lambda x, y: y,
            second=lambda x, y: y,
        ),
        wrong(
            "no_first_residual",
            "It leaves out the residual sum around attention.",
            "x + attend(…).",
            first=lambda x, y: y,
        ),
        wrong(
            "no_second_residual",
            "It leaves out the residual sum around the feed-forward part.",
            "h + feed(…).",
            second=lambda x, y: y,
        ),
        wrong(
            "normed_residual",
            "It adds each part to the normed stream in place of the stream.",
            "The stream passes by untouched; only the part's input is normed.",
            before=lambda f, norm: lambda x: norm(x) + f(norm(x)) - x,
        ),
        wrong(
            "one_norm",
            "It uses the first norm twice.",
            "Each part has a norm with a gain and bias of its own.",
            norms=lambda a, b: (a, a),
        ),
        wrong(
            "norms_exchanged", "The two norms are exchanged.", "norm1 belongs to attention.", norms=lambda a, b: (b, a)
        ),
        wrong("no_norms", "It leaves the norms out.", "Each part reads a normed copy.", before=lambda f, norm: f),
        wrong(
            "feed_first",
            "The feed-forward part comes before attention.",
            "First the tokens exchange, then each digests.",
            {"order": lambda a, f: (f, a), "norms": lambda a, b: (b, a)},
            order=lambda a, f: (f, a),
        ),
        wrong(
            "attention_twice",
            "It uses attention twice.",
            "The second part is the feed-forward one.",
            order=lambda a, f: (a, a),
        ),
        wrong(
            "parallel",
            "The feed-forward part reads x in place of what attention has added to.",
            "That is a parallel block; here the second part reads the stream after the first.",
            source=lambda x, h: x,
        ),
        wrong(
            "chained",
            "The feed-forward part reads what attention returned, not the stream that it was added to.",
            "Each part reads the stream: x + attend(…) first.",
            first=lambda x, y: y,
            second=lambda h, y: y,
            last=lambda x, y: x + y,
        ),
        wrong(
            "stream_lost",
            "What attention added is read by the feed-forward part, and then lost: the last sum starts from x.",
            "The second sum continues from the stream after the first.",
            last=lambda x, y: x + y,
            second=lambda h, y: y,
        ),
        wrong(
            "norm_at_end",
            "It norms the result once more.",
            "That norm stands once, after the last block.",
            after=lambda x, n1, n2: n2(x),
        ),
        wrong(
            "norm_after_part",
            "It norms what each part returns in place of what it reads.",
            "The norm stands before the part.",
            before=lambda f, norm: lambda x: norm(f(x)),
        ),
        wrong("no_feed", "It leaves out the feed-forward part.", "A block has two parts.", second=lambda x, y: x),
        wrong(
            "update_only",
            "It returns what the two parts add, without the stream itself.",
            "The block's result is the stream with both parts added.",
            last=lambda x, y: y - x,
        ),
        wrong(
            "stream_twice",
            "It adds the stream a second time.",
            "x + attend(…) holds the stream already.",
            last=lambda x, y: y + x,
        ),
        wrong(
            "feed_not_normed",
            "The feed-forward part reads the stream without its norm.",
            "Each part reads a normed copy.",
            norms=lambda a, b: (a, lambda x: x),
        ),
        wrong(
            "one_by_one",
            "It gives the parts one token at a time.",
            "Attention mixes tokens: it must be given all of them.",
            whole=lambda x, attend, feed, norm1, norm2: np.vstack(
                [block_model(r[None], attend, feed, norm1, norm2) for r in x]
            ),
        ),
        wrong(
            "attention_again",
            "It adds what attention gave a second time.",
            "h = x + attend(norm1(x)) holds it already: to h comes only what the feed-forward part gives.",
            whole=lambda x, attend, feed, norm1, norm2: x + 2 * attend(norm1(x)) + feed(norm2(x + attend(norm1(x)))),
        ),
        wrong(
            "half_sums",
            "It averages the stream with what a part gives.",
            "The stream is a sum: nothing is halved.",
            dict(first=lambda x, y: (x + y) / 2),
            dict(second=lambda x, y: (x + y) / 2),
            dict(first=lambda x, y: (x + y) / np.sqrt(2), second=lambda x, y: (x + y) / np.sqrt(2)),
            first=lambda x, y: (x + y) / 2,
            second=lambda x, y: (x + y) / 2,
        ),
        wrong(
            "subtracted",
            "It subtracts what a part gives.",
            "Each part adds to the stream.",
            dict(first=lambda x, y: x - y),
            dict(second=lambda x, y: x - y),
            first=lambda x, y: x - y,
            second=lambda x, y: x - y,
        ),
        wrong(
            "multiplied",
            "It multiplies the stream by what a part gives.",
            "Each part adds to the stream.",
            dict(first=lambda x, y: x * y),
            dict(second=lambda x, y: x * y),
            first=lambda x, y: x * y,
            second=lambda x, y: x * y,
        ),
        wrong(
            "norms_twice",
            "It norms twice before a part.",
            "Each part reads a copy that was normed once, by its own norm.",
            dict(norms=lambda a, b: (lambda x: a(a(x)), lambda x: b(b(x)))),
            norms=lambda a, b: (a, lambda x: b(a(x))),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        NORM: "no_norms feed_not_normed norms_twice",
        PLUS: "no_residual no_first_residual no_second_residual normed_residual stream_lost update_only "
        "stream_twice half_sums subtracted multiplied",
    },
)
