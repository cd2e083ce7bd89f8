"""What every test shares: this folder's material (worked.py), one built site, and no test is judged by its time."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock

# one thread for each of the processes that test side by side: two pools on the same cores spend their time waiting
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from hypothesis import settings

# a deadline would fail a test because its neighbour was busy; speed is `make bench`'s business
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


HERE = Path(__file__).parent
ROOMS = [HERE / "browser", HERE / "gpu", HERE / "grader"]  # torch's import alone takes longer than `make check` should
COSTLY = {"site", "small", "ran"}  # fixtures that build a book or run a kernel


def pytest_collection_modifyitems(items):
    """What needs a browser, torch, a kernel or a built site is slow; and the browser comes last.

    Once Playwright drives a browser its event loop runs on, and nothing else can start one.
    """
    for item in items:
        if any(map(item.path.is_relative_to, ROOMS)) or COSTLY & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.is_relative_to(HERE / "browser"))


def pytest_runtest_setup(item):
    """On a machine with a limit, as CI's, the tests that TESTS_UNTIL (seconds since 1970) finds unrun are skipped."""
    if time.time() > float(os.environ.get("TESTS_UNTIL", "inf")):
        pytest.skip("no time was left for it here; `make prove` has no limit")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site's folder, built from the working tree as `make site` builds it: once, by whichever worker asks first."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # a worker's own folder stands in the folder of them all
        shared = shared.parent
    with FileLock(shared / "site.lock"):
        if not (shared / "site").is_dir():
            command = [Path(sys.executable).parent / "jupyter-book", "build", Path(__file__).parents[1]]
            done = subprocess.run(
                [*command, "--path-output", shared / "building", "-W", "-n", "--keep-going", "-q"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=1200,
            )
            assert done.returncode == 0, done.stdout[-6000:]
            (shared / "building").rename(shared / "site")
    return shared / "site" / "_build" / "html"
