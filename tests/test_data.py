"""The course's data is found from a checkout, from an installed package, and its absence is explained."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from attn import data

PACKAGE = Path(data.__file__).resolve().parent
ASK = "import sys; sys.path.insert(0, sys.argv[1]); from attn import data; print(data.path('small.txt').read_text())"


def ask(place, folder):
    """What a program standing in an empty folder reads, with the attn of that place first on its path."""
    command = [sys.executable, "-c", ASK, str(place)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def copied(tmp_path):
    """The package alone, copied where no repository surrounds it."""
    place = tmp_path / "somewhere"
    (place / "attn").mkdir(parents=True)
    for module in PACKAGE.glob("*.py"):
        shutil.copy(module, place / "attn")
    return place


@pytest.fixture
def empty(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_an_installed_package_finds_the_data_it_ships(copied, empty):
    (copied / "attn" / "data").mkdir()  # the folder stands beside data.py, and must not hide it
    (copied / "attn" / "data" / "small.txt").write_text("shipped", "utf8")
    assert ask(copied, empty) == "shipped"


def test_a_checkout_finds_the_data_beside_the_chapters(copied, empty):
    (copied / "chapters" / "data").mkdir(parents=True)
    (copied / "chapters" / "data" / "small.txt").write_text("beside", "utf8")
    assert ask(copied, empty) == "beside"


def test_a_missing_file_is_named():
    with pytest.raises(FileNotFoundError, match=r"no-such-file\.npz"):
        data.path("no-such-file.npz")
