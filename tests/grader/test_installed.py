"""The attacks on the installed packages: both wheels in an environment of their own, and nothing of this tree."""

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from . import attacks
from .conftest import JACOBIAN, KINDS, SOFTMAX

pytestmark = pytest.mark.prove
GRADE = """
import json, sys
from concurrent.futures import ProcessPoolExecutor
import attn, attn_grader
from attn_grader.batch import Batch
from attn_grader.isolation import Isolation
from attn_grader.notebooks import Submission
from attn_grader.preflight import fly
from attn_grader.store import Store
from attn_grader.unit import Settings

if __name__ == "__main__":
    said = json.load(sys.stdin)
    settings = Settings("a secret", (4,), Isolation(said["kind"]), limit=1.0, each=2.0)
    fly(settings)
    class_ = [Submission(name, (("04_softmax.ipynb", tuple(cells)),)) for name, cells in said["class"]]
    results = Batch(Store(said["out"], settings.digest), settings, lambda: ProcessPoolExecutor(2)).run(class_)
    found = {r.submission: {m.exercise: [m.score, m.status, m.text] for m in r.marks} for r in results}
    json.dump({"from": [attn.__file__, attn_grader.__file__], "marks": found}, sys.stdout)
"""


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """An environment with both wheels; other libraries are those of the environment that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": folder, "platbase": folder}))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(packages)]
    subprocess.run([*pip, *sorted(map(str, built.glob("*.whl")))], check=True)
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))  # its own .pth files are not read
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_no_attack_gains_or_costs_anybody_anything(installed, tmp_path, kind):
    tried = {
        name: cell for name, cell in attacks.ATTACKS.items() if kind != "none" or name not in attacks.NEEDS_SANDBOX
    }
    class_ = [(name, ["import numpy as np", cell, JACOBIAN]) for name, cell in tried.items()]
    honest = [f"honest {k}" for k in range(4)]
    for k, name in enumerate(honest):
        class_.insert(k * len(tried) // 3 + k, (name, [SOFTMAX, JACOBIAN]))
    said = json.dumps({"kind": kind, "class": class_, "out": str(tmp_path / "graded")})
    (tmp_path / "grade.py").write_text(GRADE)
    python = installed / "bin" / "python"
    done = subprocess.run(
        [python, "-I", tmp_path / "grade.py"], input=said, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert all(Path(file).is_relative_to(installed) for file in told["from"])
    found = told["marks"]
    assert set(found) == {*tried, *honest}
    assert {name: [found[name][id][0] for id in ("4.1", "4.4")] for name in honest} == {n: [1, 1] for n in honest}
    assert not {name: found[name]["4.1"] for name in tried if found[name]["4.1"][0]}
    robbed = {name: found[name]["4.4"] for name in tried if found[name]["4.4"][0] != 1}
    assert set(robbed) <= attacks.ITS_OWN_LOSS, robbed


def test_the_installed_course_has_all_that_its_exercises_need(installed):
    """Every exercise's cases and its model, from the wheel alone."""
    said = """from attn.exercises import catalogue
from attn.exercises.checks.engine import examine
for e in catalogue.every():
    if e.kind == "numpy":
        report = examine(e, e.model if e.wants_function else e.model(), limit=60)
        assert report.status == "passed", str(report)
"""
    done = subprocess.run([installed / "bin" / "python", "-I", "-c", said], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
