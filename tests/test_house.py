"""The house rules: who may import whom, what a docstring owes, how long things grow, what must never be written."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "attn").rglob("*.py"))
}
WINGS = ("attn.show", "attn.gpu", "attn.exercises")
HEART = [name for name in PACKAGE if name != "attn" and not name.startswith(WINGS)]
HOUSE = [*PACKAGE.values(), *sorted((ROOT / "book").rglob("*.py")), *sorted((ROOT / "tools").glob("*.py"))]

# The lowest floors by name; a new room above them needs no row, only that nothing below imports it.
FLOORS = {
    "attn.axes": set(),
    "attn.laws": set(),
    "attn.cost": {"attn.axes"},
    "attn.data": set(),
    "attn.softmax": {"attn.axes", "attn.masks"},
    "attn.masks": {"attn.axes"},
    "attn.core": {"attn.axes", "attn.softmax", "attn.masks"},
}
STRANGERS = {  # what each part may import beside the standard library
    "attn.show": {"numpy", "matplotlib", "anywidget", "ipywidgets", "traitlets"},
    "attn.gpu": {"numpy", "torch", "triton"},
    "attn.exercises": {"numpy"},  # a learner needs nothing more
    "attn.exercises.checks.tensors": {"numpy", "torch"},  # imported for exercises on tensors alone
    "attn.exercises.catalogue.e12_4": {"numpy", "torch"},  # inside the functions that compute with it
    "attn": {"numpy"},
}
# Between the wings, inside a function: without figures a question is printed (tests/exercises/test_firsts.py).
BRIDGES = {
    "attn.exercises.catalogue.firsts": {"attn.show.widgets.predict"},
}
CATALOGUE = ROOT / "attn/exercises/catalogue"
DATA = {"tools/encoder_sentences.py"}  # sentences, and no code to speak of
LONG = {  # "attn/module.py" or "attn/module.py:function" -> why it is better long
}


@cache
def tree(path):
    return ast.parse(path.read_text("utf8"))


def imported(name, path):
    """The absolute names a module imports anywhere in it, even inside a function."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f"{base}.{alias.name}"


def neighbours(name):
    """The modules of attn that a module imports."""
    found = set()
    for target in imported(name, PACKAGE[name]):
        while target.startswith("attn") and target not in PACKAGE:
            target = target.rpartition(".")[0]  # from attn.core import scores -> attn.core
        if target.startswith("attn.") and target != name:
            found.add(target)
    return found


def wing(name):
    return next((w for w in WINGS if name == w or name.startswith(w + ".")), None)


# ── imports ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", PACKAGE)
def test_imports_flow_downhill(name):
    used = neighbours(name)
    if wing(name):
        others = {u for u in used if wing(u) not in (None, wing(name))} - BRIDGES.get(name, set())
        assert not others, f"{name} imports another wing: {others}"
    else:
        assert not {u for u in used if wing(u)}, f"{name} is below the wings, yet imports {used}"
        assert used <= FLOORS.get(name, used), f"{name} imports {used - FLOORS[name]} from a higher floor"


def test_no_two_rooms_of_the_heart_lean_on_each_other():
    waiting, settled = set(HEART), set()
    while ready := {name for name in waiting if neighbours(name) <= settled}:
        settled |= ready
        waiting -= ready
    assert not waiting, f"imports go round in a circle among {waiting}"


@pytest.mark.parametrize("name", PACKAGE)
def test_each_part_imports_only_the_strangers_it_may(name):
    allowed = next(STRANGERS[part] for part in (name, wing(name), "attn") if part in STRANGERS)
    found = {target.partition(".")[0] for target in imported(name, PACKAGE[name])}
    assert found - {"attn", "__future__"} - sys.stdlib_module_names <= allowed


def test_nothing_in_the_package_imports_what_only_the_repository_has():
    for name, path in PACKAGE.items():
        roots = {target.partition(".")[0] for target in imported(name, path)}
        assert not roots & {"tests", "tools", "chapters", "book", "notebooks", "sheets"}, name


@pytest.mark.parametrize("name", HEART)
def test_what_a_module_of_the_heart_keeps_to_itself_is_left_to_it(name):
    private = [target for target in imported(name, PACKAGE[name]) if target.startswith("attn.") and "._" in target]
    assert not private, f"{name} imports {private}: give it a public name, or leave it where it is"


def run_python(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)


def test_importing_the_heart_brings_neither_torch_nor_matplotlib():
    every = "; ".join(f"import {name}" for name in ["attn", *HEART])
    heavy = "sorted({'torch', 'matplotlib', 'ipywidgets', 'anywidget', 'IPython', 'pandas'} & set(sys.modules))"
    assert run_python("-c", f"{every}; import sys; print({heavy})").stdout.strip() == "[]"


def import_costs():
    """Milliseconds that `import attn` takes, and how many of them are NumPy's."""
    lines = run_python("-X", "importtime", "-c", "import attn").stderr.splitlines()
    times = {line.split("|")[2].strip(): int(line.split("|")[1]) / 1000 for line in lines[1:] if line.count("|") == 2}
    return times["attn"], times.get("numpy", 0.0)


def test_importing_attn_costs_numpy_and_at_most_fifty_milliseconds():
    costs = [import_costs() for _ in range(5)]  # the best of five: a busy machine only ever adds
    own = min(total - numpy for total, numpy in costs)
    print(f"import attn: {min(t for t, _ in costs):.1f} ms, of which {own:.1f} ms are its own")
    assert own <= 50


# ── what a reader of the code can rely on ───────────────────────────────────────────────────────────────────

SHAPE = re.compile(r"->|\((?:\.\.\.|…|[a-z0-9]+)(?:, [\w·*+ ]+)+,?\)|\(\.\.\.\)")  # an arrow, or (..., n, d)


def public_functions(path):
    return [node for node in tree(path).body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]


@pytest.mark.parametrize("name", PACKAGE)
def test_every_public_function_says_what_it_does(name):
    silent = [f.name for f in public_functions(PACKAGE[name]) if not ast.get_docstring(f)]
    assert not silent, f"no docstring: {silent}"


# A law's docstring is a learner's hint and its arguments are always (attend, rng); data deals in files.
@pytest.mark.parametrize("name", [name for name in HEART if name not in ("attn.laws", "attn.data")])
def test_every_public_function_of_the_heart_gives_its_shapes(name):
    shapeless = [f.name for f in public_functions(PACKAGE[name]) if not SHAPE.search(ast.get_docstring(f) or "")]
    assert not shapeless, f"no shapes, such as q: (..., n, d) or -> (..., n, m), in the docstring of {shapeless}"


@pytest.mark.parametrize("path", HOUSE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(tree(path)) or not path.read_text("utf8").strip()


def code_lines(path):
    """The numbers of the lines that hold code: not blank, not comment, not docstring."""
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    text = path.read_text("utf8")
    lines = {
        n
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in layout
        for n in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


@pytest.mark.parametrize("path", HOUSE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_and_functions_stay_short(path):
    name, lines, long = path.relative_to(ROOT).as_posix(), code_lines(path), {}
    if len(lines) > 300 and CATALOGUE not in path.parents and name not in DATA:  # data are as long as they are
        long[name] = len(lines)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = len(lines & set(range(node.lineno, node.end_lineno + 1)))
            if length > 40:
                long[f"{name}:{node.name}"] = length
    assert not {key: n for key, n in long.items() if key not in LONG}, "look for the missing concept"
    assert not {key for key in LONG if key.split(":")[0] == name and key not in long}, "an exception nobody needs"


# ── what must never be written ──────────────────────────────────────────────────────────────────────────────

FORBIDDEN = {  # written so that no line of this file breaks its own rule
    "a machine's path": r"(?<![\w.:/+=~}*-])/(?:home|root|Users|mnt|media|w[o]rk|tmp)/[\w.]",
    "a folder outside the repository": r"\.\./sha[r]ed",
    "a registry's address": r"https?://[^\s)\"']*(?:/simp[l]e\b|regis[t]ry\.|pythonho[s]ted|packages/[0-9a-f]{2}/)",
    "an unfinished thought": r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b|\bcoming so[o]n\b|\blorem ips[u]m\b",
}


def tracked():
    """The text files git knows, or, where there is no git (an unpacked archive), none."""
    try:
        command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]  # whoever owns the checkout
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: nothing to list the files by")
    for name in filter(None, listed.decode("utf8").split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes():  # pictures and arrays are not text
            yield name, path.read_text("utf8")


def breaches(text):
    """(what, where) of every forbidden thing in a text; stored pictures are not text."""
    text = re.sub(r'"image/png": "[^"]*"', "", text)
    return [(what, match[0]) for what, pattern in FORBIDDEN.items() for match in re.finditer(pattern, text)]


def test_no_file_names_a_machine_a_registry_or_an_unfinished_thought():
    assert {name: found for name, text in tracked() if (found := breaches(text))} == {}


@pytest.mark.parametrize(
    "words",
    [
        "see /ho" + "me/me/book",
        "-i https://pypi.example/sim" + "ple",
        "# TO" + "DO: later",
        "../sha" + "red/notes",
        "open('/tm" + "p/x')",
    ],
)
def test_forbidden_words_are_found(words):
    assert breaches(words)


@pytest.mark.parametrize("words", ["https://example.org/work/notes", "_build/html/tmp/x", "a ratio work/tmp", "~/home"])
def test_innocent_words_are_left_alone(words):
    assert not breaches(words)


# ── one list of needs, one list of pins ─────────────────────────────────────────────────────────────────────


def needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    extras = project["optional-dependencies"]
    return [Requirement(line) for line in chain(project["dependencies"], *extras.values())]


def pins():
    lines = (ROOT / "constraints.txt").read_text("utf8").splitlines()
    return dict(line.partition("==")[::2] for line in lines if line and not line.startswith("#"))


def test_every_pin_is_exact_and_has_no_address():
    assert all(re.fullmatch(r"[\w.-]+", name) and re.fullmatch(r"[\w.+!]+", pin) for name, pin in pins().items())


@pytest.mark.parametrize("need", needs(), ids=lambda need: need.name)
def test_every_direct_dependency_is_pinned_within_its_range(need):
    pinned = {canonicalize_name(name): pin for name, pin in pins().items()}
    assert canonicalize_name(need.name) in pinned
    assert need.specifier.contains(pinned[canonicalize_name(need.name)])
