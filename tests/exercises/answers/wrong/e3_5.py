# ruff: noqa
"""Wrong answers to 3.5; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "one_side_less_the_other": (1000, "tokens"),
    "what_is_lost": (704, "model"),
    "after_a_softmax": (200, "small"),
    "other_1": (1000, "tokens"),
    "other_2": (2000, "keys"),
    "other_3": (768, "model"),
    "other_4": (128, "sum"),
    "other_5": (64 * 1000, "entries"),
    "other_6": (63, "less_one"),
    "other_7": (8.0, "root"),
    "other_8": ((1000, 2000), "shape"),
}
