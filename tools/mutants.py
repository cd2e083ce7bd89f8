"""Break the heart on purpose, one small change at a time, and see which breaks the quick tests let live.

    python tools/mutants.py [module …] [--number 240] [--seed 0]

A mutant is the heart with one operator, constant, argument or check exchanged. It is caught if a test fails or hangs.
tests/mutants.toml keeps those that no test can tell from the original, and why; of the others 95 % must be caught.
"""

import argparse
import ast
import importlib.util
import os
import random
import resource
import sys
import tomllib
from pathlib import Path

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import hypothesis  # noqa: F401  what every test imports is imported once, before the processes part
import numpy  # noqa: F401
import pytest
import torch  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests/mutants.toml"
HEART = sorted(path.stem for path in (ROOT / "attn").glob("[a-z]*.py") if path.stem not in ("laws", "data"))
TESTS = {  # beside test_<module>.py; cheap ones first
    "axes": ("heads", "flash"), "softmax": ("laws_bite",), "masks": ("flash",), "core": ("laws_bite", "equivalence"),
    "heads": ("laws_bite", "equivalence"), "lowrank": ("circuits",), "grads": ("laws_bite", "equivalence"),
    "online": ("flash", "equivalence"), "tiles": ("flash", "equivalence"), "flash": ("cache", "equivalence"),
}  # fmt: skip
OPTIONS = (
    "-x -q -p no:cacheprovider -p no:xdist --hypothesis-seed=0 -W ignore::pytest.PytestAssertRewriteWarning".split()
)
SECONDS = 60  # of the processor, more than any module's tests take; a mutant that takes longer hangs, and is caught
SWAPS = [
    (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.FloorDiv, ast.Mult), (ast.Mod, ast.FloorDiv), (ast.Pow, ast.Mult),
    (ast.BitAnd, ast.BitOr), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
]  # fmt: skip
OTHER = {old: new for pair in SWAPS for old, new in (pair, pair[::-1])}
NAMES = {"all": "any", "max": "min", "maximum": "minimum", "zeros": "ones", "isneginf": "isinf", "sin": "cos"}
NAMES |= {new: old for old, new in NAMES.items()}


def changes(node):
    """Other nodes that might stand in a node's place.   -> list of ast nodes"""
    copy = lambda **fields: type(node)(**{**dict(ast.iter_fields(node)), **fields})  # noqa: E731
    match node:
        case ast.BinOp(left, op) if type(op) in OTHER:
            return [copy(op=OTHER[type(op)]()), left]
        case ast.Compare(_, [op]) if type(op) in OTHER:
            return [copy(ops=[OTHER[type(op)]()])]
        case ast.BoolOp(op):
            return [copy(op=OTHER[type(op)]())]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.IfExp(_, body, orelse):
            return [body, orelse]
        case ast.Constant(value) if isinstance(value, (bool, int, float)):
            return [ast.Constant(not value if isinstance(value, bool) else value + 1)]
        case ast.Call(_, args, keywords):
            asked = [i for i, keyword in enumerate(keywords) if not quiet(keyword)]
            fewer = [copy(keywords=[*keywords[:i], *keywords[i + 1 :]]) for i in asked if not quiet(node)]
            return fewer + (args if isinstance(node.func, ast.Name) and node.func.id == "abs" else [])
        case ast.Attribute(attr=name) if name in NAMES:
            return [copy(attr=NAMES[name])]
        case ast.Name(name, ast.Load()) if name in NAMES:
            return [ast.Name(NAMES[name], ast.Load())]
        case ast.Expr(ast.Call()) | ast.AugAssign():
            return [ast.Pass()]
    return []


def quiet(node):
    """Whether nothing in a node can change a value: errors' messages, what NumPy warns of, one copy more."""
    warns = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "errstate"
    return (
        warns or isinstance(node, ast.Raise | ast.JoinedStr) or (isinstance(node, ast.keyword) and node.arg == "copy")
    )


def sites(node, statement=None):
    """(statement, parent, field, place in it, replacement) of every mutant below a node; what is quiet is left."""
    statement = node if isinstance(node, ast.stmt) else statement
    for field, value in ast.iter_fields(node):
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if field in ("annotation", "returns", "decorator_list") or not isinstance(child, ast.AST) or quiet(child):
                continue
            for new in changes(child):
                yield child if isinstance(child, ast.stmt) else statement, node, field, i, new
            yield from sites(child, statement)


def mutant(module, number):
    """(the line before, the line after, code to run) of a module's n-th mutant."""
    tree = ast.parse((ROOT / f"attn/{module}.py").read_text("utf8"))
    statement, parent, field, i, new = list(sites(tree))[number]
    was = ast.unparse(statement).splitlines()[0]
    place = getattr(parent, field)
    setattr(parent, field, [*place[:i], new, *place[i + 1 :]] if isinstance(place, list) else new)
    now = "pass" if isinstance(new, ast.Pass) else ast.unparse(statement).splitlines()[0]
    return was, now, compile(ast.fix_missing_locations(tree), f"attn/{module}.py", "exec")


class Broken:
    """Imports one module of attn from broken code; it goes first on sys.meta_path."""

    def __init__(self, module, code):
        self.name, self.code = f"attn.{module}", code

    def find_spec(self, name, path, target=None):
        origin = str(ROOT / f"{name.replace('.', '/')}.py")
        return importlib.util.spec_from_loader(name, self, origin=origin) if name == self.name else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = module.__spec__.origin
        exec(self.code, module.__dict__)


def attempt(module, number):
    """Start a process that tests a mutant (none if number is None) and ends with pytest's verdict.   -> its id"""
    if pid := os.fork():
        return pid
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        if number is not None:
            sys.meta_path.insert(0, Broken(module, mutant(module, number)[2]))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1), os.dup2(silence, 2)
        names = dict.fromkeys([module, *TESTS.get(module, ())])
        files = [str(path) for name in names if (path := ROOT / f"tests/test_{name}.py").exists()]
        os._exit(pytest.main([*files, *OPTIONS]))
    finally:
        os._exit(1)


def survivors(jobs, workers):
    """Those of [(module, number)] whose tests pass."""
    waiting, running, alive = list(jobs[::-1]), {}, []
    while waiting or running:
        while waiting and len(running) < workers:
            job = waiting.pop()
            running[attempt(*job)] = job
        pid, status = os.wait()
        job = running.pop(pid)
        alive += [job] if status == 0 else []
    return alive


def main():
    """Sample, test, compare with the record, print what lives. Fails below 95 %, or if the record is out of date."""
    parser = argparse.ArgumentParser(prog="python tools/mutants.py", description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=HEART, help=f"of {', '.join(HEART)}")
    parser.add_argument("--number", type=int, default=240, help="how many mutants, drawn from all of these modules'")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    assert len(survivors([(m, None) for m in asked.modules], asked.workers)) == len(asked.modules), (
        "tests fail unbroken"
    )
    every = [
        (m, n)
        for m in asked.modules
        for n in range(len(list(sites(ast.parse((ROOT / f"attn/{m}.py").read_text("utf8"))))))
    ]
    drawn = random.Random(asked.seed).sample(every, min(asked.number, len(every)))
    known = {(e["module"], e["was"], e["now"]) for e in tomllib.loads(RECORD.read_text("utf8")).get("equivalent", [])}
    alive = [(m, *mutant(m, n)[:2]) for m, n in survivors(drawn, asked.workers)]
    new = [found for found in alive if found not in known]
    judged = len(drawn) - (len(alive) - len(new))
    for module, was, now in new:
        print(f"{module}:\n    - {was}\n    + {now}")
    share = 1 - len(new) / max(judged, 1)
    print(f"{len(drawn)} of {len(every)} mutants (seed {asked.seed}): {len(drawn) - judged} equivalent as recorded; ")
    print(f"{judged - len(new)} of the other {judged} caught, {share:.1%}")
    sys.exit(share < 0.95)


if __name__ == "__main__":
    main()
