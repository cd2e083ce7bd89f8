# ruff: noqa
"""Wrong answers to 9.3; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "other_1": (2 * 80 * 64 * 128 * 8192 * 2, "eightfold"),
    "other_2": (80 * 8 * 128 * 8192 * 2, "half"),
    "other_3": (2 * 80 * 8 * 128 * 8192, "half"),
    "other_4": (2 * 80 * 8 * 128 * 8192 * 16, "eightfold"),
    "other_5": (2 * 8 * 128 * 8192 * 2, "one_layer"),
    "other_6": (2 * 80 * 8 * 128 * 8192 * 4, "four_bytes"),
    "other_7": (2.68, "units"),
    "other_8": (2 * 80 * 8 * 8192 * 8192 * 2, "model_width"),
    "other_9": (2 * 80 * 128 * 8192 * 2, "one_head"),
    "other_10": ("2.5 GiB", "not_numbers"),
    "other_11": (2 * 80 * 8 * 8192 * 2, "no_width"),
    "other_12": (2 * 80 * 8 * 128 * 2, "one_token"),
    "query_heads_without_values": (80 * 64 * 128 * 8192 * 2, "fourfold"),
    "query_heads_in_numbers": (2 * 80 * 64 * 128 * 8192, "fourfold"),
}
