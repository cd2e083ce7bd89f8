"""What every test shares: this folder's material (worked.py) is importable, and no test is judged by its time."""

import os

# one thread for each of the processes that test side by side: two pools on the same cores spend their time waiting
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from hypothesis import settings

# a deadline would fail a test because its neighbour was busy; speed is `make bench`'s business
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
