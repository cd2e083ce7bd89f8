# ruff: noqa
"""Wrong answers to 12.5; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "two_matrices_for_one": (2 * (3 * 4096 * 128 + 4 * 4096**2), "no_output"),
    "a_further_trip": (2 * (4 * 4096 * 128 + 6 * 4096**2), "more_passes"),
    "in_thousands": (2 * (4 * 4000 * 128 + 4 * 4000**2), "thousands"),
    "other_1": (2 * (4096 * 128 * 2 + 4096 ** 2), "first_trip"),
    "other_2": (4 * 4096 * 128 + 4 * 4096 ** 2, "numbers"),
    "other_3": (2 * 4 * 4096 * 128, "tiled"),
    "other_4": (2 * (4 * 4096 * 128 + 2 * 4096 ** 2), "scores_twice"),
    "other_5": (2 * (4 * 4096 * 128 + 3 * 4096 ** 2), "scores_thrice"),
    "other_6": (16 * (4 * 4096 * 128 + 4 * 4096 ** 2), "bits"),
    "other_7": (4 * (4 * 4096 * 128 + 4 * 4096 ** 2), "single"),
    "other_8": (2 * 4 * 4096 ** 2, "scores_only"),
    "other_9": (2 * (3 * 4096 * 128 + 4 * 4096 ** 2), "no_output"),
    "other_10": (138.4, "units"),
    "other_11": (2 * (4 * 128 * 128 + 4 * 4096 ** 2), "width_squared"),
    "fresh_rereads_inputs": (2 * (3 * 3 * 4096 * 128 + 4096 * 128 + 4 * 4096 ** 2), "read_again"),
}
