"""How a worker's process comes to be: started for one submission, or forked from one that has everything loaded."""

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time

import numpy as np
import psutil

from attn_grader.worker import HEAD, packed


def message(header, arrays=()):
    """A message as bytes: two lengths, a JSON header, arrays as .npy."""
    arrays = [np.asarray(array) for array in arrays]
    head, body = json.dumps(header | {"arrays": len(arrays)}).encode(), b"".join(map(packed, arrays))
    return HEAD.pack(len(head), len(body)) + head + body


class Spawned:
    """A process of its own.  writing, reading: descriptors.   pid: its number here, None where a daemon started it."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
            cwd=os.sep, start_new_session=True)  # fmt: skip
        self.writing, self.reading = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.pid = self.process.pid

    @property
    def alive(self):
        """True while it runs."""
        return self.process.poll() is None

    def signalled(self):
        """The number of the signal that ended it; 0 if none did, or it cannot be told."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        code = self.process.returncode or 0
        return -code if code < 0 else max(code - 128, 0)

    def end(self):
        """Kill what it started, then it and its session: a child can take back the order to die with its parent."""
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(self.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()


class Forked:
    """A process forked by a Nursery, spoken to over a socket."""

    def __init__(self, pid, line):
        self.pid, self.line = pid, line
        self.writing = self.reading = line.fileno()

    @property
    def alive(self):
        """True while it runs: it has a number, and its end of the line is open, which a dead process's is not."""
        try:
            os.kill(self.pid, 0)
            return self.line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:  # open, and nothing is said
            return True
        except OSError:
            return False

    def signalled(self):
        """Nobody tells: its parent is another process."""
        return 0

    def end(self):
        """Kill it and its session."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        end = time.monotonic() + 5
        while self.alive and time.monotonic() < end:
            time.sleep(0.001)
        self.line.close()


class Nursery:
    """A process that has loaded what every submission needs, and forks one for each. For workers without a sandbox:
    a submission that has escaped from a sandbox must not find the next one's parent there."""

    def __init__(self, command, text, prepared, environment):
        header, arrays = prepared
        self.control, theirs = socket.socketpair()
        self.lock = threading.Lock()
        with contextlib.ExitStack() as failing, theirs:
            failing.callback(self.control.close)
            self.process = subprocess.Popen(
                command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, cwd=os.sep,
                start_new_session=True)  # fmt: skip
            failing.callback(self.close)
            self.control.settimeout(180)
            self.control.sendall(text + message(header | {"nursery": True}, arrays))
            self._exactly(HEAD.size + len(json.dumps({"kind": "nursery"})))
            failing.pop_all()

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.control.recv(size - len(data))
            if not piece:
                raise OSError("the process that forks workers ended")
            data += piece
        return data

    def fork(self):
        """A new process.  -> Forked. Raises OSError if the nursery is gone."""
        mine, theirs = socket.socketpair()
        try:
            with self.lock, theirs:
                socket.send_fds(self.control, [b"f"], [theirs.fileno()])
                (pid,) = struct.unpack("<I", self._exactly(4))
        except OSError:
            mine.close()
            raise
        return Forked(pid, mine)

    def close(self):
        """End it; what it forked ends when nobody speaks to it any more."""
        self.control.close()
        self.process.kill()
        self.process.wait()
