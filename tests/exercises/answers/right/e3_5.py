# ruff: noqa
"""Right answers to 3.5 in many hands."""

import math

import numpy as np


VALUES = {"number": 64, "float": 64.0, "numpy": np.int64(64)}

VALUES["other_1"] = min(1000, 2000, 64, 768)
VALUES["other_2"] = np.int64(64)
