"""Break the heart on purpose, one small change at a time, and see which breaks the quick tests let live.

    python tools/mutants.py [module …] [--number 240] [--seed 0]

A mutant is the heart with one operator, constant, argument or check exchanged. It is caught if a test fails or hangs.
tests/mutants.toml keeps those that no test can tell from the original, and why; of the others 95 % must be caught.
"""

import argparse
import ast
import os
import random
import resource
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from pathlib import Path

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import pytest
import torch  # noqa: F401  once, before the processes part: it takes longer than most tests

ROOT = Path(__file__).resolve().parent.parent
SPARED = ("laws", "data", "senses")  # the examiner, which test_laws_bite examines; files; a training, tested slowly
HEART = sorted(path.stem for path in (ROOT / "attn").glob("[a-z]*.py") if path.stem not in SPARED)
WIDE = ("flash", "cache", "laws_bite", "equivalence")
TESTS = {"axes": ("heads", "flash"), "softmax": ("laws_bite",), "masks": ("flash",), "lowrank": ("circuits",)}
TESTS |= dict.fromkeys(("core", "heads", "grads"), WIDE[2:]) | dict.fromkeys(("online", "tiles", "flash"), WIDE)
OPTIONS = "-x -q -p no:cacheprovider -p no:xdist --hypothesis-seed=0 -W ignore::pytest.PytestAssertRewriteWarning"
SECONDS = 60  # of the processor, more than any module's tests take; a mutant that takes longer hangs, and is caught
PAIRS = (
    "Add Sub, Mult Div, FloorDiv Mult, Mod FloorDiv, Pow Mult, BitAnd BitOr, Lt LtE, Gt GtE, Eq NotEq, Is IsNot, And Or"
)
PAIRS += ", all any, max min, maximum minimum, zeros ones, isneginf isinf, sin cos"
OTHER = {a: b for pair in PAIRS.split(", ") for a, b in (pair.split(), pair.split()[::-1])}


def changes(node):
    """Other nodes that might stand in a node's place.   -> list of ast nodes"""
    exchanged = lambda **fields: type(node)(**dict(ast.iter_fields(node)) | fields)  # noqa: E731
    swapped = lambda op: getattr(ast, OTHER[type(op).__name__])()  # noqa: E731
    match node:
        case ast.BinOp(left, op) if type(op).__name__ in OTHER:
            return [exchanged(op=swapped(op)), left]
        case ast.Compare(_, [op]) if type(op).__name__ in OTHER:
            return [exchanged(ops=[swapped(op)])]
        case ast.BoolOp(op):
            return [exchanged(op=swapped(op))]
        case ast.UnaryOp(_, inner) | ast.Call(ast.Name("abs"), [inner]):
            return [inner]
        case ast.IfExp(_, body, orelse):
            return [body, orelse]
        case ast.Constant(bool() | int() | float() as value):
            return [ast.Constant(not value if isinstance(value, bool) else value + 1)]
        case ast.Call(_, _, keywords):
            return [exchanged(keywords=[k for k in keywords if k is not each]) for each in keywords if not quiet(each)]
        case ast.Attribute(attr=name) if name in OTHER:
            return [exchanged(attr=OTHER[name])]
        case ast.Expr(ast.Call()) | ast.AugAssign():
            return [ast.Pass()]
    return []


def quiet(node):
    """Whether nothing in a node can change a value: errors' messages, what NumPy warns of, one copy more."""
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.keyword("copy") | ast.Call(ast.Attribute(attr="errstate")):
            return True
    return False


def sites(node, statement=None):
    """(statement, parent, field, place in it, replacement) of every mutant below a node; what is quiet is left."""
    for field, value in ast.iter_fields(node):
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if field in ("annotation", "returns", "decorator_list") or not isinstance(child, ast.AST) or quiet(child):
                continue
            line = child if isinstance(child, ast.stmt) else statement
            yield from ((line, node, field, i, new) for new in changes(child))
            yield from sites(child, line)


def parsed(module):
    return ast.parse((ROOT / f"attn/{module}.py").read_text("utf8"))


def mutant(module, number):
    """(the line before, the line after, code to run) of a module's n-th mutant."""
    tree = parsed(module)
    line, parent, field, i, new = list(sites(tree))[number]
    was, place = ast.unparse(line).splitlines()[0], getattr(parent, field)
    setattr(parent, field, [*place[:i], new, *place[i + 1 :]] if isinstance(place, list) else new)
    now = "pass" if isinstance(new, ast.Pass) else ast.unparse(line).splitlines()[0]
    return was, now, compile(ast.fix_missing_locations(tree), f"attn/{module}.py", "exec")


def attempt(module, number):
    """Start a process that tests a mutant, or the module as it is if number is None.   -> its id"""
    if pid := os.fork():
        return pid
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        if number is not None:
            code, usual = mutant(module, number)[2], SourceFileLoader.get_code
            SourceFileLoader.get_code = lambda self, name: code if name == f"attn.{module}" else usual(self, name)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        files = [ROOT / f"tests/test_{name}.py" for name in dict.fromkeys([module, *TESTS.get(module, ()), "axes"])]
        os._exit(pytest.main([*(str(file) for file in files if file.exists()), *OPTIONS.split(), "-m", "not prove"]))
    finally:
        os._exit(1)


def survivors(jobs):
    """Those of [(module, number)] whose tests pass, two processes at a time."""
    waiting, running = list(jobs), {}
    while waiting or running:
        while waiting and len(running) < 2:
            job = waiting.pop(0)
            running[attempt(*job)] = job
        pid, status = os.wait()
        job = running.pop(pid)
        if status == 0:
            yield job


def main():
    """Sample, test, compare with the record, print what lives; fails if less than 95 % is caught."""
    parser = argparse.ArgumentParser(prog="python tools/mutants.py", description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=HEART, help=f"of {', '.join(HEART)}")
    parser.add_argument("--number", type=int, default=240, help="how many mutants, drawn from all of these modules'")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    sound = {module for module, _ in survivors([(module, None) for module in asked.modules])}
    assert sound == set(asked.modules), f"tests fail on the unbroken {set(asked.modules) - sound}"
    every = [(module, number) for module in asked.modules for number, _ in enumerate(sites(parsed(module)))]
    drawn = random.Random(asked.seed).sample(every, min(asked.number, len(every)))
    record = tomllib.loads((ROOT / "tests/mutants.toml").read_text("utf8"))
    known = {(each["module"], each["was"], now) for each in record["equivalent"] for now in each["now"]}
    alive = equal = 0
    for module, number in survivors(drawn):
        found = was, now = mutant(module, number)[:2]
        equal += (module, *found) in known
        if (module, *found) not in known:
            alive += 1
            print(f"{module}:\n    - {was}\n    + {now}", flush=True)
    judged = len(drawn) - equal
    print(f"{len(drawn)} of {len(every)} mutants, seed {asked.seed}: {equal} are recorded as equivalent;")
    print(f"of the other {judged}, {judged - alive} are caught: {1 - alive / max(judged, 1):.1%}")
    sys.exit(alive > 0.05 * judged)


if __name__ == "__main__":
    main()
