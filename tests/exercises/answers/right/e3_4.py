# ruff: noqa
"""Right answers to 3.4 in many hands."""

import math

import numpy as np


VALUES = {"number": 8, "root": math.sqrt(64), "array": np.array(8.0)}

VALUES["other_1"] = 64 ** 0.5
VALUES["other_2"] = 8
VALUES["other_3"] = np.sqrt(np.array(64))
