# ruff: noqa
"""Right answers to 9.3 in many hands."""

import math

import numpy as np


VALUES = {"number": 2684354560, "power": int(2.5 * 2**30), "float": 2.5 * 1024**3}

VALUES["other_1"] = 80 * 8192 * (8 * 128 * 2) * 2
VALUES["other_2"] = 2.5 * 2 ** 30
