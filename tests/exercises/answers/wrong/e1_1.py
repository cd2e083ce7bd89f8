# ruff: noqa
"""Wrong answers to 1.1; each docstring is the diagnosis on record."""

import numpy as np

VALUES = {
    "batch_axis_in_a_list": ([(1, 3, 5), (1, 3, 5), (1, 3, 11)], "batched"),
    "two_in_a_list": ([(3, 5), (3, 11)], "two_shapes"),
    "other_1": (((5, 3), (5, 3), (3, 11)), "transposed"),
    "other_2": (((3, 5), (3, 5), (3, 7)), "output_width_d"),
    "other_3": (((3, 5), (3,), (3, 11)), "weights_one_row"),
    "other_4": ((3, 5, 3, 5, 3, 11), "flat"),
    "other_5": (("3x5", "3x5", "3x11"), "not_numbers"),
    "other_6": (((3, 7), (5, 7), (5, 11)), "inputs"),
    "other_7": (((3, 5), (3, 5), (5, 11)), "output_keys"),
    "other_8": (((3, 3), (3, 3), (3, 11)), "square"),
    "other_9": (((1, 3, 5), (1, 3, 5), (1, 3, 11)), "batched"),
    "other_10": ((3, 11), "one_shape"),
}
