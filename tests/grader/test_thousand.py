"""A thousand submissions, graded twice: in peace, and while workers and the grader are killed at random."""

import os
import random
import signal
import subprocess
import sys
import time

import psutil
import pytest

from .attacks import ATTACKS
from .conftest import COLUMNS, JACOBIAN, KINDS, SOFTMAX
from .test_batch import class_of

pytestmark = pytest.mark.prove
COUNT = int(os.environ.get("SUBMISSIONS", 1000))
HOSTILE = [
    "leaving",
    "leaving in a cell",
    "a forged report",
    "deep recursion",
    "None on one probe",
    "patched comparisons",
]
SLOW = "an endless loop"  # ten of them: each costs its time twice


def cells_of(k):
    """Right, wrong, broken, hostile and a few slow ones, in turn."""
    if k % (COUNT // 10) == 7:
        return ATTACKS[SLOW]
    kinds = [SOFTMAX, COLUMNS, SOFTMAX + "\n" + JACOBIAN, "def softmax(S:\n", ATTACKS[HOSTILE[k // 5 % len(HOSTILE)]]]
    return kinds[k % 5]


def command(folder, out):
    """The command that an instructor types, with a short limit."""
    return [sys.executable, "-m", "attn_grader", "grade", str(folder), "-o", str(out), "--seed", "s", "--chapters", "4",
            "--isolation", KINDS[-1], "--limit", "1", "--jobs", "2"]  # fmt: skip


ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([os.path.abspath("grader"), os.path.abspath(".")])}


def test_random_kills_lose_nothing_and_change_nothing(tmp_path):
    folder = class_of(tmp_path / "in", **{f"s{k:04}": cells_of(k) for k in range(COUNT)})
    quiet = subprocess.run(command(folder, tmp_path / "peace"), env=ENVIRONMENT, capture_output=True, check=False)
    assert quiet.returncode == 0, quiet.stdout[-500:]
    rng, deaths = random.Random(0), 0
    while True:
        heard = [sys.executable, "-c", "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
                 "os.execv(sys.argv[1], sys.argv[1:])"]  # fmt: skip
        said = [*heard, *command(folder, tmp_path / "war")]
        process = subprocess.Popen(said, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        for _ in range(rng.randrange(3, 8)):
            time.sleep(rng.uniform(0.5, 2.5))
            try:
                children = psutil.Process(process.pid).children()
                rng.choice(children).kill()
            except (psutil.Error, IndexError):
                pass
        if deaths < 6:
            deaths += 1
            process.send_signal(rng.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
            process.wait(120)
            continue
        if process.wait(1800) == 0:
            break
        deaths += 1
        assert deaths < 20
    tables = [(tmp_path / name / "grades.csv").read_text("utf8") for name in ("peace", "war")]
    assert tables[0] == tables[1] and tables[0].count("\n") == COUNT + 1
