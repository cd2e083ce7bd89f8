"""Exports give the scores that grading gives, also in the tools they are for."""

import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from attn_grader import exports
from attn_grader.__main__ import main

from .test_notebooks import book

ROOT = Path(__file__).resolve().parents[2]
RIGHT = "def scores(Q, K):\n    return Q @ K.T"
WRONG = "def score_terms(Q, K):\n    return Q @ K.T"


@pytest.fixture
def handed_in(tmp_path):
    """A folder with one notebook: 3.1 right, 3.2 wrong, the rest not answered."""
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "03_scores.ipynb").write_bytes(book(RIGHT, WRONG))
    return folder


@pytest.fixture
def wheels(tmp_path):
    """A folder with two files that are named as the wheels are."""
    folder = tmp_path / "dist"
    folder.mkdir()
    for name in ("attention_as_linear_algebra", "attention_as_linear_algebra_grader"):
        (folder / f"{name}-0.1.0-py3-none-any.whl").write_bytes(name.encode())
    return folder


def test_gradescope_results_hold_the_score_and_the_message(handed_in):
    (handed_in / "notes.ipynb").write_bytes(b"{")
    found = exports.results(handed_in, seed="s", chapters=[3])
    assert [test.get("score") for test in found["tests"]] == [1, 0, 0, 0, 0]
    assert "sum of the terms" in found["tests"][1]["output"] and "notes.ipynb" in found["output"]
    json.dumps(found)


def test_an_ungraded_exercise_has_no_score_in_gradescope(handed_in):
    found = exports.results(handed_in, seed="s", chapters=[3], python="/no/such/python")
    assert not any("score" in test for test in found["tests"])


def test_a_gradescope_archive_brings_both_wheels_and_names_no_package_of_ours(tmp_path, wheels):
    path = tmp_path / "a.zip"
    said = ["export", "gradescope", "-o", str(path), "--seed", "s", "--chapters", "4", "--wheels", str(wheels)]
    assert main(said) == 0
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        assert {"setup.sh", "run_autograder", "grade_one.py", "settings.json"} < names
        assert sum(name.startswith("wheels/") for name in names) == 2
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
        assert json.loads(archive.read("settings.json")) == {"seed": "s", "chapters": [4]}
        compile(archive.read("grade_one.py"), "grade_one.py", "exec")
        setup = archive.read("setup.sh").decode()
    assert subprocess.run(["bash", "-n"], input=setup, text=True, check=False).returncode == 0
    installed = [word for line in setup.splitlines() if "pip install" in line for word in line.split()[3:]]
    assert not [word for word in installed if word.startswith(("attn", "attention"))] and "torch" not in setup
    exports.gradescope(path, seed="s", wheels=wheels, chapters=[12])
    with zipfile.ZipFile(path) as archive:
        assert archive.read("setup.sh").decode().count(" torch") == 2


def test_a_gradescope_archive_needs_a_secret_and_the_wheels(tmp_path, wheels, capsys):
    said = ["export", "gradescope", "-o", str(tmp_path / "a.zip"), "--wheels", str(wheels)]
    assert main([*said, "--seed", ""]) == 2 and "seed" in capsys.readouterr().out
    assert main([*said[:-1], str(tmp_path), "--seed", "s"]) == 2 and "make wheel" in capsys.readouterr().out


def test_otter_files_pass_a_right_answer_and_say_what_a_wrong_one_did(tmp_path):
    assert main(["export", "otter", "-o", str(tmp_path), "--chapters", "3"]) == 0
    assert len(list(tmp_path.glob("q3_*.py"))) == 5
    for path in tmp_path.glob("*.py"):
        compile(path.read_text("utf8"), path.name, "exec")
    exports.hold("3.1", lambda q, k: q @ k.T)
    with pytest.raises(AssertionError, match="transpose"):
        exports.hold("3.1", lambda q, k: k @ q.T)


def test_an_nbgrader_assignment_hides_its_tests_and_marks_every_solution(tmp_path):
    assert main(["export", "nbgrader", "-o", str(tmp_path), "--chapters", "3", "4"]) == 0
    paths = sorted((tmp_path / "source" / "attention").glob("*.ipynb"))
    assert [path.name[:2] for path in paths] == ["03", "04"]
    for path in paths:
        cells = nbformat.read(path, as_version=4).cells
        nbformat.validate(nbformat.read(path, as_version=4))
        marks = [cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata]
        assert len({mark.grade_id for mark in marks}) == len(marks)
        assert sum(mark.get("points", 0) for mark in marks) == len([m for m in marks if m.grade]) == 5
        assert all(
            "### BEGIN HIDDEN TESTS" in cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")
        )


# ── the real tools, in environments of their own ────────────────────────────────────────────────────────────


def environment(name, built, *needs):
    """A virtual environment with both wheels and other packages, kept in the user's cache.  -> its bin"""
    mark = hashlib.sha256(repr((needs, sys.version)).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache / "attention-as-linear-algebra" / f"{name}-{mark}"
    pip = [str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([*pip, *needs, "numpy", "ipython", "psutil"], check=True)
        (folder / "ready").touch()
    subprocess.run([*pip, "--no-deps", "--force-reinstall", *sorted(map(str, built.glob("*.whl")))], check=True)
    return folder / "bin"


@pytest.mark.prove
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="Gradescope's set-up runs as root")
def test_gradescope_as_gradescope_runs_it(tmp_path, built, handed_in):
    """setup.sh and run_autograder in folders of their own, laid over this system's by a mount namespace."""
    archive = tmp_path / "a.zip"
    exports.gradescope(archive, seed="s", wheels=built, chapters=[3])
    stage = tmp_path / "autograder"
    for name in ("source", "submission", "results"):
        (stage / name).mkdir(parents=True)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(stage / "source")
    (stage / "submission" / "03_scores.ipynb").write_bytes((handed_in / "03_scores.ipynb").read_bytes())
    script = f"""set -e
mkdir -p /autograder; mount --bind {stage} /autograder
mount -t tmpfs tmpfs /opt
mkdir /opt/python; mount --bind {sys.base_prefix} /opt/python
mkdir {tmp_path}/etc; cp -a /etc/. {tmp_path}/etc/; mount --bind {tmp_path}/etc /etc
export PATH=/opt/python/bin:$PATH
chmod 755 {tmp_path.parent.parent} {tmp_path.parent} {tmp_path} {stage}
bash /autograder/source/setup.sh
bash /autograder/source/run_autograder
"""
    done = subprocess.run(["unshare", "-m", "bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    tests = json.loads((stage / "results" / "results.json").read_text())["tests"]
    assert [test.get("score") for test in tests] == [1, 0, 0, 0, 0], tests


@pytest.mark.prove
def test_otter_runs_its_export(tmp_path, built):
    bin = environment("otter", built, "otter-grader", "ipykernel")

    def run(*said):
        done = subprocess.run([bin / said[0], *said[1:]], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
        return done.stdout

    run("attn-grader", "export", "otter", "-o", "tests", "--chapters", "3")
    (tmp_path / "sheet.ipynb").write_bytes(book(RIGHT, WRONG))
    assert "q3_1" in run("otter", "check", "sheet.ipynb", "-t", "tests")
    run("otter", "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")
    run("otter", "run", "-a", "autograder.zip", "-o", ".", "sheet.ipynb")
    tests = json.loads((tmp_path / "results.json").read_text())["tests"]
    scores = {test["name"]: test.get("score") for test in tests}
    assert scores["q3_1"] == 1 and not scores["q3_2"], scores


@pytest.mark.prove
def test_nbgrader_releases_and_grades_its_export(tmp_path, built):
    bin = environment("nbgrader", built, "nbgrader")
    subprocess.run([bin / "attn-grader", "export", "nbgrader", "-o", tmp_path, "--chapters", "3"], check=True)
    run = {
        "cwd": tmp_path,
        "capture_output": True,
        "text": True,
        "env": os.environ | {"PATH": f"{bin}:{os.environ['PATH']}"},
    }
    made = subprocess.run([bin / "nbgrader", "generate_assignment", "attention", "--create"], **run)
    assert made.returncode == 0, made.stderr[-2000:]
    released = next((tmp_path / "release" / "attention").glob("03_*.ipynb"))
    sheet = nbformat.read(released, as_version=4)
    text = "\n".join(cell.source for cell in sheet.cells)
    assert "hold(" not in text and "BEGIN SOLUTION" not in text and "YOUR CODE HERE" in text
    cell = next(cell for cell in sheet.cells if "def scores(" in cell.source)
    cell.source = RIGHT
    handed_in = tmp_path / "submitted" / "ada" / "attention"
    handed_in.mkdir(parents=True)
    nbformat.write(sheet, handed_in / released.name)
    graded = subprocess.run([bin / "nbgrader", "autograde", "attention"], **run)
    assert graded.returncode == 0, graded.stderr[-2000:]
    exported = subprocess.run([bin / "nbgrader", "export"], **run)
    assert exported.returncode == 0, exported.stderr[-2000:]
    (row,) = csv.DictReader((tmp_path / "grades.csv").read_text().splitlines())
    assert (float(row["score"]), float(row["max_score"])) == (1, 5)


@pytest.mark.prove
def test_the_page_s_own_lines_grade_a_class(tmp_path):
    """The commands of grader/README.md, as printed, in a copy of what is committed."""
    tree = tmp_path / "course"
    tree.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "x", "-C", str(tree)], input=archive, check=True)
    handed_in = tree / "handed-in"
    handed_in.mkdir()
    (handed_in / "ada.ipynb").write_bytes(book(RIGHT))
    (tree / "roster.csv").write_text("submission,name,id\nada.ipynb,Ada L.,7\n")
    block = (ROOT / "grader" / "README.md").read_text("utf8").partition("```sh\n")[2].partition("```")[0]
    done = subprocess.run(["bash", "-euc", block], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    (row,) = csv.DictReader((tree / "graded" / "grades.csv").read_text("utf8").splitlines())
    assert (row["name"], row["3.1"], row["score"]) == ("Ada L.", "1", "1")
