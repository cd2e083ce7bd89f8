"""Exercise 10.6, does the head look at the cue, or only in that direction?"""

import numpy as np

from attn import data
from attn.exercises.checks.exercise import Exercise, wrong

ALL = ("near", "other", "plain")


def reference(cue, near, other, plain):
    """The smallest of three mean lifts, for each head."""
    return np.min([(cue - control).mean(0) for control in (near, other, plain)], axis=0)


def lift_model(
    cue,
    near,
    other,
    plain,
    *,
    controls=ALL,
    compare=lambda cue, control: cue - control,
    over_words=lambda lift: lift.mean(1),
    combine=lambda lifts: lifts.min(0),
    answer=lambda score: score,
):
    """The same, with choices: which controls, how each is compared, averaged and combined."""
    given = dict(near=near, other=other, plain=plain)
    lifts = np.stack([compare(cue, given[name]) for name in controls])  # (controls, words, heads)
    return answer(combine(over_words(lifts)))


def stored(heads=slice(None)):
    """What the chapter's study measured: four arrays (words, heads)."""
    with np.load(data.path("encoder_study.npz")) as file:
        return tuple(file["looks"].astype(np.float64)[:, :, heads])


def random_case(rng, words, heads):
    """Weights in which each control is the sharpest for some heads."""
    return tuple(rng.uniform(0.05, 0.6, size=(words, heads)) for _ in range(4))


EXERCISE = Exercise(
    "10.6",
    "the cue, or only that direction",
    "Which heads bring it?",
    "lift(cue, near, other, plain)",
    reference,
    lift_model,
    hints=(
        "A head that always looks one place back gives much weight to a cue that stands one place back. Which of the "
        "three controls does it give as much?",
        "Each control answers another cheap story. A head is only as convincing as its worst control leaves it.",
        "Three differences, each averaged over the words; then the smallest of the three for each head.",
    ),
    cases=lambda rng: [random_case(rng, 3, 5), random_case(rng, 4, 4), random_case(rng, 2, 7), stored()],
    misconceptions=(
        wrong(
            "no_control",
            "It returns the weight on the cue, with no control at all.",
            "A large weight may be habit: a head that always looks one place back gives it to any word there.",
            controls=("near",),
            compare=lambda cue, control: cue,
        ),
        wrong(
            "no_near",
            "It leaves out the words at the same distance.",
            "Many cues stand just before their word. A head that looks there whatever it finds passes the other two.",
            controls=("other", "plain"),
        ),
        wrong(
            "no_other",
            "It leaves out the other words of the same sentence.",
            "A head may look at everything in this sentence more than elsewhere: a short sentence does that.",
            controls=("near", "plain"),
        ),
        wrong(
            "no_plain",
            "It leaves out the plain word in the cue's place.",
            "Without it, a head that looks at any adjective before its noun has found a sense.",
            controls=("near", "other"),
        ),
        wrong(
            "only_near",
            "It compares with one control alone: the same distance.",
            "Three are given, against three cheap stories; the head must beat each.",
            controls=("near",),
        ),
        wrong(
            "only_other",
            "It compares with one control alone: other words of the sentence.",
            "Three are given, against three cheap stories; the head must beat each.",
            controls=("other",),
        ),
        wrong(
            "only_plain",
            "It compares with one control alone: the plain word.",
            "Three are given, against three cheap stories; the head must beat each.",
            controls=("plain",),
        ),
        wrong(
            "kindest",
            "It keeps the largest of the three lifts.",
            "That is the control which proves least. A story stands if the hardest control leaves it standing.",
            combine=lambda lifts: lifts.max(0),
        ),
        wrong(
            "averaged",
            "It averages the three lifts.",
            "Two easy controls then outvote the one that fails.",
            combine=lambda lifts: lifts.mean(0),
        ),
        wrong(
            "added",
            "It adds the three lifts up.",
            "Two easy controls then outvote the one that fails. The smallest is asked for.",
            combine=lambda lifts: lifts.sum(0),
        ),
        wrong(
            "ratio",
            "It divides by the control in place of subtracting it.",
            "A ratio makes much of heads that hardly look anywhere: 0.002 is ten times 0.0002.",
            dict(compare=lambda cue, control: np.broadcast_to(cue.mean(0) / control.mean(0), cue.shape)),
            dict(compare=lambda cue, control: np.broadcast_to(cue.mean(0) / control.mean(0) - 1, cue.shape)),
            compare=lambda cue, control: cue / control,
        ),
        wrong(
            "reversed",
            "It subtracts the cue from the control.",
            "A lift is what the cue gets beyond its control.",
            compare=lambda cue, control: control - cue,
        ),
        wrong(
            "absolute",
            "It takes the size of the difference and forgets its sign.",
            "A head that avoids the cue would count as one that looks at it.",
            dict(over_words=lambda lift: abs(lift.mean(1))),
            compare=lambda cue, control: abs(cue - control),
        ),
        wrong(
            "summed",
            "It adds up over the words in place of averaging.",
            "The answer must not grow with the number of words in the study.",
            over_words=lambda lift: lift.sum(1),
        ),
        wrong(
            "worst_word",
            "It takes the smallest difference over the words too.",
            "One odd word then decides; the mean over words is asked for.",
            over_words=lambda lift: lift.min(1),
        ),
        wrong(
            "word_by_word",
            "It takes the hardest control word by word, and averages afterwards.",
            "Choosing a control for each word pays for the noise of each; average over words first.",
            over_words=lambda lift: lift,
            combine=lambda lifts: lifts.min(0).mean(0),
        ),
        wrong(
            "over_heads",
            "It averages over the heads, so it has one number for each word.",
            "Axis 0 is the words; one number for each head is asked for.",
            over_words=lambda lift: lift.mean(2),
        ),
        wrong(
            "which",
            "It returns the number of the best head.",
            "One lift for each head is asked for, (heads,): how far the best is ahead is half of the answer.",
            answer=lambda score: int(score.argmax()),
        ),
        wrong(
            "median",
            "It takes the median over the words in place of the mean.",
            "The mean is asked for: every word counts, also one that stands out.",
            over_words=lambda lift: np.median(lift, axis=1),
        ),
        wrong(
            "one_number",
            "It gives one number for all heads.",
            "One lift for each head is asked for, (heads,).",
            dict(answer=lambda score: score.max()),
            dict(answer=lambda score: score.mean()),
            answer=lambda score: score.min(),
        ),
        wrong(
            "which_control",
            "It returns the number of the hardest control, not the lift there.",
            "The lift itself is asked for: min gives it, argmin its place.",
            dict(combine=lambda lifts: lifts.argmax(0)),
            combine=lambda lifts: lifts.argmin(0),
        ),
        wrong(
            "products",
            "It multiplies the three lifts.",
            "The smallest is asked for; two that fail would make a product that holds.",
            combine=lambda lifts: lifts.prod(0),
        ),
        wrong(
            "middle",
            "It takes the middle one of the three lifts.",
            "A story stands if the hardest control leaves it standing: the smallest.",
            combine=lambda lifts: np.median(lifts, axis=0),
        ),
    ),
)
