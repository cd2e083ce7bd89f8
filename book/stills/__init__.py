"""Still pictures of the interactive figures: what a page shows without scripts, and what paper gets.

Each is drawn once, by the figure's own view, from the state that its notebook stored (tools/stills.py), and kept in
drawn/ under the name of that state. Building the site needs no browser: it only puts them in.
"""

import hashlib
import re
import shutil
from html import escape, unescape
from pathlib import Path

DRAWN = Path(__file__).parent / "drawn"
FIGURE = re.compile(
    r'(<div class="attn-figure" data-view="(\w+)"><script type="application/json">(.*?)</script>)'
    r'<div class="attn-fallback">(.*?)</div></div>',
    re.DOTALL,
)
PARTS = re.compile(r"(.*)<p>(.*?)</p>", re.DOTALL)  # what a figure's fallback is: its tables, then its sentence
HEAD = re.compile(
    r'<svg [^>]*width="(\d+)" height="(\d+)" data-tall="(\d+) (\d+)"[^>]*><title>(.*?)</title><desc>(.*?)</desc>',
    re.DOTALL,
)
NARROW = "-narrow"  # a picture for phones, where the usual one is too wide
QUESTIONS = "predict"  # a question is words: it has no picture


def name(view, state):
    """What the picture of a figure in this state is called.   str, str   ->   str"""
    return f"{view}-{hashlib.sha256(state.encode()).hexdigest()[:10]}.svg"


def narrow(file):
    """What the picture for a phone is called beside this one, if there is one.   str   ->   str"""
    return file.replace(".svg", f"{NARROW}.svg")


def figures(html):
    """The figures of a page that have a picture: {its name: (view, state)}."""
    found = ((view, state) for _, view, state, _ in FIGURE.findall(html))
    return {name(view, state): (view, state) for view, state in found if view != QUESTIONS}


def stamp(body, static="_static"):
    """Put each figure's picture and sentence before its tables, and fold those away.   -> body

    static: the address of the folder of shared files, as the page sees it. A figure without a picture keeps its tables.
    """

    def stamped(match):
        begun, view, state, fallback = match.groups()
        path = DRAWN / name(view, state)
        if view == QUESTIONS or not path.is_file():
            return match[0]
        text = path.read_text(encoding="utf-8")
        width, height, tall, slim, title, told = HEAD.match(text).groups()
        mark = hashlib.sha256(text.encode()).hexdigest()[:8]
        begin, end = "", ""
        if (other := DRAWN / narrow(path.name)).is_file():
            small = other.read_text(encoding="utf-8")
            sizes = 'width="{}" height="{}"'.format(*HEAD.match(small).groups()[:2])
            place = f"{static}/stills/{other.name}?v={hashlib.sha256(small.encode()).hexdigest()[:8]}"
            begin, end = f'<picture><source media="(max-width: 700px)" srcset="{place}" {sizes}>', "</picture>"
        tables = PARTS.fullmatch(fallback)[1]
        return (
            f'{begun}<div class="attn-fallback" style="--wide:{tall}px;--narrow:{slim}px">'
            f"<p><strong>{title}</strong></p>"
            f"{begin}"
            f'<img class="attn-still" width="{width}" height="{height}" '
            f'alt="{escape(unescape(title))} The sentence below says what it shows." '
            f'src="{static}/stills/{path.name}?v={mark}">{end}<p>{told}</p>'
            f"<details><summary>The numbers</summary>{tables}</details></div></div>"
        )

    return FIGURE.sub(stamped, body)


def place(target):
    """Copy the pictures into the built site.   target: the folder"""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DRAWN, target)
