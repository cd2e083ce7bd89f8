# ruff: noqa
"""Right answers to 12.5 in many hands."""

import math

import numpy as np


VALUES = {"number": 138412032, "product": 2 * 4 * 4096 * (128 + 4096), "float": 138412032.0}

VALUES["other_1"] = (3 * 4096 * 128 + 4096 * 128 + 4 * 4096 * 4096) * 2
VALUES["other_2"] = 138412032.0
