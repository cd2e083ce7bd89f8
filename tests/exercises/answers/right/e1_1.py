# ruff: noqa
"""Right answers to 1.1 in many hands."""

import math

import numpy as np


VALUES = {"lists": [[3, 5], [3, 5], [3, 11]], "arrays": np.array([[3, 5], [3, 5], [3, 11]]),
          "computed": ((np.zeros((3, 7)) @ np.zeros((7, 5))).shape, (3, 5), (3, 11))}

VALUES["other_1"] = [[3, 5], [3, 5], [3, 11]]
VALUES["other_2"] = (np.zeros((3, 5)).shape, np.zeros((3, 5)).shape, np.zeros((3, 11)).shape)
VALUES["other_3"] = np.array([[3, 5], [3, 5], [3, 11]])
