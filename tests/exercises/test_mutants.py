"""Every single-node change of a right answer that changes what it computes must be caught."""

import ast
import copy
import inspect
import textwrap

import numpy as np
import pytest

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine

from .answers import corpus

pytestmark = pytest.mark.prove  # thousands of changed answers, each examined whole

# Changes that leave the answer right, or harmless on every input the exercise is about; each with its reason.
EQUIVALENT = {
    "13.2 row_by_row:3:19 1->0": "row 0 has nothing before its diagonal to be written",
    "12.1 plain:2:23 0.0->1.0": "the first factor is exp(-inf) = 0, whatever it multiplies",
    "12.1 plain:2:23 0.0->-1.0": "the same",
    "12.1 plain:2:28 zeros->ones": "the same",
    "4.4 two_loops:3:8 zeros->ones": "every entry is written afterwards",
    "6.2 three_loops:3:10 zeros->ones": "every entry is written afterwards",
    "4.4 two_loops:3:17 tuple turned": "both sizes are n",
    "4.4 two_loops:6:14 tuple turned": "the Jacobian is symmetric",
    "4.4 plain:2:11 diag->diagflat": "the same for a vector",
    "12.3 plain:2:40 zeros->ones": "the first factor is exp(-inf) = 0, whatever it multiplies",
    "12.3 plain:2:58 zeros->ones": "the same",
    "12.4 plain:6:18 zeros->ones": "the first factor is exp(-inf) = 0, whatever it multiplies",
    "12.4 plain:6:49 zeros->ones": "the same",
    "12.4 plain:6:18 tuple turned": "both are zeros, and take their shapes from what is added",
    "4.3 plain:3:43 0->1": "an empty row sums to 0 whatever is subtracted",
    "4.3 plain:3:43 0->-1": "the same",
    "4.3 plain:4:9 without divide": "it silences a warning",
    "8.4 plain:4:44 0->1": "an empty row sums to 0 whatever is subtracted",
    "8.4 plain:4:44 0->-1": "the same",
    "8.5 plain:2:22 tuple turned": "both sizes are n",
    "8.2 plain:3:19 without dtype": "np.where takes 1.0 for True",
}
SEEDS = {"plain", "sliced", "side_by_side", "by_index", "two_loops", "row_by_row", "three_loops"}
SWAPS = {
    ast.Add: [ast.Sub, ast.Mult], ast.Sub: [ast.Add], ast.Mult: [ast.Div, ast.Add], ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mod], ast.MatMult: [ast.Mult], ast.Pow: [ast.Mult],
    ast.LtE: [ast.Lt, ast.Gt], ast.Lt: [ast.LtE], ast.Gt: [ast.GtE, ast.Lt], ast.Eq: [ast.NotEq],
}  # fmt: skip
NAMES = {
    "max": "min",
    "min": "max",
    "sum": "max",
    "exp": "exp2",
    "sqrt": "cbrt",
    "tril": "triu",
    "T": "conj",
    "ones": "zeros",
    "zeros": "ones",
    "repeat": "tile",
    "diag": "diagflat",
    "outer": "add",
}


def mutants(f):
    """(description, function) for every single-node change of f that compiles."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    for number, node in enumerate(ast.walk(tree)):
        for label, change in changes(node):
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[number]
            change(target)
            scope = dict(f.__globals__)
            exec(compile(ast.fix_missing_locations(mutated), "<mutant>", "exec"), scope)
            at = f"{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"
            yield f"{f.__name__}:{at} {label}", scope[f.__name__]


def changes(node):
    """What may be changed at one node: (label, how)."""
    if isinstance(node, ast.BinOp):
        for new in SWAPS.get(type(node.op), []):
            yield f"{type(node.op).__name__}->{new.__name__}", lambda t, new=new: setattr(t, "op", new())
    if isinstance(node, ast.AugAssign):
        for new in SWAPS.get(type(node.op), []):
            yield f"{type(node.op).__name__}=->{new.__name__}=", lambda t, new=new: setattr(t, "op", new())
    if isinstance(node, ast.Compare):
        for new in SWAPS.get(type(node.ops[0]), []):
            yield f"{type(node.ops[0]).__name__}->{new.__name__}", lambda t, new=new: t.ops.__setitem__(0, new())
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for new in {node.value + 1, node.value - 1}:  # not −1 for 1: the last axis of a matrix has both names
            yield f"{node.value}->{new}", lambda t, new=new: setattr(t, "value", new)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value}->{not node.value}", lambda t: setattr(t, "value", not t.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield "-x->+x", lambda t: setattr(t, "op", ast.UAdd())
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield f"{node.attr}->{NAMES[node.attr]}", lambda t: setattr(t, "attr", NAMES[t.attr])
    if isinstance(node, ast.Call) and node.keywords:
        for k, word in enumerate(node.keywords):
            yield f"without {word.arg}", lambda t, k=k: t.keywords.pop(k)
    if isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield "tuple turned", lambda t: t.elts.reverse()


def survivors(exercise, f):
    """The mutants of f that the check lets pass."""
    limit = 0.5 if exercise.kind == "numpy" else 5.0  # what is cut short has not failed
    return [label for label, mutant in mutants(f) if examine(exercise, mutant, limit=limit).status == "passed"]


ANSWERS = [(id, name, f) for id, name, f in corpus("right") if name in SEEDS and callable(f)]


@pytest.mark.parametrize(("id", "name", "f"), ANSWERS, ids=lambda x: x if isinstance(x, str) else "")
def test_no_change_that_matters_slips_through(id, name, f):
    unknown = [label for label in survivors(catalogue.find(id), f) if f"{id} {label}" not in EQUIVALENT]
    assert not unknown, f"{id}: {unknown}"


def test_the_mutants_are_many_and_not_all_the_same():
    labels = [label for _, _, f in ANSWERS for label, _ in mutants(f)]
    assert len(set(labels)) > 100
    assert np.mean(["->" in label for label in labels]) > 0.5
