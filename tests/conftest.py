"""What every test shares: this folder's material (worked.py) is importable, and no test is judged by its time."""

from hypothesis import settings

# a deadline would fail a test because its neighbour was busy; speed is `make bench`'s business
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
