"""What every test shares: this folder's material (worked.py) is importable, and no test is judged by its time."""

import os
from pathlib import Path

# one thread for each of the processes that test side by side: two pools on the same cores spend their time waiting
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from hypothesis import settings

# a deadline would fail a test because its neighbour was busy; speed is `make bench`'s business
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items):
    """The browser comes last: once Playwright drives one, its event loop runs on, and nothing else can start one."""
    browser = Path(__file__).parent / "browser"
    items.sort(key=lambda item: item.path.is_relative_to(browser))
