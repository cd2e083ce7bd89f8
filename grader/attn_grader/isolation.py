"""Where a submission runs: an interpreter, NumPy, the worker, and nothing else that could hold an answer."""

import contextlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KINDS = ("docker", "podman", "bwrap", "user", "none")
LIBRARY = "/library"
# The worker's own text arrives over the pipe, so that no folder of the course has to be shown to it.
START = """
import os, sys
sys.path[:0] = sys.argv[2:]
text, size = b"", int(sys.argv[1])
while len(text) < size:
    text += os.read(0, size - len(text)) or sys.exit(1)
exec(text)
"""
BOX = ("run", "--rm", "-i", "--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt",
       "no-new-privileges", "--user", "65534:65534", "--memory", "2g", "--memory-swap", "2g",
       "--ulimit", "nofile=256:256", "--ulimit", "nproc=1024:1024", "--pids-limit", "64",
       "--tmpfs", "/tmp:size=16m", "--workdir", "/tmp", "-e", "OPENBLAS_NUM_THREADS=1", "-e", "OMP_NUM_THREADS=1",
       "-e", "HOME=/tmp")  # fmt: skip
SYSTEM = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


class Refused(ValueError):
    """The isolation that was asked for cannot be had here; nothing is run with less."""


@dataclass(frozen=True)
class Isolation:
    """One way of shutting a worker in.

    kind: "docker", "podman", "bwrap", "user" or "none".   image: for docker and podman, a Python with NumPy, without
    attn.   user: for "user", one of this machine who cannot read the answers; only root can start a worker as another.
    python: the interpreter inside; for bwrap and none one of this machine, this one unless named.
    """

    kind: str = "docker"
    image: str = ""
    python: str = ""
    user: str = ""

    def __post_init__(self):
        if self.kind not in KINDS:
            raise Refused(f"isolation: {self.kind!r} is none of {', '.join(KINDS)}")
        if self.boxed and not self.image:
            raise Refused(f"image: {self.kind} needs the name of an image, a Python with NumPy and without attn")

    @property
    def boxed(self):
        """True where a daemon or an engine starts a container."""
        return self.kind in ("docker", "podman")

    def find(self):
        """Raise Refused where the tool is missing or cannot work here."""
        if self.kind == "none":
            return
        if self.kind == "user":
            if os.getuid() != 0 or not self.user:
                raise Refused("user: only root can run a worker as another user, and needs that user's name")
            return
        if shutil.which(self.kind) is None:
            raise Refused(f'{self.kind} is not installed. Say "--isolation none" to grade without a sandbox.')
        inside = [self.image, self.python or "python3", "-I", "-c", "import numpy"]
        trial = (
            [self.kind, *BOX, *inside] if self.boxed else [*sandbox(self.interpreter), self.interpreter, "--version"]
        )
        done = subprocess.run(trial, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise Refused(f"{self.kind} cannot run here: {reason}")

    @property
    def interpreter(self):
        """The Python that runs submissions, without a virtual environment around it."""
        return self.python or str(Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}"))

    def command(self, name, size, kind="numpy"):
        """What starts a worker whose text of `size` bytes will follow.  name: of the container"""
        if self.boxed:
            return [self.kind, *BOX, "--name", name, self.image, self.python or "python3", "-I", "-c", START, str(size)]
        if self.kind == "user":  # its own interpreter has NumPy and nothing else
            runuser = shutil.which("runuser", path="/usr/sbin:/sbin:/usr/bin") or "runuser"
            return [runuser, "-u", self.user, "--", self.python, "-I", "-B", "-c", START, str(size)]
        start = [self.interpreter, "-I", "-S", "-B", "-c", START, str(size)]
        if self.kind == "bwrap":
            return [*sandbox(self.interpreter, kind), *start, LIBRARY]
        return [*start, str(library(kind))]

    def host_pid(self, name, pid):
        """The process whose tree does a submission's work, as this machine numbers it; None where it cannot tell."""
        if not self.boxed:
            return pid
        shown = subprocess.run([self.kind, "inspect", "--format", "{{.State.Pid}}", name],
                               capture_output=True, text=True, check=False, timeout=30)  # fmt: skip
        return int(shown.stdout) if shown.stdout.strip().isdigit() else None

    def remove(self, name):
        """End what a killed client leaves behind."""
        if self.boxed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run([self.kind, "rm", "-f", name], capture_output=True, check=False, timeout=30)


@cache
def sandbox(python, kind="numpy"):
    """bubblewrap's command: system libraries, one interpreter and NumPy, read-only; no home, no other package."""
    words = ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session",
             "--cap-drop", "ALL", "--clearenv",             "--uid", "65534", "--gid", "65534"]  # fmt: skip
    for name, value in ENVIRONMENT.items():
        words += ["--setenv", name, value]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            words += ["--ro-bind", path, path]
    executable = Path(python).resolve()
    prefix = executable.parent.parent
    if prefix != Path("/usr"):
        words += ["--ro-bind", str(prefix / "lib"), str(prefix / "lib")]
    words += ["--ro-bind", str(executable), python]
    for path in hidden(prefix):
        words += ["--tmpfs", str(path)]
    words += ["--dir", LIBRARY]
    for path in packages(kind):
        words += ["--ro-bind", str(path), f"{LIBRARY}/{path.name}"]
    return (*words, "--dev", "/dev", "--proc", "/proc", "--size", str(16 << 20), "--tmpfs", "/tmp",
            "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp")  # fmt: skip


ENVIRONMENT = {
    "PATH": os.defpath,
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
}
KEPT = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")  # what this machine's linear algebra must be told
ENVIRONMENT |= {name: os.environ[name] for name in KEPT if name in os.environ}


def hidden(prefix):
    """Folders of installed packages that lie inside what the sandbox shows."""
    roots = {prefix / "lib", Path("/usr/lib"), Path("/usr/lib64")}
    found = {path for root in roots if root.is_dir() for path in root.glob("python3*/*-packages")}
    return sorted(path for path in found if path.is_dir() and not path.is_symlink())


@cache
def packages(kind="numpy"):
    """The installed files and folders of a library and of all it needs, beside one another.  -> tuple of paths"""
    names, waiting = set(), [kind]
    while waiting:
        name = canonical(waiting.pop())
        if name in names:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # an optional need
        names.add(name)
        needs = [need for need in distribution.requires or () if "extra ==" not in need]
        waiting += [re.match(r"[\w.-]+", need)[0] for need in needs]
    if canonical(kind) not in names:
        raise Refused(f"{kind} is not installed for {sys.executable}")
    if kind == "torch":
        names |= {"numpy"}
    tops = {top for name in sorted(names) for top in belongings(importlib.metadata.distribution(name))}
    return tuple(sorted(tops))


def belongings(distribution):
    """The top-level files and folders that a distribution installed into its site-packages."""
    root = Path(distribution.locate_file("")).resolve()
    for first in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}:
        if not first.endswith((".dist-info", ".pth")):
            yield root / first


def canonical(name):
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def library(kind="numpy"):
    """A folder that shows NumPy (and torch) and no other package, for a worker without a sandbox.

    What can read the disk can still find the rest: that is what "none" means.
    """
    import atexit
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="attn-grader-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in packages(kind):
        (folder / path.name).symlink_to(path)
    return folder
