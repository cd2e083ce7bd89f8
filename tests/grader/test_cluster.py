"""A real Dask scheduler with two worker processes grades as one machine does, also when a worker is killed."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time

import pytest
from attn_grader.__main__ import main
from attn_grader.store import Store

from .conftest import COLUMNS, KINDS, SOFTMAX
from .test_batch import class_of

pytestmark = pytest.mark.prove
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([os.path.abspath("grader"), os.path.abspath(".")])}


@contextlib.contextmanager
def cluster(folder, workers=2):
    """The scheduler's address and the worker processes; all are ended at the end."""
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": ENVIRONMENT}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                 "--no-dashboard", "--scheduler-file", str(file)]  # fmt: skip
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1",
              "--nworkers", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(folder)]  # fmt: skip
    started = [subprocess.Popen(scheduler, **quiet)]
    try:
        end = time.monotonic() + 120
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        started += [subprocess.Popen(worker, **quiet) for _ in range(workers)]
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def graded(folder, out, *more):
    """The table that a run makes, and its exit status."""
    status = main(
        ["grade", str(folder), "-o", str(out), "--seed", "s", "--chapters", "4", "--isolation", KINDS[0], *more]
    )
    return status, (out / "grades.csv").read_text("utf8")


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_grades_like_one_machine_and_survives_a_dead_worker(tmp_path):
    cells = {f"s{k:02}": SOFTMAX if k % 2 else COLUMNS for k in range(24)}
    folder = class_of(tmp_path / "in", **cells)
    alone = graded(folder, tmp_path / "alone", "--jobs", "2")
    with cluster(tmp_path) as (address, workers):

        def kill():
            results = tmp_path / "dask" / "results"
            end = time.monotonic() + 120
            while len(list(results.glob("s*.json")) if results.exists() else []) < 6 and time.monotonic() < end:
                time.sleep(0.05)
            workers[0].kill()

        threading.Thread(target=kill, daemon=True).start()
        together = graded(folder, tmp_path / "dask", "--scheduler", address)
        assert workers[0].poll() is not None
    assert together == alone and together[0] == 0
    assert len(Store.found(tmp_path / "dask").results()) == 24
