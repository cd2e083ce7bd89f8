"""A class: faults isolated, results kept as they come, tables whole or not at all, one machine or many."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from attn_grader import batch, tables
from attn_grader.__main__ import main
from attn_grader.batch import Batch, better, shard
from attn_grader.isolation import Isolation
from attn_grader.notebooks import Submission
from attn_grader.store import Store, file_name, write
from attn_grader.unit import Mark, Result, Settings

from .conftest import COLUMNS, KINDS, SOFTMAX, submission
from .test_notebooks import book

SETTINGS = Settings("s", (4,), Isolation(KINDS[0]), limit=2.0, each=4.0)
CLASS = [submission(SOFTMAX, name="ada"), submission(COLUMNS, name="bob"), submission("x = 1", name="cy")]


def mark(status="passed", score=1, id="4.1"):
    """A mark."""
    return Mark(id, "row softmax", status, score, 1, "text")


def result(name="ada", *marks, settings="x"):
    """A result."""
    return Result(name, settings, marks or (mark(),))


def class_of(folder, **cells):
    """A folder of notebooks."""
    folder.mkdir(exist_ok=True)
    for name, source in cells.items():
        (folder / f"{name}.ipynb").write_bytes(book(source))
    return folder


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_grades_alike(tmp_path, pool):
    results = Batch(Store(tmp_path, SETTINGS.digest), SETTINGS, lambda: pool(2)).run(CLASS)
    assert [r.score for r in results] == [1, 0, 0]
    assert Store.found(tmp_path).results() == results


def test_a_second_run_grades_only_what_is_new_or_changed(tmp_path, monkeypatch):
    store, seen = Store(tmp_path, "x"), []

    def grade(one, settings):
        seen.append(one.name)
        return result(one.name)

    monkeypatch.setattr(batch, "grade", grade)
    run = Batch(store, SETTINGS, lambda: ThreadPoolExecutor(1)).run
    run(CLASS[:2])
    run([submission(COLUMNS, name="ada"), *CLASS[1:]])
    assert seen == ["ada", "bob", "ada", "cy"]


def test_what_was_ungraded_is_tried_again_and_what_is_broken_on_disk_too(tmp_path, monkeypatch):
    store = Store(tmp_path, "x")
    store.put(CLASS[0], result("ada", mark("ungraded", None)))
    store.put(CLASS[1], result("bob"))
    store.path("bob").write_text('{"half', "utf8")
    assert store.get(CLASS[0]) is None and store.get(CLASS[1]) is None


class Dying:
    """An executor whose first jobs are lost with their machine."""

    def __init__(self, deaths):
        self.deaths, self.pool = deaths, ThreadPoolExecutor(1)

    def submit(self, f, *arguments):
        self.deaths -= 1
        if self.deaths >= 0:
            return self.pool.submit(self.die)
        return self.pool.submit(f, *arguments)

    def die(self):
        raise ConnectionError("the machine went away")

    def shutdown(self, **settings):
        self.pool.shutdown(wait=True)


def test_a_machine_that_dies_costs_a_retry_and_one_that_always_dies_a_mark_that_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "grade", lambda one, settings: result(one.name))
    done = Batch(Store(tmp_path / "a", "x"), SETTINGS, lambda: Dying(2)).run(CLASS)
    assert [r.score for r in done] == [1, 1, 1]
    lost = Batch(Store(tmp_path / "b", "x"), SETTINGS, lambda: Dying(99)).run(CLASS[:1])[0]
    assert not lost.complete and "lost 3 times" in lost.marks[0].text


def test_a_worker_process_killed_by_the_system_loses_nothing(tmp_path):
    import psutil

    done = []

    def told(one):
        if not done:
            for child in psutil.Process().children():
                if "python" in child.name() and "-c" not in child.cmdline()[1:2]:
                    child.kill()
        done.append(one)

    results = Batch(Store(tmp_path, SETTINGS.digest), SETTINGS, lambda: ProcessPoolExecutor(2), told=told).run(CLASS)
    assert [r.score for r in results] == [1, 0, 0]


def test_a_timeout_is_tried_once_more_alone_and_the_better_end_stands(tmp_path, monkeypatch):
    tries = []

    def grade(one, settings):
        tries.append(one.name)
        return result(one.name, mark("timeout", 0) if len(tries) == 1 else mark())

    monkeypatch.setattr(batch, "grade", grade)
    done = Batch(Store(tmp_path, "x"), SETTINGS, lambda: ThreadPoolExecutor(1)).run(CLASS[:1])
    assert (tries, done[0].score) == (["ada", "ada"], 1)
    assert better(result("a", mark("timeout", 0)), result("a", mark("ungraded", None))).marks[0].status == "timeout"


def test_results_of_other_settings_are_not_mixed(tmp_path):
    Store(tmp_path, "x")
    with pytest.raises(ValueError, match="another seed"):
        Store(tmp_path, "y")
    with pytest.raises(ValueError, match="holds no results"):
        Store.found(tmp_path / "nowhere")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "grades.csv"
    write(path, "all of it")

    def full(descriptor):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write(path, "half")
    assert path.read_text() == "all of it" and os.listdir(tmp_path) == ["grades.csv"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a/b", "CON", "a" * 300, "<b>&", "x\n y", "=1+1", ""])
def test_a_file_stays_in_its_folder_whatever_the_submission_is_called(tmp_path, name):
    assert (tmp_path / file_name(name)).resolve().parent == tmp_path.resolve()
    assert len({file_name(name), file_name(name + " "), file_name("_" + name)}) == 3


def test_shards_cover_a_class_once_and_merge_to_the_same_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "grade", lambda one, settings: result(one.name, mark(score=len(one.name) % 2)))
    whole = Store(tmp_path / "whole", "x")
    Batch(whole, SETTINGS, lambda: ThreadPoolExecutor(1)).run(CLASS)
    parts = [Store(tmp_path / f"part {k}", "x") for k in (1, 2)]
    for k, store in enumerate(parts, 1):
        Batch(store, SETTINGS, lambda: ThreadPoolExecutor(1)).run(shard(CLASS, k, 2))
    joined = Store(tmp_path / "joined", "x")
    tables.merge(parts, joined)
    tables.everything(whole)
    tables.everything(joined)
    assert (whole.folder / "grades.csv").read_bytes() == (joined.folder / "grades.csv").read_bytes()
    with pytest.raises(ValueError, match="other settings"):
        tables.merge([Store(tmp_path / "other", "y")], joined)
    for part in (0, 3):
        with pytest.raises(ValueError, match="shard"):
            shard(CLASS, part, 2)


def test_tables_with_a_roster(tmp_path):
    store = Store(tmp_path / "out", "x")
    store.put(CLASS[0], result("ada", mark(), mark("failed", 0, "4.2")))
    store.put(CLASS[1], result("=bob", mark("ungraded", None), mark("failed", 0, "4.2")))
    (tmp_path / "roster.csv").write_text(
        "submission,name,id,email,late,override\nada,Ada L.,7,ada@x.org,0.5,\n=bob,Bob,8,,,\ndora,Dora,9,,,\n",
        "utf-8-sig",
    )
    tables.everything(store, tables.roster(tmp_path / "roster.csv"))
    rows = list(csv.DictReader((store.folder / "grades.csv").read_text("utf8").splitlines()))
    assert {row["submission"]: row["counts"] for row in rows} == {"ada": "0.5", "'=bob": "?", "dora": ""}
    assert rows[0]["ungraded"] == "4.1" and rows[2]["ungraded"] == "not handed in"
    canvas = list(csv.reader((store.folder / "canvas.csv").read_text("utf8").splitlines()))
    assert canvas[1][0].strip() == "Points Possible" and canvas[3] == ["Ada L.", "7", "7", "ada@x.org", "", "0.5"]
    assert canvas[2][-1] == ""  # ungraded: an import changes nothing
    moodle = list(csv.DictReader((store.folder / "moodle.csv").read_text("utf8").splitlines()))
    assert moodle[1]["Grade"] == "0.5"
    (tmp_path / "roster.csv").write_text("submission,override\nada,1\n=bob,0\n")
    tables.everything(store, tables.roster(tmp_path / "roster.csv"))
    assert "?" not in [row["counts"] for row in csv.DictReader((store.folder / "grades.csv").read_text().splitlines())]


@pytest.mark.parametrize(
    "text, word",
    [
        ("name\nada\n", "no column"),
        ("submission\na\na\n", "second time"),
        ("submission,late\na,soon\n", "not a number"),
    ],
)
def test_a_roster_that_cannot_be_right_is_refused(tmp_path, text, word):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(ValueError, match=word):
        tables.roster(tmp_path / "r.csv")


def test_the_command_grades_says_what_it_left_out_and_counts_mistakes_without_names(tmp_path, capsys):
    folder = class_of(tmp_path / "in", ada=SOFTMAX, bob=COLUMNS)
    (folder / "notes.txt").write_text("x")
    said = [
        "grade",
        str(folder),
        "-o",
        str(tmp_path / "out"),
        "--seed",
        "s",
        "--chapters",
        "4",
        "--isolation",
        KINDS[0],
    ]
    assert main(said) == 0
    assert "left out: notes.txt" in capsys.readouterr().out
    assert "4.1,columns,1" in (tmp_path / "out" / "misconceptions.csv").read_text()
    pages = [path.read_text("utf8") for path in (tmp_path / "out" / "feedback").iterdir()]
    assert len(pages) == 2 and "s" not in json.loads((tmp_path / "out/results/settings.json").read_text())
    assert main([*said[:-1], "docker"]) == 2 and "image" in capsys.readouterr().out
    assert main(["grade", str(tmp_path / "nowhere"), *said[2:]]) == 2


def test_an_ungraded_mark_makes_the_exit_status_say_so(tmp_path, monkeypatch):
    folder = class_of(tmp_path / "in", ada=SOFTMAX)
    monkeypatch.setattr("attn_grader.__main__.fly", lambda settings: None)
    said = [
        "grade",
        str(folder),
        "-o",
        str(tmp_path / "out"),
        "--seed",
        "s",
        "--chapters",
        "4",
        "--jobs",
        "1",
        "--isolation",
        "none",
        "--python",
        "/no/such/python",
    ]
    assert main(said) == 3
    assert "?" in (tmp_path / "out" / "grades.csv").read_text()


@pytest.mark.prove
def test_an_interrupt_keeps_what_is_done_and_the_next_run_goes_on(tmp_path):
    slow = SOFTMAX + "\nimport time; time.sleep(1.5)"
    folder = class_of(tmp_path / "in", **{f"s{k}": slow for k in range(6)})
    said = [
        sys.executable,
        "-m",
        "attn_grader",
        "grade",
        str(folder),
        "-o",
        str(tmp_path / "out"),
        "--seed",
        "s",
        "--chapters",
        "4",
        "--isolation",
        KINDS[0],
        "--jobs",
        "1",
    ]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(["grader", ".", os.environ.get("PYTHONPATH", "")])}
    heard = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
    ]  # a job in the background starts deaf to Ctrl-C
    process = subprocess.Popen([*heard, *said], stdout=subprocess.PIPE, text=True, env=environment)
    results = tmp_path / "out" / "results"
    end = time.monotonic() + 120
    while len(list(results.glob("s*.json")) if results.exists() else []) < 3 and time.monotonic() < end:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said_last = process.communicate(timeout=120)[0]
    assert process.returncode == 130 and "Interrupted" in said_last
    before = {path.name: path.stat().st_mtime_ns for path in results.glob("s?_*.json")}
    assert 0 < len(before) < 6 and (tmp_path / "out" / "grades.csv").exists()
    assert subprocess.run(said, capture_output=True, env=environment, check=False).returncode == 0
    assert all((results / name).stat().st_mtime_ns == then for name, then in before.items())
    assert (tmp_path / "out" / "grades.csv").read_text().count("\n") == 7


def test_a_submission_travels():
    import pickle

    for thing in (Submission("a", (("f", ("x",)),)), SETTINGS, result()):
        assert pickle.loads(pickle.dumps(thing)) == thing
