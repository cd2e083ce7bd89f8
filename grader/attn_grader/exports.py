"""Exports for other graders: a Gradescope autograder, otter test files, nbgrader assignments.

Gradescope's results come from the same worker as `grade`, under another user who cannot read the answers. An otter or
nbgrader test runs in the submission's own process, as those tools work, and can be forged: use it for feedback.
"""

import json
import zipfile
from pathlib import Path

import numpy as np

from attn.exercises import catalogue, sheets
from attn.exercises.checks.engine import examine
from attn_grader.isolation import Isolation
from attn_grader.notebooks import read, walked
from attn_grader.unit import Settings, grade

WHEELS = ("attention_as_linear_algebra-*.whl", "attention_as_linear_algebra_grader-*.whl")
SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
good() { "$1" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
python=
for one in python3.13 python3.12 python3.11 python3; do
  if command -v "$one" >/dev/null && good "$one"; then python=$one; break; fi
done
if [ -z "$python" ]; then
  apt-get update
  apt-get install -y --no-install-recommends python3.11 python3.11-venv ||
    apt-get install -y --no-install-recommends python3 python3-venv
  for one in python3.11 python3; do if good "$one"; then python=$one; break; fi; done
fi
[ -n "$python" ] || { echo "This image has no Python 3.11 or newer" >&2; exit 1; }
"$python" -m venv /opt/grader
/opt/grader/bin/pip install -q {needs} "$source"/wheels/*.whl
"$python" -m venv /opt/learner
/opt/learner/bin/pip install -q {needs}
id learner >/dev/null 2>&1 || /usr/sbin/useradd --create-home learner
chmod -R go-rwx /opt/grader "$source"
"""
RUN = """#!/usr/bin/env bash
exec /opt/grader/bin/python /autograder/source/grade_one.py
"""
ONE = """\"\"\"Grade /autograder/submission and write /autograder/results/results.json.\"\"\"

import json
from pathlib import Path

from attn_grader.exports import results

settings = json.loads(Path("/autograder/source/settings.json").read_text())
told = results("/autograder/submission", user="learner", python="/opt/learner/bin/python", **settings)
Path("/autograder/results/results.json").write_text(json.dumps(told))
"""
OTTER = """OK_FORMAT = False
from otter.test_files import test_case

name, points = "{name}", {points}


@test_case(points={points})
def test_{name}(env):
    from attn_grader.exports import hold
    hold("{id}", env.get("{answer}"))
"""


def chosen(chapters):
    """The exercises of some chapters, or all of them."""
    return [exercise for exercise in catalogue.every() if not chapters or exercise.chapter in chapters]


def results(folder, *, seed, chapters=(), **isolation):
    """What Gradescope reads: a score and the learner's own message for each exercise.  -> dict with "tests"

    An exercise that could not be graded has no score, and the instructor is told so: Gradescope shows it as pending.
    """
    paths, skipped = walked(Path(folder))
    submission = read("submission", [(str(path.relative_to(folder)), path) for path in paths], skipped)
    settings = Settings(seed, tuple(chapters), Isolation("user" if isolation.get("user") else "none", **isolation))
    result = grade(submission, settings)
    tests = [
        {"name": f"{mark.exercise}  {mark.title}", "max_score": mark.max_score, "output": mark.text}
        | ({} if mark.score is None else {"score": mark.score, "status": "passed" if mark.score else "failed"})
        for mark in result.marks
    ]  # fmt: skip
    note = "".join(f"Not read: {file}: {reason}.\n" for file, reason in result.skipped)
    return {"tests": tests} | ({"output": note} if note else {})


def gradescope(path, *, seed, wheels, chapters=()):
    """Write an autograder for Gradescope: a zip with both wheels, so that nothing is fetched by the course's name.

    wheels: the folder that `make wheel` fills.   Raises ValueError without a seed, or where a wheel is missing.
    """
    if not seed:
        raise ValueError("seed: a secret is needed that draws the cases")
    found = [match for pattern in WHEELS for match in sorted(Path(wheels).glob(pattern))[-1:]]
    if len(found) != len(WHEELS):
        raise ValueError(f"wheels: {wheels} must hold {' and '.join(WHEELS)}; `make wheel` builds both")
    kinds = {exercise.kind for exercise in chosen(chapters)} - {"numpy"}
    needs = " ".join([f"numpy=={np.__version__}", *sorted(kinds)])
    settings = json.dumps({"seed": seed, "chapters": list(chapters)})
    texts = {"setup.sh": SETUP.replace("{needs}", needs), "run_autograder": RUN,
             "grade_one.py": ONE, "settings.json": settings}  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            archive.writestr(entry, text)
        for wheel in found:
            archive.write(wheel, f"wheels/{wheel.name}")


def otter(folder, *, chapters=()):
    """Write one otter test file for each exercise into a folder.  -> the paths"""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for exercise in chosen(chapters):
        name = f"q{exercise.id.replace('.', '_')}"
        paths.append(folder / f"{name}.py")
        answer = exercise.call.partition("(")[0]
        paths[-1].write_text(OTTER.format(name=name, points=exercise.points, id=exercise.id, answer=answer), "utf8")
    return paths


def hold(id, answer):
    """Raise AssertionError, with the report as its message, unless an answer passes. What exported tests call."""
    report = examine(catalogue.find(id), answer)
    if report.status != "passed":
        raise AssertionError(f"\n{report}")


def nbgrader(folder, *, chapters=()):
    """Write an nbgrader source assignment: the solutions with nbgrader's marks, and hidden tests that call `hold`.

    folder: a course folder; the notebooks go to source/attention.  -> the paths
    """
    target = Path(folder) / "source" / "attention"
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for source in sorted((sheets.shelf() / "solutions").glob("*.ipynb")):
        if chapters and int(source.name[:2]) not in chapters:
            continue
        book = json.loads(source.read_text("utf8"))
        book["cells"] = [marked for cell in book["cells"] for marked in with_marks(cell)]
        paths.append(target / source.name)
        paths[-1].write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf8")
    return paths


def with_marks(cell):
    """A solution's cell as nbgrader wants it: solutions marked as such, checks as tests that stay hidden."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [cell]
    cell = cell | {"outputs": [], "execution_count": None}
    if "# BEGIN SOLUTION" in source:
        text = source.replace("# BEGIN SOLUTION", "### BEGIN SOLUTION").replace("# END SOLUTION", "### END SOLUTION")
        return [cell | {"source": text, "metadata": nbgrader_mark(f"solution-{cell['id']}", solution=True)}]
    exercise = next((e for e in catalogue.every() if f'check("{e.id}"' in source), None)
    if exercise is None:
        return [cell]
    answer = exercise.call.partition("(")[0]
    hidden = (f"### BEGIN HIDDEN TESTS\nfrom attn_grader.exports import hold\nhold(\"{exercise.id}\", {answer})\n"
              "### END HIDDEN TESTS")  # fmt: skip
    marks = nbgrader_mark(f"test-{exercise.id.replace('.', '-')}", points=exercise.points)
    return [cell, {"cell_type": "code", "execution_count": None, "id": f"test-{exercise.id.replace('.', '-')}",
                   "metadata": marks, "outputs": [], "source": hidden}]  # fmt: skip


def nbgrader_mark(id, *, solution=False, points=None):
    """nbgrader's metadata for one cell, in its third schema."""
    return {"nbgrader": {"grade": points is not None, "grade_id": id, "locked": points is not None,
                         "schema_version": 3, "solution": solution, "task": False}
            | ({"points": points} if points is not None else {})}  # fmt: skip
