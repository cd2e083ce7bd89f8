# ruff: noqa
"""Right answers to 7.3 in many hands."""

import math

import numpy as np


VALUES = {"number": 2359296, "product": 4 * 768**2, "by_heads": 12 * 4 * 768 * 64}

VALUES["other_1"] = 4 * 768 ** 2
VALUES["other_2"] = 2359296.0
