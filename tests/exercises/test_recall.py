"""What the record brings back, and another way to write what has passed."""

import itertools

import numpy as np
import pytest

from attn.exercises import catalogue, check, mistakes, recall, review, solution
from attn.exercises.checks.engine import examine
from attn.exercises.record import Record


@pytest.fixture(autouse=True)
def own_record(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PROGRESS", str(tmp_path / "progress.json"))


def columns(S):
    return np.exp(S) / np.exp(S).sum(0)


def unscaled(Q, K, V):
    E = np.exp(Q @ K.T)
    return E / E.sum(1, keepdims=True) @ V


def test_without_mistakes_there_is_nothing_to_bring_back():
    assert "Nothing to bring back" in review(3) and "No mistake is on record" in mistakes()


def test_a_mistake_is_listed_with_the_section_that_cures_it_and_a_pass_is_seen():
    check("4.1", columns)
    assert "· 4.1" in mistakes() and "down each column" in mistakes()
    assert 'Read: Chapter 1, "Softmax: each row becomes shares"\n' in mistakes()
    check("4.1", lambda S: np.exp(S) / np.exp(S).sum(1, keepdims=True))
    assert 'shares"; Chapter 4, "Stability"\n' in mistakes()
    check("4.1", catalogue.find("4.1").model)
    assert "✓ 4.1" in mistakes()


def test_the_review_draws_on_ones_own_mistakes_and_names_the_sisters():
    check("3.3", unscaled)
    check("4.1", columns)
    said = review(6)
    assert "never divides the scores" in said and 'check("3.3", attend)' in said and "down each column" in said
    assert "The same mistake waits in" in said
    assert "4.1" not in review(3) and "3.3" in review(3)
    assert "columns" not in review("nonsense").splitlines()[0]


def test_neighbours_in_the_review_are_of_different_chapters():
    record = Record(None, {"exercises": {id: {"mistakes": [catalogue.find(id).misconceptions[0].id]}
                                         for id in ("4.1", "4.2", "4.3", "3.1", "3.3", "2.1")}})  # fmt: skip
    order = [exercise.chapter for exercise, _ in recall.mixed(recall.made(record))]
    assert all(a != b for a, b in itertools.pairwise(order[:5]))
    assert recall.sheet(record).count("Then: check(") == recall.MOST


@pytest.mark.parametrize("entry", [None, 3, {"mistakes": 4}, {"mistakes": ["unheard_of", 7, None]}])
def test_an_edited_record_does_no_harm(entry):
    record = Record(None, {"exercises": {"4.1": entry}})
    assert "Nothing" in recall.sheet(record) and "No mistake" in recall.mistakes(record)


def test_a_solution_that_was_shown_early_is_on_record():
    solution("4.1", reveal=True)
    assert Record.load().entry("4.1")["revealed"]


@pytest.mark.parametrize("exercise", [e for e in catalogue.every() if e.another], ids=lambda e: e.id)
def test_another_way_passes_and_is_shown_after_a_pass(exercise):
    code, idea = exercise.another
    space = {"np": np}
    exec(code, space)
    answer = space[exercise.call.partition("(")[0]]
    assert examine(exercise, answer, limit=30).status == "passed" and idea.endswith(".")
    check(exercise.id, answer, limit=30)
    assert code.strip() in solution(exercise.id) and idea in solution(exercise.id)
