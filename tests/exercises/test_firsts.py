"""In your head first: every question has the exercise's own answer, and a reply to each wrong choice."""

import math
import subprocess
import sys

import pytest

from attn.exercises import catalogue, predict
from attn.exercises.catalogue import firsts

pytest.importorskip("anywidget")


@pytest.mark.parametrize("id", firsts.FIRSTS)
def test_a_small_case_has_an_answer_and_its_wrong_guesses_are_wrong(id):
    asked = predict(id)
    assert repr(asked).startswith("Predict: ") and asked.because
    for low, high, said in asked.replies:
        guess = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
        assert math.dist(guess, asked.answer) > asked.tolerance, said
    if asked.choices:
        wrong = {choice for choice in asked.choices if [asked.choices.index(choice)] != asked.answer}
        assert wrong == set(firsts.FIRSTS[id].replies) - {asked.choices[int(asked.answer[0])]}


def test_an_exercise_without_a_small_case_and_one_that_is_none_say_so(capsys):
    bare = next(e.id for e in catalogue.every() if e.id not in firsts.FIRSTS)
    assert str(predict(bare)) == f"{bare} has no small case."
    assert str(predict("99.1")).startswith("There is no exercise '99.1'.")


def test_to_import_the_exercises_loads_no_figures():
    code = (
        "import sys, attn.exercises; print([m for m in ('traitlets', 'anywidget', 'matplotlib') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_without_a_figure_s_packages_the_question_is_printed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "attn.show.widgets.predict", None)
    assert "standard deviation" in str(predict("3.4")) and capsys.readouterr().out.startswith("Predict: ")
