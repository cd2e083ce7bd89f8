# ruff: noqa
"""Wrong answers to 3.4; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "twice": (16.0, "doubled"),
    "sixty_four_roots_of_two": (64 * 2**0.5, "deviations_added"),
    "other_1": (64, "variance"),
    "other_2": (1, "one"),
    "other_3": (1 / 8, "inverse"),
    "other_4": ("8", "not_numbers"),
    "other_5": (np.sqrt(128), "both_factors"),
    "other_6": ((np.random.default_rng(0).normal(size=(50, 64)) * np.random.default_rng(1).normal(size=(50, 64))).sum(1).std(), "near"),
    "other_7": (np.sqrt, "unnamed"),
    "third_both": (64 + 64, "variances_of_both"),
}
