"""Grading a folder of submissions: each in a process that holds no expected value.

A submission is a notebook, or a folder of notebooks. Its functions run in a worker (worker.py); what they return is
compared here. Limits on a process are no sandbox: the worker should run inside docker, podman or bwrap, and grading
without one must be asked for by name.
"""

import csv
import hashlib
import html
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from attn.exercises import catalogue, cells
from attn.exercises.checks.engine import examine
from attn.exercises.remote import Gone, Worker
from attn.exercises.report import Report

LARGEST = 8 << 20
BWRAP = (
    "bwrap",
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--tmpfs",
    "/tmp",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--cap-drop",
    "ALL",
)
BOX = (
    "run",
    "--rm",
    "-i",
    "--network",
    "none",
    "--read-only",
    "--cap-drop",
    "ALL",
    "--user",
    "65534",
    "--memory",
    "2g",
    "--pids-limit",
    "64",
    "--tmpfs",
    "/tmp",
)


def isolation(kind, image=""):
    """The command that a worker is started through.  "docker" | "podman" | "bwrap" | "none" -> list of words

    Raises ValueError where the tool is missing: nothing is ever run with less protection than was asked for.
    """
    if kind == "none":
        return []
    if shutil.which(kind) is None:
        raise ValueError(f'{kind} is not installed. Say "--isolation none" to grade without a sandbox.')
    if kind == "bwrap":
        return list(BWRAP)
    if not image:
        raise ValueError(f"{kind} needs --image: a Python with NumPy, and without attn")
    here = str(Path(__file__).parent)
    return [kind, *BOX, "-v", f"{here}:{here}:ro", image]


def submissions(folder):
    """{name: notebooks}, in order of names. Symbolic links and what is too large are left out, never followed."""
    found = {}
    for entry in sorted(Path(folder).iterdir()):
        if entry.is_symlink():
            continue
        inside = sorted(entry.glob("*.ipynb")) if entry.is_dir() else [entry] if entry.suffix == ".ipynb" else []
        found |= {entry.name: [p for p in inside if p.is_file() and not p.is_symlink()]} if inside else {}
    return found


def grade(paths, exercises, seed, **settings):
    """Check every exercise of one submission.  notebooks' paths -> list of Reports, one for each exercise"""
    read = [(path, sources(path)) for path in paths]
    read = [(path, cells_) for path, cells_ in read if cells_]
    done = {}
    for report in graded(read, exercises, seed, **settings) if read else ():
        if report.exercise not in done or report.score > done[report.exercise].score:
            done[report.exercise] = report  # of several answers the best counts
    return [
        done.get(exercise.id) or Report.plain(exercise, "not started", did="No answer of this name was handed in.")
        for exercise in exercises
    ]


def sources(path):
    """A notebook's code cells; none if it is too large or not a notebook."""
    try:
        return cells.code_cells(path) if path.stat().st_size <= LARGEST else []
    except (OSError, ValueError, RecursionError):
        return []


def belongs(path, exercise):
    """A sheet named 04_… answers chapter 4 alone; a notebook of another name may answer anything."""
    number = re.match(r"(\d\d)_", path.name)
    return number is None or int(number[1]) == exercise.chapter


def graded(read, exercises, seed, *, limit=5.0, **settings):
    """The reports on what some notebooks define. A worker that dies is started again for the next exercise."""
    names = {exercise.id: exercise.call.partition("(")[0] for exercise in exercises}
    notebooks, worker, reports = [cells_ for _, cells_ in read], None, []
    kind = "torch" if any(e.kind == "torch" and answered(notebooks, names[e.id]) for e in exercises) else "numpy"
    try:
        for place, (path, _) in enumerate(read):
            for exercise in (e for e in exercises if belongs(path, e) and mentions(notebooks[place], names[e.id])):
                if exercise.kind not in ("numpy", kind):  # a stub: not worth the second that torch takes to load
                    continue
                if worker is None or worker.process.poll() is not None:
                    if worker is not None:
                        worker.close()
                    worker = Worker(notebooks, list(names.values()), kind=kind, **settings)
                if names[exercise.id] in worker.names[place]:
                    rng = np.random.default_rng(secret(seed, exercise.id))
                    run = worker.run(names[exercise.id], place, exercise.kind)
                    reports.append(examine(exercise, ..., rng=rng, limit=limit, run=run))
    except Gone:  # its cells alone are too much: what is not graded yet cannot be
        pass
    finally:
        if worker is not None:
            worker.close()
    return reports


def mentions(cells_, name):
    """True if a name occurs in some cells: without it, no worker need be started."""
    return any(re.search(rf"\b{name}\b", source) for source in cells_)


def answered(notebooks, name):
    """True if some notebook mentions a name and does not leave its function as the sheet had it."""
    return any(mentions(cells_, name) and not cells.is_stub(cells_, name) for cells_ in notebooks)


def secret(seed, id):
    """The numbers that random cases are drawn from: the same for everyone, not to be guessed."""
    return [*hashlib.sha256(f"{seed}/{id}".encode()).digest()]


def everything(folder, out, *, seed, jobs=2, chapters=None, **settings):
    """Grade a folder; write grades.csv, misconceptions.csv and a page for each submission.  -> {name: reports}"""
    exercises = [e for e in catalogue.every() if not chapters or e.chapter in chapters]
    found = submissions(folder)
    with ThreadPoolExecutor(jobs) as pool:
        graded_all = pool.map(lambda paths: grade(paths, exercises, seed, **settings), found.values())
        results = dict(zip(found, graded_all, strict=True))
    out = Path(out)
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    table(out / "grades.csv", exercises, results)
    counts(out / "misconceptions.csv", results)
    for name, reports in results.items():
        (out / "feedback" / f"{page_name(name)}.html").write_text(page(name, reports), "utf8")
    return results


def table(path, exercises, results):
    """One row for each submission: its points in every exercise, and their sum."""
    with open(path, "w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow(["submission", *(e.id for e in exercises), "score", "max_score"])
        for name, reports in results.items():
            points = [r.score for r in reports]
            writer.writerow([harmless(name), *points, sum(points), sum(r.max_score for r in reports)])


def counts(path, results):
    """How many submissions made each mistake; no names."""
    seen = {}
    for reports in results.values():
        for report in reports:
            for id in report.misconceptions:
                seen[report.exercise, id] = seen.get((report.exercise, id), 0) + 1
    with open(path, "w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow(["exercise", "misconception", "submissions"])
        writer.writerows([exercise, id, n] for (exercise, id), n in sorted(seen.items(), key=lambda item: -item[1]))


def harmless(name):
    """A name that a spreadsheet will not take for a formula."""
    return "'" + name if name[:1] in "=+-@\t\r" else name


def page_name(name):
    """A file name that stays in its folder and is no other submission's."""
    mark = hashlib.sha256(name.encode("utf8", "surrogateescape")).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9-]+', '_', name)[:60]}-{mark}"


def page(name, reports):
    """A learner's own messages as a page."""
    body = "".join(report._repr_html_() for report in reports)
    score, most = sum(r.score for r in reports), sum(r.max_score for r in reports)
    safe = html.escape(name.encode("utf8", "replace").decode("utf8"))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{safe}</title>'
        f"<h1>{safe}: {score} of {most}</h1>{body}</html>\n"
    )


def main(options):
    """The command line's `grade`.  -> exit status"""
    if os.name == "nt":
        print("Grading needs a Unix system: a worker is killed as a group of processes.")
        return 2
    try:
        wrap = isolation(options.isolation, options.image)
    except ValueError as error:
        print(error)
        return 2
    results = everything(
        options.folder,
        options.output,
        seed=options.seed,
        jobs=options.jobs,
        chapters=options.chapters,
        wrap=wrap,
        python=options.python or sys.executable,
    )
    print(f"{len(results)} submissions graded; see {options.output}.")
    return 0
