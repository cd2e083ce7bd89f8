"""Join the plain ES modules in js/ into what each host can load. No bundler, no network: text in, text out.

A notebook needs one ES module per widget; a page opened from a disc can load no modules at all, so the site gets
one classic script. Each source becomes a function's body: its names stay its own.
"""

import re
from functools import cache
from importlib.resources import files

SHARED = ("linalg", "kit")
HELPERS = ("boards", "goals", "patterns", "sizes")  # a notebook's module carries only those that its view imports
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_ASIDE = re.compile(r"^[ \t]*//.*\n|^[ \t]+|^\n", re.MULTILINE)  # for who reads the source; no string here spans lines
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)) (\w+)", re.MULTILINE)


@cache
def views():
    """The names of all views: the modules in js/ that are not shared code.   ->   tuple of str"""
    found = (entry.name.removesuffix(".js") for entry in _folder().iterdir() if entry.name.endswith(".js"))
    return tuple(sorted(name for name in found if name not in (*SHARED, *HELPERS, "boot")))


@cache
def module_source(view):
    """One ES module for Jupyter: the shared code and one view.   view: str   ->   str

    It exports what anywidget asks for, `default { render }`, and `linalg` so that its mathematics can be tested.
    """
    if view not in views():
        raise ValueError(f"there is no view {view!r}; the views are {', '.join(views())}")
    helpers = [name for name in HELPERS if f'from "./{name}.js"' in _read(f"{view}.js")]
    parts = "".join(_scoped(name) for name in (*SHARED, *helpers, view))
    return f"{parts}export default {{ render: kit.guarded({view}.render) }};\nexport {{ linalg }};\n"


@cache
def site_script():
    """One classic script for the static page: every view, and the code that wakes the figures.   ->   str"""
    parts = "".join(_scoped(name) for name in (*SHARED, *HELPERS, *views()))
    table = ", ".join(views())
    boot = _read("boot.js")
    return f'(() => {{\n"use strict";\n{parts}const views = {{ {table} }};\n{boot}}})();\n'


@cache
def site_style():
    """The kit's stylesheet, for the page and for every widget.   ->   str"""
    style = re.sub(r"/\*.*?\*/|\s+", " ", _read("kit.css"), flags=re.DOTALL)
    return re.sub(r" *([{};,>]) *|: ", lambda found: found[1] or ":", style).strip()  # not “td :is”


def _scoped(name):
    """const name = (() => { …source…; return { its exports }; })();"""
    source = _IMPORT.sub(lambda match: f"const {match[1]} = {match[2]};\n", _read(f"{name}.js"))
    exports = [found[1] for found in _EXPORT.findall(source)]
    source = _EXPORT.sub(r"\1 \2", source)
    if re.search(r"^(import|export)\b", source, re.MULTILINE):
        raise ValueError(f"js/{name}.js has an import or export that is not in the one plain form")
    source = "\n".join(map(_tight, _ASIDE.sub("", source).split("\n")))
    return f"const {name} = (() => {{\n{source}return {{ {', '.join(exports)} }};\n}})();\n"


def _tight(line):
    """The line without the spaces that only a reader needs. Text keeps its own; lines with templates keep all."""
    if re.search("['`/]", line):
        return line
    parts = re.split(r'("(?:\\.|[^"\\])*")', line)
    return "".join(part if part.startswith('"') else re.sub(r" ?([=*<>?:&|,;{}()]) ?", r"\1", part) for part in parts)


def _read(name):
    return (_folder() / name).read_text(encoding="utf-8")


def _folder():
    return files("attn.show") / "js"
