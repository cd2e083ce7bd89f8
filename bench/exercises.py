"""How long a check takes, and what importing the exercises costs. A whole class is graded by bench.grading.

    python -m bench.exercises

The answers timed are those of the tests' corpus, right and wrong: run it from a checkout.
"""

import subprocess
import sys
import time

import numpy as np

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine

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


def main():
    """Print the figures beside their targets. -> None"""
    took = 1000 * latency()
    print(
        f"check, {len(took)} answers: median {np.median(took):.1f} ms (target 20), "
        f"99th of 100 {np.percentile(took, 99):.0f} ms (target 300), longest {took.max():.0f} ms"
    )
    print(f"import past NumPy: {1000 * importing():.0f} ms (target 50)")


if __name__ == "__main__":
    main()
