"""Which cells of a page run: each is marked with the name it has in its notebook, and with what it needs."""

import ast
import json
import re
import symtable
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


def globals_of(node):
    """(names of a cell that a statement or an expression reads, names it makes); arguments and the like stay inside."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    inner = [*table.get_children()]
    for child in inner:
        inner += child.get_children()
    read = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    read |= {s.get_name() for child in inner for s in child.get_symbols() if s.is_global() and s.is_referenced()}
    return read, {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}


def binds(source, foreign=frozenset()):
    """(names a cell reads before it makes them, names it makes).   code, names that it is not to make -> (set, set)"""
    read, made = set(), set()

    def follow(statements):
        for statement in statements:
            blocks = [getattr(statement, name, None) or [] for name in ("body", "orelse", "finalbody")]
            if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
                heads = [v for name, v in ast.iter_fields(statement) if name in ("iter", "test", "target")]
                for item in getattr(statement, "items", ()):
                    heads += [item.context_expr, *([item.optional_vars] if item.optional_vars else [])]
                for head in heads:
                    names = {n.id for n in ast.walk(head) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                    made.update(names)
                    read.update(globals_of(head)[0] - made)
                for block in blocks:
                    follow(block)
            else:
                wanted, given = globals_of(statement)
                read.update(wanted - made)
                made.update(given - foreign)

    follow(ast.parse(source).body)
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
        imported = of_torch(source)
        read, made = binds(source, imported)
        tainted = tainted | imported
        needs = bool(read & tainted)
        tainted = tainted | made if needs else tainted - made
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
