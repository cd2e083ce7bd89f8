"""Running a sheet's cells without Jupyter: what fails is said in a line, and the next cell still runs."""

import ast
import json
import linecache

from attn.exercises.checks import causes


def code_cells(path):
    """The sources of a notebook's code cells. Raises ValueError for what is not a notebook."""
    try:
        content = json.loads(path.read_text("utf8"))
        sources = ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path.name} is not a notebook") from None
    return [without_magics(source) for source in sources]


def without_magics(source):
    """A cell as plain Python: %magics and !commands become empty lines, so that line numbers stay."""
    if source.startswith("%%"):
        return ""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())


def is_stub(sources, name):
    """True if all that some cells make of a name is a function that raises NotImplementedError, as in the sheet."""
    return all(waiting(node) for source in sources for node in bindings(source, name))


def bindings(source, name):
    """The statements of a cell that give a name its meaning. A cell that is not Python gives none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    nodes = [node for node in ast.walk(tree) if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store)]
    return [node for node in nodes if name in (getattr(node, at, None) for at in ("id", "name", "asname"))]


def waiting(node):
    """True for a function whose last statement raises NotImplementedError."""
    return (
        isinstance(node, ast.FunctionDef)
        and isinstance(last := node.body[-1], ast.Raise)
        and "NotImplementedError" in ast.dump(last)
    )


def run_file(path):
    """Run every code cell of a notebook in one namespace.  -> exit status: 1 if a cell could not run"""
    try:
        sources = code_cells(path)
    except (OSError, ValueError) as error:
        print(error)
        return 2
    space, failed = {"__name__": "__main__"}, 0
    for number, source in enumerate(sources, 1):
        failed |= not run(source, f"<cell {number}>", space)
    return int(failed)


def run(source, name, space):
    """Run one cell.  -> True if it ran to its end"""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name  # so a line can be quoted
    try:
        exec(compile(source, name, "exec"), space)
    except SyntaxError as error:
        print(f"✗ {name}, line {error.lineno}: {error.msg}")
        return False
    except BaseException as error:  # also SystemExit: the other cells deserve their turn
        line, lineno = causes.own_line(error)
        print(f"✗ {name}, line {lineno}: `{line}` raised {type(error).__name__}: {error}")
        print(f"  {causes.plain_words(str(error))}".rstrip())
        return False
    return True
