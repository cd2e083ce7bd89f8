"""Exports give the scores that grading gives."""

import csv
import json
import sys
import zipfile

import nbformat
import pytest

from attn.exercises import export
from attn.exercises.__main__ import main

RIGHT = "def scores(Q, K):\n    return Q @ K.T"
WRONG = "def score_terms(Q, K):\n    return Q @ K.T"


@pytest.fixture
def submission(tmp_path):
    """A folder with one notebook: 3.1 right, 3.2 wrong, the rest not answered."""
    folder = tmp_path / "submission"
    folder.mkdir()
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in (RIGHT, WRONG)])
    nbformat.write(book, folder / "03_scores.ipynb")
    return folder


def test_gradescope_results_hold_the_score_and_the_message(submission):
    tests = export.results(submission, seed="s", chapters=[3], python=sys.executable, wrap=[])["tests"]
    assert [t["score"] for t in tests] == [1, 0, 0, 0, 0]
    assert "returns the sum of the terms" in tests[1]["output"] and "not started" in tests[2]["output"]
    json.dumps(tests)


def test_a_gradescope_archive_holds_what_gradescope_runs(tmp_path):
    path = tmp_path / "a.zip"
    assert main(["export", "gradescope", "-o", str(path), "--seed", "s", "--chapters", "4"]) == 0
    with zipfile.ZipFile(path) as archive:
        assert {"setup.sh", "run_autograder", "grade_one.py", "settings.json"} == set(archive.namelist())
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
        assert json.loads(archive.read("settings.json")) == {"seed": "s", "chapters": [4]}
        compile(archive.read("grade_one.py"), "grade_one.py", "exec")
        assert "torch" not in archive.read("setup.sh").decode()


def test_a_gradescope_archive_installs_torch_where_an_exercise_takes_tensors(tmp_path):
    export.gradescope(tmp_path / "a.zip", seed="s", chapters=[12])
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.read("setup.sh").decode().count("numpy torch") == 2


def test_a_gradescope_archive_needs_a_secret(tmp_path, capsys):
    assert main(["export", "gradescope", "-o", str(tmp_path / "a.zip")]) == 2
    assert "--seed" in capsys.readouterr().out


def test_otter_files_pass_a_right_answer_and_say_what_a_wrong_one_did(tmp_path):
    assert main(["export", "otter", "-o", str(tmp_path), "--chapters", "3"]) == 0
    assert len(list(tmp_path.glob("q3_*.py"))) == 5
    for path in tmp_path.glob("*.py"):
        compile(path.read_text("utf8"), path.name, "exec")
    export.hold("3.1", lambda q, k: q @ k.T)
    with pytest.raises(AssertionError, match="transpose"):
        export.hold("3.1", lambda q, k: k @ q.T)


def test_a_table_of_percentages_for_a_course_page(tmp_path, capsys):
    grades = tmp_path / "grades.csv"
    grades.write_text("submission,3.1,3.2,score,max_score\nann,1,0,1,2\n", "utf8")
    assert main(["export", "csv", "-o", str(tmp_path / "t.csv"), "--grades", str(grades)]) == 0
    with open(tmp_path / "t.csv", newline="", encoding="utf8") as file:
        assert next(csv.DictReader(file)) == {"submission": "ann", "score": "1", "max_score": "2", "percent": "50.0"}
    assert main(["export", "csv", "-o", str(tmp_path / "t.csv")]) == 2
