# ruff: noqa
"""Wrong answers to 7.3; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "other_1": (3 * 768 * 768, "no_output"),
    "other_2": (4 * 768 * 768 * 12, "times_heads"),
    "other_3": (4 * 768 * 64, "one_head"),
    "other_4": (4 * 768 * 768 + 4 * 768, "biases"),
    "other_5": (3 * 768 * 768 + 64 * 768, "output_one_head"),
    "other_6": (768 ** 2, "one_matrix"),
    "other_7": (4 * 64 * 64 * 12, "one_head"),
    "other_8": ("2359296", "not_numbers"),
    "other_9": (2.36, "units"),
    "other_10": (4 * 768 * 12, "vectors"),
    "third_output": (3 * 768 * 64 * 12 + 12 * 768 * 768, "output_for_each_head"),
    "fresh_small_square_heads": (3 * 12 * 64 * 64 + 768 * 768, "head_squared"),
}
