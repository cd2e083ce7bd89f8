"""Join the plain ES modules beside the figures into what each host can load. No network: text in, text out.

A notebook needs one ES module per widget; a page opened from a disc can load no modules at all, so the site gets
one classic script. Each source becomes a function's body: its names stay its own.
"""

import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(?:\./|\.\./kit/)(\w+)\.js";\n', re.MULTILINE)
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
    """One classic script for the static page: every view, and the code that wakes the figures.   ->   str"""
    end = f"boot.start({{ {', '.join(views())} }}, linalg);\n"
    return f'(() => {{\n"use strict";\n{_joined("linalg", "boot", *views())}{end}}})();\n'


@cache
def site_style():
    """The kit's stylesheet, for the page and for every widget.   ->   str"""
    return (_folder("kit") / "kit.css").read_text(encoding="utf-8")


@cache
def source(name):
    """A module as it was written, the view or the kit's of that name.   name: str   ->   str"""
    folder = "widgets" if name in views() else "kit"
    return (_folder(folder) / f"{name}.js").read_text(encoding="utf-8")


def _joined(*names):
    """These modules and all that they import, each after what it needs."""
    order = []

    def add(name):
        for needed in _IMPORT.findall(source(name)):
            add(needed[1])
        if name not in order:
            order.append(name)

    for name in names:
        add(name)
    return "".join(map(_scoped, order))


def _scoped(name):
    """const name = (() => { …source…; return { its exports }; })();"""
    text = _IMPORT.sub(lambda match: f"const {match[1]} = {match[2]};\n", source(name))
    exports = [found[1] for found in _EXPORT.findall(text)]
    text = _EXPORT.sub(r"\1 \2", text)
    if re.search(r"^(import|export)\b", text, re.MULTILINE):
        raise ValueError(f"{name}.js has an import or export that is not in the one plain form")
    return f"const {name} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"


def _folder(name):
    return files("attn.show") / name
