"""A page that says whose work runs here, under which licence; and, beside each sheet, how many answers passed."""

import html
import re

from attn.exercises import catalogue
from book.encoder import place as encoder
from book.python import listed

ITEM = re.compile(r'(<li class="toctree-l1"><a class="reference internal" href="(\d\d)_[^"]*\.html">.*?</a>)')


def rows():
    """What runs here, each once: pairs (name and version, licence, megabytes)."""
    found = {}
    for file in listed()["files"]:
        licence, size = found.get(file["what"], (file["licence"], 0))
        found[file["what"]] = licence, size + file["bytes"]
    return [(what, licence, size / 1e6) for what, (licence, size) in found.items()]


def runtime():
    """What is said of what runs the cells.   -> HTML"""
    body = "".join(
        f"<tr><td>{html.escape(what)}</td><td>{html.escape(licence)}</td><td>{size:.2f} MB</td></tr>"
        for what, licence, size in rows()
    )
    return (
        "<p>The cells of this book run in your browser thanks to the work of others. "
        "Their files lie beside these pages, unchanged, each with the sha256 that the book's list names; they are "
        "loaded when you press <em>Run</em>, pictures and the editor when they are first needed.</p>"
        "<table><thead><tr><th>What</th><th>Licence</th><th>Size</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def weights():
    """What is said of the encoder's weights.   -> HTML"""
    file, size = encoder.listed()["files"][0], (encoder.made() / "weights.bin").stat().st_size
    what = f"{html.escape(file['what'])} (sentence-transformers), {html.escape(file['licence'])}, {size / 1e6:.1f} MB"
    return (
        f"<p>The figure of a real encoder's heads reads your own sentence with the weights of {what}. They are loaded "
        "when you press <em>Read it</em>. Changed: every matrix is rounded to eight bits in groups of 32, the biases "
        "of keys and values are folded into those of the outputs, and only the first positions are kept. "
        '<a href="_static/encoder/LICENSE.txt">The licence</a> and <a href="_static/encoder/NOTICE.txt">the notice of '
        "changes</a> lie beside them.</p>"
    )


def page(app):
    """The page of credits, where pages run or load.   -> the pages Sphinx shall add: (name, context, template)"""
    parts = [app.config.python_edition and runtime(), app.config.encoder_edition and weights()]
    if not any(parts):
        return
    letters = "<p>The letters are STIX Two, under the SIL Open Font License 1.1.</p>"
    text = f"<section><h1>Credits</h1>{''.join(filter(None, parts))}{letters}</section>"
    said = "Whose work runs in these pages, under which licence, and how large it is."
    yield "credits", {"title": "Credits", "body": text, "description": said}, "page.html"


def tally(pagename, body):
    """On the sheets' own page, room beside each sheet for how many of its exercises have passed in this browser."""
    if pagename != "exercises/index":
        return body
    ids = {chapter: " ".join(e.id for e in exercises) for chapter, exercises in catalogue.chapters().items()}
    return ITEM.sub(lambda m: f'{m[1]} <span class="tally" data-tally="{ids.get(int(m[2]), "")}"></span>', body)
