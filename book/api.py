"""Reference pages, made from docstrings while the book is built. Nothing is imported: the source alone is read.

A page is a file with one line, <!-- api: attn.masks -->; several modules may stand in it. What a docstring indents
stays as it is, formulas above all; its other lines are prose, and the names before a colon stand out.
"""

import ast
import inspect
import re
from pathlib import Path

from book.beside import chapter_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = re.compile(r"^<!-- api: ([\w. ]+) -->$", re.MULTILINE)
LABEL = re.compile(r"^([A-Za-z]\w*(?:, \w+)*): ")  # "offset: m − n unless given", "n, m: …"
INNER = re.compile(r"(\s{2,})(\w+): ")  # "q: (n, d)   k: (m, d)"
FRESH = re.compile(r"^(->|Raises |Source: |\w+(, \w+)*: )")  # a line that begins something new
EMPHASIS = re.compile(r"\\\*(\w[\w ]*?\w)\\\*(?!\w)")  # *may attend*, and no product of two names
SPECIAL = re.compile(r"([\\*_{}\[\]<>$#|~^&])")


def path_of(module):
    """The source of a module of attn.   "attn.masks" -> Path"""
    base = ROOT.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def prose(line):
    """Text as Markdown that shows exactly that text; what stands between backticks is code."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        parts = [line.replace("`", "'")]
    said = (EMPHASIS.sub(r"*\1*", SPECIAL.sub(r"\\\1", part)) for part in parts[::2])
    return "`".join(next(said) if i % 2 == 0 else part for i, part in enumerate(parts))


def spoken(lines):
    """Lines of prose, each new thing on a line of its own, the names it is about in bold."""
    joined, listed = [], any(map(FRESH.match, lines))
    for line in lines:
        ended = listed and joined and joined[-1].endswith((".", ")"))
        if joined and not ended and not FRESH.match(line):
            joined[-1] += " " + line
        else:
            joined.append(line)
    joined = [part for line in joined for part in re.split(r"(?<=[.)\]]) (?=Source: |Raises )", line)]
    marked = []
    for line in joined:
        text = LABEL.sub(r"**\g<0>**", prose(line.replace("->", "→"))).replace(": **", "**: ")
        marked.append(INNER.sub(r"\1**\2**: ", text))
    return "\\\n".join(marked)


def kept(lines):
    """Indented lines as they are: a formula, or an example that runs, in Python's colours."""
    text = inspect.cleandoc("\n".join(lines))
    return f"```{{code-block}} {'pycon' if text.startswith('>>> ') else 'text'}\n{text}\n```"


def markdown(docstring):
    """A docstring as Markdown.   str -> str"""
    blocks, kind = [], None
    for line in [*inspect.cleandoc(docstring or "").splitlines(), ""]:
        if not line.strip():
            kind = None
            continue
        indented = line.startswith("    ")
        if kind is None:
            kind = "kept" if indented else "said"
            blocks.append((kind, []))
        elif kind == "kept" and not indented:
            kind = "said"
            blocks.append((kind, []))
        blocks[-1][1].append(line if kind == "kept" else line.strip())
    return "\n\n".join(spoken(lines) if kind == "said" else kept(lines) for kind, lines in blocks)


def documented(body):
    """The public classes and functions of a body that say what they are, in order."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [n for n in body if isinstance(n, kinds) and not n.name.startswith("_") and ast.get_docstring(n)]


def signature(node, method=False):
    """What a function is called with, without annotations.   ast.FunctionDef -> str"""
    arguments = node.args
    for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if each:
            each.annotation = None
    text = ast.unparse(arguments)
    return f"({re.sub(r'^(self|cls)(, )?', '', text) if method else text})"


def fields(node):
    """What a class is made from: the fields of a named tuple or dataclass, else what __init__ takes."""
    for made in node.body:
        if isinstance(made, ast.FunctionDef) and made.name == "__init__":
            return signature(made, method=True)
    simple = any(getattr(base, "id", "") == "NamedTuple" for base in node.bases) or node.decorator_list
    names = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign)] if simple else []
    return f"({', '.join(names)})"


def entry(kind, name, text, module=None):
    """One object of Python, as the directive that describes it."""
    fence = "`" * (1 + max(map(len, re.findall(r"^`{3,}", text, re.MULTILINE)), default=2))  # holds what is inside
    options = f":module: {module}\n" if module else ""
    return f"{fence}{{py:{kind}}} {name}\n{options}\n{text}\n{fence}\n"


def described(node, module):
    """One class or function, with the methods of a class inside it."""
    text = markdown(ast.get_docstring(node))
    if isinstance(node, ast.FunctionDef):
        return entry("function", node.name + signature(node), text, module)
    for part in documented(node.body):
        decorators = {getattr(d, "id", "") for d in part.decorator_list}
        kind = "property" if "property" in decorators else "method"
        head = part.name + ("" if kind == "property" else signature(part, method=not decorators & {"staticmethod"}))
        text += "\n\n" + entry(kind, head, markdown(ast.get_docstring(part)))
    return entry("class", node.name + fields(node), text, module)


def elsewhere(tree, module):
    """Names a module offers that are written in another one: pairs (name, its module)."""
    offered = next(
        (
            ast.literal_eval(n.value)
            for n in tree.body
            if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__"
        ),
        (),
    )
    pairs = [(a.name, n.module) for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names]
    return [(name, home) for name, home in pairs if name in offered and home != module and home.startswith("attn.")]


def find(name, home):
    """One class or function by name in the module that holds it."""
    tree = ast.parse(path_of(home).read_text(encoding="utf-8"))
    return next(node for node in documented(tree.body) if node.name == name)


def section(module, level=1):
    """The reference of one module, as Markdown.   str -> str"""
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    built = chapter_of(module)
    parts = [f"{'#' * level} {module}", markdown(ast.get_docstring(tree))]
    if built and level == 1:
        parts.insert(1, f"Built in [chapter {built[0]}](../{built[1]}.ipynb).")
    own, others = documented(tree.body), elsewhere(tree, module)
    parts += [described(node, module) for node in own]
    if not own:  # a shelf: what it offers is described here, where readers import it from
        parts += [described(find(name, home), module) for name, home in others]
    elif others:
        names = ", ".join(f"{{py:obj}}`{name} <{home}.{name}>`" for name, home in others)
        parts.append(f"Also offered here: {names}.")
    return "\n\n".join(parts) + "\n"


def expand(app, docname, source):
    """Put the reference in the place of its one line, and write the page again when the code changes."""
    found = PAGE.search(source[0])
    if not found:
        return
    modules = found[1].split()
    for module in modules:
        app.env.note_dependency(str(path_of(module)))
    level = 1 if not re.search(r"^# ", source[0], re.MULTILINE) else 2
    source[0] = PAGE.sub(lambda _: "\n".join(section(module, level) for module in modules), source[0])
