"""The instructor's page: its figures come from a record, its commands exist, and what it says of privacy holds."""

import json
import re
import stat

import pytest
from attn_grader.__main__ import main, parser
from attn_grader.isolation import KINDS as ISOLATIONS

from bench import grading

from .conftest import COLUMNS, KINDS, ROOT, SOFTMAX
from .test_batch import class_of

README = (ROOT / "grader" / "README.md").read_text("utf8")


def test_the_page_s_figures_are_those_of_the_record():
    record = json.loads(grading.RECORD.read_text("utf8"))
    assert grading.between(README)[1] == grading.page(record)
    for kind, aim in grading.AIMS.items():
        one = record["isolations"]["none"][kind]
        assert 1 / (one["grader"] + one["worker"]) > aim


def test_a_record_with_times_makes_a_second_table():
    record = json.loads(grading.RECORD.read_text("utf8"))
    one = next(iter(record["isolations"]["none"].values()))
    one |= {"one": 10.0, "two": 19.0, "dask": 18.0}
    assert "| 10.0 a second | 19.0 | 1.90 times | 18.0 |" in grading.page(record)


def test_every_option_and_isolation_on_the_page_exists():
    known = {word for action in parser()._subparsers._group_actions[0].choices.values()
             for option in action._actions for word in option.option_strings}  # fmt: skip
    said = set(re.findall(r"`(--[a-z]+)", README)) | set(
        re.findall(r" (--[a-z]+)", README.partition("```sh")[2].partition("```")[0])
    )
    assert said - {"--isolation"} <= known and "--seed" in known
    assert set(re.findall(r"^\| `(\w+)`", README, re.M)) & {"bwrap", "none"} <= set(ISOLATIONS)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of two, graded with a roster; file names say nothing of who it is."""
    there = tmp_path_factory.mktemp("class")
    folder = class_of(there / "in", **{"17": SOFTMAX, "18": COLUMNS + "  # a remark of hers"})
    (there / "roster.csv").write_text(
        "submission,name,id,email\n17.ipynb,Ada L.,7,ada@x.org\n18.ipynb,Bea,8,bea@x.org\n"
    )
    said = ["grade", str(folder), "-o", str(there / "out"), "--seed", "the secret of a term", "--chapters", "4"]
    assert main([*said, "--isolation", KINDS[0], "--jobs", "1", "--roster", str(there / "roster.csv")]) == 0
    return there / "out"


def test_names_are_in_the_tables_alone_and_the_seed_nowhere(graded):
    files = {
        path.relative_to(graded).as_posix(): path.read_text("utf8") for path in graded.rglob("*") if path.is_file()
    }
    tables = {"grades.csv", "canvas.csv", "moodle.csv"}
    assert {name for name, text in files.items() if "Ada" in text or "ada@" in text} == tables
    assert not [name for name, text in files.items() if "the secret" in text or "a remark of hers" in text]
    assert not re.search(r"\b1[78]\b", files["misconceptions.csv"])


def test_only_its_owner_opens_the_folder(graded):
    assert stat.S_IMODE(graded.stat().st_mode) == 0o700
