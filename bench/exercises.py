"""How long a check takes, what importing the exercises costs, and a whole class graded.

    python -m bench.exercises             latency and import
    python -m bench.exercises --class 500   also so many submissions, every exercise, on two workers (minutes)

The answers timed are those of the tests' corpus, right and wrong: run it from a checkout.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from attn.exercises import catalogue, grade
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


def graded(count, jobs=2):
    """Seconds to grade `count` submissions of all solutions, in workers without a sandbox. -> float"""
    with tempfile.TemporaryDirectory() as there:
        folder = Path(there) / "in"
        for k in range(count):
            (folder / f"{k:04}").mkdir(parents=True)
            for path in SOLUTIONS.glob("*.ipynb"):
                (folder / f"{k:04}" / path.name).write_bytes(path.read_bytes())
        start = time.perf_counter()
        grade.everything(folder, Path(there) / "out", seed="bench", jobs=jobs, wrap=[], python=sys.executable)
        return time.perf_counter() - start


def main():
    """Print the figures beside their targets. -> None"""
    parser = argparse.ArgumentParser(prog="python -m bench.exercises", description=__doc__)
    parser.add_argument("--class", dest="count", type=int, default=0, help="also grade so many submissions")
    count = parser.parse_args().count
    took = 1000 * latency()
    print(
        f"check, {len(took)} answers: median {np.median(took):.1f} ms (target 20), "
        f"99th of 100 {np.percentile(took, 99):.0f} ms (target 300), longest {took.max():.0f} ms"
    )
    print(f"import past NumPy: {1000 * importing():.0f} ms (target 50)")
    if count:
        seconds = graded(count)
        print(
            f"{count} submissions, {len(catalogue.every())} exercises, 2 workers: {seconds:.0f} s "
            f"({seconds / count * 500:.0f} s for 500; target 600)"
        )


if __name__ == "__main__":
    main()
