"""What `make test` sees in samples and `make prove` whole."""

import pytest


def also(value):
    """A value for `make prove` alone: another width, theme or sheet of a test that has one."""
    return pytest.param(value, marks=pytest.mark.prove)


def some(values, stride):
    """Every stride-th value as it is, the others for `make prove`."""
    return [value if k % stride == 0 else also(value) for k, value in enumerate(values)]
