"""Ways to get a mark for 4.1 without an answer to it, or to take somebody else's. Each is one cell."""

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
ITS_OWN_LOSS = {"forged names"}  # the names it forges are all that it is then asked for
NEEDS_SANDBOX = {"whatever lies about", "the path", "killing everybody"}  # what "none" says it does not protect from

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
