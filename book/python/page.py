"""Python's own part of a running page: run a cell as a notebook does, and put into words what came of it.

A page has one namespace. Outputs have the form of a notebook's: what is shown, stored and exported is one thing.
"""

import ast
import base64
import importlib.abc
import importlib.util
import io
import json
import linecache
import logging
import os
import re
import sys
import textwrap
import time
import traceback
import types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import _page

SPACE = {"__name__": "__main__", "__builtins__": __builtins__}
MOST = 200_000  # characters that one cell may print
ROOM = 2**28  # bytes that must be free for the next cell to have a chance
PARTS = {"traitlets": "figures", "matplotlib": "pictures", "PIL": "pictures"}
LAZY = re.compile(r"attn\.show\.(figures|still\.\w+)$")  # what draws with matplotlib
LOST = "What this needs could not be loaded: the connection was lost. Check it and run the cell again."
FULL = "The memory of a page, 2 GB at most, is full, so Python starts afresh. A smaller size will do."
TORCH = "This needs torch, which has no version for browsers. The notebook, downloaded, runs it in Jupyter or Colab."


class OnNeed(importlib.abc.MetaPathFinder):
    """Load what an import asks for when it is asked for; and draw with matplotlib only when something is drawn."""

    def find_spec(self, name, path=None, target=None):
        part = PARTS.get(name)
        if part and part in _WAITING:
            try:
                _page.load(part)
            except Exception:
                raise ImportError(LOST, name=name) from None
            _WAITING.discard(part)
            importlib.invalidate_caches()
        if LAZY.match(name):
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec and spec.loader:
                spec.loader = importlib.util.LazyLoader(spec.loader)
            return spec
        return None


_WAITING = set(PARTS.values())
sys.meta_path.insert(0, OnNeed())
if not hasattr(time, "thread_time"):  # a worker has one thread and no clock but the one on the wall
    time.thread_time = time.perf_counter
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # it tells of its cache at the first picture


class Printed(io.TextIOBase):
    """A stream that passes on what is printed, line by line, up to a limit."""

    encoding = "utf-8"

    def __init__(self, name, tell):
        self.name, self.tell, self.text, self.count = name, tell, "", 0

    def writable(self):
        return True

    def write(self, text):
        if self.count > MOST:
            return len(text)
        self.count += len(text)
        self.text += text if self.count <= MOST else "\n… the rest of what this cell prints is left out\n"
        if "\n" in text or len(self.text) > 1000:
            self.flush()
        return len(text)

    def flush(self):
        if self.text:
            self.tell({"output_type": "stream", "name": self.name, "text": self.text})
            self.text = ""


def tell(output):
    """Show one output now."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, Printed):
            stream.flush()
    _page.tell(json.dumps(output))


def shell():
    """What code finds that asks whether it runs in a notebook: it does."""
    return types.SimpleNamespace(kernel=True, events=types.SimpleNamespace(register=lambda *_: None))


def display(*values, raw=False, **_):
    """IPython.display.display, as far as a page needs it."""
    for value in values:
        tell({"output_type": "display_data", "data": value if raw else bundle(value), "metadata": {}})


class HTML:
    """IPython.display.HTML."""

    def __init__(self, data):
        self.data = data

    def _repr_html_(self):
        return self.data


def stand_in(name, **content):
    """A small module in the place of one that a page does not have."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(content)
    return module


stand_in("IPython", get_ipython=shell, version_info=(8, 24, 0), __path__=[])
sys.modules["IPython"].display = stand_in("IPython.display", display=display, HTML=HTML)
stand_in("IPython.core", pylabtools=stand_in("IPython.core.pylabtools", backend2gui={}))  # matplotlib looks there


def pretty(value, room=79, indent=0):
    """repr, and where a line cannot hold it, one element a line, as Jupyter writes it."""
    flat = repr(value)
    plain = type(value) in (list, tuple, dict, set) and len(flat) > room - indent
    if not plain or not value:
        return flat
    inner = indent + 1
    if isinstance(value, dict):
        parts = [f"{key!r}: {pretty(x, room, inner + len(repr(key)) + 2)}" for key, x in value.items()]
    else:
        parts = [pretty(x, room, inner) for x in (sorted(value) if isinstance(value, set) else value)]
    left, right = {"list": "[]", "tuple": "()", "dict": "{}", "set": "{}"}[type(value).__name__]
    return left + (",\n" + " " * inner).join(parts) + right


def bundle(value):
    """A value as a notebook keeps it: text, and HTML or a picture where it knows how."""
    whole = getattr(value, "_repr_mimebundle_", None)
    found = whole() if whole else {}
    data = dict(found[0] if isinstance(found, tuple) else found or {})
    data.pop("application/vnd.jupyter.widget-view+json", None)
    for kind, name in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_"), ("image/png", "_repr_png_")):
        how = None if isinstance(value, type) else getattr(value, name, None)
        made = how() if how and kind not in data else None
        if made is not None:
            data[kind] = base64.b64encode(made).decode() if isinstance(made, bytes) else str(made)
    data.setdefault("text/plain", pretty(value))
    return data


def value_shown(value):
    """A cell's last value as an output; what shows itself, or is nothing, gives none."""
    if value is None:
        return
    own = getattr(value, "_ipython_display_", None)
    if own and not isinstance(value, type):
        return own()
    tell({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": bundle(value)})


def pictures():
    """Show what pyplot has drawn, as a notebook does at the end of a cell."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        buffer = io.BytesIO()
        pyplot.figure(number).savefig(buffer, format="png", dpi=144, bbox_inches="tight")
        data = {"image/png": base64.b64encode(buffer.getvalue()).decode(), "text/plain": "A picture."}
        tell({"output_type": "display_data", "data": data, "metadata": {}})
    if pyplot:
        pyplot.close("all")


class Missing:
    """What a page binds to the name of a library that no browser has: it says so when it is used, not before."""

    def __getattr__(self, name):
        raise ModuleNotFoundError(TORCH, name="torch")

    __call__ = __getitem__ = __add__ = __matmul__ = __getattr__


class WithoutTorch(ast.NodeTransformer):
    """Imports of torch, and of what is built on it, at the top of a cell: their names are bound to Missing."""

    def visit_Import(self, node):
        kept, missing = [], []
        for alias in node.names:
            module = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
            (missing if re.match(r"(torch|triton|attn\.gpu)(\.|$)", module) else kept).append(alias)
        for alias in missing:
            SPACE[(alias.asname or alias.name).split(".")[0]] = Missing()
        node.names = kept
        return node if kept else ast.copy_location(ast.Pass(), node)

    visit_ImportFrom = visit_Import

    def visit_FunctionDef(self, node):
        return node  # what a function imports, it imports when it is called


def halves(source, name):
    """A cell's code in two compiled parts: all its statements, and its last value, which may be None."""
    tree = WithoutTorch().visit(ast.parse(source, name))
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = compile(ast.Expression(tree.body.pop().value), name, "eval")
    return compile(tree, name, "exec"), last


def run(cell, source, own=(), answer=None):
    """Run one cell in the page's namespace.   id, code -> {"ok": bool, "ename": str or None}

    own: names that it is to make anew, so that no check takes what an older text had made.
    answer: [exercise, names, code], for a check: what it looks for, and the cell that is to make it.
    """
    name = f"<{cell}>"
    for old in own:
        SPACE.pop(old, None)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    with redirect_stdout(Printed("stdout", tell_raw)), redirect_stderr(Printed("stderr", tell_raw)):
        try:
            if answer and missed(*answer):
                return {"ok": True, "ename": None}
            body, last = halves(source, name)
            exec(body, SPACE)
            if last is not None:
                value = eval(last, SPACE)
                if getattr(value, "case", ()):
                    SPACE["report"] = value  # what a report says to try reads it
                value_shown(value)
            pictures()
        except KeyboardInterrupt:
            return {"ok": False, "ename": "KeyboardInterrupt"}
        except BaseException as error:
            tell(fault(error, name, source))
            return {
                "ok": False,
                "ename": type(error).__name__,
                "full": FULL if isinstance(error, MemoryError) and full() else None,
            }
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    return {"ok": True, "ename": None}


def missed(exercise, wanted, source):
    """True if a name that a check looks for is not there; its report then says which names the cell defines."""
    gone = [name for name in wanted if name not in SPACE]
    if gone:
        from attn.exercises.api import not_found

        not_found(exercise, gone[0], own_names(source))
    return bool(gone)


def own_names(source):
    """The functions that a cell defines; without any, the names it assigns.   code -> list"""
    body = ast.parse(source).body
    made = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return made or [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]


def tell_raw(output):
    _page.tell(json.dumps(output))


def full():
    """True when there is no room left to go on with."""
    try:
        return not bytearray(ROOM)
    except MemoryError:
        return True


def fault(error, name, source):
    """What went wrong, the reader's own line first."""
    kind, said = type(error).__name__, str(error)
    frames = traceback.extract_tb(error.__traceback__)
    frames = [f for f in frames if f.filename != __file__]
    own = [f.lineno for f in frames if f.filename == name]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == name else own[-1] if own else None
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] in ("torch", "triton"):
        said = TORCH
    elif isinstance(error, MemoryError) or "array is too big" in said:
        said = "This array is larger than the memory of a page, 2 GB at most. A smaller size will do."
    elif isinstance(error, SyntaxError):
        said = error.msg
    elif isinstance(error, SystemExit):
        said = "The cell asked Python to leave. It stays: the page needs it."
    lines = source.splitlines()
    where = f"line {line}: {lines[line - 1].strip()}" if line and line <= len(lines) else ""
    if isinstance(error, SyntaxError):
        told = traceback.format_exception_only(error)
    else:
        told = ["Traceback (most recent call last):\n", *traceback.format_list(frames), f"{kind}: {error}\n"]
    text = textwrap.shorten(said, 2000, placeholder=" …") if len(said) > 2000 else said
    return {"output_type": "error", "ename": kind, "evalue": text, "where": where, "traceback": ["".join(told)]}


def names(source):
    """What a cell reads that it does not make first, and what it makes or changes.   code -> (set, set)"""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set(), set()
    read, made = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            made |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            base = node
            while isinstance(base, (ast.Subscript, ast.Attribute)):
                base = base.value
            if isinstance(base, ast.Name):
                made.add(base.id)
    return read, made


def needed(above, source):
    """Which cells above must run before this one, because it reads what they make.

    above: list of {"id", "source", "fresh"} in order; fresh: has run as it stands   -> list of ids, in order
    """
    wanted, found = names(source)[0], []
    for cell in reversed(above):
        read, made = names(cell["source"])
        if made & wanted:
            wanted |= read
            if not cell["fresh"]:
                found.append(cell["id"])
    return found[::-1]


def record(text=None):
    """The progress file: written if text is given, then read.   -> str"""
    path = Path(os.environ["ATTN_PROGRESS"])
    path.parent.mkdir(parents=True, exist_ok=True)
    if text:
        path.write_text(text, "utf8")
    return path.read_text("utf8") if path.is_file() else ""


def ask(what, exercise):
    """A hint or a solution, as text.   "hint" | "solution", "4.1" -> str"""
    import attn.exercises

    with redirect_stdout(io.StringIO()):
        return str(getattr(attn.exercises, what)(exercise))


FUNCTIONS = {f.__name__: f for f in (run, needed, record, ask)}


def call(name, arguments):
    """One of this module's functions, by name, with arguments and answer as JSON."""
    return json.dumps(FUNCTIONS[name](*json.loads(arguments)))


os.makedirs(os.environ["HOME"], exist_ok=True)
os.chdir(os.environ["HOME"])
sys.path.insert(0, os.environ["HOME"])
import numpy  # noqa: E402, F401  (while the reader waits anyway)
