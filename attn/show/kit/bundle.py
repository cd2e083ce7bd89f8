"""Join the plain ES modules beside the figures into what each host can load. No network: text in, text out.

A notebook needs one ES module per widget. A page opened from a disc can load no modules at all: the site gets one
classic script of what all figures share, and a small one for each other module, which a page asks for when it shows a
figure that needs it. Each source becomes a function's body: its names stay its own.
"""

import json
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(?:\./|\.\./kit/)(\w+)\.js";\n', re.MULTILINE)
CORE = ("kit", "linalg")  # what most figures share, in the first script of a page
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)) (\w+)", re.MULTILINE)


@cache
def views():
    """The names of all views: the modules in widgets/.   ->   tuple of str"""
    names = (entry.name for entry in _folder("widgets").iterdir())
    return tuple(sorted(name.removesuffix(".js") for name in names if name.endswith(".js")))


@cache
def module_source(view):
    """One ES module for Jupyter: a view and the shared code that it imports.   view: str   ->   str

    It exports what anywidget asks for, `default { render }`, and `linalg` so that its mathematics can be tested.
    """
    if view not in views():
        raise ValueError(f"there is no view {view!r}; the views are {', '.join(views())}")
    end = f"export default {{ render: kit.guarded({view}.render) }};\nexport {{ linalg }};\n"
    return _joined("linalg", "kit", view) + end


@cache
def site_script():
    """Every view and the code that wakes the figures in one classic script, for a page by itself.   ->   str"""
    return _closed(_joined("linalg", "boot", *views()) + f"boot.start({{ {', '.join(views())} }}, linalg);\n")


def site_core(files):
    """The classic script of the site: what all figures share, and the code that wakes them.   ->   str

    files: {view: the parts it needs, in order, by the names of their files in figures/}
    """
    shared = ", ".join(CORE)
    return _closed(_joined("linalg", "boot") + f"boot.start({{ {shared} }}, linalg, {json.dumps(files)});\n")


@cache
def site_parts():
    """What is no part of the core: {module: a classic script that adds it to the page's figures}.

    What only one view needs travels in its script: compressed together they weigh less."""
    names = sorted({name for view in views() for name in needs(view)})
    added = '((parts) => {{\n"use strict";\n{}parts.{} = {};\n}})(attnFigures.parts);\n'
    return {
        name: "".join(added.format(_scoped(one, "parts."), one, one) for one in [*_own(name), name]) for name in names
    }


def needs(view):
    """The modules outside the core that a view shares with others, itself the last.   view: str   ->   list of str"""
    return [name for name in _parts(view) if name == view or name not in _own(view)]


def _own(name):
    """What only this view needs, in order; nothing for what is no view.   ->   list of str"""
    if name not in views():
        return []
    elsewhere = {part for other in views() if other != name for part in _parts(other)}
    return [part for part in _parts(name)[:-1] if part not in elsewhere]


@cache
def _parts(view):
    return [name for name in _order("linalg", "boot", view) if name not in CORE and name != "boot"]


@cache
def site_style():
    """The kit's stylesheet, for the page and for every widget.   ->   str"""
    return (_folder("kit") / "kit.css").read_text(encoding="utf-8")


@cache
def source(name):
    """A module as it was written, the view or the kit's of that name.   name: str   ->   str"""
    folder = "widgets" if name in views() else "kit"
    return (_folder(folder) / f"{name}.js").read_text(encoding="utf-8")


def _order(*names):
    """These modules and all that they import, each after what it needs.   ->   list of str"""
    order = []

    def add(name):
        for needed in _IMPORT.findall(source(name)):
            add(needed[1])
        if name not in order:
            order.append(name)

    for name in names:
        add(name)
    return order


def _joined(*names):
    return "".join(map(_scoped, _order(*names)))


def _closed(text):
    return f'(() => {{\n"use strict";\n{text}}})();\n'


def _scoped(name, where=""):
    """const name = (() => { …source…; return { its exports }; })();   where: what stands before an imported module"""
    asked = _IMPORT.findall(source(name))
    for module in {module for _, module in asked} & {word for names, _ in asked for word in re.findall(r"\w+", names)}:
        raise ValueError(f"{name}.js imports from {module}.js and also something called {module}, which would hide it")
    text = _IMPORT.sub(lambda match: f"const {match[1]} = {where}{match[2]};\n", source(name))
    exports = [found[1] for found in _EXPORT.findall(text)]
    text = _EXPORT.sub(r"\1 \2", text)
    if re.search(r"^(import|export)\b", text, re.MULTILINE):
        raise ValueError(f"{name}.js has an import or export that is not in the one plain form")
    return f"const {name} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"


def _folder(name):
    return files("attn.show") / name
