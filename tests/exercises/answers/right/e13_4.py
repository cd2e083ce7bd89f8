# ruff: noqa
"""Right answers to 13.4 in many hands."""

VALUES = {"number": 512, "counted": 32 * 128 * 128 // (2 * 2 * 256), "float": 524_288 / 1024, "power": 2**9}
