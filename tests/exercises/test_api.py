"""What a learner calls: check, hint, solution, progress, start, and the same from a terminal."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from attn.exercises import __main__ as terminal
from attn.exercises import api, catalogue, check, hint, progress, recall, sheets, solution, start
from attn.exercises.checks.exercise import USUAL
from attn.exercises.record import Record


@pytest.fixture(autouse=True)
def own_record(tmp_path, monkeypatch):
    path = tmp_path / "progress.json"
    monkeypatch.setenv("ATTN_PROGRESS", str(path))
    return path


def right(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)


def columns(S):
    E = np.exp(S)
    return E / E.sum(0)


def textbook(S):
    E = np.exp(S)
    return E / E.sum(1, keepdims=True)


def test_check_prints_what_it_returns(capsys):
    report = check("4.1", columns)
    assert capsys.readouterr().out.strip() == str(report)
    assert (report.status, report.misconceptions, report.score, report.max_score) == ("failed", ("columns",), 0, 1)
    assert report.tests.startswith("0 of")


@pytest.mark.parametrize("id", ["4.99", "", None, 4, "four", "4.1.1", "..", 4.1j])
def test_an_id_that_is_none_is_said_kindly(id, capsys):
    assert check(id, right).status == "error"
    assert "There is no exercise" in capsys.readouterr().out


def test_a_result_in_place_of_the_function_is_said(capsys):
    check("4.1", right(np.eye(2)))
    assert 'the function itself: check("4.1", softmax)' in capsys.readouterr().out
    check("9.3", lambda: 3)
    assert "a value, not a function" in capsys.readouterr().out


def raises(error):
    def f(S):
        raise error

    return f


def loops(S):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


HOSTILE = [
    raises(SystemExit(3)),
    raises(KeyboardInterrupt()),
    raises(ZeroDivisionError("division by zero")),
    raises(RecursionError("maximum recursion depth")),
    lambda: 1,
    lambda S, T: S,
    lambda S: "text",
    lambda S: {},
    lambda S: [[1], [2, 3]],
    lambda S: object(),
    lambda S: lambda: 0,
    lambda S: S.tolist,
    lambda S: (S, S),
    lambda S: np.array("x"),
    lambda S: np.zeros((0, 3)),
    lambda S: S[None],
    lambda S: float("nan"),
    lambda S: 1 + 2j,
    print,
    int,
    np.exp,
    object,
    "text",
    3,
    [1],
    {},
    np.zeros(3),
    (1, 2),
    object(),
]


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("id", ["4.1", "9.3", "1.1", "10.1"])
def test_no_answer_can_make_check_raise_or_show_a_traceback(id, answer, capsys):
    report = check(id, answer)
    text = capsys.readouterr().out
    assert report.status in ("failed", "error") and report.score == 0
    assert "Traceback" not in text and len(text.splitlines()) <= 16 and "check itself failed" not in text
    assert max(map(len, text.splitlines())) <= 90


@pytest.mark.parametrize("answer", [loops, lambda S: time.sleep(60)])
def test_an_endless_answer_is_stopped(answer):
    began = time.monotonic()
    assert check("4.1", answer, limit=0.3).status == "timeout"
    assert time.monotonic() - began < 30  # half of what the one that ends would take


def test_what_an_answer_prints_on_the_case_shown_is_quoted_and_does_not_drown_the_report(capsys):
    report = check("4.1", lambda S: [print("noise", S.shape) for _ in range(10**4)] and columns(S))
    text = capsys.readouterr().out
    assert text.count("noise") == 3 and f"noise {report.case[0].shape}" in text and len(text.splitlines()) <= 16


def wrong_somewhere(S):
    P = right(S)
    P[0, 0] += 0.25 * (S.shape == (3, 3))
    return P


@pytest.mark.parametrize(
    "answer", [columns, textbook, wrong_somewhere, lambda S: S[7], lambda S: print(), lambda S: "x"]
)
def test_a_failure_carries_its_input_and_says_how_to_run_it_again(answer):
    report = check("4.1", answer)
    assert 'report = check("4.1", softmax); softmax(*report.case)' in str(report)
    (S,) = report.case
    assert np.allclose(report.expected, right(S))
    assert S.shape and ("×".join(map(str, S.shape)) in report.seen or "[[" in report.seen)
    try:
        with np.errstate(all="ignore"):
            got = answer(*report.case)
    except IndexError:
        assert report.status == "error"
    else:
        assert not isinstance(got, np.ndarray) or not np.allclose(got, right(S), equal_nan=True)
    S[:] = 0  # it is the learner's own: the next check has other arrays
    assert check("4.1", answer).case[0].any()


def test_a_report_is_plain_data_for_a_page():
    said = check("4.1", columns).as_dict()
    assert json.loads(json.dumps(said)) == said
    assert (said["id"], said["status"], said["misconceptions"]) == ("4.1", "failed", ["columns"])
    assert np.shape(said["case"][0]) == (2, 3) and "softmax(*report.case)" in said["try"]
    assert check("4.1", right).as_dict()["case"] == [] and check("9.3", 3).as_dict()["try"] == ""


def test_where_no_cause_fits_the_report_says_what_is_true_of_the_result():
    report = check("4.1", wrong_somewhere)
    assert "rows sum to 1.25, 1, 1: each should sum to 1" in report.did and "right on S (4×2)" in report.did
    report = check("3.1", lambda Q, K: Q @ K.T + (np.arange(len(Q)) == 0)[:, None] * np.arange(len(K)))
    assert "Right everywhere but in the first row" in report.did
    report = check("3.1", lambda Q, K: Q @ K.T + np.eye(len(Q), 1, -1) @ np.eye(1, len(K)))
    assert "entries differ, all in row 1, by up to 1." in report.did


def test_a_report_calls_no_case_right_that_is_wrong():
    """Wrong on every case, also on those of one row, which it does not speak of where larger ones fail."""
    report = check("3.3", lambda Q, K, V: catalogue.find("3.3").reference(Q, K, V) + Q.mean())
    assert "plus a constant" in report.did and "right on" not in report.did


def test_no_place_is_named_where_the_cases_cannot_tell_it():
    from attn.exercises.checks.relations import relation

    for n, said in ((2, False), (3, True)):
        y = np.arange(1.0, n * n + 1).reshape(n, n) ** 2
        assert ("diagonal" in relation([(y + np.eye(n) * y**2, y)])) is said


def test_a_stub_is_said_to_be_one_whatever_the_reason(monkeypatch, capsys):
    check("4.1", ...)
    assert "is the function still called softmax" in " ".join(capsys.readouterr().out.split())
    monkeypatch.setattr(sys, "last_value", SyntaxError("invalid syntax", ("c", 3, 1, "x", 3, 2)), raising=False)
    check("4.1", ...)
    assert "could not read your cell (line 3, invalid syntax)" in " ".join(capsys.readouterr().out.split())


def test_a_set_up_cell_that_was_not_run_is_named():
    answer = eval("lambda S: np.exp(S)", {})
    assert "Run the first cell" in check("4.1", answer).why


def test_an_exception_shows_the_line_it_came_from(capsys):
    def f(S):
        return S @ S

    check("4.1", f)
    text = capsys.readouterr().out
    assert "`return S @ S` raised ValueError" in text and "inner sizes" in text


def test_hints_follow_the_last_named_mistake_and_end(capsys):
    check("4.1", columns)
    own, idea, shape = hint("4.1"), hint("4.1"), hint("4.1")
    assert "Which index is summed" in own and len({own, idea, shape}) == 3
    assert "That is the last" in shape and "was the last hint" in hint("4.1")
    check("4.1", textbook)
    assert "is exp finite" in hint("4.1")


def test_a_mistake_of_every_exercise_has_a_first_hint_of_its_own():
    def careless(S):
        S -= S.max(1, keepdims=True)
        return np.exp(S) / np.exp(S).sum(1, keepdims=True)

    assert check("4.1", careless).misconceptions == ("overwrites_input",)
    assert "written into it" in hint("4.1") and "row be moved" not in hint("4.1")
    assert set(USUAL) <= set(recall.EVERYWHERE)


def test_the_report_says_which_hint_comes_next():
    for number in (1, 2, 3):
        assert f"({number} of 3)" in check("4.1", columns).next
        hint("4.1")
    assert check("4.1", columns).next == 'Chapter 1, "Softmax: each row becomes shares"'


@pytest.mark.parametrize(("id", "mistake"), [("4.1", "one_shift"), ("4.1", "whole_matrix"), ("3.3", "no_softmax")])
def test_a_mistake_that_the_general_hints_would_confirm_has_two_of_its_own(id, mistake):
    exercise = catalogue.find(id)
    assert not set(exercise.ladder(mistake)[:2]) & set(exercise.hints)


def test_a_name_that_a_page_does_not_find_is_said_beside_the_names_that_are_there():
    report = api.not_found("4.1", "softmax", ["soft_max"])
    assert (report.status, report.did) == ("error", "Your cell defines soft_max; the check looks for softmax.")
    assert "(1 of 3)" in report.next
    assert "nothing by that name" in api.not_found("4.1", "softmax").did


def test_the_first_hint_fits_how_the_check_ended():
    check("4.1", lambda S: S[9])
    assert "shapes" in hint("4.1")
    check("4.1", wrong_somewhere)
    assert "by hand" in hint("4.1")


def test_a_solution_is_shown_after_a_pass_or_on_demand(capsys):
    assert "has not passed yet" in solution("4.1")
    assert "np.exp" in solution("4.1", reveal=True) and "BEGIN" not in solution("4.1", reveal=True)
    check("4.1", right)
    assert "np.exp" in solution("4.1")
    check("4.1", columns)  # passing once is enough
    assert "np.exp" in solution("4.1")


@pytest.mark.parametrize("exercise", catalogue.every(), ids=lambda e: e.id)
def test_every_exercise_has_a_solution_to_show_and_no_hint_gives_it_away(exercise):
    text = sheets.solution_text(exercise)
    assert text and "SOLUTION" not in text
    lines = {"".join(line.split()) for line in text.splitlines() if len("".join(line.split())) > 14}
    given = "".join((*exercise.hints, *(m.ask + m.then + m.why + m.did for m in exercise.misconceptions)))
    given = "".join(given.split())
    assert not [line for line in lines if line.removeprefix("return") in given]


def test_progress_counts_what_passed(capsys):
    check("4.1", right)
    line = next(line for line in progress().splitlines() if line.startswith("Chapter  4"))
    assert "1/5" in line and "4.1" not in line and "4.4" in line


def test_a_damaged_record_is_kept_and_a_new_one_begun(own_record):
    own_record.write_text("{half a fi", "utf8")
    check("4.1", right)
    assert (own_record.parent / "progress.json.damaged-1").read_text("utf8") == "{half a fi"
    assert json.loads(own_record.read_text("utf8"))["exercises"]["4.1"]["passed"]


def test_a_record_from_a_later_version_is_read_and_not_rewritten(own_record):
    later = {"version": 99, "exercises": {"4.1": {"passed": True}}}
    own_record.write_text(json.dumps(later), "utf8")
    check("4.1", columns)
    assert json.loads(own_record.read_text("utf8")) == later
    assert "np.exp" in solution("4.1")


def test_entries_of_other_exercises_survive(own_record):
    own_record.write_text(json.dumps({"version": 1, "exercises": {"77.7": {"passed": True, "note": "mine"}}}), "utf8")
    check("4.1", right)
    assert json.loads(own_record.read_text("utf8"))["exercises"]["77.7"]["note"] == "mine"


@pytest.mark.parametrize("entry", [None, 3, [], {"attempts": "x", "hints": -1, "mistakes": 4, "mistake": 5}])
def test_an_entry_that_somebody_edited_does_no_harm(own_record, entry):
    own_record.write_text(json.dumps({"version": 1, "exercises": {"4.1": entry}}), "utf8")
    assert check("4.1", right).status == "passed"
    assert "hint 1 of 3" in hint("4.1")
    progress()


def test_a_folder_that_cannot_be_written_to_costs_only_the_record(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PROGRESS", str(tmp_path / "nowhere" / "progress.json"))
    assert check("4.1", right).status == "passed"


def test_switched_off_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PROGRESS", "off")
    monkeypatch.chdir(tmp_path)
    check("4.1", right)
    assert list(tmp_path.iterdir()) == [] and Record.load().path is None


def test_a_stub_is_no_attempt(own_record):
    check("4.1", ...)
    assert not own_record.exists() or "4.1" not in json.loads(own_record.read_text("utf8"))["exercises"]


def test_start_copies_the_sheets_and_never_overwrites(tmp_path, capsys):
    mine = tmp_path / "mine"
    new = start(mine)
    assert len(new) == len(catalogue.chapters())
    new[0].write_text("my work", "utf8")
    new[1].unlink()
    assert start(mine) == [new[1]]
    assert new[0].read_text("utf8") == "my work"


def test_html_escapes_what_the_learner_wrote():
    report = check("4.1", raises(ValueError("<script>alert(1)</script> & `odd")))
    assert "<script>" not in report._repr_html_() and "&lt;script&gt;" in report._repr_html_()


# ── from a terminal ─────────────────────────────────────────────────────────────────────────────────────────


def notebook(path, *sources):
    cells = [
        {"cell_type": "code", "source": source, "outputs": [], "metadata": {}, "execution_count": None}
        for source in sources
    ]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "utf8")
    return path


def test_list_names_every_exercise(capsys):
    assert terminal.main(["list"]) == 0
    listed = capsys.readouterr().out.split()
    assert {exercise.id for exercise in catalogue.every()} <= set(listed)


def test_a_sheet_is_checked_cell_by_cell_although_one_fails(tmp_path):
    sheet = notebook(
        tmp_path / "s.ipynb",
        "%matplotlib inline\nimport numpy as np\nfrom attn.exercises import check",
        "def broken(:",
        "1 / 0",
        "def f(S):\n    return np.exp(S) / np.exp(S).sum(0)",
        'check("4.1", f)',
    )
    done = subprocess.run(
        [sys.executable, "-m", "attn.exercises", "check", str(sheet)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr
    for words in ("<cell 2>, line 1", "`1 / 0` raised ZeroDivisionError", "down each column"):
        assert words in done.stdout


def test_a_sheet_that_never_ends_is_stopped(tmp_path, capsys):
    sheet = notebook(tmp_path / "s.ipynb", "while True: pass")
    assert terminal.check(sheet, limit=3) == 1
    assert "still running after 3 s" in capsys.readouterr().out


def test_watch_checks_again_when_the_sheet_is_saved(tmp_path, capfd):
    sheet = notebook(tmp_path / "s.ipynb", "print('first run')")
    assert terminal.watch(sheet, pause=0.01, rounds=1) == 0
    assert "first run" in capfd.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3}', "not json"])
def test_what_is_no_notebook_is_said(tmp_path, text):
    path = tmp_path / "s.ipynb"
    path.write_text(text, "utf8")
    done = subprocess.run(
        [sys.executable, "-m", "attn.exercises", "check", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2 and "is not a notebook" in done.stdout


def test_importing_the_exercises_brings_numpy_and_no_chapter_of_the_catalogue():
    """What keeps the import quick; how many milliseconds that is, bench.exercises measures."""
    code = "import sys; before = set(sys.modules); import attn.exercises; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = done.stdout.split()
    assert {name.partition(".")[0] for name in new} - sys.stdlib_module_names == {"attn", "numpy"}
    assert {name for name in new if ".catalogue." in name} == {"attn.exercises.catalogue.firsts"}
