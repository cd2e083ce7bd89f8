"""Files that pages share: one stylesheet, the figures' script and style, a sitemap if the site has an address."""

import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image
from rjsmin import jsmin

from attn.show import widgets
from attn.show.kit import bundle
from book import stills
from book.encoder import place as encoder
from book.python import place
from book.slim import slim

STATIC = Path(__file__).parent / "theme" / "static"
SHEETS = ("base.css", "page.css", "notebook.css", "run.css")
SEARCH = {"documentation_options.js", "doctools.js", "language_data.js", "sphinx_highlight.js", "searchtools.js"}
QUIET = 'if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;'
STATE = re.compile(r'(data-view="(\w+)">)<script type="application/json">(.*?)</script>', re.DOTALL)
LARGE = 8000  # characters
HEAVY = 40_000  # bytes, compressed: more than a reader who only passes by should have to load
ONE_OF = {each.view: each.one_of for each in vars(widgets).values() if hasattr(each, "one_of")}
IDLE = re.compile(r"/\*.*?\*/|(?<=\n)\s+", re.DOTALL)  # what a stylesheet says to its writers alone
RULES = re.compile(r"const RULES=`[^`]*`")  # the stylesheet that a view brings
KEEP = {"course.css", "course.js", "run.js", "figures.css", "figures.js"} | SEARCH


def sources():
    """Every generated file by name: what is written, from which text."""
    scripts = {name: slim(text) for name, text in bundle.site_parts().items()}
    parts = {name: RULES.sub(lambda rules: IDLE.sub("", rules[0]), text) for name, text in scripts.items()}
    marked = {name: f"{name}-{_mark(text)}" for name, text in parts.items()}
    sheet = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in SHEETS)
    return {
        "course.css": IDLE.sub("", sheet),
        "course.js": jsmin((STATIC / "site.js").read_text(encoding="utf-8")),
        "run.js": jsmin((STATIC / "run.js").read_text(encoding="utf-8")),
        "figures.js": slim(bundle.site_core({v: [marked[name] for name in bundle.needs(v)] for v in bundle.views()})),
        "figures.css": IDLE.sub("", bundle.site_style()),
    } | {f"figures/{marked[name]}.js": text for name, text in parts.items()}


def _mark(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def digest(app, config):
    """A short digest of each file, part of its address: when one changes, every page is written again."""
    config.asset_digests = {name: _mark(text) for name, text in sources().items()}
    config.python_edition = place.edition() if place.available() else ""
    config.encoder_edition = encoder.edition() if encoder.made() else ""


def write(app):
    """Write the generated files before any page asks for them."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static"
    shutil.rmtree(target / "figures", ignore_errors=True)  # no part of an older edition stays
    (target / "figures").mkdir(parents=True)
    for name, text in sources().items():
        (target / name).write_text(text, encoding="utf-8")
    stills.place(target / "stills")
    place.place(target / "python")
    encoder.place(target / "encoder")


def set_aside(app, body, static="_static"):
    """Large states of figures travel beside the page, not in it: the words come first.   -> body

    A small script holds the state; the figure asks for it when it comes near. Of a list of which it shows one item
    (`Widget.one_of`) that item alone is in it; each other has a script of its own, for when it is chosen. A state that
    is HEAVY all the same says so, in kB, and waits for a press.
    static: the address of the folder of shared files, as the page sees it.
    """

    def beside(value):
        text = f"document.currentScript.holds = {json.dumps(value)};\n"
        path = Path(app.outdir) / "_static" / f"state-{hashlib.sha256(text.encode()).hexdigest()[:12]}.js"
        path.write_text(text, encoding="utf-8")
        return f"{static}/{path.name}", len(gzip.compress(text.encode()))

    def moved(match):
        begun, view, text = match.groups()
        if len(text) < LARGE:
            return match[0]
        state = json.loads(text, parse_float=short)
        if ONE_OF[view]:
            name, shown = ONE_OF[view]
            kept = state[shown]
            state[name] = [item if k == kept else {"beside": beside(item)[0]} for k, item in enumerate(state[name])]
        where, weight = beside(state)
        weighs = f' data-weighs="{round(weight / 1000)}"' if weight > HEAVY else ""
        return f'{begun}<script type="application/json" data-src="{where}"{weighs}></script>'

    return STATE.sub(moved, body)


def short(number):
    """A number of a large state with six digits: no figure shows as many.   str -> float"""
    return float(f"{float(number):.6g}")


def sitemap(base, pages):
    """The sitemap's text for page names under an absolute base address."""
    rows = "".join(f"<url><loc>{escape(f'{base.rstrip(chr(47))}/{page}.html')}</loc></url>\n" for page in sorted(pages))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{rows}</urlset>\n"


def hush(static):
    """From the disk a page may not read its neighbours, so there a search lists titles and quotes nothing."""
    path = static / "documentation_options.js"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text and QUIET not in text:
        path.write_text(f"{text.rstrip()}\n{QUIET}\n", encoding="utf-8")


def lighten(path):
    """Give a picture a palette: flat colours and grey edges need no more than 64, at a third of the bytes."""
    with Image.open(path) as picture:
        if picture.mode == "P":
            return
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


def finish(app, error):
    """Drop what no page of ours asks for, and write the sitemap if the site knows its address."""
    if error or app.builder.format != "html":
        return
    for path in (Path(app.outdir) / "_static").iterdir():
        if path.suffix in (".css", ".js") and path.name not in KEEP and not path.name.startswith("state-"):
            path.unlink()
    hush(Path(app.outdir) / "_static")
    for path in (Path(app.outdir) / "_images").glob("*.png"):
        lighten(path)
    if app.config.html_baseurl:
        text = sitemap(app.config.html_baseurl, app.env.found_docs)
        (Path(app.outdir) / "sitemap.xml").write_text(text, encoding="utf-8")
