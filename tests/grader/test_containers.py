"""Containers: a real engine where one runs, and what is asked of it where none does."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from attn_grader.isolation import Isolation, packages
from attn_grader.preflight import fly
from attn_grader.unit import Settings, grade

from .attacks import ATTACKS
from .conftest import COLUMNS, JACOBIAN, SOFTMAX, submission

NAME = "localhost/attn-grader-test"
TRIED = ("leaving", "many processes", "killing everybody", "many files", "the course's own answer, unhidden",
         "whatever lies about", "the seed in a process", "a sandbox within")  # fmt: skip


def image(path):
    """An image as a tar: this Python's standard library, NumPy, and the system libraries that the two need."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    binary, shelf, home = (
        Path(sys.base_prefix, "bin", version),
        Path(sys.base_prefix, "lib", version),
        f"usr/lib/{version}",
    )
    left_out = {"site-packages", "dist-packages", "test", "tests", "idlelib", "__pycache__"}
    files = {
        f"{home}/{p.relative_to(shelf)}": p for p in shelf.rglob("*") if p.is_file() and not left_out & set(p.parts)
    }
    for top in packages():
        files |= {f"{home}/site-packages/{p.relative_to(top.parent)}": p for p in top.rglob("*") if p.is_file()}
    native = [str(p) for p in (binary, *files.values()) if p == binary or ".so" in p.name]
    needs = subprocess.run(["ldd", *native], capture_output=True, text=True, check=False).stdout
    for found in set(re.findall(r"(/\S+) \(0x", needs)):
        if "numpy" not in found:
            files[f"{'lib64' if 'ld-linux' in found else 'usr/lib'}/{Path(found).name}"] = Path(found)
    with tarfile.open(path, "w") as archive:
        for name, file in {**files, "usr/bin/python3": binary}.items():
            archive.add(file.resolve(), name)
        for name in ("tmp", "proc", "dev", "sys", "etc"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(folder)


@pytest.fixture(scope="module", params=["docker", "podman"])
def engine(request, tmp_path_factory):
    """An isolation by an engine that can run a container here."""
    kind, there = request.param, tmp_path_factory.mktemp("image")
    if shutil.which(kind) is None or subprocess.run([kind, "images"], capture_output=True, check=False).returncode:
        pytest.skip(f"no {kind} here")
    image(there / "root.tar")
    made = ["-c", "ENV PATH=/usr/bin", "-c", "ENV LD_LIBRARY_PATH=/usr/lib", "-c", "ENV PYTHONHOME=/usr"]
    subprocess.run([kind, "import", *made, str(there / "root.tar"), NAME], check=True, capture_output=True)
    (there / "containers.conf").write_text('[engine]\nruntime = "runc"\n')
    with pytest.MonkeyPatch.context() as patch:
        for runtime in (None, "runc"):  # crun, podman's own choice, refuses some systems
            if runtime:
                patch.setenv("CONTAINERS_CONF", str(there / "containers.conf"))
            trial = [kind, "run", "--rm", "--ulimit", "nofile=64:64", "--ulimit", "nproc=64:64", NAME, "python3", "-V"]
            if not (done := subprocess.run(trial, capture_output=True, text=True, check=False)).returncode:
                break
        else:
            pytest.skip(f"{kind} cannot run a container here: {done.stderr.strip()}")
        yield Isolation(kind, image=NAME)
        assert not subprocess.run([kind, "ps", "-aq", "--filter", "name=attn-grader-"], capture_output=True).stdout
        subprocess.run([kind, "rmi", "-f", NAME], capture_output=True, check=False)


@pytest.mark.prove
def test_a_container_grades_and_no_attack_gains(engine):
    settings = Settings("a secret", (4,), engine, limit=2.0, each=4.0)
    fly(settings)
    for cell, score in ((SOFTMAX, 1), (COLUMNS, 0)):
        assert grade(submission(cell), settings).marks[0].score == score
    for name in TRIED:
        marks = {
            m.exercise: m.score
            for m in grade(submission("import numpy as np", ATTACKS[name], JACOBIAN), settings).marks
        }
        assert (marks["4.1"], marks["4.4"]) == (0, 1), name


FAKE = """#!/bin/sh
# an engine's command line: notes what is asked, runs what stands behind the image's name, on this machine
echo "$@" >> {log}
case "$1" in
  run) while [ "$1" != an-image ]; do shift; done; shift; shift; exec {python} -S "$@" {library};;
  inspect) exit 1;;
esac
"""


@pytest.mark.parametrize("kind", ["docker", "podman"])
def test_each_container_is_named_shut_in_and_removed(kind, tmp_path, monkeypatch):
    from attn_grader.isolation import library

    log, tool = tmp_path / "log", tmp_path / kind
    tool.write_text(FAKE.format(log=log, python=Isolation("none").interpreter, library=library()))
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    result = grade(submission(SOFTMAX, JACOBIAN), Settings("s", (4,), Isolation(kind, image="an-image"), limit=2.0))
    assert [m.score for m in result.marks if m.exercise in ("4.1", "4.4")] == [1, 1]
    said = [line.split() for line in log.read_text().splitlines() if line]
    names = [line[line.index("--name") + 1] for line in said if line[0] == "run"]
    assert names and len(set(names)) == len(names)
    assert sorted(names) == sorted(line[-1] for line in said if line[:2] == ["rm", "-f"])
    words = next(" ".join(line) for line in said if line[0] == "run")
    for word in ("--network none", "--read-only", "--cap-drop ALL", "no-new-privileges", "--user 65534", "--memory 2g",
                 "--pids-limit 64", "--ulimit nproc=", "--ulimit nofile="):  # fmt: skip
        assert word in words
    assert "--volume" not in words and " -v " not in words and "ATTN_GRADER_SEED" not in words
