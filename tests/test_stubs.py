"""The types that editors read (attn/*.pyi) say of every public name what the code says: arguments, defaults, fields."""

import ast
from pathlib import Path

import pytest

import attn

HERE = Path(attn.__file__).parent
HEART = [path.stem for path in sorted(HERE.glob("[a-z]*.py"))]
SPELLED = {"__init__", "__len__", "__getitem__", "__matmul__", "__rmatmul__"}  # operators that an editor should know


def offered(body):
    """{public name: what it takes} of a module or a class, annotations left out."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name in SPELLED):
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            found[node.name] = [*map(ast.unparse, node.decorator_list), ast.unparse(node.args)]
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = [*map(ast.unparse, node.bases), offered(node.body), fields(node)]
    return found


def fields(node):
    """Names and defaults of a named tuple's or a dataclass's fields; another class's attributes stand in its code."""
    made = any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in node.body)
    parts = [part for part in node.body if isinstance(part, ast.AnnAssign) and not made]
    return [(part.target.id, part.value and ast.unparse(part.value)) for part in parts]


def parsed(name, ending):
    return ast.parse((HERE / f"{name}.{ending}").read_text("utf8"))


@pytest.mark.parametrize("name", HEART)
def test_a_stub_offers_what_the_module_offers(name):
    assert offered(parsed(name, "pyi").body) == offered(parsed(name, "py").body)


@pytest.mark.parametrize("name", HEART)
def test_a_stub_types_every_argument_and_every_result(name):
    for node in ast.walk(parsed(name, "pyi")):
        if isinstance(node, ast.FunctionDef):
            untyped = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg) and not a.annotation]
            assert node.returns and set(untyped) <= {"self"}, f"{node.name}: {untyped}"


def test_checkers_are_told_that_there_are_types():
    assert (HERE / "py.typed").is_file()


@pytest.mark.parametrize("stub", ["def f(q, *, scale=1): ...", "def f(q): ...", "def g(q, *, scale=None): ...", ""])
def test_a_stub_that_lags_behind_is_seen(stub):
    code = offered(ast.parse("def f(q: Array, *, scale: float | None = None): ...").body)
    assert code == offered(ast.parse("def f(q, *, scale=None): ...").body) != offered(ast.parse(stub).body)
