"""Exports for other graders: a Gradescope autograder, otter test files, a table that a course page can import.

Gradescope's results come from the worker of `grade`: a submission meets no expected value there either. An otter
test runs in the learner's own process, as otter works, and can be forged: use it for feedback rather than for marks.
"""

import csv
import json
import zipfile
from pathlib import Path

import attn
from attn.exercises import catalogue, grade

SETUP = """#!/usr/bin/env bash
set -e
apt-get install -y --no-install-recommends python3-venv
python3 -m venv /opt/grader
/opt/grader/bin/pip install -q {attn} {needs}
python3 -m venv /opt/learner
/opt/learner/bin/pip install -q {needs}
useradd --create-home learner
"""
RUN = """#!/usr/bin/env bash
/opt/grader/bin/python /autograder/source/grade_one.py
"""
ONE = """\"\"\"Grade /autograder/submission and write /autograder/results/results.json.\"\"\"

import json
from pathlib import Path

from attn.exercises.export import results

settings = json.loads(Path("/autograder/source/settings.json").read_text())
told = results("/autograder/submission", wrap=["runuser", "-u", "learner", "--"], python="/opt/learner/bin/python",
               **settings)
Path("/autograder/results/results.json").write_text(json.dumps(told))
"""
OTTER = """OK_FORMAT = False
from otter.test_files import test_case

name, points = "{name}", {points}


@test_case(points={points})
def test_{name}(env):
    from attn.exercises.export import hold
    hold("{id}", env.get("{answer}"))
"""


def chosen(chapters):
    """The exercises of some chapters, or all of them."""
    return [exercise for exercise in catalogue.every() if not chapters or exercise.chapter in chapters]


def results(folder, *, seed, chapters=None, **settings):
    """What Gradescope reads: a score and the learner's own message for each exercise.

    folder: one submission, with its notebooks.   seed: draws the cases.   settings: as attn.exercises.grade.grade.
    -> dict with "tests". Raises what grade raises.
    """
    paths = [path for path in sorted(Path(folder).glob("*.ipynb")) if path.is_file() and not path.is_symlink()]
    reports = grade.grade(paths, chosen(chapters), seed, **settings)
    return {"tests": [
        {"name": f"{report.exercise}  {report.title}", "score": report.score, "max_score": report.max_score,
         "status": "passed" if report.score else "failed", "output": str(report)} for report in reports]}  # fmt: skip


def gradescope(path, *, seed, chapters=None):
    """Write an autograder for Gradescope: a zip of setup.sh, run_autograder and the settings, the seed among them.

    Raises ValueError without a seed: cases that can be guessed can be answered by heart.
    """
    if not seed:
        raise ValueError("--seed is needed: a secret that draws the cases")
    needs = " ".join(sorted({"numpy", *(exercise.kind for exercise in chosen(chapters))}))
    settings = {"seed": seed, "chapters": list(chapters or [])}
    package = f"attn=={attn.__version__}" if hasattr(attn, "__version__") else "attn"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        setup = SETUP.format(attn=package, needs=needs)
        for name, text in (
            ("setup.sh", setup),
            ("run_autograder", RUN),
            ("grade_one.py", ONE),
            ("settings.json", json.dumps(settings)),
        ):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            archive.writestr(entry, text)


def otter(folder, *, chapters=None):
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
    """Raise AssertionError, with the report as its message, unless an answer passes. What an otter test calls."""
    exercise = catalogue.find(id)
    report = grade.examine(exercise, answer)
    if report.status != "passed":
        raise AssertionError(f"\n{report}")


def table(source, target):
    """The grades as Canvas and Moodle import them: a row for each submission, the sum as a percentage.

    source: the grades.csv that `grade` wrote.   target: the table to write.
    """
    with open(source, newline="", encoding="utf8") as read, open(target, "w", newline="", encoding="utf8") as write:
        writer = csv.writer(write)
        writer.writerow(["submission", "score", "max_score", "percent"])
        for row in csv.DictReader(read):
            score, most = int(row["score"]), int(row["max_score"])
            writer.writerow([row["submission"], score, most, f"{100 * score / max(most, 1):.1f}"])


def main(options):
    """The command line's `export`.  -> exit status"""
    try:
        if options.kind == "gradescope":
            gradescope(options.output, seed=options.seed, chapters=options.chapters)
        elif options.kind == "otter":
            otter(options.output, chapters=options.chapters)
        elif options.grades is None:
            raise ValueError("--grades is needed: the grades.csv that `grade` wrote")
        else:
            table(options.grades, options.output)
    except (OSError, ValueError, KeyError) as error:
        print(error)
        return 2
    print(f"Written to {options.output}.")
    return 0
