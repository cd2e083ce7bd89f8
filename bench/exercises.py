"""How long a check takes, what importing the exercises costs, and a whole class graded.

    python -m bench.exercises             latency and import
    python -m bench.exercises --class 40   also so many submissions graded, right and wrong, on one core and two

The answers timed are those of the tests' corpus, right and wrong: run it from a checkout.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from attn_grader.batch import Batch
from attn_grader.isolation import Isolation
from attn_grader.notebooks import Submission, code_cells
from attn_grader.store import Store
from attn_grader.unit import Settings

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine

SOLUTIONS = Path(__file__).resolve().parents[1] / "exercises" / "solutions"
IMPORT = "import time, numpy; t = time.perf_counter(); import attn.exercises; print(time.perf_counter() - t)"


def latency():
    """Seconds of one check of every answer on record, memory probes and time-outs included. -> array"""
    from tests.exercises.answers import corpus, value_of

    took = []
    for id, name, answer in corpus("right") + corpus("wrong"):
        if name == "endless":  # that one takes the limit, whatever the limit is
            continue
        exercise = catalogue.find(id)
        start = time.perf_counter()
        examine(exercise, value_of(answer))
        took.append(time.perf_counter() - start)
    return np.array(took)


def importing(times=7):
    """Seconds that `import attn.exercises` takes once NumPy is there: the median of fresh processes. -> float"""
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout
        for _ in range(times)
    ]
    return float(np.median([float(run) for run in runs]))


def handed_in(k, broken):
    """A submission of all solutions; broken: each answer returns what is not asked for."""
    books = [(path.name, code_cells(path.read_bytes())) for path in sorted(SOLUTIONS.glob("*.ipynb"))]
    books = [(name, [re.sub(r"return (.+)", r"return 2 * (\1)", cell) if broken else cell for cell in cells])
             for name, cells in books if not name.startswith("12")]  # fmt: skip
    return Submission(f"s{k:04}", tuple((name, tuple(cells)) for name, cells in books))


def graded(count, jobs, broken=False, isolation="none"):
    """Submissions a second, of chapters 1 to 11, all right or all wrong. -> float"""
    settings = Settings("bench", tuple(range(1, 12)), Isolation(isolation))
    class_ = [handed_in(k, broken) for k in range(count)]
    with tempfile.TemporaryDirectory() as there:
        start = time.perf_counter()
        batch = Batch(Store(there, settings.digest), settings, lambda: ProcessPoolExecutor(jobs), room=2 * jobs)
        results = batch.run(class_)
        took = time.perf_counter() - start
    assert all(result.complete for result in results)
    return count / took


def main():
    """Print the figures beside their targets. -> None"""
    parser = argparse.ArgumentParser(prog="python -m bench.exercises", description=__doc__)
    parser.add_argument("--class", dest="count", type=int, default=0, help="also grade so many submissions")
    parser.add_argument("--isolation", nargs="+", default=["none"])
    options = parser.parse_args()
    count = options.count
    took = 1000 * latency()
    print(
        f"check, {len(took)} answers: median {np.median(took):.1f} ms (target 20), "
        f"99th of 100 {np.percentile(took, 99):.0f} ms (target 300), longest {took.max():.0f} ms"
    )
    print(f"import past NumPy: {1000 * importing():.0f} ms (target 50)")
    for isolation in options.isolation if count else ():
        for broken in (False, True):
            one, two = (graded(count, jobs, broken, isolation) for jobs in (1, 2))
            kind, target = ("wrong", 8) if broken else ("right", 15)
            print(
                f"{kind} submissions a second, {isolation}: {one:.1f} on one core (target {target}), {two:.1f} on two"
            )


if __name__ == "__main__":
    main()
