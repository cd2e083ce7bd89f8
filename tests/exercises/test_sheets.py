"""Sheets are what the tool derives from the solutions, and every sheet says "not started" until someone starts."""

import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attn.exercises import catalogue

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import sheets as tool  # noqa: E402

SOLUTIONS = sorted((ROOT / "exercises" / "solutions").glob("*.ipynb"))
by_name = dict(ids=lambda path: path.stem)


def code(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def said(cell):
    return "".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def test_every_chapter_with_exercises_has_one_solution_notebook():
    assert [int(path.name[:2]) for path in SOLUTIONS] == list(catalogue.chapters())


@pytest.mark.parametrize("path", SOLUTIONS, **by_name)
def test_a_sheet_is_what_its_solution_gives(path):
    assert tool.stale(path) is None


@pytest.mark.parametrize("path", SOLUTIONS, **by_name)
def test_solutions_pass_and_sheets_are_not_started(path):
    ids = [exercise.id for exercise in catalogue.chapter(int(path.name[:2]))]
    for file, mark in ((path, "✓"), (tool.sheet_of(path), "○")):
        checks = [cell for cell in code(file) if cell.source.startswith("check(")]
        assert [cell.source.split('"')[1] for cell in checks] == ids
        assert all(said(cell).startswith(mark) for cell in checks), file
        assert not any(o.output_type == "error" for cell in code(file) for o in cell.outputs)


@pytest.mark.parametrize("path", SOLUTIONS, **by_name)
def test_no_sheet_gives_a_solution_away(path):
    for solved, open_ in zip(code(path), code(tool.sheet_of(path)), strict=True):
        if tool.BEGIN in solved.source:
            assert open_.source == tool.stubbed(solved.source)
            assert tool.STUB in open_.source or open_.source.endswith("= ...")


def test_a_stub_keeps_what_is_around_the_solution():
    source = "def f(x):\n    '''Words.'''\n    # BEGIN SOLUTION\n    y = x\n\n    return y\n    # END SOLUTION\n\nz = 1"
    assert tool.stubbed(source) == f"def f(x):\n    '''Words.'''\n    {tool.STUB}\n\nz = 1"


def test_a_value_becomes_an_ellipsis():
    source = "# BEGIN SOLUTION\n_step = 3\na, b = 1, 2\na = 4\n# END SOLUTION"
    assert tool.stubbed(source) == "a = ...\nb = ..."


@pytest.mark.parametrize(
    "source", ["# BEGIN SOLUTION\nx = 1", "x = 1\n# END SOLUTION", "# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION"]
)
def test_markers_without_partners_are_refused(source):
    with pytest.raises(ValueError, match=r"marker|begun"):
        tool.stubbed(source)


def test_the_tool_reports_no_difference():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "sheets.py"), "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


# What the statements say can be worked out in the head, worked out by the solutions.
LOG3 = np.log(3)
WORKED = [
    ("1.2", "answer_query", ([1.0, 0, 0, 0], [[0.0, 0, 0, 0], [2 * LOG3, 0, 0, 0]], [[0.0], [4.0]]), [3.0]),
    ("2.3", "bilinear", ([[1.0], [0.0]], [[0.0], [1.0]]), [[0, 1], [0, 0]]),
    ("3.1", "scores", ([[2.0, 0, 1]], [[0.0, 1, 1], [2.0, 1, 1]]), [[1, 5]]),
    ("3.2", "score_terms", ([[1.0, 2.0]], [[3.0, 4.0]]), [[[3]], [[8]]]),
    ("4.1", "softmax", ([[1000, 1000 + LOG3]],), [[0.25, 0.75]]),
    ("4.2", "tempered_softmax", ([[0.0, 2 * LOG3]], 2.0), [[0.25, 0.75]]),
    ("4.3", "logsumexp", ([[1000.0, 1000.0]],), [1000 + np.log(2)]),
    ("4.4", "softmax_jacobian", ([0.5, 0.5],), [[0.25, -0.25], [-0.25, 0.25]]),
    ("4.5", "stationary", ([[0.5, 0.5], [0.25, 0.75]],), [1 / 3, 2 / 3]),
    ("6.4", "merge_heads", ([[[1.0], [2.0]], [[3.0], [4.0]]],), [[1, 3], [2, 4]]),
    ("7.1", "mix", ([[[1.0]], [[2.0]]], [[10.0], [100.0]]), [[210]]),
    ("8.4", "safe_weights", ([[5.0, 5.0], [5.0, 5.0]], [[True, False], [False, False]]), [[1, 0], [0, 0]]),
    ("10.5", "induction_targets", ([0, 1, 2, 0, 1],), [-1, -1, -1, 1, 2]),
    ("11.1", "layer_norm", ([[1.0, 3.0]], [1.0, 1.0], [0.0, 0.0], 0.0), [[-1, 1]]),
    ("12.1", "online_softmax", ([0.0, np.log(2)], [[1.0, 0.0], [0.0, 1.0]], 1), [1 / 3, 2 / 3]),
]


@pytest.mark.parametrize(("id", "name", "arguments", "result"), WORKED, ids=lambda x: x if isinstance(x, str) else "")
def test_worked_cases_come_out_as_the_statement_says(id, name, arguments, result):
    space = {"np": np}
    for path in SOLUTIONS:
        if path.name.startswith(f"{int(id.split('.')[0]):02}_"):
            exec(next(cell.source for cell in code(path) if f"def {name}(" in cell.source), space)
    arguments = [np.array(x) if isinstance(x, list) else x for x in arguments]
    np.testing.assert_allclose(space[name](*arguments), result, atol=1e-12)
