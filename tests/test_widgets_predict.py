"""Questions from Python: what counts as right, what is said to a wrong guess, and what stands without a script."""

import re

import numpy as np
import pytest

pytest.importorskip("anywidget")

from attn.show import widgets

RATIO = np.exp(4.0)


def ratio(**more):
    """A number, with two likely wrong guesses and a text that is made from the answer."""
    replies = {5: "That is the ratio of the scores.", (100, np.inf): lambda true: f"{true:.0f} would be enough."}
    options = {"unit": "times", "digits": 1, "replies": replies, "because": lambda true: f"e⁴ is {true:.1f}."}
    return widgets.Predict("How many times as much weight?", RATIO, **(options | more))


def word():
    choices = ["she", "river", "by"]
    replies = {"she": "She sits; she is no cue.", "by": "Its key is small."}
    return widgets.Predict("Which word?", "river", choices=choices, replies=replies, because="It says which bank.")


def place():
    return widgets.Predict("Where?", (1, 2), marks={"k": (4, 0)}, replies={(4, 0): "That is the key itself."})


@pytest.mark.parametrize(
    ("asked", "guess", "said"),
    [
        (ratio, 55, "Right. The answer: 54.6 times. e⁴ is 54.6."),
        (ratio, 5, "You said 5 times. That is the ratio of the scores. The answer: 54.6 times. e⁴ is 54.6."),
        (ratio, 150, "You said 150 times. 55 would be enough. The answer: 54.6 times. e⁴ is 54.6."),
        (ratio, 20, "You said 20 times. The answer: 54.6 times. e⁴ is 54.6."),
        (ratio, 22.5, "You said 22.5 times. The answer: 54.6 times. e⁴ is 54.6."),
        (word, "river", "Right. The answer: “river”. It says which bank."),
        (word, "by", "You said “by”. Its key is small. The answer: “river”. It says which bank."),
        (place, (1.2, 2.1), "Right. The answer: (1, 2)."),
        (place, (4, 0.1), "You said (4, 0.100). That is the key itself. The answer: (1, 2)."),
    ],
)
def test_a_guess_gets_its_reply(asked, guess, said):
    question = asked()
    question.guess = guess
    assert repr(question) == said
    assert question.right is said.startswith("Right")


@pytest.mark.parametrize(
    ("asked", "guess", "said"),
    [
        (ratio, 5, "You said 5 times. That is the ratio of the scores. Guess once more."),
        (ratio, 20, "You said 20 times. Too low. Guess once more."),
        (ratio, 70, "You said 70 times. Too high. Guess once more."),
        (word, "by", "You said “by”. Its key is small. Guess once more."),
        (place, (3, 3), "You said (3, 3). That is not it. Guess once more."),
    ],
)
def test_a_first_guess_gets_its_reply_and_not_the_answer(asked, guess, said):
    question = asked()
    question.set(guess=guess, again=True)
    assert question.sentence() == said


@pytest.mark.parametrize("asked", [ratio, word, place])
def test_the_answer_is_not_said_before_a_guess(asked):
    question = asked()
    assert repr(question).startswith("Predict: ") and not question.right
    assert "The answer:" not in repr(question)
    question.shown = True
    assert repr(question).startswith("The answer: ")


def test_the_choices_are_read_with_the_question():
    assert repr(word()) == "Predict: Which word? (she / river / by)"


def test_without_a_script_the_answer_is_folded_away():
    seen, folded = re.search(r'<div class="attn-fallback">(.*)<details>(.*)</details>', ratio().html()).groups()
    assert "54.6" not in seen and "How many times" in seen
    assert "54.6 times" in folded and "If you thought 5 times: That is the ratio" in folded
    assert "If you thought more than 100 times: 55 would be enough." in folded


@pytest.mark.parametrize(("ends", "told"), [((20, 25), "20 to 25"), ((20, 50), "20 to 50"), ((20, 20), "20")])
def test_a_reply_to_a_range_is_told_as_the_range(ends, told):
    asked = widgets.Predict("How many?", 100, tolerance=5, replies={ends: "Too few."})
    assert f"If you thought {told}: Too few." in asked.html()


def test_rounding_never_tells_a_wrong_guess_as_the_answer():
    asked = widgets.Predict("What?", -1, digits=0, replies={-0.5: "That is the upper left.", 1: "Look at the sign."})
    told = asked.html()
    assert "If you thought −0.5: That is the upper left." in told and "If you thought 1: Look" in told


def test_the_unit_follows_its_number():
    assert widgets.Predict("?", 50, unit="%").told([50]) == "50%"
    assert widgets.Predict("?", 50, unit="bytes").told([50]) == "50 bytes"


def test_a_tolerance_may_be_nothing():
    count = widgets.Predict("How many?", 63, tolerance=0, replies={64: "One too many."})
    count.guess = 64
    assert repr(count) == "You said 64. One too many. The answer: 63."
    count.guess = 63
    assert count.right


def test_only_a_question_that_says_the_whole_has_a_span():
    asked = widgets.Predict("Of 72 heads?", 30, span=(0, np.int64(72)))
    assert asked.state["span"] == [0, 72] and '"span": [0.0, 72.0]' in asked.html()
    assert "span" not in widgets.Predict("How many?", 30).html()


def mix():
    """Where three values lie when they are averaged, with the steps that lead there."""
    marks = {"a": (-3, -2), "b": (3, -2), "c": (1, 3)}
    steps = {"0.6 a": (-1.8, -1.2), "0.1 b": (0.3, -0.2), "0.3 c": (0.3, 0.9)}
    return widgets.Predict("Where?", (-1.2, -0.5), marks=marks, steps=steps, tolerance=0.2)


def test_a_point_among_three_is_told_as_their_average():
    asked = mix()
    asked.set(guess=0.3 * np.array((-3, -2)) + 0.4 * np.array((3, -2)) + 0.3 * np.array((1, 3)), again=True)
    assert "That is 0.30 a + 0.40 b + 0.30 c: too much b." in repr(asked) and "No weight is below 0." not in repr(asked)
    asked.set(guess=(-2, 2), again=True)
    assert "No weight is below 0." in repr(asked)
    assert "steps" in asked.state and "steps" not in widgets.Predict("Where?", (1, 2)).state


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Predict("?", "c", choices=["a", "b"]), "answer is 'c', which is none of the choices"),
        (lambda: widgets.Predict("?", 1, choices=["a", "b"]), "answer must be one of the choices"),
        (lambda: widgets.Predict("?", np.nan), "answer must be one finite number or a point"),
        (lambda: widgets.Predict("?", []), "answer must be one of the choices, a number or a point"),
        (lambda: widgets.Predict("?", 1, tolerance=-1), "tolerance must not be negative, but it is -1"),
        (lambda: widgets.Predict("?", "a", choices=["a"], span=(0, 1)), "span is for a number, not for a choice"),
        (lambda: widgets.Predict("?", 1, span=(0, 1, 2)), "span must be two finite numbers, least and most"),
        (lambda: widgets.Predict("?", 1, span=(3, 0)), "span must be two finite numbers, least and most"),
        (lambda: widgets.Predict("?", 73, span=(0, 72)), "span (0.0, 72.0) does not hold the answer 73"),
        (lambda: widgets.Predict("?", 1, replies={"two": "no"}), "guess is 'two', which is none of the choices"),
        (lambda: widgets.Predict("?", (1, 2), replies={3: "no"}), "a reply is to 3, which cannot be a guess here"),
        (lambda: widgets.Predict("?", (1, 2), marks={"a": 3}), "marks must be points (x, y), but 'a' is 3"),
        (
            lambda: widgets.Predict("?", (1, 2), steps={"a": (1, 1)}),
            "steps lead to [1.0, 1.0], but answer is [1.0, 2.0]",
        ),
        (lambda: widgets.Predict("?", 1, steps={"a": (1, 0)}), "steps lead to [1.0, 0.0], but answer is [1.0]"),
        (
            lambda: widgets.Predict("?", (1, 1), marks={"a": (0, 0), "b": (1, 1), "c": (2, 2)}, steps={"b": (1, 1)}),
            "three marks on one line",
        ),
        (lambda: setattr(word(), "guess", 3), "guess must be one of the choices"),
        (lambda: setattr(place(), "guess", 3), "guess has 1 numbers, but answer has 2"),
    ],
)
def test_what_cannot_be_asked_is_named(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_a_still_picture_keeps_the_secret_too():
    for question in (ratio(), word(), place()):
        assert question.static().alt == repr(question)
        assert question.static()._repr_html_()
    assert place().static()._repr_html_() != widgets.Predict("Where?", (1, 2.5), marks={"k": (4, 0)}).static().alt
