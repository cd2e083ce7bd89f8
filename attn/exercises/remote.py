"""The parent's side of a worker: start it, call functions in it, kill it with everything it started."""

import contextlib
import io
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from attn.exercises.checks.running import Outcome
from attn.exercises.worker import HEAD

HERE = Path(__file__).parent
SOURCES = {
    "numpy": ("causes", "instruments", "stopping", "running"),
    "torch": ("causes", "instruments", "stopping", "running", "tensors"),
}
LOADING = {"numpy": 0, "torch": 60}  # seconds more until a worker that loads this is ready
LARGEST = 1 << 27


class Gone(Exception):
    """The worker ended, hung, or spoke nonsense; the reason is the exception's text."""


class Worker:
    """One submission in a process of its own. kind: "torch" if some of its functions take tensors."""

    def __init__(
        self, notebooks, wanted, *, kind="numpy", wrap=(), python=sys.executable, memory=2 << 30, seconds=60, each=3.0
    ):
        command = [*wrap, python, "-I", str(HERE / "worker.py")]
        clean = {"PATH": os.defpath, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "HOME": os.sep}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=clean,
            cwd=os.sep,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.names = [[] for _ in notebooks]  # of the wanted names, those that each notebook defines
        with self.closing_on_failure():
            sources = {name: (HERE / "checks" / f"{name}.py").read_text("utf8") for name in SOURCES[kind]}
            self.send(
                {
                    "sources": sources,
                    "notebooks": notebooks,
                    "wanted": wanted,
                    "memory": memory,
                    "seconds": seconds,
                    "each": each,
                }
            )
            ready, _ = self.receive(10 + LOADING[kind] + each * max(map(len, notebooks)))
            for mine, said in zip(self.names, named(ready.get("names")), strict=False):
                mine += [name for name in wanted if name in said]

    @contextlib.contextmanager
    def closing_on_failure(self):
        """Kill the worker if anything goes wrong inside."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def send(self, header, arrays=()):
        """Write one message. Raises Gone."""
        blob = io.BytesIO()
        for array in arrays:
            np.save(blob, array, allow_pickle=False)
        head, body = json.dumps(header | {"arrays": len(arrays)}).encode(), blob.getvalue()
        try:
            self.process.stdin.write(HEAD.pack(len(head), len(body)) + head + body)
            self.process.stdin.flush()
        except (OSError, ValueError):  # ValueError: closed by us
            raise Gone("killed") from None

    def receive(self, seconds):
        """Read one message.  -> (header, stream of arrays). Raises Gone; nothing that arrives is trusted."""
        end = time.monotonic() + seconds
        head, body = HEAD.unpack(self._read(HEAD.size, end))
        if head > 1 << 20 or body > LARGEST:
            raise Gone("killed")
        try:
            header = json.loads(self._read(head, end))
            if not isinstance(header, dict):
                raise ValueError
        except ValueError:
            raise Gone("killed") from None
        return header, io.BytesIO(self._read(body, end))

    def _read(self, size, end):
        pieces, missing = [], size
        while missing:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise Gone("timeout")
            piece = os.read(self.process.stdout.fileno(), min(missing, 1 << 20))
            if not piece:
                raise Gone("killed")
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def run(self, name, notebook, kind="numpy"):
        """How engine.examine calls one of a notebook's functions.  -> run(arguments, deadline, instrument)"""

        def run(arguments, deadline, instrument=None):
            header = {"name": name, "notebook": notebook, "instrument": instrument, "kind": kind}
            try:
                return self._call(header, arguments, deadline)
            except Gone as gone:
                self.close()
                return Outcome(
                    "timeout" if str(gone) == "timeout" else "error",
                    error="Stopped",
                    message="the process ended before it answered",
                )

        return run

    def _call(self, header, arguments, deadline):
        functions = [a for a in arguments if callable(a)]
        kinds = [
            {"call": functions.index(a)} if callable(a) else "array" if isinstance(a, np.ndarray) else plain(a)
            for a in arguments
        ]
        self.send(header | {"arguments": kinds}, [a for a in arguments if isinstance(a, np.ndarray)])
        while True:
            header, stream = self.receive(deadline.left())
            if header.get("kind") != "callback":
                return outcome(header, stream)
            index = header.get("index")
            if not isinstance(index, int) or not 0 <= index < len(functions):
                raise Gone("killed")
            with np.errstate(all="ignore"):
                self.send({}, [functions[index](array(stream))])

    def close(self):
        """Kill the worker and all that it started."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()


def named(lists):
    """Lists of names as sets, whatever was sent."""
    return (
        [{x for x in names if isinstance(x, str)} if isinstance(names, list) else set() for names in lists]
        if isinstance(lists, list)
        else []
    )


def plain(value):
    """A NumPy scalar as a Python number."""
    return value.item() if isinstance(value, np.generic) else value


def array(stream):
    """One array of numbers. Raises Gone for anything else."""
    try:
        read = np.load(stream, allow_pickle=False)
    except (ValueError, EOFError, OSError, MemoryError, TypeError, SyntaxError):
        raise Gone("killed") from None
    if not isinstance(read, np.ndarray) or read.dtype.kind not in "biufc":
        raise Gone("killed")
    return read


def outcome(header, stream):
    """What a worker says a call did. Every field is checked: it may be forged."""
    kind = header.get("kind")
    if kind not in ("value", "none", "nothing", "error", "timeout", "type"):
        raise Gone("killed")
    text = {name: str(header.get(name, ""))[:300] for name in ("error", "message", "line")}
    value = None
    if kind == "value":
        parts = header.get("parts")
        if not isinstance(parts, int) or not 0 <= parts <= 64:
            raise Gone("killed")
        arrays = tuple(array(stream) for _ in range(parts))
        value = arrays if header.get("tuple") or len(arrays) != 1 else arrays[0]
    number = {name: header[name] if type(header.get(name)) is int else 0 for name in ("lineno", "peak")}
    changed, notes = header.get("overwritten"), header.get("notes")
    said = tuple(str(note)[:100] for note in notes[:200]) if isinstance(notes, list) else ()
    return Outcome(
        kind,
        value,
        **text,
        **number,
        listed=bool(header.get("listed")),
        nested=bool(header.get("nested")),
        reread=bool(header.get("reread")),
        notes=said,
        overwritten=tuple(changed) if isinstance(changed, list) else (),
    )
