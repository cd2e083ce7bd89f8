# ruff: noqa
"""Right answers to 3.5 in many hands."""

import math

import numpy as np


VALUES = {"number": 64, "float": 64.0, "numpy": np.int64(64)}
