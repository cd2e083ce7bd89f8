"""Which cells of a page run: each is marked with the name it has in its notebook, and with what it needs."""

import ast
import json
import re
from pathlib import Path

from docutils import nodes

CELL = re.compile(r'<div class="cell ([^"]*)" id="run-([\w-]+?)(--torch)?">')
BEGIN = re.compile(r'(?=<div class="cell [^"]*" id="run-)')
INPUT = re.compile(
    r'(<div class="cell_input[^"]*">\s*<div class="highlight-[^"]*"><div class="highlight">'
    r".*?</pre></div>\s*</div>\s*)(</div>)",
    re.DOTALL,
)
BAR = (
    '<div class="run"><button type="button" data-run>Run</button> '
    '<button type="button" data-run-all>Run all above</button> '
    '<button type="button" data-reset hidden>Reset</button> <span class="note" role="status"></span></div>'
)


def runs(docname):
    """True for a page whose cells run: a chapter's notebook or a sheet."""
    return Path(docname).parent.as_posix() in ("chapters", "exercises")


def binds(source):
    """(names a cell reads, names it makes).   code -> (set, set)"""
    read, made = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            made |= {(a.asname or a.name).split(".")[0] for a in node.names}
    return read, made


def of_torch(source):
    """The names that a cell's own imports bind to torch, or to what is built on it.   code -> set"""
    found = set()
    for node in ast.parse(source).body:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            module = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
            if re.match(r"(torch|triton|attn\.gpu)(\.|$)", module):
                found.add((alias.asname or alias.name).split(".")[0])
    return found


def need_torch(sources):
    """For each cell, whether it uses torch, or what only such a cell makes; to import it is no use yet.

    sources: list of code   -> list of bool
    """
    found, tainted = [], set()
    for source in sources:
        read, made = binds(source)
        imported = of_torch(source)
        tainted = tainted | imported
        needs = bool(read & tainted)
        tainted = tainted | made if needs else tainted - (made - imported)
        found.append(needs)
    return found


def name_cells(app, doctree):
    """Give every code cell of a notebook the id it has there."""
    page = app.env.docname
    if not app.config.python_edition or not runs(page):
        return
    path = Path(app.env.doc2path(page))
    if path.suffix != ".ipynb":
        return
    code = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    shown = [n for n in doctree.findall(nodes.container) if n.get("nb_element") == "cell_code"]
    torch = need_torch(["".join(cell["source"]) for cell in code])
    for cell, node, needs in zip(code, shown, torch, strict=True):
        node["ids"].append(f"run-{cell['id']}{'--torch' if needs else ''}")


def mark_cells(body):
    """The page's cells, ready for the client: data-cell, what they need, and a bar with their buttons."""

    def marked(match):
        needs = ' data-needs="torch"' if match[3] else ""
        return f'<div class="cell {match[1]}" data-cell="{match[2]}"{needs}>'

    first, *rest = BEGIN.split(body)
    return "".join([first, *(INPUT.sub(rf"\1{BAR}\2", CELL.sub(marked, cell, count=1), count=1) for cell in rest)])
