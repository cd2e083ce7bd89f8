"""Derive the learners' sheets from the solution notebooks.

    python tools/sheets.py derive [SOLUTION …]   write exercises/NN_….ipynb, run what changed
    python tools/sheets.py check  [SOLUTION …]   report every sheet that is not what its solution gives

A solution stands between # BEGIN SOLUTION and # END SOLUTION. In a function it becomes a NotImplementedError; at the
top of a cell each name it assigns is left as `name = ...`. Everything else is the same in both.
"""

import argparse
import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import nb_canonical
import nbformat

ROOT = Path(__file__).resolve().parent.parent
SHELF = ROOT / "exercises"
BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"
STUB = 'raise NotImplementedError("your turn")'
TOGGLE = "hide-input"  # in the book a solution unfolds when asked to


def stubbed(source):
    """A cell with its solutions taken out.  str -> str. Raises ValueError for markers that do not pair."""
    kept, block = [], None
    for line in source.splitlines():
        mark = line.strip()
        if mark == BEGIN and block is None:
            block = []
        elif mark == END and block is not None:
            kept += stub("\n".join(block))
            block = None
        elif mark in (BEGIN, END):
            raise ValueError(f"a marker without its partner: {line!r}")
        else:
            (kept if block is None else block).append(line)
    if block is not None:
        raise ValueError("a solution is begun and not ended")
    return "\n".join(kept)


def stub(block):
    """What stands in a solution's place: lines of code."""
    lines = [line for line in block.splitlines() if line.strip()]
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""
    if indent:
        return [indent + STUB]
    return [f"{name} = ..." for name in assigned(ast.parse(textwrap.dedent(block)))]


def assigned(tree):
    """The names that the top level of some code assigns, in order, each once. Names that begin with _ are private."""
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def derive(solution):
    """The sheet of a solution notebook, not yet run.  notebook -> notebook"""
    sheet = nbformat.from_dict(solution)
    for cell in sheet.cells:
        if cell.cell_type == "code":
            solved = BEGIN in cell.source
            cell.source, cell.outputs, cell.execution_count = stubbed(cell.source), [], None
            tags = [tag for tag in cell.metadata.get("tags", []) if not (solved and tag == TOGGLE)]
            cell.metadata.pop("tags", None)
            if tags:
                cell.metadata["tags"] = tags
    return nb_canonical.canonical(sheet)


def authored(notebook):
    """What a person wrote in a notebook: (kind, source, tags) of every cell."""
    return [(cell.cell_type, cell.source, tuple(cell.metadata.get("tags", []))) for cell in notebook.cells]


def sheet_of(path):
    """Where the sheet of a solution lies."""
    return SHELF / path.name


def stale(path):
    """The derived sheet if the one on disk is another, else None."""
    new, target = derive(nbformat.read(path, as_version=4)), sheet_of(path)
    if target.is_file() and authored(nbformat.read(target, as_version=4)) == authored(new):
        return None
    return new


def main(arguments=None):
    """The command line.  -> exit status"""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("action", choices=["derive", "check"])
    parser.add_argument("paths", nargs="*", type=Path, help="solution notebooks; all of them if none is named")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.paths] or sorted((SHELF / "solutions").glob("*.ipynb"))
    old = {path: sheet for path in paths if (sheet := stale(path)) is not None}
    orphans = {p.name for p in SHELF.glob("*.ipynb")} - {p.name for p in (SHELF / "solutions").glob("*.ipynb")}
    for name in sorted(orphans):
        print(f"exercises/{name}: no solution of that name")
    if options.action == "check":
        for path in old:
            print(f"exercises/{path.name}: not what its solution gives; run `python tools/sheets.py derive`")
        return int(bool(old or orphans))
    for path, sheet in old.items():
        sheet_of(path).write_text(nb_canonical.text(sheet), encoding="utf8", newline="\n")
    if old:
        tool = [sys.executable, str(ROOT / "tools" / "notebooks.py"), "run", *map(str, map(sheet_of, old))]
        return subprocess.run(tool, cwd=ROOT, check=False).returncode
    print("every sheet is what its solution gives")
    return int(bool(orphans))


if __name__ == "__main__":
    sys.exit(main())
