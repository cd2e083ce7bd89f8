"""What the grader's tests share: an isolation that works here, and submissions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if os.name == "nt":
    collect_ignore_glob = ["*.py"]  # workers are killed as a group of processes

from attn_grader.isolation import Isolation, Refused
from attn_grader.notebooks import Submission
from attn_grader.unit import Settings, grade

ROOT = Path(__file__).resolve().parents[2]
SOFTMAX = """import numpy as np

def softmax(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)"""
JACOBIAN = "import numpy as np\ndef softmax_jacobian(p):\n    return np.diag(p) - np.outer(p, p)"
COLUMNS = "import numpy as np\ndef softmax(S):\n    return np.exp(S) / np.exp(S).sum(0)"


def usable(kind):
    """True where an isolation works; with CI set, bubblewrap must."""
    try:
        Isolation(kind).find()
    except Refused:
        assert not (os.environ.get("CI") and kind == "bwrap" and shutil.which("bwrap")), "bubblewrap does not work here"
        return False
    return True


KINDS = [kind for kind in ("bwrap", "none") if usable(kind)]


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Both wheels, built from this tree as `make wheel` builds them."""
    dist = tmp_path_factory.mktemp("dist")
    said = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(dist)]
    subprocess.run([*said, str(ROOT), str(ROOT / "grader")], check=True)
    return dist


@pytest.fixture(params=KINDS)
def isolation(request):
    """Each isolation that this machine has."""
    return Isolation(request.param)


def submission(*cells, name="ada", file="ada.ipynb"):
    """A submission of one notebook."""
    return Submission(name, ((file, cells),))


def marks(handed_in, chapters=(4,), kind=KINDS[0], **settings):
    """{exercise: Mark} of a submission."""
    settings = {"limit": 2.0, "each": 4.0} | settings
    result = grade(handed_in, Settings("a secret", chapters, Isolation(kind), **settings))
    return {mark.exercise: mark for mark in result.marks}
